/* replay.h - judge the statistics by windows that real machines took: read a pool, replay thousands
 * of comparisons out of it.
 * Not here: the statistics themselves (core/stats/), the expectations (tests/unit/replay_test.c).
 * Why: a false verdict in a hundred cannot be seen in live runs of seconds each, but 2,000
 * comparisons out of a recorded pool take a second; and a known shift, drift or mode can be
 * planted, which no machine does to order.
 *
 * A comparison is a contiguous run of recorded pairs from a random place (the pool is a ring), so
 * slow changes of the machine stay in it. In a null pool a coin per pair swaps the labels, which
 * makes every comparison out of it a new null. */
#ifndef AISP_TESTS_REPLAY_H
#define AISP_TESTS_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/stats/stats.h"

/* Format: tests/recorded/pools/README.md. */
struct replay_pool {
    size_t n_pairs, n_blocks;
    double *window_ns;         /* [pair][block][4], in the order in which they ran */
    unsigned char *first_side; /* [pair][block]: 0 = A B B A, 1 = B A A B */
};
#define REPLAY_POOL_INIT { 0 }

/* Errors: AISP_E_NOT_FOUND, AISP_E_IO, AISP_E_USAGE (not a pool, cut short, or with bytes left
 * over). *pool is left empty. */
enum aisp_status replay_pool_read(const char *path, struct replay_pool *pool, struct aisp_err *err);
void replay_pool_release(struct replay_pool *pool);

/* What is planted on top of the recorded windows; all zero: nothing. */
struct replay_injection {
    double shift;                 /* log ratio: side A takes so much longer */
    double drift_per_pair;        /* the whole machine gets slower or faster by so much (log) */
    double walk;                  /* and wanders: deviation (log) of its step a window */
    double mode_chance, mode;     /* each process is slower by `mode` (log) with this chance */
    double hog_on_ns, hog_off_ns; /* another process takes half the core in bursts */
};

/* Who judges. Only the first is honest. */
enum replay_judge {
    REPLAY_VERDICT, /* aisp_verdict_look, as the product uses it */
    REPLAY_BLOCKS,  /* cheat: takes blocks for independent, at the same looks and the same level */
    REPLAY_PEEKING, /* cheat: looks after every pair from the 8th on, each time at all of alpha */
};

struct replay_plan {
    const struct replay_pool *pool;
    const struct replay_pool *control; /* null pool of every 8th pair; NULL: no control pairs */
    struct aisp_verdict_rules rules;
    struct replay_injection inject;
    enum replay_judge judge;
    bool flips; /* swap labels by coin: for null pools; false where the pool holds a true effect */
    size_t max_pairs; /* the time limit, in pairs without controls; at most the last planned look */
    size_t n_comparisons;
    double truth; /* the true log ratio, for the coverage of the interval */
    uint64_t seed;
};

struct replay_rates {
    size_t n;
    size_t verdict[AISP_N_VERDICT], reason[AISP_N_REASON];
    size_t held_back;     /* comparisons in which an alarm held an answer back at some look */
    size_t with_interval; /* those that had a 95 % interval where they stopped ... */
    size_t covered;       /* ... and those where it held the truth */
    double mean_pairs;
};

/* Errors: AISP_E_USAGE, AISP_E_NO_MEMORY. */
enum aisp_status replay_run(const struct replay_plan *plan, struct replay_rates *rates,
                            struct aisp_err *err);

/* splitmix64 (Steele, Lea and Flood 2014): the tests' own generator, so that a fixed seed means the
 * same everywhere. */
uint64_t replay_random(uint64_t *state);
double replay_uniform(uint64_t *state); /* 0 <= u < 1 */
double replay_normal(uint64_t *state);

#endif
