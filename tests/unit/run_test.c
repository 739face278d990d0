/* run_test.c - the protocol on the scripted device: what is taken, what is seen, when it ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/hash.h"
#include "tests/unit/run_play.h"

static void a_faster_variant_is_found_at_the_first_look(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_look_result look;

    (void)state;
    play(&script);
    look = verdict();
    assert_int_equal(look.verdict, AISP_FASTER);
    assert_int_equal(look.n_pairs, 12);
    assert_float_equal(look.ratio, 1.25, 0.01);
    assert_int_equal(ev.n_points, 3);
    assert_int_equal(ev.point[0].first_pair, 13); /* one of them the control */
    assert_int_equal(ev.n_pairs, 13 + 3 * 3);
    assert_false(ev.cut_short);
    assert_false(ev.incomplete);
    assert_int_equal(ev.n_observations, 0);
}

/* Until the first pair all calls take a hundred times as long, as beside somebody who holds the core. */
static void a_trial_that_was_disturbed_is_taken_again(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    for (int i = 0; i < AISP_FAKE_VARIANTS; i++) {
        script.variant[i].call_ns *= 100;
        script.variant[i].step = -log(100);
        script.variant[i].step_session = FIRST_PAIR;
    }
    play(&script);
    assert_int_equal(verdict().verdict, AISP_FASTER);
    assert_false(ev.pair[0].complete);
    assert_int_equal(ev.n_observations, 0);
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].kind == AISP_WINDOW_TIMED)
            assert_true(ev.window[i].window_ns > 1000000 && ev.window[i].calls == ev.calls_per_window);
    for (size_t i = 1; i < ev.n_pairs; i++)
        assert_true(ev.pair[i].complete);
}

/* Memory for little more than what was asked for: what is larger is not timed, and the comparison stands. The other points have its
 * pairs, for fewer than eight say nothing. */
static void a_secret_point_that_does_not_fit_is_left_out(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    size_t n_points = 0;

    (void)state;
    script.fits_bytes = 2 * 24 * 16 * 8 + 1000;
    for (uint8_t i = 0; i < 4; i++) {
        struct aisp_plan plan = scene_plan(&scene_problem);

        plan.secret.b[0] = i;
        aisp_evidence_release(&ev);
        aisp_fake_play(&script);
        run(&plan);
        assert_int_equal(verdict().verdict, AISP_FASTER);
        n_points += ev.n_points;
        assert_true(ev.n_points == 0 || ev.n_pairs - (size_t)ev.point[0].first_pair >= 8);
        for (size_t k = 0; k < ev.n_points; k++)
            assert_true(2 * ev.point[k].param[0] * ev.point[k].param[1] * 8 <= script.fits_bytes);
    }
    assert_true(n_points > 0 && n_points < 4 * 3);
}

static void a_slower_variant_is_found(void **state)
{
    struct aisp_fake_script script = scene_script(10500);

    (void)state;
    play(&script);
    assert_int_equal(verdict().verdict, AISP_SLOWER);
}

static void the_same_speed_is_called_same(void **state)
{
    struct aisp_fake_script script = scene_script(10000);

    (void)state;
    play(&script);
    assert_int_equal(verdict().verdict, AISP_SAME);
    assert_true(verdict().hi95 > verdict().lo95);
}

static void pairs_that_scatter_too_much_end_unsure_with_a_reason(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    script.variant[0].pair_noise = script.variant[1].pair_noise = 0.08;
    plan.max_pairs = 18;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(verdict().verdict, AISP_UNSURE);
    assert_int_equal(verdict().reason, AISP_REASON_WIDE);
    assert_true(verdict().pairs_wanted > 18);
    assert_true(ev.cut_short);
}

static void two_modes_of_the_processes_hold_the_verdict_back(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    script.variant[1].mode_share = 0.3;
    script.variant[1].mode_factor = 1.1;
    play(&script);
    assert_int_equal(verdict().verdict, AISP_UNSURE);
    assert_int_equal(verdict().reason, AISP_REASON_MODES);
}

static void a_ratio_that_drifts_from_half_to_half_holds_the_verdict_back(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    /* From 0.6 % faster down to 2 % slower, evenly: wide at first, then clear of 1 for no steady reason. */
    script.variant[1].call_ns = 10000 * exp(-0.013);
    script.variant[1].drift = 0.001;
    script.variant[0].pair_noise = script.variant[1].pair_noise = 0.0003;
    plan.max_pairs = 27;
    plan.band = 0.0031;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(verdict().verdict, AISP_UNSURE);
    assert_int_equal(verdict().reason, AISP_REASON_HALVES);
}

static void a_drift_of_both_sides_alike_does_no_harm(void **state)
{
    struct aisp_fake_script script = scene_script(9000);

    (void)state;
    script.variant[0].drift = script.variant[1].drift = 0.01;
    play(&script);
    assert_int_equal(verdict().verdict, AISP_FASTER);
    assert_float_equal(verdict().ratio, 1 / 0.9, 0.03);
}

static void fewer_pairs_than_the_first_look_say_so(void **state)
{
    struct aisp_fake_script script = scene_script(5000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    plan.max_pairs = 5;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(verdict().verdict, AISP_UNSURE);
    assert_int_equal(verdict().reason, AISP_REASON_TOO_FEW_PAIRS);
    assert_true(ev.cut_short);
}

/* Identical code, as the harness's own figures take it: it would be called the same after 12. */
static void all_pairs_are_taken_where_they_are_asked_for(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    plan.max_pairs = 20;
    plan.all_pairs = true;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(ev.n_pairs, 22); /* two of them controls */
    assert_int_equal(verdict().n_pairs, 20);
    assert_int_equal(verdict().verdict, AISP_SAME);
}

static void the_time_limit_ends_the_pairs(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    plan.time_limit_ns = 1;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(ev.n_pairs, 1);
    assert_true(ev.cut_short);
}

static void pairs_go_on_to_the_first_look_where_nobody_said_how_long(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    plan.first_look_ns = plan.time_limit_ns;
    plan.time_limit_ns = 1;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(verdict().n_pairs, 12);
    assert_int_equal(verdict().verdict, AISP_SAME);
    plan.first_look_ns = 2;
    aisp_evidence_release(&ev);
    run(&plan);
    assert_int_equal(ev.n_pairs, 1);
    assert_true(ev.cut_short);
}

static void windows_are_long_enough_and_equal_on_both_sides(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    double fastest = 1e18;

    (void)state;
    play(&script);
    for (size_t i = 0; i < ev.n_windows; i++) {
        if (ev.window[i].kind > AISP_WINDOW_TIMED || ev.window[i].pair >= ev.point[0].first_pair)
            continue;
        assert_int_equal(ev.window[i].calls, ev.calls_per_window);
        fastest = fmin(fastest, (double)ev.window[i].window_ns);
    }
    assert_true(fastest > (ev.spinning ? 1.9e6 : 9.5e6));
    assert_true(ev.n_slots >= 2 && ev.n_slots <= 64);
}

static void a_large_ratio_does_not_make_the_slow_side_wait(void **state)
{
    struct aisp_fake_script script = scene_script(10); /* 1000 times faster */
    const int64_t want = 2000000;

    (void)state;
    play(&script);
    assert_int_equal(verdict().verdict, AISP_FASTER);
    if (!ev.spinning)
        skip();
    /* 200 us of the fast side, not 2 ms: the slow one's window is then 200 ms, not 2 s. */
    assert_in_range(ev.calls_per_window, want / 10 / 11, want / 10 / 9);
}

static void one_call_is_a_window_where_a_call_is_long(void **state)
{
    struct aisp_fake_script script = scene_script(3e7);

    (void)state;
    script.variant[0].call_ns = 4e7;
    play(&script);
    assert_int_equal(ev.calls_per_window, 1);
    assert_int_equal(ev.n_slots, 2);
    assert_int_equal(verdict().verdict, AISP_FASTER);
}

static void honest_variants_are_never_accused(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        script.seed = seed;
        aisp_evidence_release(&ev);
        play(&script);
        assert_int_equal(ev.n_observations, 0);
        for (int side = 0; side < 2; side++) {
            const struct aisp_verified *v = &ev.verified[side];

            assert_int_equal(v->n_full, v->n_full_right);
            assert_int_equal(v->n_sampled, v->n_sampled_right);
            assert_int_equal(v->n_holdout, 3);
            assert_int_equal(v->n_holdout_right, 3);
            assert_int_equal(v->n_windows, v->n_windows_checked);
            assert_true(v->timed_right > 0 && v->warmup_right > 0);
            assert_int_equal(v->timed_wrong + v->warmup_wrong, 0);
        }
    }
}

static void verification_alone_takes_no_pairs(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    plan.verify_only = true;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(ev.n_windows, 0);
    assert_int_equal(aisp_fake_seen()->n_opens, 2 * (ASKED + 1)); /* and the lowest corner */
    assert_int_equal(ev.verified[AISP_A].n_holdout_right, 3);
}

static void call_counts_and_orders_tell_nothing(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    const struct aisp_fake_log *log = aisp_fake_seen();

    (void)state;
    play(&script);
    assert_true(log->n_orders > 500);
    assert_true(log->n_in_order < log->n_orders / 4);
    assert_true(log->n_b_first > 0 && log->n_b_first < 29);
    assert_int_equal(log->min_calls, 1);
}

static void warmup_windows_are_random_in_number_and_look_alike(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    int n[3] = { 0 };

    (void)state;
    play(&script);
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].kind == AISP_WINDOW_WARMUP && ev.window[i].pair < 3)
            n[ev.window[i].pair]++;
    for (int i = 0; i < 3; i++)
        assert_in_range(n[i], 12, 18);
}

static void windows_that_repeat_no_slot_withhold_a_gain_that_rests_on_repeats(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    double n_once[2] = { 0 }, n_timed = 0, once_ns[2] = { 0 };

    (void)state;
    script.variant[1].repeat_factor = 0.25; /* skips work on repeats */
    play(&script);
    for (size_t i = 0; i < ev.n_windows; i++) {
        const struct aisp_window *w = &ev.window[i];
        const int half = w->kind == AISP_WINDOW_ONCE_HALF;

        n_timed += w->kind == AISP_WINDOW_TIMED;
        if (w->kind != AISP_WINDOW_ONCE && !half)
            continue;
        assert_int_equal(w->calls, half ? ev.n_slots / 2 : ev.n_slots);
        if (w->side == AISP_B && (w->pair + 1) % 8) {
            n_once[half]++;
            once_ns[half] += (double)w->window_ns;
        }
    }
    assert_true(n_once[0] > 0 && n_once[1] > 0);
    assert_in_range((int)n_timed, (int)ev.n_pairs * 8 * 4, (int)ev.n_pairs * 12 * 4);
    assert_int_equal(verdict().verdict, AISP_UNSURE);
    assert_int_equal(verdict().reason, AISP_REASON_SLACK);
    assert_int_equal(ev.n_points, 0);
    /* The difference of the two is the cost of calls that repeat nothing: 8 us, where the windows say about 2 us. */
    assert_float_equal((once_ns[0] / n_once[0] - once_ns[1] / n_once[1]) /
                           (ev.n_slots - ev.n_slots / 2),
                       8000, 200);
}

static void every_eighth_pair_is_the_reference_against_itself(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    double *m, *control;
    int n, n_control;

    (void)state;
    play(&script);
    aisp_evidence_pairs(&ev, &m, &n, &control, &n_control);
    assert_int_equal(n_control, 1);
    assert_true(ev.pair[7].is_control);
    assert_float_equal(control[0], 0, 0.01);
    free(m);
    free(control);
}

static void commitments_were_made_to_the_secrets_that_are_shown_after(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    play(&script);
    for (size_t i = 0; i < ev.n_pairs; i++) {
        struct aisp_key key;
        char again[65];

        for (int b = 0; b < 32; b++) {
            unsigned byte;

            assert_int_equal(sscanf(ev.pair[i].secret + 2 * b, "%2x", &byte), 1);
            key.b[b] = (uint8_t)byte;
        }
        aisp_key_commitment(&key, again);
        assert_string_equal(again, ev.pair[i].commitment);
        if (i)
            assert_string_not_equal(ev.pair[i].secret, ev.pair[i - 1].secret);
    }
}

static void the_chain_sees_a_window_left_out(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    char chain[65];

    (void)state;
    play(&script);
    aisp_evidence_chain(&ev, chain);
    assert_string_equal(chain, ev.chain);
    memmove(&ev.window[5], &ev.window[6], (ev.n_windows - 6) * sizeof *ev.window);
    ev.n_windows--;
    aisp_evidence_chain(&ev, chain);
    assert_string_not_equal(chain, ev.chain);
}

static void the_verdict_is_the_same_from_json(void **state)
{
    struct aisp_fake_script script = scene_script(9950);
    struct aisp_look_result before, after;
    struct aisp_err err = { 0 };
    json_t *json;

    (void)state;
    play(&script);
    before = verdict();
    json = aisp_evidence_to_json(&ev);
    aisp_evidence_release(&ev);
    if (aisp_evidence_from_json(json, &ev, &err))
        fail_msg("%s", err.text);
    json_decref(json);
    after = verdict();
    assert_int_equal(before.verdict, after.verdict);
    assert_float_equal(before.centre, after.centre, 0);
    assert_float_equal(before.vlo, after.vlo, 0);
}

static volatile int stop_flag;
static int n_progress;

static void stop_in_the_pairs(void *context, const struct aisp_progress *p)
{
    (void)context;
    n_progress++;
    stop_flag = p->phase == AISP_PHASE_TIMED;
}

static void an_interrupt_leaves_evidence_marked_incomplete(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_err err = { 0 };

    (void)state;
    script.variant[0].pair_noise = script.variant[1].pair_noise = 0.1; /* goes on for long */
    stop_flag = n_progress = 0;
    plan.stop = &stop_flag;
    plan.progress = stop_in_the_pairs;
    aisp_fake_play(&script);
    assert_int_equal(aisp_run(&plan, &ev, &err), AISP_E_INTERRUPTED);
    assert_true(ev.incomplete);
    assert_true(n_progress > 0);
    assert_int_equal(aisp_fake_seen()->n_opens, aisp_fake_seen()->n_closes);
    assert_int_equal(strlen(ev.chain), 64);
}

static void trouble_of_our_own_is_an_error_and_no_evidence_against_a_variant(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_err err = { 0 };

    (void)state;
    for (int at = 1; at < 4000; at = at * 3 + 1) {
        script.fill_fails_at = at;
        aisp_fake_play(&script);
        assert_int_equal(aisp_run(&plan, &ev, &err), AISP_E_IO);
        assert_int_equal(aisp_fake_seen()->n_opens, aisp_fake_seen()->n_closes);
        assert_int_equal(ev.n_observations, 0);
        assert_true(ev.incomplete);
        aisp_evidence_release(&ev);
    }
    script.fill_fails_at = 0;
    script.fits_bytes = 100;
    aisp_fake_play(&script);
    assert_int_equal(aisp_run(&plan, &ev, &err), AISP_E_NO_MEMORY);
    script.unavailable = "no such device";
    aisp_fake_play(&script);
    assert_int_equal(aisp_run(&plan, &ev, &err), AISP_E_UNAVAILABLE);
    assert_string_equal(err.text, "no such device");
}

static void a_band_that_is_not_above_the_floor_is_refused(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_calibration cal = { .aa_floor = { 0.02, 0.02, 0.02, 0.02 } };
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_err err = { 0 };

    (void)state;
    plan.calibration = &cal;
    plan.band = 0.01;
    aisp_fake_play(&script);
    assert_int_equal(aisp_run(&plan, &ev, &err), AISP_E_USAGE);
    aisp_evidence_release(&ev);
    plan.band = 0; /* by class: widened above this machine's floor */
    aisp_fake_play(&script);
    run(&plan);
    assert_float_equal(ev.floor, 0.02, 1e-12);
    assert_true(ev.band > ev.floor);
}

static void slots_that_a_call_uses_up_are_called_once(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    const struct aisp_plan plan = scene_plan(&scene_problem_inout);

    (void)state;
    aisp_fake_play(&script);
    run(&plan);
    assert_true(ev.calls_per_window <= ev.n_slots);
    assert_int_equal(ev.n_observations, 0);
    assert_int_equal(verdict().verdict, AISP_FASTER);
}

static void large_inputs_are_refilled_in_secret_parts(void **state)
{
    static const char *const set[] = { "rows=65536", "cols=32" };
    struct aisp_fake_script script = scene_script(300000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    const struct aisp_fake_log *log = aisp_fake_seen();

    (void)state;
    script.variant[0].call_ns = 400000;
    assert_int_equal(
        aisp_instance_init(&plan.inst, &scene_problem, AISP_SIZE_DEFAULT, set, 2, NULL), AISP_OK);
    plan.max_pairs = 1;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(ev.n_observations, 0);
    /* A window's share is below a slot: it is filled in parts. Whole tensors are filled before sessions begin, and before the control
     * windows in which all is new. */
    assert_true(log->n_fills > (int)ev.n_windows);
    assert_true(log->n_fills > log->n_whole_fills);
}

#define T(name) cmocka_unit_test_teardown(name, scene_release)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_faster_variant_is_found_at_the_first_look),
        T(a_trial_that_was_disturbed_is_taken_again),
        T(a_secret_point_that_does_not_fit_is_left_out),
        T(a_slower_variant_is_found),
        T(the_same_speed_is_called_same),
        T(pairs_that_scatter_too_much_end_unsure_with_a_reason),
        T(two_modes_of_the_processes_hold_the_verdict_back),
        T(a_ratio_that_drifts_from_half_to_half_holds_the_verdict_back),
        T(a_drift_of_both_sides_alike_does_no_harm),
        T(fewer_pairs_than_the_first_look_say_so),
        T(all_pairs_are_taken_where_they_are_asked_for),
        T(the_time_limit_ends_the_pairs),
        T(pairs_go_on_to_the_first_look_where_nobody_said_how_long),
        T(windows_are_long_enough_and_equal_on_both_sides),
        T(a_large_ratio_does_not_make_the_slow_side_wait),
        T(one_call_is_a_window_where_a_call_is_long),
        T(honest_variants_are_never_accused),
        T(verification_alone_takes_no_pairs),
        T(call_counts_and_orders_tell_nothing),
        T(warmup_windows_are_random_in_number_and_look_alike),
        T(windows_that_repeat_no_slot_withhold_a_gain_that_rests_on_repeats),
        T(every_eighth_pair_is_the_reference_against_itself),
        T(commitments_were_made_to_the_secrets_that_are_shown_after),
        T(the_chain_sees_a_window_left_out),
        T(the_verdict_is_the_same_from_json),
        T(an_interrupt_leaves_evidence_marked_incomplete),
        T(trouble_of_our_own_is_an_error_and_no_evidence_against_a_variant),
        T(a_band_that_is_not_above_the_floor_is_refused),
        T(slots_that_a_call_uses_up_are_called_once),
        T(large_inputs_are_refilled_in_secret_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
