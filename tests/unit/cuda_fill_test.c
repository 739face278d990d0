/* cuda_fill_test.c - the judge's kernels, run on the host as they stand, make what aisp_fill()
 * makes: every kind with every type, by any number of threads, whole and in parts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/buf.h"
#include "core/instance.h"
#include "core/judge/fill_inside.h"
#include "core/judge/number.h"
#include "judge_cuda/kernels.h"

enum { N = 5003, N_BYTES = N * 8 };

static const struct aisp_philox key = { { 0x12345678, 0x9abcdef0 }, { 7, 11 } };
static const enum aisp_dtype floats[] = { AISP_F64,  AISP_F32,    AISP_F16,
                                          AISP_BF16, AISP_F8E4M3, AISP_F8E5M2 };
static const enum aisp_dtype wholes[] = { AISP_I64, AISP_I32, AISP_I16, AISP_I8, AISP_U8 };
enum { N_FLOATS = sizeof floats / sizeof *floats, N_WHOLES = sizeof wholes / sizeof *wholes };

static struct aisp_filling filling(enum aisp_fill_kind kind, enum aisp_dtype dtype, double a,
                                   double b)
{
    return (struct aisp_filling){ { kind, a, b }, dtype, N, key };
}

/* All elements by n_threads threads, one after another. */
static void run_fill(const struct aisp_filling *what, void *to, int64_t first, int64_t n,
                     int64_t n_threads)
{
    struct judge_plan plan;

    assert_true(judge_plan_make(what, &plan));
    for (int64_t thread = 0; thread < n_threads; thread++)
        judge_fill_thread(plan, to, first, n, thread, n_threads);
}

static uint64_t run_holds(const struct aisp_filling *what, const void *at, int64_t first, int64_t n)
{
    uint64_t bad = UINT64_MAX;
    struct judge_plan plan;

    assert_true(judge_plan_make(what, &plan));
    for (int64_t thread = 0; thread < 7; thread++)
        judge_holds_thread(plan, at, first, n, &bad, thread, 7);
    return bad;
}

/* By one thread and by many, then by the check. */
static void compare(enum aisp_fill_kind kind, enum aisp_dtype dtype, double a, double b)
{
    static _Alignas(64) unsigned char expected[N_BYTES], seen[N_BYTES];
    const struct aisp_filling what = filling(kind, dtype, a, b);
    const size_t bytes = N * aisp_dtype_bytes(dtype);

    aisp_fill(&what, expected, 0, N);
    for (int64_t n_threads = 1; n_threads <= 301; n_threads += 100) {
        memset(seen, 0xa5, sizeof seen);
        run_fill(&what, seen, 0, N, n_threads);
        for (size_t i = 0; i < bytes; i++)
            if (seen[i] != expected[i])
                fail_msg("kind %d, %s, [%g, %g]: byte %zu is %02x, not %02x", (int)kind,
                         aisp_dtype_name(dtype), a, b, i, seen[i], expected[i]);
        for (size_t i = bytes; i < sizeof seen; i++)
            assert_int_equal(seen[i], 0xa5);
    }
    assert_true(run_holds(&what, expected, 0, N) == UINT64_MAX);
}

static void floats_get_the_hosts_bits(void **unused)
{
    static const double normal[][2] = { { 0, 1 },       { 0.5, 2 },     { -3, 1e-6 },
                                        { 100, 1e3 },   { 0, 0 },       { 1e5, 3e4 },
                                        { 0, 1e-40 },   { 0, 1e38 },    { 0, 0x1p-24 },
                                        { 1, 0x1p-12 }, { 0, 0x1p-130 } };
    static const double uniform[][2] = { { 0, 1 },         { -1, 3 },     { 0.1, 0.7 },
                                         { 1, 1.0000001 }, { -5, -2 },    { 1e-7, 3e-7 },
                                         { -448, 448 },    { 1.01, 1.02 } };
    static const double wide[][2] = { { -4, 5.5 },       { 0, 0 },        { -30, 20 },
                                      { -149.5, 127.9 }, { -1080, 1023 }, { 990, 1030 } };

    (void)unused;
    for (int d = 0; d < N_FLOATS; d++) {
        for (size_t i = 0; i < sizeof normal / sizeof *normal; i++)
            compare(AISP_NORMAL, floats[d], normal[i][0], normal[i][1]);
        for (size_t i = 0; i < sizeof uniform / sizeof *uniform; i++)
            compare(AISP_UNIFORM, floats[d], uniform[i][0], uniform[i][1]);
        for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
            compare(AISP_WIDE, floats[d], wide[i][0], wide[i][1]);
        compare(AISP_SUBNORMAL, floats[d], 0, 0);
    }
}

static void whole_numbers_get_the_hosts_bits_in_every_type(void **unused)
{
    static const double range[][2] = {
        { -7, 8 }, { 0, 1 }, { 0.5, 3.5 }, { -100, 101 }, { 0, 128 }
    };

    (void)unused;
    for (int d = 0; d < N_FLOATS + N_WHOLES; d++) {
        const enum aisp_dtype dtype = d < N_FLOATS ? floats[d] : wholes[d - N_FLOATS];

        for (size_t i = 0; i < sizeof range / sizeof *range; i++)
            compare(AISP_INTEGERS, dtype, range[i][0], range[i][1]);
        for (double p = 0; p <= 1; p += 0.125)
            compare(AISP_MASK, dtype, p, 0);
        compare(AISP_MASK, dtype, 0x1.fffffffep-1, 0);
    }
    compare(AISP_INTEGERS, AISP_I32, -0x1p31, 0x1p31);
    compare(AISP_INTEGERS, AISP_I64, -0x1p63, 0x1p63);
    compare(AISP_INTEGERS, AISP_I64, 0, 0x1p63);
    compare(AISP_INTEGERS, AISP_F64, -0x1p53, 0x1p53);
    compare(AISP_INTEGERS, AISP_F32, -0x1p24, 0x1p24);
}

/* Numbers near every code of the small types: just on, below and above the midpoints. */
static void small_types_round_as_the_host_does(void **unused)
{
    (void)unused;
    for (int d = 2; d < N_FLOATS; d++) {
        const struct aisp_filling what = filling(AISP_NORMAL, floats[d], 0, 1);
        const int n_codes = aisp_dtype_bytes(floats[d]) == 2 ? 65536 : 256;
        struct judge_plan plan;

        judge_plan_make(&what, &plan);
        for (int code = 0; code + 1 < n_codes; code++) {
            const double low = aisp_number_load(&(uint16_t){ (uint16_t)code }, 0, floats[d]);
            const double high = aisp_number_load(&(uint16_t){ (uint16_t)(code + 1) }, 0, floats[d]);
            const double half = low + (high - low) / 2;
            const double x[] = { low,
                                 half,
                                 nextafter(half, low),
                                 nextafter(half, high),
                                 low * (1 + 0x1p-30),
                                 half * (1 + 0x1p-26),
                                 half * (1 - 0x1p-26),
                                 low * 1.3,
                                 low * 1e5,
                                 low * 1e-5,
                                 low * 0x1p-120 };

            for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
                uint16_t expected = 0;

                aisp_number_store(&expected, 0, floats[d], x[i]);
                if (judge_small(&plan.format, x[i]) != expected)
                    fail_msg("%s of %a: %x, not %x", aisp_dtype_name(floats[d]), x[i],
                             judge_small(&plan.format, x[i]), expected);
            }
        }
    }
}

static void a_part_is_filled_alone_and_nothing_beside_it(void **unused)
{
    static _Alignas(64) unsigned char whole[N_BYTES], seen[N_BYTES];

    (void)unused;
    for (int d = 0; d < N_FLOATS + N_WHOLES; d++) {
        const enum aisp_dtype dtype = d < N_FLOATS ? floats[d] : wholes[d - N_FLOATS];
        const struct aisp_filling what = filling(AISP_INTEGERS, dtype, 0, 9);
        const size_t size = aisp_dtype_bytes(dtype), from = 640 * size, to = (640 + 333) * size;

        aisp_fill(&what, whole, 0, N);
        memset(seen, 0x77, sizeof seen);
        run_fill(&what, seen, 640, 333, 5);
        assert_memory_equal(seen + from, whole + from, to - from);
        for (size_t i = 0; i < sizeof seen; i++)
            assert_true((i >= from && i < to) || seen[i] == 0x77);
    }
}

/* Ends of buffers lie flush, so data need not be aligned. */
static void data_at_an_odd_address_are_filled_and_checked(void **unused)
{
    static _Alignas(64) unsigned char space[N_BYTES + 64], expected[N_BYTES];
    const struct aisp_filling what = filling(AISP_NORMAL, AISP_F16, 0, 1);
    unsigned char *odd = space + 14;

    (void)unused;
    aisp_fill(&what, expected, 0, N);
    run_fill(&what, odd, 0, N, 3);
    assert_memory_equal(odd, expected, N * 2);
    assert_true(run_holds(&what, odd, 0, N) == UINT64_MAX);
    odd[2 * 4001] ^= 1;
    assert_int_equal(run_holds(&what, odd, 0, N), 4001);
}

static void the_first_changed_element_is_found(void **unused)
{
    static _Alignas(64) unsigned char seen[N_BYTES];
    static const int64_t at[] = { 0, 1, 639, 640, 4999, 5002 };

    (void)unused;
    for (int d = 0; d < N_FLOATS; d++) {
        const struct aisp_filling what = filling(AISP_UNIFORM, floats[d], -1, 1);
        const size_t size = aisp_dtype_bytes(floats[d]);

        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            run_fill(&what, seen, 0, N, 1);
            seen[(size_t)at[i] * size + size - 1] ^= 0x80;
            seen[(size_t)5002 * size] ^= 1;
            assert_int_equal(run_holds(&what, seen, 0, N), at[i]);
            if (at[i] >= 640)
                assert_int_equal(run_holds(&what, seen, 640, N - 640), at[i]);
        }
    }
}

static void kinds_that_only_the_host_makes_have_no_plan(void **unused)
{
    const struct aisp_filling what[] = { filling(AISP_ZIPF, AISP_I32, 1.1, 100),
                                         filling(AISP_TEXT, AISP_U8, 0, 61),
                                         filling(AISP_PERMUTATION, AISP_I32, 0, 0) };
    struct judge_plan plan;

    (void)unused;
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        assert_false(judge_plan_make(&what[i], &plan));
}

static void tiles_are_the_hosts_poison(void **unused)
{
    static _Alignas(64) unsigned char expected[1024], seen[1024];

    (void)unused;
    for (int d = 0; d < N_FLOATS + N_WHOLES; d++) {
        const enum aisp_dtype dtype = d < N_FLOATS ? floats[d] : wholes[d - N_FLOATS];
        struct judge_tile tile;

        aisp_poison_pattern((unsigned char *)tile.word, dtype, &key);
        for (int64_t n = 1; n <= 200; n++) {
            memset(seen, 0, sizeof seen);
            aisp_poison(expected, (size_t)n, dtype, &key);
            for (int64_t thread = 0; thread < 3; thread++)
                judge_tile_thread(tile, seen, 0, n, thread, 3);
            assert_memory_equal(seen, expected, (size_t)n);
            assert_int_equal(seen[n], 0);
        }
    }
}

static void a_tile_keeps_its_phase_from_any_byte_on(void **unused)
{
    static _Alignas(64) unsigned char whole[512], seen[512];
    struct judge_tile tile;

    (void)unused;
    aisp_poison_pattern((unsigned char *)tile.word, AISP_I8, &key);
    judge_tile_thread(tile, whole, 0, sizeof whole, 0, 1);
    for (int64_t from = 0; from < 80; from++)
        for (int64_t to = from; to < from + 90; to += 1 + to % 7) {
            uint64_t bad = UINT64_MAX;

            memset(seen, 0, sizeof seen);
            for (int64_t thread = 0; thread < 4; thread++)
                judge_tile_thread(tile, seen, from, to, thread, 4);
            for (int64_t i = 0; i < (int64_t)sizeof seen; i++)
                assert_int_equal(seen[i], i >= from && i < to ? whole[i] : 0);
            judge_tile_check_thread(tile, seen, from, to, &bad, 0, 1);
            assert_true(bad == UINT64_MAX);
            if (to == from)
                continue;
            seen[to - 1] ^= 4;
            judge_tile_check_thread(tile, seen, from, to, &bad, 0, 1);
            assert_int_equal(bad, to - 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_get_the_hosts_bits),
        cmocka_unit_test(whole_numbers_get_the_hosts_bits_in_every_type),
        cmocka_unit_test(small_types_round_as_the_host_does),
        cmocka_unit_test(a_part_is_filled_alone_and_nothing_beside_it),
        cmocka_unit_test(data_at_an_odd_address_are_filled_and_checked),
        cmocka_unit_test(the_first_changed_element_is_found),
        cmocka_unit_test(kinds_that_only_the_host_makes_have_no_plan),
        cmocka_unit_test(tiles_are_the_hosts_poison),
        cmocka_unit_test(a_tile_keeps_its_phase_from_any_byte_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
