/* apart - the same as split with rows that have nothing in common. */
#define TITLE "Nearest neighbours"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_NORMAL, 0, 1                                                                          \
    }

#include "tests/problems/split/truth.h"
