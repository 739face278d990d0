/* serving_test.c - rings that somebody hostile writes, stamps, schedules, what is judged of a server, and its record. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/buf.h"
#include "core/evidence.h"
#include "core/run/serve.h"

enum { CAPACITY = 6, N = 3, MOST = 4 };

static int32_t ring[4 * (CAPACITY + 1)];
static struct aisp_seen_token token[CAPACITY];
static int64_t time_ns;

static int64_t tell(void *clock)
{
    return *(int64_t *)clock;
}

static struct aisp_ring_reader new_reader(void)
{
    memset(ring, 0, sizeof ring);
    memset(token, 0, sizeof token);
    return (struct aisp_ring_reader){ .ring = ring, .capacity = CAPACITY, .token = token };
}

static int64_t read_at(struct aisp_ring_reader *r, int64_t looked_ns, int64_t now_ns)
{
    time_ns = now_ns;
    return aisp_ring_read(r, looked_ns, tell, &time_ns);
}

/* ---- reading ---- */

static void ring_rows_are_stamped_when_they_are_seen(void **state)
{
    struct aisp_ring_reader r = new_reader();

    (void)state;
    aisp_emit(ring, 2, 0, 17);
    assert_int_equal(read_at(&r, 100, 130), 1);
    aisp_emit(ring, 2, 1, 18);
    aisp_emit(ring, 0, 0, 19);
    assert_int_equal(read_at(&r, 130, 170), 2);
    assert_int_equal(read_at(&r, 170, 190), 0);
    assert_int_equal(token[0].stamp_ns, 130);
    assert_int_equal(token[0].blur_ns, 30);
    assert_int_equal(token[2].stamp_ns, 170);
    assert_int_equal(token[2].blur_ns, 40);
    assert_int_equal(token[1].token, 18);
    assert_int_equal(r.flaw, AISP_EMISSION_RIGHT);
}

static void ring_rows_that_change_later_count_as_they_were(void **state)
{
    struct aisp_ring_reader r = new_reader();

    (void)state;
    aisp_emit(ring, 1, 0, -5);
    read_at(&r, 0, 10);
    ring[4 + 2] = 42;
    assert_int_equal(read_at(&r, 10, 20), 0);
    assert_int_equal(token[0].token, -5);
}

static void ring_rows_published_before_they_are_whole_count_torn(void **state)
{
    struct aisp_ring_reader r = new_reader();

    (void)state;
    ring[0] = 1; /* the row itself comes later */
    assert_int_equal(read_at(&r, 0, 10), 1);
    ring[4] = 1;
    ring[6] = 42;
    assert_int_equal(token[0].token, 0);
}

static void ring_count_that_goes_back_stops_the_reading(void **state)
{
    struct aisp_ring_reader r = new_reader();

    (void)state;
    aisp_emit(ring, 0, 0, 1);
    aisp_emit(ring, 0, 1, 2);
    read_at(&r, 0, 10);
    ring[0] = 1;
    assert_int_equal(read_at(&r, 10, 20), 0);
    assert_int_equal(r.flaw, AISP_EMISSION_BACKWARDS);
    assert_int_equal(r.claimed, 1);
    ring[0] = 3;
    assert_int_equal(read_at(&r, 20, 30), 0);
    assert_int_equal(r.n, 2);
}

static void ring_count_beyond_the_ring_reads_nothing(void **state)
{
    static const int32_t bad[] = { CAPACITY + 1, INT32_MAX, -1, INT32_MIN };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct aisp_ring_reader r = new_reader();

        ring[0] = bad[i];
        assert_int_equal(read_at(&r, 0, 10), 0);
        assert_int_equal(r.n, 0);
        assert_int_equal(r.flaw, bad[i] < 0 ? AISP_EMISSION_BACKWARDS : AISP_EMISSION_OVERFLOW);
    }
}

static void ring_takes_as_many_rows_as_it_holds(void **state)
{
    struct aisp_ring_reader r = new_reader();

    (void)state;
    for (int i = 0; i < CAPACITY; i++)
        aisp_emit(ring, 0, i, i);
    assert_int_equal(read_at(&r, 0, 10), CAPACITY);
    assert_int_equal(r.flaw, AISP_EMISSION_RIGHT);
}

/* ---- judging ---- */

/* Requests of 2, 1 and 3 tokens, there at 10, 20 and 30. */
static const int64_t published[N] = { 10, 20, 30 }, n_answer[N] = { 2, 1, 3 };
static const int32_t answer[N * MOST] = { 5, 6, 0, 0, 7, 0, 0, 0, 1, 2, 3, 0 };
static const int32_t before[N * MOST] = { 9, 9, 0, 0, 9, 0, 0, 0, 9, 9, 9, 0 };
static const struct aisp_seen_token right[] = {
    { 0, 0, 5, 12, 1 }, { 1, 0, 7, 25, 1 }, { 0, 1, 6, 26, 1 },
    { 2, 0, 1, 31, 1 }, { 2, 1, 2, 32, 1 }, { 2, 2, 3, 40, 1 },
};

static void judge(const struct aisp_seen_token *seen, int64_t n, struct aisp_request_times *times,
                  struct aisp_serve_answer *a)
{
    const struct aisp_served_trace served = {
        N, MOST, n, seen, published, n_answer, answer, before
    };

    aisp_serve_judge(&served, times, a);
}

static int64_t n_flaws(const struct aisp_serve_answer *a)
{
    int64_t n = a->wrong.n;

    for (int k = 0; k < AISP_N_EMISSION_FLAWS; k++)
        n += a->flaw[k].n;
    return n;
}

static void judge_finds_nothing_in_what_is_right(void **state)
{
    struct aisp_request_times times[N];
    struct aisp_serve_answer a;

    (void)state;
    judge(right, 6, times, &a);
    assert_int_equal(n_flaws(&a), 0);
    assert_int_equal(times[0].first_ns, 12);
    assert_int_equal(times[0].last_ns, 26);
    assert_int_equal(times[2].first_ns, 31);
    assert_int_equal(times[2].n_tokens, 3);
}

static void judge_with(int at, struct aisp_seen_token other, struct aisp_serve_answer *a)
{
    struct aisp_seen_token seen[6];
    struct aisp_request_times times[N];

    memcpy(seen, right, sizeof seen);
    seen[at] = other;
    judge(seen, 6, times, a);
}

static void judge_finds_tokens_before_their_request(void **state)
{
    struct aisp_serve_answer a;

    (void)state;
    judge_with(1, (struct aisp_seen_token){ 1, 0, 7, 19, 1 }, &a);
    assert_int_equal(a.flaw[AISP_EMISSION_EARLY].n, 1);
    assert_int_equal(n_flaws(&a), 1);
}

static void judge_finds_repeated_and_missing_tokens(void **state)
{
    struct aisp_serve_answer a;

    (void)state;
    judge_with(2, (struct aisp_seen_token){ 0, 0, 5, 26, 1 }, &a);
    assert_int_equal(a.flaw[AISP_EMISSION_REPEATED].n, 1);
    assert_int_equal(a.flaw[AISP_EMISSION_UNSERVED].n, 1);
    assert_int_equal(a.flaw[AISP_EMISSION_UNSERVED].first.request, 0);
}

static void judge_finds_tokens_of_no_request(void **state)
{
    static const int32_t bad[] = { -1, N, INT32_MAX, INT32_MIN };
    struct aisp_serve_answer a;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        judge_with(0, (struct aisp_seen_token){ bad[i], 0, 5, 12, 1 }, &a);
        assert_int_equal(a.flaw[AISP_EMISSION_UNKNOWN].n, 1);
    }
}

static void judge_finds_tokens_beyond_the_end_of_a_request(void **state)
{
    struct aisp_serve_answer a;

    (void)state;
    judge_with(2, (struct aisp_seen_token){ 1, 1, 0, 26, 1 }, &a);
    assert_int_equal(a.flaw[AISP_EMISSION_REPEATED].n, 1);
    judge_with(0, (struct aisp_seen_token){ 0, INT32_MAX, 5, 12, 1 }, &a);
    assert_int_equal(a.flaw[AISP_EMISSION_REPEATED].n, 2);
}

static void judge_tells_stale_tokens_from_wrong_ones(void **state)
{
    struct aisp_serve_answer a;

    (void)state;
    judge_with(3, (struct aisp_seen_token){ 2, 0, 9, 31, 1 }, &a);
    assert_int_equal(a.wrong.n, 1);
    assert_int_equal(a.n_stale, 1);
    judge_with(3, (struct aisp_seen_token){ 2, 0, 8, 31, 1 }, &a);
    assert_int_equal(a.wrong.n, 1);
    assert_int_equal(a.n_stale, 0);
    assert_int_equal(a.wrong.expected, 1);
}

/* ---- schedules ---- */

static void schedules_ascend_and_keep_their_rate(void **state)
{
    enum { MANY = 200000 };
    static int64_t due_ns[MANY];
    const struct aisp_key key = { { 3 } };

    (void)state;
    for (int process = AISP_POISSON; process <= AISP_LONG_TAIL; process++) {
        struct aisp_dice dice;
        int n_together = 0;
        double rate;

        aisp_dice_init(&dice, &key);
        aisp_serve_schedule((enum aisp_process)process, 1000000, &dice, due_ns, MANY);
        for (int i = 1; i < MANY; i++) {
            assert_true(due_ns[i] >= due_ns[i - 1]);
            n_together += due_ns[i] == due_ns[i - 1];
        }
        rate = MANY * 1e9 / (double)due_ns[MANY - 1];
        /* Of the long tail the longest gaps are cut, and what is left of its mean comes slowly. */
        assert_true(fabs(rate / 1e6 - 1) < (process == AISP_LONG_TAIL ? 0.25 : 0.03));
        assert_true(process == AISP_BURSTY ? n_together > MANY * 8 / 10 : n_together < MANY / 100);
    }
}

/* ---- the record ---- */

static void fill(struct aisp_service *s)
{
    struct aisp_trace *t;
    struct aisp_request_times *r;

    *s = (struct aisp_service){ .process = AISP_BURSTY,
                                .figure = AISP_TPOT,
                                .n_requests = 2,
                                .per_second = 900,
                                .ttft_slo_ns = 7,
                                .tpot_slo_ns = 8 };
    for (int i = 0; i < 3; i++) {
        t = aisp_grow(&s->trace, &s->n_traces, &s->cap_traces, sizeof *t);
        *t = (struct aisp_trace){ .pair = i,
                                  .block = 1,
                                  .index = 4,
                                  .side = AISP_B,
                                  .kind = AISP_WINDOW_TIMED,
                                  .n_requests = 2,
                                  .n_tokens = 5,
                                  .first = 2 * i,
                                  .late_ns = 6,
                                  .blur_ns = 7,
                                  .span_ns = 8 };
        for (int k = 0; k < 2; k++) {
            r = aisp_grow(&s->times, &s->n_times, &s->cap_times, sizeof *r);
            *r = (struct aisp_request_times){ 10 * i, 11 * i, 12 * i, k + 1 };
        }
    }
    aisp_service_chain(s, s->chain);
}

static void service_comes_back_from_json(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };
    json_t *json;
    char chain[65];

    (void)state;
    fill(&ev.service);
    ev.footprint[AISP_A] = (struct aisp_footprint){ 3, { 10, 11, 12 }, 5, 2, 2, 4096 };
    json = aisp_evidence_to_json(&ev);
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_OK);
    assert_int_equal(back.service.n_times, 6);
    assert_memory_equal(back.service.times, ev.service.times, 6 * sizeof *ev.service.times);
    assert_int_equal(back.service.trace[2].first, 4);
    assert_int_equal(back.service.tpot_slo_ns, 8);
    aisp_service_chain(&back.service, chain);
    assert_string_equal(chain, ev.service.chain);
    assert_memory_equal(&back.footprint, &ev.footprint, sizeof ev.footprint);
    json_decref(json);
    aisp_evidence_release(&back);
    aisp_evidence_release(&ev);
}

static void service_chain_changes_with_any_stamp(void **state)
{
    struct aisp_service s;
    char chain[65];

    (void)state;
    fill(&s);
    s.times[4].first_ns--;
    aisp_service_chain(&s, chain);
    assert_string_not_equal(chain, s.chain);
    aisp_service_release(&s);
}

static void service_with_requests_that_are_not_there_is_refused(void **state)
{
    struct aisp_service s, back;
    struct aisp_err err = { 0 };
    json_t *json;

    (void)state;
    fill(&s);
    s.n_times--;
    json = aisp_service_to_json(&s);
    assert_int_equal(aisp_service_from_json(json, &back, &err), AISP_E_IO);
    json_decref(json);
    aisp_service_release(&s);
}

/* ---- what a declaration may say ---- */

static int64_t one_token(const struct aisp_view *in, int64_t request, int32_t *t, int64_t most)
{
    (void)in, (void)request, (void)most;
    t[0] = 0;
    return 1;
}

static int64_t all_right(const struct aisp_view *in, const void *const *out, char *why, int size)
{
    (void)in, (void)out, (void)why, (void)size;
    return 0;
}

static const struct aisp_param params[] = { { "n", 8, 4, 0, 2, 8, 1 }, { 0 } };
struct declared {
    struct aisp_tensor tensor[3];
    struct aisp_serving serving;
    struct aisp_problem problem;
};

static struct declared *declare(struct declared *d)
{
    *d = (struct declared){
        .tensor = { { "in", AISP_ARRIVALS, AISP_I32, "n + 1, 4", { AISP_INTEGERS, 0, 9 } },
                    { "out", AISP_EMISSIONS, AISP_I32, "2*n + 1, 4", { AISP_NO_FILL, 0, 0 } } },
        .serving = { AISP_POISSON, AISP_TTFT, "n", "1000", "2", "10", "10", one_token },
        .problem = { .abi = AISP_ABI,
                     .title = "t",
                     .teaches = "t",
                     .goal = AISP_LATENCY,
                     .param = params,
                     .bytes = "n",
                     .flops = "n",
                     .tolerance = { .why = "exact" } },
    };
    d->problem.tensor = d->tensor;
    d->problem.serving = &d->serving;
    return d;
}

static void refused(const struct declared *d, const char *because)
{
    struct aisp_err err = { 0 };

    assert_int_equal(aisp_problem_check(&d->problem, &err), AISP_E_REFUSED);
    if (!strstr(err.text, because))
        fail_msg("\"%s\" does not say \"%s\"", err.text, because);
}

static void declarations_of_servers_are_refused_by_what_is_wrong(void **state)
{
    struct declared d;

    (void)state;
    assert_int_equal(aisp_problem_check(&declare(&d)->problem, NULL), AISP_OK);
    declare(&d)->problem.serving = NULL;
    d.problem.accept = all_right;
    refused(&d, "needs serving");
    declare(&d)->problem.goal = AISP_SPEED;
    refused(&d, "a server's is latency");
    declare(&d)->tensor[1].dtype = AISP_I64;
    refused(&d, "is i32");
    declare(&d)->tensor[1].dims = "n + 1, 4";
    refused(&d, "emissions requests * tokens + 1");
    declare(&d)->tensor[0].dims = "n, 4";
    refused(&d, "requests + 1 rows");
    declare(&d)->serving.answer = NULL;
    refused(&d, "answer is missing");
    declare(&d)->serving.per_second = "n -";
    refused(&d, "per_second");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_rows_are_stamped_when_they_are_seen),
        cmocka_unit_test(ring_rows_that_change_later_count_as_they_were),
        cmocka_unit_test(ring_rows_published_before_they_are_whole_count_torn),
        cmocka_unit_test(ring_count_that_goes_back_stops_the_reading),
        cmocka_unit_test(ring_count_beyond_the_ring_reads_nothing),
        cmocka_unit_test(ring_takes_as_many_rows_as_it_holds),
        cmocka_unit_test(judge_finds_nothing_in_what_is_right),
        cmocka_unit_test(judge_finds_tokens_before_their_request),
        cmocka_unit_test(judge_finds_repeated_and_missing_tokens),
        cmocka_unit_test(judge_finds_tokens_of_no_request),
        cmocka_unit_test(judge_finds_tokens_beyond_the_end_of_a_request),
        cmocka_unit_test(judge_tells_stale_tokens_from_wrong_ones),
        cmocka_unit_test(schedules_ascend_and_keep_their_rate),
        cmocka_unit_test(declarations_of_servers_are_refused_by_what_is_wrong),
        cmocka_unit_test(service_comes_back_from_json),
        cmocka_unit_test(service_chain_changes_with_any_stamp),
        cmocka_unit_test(service_with_requests_that_are_not_there_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
