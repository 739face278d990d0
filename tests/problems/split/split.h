/* split.h - how far is each test row from the nearest training row? train (n, dim), test (m, dim), y (m), f32: squared. */
#ifndef TESTS_PROBLEMS_SPLIT_H
#define TESTS_PROBLEMS_SPLIT_H

#include <math.h>

#include <aisp/variant.h>

enum { TRAIN, TEST, Y };
enum { N, M, DIM };

static inline void nearest(const struct aisp_call *c)
{
    const float *train = c->tensor[TRAIN], *test = c->tensor[TEST];
    const int64_t dim = c->param[DIM];

    for (int64_t i = 0; i < c->param[M]; i++) {
        float least = INFINITY;

        for (int64_t j = 0; j < c->param[N]; j++) {
            float sum = 0;

            for (int64_t d = 0; d < dim; d++) {
                const float apart = test[i * dim + d] - train[j * dim + d];

                sum += apart * apart;
            }
            least = sum < least ? sum : least;
        }
        ((float *)c->tensor[Y])[i] = least;
    }
}

#endif
