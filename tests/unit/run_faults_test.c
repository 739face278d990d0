/* run_faults_test.c - whatever a variant does wrong, in whatever phase, is seen and named; no other is accused. */
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

/* The session in which a fault begins, and the phase in which it must be seen. */
struct stage {
    int session, window;
    enum aisp_phase phase;
};
static const struct stage stages[] = {
    { QUICK, 1, AISP_PHASE_VERIFY },      { HOLDOUT, 1, AISP_PHASE_HOLDOUT },
    { ASKED, 1, AISP_PHASE_VERIFY },      { TRIAL, 2, AISP_PHASE_TRIAL },
    { FIRST_PAIR, 2, AISP_PHASE_WARMUP }, { FIRST_PAIR, 14, AISP_PHASE_TIMED },
};
enum { N_STAGES = sizeof stages / sizeof *stages };

static void play_fault(enum aisp_fake_fault fault, const struct stage *stage)
{
    struct aisp_fake_script script = scene_script(8000);

    script.variant[1].fault = fault;
    script.variant[1].when.session = stage->session;
    script.variant[1].when.window = stage->window;
    aisp_evidence_release(&ev);
    play(&script);
}

static void wrong_outputs_are_named_in_every_phase(void **state)
{
    static const struct {
        enum aisp_fake_fault fault;
        enum aisp_wrong kind;
    } wrong[] = {
        { AISP_FAKE_UNWRITTEN, AISP_WRONG_UNWRITTEN },
        { AISP_FAKE_CONSTANT, AISP_WRONG_CONSTANT },
        { AISP_FAKE_NAN, AISP_WRONG_NAN },
        { AISP_FAKE_INF, AISP_WRONG_INF },
        { AISP_FAKE_VALUE, AISP_WRONG_VALUE },
    };

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        for (int i = 0; i < N_STAGES; i++) {
            play_fault(wrong[k].fault, &stages[i]);
            assert_true(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, AISP_B) > 0);
            assert_int_equal(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, AISP_A), 0);
            assert_int_equal(ev.observation[0].kind, wrong[k].kind);
            assert_int_equal(ev.observation[0].phase, stages[i].phase);
            assert_true(ev.observation[0].slot >= 0 && ev.observation[0].call >= 0);
            assert_int_equal(ev.n_pairs > 0, stages[i].session >= FIRST_PAIR);
        }
    }
}

static void half_an_output_is_not_missed(void **state)
{
    const struct stage quick = { QUICK, 1, AISP_PHASE_VERIFY };

    (void)state;
    play_fault(AISP_FAKE_HALF, &quick);
    assert_int_equal(ev.observation[0].kind, AISP_WRONG_UNWRITTEN);
    assert_true(ev.observation[0].count > 0 && ev.observation[0].count < ev.observation[0].of);
}

/* The first window of a session has nothing older to repeat; from the second on the answer is that to earlier contents. */
static void the_right_answer_to_earlier_contents_is_called_stale(void **state)
{
    static const struct stage late[] = { { QUICK, 3, AISP_PHASE_VERIFY },
                                         { FIRST_PAIR, 4, AISP_PHASE_WARMUP },
                                         { FIRST_PAIR, 14, AISP_PHASE_TIMED } };

    (void)state;
    for (int i = 0; i < 3; i++) {
        int n_stale = 0;

        play_fault(AISP_FAKE_STALE, &late[i]);
        for (size_t k = 0; k < ev.n_observations; k++)
            n_stale += ev.observation[k].kind == AISP_WRONG_STALE;
        assert_true(n_stale > 0);
        assert_int_equal(ev.observation[0].phase, late[i].phase);
    }
}

static void a_dead_worker_is_evidence_in_every_phase(void **state)
{
    static const struct {
        enum aisp_fake_fault fault;
        enum aisp_seen what;
    } dead[] = {
        { AISP_FAKE_SIGNAL, AISP_SEEN_SIGNAL },
        { AISP_FAKE_EXIT, AISP_SEEN_EXIT },
        { AISP_FAKE_HANG, AISP_SEEN_HANG },
        { AISP_FAKE_LOST_REPLY, AISP_SEEN_HANG },
        { AISP_FAKE_BAD_STATUS, AISP_SEEN_BAD_STATUS },
        { AISP_FAKE_FORBIDDEN, AISP_SEEN_FORBIDDEN_CALL },
        { AISP_FAKE_MEMORY, AISP_SEEN_MEMORY },
        { AISP_FAKE_PROTOCOL, AISP_SEEN_PROTOCOL },
    };

    (void)state;
    for (size_t k = 0; k < sizeof dead / sizeof *dead; k++) {
        for (int i = 0; i < N_STAGES; i++) {
            play_fault(dead[k].fault, &stages[i]);
            assert_int_equal(scene_count(&ev, dead[k].what, AISP_B), 1);
            assert_int_equal(ev.observation[0].phase, stages[i].phase);
            assert_true(ev.n_pairs <= 1);
            if (ev.n_pairs)
                assert_false(ev.pair[0].complete);
        }
    }
}

static void a_death_in_teardown_is_said_once_and_costs_no_pair(void **state)
{
    (void)state;
    for (int i = 0; i < N_STAGES; i++) {
        const struct stage last = { stages[i].session, 1, stages[i].phase };

        play_fault(AISP_FAKE_TEARDOWN, &last);
        assert_int_equal(ev.n_observations, 1);
        assert_int_equal(scene_count(&ev, AISP_SEEN_SIGNAL, AISP_B), 1);
        assert_int_equal(ev.observation[0].phase, AISP_PHASE_TEARDOWN);
        assert_int_equal(ev.observation[0].window, -1);
        assert_int_equal(verdict().verdict, AISP_FASTER);
        for (size_t p = 0; p < ev.n_pairs; p++)
            assert_true(ev.pair[p].complete);
    }
    play_fault(AISP_FAKE_TEARDOWN, &(struct stage){ 0, 1, AISP_PHASE_TEARDOWN });
    assert_int_equal(ev.n_observations, 1);
}

static void a_worker_that_cannot_start_is_evidence(void **state)
{
    const struct stage setup = { FIRST_PAIR, 0, AISP_PHASE_SETUP },
                       load = { QUICK, 0, AISP_PHASE_SETUP };

    (void)state;
    play_fault(AISP_FAKE_SIGNAL, &setup);
    assert_int_equal(scene_count(&ev, AISP_SEEN_SIGNAL, AISP_B), 1);
    assert_int_equal(ev.observation[0].phase, AISP_PHASE_SETUP);
    play_fault(AISP_FAKE_REFUSED, &load);
    assert_int_equal(scene_count(&ev, AISP_SEEN_REFUSED, AISP_B), 1);
    assert_int_equal(ev.n_pairs, 0);
}

static void a_variant_that_the_catalogue_refused_is_not_started(void **state)
{
    struct aisp_variant_ref refused = scene_optimized;
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    strcpy(refused.refused, "optimized.so: no declaration");
    plan.variant[AISP_B] = &refused;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(aisp_fake_seen()->n_opens, 0);
    assert_int_equal(scene_count(&ev, AISP_SEEN_REFUSED, AISP_B), 1);
    assert_string_equal(ev.observation[0].detail, refused.refused);
}

static void what_happens_beside_the_outputs_is_seen(void **state)
{
    static const struct {
        enum aisp_fake_fault fault;
        enum aisp_seen what;
    } beside[] = {
        { AISP_FAKE_CANARY, AISP_SEEN_CANARY },
        { AISP_FAKE_INPUT, AISP_SEEN_INPUT_CHANGED },
        { AISP_FAKE_THREADS, AISP_SEEN_EXTRA_THREADS },
        { AISP_FAKE_LATE, AISP_SEEN_LATE_WRITE },
        { AISP_FAKE_AGAIN, AISP_SEEN_LATE_WRITE }, /* the same bytes */
    };

    (void)state;
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
        for (int i = 0; i < N_STAGES; i++) {
            play_fault(beside[k].fault, &stages[i]);
            if (!scene_count(&ev, beside[k].what, AISP_B))
                fail_msg("%s unseen in stage %d", aisp_seen_name(beside[k].what), i);
            assert_int_equal(scene_count(&ev, beside[k].what, AISP_A), 0);
        }
    }
}

/* The fake changes the lowest bit of one element. */
static void a_late_write_says_what_was_there_and_what_came(void **state)
{
    const struct stage quick = { QUICK, 1, AISP_PHASE_VERIFY };
    const struct aisp_observation *late = NULL;

    (void)state;
    play_fault(AISP_FAKE_LATE, &quick);
    for (size_t i = 0; i < ev.n_observations && !late; i++)
        late = ev.observation[i].what == AISP_SEEN_LATE_WRITE ? &ev.observation[i] : NULL;
    assert_non_null(late);
    assert_true(late->element >= 0);
    assert_true(late->seen != 0 && late->seen != late->expected);
    assert_true(fabs(late->seen - late->expected) < 1e-6 * fabs(late->seen));
}

/* In one session the host could have done it, and by bad luck in three. */
static void work_between_windows_is_seen_in_the_fourth_pair(void **state)
{
    const struct stage first = { FIRST_PAIR, 0, AISP_PHASE_WARMUP },
                       all = { 0, 0, AISP_PHASE_WARMUP };

    (void)state;
    play_fault(AISP_FAKE_BUSY, &first);
    assert_int_equal(scene_count(&ev, AISP_SEEN_BUSY_OUTSIDE, AISP_B), 0);
    play_fault(AISP_FAKE_BUSY, &all);
    assert_true(scene_count(&ev, AISP_SEEN_BUSY_OUTSIDE, AISP_B) > 0);
    assert_int_equal(ev.observation[0].pair, 3);
    assert_int_equal(scene_count(&ev, AISP_SEEN_BUSY_OUTSIDE, AISP_A), 0);
}

/* Three pairs a point are too few for a count of their own. */
static void work_between_windows_at_secret_points_is_seen_in_their_fourth_pair(void **state)
{
    enum { PAIRS = 12, FIRST_AT_POINTS = FIRST_PAIR + PAIRS };
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    script.variant[1].fault = AISP_FAKE_BUSY;
    script.variant[1].when = (struct aisp_fake_when){ FIRST_AT_POINTS, 0, true };
    play(&script);
    assert_true(scene_count(&ev, AISP_SEEN_BUSY_OUTSIDE, AISP_B) > 0);
    assert_int_equal(ev.observation[0].pair, ev.point[0].first_pair + 3);
    assert_int_equal(scene_count(&ev, AISP_SEEN_BUSY_OUTSIDE, AISP_A), 0);
}

static void a_cheat_is_not_timed_to_the_end(void **state)
{
    const struct stage timed = { FIRST_PAIR, 14, AISP_PHASE_TIMED };

    (void)state;
    play_fault(AISP_FAKE_VALUE, &timed);
    assert_int_equal(ev.n_pairs, 3);
    assert_true(ev.cut_short);
    assert_true(ev.verified[AISP_B].timed_wrong > 0);
}

static void each_defence_of_the_protocol_can_be_shown_to_be_the_one_that_catches(void **state)
{
    static const struct {
        enum aisp_fake_fault fault;
        enum aisp_defence defence;
        enum aisp_seen what;
    } proofs[] = {
        { AISP_FAKE_VALUE, AISP_COMPARE_OUTPUTS, AISP_SEEN_WRONG_OUTPUT },
        { AISP_FAKE_LATE, AISP_LATE_LOOK, AISP_SEEN_LATE_WRITE },
        { AISP_FAKE_AGAIN, AISP_LATE_LOOK, AISP_SEEN_LATE_WRITE },
        { AISP_FAKE_CANARY, AISP_GUARDS, AISP_SEEN_CANARY },
        { AISP_FAKE_INPUT, AISP_INPUT_HASH, AISP_SEEN_INPUT_CHANGED },
        { AISP_FAKE_BUSY, AISP_IDLE_ACCOUNTING, AISP_SEEN_BUSY_OUTSIDE },
        { AISP_FAKE_THREADS, AISP_THREAD_COUNT, AISP_SEEN_EXTRA_THREADS },
    };

    (void)state;
    for (size_t i = 0; i < sizeof proofs / sizeof *proofs; i++) {
        for (int off = 0; off < 2; off++) {
            struct aisp_policy policy = { .off = off ? 1u << proofs[i].defence
                                                     : ~(1u << proofs[i].defence) };
            struct aisp_fake_script script = scene_script(8000);
            struct aisp_plan plan = scene_plan(&scene_problem);

            aisp_evidence_release(&ev);
            script.variant[1].fault = proofs[i].fault;
            plan.policy = &policy;
            plan.max_pairs = 4;
            aisp_fake_play(&script);
            run(&plan);
            assert_int_equal(scene_count(&ev, proofs[i].what, AISP_B) > 0, !off);
        }
    }
}

static void without_poison_and_fresh_contents_a_lazy_variant_gets_through(void **state)
{
    struct aisp_policy policy = { .off = 1u << AISP_FRESH_CONTENTS | 1u << AISP_POISON_OUTPUTS |
                                         1u << AISP_FOREIGN_OUTPUT }; /* poisons too */
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    script.variant[1].fault = AISP_FAKE_UNWRITTEN;
    script.variant[1].when.session = FIRST_PAIR;
    script.variant[1].when.window = 14;
    plan.policy = &policy;
    plan.max_pairs = 1;
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, AISP_B), 0);
    aisp_evidence_release(&ev);
    plan.policy = NULL;
    aisp_fake_play(&script);
    run(&plan);
    assert_true(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, AISP_B) > 0);
}

#define T(name) cmocka_unit_test_teardown(name, scene_release)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(wrong_outputs_are_named_in_every_phase),
        T(half_an_output_is_not_missed),
        T(the_right_answer_to_earlier_contents_is_called_stale),
        T(a_dead_worker_is_evidence_in_every_phase),
        T(a_death_in_teardown_is_said_once_and_costs_no_pair),
        T(a_worker_that_cannot_start_is_evidence),
        T(a_variant_that_the_catalogue_refused_is_not_started),
        T(what_happens_beside_the_outputs_is_seen),
        T(a_late_write_says_what_was_there_and_what_came),
        T(work_between_windows_is_seen_in_the_fourth_pair),
        T(work_between_windows_at_secret_points_is_seen_in_their_fourth_pair),
        T(a_cheat_is_not_timed_to_the_end),
        T(each_defence_of_the_protocol_can_be_shown_to_be_the_one_that_catches),
        T(without_poison_and_fresh_contents_a_lazy_variant_gets_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
