/* aisp.h - drive the harness from a C program: libaisp.
 *
 *     struct aisp_ask ask = { .a = "ch07:transpose/baseline", .b = "ch07:transpose/optimized_tiled" };
 *     struct aisp_comparison_result r = { 0 };
 *     struct aisp_harness *h = NULL;
 *     struct aisp_err err;
 *
 *     if (aisp_open(&h, NULL, &err) || aisp_compare_variants(h, &ask, &r, &err))
 *         fprintf(stderr, "%s\n", err.text);
 *     else
 *         printf("%.2f [%.2f, %.2f] %s, %s\n", r.ratio, r.lo95, r.hi95, r.verdict, r.grade);
 *     aisp_comparison_release(&r);
 *     aisp_close(h);
 *
 * Everything that the program `aisp` can do is behind aisp_command(), with the same words. The library prints nothing, never
 * exits, and starts workers as the program does: aisp-worker lies beside libaisp.so. One thread at a time. */
#ifndef AISP_AISP_H
#define AISP_AISP_H

#include <aisp/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AISP_PUBLIC __attribute__((visibility("default")))

struct aisp_harness;

/* NULL means the default of each. */
struct aisp_settings {
    const char *bench_root;    /* folder of built targets; default: targets beside libaisp.so */
    const char *artifacts_dir; /* where runs are recorded; default: artifacts */
    const volatile int *stop;  /* set it to interrupt what runs */
    void (*note)(void *context, const char *line);
    void (*progress)(void *context, const char *line);
    void *context;
};

/* *h is closed by aisp_close(). Errors: AISP_E_NOT_FOUND (no such folder of targets). */
AISP_PUBLIC enum aisp_status aisp_open(struct aisp_harness **h,
                                       const struct aisp_settings *settings, struct aisp_err *err);
AISP_PUBLIC void aisp_close(struct aisp_harness *h);

/* All targets and their variants as JSON (the value of "bench list-targets"); aisp_text_free() it. */
AISP_PUBLIC enum aisp_status aisp_list(struct aisp_harness *h, char **json, struct aisp_err *err);

struct aisp_ask {
    const char *a, *b;      /* reference and contender: "ch07:transpose/optimized_tiled" */
    const char *size;       /* "quick", "default", "large"; NULL: default */
    const char *const *set; /* "n=256", ends with NULL; or NULL */
    double time_limit_s;    /* of the timed pairs; 0: 10 s */
    double band_percent;    /* 0: by class of the working set */
    int n_threads;          /* 0: 1 */
    int publish;            /* development grades become invalid */
};

struct aisp_comparison_result {
    double ratio, lo95, hi95;        /* time of a / time of b; NaN where withheld or not measured */
    double median_a_ns, median_b_ns; /* NaN likewise */
    char verdict[16];                /* FASTER SLOWER SAME UNSURE INVALID */
    char grade[16];                  /* publishable development invalid */
    char *json; /* the whole record: findings, reasons, quantiles; freed by release */
};

/* AISP_OK also for an invalid variant: that is an answer. On an error *result is empty, which release accepts. */
AISP_PUBLIC enum aisp_status aisp_compare_variants(struct aisp_harness *h,
                                                   const struct aisp_ask *ask,
                                                   struct aisp_comparison_result *result,
                                                   struct aisp_err *err);
AISP_PUBLIC void aisp_comparison_release(struct aisp_comparison_result *result);

/* Any command by its words, without the program's name: { "bench", "show", "ch07:transpose" }. *json is its value,
 * *exit_code what the program would end with. Errors as the command's. */
AISP_PUBLIC enum aisp_status aisp_command(struct aisp_harness *h, int argc, const char *const *argv,
                                          char **json, int *exit_code, struct aisp_err *err);
AISP_PUBLIC void aisp_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
