/* baseline - the cache is handed over when the prefill has ended: all layers at once. */
#include "ranks.h"

static void prefill_all(const struct aisp_call *c)
{
    const int64_t states = c->param[TOKENS] * c->param[DIM];
    const float *x = c->tensor[X];
    float *buffer = c->workspace, *next = buffer;

    for (int64_t l = 0; l < c->param[LAYERS]; l++) {
        prefill_piece(c, l, x, next, 0, c->param[TOKENS]);
        x = next;
        next = x == buffer ? buffer + states : buffer;
    }
    show_last(c, x);
    meet_raise(c, FILLED);
}

static void decode_behind_all(const struct aisp_call *c)
{
    const int64_t layers = c->param[LAYERS];
    float *cache = c->workspace;

    meet_await(c, FILLED, ++n_pieces);
    for (int64_t l = 0; l < layers; l++)
        import_piece(c, l, 0, c->param[TOKENS]);
    decode(c, cache, cache + layers * layer_floats(c->param));
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (!fits(c))
        return AISP_E_NO_MEMORY;
    if (c->rank == 0)
        prefill_all(c);
    else
        decode_behind_all(c);
    meet_barrier(c); /* the room may be filled again */
    return AISP_OK;
}

AISP_DECLARE("idea: the whole cache is handed over when the prefill has ended");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = ranks_workspace, .run = run };
