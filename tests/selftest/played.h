/* played.h - the fixtures whose device is played (scripted.h), tried and counted apart: they prove the logic of a check alone. */
#ifndef TESTS_SELFTEST_PLAYED_H
#define TESTS_SELFTEST_PLAYED_H

#include "tests/selftest/outcome.h"

/* One of them, cheat and twin; NULL: all. False: there is none of that name. */
bool played_prove(const char *name, struct outcomes *score);
/* "scripted/NAME", one a line. */
void played_list(void);

#endif
