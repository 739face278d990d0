/* sort.h - numbers in ascending order. */
#ifndef AISP_CORE_SORT_H
#define AISP_CORE_SORT_H

#include <stddef.h>

/* In place; n numbers, none of them NaN. */
void aisp_sort(double *x, size_t n);

#endif
