/* peer_cublaslt - what a user would call instead: cublasLtMatmul, with the best of the algorithms that its heuristic offers,
 * found by trying all of them at these very shapes before the first call.
 * Contract: as the baseline's. cuBLASLt means columns where c is stored in rows, so it is asked for c^T = b^T a^T.
 * Why opened by name: a card's machine may lack the library, and then this one variant is unavailable and no other. */
#include <cublasLt.h>
#include <dlfcn.h>
#include <stdlib.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

#define WORKSPACE_BYTES ((size_t)64 << 20)
#define ALIGNMENT 256
#define MAX_ALGORITHMS 32
#define TRIALS 5              /* timed calls of each, after one that is not */

#define LT_FUNCTIONS(X) \
    X(Create) X(Destroy) X(Matmul) X(MatmulAlgoGetHeuristic) X(MatmulDescCreate) X(MatmulDescDestroy) \
    X(MatrixLayoutCreate) X(MatrixLayoutDestroy) X(MatmulPreferenceCreate) X(MatmulPreferenceDestroy) \
    X(MatmulPreferenceSetAttribute)

#define LT_MEMBER(name) decltype(&cublasLt##name) name;

struct plan {
    LT_FUNCTIONS(LT_MEMBER)
    void *library;
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    void *workspace;
};

#define LT(call)                                                                          \
    do {                                                                                  \
        const cublasStatus_t lt_status = (call);                                          \
        if (lt_status != CUBLAS_STATUS_SUCCESS) {                                         \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)lt_status); \
            return AISP_E_DEVICE;                                                         \
        }                                                                                 \
    } while (0)

static size_t workspace_bytes(const int64_t *param)
{
    (void)param;
    return WORKSPACE_BYTES + ALIGNMENT;
}

/* The library of the toolkit that this was built with, or of the one before it: the functions used are the same in both. */
static enum aisp_status library_open(struct plan *plan)
{
    plan->library = dlopen("libcublasLt.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!plan->library)
        plan->library = dlopen("libcublasLt.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!plan->library)
        return AISP_E_UNAVAILABLE;
#define LT_LOAD(name)                                                            \
    *(void **)&plan->name = dlsym(plan->library, "cublasLt" #name);              \
    if (!plan->name)                                                             \
        return AISP_E_UNAVAILABLE;
    LT_FUNCTIONS(LT_LOAD)
    return AISP_OK;
}

static cublasStatus_t multiply(const struct plan *plan, const cublasLtMatmulAlgo_t *algorithm, void *const *tensor,
                               void *stream)
{
    const float one = 1, zero = 0;

    return plan->Matmul(plan->handle, plan->product, &one, tensor[B], plan->b, tensor[A], plan->a, &zero, tensor[C], plan->c,
                        tensor[C], plan->c, algorithm, plan->workspace, WORKSPACE_BYTES, (cudaStream_t)stream);
}

static enum aisp_status algorithms_find(const struct plan *plan, cublasLtMatmulHeuristicResult_t *found, int *n_found)
{
    /* Sums that are split along k are put together in f32: in the type of c they would be rounded once more than the problem allows. */
    const uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    const size_t bytes = WORKSPACE_BYTES;
    cublasLtMatmulPreference_t preference;
    cublasStatus_t status;

    LT(plan->MatmulPreferenceCreate(&preference));
    status = plan->MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = plan->MatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes, sizeof schemes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = plan->MatmulAlgoGetHeuristic(plan->handle, plan->product, plan->b, plan->a, plan->c, plan->c, preference,
                                              MAX_ALGORITHMS, found, n_found);
    plan->MatmulPreferenceDestroy(preference);
    LT(status);
    return *n_found > 0 ? AISP_OK : AISP_E_UNAVAILABLE;
}

/* Least of TRIALS times in *ms; each on the next call slot, so that no operand stays in L2 that would not in a run. */
static enum aisp_status algorithm_time(const struct plan *plan, const cublasLtMatmulAlgo_t *algorithm,
                                       const struct aisp_setup *setup, cudaEvent_t from, cudaEvent_t to, float *ms)
{
    cudaStream_t stream = (cudaStream_t)setup->stream;

    *ms = -1;
    for (int i = 0; i <= TRIALS; i++) {
        float once;

        AISP_CUDA(cudaEventRecord(from, stream));
        if (multiply(plan, algorithm, setup->slot[i % setup->n_slots], stream) != CUBLAS_STATUS_SUCCESS)
            return AISP_OK;     /* offered, but not for this shape */
        AISP_CUDA(cudaEventRecord(to, stream));
        AISP_CUDA(cudaEventSynchronize(to));
        AISP_CUDA(cudaEventElapsedTime(&once, from, to));
        if (i == 1 || (i > 1 && once < *ms))
            *ms = once;
    }
    return AISP_OK;
}

/* The slots hold poison now, which is the same for all: the order of their times is what counts here. */
static enum aisp_status algorithm_choose(struct plan *plan, const struct aisp_setup *setup)
{
    cublasLtMatmulHeuristicResult_t found[MAX_ALGORITHMS];
    float best = -1;
    cudaEvent_t from, to;
    int n_found;
    enum aisp_status st = algorithms_find(plan, found, &n_found);

    if (st)
        return st;
    AISP_CUDA(cudaEventCreate(&from));
    AISP_CUDA(cudaEventCreate(&to));
    for (int i = 0; i < n_found && !st; i++) {
        float ms = -1;

        if (found[i].state == CUBLAS_STATUS_SUCCESS)
            st = algorithm_time(plan, &found[i].algo, setup, from, to, &ms);
        if (!st && ms > 0 && (best < 0 || ms < best)) {
            best = ms;
            plan->algorithm = found[i].algo;
        }
    }
    AISP_CUDA(cudaEventDestroy(from));
    AISP_CUDA(cudaEventDestroy(to));
    return st ? st : best < 0 ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const uint64_t m = (uint64_t)setup->param[M], n = (uint64_t)setup->param[N], k = (uint64_t)setup->param[K];
    struct plan *plan = (struct plan *)calloc(1, sizeof *plan);
    enum aisp_status st;

    *setup->state = plan;
    if (!plan)
        return AISP_E_NO_MEMORY;
    if ((st = library_open(plan)))
        return st;
    plan->workspace = (void *)(((uintptr_t)setup->workspace + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    LT(plan->Create(&plan->handle));
    LT(plan->MatmulDescCreate(&plan->product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    LT(plan->MatrixLayoutCreate(&plan->b, CUDA_R_16BF, n, k, (int64_t)n));
    LT(plan->MatrixLayoutCreate(&plan->a, CUDA_R_16BF, k, m, (int64_t)k));
    LT(plan->MatrixLayoutCreate(&plan->c, CUDA_R_16BF, n, m, (int64_t)n));
    return algorithm_choose(plan, setup);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct plan *plan = (const struct plan *)call->state;

    LT(multiply(plan, &plan->algorithm, call->tensor, call->stream));
    return AISP_OK;
}

static void teardown(void *state)
{
    struct plan *plan = (struct plan *)state;

    if (!plan)
        return;
    if (plan->c)
        plan->MatrixLayoutDestroy(plan->c);
    if (plan->a)
        plan->MatrixLayoutDestroy(plan->a);
    if (plan->b)
        plan->MatrixLayoutDestroy(plan->b);
    if (plan->product)
        plan->MatmulDescDestroy(plan->product);
    if (plan->handle)
        plan->Destroy(plan->handle);
    if (plan->library)
        dlclose(plan->library);
    free(plan);
}

AISP_DECLARE("idea: cublasLtMatmul with the fastest of the algorithms that its heuristic offers for this shape\n"
             "uses: library, allocates");

AISP_VARIANT = { AISP_ABI, workspace_bytes, setup, run, teardown };
