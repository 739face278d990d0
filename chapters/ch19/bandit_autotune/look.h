/* look.h - one look: what does a net choose? Not inlined, so that all rungs look at the same speed and differ in how often. */
#ifndef BANDIT_AUTOTUNE_LOOK_H
#define BANDIT_AUTOTUNE_LOOK_H

#include <stdint.h>

#include "problem.h"

__attribute__((noinline)) static int choice_of(const int8_t *net, const int8_t *x)
{
    const int8_t *v = net + HIDDEN * DIM;
    int32_t hidden[HIDDEN], most = 0;
    int best = 0;

    for (int i = 0; i < HIDDEN; i++) {
        int32_t sum = 0;

        for (int j = 0; j < DIM; j++)
            sum += net[i * DIM + j] * x[j];
        hidden[i] = sum > 0 ? sum / SHIFT : 0;
    }
    for (int c = 0; c < CHOICES; c++) {
        int32_t sum = 0;

        for (int i = 0; i < HIDDEN; i++)
            sum += v[c * HIDDEN + i] * hidden[i];
        if (!c || sum > most) {
            most = sum;
            best = c;
        }
    }
    return best;
}

#endif
