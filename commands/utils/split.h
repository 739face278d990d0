/* split.h - a transformer over many cards: what a way of splitting it costs in time and memory, and which way is the fastest.
 *
 * Cards are numbered so that tensor parallel groups are neighbours, then data parallel ones (experts are dealt out among them),
 * then pipeline stages. A group that lies inside one node uses the link, any other the network between nodes.
 *
 *   messages, alpha-beta (Hockney 1994): n bytes take alpha + n / beta
 *     all-reduce, ring     2 (p-1) alpha + 2 (p-1)/p n / beta              Thakur, Rabenseifner, Gropp 2005
 *     all-to-all, pairs    (p-1) alpha + (p-1)/p n / beta                  the same
 *   a micro-batch in one stage
 *     arithmetic           2 x active parameters + attention, flop a token; / tensor parallel; training three times that
 *     memory               weights of the stage (of experts those that are expected to be asked), and in decoding the cache
 *     time                 the longer of the two (roofline), then
 *     tensor parallel      2 all-reduces a layer of its activations (Megatron-LM, Shoeybi 2019); training 4
 *     expert parallel      2 all-to-alls a layer with experts (Lepikhin 2020); training 4
 *     pipeline             one message to the next stage; training 2
 *   a step of m micro-batches in p stages
 *     training, prefill    (m + p - 1) of these; bubble (p-1)/(m+p-1)      GPipe, Huang 2019
 *     decode               max(m, p) of these: a token waits for the one before it
 *     data parallel        training: one all-reduce of the gradients
 *   memory of a card       weights; cache (kv_cache.h); training: 16 bytes a parameter with Adam in mixed precision, its 12 of
 *                          optimizer state dealt out over data parallel cards (ZeRO stage 1, Rajbhandari 2020), and
 *                          34 s b h bytes of activations a layer (Korthikanti 2022, selective recomputation)
 *
 * Nothing overlaps, activations are 2 bytes, experts are asked evenly. What is compared are estimates from measured rates; a
 * difference of a few percent between two ways is for a measurement to decide.
 * Not here: where rates and links come from (the user measured them; parallelism.c). Pure functions. */
#ifndef AISP_COMMANDS_UTILS_SPLIT_H
#define AISP_COMMANDS_UTILS_SPLIT_H

#include "commands/utils/model.h"

struct aisp_link { double alpha_s, bytes_per_second; };
double aisp_send_s(const struct aisp_link *link, double bytes);
double aisp_all_reduce_s(const struct aisp_link *link, double bytes, int64_t cards);
double aisp_all_to_all_s(const struct aisp_link *link, double bytes, int64_t cards);

/* Measured; bytes and flop a second of one card. */
struct aisp_cluster {
    int64_t cards, node_cards;
    double flops, bytes_per_second, memory_bytes;      /* memory that may be used */
    struct aisp_link link, net;
};

enum aisp_parallel_phase { AISP_PREFILL, AISP_DECODE, AISP_TRAINING };
struct aisp_parallel_job {
    const struct aisp_model *model;
    enum aisp_parallel_phase phase;
    int64_t tokens, batch;                 /* of a sequence (decode: in the cache); sequences in all */
    const struct aisp_number_format *weights, *experts, *cache;
};

struct aisp_parallel_plan { int64_t tp, pp, dp, ep, micro; };     /* micro: micro-batches of a step */

enum aisp_part { AISP_PART_WORK, AISP_PART_TP, AISP_PART_EP, AISP_PART_PP, AISP_PART_DP, AISP_PART_BUBBLE, AISP_N_PARTS };
struct aisp_split_cost {
    double part_s[AISP_N_PARTS], step_s, tokens_per_second;
    double bubble_share;
    bool is_memory_bound;                  /* the work is */
    double weights_bytes, cache_bytes, training_bytes, activation_bytes, card_bytes;
    bool fits;
};
struct aisp_split_cost aisp_split_cost(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster,
                                       const struct aisp_parallel_plan *split);
const char *aisp_part_name(enum aisp_part part);

struct aisp_plan_row { struct aisp_parallel_plan split; struct aisp_split_cost cost; };
/* Every split of all cards that the model allows, each with its best number of micro-batches; those that fit first, then by
 * time. Caller frees; *n may be 0. */
struct aisp_plan_row *aisp_split_search(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster, size_t *n);
bool aisp_split_equal(const struct aisp_parallel_plan *a, const struct aisp_parallel_plan *b);     /* but for micro-batches */

/* An input of a cluster, times the smallest factor (largest, below 1) at which another split wins; 0: none up to 8 (1/8). */
enum aisp_input { AISP_INPUT_FLOPS, AISP_INPUT_BANDWIDTH, AISP_INPUT_LINK_LATENCY, AISP_INPUT_LINK, AISP_INPUT_NET_LATENCY,
                  AISP_INPUT_NET, AISP_INPUT_MEMORY, AISP_N_INPUTS };
double aisp_split_turns(const struct aisp_parallel_job *job, const struct aisp_cluster *cluster,
                        const struct aisp_parallel_plan *winner, enum aisp_input input, bool up,
                        struct aisp_parallel_plan *other);

#endif
