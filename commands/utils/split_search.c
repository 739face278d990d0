/* split_search.c - all ways to split, the fastest first; and how far an input may be wrong before another way wins. */
#include <math.h>
#include <stdlib.h>

#include "commands/utils/split.h"
#include "core/base/buf.h"

/* Whole heads, whole layers, whole experts, and at least one sequence for each replica. */
static bool is_possible(const struct aisp_parallel_job *job, const struct aisp_parallel_plan *s)
{
    const struct aisp_model *m = job->model;

    return m->heads % s->tp == 0 && s->pp <= m->layers && s->dp <= job->batch && s->dp % s->ep == 0 &&
           (s->ep == 1 || (m->experts && m->experts % s->ep == 0));
}

static bool is_better(const struct aisp_split_cost *a, const struct aisp_split_cost *b)
{
    if (a->fits != b->fits)
        return a->fits;
    return a->fits ? a->step_s < b->step_s : a->card_bytes < b->card_bytes;
}

static struct aisp_plan_row best_micro(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster,
                                       struct aisp_parallel_plan split)
{
    const int64_t sequences = (job->batch + split.dp - 1) / split.dp;
    struct aisp_plan_row best = { .split = split };

    for (split.micro = 1; split.micro <= sequences; split.micro *= 2) {
        const struct aisp_plan_row row = { split, aisp_split_cost(job, cluster, &split) };

        if (split.micro == 1 || is_better(&row.cost, &best.cost))
            best = row;
    }
    return best;
}

/* Ties go to fewer kinds of parallelism, then to less of the dearer ones: the same order on every machine. */
static int by_cost(const void *a, const void *b)
{
    const struct aisp_plan_row *x = a, *y = b;

    if (is_better(&x->cost, &y->cost))
        return -1;
    if (is_better(&y->cost, &x->cost))
        return 1;
    if (x->split.tp != y->split.tp)
        return x->split.tp < y->split.tp ? -1 : 1;
    if (x->split.pp != y->split.pp)
        return x->split.pp < y->split.pp ? -1 : 1;
    return (x->split.ep > y->split.ep) - (x->split.ep < y->split.ep);
}

struct aisp_plan_row *aisp_split_search(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster, size_t *n)
{
    struct aisp_plan_row *rows = NULL;
    size_t cap = 0;

    *n = 0;
    for (int64_t tp = 1; tp <= cluster->cards; tp++)
        for (int64_t pp = 1; cluster->cards % tp == 0 && pp <= cluster->cards / tp; pp++)
            for (int64_t ep = 1; cluster->cards / tp % pp == 0 && ep <= cluster->cards / tp / pp; ep++) {
                const struct aisp_parallel_plan split = { tp, pp, cluster->cards / tp / pp, ep, 1 };

                if (is_possible(job, &split))
                    *(struct aisp_plan_row *)aisp_grow(&rows, n, &cap, sizeof *rows) = best_micro(job, cluster, split);
            }
    if (*n)
        qsort(rows, *n, sizeof *rows, by_cost);
    return rows;
}

bool aisp_split_equal(const struct aisp_parallel_plan *a, const struct aisp_parallel_plan *b)
{
    return a->tp == b->tp && a->pp == b->pp && a->dp == b->dp && a->ep == b->ep;
}

static double *input_of(struct aisp_cluster *c, enum aisp_input input)
{
    double *const inputs[] = { &c->flops,       &c->bytes_per_second,     &c->link.alpha_s, &c->link.bytes_per_second,
                               &c->net.alpha_s, &c->net.bytes_per_second, &c->memory_bytes };

    return inputs[input];
}

double aisp_split_turns(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster,
                        const struct aisp_parallel_plan *winner, enum aisp_input input, bool up,
                        struct aisp_parallel_plan *other)
{
    enum { STEPS = 24 }; /* eighths of a doubling, up to a factor of 8 */

    for (int i = 1; i <= STEPS; i++) {
        const double factor = pow(2, (up ? i : -i) / 8.0);
        struct aisp_cluster changed = *cluster;
        struct aisp_plan_row *rows;
        bool turned;
        size_t n;

        *input_of(&changed, input) *= factor;
        rows = aisp_split_search(job, &changed, &n);
        turned = n && !aisp_split_equal(&rows[0].split, winner);
        if (turned)
            *other = rows[0].split;
        free(rows);
        if (turned)
            return factor;
    }
    return 0;
}
