/* ranks_test.c - a problem multiplied by its ranks; and sessions of the CPU device in which several workers make one side, with
 * one of them that dies, hangs, fails or is killed. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/backend.h"
#include "core/base/buf.h"

enum { X, Y, N_DECLARED };
enum { HONEST, ABORTS, LOOPS, KILLS_ITSELF, FAILS, SAYS_PID, SENDS_LONGER };

static const struct aisp_param params[] = {
    { "n", 2048, 1024, 0, 1024, 4096, 1 },
    { "how", 1, 1, 0, 1, 1, 1 },
    { "team", 2, 2, 0, 2, 8, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_tensor cut_tensors[] = {
    { "x", AISP_IN, AISP_F32, "(rank+1)*n/ranks - rank*n/ranks, 3", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rank + 1", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void no_reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)in, (void)out, (void)first;
    memset(to, 0, (size_t)n * sizeof(double));
}

#define TEAM(rank_text, of_tensors)                                                                \
    {                                                                                              \
        .abi = AISP_ABI, .title = "Team", .teaches = "nothing", .goal = AISP_SPEED,                \
        .param = params, .tensor = of_tensors, .bytes = "8*n*ranks", .flops = "n*ranks",           \
        .tolerance = { .ulps = 2, .why = "a sum" }, .reference = no_reference, .ranks = rank_text  \
    }

static const struct aisp_problem team = TEAM("team", tensors), cut = TEAM("3", cut_tensors),
                                 crowd = TEAM("17", tensors);
static struct aisp_problem wired = TEAM("team", tensors);

static void the_instance_has_the_tensors_of_every_rank(void **state)
{
    struct aisp_instance inst;

    (void)state;
    assert_int_equal(aisp_problem_check(&cut, NULL), AISP_OK);
    assert_int_equal(aisp_instance_init(&inst, &cut, AISP_SIZE_QUICK, NULL, 0, NULL), AISP_OK);
    assert_int_equal(inst.n_ranks, 3);
    assert_int_equal(inst.n_declared, 2);
    assert_int_equal(inst.n_tensors, 6);
    assert_int_equal(inst.bytes, 8 * 1024 * 3);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(inst.extent[2 * r + X].rows, (r + 1) * 1024 / 3 - r * 1024 / 3);
        assert_int_equal(inst.extent[2 * r + X].row_elements, 3);
        assert_int_equal(inst.extent[2 * r + Y].rows, r + 1);
        assert_int_equal(inst.problem->tensor[2 * r + X].role, AISP_IN);
        assert_int_equal(inst.problem->tensor[2 * r + Y].role, AISP_OUT);
    }
    assert_string_equal(inst.problem->tensor[5].name, "y@2");
    assert_null(inst.problem->tensor[6].name);
}

static void an_expansion_is_made_once_and_leads_back(void **state)
{
    struct aisp_instance one, two, again;

    (void)state;
    assert_int_equal(aisp_instance_init(&one, &team, AISP_SIZE_QUICK, NULL, 0, NULL), AISP_OK);
    assert_int_equal(aisp_instance_init(&two, &team, AISP_SIZE_DEFAULT, NULL, 0, NULL), AISP_OK);
    assert_ptr_equal(one.problem, two.problem);
    assert_ptr_equal(aisp_ranks_declared(one.problem), &team);
    assert_int_equal(aisp_instance_init(&again, one.problem, AISP_SIZE_QUICK, NULL, 0, NULL),
                     AISP_OK);
    assert_ptr_equal(again.problem, one.problem);
    assert_int_equal(again.n_tensors, 4);
}

static void another_problem_in_the_same_place_is_another_expansion(void **state)
{
    struct aisp_problem moving = TEAM("2", tensors);
    const struct aisp_problem *first = aisp_ranks_expand(&moving, 2), *second;

    (void)state;
    moving.tensor = cut_tensors;
    second = aisp_ranks_expand(&moving, 2);
    assert_ptr_not_equal(first, second);
    assert_string_equal(second->tensor[2].dims, cut_tensors[0].dims);
    assert_string_equal(first->tensor[2].dims, "n");
}

static void one_rank_is_the_problem_itself(void **state)
{
    const struct aisp_problem alone = TEAM(NULL, tensors);
    struct aisp_instance inst;

    (void)state;
    assert_int_equal(aisp_instance_init(&inst, &alone, AISP_SIZE_QUICK, NULL, 0, NULL), AISP_OK);
    assert_ptr_equal(inst.problem, &alone);
    assert_int_equal(inst.n_ranks, 1);
    assert_int_equal(inst.n_declared, 2);
}

static void too_many_ranks_are_refused(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(aisp_problem_check(&crowd, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "ranks \"17\" is 17, above 16"));
}

static void messages_need_ranks_and_a_size(void **state)
{
    struct aisp_problem p = TEAM(NULL, tensors);
    struct aisp_err err = { 0 };

    (void)state;
    p.messages = "1";
    assert_int_equal(aisp_problem_check(&p, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "message_bytes is missing"));
    p.message_bytes = "n";
    assert_int_equal(aisp_problem_check(&p, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "messages without ranks"));
}

static void a_parameter_does_not_take_the_name_of_the_rank(void **state)
{
    static const struct aisp_param taken[] = { { "n", 2, 2, 0, 1, 2, 1 },
                                               { "rank", 1, 1, 0, 1, 1, 1 },
                                               { 0 } };
    struct aisp_problem p = TEAM("2", tensors);
    struct aisp_err err = { 0 };

    (void)state;
    p.param = taken;
    assert_int_equal(aisp_problem_check(&p, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "param rank"));
}

static void what_was_seen_of_ranks_survives_json(void **state)
{
    struct aisp_ranks ranks = { .n_ranks = 2,
                                .n_tensors = 3,
                                .bytes = { 10, 20 },
                                .team = AISP_STAGES,
                                .n_messages = 4,
                                .message_bytes = 8192,
                                .n_own_data = { 0, 5 },
                                .own_data_rank = { 0, 1 } };
    const struct aisp_rank_span span = { 3, 7, 1, 1, 40, 1000, 900, 20, -5, 160, 1310720 };
    const size_t first = offsetof(struct aisp_rank_span, rank) + sizeof span.rank;
    const size_t rest = sizeof span - offsetof(struct aisp_rank_span, calls);
    struct aisp_ranks back = { 0 };
    json_t *json;

    (void)state;
    *(struct aisp_rank_span *)aisp_grow(&ranks.span, &ranks.n_spans, &ranks.cap_spans,
                                        sizeof span) = span;
    json = aisp_ranks_to_json(&ranks);
    assert_int_equal(aisp_ranks_from_json(json, &back, NULL), AISP_OK);
    assert_memory_equal(&back, &ranks, offsetof(struct aisp_ranks, span));
    assert_int_equal(back.n_spans, 1);
    /* All members; what lies between them is nobody's. */
    assert_memory_equal(back.span, &span, first);
    assert_memory_equal(&back.span->calls, &span.calls, rest);
    json_decref(json);
    aisp_ranks_release(&ranks);
    aisp_ranks_release(&back);
}

static void ranks_out_of_range_are_no_evidence(void **state)
{
    struct aisp_ranks ranks = { .n_ranks = 2, .n_tensors = 1, .own_data_rank = { 0, 2 } },
                      back = { 0 };
    struct aisp_err err = { 0 };
    json_t *json = aisp_ranks_to_json(&ranks);

    (void)state;
    assert_int_equal(aisp_ranks_from_json(json, &back, &err), AISP_E_IO);
    json_object_set_new(json, "n_ranks", json_integer(99));
    assert_int_equal(aisp_ranks_from_json(json, &back, &err), AISP_E_IO);
    assert_int_equal(aisp_ranks_from_json(NULL, &back, &err), AISP_OK);
    json_decref(json);
}

/* ---- sessions ---- */

struct scene {
    struct aisp_instance inst;
    struct aisp_variant_ref ref;
    struct aisp_session_spec spec;
    struct aisp_session *session;
    struct aisp_observation seen;
    struct aisp_err err;
    const struct aisp_backend *cpu;
};

static void prepare(struct scene *s, const struct aisp_problem *problem, int how, int n_ranks)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(aisp_instance_init(&s->inst, problem, AISP_SIZE_QUICK,
                                        (const char *[]){ n_ranks == 8 ? "team=8" : "team=2" }, 1,
                                        NULL),
                     AISP_OK);
    s->inst.param[1] = how;
    s->ref.path = aisp_format("%s/fixtures/team.so", BUILD_DIR);
    s->cpu = aisp_backend_find("cpu");
    s->spec = (struct aisp_session_spec){ .inst = &s->inst,
                                          .variant = { &s->ref, &s->ref },
                                          .n_slots = 3,
                                          .n_threads = 1,
                                          .secret = { { 9 } },
                                          .setup_timeout_ns = 20000000000,
                                          .call_timeout_ns = 20000000000,
                                          .memory_limit_bytes = 256 << 20 };
}

static void fill(struct scene *s)
{
    for (int slot = 0; slot < 3; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++) {
            const struct aisp_key key = aisp_key_derive(&s->spec.secret, "test", slot, t, 0, 0);
            const struct aisp_philox p = aisp_philox_of(&key);

            assert_int_equal(t % N_DECLARED == X
                                 ? s->cpu->fill(s->session, slot, t, &p, 0, 0, &s->err)
                                 : s->cpu->poison(s->session, slot, t, &p, &s->err),
                             AISP_OK);
        }
}

static enum aisp_status take(struct scene *s, enum aisp_side side, struct aisp_window *w)
{
    static const int32_t slots[] = { 2, 0, 1 };
    const struct aisp_order order = { slots, 3, 9 };

    memset(w, 0, sizeof *w);
    return s->cpu->window(s->session, side, &order, w, &s->seen, &s->err);
}

static void done(struct scene *s)
{
    s->cpu->close(s->session);
    free(s->ref.path);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left */
}

static void assert_sums(struct scene *s, enum aisp_side side)
{
    const int64_t n = s->inst.param[0];
    float *y = aisp_xcalloc((size_t)n, sizeof *y);

    for (int slot = 0; slot < 3; slot++)
        for (int r = 0; r < s->inst.n_ranks; r++) {
            assert_int_equal(s->cpu->read(s->session, side, slot, r * N_DECLARED + Y, 0,
                                          (size_t)n * sizeof *y, y, &s->err),
                             AISP_OK);
            for (int64_t i = 0; i < n; i++) {
                double sum = 0;

                for (int of = 0; of < s->inst.n_ranks; of++)
                    sum += (double)((const float *)s->cpu->input(s->session, slot,
                                                                 of * N_DECLARED + X))[i];
                if (!(fabs((double)y[i] - sum) < 1e-5 * sum))
                    fail_msg("slot %d, rank %d, element %lld: %g, not %g", slot, r, (long long)i,
                             (double)y[i], sum);
            }
        }
    free(y);
}

static void ranks_meet_and_the_last_one_ends_the_window(void **state)
{
    struct aisp_rank_span span[AISP_MAX_RANKS];
    struct aisp_window w;
    struct scene s;

    (void)state;
    prepare(&s, &team, HONEST, 2);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    for (int side = AISP_A; side <= AISP_B; side++) {
        fill(&s);
        assert_int_equal(take(&s, (enum aisp_side)side, &w), AISP_OK);
        assert_sums(&s, (enum aisp_side)side);
        assert_int_equal(s.cpu->spans(s.session, (enum aisp_side)side, span, AISP_MAX_RANKS), 2);
        assert_true(span[0].end_ns > 0 && span[1].end_ns > 0);
        assert_int_equal(w.window_ns,
                         span[0].end_ns > span[1].end_ns ? span[0].end_ns : span[1].end_ns);
        assert_true(span[0].cpu_ns > 0 && span[1].cpu_ns > 0);
        assert_int_equal(span[0].n_sent, -1);
    }
    done(&s);
}

static void more_ranks_than_cores_come_to_an_end(void **state)
{
    struct aisp_window w;
    struct scene s;

    (void)state;
    prepare(&s, &team, HONEST, 8);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    for (int i = 0; i < 3; i++) {
        fill(&s);
        assert_int_equal(take(&s, AISP_B, &w), AISP_OK);
        assert_sums(&s, AISP_B);
    }
    done(&s);
}

static void assert_rank_1_is_blamed(int how, enum aisp_seen what, const char *words)
{
    struct aisp_window w;
    struct scene s;

    prepare(&s, &team, how, 2);
    s.spec.call_timeout_ns = 500000000;
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    fill(&s);
    assert_int_equal(take(&s, AISP_B, &w), AISP_E_WORKER);
    assert_int_equal(s.seen.what, what);
    assert_int_equal(s.seen.side, AISP_B);
    if (strncmp(s.seen.detail, "rank 1: ", 8) || !strstr(s.seen.detail, words))
        fail_msg("\"%s\"", s.seen.detail);
    done(&s);
}

static void a_rank_that_dies_is_blamed_though_another_waits_for_it(void **state)
{
    (void)state;
    assert_rank_1_is_blamed(ABORTS, AISP_SEEN_SIGNAL, "SIGABRT");
}

static void a_rank_that_is_killed_in_a_window_is_blamed(void **state)
{
    (void)state;
    assert_rank_1_is_blamed(KILLS_ITSELF, AISP_SEEN_SIGNAL, "SIGKILL");
}

static void of_ranks_that_do_not_answer_the_one_that_runs_is_blamed(void **state)
{
    (void)state;
    assert_rank_1_is_blamed(LOOPS, AISP_SEEN_HANG, "no answer");
}

static void a_rank_that_fails_is_not_waited_for_by_way_of_the_others(void **state)
{
    (void)state;
    assert_rank_1_is_blamed(FAILS, AISP_SEEN_BAD_STATUS, "run() returned status");
}

static pid_t pid_of(struct scene *s, int rank)
{
    float pid = 0;

    assert_int_equal(
        s->cpu->read(s->session, AISP_A, 0, rank * N_DECLARED + Y, 0, sizeof pid, &pid, &s->err),
        AISP_OK);
    return (pid_t)pid;
}

static void a_rank_killed_between_windows_is_blamed(void **state)
{
    struct aisp_window w;
    struct scene s;

    (void)state;
    prepare(&s, &team, SAYS_PID, 2);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    fill(&s);
    assert_int_equal(take(&s, AISP_A, &w), AISP_OK);
    assert_int_equal(kill(pid_of(&s, 1), SIGKILL), 0);
    assert_int_equal(take(&s, AISP_A, &w), AISP_E_WORKER);
    assert_int_equal(s.seen.what, AISP_SEEN_SIGNAL);
    assert_int_equal(s.seen.side, AISP_A);
    assert_non_null(strstr(s.seen.detail, "rank 1: SIGKILL"));
    done(&s);
}

/* The inodes of memory files that a process has mapped, but for the rendezvous. */
static size_t mapped_files(pid_t pid, unsigned long long inode[64])
{
    char *path = aisp_format("/proc/%d/maps", (int)pid), *line = NULL;
    FILE *file = fopen(path, "r");
    size_t n = 0, room = 0;

    assert_non_null(file);
    while (getline(&line, &room, file) > 0 && n < 64)
        if (strstr(line, "memfd:") && !strstr(line, "aisp-meet"))
            n += sscanf(line, "%*s %*s %*s %*s %llu", &inode[n]) == 1;
    fclose(file);
    free(line);
    free(path);
    return n;
}

static void a_rank_maps_nothing_of_what_another_holds(void **state)
{
    unsigned long long inode[2][64];
    struct aisp_window w;
    struct scene s;
    size_t n[2];

    (void)state;
    prepare(&s, &team, SAYS_PID, 2);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    fill(&s);
    assert_int_equal(take(&s, AISP_A, &w), AISP_OK);
    for (int r = 0; r < 2; r++) {
        n[r] = mapped_files(pid_of(&s, r), inode[r]);
        assert_true(n[r] >= 2);
    }
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            assert_true(inode[0][i] != inode[1][j]);
    done(&s);
}

static void what_goes_over_the_wires_is_counted(void **state)
{
    struct aisp_rank_span span[AISP_MAX_RANKS];
    struct aisp_window w;
    struct scene s;

    (void)state;
    wired.messages = "ranks - 1";
    wired.message_bytes = "4*n";
    prepare(&s, &wired, HONEST, 2);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    fill(&s);
    assert_int_equal(take(&s, AISP_A, &w), AISP_OK);
    assert_sums(&s, AISP_A);
    assert_int_equal(s.cpu->spans(s.session, AISP_A, span, AISP_MAX_RANKS), 2);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(span[r].n_sent, 9);
        assert_int_equal(span[r].sent_bytes, 9 * 4 * 1024);
    }
    done(&s);
}

static void a_wire_takes_no_message_longer_than_declared(void **state)
{
    struct aisp_window w;
    struct scene s;
    float taken = 1;

    (void)state;
    wired.messages = "ranks - 1";
    wired.message_bytes = "4*n";
    prepare(&s, &wired, SENDS_LONGER, 2);
    assert_int_equal(s.cpu->open(&s.spec, &s.session, &s.seen, &s.err), AISP_OK);
    assert_int_equal(take(&s, AISP_A, &w), AISP_OK);
    assert_int_equal(
        s.cpu->read(s.session, AISP_A, 0, N_DECLARED + Y, 0, sizeof taken, &taken, &s.err),
        AISP_OK);
    assert_true(taken == 0);
    done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instance_has_the_tensors_of_every_rank),
        cmocka_unit_test(an_expansion_is_made_once_and_leads_back),
        cmocka_unit_test(another_problem_in_the_same_place_is_another_expansion),
        cmocka_unit_test(one_rank_is_the_problem_itself),
        cmocka_unit_test(too_many_ranks_are_refused),
        cmocka_unit_test(messages_need_ranks_and_a_size),
        cmocka_unit_test(a_parameter_does_not_take_the_name_of_the_rank),
        cmocka_unit_test(what_was_seen_of_ranks_survives_json),
        cmocka_unit_test(ranks_out_of_range_are_no_evidence),
        cmocka_unit_test(ranks_meet_and_the_last_one_ends_the_window),
        cmocka_unit_test(more_ranks_than_cores_come_to_an_end),
        cmocka_unit_test(a_rank_that_dies_is_blamed_though_another_waits_for_it),
        cmocka_unit_test(a_rank_that_is_killed_in_a_window_is_blamed),
        cmocka_unit_test(of_ranks_that_do_not_answer_the_one_that_runs_is_blamed),
        cmocka_unit_test(a_rank_that_fails_is_not_waited_for_by_way_of_the_others),
        cmocka_unit_test(a_rank_killed_between_windows_is_blamed),
        cmocka_unit_test(a_rank_maps_nothing_of_what_another_holds),
        cmocka_unit_test(what_goes_over_the_wires_is_counted),
        cmocka_unit_test(a_wire_takes_no_message_longer_than_declared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
