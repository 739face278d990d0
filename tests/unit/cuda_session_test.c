/* cuda_session_test.c - sessions of the CUDA device where there is no card: the judge, the workers and the memory they share are
 * the real ones, on the fake driver (tests/fake_cuda); variants are plain C.
 * Not here: the judge alone (cuda_judge_test.c) and its faults (cuda_judge_faults_test.c); anything that only a card can show. */
#include "tests/fixtures/session.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

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
    r->spec.setup_timeout_ns = r->spec.call_timeout_ns = 5000000000;
}

static void a_window_computes_every_slot_on_both_sides(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "honest", "keeps_state", "");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (int side = AISP_A; side <= AISP_B; side++) {
        session_fill(&r, (uint32_t)side * 10);
        assert_int_equal(session_right(&r, (enum aisp_side)side, 0), 0);
        if (session_window(&r, (enum aisp_side)side, 4, &w))
            fail_msg("%s", r.err.text);
        for (int slot = 0; slot < 4; slot++)
            assert_int_equal(session_right(&r, (enum aisp_side)side, slot), 1000);
        assert_true(w.window_ns >= w.inner_ns && w.inner_ns > 0);
    }
    session_close(&r);
}

static void a_store_into_an_input_ends_the_worker(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    enum aisp_status st;

    (void)state;
    prepare(&r, "writes_input", NULL, "");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    session_fill(&r, 1);
    st = session_window(&r, AISP_A, 4, &w);
    assert_int_equal(st, AISP_E_WORKER);
    assert_non_null(strstr(r.err.text, "(a store), 20 bytes into x of slot 0"));
    session_close(&r);
}

static void what_the_workers_driver_says_is_told(void **state)
{
    struct session_rig r;
    enum aisp_status st;

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-worker fail cuMemImportFromShareableHandle 1 801");
    st = session_open(&r);
    assert_int_equal(st, AISP_E_DEVICE);
    assert_non_null(strstr(r.err.text, "CUDA_ERROR_NOT_SUPPORTED"));
    free(r.ref[0].path);
}

static void a_device_lost_in_a_window_is_told(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    enum aisp_status st = AISP_OK;

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-worker fail_after cuCtxSynchronize 2 719");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    session_fill(&r, 1);
    for (int i = 0; i < 5 && !st; i++)
        st = session_window(&r, AISP_A, 4, &w);
    assert_int_not_equal(st, AISP_OK);
    assert_non_null(strstr(r.err.text, "CUDA_ERROR_LAUNCH_FAILED"));
    session_close(&r);
}

/* ---- what lies in the inputs ---- */

static int n_changed(struct session_rig *r)
{
    struct aisp_observation seen[16];
    const int n = r->cpu->inspect(r->session, AISP_A, AISP_HASH_ALL, seen, 16);

    if (n)
        r->seen = seen[0];
    return n;
}

static void fill_part(struct session_rig *r, int slot, uint32_t key, int64_t first, int64_t n)
{
    const struct aisp_philox x = session_key(key);

    assert_int_equal(r->cpu->fill(r->session, slot, X, &x, first, n, &r->err), AISP_OK);
}

static void what_was_planted_and_what_was_filled_over_it_is_known(void **state)
{
    static const float planted[1000] = { 1, 2, 3 };
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "honest", NULL, "");
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(n_changed(&r), 0);
    assert_int_equal(r.cpu->plant(r.session, 0, X, planted, &r.err), AISP_OK);
    assert_int_equal(n_changed(&r), 0);
    assert_memory_equal(r.cpu->input(r.session, 0, X), planted, sizeof planted);
    fill_part(&r, 0, 50, 64, 128);
    assert_int_equal(n_changed(&r), 0);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 0), 1000);
    session_fill(&r, 2);
    assert_int_equal(n_changed(&r), 0);
    session_close(&r);
}

static void a_part_that_was_filled_again_is_known(void **state)
{
    struct session_rig r;

    (void)state;
    prepare(&r, "honest", NULL, "");
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    fill_part(&r, 1, 60, 128, 64);
    fill_part(&r, 1, 61, 0, 256);
    fill_part(&r, 1, 62, 960, 40);
    assert_int_equal(n_changed(&r), 0);
    session_close(&r);
}

/* The first windows have contents in parts, under which poison lies. */
static void a_changed_input_is_found_however_it_was_filled(void **state)
{
    static const float planted[1000] = { 1, 2, 3, 4, 5, 6 };
    const struct aisp_policy off = { 1u << AISP_READ_ONLY_INPUTS };

    (void)state;
    for (int how = 0; how < 4; how++) {
        struct session_rig r;
        struct aisp_window w;

        prepare(&r, "writes_input", NULL, "");
        r.spec.policy = &off;
        r.spec.n_slots = 1;
        assert_int_equal(session_open(&r), AISP_OK);
        if (how == 1)
            fill_part(&r, 0, 8, 0, 0);
        if (how == 3)
            assert_int_equal(r.cpu->plant(r.session, 0, X, planted, &r.err), AISP_OK);
        fill_part(&r, 0, 9, 0, how ? 64 : 512);
        fill_part(&r, 0, 9, 512, 488);
        assert_int_equal(n_changed(&r), 0);
        assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_OK);
        assert_int_equal(n_changed(&r), 1);
        assert_int_equal(r.seen.what, AISP_SEEN_INPUT_CHANGED);
        assert_int_equal(r.seen.tensor, X);
        assert_int_equal(r.seen.element, 5);
        session_close(&r);
    }
}

/* ---- a judge that is lost ---- */

/* The only child when no session is open; 0: there is none. */
static pid_t child(void)
{
    char *path = aisp_format("/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    int pid = 0, other, n;

    assert_non_null(f);
    n = fscanf(f, "%d %d", &pid, &other);
    fclose(f);
    free(path);
    assert_true(n < 2);
    return n == 1 ? pid : 0;
}

static int n_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void works(struct session_rig *r)
{
    struct aisp_window w;

    if (session_open(r))
        fail_msg("%s", r->err.text);
    session_fill(r, 1);
    assert_int_equal(session_window(r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(r, AISP_A, 3), 1000);
    r->cpu->close(r->session);
    r->session = NULL;
}

/* As behind a resident kernel of another context: the wait is the harness's own, before go. */
static void a_worker_that_waits_long_for_its_turn_on_the_card_was_not_busy(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-worker spin cuStreamSynchronize 0 4\n");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (uint32_t i = 0; i < 16; i++) {
        session_fill(&r, i);
        if (session_window(&r, AISP_A, 4, &w))
            fail_msg("%s", r.err.text);
        assert_true(w.gap_ns >= 4000000);
        assert_in_range(w.idle_ns, 0, 1000000);
    }
    r.cpu->close(r.session);
    free(r.ref[0].path);
}

static void a_judge_that_dies_between_sessions_is_replaced(void **state)
{
    struct session_rig r;
    pid_t judge;

    (void)state;
    prepare(&r, "honest", NULL, "");
    works(&r);
    judge = child();
    assert_true(judge > 0);
    assert_int_equal(kill(judge, SIGKILL), 0);
    assert_int_equal(waitid(P_PID, (id_t)judge, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
    works(&r);
    assert_true(child() > 0 && child() != judge);
    free(r.ref[0].path);
}

static void a_judge_that_dies_in_a_session_ends_that_one_only(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    char y[4000];
    pid_t judge;

    (void)state;
    prepare(&r, "honest", NULL, "");
    works(&r);
    judge = child();
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(kill(judge, SIGKILL), 0);
    r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_E_DEVICE);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_E_DEVICE);
    assert_string_equal(r.err.text, "the CUDA judge died: signal 9");
    r.cpu->close(r.session);
    works(&r);
    free(r.ref[0].path);
}

/* The judge lives, but nothing goes in its context any more. */
static void a_context_that_is_lost_in_a_session_is_replaced(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    enum aisp_status st = AISP_OK;

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-judge-cuda fail_after cuLaunchKernel 60 719");
    assert_int_equal(session_open(&r), AISP_OK);
    for (uint32_t i = 0; i < 20 && !st; i++) {
        session_fill(&r, i);
        st = session_window(&r, AISP_A, 4, &w);
    }
    assert_int_equal(st, AISP_E_DEVICE);
    r.cpu->close(r.session);
    free(write_file(folder, "libcuda.so.1.script", "", 0));
    works(&r);
    free(r.ref[0].path);
}

/* What an inspection could not see is said by the next call that returns a status. */
static void a_look_that_failed_is_told_by_the_next_read(void **state)
{
    struct session_rig r;
    char y[4000];

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-judge-cuda fail cuMemsetD8Async 10 719");
    assert_int_equal(session_open(&r), AISP_OK);
    assert_int_equal(n_changed(&r), 0);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_E_DEVICE);
    assert_non_null(strstr(r.err.text, "CUDA_ERROR_LAUNCH_FAILED"));
    session_close(&r);
}

/* ---- sessions that do not open ---- */

static void an_open_that_fails_leaves_nothing_behind(void **state)
{
    static const char *const script[] = {
        "in aisp-worker fail cuMemMap 1 999",
        "in aisp-worker kill cuInit 1",
        "in aisp-worker fail cuInit 1 100",
        "in aisp-judge-cuda fail cuMemExportToShareableHandle 3 999",
        "in aisp-judge-cuda kill cuMemCreate 2",
        "in aisp-judge-cuda fail cuMemMap 1 2",
    };

    (void)state;
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        struct session_rig r;
        int n;

        aisp_cuda_set_library(NULL);
        n = n_descriptors();
        prepare(&r, "honest", "keeps_state", script[i]);
        if (session_open(&r) != (i == 5 ? AISP_E_NO_MEMORY : AISP_E_DEVICE) || r.session)
            fail_msg("%s: %s", script[i], r.err.text);
        free(write_file(folder, "libcuda.so.1.script", "", 0));
        works(&r);
        aisp_cuda_set_library(NULL);
        assert_int_equal(child(), 0);
        assert_int_equal(n_descriptors(), n);
        for (int side = 0; side < 2; side++)
            free(r.ref[side].path);
    }
}

static void what_does_not_fit_is_refused_and_the_judge_goes_on(void **state)
{
    struct session_rig r;
    pid_t judge;

    (void)state;
    prepare(&r, "honest", NULL, "");
    works(&r);
    judge = child();
    assert_int_equal(r.cpu->fits(&r.inst, 0, 0, &r.err), AISP_OK);
    assert_int_equal(r.cpu->fits(&r.inst, 127, 2, &r.err), AISP_OK);
    assert_int_equal(r.cpu->fits(&r.inst, 128, 2, &r.err), AISP_E_NO_MEMORY);
    assert_string_equal(r.err.text, "needs 257 buffers on the device, 256 can be given");
    r.spec.n_slots = 128;
    assert_int_equal(session_open(&r), AISP_E_UNAVAILABLE);
    assert_null(r.session);
    r.spec.n_slots = 4;
    works(&r);
    assert_int_equal(child(), judge);
    free(r.ref[0].path);
}

/* ---- the truth ---- */

/* What device_truth.c says: rows of four floats; `mode` makes it fail. Beside a variant that lies where the reference does too. */
static const struct aisp_tensor truth_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n, 4", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n, 4", { AISP_NO_FILL, 0, 0 } },
    { NULL },
};

static void prepare_truth(struct session_rig *r, struct aisp_problem *problem, int64_t mode)
{
    char *command = aisp_format("cp " BUILD_DIR "/fixtures/honest.so '%s/v.so' && cp " BUILD_DIR
                                "/fixtures/device_truth.so '%s/reference.cuda.so'", folder, folder);
    const struct aisp_extent extent = { .n_dims = 2, .dim = { 64, 4 }, .rows = 64, .row_elements = 4, .elements = 256, .bytes = 1024 };

    assert_int_equal(system(command), 0);
    free(command);
    prepare(r, "honest", NULL, "");
    free(r->ref[0].path);
    r->ref[0].path = aisp_format("%s/v.so", folder);
    *problem = session_problem;
    problem->tensor = truth_tensors;
    r->inst = (struct aisp_instance){
        .problem = problem, .n_params = 2, .param = { 5, mode }, .n_tensors = 2, .length = 1, .extent = { extent, extent }
    };
    r->spec.n_slots = 2;
}

static void fill_truth(struct session_rig *r)
{
    for (int slot = 0; slot < 2; slot++) {
        const struct aisp_philox x = session_key(90 + (uint32_t)slot);

        assert_int_equal(r->cpu->fill(r->session, slot, 0, &x, 0, 0, &r->err), AISP_OK);
    }
}

static void the_truth_is_worked_out_of_the_inputs_that_lie_there(void **state)
{
    struct aisp_problem problem;
    struct session_rig r;
    double y[3 * 4];

    (void)state;
    prepare_truth(&r, &problem, 0);
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    fill_truth(&r);
    for (int slot = 0; slot < 2; slot++) {
        const float *x = r.cpu->input(r.session, slot, 0);

        assert_int_equal(r.cpu->truth(r.session, slot, 1, 61, 3, y, &r.err), AISP_OK);
        for (int i = 0; i < 3 * 4; i++)
            assert_true(y[i] == 2.0 * x[61 * 4 + i] + 61 + i / 4 + 5);
    }
    session_close(&r);
}

static void a_problem_without_one_is_told_from_a_device_that_fails(void **state)
{
    struct aisp_problem problem;
    struct session_rig r;
    char *reference;
    double y[4];

    (void)state;
    prepare_truth(&r, &problem, 0);
    assert_int_equal(session_open(&r), AISP_OK);
    fill_truth(&r);
    reference = aisp_format("%s/reference.cuda.so", folder);
    assert_int_equal(unlink(reference), 0);
    free(reference);
    assert_int_equal(r.cpu->truth(r.session, 0, 1, 0, 1, y, &r.err), AISP_E_UNAVAILABLE);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, 1, 0, sizeof y, y, &r.err), AISP_OK);
    session_close(&r);
    for (int64_t mode = 1; mode <= 2; mode++) { /* cannot be started; takes the judge with it */
        prepare_truth(&r, &problem, mode);
        assert_int_equal(session_open(&r), AISP_OK);
        fill_truth(&r);
        assert_int_equal(r.cpu->truth(r.session, 0, 1, 0, 1, y, NULL), AISP_E_DEVICE);
        assert_int_equal(r.cpu->read(r.session, AISP_A, 0, 1, 0, sizeof y, y, &r.err), AISP_E_DEVICE);
        assert_non_null(strstr(r.err.text, mode == 1 ? "launch: out of resources" : "the CUDA judge died: signal 6"));
        session_close(&r);
        prepare(&r, "honest", NULL, "");
        works(&r);
        free(r.ref[0].path);
    }
}

/* ---- other places and roles ---- */

static void tensors_of_the_host_are_the_hosts(void **state)
{
    static const char *const place[] = { "x=pinned, y=pageable", "x=pageable, w=pinned, y=pinned" };
    const float word = 1;
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        prepare(&r, "honest", "keeps_state", "");
        for (int side = 0; side < 2; side++)
            strcpy(r.ref[side].decl.place, place[i]);
        if (session_open(&r))
            fail_msg("%s", r.err.text);
        for (int side = AISP_A; side <= AISP_B; side++) {
            session_fill(&r, (uint32_t)side);
            assert_int_equal(session_window(&r, (enum aisp_side)side, 4, &w), AISP_OK);
            assert_int_equal(session_right(&r, (enum aisp_side)side, 2), 1000);
            assert_int_equal(n_changed(&r), 0);
            assert_true(r.cpu->overwrite(r.session, (enum aisp_side)side, 0, Y, 0, sizeof word, &word));
        }
        session_close(&r);
    }
}

static void sides_that_disagree_on_the_host_are_refused(void **state)
{
    struct session_rig r;
    pid_t judge;

    (void)state;
    prepare(&r, "honest", "keeps_state", "");
    works(&r);
    judge = child();
    strcpy(r.ref[AISP_B].decl.place, "x=pinned");
    assert_int_equal(session_open(&r), AISP_E_REFUSED);
    assert_non_null(strstr(r.err.text, "x lies on the host for"));
    assert_int_equal(child(), judge);
    for (int side = 0; side < 2; side++)
        free(r.ref[side].path);
}

static void a_strangers_variant_is_refused(void **state)
{
    struct session_rig r;

    (void)state;
    prepare(&r, "honest", "keeps_state", "");
    strcpy(r.ref[AISP_B].name, "optimized_own");
    r.ref[AISP_B].is_untrusted = true;
    assert_int_equal(session_open(&r), AISP_E_REFUSED);
    assert_string_equal(r.err.text, "optimized_own is a stranger's, which does not run on cuda");
    assert_null(r.session);
    for (int side = 0; side < 2; side++)
        free(r.ref[side].path);
}

static void a_tensor_that_is_changed_has_its_contents_until_the_call(void **state)
{
    static struct aisp_tensor tensors[4];
    static struct aisp_problem problem;
    struct session_rig r;
    struct aisp_window w;
    float before[1000], after[1000];

    (void)state;
    memcpy(tensors, session_tensors, sizeof tensors);
    tensors[Y] = (struct aisp_tensor){ "y", AISP_INOUT, AISP_F32, "n", { AISP_NORMAL, 0, 1 } };
    problem = session_problem;
    problem.tensor = tensors;
    prepare(&r, "honest", NULL, "");
    r.inst.problem = &problem;
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    for (int slot = 0; slot < 4; slot++) {
        const struct aisp_philox y = session_key(70 + (uint32_t)slot);

        assert_int_equal(r.cpu->fill(r.session, slot, Y, &y, 0, 0, &r.err), AISP_OK);
    }
    assert_int_equal(r.cpu->read(r.session, AISP_A, 1, Y, 0, sizeof before, before, &r.err), AISP_OK);
    assert_memory_equal(before, r.cpu->input(r.session, 1, Y), sizeof before);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 1), 1000);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 1, Y, 0, sizeof after, after, &r.err), AISP_OK);
    assert_memory_not_equal(before, after, sizeof before);
    assert_int_equal(n_changed(&r), 0);
    assert_int_equal(r.cpu->truth(r.session, 1, Y, 0, 1, after, &r.err), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(r.err.text, "y does not lie on the card as it was before the call"));
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_computes_every_slot_on_both_sides),
        cmocka_unit_test(a_store_into_an_input_ends_the_worker),
        cmocka_unit_test(what_the_workers_driver_says_is_told),
        cmocka_unit_test(a_device_lost_in_a_window_is_told),
        cmocka_unit_test(what_was_planted_and_what_was_filled_over_it_is_known),
        cmocka_unit_test(a_part_that_was_filled_again_is_known),
        cmocka_unit_test(a_changed_input_is_found_however_it_was_filled),
        cmocka_unit_test(a_judge_that_dies_between_sessions_is_replaced),
        cmocka_unit_test(a_worker_that_waits_long_for_its_turn_on_the_card_was_not_busy),
        cmocka_unit_test(a_judge_that_dies_in_a_session_ends_that_one_only),
        cmocka_unit_test(a_context_that_is_lost_in_a_session_is_replaced),
        cmocka_unit_test(a_look_that_failed_is_told_by_the_next_read),
        cmocka_unit_test(an_open_that_fails_leaves_nothing_behind),
        cmocka_unit_test(what_does_not_fit_is_refused_and_the_judge_goes_on),
        cmocka_unit_test(the_truth_is_worked_out_of_the_inputs_that_lie_there),
        cmocka_unit_test(a_problem_without_one_is_told_from_a_device_that_fails),
        cmocka_unit_test(tensors_of_the_host_are_the_hosts),
        cmocka_unit_test(sides_that_disagree_on_the_host_are_refused),
        cmocka_unit_test(a_strangers_variant_is_refused),
        cmocka_unit_test(a_tensor_that_is_changed_has_its_contents_until_the_call),
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
