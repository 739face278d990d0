/* identical_test.c - when two sides are said to have done the same, and what follows from it. What a recorder saw is built here.
 * Not here: the hash of a kernel's code (cubin_test.c), how it gets into a trace (cuda_order_test.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"

enum { WINDOWS = 3, CALLS = 2, NOTHING = -1 };
static struct aisp_evidence ev;
static char said[600];

static void record(struct aisp_device_trace *t)
{
    t->taken = t->alive = true;
    for (int i = 0; i < WINDOWS; i++) {
        struct aisp_device_window *w = aisp_device_add_window(t);

        w->calls = CALLS;
        w->n_api = 2 * CALLS;
        for (int call = 0; call < CALLS; call++) {
            struct aisp_device_activity *a = aisp_device_add_activity(t);

            a->kind = AISP_DEVICE_KERNEL;
            a->window = i;
            a->call = call;
            a->n_blocks = 132;
            a->end_ns = 1;
            strcpy(a->code, "00000000000000aa");
        }
    }
}

static int set_up(void **state)
{
    (void)state;
    ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    record(&ev.device_trace[AISP_A]);
    record(&ev.device_trace[AISP_B]);
    strcpy(ev.device, "cuda");
    strcpy(ev.variant[AISP_A].sha256, "a");
    strcpy(ev.variant[AISP_B].sha256, "b");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    aisp_evidence_release(&ev);
    return 0;
}

static int severity(void)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    int severity = NOTHING;

    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        if (!strcmp(found.item[i].check->name, "identical-work")) {
            assert_int_equal(found.item[i].side, AISP_B);
            assert_non_null(strstr(found.item[i].text, "identical"));
            snprintf(said, sizeof said, "%s", found.item[i].text);
            severity = (int)found.item[i].severity;
        }
    aisp_findings_release(&found);
    return severity;
}

static struct aisp_device_activity *last_of_b(void)
{
    return &ev.device_trace[AISP_B].activity[ev.device_trace[AISP_B].n_activities - 1];
}

static void the_same_work_is_called_identical_and_kept(void **state)
{
    (void)state;
    assert_int_equal(severity(), AISP_NOTE);
}

static void the_same_work_is_not_faster(void **state)
{
    (void)state;
    strcpy(ev.machine.claim.verdict, "FASTER");
    assert_int_equal(severity(), AISP_VIOLATION);
    strcpy(ev.variant[AISP_B].decl.uses, "settings");
    assert_int_equal(severity(), AISP_NOTE);
}

/* As a variant that keeps kernels for other sizes, or compiles in setup what it may need. */
static void kernels_that_never_ran_accuse_nobody_but_who_is_faster(void **state)
{
    (void)state;
    ev.device_trace[AISP_B].n_kernels = 2;
    ev.device_trace[AISP_B].n_kernels_idle = 1;
    assert_int_equal(severity(), AISP_NOTE);
    assert_non_null(strstr(said, "1 kernels that it brings never ran"));
    strcpy(ev.machine.claim.verdict, "FASTER");
    assert_int_equal(severity(), AISP_VIOLATION);
    assert_non_null(strstr(said, "1 kernels that it brings never ran"));
    ev.device_trace[AISP_A].n_kernels_idle = 1; /* both bring it */
    assert_int_equal(severity(), AISP_VIOLATION);
    assert_null(strstr(said, "never ran"));
}

static void two_runs_of_one_file_are_meant_to_be_the_same(void **state)
{
    (void)state;
    strcpy(ev.variant[AISP_B].sha256, "a");
    strcpy(ev.machine.claim.verdict, "FASTER");
    assert_int_equal(severity(), NOTHING);
}

static void other_code_grids_blocks_ways_or_calls_are_other_work(void **state)
{
    (void)state;
    strcpy(last_of_b()->code, "00000000000000bb");
    assert_int_equal(severity(), NOTHING);
    strcpy(last_of_b()->code, "00000000000000aa");
    last_of_b()->n_blocks = 66;
    assert_int_equal(severity(), NOTHING);
    last_of_b()->n_blocks = 132;
    last_of_b()->n_threads = 512; /* as one kernel that strides over its grid is tuned */
    assert_int_equal(severity(), NOTHING);
    last_of_b()->n_threads = 0;
    last_of_b()->shared_bytes = 1 << 16;
    assert_int_equal(severity(), NOTHING);
    last_of_b()->shared_bytes = 0;
    last_of_b()->how = AISP_HOW_GRAPH;
    assert_int_equal(severity(), NOTHING);
    last_of_b()->how = 0;
    ev.device_trace[AISP_B].window[WINDOWS - 1].n_api--;
    assert_int_equal(severity(), NOTHING);
    ev.device_trace[AISP_B].window[WINDOWS - 1].n_api++;
    assert_int_equal(severity(), AISP_NOTE);
}

static void what_was_not_seen_is_not_called_identical(void **state)
{
    (void)state;
    ev.device_trace[AISP_A].n_dropped = 1;
    assert_int_equal(severity(), NOTHING);
    ev.device_trace[AISP_A].n_dropped = 0;
    *last_of_b()->code = 0;
    ev.device_trace[AISP_A].activity[WINDOWS * CALLS - 1].code[0] = 0;
    assert_int_equal(severity(), NOTHING);
}

static void the_first_window_may_differ(void **state)
{
    (void)state;
    strcpy(ev.device_trace[AISP_B].activity[0].code, "00000000000000bb");
    assert_int_equal(severity(), AISP_NOTE);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_work_is_called_identical_and_kept),
        TEST(the_same_work_is_not_faster),
        TEST(kernels_that_never_ran_accuse_nobody_but_who_is_faster),
        TEST(two_runs_of_one_file_are_meant_to_be_the_same),
        TEST(other_code_grids_blocks_ways_or_calls_are_other_work),
        TEST(what_was_not_seen_is_not_called_identical),
        TEST(the_first_window_may_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
