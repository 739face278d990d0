/* jobs_test.c - commands that run code: started with the token, followed, stopped, and what is left of them when the server
 * goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/buf.h"
#include "tests/dashboard/one_server.h"

static json_t *job_of(struct reply r, int status)
{
    json_t *job = json_loads(r.body, 0, NULL);

    if (r.status != status || !job)
        fail_msg("%d %s", r.status, r.body);
    reply_release(&r);
    return job;
}

/* "/api/v1/jobs/ID" of one that was started; caller frees. */
static char *started(const char *json)
{
    json_t *job = job_of(client_post(&server, "/api/v1/jobs", json), 202);
    char *path = aisp_format("/api/v1/jobs/%s", json_string_value(json_object_get(job, "id")));

    json_decref(job);
    return path;
}

static json_t *look(const char *path)
{
    return job_of(client_get(&server, path), 200);
}

static struct reply cancel(const char *path)
{
    char *headers = aisp_format("Authorization: Bearer %s\r\n", server.token);
    const struct reply r = client_ask(&server, "DELETE", path, headers, NULL);

    free(headers);
    return r;
}

/* The whole stream of a job, which ends with it; also when it is asked for only after that. */
static char *follow(const char *path, const char *headers)
{
    char *target = aisp_format("%s/events", path);
    struct reply r = client_ask(&server, "GET", target, headers, NULL);
    char *events = r.body;

    free(target);
    assert_int_equal(r.status, 200);
    assert_string_equal(reply_header(&r, "Content-Type"), "text/event-stream");
    for (char *beat; (beat = strstr(events, "\n:\n\n")); )     /* comments that keep it open */
        memmove(beat + 1, beat + 4, strlen(beat + 4) + 1);
    r.body = NULL;
    reply_release(&r);
    return events;
}

static size_t n_runs(void)
{
    struct reply r = client_get(&server, "/api/v1/bench/list-runs?limit=1000");
    json_t *value = json_loads(r.body, 0, NULL);
    const size_t n = json_array_size(json_object_get(value, "runs"));

    reply_release(&r);
    json_decref(value);
    return n;
}

static const char measure[] =
    "{\"command\": \"bench run\", \"arguments\": {\"targets\": [\"ch01\"], \"quick\": true, \"time-limit\": \"500ms\"}}";

static void a_run_is_followed_and_recorded(void **state)
{
    const size_t before = n_runs();
    char *path = started(measure), *events = follow(path, ""), *rest;
    json_t *job = look(path);

    (void)state;
    assert_non_null(strstr(events, "id: 1\nevent: "));
    assert_non_null(strstr(events, "event: progress\ndata: {"));
    assert_non_null(strstr(events, "event: result\ndata: {"));
    assert_non_null(strstr(events, "event: end\ndata: {"));
    assert_string_equal(json_string_value(json_object_get(job, "state")), "done");
    assert_int_equal(json_integer_value(json_object_get(job, "exit")), 3);       /* one variant is wrong */
    assert_true(json_is_object(json_object_get(job, "value")));
    assert_int_equal(n_runs(), before + 1);
    /* Who comes back with the number of the last event it saw gets the rest. */
    rest = follow(path, "Last-Event-ID: 2\r\n");
    assert_memory_equal(rest, "id: 3\n", 6);
    assert_string_equal(strstr(events, "id: 3\n"), rest);
    free(rest);
    free(events);
    free(path);
    json_decref(job);
}

/* The record of a run does not depend on the door it was started through. */
static void the_record_is_that_of_the_command_line(void **state)
{
    char *line = aisp_format("%s/aisp bench run -t ch01 --quick --time-limit 500ms --artifacts-dir artifacts --bench-root "
                             "$PWD/targets >/dev/null 2>&1",
                             getenv("BUILD")),
         *path, *events;
    json_t *one, *other, *a, *b;
    const char *name;
    struct reply r;

    (void)state;
    assert_int_equal(system(line) >> 8, 3);
    r = client_get(&server, "/api/v1/bench/show-run?run=latest");
    one = json_loads(r.body, 0, NULL);
    reply_release(&r);
    path = started(measure);
    events = follow(path, "");
    r = client_get(&server, "/api/v1/bench/show-run?run=latest");
    other = json_loads(r.body, 0, NULL);
    reply_release(&r);
    assert_false(json_equal(one, other));
    json_object_foreach(one, name, a)
    {
        b = json_object_get(other, name);
        if (!b || json_typeof(a) != json_typeof(b) || json_object_size(a) != json_object_size(b) ||
            json_array_size(a) != json_array_size(b))
            fail_msg("\"%s\" differs in kind", name);
    }
    a = json_object_get(json_object_get(one, "manifest"), "options");
    b = json_object_get(json_object_get(other, "manifest"), "options");
    assert_true(json_equal(a, b));
    free(line);
    free(path);
    free(events);
    json_decref(one);
    json_decref(other);
}

static void wait_until(const char *path, const char *state)
{
    for (int i = 0; i < 2000; i++) {
        json_t *job = look(path);
        const bool is = !strcmp(json_string_value(json_object_get(job, "state")), state);

        json_decref(job);
        if (is)
            return;
        usleep(10000);
    }
    fail_msg("%s is not %s", path, state);
}

static const char long_run[] = "{\"command\": \"bench run\", \"arguments\": {\"targets\": [\"ch01\"], \"time-limit\": \"60s\"}}";

static void a_job_waits_for_its_turn_and_can_be_stopped(void **state)
{
    char *first = started(long_run), *second = started("{\"command\": \"version\"}"),
         *third = started("{\"command\": \"version\"}");
    struct reply r;

    (void)state;
    wait_until(first, "running");
    wait_until(second, "waiting");
    json_decref(job_of(cancel(third), 202));
    wait_until(third, "cancelled");
    json_decref(job_of(cancel(first), 202));
    wait_until(first, "cancelled");
    wait_until(second, "done");
    r = cancel(second);
    assert_int_equal(r.status, 409);
    reply_release(&r);
    free(first);
    free(second);
    free(third);
}

static void too_many_that_wait_are_refused(void **state)
{
    char *running = started(long_run);
    struct reply r = { 0 };
    int n = 0;

    (void)state;
    for (; n < 100; n++) {
        reply_release(&r);
        r = client_post(&server, "/api/v1/jobs", "{\"command\": \"version\"}");
        if (r.status != 202)
            break;
    }
    assert_int_equal(n, 16);
    assert_int_equal(r.status, 429);
    assert_string_equal(reply_header(&r, "Retry-After"), "5");
    reply_release(&r);
    json_decref(job_of(cancel(running), 202));
    wait_until(running, "cancelled");
    free(running);
}

static void what_is_asked_wrongly_is_told(void **state)
{
    static const struct { const char *json; int status; } asks[] = {
        { "", 400 },
        { "{", 400 },
        { "[]", 400 },
        { "null", 400 },
        { "{}", 400 },
        { "{\"command\": 1}", 400 },
        { "{\"command\": \"version\", \"command\": \"version\"}", 400 },
        { "{\"command\": \"<script>alert(1)</script>\"}", 404 },
        { "{\"command\": \"dashboard serve\"}", 404 },
        { "{\"command\": \"bench tui\"}", 404 },
        { "{\"command\": \"version\", \"arguments\": []}", 400 },
        { "{\"command\": \"version\", \"arguments\": {\"unknown\": 1}}", 400 },
        { "{\"command\": \"version\", \"arguments\": {\"artifacts-dir\": \"/tmp\"}}", 400 },
        { "{\"command\": \"bench run\", \"arguments\": {\"targets\": \"ch01\"}}", 400 },
        { "{\"command\": \"bench run\", \"arguments\": {\"targets\": [\"a\\u0000b\"]}}", 400 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        struct reply r = client_post(&server, "/api/v1/jobs", asks[i].json);

        if (r.status != asks[i].status)
            fail_msg("%s: %d %s", asks[i].json, r.status, r.body);
        assert_string_equal(reply_header(&r, "Content-Type"), "application/problem+json");
        reply_release(&r);
    }
}

/* A form or a plain-text body is what a page of somebody else's could send without asking first. */
static void a_form_is_no_request(void **state)
{
    static const char *const types[] = { "", "Content-Type: text/plain\r\n",
                                         "Content-Type: application/x-www-form-urlencoded\r\n",
                                         "Content-Type: application/jsonx\r\n" };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char *headers = aisp_format("%sAuthorization: Bearer %s\r\n", types[i], server.token);
        struct reply r = client_ask(&server, "POST", "/api/v1/jobs", headers, "{\"command\": \"version\"}");

        assert_int_equal(r.status, 415);
        reply_release(&r);
        free(headers);
    }
}

static void an_error_of_a_command_is_the_jobs(void **state)
{
    char *path = started("{\"command\": \"bench show\", \"arguments\": {\"target\": \"ch99:<img src=x onerror=alert(1)>\"}}");
    json_t *job;

    (void)state;
    wait_until(path, "failed");
    job = look(path);
    assert_int_equal(json_integer_value(json_object_get(job, "exit")), 2);
    assert_non_null(strstr(json_string_value(json_object_get(job, "error")), "unknown"));
    json_decref(job);
    free(path);
}

/* Read until `text` comes, at most so long. */
static bool hears(int fd, const char *text, int timeout_ms)
{
    char said[65536] = "";
    size_t n = 0;

    for (int i = 0; i < timeout_ms / 10; i++) {
        fd_set set;
        struct timeval tick = { 0, 10000 };
        ssize_t m;

        FD_ZERO(&set);
        FD_SET(fd, &set);
        if (select(fd + 1, &set, NULL, NULL, &tick) <= 0)
            continue;
        m = read(fd, said + n, sizeof said - 1 - n);
        if (m <= 0)
            return false;
        n += (size_t)m;
        said[n] = '\0';
        if (strstr(said, text))
            return true;
    }
    return false;
}

static void news_tell_of_jobs_and_changes(void **state)
{
    static const char ask[] = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int fd = client_connect(server.port);
    char *path;

    (void)state;
    client_send(fd, ask, strlen(ask));
    assert_true(hears(fd, "text/event-stream", 5000));
    path = started(measure);
    assert_true(hears(fd, "event: job\ndata: {\"id\":", 10000));
    assert_true(hears(fd, "event: change\ndata: {\"generation\":", 60000));
    wait_until(path, "done");
    close(fd);
    free(path);
}

static void streams_beyond_the_limit_are_refused(void **state)
{
    static const char *const words[] = { "--streams", "20", NULL };
    static const char ask[] = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct server few;
    struct reply r;
    int fd[21];

    (void)state;
    server_start(&few, words);
    for (int i = 0; i < 21; i++) {
        fd[i] = client_connect(few.port);
        client_send(fd[i], ask, strlen(ask));
        if (i < 20)
            assert_true(hears(fd[i], "\r\n\r\n", 5000));
    }
    r = client_read(fd[20], 5000);
    assert_int_equal(r.status, 503);
    assert_non_null(strstr(r.body, "20 streams are open"));
    reply_release(&r);
    for (int i = 0; i < 21; i++)
        close(fd[i]);
    r = client_get(&few, "/healthz");
    assert_int_equal(r.status, 200);
    reply_release(&r);
    assert_int_equal(server_stop(&few), 0);
}

/* ---- the end ---- */

/* Processes of this name whose parent has gone, or whose parent this is. */
static int n_children_of(pid_t pid)
{
    char *line = aisp_format("pgrep -P %d | wc -l", (int)pid), said[32] = "";
    FILE *f = popen(line, "r");

    assert_non_null(fgets(said, sizeof said, f));
    pclose(f);
    free(line);
    return atoi(said);
}

static int child_of(pid_t parent)
{
    char *const line = aisp_format("pgrep -P %d", (int)parent);
    char said[32] = "";
    FILE *f = popen(line, "r");

    assert_non_null(f);
    assert_non_null(fgets(said, sizeof said, f));
    pclose(f);
    free(line);
    return atoi(said);
}

static void wait_until_gone(int pid)
{
    for (int i = 0; i < 1000 && !kill(pid, 0); i++)
        usleep(20000);
    assert_int_not_equal(kill(pid, 0), 0);
}

static void stopping_ends_streams_jobs_and_requests(void **state)
{
    static const char ask[] = "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct server before = server;
    const struct timeval wait = { 2, 0 };
    char *path, bytes[4096];
    int fd, child;
    ssize_t n;

    (void)state;
    server_start(&server, NULL);
    path = started(long_run);
    wait_until(path, "running");
    fd = client_connect(server.port);
    client_send(fd, ask, strlen(ask));
    assert_true(hears(fd, "text/event-stream", 5000));
    assert_int_equal(n_children_of(server.pid), 1);
    child = child_of(server.pid);
    assert_int_equal(server_stop(&server), 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait), 0);
    do
        n = read(fd, bytes, sizeof bytes);
    while (n > 0);
    assert_int_equal(n, 0); /* ended, not silent */
    wait_until_gone(child);
    close(fd);
    free(path);
    server = before;
}

static void a_killed_server_leaves_no_child(void **state)
{
    const struct server before = server;
    char *path;
    int status, child;

    (void)state;
    server_start(&server, NULL);
    path = started(long_run);
    wait_until(path, "running");
    child = child_of(server.pid);
    kill(server.pid, SIGKILL);
    waitpid(server.pid, &status, 0);
    close(server.fd);
    wait_until_gone(child);
    free(path);
    server = before;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_followed_and_recorded),
        cmocka_unit_test(the_record_is_that_of_the_command_line),
        cmocka_unit_test(a_job_waits_for_its_turn_and_can_be_stopped),
        cmocka_unit_test(too_many_that_wait_are_refused),
        cmocka_unit_test(what_is_asked_wrongly_is_told),
        cmocka_unit_test(a_form_is_no_request),
        cmocka_unit_test(an_error_of_a_command_is_the_jobs),
        cmocka_unit_test(news_tell_of_jobs_and_changes),
        cmocka_unit_test(streams_beyond_the_limit_are_refused),
        cmocka_unit_test(stopping_ends_streams_jobs_and_requests),
        cmocka_unit_test(a_killed_server_leaves_no_child),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
