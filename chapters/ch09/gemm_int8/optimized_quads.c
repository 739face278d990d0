/* optimized_quads - vpdpbusd of AVX-512 VNNI: four bytes of a times four of b, summed into 32 bits, in each of sixteen lanes.
 * Expected: 64 multiply-adds an instruction where optimized_pairs has 8 in one: up to 8x of it where two start in a cycle, 4x
 * where one does. Bytes stay bytes: the rows of a are used where they lie.
 * Costs: AVX-512 VNNI (elsewhere this is optimized_pairs); b with four rows interleaved. Packing b is 2/m of the time and more,
 * which a short a does not hide: at m = 256 about a twentieth.
 * Tile: 14 x 32 sums in 28 registers, two for b, two for a. */
#include <immintrin.h>

#include "pairs.h"

AISP_TILES_14X32(vnni, "avx512f,avx512vnni", "vpdpbusd", "vpaddd");

enum { COLUMNS = 32, QUAD = 4 };

static void copy_a(struct part a, void *to, int64_t to_ld)
{
    for (int64_t r = 0; r < a.rows; r++) {
        uint8_t *row = (uint8_t *)to + QUAD * r * to_ld;

        memcpy(row, (const uint8_t *)a.at + r * a.ld, (size_t)a.width);
        memset(row + a.width, 0, (size_t)(-a.width & (QUAD - 1)));
    }
}

/* 32 columns of four rows. Bytes, then pairs of them, are interleaved within each half; so columns 0-15 come from the lower
 * halves and 16-31 from the upper ones. */
__attribute__((target("avx2"), always_inline)) static inline void quads_of(const int8_t *const row[QUAD], int64_t x, __m128i *to)
{
    __m256i r[QUAD], pair[QUAD], quad[QUAD];

    for (int i = 0; i < QUAD; i++)
        r[i] = _mm256_loadu_si256((const __m256i *)(row[i] + x));
    for (int i = 0; i < QUAD; i += 2) {
        pair[i] = _mm256_unpacklo_epi8(r[i], r[i + 1]);
        pair[i + 1] = _mm256_unpackhi_epi8(r[i], r[i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        quad[2 * i] = _mm256_unpacklo_epi16(pair[i], pair[2 + i]);
        quad[2 * i + 1] = _mm256_unpackhi_epi16(pair[i], pair[2 + i]);
    }
    for (int i = 0; i < QUAD; i++) {
        _mm_store_si128(to + i, _mm256_castsi256_si128(quad[i]));
        _mm_store_si128(to + QUAD + i, _mm256_extracti128_si256(quad[i], 1));
    }
}

/* Four rows of at most PRODUCT_GROUP columns, one dword of each column, to panels. */
__attribute__((target("avx2"))) static void quad_group(const int8_t *const row[QUAD], int64_t width, uint32_t *to, int64_t panel)
{
    int64_t x = 0;

    for (; x + COLUMNS <= width; x += COLUMNS, to += panel)
        quads_of(row, x, (__m128i *)to);
    if (x < width) {
        int8_t rest[QUAD][COLUMNS] = { { 0 } };
        const int8_t *const rests[QUAD] = { rest[0], rest[1], rest[2], rest[3] };

        for (int i = 0; i < QUAD; i++)
            memcpy(rest[i], row[i] + x, (size_t)(width - x));
        quads_of(rests, 0, (__m128i *)to);
    }
}

static void quad_rows(struct part b, void *to, int64_t panel)
{
    static const int8_t zeros[PRODUCT_GROUP] = { 0 };
    enum { AHEAD = 2 * QUAD }; /* rows: they may lie in pages of their own, where no hardware prefetcher follows */
    uint32_t *words = to;

    for (int64_t p = 0; p < b.rows; p += QUAD, words += COLUMNS) {
        const int8_t *row[QUAD];

        for (int i = 0; i < QUAD; i++) {
            row[i] = p + i < b.rows ? (const int8_t *)b.at + (p + i) * b.ld : zeros;
            __builtin_prefetch(row[i] + AHEAD * b.ld);
            __builtin_prefetch(row[i] + AHEAD * b.ld + 64);
        }
        quad_group(row, b.width, words, panel);
    }
}

static const struct product_kind vnni_quads = { .mr = 14,
                                                .nr = COLUMNS,
                                                .pack = QUAD,
                                                .a_bytes = 1,
                                                .b_bytes = 1,
                                                .c_bytes = 4,
                                                .is_a_ready = true,
                                                .kernel = vnni_kernel,
                                                .pack_a = copy_a,
                                                .pack_b = quad_rows };

static const struct product_kind *pick(void)
{
    return __builtin_cpu_supports("avx512vnni") ? &vnni_quads : pick_pairs();
}

static size_t workspace_bytes(const int64_t *param)
{
    const struct product p = product_of(pick(), param);

    return product_workspace_bytes(&p);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return multiply(pick(), call);
}

AISP_DECLARE("idea: four products of bytes summed in each lane by one instruction (AVX-512 VNNI), a 14 x 32 tile of sums\n"
             "expect: instructions / 30 where there is VNNI");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
