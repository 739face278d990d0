/* stage.h - a layer, and a pipeline of two in pieces of some rows: the first rank fills a piece of h in its room and raises a flag, the
 * second waits for the flag. */
#ifndef PIPELINE_SCHEDULE_STAGE_H
#define PIPELINE_SCHEDULE_STAGE_H

#include <string.h>

#include "kit/meet.h"
#include "problem.h"

enum { FILLED }; /* pieces that the first rank has handed over, since the process began */

/* Pieces that this rank saw so far: flags go on from call to call. */
static uint32_t n_pieces;

/* x (rows, width)  w (width, width)  bias (width) or NULL  y (rows, width) = max(0, x w + bias): row by row, so that the inner loop
 * runs along a row of w. */
static inline void layer(const float *x, const float *w, const float *bias, float *y, int64_t rows, int64_t width)
{
    for (int64_t r = 0; r < rows; r++) {
        float *to = y + r * width;

        if (bias)
            memcpy(to, bias, (size_t)width * sizeof(float));
        else
            memset(to, 0, (size_t)width * sizeof(float));
        for (int64_t k = 0; k < width; k++) {
            const float by = x[r * width + k];

            for (int64_t c = 0; c < width; c++)
                to[c] += by * w[k * width + c];
        }
        for (int64_t c = 0; c < width; c++)
            to[c] = to[c] > 0 ? to[c] : 0;
    }
}

static inline enum aisp_status pipeline(const struct aisp_call *call, int64_t piece)
{
    const int64_t batch = call->param[BATCH], width = call->param[WIDTH];
    float *h = meet_room(call, 0);

    if ((size_t)(batch * width) * sizeof(float) > meet_room_bytes(call))
        return AISP_E_NO_MEMORY;
    for (int64_t row = 0; row < batch; row += piece) {
        const int64_t n = batch - row < piece ? batch - row : piece;

        n_pieces++;
        if (call->rank == 0) {
            layer((const float *)call->tensor[X] + row * width, call->tensor[WEIGHTS], NULL, h + row * width, n, width);
            meet_raise(call, FILLED);
        } else {
            meet_await(call, FILLED, n_pieces);
            layer(h + row * width, call->tensor[WEIGHTS], call->tensor[X], (float *)call->tensor[Y] + row * width, n, width);
        }
    }
    if (call->rank == 0)
        memcpy(call->tensor[Y], h, (size_t)width * sizeof(float));
    meet_barrier(call); /* h may be filled again */
    return AISP_OK;
}

#endif
