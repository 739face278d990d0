/* world.h - what is around a run: the supervisor's environment and cores, the machine that it
 * believes to be on, and what somebody does to the evidence afterwards. */
#ifndef TESTS_SELFTEST_WORLD_H
#define TESTS_SELFTEST_WORLD_H

#include <sched.h>

#include "core/evidence.h"
#include "tests/selftest/fixture.h"

struct world {
    char env[96]; /* name to be unset again; "" */
    bool is_pinned;
    cpu_set_t cpus;
};

/* "" nothing; "NAME=VALUE"; cpus 0: all. */
void world_enter(struct world *w, const char *env, int cpus);
void world_leave(struct world *w);

/* Put the fake management library in the place of the real one, with the fixture's script; the card
 * that is asked for. */
const char *world_card(const struct fixture *f);

/* "": nothing is known; "peaks": measured, in the first two caches; "step NS". */
void world_calibrate(const char *what, struct aisp_calibration *cal);

/* The root and the edit that a fixture asks for. */
void world_replace(const struct fixture *f, struct aisp_evidence *ev);

#endif
