/* run_test.c - with --allow-run: every tool that runs code or writes, progress, cancelling, and what a run leaves behind.
 * It takes minutes. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/command.h"
#include "tests/mcp/client.h"
#include "tests/unit/temporary.h"

static const char candidate[] =
    "#include <aisp/variant.h>\n"
    "static enum aisp_status run(const struct aisp_call *call)\n"
    "{\n"
    "    const float *x = call->tensor[0];\n"
    "    float *y = call->tensor[1];\n"
    "    for (int64_t i = 0; i < call->param[0]; i++)\n"
    "        y[i] = 2 * x[i];\n"
    "    return AISP_OK;\n"
    "}\n"
    "AISP_DECLARE(\"idea: of a test\");\n"
    "AISP_VARIANT = { .abi = AISP_ABI, .run = run };\n";

static char *folder;
static struct client server;

static int start(void **state)
{
    (void)state;
    folder = recorded_folder();
    make_folder(folder, "chapters");
    make_folder(folder, "chapters/ch01");
    free(write_file(folder, "mine.c", candidate, strlen(candidate)));
    client_begin(&server, folder, (const char *const[]){ "--allow-run", NULL });
    return 0;
}

static int stop(void **state)
{
    (void)state;
    client_finish(&server, folder);
    return 0;
}

static json_t *params_of(const char *path, json_t *arguments, const char *token)
{
    char *name = aisp_xstrdup(path);
    json_t *params;

    for (char *c = name; *c; c++)
        *c = *c == ' ' || *c == '-' ? '_' : *c;
    params = json_pack("{s:s, s:o}", "name", name, "arguments", arguments);
    if (token)
        json_object_set_new(params, "_meta", json_pack("{s:s}", "progressToken", token));
    free(name);
    return params;
}

static int exit_of(const json_t *result)
{
    return (int)json_integer_value(json_object_get(json_object_get(result, "_meta"), "aisp/exit"));
}

static json_t *quick_run(const char *time_limit)
{
    return json_pack("{s:[s], s:[s], s:b, s:s}", "targets", "ch01:double", "variant", "optimized_vector", "quick", 1,
                     "time-limit", time_limit);
}

static bool is_called(const json_t *calls, const char *path)
{
    const json_t *call;
    size_t i;

    json_array_foreach(calls, i, call)
        if (!strcmp(text_at(call, "command"), path))
            return true;
    return !strcmp(path, "bench run") || !strcmp(path, "calibrate");   /* below */
}

/* ---- the list ---- */

static void the_tools_say_what_they_may_do(void **state)
{
    json_t *result = client_result(&server, "tools/list", NULL), *tool;
    size_t i, n = 0;

    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    n += !(c->flags & AISP_CMD_TERMINAL);
    assert_int_equal(json_array_size(json_object_get(result, "tools")), n);
    json_array_foreach(json_object_get(result, "tools"), i, tool)
    {
        const char *name = text_at(tool, "name");
        const bool removes = !strcmp(name, "store_prune") || !strcmp(name, "clean");

        if (!strcmp(name, "bench_list_runs"))
            assert_true(json_is_true(at(tool, "annotations.readOnlyHint")));
        if (!strcmp(name, "bench_run") || !strcmp(name, "bench_compare") || removes)
            assert_true(json_is_false(at(tool, "annotations.readOnlyHint")));
        if (removes)
            assert_true(json_is_true(at(tool, "annotations.destructiveHint")));
        if (!strcmp(name, "bench_compare"))
            assert_true(json_is_false(at(tool, "annotations.destructiveHint")));
        if (!strcmp(name, "bench_run"))
            assert_true(json_is_true(json_object_get(json_object_get(tool, "_meta"), "aisp/long")));
    }
    json_decref(result);
}

/* ---- each of them ---- */

static void each_tool_that_runs_or_writes_is_called(void **state)
{
    json_t *calls = json_load_file(TESTS_DIR "/mcp/running.json", 0, NULL), *call;
    size_t i;

    (void)state;
    assert_non_null(calls);
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (c->flags & (AISP_CMD_RUNS_CODE | AISP_CMD_WRITES) && !(c->flags & AISP_CMD_TERMINAL) && !is_called(calls, c->path))
        fail_msg("\"%s\" is not called", c->path);
    json_array_foreach(calls, i, call)
    {
        json_t *arguments = json_deep_copy(json_object_get(call, "arguments"));
        json_t *result = client_result(&server, "tools/call", params_of(text_at(call, "command"), arguments, NULL));
        const int expected = (int)json_integer_value(json_object_get(call, "exit"));
        const bool has_answer = expected != 2 && expected != 5;    /* wrong words; nothing of it could be run */

        if (exit_of(result) != expected)
            fail_msg("%s: exit %d, and not %d: %s", text_at(call, "command"), exit_of(result), expected,
                     text_at(result, "content.0.text"));
        assert_int_equal(json_is_object(json_object_get(result, "structuredContent")), has_answer);
        assert_int_equal(json_is_true(json_object_get(result, "isError")), !has_answer);
        json_decref(result);
    }
    json_decref(calls);
}

/* A calibration wants the harness's own targets; what it leaves makes the roofline. */
static void a_calibration_is_taken_and_used(void **state)
{
    char *other = temporary_folder();
    struct client c;
    json_t *result, *there;

    (void)state;
    client_start(&c, other, (const char *const[]){ "--allow-run", "--bench-root", BUILD_DIR "/targets", NULL });
    json_decref(client_initialize(&c, "2025-06-18"));
    result = client_result(&c, "tools/call", params_of("calibrate", json_pack("{s:b}", "quick", 1), "t"));
    if (exit_of(result))
        fail_msg("%s", text_at(result, "content.0.text"));
    json_decref(result);
    result = client_result(&c, "tools/call", params_of("bench run", quick_run("1s"), "t"));
    json_decref(result);
    result = client_result(&c, "tools/call", params_of("utils roofline", json_object(), NULL));
    there = printed(other, "utils roofline");
    if (!json_equal(there, json_object_get(result, "structuredContent")))
        fail_msg("%s", text_at(result, "content.0.text"));
    json_decref(result);
    json_decref(there);
    client_finish(&c, other);
}

/* ---- a run ---- */

/* The members that a record has; of lists, nothing. */
static json_t *members_of(const json_t *value)
{
    json_t *members = json_is_object(value) ? json_object() : json_null();
    const char *key;
    const json_t *member;

    json_object_foreach((json_t *)(uintptr_t)value, key, member)
        json_object_set_new(members, key, members_of(member));
    return members;
}

static void a_run_tells_its_progress_and_leaves_the_same_record_as_the_command_line(void **state)
{
    json_t *result, *here, *there, *told, *a, *b;
    double last = -1;
    size_t i;

    (void)state;
    json_array_clear(server.told);
    result = client_result(&server, "tools/call", params_of("bench run", quick_run("1s"), "token-7"));
    assert_int_equal(exit_of(result), 0);
    assert_true(json_array_size(server.told) >= 2);
    json_array_foreach(server.told, i, told)
    {
        const double progress = json_number_value(at(told, "params.progress"));

        assert_string_equal(text_at(told, "method"), "notifications/progress");
        assert_string_equal(text_at(told, "params.progressToken"), "token-7");
        assert_true(progress > last);
        last = progress;
    }
    here = printed(folder, "bench show-run latest");
    assert_string_equal(text_at(here, "run"), text_at(result, "structuredContent.run"));
    json_decref(printed(folder, "bench run -t ch01:double --variant optimized_vector --quick --time-limit 1s"));
    there = printed(folder, "bench show-run latest");
    assert_string_not_equal(text_at(here, "run"), text_at(there, "run"));
    assert_string_equal(text_at(here, "manifest.command"), text_at(there, "manifest.command"));
    a = members_of(json_object_get(here, "manifest"));
    b = members_of(json_object_get(there, "manifest"));
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    a = members_of(at(here, "results.0"));
    b = members_of(at(there, "results.0"));
    assert_true(json_object_size(a) > 5);
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    json_decref(here);
    json_decref(there);
    json_decref(result);
}

static size_t n_runs(void)
{
    json_t *runs = printed(folder, "bench list-runs");
    const size_t n = json_array_size(json_object_get(runs, "runs"));

    json_decref(runs);
    return n;
}

static bool is_recorded_unfinished(void)
{
    json_t *runs = printed(folder, "bench list-runs --limit 1");
    const bool is_unfinished = json_is_false(at(runs, "runs.0.complete"));

    json_decref(runs);
    return is_unfinished;
}

/* A long run that has come so far that it is recorded; it may have to wait for its turn on the machine first. */
static int64_t begin_run(struct client *c)
{
    const size_t before = n_runs();
    const int64_t id = client_ask(c, "tools/call", params_of("bench run", quick_run("100s"), "long"));

    for (int i = 0; n_runs() == before; i++) {
        json_t *message = client_request(c, "ping", NULL);     /* others are answered meanwhile */

        assert_int_equal(code_of(message), 0);
        json_decref(message);
        assert_true(i < 6000);
        usleep(100000);
    }
    return id;
}

static bool has_children(pid_t pid)
{
    char *line = aisp_format("pgrep -P %d >/dev/null", (int)pid);
    const bool has = !system(line);

    free(line);
    return has;
}

static void a_cancelled_run_is_interrupted_keeps_its_record_and_is_not_answered(void **state)
{
    const int64_t id = begin_run(&server);
    char *line = aisp_format("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": %lld, "
                             "\"reason\": \"enough\"}}", (long long)id);
    json_t *message;
    int i = 0;

    (void)state;
    assert_true(json_array_size(server.told) > 0);
    assert_true(has_children(server.pid));
    client_send(&server, line);
    free(line);
    json_decref(client_request(&server, "ping", NULL));     /* what was told before has come */
    json_array_clear(server.told);
    for (; has_children(server.pid) && i < 300; i++)
        usleep(100000);
    assert_true(i < 300);
    message = client_request(&server, "ping", NULL);        /* an answer to the cancelled one would have come before */
    json_decref(message);
    assert_int_equal(json_array_size(server.told), 0);
    assert_true(is_recorded_unfinished());
}

/* ---- the end ---- */

static void the_end_of_the_input_interrupts_what_runs(void **state)
{
    struct client c;

    (void)state;
    client_begin(&c, folder, (const char *const[]){ "--allow-run", NULL });
    begin_run(&c);
    assert_int_equal(client_end(&c), 0);
    assert_true(is_recorded_unfinished());
}

/* A server that is killed takes what it started with it. */
static void nothing_outlives_a_killed_server(void **state)
{
    char *line = aisp_format("pgrep -f '[m]cp serve --artifacts-dir %s/artifacts' >/dev/null", folder);
    struct client c;
    int left = 0;

    (void)state;
    client_begin(&c, folder, (const char *const[]){ "--allow-run", NULL });
    begin_run(&c);
    assert_int_equal(client_end(&server), 0);
    kill(c.pid, SIGKILL);
    client_end(&c);
    while (!system(line) && left++ < 200)
        usleep(100000);
    assert_true(left < 200);
    free(line);
    client_start(&server, folder, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tools_say_what_they_may_do),
        cmocka_unit_test(each_tool_that_runs_or_writes_is_called),
        cmocka_unit_test(a_calibration_is_taken_and_used),
        cmocka_unit_test(a_run_tells_its_progress_and_leaves_the_same_record_as_the_command_line),
        cmocka_unit_test(a_cancelled_run_is_interrupted_keeps_its_record_and_is_not_answered),
        cmocka_unit_test(the_end_of_the_input_interrupts_what_runs),
        cmocka_unit_test(nothing_outlives_a_killed_server),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
