/* chapters_test.c - what the chapters' problems declare, at sizes that nobody measures in passing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance.h"
#include "core/plugin.h"

static struct aisp_loaded_problem problem_of(const char *target)
{
    struct aisp_loaded_problem loaded;
    struct aisp_err err = { .text = "" };
    char path[512];

    snprintf(path, sizeof path, "%s/targets/%s/problem.so", BUILD_DIR, target);
    if (aisp_problem_load(path, &loaded, &err))
        fail_msg("%s", err.text);
    return loaded;
}

static int64_t floor_of(const char *target, const char *const *set, int n_set)
{
    struct aisp_loaded_problem loaded = problem_of(target);
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    if (aisp_instance_init(&inst, loaded.problem, AISP_SIZE_DEFAULT, set, n_set, &err))
        fail_msg("%s", err.text);
    aisp_problem_unload(&loaded);
    return inst.bytes;
}

/* One byte in 8000 ends a row: half of what forty rows or more are read for on the average is sure, whatever their length. */
static void a_search_is_not_said_to_read_behind_what_it_finds(void **state)
{
    const char *const long_rows[] = { "rows=48", "cols=262144" };
    const char *const few[] = { "rows=1", "cols=262144" };

    (void)state;
    assert_int_equal(floor_of("ch07/vectorized_load", NULL, 0), 48 * 2048 + 4 * 48);
    assert_int_equal(floor_of("ch07/vectorized_load", long_rows, 2), 48 * 4000 + 4 * 48);
    assert_int_equal(floor_of("ch07/vectorized_load", few, 2), 4);
}

static int64_t quick_of(const char *target, const char *name)
{
    struct aisp_loaded_problem loaded = problem_of(target);
    int64_t quick = -1;

    for (const struct aisp_param *p = loaded.problem->param; p->name; p++)
        if (!strcmp(p->name, name))
            quick = p->quick;
    aisp_problem_unload(&loaded);
    return quick;
}

/* What variants work through at once, by their own constants; a second round is taken beyond it, and verified only there. */
static void quick_sizes_are_more_than_one_block(void **state)
{
    static const struct {
        const char *target, *param;
        int64_t block;
    } blocks[] = {
        { "ch02/matrix_units", "k", 384 },         { "ch09/gemm_bf16", "k", 1024 },
        { "ch09/gemm_bf16", "n", 1024 },           { "ch09/gemm_int8", "k", 2048 },
        { "ch09/gemm_int8", "n", 1024 },           { "ch09/gemm_ladder", "k", 704 },
        { "ch10/grid_sync", "steps", 32 },         { "ch12/uneven_segments", "room", 32 },
        { "ch14/jit_specialization", "cols", 16 }, { "ch15/continuous_batching", "places", 4 },
        { "ch16/prefix_cache", "dim", 64 },        { "ch17/kv_transfer", "dim", 16 },
        { "ch17/early_rejection", "prompt", 128 }, { "ch13/activation_checkpointing", "batch", 16 },
        { "ch16/chunked_prefill", "prompt", 32 },  { "ch11/priority_latency", "document", 32 },
        { "ch15/serve_in_flight", "places", 4 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (quick_of(blocks[i].target, blocks[i].param) <= blocks[i].block)
            fail_msg("%s: quick %s is %lld, one block of %lld", blocks[i].target, blocks[i].param,
                     (long long)quick_of(blocks[i].target, blocks[i].param),
                     (long long)blocks[i].block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_is_not_said_to_read_behind_what_it_finds),
        cmocka_unit_test(quick_sizes_are_more_than_one_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
