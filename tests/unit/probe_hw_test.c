/* probe_hw_test.c - features are executed where they can do no harm, and what is seen is what is said. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "commands/utils/probe/probe.h"

static bool is_right(void)
{
    return true;
}

static bool is_wrong(void)
{
    return false;
}

static bool is_illegal(void)
{
    __asm__ volatile("ud2");
    return true;
}

static bool is_killed(void)
{
    raise(SIGKILL);
    return true;
}

static void each_way_to_end_is_told_apart_and_survived(void **state)
{
    (void)state;
    assert_int_equal(aisp_isa_execute(is_right), AISP_RAN_RIGHT);
    assert_int_equal(aisp_isa_execute(is_wrong), AISP_RAN_WRONG);
    assert_int_equal(aisp_isa_execute(is_illegal), AISP_RAN_ILLEGAL);
    assert_int_equal(aisp_isa_execute(is_killed), AISP_RAN_SIGNAL);
}

static const json_t *named(const json_t *rows, const char *name)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) if (!strcmp(json_string_value(json_object_get(row, "name")), name)) return row;
    return NULL;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    assert_non_null(text);
    return text;
}

/* Every x86-64 has these; no emulator makes an error in them. */
static void what_every_machine_has_is_executed_right(void **state)
{
    json_t *rows = aisp_probe_isa();

    (void)state;
    assert_string_equal(text_of(named(rows, "sse2"), "executed"), "right");
    assert_true(json_is_true(json_object_get(named(rows, "sse2"), "cpuid")));
    assert_true(json_is_true(json_object_get(named(rows, "sse2"), "agrees")));
    json_decref(rows);
}

/* What the compiler's runtime finds by cpuid must have been executed right, and what it does not find must not be claimed. */
static void executions_agree_with_what_the_compiler_finds(void **state)
{
    json_t *rows = aisp_probe_isa();

    (void)state;
    if (__builtin_cpu_supports("avx2"))
        assert_string_equal(text_of(named(rows, "avx2"), "executed"), "right");
    if (__builtin_cpu_supports("fma"))
        assert_string_equal(text_of(named(rows, "fma"), "executed"), "right");
    if (__builtin_cpu_supports("avx512f"))
        assert_string_equal(text_of(named(rows, "avx512f"), "executed"), "right");
    else
        assert_true(json_is_false(json_object_get(named(rows, "avx512f"), "cpuid")));
    json_decref(rows);
}

static void disagreement_is_flagged(void **state)
{
    json_t *rows = aisp_probe_isa();
    const json_t *row;
    size_t i;

    (void)state;
    assert_true(json_array_size(rows) > 50);
    json_array_foreach(rows, i, row)
    {
        const bool claimed = json_is_true(json_object_get(row, "cpuid")), right = !strcmp(text_of(row, "executed"), "right");

        assert_ptr_equal(named(rows, text_of(row, "name")), row); /* each name once */
        if (strcmp(text_of(row, "executed"), "not run"))
            assert_int_equal(json_is_true(json_object_get(row, "agrees")), claimed == right);
    }
    json_decref(rows);
}

static int works(void)
{
    return 0;
}

static int is_refused(void)
{
    return EPERM;
}

static int has_no_effect(void)
{
    return -1;
}

static int is_stopped(void)
{
    raise(SIGSYS);
    return 0;
}

static void tries_say_how_they_went(void **state)
{
    char text[96];

    (void)state;
    assert_string_equal(aisp_probe_tried(works, text), "works");
    assert_string_equal(aisp_probe_tried(is_refused, text), strerror(EPERM));
    assert_string_equal(aisp_probe_tried(has_no_effect, text), "let through, without effect");
    assert_non_null(strstr(aisp_probe_tried(is_stopped, text), "killed by signal"));
}

/* Tries are made elsewhere: nothing here is filtered, moved or locked in afterwards. */
static void nothing_stays_behind(void **state)
{
    const pid_t parent = getppid();
    json_t *rows = aisp_probe_kernel();

    (void)state;
    assert_string_equal(text_of(named(rows, "futex"), "outcome"), "works");
    assert_int_equal(getppid(), parent);
    assert_int_equal(access("/", R_OK), 0);
    json_decref(rows);
}

/* Work beside work on one and the same CPU gets about half of it: the same measurement, where the answer is known. */
static void work_beside_work_on_one_cpu_gets_a_part(void **state)
{
    const int cpu = sched_getcpu();
    double share = 1;

    (void)state;
    for (int i = 0; i < 3; i++)
        share = fmin(share, aisp_smt_share(cpu, cpu));
    assert_true(share > 0 && share < 0.95);
}

static void plain_pages_work(void **state)
{
    json_t *pages = aisp_probe_pages();
    const json_t *first = json_array_get(pages, 0);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(first, "page_bytes")), sysconf(_SC_PAGESIZE));
    assert_string_equal(text_of(first, "outcome"), "works");
    assert_int_equal(json_array_size(pages), 4);
    json_decref(pages);
}

/* A set in the first cache against one that no cache of a core holds: on any machine, however busy. */
static void loads_from_far_take_longer(void **state)
{
    double near = INFINITY, far = INFINITY;

    (void)state;
    for (int i = 0; i < 3; i++) {
        near = fmin(near, aisp_chase_ns(8 << 10, 20000));
        far = fmin(far, aisp_chase_ns((size_t)32 << 20, 20000));
    }
    assert_true(near > 0 && far > 2 * near);
}

static void the_counter_runs_at_a_credible_rate(void **state)
{
    json_t *tsc = aisp_probe_tsc();
    const double ghz = json_number_value(json_object_get(tsc, "ghz"));

    (void)state;
    assert_true(ghz > 0.1 && ghz < 10);
    assert_true(json_integer_value(json_object_get(tsc, "moves")) > 0);
    json_decref(tsc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_to_end_is_told_apart_and_survived),
        cmocka_unit_test(what_every_machine_has_is_executed_right),
        cmocka_unit_test(executions_agree_with_what_the_compiler_finds),
        cmocka_unit_test(disagreement_is_flagged),
        cmocka_unit_test(tries_say_how_they_went),
        cmocka_unit_test(nothing_stays_behind),
        cmocka_unit_test(work_beside_work_on_one_cpu_gets_a_part),
        cmocka_unit_test(plain_pages_work),
        cmocka_unit_test(loads_from_far_take_longer),
        cmocka_unit_test(the_counter_runs_at_a_credible_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
