/* tiles.h - how many keys a tile of the rungs holds whose lanes run across keys. */
#ifndef ATTENTION_TILED_TILES_H
#define ATTENTION_TILED_TILES_H

#include <stddef.h>

#include "kit/key_tiles.h"

enum { TILE = 64 };

static inline size_t tiles_bytes(int64_t seq, int64_t dim)
{
    return (size_t)(key_tiles(seq, TILE) * TILE * dim) * sizeof(float);
}

#endif
