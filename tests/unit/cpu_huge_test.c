/* cpu_huge_test.c - outputs and inputs on huge pages, which are the memory of one worker: the judge reaches them through its process. */
#include <errno.h>
#include <stdlib.h>

#include "tests/fixtures/lacking.h"
#include "tests/fixtures/session.h"

enum { N = 1000 };

static void huge_pages_are_one_sides_own_and_compute_the_same(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "honest", "honest_huge", 300000);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 3);
    assert_int_equal(session_window(&r, AISP_B, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_B, 2), 300000);
    assert_int_equal(session_right(&r, AISP_A, 2), 0);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 2), 300000);
    assert_int_equal(r.cpu->inspect(r.session, AISP_B, AISP_HASH_ALL, &r.seen, 1), 0);
    session_close(&r);
}

/* One side's own memory or not: the next reading finds the word, and the other side's is not touched where it has its own. */
static void a_word_of_an_output_is_overwritten_where_its_side_has_it(void **state)
{
    const float word = 77, other = 78;
    struct session_rig r;
    struct aisp_window w;
    float is;

    (void)state;
    session_prepare(&r, "honest", "honest_huge", 300000);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 3);
    for (int side = AISP_A; side <= AISP_B; side++)
        assert_int_equal(session_window(&r, (enum aisp_side)side, 4, &w), AISP_OK);
    assert_true(r.cpu->overwrite(r.session, AISP_A, 1, Y, 400, sizeof word, &word));
    assert_true(r.cpu->overwrite(r.session, AISP_B, 1, Y, 400, sizeof other, &other));
    assert_int_equal(r.cpu->read(r.session, AISP_A, 1, Y, 400, sizeof is, &is, &r.err), AISP_OK);
    assert_float_equal(is, word, 0);
    assert_int_equal(r.cpu->read(r.session, AISP_B, 1, Y, 400, sizeof is, &is, &r.err), AISP_OK);
    assert_float_equal(is, other, 0);
    session_close(&r);
}

static void huge_pages_taken_away_cost_only_the_worker(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    float y[4];

    (void)state;
    session_prepare(&r, "unmaps_huge", "honest", N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_OK);
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_PROTOCOL);
    assert_non_null(strstr(r.seen.detail, "huge pages"));
    assert_int_equal(session_window(&r, AISP_B, 1, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_B, 0), N);
    session_close(&r);
}

/* So that a word of its output cannot be overwritten while a window runs. */
static void who_hides_an_output_from_the_judge_is_ended(void **state)
{
    const float word = 1;
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "unmaps_huge", "honest", N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_false(r.cpu->overwrite(r.session, AISP_A, 0, Y, 0, sizeof word, &word));
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_WORKER);
    assert_non_null(strstr(r.seen.detail, "huge pages"));
    session_close(&r);
}

/* What a child saw: of a session that it could open, a window of B, what was right, what was said. */
struct seen {
    bool can_walk; /* to where this was built */
    enum aisp_status open, window;
    int64_t right;
    struct aisp_observation what;
    char output[256];
};

static void look(const char *variant, struct seen *seen)
{
    struct aisp_account account;
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, "honest", variant, N);
    seen->open = session_open(&r);
    if (seen->open == AISP_OK) {
        session_fill(&r, 3);
        seen->window = session_window(&r, AISP_B, 4, &w);
        seen->right = session_right(&r, AISP_B, 2);
        r.cpu->account(r.session, AISP_B, &account);
        memcpy(seen->output, account.output, sizeof seen->output);
    }
    seen->what = r.seen;
    session_close(&r);
}

static void where_huge_pages_cannot_be_written_ordinary_ones_serve(void **state)
{
    struct seen *seen = lacking_shared(sizeof *seen);
    pid_t pid;

    (void)state;
    assert_non_null(seen);
    pid = fork();
    if (pid == 0) {
        if (!lacking_take_away(SYS_process_vm_writev, EPERM))
            _exit(1);
        look("honest_huge", seen);
        _exit(0);
    }
    assert_true(lacking_wait(pid));
    assert_int_equal(seen->open, AISP_OK);
    assert_int_equal(seen->window, AISP_OK);
    assert_int_equal(seen->right, N);
    assert_non_null(strstr(seen->output, "ordinary pages"));
}

/* Root sees everybody. */
static void who_hides_its_memory_from_the_judge_costs_only_itself(void **state)
{
    enum { NOBODY = 65534 };
    struct seen *seen = lacking_shared(sizeof *seen);
    pid_t pid;

    (void)state;
    assert_non_null(seen);
    pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY))
            _exit(1);
        seen->can_walk = access(BUILD_DIR "/aisp-worker", X_OK) == 0;
        if (seen->can_walk)
            look("hides_memory", seen);
        _exit(0);
    }
    assert_true(lacking_wait(pid));
    if (!seen->can_walk)
        skip();
    assert_int_equal(seen->open, AISP_E_WORKER);
    assert_int_equal(seen->what.side, AISP_B);
    assert_int_equal(seen->what.what, AISP_SEEN_PROTOCOL);
    assert_non_null(strstr(seen->what.detail, "hid"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(huge_pages_are_one_sides_own_and_compute_the_same),
        cmocka_unit_test(a_word_of_an_output_is_overwritten_where_its_side_has_it),
        cmocka_unit_test(huge_pages_taken_away_cost_only_the_worker),
        cmocka_unit_test(who_hides_an_output_from_the_judge_is_ended),
        cmocka_unit_test(where_huge_pages_cannot_be_written_ordinary_ones_serve),
        cmocka_unit_test(who_hides_its_memory_from_the_judge_costs_only_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
