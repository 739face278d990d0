/* cuda_done_test.c - done is said when the device is, and what tells where it is not: the judge and the workers are the real ones,
 * on the fake driver (tests/fake_cuda), whose host functions take their time.
 * Not here: what becomes of a session otherwise (cuda_session_test.c). */
#include "tests/fixtures/session.h"

#include "backends/cuda/cuda.h"
#include "core/evidence.h"
#include "core/run/run.h"
#include "tests/fake_cuda/place.h"
#include "tests/unit/add_problem.h"

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

/* ---- what the judge asks right after done ---- */

/* The judge's own, on a card that takes its time: the first read since the window counts, and what is asked then. */
static void the_card_is_asked_with_the_first_read_after_a_window(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    char y[4];

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-judge-cuda delay cuMemcpyDtoHAsync_v2 0 20\n");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (int n_reads = 0; n_reads < 2; n_reads++) {
        session_fill(&r, 1);
        assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
        for (int i = 0; i < n_reads; i++)
            assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_OK);
        assert_true(r.cpu->answer(r.session) >= (2 + n_reads) * 20000000); /* two kernels are waited for behind it */
    }
    session_close(&r);
}

/* What a card that works still keeps waiting is whoever asks it first, which may be the word. */
static void the_card_is_asked_with_what_is_replaced_after_a_window(void **state)
{
    const float word = -7;
    struct session_rig r;
    struct aisp_window w;
    int64_t without_ns;

    (void)state;
    prepare(&r, "honest", NULL, "in aisp-judge-cuda delay cuMemcpyHtoDAsync_v2 0 200\n");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    without_ns = r.cpu->answer(r.session);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_true(r.cpu->replace(r.session, AISP_A, 2, Y, 400, sizeof word, &word));
    assert_true(r.cpu->answer(r.session) >= without_ns + 150000000);
    session_close(&r);
}

static void a_word_is_replaced_where_it_lies(void **state)
{
    const float word = -7, *y;
    struct session_rig r;
    struct aisp_window w;
    char whole[4000];

    (void)state;
    prepare(&r, "honest", NULL, "");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_true(r.cpu->replace(r.session, AISP_A, 2, Y, 400, sizeof word, &word));
    assert_int_equal(session_right(&r, AISP_A, 2), 999);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 2, Y, 0, sizeof whole, whole, &r.err), AISP_OK);
    y = (const float *)(const void *)whole;
    assert_true(y[100] == word);
    assert_int_equal(session_right(&r, AISP_A, 1), 1000);
    session_close(&r);
}

static void refer(struct aisp_variant_ref *ref, const char *name)
{
    snprintf(ref->name, sizeof ref->name, "%s", name);
    strcpy(ref->device, "cuda");
    ref->path = aisp_format("%s/fixtures/%s.so", BUILD_DIR, name);
    assert_int_equal(aisp_declaration_read(ref->path, &ref->decl, NULL), AISP_OK);
}

/* A whole comparison with `honest`. */
static struct aisp_evidence compare(const char *contender, uint32_t off)
{
    /* The fake's library is one that nobody has installed, and a thread that works on is what is looked for by other means. */
    const struct aisp_policy policy = { off | 1u << AISP_IDLE_ACCOUNTING | 1u << AISP_PROCESS_FACTS };
    struct aisp_variant_ref ref[2] = { { .name = "" }, { .name = "" } };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_plan plan = { .target = "test:add",
                              .problem = &problem,
                              .size = "default",
                              .variant = { &ref[AISP_A], &ref[AISP_B] },
                              .backend = aisp_backend_find("cuda"),
                              .n_threads = 1,
                              .time_limit_ns = INT64_C(6000000000),
                              .max_pairs = 2,
                              .call_timeout_ns = INT64_C(4000000000),
                              .policy = &policy,
                              .secret = { { 5 } } };
    struct aisp_err err = { 0 };

    free(write_file(folder, "libcuda.so.1.script", "", 0));
    aisp_cuda_set_library(library);
    refer(&ref[AISP_A], "honest");
    refer(&ref[AISP_B], contender);
    assert_int_equal(aisp_instance_init(&plan.inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, &err), AISP_OK);
    if (aisp_run(&plan, &ev, &err))
        fail_msg("%s", err.text);
    free(ref[AISP_A].path);
    free(ref[AISP_B].path);
    return ev;
}

static int n_late(const struct aisp_evidence *ev, int side)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_observations; i++)
        n += ev->observation[i].what == AISP_SEEN_LATE_WRITE && ev->observation[i].side == side;
    return n;
}

static void who_stores_the_same_again_after_done_is_found(void **state)
{
    (void)state;
    for (int is_off = 0; is_off < 2; is_off++) {
        struct aisp_evidence ev = compare("stores_again", is_off ? 1u << AISP_LATE_LOOK : 0);

        assert_int_equal(n_late(&ev, AISP_B) > 0, !is_off);
        assert_true(n_late(&ev, AISP_A) <= n_late(&ev, AISP_B)); /* what comes later still finds the other side's answer there */
        aisp_evidence_release(&ev);
    }
}

static void an_honest_comparison_has_the_cards_answers_and_nothing_late(void **state)
{
    struct aisp_evidence ev = compare("honest", 0);

    (void)state;
    if (ev.n_observations)
        fail_msg("%s: %s", aisp_seen_name(ev.observation[0].what), ev.observation[0].detail);
    assert_true(ev.n_pairs > 0);
    for (int side = AISP_A; side <= AISP_B; side++)
        assert_true(ev.answers[side].n >= 8);
    aisp_evidence_release(&ev);
    ev = compare("honest", 1u << AISP_IDLE_CARD);
    assert_int_equal(ev.answers[AISP_A].n + ev.answers[AISP_B].n, 0);
    aisp_evidence_release(&ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_that_is_left_current_is_not_the_one_that_is_waited_for),
        cmocka_unit_test(the_card_is_asked_with_the_first_read_after_a_window),
        cmocka_unit_test(the_card_is_asked_with_what_is_replaced_after_a_window),
        cmocka_unit_test(a_word_is_replaced_where_it_lies),
        cmocka_unit_test(who_stores_the_same_again_after_done_is_found),
        cmocka_unit_test(an_honest_comparison_has_the_cards_answers_and_nothing_late),
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
