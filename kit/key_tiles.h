/* key_tiles.h - keys turned for scores whose lanes run across keys: tile t holds keys n t and following as dim rows of n.
 * Where there are no more keys, zeros; whoever uses them looks at the number. */
#ifndef AISP_KIT_KEY_TILES_H
#define AISP_KIT_KEY_TILES_H

#include <stdint.h>

/* Tiles of n keys for seq of them. */
static inline int64_t key_tiles(int64_t seq, int64_t n)
{
    return (seq + n - 1) / n;
}

/* k (seq, dim)  tiles (key_tiles, dim, n) */
static inline void turn_keys(const float *k, float *tiles, int64_t seq, int64_t dim, int64_t n)
{
    for (int64_t first = 0; first < seq; first += n, tiles += n * dim)
        for (int64_t d = 0; d < dim; d++)
            for (int64_t j = 0; j < n; j++)
                tiles[d * n + j] = first + j < seq ? k[(first + j) * dim + d] : 0;
}

#endif
