/* fill_test.c - contents are the same bits for ever, on every path and in any chunk, and are
 * distributed as declared. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance.h"
#include "core/judge/fill_inside.h"
#include "core/judge/number.h"

static const struct aisp_philox key = { { 0x12345678, 0x9abcdef0 }, { 7, 11 } };

static struct aisp_filling filling(enum aisp_fill_kind kind, enum aisp_dtype dtype, double a,
                                   double b, int64_t n)
{
    return (struct aisp_filling){ { kind, a, b }, dtype, n, key };
}

static uint64_t fnv(const void *bytes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    return h;
}

/* Every kind with every type that it can have. */
static const struct golden {
    enum aisp_fill_kind kind;
    enum aisp_dtype dtype;
    double a, b;
    uint64_t hash;
} golden[] = {
    { AISP_NORMAL, AISP_F64, 0.5, 2, 0x66e841a2c0121980 },
    { AISP_NORMAL, AISP_F32, 0.5, 2, 0xb90da8e0b32f145a },
    { AISP_NORMAL, AISP_F16, 0.5, 2, 0x48f5aedeff617e18 },
    { AISP_NORMAL, AISP_BF16, 0.5, 2, 0x9804c5032081527d },
    { AISP_NORMAL, AISP_F8E4M3, 0.5, 2, 0x0063e03e0be27d58 },
    { AISP_NORMAL, AISP_F8E5M2, 0.5, 2, 0xbb0567db707f88a2 },
    { AISP_UNIFORM, AISP_F64, -1, 3, 0x49de9d4f8cb84474 },
    { AISP_UNIFORM, AISP_F32, -1, 3, 0x338125837f0d19df },
    { AISP_UNIFORM, AISP_F16, -1, 3, 0xf38b2305c97408ac },
    { AISP_UNIFORM, AISP_BF16, -1, 3, 0xed1f7f07556ec8b5 },
    { AISP_UNIFORM, AISP_F8E4M3, -1, 3, 0xa40502e1f096c6b3 },
    { AISP_UNIFORM, AISP_F8E5M2, -1, 3, 0x2bb4d7b45bbc3a86 },
    { AISP_INTEGERS, AISP_F64, -7, 8, 0x04ea47aed9e200c5 },
    { AISP_INTEGERS, AISP_F32, -7, 8, 0x2ffb88816401d4e8 },
    { AISP_INTEGERS, AISP_F16, -7, 8, 0xd98991ad4928161a },
    { AISP_INTEGERS, AISP_BF16, -7, 8, 0x1c0ef3f14600e2b8 },
    { AISP_INTEGERS, AISP_F8E4M3, -7, 8, 0x889cc533d535d975 },
    { AISP_INTEGERS, AISP_F8E5M2, -7, 8, 0x6719859123bd2d0a },
    { AISP_INTEGERS, AISP_I64, -7, 8, 0xf69b744a007fcb0c },
    { AISP_INTEGERS, AISP_I32, -7, 8, 0x20dfb989a78260ef },
    { AISP_INTEGERS, AISP_I16, -7, 8, 0xae68fc0754b498e1 },
    { AISP_INTEGERS, AISP_I8, -7, 8, 0x2f5f7c793e7b6e76 },
    { AISP_INTEGERS, AISP_U8, 1, 8, 0xfc7908435a16fe30 },
    { AISP_INTEGERS, AISP_I32, -0x1p31, 0x1p31, 0xfb55e1b919007c69 },
    { AISP_PERMUTATION, AISP_I64, 0, 0, 0xf1e722bed60a639f },
    { AISP_PERMUTATION, AISP_I32, 0, 0, 0x095bf68ece5ee63f },
    { AISP_PERMUTATION, AISP_I16, 0, 0, 0xbf1dc4f8fd081b7f },
    { AISP_PERMUTATION, AISP_I8, 0, 0, 0xd5ded1e23059477e },
    { AISP_PERMUTATION, AISP_U8, 0, 0, 0xd5ded1e23059477e },
    { AISP_MASK, AISP_F64, 0.3, 0, 0x33d08b0db56cb978 },
    { AISP_MASK, AISP_F32, 0.3, 0, 0x4b8696410e5d1be5 },
    { AISP_MASK, AISP_F16, 0.3, 0, 0xfe3c6037d2a2beed },
    { AISP_MASK, AISP_BF16, 0.3, 0, 0xad191ddc68b7d045 },
    { AISP_MASK, AISP_F8E4M3, 0.3, 0, 0x365280a1a54c4687 },
    { AISP_MASK, AISP_F8E5M2, 0.3, 0, 0xf925f0070f476acf },
    { AISP_MASK, AISP_I64, 0.3, 0, 0x4d1d7ebf7d9c0be4 },
    { AISP_MASK, AISP_I32, 0.3, 0, 0x60b6b5676c4ca725 },
    { AISP_MASK, AISP_I16, 0.3, 0, 0x2ce2ebd9070e32a5 },
    { AISP_MASK, AISP_I8, 0.3, 0, 0x6da9b3adbfa9a405 },
    { AISP_MASK, AISP_U8, 0.3, 0, 0x6da9b3adbfa9a405 },
    { AISP_ZIPF, AISP_F64, 1.2, 100, 0x5376a5ed77db8643 },
    { AISP_ZIPF, AISP_F32, 1.2, 100, 0x0db3bcaf3e7c350b },
    { AISP_ZIPF, AISP_F16, 1.2, 100, 0x33eaaff8def94902 },
    { AISP_ZIPF, AISP_BF16, 1.2, 100, 0x100f02c54288768b },
    { AISP_ZIPF, AISP_F8E4M3, 1.2, 8, 0xc645eaf1fd1466b5 },
    { AISP_ZIPF, AISP_F8E5M2, 1.2, 8, 0xf7a0b7428d250d02 },
    { AISP_ZIPF, AISP_I64, 1.2, 100, 0xf4a118ed5feeadc1 },
    { AISP_ZIPF, AISP_I32, 1.2, 100, 0xe1d20f21f0f484c5 },
    { AISP_ZIPF, AISP_I16, 1.2, 100, 0x4fe85412de64ff9d },
    { AISP_ZIPF, AISP_I8, 1.2, 100, 0xce7590e603f37277 },
    { AISP_ZIPF, AISP_U8, 1.2, 100, 0xce7590e603f37277 },
    { AISP_ZIPF, AISP_I32, 1.05, 50000, 0xf88aa1041413aae4 },
    { AISP_ZIPF, AISP_I32, 1.05, 1000000, 0xb99cadc8bdefac1c },
    { AISP_ZIPF, AISP_I64, 0.9, 0x1p40, 0x8126e17901022991 },
    { AISP_WIDE, AISP_F64, -4, 5.5, 0xdbc09b5390767adf },
    { AISP_WIDE, AISP_F32, -4, 5.5, 0xaf6b92175aa15fa8 },
    { AISP_WIDE, AISP_F16, -4, 5.5, 0x41cbac07abbe905b },
    { AISP_WIDE, AISP_BF16, -4, 5.5, 0x7543c1e31c17af5a },
    { AISP_WIDE, AISP_F8E4M3, -4, 5.5, 0xd2add8d1637e8345 },
    { AISP_WIDE, AISP_F8E5M2, -4, 5.5, 0x514d37dbb271975f },
    { AISP_SUBNORMAL, AISP_F64, 0, 0, 0x15a13da31e627eb4 },
    { AISP_SUBNORMAL, AISP_F32, 0, 0, 0x465ac76e7a80ab6d },
    { AISP_SUBNORMAL, AISP_F16, 0, 0, 0xda6b269264f5e7a9 },
    { AISP_SUBNORMAL, AISP_BF16, 0, 0, 0x6f11d3d22cf4ac28 },
    { AISP_SUBNORMAL, AISP_F8E4M3, 0, 0, 0x79101eb8c396348f },
    { AISP_SUBNORMAL, AISP_F8E5M2, 0, 0, 0x2f31a607cb9b8d4b },
    { AISP_TEXT, AISP_U8, 0, 61, 0x0e263c85be69b3f3 },
};
enum { N_GOLDEN = sizeof golden / sizeof *golden, N = 5003 };

static void every_fill_has_its_pinned_bits(void **unused)
{
    int n_changed = 0;

    (void)unused;
    for (int i = 0; i < N_GOLDEN; i++) {
        const struct golden *g = &golden[i];
        const struct aisp_filling what = filling(g->kind, g->dtype, g->a, g->b, N);
        const size_t bytes = N * aisp_dtype_bytes(g->dtype);
        void *tensor = malloc(bytes);

        aisp_fill(&what, tensor, 0, N);
        if (fnv(tensor, bytes) != g->hash) {
            print_error("golden[%d], %s: 0x%016llx\n", i, aisp_dtype_name(g->dtype),
                        (unsigned long long)fnv(tensor, bytes));
            n_changed++;
        }
        free(tensor);
    }
    assert_int_equal(n_changed, 0);
}

/* Of a tensor whose last vector is not full. */
static void compare_with_portable(enum aisp_judge_path path)
{
    for (int i = 0; i < N_GOLDEN; i++) {
        const struct golden *g = &golden[i];
        const struct aisp_filling what = filling(g->kind, g->dtype, g->a, g->b, N);
        const size_t bytes = N * aisp_dtype_bytes(g->dtype);
        void *portable = malloc(bytes), *simd = malloc(bytes);

        aisp_fill_by(AISP_PORTABLE, &what, portable, 0, N);
        aisp_fill_by(path, &what, simd, 0, N);
        assert_memory_equal(portable, simd, bytes);
        free(portable);
        free(simd);
    }
}

static void portable_and_avx2_paths_give_the_same_bits(void **unused)
{
    (void)unused;
    if (!aisp_judge_has_avx2())
        skip();
    compare_with_portable(AISP_AVX2);
}

static void portable_and_avx512_paths_give_the_same_bits(void **unused)
{
    (void)unused;
    if (!aisp_judge_has_avx512())
        skip();
    compare_with_portable(AISP_AVX512);
}

static void a_tensor_made_in_chunks_is_the_tensor_made_whole(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_GOLDEN; i++) {
        const struct golden *g = &golden[i];
        const struct aisp_filling what = filling(g->kind, g->dtype, g->a, g->b, N);
        const size_t bytes = N * aisp_dtype_bytes(g->dtype);
        void *whole = malloc(bytes), *chunks = malloc(bytes);

        if (aisp_fill_is_chunked(&what.fill)) {
            aisp_fill(&what, whole, 0, N);
            memset(chunks, 0xff, bytes);
            aisp_fill(&what, chunks, 1152, N - 1152);
            aisp_fill(&what, chunks, 0, 64);
            aisp_fill(&what, chunks, 64, 1088);
            assert_memory_equal(whole, chunks, bytes);
        }
        free(whole);
        free(chunks);
    }
}

static void a_chunk_leaves_its_neighbours_alone(void **unused)
{
    const struct aisp_filling what = filling(AISP_NORMAL, AISP_F32, 0, 1, 1024);
    float x[1024];

    (void)unused;
    memset(x, 0xff, sizeof x);
    aisp_fill(&what, x, 128, 61);
    for (int i = 0; i < 1024; i++)
        assert_int_equal(isnan(x[i]) != 0, i < 128 || i >= 128 + 61);
}

static void simd_blocks_are_those_of_the_generator_across_the_carry(void **unused)
{
    const uint64_t first[] = { 0, 5, 0xfffffffa, UINT64_C(0x1fffffffd), UINT64_MAX - 3 };
    uint32_t portable[64], simd[64];

    (void)unused;
    if (!aisp_judge_has_avx2())
        skip();
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        aisp_words_portable(&key, first[i], 16, portable);
        aisp_words_avx2(&key, first[i], 16, simd);
        assert_memory_equal(portable, simd, sizeof portable);
        if (!aisp_judge_has_avx512())
            continue;
        aisp_words_avx512(&key, first[i], 16, simd);
        assert_memory_equal(portable, simd, sizeof portable);
    }
}

/* The contract of fill.c, written down a second time. */
static void narrow_normals_follow_from_their_words_as_documented(void **unused)
{
    const struct aisp_filling what = filling(AISP_NORMAL, AISP_F32, 3, 0.5, N);
    const double spread =
        2 * 65536.0 * sqrt(4 * (256.0 * 256 - 1) / 12 + (1 - 1 / (65536.0 * 65536)) / 12);
    static float x[N];

    (void)unused;
    aisp_fill(&what, x, 0, N);
    for (uint64_t i = 0; i < N; i++) {
        uint32_t w[4];
        double t = -(2.0 * 510 * 65536 + 65535), scaled;

        aisp_philox_block(&key, i / 4, w);
        for (int byte = 0; byte < 4; byte++)
            t += 2.0 * 65536 * (w[i % 4] >> 8 * byte & 255);
        t += 2.0 * (w[i % 4] * 0x9E3779B1u >> 16);
        scaled = t * (0.5 / spread);
        assert_true(x[i] == (float)(3 + scaled));
    }
}

static void whole_numbers_follow_from_their_words_as_documented(void **unused)
{
    const struct aisp_filling narrow = filling(AISP_INTEGERS, AISP_I16, -300, 700, N);
    const struct aisp_filling wide = filling(AISP_INTEGERS, AISP_I64, -0x1p63, 0x1p63, N);
    static int64_t x[N];
    static int16_t y[N];

    (void)unused;
    aisp_fill(&narrow, y, 0, N);
    aisp_fill(&wide, x, 0, N);
    for (uint64_t i = 0; i < N; i++) {
        uint32_t w[4], v[4];

        aisp_philox_block(&key, i / 4, w);
        aisp_philox_block(&key, i / 2, v);
        assert_int_equal(y[i], -300 + (int)((uint64_t)w[i % 4] * 1000 >> 32));
        assert_true((uint64_t)x[i] ==
                    ((v[i % 2 * 2] | (uint64_t)v[i % 2 * 2 + 1] << 32) ^ UINT64_C(1) << 63));
    }
}

enum { MANY = 1 << 18 };

static double *values(enum aisp_fill_kind kind, enum aisp_dtype dtype, double a, double b)
{
    const struct aisp_filling what = filling(kind, dtype, a, b, MANY);
    double *x = malloc(MANY * sizeof *x);
    void *tensor = malloc(MANY * aisp_dtype_bytes(dtype));

    aisp_fill(&what, tensor, 0, MANY);
    for (int64_t i = 0; i < MANY; i++)
        x[i] = aisp_dtype_is_float(dtype) ? aisp_number_load(tensor, i, dtype)
                                          : (double)aisp_integer_load(tensor, i, dtype);
    free(tensor);
    return x;
}

struct moments {
    double mean, deviation, skew, kurtosis, neighbours;
};

static struct moments moments_of(const double *x, int64_t n)
{
    struct moments m = { 0 };

    for (int64_t i = 0; i < n; i++)
        m.mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        m.deviation += (x[i] - m.mean) * (x[i] - m.mean) / (double)n;
    m.deviation = sqrt(m.deviation);
    for (int64_t i = 0; i < n; i++) {
        const double z = (x[i] - m.mean) / m.deviation;

        m.skew += z * z * z / (double)n;
        m.kurtosis += z * z * z * z / (double)n;
        m.neighbours += i ? z * (x[i - 1] - m.mean) / m.deviation / (double)n : 0;
    }
    return m;
}

/* 5 deviations of each estimate at 2^18 draws: 0.01, 0.007, 0.024. */
static void normals_have_the_moments_of_a_sum_of_four(void **unused)
{
    static const enum aisp_dtype dtype[] = { AISP_F64, AISP_F32, AISP_F16, AISP_BF16 };

    (void)unused;
    for (int i = 0; i < 4; i++) {
        double *x = values(AISP_NORMAL, dtype[i], 2, 3);
        const struct moments m = moments_of(x, MANY);

        assert_true(fabs(m.mean - 2) < 0.01 * 3);
        assert_true(fabs(m.deviation - 3) < 0.007 * 3);
        assert_true(fabs(m.skew) < 0.024);
        assert_true(fabs(m.kurtosis - 2.7) < 0.04);
        assert_true(fabs(m.neighbours) < 0.01);
        free(x);
    }
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* 2^18 draws of 2^32 words would repeat 8 times or so; ties beyond that come from rounding near 0
 * alone. */
static void normals_are_nearly_all_different(void **unused)
{
    double *x = values(AISP_NORMAL, AISP_F32, 0, 1);
    int n_equal = 0;

    (void)unused;
    qsort(x, MANY, sizeof *x, descending);
    for (int i = 1; i < MANY; i++)
        n_equal += x[i] == x[i - 1];
    assert_true(n_equal < MANY / 100);
    free(x);
}

static void uniforms_are_flat_and_keep_inside_their_half_open_range(void **unused)
{
    static const enum aisp_dtype dtype[] = { AISP_F64,  AISP_F32,    AISP_F16,
                                             AISP_BF16, AISP_F8E4M3, AISP_F8E5M2 };

    (void)unused;
    for (int i = 0; i < 6; i++) {
        double *x = values(AISP_UNIFORM, dtype[i], 0.5, 1.5);
        const struct moments m = moments_of(x, MANY);

        for (int k = 0; k < MANY; k++)
            assert_true(x[k] >= 0.5 && x[k] < 1.5);
        if (i < 4) {
            assert_true(fabs(m.mean - 1) < 0.01);
            assert_true(fabs(m.deviation - sqrt(1 / 12.0)) < 0.005);
            assert_true(fabs(m.kurtosis - 1.8) < 0.02);
        }
        free(x);
    }
}

static void a_uniform_reaches_both_ends(void **unused)
{
    double *x = values(AISP_UNIFORM, AISP_BF16, 1, 2);
    double low = 9, high = 0;

    (void)unused;
    for (int i = 0; i < MANY; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    assert_true(low == 1);
    assert_true(high == 2 - 0x1p-7);
    free(x);
}

static void integers_hit_every_number_of_their_range_equally(void **unused)
{
    double *x = values(AISP_INTEGERS, AISP_I8, -5, 5);
    int count[10] = { 0 };

    (void)unused;
    for (int i = 0; i < MANY; i++) {
        assert_in_range((int)x[i] + 5, 0, 9);
        count[(int)x[i] + 5]++;
    }
    for (int i = 0; i < 10; i++)
        assert_true(abs(count[i] - MANY / 10) < 5 * 154);
    free(x);
}

static void integers_of_an_open_fraction_start_at_the_next_whole_number(void **unused)
{
    double *x = values(AISP_INTEGERS, AISP_I32, 0.5, 2.5);

    (void)unused;
    for (int i = 0; i < MANY; i++)
        assert_true(x[i] == 1 || x[i] == 2);
    free(x);
}

static void a_permutation_holds_each_number_once_and_is_not_the_identity(void **unused)
{
    double *x = values(AISP_PERMUTATION, AISP_I32, 0, 0);
    char *seen = calloc(MANY, 1);
    int n_fixed = 0;

    (void)unused;
    for (int i = 0; i < MANY; i++) {
        assert_false(seen[(int)x[i]]++);
        n_fixed += x[i] == i;
    }
    assert_true(n_fixed < 12);
    assert_true(fabs(moments_of(x, MANY).neighbours) < 0.01);
    free(seen);
    free(x);
}

static void a_mask_is_one_with_its_probability(void **unused)
{
    const double p[] = { 0, 0.25, 1 };

    (void)unused;
    for (int i = 0; i < 3; i++) {
        double *x = values(AISP_MASK, AISP_U8, p[i], 0), sum = 0;

        for (int k = 0; k < MANY; k++) {
            assert_true(x[k] == 0 || x[k] == 1);
            sum += x[k];
        }
        assert_true(fabs(sum / MANY - p[i]) <= (p[i] == 0.25 ? 0.005 : 0));
        free(x);
    }
}

/* Against libm: buckets are a shortcut for the table alone. */
static void zipf_draws_follow_the_power_law(void **unused)
{
    const struct {
        enum aisp_dtype dtype;
        double a, b;
    } law[] = {
        { AISP_U8, 1.6, 256 },     { AISP_I32, 1.0, 50000 }, { AISP_I32, 0.8, 200000 },
        { AISP_I64, 1.1, 100000 }, { AISP_I32, 0, 3000 },
    };

    (void)unused;
    for (int l = 0; l < 5; l++) {
        double *x = values(AISP_ZIPF, law[l].dtype, law[l].a, law[l].b), total = 0, below = 0;
        const int edge[] = { 1, 2, 10, 200, 1500, 40000 };
        int e = 0;

        for (int i = 0; i < (int)law[l].b; i++)
            total += pow(i + 1, -law[l].a);
        for (int i = 0; i < (int)law[l].b && e < 6; i++) {
            int count = 0;

            below += pow(i + 1, -law[l].a);
            if (i + 1 != edge[e])
                continue;
            for (int k = 0; k < MANY; k++)
                count += x[k] < edge[e];
            assert_true(fabs((double)count / MANY - below / total) < 0.006);
            e++;
        }
        for (int k = 0; k < MANY; k++)
            assert_true(x[k] >= 0 && x[k] < law[l].b);
        free(x);
    }
}

static void wide_numbers_have_even_exponents_and_signs(void **unused)
{
    double *x = values(AISP_WIDE, AISP_F32, -20, 20);
    int count[40] = { 0 }, n_negative = 0;

    (void)unused;
    for (int i = 0; i < MANY; i++) {
        const int e = (int)floor(log2(fabs(x[i])));

        n_negative += x[i] < 0;
        assert_in_range(e + 20, 0, 40);
        count[e == 20 ? 39 : e + 20]++;
    }
    assert_true(abs(n_negative - MANY / 2) < 5 * 256);
    for (int i = 0; i < 40; i++)
        assert_true(abs(count[i] - MANY / 40) < 5 * 81);
    free(x);
}

static void one_element_in_64_is_subnormal(void **unused)
{
    static const enum aisp_dtype dtype[] = { AISP_F64, AISP_F32, AISP_F16, AISP_BF16 };

    (void)unused;
    for (int d = 0; d < 4; d++) {
        double *x = values(AISP_SUBNORMAL, dtype[d], 0, 0);
        int n = 0;

        for (int i = 0; i < MANY; i++)
            n += fabs(x[i]) < ldexp(1, aisp_number_least_exponent(dtype[d]));
        assert_true(abs(n - MANY / 64) < 5 * 64);
        free(x);
    }
}

static void text_is_words_in_lines_of_bounded_length(void **unused)
{
    const struct aisp_filling what = filling(AISP_TEXT, AISP_U8, 0, 72, MANY);
    char *text = malloc(MANY);
    int line = 0, longest = 0, n_spaces = 0, n_lines = 0;

    (void)unused;
    aisp_fill(&what, text, 0, MANY);
    for (int i = 0; i < MANY; i++) {
        const int is_letter = text[i] >= 'a' && text[i] <= 'z';

        assert_true(is_letter || text[i] == ' ' || text[i] == '\n');
        assert_true(is_letter || (i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z'));
        n_spaces += text[i] == ' ';
        n_lines += text[i] == '\n';
        longest = line + 1 > longest ? line + 1 : longest;
        line = text[i] == '\n' ? 0 : line + 1;
    }
    assert_true(longest <= 72);
    assert_in_range(n_spaces, MANY / 8, MANY / 5);
    assert_in_range(n_lines, MANY / 72, MANY / 30);
    free(text);
}

static void poison_is_recognised_and_nothing_else_is(void **unused)
{
    (void)unused;
    for (int d = AISP_F64; d <= AISP_U8; d++) {
        const enum aisp_dtype dtype = (enum aisp_dtype)d;
        const size_t size = aisp_dtype_bytes(dtype);
        const struct aisp_philox other = { { 1, 2 }, { 3, 4 } };
        unsigned char bytes[1000];
        int n_other = 0;

        aisp_poison(bytes, sizeof bytes, dtype, &key);
        for (int64_t i = 0; i < (int64_t)(sizeof bytes / size); i++) {
            assert_true(aisp_is_poison(bytes, i, dtype, &key));
            assert_true(!aisp_dtype_is_float(dtype) || isnan(aisp_number_load(bytes, i, dtype)));
            n_other += aisp_is_poison(bytes, i, dtype, &other);
        }
        assert_true(size > 1 ? n_other == 0 || dtype == AISP_BF16 || dtype == AISP_F16
                             : n_other < 1000);
        bytes[3 * size] ^= 1;
        assert_false(aisp_is_poison(bytes, 3, dtype, &key));
    }
}

static void float_poison_is_quiet(void **unused)
{
    uint32_t word[16];
    uint64_t different = 0;

    (void)unused;
    aisp_poison(word, sizeof word, AISP_F32, &key);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(word[i] & 0x7fc00000, 0x7fc00000);
        different += word[i] != word[0];
    }
    assert_true(different >= 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fill_has_its_pinned_bits),
        cmocka_unit_test(portable_and_avx2_paths_give_the_same_bits),
        cmocka_unit_test(portable_and_avx512_paths_give_the_same_bits),
        cmocka_unit_test(a_tensor_made_in_chunks_is_the_tensor_made_whole),
        cmocka_unit_test(a_chunk_leaves_its_neighbours_alone),
        cmocka_unit_test(simd_blocks_are_those_of_the_generator_across_the_carry),
        cmocka_unit_test(narrow_normals_follow_from_their_words_as_documented),
        cmocka_unit_test(whole_numbers_follow_from_their_words_as_documented),
        cmocka_unit_test(normals_have_the_moments_of_a_sum_of_four),
        cmocka_unit_test(normals_are_nearly_all_different),
        cmocka_unit_test(uniforms_are_flat_and_keep_inside_their_half_open_range),
        cmocka_unit_test(a_uniform_reaches_both_ends),
        cmocka_unit_test(integers_hit_every_number_of_their_range_equally),
        cmocka_unit_test(integers_of_an_open_fraction_start_at_the_next_whole_number),
        cmocka_unit_test(a_permutation_holds_each_number_once_and_is_not_the_identity),
        cmocka_unit_test(a_mask_is_one_with_its_probability),
        cmocka_unit_test(zipf_draws_follow_the_power_law),
        cmocka_unit_test(wide_numbers_have_even_exponents_and_signs),
        cmocka_unit_test(one_element_in_64_is_subnormal),
        cmocka_unit_test(text_is_words_in_lines_of_bounded_length),
        cmocka_unit_test(poison_is_recognised_and_nothing_else_is),
        cmocka_unit_test(float_poison_is_quiet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
