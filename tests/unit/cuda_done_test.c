/* cuda_done_test.c - done is said when the device is, and what tells where it is not: the judge and the workers are the real ones,
 * on the fake driver (tests/fake_cuda), whose host functions take their time.
 * Not here: what becomes of a session otherwise (cuda_session_test.c). */
#include "tests/fixtures/session.h"

#include "backends/cuda/cuda.h"
#include "tests/fake_cuda/place.h"

static char *folder, *library;

static void prepare(struct session_rig *r, const char *a, const char *b, const char *script)
{
    free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
    aisp_cuda_set_library(library);
    session_prepare(r, a, b, 1000);
    r->cpu = aisp_backend_find("cuda");
    assert_non_null(r->cpu);
}

static void a_context_that_is_left_current_is_not_the_one_that_is_waited_for(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "leaves_context", NULL, "in aisp-worker later 5\n");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (uint32_t i = 0; i < 3; i++) {
        session_fill(&r, i);
        if (session_window(&r, AISP_A, 4, &w))
            fail_msg("%s", r.err.text);
        for (int slot = 0; slot < 4; slot++)
            assert_int_equal(session_right(&r, AISP_A, slot), 1000);
        assert_true(w.window_ns >= 4 * 5000000 && w.inner_ns >= 4 * 5000000 && w.inner_ns <= w.window_ns);
    }
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_that_is_left_current_is_not_the_one_that_is_waited_for),
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
