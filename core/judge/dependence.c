/* dependence.c - does the truth depend on every input? A problem whose answer ignores an input rewards whoever ignores it too:
 * the mean of a softmax is the same for all scores, and a constant is then "right".
 * Each input in turn gets other contents; somewhere the truth has to leave the tolerance. Not here: outputs that cannot be told
 * from wrong ones (mutants.c). */
#include "core/judge/judge.h"

#include <math.h>
#include <stdlib.h>

#include "core/judge/compare.h"
#include "core/judge/fill.h"

enum { OTHER_CONTENTS = 4 };

struct trial {
    const struct aisp_instance *inst;
    const struct aisp_key *key;
    void *content[AISP_MAX_TENSORS], *other[AISP_MAX_TENSORS];
    double *truth[AISP_MAX_TENSORS], *again[AISP_MAX_TENSORS];
};

static bool is_input(const struct aisp_instance *inst, int t)
{
    const enum aisp_role role = inst->problem->tensor[t].role;

    return aisp_role_is_filled(role) || role == AISP_WEIGHT;
}

static void *make(const struct trial *x, int t, int n)
{
    const struct aisp_tensor *tensor = &x->inst->problem->tensor[t];
    const struct aisp_key key = aisp_key_derive(x->key, "dependence", t, n, 0, 0);
    const struct aisp_filling what = { tensor->fill, tensor->dtype, x->inst->extent[t].elements,
                                       aisp_philox_of(&key) };
    void *to = aligned_alloc(64, (x->inst->extent[t].bytes + 127) / 64 * 64);

    if (!to)
        AISP_BUG("no memory for %zu bytes of %s", x->inst->extent[t].bytes, tensor->name);
    aisp_fill(&what, to, 0, what.elements);
    return to;
}

static void ask(const struct trial *x, const void *const *contents,
                double *const to[AISP_MAX_TENSORS])
{
    const struct aisp_view view = { contents, x->inst->param };

    for (int t = 0; t < x->inst->n_tensors; t++)
        if (to[t])
            x->inst->problem->reference(&view, t, 0, x->inst->extent[t].rows, to[t]);
}

static bool differs(const struct trial *x, int t)
{
    const enum aisp_dtype dtype = x->inst->problem->tensor[t].dtype;
    const int64_t n = x->inst->extent[t].elements,
                  *whole = (const int64_t *)(const void *)x->truth[t];
    const bool is_float = aisp_dtype_is_float(dtype);
    const double relative = aisp_tolerance_relative(x->inst, dtype),
                 rms = is_float ? aisp_compare_rms(false, x->truth[t], n) : 0;

    for (int64_t i = 0; i < n; i++) {
        const double r = x->truth[t][i], s = x->again[t][i];

        if (!is_float && whole[i] != ((const int64_t *)(const void *)x->again[t])[i])
            return true;
        if (is_float && !(r == s) && !(isnan(r) && isnan(s)) &&
            !(fabs(r - s) <= 2 * relative * fmax(fabs(r), rms)))
            return true;
    }
    return false;
}

/* By chance other contents may give the same answer (a mask of few bits): so it is tried more than once. */
static bool counts(struct trial *x, int input)
{
    const void *contents[AISP_MAX_TENSORS];
    bool counted = false;

    for (int n = 1; n <= OTHER_CONTENTS && !counted; n++) {
        for (int t = 0; t < x->inst->n_tensors; t++)
            contents[t] = x->content[t];
        contents[input] = x->other[input] = make(x, input, n);
        ask(x, contents, x->again);
        for (int t = 0; t < x->inst->n_tensors; t++)
            counted |= x->truth[t] && differs(x, t);
        free(x->other[input]);
    }
    return counted;
}

static void open_trial(struct trial *x)
{
    const void *contents[AISP_MAX_TENSORS] = { NULL };

    for (int t = 0; t < x->inst->n_tensors; t++) {
        const size_t room = (size_t)x->inst->extent[t].elements * 8;

        if (is_input(x->inst, t))
            contents[t] = x->content[t] = make(x, t, 0);
        if (aisp_role_is_output(x->inst->problem->tensor[t].role)) {
            x->truth[t] = aisp_xmalloc(room);
            x->again[t] = aisp_xmalloc(room);
        }
    }
    ask(x, contents, x->truth);
}

enum aisp_status aisp_every_input_counts(const struct aisp_instance *inst,
                                         const struct aisp_key *key, struct aisp_err *err)
{
    struct trial x = { .inst = inst, .key = key };
    enum aisp_status st = AISP_OK;

    if (!inst->problem->reference)
        return AISP_OK;
    open_trial(&x);
    for (int t = 0; t < inst->n_tensors && st == AISP_OK; t++)
        if (is_input(inst, t) && !counts(&x, t))
            st = aisp_fail(err, AISP_E_REFUSED,
                           "tensor %s: the answer is the same whatever it holds, so whoever "
                           "ignores it is right",
                           inst->problem->tensor[t].name);
    for (int t = 0; t < AISP_MAX_TENSORS; t++) {
        free(x.content[t]);
        free(x.truth[t]);
        free(x.again[t]);
    }
    return st;
}
