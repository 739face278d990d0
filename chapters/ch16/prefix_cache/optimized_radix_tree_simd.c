/* optimized_radix_tree_simd - the same tree; where a state must be computed, W is turned so that lanes run across the
 * elements of the new state, which grow side by side in registers.
 * Expected: an element was a chain of dim additions of 3 cycles; now 8 of them take one fused operation a step, and six or
 * seven chains overlap: 6 to 12x over optimized_radix_tree, so that now the tree itself can be seen.
 * Costs: AVX2 with FMA; a turned copy of W, made in each call; dim up to 64 at once, more in pieces. */
#include <immintrin.h>
#include <math.h>

#include "tree.h"

#define AVX2 __attribute__((target("avx2,fma"), always_inline)) static inline

enum { LANES = 8, MOST_VECTORS = 8, PIECE = MOST_VECTORS * LANES };

static int64_t padded(int64_t dim)
{
    return (dim + LANES - 1) / LANES * LANES;
}

/* The workspace: W turned, rows of padded(dim); e of one token and the state padded; the tree. */
static size_t turned_floats(const int64_t *param)
{
    return (size_t)((param[DIM] + 2) * padded(param[DIM]));
}

static void turn(const float *w, float *to, int64_t dim)
{
    const int64_t wide = padded(dim);

    for (int64_t j = 0; j < dim; j++)
        for (int64_t i = 0; i < wide; i++)
            to[j * wide + i] = i < dim ? w[i * dim + j] : 0;
}

/* `vectors` vectors of the new state from element i on; a constant, so that the sums are registers. */
AVX2 void piece(const float *turned, const float *h, const float *e, float *to, int64_t dim, int64_t i, int vectors)
{
    const int64_t wide = padded(dim);
    const __m256 sign = _mm256_set1_ps(-0.0f), one = _mm256_set1_ps(1);
    __m256 z[MOST_VECTORS];

    for (int p = 0; p < vectors; p++)
        z[p] = _mm256_loadu_ps(e + i + p * LANES);
    for (int64_t j = 0; j < dim; j++) {
        const __m256 x = _mm256_broadcast_ss(h + j);

        for (int p = 0; p < vectors; p++)
            z[p] = _mm256_fmadd_ps(x, _mm256_loadu_ps(turned + j * wide + i + p * LANES), z[p]);
    }
    for (int p = 0; p < vectors; p++)
        _mm256_storeu_ps(to + i + p * LANES, _mm256_div_ps(z[p], _mm256_add_ps(one, _mm256_andnot_ps(sign, z[p]))));
}

__attribute__((target("avx2,fma"))) static void advance(const float *turned, const float *h, const float *e, float *to,
                                                        int64_t dim)
{
    int64_t i = 0;

    for (; i + PIECE <= dim; i += PIECE)
        piece(turned, h, e, to, dim, i, MOST_VECTORS);
    switch ((padded(dim) - i) / LANES) {
    case 8: piece(turned, h, e, to, dim, i, 8); break;
    case 7: piece(turned, h, e, to, dim, i, 7); break;
    case 6: piece(turned, h, e, to, dim, i, 6); break;
    case 5: piece(turned, h, e, to, dim, i, 5); break;
    case 4: piece(turned, h, e, to, dim, i, 4); break;
    case 3: piece(turned, h, e, to, dim, i, 3); break;
    case 2: piece(turned, h, e, to, dim, i, 2); break;
    case 1: piece(turned, h, e, to, dim, i, 1); break;
    }
}

static void advance_portable(const float *restrict turned, const float *h, const float *e, float *restrict to, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++)
        to[i] = e[i];
    for (int64_t j = 0; j < dim; j++)
        for (int64_t i = 0; i < dim; i++)
            to[i] += h[j] * turned[j * padded(dim) + i];
    for (int64_t i = 0; i < dim; i++)
        to[i] /= 1 + fabsf(to[i]);
}

static void go_on(const struct aisp_call *call, int32_t segment, float *state)
{
    const int64_t tokens = call->param[TOKENS], dim = call->param[DIM], wide = padded(dim);
    const float *e = (const float *)call->tensor[E] + segment * tokens * dim;
    const size_t bytes = (size_t)dim * sizeof(float);
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    float *turned = call->workspace, *padded_e = turned + dim * wide, *next = padded_e + wide;

    memset(padded_e, 0, (size_t)wide * sizeof(float));
    for (int64_t t = 0; t < tokens; t++) {
        memcpy(padded_e, e + t * dim, bytes);
        if (fast)
            advance(turned, state, padded_e, next, dim);
        else
            advance_portable(turned, state, padded_e, next, dim);
        memcpy(state, next, bytes);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return turned_floats(param) * sizeof(float) + tree_bytes(param);
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct tree t;

    turn(call->tensor[W], call->workspace, call->param[DIM]);
    tree_begin(&t, (float *)call->workspace + turned_floats(call->param), call->param);
    tree_walk(&t, call, go_on);
    return AISP_OK;
}

AISP_DECLARE("idea: the radix tree, and states that grow side by side in eight lanes\n"
             "expect: instructions / 30");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
