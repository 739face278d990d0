/* cuda_scope_test.c - comparisons in the kernel scope from verification to pairs, where there is no card: the fake driver
 * (tests/fake_cuda), and variants in C that queue their work. What times they have is of no interest here.
 * Not here: one held window (cuda_held_test.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "checks/check.h"
#include "commands/result.h"
#include "core/nvml.h"
#include "core/run/run.h"
#include "tests/fake_cuda/place.h"
#include "tests/unit/add_problem.h"

static char *folder, *library;
static struct aisp_evidence ev;
static bool wants_energy;

static void refer(struct aisp_variant_ref *ref, const char *name)
{
    snprintf(ref->name, sizeof ref->name, "%s", name);
    strcpy(ref->device, "cuda");
    ref->path = aisp_format("%s/fixtures/%s.so", BUILD_DIR, name);
    assert_int_equal(aisp_declaration_read(ref->path, &ref->decl, NULL), AISP_OK);
}

static enum aisp_status run_on(const char *device, const char *contender, uint32_t off, struct aisp_err *err)
{
    /* The fake's own thread naps and looks, and its library is one that nobody has installed. */
    const struct aisp_policy policy = { off | 1u << AISP_IDLE_ACCOUNTING | 1u << AISP_PROCESS_FACTS };
    struct aisp_variant_ref ref[2] = { { .name = "" }, { .name = "" } };
    struct aisp_plan plan = { .target = "test:add",
                              .problem = &problem,
                              .size = "default",
                              .backend = aisp_backend_find(device),
                              .n_threads = 1,
                              .time_limit_ns = INT64_C(6000000000),
                              .max_pairs = 2,
                              .call_timeout_ns = INT64_C(4000000000),
                              .policy = &policy,
                              .scope = AISP_SCOPE_KERNEL,
                              .wants_energy = wants_energy,
                              .card = wants_energy ? "0" : NULL,
                              .secret = { { 5 } } };
    enum aisp_status st;

    free(write_file(folder, "libcuda.so.1.script", "", 0));
    aisp_cuda_set_library(library);
    refer(&ref[AISP_A], "queues");
    refer(&ref[AISP_B], contender);
    plan.variant[AISP_A] = &ref[AISP_A];
    plan.variant[AISP_B] = &ref[AISP_B];
    assert_int_equal(aisp_instance_init(&plan.inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, err), AISP_OK);
    st = aisp_run(&plan, &ev, err);
    free(ref[AISP_A].path);
    free(ref[AISP_B].path);
    return st;
}

static void run(const char *contender, uint32_t off)
{
    struct aisp_err err = { 0 };

    if (run_on("cuda", contender, off, &err))
        fail_msg("%s", err.text);
}

static int release(void **state)
{
    (void)state;
    aisp_evidence_release(&ev);
    ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    return 0;
}

static void must_have_seen_nothing(void)
{
    if (ev.n_observations)
        fail_msg("%s: %s (%s, pair %d, window %d)", aisp_seen_name(ev.observation[0].what), ev.observation[0].detail,
                 aisp_phase_name(ev.observation[0].phase), ev.observation[0].pair, ev.observation[0].window);
}

static bool is_found(const char *check)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    bool is_there = false;

    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        is_there |= !strcmp(found.item[i].check->name, check);
    aisp_findings_release(&found);
    return is_there;
}

static void every_timed_window_is_held(void **state)
{
    int n_complete = 0;

    (void)state;
    run("queues", 0);
    must_have_seen_nothing();
    assert_int_equal(ev.held.scope, AISP_SCOPE_KERNEL);
    for (size_t i = 0; i < ev.n_pairs; i++) /* one whose warm-up asked for another plan is not */
        n_complete += ev.pair[i].complete;
    assert_int_equal(n_complete, 2);
    for (int side = AISP_A; side <= AISP_B; side++) {
        assert_true(ev.held.n_held[side] > 0);
        assert_false(ev.held.is_refused[side]);
    }
    assert_true(ev.held.n_held[AISP_A] + ev.held.n_held[AISP_B] > (int64_t)ev.n_windows);
    assert_true(ev.calls_per_window <= ev.held.most_calls);
    assert_false(is_found("unsynced-streams"));
}

static void who_computes_when_it_is_queued_is_found(void **state)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;

    (void)state;
    run("honest", 0);
    assert_true(ev.n_observations > 0);
    assert_int_equal(ev.observation[0].what, AISP_SEEN_WRONG_OUTPUT);
    assert_int_equal(ev.observation[0].side, AISP_B);
    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    assert_string_equal(found.item[0].check->name, "unsynced-streams"); /* before all that follows from it */
    assert_non_null(strstr(found.item[0].text, "without waiting for the given stream"));
    aisp_findings_release(&found);
    assert_int_equal(ev.n_pairs, 0);
}

static void without_the_defence_it_gets_through(void **state)
{
    (void)state;
    run("honest", 1u << AISP_LATE_CONTENTS);
    must_have_seen_nothing();
    assert_true(ev.held.n_held[AISP_B] > 0);
}

static void a_variant_that_waits_is_refused_and_not_accused(void **state)
{
    (void)state;
    run("queues_and_waits", 0);
    must_have_seen_nothing();
    assert_true(ev.held.is_refused[AISP_B]);
    assert_false(ev.held.is_refused[AISP_A]);
    assert_int_equal(ev.held.n_held[AISP_B], 0);
    assert_int_equal(ev.n_pairs, 0);
}

/* What a user reads of it. */
static json_t *result_of_run(void)
{
    return aisp_result_new(&(struct aisp_result_spec){ .problem = &problem, .ev = &ev, .key = "test.add.b" });
}

static const char *text_of(const json_t *result, const char *name)
{
    return json_string_value(json_object_get(result, name));
}

/* A sanitizer's shadow is memory that is claimed and not touched: its worker is accused of that, and its result withheld. */
static void needs_a_worker_that_claims_little(void)
{
#ifdef AISP_SANITIZED
    skip();
#endif
}

static void what_cannot_be_held_is_unsure_with_its_reason(void **state)
{
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *result, *results;

    (void)state;
    needs_a_worker_that_claims_little();
    run("queues_and_waits", 0);
    result = result_of_run();
    results = json_pack("[O]", result);
    aisp_results_render(results, &(struct aisp_style){ 0 }, &text);
    if (strcmp(text_of(result, "verdict"), "UNSURE"))
        fail_msg("%s", text.s);
    assert_string_equal(text_of(result, "device"), "cuda");
    assert_string_equal(text_of(result, "scope"), "kernel");
    assert_non_null(strstr(text_of(result, "reason"), "queues_and_waits cannot be measured in the kernel scope"));
    assert_string_not_equal(text_of(result, "grade"), "invalid");
    assert_non_null(strstr(text.s, "measure with --scope call"));
    aisp_buf_release(&text);
    json_decref(results);
    json_decref(result);
}

static void what_was_held_says_what_a_window_may_hide(void **state)
{
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *result, *results, *hidden;

    (void)state;
    run("queues", 0);
    result = result_of_run();
    results = json_pack("[O]", result);
    hidden = json_object_get(json_object_get(result, "hidden_ns"), "b");
    assert_true(json_is_number(hidden));
    assert_true(json_number_value(hidden) <= json_number_value(json_object_get(json_object_get(result, "slack95_ns"), "b")));
    assert_true(ev.held.empty_ns[AISP_B] > 0);
    aisp_results_render(results, &(struct aisp_style){ 0 }, &text);
    assert_non_null(strstr(text.s, "kernel scope: windows of "));
    aisp_buf_release(&text);
    json_decref(results);
    json_decref(result);
}

/* 431 W, the fake library's card says. */
static void a_call_has_the_energy_of_windows_of_its_own(void **state)
{
    const struct aisp_card *card = &ev.machine.card;
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *result, *results;

    (void)state;
    needs_a_worker_that_claims_little();
    aisp_nvml_set_library(BUILD_DIR "/selftest/nvml/libnvidia-ml.so.1");
    setenv("FAKE_NVML_SCRIPT", TESTS_DIR "/fake_nvml/scripts/metered", 1);
    wants_energy = true;
    run("queues", 0);
    wants_energy = false;
    aisp_nvml_set_library(NULL);
    must_have_seen_nothing();
    result = result_of_run();
    results = json_pack("[O]", result);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_card_energy e = aisp_card_energy(card, side);
        const char *name = side ? "b" : "a";
        const double joules = json_number_value(json_object_get(json_object_get(result, "energy_j"), name)),
                     watts = json_number_value(json_object_get(json_object_get(json_object_get(result, "energy"), "watts"), name));

        assert_int_equal(e.n_windows, 2);
        assert_true(e.calls > 2 * ev.calls_per_window);
        assert_true(e.ns > 2 * AISP_CARD_LEAST_STEPS * card->energy_step_ns);
        if (fabs(watts - 431) > 0.2 * 431)
            fail_msg("%s: %.1f W, %lld calls in %.1f ms", name, watts, (long long)e.calls, 1e-6 * (double)e.ns);
        assert_true(fabs(joules * (double)e.calls - 1e-9 * watts * (double)e.ns) < 1e-3 * joules * (double)e.calls);
    }
    for (size_t i = 0; i < ev.n_windows; i++)
        assert_true(ev.window[i].pair >= 0); /* none of them is among the samples */
    aisp_results_render(results, &(struct aisp_style){ 0 }, &text);
    assert_non_null(strstr(text.s, "energy of a call: "));
    aisp_buf_release(&text);
    json_decref(results);
    json_decref(result);
}

static void fewer_calls_are_tried_where_many_do_not_fit(void **state)
{
    (void)state;
    run("queues_much", 0);
    must_have_seen_nothing();
    assert_false(ev.held.is_refused[AISP_B]);
    assert_true(ev.held.most_calls >= 1 && ev.held.most_calls <= 2);
    assert_true(ev.calls_per_window <= 2);
    assert_true(ev.n_pairs > 0 && ev.pair[0].complete);
}

static void what_was_held_survives_json(void **state)
{
    struct aisp_evidence again = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };
    json_t *json, *back;

    (void)state;
    run("queues_and_waits", 0);
    json = aisp_evidence_to_json(&ev);
    if (aisp_evidence_from_json(json, &again, &err))
        fail_msg("%s", err.text);
    back = aisp_evidence_to_json(&again);
    assert_true(json_equal(json_object_get(json, "held"), json_object_get(back, "held")));
    assert_int_equal(again.held.scope, AISP_SCOPE_KERNEL);
    json_decref(back);
    json_decref(json);
    aisp_evidence_release(&again);
}

static void a_device_without_a_queue_has_no_kernel_scope(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(run_on("cpu", "honest", 0, &err), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "the device cpu has no kernel scope"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_timed_window_is_held, release),
        cmocka_unit_test_teardown(who_computes_when_it_is_queued_is_found, release),
        cmocka_unit_test_teardown(without_the_defence_it_gets_through, release),
        cmocka_unit_test_teardown(a_variant_that_waits_is_refused_and_not_accused, release),
        cmocka_unit_test_teardown(what_cannot_be_held_is_unsure_with_its_reason, release),
        cmocka_unit_test_teardown(what_was_held_says_what_a_window_may_hide, release),
        cmocka_unit_test_teardown(a_call_has_the_energy_of_windows_of_its_own, release),
        cmocka_unit_test_teardown(fewer_calls_are_tried_where_many_do_not_fit, release),
        cmocka_unit_test_teardown(what_was_held_survives_json, release),
        cmocka_unit_test_teardown(a_device_without_a_queue_has_no_kernel_scope, release),
    };
    int failed;

    folder = folder_for_workers();
    library = place_fake_cuda(folder, "", "");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
    return failed;
}
