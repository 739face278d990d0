/* optimized_draft_shared - the draft's layer is the model's own: the check goes on behind it with the x and s that the draft
 * has left.
 * Expected: one layer of sixteen less in each pass, one more token through it in the draft: a pass for four tokens is shorter
 * by a seventeenth, of which a quarter is paid in the draft and some in copies of x and s: 1.00 to 1.05x over optimized_draft.
 * Costs: only for a draft that is a part of the model. */
#include "draft.h"

/* As in optimized_draft; x and s of each token stay where the check will want them, and the last token goes through the
 * layer as well. */
static void guess_and_keep(struct decoder *d, int32_t *in, int64_t t, int64_t n)
{
    const int64_t layers = drafted_layers(d), dim = d->model.call->param[DIM], cells = d->model.call->param[LAYERS] * dim;
    const int32_t *s = d->s;

    for (int64_t i = 0; i < n; i++, s = d->draft.s) {
        embed(d->draft.call, in[i], t + i, d->draft.x);
        through_layers(&d->draft, s, 0, layers, 1);
        memcpy(d->model.x + i * d->model.apart, d->draft.x, (size_t)dim * sizeof *d->draft.x);
        memcpy(d->model.s + i * cells, d->draft.s, (size_t)(layers * dim) * sizeof *d->draft.s);
        if (i + 1 < n)
            choose(&d->draft, in + i + 1, 1);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t tokens = call->param[TOKENS];
    int32_t in[AT_ONCE] = { 0 }, out[AT_ONCE];
    struct decoder d;

    decoder_open(&d, call);
    for (int64_t t = 0, m; t < tokens; t += m) {
        const int64_t n = tokens - t < AT_ONCE ? tokens - t : AT_ONCE;

        guess_and_keep(&d, in, t, n);
        through_layers(&d.model, d.s, drafted_layers(&d), call->param[LAYERS], n);
        choose(&d.model, out, n);
        m = certain(in, out, n);
        memcpy((int32_t *)call->tensor[TOKEN] + t, out, (size_t)m * sizeof *out);
        in[0] = out[m - 1];
        go_on_behind(&d, m);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the check begins behind the layer that the draft has gone through\n"
             "expect: instructions / 1.04 of optimized_draft\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = decoder_bytes, .setup = several_setup, .run = run, .teardown = several_teardown,
};
