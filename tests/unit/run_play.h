/* run_play.h - play a script through the whole protocol. For tests of core/run; include it after cmocka.h. */
#ifndef TESTS_RUN_PLAY_H
#define TESTS_RUN_PLAY_H

#include "tests/unit/run_scene.h"

/* Sessions of a variant in the order in which they are opened. */
enum { QUICK = 1, HOLDOUT = 2, ASKED = 5, TRIAL = 6, FIRST_PAIR = 7 };

static struct aisp_evidence ev;

static inline void run(const struct aisp_plan *plan)
{
    struct aisp_err err = { 0 };

    if (aisp_run(plan, &ev, &err))
        fail_msg("%s", err.text);
    assert_int_equal(aisp_fake_seen()->n_opens, aisp_fake_seen()->n_closes);
}

static inline void play(const struct aisp_fake_script *script)
{
    const struct aisp_plan plan = scene_plan(&scene_problem);

    aisp_fake_play(script);
    run(&plan);
}

static inline struct aisp_look_result verdict(void)
{
    struct aisp_look_result look;
    struct aisp_err err = { 0 };

    if (aisp_run_verdict(&ev, &look, &err))
        fail_msg("%s", err.text);
    return look;
}

static inline int scene_release(void **state)
{
    (void)state;
    aisp_evidence_release(&ev);
    return 0;
}

#endif
