/* control.c - control windows against usual ones. */
#include "core/run/control.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/stats/stats.h"

static const double LEAST_SLACK = 0.05, ERRORS = 2, LEAST_FIRST_SHARE = 0.25;
/* Before go honest sides differ by 1 to 5 us of 25 to 45, and where there is more to bring near by a tenth of what that takes. */
static const double LEAD_NS = 5000, LEAD_BESIDE_DRIVER_NS = 100000, LEAD_SHARE = 0.125, LEAD_DOUBT = 0.01;

/* Of control windows a quarter may be lost to what disturbs them more than timed ones. */
enum { DROPPED_ONE_IN = 4 };
static const double DROPPED_BY_CHANCE = 1e-3;

struct sample {
    double *x, median, error;
    int n, n_all, n_dropped; /* quiet windows; all; disturbed ones */
    int n_switched;          /* of all: somebody was put aside at all */
    int64_t calls;           /* of its first window */
};

struct of_pair {
    enum aisp_side side;
    int pair;
    bool only_timed;         /* else all but warm-up */
    double usual_ns;
};

/* Standard error of a median, robustly: 1.2533 * 1.4826 * MAD / sqrt(n). */
static void describe(struct sample *s)
{
    double mad;

    if (s->n && aisp_median(s->x, (size_t)s->n, &s->median, NULL) == AISP_OK &&
        aisp_mad(s->x, (size_t)s->n, &mad, NULL) == AISP_OK)
        s->error = 1.2533 * 1.4826 * mad / sqrt(s->n);
    else
        s->n = 0;
}

/* What a window had before go, when contents are there and no clock runs: from arm on, and of CPU time while the worker should have
 * slept. */
static double before_go_ns(const struct aisp_window *w)
{
    return (double)(w->gap_ns + (w->idle_ns > 0 ? w->idle_ns : 0));
}

/* A quantile of that over windows of one pair. 0: there are none. */
static double lead_of_pair(const struct aisp_evidence *ev, const struct of_pair *of, double quantile)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), lead_ns = 0;
    size_t n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];
        const bool is_in = of->only_timed ? w->kind == AISP_WINDOW_TIMED
                                          : w->kind != AISP_WINDOW_WARMUP && w->kind != AISP_WINDOW_HOLDOUT;

        if (w->side == (int)of->side && w->pair == of->pair && is_in)
            x[n++] = before_go_ns(w);
    }
    aisp_sort(x, n);
    if (n)
        lead_ns = aisp_quantile_sorted(x, n, quantile);
    free(x);
    return lead_ns;
}

static double least_lead_ns(const struct aisp_evidence *ev)
{
    return *ev->limits.card ? LEAD_BESIDE_DRIVER_NS : LEAD_NS;
}

/* What a control window had before go beyond what is usual in its pair, where windows of a pair do not differ by so much. `at`: of the
 * window before; begins with pair -1. */
static double ahead_ns(const struct aisp_evidence *ev, const struct aisp_window *w, struct of_pair *at)
{
    double more_ns;

    if (w->pair != at->pair) {
        *at = (struct of_pair){ .side = (enum aisp_side)w->side, .pair = w->pair, .only_timed = true };
        at->usual_ns = lead_of_pair(ev, at, 0.5);
    }
    more_ns = before_go_ns(w) - at->usual_ns;
    return at->usual_ns > 0 && more_ns > least_lead_ns(ev) + LEAD_SHARE * at->usual_ns ? more_ns : 0;
}

/* Of all windows of a kind. The caller frees it. */
static double *all_ahead_ns(const struct aisp_evidence *ev, enum aisp_side side, int kind, size_t *n)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x);
    struct of_pair at = { .pair = -1 };

    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side == (int)side && w->kind == kind && !aisp_evidence_is_control(ev, w->pair))
            x[(*n)++] = ahead_ns(ev, w, &at);
    }
    return x;
}

/* Who knows a window for a control may compute before go what its calls are to cost; then what it had there is part of their cost.
 * A crowded machine makes that longer too, and more so in windows before which much was filled: of both sides alike. */
static bool is_led(const struct aisp_evidence *ev, enum aisp_side side, int kind)
{
    double *mine, *others, more = 0;
    size_t n, n_others;
    bool is;

    if (kind == AISP_WINDOW_TIMED || ev->held.scope == AISP_SCOPE_KERNEL)
        return false;
    mine = all_ahead_ns(ev, side, kind, &n);
    others = all_ahead_ns(ev, side == AISP_A ? AISP_B : AISP_A, kind, &n_others);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_others; k++)
            more += (mine[i] > others[k]) - (mine[i] < others[k]);
    is = more > 0 && aisp_mann_whitney_p(mine, n, others, n_others) < 2 * LEAD_DOUBT;
    free(mine);
    free(others);
    return is;
}

/* Quiet windows of a kind, of rungs only: their time, or their time a call. */
static struct sample sample_of(const struct aisp_evidence *ev, enum aisp_side side, int kind, bool a_call)
{
    struct sample s = { .x = aisp_xmalloc((ev->n_windows + 1) * sizeof *s.x) };
    const bool adds_lead = is_led(ev, side, kind);
    struct of_pair at = { .pair = -1 };

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side != (int)side || w->kind != kind || w->calls < 1 || aisp_evidence_is_control(ev, w->pair))
            continue;
        s.n_all++;
        s.n_switched += w->involuntary_switches > 0;
        if (aisp_window_is_disturbed(w)) {
            s.n_dropped++;
            continue;
        }
        s.calls = s.n ? s.calls : w->calls;
        s.x[s.n++] = ((double)w->window_ns + (adds_lead ? ahead_ns(ev, w, &at) : 0)) / (a_call ? (double)w->calls : 1);
    }
    describe(&s);
    return s;
}

/* A worker can have its own windows disturbed: a yield beside a thread that wants to run is enough. So a control of which much was
 * dropped, and more than timed windows are disturbed, excuses nobody. Those are as long or longer where work is honest: a machine
 * disturbs them as often. What is left of the control may accuse all the same: nobody chooses that. */
static bool is_chosen(const struct sample *control, const struct sample *usual)
{
    return control->n_dropped * DROPPED_ONE_IN > control->n_all &&
           aisp_fisher_p((size_t)control->n_dropped, (size_t)control->n_all, (size_t)usual->n_switched, (size_t)usual->n_all) <
               DROPPED_BY_CHANCE;
}

/* What a window takes beyond its calls, if its worker is honest: the way of the words, waking, a first call that is cold. */
static double around_ns(const struct aisp_evidence *ev)
{
    const double least_ns = !ev->spinning ? 200000 : *ev->limits.card ? 40000 : 20000;

    return fmax(least_ns, 2 * ev->calibration.slack_median_high_ns);
}

/* The difference of the two has nothing in it but calls, as long as the worker does not know which of them it is in. It does
 * know: it is told how many calls a window has, and could spin in the half windows until the difference is as small as it likes.
 * So a half window's own time counts as well, less what is around calls; of both, who is honest has the same. */
static struct aisp_control cost_of_repeats(const struct aisp_evidence *ev, const struct sample *usual, const struct sample *once,
                                           const struct sample *half)
{
    const double calls = (double)(once->calls - half->calls), half_calls = (double)half->calls;
    const double slope_ns = (once->median - half->median) / calls, bound_ns = (half->median - around_ns(ev)) / half_calls;
    struct aisp_control c = { .n = once->n < half->n ? once->n : half->n,
                              .usual_ns = usual->median,
                              .control_ns = slope_ns,
                              .error_ns = hypot(once->error, half->error) / calls };

    if (bound_ns > slope_ns) {
        c.control_ns = bound_ns;
        c.error_ns = half->error / half_calls;
    }
    return c;
}

/* Slots beyond the L2 are not primed before a window: what the judge has just filled then lies farther away than what was used
 * before, by as much as its bytes cost on the way; of sets beyond the last cache nothing was near before either. */
double aisp_control_cold_ns(const struct aisp_evidence *ev)
{
    const double l3_gbps = ev->calibration.peak_read_gbps[2], dram_gbps = ev->calibration.peak_read_gbps[3];
    const double cores_gbps = dram_gbps > 0 ? fmin(dram_gbps, l3_gbps > 0 ? l3_gbps : dram_gbps) : 10;
    const double way_ns = (double)ev->bytes / (*ev->limits.card ? ev->limits.dram_gbps : cores_gbps);

    if (aisp_evidence_level(ev, ev->working_set_bytes) <= 1)
        return 0;
    return aisp_evidence_level(ev, ev->bytes) == 3 ? way_ns / 4 : way_ns;
}

/* Not on a card, whose control windows were not looked at for it. */
static double cold_ns(const struct aisp_evidence *ev)
{
    return *ev->limits.card ? 0 : aisp_control_cold_ns(ev);
}

struct aisp_control aisp_control_repeats(const struct aisp_evidence *ev, enum aisp_side side)
{
    const struct sample usual = sample_of(ev, side, AISP_WINDOW_TIMED, true);
    const struct sample once = sample_of(ev, side, AISP_WINDOW_ONCE, false);
    const struct sample half = sample_of(ev, side, AISP_WINDOW_ONCE_HALF, false);
    struct aisp_control c = { 0 };

    if (usual.n && once.n && half.n && once.calls > half.calls)
        c = cost_of_repeats(ev, &usual, &once, &half);
    c.first_ns = c.control_ns;
    c.is_chosen = is_chosen(&once, &usual) || is_chosen(&half, &usual);
    c.cold_ns = cold_ns(ev);
    free(usual.x);
    free(once.x);
    free(half.x);
    return c;
}

/* Of the calls of a fresh window the first with each slot find contents that they have not seen: their share. */
static double first_share(const struct aisp_evidence *ev)
{
    const double slots = ev->n_slots, calls = (double)ev->calls_per_window;

    return slots > 0 && slots < calls ? slots / calls : 1;
}

/* Where they are fewer than one in four, the window's excess is too near to noise to be told as theirs. */
static bool are_first_told(const struct aisp_evidence *ev)
{
    return first_share(ev) >= LEAST_FIRST_SHARE;
}

/* What such a first call cost, if the others cost what is usual. A window that was no longer than usual tells nothing of them. */
static double first_ns(const struct aisp_evidence *ev, double a_call_ns, double usual_ns)
{
    return a_call_ns > usual_ns && are_first_told(ev) ? usual_ns + (a_call_ns - usual_ns) / first_share(ev) : a_call_ns;
}

struct aisp_control aisp_control_fresh(const struct aisp_evidence *ev, enum aisp_side side)
{
    const struct sample usual = sample_of(ev, side, AISP_WINDOW_TIMED, true);
    const struct sample fresh = sample_of(ev, side, AISP_WINDOW_FRESH, true);
    struct aisp_control c = { 0 };

    if (usual.n && fresh.n)
        c = (struct aisp_control){ .n = fresh.n, .usual_ns = usual.median,
                                   .control_ns = fresh.median, .first_ns = first_ns(ev, fresh.median, usual.median),
                                   .error_ns = hypot(fresh.error, usual.error) };
    c.is_chosen = is_chosen(&fresh, &usual);
    c.cold_ns = cold_ns(ev) * (are_first_told(ev) ? 1 : first_share(ev));
    free(usual.x);
    free(fresh.x);
    return c;
}

/* Median ns a call of a side's quiet timed windows of one pair; 0: there are none. */
static double usual_of_pair(const struct aisp_evidence *ev, enum aisp_side side, int pair)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), median = 0;
    size_t n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side == (int)side && w->pair == pair && w->kind == AISP_WINDOW_TIMED && w->calls > 0 && !aisp_window_is_disturbed(w))
            x[n++] = (double)w->window_ns / (double)w->calls;
    }
    if (!n || aisp_median(x, n, &median, NULL))
        median = 0;
    free(x);
    return median;
}

double aisp_control_fresh_share(const struct aisp_evidence *ev, enum aisp_side side, double factor, double more_ns)
{
    const bool adds_lead = is_led(ev, side, AISP_WINDOW_FRESH);
    struct of_pair at = { .pair = -1 };
    int n = 0, n_more = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];
        double usual, ns;

        if (w->side != (int)side || w->kind != AISP_WINDOW_FRESH || w->calls < 1 || aisp_window_is_disturbed(w) ||
            aisp_evidence_is_control(ev, w->pair))
            continue;
        usual = usual_of_pair(ev, side, w->pair);
        n += usual > 0;
        ns = (double)w->window_ns + (adds_lead ? ahead_ns(ev, w, &at) : 0);
        n_more += usual > 0 && first_ns(ev, ns / (double)w->calls, usual) > factor * usual + more_ns;
    }
    return n ? (double)n_more / n : 0;
}

/* Was there a control of this kind at all? */
static bool has_control(const struct aisp_evidence *ev, int kind)
{
    for (size_t i = 0; i < ev->n_windows; i++)
        if (ev->window[i].kind == kind)
            return true;
    return false;
}

static double lead_of(const struct aisp_evidence *ev, enum aisp_side side, double quantile)
{
    const enum aisp_side other = side == AISP_A ? AISP_B : AISP_A;
    double *more = aisp_xmalloc((ev->n_pairs + 1) * sizeof *more), median = 0;
    size_t n = 0, n_more = 0;

    for (size_t p = 0; p < ev->n_pairs && ev->held.scope != AISP_SCOPE_KERNEL; p++) {
        const double mine_ns = lead_of_pair(ev, &(struct of_pair){ .side = side, .pair = ev->pair[p].pair }, quantile),
                     others_ns = lead_of_pair(ev, &(struct of_pair){ .side = other, .pair = ev->pair[p].pair }, quantile);

        if (ev->pair[p].is_control || mine_ns <= 0 || others_ns <= 0)
            continue;
        more[n] = mine_ns - others_ns;
        n_more += more[n++] > least_lead_ns(ev) + LEAD_SHARE * others_ns;
    }
    if (!n_more || aisp_binomial_tail(n, n_more, 0.5) > LEAD_DOUBT || aisp_median(more, n, &median, NULL))
        median = 0;
    free(more);
    return median;
}

/* A crowded machine leaves the shortest ones as they are; who works ahead now and then has short ones too. */
double aisp_control_lead_ns(const struct aisp_evidence *ev, enum aisp_side side)
{
    return fmax(lead_of(ev, side, 0.125), lead_of(ev, side, 0.5));
}

/* Answers that were ready at go serve every call of a window: what is owed to them is the time in which those of all its slots were
 * made, on each call its share. */
static double lead_slack(const struct aisp_evidence *ev, double claim)
{
    const enum aisp_side faster = claim > 0 ? AISP_B : AISP_A;
    const double slots = fmin(ev->n_slots, (double)ev->calls_per_window), lead_ns = aisp_control_lead_ns(ev, faster);
    const struct sample usual = sample_of(ev, faster, AISP_WINDOW_TIMED, true);
    const double owed = usual.n && slots > 0 && usual.median > 0 ? log1p(lead_ns / slots / usual.median) : 0;

    free(usual.x);
    if (owed <= LEAST_SLACK)
        return 0;
    return owed > fabs(claim) / 2 ? fmax(owed, fabs(claim)) : owed;
}

static bool speaks(const struct aisp_control *c)
{
    return !c->is_chosen && c->n >= AISP_CONTROL_LEAST && c->control_ns > 0 && c->usual_ns > 0;
}

/* As a logarithm, the part of a first call's cost that its cold slot may be; it explains no more than there is. */
static double explained(const struct aisp_control *c)
{
    const double without_ns = fmax(c->usual_ns, c->first_ns - c->cold_ns);

    return c->first_ns > without_ns ? log(c->first_ns / without_ns) : 0;
}

/* What was seen, where it was seen beyond doubt; all of a claim that is for the greater part no more than that, caches apart. Else, of
 * a claim that is large enough to be looked at, what cannot be excluded where that is more than half of it: a control too noisy to speak
 * is no alibi. Without the slower side's, which can only excuse, nothing is excused; its own windows are the longer ones, and a machine
 * puts those aside most. */
static double slack_of(const struct aisp_control *a, const struct aisp_control *b, double claim)
{
    double seen, first, possible, error;

    if (!speaks(b) || a->is_chosen)
        return claim > LEAST_SLACK ? claim : 0;
    seen = log(b->control_ns / b->usual_ns) - (speaks(a) ? log(a->control_ns / a->usual_ns) : 0);
    first = log(b->first_ns / b->usual_ns) - (speaks(a) ? log(a->first_ns / a->usual_ns) : 0);
    error = hypot(speaks(a) ? a->error_ns / a->control_ns : 0, b->error_ns / b->control_ns);
    if (first > LEAST_SLACK && seen > ERRORS * error)
        return first - explained(b) > claim / 2 ? fmax(first, claim) : first;
    possible = seen + ERRORS * error;
    return claim > LEAST_SLACK && possible > fmax(LEAST_SLACK, claim / 2) ? possible : 0;
}

double aisp_control_slack(const struct aisp_evidence *ev, double claim)
{
    double slack = 0;

    const struct aisp_control repeats_a = aisp_control_repeats(ev, AISP_A), repeats_b = aisp_control_repeats(ev, AISP_B);
    const struct aisp_control fresh_a = aisp_control_fresh(ev, AISP_A), fresh_b = aisp_control_fresh(ev, AISP_B);

    if (has_control(ev, AISP_WINDOW_ONCE) || has_control(ev, AISP_WINDOW_ONCE_HALF))
        slack = slack_of(&repeats_a, &repeats_b, claim);
    if (has_control(ev, AISP_WINDOW_FRESH))
        slack = fmax(slack, slack_of(&fresh_a, &fresh_b, claim));
    return fmax(slack, lead_slack(ev, claim));
}
