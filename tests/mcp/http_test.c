/* http_test.c - `mcp serve --http`: who is let in, headers and their errors, streams, and cancelling by hanging up.
 * Without libmicrohttpd there is no such server; then that is what is tested. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mcp/client.h"
#include "tests/unit/temporary.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define META "io.modelcontextprotocol/"
#define BEARER "Authorization: Bearer " TOKEN "\r\n"
#define TYPE "Content-Type: application/json\r\n"
#define MODERN "\"_meta\": {\"" META "protocolVersion\": \"2026-07-28\", \"" META "clientCapabilities\": {}}"

static char *folder;
static pid_t pid;
static int port;

/* ---- the server ---- */

static _Noreturn void become_server(int said)
{
    char *artifacts = aisp_format("%s/artifacts", folder), *token = aisp_format("%s/token", folder);

    dup2(said, STDERR_FILENO);
    if (!chdir(folder))
        execl(BUILD_DIR "/aisp", "aisp", "mcp", "serve", "--http", "--port", "0", "--allow-run", "--token-file", token,
              "--artifacts-dir", artifacts, "--bench-root", BUILD_DIR "/tui-targets", NULL);
    _exit(127);
}

static int start(void **state)
{
    char line[400] = "", *at;
    int said[2];
    ssize_t n = 0, more;

    (void)state;
    folder = recorded_folder();
    at = write_file(folder, "token", TOKEN "\n", sizeof TOKEN);
    assert_int_equal(chmod(at, 0600), 0);
    free(at);
    assert_int_equal(pipe2(said, O_CLOEXEC), 0);
    pid = fork();
    if (!pid)
        become_server(said[1]);
    close(said[1]);
    while (n < 399 && !strchr(line, '\n') && (more = read(said[0], line + n, (size_t)(399 - n))) > 0)
        n += more;
    close(said[0]);
    at = strstr(line, "127.0.0.1:");
    port = at ? atoi(at + 10) : 0;
    if (!port && !strstr(line, "libmicrohttpd"))
        fail_msg("%s", line);
    return 0;
}

static int stop(void **state)
{
    int status;

    (void)state;
    if (port)
        kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), port ? 0 : 5);
    remove_folder(folder);
    return 0;
}

/* ---- a request ---- */

static int connected(void)
{
    const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int asked(const char *method, const char *headers, const char *body)
{
    const int fd = connected();
    char *text = aisp_format("%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\nContent-Length: %zu\r\n%s\r\n%s",
                             method, port, strlen(body), headers, body);
    size_t n = strlen(text);

    for (const char *at = text; n; ) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

        if (sent <= 0)
            break;                           /* refused before it had all */
        at += sent;
        n -= (size_t)sent;
    }
    free(text);
    return fd;
}

/* All that came back; the caller's. */
static char *received(int fd)
{
    struct aisp_buf in = AISP_BUF_INIT;
    char bytes[65536];

    for (ssize_t n; (n = read(fd, bytes, sizeof bytes)) > 0; )
        aisp_buf_add(&in, bytes, (size_t)n);
    close(fd);
    return aisp_buf_detach(&in);
}

static char *request(const char *method, const char *headers, const char *body)
{
    return received(asked(method, headers, body));
}

static int status_of(const char *answer)
{
    return !strncmp(answer, "HTTP/1.1 ", 9) ? atoi(answer + 9) : 0;
}

static void assert_answer(const char *headers, const char *body, int status, const char *expected)
{
    char *answer = request("POST", headers, body);

    if (status_of(answer) != status || !strstr(answer, expected))
        fail_msg("%s%s: %s", headers, body, answer);
    free(answer);
}

/* ---- tests ---- */

static void skip_without_server(void)
{
    if (!port)
        skip();
}

static void who_has_no_token_or_comes_from_elsewhere_is_not_let_in(void **state)
{
    static const char ping[] = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}";
    char *answer;

    (void)state;
    skip_without_server();
    assert_answer(TYPE, ping, 401, "");
    assert_answer("Authorization: Bearer " TOKEN "x\r\n" TYPE, ping, 401, "");
    assert_answer("Authorization: Basic " TOKEN "\r\n" TYPE, ping, 401, "");
    assert_answer(BEARER TYPE "Origin: https://example.org\r\n", ping, 403, "");
    assert_answer(BEARER TYPE, ping, 200, "\"result\":{}");
    answer = request("GET", BEARER, "");
    assert_int_equal(status_of(answer), 405);
    free(answer);
    answer = request("DELETE", BEARER, "");
    assert_int_equal(status_of(answer), 405);
    free(answer);
    answer = request("GET", "", "");
    assert_int_equal(status_of(answer), 401);
    free(answer);
}

static void a_foreign_host_is_refused(void **state)
{
    int fd;
    char *answer;

    (void)state;
    skip_without_server();
    fd = connected();
    assert_true(dprintf(fd, "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 2\r\n" BEARER TYPE
                            "\r\n{}") > 0);
    answer = received(fd);
    assert_true(status_of(answer) >= 400 && status_of(answer) < 500);
    free(answer);
}

static void what_is_no_message_is_a_bad_request(void **state)
{
    char *huge = aisp_xmalloc((2 << 20) + 1);

    (void)state;
    skip_without_server();
    assert_answer(BEARER TYPE, "{", 400, "-32700");
    assert_answer(BEARER TYPE, "[]", 400, "-32600");
    assert_answer(BEARER TYPE, "", 400, "-32700");
    assert_answer(BEARER "Content-Type: text/plain\r\n", "{}", 415, "");
    assert_answer(BEARER TYPE, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}", 202, "");
    assert_answer(BEARER TYPE, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}", 202, "");
    assert_answer(BEARER TYPE, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"nope\"}", 200, "-32601");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 1999-01-01\r\n", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}",
                  400, "-32022");
    memset(huge, ' ', 2 << 20);
    huge[2 << 20] = '\0';
    assert_answer(BEARER TYPE, huge, 413, "");
    free(huge);
}

static void headers_of_the_newer_protocol_say_what_the_body_says(void **state)
{
    static const char call[] =
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"version\", " MODERN "}}";
    static const char nope[] = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"nope\", \"params\": {" MODERN "}}";

    (void)state;
    skip_without_server();
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: version\r\n", call, 200,
                  "structuredContent");
    assert_answer(BEARER TYPE
                  "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: =?base64?dmVyc2lvbg==?=\r\n",
                  call, 200, "structuredContent");
    assert_answer(BEARER TYPE, call, 400, "-32020");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/call\r\nMcp-Name: version\r\n", call, 400,
                  "-32020");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nMcp-Name: version\r\n", call, 400,
                  "-32020");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: other\r\n", call, 400,
                  "-32020");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: =?base64?!?=\r\n", call,
                  400, "-32020");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: nope\r\n", nope, 404, "-32601");
    assert_answer(BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\n",
                  "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}", 400, "-32602");
}

static void a_session_is_given_and_told_apart(void **state)
{
    static const char hello[] = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {\"protocolVersion\": "
                                "\"2025-11-25\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}";
    char *one, *two, *a, *b;

    (void)state;
    skip_without_server();
    one = request("POST", BEARER TYPE, hello);
    two = request("POST", BEARER TYPE, hello);
    a = strcasestr(one, "mcp-session-id: ");
    b = strcasestr(two, "mcp-session-id: ");
    assert_non_null(a);
    assert_non_null(b);
    assert_true(strspn(a + 16, "0123456789abcdef") >= 32);
    assert_int_not_equal(strncmp(a, b, 16 + 32), 0);
    free(one);
    free(two);
}

/* A long command is a stream, and who speaks the newer protocol stops it by hanging up. */
static void hanging_up_cancels(void **state)
{
    static const char run[] =
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"bench_run\", "
        "\"arguments\": {\"targets\": [\"ch01:double\"], \"time-limit\": \"100s\"}, " MODERN "}}";
    char bytes[4096], *children;
    ssize_t n;
    int fd, i = 0;

    (void)state;
    skip_without_server();
    fd = asked("POST", BEARER TYPE "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: bench_run\r\n", run);
    n = read(fd, bytes, sizeof bytes - 1);
    assert_true(n > 0);
    bytes[n] = '\0';
    assert_int_equal(status_of(bytes), 200);
    assert_non_null(strcasestr(bytes, "text/event-stream"));
    children = aisp_format("pgrep -P %d >/dev/null", (int)pid);
    assert_int_equal(system(children), 0);
    close(fd);
    while (!system(children) && i++ < 600)
        usleep(100000);
    assert_true(i < 600);
    free(children);
}

/* With a handshake: by a notification of the same session, and of no other; the stream ends without an answer. */
static void a_notification_cancels_in_its_own_session(void **state)
{
    static const char run[] =
        "{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"tools/call\", \"params\": {\"name\": \"bench_run\", "
        "\"arguments\": {\"targets\": [\"ch01:double\"], \"time-limit\": \"100s\"}}}";
    static const char cancel[] =
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 5}}";
    char *answer;
    struct pollfd fd;

    (void)state;
    skip_without_server();
    fd = (struct pollfd){ asked("POST", BEARER TYPE "Mcp-Session-Id: one\r\n", run), POLLIN, 0 };
    assert_int_equal(poll(&fd, 1, 60000), 1);
    assert_answer(BEARER TYPE "Mcp-Session-Id: one\r\n", run, 400, "under way");
    assert_answer(BEARER TYPE "Mcp-Session-Id: two\r\n", cancel, 202, "");
    assert_answer(BEARER TYPE, cancel, 202, "");
    assert_answer(BEARER TYPE "Mcp-Session-Id: one\r\n", run, 400, "under way");
    assert_answer(BEARER TYPE "Mcp-Session-Id: one\r\n", cancel, 202, "");
    answer = received(fd.fd);
    assert_int_equal(status_of(answer), 200);
    assert_null(strstr(answer, "\"id\":5"));
    free(answer);
}

/* With a handshake a command goes on when its client has gone; a second one of its id is refused, and takes nothing of the first
 * for its own (seen by AddressSanitizer). */
static void a_client_that_has_gone_leaves_nothing_behind(void **state)
{
    static const char run[] =
        "{\"jsonrpc\": \"2.0\", \"id\": 6, \"method\": \"tools/call\", \"params\": {\"name\": \"bench_run\", "
        "\"arguments\": {\"targets\": [\"ch01:double\"], \"time-limit\": \"100s\"}}}";
    static const char cancel[] =
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 6}}";
    char *children;
    struct pollfd fd;
    int i = 0;

    (void)state;
    skip_without_server();
    fd = (struct pollfd){ asked("POST", BEARER TYPE "Mcp-Session-Id: gone\r\n", run), POLLIN, 0 };
    assert_int_equal(poll(&fd, 1, 60000), 1);
    close(fd.fd);
    sleep(3);                                /* it is looked for once a second */
    assert_answer(BEARER TYPE "Mcp-Session-Id: gone\r\n", run, 400, "under way");
    assert_answer(BEARER TYPE "Mcp-Session-Id: gone\r\n", cancel, 202, "");
    children = aisp_format("pgrep -P %d >/dev/null", (int)pid);
    while (!system(children) && i++ < 600)
        usleep(100000);
    assert_true(i < 600);
    free(children);
}

/* Half a request, and then nothing: others are served meanwhile. */
static void a_slow_client_keeps_nobody_waiting(void **state)
{
    enum { N = 50 };
    int fd[N];

    (void)state;
    skip_without_server();
    for (int i = 0; i < N; i++) {
        fd[i] = connected();
        assert_true(dprintf(fd[i], "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" BEARER "Content-Length: 100\r\n\r\n{") > 0);
    }
    assert_answer(BEARER TYPE,
                  "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"version\"}}", 200,
                  "structuredContent");
    for (int i = 0; i < N; i++)
        close(fd[i]);
    assert_answer(BEARER TYPE, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}", 200, "result");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_no_token_or_comes_from_elsewhere_is_not_let_in),
        cmocka_unit_test(a_foreign_host_is_refused),
        cmocka_unit_test(what_is_no_message_is_a_bad_request),
        cmocka_unit_test(headers_of_the_newer_protocol_say_what_the_body_says),
        cmocka_unit_test(a_session_is_given_and_told_apart),
        cmocka_unit_test(hanging_up_cancels),
        cmocka_unit_test(a_notification_cancels_in_its_own_session),
        cmocka_unit_test(a_client_that_has_gone_leaves_nothing_behind),
        cmocka_unit_test(a_slow_client_keeps_nobody_waiting),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
