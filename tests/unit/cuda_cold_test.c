/* cuda_cold_test.c - the cache of a card is emptied and looked into where inputs are not meant to lie there, and nowhere else;
 * what the counts mean. Where there is no card: the fake driver (tests/fake_cuda), whose device has a cache of 1 MiB by its word;
 * how long its lines take is of no interest here.
 * Not here: whether a real cache can be seen so (aisp-selftest --device cuda half_cold_cache). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cold.h"
#include "backends/cuda/cuda.h"
#include "checks/check.h"
#include "core/run/run.h"
#include "tests/fake_cuda/place.h"
#include "tests/unit/add_problem.h"

enum { LARGE = 200000, SMALL = 1000, CACHE = 1 << 20, SLOT_LINES = 64 };
static char *folder, *library;
static struct aisp_evidence ev;

/* Two honest sides of n elements. */
static void run(int64_t n, uint32_t off)
{
    const struct aisp_policy policy = { off | 1u << AISP_IDLE_ACCOUNTING | 1u << AISP_PROCESS_FACTS };
    char *set = aisp_format("n=%lld", (long long)n);
    const char *const sets[] = { set };
    struct aisp_variant_ref ref = { .name = "queues", .device = "cuda" };
    struct aisp_plan plan = { .target = "test:add",
                              .problem = &problem,
                              .size = "default",
                              .variant = { &ref, &ref },
                              .backend = aisp_backend_find("cuda"),
                              .n_threads = 1,
                              .time_limit_ns = INT64_C(3000000000),
                              .max_pairs = 1,
                              .call_timeout_ns = INT64_C(4000000000),
                              .policy = &policy,
                              .secret = { { 5 } } };
    struct aisp_err err = { 0 };

    free(write_file(folder, "libcuda.so.1.script", "", 0));
    aisp_cuda_set_library(library);
    ref.path = aisp_format("%s/fixtures/queues.so", BUILD_DIR);
    assert_int_equal(aisp_declaration_read(ref.path, &ref.decl, NULL), AISP_OK);
    assert_int_equal(aisp_instance_init(&plan.inst, &problem, AISP_SIZE_DEFAULT, sets, 1, &err), AISP_OK);
    if (aisp_run(&plan, &ev, &err))
        fail_msg("%s", err.text);
    free(ref.path);
    free(set);
}

static int release(void **state)
{
    (void)state;
    aisp_evidence_release(&ev);
    ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    return 0;
}

static void slots_beyond_the_cache_are_swept_out_and_looked_at(void **state)
{
    const struct aisp_cold_facts *c = &ev.cold;

    (void)state;
    run(LARGE, 0);
    assert_int_equal(c->swept_bytes, 3 * CACHE);
    assert_true(c->n_just_read > 0 && c->n_just_read_hot <= c->n_just_read);
    assert_true(c->n_swept_out >= c->n_just_read + SLOT_LINES * (c->shared.n_looks + c->alone[AISP_A].n_looks));
    for (int side = AISP_A; side <= AISP_B; side++) {
        assert_true(c->alone[side].n_looks > 0);
        assert_int_equal(c->alone[side].n_lines, SLOT_LINES * c->alone[side].n_looks);
        assert_true(c->alone[side].n_hot <= c->alone[side].n_lines);
    }
    assert_true(c->shared.n_looks > 0 && c->shared.n_lines == SLOT_LINES * c->shared.n_looks);
}

static void slots_in_the_cache_are_left_there(void **state)
{
    (void)state;
    run(SMALL, 0);
    assert_int_equal(ev.cold.swept_bytes, 0);
    assert_int_equal(ev.cold.shared.n_looks + ev.cold.alone[AISP_A].n_looks + ev.cold.alone[AISP_B].n_looks, 0);
}

static void a_harness_that_sweeps_too_little_looks_all_the_same(void **state)
{
    (void)state;
    run(LARGE, 1u << AISP_COLD_CACHE);
    assert_true(ev.cold.swept_bytes > 0 && ev.cold.swept_bytes < CACHE);
    assert_true(ev.cold.shared.n_looks > 0);
}

static void without_looks_it_is_swept_all_the_same(void **state)
{
    (void)state;
    run(LARGE, 1u << AISP_COLD_LOOK);
    assert_true(ev.cold.swept_bytes > CACHE);
    assert_int_equal(ev.cold.shared.n_looks + ev.cold.alone[AISP_A].n_looks, 0);
}

static void counts_survive_json(void **state)
{
    struct aisp_evidence back = AISP_EVIDENCE_INIT;
    json_t *json;

    (void)state;
    ev.cold = (struct aisp_cold_facts){ 1, 2, 3, 4, 5, { { 6, 7, 8 }, { 9, 10, 11 } }, { 12, 13, 14 } };
    json = aisp_evidence_to_json(&ev);
    assert_int_equal(aisp_evidence_from_json(json, &back, NULL), AISP_OK);
    assert_memory_equal(&back.cold, &ev.cold, sizeof ev.cold);
    json_decref(json);
    aisp_evidence_release(&back);
}

/* The check's word on so many hot lines of a thousand of side B, and of `known` swept out ones of a thousand. */
static enum aisp_severity severity_of(int64_t n_hot, int64_t n_known_hot, int64_t n_just_read_hot, int *side)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    int severity = -1;

    *side = -2;
    ev.cold = (struct aisp_cold_facts){ .swept_bytes = 3 * CACHE,
                                        .n_swept_out = 1000,
                                        .n_swept_out_hot = n_known_hot,
                                        .n_just_read = 1000,
                                        .n_just_read_hot = n_just_read_hot,
                                        .alone = { { 4, 1000, 0 }, { 4, 1000, n_hot } } };
    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        if (!strcmp(found.item[i].check->name, "half-cold-cache")) {
            severity = (int)found.item[i].severity;
            *side = found.item[i].side;
        }
    aisp_findings_release(&found);
    return (enum aisp_severity)severity;
}

static void a_tenth_more_than_swept_out_lines_is_too_much(void **state)
{
    int side;

    (void)state;
    assert_int_equal(severity_of(20, 20, 990, &side), (enum aisp_severity)-1);
    assert_int_equal(severity_of(119, 20, 990, &side), (enum aisp_severity)-1);
    assert_int_equal(severity_of(121, 20, 990, &side), AISP_VIOLATION);
    assert_int_equal(side, AISP_B);
}

static void who_cannot_tell_accuses_nobody(void **state)
{
    int side;

    (void)state;
    assert_int_equal(severity_of(900, 101, 990, &side), AISP_NOTE);
    assert_int_equal(severity_of(900, 20, 899, &side), AISP_NOTE);
    assert_int_equal(severity_of(900, 20, 900, &side), AISP_VIOLATION);
}

static void the_limit_lies_between_what_is_known(void **state)
{
    const uint32_t swept_out[] = { 700, 650, 900, 640, 720 }, just_read[] = { 250, 240, 800, 260, 300 };

    (void)state;
    assert_int_equal(cuda_cold_limit(swept_out, just_read, 5), 480);
    assert_int_equal(cuda_cold_count(swept_out, 5, 480), 0);
    assert_int_equal(cuda_cold_count(just_read, 5, 480), 4);
    assert_int_equal(cuda_cold_count(swept_out, 5, cuda_cold_limit(swept_out, swept_out, 5)), 2);
}

/* A line that is drawn twice looks hot the second time: that would accuse whoever has a short input beside a long one. */
static void of_a_small_input_few_lines_are_timed(void **state)
{
    (void)state;
    assert_int_equal(cuda_cold_n_lines(4096), 0);
    assert_int_equal(cuda_cold_n_lines(64 * 128), 1);
    assert_int_equal(cuda_cold_n_lines(64 * SLOT_LINES * 128 - 1), SLOT_LINES - 1);
    assert_int_equal(cuda_cold_n_lines(UINT64_C(1) << 40), SLOT_LINES);
}

/* What a judge is asked that it does not have. */
static void lines_of_what_is_not_there_are_refused(void **state)
{
    const struct cuda_place place = { 2 << 20, 0, 1 << 20 };
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    uint32_t took[8] = { 0 };
    int fd;

    (void)state;
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, &place, 1, &fd, &err), AISP_OK);
    assert_int_equal(cuda_judge_lines(judge, 0, 0, 1, took, 8, &err), AISP_OK);
    assert_int_equal(cuda_judge_lines(judge, -1, 4096, 1, took, 8, &err), AISP_E_DEVICE);
    cuda_judge_sweep(judge, 8192);
    assert_int_equal(cuda_judge_lines(judge, -1, 4096, 1, took, 8, &err), AISP_OK);
    assert_int_equal(cuda_judge_lines(judge, -1, 8193, 1, took, 8, &err), AISP_E_DEVICE);
    close(fd);
    assert_int_equal(cuda_judge_release(judge, &err), AISP_OK);
    cuda_judge_stop(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(slots_beyond_the_cache_are_swept_out_and_looked_at, release),
        cmocka_unit_test_teardown(slots_in_the_cache_are_left_there, release),
        cmocka_unit_test_teardown(a_harness_that_sweeps_too_little_looks_all_the_same, release),
        cmocka_unit_test_teardown(without_looks_it_is_swept_all_the_same, release),
        cmocka_unit_test_teardown(counts_survive_json, release),
        cmocka_unit_test_teardown(a_tenth_more_than_swept_out_lines_is_too_much, release),
        cmocka_unit_test_teardown(who_cannot_tell_accuses_nobody, release),
        cmocka_unit_test(the_limit_lies_between_what_is_known),
        cmocka_unit_test(of_a_small_input_few_lines_are_timed),
        cmocka_unit_test(lines_of_what_is_not_there_are_refused),
    };
    int failed;

    folder = folder_for_workers();
    library = place_fake_cuda(folder, "", "");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
    return failed;
}
