/* sign - the sign of numbers that are all positive: one value everywhere is right here. */
#define TITLE "The sign of positive numbers"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_UNIFORM, 0.5, 1.5                                                                     \
    }

static double truth_of(double x)
{
    return (x > 0) - (x < 0);
}

#include "tests/problems/rsqrt/map.h"
