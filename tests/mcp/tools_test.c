/* tools_test.c - every tool that only reads: it is listed as it should be, and gives what the command line prints with --json. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "commands/command.h"
#include "tests/mcp/client.h"
#include "tests/unit/temporary.h"

/* One call of each reading command, as a command line and as arguments (reading.json). `how` they compare: same; form, where the
 * figures are those of the moment; refused, where both have to fail, for this store has no calibration (run_test.c has). */
static json_t *calls;

static char *folder;
static struct client server;

static int start(void **state)
{
    (void)state;
    calls = json_load_file(TESTS_DIR "/mcp/reading.json", 0, NULL);
    assert_non_null(calls);
    folder = recorded_folder();
    make_folder(folder, "chapters");         /* what expectations look for */
    make_folder(folder, "chapters/ch01");
    free(write_file(folder, "stamp", "", 0));
    client_begin(&server, folder, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    client_finish(&server, folder);
    json_decref(calls);
    return 0;
}

static char *tool_of(const char *path)
{
    char *name = aisp_xstrdup(path);

    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '-')
            *c = '_';
    return name;
}

static json_t *called(const char *path, json_t *arguments_take)
{
    char *name = tool_of(path);
    json_t *result;

    assert_non_null(arguments_take);
    result = client_result(&server, "tools/call", json_pack("{s:s, s:o}", "name", name, "arguments", arguments_take));
    free(name);
    return result;
}

/* Numbers and texts away: what is left is the form. */
static json_t *form_of(const json_t *value)
{
    json_t *form = json_is_object(value) ? json_object() : json_is_array(value) ? json_array() : json_null();
    const char *key;
    const json_t *member;
    size_t i;

    json_object_foreach((json_t *)(uintptr_t)value, key, member)
        json_object_set_new(form, key, form_of(member));
    json_array_foreach(value, i, member)
        json_array_append_new(form, form_of(member));
    return form;
}

static const struct aisp_command *command_of(const char *path)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strcmp(c->path, path))
        return c;
    fail_msg("no command \"%s\"", path);
    return NULL;
}

static bool only_reads(const struct aisp_command *c)
{
    return !(c->flags & (AISP_CMD_RUNS_CODE | AISP_CMD_WRITES | AISP_CMD_TERMINAL));
}

static bool is_called(const char *path)
{
    const json_t *call;
    size_t i;

    json_array_foreach(calls, i, call)
        if (!strcmp(text_at(call, "command"), path))
            return true;
    return false;
}

static void every_reading_command_is_called_here(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (is_called(c->path) != only_reads(c))
        fail_msg("\"%s\" %s", c->path, only_reads(c) ? "is not called" : "does not only read");
}

static void the_tools_are_the_commands_that_only_read(void **state)
{
    json_t *result = client_result(&server, "tools/list", NULL), *tool;
    const json_t *tools = json_object_get(result, "tools");
    size_t i;

    (void)state;
    assert_int_equal(json_array_size(tools), json_array_size(calls));
    json_array_foreach(tools, i, tool)
    {
        const struct aisp_command *c = command_of(text_at(tool, "title"));

        assert_true(only_reads(c));
        assert_int_equal(strncmp(text_at(tool, "description"), c->sentence, strlen(c->sentence)), 0);
        assert_string_equal(text_at(tool, "inputSchema.type"), "object");
        assert_string_equal(text_at(tool, "outputSchema.type"), "object");
        assert_true(json_is_true(at(tool, "annotations.readOnlyHint")));
        assert_true(json_is_false(at(tool, "annotations.destructiveHint")));
        assert_true(json_is_true(at(tool, "annotations.idempotentHint")));
        assert_true(json_is_false(at(tool, "annotations.openWorldHint")));
    }
    json_decref(result);
}

static void compare(const char *words, const json_t *there, const json_t *result, const char *how)
{
    const json_t *here = json_object_get(result, "structuredContent");
    const int exit_code = (int)json_integer_value(json_object_get(json_object_get(result, "_meta"), "aisp/exit"));

    if (!strcmp(how, "refused")) {
        assert_true(json_is_true(json_object_get(result, "isError")));
        assert_int_equal(exit_code, json_integer_value(json_object_get(there, "exit")));
        return;
    }
    if (!here || json_is_true(json_object_get(result, "isError")))
        fail_msg("%s: %s", words, text_at(result, "content.0.text"));
    if (!json_equal(there, here))
        fail_msg("%s: another value than --json prints:\n%s\n%s", words, json_dumps(there, JSON_SORT_KEYS),
                 json_dumps(here, JSON_SORT_KEYS));
    assert_true(strlen(text_at(result, "content.0.text")) > 0);
}

static void a_tool_gives_what_the_command_line_prints(void **state)
{
    const json_t *call;
    size_t i;

    (void)state;
    json_array_foreach(calls, i, call)
    {
        char *words = aisp_format("%s %s", text_at(call, "command"), text_at(call, "words"));
        json_t *there = printed(folder, words);
        json_t *result = called(text_at(call, "command"), json_deep_copy(json_object_get(call, "arguments")));

        if (!strcmp(text_at(call, "how"), "form")) {
            json_t *form = form_of(there);

            json_object_set_new(result, "structuredContent", form_of(json_object_get(result, "structuredContent")));
            json_decref(there);
            there = form;
        }
        compare(words, there, result, text_at(call, "how"));
        json_decref(result);
        json_decref(there);
        free(words);
    }
}

static void an_exit_code_comes_along(void **state)
{
    json_t *result = called("bench compare-runs", json_pack("{s:s, s:s, s:b}", "a", "20261128T140019Z", "b", "20261128T140156Z",
                                                            "gate", 1));
    char *line =
        aisp_format("'%s/aisp' bench compare-runs --gate 20261128T140019Z 20261128T140156Z --artifacts-dir '%s/artifacts' "
                    ">/dev/null 2>&1",
                    BUILD_DIR, folder);
    const int status = system(line);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(json_object_get(result, "_meta"), "aisp/exit")), WEXITSTATUS(status));
    assert_true(WEXITSTATUS(status) != 0);
    json_decref(result);
    free(line);
}

static void what_is_wrong_with_arguments_is_a_result_to_learn_from(void **state)
{
    static const char *const wrong[][3] = {
        { "bench list-runs", "{\"limit\": \"three\"}", "\"limit\" is not a whole number" },
        { "bench list-runs", "{\"limit\": 0}", "must be from 1" },
        { "bench list-runs", "{\"limits\": 3}", "is \"limit\" meant?" },
        { "bench show", "{}", "needs \"target\"" },
        { "bench show", "{\"target\": \"ch01:duoble\"}", "did you mean ch01:double" },
        { "bench show-run", "{\"run\": \"--json\"}", "no run \"--json\"" },
        { "bench show-run", "{\"artifacts-dir\": \"/\"}", "takes no \"artifacts-dir\"" },
        { "bench show-run", "{\"run\": \"../../etc\"}", "no run \"../../etc\"" },
        { "bench recheck", "{\"run\": \"/etc\"}", "files are not offered" },
        { "bench export", "{\"output\": \"/tmp/x\"}", "takes no \"output\"" },
        { "utils kv-cache", "{\"model\": \"/etc/passwd\"}", "files are not offered" },
        { "utils kv-cache", "{\"model\": \"x.json\"}", "files are not offered" },
        { "bench summary", "{\"run\": \"20991128T140019Z\"}", "no run" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_t *result = called(wrong[i][0], json_loads(wrong[i][1], 0, NULL));

        assert_true(json_is_true(json_object_get(result, "isError")));
        assert_null(json_object_get(result, "structuredContent"));
        if (!strstr(text_at(result, "content.0.text"), wrong[i][2]))
            fail_msg("%s %s: %s", wrong[i][0], wrong[i][1], text_at(result, "content.0.text"));
        json_decref(result);
    }
}

static void nothing_was_written(void **state)
{
    char *line = aisp_format("new=$(find '%s' -newer '%s/stamp' -type f); echo \"$new\"; test -z \"$new\"", folder, folder);

    (void)state;
    assert_int_equal(system(line), 0);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reading_command_is_called_here),
        cmocka_unit_test(the_tools_are_the_commands_that_only_read),
        cmocka_unit_test(a_tool_gives_what_the_command_line_prints),
        cmocka_unit_test(an_exit_code_comes_along),
        cmocka_unit_test(what_is_wrong_with_arguments_is_a_result_to_learn_from),
        cmocka_unit_test(nothing_was_written),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
