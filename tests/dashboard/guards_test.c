/* guards_test.c - what is refused before anything is asked: foreign names and pages, missing tokens, paths, sizes, slowness. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/buf.h"
#include "tests/dashboard/one_server.h"

/* The status of GET TARGET with these header lines instead of the usual ones. */
static int status_of(const char *method, const char *target, const char *headers)
{
    char *bytes = aisp_format("%s %s HTTP/1.1\r\n%s\r\n", method, target, headers);
    struct reply r = client_raw(server.port, bytes, strlen(bytes));
    const int status = r.status;

    free(bytes);
    reply_release(&r);
    return status;
}

/* DNS rebinding: a name of somebody else's that leads here. */
static void a_foreign_host_is_refused(void **state)
{
    (void)state;
    assert_int_equal(status_of("GET", "/healthz", "Host: localhost\r\n"), 200);
    assert_int_equal(status_of("GET", "/healthz", "Host: localhost:9000\r\n"), 200);
    assert_int_equal(status_of("GET", "/healthz", "Host: 127.0.0.1:1\r\n"), 200);
    assert_int_equal(status_of("GET", "/healthz", "Host: [::1]:8100\r\n"), 200);
    assert_int_equal(status_of("GET", "/healthz", "Host: evil.example\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: evil.example:8100\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: localhost.evil.example\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: 127.0.0.1.evil.example\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: 127.0.0.1@evil.example\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: [evil]\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: localhost:x\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: \r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: localhost\r\nHost: evil.example\r\n"), 400);
    assert_int_equal(status_of("GET", "/", ""), 400);
}

/* CSRF: a page of somebody else's that asks from here. */
static void a_foreign_page_is_refused(void **state)
{
    static const char host[] = "Host: localhost:8100\r\n";
    static const struct { const char *headers; int status; } asks[] = {
        { "Origin: http://localhost:8100\r\n", 200 },
        { "Origin: http://evil.example\r\n", 403 },
        { "Origin: null\r\n", 403 },
        { "Origin: http://localhost:8101\r\n", 403 },
        { "Origin: http://localhost:8100.evil.example\r\n", 403 },
        { "Origin: http://localhost:8100\r\nOrigin: http://evil.example\r\n", 400 },
        { "Sec-Fetch-Site: same-origin\r\n", 200 },
        { "Sec-Fetch-Site: none\r\n", 200 },
        { "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n", 403 },
        { "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n", 403 },
        { "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", 200 },     /* a link that leads here */
        { "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", 200 },
        { "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n", 403 },
        { "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: embed\r\n", 403 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char *headers = aisp_format("%s%s", host, asks[i].headers);
        const int status = status_of("GET", "/api/v1/version", headers);

        if (status != asks[i].status)
            fail_msg("%s: %d", asks[i].headers, status);
        free(headers);
    }
}

static void no_other_site_may_read_an_answer(void **state)
{
    struct reply r = client_ask(&server, "GET", "/api/v1/version", "Origin: http://evil.example\r\n", NULL);

    (void)state;
    assert_string_equal(reply_header(&r, "Access-Control-Allow-Origin"), "");
    reply_release(&r);
    r = client_ask(&server, "OPTIONS", "/api/v1/jobs", "Access-Control-Request-Method: POST\r\n", NULL);
    assert_int_equal(r.status, 405);
    assert_string_equal(reply_header(&r, "Access-Control-Allow-Methods"), "");
    reply_release(&r);
}

static void what_changes_something_needs_the_token(void **state)
{
    static const char json[] = "{\"command\": \"version\"}", type[] = "Content-Type: application/json\r\n";
    struct reply r = client_ask(&server, "POST", "/api/v1/jobs", type, json);
    char *headers;

    (void)state;
    assert_int_equal(r.status, 401);
    assert_string_equal(reply_header(&r, "WWW-Authenticate"), "Bearer realm=\"aisp\"");
    reply_release(&r);
    r = client_ask(&server, "DELETE", "/api/v1/jobs/0123456789abcdef", "", NULL);
    assert_int_equal(r.status, 401);
    reply_release(&r);
    for (int i = 0; i < 4; i++) {            /* nearly: the last character, one less, one more, none */
        char token[200];
        const size_t n = strlen(server.token);

        snprintf(token, sizeof token, "%s", server.token);
        if (i == 0)
            token[n - 1] = token[n - 1] == '0' ? '1' : '0';
        else
            snprintf(token, sizeof token, "%.*s%s", i == 1 ? (int)n - 1 : i == 2 ? (int)n : 0, server.token, i == 2 ? "0" : "");
        headers = aisp_format("%sAuthorization: Bearer %s\r\n", type, token);
        r = client_ask(&server, "POST", "/api/v1/jobs", headers, json);
        assert_int_equal(r.status, 401);
        reply_release(&r);
        free(headers);
    }
    headers = aisp_format("%sAuthorization: Basic %s\r\n", type, server.token);
    r = client_ask(&server, "POST", "/api/v1/jobs", headers, json);
    assert_int_equal(r.status, 401);
    reply_release(&r);
    free(headers);
    r = client_post(&server, "/api/v1/jobs", json);
    assert_int_equal(r.status, 202);
    reply_release(&r);
    /* A page of another origin is refused even if it had the token. */
    headers = aisp_format("%sAuthorization: Bearer %s\r\nOrigin: http://evil.example\r\n", type, server.token);
    r = client_ask(&server, "POST", "/api/v1/jobs", headers, json);
    assert_int_equal(r.status, 403);
    reply_release(&r);
    free(headers);
}

static int by_value(const void *a, const void *b)
{
    return (*(const int64_t *)a > *(const int64_t *)b) - (*(const int64_t *)a < *(const int64_t *)b);
}

static int64_t refusal_ns(const char *token)
{
    char *bytes =
        aisp_format("GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", token);
    struct timespec from, to;
    struct reply r;

    clock_gettime(CLOCK_MONOTONIC, &from);
    r = client_raw(server.port, bytes, strlen(bytes));
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_int_equal(r.status, 401);
    reply_release(&r);
    free(bytes);
    return (to.tv_sec - from.tv_sec) * INT64_C(1000000000) + to.tv_nsec - from.tv_nsec;
}

/* Time says nothing of how much of a token was right. That hashes are compared in constant time is sodium_memcmp's; this sees
 * that nothing before it compares: in turn, so that what else the machine does meets both, and by medians. */
static void a_nearly_right_token_takes_as_long(void **state)
{
    enum { N = 401 };
    static int64_t a[N], b[N];
    char nearly[200], wrong[200];

    (void)state;
    snprintf(nearly, sizeof nearly, "%s", server.token);
    snprintf(wrong, sizeof wrong, "%s", server.token);
    nearly[strlen(nearly) - 1] ^= 1;
    wrong[0] ^= 1;
    for (int i = 0; i < N; i++) {
        a[i] = refusal_ns(nearly);
        b[i] = refusal_ns(wrong);
    }
    qsort(a, N, sizeof *a, by_value);
    qsort(b, N, sizeof *b, by_value);
    assert_true(llabs(a[N / 2] - b[N / 2]) < (a[N / 2] + b[N / 2]) / 4);
}

static void a_path_leads_nowhere_else(void **state)
{
    static const struct { const char *target; int status; } asks[] = {
        { "/../../../../etc/passwd", 400 },
        { "/..%2f..%2f..%2fetc/passwd", 400 },
        { "/%2e%2e/%2e%2e/etc/passwd", 400 },
        { "/api/v1/../../etc/passwd", 400 },
        { "/api/v1/./version", 400 },
        { "//etc/passwd", 400 },
        { "/api//v1/version", 400 },
        { "/api/v1/version/", 400 },
        { "/..\\..\\etc\\passwd", 400 },
        { "/%5c..%5cetc", 400 },
        { "/etc/passwd", 404 },
        { "/api/v1/version%00.html", 400 },
        { "/api/v1/%ff%fe", 400 },
        { "/api/v1/%c0%ae%c0%ae/", 400 },
        { "/api/v1/version%", 400 },
        { "/api/v1/version%4", 400 },
        { "/api/v1/version%zz", 400 },
        { "http://localhost/healthz", 400 },
        { "*", 400 },
        { "/api/v1/bench/show-run?run=..%2F..%2F..%2Fetc%2Fpasswd", 404 },
        { "/api/v1/bench/show?target=..%2F..%2Fetc%2Fpasswd", 404 },
        { "/api/v1/bench/show?target=%2Fetc%2Fpasswd", 404 },
        { "/api/v1/bench/analyze?artifacts-dir=%2Ftmp", 400 },
        { "/api/v1/bench/list-targets?bench-root=%2Ftmp", 400 },
        { "/api/v1/version?json=1", 400 },
        { "/api/v1/version?help=1", 400 },
        { "/api/v1/bench/cost?prices=%2Fetc%2Fpasswd", 400 },
        { "/api/v1/bench/export?output=%2Ftmp%2Fx", 400 },
        { "/api/v1/bench/show-run?run=--help", 404 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct reply r = client_get(&server, asks[i].target);

        if (r.status != asks[i].status)
            fail_msg("%s: %d %s", asks[i].target, r.status, r.body ? r.body : "");
        assert_null(strstr(r.body, "root:"));
        reply_release(&r);
    }
}

static char *many(char c, size_t n)
{
    char *text = aisp_xmalloc(n + 1);

    memset(text, c, n);
    text[n] = 0;
    return text;
}

static void a_value_cannot_add_a_header(void **state)
{
    struct reply r = client_get(&server, "/api/v1/bench/list-runs?page-size=1&limit=2&x%0d%0aSet-Cookie:%20a=b");
    char *stars, *target;

    (void)state;
    assert_int_equal(r.status, 400);
    assert_string_equal(reply_header(&r, "Set-Cookie"), "");
    reply_release(&r);
    /* The Link of a page repeats the query, escaped anew. */
    r = client_get(&server, "/api/v1/bench/list-targets?chapter=ch01&limit=1");
    assert_int_equal(r.status, 200);
    reply_release(&r);
    r = client_get(&server, "/api/v1/bench/list-runs?limit=2&page-size=1");
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(reply_header(&r, "Link"), "</api/v1/bench/list-runs?limit=2&page-size=1&cursor="));
    reply_release(&r);
    stars = many('*', 4000);
    target = aisp_format("/api/v1/bench/list-targets?limit=1&device=cpu&chapter=%s", stars);
    r = client_get(&server, target);         /* three bytes there for one here */
    assert_int_equal(r.status, 200);
    reply_release(&r);
    free(target);
    free(stars);
}

static void too_much_is_refused(void **state)
{
    char *long_part = many('a', 5000), *target = aisp_format("/api/v1/version?x=%s", long_part), *large = many('x', 70000),
         *header = aisp_format("X-Large: %s\r\n", large);
    struct aisp_buf fields = AISP_BUF_INIT, query = AISP_BUF_INIT;
    struct reply r = client_get(&server, target);

    (void)state;
    assert_int_equal(r.status, 414);
    reply_release(&r);
    r = client_ask(&server, "GET", "/healthz", header, NULL);
    assert_in_range(r.status, 400, 499);
    reply_release(&r);
    for (int i = 0; i < 100; i++)
        aisp_buf_printf(&fields, "X-%d: y\r\n", i);
    r = client_ask(&server, "GET", "/healthz", fields.s, NULL);
    assert_int_equal(r.status, 431);
    reply_release(&r);
    aisp_buf_puts(&query, "/api/v1/version?");
    for (int i = 0; i < 100; i++)
        aisp_buf_printf(&query, "a%d=b&", i);
    r = client_get(&server, query.s);
    assert_int_equal(r.status, 400);
    reply_release(&r);
    r = client_post(&server, "/api/v1/jobs", large);
    assert_int_equal(r.status, 413);
    reply_release(&r);
    aisp_buf_release(&fields);
    aisp_buf_release(&query);
    free(long_part);
    free(target);
    free(large);
    free(header);
}

/* In chunks nobody says beforehand how much it will be. */
static void an_endless_body_ends(void **state)
{
    char *chunk = many('x', 0x1000),
         *head = aisp_format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                             "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
                             server.token);
    const int fd = client_connect(server.port);
    struct reply r;

    (void)state;
    client_send(fd, head, strlen(head));
    for (int i = 0; i < 100; i++) {
        client_send(fd, "1000\r\n", 6);
        client_send(fd, chunk, 0x1000);
        client_send(fd, "\r\n", 2);
    }
    r = client_read(fd, 5000);
    assert_true(r.is_closed);
    assert_true(r.status == 0 || r.status == 413);
    reply_release(&r);
    close(fd);
    free(chunk);
    free(head);
    r = client_get(&server, "/healthz");
    assert_int_equal(r.status, 200);
    reply_release(&r);
}

static void what_is_no_http_is_refused(void **state)
{
    static const char *const asks[] = {
        "\r\n\r\n\r\n\r\n",
        "GET\r\n\r\n",
        "GET /healthz\r\n\r\n",
        "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "\x16\x03\x01\x02\x01\x01\xfc\x03\x03\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost localhost\r\n\r\n",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        const int fd = client_connect(server.port);
        struct reply r;

        client_send(fd, asks[i], strlen(asks[i]));
        shutdown(fd, SHUT_WR);
        r = client_read(fd, 5000);
        if (r.status && r.status < 400)
            fail_msg("%s: %d", asks[i], r.status);
        reply_release(&r);
        close(fd);
    }
}

/* Behind a web server that reads them otherwise, a request within the body of another would be one that nobody let through. */
static void where_a_body_ends_is_said_once(void **state)
{
    static const char inner[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static const char *const fields[] = {
        "Content-Length: 2\r\nContent-Length: 50\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n",
        "Content-Length\t: 50\r\nContent-Length: 2\r\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char *bytes = aisp_format("POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                                  "Content-Type: application/json\r\n%s\r\n{}%s", server.token, fields[i], inner);
        struct reply r = client_raw(server.port, bytes, strlen(bytes));

        if (r.status != 400 || !r.is_closed || !strstr(r.body, "one Content-Length"))
            fail_msg("%s: %d %s", fields[i], r.status, r.body);
        reply_release(&r);
        free(bytes);
    }
}

static void a_method_is_for_its_path(void **state)
{
    struct reply r = client_post(&server, "/api/v1/version", "{}");

    (void)state;
    assert_int_equal(r.status, 405);
    reply_release(&r);
    r = client_ask(&server, "PUT", "/api/v1/jobs", "", NULL);
    assert_int_equal(r.status, 405);
    reply_release(&r);
    r = client_ask(&server, "HEAD", "/healthz", "Connection: close\r\n", NULL);
    assert_int_equal(r.status, 200);
    assert_string_equal(reply_header(&r, "Content-Length"), "3");
    assert_int_equal(r.n, 0);
    reply_release(&r);
}

static void every_answer_forbids_guessing_and_framing(void **state)
{
    static const char *const targets[] = { "/", "/healthz", "/metrics", "/api/v1/version", "/nothing", "/api/v1/openapi.json" };

    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct reply r = client_get(&server, targets[i]);

        assert_string_equal(reply_header(&r, "X-Content-Type-Options"), "nosniff");
        assert_string_equal(reply_header(&r, "Referrer-Policy"), "no-referrer");
        assert_string_equal(reply_header(&r, "X-Frame-Options"), "DENY");
        assert_non_null(strstr(reply_header(&r, "Content-Security-Policy"), "default-src 'none'"));
        assert_non_null(strstr(reply_header(&r, "Content-Security-Policy"), "frame-ancestors 'none'"));
        assert_null(strstr(reply_header(&r, "Content-Security-Policy"), "unsafe"));
        reply_release(&r);
    }
}

static void elsewhere_all_needs_the_token(void **state)
{
    static const char *const words[] = { "--listen", "0.0.0.0", "--host", "bench.example", NULL };
    struct server open;
    struct reply r;
    char *headers;

    (void)state;
    server_start(&open, words);
    r = client_get(&open, "/api/v1/version");
    assert_int_equal(r.status, 401);
    reply_release(&r);
    r = client_get(&open, "/metrics");
    assert_int_equal(r.status, 401);
    reply_release(&r);
    r = client_get(&open, "/");              /* the page, which says nothing of what is recorded */
    assert_int_equal(r.status, 200);
    reply_release(&r);
    headers = aisp_format("GET /api/v1/version HTTP/1.1\r\nHost: bench.example\r\nAuthorization: Bearer %s\r\n\r\n", open.token);
    r = client_raw(open.port, headers, strlen(headers));
    assert_int_equal(r.status, 200);
    reply_release(&r);
    free(headers);
    assert_int_equal(server_stop(&open), 0);
}

/* One answer goes out slowly, and of another request half is here, when the server stops: that one is not asked for any more, for
 * nobody would answer it. */
static void what_comes_while_it_stops_is_not_asked(void **state)
{
    enum { ANSWERS = 200 };                  /* of the page: more than the kernel takes for a client that does not read */
    static const char get[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                      half[] = "GET /api/v1/bench/list-runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx";
    struct server stopping;
    struct reply r;
    int slow, fd, status;

    (void)state;
    server_start(&stopping, NULL);
    slow = client_connect(stopping.port);
    for (int i = 0; i < ANSWERS; i++)
        client_send(slow, get, strlen(get));
    fd = client_connect(stopping.port);
    client_send(fd, half, strlen(half));
    usleep(500000);
    kill(stopping.pid, SIGTERM);
    usleep(500000);
    client_send(fd, "x", 1);
    r = client_read(fd, 5000);
    assert_int_equal(r.status, 503);
    assert_non_null(strstr(r.body, "the server stops"));
    reply_release(&r);
    assert_int_equal(waitpid(stopping.pid, &status, 0), stopping.pid);
    assert_int_equal(status, 0);
    close(stopping.fd);
    close(slow);
    close(fd);
}

/* What stands in front of it, on this machine, makes all that come from elsewhere look near. */
static void behind_a_name_all_needs_the_token(void **state)
{
    static const char *const words[] = { "--host", "bench.example", NULL },
                      *const hosts[] = { "bench.example", "localhost", "127.0.0.1:8100" };
    struct server named;
    struct reply r;

    (void)state;
    server_start(&named, words);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char *bytes = aisp_format("GET /api/v1/version HTTP/1.1\r\nHost: %s\r\n\r\n", hosts[i]);

        r = client_raw(named.port, bytes, strlen(bytes));
        assert_int_equal(r.status, 401);
        reply_release(&r);
        free(bytes);
    }
    r = client_get(&named, "/");
    assert_int_equal(r.status, 200);
    reply_release(&r);
    assert_int_equal(server_stop(&named), 0);
}

static int try_token_file(const char *text, mode_t mode)
{
    FILE *f = fopen("token", "w");
    char *line = aisp_format("%s/aisp dashboard serve --port 0 --token-file token --artifacts-dir artifacts >said 2>&1 & "
                             "until grep -q http: said || ! kill -0 $! 2>/dev/null; do sleep 0.02; done; "
                             "grep -q http: said; r=$?; kill $! 2>/dev/null; wait; exit $r", getenv("BUILD"));
    int status;

    fputs(text, f);
    fclose(f);
    chmod("token", mode);
    unlink("said");                          /* by the one before */
    status = system(line);
    free(line);
    unlink("token");
    return status;
}

static void a_token_file_is_private_and_long(void **state)
{
    static const char good[] = "0123456789abcdef0123456789abcdef\n";
    char said[200] = "";
    FILE *f;

    (void)state;
    assert_int_equal(try_token_file(good, 0600), 0);
    f = fopen("said", "r");
    assert_non_null(fgets(said, sizeof said, f));
    assert_null(strstr(said, "0123456789abcdef"));       /* it is not printed again */
    fclose(f);
    assert_int_not_equal(try_token_file(good, 0644), 0);
    assert_int_not_equal(try_token_file("short\n", 0600), 0);
    assert_int_not_equal(try_token_file("0123456789abcdef 123456789abcdef0123\n", 0600), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foreign_host_is_refused),
        cmocka_unit_test(a_foreign_page_is_refused),
        cmocka_unit_test(no_other_site_may_read_an_answer),
        cmocka_unit_test(what_changes_something_needs_the_token),
        cmocka_unit_test(a_nearly_right_token_takes_as_long),
        cmocka_unit_test(a_path_leads_nowhere_else),
        cmocka_unit_test(a_value_cannot_add_a_header),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(an_endless_body_ends),
        cmocka_unit_test(what_is_no_http_is_refused),
        cmocka_unit_test(where_a_body_ends_is_said_once),
        cmocka_unit_test(a_method_is_for_its_path),
        cmocka_unit_test(every_answer_forbids_guessing_and_framing),
        cmocka_unit_test(elsewhere_all_needs_the_token),
        cmocka_unit_test(behind_a_name_all_needs_the_token),
        cmocka_unit_test(what_comes_while_it_stops_is_not_asked),
        cmocka_unit_test(a_token_file_is_private_and_long),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
