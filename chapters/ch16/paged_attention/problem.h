/* Names for what problem.c declares, in its order, and the size of a page. */
#ifndef PAGED_ATTENTION_PROBLEM_H
#define PAGED_ATTENTION_PROBLEM_H

#include <stdint.h>

enum { PAGE = 16 }; /* tokens in a page */

enum { BATCH, HEADS, SEQ, DIM };      /* param[] */
enum { TABLE, Q, K, V, O };           /* tensor[] */

static inline int64_t pages_of(const int64_t *param)
{
    return (param[SEQ] + PAGE - 1) / PAGE;
}

/* Where in the pools the PAGE x dim numbers of page i of sequence b and head h begin. */
static inline int64_t page_at(const int64_t *table, const int64_t *param, int64_t b, int64_t i, int64_t h)
{
    return (table[b * pages_of(param) + i] * param[HEADS] + h) * PAGE * param[DIM];
}

#endif
