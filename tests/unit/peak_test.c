/* peak_test.c - the ceilings: the loops do as many operations as their rows say, figures are
 * possible ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/peak/peak.h"

enum { SOME_PASSES = 3 };

static struct aisp_caches caches;

static void *buffer_new(size_t bytes)
{
    void *const buffer =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(buffer != MAP_FAILED);
    return buffer;
}

static struct aisp_peak_result measure(const char *name, int64_t duration_ns)
{
    const struct aisp_peak *peak = aisp_peak_find(name);
    struct aisp_peak_result result;
    struct aisp_peak_place place = { .duration_ns = duration_ns };
    struct aisp_err err;

    assert_non_null(peak);
    place.bytes = aisp_peak_bytes(peak, &caches);
    place.buffer = buffer_new(place.bytes);
    assert_int_equal(aisp_peak_measure(peak, &caches, &place, &result, &err), AISP_OK);
    munmap(place.buffer, place.bytes);
    return result;
}

/* A neighbour's work may halve a share, and a change of the clock between two slices double it: what is asked is whether the
 * row counts its work rightly, so one undisturbed measurement of five will do. A wrong count is wrong in all of them. */
static void assert_share_within(const char *name, double low, double high)
{
    struct aisp_peak_result r;

    for (int i = 0; i < 5; i++) {
        r = measure(name, 20000000);
        assert_true(r.value > 0 && r.median > 0 && r.median <= r.value);
        assert_true(r.clock_ghz > 0.2 && r.clock_ghz < 8);
        assert_true(r.slices >= 3);
        if (r.share > low && r.share <= high)
            return;
        print_message("%s: %.1f of %.1f at %.2f GHz, %g a cycle: a share of %.3f\n", name, r.value, r.theory, r.clock_ghz,
                      r.issues, r.share);
    }
    fail_msg("%s: its share of theory was never above %.2f and at most %.2f", name, low, high);
}

/* With all operands one, every multiply-add adds one to some accumulator: their sum is the count of
 * them. */
static double f32_sum(const void *sink, size_t first, size_t n)
{
    const float *x = sink;
    double sum = 0;

    for (size_t i = first; i < first + n; i++)
        sum += (double)x[i];
    return sum;
}

static double f64_sum(const void *sink, size_t first, size_t n)
{
    const double *x = sink;
    double sum = 0;

    for (size_t i = first; i < first + n; i++)
        sum += x[i];
    return sum;
}

static double i32_sum(const void *sink)
{
    const int32_t *x = sink;
    double sum = 0;

    for (size_t i = 0; i < AISP_PEAK_SINK_BYTES / sizeof *x; i++)
        sum += x[i];
    return sum;
}

/* Run a CORE loop on operands made of `one`, size bytes each; false if this core cannot. */
static bool run_on_ones(const char *name, const void *one, size_t size, void *sink, double *flops)
{
    const struct aisp_peak *peak = aisp_peak_find(name);
    unsigned char operands[128] __attribute__((aligned(64)));

    assert_non_null(peak);
    if (!peak->is_available())
        return false;
    for (size_t i = 0; i < sizeof operands; i += size)
        memcpy(operands + i, one, size);
    memset(sink, 0, AISP_PEAK_SINK_BYTES);
    peak->loop(sink, operands, AISP_PEAK_SINK_BYTES, SOME_PASSES);
    *flops = (double)peak->work * SOME_PASSES;
    return true;
}

static void peak_loops_do_the_multiply_adds_that_are_counted(void **state)
{
    static const char *const f32[] = { "f32_fma_avx2", "f32_fma_avx512" }, *const f64[] = {
        "f64_fma_avx2", "f64_fma_avx512"
    };
    static const char *const i8[] = { "i8_dot_avx2", "i8_dot_avx_vnni", "i8_dot_avx512_vnni" };
    const float one_f32 = 1;
    const double one_f64 = 1;
    const uint16_t one_bf16 = 0x3f80;
    const uint8_t one_u8 = 1;
    unsigned char sink[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64)));
    double flops;

    (void)state;
    for (size_t i = 0; i < 2; i++)
        if (run_on_ones(f32[i], &one_f32, sizeof one_f32, sink, &flops))
            assert_true(2 * f32_sum(sink, 0, sizeof sink / 4) == flops);
    for (size_t i = 0; i < 2; i++)
        if (run_on_ones(f64[i], &one_f64, sizeof one_f64, sink, &flops))
            assert_true(2 * f64_sum(sink, 0, sizeof sink / 8) == flops);
    for (size_t i = 0; i < 3; i++)
        if (run_on_ones(i8[i], &one_u8, sizeof one_u8, sink, &flops))
            assert_true(2 * i32_sum(sink) == flops);
    if (run_on_ones("bf16_dot_avx512", &one_bf16, sizeof one_bf16, sink, &flops))
        assert_true(2 * f32_sum(sink, 0, sizeof sink / 4) == flops);
}

/* Without a fused form: additions of one count themselves, multiplications by two count in powers
 * of two. */
/* A factor below one took the chains to subnormals: 2 % of the rate on cores that multiply those slowly. */
static void peak_sse_chains_keep_their_values(void **state)
{
    static const char *const names[] = { "f32_sse", "f64_sse" };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct aisp_peak *peak = aisp_peak_find(names[i]);
        unsigned char sink[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64))) = { 0 };
        const size_t chain = 16, first = 8 * chain;    /* six chains of products behind eight of sums */

        peak->loop(sink, peak->operands, sizeof sink, 1000000);
        for (size_t c = 0; c < 6; c++)
            assert_memory_equal(sink + first + c * chain, peak->operands, chain);
    }
}

static void peak_sse_loops_do_the_additions_and_multiplications_that_are_counted(void **state)
{
    const struct aisp_peak *const f32 = aisp_peak_find("f32_sse"), *const f64 =
                                                                       aisp_peak_find("f64_sse");
    float operands[32] __attribute__((aligned(64)));
    double wide[16] __attribute__((aligned(64)));
    unsigned char sink[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64))) = { 0 };
    double done = 0;

    (void)state;
    for (int i = 0; i < 32; i++)
        operands[i] = i < 16 ? 2 : 1;
    f32->loop(sink, operands, sizeof sink, SOME_PASSES);
    done = f32_sum(sink, 0, 32);
    for (int i = 32; i < 56; i++) /* the chains begin at the operand, 2 */
        done += log2((double)((float *)(void *)sink)[i]) - 1;
    assert_true(done == (double)f32->work * SOME_PASSES);

    for (int i = 0; i < 16; i++)
        wide[i] = i < 8 ? 2 : 1;
    f64->loop(sink, wide, sizeof sink, SOME_PASSES);
    done = f64_sum(sink, 0, 16);
    for (int i = 16; i < 28; i++)
        done += log2(((double *)(void *)sink)[i]) - 1;
    assert_true(done == (double)f64->work * SOME_PASSES);
}

static void peak_memory_loops_move_every_byte_and_no_other(void **state)
{
    static const char *const copies[] = { "copy_l1", "copy_nt_dram" };
    enum { BYTES = 4096, GUARD = 64 };
    unsigned char from[BYTES] __attribute__((aligned(64))),
        to[GUARD + BYTES + GUARD] __attribute__((aligned(64)));

    (void)state;
    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 7 + i / 256);
    for (int i = 0; i < 2; i++) {
        memset(to, 0xa5, sizeof to);
        aisp_peak_find(copies[i])->loop(to + GUARD, from, BYTES, 1);
        assert_memory_equal(to + GUARD, from, BYTES);
        for (int g = 0; g < GUARD; g++) {
            assert_int_equal(to[g], 0xa5);
            assert_int_equal(to[GUARD + BYTES + g], 0xa5);
        }
    }
}

static void peak_compute_figures_are_positive_and_within_theory(void **state)
{
    const struct aisp_peak *peak;

    (void)state;
    for (size_t i = 0; (peak = aisp_peak_at(i)); i++)
        if (peak->level == AISP_PEAK_CORE && peak->is_available())
            assert_share_within(peak->name, 0.5, 1.05);
}

static bool always(void)
{
    return true;
}

/* One operation every other cycle on every core: sums that wait for each other. */
static void half_an_issue_a_cycle(void *to, const void *from, size_t bytes, int64_t passes)
{
    int64_t sum = 1, one = 1;

    (void)to, (void)from, (void)bytes;
    __asm__ volatile("1:\n"
                     ".rept 128\n"
                     "add %[one], %[sum]\n"
                     ".endr\n"
                     "dec %[passes]\n"
                     "jnz 1b\n"
                     : [passes] "+r"(passes), [sum] "+r"(sum)
                     : [one] "r"(one)
                     : "cc");
}

/* vdpbf16ps of 512 bits on Sapphire Rapids: 0.498 of one a cycle, and nothing is wrong with it. */
static void peak_theory_knows_cores_that_issue_every_other_cycle(void **state)
{
    static const double operands[16];
    const struct aisp_peak half = { "half", "GOP/s", "one every other cycle", AISP_PEAK_CORE, always, half_an_issue_a_cycle,
                                    operands, 64, 1, 2, 0.5 };
    unsigned char sink[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64)));
    const struct aisp_peak_place place = { sink, sizeof sink, 20000000 };
    struct aisp_peak_result r = { 0 };
    struct aisp_err err;

    (void)state;
    for (int i = 0; i < 5 && r.share <= 0.9; i++)
        assert_int_equal(aisp_peak_measure(&half, &caches, &place, &r, &err), AISP_OK);
    assert_true(r.issues == 0.5);
    assert_true(r.share > 0.9 && r.share <= 1.05);
}

static void peak_l1_figures_are_within_theory(void **state)
{
    static const char *const rows[] = { "read_l1", "write_l1", "copy_l1" };

    (void)state;
    if (caches.l1_bytes == 0)
        skip();
    for (int i = 0; i < 3; i++)
        assert_share_within(rows[i], 0, 1.05);
}

/* Bytes a second of L1, L2 and DRAM, one after the other. */
static bool is_falling_by_level(const char *kind)
{
    static const char *const levels[] = { "l1", "l2", "dram" };
    double value[3];
    char name[32];

    for (int level = 0; level < 3; level++) {
        snprintf(name, sizeof name, "%s_%s", kind, levels[level]);
        value[level] = measure(name, level == 2 ? 100000000 : 40000000).value;
        assert_true(value[level] > 0);
    }
    if (value[0] > 0.9 * value[1] && value[1] > 0.9 * value[2])
        return true;
    print_message("%s: L1 %.1f, L2 %.1f, DRAM %.1f GB/s\n", kind, value[0], value[1], value[2]);
    return false;
}

/* One try of three, as above: a neighbour may take what only one of the levels had. */
static void peak_each_level_is_no_slower_than_the_next(void **state)
{
    static const char *const kinds[] = { "read", "write", "copy" };

    (void)state;
    if (caches.l1_bytes == 0 || caches.l2_bytes == 0)
        skip();
    for (int i = 0; i < 3; i++)
        if (!is_falling_by_level(kinds[i]) && !is_falling_by_level(kinds[i]) && !is_falling_by_level(kinds[i]))
            fail_msg("%s: a level was slower than the next in three measurements", kinds[i]);
}

static void peak_refuses_a_small_buffer_and_no_time(void **state)
{
    const struct aisp_peak *const peak = aisp_peak_find("f32_sse");
    unsigned char buffer[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64)));
    struct aisp_peak_result result;
    struct aisp_err err = { 0 };
    struct aisp_peak_place place = { buffer, sizeof buffer - 64, 1000 };

    (void)state;
    assert_int_equal(aisp_peak_measure(peak, &caches, &place, &result, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "2048"));
    place = (struct aisp_peak_place){ buffer, sizeof buffer, 0 };
    assert_int_equal(aisp_peak_measure(peak, &caches, &place, &result, &err), AISP_E_USAGE);
}

static void peak_says_that_a_missing_cache_level_is_unavailable(void **state)
{
    const struct aisp_caches none = { 0 };
    unsigned char buffer[AISP_PEAK_SINK_BYTES] __attribute__((aligned(64)));
    const struct aisp_peak_place place = { buffer, sizeof buffer, 1000 };
    struct aisp_peak_result result;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_peak_measure(aisp_peak_find("read_l3"), &none, &place, &result, &err),
                     AISP_E_UNAVAILABLE);
}

static void peak_names_are_unique(void **state)
{
    const struct aisp_peak *peak;
    size_t n = 0;

    (void)state;
    for (; (peak = aisp_peak_at(n)); n++)
        assert_ptr_equal(aisp_peak_find(peak->name), peak);
    assert_true(n >= 20);
    assert_null(aisp_peak_find("read_l9"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peak_loops_do_the_multiply_adds_that_are_counted),
        cmocka_unit_test(peak_sse_chains_keep_their_values),
        cmocka_unit_test(peak_sse_loops_do_the_additions_and_multiplications_that_are_counted),
        cmocka_unit_test(peak_memory_loops_move_every_byte_and_no_other),
        cmocka_unit_test(peak_compute_figures_are_positive_and_within_theory),
        cmocka_unit_test(peak_theory_knows_cores_that_issue_every_other_cycle),
        cmocka_unit_test(peak_l1_figures_are_within_theory),
        cmocka_unit_test(peak_each_level_is_no_slower_than_the_next),
        cmocka_unit_test(peak_refuses_a_small_buffer_and_no_time),
        cmocka_unit_test(peak_says_that_a_missing_cache_level_is_unavailable),
        cmocka_unit_test(peak_names_are_unique),
    };

    aisp_caches_read(&caches);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
