/* cpu_session_test.c - sessions of the CPU device with variants that do what is asked. Real
 * workers, real windows. */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fixtures/session.h"

static int n_open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void window_computes_every_slot_on_both_sides(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "honest", "keeps_state", 1000);
    assert_int_equal(session_open(&r), AISP_OK);
    for (int side = AISP_A; side <= AISP_B; side++) {
        session_fill(&r, (uint32_t)side * 10);
        assert_int_equal(session_right(&r, (enum aisp_side)side, 0), 0);
        assert_int_equal(session_window(&r, (enum aisp_side)side, 4, &w), AISP_OK);
        for (int slot = 0; slot < 4; slot++)
            assert_int_equal(session_right(&r, (enum aisp_side)side, slot), 1000);
        assert_true(w.window_ns >= w.inner_ns && w.inner_ns > 0 && w.gap_ns > 0 && w.start_ns > 0);
        assert_int_equal(r.cpu->inspect(r.session, (enum aisp_side)side, AISP_HASH_ALL, &r.seen, 1), 0);
    }
    session_close(&r);
}

static void window_without_a_spare_core_sleeps_and_computes(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "honest", NULL, 1000);
    r.spec.spin = false;
    assert_int_equal(session_open(&r), AISP_OK);
    for (uint32_t i = 0; i < 20; i++) {
        session_fill(&r, i);
        assert_int_equal(session_window(&r, AISP_A, 9, &w), AISP_OK);
        assert_int_equal(session_right(&r, AISP_A, 3), 1000);
    }
    session_close(&r);
}

static void calls_follow_the_order_and_its_count(void **state)
{
    const int32_t slots[] = { 2, 0 };
    const struct aisp_order order = { slots, 2, 1 };
    struct session_rig r;
    struct aisp_window w = { 0 };

    (void)state;
    session_prepare(&r, "honest", NULL, 64);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(r.cpu->window(r.session, AISP_A, &order, &w, &r.seen, &r.err), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 2), 64);
    assert_int_equal(session_right(&r, AISP_A, 0), 0);
    session_close(&r);
}

/* Of slot 2: elements 64 to 127 of x, by another key. */
static void fill_some(void *context)
{
    struct session_rig *r = context;
    const struct aisp_philox key = { .key = { 77, 78 } };

    assert_int_equal(r->cpu->fill(r->session, 2, X, &key, 64, 64, &r->err), AISP_OK);
}

static void contents_that_come_at_ready_are_what_the_call_sees(void **state)
{
    const int32_t slots[] = { 2 };
    const struct aisp_order order = { .slot = slots, .n = 1, .calls = 3, .ready = fill_some };
    struct session_rig r;
    struct aisp_order with;
    struct aisp_window w = { 0 };
    float before[200], after[200];

    (void)state;
    session_prepare(&r, "honest", NULL, 200);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    memcpy(before, r.cpu->input(r.session, 2, X), sizeof before);
    with = order;
    with.context = &r;
    assert_int_equal(r.cpu->window(r.session, AISP_A, &with, &w, &r.seen, &r.err), AISP_OK);
    memcpy(after, r.cpu->input(r.session, 2, X), sizeof after);
    assert_memory_equal(before, after, 64 * sizeof *before);
    assert_memory_not_equal(before + 64, after + 64, 64 * sizeof *before);
    assert_memory_equal(before + 128, after + 128, 72 * sizeof *before);
    assert_int_equal(session_right(&r, AISP_A, 2), 200);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 0); /* nobody else changed it */
    session_close(&r);
}

static void two_workers_share_one_output(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    float a[64], b[64];

    (void)state;
    session_prepare(&r, "honest", "honest", 64);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_OK);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof a, a, &r.err), AISP_OK);
    assert_int_equal(r.cpu->read(r.session, AISP_B, 0, Y, 0, sizeof b, b, &r.err), AISP_OK);
    assert_memory_equal(a, b, sizeof a);
    session_close(&r);
}

/* Where things lie, as the variant itself sees it: x, y, code, stack. */
static void addresses_of(const struct aisp_key *secret, uint64_t at[2][4])
{
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, "says_addresses", "says_addresses", 1000);
    r.spec.secret = *secret;
    assert_int_equal(session_open(&r), AISP_OK);
    for (int side = AISP_A; side <= AISP_B; side++) {
        assert_int_equal(session_window(&r, (enum aisp_side)side, 1, &w), AISP_OK);
        assert_int_equal(
            r.cpu->read(r.session, (enum aisp_side)side, 0, Y, 0, 32, at[side], &r.err), AISP_OK);
    }
    session_close(&r);
}

static void sides_share_addresses_and_sessions_do_not(void **state)
{
    const struct aisp_key one = { { 1 } }, two = { { 2 } };
    uint64_t first[2][4], second[2][4];

    (void)state;
    addresses_of(&one, first);
    addresses_of(&two, second);
    assert_memory_equal(first[AISP_A], first[AISP_B], sizeof first[AISP_A]);
    for (int i = 0; i < 4; i++)
        assert_int_not_equal(first[AISP_A][i], second[AISP_A][i]);
    assert_int_equal(first[AISP_A][0] % 64, 0);
    assert_int_equal(first[AISP_A][1] % 64, 0);
}

/* Stops this process for 3 ms in every 5, until *end. */
static pid_t disturb(const volatile int *end)
{
    const pid_t victim = getpid(), pid = fork();
    const struct timespec stopped = { 0, 3000000 }, running = { 0, 2000000 };

    if (pid)
        return pid;
    while (!*end) {
        kill(victim, SIGSTOP);
        nanosleep(&stopped, NULL);
        kill(victim, SIGCONT);
        nanosleep(&running, NULL);
    }
    _exit(0);
}

/* A worker that is ready spins for go; if the supervisor is put aside meanwhile, that is not work outside of a window. */
static void a_supervisor_that_is_put_aside_does_not_accuse(void **state)
{
    enum { LATE = 8, WINDOWS = 20000, SPUN_NS = 500000 };
    struct session_rig r;
    struct aisp_window w;
    int *end = mmap(NULL, sizeof *end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int n = 0, n_late = 0, n_busy = 0;
    pid_t pid;

    (void)state;
    session_prepare(&r, "honest", NULL, 1000);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    pid = disturb(end);
    for (; n < WINDOWS && n_late < LATE; n++) {
        assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
        n_late += w.gap_ns > 2000000;
        n_busy += w.idle_ns > SPUN_NS;
    }
    *end = 1;
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    munmap(end, sizeof *end);
    printf("put aside between arm and go: %d of %d windows, %d busy\n", n_late, n, n_busy);
    assert_int_equal(n_late, LATE);
    assert_true(n_busy * 4 < n_late);
    session_close(&r);
}

static void a_part_of_a_tensor_can_be_filled_alone(void **state)
{
    const struct aisp_philox key = session_key(99);
    struct session_rig r;
    float before[256];
    const float *x;

    (void)state;
    session_prepare(&r, "honest", NULL, 256);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    x = r.cpu->input(r.session, 0, X);
    memcpy(before, x, sizeof before);
    assert_int_equal(r.cpu->fill(r.session, 0, X, &key, 64, 64, &r.err), AISP_OK);
    assert_memory_equal(before, x, 64 * sizeof *x);
    assert_memory_not_equal(before + 64, x + 64, 64 * sizeof *x);
    assert_memory_equal(before + 128, x + 128, 128 * sizeof *x);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 0);
    session_close(&r);
}

/* Inputs are made again in parts of 64 Ki floats: refills that begin in one part and end in the next, on planted contents too, are no
 * change, and a change of the last float of a part or of the whole is found. */
static void changed_contents_are_found_in_every_part_of_a_long_input(void **state)
{
    /* So long that several CPUs look through it. */
    enum { PART = 65536, LONG = 35 * PART + 100 };
    static const int64_t changed[] = { 0, PART - 1, PART, 2 * PART + 17, 20 * PART, LONG - 1 };
    const struct aisp_philox one = session_key(50), two = session_key(51);
    const float other = 12345;
    struct session_rig r;
    float *planted = calloc(LONG, sizeof *planted);

    (void)state;
    assert_non_null(planted);
    session_prepare(&r, "honest", NULL, LONG);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(r.cpu->plant(r.session, 1, X, planted, &r.err), AISP_OK);
    for (int slot = 0; slot < 2; slot++) {
        assert_int_equal(r.cpu->fill(r.session, slot, X, &one, PART - 64, 2 * PART, &r.err), AISP_OK);
        assert_int_equal(r.cpu->fill(r.session, slot, X, &two, 2 * PART, LONG - 2 * PART, &r.err), AISP_OK);
    }
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 0);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        const int slot = (int)i % 3;
        float was;

        assert_int_equal(r.cpu->read(r.session, AISP_A, slot, X, (size_t)changed[i] * 4, 4, &was, &r.err), AISP_OK);
        assert_true(r.cpu->overwrite(r.session, AISP_A, slot, X, (size_t)changed[i] * 4, 4, &other));
        assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 1);
        assert_int_equal(r.seen.what, AISP_SEEN_INPUT_CHANGED);
        assert_int_equal(r.seen.slot, slot);
        assert_int_equal(r.seen.element, changed[i]);
        assert_true(r.cpu->overwrite(r.session, AISP_A, slot, X, (size_t)changed[i] * 4, 4, &was));
        assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 0);
    }
    session_close(&r);
    free(planted);
}

static void a_worker_that_sleeps_uses_no_time_and_faults_no_pages(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    int64_t idle_ns = 0, faults = 0;

    (void)state;
    session_prepare(&r, "honest", NULL, 4000);
    assert_int_equal(session_open(&r), AISP_OK);
    for (int i = 0; i < 2; i++) /* of the first, what a process does once is left to be found before the second */
        assert_int_equal(session_window(&r, AISP_A, 50, &w), AISP_OK);
    for (uint32_t i = 0; i < 20; i++) {
        session_fill(&r, i);
        assert_int_equal(session_window(&r, AISP_A, 50, &w), AISP_OK);
        idle_ns += w.idle_ns;
        faults += w.minor_faults + w.major_faults;
    }
    assert_true(idle_ns < 100000);
#if defined(__SANITIZE_THREAD__) /* it writes down each access, in pages that it has not touched before */
    faults = 0;
#endif
    assert_int_equal(faults, 0);
    session_close(&r);
}

static void account_sees_the_process_from_outside(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    struct aisp_account a;

    (void)state;
    session_prepare(&r, "chatters", NULL, 1000);
    assert_int_equal(session_open(&r), AISP_OK);
    assert_int_equal(session_window(&r, AISP_A, 2, &w), AISP_OK);
    r.cpu->account(r.session, AISP_A, &a);
    assert_true(a.cpu_ns > 0 && a.load_ns > 0 && a.setup_ns > 0 && a.peak_rss_bytes > 100000);
    assert_int_equal(a.max_tasks, 1);
    assert_int_equal(a.output_bytes, 12);
    assert_string_equal(a.output, "hello\nhello\n");
    session_close(&r);
}

static void close_leaves_no_process_and_no_file(void **state)
{
    struct session_rig r;
    const int before = n_open_files();

    (void)state;
    for (int i = 0; i < 3; i++) {
        session_prepare(&r, "honest", "keeps_state", 1000);
        assert_int_equal(session_open(&r), AISP_OK);
        session_close(&r);
    }
    assert_int_equal(n_open_files(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void fits_names_what_is_needed_and_what_there_is(void **state)
{
    struct aisp_instance inst;
    struct aisp_err err = { 0 };
    const struct aisp_backend *cpu = aisp_backend_find("cpu");

    (void)state;
    session_instance(&inst, 1000);
    assert_int_equal(cpu->fits(&inst, 4, 2, &err), AISP_OK);
    session_instance(&inst, (int64_t)1 << 45);
    assert_int_equal(cpu->fits(&inst, 4, 2, &err), AISP_E_NO_MEMORY);
    assert_non_null(strstr(err.text, "GiB are available"));
}

static void an_interrupt_ends_a_wait(void **state)
{
    static volatile int stop;
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "hangs", NULL, 64);
    r.spec.stop = &stop;
    assert_int_equal(session_open(&r), AISP_OK);
    stop = 1;
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_INTERRUPTED);
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_computes_every_slot_on_both_sides),
        cmocka_unit_test(window_without_a_spare_core_sleeps_and_computes),
        cmocka_unit_test(calls_follow_the_order_and_its_count),
        cmocka_unit_test(contents_that_come_at_ready_are_what_the_call_sees),
        cmocka_unit_test(two_workers_share_one_output),
        cmocka_unit_test(sides_share_addresses_and_sessions_do_not),
        cmocka_unit_test(a_supervisor_that_is_put_aside_does_not_accuse),
        cmocka_unit_test(a_part_of_a_tensor_can_be_filled_alone),
        cmocka_unit_test(changed_contents_are_found_in_every_part_of_a_long_input),
        cmocka_unit_test(a_worker_that_sleeps_uses_no_time_and_faults_no_pages),
        cmocka_unit_test(account_sees_the_process_from_outside),
        cmocka_unit_test(close_leaves_no_process_and_no_file),
        cmocka_unit_test(fits_names_what_is_needed_and_what_there_is),
        cmocka_unit_test(an_interrupt_ends_a_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
