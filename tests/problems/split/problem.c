/* split - a data set whose rows are made of so few numbers that training and test rows are bound to be the same. */
#define TITLE "Nearest neighbours, some of them known already"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_INTEGERS, 0, 4                                                                        \
    }

#include "tests/problems/split/truth.h"
