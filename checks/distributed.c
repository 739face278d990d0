/* distributed.c - did every rank do its part of every call, with everybody's data, and was the last of them waited for?
 * Not here: what is wrong with one process alone (the other families say it of a rank as well). */
#include <math.h>
#include <stdlib.h>

#include "checks/observed.h"
#include "checks/samples.h"
#include "core/base/buf.h"

/* Of a rank over the windows of a side, without controls: medians. */
struct rank_use {
    size_t n;              /* windows */
    double cpu_share;      /* its CPU time over that of all ranks */
    double end, lag_calls; /* its end over the last one's; how many calls earlier it was */
    double inner;          /* its own word over the supervisor's span of it */
    double busy;           /* CPU time over the window */
};

static int n_ranks(const struct aisp_evidence *ev)
{
    return ev->ranks.n_ranks <= AISP_MAX_RANKS ? ev->ranks.n_ranks : 0;
}

/* The rank whose tensor it is. */
static int rank_of(const struct aisp_evidence *ev, const struct aisp_observation *o)
{
    return ev->ranks.n_tensors > 0 && o->tensor >= 0 ? o->tensor / ev->ranks.n_tensors : -1;
}

static bool begins_window(const struct aisp_evidence *ev, size_t i, enum aisp_side side)
{
    const struct aisp_rank_span *s = &ev->ranks.span[i];

    if (s->side != (int)side || s->rank != 0 || i + (size_t)n_ranks(ev) > ev->ranks.n_spans ||
        aisp_evidence_is_control(ev, s->pair))
        return false;
    for (int r = 1; r < n_ranks(ev); r++)
        if (s[r].rank != r || s[r].pair != s->pair || s[r].index != s->index)
            return false;
    return true;
}

enum figure { CPU_SHARE, END, LAG_CALLS, INNER, BUSY, N_FIGURES };

/* What one window says of one of its ranks; nan: nothing. */
static double figure_of(const struct aisp_rank_span *window, int n, int rank, enum figure which)
{
    const struct aisp_rank_span *s = &window[rank];
    int64_t last_ns = 0, cpu_ns = 0;

    for (int r = 0; r < n; r++) {
        last_ns = window[r].end_ns > last_ns ? window[r].end_ns : last_ns;
        cpu_ns += window[r].cpu_ns;
    }
    if (last_ns <= 0 || s->end_ns <= 0 || s->calls < 1)
        return NAN;
    switch (which) {
    case CPU_SHARE:
        return s->cpu_ns >= 0 && cpu_ns > 0 ? (double)s->cpu_ns / (double)cpu_ns : NAN;
    case END:
        return (double)s->end_ns / (double)last_ns;
    case LAG_CALLS:
        return (double)(last_ns - s->end_ns) / ((double)last_ns / (double)s->calls);
    case INNER:
        return (double)s->inner_ns / (double)s->end_ns;
    default:
        return s->cpu_ns >= 0 ? (double)s->cpu_ns / (double)last_ns : NAN;
    }
}

static double median_figure(const struct aisp_evidence *ev, enum aisp_side side, int rank,
                            enum figure which, size_t *n)
{
    double *x = aisp_xmalloc((ev->ranks.n_spans + 1) * sizeof *x), median;

    *n = 0;
    for (size_t i = 0; i < ev->ranks.n_spans; i++) {
        double value;

        if (!begins_window(ev, i, side))
            continue;
        value = figure_of(&ev->ranks.span[i], n_ranks(ev), rank, which);
        if (isfinite(value))
            x[(*n)++] = value;
    }
    median = aisp_median_or_zero(x, *n);
    free(x);
    return median;
}

enum { LEAST_WINDOWS = 6 }; /* below which a rank is not judged */

/* A wrong output of which the observation says "nothing of it was written"; the first of a rank, NULL: none. */
static const struct aisp_observation *first_of_rank(const struct aisp_evidence *ev, int side,
                                                    int rank, enum aisp_seen what)
{
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];

        if (o->side == side && o->what == what && rank_of(ev, o) == rank)
            return o;
    }
    return NULL;
}

static bool is_unwritten(const struct aisp_observation *o, bool wholly)
{
    return o && o->kind == AISP_WRONG_UNWRITTEN && o->of > 0 && (o->count == o->of) == wholly;
}

/* 60. Some ranks left nothing at all behind, others did their part. */
static void rank_skipping(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1; side++) {
        const struct aisp_observation *first = NULL;
        int n_idle = 0, n_right = 0, idle = -1;
        char where[192];

        for (int r = 0; r < n_ranks(ev); r++) {
            const struct aisp_observation *o = first_of_rank(ev, side, r, AISP_SEEN_WRONG_OUTPUT);

            n_right += !o;
            if (!is_unwritten(o, true))
                continue;
            n_idle++;
            first = first ? first : o;
            idle = idle < 0 ? r : idle;
        }
        if (!n_idle || !n_right)
            continue;
        aisp_observed_where(ev, first, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: rank %d wrote nothing (all %lld elements hold the poison, expected %.9g), "
                  "while %d of %d ranks did "
                  "their part",
                  where, idle, (long long)first->of, first->expected, n_right, n_ranks(ev));
    }
}

AISP_CHECK(rank_skipping_check) = {
    .issue = 60,
    .name = "rank-skipping",
    .family = "distributed",
    .title =
        "Every rank's outputs are poisoned and compared: none of them can leave its part undone",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = rank_skipping,
};

/* 61. Wrong, and right if the other ranks had nothing to say. */
static void collective_short_circuit(const struct aisp_check *self, const struct aisp_evidence *ev,
                                     struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1; side++) {
        const int rank = ev->ranks.own_data_rank[side];
        const struct aisp_observation *o = first_of_rank(ev, side, rank, AISP_SEEN_WRONG_OUTPUT);
        char where[192];

        if (!ev->ranks.n_own_data[side] || !o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: the output of rank %d is right for its own data alone (element %lld: saw "
                  "%.9g, expected %.9g with "
                  "everybody's): nothing came from the other ranks",
                  where, rank, (long long)o->element, o->seen, o->expected);
    }
}

AISP_CHECK(collective_short_circuit_check) = {
    .issue = 61,
    .name = "collective-short-circuit",
    .family = "distributed",
    .title =
        "The result of a collective holds fresh data of every rank, and no rank can read another's",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = collective_short_circuit,
};

/* 62. The supervisor starts as many ranks as are asked for; but one of them may do the work of others. What each should do is
 * measured by its share of the bytes. A rank that spins to look busy is not seen here. */
static void topology_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev,
                              struct aisp_findings *out)
{
    double total = 0;

    for (int r = 0; r < n_ranks(ev); r++)
        total += (double)ev->ranks.bytes[r];
    for (int side = AISP_A;
         side <= AISP_B && n_ranks(ev) > 1 && ev->ranks.team != AISP_STAGES && total > 0; side++) {
        int n_absent = 0, absent = -1;
        double its = 0, due = 0;

        for (int r = 0; r < n_ranks(ev); r++) {
            const double expected = (double)ev->ranks.bytes[r] / total;
            size_t n;
            const double share = median_figure(ev, (enum aisp_side)side, r, CPU_SHARE, &n);

            if (n < LEAST_WINDOWS || share >= 0.4 * expected)
                continue;
            n_absent++;
            if (absent < 0) {
                absent = r;
                its = share;
                due = expected;
            }
        }
        if (n_absent)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: asked for %d ranks, worked on by %d: rank %d used %.1f %% of the CPU "
                      "time of the ranks (median of "
                      "windows), its share of the data is %.1f %%",
                      ev->variant[side].name, n_ranks(ev), n_ranks(ev) - n_absent, absent,
                      100 * its, 100 * due);
    }
}

AISP_CHECK(topology_mismatch_check) = {
    .issue = 62,
    .name = "topology-mismatch",
    .family = "distributed",
    .title = "As many ranks work as are asked for: CPU time of each is held against its share of "
             "the data",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = topology_mismatch,
};

/* The rank that ended longest before the last, if that was more than calls in step can explain: two calls, and a quarter of
 * the window, which is more than a busy machine does to half of all windows. -1: none. */
static int early_rank(const struct aisp_evidence *ev, enum aisp_side side, double *end,
                      double *calls)
{
    int early = -1;

    *end = 1;
    for (int r = 0; r < n_ranks(ev); r++) {
        size_t n;
        const double is = median_figure(ev, side, r, END, &n),
                     lag = median_figure(ev, side, r, LAG_CALLS, &n);

        if (n < LEAST_WINDOWS || is > 0.75 || lag < 2 || is > *end)
            continue;
        early = r;
        *end = is;
        *calls = lag;
    }
    return early;
}

/* 63. */
static void barrier_timing(const struct aisp_check *self, const struct aisp_evidence *ev,
                           struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1 && ev->ranks.team == AISP_IN_STEP;
         side++) {
        double end, calls = 0;
        const int rank = early_rank(ev, (enum aisp_side)side, &end, &calls);

        if (rank >= 0)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: rank %d ended after %.0f %% of the window and %.1f calls before the "
                      "last rank (medians), where calls "
                      "are in step: the barrier is left out. The time is that of the last rank",
                      ev->variant[side].name, rank, 100 * end, calls);
    }
}

AISP_CHECK(barrier_timing_check) = {
    .issue = 63,
    .name = "barrier-timing",
    .family = "distributed",
    .title = "Time is the last rank's end minus the first one's go, on one clock; ranks that run "
             "ahead are reported",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = barrier_timing,
};

/* 64. What the kernel counted on the wires, against what the problem declares. */
static void bucket_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    const struct aisp_ranks *ranks = &ev->ranks;

    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1 && ranks->n_messages > 0; side++) {
        const struct aisp_rank_span *first = NULL;
        size_t n = 0, n_off = 0;

        for (size_t i = 0; i < ranks->n_spans; i++) {
            const struct aisp_rank_span *s = &ranks->span[i];
            const double messages = (double)ranks->n_messages * (double)s->calls;

            if (s->side != side || s->n_sent < 0 || aisp_evidence_is_control(ev, s->pair))
                continue;
            n++;
            if ((double)s->n_sent == messages &&
                (double)s->sent_bytes == messages * (double)ranks->message_bytes)
                continue;
            n_off++;
            first = first ? first : s;
        }
        if (first && 2 * n_off > n)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: rank %d sent %.2f messages of %.0f bytes a call in window %d of pair "
                      "%d, declared are %lld of %lld "
                      "bytes",
                      ev->variant[side].name, first->rank,
                      (double)first->n_sent / (double)first->calls,
                      first->n_sent > 0 ? (double)first->sent_bytes / (double)first->n_sent : 0.0,
                      first->index, first->pair, (long long)ranks->n_messages,
                      (long long)ranks->message_bytes);
    }
}

AISP_CHECK(bucket_mismatch_check) = {
    .issue = 64,
    .name = "bucket-mismatch",
    .family = "distributed",
    .title = "Number and size of the messages are the declared ones, as the kernel counts them",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = bucket_mismatch,
};

/* 65. */
static void async_gradient(const struct aisp_check *self, const struct aisp_evidence *ev,
                           struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1; side++) {
        const struct aisp_observation *late =
            aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_LATE_WRITE, -1);
        char where[192];

        if (!late)
            continue;
        aisp_observed_where(ev, late, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: rank %d said done before the collective was: %lld of %lld bytes of its "
                  "output changed afterwards",
                  where, rank_of(ev, late), (long long)late->count, (long long)late->of);
    }
}

AISP_CHECK(async_gradient_check) = {
    .issue = 65,
    .name = "async-gradient",
    .family = "distributed",
    .title = "The outputs of every rank are looked at when the last one says done, and again later",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 4,
    .examine = async_gradient,
};

/* 66. A first stage that runs ahead of the last one hides the filling and draining of each call behind the next. */
static void pipeline_bubble(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1 && ev->ranks.team == AISP_STAGES;
         side++) {
        double end, calls = 0, busy = 0;
        const int rank = early_rank(ev, (enum aisp_side)side, &end, &calls);
        size_t n;

        for (int r = 0; r < n_ranks(ev); r++)
            busy += median_figure(ev, (enum aisp_side)side, r, BUSY, &n) / n_ranks(ev);
        if (rank >= 0)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: stage %d ran %.1f calls ahead of the last stage and ended after %.0f %% "
                      "of the window (medians): its "
                      "steady state is not the time of a call. Scored is the whole window%s",
                      ev->variant[side].name, rank, calls, 100 * end, "");
        if (n >= LEAST_WINDOWS && busy > 0)
            aisp_find(out, self, AISP_NOTE, side,
                      "%s: the stages were busy for %.0f %% of the windows: the bubble is %.0f %%",
                      ev->variant[side].name, 100 * busy, 100 * fmax(0, 1 - busy));
    }
}

AISP_CHECK(pipeline_bubble_check) = {
    .issue = 66,
    .name = "pipeline-bubble",
    .family = "distributed",
    .title = "A pipeline's time is that of whole calls, filled and drained; a stage that runs "
             "ahead is reported",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = pipeline_bubble,
};

/* 67. The harness cuts the shards, so that they tile; a variant that cuts them otherwise leaves a part of one or writes past it. */
static void shard_size(const struct aisp_check *self, const struct aisp_evidence *ev,
                       struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B && n_ranks(ev) > 1; side++)
        for (int r = 0; r < n_ranks(ev); r++) {
            const struct aisp_observation *wrong =
                                              first_of_rank(ev, side, r, AISP_SEEN_WRONG_OUTPUT),
                                          *past = first_of_rank(ev, side, r, AISP_SEEN_CANARY);
            char where[192];

            if (is_unwritten(wrong, false)) {
                aisp_observed_where(ev, wrong, where, sizeof where);
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: rank %d left %lld of %lld elements of its shard unwritten, from "
                          "element %lld: the shards that "
                          "were written do not tile the whole",
                          where, r, (long long)wrong->count, (long long)wrong->of,
                          (long long)wrong->element);
            }
            if (past) {
                aisp_observed_where(ev, past, where, sizeof where);
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: rank %d wrote beside its shard, %s: shards overlap", where, r,
                          past->detail);
            }
        }
}

AISP_CHECK(shard_size_check) = {
    .issue = 67,
    .name = "shard-size",
    .family = "distributed",
    .title = "Shards are cut by the harness and tile the whole: what a rank leaves out or writes "
             "beside its own is seen",
    .needs = "ranks",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = shard_size,
};
