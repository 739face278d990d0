/* optimized_plan - who has the whole program before the first call can shorten it: SCALE and SHIFT in a row become one product
 * and one sum, LEAKY joins them, and all of that joins the MIX before it while the element is in a register.
 * Expected: of 256 passes over the vector about 100 are left, each with a little more to do: 1.4x to 2x. Decoding once instead
 * of in each call alone gains nothing here: the program is the same in each call, the predictor knows every jump of the
 * interpreter, and a call through a pointer costs as much as its switch.
 * Costs: a compiler of sorts in setup; roundings of its own, for a chain of products is formed before it meets the vector. */
#include <stdlib.h>

#include <aisp/variant.h>

#include "problem.h"

/* With a reach >= 0 first the MIX; then t = a v + b, and the larger of t and leak t (leak 1: t itself). */
struct pass { float a, b, leak; int64_t reach; };

struct plan { int64_t n_passes; struct pass pass[]; };

static inline float last_part(struct pass p, float v)
{
    const float t = v * p.a + p.b, low = t * p.leak;

    return t > low ? t : low;
}

static void run_pass(struct pass p, const float *restrict v, float *restrict to, int64_t n)
{
    const int64_t split = n - p.reach;

    if (p.reach < 0) {
        for (int64_t i = 0; i < n; i++)
            to[i] = last_part(p, v[i]);
        return;
    }
    for (int64_t i = 0; i < split; i++)
        to[i] = last_part(p, MIX_OWN * v[i] - MIX_NEXT * v[i + p.reach]);
    for (int64_t i = split; i < n; i++)
        to[i] = last_part(p, MIX_OWN * v[i] - MIX_NEXT * v[i - split]);
}

/* Takes a step into pass p; false where it needs a pass of its own. LEAKY commutes with a product by what is positive. */
static int take(struct pass *p, int op, float amount)
{
    if (op == MIX || (op == SHIFT && p->leak < 1) || (op == SCALE && amount <= 0))
        return 0;
    if (op == LEAKY) {
        p->leak *= LEAK;
    } else if (op == SHIFT) {
        p->b += amount;
    } else {
        p->a *= amount;
        p->b *= amount;
    }
    return 1;
}

/* The step alone. */
static struct pass pass_of(int op, float amount, int64_t reach)
{
    return (struct pass){ op == SCALE ? amount : 1, op == SHIFT ? amount : 0, op == LEAKY ? LEAK : 1, op == MIX ? reach : -1 };
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const int32_t *op = setup->weight[OPERATOR], *reach = setup->weight[REACH];
    const float *amount = setup->weight[AMOUNT];
    const int64_t n = setup->param[ROWS] * setup->param[COLS], steps = setup->param[STEPS];
    struct plan *plan = malloc(sizeof *plan + (size_t)steps * sizeof *plan->pass);
    struct pass *last;

    *setup->state = plan;
    if (!plan)
        return AISP_E_NO_MEMORY;
    last = plan->pass;
    *last = pass_of(op[0], amount[0], reach[0] % n);
    for (int64_t s = 1; s < steps; s++)
        if (!take(last, op[s], amount[s]))
            *++last = pass_of(op[s], amount[s], reach[s] % n);
    plan->n_passes = last - plan->pass + 1;
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return 2 * (size_t)(param[ROWS] * param[COLS]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct plan *plan = call->state;
    const int64_t n = call->param[ROWS] * call->param[COLS], last = plan->n_passes - 1;
    const float *v = call->tensor[X];
    float *scratch = call->workspace;

    for (int64_t s = 0; s <= last; s++) {
        float *to = s == last ? call->tensor[Y] : scratch + s % 2 * n;

        run_pass(plan->pass[s], v, to, n);
        v = to;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the program compiled once into fewer passes, steps merged as far as they can be\n"
             "expect: instructions / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run, .teardown = free };
