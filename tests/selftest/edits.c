/* edits.c - change evidence as its owner could, with the chain made to fit. */
#include "tests/selftest/edits.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/channel.h"

enum { COPIES = 12, ROUND_NS = 10000 };

static bool is_timed_b(const struct aisp_window *w)
{
    return w->side == AISP_B && w->kind == AISP_WINDOW_TIMED;
}

static void say_faster(struct aisp_evidence *ev)
{
    struct aisp_claim *claim = &ev->machine.claim;
    int n_control;

    strcpy(claim->verdict, "FASTER");
    claim->ratio = 1.3;
    aisp_evidence_pairs(ev, NULL, &claim->n_pairs, NULL, &n_control);
}

/* The pair again and again, each time a little further ahead. */
static void copy_pair(struct aisp_evidence *ev)
{
    const size_t n = ev->n_windows;

    for (int32_t copy = 1; copy < COPIES && ev->n_pairs; copy++) {
        struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

        *p = ev->pair[0];
        p->pair = ev->pair[0].pair + copy;
        for (size_t i = 0; i < n; i++) {
            struct aisp_window *w =
                aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

            *w = ev->window[i];
            w->pair += copy;
            if (is_timed_b(w)) {
                w->window_ns -= w->window_ns * (5 + copy) / 100;
                w->inner_ns -= w->inner_ns * (5 + copy) / 100;
            }
        }
    }
    say_faster(ev);
    ev->machine.claim.ratio = 1.1;
}

/* What luck looks like, kept. */
static void keep_the_best(struct aisp_evidence *ev)
{
    copy_pair(ev);
    ev->machine.claim.attempt = ev->machine.claim.chosen_of = 20;
    ev->machine.claim.attempts_before = 19;
}

static void change_windows(struct aisp_evidence *ev, const char *what)
{
    for (size_t i = 0; i < ev->n_windows; i++) {
        struct aisp_window *w = &ev->window[i];

        if (!is_timed_b(w))
            continue;
        if (!strcmp(what, "calls")) {
            w->calls *= 2;
            continue;
        }
        w->inner_ns -= w->window_ns % ROUND_NS;
        w->window_ns -= w->window_ns % ROUND_NS;
    }
}

/* Half of the reference's time in most windows and eight times it in every eighth: quick at the median, and slow. */
static void make_tail(struct aisp_evidence *ev)
{
    int64_t base_ns = 0, n = 0;
    int32_t pair = -1;

    for (size_t i = 0; i < ev->n_windows; i++) {
        struct aisp_window *w = &ev->window[i];

        if (w->kind != AISP_WINDOW_TIMED)
            continue;
        base_ns = base_ns ? base_ns : w->window_ns;
        n = w->pair == pair ? n : 0;
        pair = w->pair;
        w->inner_ns -= w->window_ns;
        w->window_ns = base_ns + 100 * (int64_t)(i % 97);
        if (w->side == AISP_B)
            w->window_ns = n++ % 8 == 5 ? 8 * w->window_ns : w->window_ns / 2;
        w->inner_ns += w->window_ns;
    }
}

/* Twice in four of five windows of the reference, which took twice as long for it. */
static void disturb_reference(struct aisp_evidence *ev)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        struct aisp_window *w = &ev->window[i];

        if (w->kind != AISP_WINDOW_TIMED)
            continue;
        w->involuntary_switches = 0;
        if (w->side != AISP_A || n++ % 5 == 0)
            continue;
        w->involuntary_switches = 2;
        w->inner_ns += w->window_ns;
        w->window_ns *= 2;
    }
}

static void count_attempts(struct aisp_claim *claim, int before)
{
    claim->attempt = 7;
    claim->attempts_before = before;
}

/* Landlock and the filter of system calls; or what is no part of the cage. */
static void lack(struct aisp_evidence *ev, const char *what)
{
    ev->account[AISP_B].missing =
        strcmp(what, "uncaged") ? AISP_CAGE_ADDRESS : AISP_CAGE_LANDLOCK | AISP_CAGE_SECCOMP;
}

void edit_evidence(struct aisp_evidence *ev, const char *what)
{
    if (!strcmp(what, "faster"))
        say_faster(ev);
    else if (!strcmp(what, "tail"))
        make_tail(ev);
    else if (!strcmp(what, "attempts"))
        count_attempts(&ev->machine.claim, 2);
    else if (!strcmp(what, "attempt"))
        count_attempts(&ev->machine.claim, 6);
    else if (!strcmp(what, "ahead"))
        copy_pair(ev);
    else if (!strcmp(what, "lucky"))
        keep_the_best(ev);
    else if (!strcmp(what, "calls") || !strcmp(what, "quantise"))
        change_windows(ev, what);
    else if (!strcmp(what, "neighbour"))
        disturb_reference(ev);
    else if (!strcmp(what, "uncaged") || !strcmp(what, "elsewhere"))
        lack(ev, what);
    else if (!strcmp(what, "stepped"))
        ev->after.realtime_minus_mono_ns -= INT64_C(3600000000000);
    else
        return;
    aisp_evidence_chain(ev, ev->chain);
}
