/* session.h - what a command that measures holds open: device, calibration, secret, store and the run that is recorded.
 * Not here: one comparison (contest.h), which commands use it (bench_*.c). libaisp uses it as well. */
#ifndef AISP_COMMANDS_SESSION_H
#define AISP_COMMANDS_SESSION_H

#include "checks/check.h"
#include "commands/command.h"
#include "core/backend.h"
#include "core/catalogue.h"
#include "store/store.h"

struct aisp_session_options {
    const char *device;                      /* whose forms are measured; NULL: the CPU's */
    enum aisp_size size;
    const char *size_name;                   /* "default", "quick", "large", "custom" */
    const char *const *set;                  /* "n=256" */
    size_t n_set;
    int64_t time_limit_ns, first_look_ns;    /* as in a plan */
    double band;                             /* log ratio, 0: by class */
    int n_threads;
    enum aisp_scope scope;                   /* of what is timed */
    bool verify_only, profile, placement_audit;
    struct aisp_grading grading;
};

struct aisp_bench {
    const struct aisp_request *request;
    const struct aisp_catalogue *catalogue;  /* for the yardsticks of a calibration; borrowed */
    struct aisp_session_options options;
    struct aisp_store *store;                /* NULL: nothing is recorded */
    struct aisp_calibration calibration;
    bool has_calibration, dirty_tree;
    struct aisp_key secret;
    char commitment[65];
    char run[AISP_RUN_ID_MAX];               /* "" before aisp_bench_begin() */
    json_t *results;                         /* array, owned */
    size_t n_done, n_total;                  /* comparisons */
    int n_failed;                            /* of the last ones, without one between that could be made: what was started failed */
    int64_t start_ns;
};

/* Open the store (for_writing) and draw the secret. */
enum aisp_status aisp_bench_open(struct aisp_bench *bench, const struct aisp_request *request,
                                 const struct aisp_session_options *options, bool record);
void aisp_bench_close(struct aisp_bench *bench);
/* The newest calibration of this machine from the store; if there is none, a quick one is taken now, and said so. Without
 * yardsticks the run goes on uncalibrated, and that is said too. Errors: AISP_E_INTERRUPTED, AISP_E_IO. */
enum aisp_status aisp_bench_calibrate(struct aisp_bench *bench);
/* Write the manifest and start the record; `arguments` (stolen) is what --resume needs to ask for the same again. */
enum aisp_status aisp_bench_begin(struct aisp_bench *bench, const char *command, json_t *arguments);
/* Say in both which attempt at the same code it is, by what is on record; where nothing is recorded, nobody counts. */
enum aisp_status aisp_bench_count(const struct aisp_bench *bench, json_t *result, struct aisp_evidence *ev);
/* Keep one result, in memory and in the store. Both references are stolen; evidence may be NULL. */
enum aisp_status aisp_bench_keep(struct aisp_bench *bench, json_t *result, json_t *evidence);
/* Seal the record. */
enum aisp_status aisp_bench_finish(struct aisp_bench *bench);
bool aisp_bench_is_stopped(const struct aisp_bench *bench);
/* 3 if a result is invalid, else 2 if one could not be made as it was asked for, else 4 if a gate was asked for and one is SLOWER or
 * UNSURE, else 5 if nothing ran, else 0. */
int aisp_bench_exit(const struct aisp_bench *bench, bool gate);

/* ---- calibrating (calibrated.c) ---- */

struct aisp_calibrate_options { int n_aa_runs; int64_t aa_time_ns, peak_time_ns, valid_s; };
extern const struct aisp_calibrate_options aisp_calibrate_quick, aisp_calibrate_full;
enum aisp_status aisp_calibration_take(const struct aisp_request *request, const struct aisp_catalogue *catalogue,
                                       const struct aisp_calibrate_options *options, struct aisp_calibration *cal);

/* ---- provenance (manifest.c) ---- */

/* New reference: version, host, environment, git, seed commitment, options. */
json_t *aisp_manifest_new(const struct aisp_bench *bench, const char *command, json_t *arguments);

#endif
