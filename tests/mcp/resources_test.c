/* resources_test.c - what can be read by its address, prompts, and what is offered for their arguments. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/command.h"
#include "doors/ask.h"
#include "tests/mcp/client.h"
#include "tests/unit/temporary.h"

static char *folder;
static struct client server;

static int start(void **state)
{
    (void)state;
    folder = recorded_folder();
    client_begin(&server, folder, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    client_finish(&server, folder);
    return 0;
}

static json_t *read_uri(const char *uri)
{
    return client_request(&server, "resources/read", json_pack("{s:s}", "uri", uri));
}

/* ---- resources ---- */

static void the_list_has_guides_targets_and_runs_and_each_can_be_read(void **state)
{
    json_t *result = client_result(&server, "resources/list", NULL), *one;
    int n_guides = 0, n_targets = 0, n_runs = 0;
    size_t i;

    (void)state;
    assert_null(json_object_get(result, "nextCursor"));
    json_array_foreach(json_object_get(result, "resources"), i, one)
    {
        const char *uri = text_at(one, "uri");
        json_t *message = read_uri(uri);

        n_guides += !strncmp(uri, "aisp://guide/", 13);
        n_targets += !strncmp(uri, "aisp://targets/", 15);
        n_runs += !strncmp(uri, "aisp://runs/", 12);
        assert_string_equal(text_at(message, "result.contents.0.uri"), uri);
        assert_string_equal(text_at(message, "result.contents.0.mimeType"), text_at(one, "mimeType"));
        assert_true(strlen(text_at(message, "result.contents.0.text")) > 100);
        assert_true(strlen(text_at(one, "title")) > 0);
        json_decref(message);
    }
    assert_true(n_guides >= 10);
    assert_int_equal(n_targets, 3);
    assert_int_equal(n_runs, 2);
    json_decref(result);
}

static void a_resource_is_what_the_command_prints(void **state)
{
    static const char *const pairs[][2] = { { "aisp://targets/ch01:double", "bench show ch01:double" },
                                            { "aisp://targets/ch01%3Adouble", "bench show ch01:double" },
                                            { "aisp://runs/latest", "bench show-run latest" },
                                            { "aisp://runs/20261128T140019Z-d7a8b4", "bench show-run 20261128T140019Z-d7a8b4" } };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        json_t *message = read_uri(pairs[i][0]), *there = printed(folder, pairs[i][1]);
        json_t *here = json_loads(text_at(message, "result.contents.0.text"), 0, NULL);

        assert_true(json_equal(here, there));
        json_decref(message);
        json_decref(there);
        json_decref(here);
    }
}

static void what_is_not_there_has_its_code(void **state)
{
    static const char *const nowhere[] = { "",
                                           "x",
                                           "aisp://",
                                           "aisp://runs/",
                                           "aisp://runs/nope",
                                           "aisp://runs/..%2f..%2fetc",
                                           "aisp://runs/%00",
                                           "aisp://runs/%ff",
                                           "aisp://runs/--help",
                                           "aisp://targets/nope",
                                           "aisp://targets/../../etc/passwd",
                                           "aisp://guide/nope",
                                           "aisp://guide/../store",
                                           "aisp://guide/..%2f..%2fREADME",
                                           "aisp://guide/",
                                           "file:///etc/passwd",
                                           "aisp://guide/a%" };

    (void)state;
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        json_t *message = read_uri(nowhere[i]);

        if (code_of(message) != -32002)
            fail_msg("%s: %d", nowhere[i], code_of(message));
        assert_string_equal(text_at(message, "error.data.uri"), nowhere[i]);
        json_decref(message);
    }
}

/* More runs than a page has: each comes once, and one that is recorded meanwhile shifts nothing. */
static void pages_follow_each_other(void **state)
{
    enum { N = 450 };
    char *many = temporary_folder(), *line;
    struct client other;
    json_t *seen = json_object(), *result, *one;
    char *cursor = NULL;
    int pages = 0;
    size_t i;

    (void)state;
    line = aisp_format(
        "cd '%s' && head -1 '%s/recorded/screen/store.jsonl' >one && sed -n '2p' '%s/recorded/screen/store.jsonl' >run && "
        "{ cat one; for i in $(seq -w 1 %d); do sed -e \"s/20261128T140019Z-d7a8b4/20250101T000000Z-000$i/g\" run; done; "
        "} >all && '%s/aisp' store import all --artifacts-dir artifacts >/dev/null",
        many, TESTS_DIR, TESTS_DIR, N, BUILD_DIR);
    if (system(line))
        fail_msg("%s", line);
    free(line);
    client_begin(&other, many, NULL);
    do {
        json_t *page = client_result(&other, "resources/list", cursor ? json_pack("{s:s}", "cursor", cursor) : NULL);

        assert_true(json_array_size(json_object_get(page, "resources")) <= 200);
        json_array_foreach(json_object_get(page, "resources"), i, one)
        {
            assert_null(json_object_get(seen, text_at(one, "uri")));
            json_object_set_new(seen, text_at(one, "uri"), json_true());
        }
        free(cursor);
        cursor = json_object_get(page, "nextCursor") ? aisp_xstrdup(text_at(page, "nextCursor")) : NULL;
        json_decref(page);
    } while (cursor && ++pages < 10);
    result = printed(many, "bench list-runs --limit 1000");
    json_array_foreach(json_object_get(result, "runs"), i, one)
    {
        char *uri = aisp_format("aisp://runs/%s", text_at(one, "run"));

        assert_non_null(json_object_get(seen, uri));
        free(uri);
    }
    assert_int_equal(json_array_size(json_object_get(result, "runs")), N);
    json_decref(result);
    json_decref(seen);
    client_finish(&other, many);
}

static void an_empty_store_lists_no_runs(void **state)
{
    char *empty = temporary_folder();
    struct client other;
    json_t *result;

    (void)state;
    client_begin(&other, empty, NULL);
    result = client_result(&other, "resources/list", NULL);
    assert_true(json_array_size(json_object_get(result, "resources")) > 3);
    json_decref(result);
    client_finish(&other, empty);
}

static void templates_are_listed(void **state)
{
    json_t *result = client_result(&server, "resources/templates/list", NULL);

    (void)state;
    assert_string_equal(text_at(result, "resourceTemplates.0.uriTemplate"), "aisp://runs/{run}");
    assert_string_equal(text_at(result, "resourceTemplates.1.uriTemplate"), "aisp://targets/{+target}");
    assert_string_equal(text_at(result, "resourceTemplates.2.uriTemplate"), "aisp://guide/{guide}");
    json_decref(result);
}

/* ---- prompts ---- */

/* Every tool that a text names is one, and no hole is left in it. */
static void check_text(const char *text)
{
    assert_null(strchr(text, '{'));
    assert_null(strchr(text, '['));
    for (const char *at = strchr(text, '`'); at; ) {
        const char *end = strchr(at + 1, '`');
        char *name = aisp_format("%.*s", (int)(end - at - 1), at + 1);

        if (!aisp_ask_find(name, '_', AISP_ASK_READ))
            fail_msg("no tool %s: %s", name, text);
        free(name);
        at = strchr(end + 1, '`');
    }
}

static void prompts_name_their_arguments_and_tools_that_are_there(void **state)
{
    json_t *list = client_result(&server, "prompts/list", NULL), *prompt, *argument;
    size_t i, j;

    (void)state;
    assert_int_equal(json_array_size(json_object_get(list, "prompts")), 5);
    json_array_foreach(json_object_get(list, "prompts"), i, prompt)
    {
        json_t *given = json_object(), *result;
        const char *expected = "latest";

        json_array_foreach(json_object_get(prompt, "arguments"), j, argument)
            if (json_is_true(json_object_get(argument, "required")))
                json_object_set_new(given, text_at(argument, "name"), json_string(expected = "ch07:given"));
        result =
            client_result(&server, "prompts/get", json_pack("{s:s, s:o}", "name", text_at(prompt, "name"), "arguments", given));
        assert_string_equal(text_at(result, "messages.0.role"), "user");
        if (strcmp(text_at(prompt, "name"), "is_it_faster") != 0)
            check_text(text_at(result, "messages.0.content.text"));
        assert_non_null(strstr(text_at(result, "messages.0.content.text"), expected));
        json_decref(result);
    }
    json_decref(list);
}

static void a_prompt_speaks_of_running_only_where_that_is_allowed(void **state)
{
    json_t *params = json_pack("{s:s, s:{s:s, s:s}}", "name", "is_it_faster", "arguments", "target", "ch01:double", "variant",
                               "optimized_vector");
    json_t *result = client_result(&server, "prompts/get", json_incref(params));
    const char *text = text_at(result, "messages.0.content.text");
    struct client other;

    (void)state;
    check_text(text);
    assert_null(strstr(text, "bench_run"));
    assert_non_null(strstr(text, "aisp bench run -t ch01:double"));
    assert_non_null(strstr(text, "Is optimized_vector of ch01:double really faster"));
    json_decref(result);
    client_begin(&other, folder, (const char *const[]){ "--allow-run", NULL });
    result = client_result(&other, "prompts/get", params);
    text = text_at(result, "messages.0.content.text");
    assert_non_null(strstr(text, "Call `bench_run` with targets [\"ch01:double\"]"));
    assert_null(strstr(text, "ask me to type"));
    json_decref(result);
    assert_int_equal(client_end(&other), 0);
}

/* ---- completion ---- */

static json_t *completed(const char *type, const char *key, const char *of, const char *argument, const char *typed)
{
    return client_request(&server, "completion/complete",
                          json_pack("{s:{s:s, s:s}, s:{s:s, s:s}}", "ref", "type", type, key, of, "argument", "name", argument,
                                    "value", typed));
}

static void arguments_are_completed(void **state)
{
    static const char *const asked[][6] = {
        { "ref/prompt", "name", "is_it_faster", "target", "ch0", "ch01:double" },
        { "ref/prompt", "name", "is_it_faster", "variant", "optimized_v", "optimized_vector" },
        { "ref/prompt", "name", "compare_two_runs", "a", "20261128T140019Z", "20261128T140019Z-d7a8b4" },
        { "ref/prompt", "name", "what_next", "run", "lat", "latest" },
        { "ref/resource", "uri", "aisp://runs/{run}", "run", "4d98", "20261128T140156Z-4d9837" },
        { "ref/resource", "uri", "aisp://targets/{+target}", "target", "doub", "ch01:double" },
        { "ref/resource", "uri", "aisp://guide/{guide}", "guide", "gat", "gates" },
    };
    json_t *message;

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        message = completed(asked[i][0], asked[i][1], asked[i][2], asked[i][3], asked[i][4]);
        assert_string_equal(text_at(message, "result.completion.values.0"), asked[i][5]);
        assert_true(json_is_false(at(message, "result.completion.hasMore")));
        json_decref(message);
    }
    message = completed("ref/prompt", "name", "is_it_faster", "target", "no such");
    assert_int_equal(json_array_size(at(message, "result.completion.values")), 0);
    json_decref(message);
    message = completed("ref/prompt", "name", "is_it_faster", "nope", "");
    assert_int_equal(code_of(message), -32602);
    json_decref(message);
    message = completed("ref/resource", "uri", "aisp://nope/{run}", "run", "");
    assert_int_equal(code_of(message), -32602);
    json_decref(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_guides_targets_and_runs_and_each_can_be_read),
        cmocka_unit_test(a_resource_is_what_the_command_prints),
        cmocka_unit_test(what_is_not_there_has_its_code),
        cmocka_unit_test(pages_follow_each_other),
        cmocka_unit_test(an_empty_store_lists_no_runs),
        cmocka_unit_test(templates_are_listed),
        cmocka_unit_test(prompts_name_their_arguments_and_tools_that_are_there),
        cmocka_unit_test(a_prompt_speaks_of_running_only_where_that_is_allowed),
        cmocka_unit_test(arguments_are_completed),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
