/* kv_cache.h - how many bytes the keys and values of a transformer take, in all and on one card.
 *
 *   a token, a layer    2 x kv heads x head dim elements (multi-head, grouped-query and multi-query attention), or
 *                       latent + rope dim elements (multi-head latent attention: keys and values in one), and their scales
 *   a sequence          layers x tokens of it; a windowed layer keeps the last `window` tokens only
 *   paged               whole pages of tokens for each sequence and layer: what lies behind the last token is waste
 *   a card              tensor parallel: the heads are dealt out, ceil(heads / tp), whole ones only; a latent has no heads
 *                       and lies on every card. Pipeline parallel: ceil(layers / pp) layers, windowed ones dealt out evenly
 *
 * All sizes are doubles that hold whole numbers below 2^53 exactly. Pure functions; the command is kv_cache_command.c.
 * Sources: Shazeer 2019 (multi-query), Ainslie 2023 (grouped-query), DeepSeek-V2 2024, section 2.1 (latent), Kwon 2023
 * (pages). */
#ifndef AISP_COMMANDS_UTILS_KV_CACHE_H
#define AISP_COMMANDS_UTILS_KV_CACHE_H

#include "commands/utils/model.h"

struct aisp_kv_spec {
    int64_t layers, window_layers, window;         /* window_layers of the layers; 0: none */
    int64_t kv_heads, head_dim;                    /* or, if kv_latent is above 0: */
    int64_t kv_latent, rope_dim;
    int64_t tokens, batch;                         /* of a sequence; sequences */
    const struct aisp_number_format *format;
    double scale_bytes;                            /* of one scale; 0: none but what the format has */
    int64_t scale_group;                           /* elements of one head's key or value that share a scale */
    int64_t page_tokens;                           /* 0: not paged */
    int64_t tp, pp;
};

struct aisp_kv_size {
    double token_layer_bytes, scale_bytes;         /* with scales; the scales' part */
    double token_bytes;                            /* one token in all layers */
    double sequence_bytes;                         /* without pages */
    double paged_bytes, waste_bytes;               /* of a sequence; equal and 0 if not paged */
    double batch_bytes;                            /* of all sequences, paged */
    double card_sequence_bytes, card_batch_bytes;
    int64_t card_kv_heads, card_layers;
    double copies;                                 /* of each element over the cards of a tensor parallel group */
};

struct aisp_kv_size aisp_kv_size(const struct aisp_kv_spec *spec);

/* Sequences that fit beside weights and reserve on a card; 0 if not one does. */
int64_t aisp_kv_largest_batch(const struct aisp_kv_size *size, double card_bytes, double weights_bytes, double reserve_bytes);

/* Bytes of all weights: routed experts in a format of their own, or in the same (NULL). */
double aisp_weight_bytes(const struct aisp_model_params *params, const struct aisp_number_format *format,
                         const struct aisp_number_format *experts);

#endif
