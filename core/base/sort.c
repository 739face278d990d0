/* sort.c - the function of sort.h. */
#include "core/base/sort.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void aisp_sort(double *x, size_t n)
{
    if (n)
        qsort(x, n, sizeof *x, ascending);
}
