/* optimized_best_fit - one piece of memory; who asks gets the smallest free block that is large enough, and what is left of
 * it stays free; neighbours that are free become one block again.
 * Expected: as fast as size classes, 1.0x, for a search among some thirty blocks is nothing beside a tensor; fewer bytes,
 * for blocks have the size that was asked for. As everything is freed at the end of a step, all merges into one block and
 * no step inherits holes from another. Where tensors survive their step, those holes are the fragmentation that makes a
 * cache run out although enough is free.
 * Costs: a list in the order of addresses; the size of the piece is known here, and would have to grow elsewhere. */
#include "step.h"

enum { ALIGN = 64 };

/* Before each block, ALIGN bytes: blocks lie one behind the other, the last one ends where the memory ends. */
struct block {
    size_t bytes; /* with this head */
    struct block *before;
    int is_free;
};

struct heap {
    struct memory memory;
    char *begin, *end;
};

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN + ALIGN;
}

static struct block *behind(const struct heap *h, struct block *b)
{
    char *at = (char *)b + b->bytes;

    return at < h->end ? (struct block *)at : NULL;
}

/* b becomes `bytes` large and what is behind a block of its own. */
static void split(const struct heap *h, struct block *b, size_t bytes)
{
    struct block *rest = (struct block *)((char *)b + bytes), *next = behind(h, b);

    *rest = (struct block){ b->bytes - bytes, b, 1 };
    b->bytes = bytes;
    if (next)
        next->before = rest;
}

/* b and the one behind it become one. */
static void merge(const struct heap *h, struct block *b)
{
    struct block *next = behind(h, b), *after = behind(h, next);

    b->bytes += next->bytes;
    if (after)
        after->before = b;
}

static void *get(struct memory *m, size_t bytes)
{
    const struct heap *h = (struct heap *)m;
    struct block *best = NULL;

    bytes = rounded(bytes);
    for (struct block *b = (struct block *)h->begin; b; b = behind(h, b))
        if (b->is_free && b->bytes >= bytes && (!best || b->bytes < best->bytes))
            best = b;
    if (!best)
        return NULL;
    if (best->bytes >= bytes + 2 * ALIGN)
        split(h, best, bytes);
    best->is_free = 0;
    return (char *)best + ALIGN;
}

static void put(struct memory *m, void *block, size_t bytes)
{
    const struct heap *h = (struct heap *)m;
    struct block *b = (struct block *)((char *)block - ALIGN), *next = behind(h, b);

    (void)bytes;
    b->is_free = 1;
    if (next && next->is_free)
        merge(h, b);
    if (b->before && b->before->is_free)
        merge(h, b->before);
}

/* At one time a step holds at most h and a of each layer and two more. Freed blocks of one step all have one size, so that
 * no hole is ever too small for the next tensor. */
static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(2 * param[LAYERS] + 3) * rounded((size_t)(param[MOST] * param[WIDTH]) * sizeof(float));
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct heap h = { { get, put }, call->workspace, (char *)call->workspace + workspace_bytes(call->param) };

    *(struct block *)h.begin = (struct block){ (size_t)(h.end - h.begin), NULL, 1 };
    return run_steps(call, &h.memory);
}

AISP_DECLARE("idea: one piece of memory, whose blocks are split and merged\n"
             "expect: page faults / 100");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
