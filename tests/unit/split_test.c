/* split_test.c - what a way to split a model over cards costs, against cases that were worked out by hand on a model small
 * enough for that; and that the search finds the best way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "commands/utils/split.h"

static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.12g, expected %.12g", got, want);
}

/* A layer: q, k, v and o of 4 x 4 each are 64, norms 8, the MLP 3 x 4 x 8 = 96: 168. Two are 336. Tables 2 x 10 x 4 and a norm
 * of 4: 84. All 420; active, without the input table: 380. */
static const struct aisp_model small = {
    .name = "", .layers = 2, .hidden = 4, .vocab = 10, .heads = 2, .kv_heads = 2, .head_dim = 2, .ffn = 8, .dense_layers = 2
};
/* Instead of MLPs, in both layers a router (4 x 4 = 16) and 4 experts of 96, one active. */
static const struct aisp_model sparse = { .name = "",
                                          .layers = 2,
                                          .hidden = 4,
                                          .vocab = 10,
                                          .heads = 2,
                                          .kv_heads = 2,
                                          .head_dim = 2,
                                          .experts = 4,
                                          .experts_active = 1,
                                          .expert_ffn = 8 };

static struct aisp_cluster cluster_of(int64_t cards)
{
    return (struct aisp_cluster){ .cards = cards,
                                  .node_cards = cards,
                                  .flops = 1000,
                                  .bytes_per_second = 1e6,
                                  .memory_bytes = 1e9,
                                  .link = { 1e-3, 1e6 },
                                  .net = { 1e-2, 1e5 } };
}

static struct aisp_parallel_job job_of(const struct aisp_model *model, enum aisp_parallel_phase phase, int64_t tokens,
                                       int64_t batch)
{
    const struct aisp_number_format *bf16 = aisp_number_format("bf16");

    return (struct aisp_parallel_job){ model, phase, tokens, batch, bf16, bf16, bf16 };
}

/* Eight cards, 10 us, 100 GB/s, 1 MB: 14 x 10 us + 14/8 x 10 us = 157.5 us. All-to-all: 7 x 10 us + 7/8 x 10 us = 78.75 us. */
static void messages_take_latency_and_length(void **state)
{
    const struct aisp_link link = { 10e-6, 100e9 };

    (void)state;
    assert_close(aisp_send_s(&link, 1e6), 20e-6);
    assert_close(aisp_all_reduce_s(&link, 1e6, 8), 157.5e-6);
    assert_close(aisp_all_to_all_s(&link, 1e6, 8), 78.75e-6);
    assert_true(aisp_all_reduce_s(&link, 1e6, 1) == 0 && aisp_all_to_all_s(&link, 1e6, 1) == 0);
}

/* One token: 2 x (380 - 40) = 680 flop of layers, 2 x 2 heads x (2 + 2) x 10 keys x 2 layers = 320 of attention, 2 x 40 = 80
 * of the projection: 1080 flop, 1.08 s at 1000 flop/s. Read: 2 B x (336 + 40) = 752 B of weights, and 2 layers x 10 tokens x
 * 16 B = 320 B of cache: 1072 B. At 100 B/s that takes 10.72 s, and memory is what binds. */
static void decoding_one_token_takes_the_longer_of_arithmetic_and_reading(void **state)
{
    const struct aisp_parallel_job job = job_of(&small, AISP_DECODE, 10, 1);
    const struct aisp_parallel_plan alone = { 1, 1, 1, 1, 1 };
    struct aisp_cluster cluster = cluster_of(1);
    struct aisp_split_cost cost = aisp_split_cost(&job, &cluster, &alone);

    (void)state;
    assert_int_equal(aisp_model_params(&small).total, 420);
    assert_close(cost.step_s, 1.08);
    assert_false(cost.is_memory_bound);
    assert_close(cost.tokens_per_second, 1 / 1.08);
    assert_close(cost.weights_bytes, 840);
    assert_close(cost.cache_bytes, 320);
    cluster.bytes_per_second = 100;
    cost = aisp_split_cost(&job, &cluster, &alone);
    assert_close(cost.step_s, 10.72);
    assert_true(cost.is_memory_bound);
}

/* Two cards share the 1080 flop: 0.54 s. Two layers x 2 all-reduces of 4 x 2 B = 8 B: each 2 x 1 ms + 8 B / 1 MB/s
 * = 2.008 ms. */
static void tensor_parallel_cards_share_the_work_and_talk_twice_a_layer(void **state)
{
    const struct aisp_parallel_job job = job_of(&small, AISP_DECODE, 10, 1);
    const struct aisp_cluster cluster = cluster_of(2);
    const struct aisp_parallel_plan split = { 2, 1, 1, 1, 1 };
    const struct aisp_split_cost cost = aisp_split_cost(&job, &cluster, &split);

    (void)state;
    assert_close(cost.part_s[AISP_PART_WORK], 0.54);
    assert_close(cost.part_s[AISP_PART_TP], 4 * 2.008e-3);
    assert_close(cost.step_s, 0.54 + 4 * 2.008e-3);
    assert_close(cost.weights_bytes, 420);
    assert_close(cost.cache_bytes, 160);
}

/* Prefill of 4 sequences of 1 token, two stages of one layer: a micro-batch of one takes 340 + 2 x 2 x 4 x 1 + 80 = 436 flop
 * on the last stage (one key), 0.436 s, and a message of 8 B, 1.008 ms. Four of them and one more: 5 x 0.437008 s; a fifth is
 * bubble. */
static void a_pipeline_fills_and_drains(void **state)
{
    const struct aisp_parallel_job job = job_of(&small, AISP_PREFILL, 1, 4);
    const struct aisp_cluster cluster = cluster_of(2);
    const struct aisp_parallel_plan split = { 1, 2, 1, 1, 4 };
    const struct aisp_split_cost cost = aisp_split_cost(&job, &cluster, &split);

    (void)state;
    assert_close(cost.step_s, 5 * 0.437008);
    assert_close(cost.bubble_share, 0.2);
    assert_close(cost.part_s[AISP_PART_BUBBLE], 0.437008);
    assert_close(cost.part_s[AISP_PART_PP], 4 * 1.008e-3);
    assert_close(cost.weights_bytes, 2 * (168 + 42));
}

/* Decoding one sequence in two stages leaves each idle half of the time; two sequences as two micro-batches fill both. */
static void decoding_needs_as_many_micro_batches_as_stages(void **state)
{
    const struct aisp_parallel_job one = job_of(&small, AISP_DECODE, 10, 1), two = job_of(&small, AISP_DECODE, 10, 2);
    const struct aisp_cluster cluster = cluster_of(2);
    const struct aisp_parallel_plan idle = { 1, 2, 1, 1, 1 }, full = { 1, 2, 1, 1, 2 };

    (void)state;
    assert_close(aisp_split_cost(&one, &cluster, &idle).bubble_share, 0.5);
    assert_true(aisp_split_cost(&two, &cluster, &full).bubble_share == 0);
    assert_close(aisp_split_cost(&two, &cluster, &full).step_s, aisp_split_cost(&one, &cluster, &idle).step_s);
}

/* Two cards with two experts each. One token each, so two tokens ask among four experts: a card's two are asked by 1 - (3/4)^2
 * = 7/16 of them. Read: 2 B x ((72 + 16) x 2 + 40) = 432 B, experts 2 layers x 2 x 96 x 2 B x 7/16 = 336 B, cache 320 B.
 * Messages: 2 layers x 2 all-to-alls of 8 B: 1 ms + 4 us. */
static void experts_are_dealt_out_and_only_those_asked_are_read(void **state)
{
    const struct aisp_parallel_job job = job_of(&sparse, AISP_DECODE, 10, 2);
    const struct aisp_parallel_plan split = { 1, 1, 2, 2, 1 };
    struct aisp_cluster cluster = cluster_of(2);
    struct aisp_split_cost cost;

    (void)state;
    cluster.flops = 1e12;
    cost = aisp_split_cost(&job, &cluster, &split);
    assert_close(cost.part_s[AISP_PART_WORK], (432 + 336 + 320) / 1e6);
    assert_close(cost.part_s[AISP_PART_EP], 4 * 1.004e-3);
    assert_close(cost.weights_bytes, 2 * ((72 + 16) * 2 + 84 + 2 * 2 * 96));
}

/* 4 + 12 / 2 = 10 bytes of each of 420 parameters. Gradients: one all-reduce of 840 B over two cards: 2 ms + 0.84 ms.
 * Activations: 34 B x 4 wide x 1 token x 2 layers = 272 B. Three times the arithmetic of one pass (1 key): 3 x (680 + 32 +
 * 80). */
static void training_adds_gradients_state_and_activations(void **state)
{
    const struct aisp_parallel_job job = job_of(&small, AISP_TRAINING, 1, 2);
    const struct aisp_cluster cluster = cluster_of(2);
    const struct aisp_parallel_plan split = { 1, 1, 2, 1, 1 };
    const struct aisp_split_cost cost = aisp_split_cost(&job, &cluster, &split);

    (void)state;
    assert_close(cost.training_bytes, 4200);
    assert_close(cost.part_s[AISP_PART_DP], 2.84e-3);
    assert_close(cost.activation_bytes, 272);
    assert_close(cost.part_s[AISP_PART_WORK], 3 * 0.792);
    assert_true(cost.weights_bytes == 0 && cost.cache_bytes == 0);
}

/* A group that does not lie inside one node talks over the network: 2 x 10 ms + 8 B / 100 KB/s = 20.08 ms, four times. */
static void groups_that_span_nodes_use_the_network(void **state)
{
    const struct aisp_parallel_job job = job_of(&small, AISP_DECODE, 10, 1);
    const struct aisp_parallel_plan split = { 2, 1, 1, 1, 1 };
    struct aisp_cluster cluster = cluster_of(2);

    (void)state;
    cluster.node_cards = 1;
    assert_close(aisp_split_cost(&job, &cluster, &split).part_s[AISP_PART_TP], 4 * 20.08e-3);
}

/* Eight cards are 2^3: three kinds of parallelism share three twos in C(5, 2) = 10 ways. */
static void the_search_tries_all_ways_and_sorts_them(void **state)
{
    const struct aisp_model *model = aisp_model_find("llama-3.1-70b", NULL);
    struct aisp_parallel_job job = job_of(model, AISP_DECODE, 8192, 32);
    struct aisp_cluster cluster = { .cards = 8,
                                    .node_cards = 8,
                                    .flops = 1.2e15,
                                    .bytes_per_second = 2.9e12,
                                    .memory_bytes = 80 * 1073741824.0,
                                    .link = { 8e-6, 370e9 } };
    struct aisp_plan_row *rows;
    size_t n;

    (void)state;
    job.weights = job.experts = job.cache = aisp_number_format("fp8");
    rows = aisp_split_search(&job, &cluster, &n);
    assert_int_equal(n, 10);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rows[i].split.tp * rows[i].split.pp * rows[i].split.dp, 8);
        assert_true(rows[i].cost.fits || i + 1 == n || !rows[i + 1].cost.fits);
        assert_true(i == 0 || !rows[i].cost.fits || rows[i - 1].cost.step_s <= rows[i].cost.step_s);
    }
    free(rows);
}

/* The factor at which the choice turns: there another way wins, a little before it does not. */
static void sensitivity_names_where_the_choice_turns(void **state)
{
    const struct aisp_model *model = aisp_model_find("llama-3.1-70b", NULL);
    const struct aisp_parallel_job job = job_of(model, AISP_DECODE, 8192, 32);
    const struct aisp_cluster cluster = { .cards = 8,
                                          .node_cards = 8,
                                          .flops = 1.2e15,
                                          .bytes_per_second = 2.9e12,
                                          .memory_bytes = 80 * 1073741824.0,
                                          .link = { 8e-6, 370e9 } };
    struct aisp_cluster changed = cluster;
    struct aisp_parallel_plan other;
    struct aisp_plan_row *rows, *before, *there;
    double factor;
    size_t n;

    (void)state;
    rows = aisp_split_search(&job, &cluster, &n);
    factor = aisp_split_turns(&job, &cluster, &rows[0].split, AISP_INPUT_LINK_LATENCY, true, &other);
    assert_true(factor > 1 && factor <= 8);
    changed.link.alpha_s = cluster.link.alpha_s * factor;
    there = aisp_split_search(&job, &changed, &n);
    assert_true(aisp_split_equal(&there[0].split, &other) && !aisp_split_equal(&there[0].split, &rows[0].split));
    changed.link.alpha_s = cluster.link.alpha_s * factor / pow(2, 1.0 / 8);
    before = aisp_split_search(&job, &changed, &n);
    assert_true(aisp_split_equal(&before[0].split, &rows[0].split));
    free(rows);
    free(there);
    free(before);
}

static void what_does_not_fit_comes_last_by_memory(void **state)
{
    const struct aisp_parallel_job job = job_of(aisp_model_find("llama-3.1-70b", NULL), AISP_DECODE, 8192, 32);
    const struct aisp_cluster cluster = { .cards = 2,
                                          .node_cards = 2,
                                          .flops = 1e15,
                                          .bytes_per_second = 3e12,
                                          .memory_bytes = 24 * 1073741824.0,
                                          .link = { 8e-6, 370e9 } };
    struct aisp_plan_row *rows;
    size_t n;

    (void)state;
    rows = aisp_split_search(&job, &cluster, &n);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        assert_false(rows[i].cost.fits);
        assert_true(i == 0 || rows[i - 1].cost.card_bytes <= rows[i].cost.card_bytes);
    }
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_take_latency_and_length),
        cmocka_unit_test(decoding_one_token_takes_the_longer_of_arithmetic_and_reading),
        cmocka_unit_test(tensor_parallel_cards_share_the_work_and_talk_twice_a_layer),
        cmocka_unit_test(a_pipeline_fills_and_drains),
        cmocka_unit_test(decoding_needs_as_many_micro_batches_as_stages),
        cmocka_unit_test(experts_are_dealt_out_and_only_those_asked_are_read),
        cmocka_unit_test(training_adds_gradients_state_and_activations),
        cmocka_unit_test(groups_that_span_nodes_use_the_network),
        cmocka_unit_test(the_search_tries_all_ways_and_sorts_them),
        cmocka_unit_test(sensitivity_names_where_the_choice_turns),
        cmocka_unit_test(what_does_not_fit_comes_last_by_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
