/* kv_cache.c - the formulas of kv_cache.h. */
#include "commands/utils/kv_cache.h"

#include <math.h>

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Of a run of elements that lie together: one head's key or value, or the latent with its part for the position. */
static double run_scales(const struct aisp_kv_spec *s, int64_t elements)
{
    const struct aisp_number_format *f = s->format;
    const double own = f->block ? (double)ceil_div(elements, f->block) * f->block_scale_bits / 8 : 0;

    return own + (s->scale_group > 0 ? (double)ceil_div(elements, s->scale_group) * s->scale_bytes : 0);
}

/* A token's in one layer: of `heads` heads' keys and values, or of the latent. */
static double layer_bytes(const struct aisp_kv_spec *s, int64_t heads, double *scales)
{
    const int64_t runs = s->kv_latent ? 1 : 2 * heads;
    const int64_t elements = s->kv_latent ? s->kv_latent + s->rope_dim : s->head_dim;

    *scales = (double)runs * run_scales(s, elements);
    return (double)runs * (double)elements * s->format->bits / 8 + *scales;
}

/* Tokens whose place is taken in a layer that keeps the last `keeps` tokens: the pages from the first kept to the last. */
static int64_t held_tokens(const struct aisp_kv_spec *s, int64_t keeps)
{
    const int64_t first = s->tokens - keeps;

    if (!s->page_tokens)
        return keeps;
    return ((s->tokens - 1) / s->page_tokens - first / s->page_tokens + 1) * s->page_tokens;
}

struct aisp_kv_size aisp_kv_size(const struct aisp_kv_spec *s)
{
    const int64_t keeps = s->window_layers && s->window < s->tokens ? s->window : s->tokens;
    const int64_t full = s->layers - s->window_layers;
    const int64_t card_layers = ceil_div(s->layers, s->pp), card_full = ceil_div(full, s->pp);
    const int64_t card_windowed = card_layers > card_full ? card_layers - card_full : 0;
    struct aisp_kv_size size = { .card_layers = card_layers };
    double ignored, card_layer;

    size.card_kv_heads = s->kv_latent ? 0 : ceil_div(s->kv_heads, s->tp);
    size.copies = s->kv_latent ? (double)s->tp : (double)(size.card_kv_heads * s->tp) / (double)s->kv_heads;
    size.token_layer_bytes = layer_bytes(s, s->kv_heads, &size.scale_bytes);
    size.token_bytes = size.token_layer_bytes * (double)s->layers;
    size.sequence_bytes = size.token_layer_bytes * (double)(full * s->tokens + s->window_layers * keeps);
    size.paged_bytes =
        size.token_layer_bytes * (double)(full * held_tokens(s, s->tokens) + s->window_layers * held_tokens(s, keeps));
    size.waste_bytes = size.paged_bytes - size.sequence_bytes;
    size.batch_bytes = size.paged_bytes * (double)s->batch;
    card_layer = layer_bytes(s, size.card_kv_heads, &ignored);
    size.card_sequence_bytes =
        card_layer * (double)(card_full * held_tokens(s, s->tokens) + card_windowed * held_tokens(s, keeps));
    size.card_batch_bytes = size.card_sequence_bytes * (double)s->batch;
    return size;
}

int64_t aisp_kv_largest_batch(const struct aisp_kv_size *size, double card_bytes, double weights_bytes, double reserve_bytes)
{
    const double left = card_bytes - weights_bytes - reserve_bytes;

    return left > 0 ? (int64_t)floor(left / size->card_sequence_bytes) : 0;
}

double aisp_weight_bytes(const struct aisp_model_params *params, const struct aisp_number_format *format,
                         const struct aisp_number_format *experts)
{
    return aisp_format_bytes(format, (double)(params->total - params->experts)) +
           aisp_format_bytes(experts ? experts : format, (double)params->experts);
}
