/* evidence.h - everything that was observed about one comparison of two variants. Plain data: facts, no opinions.
 * Not here: what a fact means (checks/), how it was gathered (core/run, backends/).
 * It serialises to JSON and back without loss, so that checks can be run again on it, later and elsewhere. */
#ifndef AISP_CORE_EVIDENCE_H
#define AISP_CORE_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/answers.h"
#include "core/calibration.h"
#include "core/cold.h"
#include "core/device_trace.h"
#include "core/environment.h"
#include "core/footprint.h"
#include "core/rewrite.h"
#include "core/instance.h"
#include "core/kept.h"
#include "core/machine.h"
#include "core/plugin.h"
#include "core/ranks.h"
#include "core/process_facts.h"
#include "core/serving.h"
#include "core/workload.h"

enum aisp_side { AISP_A, AISP_B };           /* A is the reference (the baseline), B the contender */

/* What a window's time spans. Times of different scopes are never compared. */
enum aisp_scope {
    AISP_SCOPE_CALL,         /* from go to the device being idle: launches and waking are in it, as a caller pays for them */
    AISP_SCOPE_KERNEL,       /* of calls that were queued before: from their release to the end of their stream */
    AISP_N_SCOPES
};
const char *aisp_scope_name(enum aisp_scope scope);
/* By which name a device's results are kept apart: "cuda", and "cuda/kernel" of that scope (NULL and "": the call's). */
void aisp_scope_device(const char *device, const char *scope, char *to, size_t size);

enum aisp_phase { AISP_PHASE_LOAD, AISP_PHASE_SETUP, AISP_PHASE_VERIFY, AISP_PHASE_HOLDOUT, AISP_PHASE_TRIAL,
                  AISP_PHASE_WARMUP, AISP_PHASE_TIMED, AISP_PHASE_TEARDOWN };
const char *aisp_phase_name(enum aisp_phase phase);

enum aisp_window_kind {
    AISP_WINDOW_WARMUP,      /* looks exactly like a timed one, is not used */
    AISP_WINDOW_TIMED,
    AISP_WINDOW_ONCE,        /* control: every slot once, none repeated */
    AISP_WINDOW_ONCE_HALF,   /* control: half of the slots once; the difference of the two is the cost of unrepeated calls */
    AISP_WINDOW_FRESH,       /* control: every used slot filled anew, where usually only a secret part is */
    AISP_WINDOW_HOLDOUT,     /* timed, at a secret point of the declared range */
};

/* One timed window, as the supervisor saw it. */
struct aisp_window {
    int32_t pair, block, index;              /* block -1: warm-up; index: position in the pair */
    int8_t side, kind;
    int64_t calls;
    int64_t start_ns;                        /* go, since the start of the run */
    int64_t window_ns;                       /* go -> done, supervisor's clock */
    int64_t inner_ns;                        /* the worker's own word; corroborates, never decides */
    int64_t gap_ns;                          /* arm -> go */
    int64_t idle_ns;                         /* CPU time the worker used since its last window, while it should have slept */
    int32_t minor_faults, major_faults, voluntary_switches, involuntary_switches;    /* inside the window;
                                                of the involuntary ones also the supervisor's */
};

/* A pair of live workers; its estimate is derived from its windows (aisp_evidence_pairs). */
struct aisp_pair {
    int32_t pair;
    bool is_control;                         /* A/A: both sides run the reference */
    bool complete;
    char commitment[65];                     /* SHA-256 of the pair's secret, written before; the secret after the run */
    char secret[65];
};

enum aisp_seen {
    AISP_SEEN_WRONG_OUTPUT,    /* kind says how */
    AISP_SEEN_CANARY,          /* bytes beside a buffer changed */
    AISP_SEEN_LATE_WRITE,      /* output changed after done */
    AISP_SEEN_INPUT_CHANGED,
    AISP_SEEN_BUSY_OUTSIDE,    /* CPU time between windows: seen = ns */
    AISP_SEEN_EXTRA_THREADS,   /* seen = tasks, expected = 1 */
    AISP_SEEN_SIGNAL,          /* worker killed: seen = signal, detail has the address */
    AISP_SEEN_EXIT,            /* worker left by itself: seen = exit code */
    AISP_SEEN_HANG,            /* no answer: seen = ns waited */
    AISP_SEEN_FORBIDDEN_CALL,  /* seccomp: seen = system call number, detail its name */
    AISP_SEEN_OUTPUT_FLOOD,    /* stdout/stderr beyond the limit: seen = bytes */
    AISP_SEEN_MEMORY,          /* beyond the memory limit: seen = bytes */
    AISP_SEEN_BAD_STATUS,      /* run() or setup() returned an error: seen = status */
    AISP_SEEN_PROTOCOL,        /* the worker's answers make no sense */
    AISP_SEEN_REFUSED,         /* not loadable; detail says why */
    AISP_SEEN_EMISSION,        /* of a server; kind: enum aisp_emission_flaw, element: request, call: token */
    AISP_SEEN_DESCRIPTORS,     /* open ones where memory is measured: seen = how many, expected = 0 */
    AISP_SEEN_FOREIGN_WRITE,   /* the output of a slot that no call of the window named */
    AISP_N_SEEN
};
const char *aisp_seen_name(enum aisp_seen seen);

/* When CPU time outside of windows was used: kind of BUSY_OUTSIDE. */
enum aisp_busy {
    AISP_BUSY_ASLEEP = -1,     /* while the worker should have slept */
    AISP_BUSY_BEFORE_GO = 1,   /* between arm and go: seen = ns more than the other side's worker needed */
};

/* One thing seen, with where and when. Unknown places are -1. */
struct aisp_observation {
    enum aisp_seen what;
    int8_t side;
    enum aisp_phase phase;
    int32_t kind;                            /* enum aisp_wrong for WRONG_OUTPUT, aisp_busy for BUSY_OUTSIDE */
    int32_t pair, window;
    int64_t call;
    int32_t slot, tensor;
    int64_t element, count, of;              /* first element, how many, of how many looked at */
    double seen, expected, allowed;
    char detail[160];
};

/* Its places, where none is known. */
#define AISP_NOWHERE .kind = -1, .pair = -1, .window = -1, .call = -1, .slot = -1, .tensor = -1, .element = -1

/* A short comparison of the same sources with their code moved (the placement audit). */
struct aisp_placement {
    int32_t bytes[2];                        /* each side's code starts so far behind a line of 64; -1: as it was built */
    int32_t n_pairs;                         /* 0: no pair was completed, the figures are nan */
    double centre, lo95, hi95;               /* log(time A / time B); an interval that does not exist is -inf to inf */
};

/* A secret point of the declared range at which the sides were timed, after they had been at the asked size. */
struct aisp_point {
    int64_t param[AISP_MAX_PARAMS];
    int64_t calls;                           /* a window; 0: no time was left for it */
    int32_t first_pair, n_pairs;             /* the pairs that ran there */
};

/* What was compared and held, for one side. */
struct aisp_verified {
    int64_t n_full, n_full_right;            /* whole outputs compared, at quick and holdout sizes */
    int64_t n_sampled, n_sampled_right;      /* calls of which secret rows were compared, in timed windows */
    int64_t n_elements;                      /* compared in all */
    int64_t n_windows_checked, n_windows;
    double worst;                            /* largest error / allowed seen */
    int n_holdout, n_holdout_right;          /* points of the secret range */
    int64_t warmup_right, warmup_wrong, timed_right, timed_wrong;    /* sampled calls by phase */
};

/* Process accounting of one side, summed over its workers. */
struct aisp_account {
    int64_t cpu_ns, minor_faults, major_faults, voluntary_switches, involuntary_switches;
    int64_t peak_rss_bytes, setup_ns, load_ns;
    int32_t max_tasks;
    char output[256];                        /* first bytes it printed, for the log */
    int64_t output_bytes;
    struct aisp_float_mode float_mode;       /* one worker's; kept in the workload's facts */
    int64_t empty_ns;                        /* one worker's; kept in aisp_held_facts */
    int32_t missing;                         /* enum aisp_cage: what the host lacked of the cage of any worker; 0 in older records */
};

struct aisp_variant_facts {
    char name[AISP_NAME_MAX];
    char sha256[65];                         /* of the shared object, before; after must be the same */
    char sha256_after[65];
    struct aisp_declaration decl;
};

/* Of the FILE tensors: before every window the page cache was asked what it holds of them. Where it was not what the problem
 * names, nothing was measured; so there is no count of failures. */
struct aisp_file_facts {
    char pages[8];                           /* "cold", "cached", "both"; "": there are no files */
    char file_system[16];                    /* "ext4" */
    int64_t n_looks, n_pages, n_dropped;     /* before windows; pages asked about; that had to be dropped or read for it */
};

/* What bounds a device that is not this machine's cores: as built, clock times width, no measurement. */
struct aisp_device_limits {
    char name[96], card[64];                 /* card: by which its management library knows it; "": this machine's cores */
    int64_t cache_bytes[3];                  /* levels 1 to 3; -1: there is none */
    double dram_gbps;
};

/* Windows of the kernel scope. One that cannot be held measures nothing: a call waits for the device, or the calls do not fit
 * into the device's queue, in which case fewer are tried. */
struct aisp_held_facts {
    int32_t scope;                           /* enum aisp_scope; CALL: the rest is 0 */
    int64_t most_calls;                      /* a window's, found by trying */
    int64_t n_held[2], n_unheld[2];          /* windows; tried in vain */
    int64_t empty_ns[2];                     /* a window without calls beyond its events: the least of workers' medians */
    int64_t n_wrong[2], n_right_free[2];     /* of calls compared: wrong in held windows; right in windows that were not held */
    bool is_refused[2];                      /* not even one call could be held */
};

struct aisp_evidence {
    char target[AISP_ID_MAX], device[8], size[8];
    int n_params;
    char param_name[AISP_MAX_PARAMS][32];
    int64_t param[AISP_MAX_PARAMS];
    enum aisp_goal goal;
    int64_t bytes, flops;                    /* a call's work as declared */
    bool flops_is_floor;
    int32_t arithmetic;                      /* enum aisp_dtype of its products (core/calibration.h); 0: not said */
    int64_t working_set_bytes;               /* all slots and weights */
    char cache_level[8];                     /* "L1", "L2", "L3", "DRAM": the level that holds all slots */
    struct aisp_variant_facts variant[2];

    int64_t calls_per_window;
    int64_t planned_window_ns;               /* of the faster side, or what was wanted where that is less; 0: not known */
    int n_slots, n_threads;
    bool spinning;                           /* the supervisor had a core of its own */
    double band, floor;                      /* log-ratio, as asked and as calibrated */
    int64_t time_limit_ns, elapsed_ns;
    int64_t fill_ns, compare_ns, window_total_ns;    /* where the wall time went */
    bool cut_short;                          /* time or pair limit ended it */
    bool incomplete;                         /* interrupted: not a result */
    bool dirty_tree;

    struct aisp_window *window;
    size_t n_windows, cap_windows;
    struct aisp_pair *pair;
    size_t n_pairs, cap_pairs;
    struct aisp_observation *observation;
    size_t n_observations, cap_observations;
    struct aisp_placement *placement;        /* none: no audit was asked for, or there was no answer to audit */
    size_t n_placements, cap_placements;
    struct aisp_point *point;                /* none: no speedup was found that could be one of this size alone */
    size_t n_points, cap_points;
    int64_t n_observations_dropped;          /* beyond AISP_MAX_OBSERVATIONS of one kind and side */
    struct aisp_verified verified[2];
    char reference_in[160];                  /* the comparison of the same run in which the reference was verified; "": this one */
    struct aisp_account account[2];
    struct aisp_process_facts process[2];
    struct aisp_watched watched[AISP_N_WATCHED];
    struct aisp_environment before, after;
    struct aisp_calibration calibration;
    struct aisp_workload workload;           /* anatomy of a wrong answer and what else is known of the work */
    struct aisp_ranks ranks;                 /* core/ranks.h */
    char chain[65];                          /* SHA-256 chain over all windows in order: nothing can be left out later */
    struct aisp_kept kept;                   /* outputs that can be judged again */
    struct aisp_service service;             /* none: its calls are no traces */
    struct aisp_footprint footprint[2];      /* none: memory was not the goal */
    struct aisp_device_trace device_trace[2];    /* of the audit pass; not taken where the device has no recorder */
    struct aisp_file_facts files;
    struct aisp_device_limits limits;
    struct aisp_held_facts held;
    struct aisp_cold_facts cold;             /* none: its cache is nobody's to look into, or inputs may lie there */
    struct aisp_rewrites rewrites[2];        /* words overwritten while windows ran */
    struct aisp_answers answers[2];          /* of a card, right after the windows of pairs */
    struct aisp_machine machine;             /* card, cores, container, workers; what the record claims */
};
#define AISP_EVIDENCE_INIT { 0 }
enum { AISP_MAX_OBSERVATIONS = 64 };

void aisp_evidence_release(struct aisp_evidence *ev);
void aisp_evidence_observe(struct aisp_evidence *ev, const struct aisp_observation *seen);
/* Was anything seen that puts calls or windows in doubt? Who falls over in teardown() has made all of his. */
bool aisp_evidence_has_doubts(const struct aisp_evidence *ev);

/* Pair estimates in order, log(time A / time B): rungs in m[], A/A controls in control[] (each caller-freed, may be NULL). */
void aisp_evidence_pairs(const struct aisp_evidence *ev, double **m, int *n, double **control, int *n_control);
/* Is it a control pair? Its windows are labelled A and B like all others, and are the reference's on both sides: whatever is
 * said of one side leaves them out. */
bool aisp_evidence_is_control(const struct aisp_evidence *ev, int32_t pair);
/* The same of the pairs at secret points, all points together; caller frees. NULL and 0: there were none. */
double *aisp_evidence_holdout(const struct aisp_evidence *ev, int *n);
/* ns per call of all timed windows of a side, caller frees. */
double *aisp_evidence_samples(const struct aisp_evidence *ev, enum aisp_side side, size_t *n);
/* GB/s that no call can exceed: the better of read and copy, as measured, of the fastest level that can hold what one call must
 * move (cache_level may be a slower one, where all slots together do not fit), times the threads. 0: not measured. */
double aisp_evidence_roof_gbps(const struct aisp_evidence *ev);
/* GFLOP/s or GOP/s of all cores of a side, in the arithmetic of its inputs. 0: not measured. */
double aisp_evidence_roof_gflops(const struct aisp_evidence *ev);
/* Was the worker or the supervisor put aside for another process for a part of the window that matters (a slice of 1 ms for
 * each switch against 5 % of the window)? Its length then says nothing about clocks, repeats or the variant. */
bool aisp_window_is_disturbed(const struct aisp_window *window);
/* Which level holds so many bytes, on the device that was measured: 0 to 2, 3 is its memory. */
int aisp_evidence_level(const struct aisp_evidence *ev, int64_t bytes);
/* The hash chain over the windows as they stand; equal to ev->chain if none was touched. */
void aisp_evidence_chain(const struct aisp_evidence *ev, char hex[65]);

json_t *aisp_evidence_to_json(const struct aisp_evidence *ev);
/* Errors: AISP_E_IO with the path of the field that is missing or of the wrong type. */
enum aisp_status aisp_evidence_from_json(const json_t *json, struct aisp_evidence *ev, struct aisp_err *err);

#endif
