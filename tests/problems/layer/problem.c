/* layer - a small linear layer. */
#include <aisp/problem.h>

#define TITLE "A linear layer"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_NORMAL, 0, 1                                                                          \
    }

static const struct aisp_param params[] = {
    { "batch", 32, 16, 0, 9, 33, 1, AISP_BATCH },
    { "in", 64, 48, 0, 24, 80, 1 },
    { "out", 48, 20, 0, 12, 60, 1 },
    { 0 },
};

#include "tests/problems/layer/truth.h"
