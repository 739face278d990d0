/* kv_cache_test.c - memory of keys and values, weights and parameter counts, against cases that were worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "commands/utils/kv_cache.h"

static const struct aisp_number_format *format(const char *name)
{
    const struct aisp_number_format *f = aisp_number_format(name);

    assert_non_null(f);
    return f;
}

static struct aisp_kv_spec spec_of(const char *model, const char *dtype, int64_t tokens)
{
    const struct aisp_model *m = aisp_model_find(model, NULL);

    assert_non_null(m);
    return (struct aisp_kv_spec){ .layers = m->layers,
                                  .window_layers = m->window_layers,
                                  .window = m->window,
                                  .kv_heads = m->kv_heads,
                                  .head_dim = m->head_dim,
                                  .kv_latent = m->kv_latent,
                                  .rope_dim = m->rope_dim,
                                  .tokens = tokens,
                                  .batch = 1,
                                  .format = format(dtype),
                                  .tp = 1,
                                  .pp = 1 };
}

/* 80 layers x 4096 tokens x 2 (keys, values) x 8192 elements x 1 byte = 5,368,709,120 a sequence; 8 of them = 40 GiB. */
static void multi_head_attention_takes_the_whole_width_twice(void **state)
{
    const struct aisp_kv_spec spec = {
        .layers = 80, .kv_heads = 1, .head_dim = 8192, .tokens = 4096, .batch = 8, .format = format("fp8"), .tp = 1, .pp = 1
    };
    const struct aisp_kv_size size = aisp_kv_size(&spec);

    (void)state;
    assert_true(size.token_layer_bytes == 16384);
    assert_true(size.sequence_bytes == 5368709120.0);
    assert_true(size.batch_bytes == 42949672960.0);
    assert_true(size.card_batch_bytes == size.batch_bytes);
    assert_true(size.waste_bytes == 0 && size.scale_bytes == 0);
}

/* 70B: 2 x 8 heads x 128 x 2 B = 4096 B a layer, x 80 = 327,680 B a token, x 8192 tokens = 2,684,354,560 B = 2.5 GiB.
 * 8B: 4096 B x 32 = 131,072 B a token, x 131,072 tokens = 17,179,869,184 B = 16 GiB. */
static void grouped_query_attention_takes_its_heads_twice(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "bf16", 8192);
    struct aisp_kv_size size = aisp_kv_size(&spec);

    (void)state;
    assert_true(size.token_layer_bytes == 4096);
    assert_true(size.token_bytes == 327680);
    assert_true(size.sequence_bytes == 2684354560.0);
    spec = spec_of("llama-3.1-8b", "bf16", 131072);
    size = aisp_kv_size(&spec);
    assert_true(size.token_bytes == 131072);
    assert_true(size.sequence_bytes == 17179869184.0);
}

/* One head: an eighth of the eight heads above, 4096 B / 8 = 512 B a layer. */
static void multi_query_attention_takes_one_head_twice(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "bf16", 8192);

    (void)state;
    spec.kv_heads = 1;
    assert_true(aisp_kv_size(&spec).token_layer_bytes == 512);
}

/* 671B: (512 + 64) x 2 B = 1152 B a layer, once; x 61 = 70,272 B a token; x 131,072 tokens = 9,210,691,584 B. */
static void latent_attention_takes_latent_and_position_once(void **state)
{
    const struct aisp_kv_spec spec = spec_of("deepseek-v3-671b", "bf16", 131072);
    const struct aisp_kv_size size = aisp_kv_size(&spec);

    (void)state;
    assert_true(size.token_layer_bytes == 1152);
    assert_true(size.token_bytes == 70272);
    assert_true(size.sequence_bytes == 9210691584.0);
}

/* 120B: 2 x 8 x 64 x 2 B = 2048 B a layer. 18 layers keep 131,072 tokens: 4,831,838,208 B; 18 keep 128: 4,718,592 B.
 * Together 4,836,556,800 B. Shorter than the window, all 36 keep all: 36 x 100 x 2048 = 7,372,800 B. */
static void windowed_layers_keep_the_window_only(void **state)
{
    struct aisp_kv_spec spec = spec_of("gpt-oss-120b", "bf16", 131072);

    (void)state;
    assert_true(aisp_kv_size(&spec).sequence_bytes == 4836556800.0);
    spec.tokens = 100;
    assert_true(aisp_kv_size(&spec).sequence_bytes == 7372800);
}

/* fp8 with a 4-byte scale for 128 elements: a head is 128 + 4 = 132 B, 16 of them 2112 B, of it 64 B scales.
 * A latent of 576 takes ceil(576 / 128) = 5 scales: 576 + 20 = 596 B.
 * mxfp4: 128 elements are 64 B and 128 / 32 = 4 scales of a byte: 68 B, 16 of them 1088 B. */
static void scales_of_quantised_caches_are_counted(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "fp8", 1);
    struct aisp_kv_size size;

    (void)state;
    spec.scale_bytes = 4;
    spec.scale_group = 128;
    size = aisp_kv_size(&spec);
    assert_true(size.token_layer_bytes == 2112 && size.scale_bytes == 64);
    spec = spec_of("deepseek-v3-671b", "fp8", 1);
    spec.scale_bytes = 4;
    spec.scale_group = 128;
    size = aisp_kv_size(&spec);
    assert_true(size.token_layer_bytes == 596 && size.scale_bytes == 20);
    spec = spec_of("llama-3.1-70b", "mxfp4", 1);
    size = aisp_kv_size(&spec);
    assert_true(size.token_layer_bytes == 1088 && size.scale_bytes == 64);
}

/* 1000 tokens in pages of 16 are 63 pages or 1008 tokens: 8 x 327,680 B = 2,621,440 B waste; 1008 fit without.
 * A window of 128 at 1000 tokens begins at token 872, in page 54 (864 .. 879), and ends in page 62: 9 pages or 144 tokens. */
static void pages_waste_what_lies_behind_the_last_token(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "bf16", 1000);
    struct aisp_kv_size size;

    (void)state;
    spec.page_tokens = 16;
    size = aisp_kv_size(&spec);
    assert_true(size.waste_bytes == 2621440);
    assert_true(size.paged_bytes == 327680.0 * 1008);
    spec.tokens = 1008;
    assert_true(aisp_kv_size(&spec).waste_bytes == 0);
    spec.tokens = 1000;
    spec.window = 128;
    spec.window_layers = spec.layers;
    size = aisp_kv_size(&spec);
    assert_true(size.paged_bytes == 327680.0 * 144 && size.sequence_bytes == 327680.0 * 128);
}

/* 8 heads over 4 cards are 2 each; over 16 cards 1 each, so each lies twice. 80 layers in 3 stages are at most 27.
 * A latent lies on all 8 cards. */
static void heads_and_layers_are_dealt_out_whole(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "bf16", 8192);
    struct aisp_kv_size size;

    (void)state;
    spec.tp = 4;
    spec.pp = 3;
    size = aisp_kv_size(&spec);
    assert_int_equal(size.card_kv_heads, 2);
    assert_int_equal(size.card_layers, 27);
    assert_true(size.card_sequence_bytes == 27.0 * 8192 * 2 * 2 * 128 * 2);
    assert_true(size.copies == 1);
    spec.tp = 16;
    size = aisp_kv_size(&spec);
    assert_int_equal(size.card_kv_heads, 1);
    assert_true(size.copies == 2);
    spec = spec_of("deepseek-v3-671b", "bf16", 8192);
    spec.tp = 8;
    size = aisp_kv_size(&spec);
    assert_true(size.copies == 8 && size.card_sequence_bytes == size.sequence_bytes);
}

/* 36 layers of which 18 are windowed, in 5 stages: 8 layers at most, ceil(18 / 5) = 4 of them not windowed.
 * 4 x 131,072 + 4 x 128 tokens, x 2048 B = 1,074,790,400 B. */
static void windowed_layers_are_dealt_out_evenly(void **state)
{
    struct aisp_kv_spec spec = spec_of("gpt-oss-120b", "bf16", 131072);

    (void)state;
    spec.pp = 5;
    assert_true(aisp_kv_size(&spec).card_sequence_bytes == 1074790400.0);
}

/* 80 GiB - 70,553,706,496 / 4 B of fp8 weights = 68,260,919,296 B; a sequence of 8192 tokens takes 80 layers x 2 x 2 heads x
 * 128 x 2 B x 8192 = 671,088,640 B of a card of four: 101.7. With 4 GiB kept back: 95.3. */
static void the_largest_batch_is_what_fits_beside_the_weights(void **state)
{
    struct aisp_kv_spec spec = spec_of("llama-3.1-70b", "bf16", 8192);
    const double gib = 1073741824, weights = 70553706496.0 / 4;
    struct aisp_kv_size size;

    (void)state;
    spec.tp = 4;
    size = aisp_kv_size(&spec);
    assert_true(size.card_sequence_bytes == 671088640);
    assert_int_equal(aisp_kv_largest_batch(&size, 80 * gib, weights, 0), 101);
    assert_int_equal(aisp_kv_largest_batch(&size, 80 * gib, weights, 4 * gib), 95);
    assert_int_equal(aisp_kv_largest_batch(&size, 16 * gib, weights, 0), 0);
}

/* What the publishers print: 8.03 B, 70.6 B; 671 B of which 37 B are active; 116.83 B of which 5.13 B are active.
 * 8B by hand: a layer has 2 x 4096 x 4096 (q, o) + 2 x 4096 x 1024 (k, v) + 3 x 4096 x 14336 + 2 x 4096 = 218,112,000, x 32;
 * tables 2 x 128,256 x 4096 + 4096 = 1,050,677,248; together 8,030,261,248. */
static void parameters_are_those_that_the_publishers_print(void **state)
{
    static const struct {
        const char *name;
        double total, active, close;
    } published[] = {
        { "llama-3.1-8b", 8.03e9, 8.03e9 - 128256.0 * 4096, 0.005e9 },
        { "llama-3.1-70b", 70.55e9, 70.55e9 - 128256.0 * 8192, 0.01e9 },
        { "gpt-oss-120b", 116.83e9, 5.13e9, 0.005e9 },
        { "deepseek-v3-671b", 671e9, 37e9, 0.5e9 },
    };

    (void)state;
    assert_int_equal(aisp_model_params(aisp_model_find("llama-3.1-8b", NULL)).total, 8030261248);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct aisp_model_params p = aisp_model_params(aisp_model_find(published[i].name, NULL));

        assert_true(fabs((double)p.total - published[i].total) <= published[i].close);
        assert_true(fabs((double)p.active - published[i].active) <= published[i].close);
        assert_int_equal(p.total, p.attention + p.dense + p.experts + p.embedding);
    }
}

/* Its model card prints 60.8 GiB for the checkpoint: experts in MXFP4 (4.25 bits), all else in bf16. */
static void mixed_weights_are_as_large_as_the_published_checkpoint(void **state)
{
    const struct aisp_model_params p = aisp_model_params(aisp_model_find("gpt-oss-120b", NULL));
    const double gib = aisp_weight_bytes(&p, format("bf16"), format("mxfp4")) / 1073741824;

    (void)state;
    assert_true(fabs(gib - 60.8) < 0.1);
    assert_true(aisp_weight_bytes(&p, format("bf16"), NULL) == 2.0 * (double)p.total);
}

static void a_misspelt_model_has_a_nearest_name(void **state)
{
    const char *nearest = NULL;

    (void)state;
    assert_null(aisp_model_find("llama-3-70b", &nearest));
    assert_string_equal(nearest, "llama-3.1-70b");
    assert_null(aisp_number_format("fp7"));
}

/* 33 elements of MXFP4 take two blocks: 33 x 4 bits and 2 bytes of scales. */
static void block_formats_take_whole_blocks(void **state)
{
    (void)state;
    assert_true(aisp_format_bytes(format("mxfp4"), 33) == 16.5 + 2);
    assert_true(aisp_format_bytes(format("nvfp4"), 32) == 16 + 2);
    assert_true(aisp_format_bytes(format("int4"), 32) == 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multi_head_attention_takes_the_whole_width_twice),
        cmocka_unit_test(grouped_query_attention_takes_its_heads_twice),
        cmocka_unit_test(multi_query_attention_takes_one_head_twice),
        cmocka_unit_test(latent_attention_takes_latent_and_position_once),
        cmocka_unit_test(windowed_layers_keep_the_window_only),
        cmocka_unit_test(scales_of_quantised_caches_are_counted),
        cmocka_unit_test(pages_waste_what_lies_behind_the_last_token),
        cmocka_unit_test(heads_and_layers_are_dealt_out_whole),
        cmocka_unit_test(windowed_layers_are_dealt_out_evenly),
        cmocka_unit_test(the_largest_batch_is_what_fits_beside_the_weights),
        cmocka_unit_test(parameters_are_those_that_the_publishers_print),
        cmocka_unit_test(mixed_weights_are_as_large_as_the_published_checkpoint),
        cmocka_unit_test(a_misspelt_model_has_a_nearest_name),
        cmocka_unit_test(block_formats_take_whole_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
