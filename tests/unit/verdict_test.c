/* verdict_test.c - one look at the pairs: what is answered, what is held back and why. Each alarm
 * has data that fire it and an honest twin that does not. Error rates over recorded windows are in
 * replay_test.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/stats/stats.h"
#include "tests/replay/replay.h"

#define N_MAX             90
#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* n pairs spread evenly over centre +- spread, in a mixed order, so that neither half nor end of
 * them is special. */
static void spread(double *m, size_t n, double centre, double width)
{
    for (size_t i = 0; i < n; i++) {
        const size_t k = i % 2 ? n - 1 - i / 2 : i / 2;

        m[i] = centre + width * (2.0 * (double)k / (double)(n - 1) - 1);
    }
}

static struct aisp_look_result look_at(const struct aisp_look_input *in)
{
    const struct aisp_verdict_rules rules = aisp_verdict_rules_default(false, 0);
    struct aisp_look_result r;
    struct aisp_err err;

    assert_int_equal(aisp_verdict_look(&rules, in, &r, &err), AISP_OK);
    /* What holds for every answer. */
    assert_int_equal(r.decided, r.verdict != AISP_UNDECIDED);
    assert_int_equal(r.reason == AISP_REASON_NONE, r.verdict == AISP_FASTER ||
                                                       r.verdict == AISP_SLOWER ||
                                                       r.verdict == AISP_SAME);
    assert_near(r.ratio, exp(r.centre));
    return r;
}

static struct aisp_look_result look(const double *m, size_t n, bool is_last)
{
    return look_at(&(struct aisp_look_input){ .pairs = m, .n_pairs = n, .is_last = is_last });
}

static void default_rules_are_those_that_are_documented(void **state)
{
    const int looks[] = { 12, 18, 27, 40, 60, 90 };
    const struct aisp_verdict_rules cached = aisp_verdict_rules_default(false, 0.001);
    const struct aisp_verdict_rules dram = aisp_verdict_rules_default(true, 0.004);

    (void)state;
    assert_int_equal(cached.n_looks, 6);
    assert_memory_equal(cached.looks, looks, sizeof looks);
    assert_near(cached.floor, 0.003); /* calibration may raise it, never lower it */
    assert_near(cached.band, 0.005);
    assert_near(cached.alpha, 0.01);
    assert_near(dram.floor, 0.004);
    assert_near(dram.band, 0.01);
}

static void clear_effects_are_called_by_their_sign(void **state)
{
    double m[12];
    struct aisp_look_result r;

    (void)state;
    spread(m, 12, 0.02, 0.005);
    r = look(m, 12, false);
    assert_int_equal(r.verdict, AISP_FASTER);
    assert_true(r.lo95 > 1 && r.lo95 < r.ratio && r.ratio < r.hi95);
    assert_true(r.vlo > 1 && r.vlo <= r.lo95 && r.hi95 <= r.vhi);
    assert_near(r.centre, 0.02);
    assert_int_equal(r.pairs_wanted, 0);
    spread(m, 12, -0.02, 0.005);
    r = look(m, 12, false);
    assert_int_equal(r.verdict, AISP_SLOWER);
    assert_true(r.hi95 < 1);
}

static void no_effect_inside_the_band_is_same(void **state)
{
    double m[12];

    (void)state;
    spread(m, 12, 0.0005, 0.003);
    assert_int_equal(look(m, 12, false).verdict, AISP_SAME);
}

static void wide_pairs_go_on_and_end_unsure_with_the_pairs_it_would_take(void **state)
{
    double m[N_MAX];
    struct aisp_look_result r;

    (void)state;
    spread(m, 12, 0.001, 0.02);
    r = look(m, 12, false);
    assert_int_equal(r.verdict, AISP_UNDECIDED);
    assert_int_equal(r.reason, AISP_REASON_WIDE);
    /* |centre| lies below the floor, so fitting into the band is what is wanted: half-width 0.5 % -
     * 0.1 % */
    assert_int_equal(r.pairs_wanted, (size_t)ceil(12 * pow(r.half_width / 0.004, 2)));
    assert_near(r.half_width, log(r.vhi / r.vlo) / 2);
    assert_int_equal(look(m, 12, true).verdict, AISP_UNSURE);
    spread(m, 90, 0.001, 0.05);
    assert_int_equal(look(m, 90, false).verdict,
                     AISP_UNSURE); /* the last planned look is the last, said or not */
}

static void few_pairs_give_a_ratio_and_never_a_verdict(void **state)
{
    double m[11];

    (void)state;
    for (size_t n = 1; n <= 11; n++) {
        struct aisp_look_result r;

        for (size_t i = 0; i < n; i++)
            m[i] = 0.5;
        r = look(m, n, true);
        assert_int_equal(r.verdict, AISP_UNSURE);
        assert_int_equal(r.reason, AISP_REASON_TOO_FEW_PAIRS);
        assert_near(r.centre, 0.5);
        assert_int_equal(r.pairs_wanted, 12);
        assert_int_equal(r.has_interval, n >= 6);
        assert_int_equal(r.has_verdict_interval, n >= 11);
        if (n < 6)
            assert_true(r.lo95 == 0 && isinf(r.hi95) && r.vlo == 0 && isinf(r.vhi) &&
                        isinf(r.half_width));
    }
}

static void peeking_between_planned_looks_is_refused(void **state)
{
    const struct aisp_verdict_rules rules = aisp_verdict_rules_default(false, 0);
    double m[N_MAX + 1];
    struct aisp_look_result r = { .n_pairs = 77 };
    struct aisp_err err;

    (void)state;
    spread(m, N_MAX + 1, 0.02, 0.001);
    for (size_t n = 1; n <= N_MAX + 1; n++) {
        const bool planned = n == 12 || n == 18 || n == 27 || n == 40 || n == 60 || n == 90;
        const struct aisp_look_input in = { .pairs = m, .n_pairs = n };

        r.n_pairs = 77;
        assert_int_equal(aisp_verdict_look(&rules, &in, &r, &err),
                         planned ? AISP_OK : AISP_E_USAGE);
        assert_int_equal(r.n_pairs, planned ? n : 77);
    }
    assert_int_equal(
        aisp_verdict_look(&rules,
                          &(struct aisp_look_input){ .pairs = m, .n_pairs = 91, .is_last = true },
                          &r, NULL),
        AISP_E_USAGE);
    assert_int_equal(look(m, 33, true).verdict,
                     AISP_FASTER); /* cut by time: its last look is there */
}

static void rules_and_inputs_that_contradict_themselves_are_refused(void **state)
{
    const struct aisp_verdict_rules good = aisp_verdict_rules_default(false, 0);
    struct aisp_verdict_rules bad[8];
    double m[12];
    struct aisp_look_input in = { .pairs = m, .n_pairs = 12 };
    struct aisp_look_result r;

    (void)state;
    spread(m, 12, 0, 0.001);
    for (size_t i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].band = bad[0].floor;
    bad[1].floor = -0.001;
    bad[2].alpha = 0;
    bad[3].n_looks = 7;
    bad[4].looks[1] = 12;
    bad[5].band = NAN;
    bad[6].control_min = 5;
    bad[7].modes_share = 0;
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(aisp_verdict_look(&bad[i], &in, &r, NULL), AISP_E_USAGE);
    in.slack = -1e-9;
    assert_int_equal(aisp_verdict_look(&good, &in, &r, NULL), AISP_E_USAGE);
    in.slack = NAN;
    assert_int_equal(aisp_verdict_look(&good, &in, &r, NULL), AISP_E_USAGE);
    in.slack = 0;
    m[7] = NAN;
    assert_int_equal(aisp_verdict_look(&good, &in, &r, NULL), AISP_E_USAGE);
}

static void a_floor_above_the_band_is_refused_not_bent(void **state)
{
    const struct aisp_verdict_rules noisy = aisp_verdict_rules_default(false, 0.006);
    double m[12];
    struct aisp_look_result r;
    struct aisp_err err;

    (void)state;
    spread(m, 12, 0.02, 0.001);
    assert_int_equal(
        aisp_verdict_look(&noisy, &(struct aisp_look_input){ .pairs = m, .n_pairs = 12 }, &r, &err),
        AISP_E_USAGE);
    assert_non_null(strstr(err.text, "band"));
}

static void an_effect_below_the_floor_is_never_faster(void **state)
{
    struct aisp_verdict_rules rules = aisp_verdict_rules_default(false, 0);
    double m[12];
    struct aisp_look_result r;

    (void)state;
    spread(m, 12, 0.0029, 0.0001);
    assert_int_equal(look(m, 12, false).verdict,
                     AISP_SAME); /* clear of 1, tight, and inside the band */
    spread(m, 12, 0.0031, 0.0001);
    assert_int_equal(look(m, 12, false).verdict, AISP_FASTER);
    rules.floor = 0.0045;
    spread(m, 12, 0.0044, 0.0015); /* clear of 1, below the floor, reaches out of the band */
    assert_int_equal(
        aisp_verdict_look(&rules,
                          &(struct aisp_look_input){ .pairs = m, .n_pairs = 12, .is_last = true },
                          &r, NULL),
        AISP_OK);
    assert_int_equal(r.verdict, AISP_UNSURE);
    assert_int_equal(r.reason, AISP_REASON_BELOW_FLOOR);
}

static void answers_must_survive_the_slack(void **state)
{
    double m[12];
    struct aisp_look_input in = { .pairs = m, .n_pairs = 12, .is_last = true };
    struct aisp_look_result r;

    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        spread(m, 12, sign * 0.02, 0.005);
        in.slack = 0.01;
        assert_int_equal(look_at(&in).verdict, sign > 0 ? AISP_FASTER : AISP_SLOWER);
        in.slack = 0.018; /* |centre| - slack is below the floor */
        r = look_at(&in);
        assert_int_equal(r.verdict, AISP_UNSURE);
        assert_int_equal(r.reason, AISP_REASON_SLACK);
        assert_int_equal(r.pairs_wanted, 0);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        struct aisp_look_result bare;

        spread(m, 12, sign * 0.02, 0.02); /* the centre would survive, the interval does not */
        in.slack = 0;
        bare = look_at(&in);
        assert_int_equal(bare.verdict, sign > 0 ? AISP_FASTER : AISP_SLOWER);
        in.slack = 0.015;
        r = look_at(&in);
        assert_int_equal(r.verdict, AISP_UNSURE);
        assert_int_equal(r.reason, AISP_REASON_SLACK);
        assert_near(r.vlo, bare.vlo * exp(-0.015));
        assert_near(r.vhi, bare.vhi * exp(0.015));
        assert_near(r.lo95, bare.lo95);
        assert_near(r.half_width, bare.half_width);
        assert_true(r.pairs_wanted > 12);
    }
    spread(m, 12, 0, 0.001);
    in.slack = 0.003;
    assert_int_equal(look_at(&in).verdict, AISP_SAME);
    in.slack = 0.006;
    assert_int_equal(look_at(&in).verdict, AISP_UNSURE);
}

static void a_control_clear_of_one_holds_the_answer_back(void **state)
{
    struct aisp_verdict_rules patient = aisp_verdict_rules_default(false, 0);
    double m[40], control[6];
    struct aisp_look_input in = { .pairs = m, .n_pairs = 40, .control = control, .n_control = 6 };
    struct aisp_look_result r;

    (void)state;
    spread(m, 40, 0.02, 0.005);
    spread(control, 6, 0.004, 0.002);
    r = look_at(&in);
    assert_int_equal(r.verdict, AISP_UNDECIDED); /* more pairs may clear it */
    assert_int_equal(r.reason, AISP_REASON_CONTROL);
    in.is_last = true;
    assert_int_equal(look_at(&in).verdict, AISP_UNSURE);
    patient.control_min = 7;
    assert_int_equal(aisp_verdict_look(&patient, &in, &r, NULL), AISP_OK);
    assert_int_equal(r.verdict, AISP_FASTER);
    in.n_control = 5; /* too few to say anything */
    assert_int_equal(look_at(&in).verdict, AISP_FASTER);
    in.n_control = 6;
    spread(control, 6, 0.001, 0.002); /* the honest twin */
    assert_int_equal(look_at(&in).verdict, AISP_FASTER);
}

static void process_modes_hold_the_answer_back(void **state)
{
    double m[27];

    (void)state;
    spread(m, 27, 0.02, 0.002);
    for (size_t i = 0; i < 4; i++) /* 4 of 27 = 14.8 % */
        m[6 * i + 2] += 0.3;
    assert_int_equal(look(m, 27, true).verdict, AISP_FASTER);
    m[26] += 0.3; /* 5 of 27 = 18.5 % */
    assert_int_equal(look(m, 27, true).reason, AISP_REASON_MODES);
    assert_int_equal(look(m, 27, true).verdict, AISP_UNSURE);
}

static void halves_that_disagree_hold_the_answer_back(void **state)
{
    double m[40];

    (void)state;
    spread(m, 20, 0.020, 0.002);
    spread(m + 20, 20, 0.030, 0.002);
    assert_int_equal(look(m, 40, true).reason, AISP_REASON_HALVES);
    spread(m + 20, 20, 0.0202, 0.002);
    assert_int_equal(look(m, 40, true).verdict, AISP_FASTER);
}

static void a_placement_that_turns_the_sign_holds_the_answer_back(void **state)
{
    double m[12];
    struct aisp_look_input in = {
        .pairs = m, .n_pairs = 12, .is_last = true, .placement_flips = true
    };

    (void)state;
    spread(m, 12, 0.02, 0.005);
    assert_int_equal(look_at(&in).reason, AISP_REASON_PLACEMENT);
    in.placement_flips = false;
    assert_int_equal(look_at(&in).verdict, AISP_FASTER);
}

static void ties_are_no_modes_and_no_trouble(void **state)
{
    double m[12] = { 0 };

    (void)state;
    assert_int_equal(look(m, 12, false).verdict, AISP_SAME);
    m[3] = m[7] = m[9] =
        0.0001; /* MAD is 0, a quarter of the pairs lies off it, by nothing that matters */
    assert_int_equal(look(m, 12, false).verdict, AISP_SAME);
    for (size_t i = 0; i < 12; i++)
        m[i] = 0.01;
    assert_int_equal(look(m, 12, false).verdict, AISP_FASTER);
}

/* One synthetic null pair; the shape of the noise by kind. */
static double null_pair(uint64_t *random, int kind)
{
    const double z = 0.005 * replay_normal(random);

    if (kind == 1) /* processes in two modes, 2 % apart */
        return z +
               0.02 * ((double)(replay_random(random) & 1) - (double)(replay_random(random) & 1));
    if (kind == 2) /* Cauchy tails */
        return 0.003 * tan(M_PI * (replay_uniform(random) - 0.5));
    if (kind == 3) /* a coarse clock: ties */
        return 0.004 * round(z / 0.004);
    return z;
}

static void synthetic_nulls_are_called_different_in_at_most_one_percent(void **state)
{
    const struct aisp_verdict_rules rules = aisp_verdict_rules_default(false, 0);
    uint64_t random = 17;
    double m[N_MAX];

    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        size_t n_false = 0;

        for (int run = 0; run < 2000; run++) {
            struct aisp_look_result r = { .decided = false };

            for (size_t i = 0; i < N_MAX; i++)
                m[i] = null_pair(&random, kind);
            for (int k = 0; k < rules.n_looks && !r.decided; k++)
                r = look(m, (size_t)rules.looks[k], false);
            n_false += r.verdict == AISP_FASTER || r.verdict == AISP_SLOWER;
        }
        assert_in_range(n_false, 0, 20);
    }
}

static void every_verdict_and_reason_has_a_name(void **state)
{
    (void)state;
    for (int v = 0; v < AISP_N_VERDICT; v++)
        assert_true(strlen(aisp_verdict_name((enum aisp_verdict)v)) > 3);
    for (int r = 1; r < AISP_N_REASON; r++)
        assert_true(strlen(aisp_reason_text((enum aisp_reason)r)) > 10);
    assert_string_equal(aisp_reason_text(AISP_REASON_NONE), "");
    assert_string_equal(aisp_verdict_name((enum aisp_verdict)99), "?");
    assert_string_equal(aisp_reason_text((enum aisp_reason)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_rules_are_those_that_are_documented),
        cmocka_unit_test(clear_effects_are_called_by_their_sign),
        cmocka_unit_test(no_effect_inside_the_band_is_same),
        cmocka_unit_test(wide_pairs_go_on_and_end_unsure_with_the_pairs_it_would_take),
        cmocka_unit_test(few_pairs_give_a_ratio_and_never_a_verdict),
        cmocka_unit_test(peeking_between_planned_looks_is_refused),
        cmocka_unit_test(rules_and_inputs_that_contradict_themselves_are_refused),
        cmocka_unit_test(a_floor_above_the_band_is_refused_not_bent),
        cmocka_unit_test(an_effect_below_the_floor_is_never_faster),
        cmocka_unit_test(answers_must_survive_the_slack),
        cmocka_unit_test(a_control_clear_of_one_holds_the_answer_back),
        cmocka_unit_test(process_modes_hold_the_answer_back),
        cmocka_unit_test(halves_that_disagree_hold_the_answer_back),
        cmocka_unit_test(a_placement_that_turns_the_sign_holds_the_answer_back),
        cmocka_unit_test(ties_are_no_modes_and_no_trouble),
        cmocka_unit_test(synthetic_nulls_are_called_different_in_at_most_one_percent),
        cmocka_unit_test(every_verdict_and_reason_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
