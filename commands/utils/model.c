/* model.c - public models, their parameter counts, number formats. */
#include "commands/utils/model.h"

#include <math.h>
#include <string.h>

#include "commands/command.h"

/* Each row is the configuration that its publisher released. */
static const struct aisp_model models[] = {
    { .name = "llama-3.1-8b",
      .title = "Llama 3.1 8B: dense, grouped-query attention",
      .source = "The Llama 3 Herd of Models, arXiv:2407.21783, table 3; released config.json",
      .layers = 32,
      .hidden = 4096,
      .vocab = 128256,
      .heads = 32,
      .kv_heads = 8,
      .head_dim = 128,
      .ffn = 14336,
      .dense_layers = 32 },
    { .name = "llama-3.1-70b",
      .title = "Llama 3.1 70B: dense, grouped-query attention",
      .source = "The Llama 3 Herd of Models, arXiv:2407.21783, table 3; released config.json",
      .layers = 80,
      .hidden = 8192,
      .vocab = 128256,
      .heads = 64,
      .kv_heads = 8,
      .head_dim = 128,
      .ffn = 28672,
      .dense_layers = 80 },
    { .name = "gpt-oss-120b",
      .title = "gpt-oss-120b: mixture of experts, grouped-query attention, every second layer windowed",
      .source = "gpt-oss-120b & gpt-oss-20b Model Card, arXiv:2508.10925; released config.json",
      .layers = 36,
      .hidden = 2880,
      .vocab = 201088,
      .heads = 64,
      .kv_heads = 8,
      .head_dim = 64,
      .experts = 128,
      .experts_active = 4,
      .expert_ffn = 2880,
      .window = 128,
      .window_layers = 18,
      .has_biases = true,
      .has_router_bias = true },
    { .name = "deepseek-v3-671b",
      .title = "DeepSeek-V3 671B: mixture of experts, multi-head latent attention",
      .source = "DeepSeek-V3 Technical Report, arXiv:2412.19437, section 4.2; released config.json; without the layer that "
                "predicts further tokens",
      .layers = 61,
      .hidden = 7168,
      .vocab = 129280,
      .heads = 128,
      .kv_heads = 128,
      .head_dim = 128,
      .q_latent = 1536,
      .kv_latent = 512,
      .rope_dim = 64,
      .value_dim = 128,
      .ffn = 18432,
      .dense_layers = 3,
      .experts = 256,
      .experts_active = 8,
      .experts_shared = 1,
      .expert_ffn = 2048,
      .has_router_bias = true },
};
enum { N_MODELS = sizeof models / sizeof *models };

const struct aisp_model *aisp_model_at(size_t i)
{
    return i < N_MODELS ? &models[i] : NULL;
}

const struct aisp_model *aisp_model_find(const char *name, const char **nearest)
{
    const char *known[N_MODELS];

    for (size_t i = 0; i < N_MODELS; i++) {
        known[i] = models[i].name;
        if (!strcmp(models[i].name, name))
            return &models[i];
    }
    if (nearest)
        *nearest = aisp_nearest(name, known, N_MODELS);
    return NULL;
}

/* ---- parameters ---- */

/* Of one layer, with its two norms. */
static int64_t attention_params(const struct aisp_model *m)
{
    const int64_t q = m->heads * m->head_dim, kv = m->kv_heads * m->head_dim;

    if (m->kv_latent) {
        const int64_t down_q = m->hidden * m->q_latent + m->q_latent; /* with its norm */
        const int64_t up_q = m->q_latent * m->heads * (m->head_dim + m->rope_dim);
        const int64_t down_kv = m->hidden * (m->kv_latent + m->rope_dim) + m->kv_latent;
        const int64_t up_kv = m->kv_latent * m->heads * (m->head_dim + m->value_dim);

        return down_q + up_q + down_kv + up_kv + m->heads * m->value_dim * m->hidden + 2 * m->hidden;
    }
    return 2 * m->hidden * q + 2 * m->hidden * kv + 2 * m->hidden + (m->has_biases ? q + 2 * kv + m->hidden + m->heads : 0);
}

/* Gate, up and down projection. */
static int64_t mlp_params(const struct aisp_model *m, int64_t width)
{
    return 3 * m->hidden * width + (m->has_biases ? 2 * width + m->hidden : 0);
}

struct aisp_model_params aisp_model_params(const struct aisp_model *m)
{
    const int64_t sparse_layers = m->experts ? m->layers - m->dense_layers : 0;
    const int64_t router = m->hidden * m->experts + (m->has_router_bias ? m->experts : 0);
    const int64_t expert = mlp_params(m, m->expert_ffn);
    struct aisp_model_params p = { .attention = m->layers * attention_params(m) };

    p.dense = m->dense_layers * mlp_params(m, m->ffn) + sparse_layers * (router + m->experts_shared * expert);
    p.experts = sparse_layers * m->experts * expert;
    p.embedding = 2 * m->vocab * m->hidden + m->hidden;
    p.total = p.attention + p.dense + p.experts + p.embedding;
    p.active = p.total - sparse_layers * (m->experts - m->experts_active) * expert - m->vocab * m->hidden;
    return p;
}

/* ---- number formats ---- */

/* Blocks of 32 share an 8-bit exponent in the OCP Microscaling formats (v1.0, 2023); blocks of 16 an FP8 scale in NVFP4. */
static const struct aisp_number_format formats[] = {
    { "fp32", 32, 0, 0 }, { "fp16", 16, 0, 0 },  { "bf16", 16, 0, 0 },  { "fp8", 8, 0, 0 },    { "int8", 8, 0, 0 },
    { "int4", 4, 0, 0 },  { "mxfp8", 8, 32, 8 }, { "mxfp4", 4, 32, 8 }, { "nvfp4", 4, 16, 8 },
};

const struct aisp_number_format *aisp_number_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

double aisp_format_bytes(const struct aisp_number_format *format, double n)
{
    const double blocks = format->block ? ceil(n / (double)format->block) : 0;

    return (n * format->bits + blocks * format->block_scale_bits) / 8;
}
