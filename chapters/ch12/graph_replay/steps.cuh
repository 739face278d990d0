/* steps.cuh - the kernels of the operators, the program on the host, and its launches one behind the other; the rungs differ in
 * when they launch and in what lies between two kernels. */
#ifndef GRAPH_REPLAY_STEPS_CUH
#define GRAPH_REPLAY_STEPS_CUH

#include <aisp/kernel_kit.cuh>
#include <stdlib.h>

#include "problem.h"

enum { STEP_THREADS = 256 };

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/* The next kernel may be brought to the multiprocessors; what the one before wrote is there. Both do nothing in a kernel that
 * was launched without such an edge. */
__device__ static inline void step_begin(void)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
}
#else
__device__ static inline void step_begin(void)
{
}
#endif

/* step_<operator> - one step of the program.
 * v, to (n): f32, device, no overlap; 0 <= reach < n, n < 2^31.
 * Launch: block 256, grid ceil(n / 256). Cost: 8n bytes, that of MIX 12n, from L2. Error: one rounding, that of MIX two.
 * Whether the launch before may overlap with this one's beginning is the launch's affair. */
__global__ static void step_scale(const float *v, float *to, int n, float amount)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;

    step_begin();
    if (i < n)
        to[i] = v[i] * amount;
}

__global__ static void step_shift(const float *v, float *to, int n, float amount)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;

    step_begin();
    if (i < n)
        to[i] = v[i] + amount;
}

__global__ static void step_leaky(const float *v, float *to, int n)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;

    step_begin();
    if (i < n)
        to[i] = fmaxf(v[i], v[i] * LEAK);
}

__global__ static void step_mix(const float *v, float *to, int n, int reach)
{
    const int i = blockIdx.x * STEP_THREADS + threadIdx.x;

    step_begin();
    if (i < n)
        to[i] = MIX_OWN * v[i] - MIX_NEXT * v[i < n - reach ? i + reach : i - (n - reach)];
}

/* The program, copied to the host: its weights lie on the device. */
struct program { int n, steps; int32_t *op, *reach; float *amount; };

static inline void program_release(struct program *p)
{
    free(p->op);
    free(p->reach);
    free(p->amount);
}

static inline enum aisp_status program_init(struct program *p, const struct aisp_setup *setup)
{
    const size_t bytes = (size_t)setup->param[STEPS] * 4;

    p->n = (int)(setup->param[ROWS] * setup->param[COLS]);
    p->steps = (int)setup->param[STEPS];
    p->op = (int32_t *)malloc(bytes);
    p->reach = (int32_t *)malloc(bytes);
    p->amount = (float *)malloc(bytes);
    if (!p->op || !p->reach || !p->amount)
        return AISP_E_NO_MEMORY;
    AISP_CUDA(cudaMemcpy(p->op, setup->weight[OPERATOR], bytes, cudaMemcpyDeviceToHost));
    AISP_CUDA(cudaMemcpy(p->amount, setup->weight[AMOUNT], bytes, cudaMemcpyDeviceToHost));
    AISP_CUDA(cudaMemcpy(p->reach, setup->weight[REACH], bytes, cudaMemcpyDeviceToHost));
    return AISP_OK;
}

static inline size_t scratch_bytes(const int64_t *param)
{
    return 2 * (size_t)(param[ROWS] * param[COLS]) * sizeof(float);
}

/* Where step s writes. */
static inline float *program_target(const struct program *p, int s, float *y, float *scratch)
{
    return s == p->steps - 1 ? y : scratch + (size_t)(s % 2) * (size_t)p->n;
}

static inline cudaError_t launch_step(const struct program *p, int s, const cudaLaunchConfig_t *how, const float *v, float *to)
{
    switch (p->op[s]) {
    case SCALE:
        return cudaLaunchKernelEx(how, step_scale, v, to, p->n, p->amount[s]);
    case SHIFT:
        return cudaLaunchKernelEx(how, step_shift, v, to, p->n, p->amount[s]);
    case LEAKY:
        return cudaLaunchKernelEx(how, step_leaky, v, to, p->n);
    default:
        return cudaLaunchKernelEx(how, step_mix, v, to, p->n, (int)(p->reach[s] % p->n));
    }
}

/* The whole program from x to y on `stream`; with is_early a kernel may be brought in before the one before it has ended. */
static inline enum aisp_status launch_program(const struct program *p, cudaStream_t stream, const float *x, float *y,
                                              float *scratch, int is_early)
{
    cudaLaunchAttribute edge = {};
    cudaLaunchConfig_t how = {};
    const float *v = x;

    edge.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    edge.val.programmaticStreamSerializationAllowed = 1;
    how.gridDim = dim3(aisp_blocks(p->n, STEP_THREADS));
    how.blockDim = dim3(STEP_THREADS);
    how.stream = stream;
    how.attrs = &edge;
    for (int s = 0; s < p->steps; s++) {
        float *to = program_target(p, s, y, scratch);

        how.numAttrs = is_early && s > 0; /* what was before the call has to be over */
        AISP_CUDA(launch_step(p, s, &how, v, to));
        v = to;
    }
    return AISP_OK;
}

#endif
