/* card_roots - some 40 us a call on a card, and small enough that the judge's work costs little. Every element waits for the step
 * before it, so that a call takes as long whatever n is. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 65536, 4096, 0, 2048, 65536, 1 },
    { "steps", 4096, 4096, 0, 4096, 4096, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, on a card");
