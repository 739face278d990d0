/* affine - y = 2 x + 1: as near to the roof as a kernel gets. */
#define TITLE "Twice and one more"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_UNIFORM, 0.5, 1.5                                                                     \
    }

static double truth_of(double x)
{
    return 2.0 * x + 1.0;
}

#include "tests/problems/rsqrt/map.h"
