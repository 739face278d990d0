/* peer_onednn - the product as one matmul primitive of oneDNN, bf16 in and f32 out, made in
 * setup. Where the library has none for this CPU (it wants AVX-512), its user would widen the
 * inputs and take the f32 one, and so does this: the same products and sums. */
#include <stdlib.h>

#include <oneapi/dnnl/dnnl.h>

#include <aisp/variant.h>

#include "problem.h"

enum { N_TENSORS = 3 };

struct plan {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_t matmul;
    dnnl_memory_t memory[N_TENSORS]; /* a, b, c; their addresses are set by each call */
    int is_widened;
};

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[M] * param[K] + param[K] * param[N]) * sizeof(float);
}

/* Of the OpenMP runtime that oneDNN brings along; absent in a build of oneDNN without it. */
__attribute__((weak)) void omp_set_num_threads(int n_threads);

static void teardown(void *state)
{
    struct plan *plan = state;

    if (!plan)
        return;
    for (int i = 0; i < N_TENSORS; i++)
        if (plan->memory[i])
            dnnl_memory_destroy(plan->memory[i]);
    if (plan->matmul)
        dnnl_primitive_destroy(plan->matmul);
    if (plan->stream)
        dnnl_stream_destroy(plan->stream);
    if (plan->engine)
        dnnl_engine_destroy(plan->engine);
    free(plan);
}

/* 0 when all is made. What was made before a failure is left for teardown(). */
static int plan_make(struct plan *plan, const int64_t *param, dnnl_data_type_t inputs)
{
    const dnnl_dims_t dims[N_TENSORS] = { { param[M], param[K] },
                                          { param[K], param[N] },
                                          { param[M], param[N] } };
    dnnl_memory_desc_t layout[N_TENSORS];
    dnnl_matmul_desc_t product;
    dnnl_primitive_desc_t desc;
    int failed = dnnl_engine_create(&plan->engine, dnnl_cpu, 0) ||
                 dnnl_stream_create(&plan->stream, plan->engine, dnnl_stream_default_flags);

    for (int i = 0; i < N_TENSORS && !failed; i++)
        failed = dnnl_memory_desc_init_by_tag(&layout[i], 2, dims[i], i == C ? dnnl_f32 : inputs,
                                              dnnl_ab) ||
                 dnnl_memory_create(&plan->memory[i], &layout[i], plan->engine, DNNL_MEMORY_NONE);
    if (failed || dnnl_matmul_desc_init(&product, &layout[A], &layout[B], NULL, &layout[C]) ||
        dnnl_primitive_desc_create(&desc, &product, NULL, plan->engine, NULL))
        return 1;
    failed = dnnl_primitive_create(&plan->matmul, desc) != dnnl_success;
    dnnl_primitive_desc_destroy(desc);
    return failed;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    static const dnnl_data_type_t inputs[] = { dnnl_bf16, dnnl_f32 };

    if (omp_set_num_threads)
        omp_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    for (int is_widened = 0; is_widened < 2; is_widened++) {
        struct plan *plan = calloc(1, sizeof *plan);

        if (!plan)
            return AISP_E_NO_MEMORY;
        if (!plan_make(plan, setup->param, inputs[is_widened])) {
            plan->is_widened = is_widened;
            *setup->state = plan;
            return AISP_OK;
        }
        teardown(plan);
    }
    return AISP_E_UNAVAILABLE;
}

static float *widen(float *to, const uint16_t *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = bf16_to_f32(from[i]);
    return to;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct plan *plan = call->state;
    const dnnl_exec_arg_t args[N_TENSORS] = { { DNNL_ARG_SRC, plan->memory[A] },
                                              { DNNL_ARG_WEIGHTS, plan->memory[B] },
                                              { DNNL_ARG_DST, plan->memory[C] } };

    const int64_t a_elements = call->param[M] * call->param[K];
    void *tensor[N_TENSORS] = { call->tensor[A], call->tensor[B], call->tensor[C] };

    if (plan->is_widened) {
        tensor[A] = widen(call->workspace, tensor[A], a_elements);
        tensor[B] = widen((float *)call->workspace + a_elements, tensor[B],
                          call->param[K] * call->param[N]);
    }
    for (int i = 0; i < N_TENSORS; i++)
        if (dnnl_memory_set_data_handle(plan->memory[i], tensor[i]))
            return AISP_E_DEVICE;
    if (dnnl_primitive_execute(plan->matmul, plan->stream, N_TENSORS, args) ||
        dnnl_stream_wait(plan->stream))
        return AISP_E_DEVICE;
    return AISP_OK;
}

AISP_DECLARE("idea: one matmul primitive of oneDNN, bf16 in and f32 out, made in setup\n"
             "uses: library, threads, allocates, jit");

AISP_VARIANT = {
    .abi = AISP_ABI,
    .workspace_bytes = workspace_bytes,
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
