/* blur.h - each point and its neighbours to the right and below, the edge repeated: what the problem and its variants share.
 * x (height, width) in, y (height, width) out, f32. */
#ifndef TESTS_PROBLEMS_BLUR_H
#define TESTS_PROBLEMS_BLUR_H

#include <aisp/variant.h>

enum { X, Y };
enum { HEIGHT, WIDTH };

/* The filter at (i, j) of an image of h by w points. */
static inline float blur_at(const float *x, int64_t h, int64_t w, int64_t i, int64_t j)
{
    const int64_t below = i + 1 < h ? i + 1 : i, right = j + 1 < w ? j + 1 : j;

    return 0.5f * x[i * w + j] + 0.25f * x[i * w + right] + 0.125f * (x[below * w + j] + x[below * w + right]);
}

#endif
