/* trial.h - one fixture, run once by the real protocol on its device under a policy. */
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
    bool is_brief; /* the pairs may be of few blocks, in little time */
};

/* Can fixtures for that device be run here? If not, AISP_E_UNAVAILABLE and why. */
enum aisp_status trial_probe(const char *device, struct aisp_err *err);
/* What the device calls itself, "" where that says nothing; static. */
const char *trial_card(const char *device);

/* False if it could not be run at all, which is printed; else trial_release() it. */
bool trial_run(const struct fixture *f, const struct trial_ask *ask, struct trial *t);
/* DIR/traces/KIND.NAME.json: what the recorder of a card saw; DIR NULL or "": nowhere. */
void trial_keep_trace(const struct trial *t, const struct fixture *f, const char *artifacts_dir);
void trial_release(struct trial *t);

/* The first finding of a check that withholds the result; NULL if it has none. */
const struct aisp_finding *trial_violation(const struct trial *t, const char *check);
/* Does the fixture stand on records of the device, and there are none, although it was to be recorded? */
bool trial_lacks_recorder(const struct trial *t, const struct fixture *f);
/* Pairs of the two sides that were completed. */
int trial_pairs(const struct trial *t);
/* Other programs ran on the measuring core during many of its windows. */
bool trial_was_disturbed(const struct trial *t);

#endif
