/* split.c - what one way of splitting costs: the formulas of split.h.
 * Not here: trying all ways (split_search.c). */
#include "commands/utils/split.h"

#include <math.h>

#include "commands/utils/kv_cache.h"

enum {
    ACTIVATION_BYTES = 2,
    ACTIVATIONS_A_LAYER = 34, /* bytes for each element of the hidden state */
    STATE_BYTES = 12,         /* of a parameter: f32 copy, two moments */
    WEIGHT_AND_GRADIENT_BYTES = 4,
    GRADIENT_BYTES = 2,
};

double aisp_send_s(const struct aisp_link *link, double bytes)
{
    return link->alpha_s + bytes / link->bytes_per_second;
}

double aisp_all_reduce_s(const struct aisp_link *link, double bytes, int64_t cards)
{
    const double p = (double)cards;

    return cards < 2 ? 0 : 2 * (p - 1) * link->alpha_s + 2 * (p - 1) / p * bytes / link->bytes_per_second;
}

double aisp_all_to_all_s(const struct aisp_link *link, double bytes, int64_t cards)
{
    const double p = (double)cards;

    return cards < 2 ? 0 : (p - 1) * link->alpha_s + (p - 1) / p * bytes / link->bytes_per_second;
}

/* Of a group that reaches over so many neighbouring cards. */
static const struct aisp_link *link_over(const struct aisp_cluster *c, int64_t span)
{
    return span <= c->node_cards && c->node_cards % span == 0 ? &c->link : &c->net;
}

/* ---- one card's share ---- */

struct share {
    const struct aisp_parallel_job *job;
    const struct aisp_parallel_plan *split;
    struct aisp_model_params params;
    double layers, sparse_layers;         /* of the largest stage */
    double sequences;                     /* of this replica */
    double micro_sequences, micro_tokens; /* in one micro-batch */
};

static double ceil_div(int64_t a, int64_t b)
{
    return (double)((a + b - 1) / b);
}

static struct share share_of(const struct aisp_parallel_job *job, const struct aisp_parallel_plan *split)
{
    const struct aisp_model *m = job->model;
    struct share s = { job, split, aisp_model_params(m), ceil_div(m->layers, split->pp), 0, ceil_div(job->batch, split->dp),
                       0,   0 };

    if (m->experts)
        s.sparse_layers = fmin(s.layers, (double)(m->layers - m->dense_layers));
    s.micro_sequences = ceil(s.sequences / (double)split->micro);
    s.micro_tokens = s.micro_sequences * (job->phase == AISP_DECODE ? 1 : (double)job->tokens);
    return s;
}

/* Parameters that lie on a card: of the layers' own, of experts, of the tables. With stages, the last holds the projection. */
static double layer_params(const struct share *s)
{
    return (double)(s->params.attention + s->params.dense) * s->layers / (double)s->job->model->layers / (double)s->split->tp;
}

static double expert_params(const struct share *s)
{
    const struct aisp_model *m = s->job->model;

    return m->experts ? (double)s->params.experts * s->sparse_layers / (double)(m->layers - m->dense_layers) /
                            (double)(s->split->tp * s->split->ep)
                      : 0;
}

static double table_params(const struct share *s)
{
    return (double)s->params.embedding / (double)s->split->tp / (s->split->pp > 1 ? 2 : 1);
}

/* ---- time ---- */

/* Keys that a token looks at, over the layers of the stage. */
static double keys_of(const struct share *s)
{
    const struct aisp_model *m = s->job->model;
    const double all = s->job->phase == AISP_DECODE ? (double)s->job->tokens : ((double)s->job->tokens + 1) / 2;
    const double windowed = (double)m->window_layers / (double)m->layers;

    return s->layers * ((1 - windowed) * all + windowed * fmin(all, m->window_layers ? (double)m->window : all));
}

static double stage_flops(const struct share *s)
{
    const struct aisp_model *m = s->job->model;
    const double projection = (double)(m->vocab * m->hidden);
    const double wide = m->kv_latent ? (double)(m->head_dim + m->rope_dim + m->value_dim) : 2.0 * (double)m->head_dim;
    const double layers = 2 * ((double)s->params.active - projection) * s->layers / (double)m->layers;
    const double attention = 2 * (double)m->heads * wide * keys_of(s);

    return s->micro_tokens * (layers + attention + 2 * projection) / (double)s->split->tp *
           (s->job->phase == AISP_TRAINING ? 3 : 1);
}

/* Experts of a card that at least one of the tokens asks, as a share: 1 - (1 - k/E)^tokens. */
static double asked_share(const struct share *s)
{
    const struct aisp_model *m = s->job->model;
    const double tokens = s->micro_tokens * (double)s->split->ep;

    return m->experts ? 1 - pow(1 - (double)m->experts_active / (double)m->experts, tokens) : 0;
}

static double weight_bytes(const struct share *s, double tables, double share_of_experts)
{
    return aisp_format_bytes(s->job->weights, layer_params(s) + tables) +
           aisp_format_bytes(s->job->experts, expert_params(s) * share_of_experts);
}

/* Of one sequence on the card. */
static double cache_bytes(const struct share *s)
{
    const struct aisp_model *m = s->job->model;
    const struct aisp_kv_spec spec = {
        .layers = m->layers,
        .window_layers = m->window_layers,
        .window = m->window,
        .kv_heads = m->kv_heads,
        .head_dim = m->head_dim,
        .kv_latent = m->kv_latent,
        .rope_dim = m->rope_dim,
        .tokens = s->job->tokens,
        .batch = 1,
        .format = s->job->cache,
        .tp = s->split->tp,
        .pp = s->split->pp,
    };

    return s->job->phase == AISP_TRAINING ? 0 : aisp_kv_size(&spec).card_sequence_bytes;
}

static double work_s(const struct share *s, const struct aisp_cluster *c, bool *is_memory_bound)
{
    /* Of the tables, only the output projection is read as a whole. */
    const double projection = (double)(s->job->model->vocab * s->job->model->hidden) / (double)s->split->tp;
    const double read =
        weight_bytes(s, projection, asked_share(s)) + (s->job->phase == AISP_DECODE ? s->micro_sequences * cache_bytes(s) : 0);
    const double memory = read / c->bytes_per_second, arithmetic = stage_flops(s) / c->flops;

    *is_memory_bound = memory > arithmetic;
    return fmax(memory, arithmetic);
}

static double gradients_s(const struct share *s, const struct aisp_cluster *c)
{
    const struct aisp_parallel_plan *x = s->split;
    const struct aisp_link *link = link_over(c, x->tp * x->dp);

    if (s->job->phase != AISP_TRAINING)
        return 0;
    return aisp_all_reduce_s(link, GRADIENT_BYTES * (layer_params(s) + table_params(s)), x->dp) +
           (s->job->model->experts ? aisp_all_reduce_s(link, GRADIENT_BYTES * expert_params(s), x->dp / x->ep) : 0);
}

static void add_times(const struct share *s, const struct aisp_cluster *c, struct aisp_split_cost *cost)
{
    const struct aisp_parallel_plan *x = s->split;
    const double hidden = s->micro_tokens * (double)s->job->model->hidden * ACTIVATION_BYTES;
    const double both = s->job->phase == AISP_TRAINING ? 2 : 1, m = (double)x->micro, p = (double)x->pp;
    const double idle = s->job->phase == AISP_DECODE ? fmax(0, p - m) : p - 1;
    double stage[AISP_N_PARTS] = { 0 }, stage_s = 0;

    stage[AISP_PART_WORK] = work_s(s, c, &cost->is_memory_bound);
    stage[AISP_PART_TP] = both * 2 * s->layers * aisp_all_reduce_s(link_over(c, x->tp), hidden, x->tp);
    stage[AISP_PART_EP] = both * 2 * s->sparse_layers *
                          aisp_all_to_all_s(link_over(c, x->tp * x->ep), hidden * (double)s->job->model->experts_active, x->ep);
    stage[AISP_PART_PP] = x->pp > 1 ? both * aisp_send_s(link_over(c, c->cards), hidden) : 0;
    for (int part = 0; part < AISP_N_PARTS; part++) {
        stage_s += stage[part];
        cost->part_s[part] = m * stage[part];
    }
    cost->part_s[AISP_PART_DP] = gradients_s(s, c);
    cost->part_s[AISP_PART_BUBBLE] = idle * stage_s;
    cost->bubble_share = idle / (m + idle);
    cost->step_s = (m + idle) * stage_s + cost->part_s[AISP_PART_DP];
    cost->tokens_per_second =
        (double)s->job->batch * (s->job->phase == AISP_DECODE ? 1 : (double)s->job->tokens) / cost->step_s;
}

/* ---- memory ---- */

static void add_memory(const struct share *s, const struct aisp_cluster *c, struct aisp_split_cost *cost)
{
    const double own = layer_params(s) + table_params(s), experts = expert_params(s), dp = (double)s->split->dp;
    const double in_flight = fmin((double)s->split->micro, (double)s->split->pp);

    cost->cache_bytes = s->sequences * cache_bytes(s);
    if (s->job->phase == AISP_TRAINING) {
        cost->training_bytes =
            WEIGHT_AND_GRADIENT_BYTES * (own + experts) + STATE_BYTES * (own / dp + experts * (double)s->split->ep / dp);
        cost->activation_bytes = ACTIVATIONS_A_LAYER * s->micro_tokens * (double)s->job->model->hidden * s->layers * in_flight /
                                 (double)s->split->tp;
    } else
        cost->weights_bytes = weight_bytes(s, table_params(s), 1);
    cost->card_bytes = cost->weights_bytes + cost->cache_bytes + cost->training_bytes + cost->activation_bytes;
    cost->fits = cost->card_bytes <= c->memory_bytes;
}

struct aisp_split_cost aisp_split_cost(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster,
                                       const struct aisp_parallel_plan *split)
{
    const struct share s = share_of(job, split);
    struct aisp_split_cost cost = { .fits = false };

    add_times(&s, cluster, &cost);
    add_memory(&s, cluster, &cost);
    return cost;
}

const char *aisp_part_name(enum aisp_part part)
{
    static const char *const names[] = {
        "work", "tensor parallel messages", "expert parallel messages", "pipeline messages", "gradient messages", "bubble"
    };

    return names[part];
}
