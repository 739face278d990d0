/* distributed_test.c - what the checks of ranks say of evidence made by hand, and what they do not say: of too little of it, of
 * honest scatter, of a file that holds anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "core/base/buf.h"
#include "core/judge/judge.h"

/* One window of two ranks of the contender. */
static void add_window(struct aisp_evidence *ev, int index, const int64_t end_ns[2],
                       const int64_t cpu_ns[2], int64_t n_sent)
{
    for (int r = 0; r < 2; r++)
        *(struct aisp_rank_span *)aisp_grow(&ev->ranks.span, &ev->ranks.n_spans,
                                            &ev->ranks.cap_spans, sizeof(struct aisp_rank_span)) =
            (struct aisp_rank_span){ .index = index,
                                     .side = AISP_B,
                                     .rank = (int8_t)r,
                                     .calls = 100,
                                     .end_ns = end_ns[r],
                                     .cpu_ns = cpu_ns[r],
                                     .inner_ns = end_ns[r],
                                     .n_sent = n_sent,
                                     .sent_bytes = n_sent < 0 ? -1 : n_sent * 4096 };
}

static struct aisp_evidence two_ranks(enum aisp_team team, int n_windows, int64_t first_end_ns,
                                      int64_t first_cpu_ns)
{
    const int64_t end_ns[] = { first_end_ns, 1000000 }, cpu_ns[] = { first_cpu_ns, 900000 };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    ev.ranks =
        (struct aisp_ranks){ .n_ranks = 2, .n_tensors = 2, .bytes = { 100, 100 }, .team = team };
    for (int i = 0; i < n_windows; i++)
        add_window(&ev, i, end_ns, cpu_ns, -1);
    return ev;
}

/* Takes the evidence. Is the check among its violations? */
static bool accuses(struct aisp_evidence ev, const char *check)
{
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    bool found = false;

    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &findings);
    for (size_t i = 0; i < findings.n; i++)
        found |= findings.item[i].severity == AISP_VIOLATION &&
                 !strcmp(findings.item[i].check->name, check);
    aisp_findings_release(&findings);
    aisp_evidence_release(&ev);
    return found;
}

static void a_rank_that_ends_early_is_out_of_step(void **state)
{
    (void)state;
    assert_true(accuses(two_ranks(AISP_IN_STEP, 8, 300000, 900000), "barrier-timing"));
    assert_false(accuses(two_ranks(AISP_IN_STEP, 8, 990000, 900000), "barrier-timing"));
}

static void a_few_windows_accuse_no_rank(void **state)
{
    (void)state;
    assert_false(accuses(two_ranks(AISP_IN_STEP, 5, 300000, 1000), "barrier-timing"));
    assert_false(accuses(two_ranks(AISP_IN_STEP, 5, 300000, 1000), "topology-mismatch"));
}

static void what_running_ahead_is_called_depends_on_the_team(void **state)
{
    (void)state;
    assert_true(accuses(two_ranks(AISP_STAGES, 8, 100000, 900000), "pipeline-bubble"));
    assert_false(accuses(two_ranks(AISP_STAGES, 8, 100000, 900000), "barrier-timing"));
    assert_false(accuses(two_ranks(AISP_LOOSE, 8, 100000, 900000), "barrier-timing"));
    assert_false(accuses(two_ranks(AISP_LOOSE, 8, 100000, 900000), "pipeline-bubble"));
}

static void half_of_the_windows_may_be_disturbed(void **state)
{
    struct aisp_evidence ev = two_ranks(AISP_IN_STEP, 8, 990000, 900000);
    const int64_t end_ns[] = { 100000, 1000000 }, cpu_ns[] = { 900000, 900000 };

    (void)state;
    for (int i = 0; i < 7; i++)
        add_window(&ev, 8 + i, end_ns, cpu_ns, -1);
    assert_false(accuses(ev, "barrier-timing"));
}

static void a_rank_without_cpu_time_took_no_part(void **state)
{
    (void)state;
    assert_true(accuses(two_ranks(AISP_IN_STEP, 8, 1000000, 50000), "topology-mismatch"));
    assert_false(accuses(two_ranks(AISP_IN_STEP, 8, 1000000, 600000), "topology-mismatch"));
    assert_false(accuses(two_ranks(AISP_IN_STEP, 8, 1000000, -1), "topology-mismatch"));
}

static void a_rank_with_little_data_may_use_little_time(void **state)
{
    struct aisp_evidence ev = two_ranks(AISP_IN_STEP, 8, 1000000, 50000);

    (void)state;
    ev.ranks.bytes[0] = 5;
    assert_false(accuses(ev, "topology-mismatch"));
}

static void messages_are_held_against_what_is_declared(void **state)
{
    const int64_t n_sent[] = { 800, 100, 1600, -1 };
    const bool accused[] = { false, true, true, false };

    (void)state;
    for (int i = 0; i < 4; i++) {
        const int64_t same[] = { 1000000, 1000000 };
        struct aisp_evidence ev = two_ranks(AISP_IN_STEP, 0, 0, 0);

        ev.ranks.n_messages = 8;
        ev.ranks.message_bytes = 4096;
        for (int w = 0; w < 4; w++)
            add_window(&ev, w, same, same, n_sent[i]);
        assert_int_equal(accuses(ev, "bucket-mismatch"), accused[i]);
    }
}

static struct aisp_evidence wrong_output(int tensor, int kind, int64_t count)
{
    struct aisp_evidence ev = two_ranks(AISP_IN_STEP, 0, 0, 0);
    const struct aisp_observation o = { .what = AISP_SEEN_WRONG_OUTPUT,
                                        .side = AISP_B,
                                        .kind = kind,
                                        .tensor = tensor,
                                        .count = count,
                                        .of = 10 };

    aisp_evidence_observe(&ev, &o);
    return ev;
}

static void what_a_rank_left_unwritten_has_its_name(void **state)
{
    (void)state;
    assert_true(accuses(wrong_output(3, AISP_WRONG_UNWRITTEN, 10), "rank-skipping"));
    assert_false(accuses(wrong_output(3, AISP_WRONG_UNWRITTEN, 4), "rank-skipping"));
    assert_true(accuses(wrong_output(3, AISP_WRONG_UNWRITTEN, 4), "shard-size"));
    assert_false(accuses(wrong_output(3, AISP_WRONG_VALUE, 10), "rank-skipping"));
    assert_false(accuses(wrong_output(3, AISP_WRONG_VALUE, 10), "collective-short-circuit"));
}

static void one_process_has_no_ranks_to_accuse(void **state)
{
    struct aisp_evidence ev = wrong_output(1, AISP_WRONG_UNWRITTEN, 10);

    (void)state;
    ev.ranks = (struct aisp_ranks){ 0 };
    assert_false(accuses(ev, "rank-skipping"));
}

/* As from a file: ranks in no order, tensors of ranks that do not exist. */
static void evidence_that_makes_no_sense_accuses_nobody(void **state)
{
    struct aisp_evidence ev = wrong_output(99, AISP_WRONG_UNWRITTEN, 10);
    const int64_t end_ns[] = { 1, 1000000 }, cpu_ns[] = { 1, 1 };

    (void)state;
    for (int i = 0; i < 8; i++)
        add_window(&ev, i, end_ns, cpu_ns, -1);
    for (size_t i = 0; i < ev.ranks.n_spans; i++)
        ev.ranks.span[i].rank = (int8_t)(1 - ev.ranks.span[i].rank);
    ev.ranks.n_spans--;
    assert_false(accuses(ev, "barrier-timing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_that_ends_early_is_out_of_step),
        cmocka_unit_test(a_few_windows_accuse_no_rank),
        cmocka_unit_test(what_running_ahead_is_called_depends_on_the_team),
        cmocka_unit_test(half_of_the_windows_may_be_disturbed),
        cmocka_unit_test(a_rank_without_cpu_time_took_no_part),
        cmocka_unit_test(a_rank_with_little_data_may_use_little_time),
        cmocka_unit_test(messages_are_held_against_what_is_declared),
        cmocka_unit_test(what_a_rank_left_unwritten_has_its_name),
        cmocka_unit_test(one_process_has_no_ranks_to_accuse),
        cmocka_unit_test(evidence_that_makes_no_sense_accuses_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
