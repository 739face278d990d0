/* peer_onednn - the whole batch as one matmul primitive of oneDNN, made in setup. */
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
};

/* From the OpenMP runtime that the library brings along. */
void omp_set_num_threads(int n);

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
static int plan_make(struct plan *plan, const int64_t *param)
{
    const dnnl_dims_t dims[N_TENSORS] = { { param[BATCH], param[M], param[K] },
                                          { param[BATCH], param[K], param[N] },
                                          { param[BATCH], param[M], param[N] } };
    dnnl_memory_desc_t layout[N_TENSORS];
    dnnl_matmul_desc_t product;
    dnnl_primitive_desc_t desc;
    int failed = dnnl_engine_create(&plan->engine, dnnl_cpu, 0) ||
                 dnnl_stream_create(&plan->stream, plan->engine, dnnl_stream_default_flags);

    for (int i = 0; i < N_TENSORS && !failed; i++)
        failed = dnnl_memory_desc_init_by_tag(&layout[i], 3, dims[i], dnnl_f32, dnnl_abc) ||
                 dnnl_memory_create(&plan->memory[i], &layout[i], plan->engine, DNNL_MEMORY_NONE);
    if (failed || dnnl_matmul_desc_init(&product, &layout[0], &layout[1], NULL, &layout[2]) ||
        dnnl_primitive_desc_create(&desc, &product, NULL, plan->engine, NULL))
        return 1;
    failed = dnnl_primitive_create(&plan->matmul, desc) != dnnl_success;
    dnnl_primitive_desc_destroy(desc);
    return failed;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct plan *plan = calloc(1, sizeof *plan);

    if (!plan)
        return AISP_E_NO_MEMORY;
    omp_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    if (plan_make(plan, setup->param)) {
        teardown(plan);
        return AISP_E_UNAVAILABLE;
    }
    *setup->state = plan;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct plan *plan = call->state;
    const dnnl_exec_arg_t args[N_TENSORS] = { { DNNL_ARG_SRC, plan->memory[0] },
                                              { DNNL_ARG_WEIGHTS, plan->memory[1] },
                                              { DNNL_ARG_DST, plan->memory[2] } };

    for (int i = 0; i < N_TENSORS; i++)
        if (dnnl_memory_set_data_handle(plan->memory[i], call->tensor[A + i]))
            return AISP_E_DEVICE;
    if (dnnl_primitive_execute(plan->matmul, plan->stream, N_TENSORS, args) ||
        dnnl_stream_wait(plan->stream))
        return AISP_E_DEVICE;
    return AISP_OK;
}

AISP_DECLARE("idea: the batch as one matmul primitive of oneDNN, made in setup\n"
             "uses: library, jit");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
