/* trial.h - one fixture, run once by the real protocol on the CPU under a policy. */
#ifndef TESTS_SELFTEST_TRIAL_H
#define TESTS_SELFTEST_TRIAL_H

#include "checks/check.h"
#include "core/run/run.h"
#include "tests/selftest/fixture.h"

struct trial {
    struct aisp_evidence ev;
    struct aisp_findings findings;
    enum aisp_grade grade;
    bool has_verdict;
    struct aisp_look_result look;
};

struct trial_ask {
    uint32_t off; /* bit i: enum aisp_defence i */
    int pairs;    /* 0: verified only */
    int attempt;  /* other secrets for each, and more time for each of the same tens */
};

/* False if it could not be run at all, which is printed; else trial_release() it. */
bool trial_run(const struct fixture *f, const struct trial_ask *ask, struct trial *t);
void trial_release(struct trial *t);

/* The first finding of a check that withholds the result; NULL if it has none. */
const struct aisp_finding *trial_violation(const struct trial *t, const char *check);
/* Other programs ran on the measuring core during many of its windows. */
bool trial_was_disturbed(const struct trial *t);

#endif
