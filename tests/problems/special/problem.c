/* special - the logarithm of -1, 0, 1 and 2: not a number, minus infinity, and two that are. */
#include <math.h>

#define TITLE "A logarithm that is not always a number"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_INTEGERS, -1, 3                                                                       \
    }

static double truth_of(double x)
{
    return log(x);
}

#include "tests/problems/rsqrt/map.h"
