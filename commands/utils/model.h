/* model.h - the shape of a transformer, and how many parameters follow from it. Public models by name, each with its source:
 * what is stated here is the published configuration; parameter counts are computed from it, and tests hold them against the
 * counts that the publishers give.
 * Not here: what the shape costs in memory (kv_cache.c), in time (parallelism.c). */
#ifndef AISP_COMMANDS_UTILS_MODEL_H
#define AISP_COMMANDS_UTILS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_model {
    const char *name;             /* "llama-3.1-70b" */
    const char *title, *source;
    int64_t layers, hidden, vocab;
    int64_t heads, kv_heads, head_dim;
    /* Multi-head latent attention: all 0 without. head_dim is then the part of a head without position. */
    int64_t q_latent, kv_latent, rope_dim, value_dim;
    int64_t ffn;                  /* width of the gated MLP of a dense layer; 0: no layer is dense */
    int64_t dense_layers;         /* the rest are mixtures of experts */
    int64_t experts, experts_active, experts_shared, expert_ffn;
    int64_t window, window_layers;         /* so many layers attend to the last `window` tokens only */
    bool has_biases;              /* of all projections, experts and router, and one sink a head */
    bool has_router_bias;
};

/* Parameters of all layers together. */
struct aisp_model_params {
    int64_t attention;            /* with the layers' norms */
    int64_t dense;                /* MLPs of dense layers, shared experts, routers */
    int64_t experts;              /* routed experts */
    int64_t embedding;            /* input table, output projection, final norm */
    int64_t total;
    int64_t active;               /* multiplied for a token: without idle experts and without the input table, a lookup */
};

/* NULL behind the last one. */
const struct aisp_model *aisp_model_at(size_t i);
/* NULL if there is none; *nearest (may be NULL) is then the most similar name, or NULL. */
const struct aisp_model *aisp_model_find(const char *name, const char **nearest);

/* A named model, or the shape in a JSON file (a name that ends in .json), whose members are those of struct aisp_model.
 * Errors: AISP_E_USAGE, with the nearest name or the member that is wrong; AISP_E_NOT_FOUND. */
enum aisp_status aisp_model_load(const char *name, struct aisp_model *model, struct aisp_err *err);

struct aisp_model_params aisp_model_params(const struct aisp_model *model);

/* Number formats: bits an element, and what a block format adds. */
struct aisp_number_format { const char *name; double bits; int64_t block; double block_scale_bits; };
/* NULL if the name is none of AISP_NUMBER_FORMATS. */
const struct aisp_number_format *aisp_number_format(const char *name);
#define AISP_NUMBER_FORMATS "fp32|fp16|bf16|fp8|int8|int4|mxfp8|mxfp4|nvfp4"
/* Bytes of n elements that lie together, whole blocks. */
double aisp_format_bytes(const struct aisp_number_format *format, double n);

#endif
