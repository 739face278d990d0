/* checks_test.c - each check on evidence made here by hand: it fires on what it names and is silent on its honest neighbour.
 * This tests the logic of checks alone; that the evidence really comes about is shown by tests/cheats and tests/honest. */
#include "tests/unit/checks_scene.h"

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
    /* seen in timing, after all of the verification was right */
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_VALUE, "mode-inconsistency");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_NORM, "mode-inconsistency");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_REJECTED, "mode-inconsistency");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_NAN, "nan");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_INF, "inf");
    expect_observation(AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN, "shape-mismatch");
    expect_observation(AISP_SEEN_CANARY, 0, "shape-mismatch");
}

static void a_value_that_is_wrong_in_verification_is_approximation_drift(void **unused)
{
    static const int kinds[] = { AISP_WRONG_VALUE, AISP_WRONG_NORM, AISP_WRONG_REJECTED };

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct aisp_evidence ev = honest();
        struct aisp_observation o = observe(AISP_SEEN_WRONG_OUTPUT, kinds[i]);

        o.phase = AISP_PHASE_VERIFY;
        ev.verified[AISP_B].n_full_right--;
        aisp_evidence_observe(&ev, &o);
        expect_violation(&ev, "approximation-drift");
    }
}

static void each_misdeed_of_a_worker_has_its_check(void **unused)
{
    (void)unused;
    expect_observation(AISP_SEEN_LATE_WRITE, 0, "incomplete-async");
    expect_observation(AISP_SEEN_BUSY_OUTSIDE, AISP_BUSY_ASLEEP, "background-thread");
    expect_observation(AISP_SEEN_BUSY_OUTSIDE, AISP_BUSY_BEFORE_GO, "background-thread");
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

static void a_death_in_teardown_labels_the_figure_and_hides_no_other(void **unused)
{
    static const enum aisp_seen ends[] = { AISP_SEEN_HANG, AISP_SEEN_EXIT, AISP_SEEN_SIGNAL };

    (void)unused;
    for (int i = 0; i < 3; i++) {
        struct aisp_evidence ev = honest(), both = honest();
        struct aisp_observation o = observe(ends[i], 0), torn = o;

        torn.phase = AISP_PHASE_TEARDOWN;
        aisp_evidence_observe(&ev, &torn);
        expect_development(&ev, "worker-died");
        aisp_evidence_observe(&both, &torn);
        aisp_evidence_observe(&both, &o);
        expect_violation(&both, "worker-died");
    }
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

static void what_failed_after_the_pairs_labels_their_answer(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    strcpy(ev.machine.claim.unfinished, "energy: no room on the device");
    expect_development(&ev, "insufficient-samples");
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

/* Whatever was seen to be wrong, in whatever phase, whoever was right before: no grade but invalid. */
static void nothing_wrong_goes_without_a_violation(void **unused)
{
    static const enum aisp_phase phases[] = { AISP_PHASE_VERIFY, AISP_PHASE_HOLDOUT, AISP_PHASE_TRIAL, AISP_PHASE_WARMUP,
                                              AISP_PHASE_TIMED };

    (void)unused;
    for (int kind = AISP_WRONG_VALUE; kind <= AISP_WRONG_REJECTED; kind++)
        for (size_t p = 0; p < sizeof phases / sizeof *phases; p++)
            for (int way = 0; way < 4; way++) {
                const struct aisp_grading grading = { 0 };
                struct aisp_findings findings = AISP_FINDINGS_INIT;
                struct aisp_evidence ev = honest();
                struct aisp_observation o = observe(AISP_SEEN_WRONG_OUTPUT, kind);

                o.phase = phases[p];
                if (way & 1)         /* all of it */
                    o.count = o.of;
                if (way & 2)         /* and no call was ever right */
                    ev.verified[AISP_B] = (struct aisp_verified){ .n_full = 40 };
                aisp_evidence_observe(&ev, &o);
                if (aisp_examine(&ev, &grading, &findings) != AISP_GRADE_INVALID)
                    fail_msg("kind %d in phase %s, way %d: not invalid", kind, aisp_phase_name(phases[p]), way);
                aisp_findings_release(&findings);
                aisp_evidence_release(&ev);
            }
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

static void who_falls_over_in_teardown_hides_nothing_by_it(void **unused)
{
    struct aisp_evidence ev = honest();
    struct aisp_observation o = observe(AISP_SEEN_SIGNAL, -1);

    (void)unused;
    o.phase = AISP_PHASE_TEARDOWN;
    aisp_evidence_observe(&ev, &o);
    ev.verified[AISP_B] = (struct aisp_verified){ 0 };
    expect_violation(&ev, "missing-holdout");
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
        cmocka_unit_test(a_value_that_is_wrong_in_verification_is_approximation_drift),
        cmocka_unit_test(each_misdeed_of_a_worker_has_its_check),
        cmocka_unit_test(a_death_in_teardown_labels_the_figure_and_hides_no_other),
        cmocka_unit_test(a_store_to_an_input_is_named_before_the_death_it_causes),
        cmocka_unit_test(a_call_that_wrote_nothing_after_right_ones_is_warmup_bleed),
        cmocka_unit_test(what_failed_after_the_pairs_labels_their_answer),
        cmocka_unit_test(a_wrong_baseline_invalidates_everything),
        cmocka_unit_test(nothing_wrong_goes_without_a_violation),
        cmocka_unit_test(each_unfit_environment_is_development_with_its_reason),
        cmocka_unit_test(a_tracer_or_an_injected_library_is_refused),
        cmocka_unit_test(what_was_not_verified_does_not_count),
        cmocka_unit_test(who_falls_over_in_teardown_hides_nothing_by_it),
        cmocka_unit_test(a_file_that_changed_during_the_run_is_a_violation),
        cmocka_unit_test(publish_turns_development_into_invalid_except_an_accepted_virtual_machine),
        cmocka_unit_test(few_pairs_are_noted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
