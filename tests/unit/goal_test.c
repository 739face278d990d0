/* goal_test.c - figures of the goals, made from evidence by hand; the memory verdict; and memory that a real worker cannot hide. */
#include <math.h>

#include "tests/fixtures/session.h"

#include "core/goal.h"
#include "core/run/run.h"

static void add_window(struct aisp_evidence *ev, int32_t pair, int side, int64_t ns)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

    *w = (struct aisp_window){
        .pair = pair, .side = (int8_t)side, .kind = AISP_WINDOW_TIMED, .calls = 1, .window_ns = ns
    };
}

static void add_pair(struct aisp_evidence *ev, int32_t pair, bool is_control)
{
    struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

    *p = (struct aisp_pair){ .pair = pair, .complete = true, .is_control = is_control };
}

/* ---- latency and throughput ---- */

static void latency_compares_the_99th_percentile_of_a_pair(void **state)
{
    struct aisp_evidence ev = { .goal = AISP_LATENCY };
    double *m, *control;
    int n, n_control;

    (void)state;
    add_pair(&ev, 0, false);
    for (int i = 0; i < 101; i++) { /* the same median, but every tenth call of A is slow */
        add_window(&ev, 0, AISP_A, i % 10 ? 1000 : 8000);
        add_window(&ev, 0, AISP_B, 1000);
    }
    aisp_evidence_pairs(&ev, &m, &n, &control, &n_control);
    assert_int_equal(n, 1);
    assert_true(fabs(m[0] - log(8)) < 1e-9);
    free(m);
    free(control);
    aisp_evidence_release(&ev);
}

static void latency_of_few_calls_is_no_estimate(void **state)
{
    struct aisp_evidence ev = { .goal = AISP_LATENCY };
    int n, n_control;

    (void)state;
    add_pair(&ev, 0, false);
    for (int i = 0; i < AISP_GOAL_LEAST_SAMPLES - 1; i++) {
        add_window(&ev, 0, AISP_A, 1000);
        add_window(&ev, 0, AISP_B, 1000);
    }
    aisp_evidence_pairs(&ev, NULL, &n, NULL, &n_control);
    assert_int_equal(n, 0);
    aisp_evidence_release(&ev);
}

static void throughput_compares_the_time_of_all_windows(void **state)
{
    struct aisp_evidence ev = { .goal = AISP_THROUGHPUT };
    int n, n_control;
    double *m;

    (void)state;
    add_pair(&ev, 0, false);
    for (int i = 0; i < 10; i++) {
        add_window(&ev, 0, AISP_A, i ? 1000 : 11000);
        add_window(&ev, 0, AISP_B, 1000);
    }
    aisp_evidence_pairs(&ev, &m, &n, NULL, &n_control);
    assert_int_equal(n, 1);
    assert_true(fabs(m[0] - log(2)) < 1e-9);
    assert_true(fabs(aisp_goal_calls_per_second(&ev, AISP_A) - 5e5) < 1);
    free(m);
    aisp_evidence_release(&ev);
}

/* ---- servers ---- */

static void add_trace(struct aisp_evidence *ev, int32_t pair, int side, int64_t first_after_ns,
                      int64_t blur_ns)
{
    struct aisp_service *s = &ev->service;
    struct aisp_trace *t = aisp_grow(&s->trace, &s->n_traces, &s->cap_traces, sizeof *t);

    *t = (struct aisp_trace){ .pair = pair,
                              .side = (int8_t)side,
                              .kind = AISP_WINDOW_TIMED,
                              .n_requests = 50,
                              .first = (int64_t)s->n_times,
                              .blur_ns = blur_ns,
                              .span_ns = 1000000 };
    for (int i = 0; i < 50; i++) {
        struct aisp_request_times *r = aisp_grow(&s->times, &s->n_times, &s->cap_times, sizeof *r);

        *r = (struct aisp_request_times){ 1000 * i, 1000 * i + first_after_ns,
                                          1000 * i + first_after_ns + 300, 4 };
    }
}

static void serve(struct aisp_evidence *ev, int64_t blur_ns)
{
    *ev = (struct aisp_evidence){ .goal = AISP_LATENCY };
    ev->service =
        (struct aisp_service){ .process = 1, .figure = 1, .ttft_slo_ns = 3000, .tpot_slo_ns = 200 };
    add_pair(ev, 0, false);
    add_trace(ev, 0, AISP_A, 4000, blur_ns);
    add_trace(ev, 0, AISP_B, 2000, blur_ns);
}

static void servers_are_compared_by_their_own_figure(void **state)
{
    struct aisp_evidence ev;
    int n, n_control;
    double *m;

    (void)state;
    serve(&ev, 0);
    aisp_evidence_pairs(&ev, &m, &n, NULL, &n_control);
    assert_int_equal(n, 1);
    assert_true(fabs(m[0] - log(2)) < 1e-9);
    free(m);
    ev.service.figure = 2;
    aisp_evidence_pairs(&ev, &m, &n, NULL, &n_control);
    assert_true(fabs(m[0]) < 1e-9); /* 100 ns a token on both sides */
    free(m);
    aisp_evidence_release(&ev);
}

static void goodput_counts_requests_inside_the_objective(void **state)
{
    struct aisp_evidence ev;
    double share, per_second;

    (void)state;
    serve(&ev, 0);
    aisp_goal_goodput(&ev, AISP_A, &share, &per_second);
    assert_true(share == 0 && per_second == 0);
    aisp_goal_goodput(&ev, AISP_B, &share, &per_second);
    assert_true(share == 1 && fabs(per_second - 50000) < 1);
    aisp_evidence_release(&ev);
}

static void stamps_that_are_far_apart_widen_every_verdict(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    serve(&ev, 20);
    assert_true(fabs(aisp_goal_slack(&ev) - log1p(0.01)) < 1e-9);
    aisp_evidence_release(&ev);
    serve(&ev, 2000);
    assert_true(aisp_goal_slack(&ev) > 0.6);
    aisp_evidence_release(&ev);
}

/* ---- memory ---- */

static struct aisp_evidence remember(int64_t a, int64_t b, int n_proven)
{
    struct aisp_evidence ev = { .goal = AISP_MEMORY, .floor = 0.003, .band = 0.005 };

    ev.footprint[AISP_A] = (struct aisp_footprint){ 3, { a, a, a }, 0, 2, 2, a };
    ev.footprint[AISP_B] =
        (struct aisp_footprint){ 3, { b, b + 4096, b }, 0, 2, n_proven, b + 4096 };
    return ev;
}

static enum aisp_verdict verdict_of(const struct aisp_evidence *ev, struct aisp_look_result *look)
{
    assert_int_equal(aisp_run_verdict(ev, look, NULL), AISP_OK);
    return look->verdict;
}

static void less_memory_is_better_when_every_repeat_says_so(void **state)
{
    struct aisp_evidence ev = remember(8 << 20, 1 << 20, 2);
    struct aisp_look_result look;

    (void)state;
    assert_int_equal(verdict_of(&ev, &look), AISP_FASTER);
    assert_true(look.lo95 <= look.ratio && look.ratio <= look.hi95 && look.lo95 > 7.9);
    ev = remember(1 << 20, 8 << 20, 2);
    assert_int_equal(verdict_of(&ev, &look), AISP_SLOWER);
    ev = remember(1 << 20, 1 << 20, 2);
    assert_int_equal(verdict_of(&ev, &look), AISP_SAME);
}

static void memory_that_did_not_hold_as_a_limit_has_no_verdict(void **state)
{
    struct aisp_evidence ev = remember(8 << 20, 1 << 20, 1);
    struct aisp_look_result look;

    (void)state;
    assert_int_equal(verdict_of(&ev, &look), AISP_UNSURE);
    assert_int_equal(look.reason, AISP_REASON_UNPROVEN);
    ev.footprint[AISP_B].n_repeats = 2;
    assert_int_equal(aisp_run_verdict(&ev, &look, NULL), AISP_E_USAGE);
}

/* A worker of this fixture, measured. */
static struct aisp_reach reach_of(const char *fixture)
{
    struct aisp_reach reach = { 0 };
    struct aisp_window w;
    enum aisp_status st;
    struct session_rig r;

    session_prepare(&r, fixture, NULL, 1000);
    r.spec.is_measured = true;
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    st = r.cpu->reach(r.session, AISP_A, &reach, &r.err);
    session_close(&r);
    if (st == AISP_E_UNAVAILABLE)
        skip();
    return reach;
}

static void memory_given_back_before_the_reading_counts(void **state)
{
    const struct aisp_reach quiet = reach_of("honest"), hidden = reach_of("gives_back");

    (void)state;
    assert_true(quiet.peak_bytes >= 0 && quiet.peak_bytes < 4 << 20);
    assert_true(hidden.peak_bytes > quiet.peak_bytes + (7 << 20));
    assert_int_equal(hidden.n_descriptors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_compares_the_99th_percentile_of_a_pair),
        cmocka_unit_test(latency_of_few_calls_is_no_estimate),
        cmocka_unit_test(throughput_compares_the_time_of_all_windows),
        cmocka_unit_test(servers_are_compared_by_their_own_figure),
        cmocka_unit_test(goodput_counts_requests_inside_the_objective),
        cmocka_unit_test(stamps_that_are_far_apart_widen_every_verdict),
        cmocka_unit_test(less_memory_is_better_when_every_repeat_says_so),
        cmocka_unit_test(memory_that_did_not_hold_as_a_limit_has_no_verdict),
        cmocka_unit_test(memory_given_back_before_the_reading_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
