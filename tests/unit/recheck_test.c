/* recheck_test.c - a record judged again: an untouched one says what it said, and every way to change one shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/recheck.h"
#include "commands/result.h"
#include "core/base/buf.h"
#include "tests/unit/run_play.h"

static const char KEY[] = "scene.scale.optimized";

/* One run on the scripted device, as it would have been recorded. */
struct record {
    json_t *manifest, *summary, *result, *evidence;
};

static void record_again(struct record *r)
{
    const struct aisp_result_spec spec = { .ev = &ev, .key = KEY };

    r->result = aisp_result_new(&spec);
    r->evidence = aisp_evidence_to_json(&ev);
}

static int set_up(void **state)
{
    const struct aisp_fake_script script = scene_script(5000);
    const struct aisp_key run_secret = { { 11 } };
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct record *r = aisp_xcalloc(1, sizeof *r);
    char secret[65], commitment[65];

    plan.secret = aisp_key_derive(&run_secret, KEY, 0, 0, 0, 0);
    aisp_fake_play(&script);
    run(&plan);
    aisp_key_hex(&run_secret, secret);
    aisp_key_commitment(&run_secret, commitment);
    r->manifest = json_pack("{s:s, s:s, s:{}}", "seed_commitment", commitment, "command",
                            "bench run", "options");
    r->summary = json_pack("{s:{s:s}}", "secrets", commitment, secret);
    record_again(r);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct record *r = *state;

    json_decref(r->manifest);
    json_decref(r->summary);
    json_decref(r->result);
    json_decref(r->evidence);
    free(r);
    return scene_release(state);
}

static json_t *recheck(const struct record *r)
{
    const struct aisp_recheck_spec spec = { .manifest = r->manifest,
                                            .summary = r->summary,
                                            .result = r->result,
                                            .evidence = r->evidence,
                                            .problem = &scene_problem };

    return aisp_recheck(&spec);
}

static int number(const json_t *row, const char *object, const char *key)
{
    return (int)json_integer_value(json_object_get(json_object_get(row, object), key));
}

static bool says(const json_t *list, const char *what)
{
    const json_t *line;
    size_t i;

    json_array_foreach(list, i, line)
        if (strstr(json_string_value(line), what))
            return true;
    return false;
}

static void fail_with(const json_t *row, const char *what)
{
    char *text = json_dumps(row, JSON_INDENT(1));

    print_error("%s\n", text);
    free(text);
    fail_msg("%s", what);
}

/* Damaged, and by what the text says. */
static void expect_damage(const struct record *r, const char *what)
{
    json_t *row = recheck(r);

    if (!says(json_object_get(row, "damage"), what))
        fail_with(row, what);
    assert_true(json_is_false(json_object_get(row, "intact")));
    json_decref(row);
}

static void an_untouched_record_is_whole_and_judged_as_it_was(void **state)
{
    const struct record *r = *state;
    json_t *row = recheck(r);

    if (!json_is_true(json_object_get(row, "intact")))
        fail_with(row, "an untouched record is damaged");
    assert_int_equal(json_array_size(json_object_get(row, "changed")), 0);
    assert_int_equal(number(row, "secrets", "revealed"), (int)ev.n_pairs);
    assert_int_equal(number(row, "secrets", "from_run"), (int)ev.n_pairs);
    assert_true(number(row, "kept", "of") > 10);
    assert_int_equal(number(row, "kept", "right"), number(row, "kept", "of"));
    json_decref(row);
}

static void a_changed_sample_shows_in_the_chain(void **state)
{
    struct record *r = *state;

    ev.window[ev.n_windows / 2].window_ns /= 2;
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "do not match their hash chain");
}

static void a_removed_window_shows_in_the_chain(void **state)
{
    struct record *r = *state;

    memmove(&ev.window[3], &ev.window[4], (ev.n_windows - 4) * sizeof *ev.window);
    ev.n_windows--;
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "do not match their hash chain");
}

/* Somebody who makes the chain fit changes the verdict's numbers, and the result does not follow. */
static void a_sample_changed_with_its_chain_changes_the_numbers(void **state)
{
    struct record *r = *state;
    json_t *row;

    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B)
            ev.window[i].window_ns += ev.window[i].window_ns / 10;
    aisp_evidence_chain(&ev, ev.chain);
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    row = recheck(r);
    assert_true(says(json_object_get(row, "changed"), "ratio"));
    json_decref(row);
}

static void a_secret_that_does_not_match_its_commitment_shows(void **state)
{
    struct record *r = *state;

    ev.pair[2].secret[0] = ev.pair[2].secret[0] == 'a' ? 'b' : 'a';
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "secret of pair 2 does not match the hash");
}

/* A secret chosen afterwards, with a hash to fit, is not the run's. */
static void a_secret_that_does_not_come_from_the_run_shows(void **state)
{
    struct record *r = *state;
    const struct aisp_key other = { { 99 } };

    aisp_key_hex(&other, ev.pair[1].secret);
    aisp_key_commitment(&other, ev.pair[1].commitment);
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "secret of pair 1 does not come from the run's secret");
    expect_damage(r, "an output kept of pair 1");
}

static void a_run_secret_that_does_not_match_shows(void **state)
{
    struct record *r = *state;
    json_t *secrets = json_object_get(r->summary, "secrets");
    char zeros[65] = "";

    memset(zeros, '0', 64);
    json_object_set_new(secrets, json_string_value(json_object_get(r->manifest, "seed_commitment")),
                        json_string(zeros));
    expect_damage(r, "the run's secret does not match");
}

static void an_output_that_was_changed_is_wrong_for_its_contents(void **state)
{
    struct record *r = *state;

    memcpy(ev.kept.output[0].bytes, "000080bf", 8); /* -1: no product of two from 0.5 to 1.5 */
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "is wrong for contents made from its secret");
}

static void kept_outputs_that_can_not_be_are_said_to_be_so(void **state)
{
    struct record *r = *state;

    ev.kept.output[0].first_row = 1000000;
    ev.kept.output[1].made[1] = 7;
    ev.kept.output[2].bytes[0] = 'x';
    json_decref(r->evidence);
    r->evidence = aisp_evidence_to_json(&ev);
    expect_damage(r, "is not one of this problem");
    expect_damage(r, "have another size");
    expect_damage(r, "no hex digits");
}

static void evidence_without_kept_outputs_is_judged_for_the_rest(void **state)
{
    struct record *r = *state;
    json_t *row;

    json_object_del(r->evidence, "kept");
    row = recheck(r);
    assert_true(json_is_true(json_object_get(row, "intact")));
    assert_int_equal(number(row, "kept", "of"), 0);
    json_decref(row);
}

static void an_evidence_file_that_is_another_one_than_the_index_knows_shows(void **state)
{
    const struct record *r = *state;
    const struct aisp_recheck_spec spec = { .manifest = r->manifest,
                                            .summary = r->summary,
                                            .result = r->result,
                                            .evidence = r->evidence,
                                            .file_sha256 = "aa",
                                            .expected_sha256 = "bb" };
    json_t *row = aisp_recheck(&spec);

    assert_true(says(json_object_get(row, "damage"), "its hash differs from the index"));
    json_decref(row);
}

static void a_verdict_that_was_written_by_hand_is_put_right(void **state)
{
    struct record *r = *state;
    json_t *row;

    json_object_set_new(r->result, "verdict", json_string("SAME"));
    json_object_set_new(r->result, "ratio", json_real(9.5));
    row = recheck(r);
    assert_true(says(json_object_get(row, "changed"), "verdict SAME -> "));
    assert_true(says(json_object_get(row, "changed"), "ratio 9.5 -> "));
    json_decref(row);
}

static void evidence_that_can_not_be_read_is_damage(void **state)
{
    struct record *r = *state;

    json_object_set_new(r->evidence, "windows", json_string("none"));
    expect_damage(r, "the evidence cannot be read");
}

static void what_was_refused_has_nothing_to_be_judged(void **state)
{
    struct record *r = *state;
    json_t *row;

    json_object_clear(r->evidence);
    row = recheck(r);
    assert_true(json_is_true(json_object_get(row, "intact")));
    assert_true(strstr(json_string_value(json_object_get(row, "note")), "nothing to judge"));
    json_decref(row);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(an_untouched_record_is_whole_and_judged_as_it_was),
        T(a_changed_sample_shows_in_the_chain),
        T(a_removed_window_shows_in_the_chain),
        T(a_sample_changed_with_its_chain_changes_the_numbers),
        T(a_secret_that_does_not_match_its_commitment_shows),
        T(a_secret_that_does_not_come_from_the_run_shows),
        T(a_run_secret_that_does_not_match_shows),
        T(an_output_that_was_changed_is_wrong_for_its_contents),
        T(kept_outputs_that_can_not_be_are_said_to_be_so),
        T(evidence_without_kept_outputs_is_judged_for_the_rest),
        T(an_evidence_file_that_is_another_one_than_the_index_knows_shows),
        T(a_verdict_that_was_written_by_hand_is_put_right),
        T(evidence_that_can_not_be_read_is_damage),
        T(what_was_refused_has_nothing_to_be_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
