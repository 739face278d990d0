/* cuda_judge_device_test.c - the judge on the card of this machine, if there is one: its kernels
 * make the host's bits there too. With the argument "figures" it prints how fast they are instead.
 * Not here: the same kernels on the host (cuda_fill_test.c), the judge where there is no card
 * (cuda_judge_test.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/cuda/judge.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/instance.h"
#include "core/judge/fill.h"

enum { N = 1000003, BYTES = N * 8 };
static const struct aisp_philox key = { { 0x12345678, 0x9abcdef0 }, { 7, 11 } };

/* NULL, with the reason in `err`. */
static struct cuda_judge *open_judge(struct cuda_card *card, uint64_t bytes, int n,
                                     struct aisp_err *err)
{
    struct cuda_judge *judge;
    struct cuda_place *place;
    int *fd;

    if (cuda_judge_start(&judge, NULL, card, err))
        return NULL;
    place = aisp_xcalloc((size_t)n, sizeof *place);
    fd = aisp_xcalloc((size_t)n, sizeof *fd);
    for (int i = 0; i < n; i++) {
        const uint64_t unit = (uint64_t)card->granularity,
                       map = (bytes + 4096 + unit - 1) / unit * unit;

        place[i] = (struct cuda_place){ map, (map - bytes) / 512 * 512, bytes };
    }
    if (cuda_judge_allocate(judge, place, n, fd, err)) {
        cuda_judge_stop(judge);
        judge = NULL;
    } else {
        for (int i = 0; i < n; i++)
            close(fd[i]);
    }
    free(place);
    free(fd);
    return judge;
}

static struct cuda_judge *must_open(void)
{
    struct cuda_card card;
    struct aisp_err err;
    struct cuda_judge *judge = open_judge(&card, BYTES, 1, &err);

    if (!judge)
        fail_msg("%s", err.text);
    return judge;
}

static void compare(struct cuda_judge *judge, enum aisp_fill_kind kind, enum aisp_dtype dtype,
                    double a, double b)
{
    const struct aisp_filling what = { { kind, a, b }, dtype, N, key };
    const struct cuda_contents contents = { what, 0, N };
    const size_t size = aisp_dtype_bytes(dtype);
    char *expected = aisp_xmalloc(BYTES), *seen = aisp_xmalloc(BYTES);
    struct aisp_err err;
    int64_t bad;

    cuda_judge_fill(judge, 0, &what, 0, N);
    if (cuda_judge_read(judge, 0, 0, N * size, seen, NULL, &err))
        fail_msg("%s", err.text);
    aisp_fill(&what, expected, 0, N);
    for (size_t i = 0; i < N * size; i++)
        if (seen[i] != expected[i])
            fail_msg("kind %d, %s, [%g, %g]: element %zu differs", (int)kind,
                     aisp_dtype_name(dtype), a, b, i / size);
    assert_int_equal(cuda_judge_holds(judge, 0, &contents, 1, &bad, &err), AISP_OK);
    assert_int_equal(bad, -1);
    seen[777777 * size] ^= 1;
    cuda_judge_write(judge, 0, 777777 * size, seen + 777777 * size, size);
    assert_int_equal(cuda_judge_holds(judge, 0, &contents, 1, &bad, &err), AISP_OK);
    assert_int_equal(bad, 777777);
    free(expected);
    free(seen);
}

static void the_card_makes_the_hosts_bits(void **state)
{
    static const enum aisp_dtype floats[] = { AISP_F64,  AISP_F32,    AISP_F16,
                                              AISP_BF16, AISP_F8E4M3, AISP_F8E5M2 };
    static const enum aisp_dtype wholes[] = { AISP_I64, AISP_I32, AISP_I16, AISP_I8, AISP_U8 };
    struct cuda_judge *judge = must_open();

    (void)state;
    for (size_t d = 0; d < sizeof floats / sizeof *floats; d++) {
        compare(judge, AISP_NORMAL, floats[d], 0, 1);
        compare(judge, AISP_NORMAL, floats[d], 0.5, 2);
        compare(judge, AISP_NORMAL, floats[d], 0, 1e-40);
        compare(judge, AISP_NORMAL, floats[d], 0, 0x1p-24);
        compare(judge, AISP_UNIFORM, floats[d], -1, 1);
        compare(judge, AISP_UNIFORM, floats[d], 0.1, 0.7);
        compare(judge, AISP_WIDE, floats[d], -30, 20);
        compare(judge, AISP_WIDE, floats[d], -1080, 1023);
        compare(judge, AISP_SUBNORMAL, floats[d], 0, 0);
        compare(judge, AISP_INTEGERS, floats[d], -7, 8);
        compare(judge, AISP_MASK, floats[d], 0.3, 0);
    }
    for (size_t d = 0; d < sizeof wholes / sizeof *wholes; d++) {
        compare(judge, AISP_INTEGERS, wholes[d], 0, 100);
        compare(judge, AISP_MASK, wholes[d], 0.3, 0);
    }
    compare(judge, AISP_INTEGERS, AISP_I64, -0x1p63, 0x1p63);
    compare(judge, AISP_INTEGERS, AISP_I64, -1e15, 1e17);
    compare(judge, AISP_ZIPF, AISP_I32, 1.1, 1000);
    compare(judge, AISP_TEXT, AISP_U8, 0, 61);
    compare(judge, AISP_PERMUTATION, AISP_I32, 0, 0);
    cuda_judge_stop(judge);
}

static void the_card_holds_poison_and_canaries(void **state)
{
    struct cuda_judge *judge = must_open();
    char *expected = aisp_xmalloc(BYTES), *seen = aisp_xmalloc(BYTES);
    const int buffer = 0;
    struct aisp_err err;
    int64_t bad, took;

    (void)state;
    aisp_poison(expected, BYTES, AISP_BF16, &key);
    cuda_judge_poison(judge, 0, AISP_BF16, &key);
    assert_int_equal(cuda_judge_read(judge, 0, 0, BYTES, seen, &took, &err), AISP_OK);
    assert_memory_equal(seen, expected, BYTES);
    assert_true(took > 0);
    assert_int_equal(cuda_judge_canaries(judge, &buffer, 1, &bad, &err), AISP_OK);
    assert_int_equal(bad, -1);
    free(expected);
    free(seen);
    cuda_judge_stop(judge);
}

enum { FIGURE_BYTES = 1 << 28, FIGURE_BUFFERS = 64, TIMES = 7 };

static void die(const struct aisp_err *err)
{
    printf("%s\n", err->text);
    exit(1);
}

static int compare_ns(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* What one of something costs, as the supervisor sees it, messages included. */
struct figure {
    const char *name;
    int what;
    struct aisp_filling filling;
};
enum { FILL, HOLDS, POISON, READ, WRITE, READ_64K, PROBE, EMPTY, CANARIES, FILL_64 };

static void once(struct cuda_judge *judge, const struct figure *f, char *bytes)
{
    const struct cuda_contents contents = { f->filling, 0, f->filling.elements };
    int64_t bad[FIGURE_BUFFERS], took;
    int all[FIGURE_BUFFERS];
    struct aisp_err err;
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < FIGURE_BUFFERS; i++)
        all[i] = i;
    if (f->what == FILL)
        cuda_judge_fill(judge, 0, &f->filling, 0, f->filling.elements);
    else if (f->what == FILL_64)
        for (int i = 0; i < FIGURE_BUFFERS; i++)
            cuda_judge_fill(judge, i, &f->filling, 0, 65536);
    else if (f->what == HOLDS)
        st = cuda_judge_holds(judge, 0, &contents, 1, bad, &err);
    else if (f->what == POISON)
        cuda_judge_poison(judge, 0, AISP_F32, &key);
    else if (f->what == READ)
        st = cuda_judge_read(judge, 0, 0, FIGURE_BYTES, bytes, NULL, &err);
    else if (f->what == READ_64K)
        st = cuda_judge_read(judge, 0, 0, 65536, bytes, &took, &err);
    else if (f->what == WRITE)
        cuda_judge_write(judge, 0, 0, bytes, FIGURE_BYTES);
    else if (f->what == PROBE)
        st = cuda_judge_probe(judge, &took, &err);
    else if (f->what == CANARIES)
        st = cuda_judge_canaries(judge, all, FIGURE_BUFFERS, bad, &err);
    if (st || cuda_judge_flush(judge, &err))
        die(&err);
}

#define PHILOX                                                                                     \
    {                                                                                              \
        { 1, 2 },                                                                                  \
        {                                                                                          \
            3, 4                                                                                   \
        }                                                                                          \
    }
#define FILLED(kind, a, b, dtype, size)                                                            \
    {                                                                                              \
        { kind, a, b }, dtype, FIGURE_BYTES / (size), PHILOX                                       \
    }

static int print_figures(void)
{
    static const struct figure figure[] = {
        { "fill normal f32", FILL, FILLED(AISP_NORMAL, 0, 1, AISP_F32, 4) },
        { "fill normal f64", FILL, FILLED(AISP_NORMAL, 0, 1, AISP_F64, 8) },
        { "fill normal bf16", FILL, FILLED(AISP_NORMAL, 0, 1, AISP_BF16, 2) },
        { "fill normal f8e4m3", FILL, FILLED(AISP_NORMAL, 0, 1, AISP_F8E4M3, 1) },
        { "fill uniform f32", FILL, FILLED(AISP_UNIFORM, -1, 1, AISP_F32, 4) },
        { "fill integers i32", FILL, FILLED(AISP_INTEGERS, 0, 9, AISP_I32, 4) },
        { "fill mask u8", FILL, FILLED(AISP_MASK, 0.5, 0, AISP_U8, 1) },
        { "fill wide f32", FILL, FILLED(AISP_WIDE, -4, 4, AISP_F32, 4) },
        { "holds wide f32", HOLDS, FILLED(AISP_WIDE, -4, 4, AISP_F32, 4) },
        { "poison", POISON, { { 0 } } },
        { "write", WRITE, { { 0 } } },
        { "read", READ, { { 0 } } },
        { "read 64 KiB, timed", READ_64K, { { 0 } } },
        { "probe", PROBE, { { 0 } } },
        { "nothing", EMPTY, { { 0 } } },
        { "canaries of 64", CANARIES, { { 0 } } },
        { "64 fills of 256 KiB", FILL_64, FILLED(AISP_NORMAL, 0, 1, AISP_F32, 4) },
    };
    char *bytes = aisp_xcalloc(1, FIGURE_BYTES);
    struct cuda_card card;
    struct aisp_err err;
    const int64_t start = aisp_now_ns();
    struct cuda_judge *judge = open_judge(&card, FIGURE_BYTES, FIGURE_BUFFERS, &err);
    const int64_t opened = aisp_now_ns();

    if (!judge)
        die(&err);
    printf("%s, started with 64 buffers of 256 MiB in %.0f ms\n", card.name,
           (double)(opened - start) / 1e6);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        int64_t ns[TIMES];

        for (int k = 0; k < TIMES; k++) {
            ns[k] = aisp_now_ns();
            once(judge, &figure[i], bytes);
            ns[k] = aisp_now_ns() - ns[k];
        }
        qsort(ns, TIMES, sizeof *ns, compare_ns);
        printf("%-22s %10.1f us", figure[i].name, (double)ns[TIMES / 2] / 1e3);
        if (figure[i].what <= WRITE)
            printf("  %7.1f GB/s", (double)FIGURE_BYTES / (double)ns[TIMES / 2]);
        printf("\n");
    }
    cuda_judge_stop(judge);
    free(bytes);
    return 0;
}

static bool is_there(struct aisp_err *err)
{
    struct cuda_judge *judge = NULL;
    struct cuda_card card;
    const enum aisp_status st = cuda_judge_start(&judge, NULL, &card, err);

    cuda_judge_stop(judge);
    return st != AISP_E_UNAVAILABLE;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_card_makes_the_hosts_bits),
        cmocka_unit_test(the_card_holds_poison_and_canaries),
    };
    struct aisp_err err;

    if (!is_there(&err)) {
        printf("skipped: %s\n", err.text);
        return 77;
    }
    if (argc > 1 && !strcmp(argv[1], "figures"))
        return print_figures();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
