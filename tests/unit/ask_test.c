/* ask_test.c - what a door for others offers, and the command line that a JSON object means. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/command.h"
#include "doors/ask.h"

static const struct aisp_command *command(const char *path)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strcmp(c->path, path))
        return c;
    fail_msg("no command \"%s\"", path);
    return NULL;
}

static json_t *parsed(const char *text)
{
    json_t *object = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

    assert_non_null(object);
    return object;
}

static enum aisp_status words_of(const char *path, const char *arguments, enum aisp_ask_right right, struct aisp_buf *line,
                                 struct aisp_err *err)
{
    struct aisp_words words = AISP_WORDS_INIT;
    json_t *object = arguments ? parsed(arguments) : NULL;
    const enum aisp_status st = aisp_ask_words(command(path), object, right, &words, err);

    if (st)
        assert_int_equal(words.n, 0);
    aisp_words_join(&words, line);
    aisp_words_release(&words);
    json_decref(object);
    return st;
}

static void assert_line(const char *path, const char *arguments, enum aisp_ask_right right, const char *expected)
{
    struct aisp_buf line = AISP_BUF_INIT;
    struct aisp_err err = { AISP_OK, "" };

    if (words_of(path, arguments, right, &line, &err))
        fail_msg("%s %s: %s", path, arguments, err.text);
    assert_string_equal(line.s, expected);
    aisp_buf_release(&line);
}

static void assert_refused(const char *path, const char *arguments, enum aisp_ask_right right, enum aisp_status status,
                           const char *expected)
{
    struct aisp_buf line = AISP_BUF_INIT;
    struct aisp_err err = { AISP_OK, "" };

    assert_int_equal(words_of(path, arguments, right, &line, &err), status);
    if (!strstr(err.text, expected))
        fail_msg("%s %s: \"%s\", and not \"%s\"", path, arguments, err.text, expected);
    aisp_buf_release(&line);
}

/* ---- what is offered ---- */

static void reading_offers_nothing_that_runs_or_writes(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        const bool harmless = !(c->flags & (AISP_CMD_RUNS_CODE | AISP_CMD_WRITES | AISP_CMD_TERMINAL));

        assert_int_equal(aisp_ask_offered(c, AISP_ASK_READ), harmless);
        assert_int_equal(aisp_ask_offered(c, AISP_ASK_RUN), !(c->flags & AISP_CMD_TERMINAL));
    }
    assert_true(aisp_ask_offered(command("bench list-runs"), AISP_ASK_READ));
    assert_false(aisp_ask_offered(command("bench run"), AISP_ASK_READ));
    assert_false(aisp_ask_offered(command("bench report"), AISP_ASK_READ));
    assert_false(aisp_ask_offered(command("store prune"), AISP_ASK_READ));
    assert_refused("bench run", "{}", AISP_ASK_READ, AISP_E_REFUSED, "runs code or writes");
}

static void reading_offers_no_option_that_writes_or_names_a_file(void **state)
{
    (void)state;
    assert_refused("store check", "{\"repair\": true}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"repair\"");
    assert_line("store check", "{\"repair\": true}", AISP_ASK_RUN, "store check --repair --");
    assert_refused("bench expectations", "{\"update\": true}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"update\"");
    assert_refused("bench cost", "{\"prices\": \"/etc/passwd\"}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"prices\"");
    assert_refused("doctor", "{\"root\": \"/\"}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"root\"");
    assert_refused("help", "{\"man\": \"/tmp/x\"}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"man\"");
    assert_refused("utils roofline", "{\"svg\": \"/tmp/x\"}", AISP_ASK_READ, AISP_E_USAGE, "takes no \"svg\"");
}

static void reading_takes_names_where_a_file_would_do_as_well(void **state)
{
    (void)state;
    assert_line("bench recheck", "{\"run\": \"latest\"}", AISP_ASK_READ, "bench recheck -- latest");
    assert_refused("bench recheck", "{\"run\": \"./x\"}", AISP_ASK_READ, AISP_E_USAGE, "names a file");
    assert_line("bench recheck", "{\"run\": \"./x\"}", AISP_ASK_RUN, "bench recheck -- ./x");
    assert_line("utils kv-cache", "{\"model\": \"llama-3.1-8b\"}", AISP_ASK_READ, "utils kv-cache --model=llama-3.1-8b --");
    assert_refused("utils kv-cache", "{\"model\": \"secret.json\"}", AISP_ASK_READ, AISP_E_USAGE, "names a file");
    assert_refused("utils parallelism", "{\"model\": \"/a\"}", AISP_ASK_READ, AISP_E_USAGE, "names a file");
}

static void options_of_every_command_are_nobodys_to_ask_for(void **state)
{
    (void)state;
    for (const struct aisp_option *o = aisp_common_options; o->name; o++) {
        char *arguments = aisp_format("{\"%s\": \"x\"}", o->name);

        assert_refused("version", arguments, AISP_ASK_RUN, AISP_E_USAGE, "takes no");
        free(arguments);
    }
}

/* ---- the command line ---- */

static void an_object_is_a_command_line(void **state)
{
    (void)state;
    assert_line("version", NULL, AISP_ASK_READ, "version --");
    assert_line("bench compare-runs", "{\"b\": \"two\", \"a\": \"one\", \"gate\": true, \"band\": 1.5}", AISP_ASK_READ,
                "bench compare-runs --band=1.5 --gate -- one two");
    assert_line("bench run", "{\"targets\": [\"ch07\", \"ch0*\"], \"quick\": true, \"time-limit\": \"3s\", \"threads\": 2}",
                AISP_ASK_RUN, "bench run --targets=ch07 '--targets=ch0*' --quick --time-limit=3s --threads=2 --");
    assert_line("bench list-runs", "{\"limit\": 3.0}", AISP_ASK_READ, "bench list-runs --limit=3 --");
    assert_line("doctor", "{\"gate\": false}", AISP_ASK_READ, "doctor --");
    assert_line("help", "{\"command\": [\"bench\", \"run\"]}", AISP_ASK_READ, "help -- bench run");
    assert_line("doctor", "{\"family-item\": [\"system\"]}", AISP_ASK_READ, "doctor -- system");
}

/* What the parser makes of the line: the value, and not one option more. */
static void a_value_with_a_hyphen_is_no_option(void **state)
{
    static const char *const nasty[] = { "--update", "-h", "--", "-", "--json=1", "=", "a=b", " ", "\n", "'\"" };

    (void)state;
    for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
        struct aisp_words words = AISP_WORDS_INIT;
        struct aisp_err err = { AISP_OK, "" };
        struct aisp_args args;
        json_t *object = json_pack("{s:s, s:s}", "run", nasty[i], "hardware", nasty[i]);
        const char *topic;

        assert_int_equal(aisp_ask_words(command("bench expectations"), object, AISP_ASK_READ, &words, &err), AISP_OK);
        assert_int_equal(aisp_args_parse(&args, (int)words.n, (const char *const *)words.word, &topic, &err), AISP_OK);
        assert_int_equal(args.n_operands, 1);
        assert_string_equal(args.operand[0], nasty[i]);
        assert_string_equal(aisp_args_text(&args, "hardware"), nasty[i]);
        assert_false(aisp_args_flag(&args, "update"));
        assert_false(aisp_args_flag(&args, "help"));
        aisp_args_release(&args);
        aisp_words_release(&words);
        json_decref(object);
    }
}

static void a_wrong_value_is_told_before_anything_runs(void **state)
{
    (void)state;
    assert_refused("bench list-runs", "{\"limit\": \"3\"}", AISP_ASK_READ, AISP_E_USAGE, "not a whole number");
    assert_refused("bench list-runs", "{\"limit\": 1.5}", AISP_ASK_READ, AISP_E_USAGE, "not a whole number");
    assert_refused("bench list-runs", "{\"limit\": 0}", AISP_ASK_READ, AISP_E_USAGE, "must be from 1");
    assert_refused("bench list-runs", "{\"limit\": null}", AISP_ASK_READ, AISP_E_USAGE, "not a whole number");
    assert_refused("bench list-runs", "{\"limits\": 1}", AISP_ASK_READ, AISP_E_USAGE, "is \"limit\" meant?");
    assert_refused("bench whatif", "{\"power\": -1}", AISP_ASK_READ, AISP_E_USAGE, "not a number above 0");
    assert_refused("bench whatif", "{\"power\": \"9\"}", AISP_ASK_READ, AISP_E_USAGE, "not a number above 0");
    assert_refused("doctor", "{\"gate\": \"yes\"}", AISP_ASK_READ, AISP_E_USAGE, "not true or false");
    assert_refused("bench summary", "{\"run\": 7}", AISP_ASK_READ, AISP_E_USAGE, "not a string");
    assert_refused("bench summary", "{\"run\": \"\"}", AISP_ASK_READ, AISP_E_USAGE, "is empty");
    assert_refused("bench summary", "{\"run\": \"a\\u0000b\"}", AISP_ASK_READ, AISP_E_USAGE, "zero byte");
    assert_refused("bench summary", "{\"run\": [\"a\"]}", AISP_ASK_READ, AISP_E_USAGE, "not a string");
    assert_refused("bench summary", "[]", AISP_ASK_READ, AISP_E_USAGE, "not an object");
    assert_refused("bench show", "{}", AISP_ASK_READ, AISP_E_USAGE, "needs \"target\"");
    assert_refused("bench compare-runs", "{\"b\": \"x\"}", AISP_ASK_READ, AISP_E_USAGE, "needs \"a\"");
    assert_refused("bench run", "{\"targets\": \"ch07\"}", AISP_ASK_RUN, AISP_E_USAGE, "not an array");
    assert_refused("bench run", "{\"targets\": [\"ch07\", 7]}", AISP_ASK_RUN, AISP_E_USAGE, "not a string");
}

/* ---- names ---- */

static void names_lead_back_to_their_command(void **state)
{
    static const char separators[] = { '/', '_' };

    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    for (size_t i = 0; i < sizeof separators; i++) {
        struct aisp_buf name = AISP_BUF_INIT;

        aisp_ask_name(c, separators[i], &name);
        assert_ptr_equal(aisp_ask_find(name.s, separators[i], AISP_ASK_RUN), c->flags & AISP_CMD_TERMINAL ? NULL : c);
        if (separators[i] == '_')
            assert_int_equal(strspn(name.s, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name.s));
        aisp_buf_release(&name);
    }
    assert_ptr_equal(aisp_ask_find("bench/compare-runs", '/', AISP_ASK_READ), command("bench compare-runs"));
    assert_ptr_equal(aisp_ask_find("bench_compare_runs", '_', AISP_ASK_READ), command("bench compare-runs"));
    assert_null(aisp_ask_find("bench_run", '_', AISP_ASK_READ));
    assert_null(aisp_ask_find("", '_', AISP_ASK_RUN));
    assert_null(aisp_ask_find("bench", '_', AISP_ASK_RUN));
}

/* ---- the schema ---- */

static void schemas_have_names_that_clients_take(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        json_t *schema = aisp_ask_schema(c, AISP_ASK_RUN), *property;
        const char *name;
        size_t n = 0;

        json_object_foreach(json_object_get(schema, "properties"), name, property)
        {
            assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
            assert_true(json_is_string(json_object_get(property, "type")));
            assert_true(json_string_length(json_object_get(property, "description")) > 0);
        }
        for (const struct aisp_option *o = c->option; o && o->name; o++)
            n++;
        for (const struct aisp_operand *o = c->operand; o && o->name; o++)
            n++;
        assert_int_equal(json_object_size(json_object_get(schema, "properties")), n);   /* no two of one name */
        assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
        json_decref(schema);
    }
}

static void a_schema_says_what_is_taken(void **state)
{
    json_t *schema = aisp_ask_schema(command("bench list-runs"), AISP_ASK_READ);
    json_t *limit = json_object_get(json_object_get(schema, "properties"), "limit");
    json_t *expected = json_pack("{s:s, s:i, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", INT_MAX, "default", 100);
    const char *key;
    json_t *value;

    (void)state;
    json_object_foreach(expected, key, value)
        if (!json_equal(json_object_get(limit, key), value))
            fail_msg("%s", key);
    assert_null(json_object_get(schema, "required"));
    json_decref(schema);
    json_decref(expected);

    schema = aisp_ask_schema(command("bench show"), AISP_ASK_READ);
    expected = json_pack("[s]", "target");
    assert_true(json_equal(json_object_get(schema, "required"), expected));
    json_decref(expected);
    expected = json_pack("[s, s]", "cpu", "cuda");
    value = json_object_get(json_object_get(json_object_get(schema, "properties"), "device"), "enum");
    assert_true(json_equal(value, expected));
    json_decref(expected);
    json_decref(schema);
}

/* ---- from text ---- */

static json_t *object_of(const char *path, size_t n, const char *const *name, const char *const *value, struct aisp_err *err)
{
    return aisp_ask_object(command(path), name, value, n, AISP_ASK_READ, err);
}

static void text_becomes_the_same_object(void **state)
{
    const char *const name[] = { "a", "gate", "band" }, *const twice[] = { "run", "run" },
                      *const word[] = { "command", "command" };
    struct aisp_err err = { AISP_OK, "" };
    json_t *object = object_of("bench compare-runs", 2, name, (const char *const[]){ "latest", "" }, &err);
    json_t *expected = json_pack("{s:s, s:b}", "a", "latest", "gate", 1);

    (void)state;
    assert_true(json_equal(object, expected));
    json_decref(object);
    json_decref(expected);
    object = object_of("help", 2, word, (const char *const[]){ "bench", "run" }, &err);
    expected = json_pack("{s:[s, s]}", "command", "bench", "run");
    assert_true(json_equal(object, expected));
    json_decref(object);
    json_decref(expected);
    assert_null(object_of("bench summary", 2, twice, (const char *const[]){ "a", "b" }, &err));
    assert_non_null(strstr(err.text, "given twice"));
    assert_null(object_of("bench compare-runs", 2, name, (const char *const[]){ "a", "maybe" }, &err));
    assert_non_null(strstr(err.text, "not true or false"));
    assert_null(object_of("bench compare-runs", 1, name, (const char *const[]){ "\xff" }, &err));
    assert_non_null(strstr(err.text, "UTF-8"));
    assert_null(object_of("bench list-runs", 1, (const char *const[]){ "limit" }, (const char *const[]){ "3x" }, &err));
    assert_non_null(strstr(err.text, "a whole number"));
    assert_null(object_of("bench compare-runs", 1, &name[2], (const char *const[]){ "nan" }, &err));
    assert_non_null(strstr(err.text, "a number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_offers_nothing_that_runs_or_writes),
        cmocka_unit_test(reading_offers_no_option_that_writes_or_names_a_file),
        cmocka_unit_test(reading_takes_names_where_a_file_would_do_as_well),
        cmocka_unit_test(options_of_every_command_are_nobodys_to_ask_for),
        cmocka_unit_test(an_object_is_a_command_line),
        cmocka_unit_test(a_value_with_a_hyphen_is_no_option),
        cmocka_unit_test(a_wrong_value_is_told_before_anything_runs),
        cmocka_unit_test(names_lead_back_to_their_command),
        cmocka_unit_test(schemas_have_names_that_clients_take),
        cmocka_unit_test(a_schema_says_what_is_taken),
        cmocka_unit_test(text_becomes_the_same_object),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
