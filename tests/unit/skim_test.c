/* skim_test.c - JSON read in place agrees with the JSON that everybody else reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "store/file.h"
#include "store/skim.h"

static struct aisp_span span(const char *text) { return (struct aisp_span){ text, strlen(text) }; }

static void what_is_json_passes_and_what_is_not_does_not(void **state)
{
    static const char *const good[] = { "{}", " [1, -0, 0.5, 1e5, -1.25E-7] ", "{\"a\":{\"b\":[{}, [], null, true, false]}}",
                                        "\"\\u00e9\\uD83D\\uDE00\\n\\/\"", "{\"\xc3\xa9\":\"\xf0\x9f\x98\x80\"}",
                                        "9223372036854775807", "[1.7976931348623157e308]", "{\"a\":1,\"a\":2}", "\"\x7f\"" };
    static const char *const bad[] = { "",         "{",        "[1,]",       "{\"a\"}",      "{\"a\":1,}",        "{a:1}",
                                       "[01]",     "[1.]",     "[.5]",       "[+1]",         "[1e]",              "nul",
                                       "\"\\x\"",  "\"a",      "\"\t\"",     "\"\\u12\"",    "\"\\uD800\"",       "\"\\uDC00\"",
                                       "\"\\u0000\"", "[1e999]", "[9223372036854775808]", "\"\xff\"", "\"\xc0\x80\"",
                                       "\"\xed\xa0\x80\"", "{} {}", "[1 2]", "\"\xf4\x90\x80\x80\"", "[-]" };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        json_t *tree = json_loads(good[i], JSON_DECODE_ANY, NULL);

        assert_non_null(tree);
        json_decref(tree);
        if (aisp_skim_check(span(good[i]), NULL, NULL))
            fail_msg("%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(json_loads(bad[i], JSON_DECODE_ANY, NULL));
        if (!aisp_skim_check(span(bad[i]), NULL, NULL))
            fail_msg("%s", bad[i]);
    }
}

static void an_error_says_where(void **state)
{
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_skim_check(span("{\"a\": tru}"), NULL, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "no JSON: neither a value nor the end at byte 7");
}

static void members_are_found_to_the_second_level(void **state)
{
    const char *text = "{\"kind\": \"result\", \"result\": {\"a\": 1, \"b\": {\"deep\": 2}, \"c\": [3]}, \"last\": null}";
    struct aisp_skim_members m;

    (void)state;
    assert_int_equal(aisp_skim_check(span(text), &m, NULL), AISP_OK);
    assert_int_equal(m.n, 6);
    assert_true(aisp_span_is(m.of[1].name, "result") && m.of[1].depth == 1);
    assert_true(aisp_span_is(m.of[2].name, "a") && m.of[2].depth == 2 && aisp_span_is(m.of[2].value, "1"));
    assert_true(aisp_span_is(m.of[3].value, "{\"deep\": 2}"));
    assert_true(aisp_span_is(m.of[5].name, "last") && m.of[5].depth == 1);
}

static void values_are_found_by_name_and_the_last_one_counts(void **state)
{
    const struct aisp_span object = span(" {\"a\" : \"x\\\"}\" , \"b\":[1,{\"c\":2}], \"a\":-3.5e1 }");
    struct aisp_span rest, item;
    char text[8];

    (void)state;
    assert_true(aisp_span_is(aisp_skim_find(object, "a"), "-3.5e1"));
    assert_true(aisp_skim_is_number(aisp_skim_find(object, "a")));
    assert_null(aisp_skim_find(object, "c").s);
    assert_null(aisp_skim_find(span("[]"), "c").s);
    rest = aisp_skim_find(object, "b");
    assert_true(aisp_skim_item(&rest, &item) && aisp_span_is(item, "1"));
    assert_true(aisp_skim_item(&rest, &item) && aisp_skim_is_object(item));
    assert_false(aisp_skim_item(&rest, &item));
    assert_true(aisp_skim_text(span("\"a\\u00e9\""), text, sizeof text));
    assert_string_equal(text, "a\xc3\xa9");
    assert_false(aisp_skim_text(span("\"12345678\""), text, sizeof text));
    assert_false(aisp_skim_text(span("7"), text, sizeof text));
}

static void a_file_survives_one_line_byte_for_byte(void **state)
{
    json_t *tree = json_pack("{s:[], s:{}, s:[{s:f, s:I, s:s}, [[n]]], s:{s:{s:b}}}", "none", "nothing", "list", "x", 0.1, "n",
                             (json_int_t)9007199254740993, "t", "a \"b\" \\ c, {d}: [e]\n", "deep", "deeper", "deepest", 1);
    char *file = aisp_file_json_text(tree);
    struct aisp_buf line = AISP_BUF_INIT, again = AISP_BUF_INIT;

    (void)state;
    aisp_skim_compact(span(file), &line);
    assert_null(strchr(line.s, '\n'));
    aisp_skim_indent((struct aisp_span){ line.s, line.len }, &again);
    assert_int_equal(again.len, strlen(file));
    assert_memory_equal(again.s, file, again.len);
    aisp_buf_release(&line);
    aisp_buf_release(&again);
    free(file);
    json_decref(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_json_passes_and_what_is_not_does_not),
        cmocka_unit_test(an_error_says_where),
        cmocka_unit_test(members_are_found_to_the_second_level),
        cmocka_unit_test(values_are_found_by_name_and_the_last_one_counts),
        cmocka_unit_test(a_file_survives_one_line_byte_for_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
