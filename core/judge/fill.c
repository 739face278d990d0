/* fill.c - contents of tensors, out of Philox4x32-10 blocks. What follows is the contract that a
 * kernel on any device repeats.
 * Not here: the AVX2 and AVX-512 paths (fill_avx2.c, fill_avx512.c), the zipf table (zipf.c), conversions (number.c), poison
 * (poison.c).
 *
 * Bits. Element i of the tensor takes word i % 4 of block i / 4: w, 32 bits. Types of 8 bytes, and
 * ZIPF with b > 65536, take two: u = word 2(i % 2) of block i / 2, and the word after it as its
 * high half. For the others u = w << 32. Draws below are of w for narrow and of u for wide
 * elements. Products and sums of doubles are rounded one by one, never fused.
 *
 *   UNIFORM      t = w - 2^31 (wide: (u - 2^63) >> 10, arithmetic); x = c + t*s with c = a +
 *                (b-a)/2, s = (b-a) * 2^-32 (wide: 2^-54), held between the least number of the
 *                type >= a and the largest < b.
 *   NORMAL       t = 2 (65536 S + f) - (2*510*65536 + 65535), S the sum of the 4 bytes of w and f
 *                the high 16 bits of w * 0x9E3779B1 mod 2^32; wide: t = 2 (2^32 S + f) -
 *                (2*131070*2^32 + 2^32-1), S the sum of the 4 halfwords of u, f the high 32 bits of
 *                u * 0x9E3779B97F4A7C15 mod 2^64. x = a + t*s, where s = b / (the deviation of t)
 *                as spread_of() computes it. A sum of four: |x - a| < 3.47 b, kurtosis 2.7. f fills
 *                the gaps between the sums.
 *   INTEGERS     low + (w * range >> 32), low = ceil(a), range = ceil(b) - low; wide: low + (u *
 *                range >> 64).
 *   MASK         1 if (u >> 32) < floor(a * 2^32), else 0.
 *   ZIPF         the table's bucket that holds u (zipf.c), inside it start + (u - threshold) * size
 *                / gap.
 *   WIDE         sign: the lowest bit. e = a + (b-a) * v with v = (w >> 1) * 2^-31 (wide: (u >> 11)
 *                * 2^-53); 2^floor(e) * (1 + e - floor(e)): exact powers of two at whole e, evenly
 *                spread between them.
 *   SUBNORMAL    NORMAL(0, 1); where the high 6 bits of w * 0x85EBCA6B mod 2^32 (wide: of the high
 *                half of u) are 0, it is multiplied by 2^(E-2), 2^E being the smallest normal
 *                number.
 *   TEXT         lines of b bytes at most, the '\n' included. r = i mod b. r = b-1: '\n'. A gap
 *                where w & 255 < 52, unless the byte before has such bits too, i = 0, r = 0 or r =
 *                b-2: '\n' if (w >> 8 & 15) = 0, else ' '. Everywhere else letters[w >> 26].
 *   PERMUTATION  0 .. n-1; then for i = n-1 down to 1 element i changes places with element (u *
 *                (i+1) >> 64), u being the first two words of block i. Sequential: a device copies
 *                the host's.
 * At last x is rounded to the type, to nearest even (number.h). */
#include "core/judge/fill_inside.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/share.h"
#include "core/instance.h"
#include "core/judge/number.h"

/* What one CPU makes alone takes it a millisecond. */
enum { SHARED_BYTES = 4 << 20 };

static const char letters[64 + 1] =
    "eeeeeeeetttttaaaaaooooooiiiiinnnnnsssshhhhrrrrddlllcummwfgypbvkx";

/* A piece of a tensor with the bits of its elements. */
struct piece {
    const struct aisp_filling *what;
    enum aisp_judge_path path;
    bool wide;
    int64_t first, n; /* n <= FILL_WORDS, or half of it if wide */
    const uint32_t *word;
    void *to;                         /* of element `first` */
    const struct aisp_affine *affine; /* for the kinds that have one */
};

static uint64_t bits_at(const struct piece *p, int64_t i)
{
    if (p->wide)
        return p->word[2 * i] | (uint64_t)p->word[2 * i + 1] << 32;
    return (uint64_t)p->word[i] << 32;
}

/* Deviation of t, from the variances of the sum's terms. */
static double spread_of(bool wide)
{
    const double top = wide ? 0x1p32 : 0x1p16, term = wide ? 0x1p16 : 0x1p8;
    const double sum = 4 * (term * term - 1) / 12, fine = (1 - 1 / (top * top)) / 12;

    return 2 * top * sqrt(sum + fine);
}

static bool has_affine(enum aisp_fill_kind kind)
{
    return kind == AISP_NORMAL || kind == AISP_UNIFORM || kind == AISP_SUBNORMAL;
}

struct aisp_affine aisp_affine_of(const struct aisp_filling *what, bool wide)
{
    const double a = what->fill.a, b = what->fill.b;
    struct aisp_affine map = { a, b / spread_of(wide), -INFINITY, INFINITY, true };

    if (what->fill.kind == AISP_SUBNORMAL) {
        map.centre = 0;
        map.scale = 1 / spread_of(wide);
    } else if (what->fill.kind == AISP_UNIFORM) {
        const double low = aisp_number_above(what->dtype, a);
        const double high = aisp_number_below(what->dtype, nextafter(b, -INFINITY));

        map = (struct aisp_affine){ a + (b - a) / 2, (b - a) * (wide ? 0x1p-54 : 0x1p-32), low,
                                    high, false };
        if (!(low <= high)) { /* no number of the type lies in [a, b) */
            map.low = -INFINITY;
            map.high = INFINITY;
        }
    }
    return map;
}

static double term_of(const struct piece *p, int64_t i, bool is_sum)
{
    if (p->wide) {
        const uint64_t u = bits_at(p, i);
        const uint64_t sum = (u & 0xffff) + (u >> 16 & 0xffff) + (u >> 32 & 0xffff) + (u >> 48);
        const uint64_t fine = u * 0x9E3779B97F4A7C15u >> 32;

        if (!is_sum)
            return (double)((int64_t)(u ^ UINT64_C(1) << 63) >> 10);
        return (double)((int64_t)(2 * ((sum << 32) + fine)) -
                        ((INT64_C(2) * 131070 << 32) + 0xffffffff));
    }
    const uint32_t w = p->word[i];
    const uint32_t sum = (w & 0xff) + (w >> 8 & 0xff) + (w >> 16 & 0xff) + (w >> 24);
    const uint32_t fine = w * 0x9E3779B1u >> 16;

    if (!is_sum)
        return (int32_t)(w ^ 0x80000000u);
    return (int32_t)(2 * ((sum << 16) + fine)) - (2 * 510 * 65536 + 65535);
}

/* The words are there for whole blocks, so the last few elements go through a cell of one vector. */
static void put_affine_simd(const struct piece *p, const struct aisp_affine *map)
{
    enum { MOST_LANES = 16 };
    const bool wider = p->path == AISP_AVX512;
    void (*const convert)(const struct aisp_affine *, const uint32_t *, int64_t, float *) =
        wider ? aisp_affine_f32_avx512 : aisp_affine_f32_avx2;
    const int64_t lanes = wider ? MOST_LANES : MOST_LANES / 2, n = p->n / lanes * lanes;
    float last[MOST_LANES];

    convert(map, p->word, n, p->to);
    if (n < p->n) {
        convert(map, p->word + n, lanes, last);
        memcpy((float *)p->to + n, last, (size_t)(p->n - n) * sizeof *last);
    }
}

static void put_affine(const struct piece *p)
{
    const enum aisp_dtype dtype = p->what->dtype;
    const struct aisp_affine map = *p->affine;
    const double tiny = ldexp(1, aisp_number_least_exponent(dtype) - 2);
    const bool is_subnormal = p->what->fill.kind == AISP_SUBNORMAL;
    double value[FILL_WORDS];

    if (p->path != AISP_PORTABLE && dtype == AISP_F32 && !is_subnormal) {
        put_affine_simd(p, &map);
        return;
    }
    for (int64_t k = 0; k < p->n; k++) {
        const double x = term_of(p, k, map.is_sum) * map.scale, y = map.centre + x;

        value[k] = y < map.low ? map.low : y > map.high ? map.high : y;
        if (is_subnormal && (uint32_t)(bits_at(p, k) >> 32) * 0x85EBCA6Bu >> 26 == 0)
            value[k] *= tiny;
    }
    aisp_numbers_store(p->to, dtype, value, p->n);
}

/* Whole numbers, into a tensor of any type. */
static void put_whole(const struct piece *p, const int64_t *x)
{
    double value[FILL_WORDS];

    if (!aisp_dtype_is_float(p->what->dtype)) {
        aisp_integers_store(p->to, p->what->dtype, x, p->n);
        return;
    }
    for (int64_t i = 0; i < p->n; i++)
        value[i] = (double)x[i];
    aisp_numbers_store(p->to, p->what->dtype, value, p->n);
}

/* Types of 4 bytes and fewer, a range below 2^32. */
static void put_integers_avx2(const struct piece *p, int32_t low, uint32_t range)
{
    int32_t x[FILL_WORDS];

    aisp_integers_i32_avx2(low, range, p->word, (p->n + 7) & ~INT64_C(7), x);
    if (p->what->dtype == AISP_I32)
        memcpy(p->to, x, (size_t)p->n * sizeof *x);
    else if (p->what->dtype == AISP_I16)
        for (int64_t i = 0; i < p->n; i++)
            ((int16_t *)p->to)[i] = (int16_t)x[i];
    else
        for (int64_t i = 0; i < p->n; i++)
            ((uint8_t *)p->to)[i] = (uint8_t)x[i];
}

static void put_integers(const struct piece *p)
{
    const double low = ceil(p->what->fill.a), end = ceil(p->what->fill.b);
    const __int128 base = (__int128)low;
    const unsigned __int128 range = (unsigned __int128)((__int128)end - base);
    int64_t x[FILL_WORDS];

    if (p->path != AISP_PORTABLE && !aisp_dtype_is_float(p->what->dtype) && !p->wide && range <= UINT32_MAX) {
        put_integers_avx2(p, (int32_t)base, (uint32_t)range);
        return;
    }
    for (int64_t i = 0; i < p->n; i++)
        x[i] = (int64_t)(base + (__int128)(p->wide ? bits_at(p, i) * range >> 64
                                                   : p->word[i] * range >> 32));
    put_whole(p, x);
}

static void put_mask(const struct piece *p)
{
    const uint64_t threshold = (uint64_t)(p->what->fill.a * 0x1p32);
    int64_t x[FILL_WORDS];

    for (int64_t i = 0; i < p->n; i++)
        x[i] = bits_at(p, i) >> 32 < threshold;
    put_whole(p, x);
}

static void put_zipf(const struct piece *p)
{
    const struct aisp_zipf *zipf = aisp_zipf_table(p->what->fill.a, p->what->fill.b);
    int64_t x[FILL_WORDS];

    for (int64_t i = 0; i < p->n; i++)
        x[i] = aisp_zipf_draw(zipf, bits_at(p, i));
    put_whole(p, x);
}

/* x * 2^e. The usual case is one product. */
static double scaled(double x, int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double power;

    if (e < -1000 || e > 1000)
        return ldexp(x, e);
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

static void put_wide(const struct piece *p)
{
    const double a = p->what->fill.a, b = p->what->fill.b;
    double value[FILL_WORDS];

    for (int64_t i = 0; i < p->n; i++) {
        const uint64_t u = p->wide ? bits_at(p, i) : p->word[i];
        const double v = p->wide ? (double)(u >> 11) * 0x1p-53 : (double)(u >> 1) * 0x1p-31;
        const double step = (b - a) * v, e = a + step, whole = floor(e);
        const double x = scaled(1 + (e - whole), (int)whole);

        value[i] = u & 1 ? -x : x;
    }
    aisp_numbers_store(p->to, p->what->dtype, value, p->n);
}

static bool is_gap(uint32_t w)
{
    return (w & 255) < 52;
}

static void put_text(const struct piece *p)
{
    const int64_t line = (int64_t)p->what->fill.b;
    char *to = p->to;
    bool after_gap = true;

    if (p->first > 0) {
        uint32_t before[4];

        aisp_philox_block(&p->what->key, (uint64_t)(p->first - 1) / 4, before);
        after_gap = is_gap(before[(p->first - 1) % 4]);
    }
    for (int64_t i = 0; i < p->n; i++) {
        const uint32_t w = p->word[i];
        const int64_t r = (p->first + i) % line;

        if (r == line - 1)
            to[i] = '\n';
        else if (is_gap(w) && !after_gap && r != 0 && r != line - 2)
            to[i] = w >> 8 & 15 ? ' ' : '\n';
        else
            to[i] = letters[w >> 26];
        after_gap = is_gap(w);
    }
}

static void put(const struct piece *p)
{
    switch (p->what->fill.kind) {
    case AISP_NORMAL:
    case AISP_UNIFORM:
    case AISP_SUBNORMAL:
        put_affine(p);
        return;
    case AISP_INTEGERS:
        put_integers(p);
        return;
    case AISP_MASK:
        put_mask(p);
        return;
    case AISP_ZIPF:
        put_zipf(p);
        return;
    case AISP_WIDE:
        put_wide(p);
        return;
    case AISP_TEXT:
        put_text(p);
        return;
    case AISP_NO_FILL:
    case AISP_PERMUTATION:
        break;
    }
    AISP_BUG("fill kind %d", (int)p->what->fill.kind);
}

static void exchange(char *a, char *b, size_t size)
{
    char t[8];

    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}

static void permute(const struct aisp_filling *what, char *to)
{
    const size_t size = aisp_dtype_bytes(what->dtype);

    for (int64_t i = 0; i < what->elements; i++)
        aisp_integer_store(to, i, what->dtype, i);
    for (int64_t i = what->elements - 1; i > 0; i--) {
        uint32_t word[4];
        uint64_t u, j;

        aisp_philox_block(&what->key, (uint64_t)i, word);
        u = word[0] | (uint64_t)word[1] << 32;
        j = (uint64_t)((unsigned __int128)u * (uint64_t)(i + 1) >> 64);
        if ((int64_t)j != i)
            exchange(to + (size_t)i * size, to + j * size, size);
    }
}

void aisp_words_portable(const struct aisp_philox *p, uint64_t block, int64_t n_blocks,
                         uint32_t *to)
{
    for (int64_t i = 0; i < n_blocks; i++)
        aisp_philox_block(p, block + (uint64_t)i, to + 4 * i);
}

static void make_words(enum aisp_judge_path path, const struct aisp_philox *key, uint64_t block, int64_t n_blocks, uint32_t *to)
{
    if (path == AISP_AVX512)
        aisp_words_avx512(key, block, n_blocks, to);
    else if (path == AISP_AVX2)
        aisp_words_avx2(key, block, n_blocks, to);
    else
        aisp_words_portable(key, block, n_blocks, to);
}

static bool is_wide(const struct aisp_filling *what)
{
    return aisp_dtype_bytes(what->dtype) == 8 || (what->fill.kind == AISP_ZIPF && what->fill.b > 65536);
}

void aisp_fill_by(enum aisp_judge_path path, const struct aisp_filling *what, void *tensor, int64_t first,
                  int64_t n)
{
    const size_t size = aisp_dtype_bytes(what->dtype);
    const bool wide = is_wide(what);
    const int64_t per_block = wide ? 2 : 4, most = FILL_BLOCKS * per_block, end = first + n;
    struct aisp_affine affine = { 0 };
    uint32_t word[FILL_WORDS];

    if (first % 64 || first < 0 || n < 0 || end > what->elements)
        AISP_BUG("fill of [%lld, %lld) of %lld elements", (long long)first, (long long)end,
                 (long long)what->elements);
    if (what->fill.kind == AISP_PERMUTATION) {
        if (n != what->elements)
            AISP_BUG("a permutation is filled whole");
        permute(what, tensor);
        return;
    }
    if (has_affine(what->fill.kind))
        affine = aisp_affine_of(what, wide);
    for (int64_t at = first; at < end; at += most) {
        const struct piece p = { what,
                                 path,
                                 wide,
                                 at,
                                 end - at < most ? end - at : most,
                                 word,
                                 (char *)tensor + (size_t)at * size,
                                 &affine };

        make_words(path, &what->key, (uint64_t)(at / per_block), (p.n + per_block - 1) / per_block, word);
        put(&p);
    }
}

struct filled {
    const struct aisp_filling *what;
    void *tensor;
    int64_t first;
};

static void fill_part(void *context, int64_t first, int64_t n)
{
    const struct filled *f = context;
    const enum aisp_judge_path path = aisp_judge_has_avx512() ? AISP_AVX512
                                      : aisp_judge_has_avx2() ? AISP_AVX2
                                                              : AISP_PORTABLE;

    aisp_fill_by(path, f->what, f->tensor, f->first + first, n);
}

void aisp_fill(const struct aisp_filling *what, void *tensor, int64_t first, int64_t n)
{
    struct filled f = { what, tensor, first };

    if (aisp_fill_is_chunked(&what->fill))
        aisp_share(n, SHARED_BYTES / (int64_t)aisp_dtype_bytes(what->dtype), fill_part, &f);
    else
        fill_part(&f, 0, n);
}

bool aisp_fill_is_chunked(const struct aisp_fill *fill)
{
    return fill->kind != AISP_PERMUTATION;
}
