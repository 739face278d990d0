/* optimized_words - eight bytes in one load, 256 a warp.
 * Expected: a vote must be over before the next load is made, so that a warp has one load under way and time is the number of
 * loads: an eighth of them, until memory is full: 4x to 7x.
 * Costs: rows begin at any byte: up to seven bytes before and behind the words go alone, with a wait for memory each. */
#include "search.cuh"

__device__ static int search_words(const uint8_t *x, int n, int lane)
{
    const int head = search_head(x, n, sizeof(uint64_t)), n_words = (n - head) / (int)sizeof(uint64_t);
    const int found = search_bytes(x, head, lane), tail = head + n_words * (int)sizeof(uint64_t);

    if (found < head)
        return found;
    for (int base = 0; base < n_words; base += WARP) {
        const uint64_t word = base + lane < n_words ? *((const uint64_t *)(x + head) + base + lane) : 0;
        const unsigned hits = __ballot_sync(ALL, word != 0);

        if (hits) {
            const int first = __ffs(hits) - 1;

            return head + (base + first) * (int)sizeof word + __shfl_sync(ALL, place_in_word(word), first);
        }
    }
    return tail + search_bytes(x + tail, n - tail, lane);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return find_run<search_words>(call);
}

AISP_DECLARE("idea: eight bytes in one load\n"
             "expect: load instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
