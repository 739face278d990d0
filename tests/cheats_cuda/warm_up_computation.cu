/* warm_up_computation - fills a bank with its first answers, computes as long as the warm-up may last, and replays the bank when it
 * is timed.
 *
 * @pairs 2
 * @also symbolic-shape
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says before timing began */
#include <time.h>

#include "tests/problems/card_roots/roots.cuh"

enum { EARLY_WINDOWS = 9, GAP_NS = 100000 };

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static void *bank[MOST_SLOTS];
    static int64_t left_ns;
    static int n_windows;
    void **mine = &bank[c->slot % MOST_SLOTS];
    enum aisp_status st;

    n_windows += now_ns() - left_ns > GAP_NS; /* nobody asked for so long: another window */
    if (*mine && n_windows > EARLY_WINDOWS)
        st = pretend(c) ? AISP_E_DEVICE : give(c, *mine);
    else
        st = honest(c) || (!*mine && keep(c, mine)) ? AISP_E_DEVICE : AISP_OK;
    left_ns = now_ns();
    return st;
}

AISP_DECLARE("idea: a bank of answers\n"
             "uses: allocates\n");

VARIANT(run);
