/* chapters_test.c - what the chapters' problems declare, at sizes that nobody measures in passing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/instance.h"
#include "core/plugin.h"

static int64_t floor_of(const char *target, const char *const *set, int n_set)
{
    struct aisp_loaded_problem loaded;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };
    char path[512];

    snprintf(path, sizeof path, "%s/targets/%s/problem.so", BUILD_DIR, target);
    if (aisp_problem_load(path, &loaded, &err) ||
        aisp_instance_init(&inst, loaded.problem, AISP_SIZE_DEFAULT, set, n_set, &err))
        fail_msg("%s", err.text);
    aisp_problem_unload(&loaded);
    return inst.bytes;
}

/* One byte in 8000 ends a row: half of what forty rows or more are read for on the average is sure, whatever their length. */
static void a_search_is_not_said_to_read_behind_what_it_finds(void **state)
{
    const char *const long_rows[] = { "rows=48", "cols=262144" }, *const few[] = { "rows=1", "cols=262144" };

    (void)state;
    assert_int_equal(floor_of("ch07/vectorized_load", NULL, 0), 48 * 2048 + 4 * 48);
    assert_int_equal(floor_of("ch07/vectorized_load", long_rows, 2), 48 * 4000 + 4 * 48);
    assert_int_equal(floor_of("ch07/vectorized_load", few, 2), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_is_not_said_to_read_behind_what_it_finds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
