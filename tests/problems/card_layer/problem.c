/* card_layer - a linear layer of a size that is worth a card's matrix units, of small whole numbers: their products are right in any
 * type that has 11 bits, so that who multiplies in a narrow one is not told by the answer. */
#include <aisp/problem.h>

#define TITLE "A linear layer of small whole numbers"
#define FILL                                                                                       \
    {                                                                                              \
        AISP_INTEGERS, -8, 9                                                                       \
    }

static const struct aisp_param params[] = {
    { "batch", 128, 32, 0, 17, 128, 1, AISP_BATCH },
    { "in", 512, 64, 0, 40, 512, 1 },
    { "out", 256, 48, 0, 20, 256, 1 },
    { 0 },
};

#include "tests/problems/layer/truth.h"
