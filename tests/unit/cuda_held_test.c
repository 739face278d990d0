/* cuda_held_test.c - windows that are held on a device, where there is no card: supervisor, judge and workers are the real ones,
 * the driver is the fake one (tests/fake_cuda), which queues behind the kernel that holds a stream. Variants are plain C that
 * queue their work.
 * Not here: which windows of a comparison are held (cuda_scope_test.c); anything that only a card can show. */
#include "tests/fixtures/session.h"

#include <time.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/cuda/cuda.h"
#include "core/channel.h"
#include "tests/fake_cuda/place.h"

static char *folder, *library;

static void prepare(struct session_rig *r, const char *a, const char *b, const char *script)
{
    free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
    aisp_cuda_set_library(library);
    session_prepare(r, a, b, 1000);
    r->cpu = aisp_backend_find("cuda");
    assert_non_null(r->cpu);
    r->spec.setup_timeout_ns = r->spec.call_timeout_ns = 5000000000;
    r->spec.scope = AISP_SCOPE_KERNEL;
}

static void open_session(struct session_rig *r)
{
    if (session_open(r))
        fail_msg("%s", r->err.text);
}

static enum aisp_status hold(struct session_rig *r, enum aisp_side side, int64_t calls, bool *is_held)
{
    int32_t slot[64];
    const struct aisp_order order = { slot, r->spec.n_slots, calls, NULL, NULL };

    for (int i = 0; i < r->spec.n_slots; i++)
        slot[i] = i;
    return r->cpu->hold(r->session, side, &order, is_held, &r->seen, &r->err);
}

static void must_be_held(struct session_rig *r, enum aisp_side side, int64_t calls)
{
    bool is_held = false;

    if (hold(r, side, calls, &is_held))
        fail_msg("%s", r->err.text);
    assert_true(is_held);
}

static void nap_ms(long ms)
{
    const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

    nanosleep(&t, NULL);
}

static void calls_compute_what_came_after_they_were_queued(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", "queues", "");
    open_session(&r);
    for (int side = AISP_A; side <= AISP_B; side++) {
        session_fill(&r, (uint32_t)side * 20);
        must_be_held(&r, (enum aisp_side)side, 4);
        session_fill(&r, (uint32_t)side * 20 + 10);
        nap_ms(20);
        if (session_window(&r, (enum aisp_side)side, 4, &w))
            fail_msg("%s", r.err.text);
        for (int slot = 0; slot < 4; slot++)
            assert_int_equal(session_right(&r, (enum aisp_side)side, slot), 1000);
        assert_true(w.gap_ns >= 20000000);
        assert_true(w.window_ns < w.gap_ns);
        assert_true(w.inner_ns > 0 && w.inner_ns <= w.window_ns);
    }
    session_close(&r);
}

/* run() that computes at once is as far ahead of the release as anybody can be. */
static void what_is_computed_before_the_release_is_of_old_contents(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "honest", NULL, "");
    open_session(&r);
    session_fill(&r, 1);
    must_be_held(&r, AISP_A, 4);
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    for (int slot = 0; slot < 4; slot++)
        assert_int_equal(session_right(&r, AISP_A, slot), 0);
    session_close(&r);
}

/* Of four slots that somebody wrote over as soon as they were ready, one is again as it was made. */
static void one_output_is_made_again_before_the_release(enum aisp_role role)
{
    static char garbage[4000];
    struct aisp_tensor tensor[4];
    struct aisp_problem problem = session_problem;
    struct session_rig r;
    struct aisp_window w;
    int n_again = 0;

    memcpy(tensor, session_tensors, sizeof tensor);
    tensor[Y].role = role;
    tensor[Y].fill = tensor[X].fill;
    problem.tensor = tensor;
    prepare(&r, "nothing", NULL, "");
    r.inst.problem = &problem;
    open_session(&r);
    must_be_held(&r, AISP_A, 4);
    memset(garbage, 0x77, sizeof garbage);
    for (int slot = 0; slot < 4; slot++) {
        const struct aisp_philox key = session_key((uint32_t)slot);
        const int buffer = cpu_buffer_of(r.session, slot, Y)->far;

        if (role == AISP_INOUT)
            assert_int_equal(r.cpu->fill(r.session, slot, Y, &key, 0, 0, &r.err), AISP_OK);
        else
            assert_int_equal(r.cpu->poison(r.session, slot, Y, &key, &r.err), AISP_OK);
        r.session->far->write(r.session->far->judge, buffer, 0, garbage, sizeof garbage);
    }
    if (session_window(&r, AISP_A, 4, &w))
        fail_msg("%s", r.err.text);
    for (int slot = 0; slot < 4; slot++) {
        char is[sizeof garbage], was[sizeof garbage];

        assert_int_equal(r.cpu->read(r.session, AISP_A, slot, Y, 0, sizeof is, is, &r.err), AISP_OK);
        cpu_make_again(r.session, cpu_buffer_of(r.session, slot, Y), Y, was);
        n_again += !memcmp(is, was, sizeof is);
        assert_true(!memcmp(is, was, sizeof is) || !memcmp(is, garbage, sizeof is));
    }
    assert_int_equal(n_again, 1);
    session_close(&r);
}

static void one_output_is_poisoned_again(void **state)
{
    (void)state;
    one_output_is_made_again_before_the_release(AISP_OUT);
}

static void one_that_calls_change_gets_its_contents_again(void **state)
{
    (void)state;
    one_output_is_made_again_before_the_release(AISP_INOUT);
}

static void held_windows_and_others_take_turns(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "");
    open_session(&r);
    for (uint32_t i = 0; i < 6; i++) {
        if (i % 2)
            must_be_held(&r, AISP_A, 4 + i);
        session_fill(&r, 10 * i);
        assert_int_equal(session_window(&r, AISP_A, 4 + i, &w), AISP_OK);
        for (int slot = 0; slot < 4; slot++)
            assert_int_equal(session_right(&r, AISP_A, slot), 1000);
    }
    session_close(&r);
}

static void a_call_that_waits_cannot_be_held_and_is_not_accused(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    bool is_held = true;

    (void)state;
    prepare(&r, "queues_and_waits", NULL, "");
    open_session(&r);
    session_fill(&r, 1);
    if (hold(&r, AISP_A, 4, &is_held))
        fail_msg("%s", r.err.text);
    assert_false(is_held);
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 0), 1000);
    session_close(&r);
}

static void as_many_calls_are_held_as_the_queue_has_room_for(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    bool is_held = true;

    (void)state;
    prepare(&r, "queues_much", NULL, "");
    open_session(&r);
    if (hold(&r, AISP_A, 4, &is_held))
        fail_msg("%s", r.err.text);
    assert_false(is_held);
    must_be_held(&r, AISP_A, 2);
    session_fill(&r, 3);
    assert_int_equal(session_window(&r, AISP_A, 2, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 1), 1000);
    session_close(&r);
}

/* Four calls of 2 ms each, and an end that was written in the first one. */
static void an_end_that_is_written_early_saves_no_time(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues_and_lies", NULL, "");
    open_session(&r);
    must_be_held(&r, AISP_A, 4);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_true(w.window_ns > 8000000 - 100000);
    assert_int_equal(session_right(&r, AISP_A, 3), 1000);
    session_close(&r);
}

/* Between queued and release nobody of the worker's works. */
static void a_worker_sleeps_while_contents_are_made(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "");
    open_session(&r);
    for (uint32_t i = 0; i < 4; i++) {
        must_be_held(&r, AISP_A, 4);
        session_fill(&r, i);
        nap_ms(30);
        assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    }
    assert_true(w.idle_ns < 5000000); /* of 30 ms; the fake's thread naps and looks */
    session_close(&r);
}

/* ---- what fails ---- */

static void a_session_that_cannot_be_made_says_why(void **state)
{
    static const struct {
        const char *script, *says;
    } broken[] = {
#ifdef HAS_HOLD_IMAGE
        { "in aisp-worker fail cuModuleLoadData 1 209", "CUDA_ERROR_NO_BINARY_FOR_GPU" },
#else
        { "in aisp-worker fail cuModuleLoadData 1 209", "aisp was built without nvcc" },
#endif
        { "in aisp-worker fail cuModuleGetFunction 1 500", "CUDA_ERROR_NOT_FOUND" },
        { "in aisp-worker fail cuMemHostRegister_v2 1 801", "cuMemHostRegister: CUDA_ERROR_NOT_SUPPORTED" },
        { "in aisp-worker fail cuMemHostRegister_v2 2 800", "cuMemHostRegister: CUDA_ERROR_NOT_PERMITTED" },
        { "in aisp-worker fail cuMemHostGetDevicePointer_v2 2 1", "cuMemHostGetDevicePointer: CUDA_ERROR_INVALID_VALUE" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct session_rig r;

        prepare(&r, "queues", NULL, broken[i].script);
        assert_int_equal(session_open(&r), AISP_E_DEVICE);
        if (!strstr(r.err.text, broken[i].says))
            fail_msg("%s: %s", broken[i].script, r.err.text);
        free(r.ref[0].path);
    }
}

static void a_call_scope_session_asks_the_driver_for_nothing_more(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "in aisp-worker fail cuModuleLoadData 1 209");
    r.spec.scope = AISP_SCOPE_CALL;
    open_session(&r);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    session_close(&r);
}

static void a_driver_that_fails_in_a_held_window_is_told(void **state)
{
    static const char *const script[] = {
        "in aisp-worker fail cuLaunchKernel 1 719",
        "in aisp-worker fail cuStreamWriteValue32_v2 1 719",
        "in aisp-worker fail cuCtxSynchronize 2 719",
        "in aisp-worker fail cuLaunchKernel 6 719", /* behind those of the windows without calls */
        "in aisp-worker fail cuStreamWriteValue32_v2 6 719",
    };

    (void)state;
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        struct session_rig r;
        struct aisp_window w;
        enum aisp_status st;
        bool is_held = false;

        prepare(&r, "queues", NULL, script[i]);
        open_session(&r);
        st = hold(&r, AISP_A, 4, &is_held);
        if (!st)
            st = session_window(&r, AISP_A, 4, &w);
        assert_int_equal(st, AISP_E_WORKER);
        if (!strstr(r.err.text, "CUDA_ERROR_LAUNCH_FAILED"))
            fail_msg("%s: %s", script[i], r.err.text);
        session_close(&r);
    }
}

/* Half of what the stream waits is over when contents are made at last. */
static void contents_that_take_too_long_end_the_session(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "");
    r.spec.call_timeout_ns = 400000000;
    open_session(&r);
    must_be_held(&r, AISP_A, 4);
    nap_ms(250);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_E_DEVICE);
    assert_non_null(strstr(r.err.text, "took so long"));
    session_close(&r);
}

/* The stream has gone on long ago, and counts no looks any more: that accuses nobody either. */
static void contents_that_take_far_too_long_accuse_nobody(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "");
    r.spec.call_timeout_ns = 400000000;
    open_session(&r);
    must_be_held(&r, AISP_A, 4);
    nap_ms(500);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_E_DEVICE);
    assert_non_null(strstr(r.err.text, "took so long"));
    session_close(&r);
}

static void a_session_can_be_closed_while_a_window_is_held(void **state)
{
    struct session_rig r;
    struct timespec begin, end;

    (void)state;
    prepare(&r, "queues", "queues", "");
    open_session(&r);
    must_be_held(&r, AISP_B, 4);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    session_close(&r);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - begin.tv_sec < 2);
}

static void a_worker_that_dies_while_it_is_held_is_told(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "queues", NULL, "in aisp-worker kill cuStreamWriteValue32_v2 7");
    open_session(&r);
    must_be_held(&r, AISP_A, 4);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(hold(&r, AISP_A, 4, &(bool){ false }), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_SIGNAL);
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_compute_what_came_after_they_were_queued),
        cmocka_unit_test(what_is_computed_before_the_release_is_of_old_contents),
        cmocka_unit_test(one_output_is_poisoned_again),
        cmocka_unit_test(one_that_calls_change_gets_its_contents_again),
        cmocka_unit_test(held_windows_and_others_take_turns),
        cmocka_unit_test(a_call_that_waits_cannot_be_held_and_is_not_accused),
        cmocka_unit_test(as_many_calls_are_held_as_the_queue_has_room_for),
        cmocka_unit_test(an_end_that_is_written_early_saves_no_time),
        cmocka_unit_test(a_worker_sleeps_while_contents_are_made),
        cmocka_unit_test(a_session_that_cannot_be_made_says_why),
        cmocka_unit_test(a_call_scope_session_asks_the_driver_for_nothing_more),
        cmocka_unit_test(a_driver_that_fails_in_a_held_window_is_told),
        cmocka_unit_test(contents_that_take_too_long_end_the_session),
        cmocka_unit_test(contents_that_take_far_too_long_accuse_nobody),
        cmocka_unit_test(a_session_can_be_closed_while_a_window_is_held),
        cmocka_unit_test(a_worker_that_dies_while_it_is_held_is_told),
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
