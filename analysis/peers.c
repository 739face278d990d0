/* peers.c - figures against peers, and the best of them. */
#include "analysis/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/change.h"
#include "core/base/buf.h"

static bool is_peer(const char *name)
{
    return !strncmp(name, "peer_", 5);
}

/* Of one problem on one machine, whatever the reference. */
static int place_order(const struct aisp_result_row *a, const struct aisp_result_row *b)
{
    const char *const x[] = { a->hardware, a->target, a->device, a->size },
                      *const y[] = { b->hardware, b->target, b->device, b->size };
    int order = 0;

    for (size_t i = 0; i < sizeof x / sizeof *x && !order; i++)
        order = strcmp(x[i], y[i]);
    return order;
}

static int by_place(const void *a, const void *b)
{
    return place_order(*(const struct aisp_result_row *const *)a, *(const struct aisp_result_row *const *)b);
}

/* ---- one figure ---- */

static enum aisp_verdict turned(enum aisp_verdict verdict)
{
    return verdict == AISP_FASTER ? AISP_SLOWER : verdict == AISP_SLOWER ? AISP_FASTER : verdict;
}

static enum aisp_verdict recorded_verdict(const struct aisp_result_row *row)
{
    for (int v = 0; v < AISP_N_VERDICT; v++)
        if (!strcmp(row->verdict, aisp_verdict_name((enum aisp_verdict)v)))
            return (enum aisp_verdict)v;
    return AISP_UNSURE;
}

static struct aisp_rival direct(const struct aisp_result_row *row)
{
    struct aisp_rival r = { row, row, row->variant, row->reference, true, aisp_row_ratio(row), recorded_verdict(row) };

    if (!aisp_row_is_peer(row))
        return r;
    r.variant = row->reference;
    r.peer = row->variant;
    r.ratio = aisp_measured_of(1 / row->ratio, 1 / row->hi95, 1 / row->lo95);
    r.verdict = turned(r.verdict);
    return r;
}

/* Both were measured against one reference, the peer and ours. */
static struct aisp_rival indirect(const struct aisp_result_row *ours, const struct aisp_result_row *theirs)
{
    const struct aisp_ratio before = { theirs->ratio, theirs->lo95, theirs->hi95 },
                            after = { ours->ratio, ours->lo95, ours->hi95 };
    const struct aisp_noise unknown = { .sd_log = NAN, .sd_log_high = NAN };
    const struct aisp_change_rules rules = { .alpha = AISP_CHANGE_ALPHA, .n_rows = 1, .floor = 2 * AISP_CHANGE_FLOOR };
    struct aisp_change c;

    aisp_change_of(&before, &after, &unknown, &rules, &c);
    return (struct aisp_rival){ ours, theirs, ours->variant, theirs->variant, false,
                                aisp_measured_of(ours->ratio / theirs->ratio, exp(c.lo95), exp(c.hi95)), c.verdict };
}

/* ---- the best of a place ---- */

struct place { const struct aisp_result_row **row; size_t n; };

/* Are `ours` and the peer in one row of the place? */
static bool has_direct(const struct place *p, const char *ours, const char *peer)
{
    for (size_t i = 0; i < p->n; i++)
        if ((!strcmp(p->row[i]->variant, ours) && !strcmp(p->row[i]->reference, peer)) ||
            (!strcmp(p->row[i]->variant, peer) && !strcmp(p->row[i]->reference, ours)))
            return true;
    return false;
}

static void keep_better(struct aisp_rival *best, const struct aisp_rival *r)
{
    const bool is_first = !best->ours && aisp_measured_exists(&r->ratio);

    if (is_first || (aisp_measured_has_interval(&r->ratio) &&
                     (!aisp_measured_has_interval(&best->ratio) || r->ratio.lo > best->ratio.lo)))
        *best = *r;
}

static struct aisp_rival best_against(const struct place *p, const char *peer)
{
    struct aisp_rival best = { .peer = peer, .verdict = AISP_UNSURE, .ratio = { NAN, NAN, NAN } }, r;

    for (size_t i = 0; i < p->n; i++) {
        const struct aisp_result_row *row = p->row[i];

        if (is_peer(row->variant) != is_peer(row->reference)) {
            r = direct(row);
            if (!strcmp(r.peer, peer))
                keep_better(&best, &r);
        }
        for (size_t k = 0; k < p->n && !is_peer(row->variant); k++)
            if (!strcmp(p->row[k]->variant, peer) && !strcmp(p->row[k]->reference, row->reference) &&
                !has_direct(p, row->variant, peer)) {
                r = indirect(row, p->row[k]);
                keep_better(&best, &r);
            }
    }
    return best;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The peers of a place, each once, in order; caller frees. */
static const char **peers_of(const struct place *p, size_t *n)
{
    const char **name = aisp_xcalloc(2 * p->n + 1, sizeof *name);
    size_t n_all = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (is_peer(p->row[i]->variant))
            name[n_all++] = p->row[i]->variant;
        if (is_peer(p->row[i]->reference))
            name[n_all++] = p->row[i]->reference;
    }
    qsort(name, n_all, sizeof *name, by_text);
    *n = 0;
    for (size_t i = 0; i < n_all; i++)
        if (!*n || strcmp(name[*n - 1], name[i]))
            name[(*n)++] = name[i];
    return name;
}

static void add_place(struct aisp_rivals *rivals, const struct place *p)
{
    size_t n;
    const char **peer = peers_of(p, &n);

    for (size_t i = 0; i < n; i++) {
        const struct aisp_rival best = best_against(p, peer[i]);

        if (best.ours)
            *(struct aisp_rival *)aisp_grow(&rivals->item, &rivals->n, &rivals->cap, sizeof best) = best;
    }
    free(peer);
}

void aisp_rivals_find(struct aisp_rivals *rivals, const struct aisp_result_row *row, size_t n)
{
    const struct aisp_result_row **sorted = aisp_xcalloc(n + 1, sizeof *sorted);
    size_t n_valid = 0, end;

    for (size_t i = 0; i < n; i++)
        if (aisp_row_is_valid(&row[i]))
            sorted[n_valid++] = &row[i];
    qsort(sorted, n_valid, sizeof *sorted, by_place);
    for (size_t i = 0; i < n_valid; i = end) {
        for (end = i + 1; end < n_valid && !place_order(sorted[i], sorted[end]); end++)
            ;
        add_place(rivals, &(struct place){ sorted + i, end - i });
    }
    free(sorted);
}

void aisp_rivals_release(struct aisp_rivals *rivals)
{
    free(rivals->item);
    *rivals = (struct aisp_rivals)AISP_RIVALS_INIT;
}
