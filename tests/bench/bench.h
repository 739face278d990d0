/* bench.h - aisp-bench: what the harness itself costs and how well it judges, measured here and
 * now, beside its goals.
 * Not here: whether the harness is right (tests/unit, tests/cheats), how fast kernels are (`aisp
 * bench run`).
 * Why a program and no test: a goal of speed that a busy machine misses says something about that
 * machine. What must never happen on any machine does fail it: false verdicts beyond their bound,
 * a planted effect with the opposite sign.
 *
 *   main.c      options, the order              report.c     the machine, the table, JSON
 *   start.c     how long aisp takes to start    judge.c      fill, compare, poison, cost of a call
 *   compare.c   one comparison                  verifying.c  what verification costs in wall time
 *   identical.c a kernel against its copy       planted.c    effects of known size
 *   shifted.c   the same source moved           replayed.c   verdicts over recorded pools
 *   changepoints.c  changes in histories of recorded runs    bisection.c  which commit it was
 *   store.c     a million results, synthetic.c
 *   identical_cuda.c  a card's kernels against their copies       empty_cuda.c  a kernel that does nothing, on a card
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <jansson.h>
#include <stdbool.h>

#include "core/catalogue.h"
#include "core/environment.h"
#include "core/run/run.h"

/* Numbers of one kind, in the order in which they came. */
struct bench_series {
    double *x;
    size_t n, cap;
};
void bench_series_add(struct bench_series *series, double x);
double bench_series_quantile(const struct bench_series *series, double p); /* 0 if empty */
double bench_series_largest(const struct bench_series *series);            /* by absolute value */
void bench_series_release(struct bench_series *series);

struct bench {
    bool quick, json, failed; /* failed: what must never happen did */
    /* of the parts on a card */
    int n_runs, n_run_pairs;  /* ratios of identical code, and pairs of processes in each */
    int64_t deadline_ns;      /* no pair begins after it */
    int n_aa_left;            /* parts of identical code that are still to come, this one included */
    enum aisp_scope scope;
    const char *set[4];       /* "n=1500000" instead of a part's own */
    int n_set;
    int64_t start_ns;
    int64_t patience_ns; /* what is left of the time to wait for a quiet machine */
    const struct aisp_backend *backend;
    struct aisp_catalogue targets; /* the product's, build/targets */
    struct aisp_catalogue own;     /* build/bench-targets */
    struct aisp_environment before;
    struct aisp_key secret;
    int n_comparisons; /* live, so far; each has a secret of its own */
    int n_honest,
        n_accused; /* live comparisons of honest code, and those in which a check accused one */
    json_t *accusations;  /* {"clock-drift": 3} */
    char accusation[512]; /* the first of them, in words */
    struct bench_series slack,
        gap; /* of windows of 2 ms or a little more, as shares of the window */
    struct bench_series gap_ns;
    struct bench_series process_slack_ns, undisturbed_slack_ns; /* medians of processes */
    int64_t section_ns, section_waited_us; /* when this section began, and what PSI said */
    json_t *figures;
    volatile int stop;
};

/* One line of the table. `value` is what the goal is about, in `unit`. */
enum bench_goal { BENCH_NO_GOAL, BENCH_AT_MOST, BENCH_AT_LEAST };
struct bench_figure {
    const char *what, *unit;
    double value, goal;
    enum bench_goal kind;
    bool is_bound;         /* a miss fails the program */
    char measured[96];     /* in words and numbers */
    const char *goal_text; /* NULL: "-" */
};
void bench_report(struct bench *bench, struct bench_figure *figure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void bench_report_machine(struct bench *bench);
void bench_report_section(struct bench *bench, const char *title);
/* Microseconds in which some task of the machine waited for a CPU, since boot; -1 if the kernel
 * does not say. This program and its workers never want more than two CPUs at once: on a machine
 * that has two, what is waited for is taken by others. */
int64_t bench_waited_us(void);
/* How crowded the machine was in this section. */
void bench_report_pressure(struct bench *bench);
void bench_report_end(struct bench *bench);
void bench_progress(const struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One live comparison. */
struct bench_comparison {
    const struct aisp_catalogue *catalogue;
    const char *target, *a, *b;
    const char *const *set; /* "rows=16384" */
    int n_set;
    int64_t time_limit_ns;
    int max_pairs;
    bool is_sample; /* its windows count for slack and gap */
    const char *device;    /* NULL: "cpu" */
    enum aisp_scope scope;
    bool all_pairs;        /* max_pairs of them, whatever a look says */
    struct bench_series *each, *beyond_ns; /* NULL, or where go: the estimate of every pair, controls too, in their order; of
                                              every timed window what it takes beyond its events and beyond an empty one */
};
struct bench_answer {
    struct aisp_look_result look; /* n_pairs 0: no pair was finished in the time */
    char cache_level[8];
    /* of the phase of pairs alone: what the windows took, the judge, and the whole */
    double windows_s, judge_s, loading_s, pairs_s, before_s, total_s; /* loading: of workers, until they are set up */
    int64_t calls;
    double window_ns; /* median of timed windows */
    double call_ns;   /* and of the reference's calls */
    int n_pairs;      /* complete ones, controls too */
};
/* Errors: those of aisp_run(). A variant that was accused of something is counted in *bench and is
 * no error. */
enum aisp_status bench_compare(struct bench *bench, const struct bench_comparison *comparison,
                               struct bench_answer *answer, struct aisp_err *err);
/* NULL with *err: there is none. */
const struct aisp_target *bench_target(const struct aisp_catalogue *cat, const char *id, struct aisp_err *err);
/* How many false verdicts of n are no more than chance: what a judge who lies once in a hundred rarely exceeds. */
int bench_false_allowed(int n);
/* "rows=N" that makes harness:dram twice as large as the last cache; NULL where its default is. */
const char *bench_dram_rows(const struct bench *bench, char text[32]);

/* The parts, in order. */
enum aisp_status bench_start(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_judge(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_replayed(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_identical(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_planted(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_shifted(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_verifying(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_changepoints(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_bisection(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_store(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_cuda_hbm(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_cuda_l2(struct bench *bench, struct aisp_err *err);
enum aisp_status bench_cuda_empty(struct bench *bench, struct aisp_err *err);

#endif
