/* recorded.h - A/A runs that a real machine made (tests/recorded/aa_runs/), drawn again and again. */
#ifndef TESTS_BENCH_RECORDED_H
#define TESTS_BENCH_RECORDED_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* Those that have an interval, in the order in which they ran. Starts as { 0 }. */
struct recorded_runs {
    struct recorded_run { double log_ratio, se_log; } *run;
    size_t n, cap;
    size_t n_without;   /* runs without an interval: left out */
};

/* Errors: AISP_E_NOT_FOUND, AISP_E_USAGE (line N is no run). */
enum aisp_status recorded_runs_read(const char *path, struct recorded_runs *runs, struct aisp_err *err);
void recorded_runs_release(struct recorded_runs *runs);

/* One of them by chance, its two sides exchanged by coin: they are the same code. */
struct recorded_run recorded_runs_draw(const struct recorded_runs *runs, uint64_t *random);
/* The one at this place of the ring, its sides exchanged by coin. */
struct recorded_run recorded_runs_at(const struct recorded_runs *runs, size_t place, uint64_t *random);

#endif
