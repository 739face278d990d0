/* peer_onednn - what a user would call instead: dnnl_gemm_u8s8s32 of oneDNN, whose convention is row-major as ours.
 * On a CPU without VNNI the library adds two products in 16 bits, which saturates where a is above 128. There a is split into two
 * halves of at most 128, and c is the sum of their products: twice the work, and right.
 * Contract: as the baseline's. Its threads are OpenMP's: the harness's number is set once in setup. */
#include <dnnl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

/* Of the OpenMP runtime that oneDNN brings along; absent in a build of oneDNN without it. */
__attribute__((weak)) void omp_set_num_threads(int n_threads);

enum { PROBE = 64 };

/* Both NULL where the library is right about a as it is. */
struct halves {
    uint8_t *low, *high;
};

/* c (+)= a b: a (m,k) u8, b (k,n) s8, c (m,n) s32. */
static bool multiply(int64_t m, int64_t n, int64_t k, const uint8_t *a, const int8_t *b, float beta, int32_t *c)
{
    const int32_t no_offset = 0;

    return dnnl_gemm_u8s8s32('N', 'N', 'F', m, n, k, 1, a, k, 0, b, n, 0, beta, c, n, &no_offset) == dnnl_success;
}

static bool saturates(void)
{
    static uint8_t a[PROBE * PROBE];
    static int8_t b[PROBE * PROBE];
    static int32_t c[PROBE * PROBE];

    memset(a, 255, sizeof a);
    memset(b, 127, sizeof b);
    return !multiply(PROBE, PROBE, PROBE, a, b, 0, c) || c[0] != PROBE * 255 * 127;
}

static void teardown(void *state)
{
    struct halves *h = state;

    if (h) {
        free(h->low);
        free(h->high);
    }
    free(h);
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const size_t bytes = (size_t)(setup->param[M] * setup->param[K]);
    struct halves *h = calloc(1, sizeof *h);
    bool is_split;

    if (omp_set_num_threads)
        omp_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    is_split = saturates();
    if (h && is_split) {
        h->low = malloc(bytes);
        h->high = malloc(bytes);
    }
    if (!h || (is_split && (!h->low || !h->high))) {
        teardown(h);
        return AISP_E_NO_MEMORY;
    }
    *setup->state = h;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const struct halves *h = call->state;
    const uint8_t *a = call->tensor[A];

    if (!h->low)
        return multiply(m, n, k, a, call->tensor[B], 0, call->tensor[C]) ? AISP_OK : AISP_E_DEVICE;
    for (int64_t i = 0; i < m * k; i++) {
        h->low[i] = a[i] / 2;
        h->high[i] = (uint8_t)(a[i] - a[i] / 2);
    }
    return multiply(m, n, k, h->low, call->tensor[B], 0, call->tensor[C]) &&
                   multiply(m, n, k, h->high, call->tensor[B], 1, call->tensor[C])
               ? AISP_OK
               : AISP_E_DEVICE;
}

AISP_DECLARE("idea: dnnl_gemm_u8s8s32 of oneDNN, with the threads that the harness gives\n"
             "uses: library, threads, allocates, jit");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
