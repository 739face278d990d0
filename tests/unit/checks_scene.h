/* checks_scene.h - evidence of an honest comparison, made by hand, and what is expected of the checks on it: shared by the tests of
 * the checks. */
#ifndef TESTS_UNIT_CHECKS_SCENE_H
#define TESTS_UNIT_CHECKS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "core/base/buf.h"
#include "core/judge/judge.h"

/* Evidence of an honest comparison: verified, holdout right, 12 pairs of windows with ordinary spread, a quiet machine. */

static uint32_t state;
__attribute__((unused)) static uint32_t draw(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

__attribute__((unused)) static struct aisp_window *add_window(struct aisp_evidence *ev, int pair, int block, int side, int kind)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *ev->window);

    w->pair = pair;
    w->block = block;
    w->side = (int8_t)side;
    w->kind = (int8_t)kind;
    w->calls = 100;
    w->window_ns = 2000000 + draw(40000);
    w->inner_ns = w->window_ns - 150 - draw(100);
    return w;
}

__attribute__((unused)) static struct aisp_evidence honest(void)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    state = 7;
    strcpy(ev.target, "ch00:test");
    strcpy(ev.variant[0].name, "baseline");
    strcpy(ev.variant[1].name, "optimized_x");
    strcpy(ev.cache_level, "L2");
    ev.spinning = true;
    ev.n_threads = 1;
    ev.bytes = 1000;
    ev.n_slots = 16;
    ev.before.n_usable = 2;
    ev.before.l1d_bytes = 64;
    ev.before.l2_bytes = 64 << 20;
    ev.before.l3_bytes = 128 << 20;
    ev.before.swap_used_bytes = ev.after.swap_used_bytes = 0;
    ev.before.cgroup_throttled_usec = ev.before.cgroup_quota_usec = -1;
    ev.calibration.clock_step_ns = 20;
    ev.calibration.slack_median_high_ns = 400;
    ev.calibration.peak_read_gbps[1] = 100;
    for (int side = 0; side < 2; side++)
        ev.verified[side] = (struct aisp_verified){ .n_full = 40, .n_full_right = 40, .n_sampled = 500, .n_sampled_right = 500,
            .n_holdout = 3, .n_holdout_right = 3, .warmup_right = 60, .timed_right = 440 };
    for (int pair = 0; pair < 12; pair++) {
        struct aisp_pair *p = aisp_grow(&ev.pair, &ev.n_pairs, &ev.cap_pairs, sizeof *ev.pair);

        p->pair = pair;
        p->complete = true;
        for (int block = 0; block < 8; block++)
            for (int i = 0; i < 4; i++)
                add_window(&ev, pair, block, i == 1 || i == 2, AISP_WINDOW_TIMED);
    }
    aisp_evidence_chain(&ev, ev.chain);
    return ev;
}

__attribute__((unused)) static struct aisp_observation observe(enum aisp_seen what, int kind)
{
    return (struct aisp_observation){ .what = what, .side = AISP_B, .phase = AISP_PHASE_TIMED, .kind = kind, .pair = 1, .window = 5,
        .call = 3, .slot = 2, .tensor = -1, .element = 17, .count = 4, .of = 256, .seen = 1, .expected = 2, .allowed = 0.1 };
}

/* The first finding's check, its severity and the grade. */
__attribute__((unused)) static void expect(struct aisp_evidence *ev, const char *name, enum aisp_severity severity, enum aisp_grade grade)
{
    const struct aisp_grading grading = { 0 };
    struct aisp_findings findings = AISP_FINDINGS_INIT;

    const enum aisp_grade got = aisp_examine(ev, &grading, &findings);

    if (got != grade && findings.n)
        print_message("first: %s: %s\n", findings.item[0].check->name, findings.item[0].text);
    assert_string_equal(aisp_grade_name(got), aisp_grade_name(grade));
    if (!name) {
        assert_int_equal(findings.n, 0);
    } else {
        assert_true(findings.n > 0);
        assert_string_equal(findings.item[0].check->name, name);
        assert_int_equal(findings.item[0].severity, severity);
    }
    aisp_findings_release(&findings);
    aisp_evidence_release(ev);
}

__attribute__((unused)) static void expect_violation(struct aisp_evidence *ev, const char *name)
{
    expect(ev, name, AISP_VIOLATION, AISP_GRADE_INVALID);
}

__attribute__((unused)) static void expect_development(struct aisp_evidence *ev, const char *name)
{
    expect(ev, name, AISP_DEVELOPMENT, AISP_GRADE_DEVELOPMENT);
}

__attribute__((unused)) static void expect_observation(enum aisp_seen what, int kind, const char *name)
{
    struct aisp_evidence ev = honest();
    const struct aisp_observation o = observe(what, kind);

    aisp_evidence_observe(&ev, &o);
    expect_violation(&ev, name);
}

#endif
