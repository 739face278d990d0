/* baseline - op by op, as an optimizer written over tensors does it: each line of the algorithm is a pass of its own. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

static size_t workspace_bytes(const int64_t *param)
{
    return 2 * (size_t)param[N] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *p = call->tensor[P], *g = call->tensor[G], *m = call->tensor[M], *v = call->tensor[V];
    float *p_new = call->tensor[P_NEW], *m_new = call->tensor[M_NEW], *v_new = call->tensor[V_NEW];
    const int64_t n = call->param[N];
    float *step = call->workspace, *root = step + n;

    for (int64_t i = 0; i < n; i++)
        m_new[i] = B1 * m[i];
    for (int64_t i = 0; i < n; i++)
        m_new[i] += (1 - B1) * g[i];
    for (int64_t i = 0; i < n; i++)
        v_new[i] = B2 * v[i];
    for (int64_t i = 0; i < n; i++)
        v_new[i] += (1 - B2) * g[i] * g[i];
    for (int64_t i = 0; i < n; i++)
        step[i] = m_new[i] / C1;
    for (int64_t i = 0; i < n; i++)
        root[i] = sqrtf(v_new[i] / C2) + EPSILON;
    for (int64_t i = 0; i < n; i++)
        step[i] /= root[i];
    for (int64_t i = 0; i < n; i++)
        step[i] += DECAY * p[i];
    for (int64_t i = 0; i < n; i++)
        p_new[i] = p[i] - LR * step[i];
    return AISP_OK;
}

AISP_DECLARE("idea: each operation is a pass over memory");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
