/* judge_test.c - candidates as strangers hand them in, and what their answers say and withhold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "commands/judge_answer.h"
#include "store/attempt.h"
#include "tests/unit/store_place.h"

static struct aisp_candidates read_lines(const char *text, bool as_lines, const char *family)
{
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct aisp_candidates list = { 0 };
    struct aisp_err err;

    assert_int_equal(aisp_candidates_add_stream(&list, f, as_lines, family, &err), AISP_OK);
    fclose(f);
    return list;
}

static void a_source_on_standard_input_is_one_candidate(void **state)
{
    struct aisp_candidates list = read_lines("int x;\n", false, NULL);

    (void)state;
    assert_int_equal(list.n, 1);
    assert_string_equal(list.item[0].name, "stdin");
    assert_int_equal(list.item[0].bytes, 7);
    assert_string_equal(list.item[0].rejected, "");
    aisp_candidates_release(&list);
}

static void a_family_is_the_name_without_its_number(void **state)
{
    struct aisp_candidates list =
        read_lines("{\"name\": \"tile_v12.c\", \"source\": \"\"}\n"
                   "{\"name\": \"tile-3\", \"source\": \"\"}\n\n"
                   "{\"name\": \"12.c\", \"source\": \"\"}\n"
                   "{\"name\": \"a\", \"source\": \"\", \"family\": \"b7\"}\n",
                   true, NULL);

    (void)state;
    assert_int_equal(list.n, 4);
    assert_string_equal(list.item[0].family, "tile");
    assert_string_equal(list.item[1].family, "tile");
    assert_string_equal(list.item[2].family, "candidate");
    assert_string_equal(list.item[3].family, "b7");
    aisp_candidates_release(&list);
}

static void a_line_that_is_no_request_is_rejected_alone(void **state)
{
    struct aisp_candidates list =
        read_lines("{\"name\": \"a\\u0000b\", \"source\": \"\"}\n[1]\n{\"name\": \"good\", "
                   "\"source\": \"x\"}\n",
                   true, NULL);

    (void)state;
    assert_int_equal(list.n, 3);
    assert_string_equal(list.item[0].rejected, "bad-request");
    assert_string_equal(list.item[1].rejected, "bad-request");
    assert_string_equal(list.item[2].rejected, "");
    aisp_candidates_release(&list);
}

static void a_name_becomes_printable(void **state)
{
    char to[8];

    (void)state;
    aisp_candidate_clean("a\n\"\\\xff-long", 11, to, sizeof to);
    assert_string_equal(to, "a?"
                            "??"
                            "?-l");
}

static struct aisp_evidence with_wrong_output(double expected)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    const struct aisp_observation o = { .what = AISP_SEEN_WRONG_OUTPUT,
                                        .side = AISP_B,
                                        .phase = AISP_PHASE_VERIFY,
                                        .expected = expected,
                                        .seen = 1.5 };

    aisp_evidence_observe(&ev, &o);
    return ev;
}

static void assert_withheld(double expected, const char *text, const char *what_remains)
{
    struct aisp_evidence ev = with_wrong_output(expected);
    char *got = aisp_answer_withhold(text, &ev);

    assert_string_equal(got, what_remains);
    free(got);
    aisp_evidence_release(&ev);
}

static void what_was_expected_is_withheld_however_it_is_said(void **state)
{
    (void)state;
    assert_withheld(0.731, "element 3: saw 1.5, expected 0.731 +- 1e-06; 4 of 9 wrong",
                    "element 3: saw 1.5, expected (withheld); 4 of 9 wrong");
    assert_withheld(-0.731, "it should be -0.7310000 here", "it should be (withheld) here");
    assert_withheld(7, "wanted 7, call 7, slot 7", "wanted (withheld), call 7, slot 7");
    assert_withheld(0.731, "expected nan", "expected (withheld)");
    assert_withheld(0.731, "no number here", "no number here");
    assert_withheld(0.731, "\033[31m", "?[31m");
}

static json_t *result_of(const char *grade, const char *side)
{
    return json_pack("{s:s, s:[{s:s, s:s, s:s, s:s}]}", "grade", grade, "findings", "check", "x",
                     "severity", "violation", "side", side, "text", "t");
}

static void assert_word(enum aisp_seen what, const char *detail, const char *word)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_observation o = { .what = what, .side = AISP_B };
    json_t *result = result_of("invalid", "b");

    snprintf(o.detail, sizeof o.detail, "%s", detail);
    aisp_evidence_observe(&ev, &o);
    assert_string_equal(aisp_answer_word(&ev, result), word);
    json_decref(result);
    aisp_evidence_release(&ev);
}

static void each_way_to_end_has_its_word(void **state)
{
    (void)state;
    assert_word(AISP_SEEN_FORBIDDEN_CALL, "clone", "started-process");
    assert_word(AISP_SEEN_FORBIDDEN_CALL, "openat /etc/passwd", "opened-file");
    assert_word(AISP_SEEN_FORBIDDEN_CALL, "openat for writing /tmp/x", "wrote-file");
    assert_word(AISP_SEEN_FORBIDDEN_CALL, "bpf", "forbidden-call");
    assert_word(AISP_SEEN_HANG, "no answer", "hung");
    assert_word(AISP_SEEN_EXIT, "it left", "left");
    assert_word(AISP_SEEN_MEMORY, "", "memory");
    assert_word(AISP_SEEN_WRONG_OUTPUT, "", "wrong-output");
}

static void a_wrong_baseline_is_no_fault_of_the_candidates(void **state)
{
    struct aisp_evidence ev = with_wrong_output(1);
    json_t *result = result_of("invalid", "a");

    (void)state;
    assert_string_equal(aisp_answer_word(&ev, result), "reference-failed");
    json_decref(result);
    aisp_evidence_release(&ev);
}

/* What was seen of it before that says more than that it came to no end. */
static void a_comparison_that_came_to_no_end_is_an_answer_with_its_reason(void **state)
{
    struct aisp_candidate c = { .name = "c.c", .family = "c", .rejected = "" };
    struct aisp_built built = { .is_tried = true };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_answer_facts f = { .candidate = &c, .built = &built, .target = "t", .device = "cpu", .size = "quick",
                                   .best_why = "", .seed_commitment = "", .ev = &ev,
                                   .unmeasured = "starting aisp-worker: no room" };
    json_t *answer;

    (void)state;
    built.result.end = AISP_SANDBOX_BUILT;
    answer = aisp_answer_new(&f);
    assert_string_equal(aisp_answer_rejected(answer), "not-measured");
    assert_string_equal(json_string_value(json_object_get(answer, "grade")), "invalid");
    assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(answer, "findings"), 0), "text")),
                        "starting aisp-worker: no room");
    json_decref(answer);
    aisp_evidence_observe(&ev, &(struct aisp_observation){ .what = AISP_SEEN_HANG, .side = AISP_B });
    answer = aisp_answer_new(&f);
    assert_string_equal(aisp_answer_rejected(answer), "hung");
    json_decref(answer);
    aisp_evidence_release(&ev);
}

static void attempts_are_numbered_within_family_and_target(void **state)
{
    char folder[] = "/tmp/aisp-judge-test-XXXXXX", command[64];
    json_t *answer = json_pack("{s:s}", "kind", "answer"), *found = NULL, *all = NULL;
    struct aisp_attempt a = { "t", "f", "s1", "b", "r", "", 2.0, answer };
    struct aisp_store *store = NULL;
    int64_t number = 0, n = 0;

    (void)state;
    assert_non_null(mkdtemp(folder));
    store_place(folder);
    assert_int_equal(aisp_store_open(&store, folder, true, NULL), AISP_OK);
    assert_int_equal(aisp_store_attempt_add(store, &a, &number, NULL), AISP_OK);
    assert_int_equal(number, 1);
    a.sha256 = "s2";
    a.ratio = 3.0;
    assert_int_equal(aisp_store_attempt_add(store, &a, &number, NULL), AISP_OK);
    assert_int_equal(number, 2);
    a.family = "g";
    assert_int_equal(aisp_store_attempt_add(store, &a, &number, NULL), AISP_OK);
    assert_int_equal(number, 1);
    assert_int_equal(aisp_store_attempt_best(store, "t", "f", "b", &n, &found, NULL), AISP_OK);
    assert_int_equal(n, 2);
    assert_int_equal(json_integer_value(json_object_get(found, "attempt")), 2);
    json_decref(found);
    assert_int_equal(aisp_store_attempt_find(store, "s1", "t", "other build", &found, NULL),
                     AISP_OK);
    assert_null(found);
    assert_int_equal(aisp_store_attempts(store, &all, NULL), AISP_OK);
    assert_int_equal(json_array_size(all), 3);
    /* What is there already stays as it is. */
    assert_int_equal(aisp_store_attempt_import(store, json_array_get(all, 0), NULL), AISP_OK);
    json_decref(all);
    assert_int_equal(aisp_store_attempts(store, &all, NULL), AISP_OK);
    assert_int_equal(json_array_size(all), 3);
    json_decref(all);
    json_decref(answer);
    aisp_store_close(store);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void record_run(struct aisp_store *store, const char *command)
{
    json_t *manifest = json_pack("{s:s, s:s}", "command", command, "host", "h"),
           *summary = json_object();
    json_t *result = json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", "k", "target", "t", "variant",
                               command, "device", "cpu", "grade", "invalid"),
           *evidence = json_object();
    char run[AISP_RUN_ID_MAX];

    assert_int_equal(aisp_store_run_begin(store, manifest, run, NULL), AISP_OK);
    assert_int_equal(aisp_store_result_add(store, run, result, evidence, NULL), AISP_OK);
    assert_int_equal(aisp_store_run_finish(store, run, summary, NULL), AISP_OK);
    json_decref(manifest);
    json_decref(summary);
    json_decref(result);
    json_decref(evidence);
}

static void what_a_stranger_did_is_no_news_of_the_target(void **state)
{
    char folder[] = "/tmp/aisp-judge-test-XXXXXX", command[64];
    struct aisp_store *store = NULL;
    json_t *newest = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    store_place(folder);
    assert_int_equal(aisp_store_open(&store, folder, true, NULL), AISP_OK);
    record_run(store, "bench judge");
    assert_int_equal(aisp_store_newest(store, "t", &newest, NULL), AISP_OK);
    assert_null(newest);
    record_run(store, "bench run");
    record_run(store, "bench judge");
    assert_int_equal(aisp_store_newest(store, "t", &newest, NULL), AISP_OK);
    assert_non_null(newest);
    json_decref(newest);
    aisp_store_close(store);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_on_standard_input_is_one_candidate),
        cmocka_unit_test(a_family_is_the_name_without_its_number),
        cmocka_unit_test(a_line_that_is_no_request_is_rejected_alone),
        cmocka_unit_test(a_name_becomes_printable),
        cmocka_unit_test(what_was_expected_is_withheld_however_it_is_said),
        cmocka_unit_test(each_way_to_end_has_its_word),
        cmocka_unit_test(a_wrong_baseline_is_no_fault_of_the_candidates),
        cmocka_unit_test(a_comparison_that_came_to_no_end_is_an_answer_with_its_reason),
        cmocka_unit_test(attempts_are_numbered_within_family_and_target),
        cmocka_unit_test(what_a_stranger_did_is_no_news_of_the_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
