/* outcome.h - what was seen of the fixtures: counted, and kept where `aisp bench audit` reads it. */
#ifndef TESTS_SELFTEST_OUTCOME_H
#define TESTS_SELFTEST_OUTCOME_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct outcomes {
    int n_cheats, n_caught, n_twins, n_passed, n_switches, n_switched, n_scripted, n_scripted_good;
    const char *card; /* what those on a card were tried on; or NULL */
    json_t *fixtures; /* id -> {"check", "good", "says", "at", "seconds", and of a card "on"} */
};

/* One fixture, tried since begin_ns. */
struct outcome {
    const char *kind, *name, *check, *says;
    bool good;
    int64_t begin_ns;
};

void outcome_add(struct outcomes *all, const struct outcome *one);
/* Rows that only fixtures with a played device prove, among those tried. */
int outcomes_logic_only(const struct outcomes *all);
bool outcomes_are_good(const struct outcomes *all);
/* Everything in one value; new reference. */
json_t *outcomes_json(const struct outcomes *all);
/* Into ARTIFACTS/proofs. False, which is printed, if that fails. */
bool outcomes_keep(const struct outcomes *all, const char *artifacts_dir);

#endif
