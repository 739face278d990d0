/* pool.c - read a pool of recorded windows (format: tests/recorded/pools/README.md). */
#include "tests/replay/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Larger than any pool that is meant; a header that asks for more is damaged. */
#define N_PAIRS_MAX  100000
#define N_BLOCKS_MAX 64

static bool read_varint(FILE *f, uint32_t *value)
{
    int c;

    *value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        c = getc(f);
        if (c == EOF)
            return false;
        *value |= (uint32_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
    return false;
}

static bool read_windows(FILE *f, double base_ns, double unit_ns, struct replay_pool *pool)
{
    for (size_t b = 0; b < pool->n_pairs * pool->n_blocks; b++) {
        for (size_t k = 0; k < 4; k++) {
            uint32_t v;

            if (!read_varint(f, &v))
                return false;
            if (k == 0) {
                pool->first_side[b] = v & 1;
                v >>= 1;
            }
            pool->window_ns[4 * b + k] = base_ns + unit_ns * v;
        }
    }
    return getc(f) == EOF;
}

enum aisp_status replay_pool_read(const char *path, struct replay_pool *pool, struct aisp_err *err)
{
    unsigned long base_ns, unit_ns;
    enum aisp_status st = AISP_OK;
    FILE *f;

    *pool = (struct replay_pool)REPLAY_POOL_INIT;
    f = fopen(path, "rb");
    if (!f)
        return aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", path);
    if (fscanf(f, "aisp-pool 1 %zu %zu %lu %lu", &pool->n_pairs, &pool->n_blocks, &base_ns,
               &unit_ns) != 4 ||
        getc(f) != '\n' || pool->n_pairs < 1 || pool->n_pairs > N_PAIRS_MAX || pool->n_blocks < 1 ||
        pool->n_blocks > N_BLOCKS_MAX) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: not a pool of windows", path);
        goto out;
    }
    pool->window_ns = malloc(pool->n_pairs * pool->n_blocks * 4 * sizeof *pool->window_ns);
    pool->first_side = malloc(pool->n_pairs * pool->n_blocks);
    if (!pool->window_ns || !pool->first_side) {
        st = aisp_fail(err, AISP_E_NO_MEMORY, "%s: no memory", path);
        goto out;
    }
    if (!read_windows(f, (double)base_ns, (double)unit_ns, pool))
        st = aisp_fail(err, AISP_E_USAGE, "%s: cut short or damaged", path);
out:
    fclose(f);
    if (st)
        replay_pool_release(pool);
    return st;
}

void replay_pool_release(struct replay_pool *pool)
{
    free(pool->window_ns);
    free(pool->first_side);
    *pool = (struct replay_pool)REPLAY_POOL_INIT;
}
