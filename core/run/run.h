/* run.h - compare two variants of one problem and gather the evidence. The protocol lives here, whatever the device:
 *
 *   verify   each side alone, full outputs of every call, at the quick size, at secret holdout points, and (bounded) at the
 *            asked size; a wrong answer ends the comparison before anything is timed
 *   trial    how many calls make a window: the faster side takes >= 2 ms (>= 10 ms without a spare core)
 *   pairs    fresh workers; blocks A B B A or B A A B by coin; before each window fresh contents and poison, after it a
 *            snapshot, a secret sample of rows against the truth, and a later look at the same bytes
 *   energy   on a card, where it is wanted: windows long enough for its counter, never timed
 *   looks    at 12, 18, 27, 40, 60, 90 pairs the statistics say FASTER, SLOWER, SAME, go on, or UNSURE
 *
 * In the kernel scope contents are made when the calls are queued already (hold.c).
 *
 * Not here: what facts mean (checks/), grades, printing, storing. */
#ifndef AISP_RUN_H
#define AISP_RUN_H

#include "core/backend.h"
#include "core/judge/judge.h"
#include "core/stats/stats.h"

struct aisp_progress {
    enum aisp_phase phase;
    int pairs_done;
    int64_t elapsed_ns, limit_ns;
    double ratio;                                /* so far; 0 = none yet */
};

/* What an earlier comparison of the same run has found of the reference's outputs: all right, and nothing else was seen of it. */
struct aisp_known {
    struct aisp_verified verified;
    char in[160];                                /* that comparison's key */
};

struct aisp_plan {
    const char *target;                          /* id */
    const struct aisp_problem *problem;
    struct aisp_instance inst;                   /* the size that is timed */
    const char *size;                            /* "default", "quick", "large", "custom": for the record */
    const struct aisp_variant_ref *variant[2];
    const struct aisp_backend *backend;
    int n_threads;
    int64_t time_limit_ns;                       /* of the pairs; verification and trial come on top */
    int64_t first_look_ns;                       /* until then pairs go on to the first look; 0: not beyond time_limit_ns */
    int max_pairs;                               /* 0: as the looks say */
    bool all_pairs;                              /* of identical code: max_pairs are taken, whatever a look says */
    bool verify_only;                            /* no pairs */
    const struct aisp_known *known;              /* with verify_only: then the reference is not run again; or NULL */
    double band;                                 /* log-ratio; 0: by class (0.5 %, DRAM 1 %) */
    int64_t call_timeout_ns, setup_timeout_ns;   /* 0: defaults (10 s, 60 s) */
    struct aisp_key secret;                      /* of this comparison; everything is derived from it */
    const struct aisp_calibration *calibration;  /* or NULL */
    const struct aisp_policy *policy;            /* NULL: all defences on */
    const volatile int *stop;                    /* or NULL */
    void (*progress)(void *context, const struct aisp_progress *p);   /* or NULL */
    void *progress_context;
    int64_t memory_limit_bytes;                  /* of a worker beyond its buffers; 0: half of what is free */
    enum aisp_scope scope;                       /* of the windows; KERNEL: where the device can hold them */
    bool wants_energy;                           /* of a call, where the device's counter tells: some seconds more */
    const char *card;                            /* index or UUID of the card in use; NULL: the device is none */
};

/* Run the plan. A misbehaving variant is evidence, not an error: AISP_OK with observations. Errors: AISP_E_NO_MEMORY,
 * AISP_E_UNAVAILABLE, AISP_E_IO, AISP_E_INTERRUPTED (evidence so far is filled in and marked incomplete). */
enum aisp_status aisp_run(const struct aisp_plan *plan, struct aisp_evidence *ev, struct aisp_err *err);

/* The verdict of evidence, derived again from its windows: the one formula. Pure. */
enum aisp_status aisp_run_verdict(const struct aisp_evidence *ev, struct aisp_look_result *result, struct aisp_err *err);

/* How much of a gain is there at the secret points: their common ratio, of all pairs there together, against the ratio at the
 * asked size. Log ratios; the interval is at 99 %, which needs so many pairs. False: no pair was timed there, or nothing was gained. */
enum { AISP_GENERALISATION_PAIRS = 8 };
struct aisp_generalisation {
    int n, n_points; /* pairs, and the points at which they ran */
    double here, there, lo, hi; /* -inf and inf: no interval */
};
bool aisp_run_generalisation(const struct aisp_evidence *ev, struct aisp_generalisation *g);
/* Is it FASTER where there are secret points to be timed at, and was timed at them in fewer pairs than that needs? Then nobody
 * knows whether the gain is there. *n: how many there were. Bytes are proven, and points of another cache level do not count. */
bool aisp_run_lacks_points(const struct aisp_evidence *ev, int *n);

#endif
