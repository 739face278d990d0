/* tiles.h - keys in tiles for the rungs whose lanes run across keys: tile t holds keys 64 t and following as dim rows of 64.
 * Where there are no more keys, zeros; whoever uses them looks at the number. */
#ifndef ATTENTION_TILED_TILES_H
#define ATTENTION_TILED_TILES_H

#include <stddef.h>
#include <stdint.h>

enum { TILE = 64 };

static inline size_t tiles_bytes(int64_t seq, int64_t dim)
{
    return (size_t)((seq + TILE - 1) / TILE * TILE * dim) * sizeof(float);
}

static inline void turn_keys(const float *k, float *tiles, int64_t seq, int64_t dim)
{
    for (int64_t first = 0; first < seq; first += TILE, tiles += TILE * dim)
        for (int64_t d = 0; d < dim; d++)
            for (int64_t j = 0; j < TILE; j++)
                tiles[d * TILE + j] = first + j < seq ? k[(first + j) * dim + d] : 0;
}

#endif
