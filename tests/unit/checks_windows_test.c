/* checks_windows_test.c - the checks that read times: of windows that somebody disturbed, repeated, shortened or chose. On evidence
 * made here by hand; tests/cheats and tests/honest show that it really comes about. */
#include "tests/unit/checks_scene.h"

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

static bool has_found(const struct aisp_evidence *ev, const char *check)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    bool is_there = false;

    aisp_examine(ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        is_there |= !strcmp(found.item[i].check->name, check);
    aisp_findings_release(&found);
    return is_there;
}

/* Of what that check finds; -1: nothing. */
static int worst_of(const struct aisp_evidence *ev, const char *check)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    int worst = -1;

    aisp_examine(ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        if (!strcmp(found.item[i].check->name, check) && (int)found.item[i].severity > worst)
            worst = (int)found.item[i].severity;
    aisp_findings_release(&found);
    return worst;
}

/* A card that is started and waited for takes that long beyond its events; one that is held before does not. */
static void a_held_card_is_given_less_than_one_that_is_called(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    strcpy(ev.limits.card, "GPU-0");
    for (size_t i = 0; i < ev.n_windows; i++)
        ev.window[i].inner_ns = ev.window[i].window_ns - 25000;
    aisp_evidence_chain(&ev, ev.chain);
    assert_false(has_found(&ev, "clock-drift"));
    ev.held.scope = AISP_SCOPE_KERNEL;
    assert_true(has_found(&ev, "clock-drift"));
    aisp_evidence_release(&ev);
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

/* 130 ms windows: a slice of 1 ms would be nothing, but a crowded machine puts a worker aside for 50. */
static void one_switch_in_a_long_window_says_nothing_about_clocks(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++) {
        ev.window[i].window_ns *= 65;
        ev.window[i].inner_ns = ev.window[i].window_ns - 300;
        if (i % 8 < 5)
            ev.window[i].window_ns += 50000000 + (int64_t)i, ev.window[i].involuntary_switches = 1;
    }
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
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

/* The first blocks of every process take half as long again: on one side, or on both. */
static void slow_while_young(struct aisp_evidence *ev, bool both)
{
    for (size_t i = 0; i < ev->n_windows; i++)
        if (ev->window[i].block < 3 && (both || ev->window[i].side == AISP_A))
            ev->window[i].window_ns += 1000000, ev->window[i].inner_ns += 1000000;
    aisp_evidence_chain(ev, ev->chain);
}

static void a_side_that_is_slow_while_its_process_is_young_is_named(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    slow_while_young(&ev, false);
    expect_violation(&ev, "cold-start");
}

/* Noise clings to processes: of three, all can be unlucky; of five that is no luck any more. */
static void three_processes_of_three_that_were_slow_while_young_are_chance(void **unused)
{
    for (int n = 3; n <= 5; n += 2) {
        struct aisp_evidence ev = honest();
        size_t n_kept = 0;

        (void)unused;
        for (size_t i = 0; i < ev.n_windows; i++)
            if (ev.window[i].pair < n)
                ev.window[n_kept++] = ev.window[i];
        ev.n_windows = n_kept;
        ev.n_pairs = (size_t)n;
        slow_while_young(&ev, false);
        assert_int_equal(has_found(&ev, "cold-start"), n == 5);
        aisp_evidence_release(&ev);
    }
}

static void a_machine_that_slows_both_sides_of_young_pairs_accuses_nobody(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    slow_while_young(&ev, true);
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

static void words_that_repeated_slots_leave_as_they_were_show_skipped_work(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.rewrites[AISP_B] = (struct aisp_rewrites){ .n = 100, .n_left = 24, .pair = 3, .window = 7, .slot = 2 };
    expect_violation(&ev, "repeated-slot");
}

static void a_few_words_left_as_they_were_are_a_matter_of_timing(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.rewrites[AISP_B] = (struct aisp_rewrites){ .n = 20, .n_left = 3 };
    ev.rewrites[AISP_A] = (struct aisp_rewrites){ .n = 100, .n_left = 9 };
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

/* How long a card took to answer after done: so many windows of a side, most of them so long, the rest otherwise. */
static void add_answers(struct aisp_evidence *ev, int side, int64_t ns, int n, int64_t other_ns, int n_other)
{
    for (int i = 0; i < n + n_other; i++)
        aisp_answers_add(&ev->answers[side], i < n ? ns : other_ns);
}

static void a_card_that_is_busy_after_done_on_one_side_shows_it_in_the_judges_first_copy(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    add_answers(&ev, AISP_A, 190000, 90, 2300000, 6);
    add_answers(&ev, AISP_B, 1500000, 80, 190000, 16);
    expect_violation(&ev, "incomplete-async-device");
}

/* As long as a slice of the card's time, in all windows of both: nobody has the card's own turn to hold it against but the audit. */
static void a_card_that_is_busy_after_done_on_both_sides_is_held_against_an_idle_one(void **unused)
{
    for (int has_audit = 0; has_audit < 2; has_audit++) {
        struct aisp_evidence ev = honest();

        (void)unused;
        for (int side = AISP_A; side <= AISP_B; side++) {
            add_answers(&ev, side, 2300000, 96, 190000, 8);
            ev.device_trace[side].taken = ev.device_trace[side].alive = has_audit;
            ev.device_trace[side].idle_probe_ns = 150000;
        }
        assert_int_equal(has_found(&ev, "incomplete-async-device"), has_audit);
        aisp_evidence_release(&ev);
    }
}

/* The turn from one context to another is paid or is not; a host puts the judge aside in every third window of one side; few windows. */
static void answers_that_an_honest_card_gives_accuse_nobody(void **unused)
{
    static const struct {
        int64_t a_ns, b_ns, other_ns;
        int n, n_other;
    } honest_ones[] = {
        { 150000, 235000, 235000, 96, 0 }, { 30000, 190000, 30000, 60, 36 }, { 190000, 190000, 3000000, 65, 31 },
        { 190000, 3000000, 0, 12, 0 },     { 2500000, 2500000, 190000, 40, 40 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof honest_ones / sizeof *honest_ones; i++) {
        struct aisp_evidence ev = honest();

        add_answers(&ev, AISP_A, honest_ones[i].a_ns, honest_ones[i].n + honest_ones[i].n_other, 0, 0);
        add_answers(&ev, AISP_B, honest_ones[i].b_ns, honest_ones[i].n, honest_ones[i].other_ns, honest_ones[i].n_other);
        expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
    }
}

static void branches_that_learn_contents_which_come_again_accuse_nobody(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    add_controls(&ev, 38000);
    expect(&ev, "repeated-slot", AISP_NOTE, AISP_GRADE_PUBLISHABLE);
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
    expect(&ev, "repeated-slot", AISP_NOTE, AISP_GRADE_PUBLISHABLE);
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
    ev.calls_per_window = 4 * ev.n_slots; /* 1.45 times as long: its first calls with each slot take 2.8 times as long */
    for (int i = 0; i < 20; i++) {
        struct aisp_window *w = add_window(&ev, i % 12, 0, AISP_B, AISP_WINDOW_FRESH);

        w->window_ns = w->window_ns * 29 / 20;
    }
    aisp_evidence_chain(&ev, ev.chain);
    expect_violation(&ev, "partial-recompute");
    ev = honest();
    for (int i = 0; i < 40; i++) {       /* who has its own disturbed has not chosen what the others show */
        struct aisp_window *w = add_window(&ev, i % 12, 0, AISP_B, AISP_WINDOW_FRESH);

        w->window_ns *= 2;
        w->involuntary_switches = i % 3 > 0;
    }
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

/* One call a window: nobody can make it longer. 20 us of a clock that takes 30 ns to read are a doubt; a window of a few steps is none. */
static void one_call_that_is_short_for_the_clock_is_a_doubt(void **unused)
{
    static const struct {
        double step_ns;
        int64_t calls, window_ns, planned_ns;
        enum aisp_goal goal;
        enum aisp_severity severity;
    } windows[] = {
        { 30, 1, 20000, 20000, AISP_LATENCY, AISP_DEVELOPMENT }, { 3000, 1, 20000, 20000, AISP_LATENCY, AISP_VIOLATION },
        { 30, 16, 20000, 20000, AISP_SPEED, AISP_DEVELOPMENT },  { 30, 16, 20000, 2000000, AISP_SPEED, AISP_VIOLATION },
        { 30, 16, 20000, 0, AISP_SPEED, AISP_VIOLATION },        { 4000000, 1, 40000000, 40000000, AISP_LATENCY, AISP_VIOLATION },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        struct aisp_evidence ev = honest();

        for (size_t w = 0; w < ev.n_windows; w++) {
            ev.window[w].window_ns = windows[i].window_ns + draw(400);
            ev.window[w].inner_ns = ev.window[w].window_ns - 150;
            ev.window[w].calls = windows[i].calls;
        }
        ev.goal = windows[i].goal;
        ev.calibration.clock_step_ns = windows[i].step_ns;
        ev.planned_window_ns = windows[i].planned_ns;
        aisp_evidence_chain(&ev, ev.chain);
        assert_int_equal(worst_of(&ev, "timer-granularity"), windows[i].severity);
        aisp_evidence_release(&ev);
    }
}

static void windows_of_less_than_half_of_their_plan_are_development(void **unused)
{
    struct aisp_evidence ev = honest();

    (void)unused;
    ev.planned_window_ns = 5000000;
    expect_development(&ev, "timer-granularity");
    ev = honest();
    ev.planned_window_ns = 3900000;
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
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

/* A neighbour on the other half of the core: two speeds, 1.6 apart, and by chance seven of eleven control windows in the slow one. */
static void a_machine_with_two_speeds_skips_no_work(void **unused)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    struct aisp_evidence ev = honest();

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B && i % 3 == 0)
            ev.window[i].window_ns = ev.window[i].window_ns * 8 / 5, ev.window[i].inner_ns = ev.window[i].window_ns - 200;
    for (int i = 0; i < 11; i++) {
        struct aisp_window *w = add_window(&ev, i, 0, AISP_B, AISP_WINDOW_FRESH);

        if (i < 7)
            w->window_ns = w->window_ns * 8 / 5, w->inner_ns = w->window_ns - 200;
    }
    aisp_evidence_chain(&ev, ev.chain);
    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        assert_string_not_equal(found.item[i].check->name, "partial-recompute");
    aisp_findings_release(&found);
    aisp_evidence_release(&ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_clock_that_runs_slow_disagrees),
        cmocka_unit_test(a_held_card_is_given_less_than_one_that_is_called),
        cmocka_unit_test(windows_that_were_put_aside_say_nothing_about_clocks_or_repeats),
        cmocka_unit_test(one_switch_in_a_long_window_says_nothing_about_clocks),
        cmocka_unit_test(windows_of_a_control_pair_say_nothing_about_the_contender),
        cmocka_unit_test(one_disturbed_process_is_no_disagreement_of_clocks),
        cmocka_unit_test(a_machine_with_two_speeds_skips_no_work),
        cmocka_unit_test(a_side_that_is_slow_while_its_process_is_young_is_named),
        cmocka_unit_test(three_processes_of_three_that_were_slow_while_young_are_chance),
        cmocka_unit_test(a_machine_that_slows_both_sides_of_young_pairs_accuses_nobody),
        cmocka_unit_test(one_late_window_is_no_disagreement_of_clocks),
        cmocka_unit_test(words_that_repeated_slots_leave_as_they_were_show_skipped_work),
        cmocka_unit_test(a_few_words_left_as_they_were_are_a_matter_of_timing),
        cmocka_unit_test(a_card_that_is_busy_after_done_on_one_side_shows_it_in_the_judges_first_copy),
        cmocka_unit_test(a_card_that_is_busy_after_done_on_both_sides_is_held_against_an_idle_one),
        cmocka_unit_test(answers_that_an_honest_card_gives_accuse_nobody),
        cmocka_unit_test(branches_that_learn_contents_which_come_again_accuse_nobody),
        cmocka_unit_test(slots_beyond_the_l2_may_cost_the_way_of_their_bytes_more),
        cmocka_unit_test(computing_only_what_changed_shows_where_all_contents_are_new),
        cmocka_unit_test(equal_cost_with_and_without_repeats_is_honest),
        cmocka_unit_test(a_time_below_the_roof_is_no_result),
        cmocka_unit_test(windows_shorter_than_the_clock_can_tell_are_refused),
        cmocka_unit_test(one_call_that_is_short_for_the_clock_is_a_doubt),
        cmocka_unit_test(windows_of_less_than_half_of_their_plan_are_development),
        cmocka_unit_test(samples_that_were_taken_out_break_the_chain),
        cmocka_unit_test(times_without_spread_are_refused),
        cmocka_unit_test(slow_outliers_on_the_baseline_alone_are_reported),
        cmocka_unit_test(a_busy_measuring_core_is_development),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
