/* recommend.c - rules over the results of one target. */
#include "analysis/recommend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

static bool is_verdict(const struct aisp_result_row *row, const char *verdict)
{
    return aisp_row_is_valid(row) && !strcmp(row->verdict, verdict);
}

/* FASTER, and its interval reaches highest from below. */
static const struct aisp_result_row *best_of(const struct aisp_result_row *row, size_t n, bool peers)
{
    const struct aisp_result_row *best = NULL;

    for (size_t i = 0; i < n; i++)
        if (aisp_row_is_peer(&row[i]) == peers && is_verdict(&row[i], "FASTER") && isfinite(row[i].lo95) &&
            (!best || row[i].lo95 > best->lo95))
            best = &row[i];
    return best;
}

static void add(struct aisp_advices *advices, const struct aisp_advice *advice)
{
    *(struct aisp_advice *)aisp_grow(&advices->advice, &advices->n, &advices->cap, sizeof *advice) = *advice;
}

static void add_best(struct aisp_advices *advices, const struct aisp_result_row *best, const struct aisp_result_row *row,
                     size_t n)
{
    struct aisp_advice use = { AISP_ADVICE_USE, best, NULL, aisp_row_ratio(best), 0 };

    for (size_t i = 0; i < n; i++) {
        const struct aisp_measured other = aisp_row_ratio(&row[i]), ahead = aisp_measured_quotient(&use.gain, &other);

        use.n_level += &row[i] != best && !aisp_row_is_peer(&row[i]) && is_verdict(&row[i], "FASTER") &&
                       aisp_measured_side(&ahead, 1) <= 0;
    }
    add(advices, &use);
}

static void add_peer(struct aisp_advices *advices, const struct aisp_result_row *peer, const struct aisp_result_row *best)
{
    const struct aisp_measured theirs = aisp_row_ratio(peer),
                               ours = best ? aisp_row_ratio(best) : (struct aisp_measured){ 1, 1, 1 },
                               ahead = aisp_measured_quotient(&theirs, &ours);

    if (aisp_measured_side(&ahead, 1) > 0)
        add(advices, &(struct aisp_advice){ AISP_ADVICE_PEER, peer, best, ahead, 0 });
}

static void advise(struct aisp_advices *advices, const struct aisp_result_row *row, size_t n)
{
    const struct aisp_result_row *best = best_of(row, n, false), *peer = best_of(row, n, true);

    if (best)
        add_best(advices, best, row, n);
    if (peer)
        add_peer(advices, peer, best);
    for (size_t i = 0; i < n; i++) {
        struct aisp_advice other = { AISP_N_ADVICE, &row[i], NULL, { NAN, NAN, NAN }, 0 };

        if (!strcmp(row[i].grade, "invalid"))
            other.kind = AISP_ADVICE_REPAIR;
        else if (is_verdict(&row[i], "SLOWER"))
            other.kind = AISP_ADVICE_AVOID;
        else if (is_verdict(&row[i], "UNSURE"))
            other.kind = AISP_ADVICE_LONGER;
        if (other.kind == AISP_ADVICE_AVOID)
            other.gain = aisp_row_ratio(&row[i]);
        if (other.kind != AISP_N_ADVICE && !(other.kind == AISP_ADVICE_AVOID && aisp_row_is_peer(&row[i])))
            add(advices, &other);
    }
}

/* By kind, then the larger effect; names last, so that the order is one. */
static int order(const void *a, const void *b)
{
    const struct aisp_advice *x = a, *y = b;
    const double gx = fabs(log(x->gain.value)), gy = fabs(log(y->gain.value));
    int by;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (gx > gy || gx < gy)
        return gx > gy ? -1 : 1;
    by = aisp_row_group_order(x->row, y->row);
    return by ? by : strcmp(x->row->variant, y->row->variant);
}

void aisp_advices_find(struct aisp_advices *advices, const struct aisp_result_row *row, size_t n)
{
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && aisp_row_same_group(&row[first], &row[end]); end++)
            ;
        advise(advices, &row[first], end - first);
    }
    if (advices->n)
        qsort(advices->advice, advices->n, sizeof *advices->advice, order);
}

void aisp_advices_release(struct aisp_advices *advices)
{
    free(advices->advice);
    *advices = (struct aisp_advices){ 0 };
}
