/* optimized_heap - the k largest so far in a heap whose top is the least of them: an element that is not above it is refused.
 * Expected: n comparisons, nearly all of which end there and are guessed right, and k ln(n/k), some 1060, replacements of
 * log2(k) = 8 levels with a wrong guess or two at each, against the n log2(n), 229 000, comparisons of a sort: 20x to 50x.
 * Costs: the heap is the order of y itself, so that no memory is needed; taking it apart at the end costs k log2(k) more.
 * Time depends on the data: an ascending row replaces at every element, and is slower than a sort that knows it. */
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

/* Puts v where the top was, and lets it sink: heap[i] is never above heap[2 i + 1] and heap[2 i + 2]. */
static void sink(float *heap, int64_t n, int64_t at, float v)
{
    for (int64_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (!(heap[child] < v))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = v;
}

static void row_top(const float *x, int64_t n, float *heap, int64_t k)
{
    memcpy(heap, x, (size_t)k * sizeof *heap);
    for (int64_t i = k / 2 - 1; i >= 0; i--)
        sink(heap, k, i, heap[i]);
    for (int64_t i = k; i < n; i++)
        if (x[i] > heap[0])
            sink(heap, k, 0, x[i]);
    /* The least goes to the end, again and again: what remains is descending. */
    for (int64_t left = k - 1; left > 0; left--) {
        const float v = heap[left];

        heap[left] = heap[0];
        sink(heap, left, 0, v);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], n = call->param[N], k = call->param[K];

    for (int64_t r = 0; r < rows; r++)
        row_top((const float *)call->tensor[X] + r * n, n, (float *)call->tensor[Y] + r * k, k);
    return AISP_OK;
}

AISP_DECLARE("idea: a heap of the k largest so far, whose least one refuses most elements\n"
             "expect: instructions / 15");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
