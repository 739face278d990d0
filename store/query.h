/* query.h - look up many results at once: a filter, and one plain struct a row.
 * What a row holds is copied out of the result's JSON when it is added (schema 004), so that a million of them can be walked
 * without parsing one.
 * Not here: what is made of the rows (analysis/), one run in full (store.h). */
#ifndef AISP_STORE_QUERY_H
#define AISP_STORE_QUERY_H

#include "store/store.h"

/* One comparison. Texts live until the visitor returns; "" is unknown. NaN: withheld or not measured. */
struct aisp_result_row {
    int64_t id;                              /* grows as results are added */
    int64_t started_at;                      /* of its run: seconds since 1970 */
    const char *run, *key, *host, *hardware; /* hardware: aisp_hardware_key() of the machine */
    const char *target, *variant, *reference, *device, *size, *goal, *grade, *verdict;
    double ratio, lo95, hi95;                /* reference / variant of the goal's figure; > 1 is better */
    double a_median_ns, b_median_ns, b_p99_ns;        /* a: reference, b: variant */
    double a_memory_bytes, b_memory_bytes;   /* peak, from outside */
    double a_energy_j, b_energy_j;           /* of a call */
    double a_per_second, b_per_second;       /* units */
};

/* What NULL or 0 leaves open. Names may be patterns of `*` and `?`. */
struct aisp_filter {
    const char *run, *hardware, *chapter, *target, *variant, *device, *goal, *grade;
    int64_t since, until;                    /* started_at, both included */
    int64_t after_at, after_id;              /* only what comes behind this row in the order below, be it there or not */
    bool complete;                           /* of sealed runs only */
    /* Of each (hardware, target, variant, reference, device, size) the newest of a sealed run only; of what `run`, `since` and
     * `until` let through, if they are given. Goal and grade are asked of that one: who was found invalid since does not come
     * back with an older figure. */
    bool latest;
    bool any_order;                          /* do not sort: for who looks at all of them anyway, and wants them sooner */
    bool figures_only;                       /* run, key, host, goal, grade, verdict may be "": who plots points needs none */
    int64_t limit;
};

/* Visit what the filter lets through, newest first, until the visitor returns false. Errors: AISP_E_IO, also for a store that
 * an older aisp made and that cannot be written here. */
typedef bool aisp_result_visitor(const struct aisp_result_row *row, void *context);
enum aisp_status aisp_store_each_result(struct aisp_store *store, const struct aisp_filter *filter, aisp_result_visitor *visit,
                                        void *context, struct aisp_err *err);

/* How much there is; newest_at: when the newest run that has a result was started, 0: none has. */
struct aisp_store_counts { int64_t runs, results, invalid, targets, machines, newest_at; };
enum aisp_status aisp_store_count(struct aisp_store *store, struct aisp_store_counts *counts, struct aisp_err *err);

/* The kinds of machines, by name: [{"hardware", "results", "newest_at"}], over sealed runs. */
enum aisp_status aisp_store_hardware(struct aisp_store *store, json_t **out, struct aisp_err *err);

#endif
