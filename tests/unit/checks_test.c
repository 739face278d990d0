/* checks_test.c - each check on evidence made here by hand: it fires on what it names and is silent on its honest neighbour.
 * This tests the logic of checks alone; that the evidence really comes about is shown by tests/cheats and tests/honest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "core/base/buf.h"
#include "core/judge/judge.h"

/* Evidence of an honest comparison: verified, holdout right, 12 pairs of windows with ordinary spread, a quiet machine. */

static uint32_t state;
static uint32_t draw(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static struct aisp_window *add_window(struct aisp_evidence *ev, int pair, int block, int side, int kind)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *ev->window);

    w->pair = pair;
    w->block = block;
    w->side = (int8_t)side;
    w->kind = (int8_t)kind;
    w->calls = 100;
    w->window_ns = 2000000 + draw(40000);
    w->inner_ns = w->window_ns - 150 - draw(100);
    return w;
}

static struct aisp_evidence honest(void)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    state = 7;
    strcpy(ev.target, "ch00:test");
    strcpy(ev.variant[0].name, "baseline");
    strcpy(ev.variant[1].name, "optimized_x");
    strcpy(ev.cache_level, "L2");
    ev.spinning = true;
    ev.n_threads = 1;
    ev.bytes = 1000;
    ev.n_slots = 16;
    ev.before.n_usable = 2;
    ev.before.l1d_bytes = 64;
    ev.before.l2_bytes = 64 << 20;
    ev.before.l3_bytes = 128 << 20;
    ev.before.swap_used_bytes = ev.after.swap_used_bytes = 0;
    ev.before.cgroup_throttled_usec = ev.before.cgroup_quota_usec = -1;
    ev.calibration.clock_step_ns = 20;
    ev.calibration.slack_median_high_ns = 400;
    ev.calibration.peak_read_gbps[1] = 100;
    for (int side = 0; side < 2; side++)
        ev.verified[side] = (struct aisp_verified){ .n_full = 40, .n_full_right = 40, .n_sampled = 500, .n_sampled_right = 500,
            .n_holdout = 3, .n_holdout_right = 3, .warmup_right = 60, .timed_right = 440 };
    for (int pair = 0; pair < 12; pair++) {
        struct aisp_pair *p = aisp_grow(&ev.pair, &ev.n_pairs, &ev.cap_pairs, sizeof *ev.pair);

        p->pair = pair;
        p->complete = true;
        for (int block = 0; block < 8; block++)
            for (int i = 0; i < 4; i++)
                add_window(&ev, pair, block, i == 1 || i == 2, AISP_WINDOW_TIMED);
    }
    aisp_evidence_chain(&ev, ev.chain);
    return ev;
}

static struct aisp_observation observe(enum aisp_seen what, int kind)
{
    return (struct aisp_observation){ .what = what, .side = AISP_B, .phase = AISP_PHASE_TIMED, .kind = kind, .pair = 1, .window = 5,
        .call = 3, .slot = 2, .tensor = -1, .element = 17, .count = 4, .of = 256, .seen = 1, .expected = 2, .allowed = 0.1 };
}

/* The first finding's check, its severity and the grade. */
static void expect(struct aisp_evidence *ev, const char *name, enum aisp_severity severity, enum aisp_grade grade)
{
    const struct aisp_grading grading = { 0 };
    struct aisp_findings findings = AISP_FINDINGS_INIT;

    assert_string_equal(aisp_grade_name(aisp_examine(ev, &grading, &findings)), aisp_grade_name(grade));
    if (!name) {
        assert_int_equal(findings.n, 0);
    } else {
        assert_true(findings.n > 0);
        assert_string_equal(findings.item[0].check->name, name);
        assert_int_equal(findings.item[0].severity, severity);
    }
    aisp_findings_release(&findings);
    aisp_evidence_release(ev);
}

static void expect_violation(struct aisp_evidence *ev, const char *name)
{
    expect(ev, name, AISP_VIOLATION, AISP_GRADE_INVALID);
}

static void expect_development(struct aisp_evidence *ev, const char *name)
{
    expect(ev, name, AISP_DEVELOPMENT, AISP_GRADE_DEVELOPMENT);
}

static void expect_observation(enum aisp_seen what, int kind, const char *name)
{
    struct aisp_evidence ev = honest();
    const struct aisp_observation o = observe(what, kind);

    aisp_evidence_observe(&ev, &o);
    expect_violation(&ev, name);
}

static void checks_are_collected_by_the_linker(void **unused)
{
    int n = 0;

    (void)unused;
    AISP_FOR_EACH(aisp_checks, struct aisp_check, c) {
        n++;
        assert_non_null(c->examine);
        assert_true(c->issue >= 1 && c->issue <= 95);
        assert_true(*c->name && *c->family && *c->title && *c->needs && c->incident);
    }
    assert_true(n >= 25);
}

static void honest_evidence_is_publishable_without_a_finding(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void each_kind_of_wrong_output_has_its_check(void **unused)
{
    (void)unused;
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_STALE, "stale-cache");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_CONSTANT, "constant-output");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_VALUE, "approximation-drift");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_NORM, "approximation-drift");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_REJECTED, "approximation-drift");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_NAN, "nan");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_INF, "inf");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN, "shape-mismatch");
    expect_observation(AISP_SEEN_CANARY, 0, "shape-mismatch");
}

static void each_misdeed_of_a_worker_has_its_check(void **unused)
{
    (void)unused;
    expect_observation(AISP_SEEN_LATE_WRITE, 0, "incomplete-async");
    expect_observation(AISP_SEEN_BUSY_OUTSIDE, 0, "background-thread");
    expect_observation(AISP_SEEN_EXTRA_THREADS, 0, "background-thread");
    expect_observation(AISP_SEEN_INPUT_CHANGED, 0, "input-integrity");
    expect_observation(AISP_SEEN_FORBIDDEN_CALL, 0, "eval-exploitation");
    expect_observation(AISP_SEEN_PROTOCOL, 0, "eval-exploitation");
    expect_observation(AISP_SEEN_OUTPUT_FLOOD, 0, "eval-exploitation");
    expect_observation(AISP_SEEN_HANG, 0, "worker-died");
    expect_observation(AISP_SEEN_EXIT, 0, "worker-died");
    expect_observation(AISP_SEEN_SIGNAL, 0, "worker-died");
    expect_observation(AISP_SEEN_MEMORY, 0, "memory-limit");
    expect_observation(AISP_SEEN_REFUSED, 0, "refused");
    expect_observation(AISP_SEEN_BAD_STATUS, 0, "refused");
}

static void a_store_to_an_input_is_named_before_the_death_it_causes(void **unused)
{
    struct aisp_evidence ev = honest();
    struct aisp_observation o = observe(AISP_SEEN_SIGNAL, 0);

    (void)unused;
    o.tensor = 0;
    aisp_evidence_observe(&ev, &o);
    expect_violation(&ev, "input-integrity");
}

static void a_call_that_wrote_nothing_after_right_ones_is_warmup_bleed(void **unused)
{
    struct aisp_evidence ev = honest();
    struct aisp_observation o = observe(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN);

    (void)unused;
    o.count = o.of;
    aisp_evidence_observe(&ev, &o);
    expect_violation(&ev, "warmup-bleed");
}

static void a_wrong_baseline_invalidates_everything(void **unused)
{
    struct aisp_evidence ev = honest();
    struct aisp_observation o = observe(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_VALUE);
    const struct aisp_grading grading = { 0 };
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    bool named = false;

    (void)unused;
    o.side = AISP_A;
    aisp_evidence_observe(&ev, &o);
    assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_INVALID);
    for (size_t i = 0; i < findings.n; i++)
        named |= !strcmp(findings.item[i].check->name, "invalid-ground-truth");
    assert_true(named);
    aisp_findings_release(&findings);
    aisp_evidence_release(&ev);
}

static void a_worker_clock_that_runs_slow_disagrees(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B)
            ev.window[i].inner_ns /= 2;
    aisp_evidence_chain(&ev, ev.chain);
    expect_violation(&ev, "clock-drift");
}

/* Control windows over all 16 and over 8 slots, at `once_ns` a call and 1000 ns a window. */
static void add_controls(struct aisp_evidence *ev, double once_ns)
{
    for (int i = 0; i < 20; i++)
        for (int half = 0; half < 2; half++) {
            struct aisp_window *w = add_window(ev, i % 12, 0, AISP_B, half ? AISP_WINDOW_ONCE_HALF : AISP_WINDOW_ONCE);

            w->calls = half ? 8 : 16;
            w->window_ns = 1000 + (int64_t)(once_ns * (double)w->calls) + draw(400);
            w->inner_ns = w->window_ns - 150;
        }
    aisp_evidence_chain(ev, ev->chain);
}

static void windows_that_were_put_aside_say_nothing_about_clocks_or_repeats(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    add_controls(&ev, 20400);
    for (size_t i = 0; i < ev.n_windows; i += 1 + (i % 2))       /* two thirds of all: a crowded machine */
        ev.window[i].window_ns += 8000000, ev.window[i].involuntary_switches = 1;
    aisp_evidence_chain(&ev, ev.chain);
    expect_development(&ev, "background-noise");
}

static void windows_of_a_control_pair_say_nothing_about_the_contender(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.bytes = 1000000;              /* 10 us at 100 GB/s; a call takes 20 us */
    for (size_t p = 0; p + 1 < ev.n_pairs; p++)
        ev.pair[p].is_control = true;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].pair < 11)
            ev.window[i].window_ns /= 4, ev.window[i].inner_ns = ev.window[i].window_ns - 200;
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, "insufficient-samples", AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void one_disturbed_process_is_no_disagreement_of_clocks(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].pair == 3)
            ev.window[i].window_ns += 300000;
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void one_late_window_is_no_disagreement_of_clocks(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.window[1].window_ns += 5000000;
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void skipping_repeated_slots_shows_in_windows_that_repeat_none(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    add_controls(&ev, 60000);        /* where 20000 a call are usual */
    expect_violation(&ev, "repeated-slot");
}

static void slots_beyond_the_l2_may_cost_the_way_of_their_bytes_more(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.bytes = 1 << 20;              /* twice 1 MiB at 25 GB/s: 84 us */
    ev.working_set_bytes = 128 << 20;
    ev.calibration.peak_read_gbps[3] = 25;
    add_controls(&ev, 60000);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
    ev = honest();
    ev.bytes = 1 << 20;
    ev.working_set_bytes = 128 << 20;
    ev.calibration.peak_read_gbps[3] = 25;
    add_controls(&ev, 160000);
    expect_violation(&ev, "repeated-slot");
}

static void computing_only_what_changed_shows_where_all_contents_are_new(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (int i = 0; i < 20; i++)
        add_window(&ev, i % 12, 0, AISP_B, AISP_WINDOW_FRESH)->window_ns *= 2;
    aisp_evidence_chain(&ev, ev.chain);
    expect_violation(&ev, "partial-recompute");
    ev = honest();
    for (int i = 0; i < 20; i++)
        add_window(&ev, i % 12, 0, AISP_B, AISP_WINDOW_FRESH);
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void equal_cost_with_and_without_repeats_is_honest(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    add_controls(&ev, 20400);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void a_time_below_the_roof_is_no_result(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.bytes = 4800000;              /* 48 us at 100 GB/s, where a call takes 20 us */
    expect_violation(&ev, "roofline-floor");
    ev = honest();
    ev.bytes = 3000000;
    expect_development(&ev, "roofline-floor");
}

static void windows_shorter_than_the_clock_can_tell_are_refused(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.calibration.clock_step_ns = 4000;
    expect_violation(&ev, "timer-granularity");
}

static void samples_that_were_taken_out_break_the_chain(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    memmove(&ev.window[10], &ev.window[11], (ev.n_windows - 11) * sizeof *ev.window);
    ev.n_windows--;
    expect_violation(&ev, "cherry-picking");
}

static void times_without_spread_are_refused(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B)
            ev.window[i].window_ns = 2000000, ev.window[i].inner_ns = 1999800;
    aisp_evidence_chain(&ev, ev.chain);
    expect_violation(&ev, "variance-gaming");
}

static void slow_outliers_on_the_baseline_alone_are_reported(void **unused)
{
    struct aisp_evidence ev = honest();
    int i_a = 0;

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_A && i_a++ % 7 == 0)
            ev.window[i].window_ns *= 3, ev.window[i].inner_ns = ev.window[i].window_ns - 200;
    aisp_evidence_chain(&ev, ev.chain);
    expect_development(&ev, "outlier-injection");
}

static void a_busy_measuring_core_is_development(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i += 3)
        ev.window[i].involuntary_switches = 1;
    aisp_evidence_chain(&ev, ev.chain);
    expect_development(&ev, "background-noise");
}

static void each_unfit_environment_is_development_with_its_reason(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    strcpy(ev.before.governor, "powersave");
    expect_development(&ev, "governor");
    ev = honest();
    ev.before.cgroup_quota_usec = 150000;
    ev.before.cgroup_period_usec = 100000;
    expect_development(&ev, "container-limits");
    ev = honest();
    ev.before.virtual_machine = true;
    expect_development(&ev, "virtualisation");
    ev = honest();
    ev.spinning = false;
    expect_development(&ev, "spare-core");
    ev = honest();
    ev.after.swap_used_bytes = 1 << 20;
    expect_development(&ev, "swap");
    ev = honest();
    ev.dirty_tree = true;
    expect_development(&ev, "self-modifying");
}

static void a_tracer_or_an_injected_library_is_refused(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.before.tracer_pid = 99;
    expect_violation(&ev, "profiler-overhead");
    ev = honest();
    strcpy(ev.before.preload, "libslow.so");
    expect_violation(&ev, "profiler-overhead");
}

static void what_was_not_verified_does_not_count(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.verified[AISP_B] = (struct aisp_verified){ 0 };
    expect_violation(&ev, "missing-holdout");
    ev = honest();
    ev.verified[AISP_B].n_holdout = ev.verified[AISP_B].n_holdout_right = 0;
    expect_development(&ev, "missing-holdout");
    ev = honest();
    ev.verified[AISP_B].n_holdout_right = 2;
    expect_violation(&ev, "overfitting");
}

static void a_file_that_changed_during_the_run_is_a_violation(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    strcpy(ev.variant[AISP_B].sha256, "aa");
    strcpy(ev.variant[AISP_B].sha256_after, "bb");
    expect_violation(&ev, "self-modifying");
}

static void publish_turns_development_into_invalid_except_an_accepted_virtual_machine(void **unused)
{
    struct aisp_evidence ev = honest();
    struct aisp_grading grading = { .publish = true };
    struct aisp_findings findings = AISP_FINDINGS_INIT;

    (void)unused;
    ev.before.virtual_machine = true;
    assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_INVALID);
    aisp_findings_release(&findings);
    grading.allow_virtualization = true;
    assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_PUBLISHABLE);
    assert_int_equal(findings.n, 1);          /* the record still says it */
    aisp_findings_release(&findings);
    strcpy(ev.before.governor, "powersave");
    assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_INVALID);
    aisp_findings_release(&findings);
    aisp_evidence_release(&ev);
}

static void few_pairs_are_noted(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.n_pairs = 5;
    while (ev.n_windows && ev.window[ev.n_windows - 1].pair >= 5)
        ev.n_windows--;
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, "insufficient-samples", AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_collected_by_the_linker),
        cmocka_unit_test(honest_evidence_is_publishable_without_a_finding),
        cmocka_unit_test(each_kind_of_wrong_output_has_its_check),
        cmocka_unit_test(each_misdeed_of_a_worker_has_its_check),
        cmocka_unit_test(a_store_to_an_input_is_named_before_the_death_it_causes),
        cmocka_unit_test(a_call_that_wrote_nothing_after_right_ones_is_warmup_bleed),
        cmocka_unit_test(a_wrong_baseline_invalidates_everything),
        cmocka_unit_test(a_worker_clock_that_runs_slow_disagrees),
        cmocka_unit_test(windows_that_were_put_aside_say_nothing_about_clocks_or_repeats),
        cmocka_unit_test(windows_of_a_control_pair_say_nothing_about_the_contender),
        cmocka_unit_test(one_disturbed_process_is_no_disagreement_of_clocks),
        cmocka_unit_test(one_late_window_is_no_disagreement_of_clocks),
        cmocka_unit_test(skipping_repeated_slots_shows_in_windows_that_repeat_none),
        cmocka_unit_test(slots_beyond_the_l2_may_cost_the_way_of_their_bytes_more),
        cmocka_unit_test(computing_only_what_changed_shows_where_all_contents_are_new),
        cmocka_unit_test(equal_cost_with_and_without_repeats_is_honest),
        cmocka_unit_test(a_time_below_the_roof_is_no_result),
        cmocka_unit_test(windows_shorter_than_the_clock_can_tell_are_refused),
        cmocka_unit_test(samples_that_were_taken_out_break_the_chain),
        cmocka_unit_test(times_without_spread_are_refused),
        cmocka_unit_test(slow_outliers_on_the_baseline_alone_are_reported),
        cmocka_unit_test(a_busy_measuring_core_is_development),
        cmocka_unit_test(each_unfit_environment_is_development_with_its_reason),
        cmocka_unit_test(a_tracer_or_an_injected_library_is_refused),
        cmocka_unit_test(what_was_not_verified_does_not_count),
        cmocka_unit_test(a_file_that_changed_during_the_run_is_a_violation),
        cmocka_unit_test(publish_turns_development_into_invalid_except_an_accepted_virtual_machine),
        cmocka_unit_test(few_pairs_are_noted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
