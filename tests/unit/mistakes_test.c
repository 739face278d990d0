/* mistakes_test.c - honest mistakes that other harnesses have made, each asked of this one. The protocol, the judge and the
 * statistics are the real ones; the device is the scripted one where none is needed. What needs real windows is in
 * mistakes_cpu_test.c. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "checks/check.h"
#include "commands/result.h"
#include "core/base/clock.h"
#include "core/run/ranges.h"
#include "tests/unit/run_play.h"

/* ---- a failed variant scored as 1.0 ---- */

static void a_failed_variant_has_no_ratio(void **state)
{
    static const enum aisp_fake_fault faults[] = { AISP_FAKE_BAD_STATUS, AISP_FAKE_REFUSED,
                                                   AISP_FAKE_SIGNAL, AISP_FAKE_HANG };

    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct aisp_grading grading = { 0 };
        struct aisp_fake_script script = scene_script(10000);
        const struct aisp_plan plan = scene_plan(&scene_problem);
        struct aisp_findings findings = AISP_FINDINGS_INIT;
        json_t *result;

        script.variant[AISP_B].fault = faults[i];
        script.variant[AISP_B].when = (struct aisp_fake_when){ FIRST_PAIR, 9 };
        play(&script);
        assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_INVALID);
        result = aisp_result_new(&(struct aisp_result_spec){ .problem = &scene_problem,
                                                             .inst = &plan.inst,
                                                             .ev = &ev,
                                                             .key = "scale",
                                                             .seed_commitment = "" });
        assert_true(json_is_null(json_object_get(result, "ratio")));
        assert_string_equal(json_string_value(json_object_get(result, "verdict")), "INVALID");
        json_decref(result);
        aisp_findings_release(&findings);
        aisp_evidence_release(&ev);
    }
}

/* ---- a time source that falls back silently ---- */

static bool clock_is_broken;
int clock_gettime(clockid_t clock, struct timespec *t);

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock_is_broken && clock == CLOCK_MONOTONIC_RAW)
        return -1;
    return (int)syscall(SYS_clock_gettime, clock, t);
}

static void without_its_clock_nothing_is_timed(void **state)
{
    int status = 0;
    pid_t child;

    (void)state;
    child = fork();
    if (!child) {
        signal(SIGABRT, SIG_DFL);
        clock_is_broken = true;
        _exit(aisp_now_ns() > 0 ? 1 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

/* ---- an iteration estimate that includes the flush; a hot baseline against a cool candidate ---- */

static const struct aisp_backend *inner;
static struct aisp_backend outer;
static int64_t burn_ns, n_windows;
static double heat; /* of the log, a window */

static void burn(void)
{
    const int64_t until = aisp_now_ns() + burn_ns;

    while (burn_ns && aisp_now_ns() < until)
        ;
}

static enum aisp_status slow_fill(struct aisp_session *session, int slot, int tensor,
                                  const struct aisp_philox *key, int64_t first, int64_t n,
                                  struct aisp_err *err)
{
    burn();
    return inner->fill(session, slot, tensor, key, first, n, err);
}

static enum aisp_status slow_poison(struct aisp_session *session, int slot, int tensor,
                                    const struct aisp_philox *key, struct aisp_err *err)
{
    burn();
    return inner->poison(session, slot, tensor, key, err);
}

static enum aisp_status hot_window(struct aisp_session *session, enum aisp_side side,
                                   const struct aisp_order *order, struct aisp_window *times,
                                   struct aisp_observation *seen, struct aisp_err *err)
{
    const enum aisp_status st = inner->window(session, side, order, times, seen, err);
    const double factor = exp(heat * (double)n_windows++);

    times->window_ns = (int64_t)((double)times->window_ns * factor);
    times->inner_ns = (int64_t)((double)times->inner_ns * factor);
    return st;
}

static void play_on(const struct aisp_fake_script *script, int max_pairs)
{
    struct aisp_plan plan = scene_plan(&scene_problem);

    inner = aisp_backend_find("fake");
    outer = *inner;
    outer.fill = slow_fill;
    outer.poison = slow_poison;
    outer.window = hot_window;
    plan.backend = &outer;
    plan.max_pairs = max_pairs;
    n_windows = 0;
    aisp_fake_play(script);
    run(&plan);
}

static void the_number_of_calls_does_not_depend_on_what_filling_costs(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    int64_t quick;

    (void)state;
    script.variant[0].noise = script.variant[1].noise = 0;
    script.variant[0].pair_noise = script.variant[1].pair_noise = 0;
    play_on(&script, 1);
    quick = ev.calls_per_window;
    aisp_evidence_release(&ev);
    burn_ns = 200000; /* as much as a tenth of a window, for every tensor of every slot */
    play_on(&script, 1);
    burn_ns = 0;
    assert_true(quick > 1);
    assert_int_equal(ev.calls_per_window, quick);
    assert_true(ev.fill_ns > 0);
}

static double mean_of(int first_pair, int last_pair)
{
    double sum = 0;
    int n = 0;

    for (size_t i = 0; i < ev.n_windows; i++) {
        const struct aisp_window *w = &ev.window[i];

        if (w->kind != AISP_WINDOW_TIMED || w->pair < first_pair || w->pair > last_pair)
            continue;
        sum += (double)w->window_ns / (double)w->calls;
        n++;
    }
    assert_true(n > 0);
    return sum / n;
}

/* The device gets slower all the time. Measured one after the other, the second side would lose. */
static void a_device_that_heats_up_makes_neither_side_win(void **state)
{
    struct aisp_fake_script script = scene_script(10000);
    struct aisp_look_result look;

    (void)state;
    for (int side = AISP_A; side <= AISP_B; side++) {
        script.variant[side].noise = 0.0005;
        script.variant[side].pair_noise = 0.0001;
    }
    heat = 0.002;
    play_on(&script, 12);
    heat = 0;
    assert_true(mean_of(6, 11) > 1.05 * mean_of(0, 5));
    look = verdict();
    assert_true(look.verdict != AISP_FASTER && look.verdict != AISP_SLOWER);
    assert_true(fabs(look.centre) < 0.001);
}

/* ---- a ratio of two averages where samples are bimodal ---- */

static void add_pair(int pair, const double a_ns[8], const double b_ns[8])
{
    struct aisp_pair *p = aisp_grow(&ev.pair, &ev.n_pairs, &ev.cap_pairs, sizeof *p);

    p->pair = pair;
    p->complete = true;
    for (int i = 0; i < 16; i++) {
        const int side = (i % 4 == 1 || i % 4 == 2) ? AISP_B : AISP_A;
        struct aisp_window *w =
            aisp_grow(&ev.window, &ev.n_windows, &ev.cap_windows, sizeof *ev.window);

        w->pair = pair;
        w->block = i / 4;
        w->index = i;
        w->side = (int8_t)side;
        w->kind = AISP_WINDOW_TIMED;
        w->calls = 1000;
        w->window_ns = (int64_t)(1000 * (side == AISP_A ? a_ns : b_ns)[i / 4 * 2 + (i % 4 > 1)]);
    }
}

/* B is a tenth faster, but in one pair of five it is in a mode that is four times slower. */
static void the_middle_of_pairs_is_compared_and_no_mean_of_two_modes(void **state)
{
    double sum_a = 0, sum_b = 0;
    struct aisp_look_result look;

    (void)state;
    ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    strcpy(ev.cache_level, "L2");
    ev.floor = 0.003;
    ev.band = 0.005;
    for (int pair = 0; pair < 20; pair++) {
        double a[8], b[8];

        for (int i = 0; i < 8; i++) {
            a[i] = 1000 + pair % 7 + i % 3;
            b[i] = (pair % 5 == 2 ? 4 : 1) * (900 + pair % 6 + i % 2);
            sum_a += a[i];
            sum_b += b[i];
        }
        add_pair(pair, a, b);
    }
    look = verdict();
    assert_true(sum_a / sum_b < 0.75); /* what the means would have said */
    assert_true(look.ratio > 1.08 && look.ratio < 1.12);
}

/* One window in eight of either side is slow: the medians of blocks do not see it. */
static void slow_windows_do_not_move_the_ratio(void **state)
{
    struct aisp_look_result look;

    (void)state;
    ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    strcpy(ev.cache_level, "L2");
    ev.floor = 0.003;
    ev.band = 0.005;
    for (int pair = 0; pair < 16; pair++) {
        double a[8], b[8];

        for (int i = 0; i < 8; i++) {
            a[i] = 1000 + (pair + i) % 3;
            b[i] = (i == pair % 8 ? 6 : 1) * (1000 + (pair + 2 * i) % 3);
        }
        add_pair(pair, a, b);
    }
    look = verdict();
    assert_true(fabs(look.centre) < 0.003);
}

/* ---- a gate that fires on identical code ---- */

static double uniform(struct aisp_dice *dice)
{
    return ((double)aisp_dice_u32(dice) + 0.5) / 4294967296.0;
}

static void identical_code_is_not_called_faster_or_slower(void **state)
{
    enum { TRIALS = 400, LOOKS = 6 };
    const struct aisp_verdict_rules rules = aisp_verdict_rules_default(false, 0);
    const struct aisp_key key = { { 'i' } };
    struct aisp_dice dice;
    int n_false = 0;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct aisp_look_result look = { 0 };
        double m[90];

        for (int i = 0; i < 90; i++)
            m[i] = 0.06 * (uniform(&dice) + uniform(&dice) + uniform(&dice) + uniform(&dice) - 2);
        for (int i = 0; i < LOOKS && !look.decided; i++) {
            const struct aisp_look_input in = { .pairs = m,
                                                .n_pairs = (size_t)rules.looks[i],
                                                .is_last = i == LOOKS - 1 };

            assert_int_equal(aisp_verdict_look(&rules, &in, &look, NULL), AISP_OK);
        }
        n_false += look.verdict == AISP_FASTER || look.verdict == AISP_SLOWER;
    }
    assert_true(n_false <= TRIALS / 50);
}

/* ---- a tolerance argument that is ignored; equal infinities; an order that does not visit all ---- */

static void one_over(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = 1 / (double)x[i];
}

static const struct aisp_param one_params[] = { { "n", 70, 70, 0, 1, 128, 1 }, { 0 } };
static const struct aisp_tensor one_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static struct aisp_problem one_problem(double ulps, double norm)
{
    return (struct aisp_problem){
        .abi = AISP_ABI,
        .title = "One over",
        .teaches = "nothing",
        .goal = AISP_SPEED,
        .param = one_params,
        .tensor = one_tensors,
        .bytes = "8*n",
        .flops = "n",
        .tolerance = { .ulps = ulps, .norm = norm, .why = "one division" },
        .reference = one_over,
    };
}

static struct aisp_comparison judge(double ulps, double norm, int n, const float *x, const float *y)
{
    const struct aisp_problem problem = one_problem(ulps, norm);
    const void *const tensor[] = { x, NULL };
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_comparison answer = { 0 };
    struct aisp_instance inst;
    char set[24];
    const char *const sets[] = { set };
    struct aisp_question q = { .inst = &inst, .tensor = 1, .n_rows = n, .got = y };

    snprintf(set, sizeof set, "n=%d", n);
    assert_int_equal(aisp_instance_init(&inst, &problem, AISP_SIZE_DEFAULT, sets, 1, NULL),
                     AISP_OK);
    q.view = (struct aisp_view){ tensor, inst.param };
    aisp_judge(&q, &scratch, &answer);
    aisp_buf_release(&scratch);
    return answer;
}

static void answers(int n, float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        x[i] = 0.75f + 0.01f * (float)i;
        y[i] = 1 / x[i];
    }
}

static void the_declared_tolerance_decides(void **state)
{
    float x[70], y[70];

    (void)state;
    answers(70, x, y);
    y[41] *= 1 + 24 * 0x1p-24f;
    assert_int_equal(judge(2, 0, 70, x, y).kind, AISP_WRONG_VALUE);
    assert_int_equal(judge(2, 0, 70, x, y).first_wrong, 41);
    assert_int_equal(judge(64, 0, 70, x, y).kind, AISP_RIGHT);
    for (int i = 0; i < 70; i++)
        y[i] = 1 / x[i] * (1 + 24 * 0x1p-24f); /* each one inside, all of them to one side */
    assert_int_equal(judge(64, 0, 70, x, y).kind, AISP_RIGHT);
    assert_int_equal(judge(64, 4 * 0x1p-24, 70, x, y).kind, AISP_WRONG_NORM);
}

static void equal_infinities_are_no_error_and_others_are(void **state)
{
    float x[70], y[70];

    (void)state;
    answers(70, x, y);
    x[7] = 0;
    x[8] = -0.0f;
    y[7] = INFINITY;
    y[8] = -INFINITY;
    assert_int_equal(judge(2, 0, 70, x, y).kind, AISP_RIGHT);
    y[8] = INFINITY;
    assert_int_equal(judge(2, 0, 70, x, y).n_wrong, 1);
    assert_int_equal(judge(2, 0, 70, x, y).first_wrong, 8);
    y[8] = -INFINITY;
    y[9] = INFINITY;
    assert_int_equal(judge(2, 0, 70, x, y).first_wrong, 9);
    y[9] = 1 / x[9];
    y[7] = 3e38f;
    assert_int_equal(judge(2, 0, 70, x, y).first_wrong, 7);
}

static void one_wrong_element_is_found_wherever_it_is(void **state)
{
    float x[70], y[70];

    (void)state;
    for (int n = 1; n <= 70; n++) {
        answers(n, x, y);
        for (int at = 0; at < n; at++) {
            const float right = y[at];
            struct aisp_comparison answer;

            y[at] = right * 1.01f;
            answer = judge(2, 0, n, x, y);
            assert_int_equal(answer.n_wrong, 1);
            assert_int_equal(answer.first_wrong, at);
            y[at] = right;
        }
    }
}

/* However few rows a look can afford: after enough looks each row was among them, first and last as often as others. */
static void the_secret_sample_visits_every_row(void **state)
{
    enum { MOST_ROWS = 23, LOOKS = 6000 };
    const struct aisp_key key = { { 'v' } };
    struct aisp_dice dice;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (int rows = 1; rows <= MOST_ROWS; rows += rows < 9 ? 1 : 7)
        for (int n = 1; n <= rows; n++) {
            int visits[MOST_ROWS] = { 0 };

            for (int look = 0; look < LOOKS; look++) {
                struct aisp_range range[AISP_MAX_RANGES];
                const int n_ranges = aisp_ranges_draw(&dice, rows, n, range);

                for (int k = 0; k < n_ranges; k++)
                    for (int64_t i = 0; i < range[k].n; i++)
                        visits[range[k].first + i]++;
            }
            for (int row = 0; row < rows; row++)
                if (visits[row] < LOOKS * n / rows / 4)
                    fail_msg("row %d of %d was looked at %d times in %d looks at %d rows", row,
                             rows, visits[row], LOOKS, n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_failed_variant_has_no_ratio, scene_release),
        cmocka_unit_test(without_its_clock_nothing_is_timed),
        cmocka_unit_test_teardown(the_number_of_calls_does_not_depend_on_what_filling_costs,
                                  scene_release),
        cmocka_unit_test_teardown(a_device_that_heats_up_makes_neither_side_win, scene_release),
        cmocka_unit_test_teardown(the_middle_of_pairs_is_compared_and_no_mean_of_two_modes,
                                  scene_release),
        cmocka_unit_test_teardown(slow_windows_do_not_move_the_ratio, scene_release),
        cmocka_unit_test(identical_code_is_not_called_faster_or_slower),
        cmocka_unit_test(the_declared_tolerance_decides),
        cmocka_unit_test(equal_infinities_are_no_error_and_others_are),
        cmocka_unit_test(one_wrong_element_is_found_wherever_it_is),
        cmocka_unit_test(the_secret_sample_visits_every_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
