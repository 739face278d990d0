/* arithmetic.cu - f32 fused multiply-adds on the ordinary units. Not here: matrix units (matrix.cu). */
#include "peak_cuda/measure.cuh"

#include <math.h>

enum { THREADS = 256, CHAINS = 16, UNROLL = 16, ROUNDS = 1024 };

__host__ __device__ static inline float start(uint64_t i)
{
    return (float)(peak_bits(i) >> 40) * 0x1p-24f;
}

/* multiply_add - CHAINS independent chains a thread, each x = x a + b and then x = x c + d, which takes the first back: random
 * numbers stay random and in range. out: one word a thread, gets the sum of the chains. Launch: any grid of THREADS.
 * Cost: 2 CHAINS UNROLL ROUNDS flop a thread. */
__global__ __launch_bounds__(THREADS) static void multiply_add(float *out, float a, float b, float c, float d)
{
    const size_t at = blockIdx.x * (size_t)THREADS + threadIdx.x;
    float x[CHAINS], sum = 0;

#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        x[i] = start(at * CHAINS + i);
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                x[i] = u % 2 ? fmaf(x[i], c, d) : fmaf(x[i], a, b);
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    out[at] = sum;
}

struct state { float *d_out; unsigned blocks; };
static const float A = -0.73194516f, B = 0.61803399f;      /* any: what matters is that no bit of them is special */

static cudaError_t enqueue(void *state, cudaStream_t stream)
{
    const struct state *s = (const struct state *)state;

    multiply_add<<<s->blocks, THREADS, 0, stream>>>(s->d_out, A, B, 1 / A, -B / A);
    return cudaGetLastError();
}

/* Multiply-adds of an SM in a cycle, by compute capability (CUDA C++ Programming Guide, arithmetic throughput); 0: not listed. */
static double lanes(const struct peak_card *card)
{
    switch (10 * card->major + card->minor) {
    case 75: case 80:
        return 64;
    case 86: case 87: case 89: case 90: case 100: case 103: case 120: case 121:
        return 128;
    default:
        return 0;
    }
}

/* After an even number of steps chains are where they began, but for roundings. */
static bool check(const struct state *s, char *why)
{
    const size_t first = (size_t)(s->blocks - 1) * THREADS;
    float some[THREADS];

    PEAK_TRY(cudaMemcpy(some, s->d_out + first, sizeof some, cudaMemcpyDeviceToHost));
    for (int i = 0; i < THREADS; i++) {
        double truth = 0;

        for (int c = 0; c < CHAINS; c++)
            truth += (double)start((first + i) * CHAINS + c);
        if (!(fabs(some[i] - truth) < 0.05 * truth)) {
            snprintf(why, PEAK_WHY, "a sum of chains is %g and not %g", some[i], truth);
            return false;
        }
    }
    return true;
}

static bool run_fma(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct state s = { NULL, (unsigned)card->multiprocessors * 8 };
    const double flops = 2.0 * CHAINS * UNROLL * ROUNDS * THREADS * s.blocks;
    const struct peak_work work = { enqueue, &s, flops * 1e-12 };
    bool is_done;

    (void)item;
    PEAK_TRY(cudaMalloc(&s.d_out, sizeof(float) * THREADS * s.blocks));
    is_done = peak_hold(card, &work, r, why) && check(&s, why);
    cudaFree(s.d_out);
    peak_theory_of_sms(card, 2e-12 * lanes(card), r);
    return is_done;
}

extern "C" const struct peak_item peak_arithmetic_items[] = {
    { "f32_fma", "TFLOP/s", "f32 fused multiply-adds in registers", NULL, run_fma, 0 },
    { 0 },
};
