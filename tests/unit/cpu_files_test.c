/* cpu_files_test.c - FILE tensors on the CPU device: what a worker gets, what the page cache holds before a window, and that nobody
 * but the judge writes. */
#include <stdlib.h>

#include "tests/fixtures/session.h"

enum { N = 100000, PAGES = (N * 4 + 4095) / 4096, SLOTS = 3 };

static struct aisp_tensor tensors[4];
static struct aisp_problem problem;

static void prepare(struct session_rig *r, const char *variant, enum aisp_pages pages)
{
    session_prepare(r, variant, NULL, N);
    memcpy(tensors, session_tensors, sizeof tensors);
    tensors[X].role = AISP_FILE;
    tensors[X].pages = pages;
    problem = session_problem;
    problem.tensor = tensors;
    r->inst.problem = &problem;
    r->spec.n_slots = SLOTS;
}

static struct aisp_file_facts take_windows(const char *variant, enum aisp_pages pages)
{
    struct aisp_file_facts facts = { { 0 } };
    struct session_rig r;
    struct aisp_window w;

    prepare(&r, variant, pages);
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (uint32_t i = 0; i < 3; i++) {
        session_fill(&r, 10 * (i + 1));
        if (session_window(&r, AISP_A, SLOTS, &w))
            fail_msg("%s: %s %s", variant, r.err.text, r.seen.detail);
        for (int slot = 0; slot < SLOTS; slot++)
            assert_int_equal(session_right(&r, AISP_A, slot), N);
        assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 0);
    }
    r.cpu->files(r.session, &facts);
    session_close(&r);
    return facts;
}

static void a_cold_file_is_cold_before_every_window(void **unused)
{
    const struct aisp_file_facts facts = take_windows("reads_file", AISP_COLD);

    (void)unused;
    assert_string_equal(facts.pages, "cold");
    assert_int_equal(facts.n_looks, 3 * SLOTS);
    assert_int_equal(facts.n_pages, 3 * SLOTS * PAGES);
}

/* New contents go past the cache, so what is there was read by the calls before: without a filling between two windows. */
static void pages_that_a_window_read_are_dropped_before_the_next(void **unused)
{
    struct aisp_file_facts facts = { { 0 } };
    struct session_rig r;
    struct aisp_window w;

    (void)unused;
    prepare(&r, "reads_file", AISP_COLD);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(session_window(&r, AISP_A, SLOTS, &w), AISP_OK);
    r.cpu->files(r.session, &facts);
    session_close(&r);
    assert_true(facts.n_dropped >= 2 * SLOTS * PAGES);
}

static void a_worker_that_keeps_a_file_mapped_does_not_keep_it_warm(void **unused)
{
    (void)unused;
    take_windows("maps_file", AISP_COLD);
}

static void a_file_can_be_read_past_the_page_cache(void **unused)
{
    (void)unused;
    take_windows("reads_file_direct", AISP_COLD);
}

static void a_cached_file_is_in_the_cache_before_every_window(void **unused)
{
    const struct aisp_file_facts facts = take_windows("maps_file", AISP_CACHED);

    (void)unused;
    assert_string_equal(facts.pages, "cached");
    assert_int_equal(facts.n_looks, 3 * SLOTS);
}

static void a_worker_cannot_write_to_a_file(void **unused)
{
    (void)unused;
    take_windows("rewrites_file", AISP_COLD);
}

static void a_place_in_memory_is_refused_where_files_are_to_be_cold(void **unused)
{
    struct session_rig r;

    (void)unused;
    setenv("AISP_SCRATCH", "/dev/shm", 1);
    prepare(&r, "reads_file", AISP_COLD);
    assert_int_equal(session_open(&r), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(r.err.text, "never cold"));
    session_close(&r);
    take_windows("reads_file", AISP_CACHED);
    unsetenv("AISP_SCRATCH");
}

static void a_folder_that_is_not_there_is_named(void **unused)
{
    struct session_rig r;

    (void)unused;
    setenv("AISP_SCRATCH", "/no/such/folder", 1);
    prepare(&r, "reads_file", AISP_COLD);
    assert_int_equal(session_open(&r), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(r.err.text, "/no/such/folder"));
    session_close(&r);
    unsetenv("AISP_SCRATCH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_file_is_cold_before_every_window),
        cmocka_unit_test(pages_that_a_window_read_are_dropped_before_the_next),
        cmocka_unit_test(a_worker_that_keeps_a_file_mapped_does_not_keep_it_warm),
        cmocka_unit_test(a_file_can_be_read_past_the_page_cache),
        cmocka_unit_test(a_cached_file_is_in_the_cache_before_every_window),
        cmocka_unit_test(a_worker_cannot_write_to_a_file),
        cmocka_unit_test(a_place_in_memory_is_refused_where_files_are_to_be_cold),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
