/* synthetic.h - exports of runs that never were, for measuring the store: as many as are wanted, from a seed, in the form and
 * size of real ones. All of it says that it is synthetic: manifests, machines, ideas. There is no evidence, none is claimed.
 *
 * One export is one machine's: runs of PER_RUN results each, of CHAPTERS chapters, TARGETS targets, VARIANTS variants. */
#ifndef TESTS_BENCH_SYNTHETIC_H
#define TESTS_BENCH_SYNTHETIC_H

#include <stdint.h>

#include "core/base/err.h"

enum { SYNTHETIC_CHAPTERS = 20, SYNTHETIC_TARGETS = 5, SYNTHETIC_VARIANTS = 5, SYNTHETIC_PER_RUN = 50 };

struct synthetic {
    uint64_t seed;
    int machine;             /* 0, 1, ...: each is a hardware key of its own */
    int n_runs;
};
/* Errors: AISP_E_IO. *bytes: the file's (may be NULL). */
enum aisp_status synthetic_export(const char *path, const struct synthetic *what, int64_t *bytes, struct aisp_err *err);

#endif
