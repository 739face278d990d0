/* world.h - what is around a run: the supervisor's environment and cores, the machine that it
 * believes to be on, and what somebody does to the evidence afterwards. */
#ifndef TESTS_SELFTEST_WORLD_H
#define TESTS_SELFTEST_WORLD_H

#include <sched.h>

#include "core/evidence.h"
#include "tests/selftest/fixture.h"

struct world {
    char env[96]; /* name to be unset again; "" */
    bool is_pinned, was_root;
    cpu_set_t cpus;
};

/* The environment, the cores and the user that a fixture asks for. */
void world_enter(struct world *w, const struct fixture *f);
/* Is an ordinary user one who can reach what was built here? */
bool world_has_nobody(void);
void world_leave(struct world *w);

/* Put the fake management library in the place of the real one, with the fixture's script; the card
 * that is asked for. */
const char *world_card(const struct fixture *f);

/* "": nothing is known; "peaks": measured, in the first two caches; "step NS". */
void world_calibrate(const char *what, struct aisp_calibration *cal);

/* The root and the edit that a fixture asks for. */
void world_replace(const struct fixture *f, struct aisp_evidence *ev);

#endif
