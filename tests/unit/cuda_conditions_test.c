/* cuda_conditions_test.c - under what conditions an audit's variant runs: what the worker reads of its driver, on the fake one
 * (tests/fake_cuda), and what the trace makes of it. The recorder finds no card there, and the worker's own notes are there all the
 * same.
 * Not here: what the device did (cuda_trace_test.c). */
#include "tests/fixtures/session.h"

#include "backends/cuda/cuda.h"
#include "checks/check.h"
#include "core/evidence.h"
#include "tests/fake_cuda/place.h"
#include "tests/fixtures/records.h"

/* What the worker has written after so many windows of an audit of that variant. */
static const struct record_area *noted(const char *variant, int n_windows)
{
    static struct record_area copy;
    char *folder = folder_for_workers(), *library = place_fake_cuda(folder, "", "");
    struct session_rig r;
    struct aisp_window w;

    aisp_cuda_set_library(library);
    session_prepare(&r, variant, NULL, 1000);
    r.cpu = aisp_backend_find("cuda");
    r.spec.is_audit = true;
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (int i = 0; i < n_windows; i++) {
        session_fill(&r, (uint32_t)i);
        if (session_window(&r, AISP_A, 4, &w))
            fail_msg("%s", r.err.text);
    }
    memcpy(&copy, r.session->files[0].out + r.session->record_offset, sizeof copy);
    session_close(&r);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
    return &copy;
}

static bool has_recorder(void)
{
    return !access(BUILD_DIR "/libaisp-recorder.so", R_OK);
}

static void a_fresh_process_has_nothing_in_its_pool(void **state)
{
    (void)state;
    if (!has_recorder())
        skip();
    assert_int_equal(noted("honest", 1)->pool_bytes, 0);
}

static void memory_that_a_constructor_took_lies_in_the_pool_before_setup(void **state)
{
    (void)state;
    if (!has_recorder())
        skip();
    assert_int_equal(noted("fills_pool", 1)->pool_bytes, 4 << 20);
}

static void the_trace_says_what_lay_in_the_pool_and_no_nonsense(void **state)
{
    (void)state;
    area->pool_bytes = 32 << 20;
    make();
    assert_int_equal(trace.pool_at_start_bytes, 32 << 20);
    aisp_device_trace_release(&trace);
    area->pool_bytes = UINT64_MAX;
    make();
    assert_true(trace.pool_at_start_bytes > 0);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE(a_fresh_process_has_nothing_in_its_pool),
        SCENE(memory_that_a_constructor_took_lies_in_the_pool_before_setup),
        SCENE(the_trace_says_what_lay_in_the_pool_and_no_nonsense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
