/* checks_control_pairs_test.c - in a control pair both sides run the reference, and their windows are labelled A and B like all
 * others: whatever a check says of one side leaves them out. */
#include "tests/unit/checks_scene.h"

typedef void change_fn(struct aisp_window *w, int nth);

static void make_slow(struct aisp_window *w, int64_t window_ns)
{
    w->window_ns = window_ns + draw(40000);
    w->inner_ns = w->window_ns - 200;
}

/* Pairs 3 and 7 are controls. `of_a` happens to what the reference runs, `of_b` to what the contender does. */
static struct aisp_evidence with_controls(change_fn *of_a, change_fn *of_b)
{
    struct aisp_evidence ev = honest();
    int n[2] = { 0, 0 };

    ev.pair[3].is_control = ev.pair[7].is_control = true;
    for (size_t i = 0; i < ev.n_windows; i++) {
        struct aisp_window *w = &ev.window[i];
        const bool is_b = w->side == AISP_B && w->pair != 3 && w->pair != 7;
        change_fn *change = is_b ? of_b : of_a;

        if (change)
            change(w, n[is_b]++);
    }
    aisp_evidence_chain(&ev, ev.chain);
    return ev;
}

static void sleep_always(struct aisp_window *w, int nth)
{
    (void)nth;
    w->voluntary_switches = 1;
}

static void be_slow_now_and_then(struct aisp_window *w, int nth)
{
    if (nth % 7 == 0)
        make_slow(w, 6000000);
}

static void be_quick(struct aisp_window *w, int nth)
{
    (void)nth;
    make_slow(w, 1200000);
}

static void a_reference_that_sleeps_in_controls_too_is_accused(void **unused)
{
    struct aisp_evidence ev = with_controls(sleep_always, NULL);

    (void)unused;
    expect_violation(&ev, "outlier-injection");
}

static void a_word_that_lets_no_call_wait_excuses_no_sleep(void **unused)
{
    struct aisp_evidence ev = with_controls(sleep_always, NULL);

    (void)unused;
    strcpy(ev.variant[AISP_A].decl.uses, "allocates, fast-math");
    expect_violation(&ev, "outlier-injection");
}

static void a_reference_of_several_threads_may_wait_for_them(void **unused)
{
    static const char *const words[] = { "threads", "library", "io_uring", "allocates, threads" };

    (void)unused;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct aisp_evidence ev = with_controls(sleep_always, NULL);

        strcpy(ev.variant[AISP_A].decl.uses, words[i]);
        expect(&ev, "insufficient-samples", AISP_NOTE, AISP_GRADE_PUBLISHABLE);
    }
}

/* Where the contender is quick, the reference's windows under its label would look like outliers of its own. */
static void slow_outliers_of_the_reference_are_reported_beside_a_quick_contender(void **unused)
{
    struct aisp_evidence ev = with_controls(be_slow_now_and_then, be_quick);

    (void)unused;
    expect_development(&ev, "outlier-injection");
}

static void be_disturbed_hardly_ever(struct aisp_window *w, int nth)
{
    w->involuntary_switches = nth % 50 == 0;
}

static void be_long_and_disturbed(struct aisp_window *w, int nth)
{
    make_slow(w, 10000000);
    w->involuntary_switches = nth % 10 ? 3 : 0;
}

static void be_disturbed(struct aisp_window *w, int nth)
{
    w->involuntary_switches = nth % 10 ? 3 : 0;
}

static void a_slow_contender_on_a_busy_core_is_not_accused_by_windows_of_the_reference(void **unused)
{
    struct aisp_evidence ev = with_controls(be_disturbed_hardly_ever, be_long_and_disturbed);

    (void)unused;
    expect_development(&ev, "one-sided-noise");
}

static void noise_on_the_reference_alone_is_seen_beside_controls(void **unused)
{
    struct aisp_evidence ev = with_controls(be_disturbed, NULL);

    (void)unused;
    ev.pair[1].is_control = ev.pair[5].is_control = true; /* a third of all */
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].pair == 1 || ev.window[i].pair == 5)
            ev.window[i].involuntary_switches = 3;
    aisp_evidence_chain(&ev, ev.chain);
    expect_violation(&ev, "one-sided-noise");
}

static void fault_always(struct aisp_window *w, int nth)
{
    (void)nth;
    w->minor_faults = 64;
}

static void fault_in_most(struct aisp_window *w, int nth)
{
    w->minor_faults = nth % 20 < 11 ? 64 : 0;
}

static void a_reference_that_collects_its_garbage_in_controls_too_is_accused(void **unused)
{
    struct aisp_evidence ev = with_controls(fault_always, NULL);

    (void)unused;
    ev.machine.footing[AISP_A] =
        (struct aisp_footing){ .n_looks = 12, .returned_bytes = 1 << 20, .peak_bytes = 1 << 20 };
    expect_violation(&ev, "gc");
}

static void faults_of_the_contender_are_counted_in_its_own_windows(void **unused)
{
    struct aisp_evidence ev = with_controls(NULL, fault_in_most);

    (void)unused;
    expect_violation(&ev, "page-faults");
}

static void round_off(struct aisp_window *w, int nth)
{
    (void)nth;
    w->window_ns = w->window_ns / 10000 * 10000;
    w->inner_ns = w->window_ns - 200;
}

static void times_of_the_contender_that_were_rounded_are_seen_beside_controls(void **unused)
{
    struct aisp_evidence ev = with_controls(NULL, round_off);

    (void)unused;
    expect_violation(&ev, "variance-gaming");
}

/* A bit more than half of what the contender ran was at a lower clock. */
static void clocks_of_the_card_are_those_of_a_sides_own_windows(void **unused)
{
    struct aisp_evidence ev = with_controls(NULL, NULL);
    struct aisp_card *card = &ev.machine.card;

    (void)unused;
    strcpy(ev.limits.card, "GPU-0");
    for (int i = 0; i < 2 * 12 * 11; i++) {
        struct aisp_card_block *b = aisp_grow(&card->block, &card->n_blocks, &card->cap_blocks, sizeof *b);

        *b = (struct aisp_card_block){ .pair = i / 22, .block = i / 2 % 11, .side = (int8_t)(i % 2), .n = 1,
                                       .limit_mw_low = -1, .energy_mj = -1 };
        b->sm_mhz_low = b->side == AISP_B && b->block < 6 && !ev.pair[b->pair].is_control ? 1400 : 1700;
        b->sm_mhz_high = b->sm_mhz_low;
    }
    expect_violation(&ev, "frequency-boost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_that_sleeps_in_controls_too_is_accused),
        cmocka_unit_test(a_word_that_lets_no_call_wait_excuses_no_sleep),
        cmocka_unit_test(a_reference_of_several_threads_may_wait_for_them),
        cmocka_unit_test(slow_outliers_of_the_reference_are_reported_beside_a_quick_contender),
        cmocka_unit_test(a_slow_contender_on_a_busy_core_is_not_accused_by_windows_of_the_reference),
        cmocka_unit_test(noise_on_the_reference_alone_is_seen_beside_controls),
        cmocka_unit_test(a_reference_that_collects_its_garbage_in_controls_too_is_accused),
        cmocka_unit_test(faults_of_the_contender_are_counted_in_its_own_windows),
        cmocka_unit_test(times_of_the_contender_that_were_rounded_are_seen_beside_controls),
        cmocka_unit_test(clocks_of_the_card_are_those_of_a_sides_own_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
