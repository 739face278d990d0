/* sweeps.c - from results to sweeps.
 * A result takes part in one sweep for each of its parameters. Over ranks there are two: with the same parameters, whose
 * tensors are those of each rank (weak), and with the same work of the whole call, whatever the others are (strong). */
#include "commands/analyze/sweeps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/report.h"

bool aisp_sweep_is_of_processes(const char *parameter)
{
    return !strcmp(parameter, "threads") || !strcmp(parameter, "ranks");
}

/* A result and what it was measured with. */
struct result {
    const struct aisp_result_row *row;
    json_t *params;                          /* with "threads" among them */
    double work;
};

/* The declared work of a whole call, as the evidence has it. */
static double declared_work(struct aisp_selection *s, const struct aisp_result_row *row)
{
    json_t *evidence = NULL;
    double work = NAN;

    if (aisp_store_evidence_load(s->store, row->run, row->key, &evidence, NULL))
        return NAN;
    work = aisp_report_number(evidence, "flops");
    if (!(work > 0))
        work = aisp_report_number(evidence, "bytes");
    json_decref(evidence);
    return work > 0 ? work : NAN;
}

static bool read_result(struct aisp_selection *s, const struct aisp_result_row *row, struct result *out)
{
    const json_t *result = aisp_selection_result(s, row), *params = json_object_get(result, "params"),
                 *threads = json_object_get(result, "threads");

    if (!json_is_object(params))
        return false;
    *out = (struct result){ row, json_copy((json_t *)params), NAN };
    if (json_is_integer(threads) && !json_object_get(out->params, "threads"))
        json_object_set(out->params, "threads", (json_t *)threads);
    if (json_object_get(out->params, "ranks"))
        out->work = declared_work(s, row);
    return true;
}

static struct aisp_sweep_point *add(struct aisp_sweeps *sweeps, const struct result *r, const char *parameter, bool same_work)
{
    struct aisp_sweep_point *p = aisp_grow(&sweeps->point, &sweeps->n, &sweeps->cap, sizeof *p);
    json_t *others = json_copy(r->params);
    const struct aisp_result_row *row = r->row;
    char *same;

    json_object_del(others, parameter);
    p->fixed = json_dumps(others, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(others);
    same = same_work ? aisp_format("work %.9g", r->work) : aisp_xstrdup(p->fixed);
    p->sweep = aisp_format("%s\n%s\n%s\n%s\n%s", row->target, row->device, row->reference, parameter, same);
    free(same);
    p->parameter = aisp_rows_text(&sweeps->texts, parameter);
    p->target = row->target;
    p->device = row->device;
    p->reference = row->reference;
    p->variant = row->variant;
    p->run = row->run;
    p->value = json_number_value(json_object_get(r->params, parameter));
    p->time_ns = row->b_median_ns;
    p->work = strcmp(parameter, "threads") ? r->work : 1; /* more threads do the same */
    p->ratio = aisp_row_ratio(row);
    p->id = row->id;
    p->same_work = same_work;
    return p;
}

/* The variant's point and its reference's. */
static void add_both(struct aisp_sweeps *sweeps, const struct result *r, const char *parameter, bool same_work)
{
    struct aisp_sweep_point *p;

    if (!(json_number_value(json_object_get(r->params, parameter)) > 0))
        return;
    if (r->row->b_median_ns > 0)
        add(sweeps, r, parameter, same_work);
    if (r->row->a_median_ns > 0) {
        p = add(sweeps, r, parameter, same_work);
        p->variant = p->reference;
        p->time_ns = r->row->a_median_ns;
        p->ratio = (struct aisp_measured){ 1, 1, 1 };
    }
}

static void add_result(struct aisp_sweeps *sweeps, const struct result *r, const char *only)
{
    const char *name;
    json_t *value;

    json_object_foreach(r->params, name, value) {
        if (only && strcmp(only, name))
            continue;
        add_both(sweeps, r, name, false);
        if (!strcmp(name, "ranks") && isfinite(r->work))
            add_both(sweeps, r, name, true);
    }
}

/* ---- sorting out ---- */

static int by_sweep(const void *a, const void *b)
{
    const struct aisp_sweep_point *x = a, *y = b;
    int order = strcmp(x->sweep, y->sweep);

    if (!order)
        order = strcmp(x->variant, y->variant);
    if (!order)
        order = (x->value > y->value) - (x->value < y->value);
    return order ? order : (x->id < y->id) - (x->id > y->id);
}

static void point_release(struct aisp_sweep_point *p)
{
    free(p->sweep);
    free(p->fixed);
}

static bool is_same_place(const struct aisp_sweep_point *a, const struct aisp_sweep_point *b)
{
    return !strcmp(a->sweep, b->sweep) && !strcmp(a->variant, b->variant) && !(a->value > b->value) && !(a->value < b->value);
}

static void drop_older(struct aisp_sweeps *sweeps)
{
    size_t n = 0;

    for (size_t i = 0; i < sweeps->n; i++) {
        if (n && is_same_place(&sweeps->point[n - 1], &sweeps->point[i]))
            point_release(&sweeps->point[i]);
        else
            sweeps->point[n++] = sweeps->point[i];
    }
    sweeps->n = n;
}

/* Enough values for one of the variants; and not the sweep over ranks that the same parameters make already. */
static bool is_worth(const struct aisp_sweep_point *p, size_t n)
{
    const size_t wanted = aisp_sweep_is_of_processes(p->parameter) ? 2 : 3;
    bool others_differ = false;
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < n; i++) {
        run = i && !strcmp(p[i].variant, p[i - 1].variant) ? run + 1 : 1;
        longest = run > longest ? run : longest;
        others_differ |= strcmp(p[i].fixed, p->fixed) != 0;
    }
    return longest >= wanted && (!p->same_work || others_differ);
}

static void drop_short(struct aisp_sweeps *sweeps)
{
    size_t n = 0, end;

    for (size_t first = 0; first < sweeps->n; first = end) {
        bool keep;

        for (end = first; end < sweeps->n && !strcmp(sweeps->point[end].sweep, sweeps->point[first].sweep); end++)
            ;
        keep = is_worth(&sweeps->point[first], end - first);
        for (size_t i = first; i < end; i++) {
            if (keep)
                sweeps->point[n++] = sweeps->point[i];
            else
                point_release(&sweeps->point[i]);
        }
    }
    sweeps->n = n;
}

/* Newest runs first, so that each is loaded once and the limit leaves out the oldest. */
static int by_run(const void *a, const void *b)
{
    const struct aisp_result_row *x = a, *y = b;

    if (x->started_at != y->started_at)
        return x->started_at > y->started_at ? -1 : 1;
    return strcmp(y->run, x->run);
}

void aisp_sweeps_find(struct aisp_sweeps *sweeps, struct aisp_selection *s, const char *only, size_t max_runs)
{
    const char *run = NULL;

    if (s->rows.n)
        qsort(s->rows.row, s->rows.n, sizeof *s->rows.row, by_run);
    for (size_t i = 0; i < s->rows.n; i++) {
        struct result r;

        if (run != s->rows.row[i].run) {
            run = s->rows.row[i].run;
            *(sweeps->n_runs < max_runs && !sweeps->n_runs_left ? &sweeps->n_runs : &sweeps->n_runs_left) += 1;
        }
        if (sweeps->n_runs_left || !read_result(s, &s->rows.row[i], &r))
            continue;
        add_result(sweeps, &r, only);
        json_decref(r.params);
    }
    if (sweeps->n)
        qsort(sweeps->point, sweeps->n, sizeof *sweeps->point, by_sweep);
    drop_older(sweeps);
    drop_short(sweeps);
}

void aisp_sweeps_release(struct aisp_sweeps *sweeps)
{
    for (size_t i = 0; i < sweeps->n; i++)
        point_release(&sweeps->point[i]);
    free(sweeps->point);
    aisp_rows_release(&sweeps->texts);
    *sweeps = (struct aisp_sweeps)AISP_SWEEPS_INIT;
}
