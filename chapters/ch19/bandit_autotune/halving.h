/* halving.h - successive halving: all arms get a few looks, the better half gets twice as many, and so on; the last four get
 * all. An arm is a net and its looks so far are the first `seen` states, on `agree` of which it agrees with the model.
 * Source: K. Jamieson and A. Talwalkar, Non-stochastic best arm identification, 2016. */
#ifndef BANDIT_AUTOTUNE_HALVING_H
#define BANDIT_AUTOTUNE_HALVING_H

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_SHARE = 16, FEWEST_LOOKS = 128, FINALISTS = 4 };

struct arm { int64_t net, agree; };

static int better_first(const void *a, const void *b)
{
    const struct arm *x = a, *y = b;

    return x->agree != y->agree ? (x->agree < y->agree ? 1 : -1) : (x->net > y->net) - (x->net < y->net);
}

/* agree(context, net, from, to): on how many of the states [from, to) a net agrees. The winner, which has all its looks. */
static inline struct arm halve(struct arm *arm, int64_t arms, int64_t states,
                               int64_t (*agree)(const void *context, int64_t net, int64_t from, int64_t to),
                               const void *context)
{
    int64_t seen = 0, next = states / FIRST_SHARE > FEWEST_LOOKS ? states / FIRST_SHARE : FEWEST_LOOKS;

    for (int64_t a = 0; a < arms; a++)
        arm[a] = (struct arm){ a, 0 };
    while (seen < states) {
        next = arms <= FINALISTS || next > states ? states : next;
        for (int64_t a = 0; a < arms; a++)
            arm[a].agree += agree(context, arm[a].net, seen, next);
        qsort(arm, (size_t)arms, sizeof *arm, better_first);
        arms = (arms + 1) / 2 > FINALISTS ? (arms + 1) / 2 : arms < FINALISTS ? arms : FINALISTS;
        seen = next;
        next *= 2;
    }
    return arm[0];
}

#endif
