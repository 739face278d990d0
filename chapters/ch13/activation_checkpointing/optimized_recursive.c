/* optimized_recursive - layers are undone by halves: the input of the second half is made and held while that half is undone
 * in the same way, then the first half is; a single layer is undone from its input alone.
 * Expected: one input for each halving, 6 for 36 layers, instead of the 16 pieces of optimized_checkpoint: 2.6x less than
 * that again.
 * Costs: each halving does half of the layers once more: with 36 layers a forward pass is done 4.6 times altogether, and a
 * step takes twice the arithmetic of the baseline's. With a given number of places there are better divisions (Griewank and
 * Walther 2000, "revolve"). */
#include "net.h"

static int64_t n_halvings(int64_t layers)
{
    int64_t n = 0;

    for (; layers > 1; layers -= layers / 2)
        n++;
    return n;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[WIDTH] * (param[BATCH] * n_halvings(param[LAYERS]) + 2)) * sizeof(float);
}

/* Undo layers [first, end), h being the input of the first. */
static void undo(const struct net *n, int64_t first, int64_t end, const float *h, float *room)
{
    const int64_t middle = first + (end - first) / 2;

    if (end - first == 1) {
        net_backward(n, first, h, NULL);
        return;
    }
    net_forward(n, first, h, NULL, room);
    for (int64_t l = first + 1; l < middle; l++)
        net_forward(n, l, room, NULL, room);
    undo(n, middle, end, room, room + net_numbers(n));
    undo(n, first, middle, h, room); /* the second half is done with its input */
}

static enum aisp_status run(const struct aisp_call *call)
{
    float *row = call->workspace, *room = row + 2 * call->param[WIDTH];
    const struct net n = net_of(call, 0, call->param[BATCH], row);

    net_clear(&n);
    net_forward(&n, 0, n.x, NULL, n.y);
    for (int64_t l = 1; l < n.layers; l++)
        net_forward(&n, l, n.y, NULL, n.y);
    net_copy(&n, n.dx, n.grad);
    undo(&n, 0, n.layers, n.x, room);
    return AISP_OK;
}

AISP_DECLARE("idea: one input for each halving of the layers, all else is made again\n"
             "expect: bytes / 2.6 of optimized_checkpoint");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
