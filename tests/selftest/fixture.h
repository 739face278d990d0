/* fixture.h - one file of tests/cheats or tests/honest, and what it says of itself. Those of tests/cheats_cuda and
 * tests/honest_cuda run on a card.
 *
 * Lines of its first comment that begin with " * @" are read here (unknown ones are an error):
 *   @check NAME        the check that a cheat has to be named by; without it the file's name
 *   @problem NAME      of tests/problems; without it rsqrt, and card_roots on a card
 *   @side B|A|both     where the fixture stands, the baseline being the other; without it B
 *   @pairs N           so many pairs of workers are timed; without it nothing is timed at all
 *   @defence NAME      of enum aisp_defence: switched on alone, it still catches the cheat. May
 *                      stand several times. Without it no switch can turn this off, and the proof
 *                      is made by leaving out the check itself
 *   @needs NAME        a defence that stays on in all of that, being how the other one is seen
 *   @faster            with the defences off, the verdict is FASTER
 *   @ratio LOW HIGH    the printed ratio lies there although the cheat was caught
 *   @says TEXT         the finding contains it. May stand several times
 *   @brief             its pairs may be of few blocks: it has little time
 *   @publish           publishable is asked for: development grades become invalid
 *   @root NAME         the environment is read from roots/NAME/before and (afterwards, if there
 *                      is one) roots/NAME/after
 *   @env NAME=VALUE    set in the supervisor's environment
 *   @shares            what is asked of it is asked of the evidence as it was edited, or of what is not timed: it is tried on
 *                      a core beside other tests (read by CMakeLists.txt)
 *   @cpus N            of the supervisor and its workers
 *   @without NAME      a defence that the host lacks
 *   @user nobody       the supervisor is an ordinary user, and sees no more of its workers than such a one
 *   @copy              its file is a copy that it may change, in a folder with copies of problem.so
 *                      and baseline.so
 *   @flags FLAGS       for the compiler, after all others (read by CMakeLists.txt)
 *   @calibration peaks|memory|step NS   of the machine: measured roofs of L1 and L2, of all memory, or a coarse clock
 *   @nvml NAME         the device in use is a card, as the script NAME of tests/fake_nvml says
 *   @card ID           which one was asked for: an index or a UUID; without it 0
 *   @allow_virtualization    a virtual machine is accepted
 *   @spares A|B        nothing but notes is held against that side
 *   @also NAME         a check that sees the same act, and is left out where this one is
 *   @scope call|kernel      of its windows; without it the call's
 *   @edit drop|same|json            what somebody does to the evidence afterwards */
#ifndef TESTS_SELFTEST_FIXTURE_H
#define TESTS_SELFTEST_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIXTURE_MAX_SAYS = 4 };

struct fixture {
    char name[64], kind[16], device[8]; /* "stale_cache", "cheats", "cpu" */
    bool is_cheat;
    char check[64], problem[32], side[8];
    int pairs, cpus;
    uint32_t defences, needs, without; /* bit i: enum aisp_defence i */
    bool faster, brief, publish, copy, has_ratio;
    double ratio_low, ratio_high;
    char says[FIXTURE_MAX_SAYS][96];
    int n_says;
    char root[64], env[96], calibration[32], edit[16];
    char nvml[32], card[64], spares[4], also[48], scope[8];
    bool allow_virtualization, as_nobody;
};

/* Prints what is wrong and returns false. */
bool fixture_read(struct fixture *f, const char *kind, const char *name);

/* The names in selftest/KIND (place.h), sorted; caller frees each and the list. */
char **fixture_names(const char *kind, size_t *n);

#endif
