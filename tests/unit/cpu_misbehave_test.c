/* cpu_misbehave_test.c - variants that misbehave in one way each cost only themselves, and the
 * finding says what they did. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/session.h"

enum { N = 1000 };

/* A sanitizer's shadow is larger than any limit: workers of such a build have none. */
#ifdef AISP_SANITIZED
enum { HAS_MEMORY_LIMIT = 0 };
#else
enum { HAS_MEMORY_LIMIT = 1 };
#endif

/* ThreadSanitizer starts a thread of its own with the first one of a program. */
#if defined(__SANITIZE_THREAD__)
enum { N_SANITIZERS_THREADS = 1 };
#else
enum { N_SANITIZERS_THREADS = 0 };
#endif

static void assert_dies(const char *variant, enum aisp_seen what, double number, const char *words)
{
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, variant, NULL, N);
    r.spec.call_timeout_ns = 300000000;
    r.spec.setup_timeout_ns = 1000000000;
    r.spec.memory_limit_bytes = 64 << 20;
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    if (r.seen.what != what || r.seen.seen != number || !strstr(r.seen.detail, words))
        fail_msg("%s: saw %d, %g, \"%s\"", variant, r.seen.what, r.seen.seen, r.seen.detail);
    session_close(&r);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_store_to_an_input_is_a_fault_that_names_it(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "writes_input", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_SIGNAL);
    assert_int_equal(r.seen.seen, SIGSEGV);
    assert_int_equal(r.seen.tensor, X);
    assert_int_equal(r.seen.slot, 0);
    assert_int_equal(r.seen.element, 5);
    assert_non_null(strstr(r.seen.detail, "(a store), 20 bytes into x of slot 0"));
    session_close(&r);
}

static void the_seal_keeps_inputs_read_only_against_mprotect(void **state)
{
    (void)state;
    assert_dies("unprotects_input", AISP_SEEN_BAD_STATUS, AISP_E_IO, "run()");
}

static void without_read_only_inputs_the_changed_contents_are_found(void **state)
{
    const struct aisp_policy off = { 1u << AISP_READ_ONLY_INPUTS };
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "writes_input", NULL, N);
    r.spec.policy = &off;
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 0);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_ALL, &r.seen, 1), 1);
    assert_int_equal(r.seen.what, AISP_SEEN_INPUT_CHANGED);
    assert_int_equal(r.seen.tensor, X);
    assert_int_equal(r.seen.element, 5);
    session_close(&r);
}

static void writing_far_past_the_end_meets_the_guard(void **state)
{
    (void)state;
    assert_dies("writes_far_past_end", AISP_SEEN_SIGNAL, SIGSEGV,
                "bytes past the end of y of slot 0");
}

/* With 4000 bytes of data the gap is 32 bytes and more, so that one float lands in it. */
static void writing_a_little_past_the_end_breaks_the_canary(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "writes_past_end", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 1);
    assert_int_equal(r.seen.what, AISP_SEEN_CANARY);
    assert_int_equal(r.seen.tensor, Y);
    assert_string_equal(r.seen.detail, "0 bytes past the end of y of slot 0");
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 0);
    session_close(&r);
}

static void writing_before_the_output_breaks_the_canary(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "writes_before", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 1);
    assert_string_equal(r.seen.detail, "4 bytes before y of slot 0");
    session_close(&r);
}

static void without_guards_nothing_is_found_beside_a_buffer(void **state)
{
    const struct aisp_policy off = { 1u << AISP_GUARDS };
    const char *const variants[] = { "writes_before", "writes_past_end" };
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        session_prepare(&r, variants[i], NULL, N);
        r.spec.policy = &off;
        assert_int_equal(session_once(&r, &w), AISP_OK);
        assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 0);
        session_close(&r);
    }
}

static void leaving_is_no_success(void **state)
{
    (void)state;
    assert_dies("leaves", AISP_SEEN_EXIT, 0, "left by itself with code 0");
}

static void an_abort_is_told_as_one(void **state)
{
    (void)state;
    assert_dies("aborts", AISP_SEEN_SIGNAL, SIGABRT, "SIGABRT");
}

static void a_failure_of_its_own_is_told_as_one(void **state)
{
    (void)state;
    assert_dies("fails", AISP_SEEN_BAD_STATUS, AISP_E_DEVICE, "run() returned status");
}

static void assert_hangs(const char *variant, enum aisp_phase phase)
{
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, variant, NULL, N);
    r.spec.call_timeout_ns = r.spec.setup_timeout_ns = 300000000;
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_HANG);
    assert_int_equal(r.seen.phase, phase);
    assert_true(r.seen.seen >= 3e8 && r.seen.seen < 3e9);
    session_close(&r);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_call_that_never_returns_is_ended_on_the_supervisors_clock(void **state)
{
    (void)state;
    assert_hangs("hangs", AISP_PHASE_TIMED);
}

static void a_constructor_that_never_returns_is_ended_too(void **state)
{
    (void)state;
    assert_hangs("hangs_loading", AISP_PHASE_LOAD);
}

/* One window of A, then teardown of both; `how` is what ends_badly does there. How many died of it. */
static int leave(const char *a, const char *b, int64_t how, struct aisp_observation seen[2])
{
    struct session_rig r;
    struct aisp_window w;
    int n;

    session_prepare(&r, a, b, N);
    r.inst.param[1] = how;
    r.inst.n_params = 2;
    r.spec.call_timeout_ns = how == 4 ? 1000000000 : 5000000000;
    assert_int_equal(session_once(&r, &w), AISP_OK);
    n = r.cpu->leave(r.session, seen);
    assert_int_equal(r.cpu->leave(r.session, seen + n), 0);
    session_close(&r);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    return n;
}

static void a_death_in_teardown_is_told_with_its_phase(void **state)
{
    static const struct {
        int64_t how;
        enum aisp_seen what;
        double number;
        const char *words;
    } deaths[] = {
        { 1, AISP_SEEN_SIGNAL, SIGSEGV, "SIGSEGV at 0x40 (a load)" },
        { 2, AISP_SEEN_SIGNAL, SIGABRT, "SIGABRT" },
        { 3, AISP_SEEN_EXIT, 3, "left by itself with code 3" },
        { 4, AISP_SEEN_HANG, 0, "no answer in" },
        { 5, AISP_SEEN_FORBIDDEN_CALL, SYS_clone, "clone" },
    };
    struct aisp_observation seen[3];

    (void)state;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        memset(seen, 0, sizeof seen);
        assert_int_equal(leave("honest", "ends_badly", deaths[i].how, seen), 1);
        assert_int_equal(seen[0].phase, AISP_PHASE_TEARDOWN);
        assert_int_equal(seen[0].side, AISP_B);
        if (seen[0].what != deaths[i].what || !strstr(seen[0].detail, deaths[i].words) ||
            (seen[0].what != AISP_SEEN_HANG && seen[0].seen != deaths[i].number))
            fail_msg("%zu: saw %d, %g, \"%s\"", i, seen[0].what, seen[0].seen, seen[0].detail);
    }
}

static void both_sides_can_die_in_teardown_and_an_orderly_one_is_not_accused(void **state)
{
    struct aisp_observation seen[3];

    (void)state;
    assert_int_equal(leave("ends_badly", "ends_badly", 2, seen), 2);
    assert_int_equal(seen[0].side + seen[1].side, AISP_A + AISP_B);
    assert_int_equal(leave("ends_badly", "keeps_state", 0, seen), 0);
}

static void a_flood_of_words_ends_at_its_limit(void **state)
{
    (void)state;
    assert_dies("floods", AISP_SEEN_OUTPUT_FLOOD, 1 << 20, "printed");
}

static void memory_beyond_the_limit_is_told_as_that(void **state)
{
    (void)state;
    if (!HAS_MEMORY_LIMIT)
        skip();
    assert_dies("eats_memory", AISP_SEEN_MEMORY, 64 << 20, "64.0 MiB");
}

/* As if the file had been exchanged after its declaration was read. */
static void assert_refused(const char *variant, const char *words)
{
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, "honest", NULL, N);
    free(r.ref[0].path);
    r.ref[0].path = aisp_format("%s/fixtures/%s.so", BUILD_DIR, variant);
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_REFUSED);
    assert_int_equal(r.seen.phase, AISP_PHASE_LOAD);
    assert_non_null(strstr(r.seen.detail, words));
    session_close(&r);
}

static void what_is_no_variant_is_refused_with_the_reason(void **state)
{
    (void)state;
    assert_refused("of_other_abi", "another version");
    assert_refused("without_symbol", "aisp_variant");
}

static void forks_end_the_worker(void **state)
{
    (void)state;
    assert_dies("forks", AISP_SEEN_FORBIDDEN_CALL, SYS_clone, "clone");
}

static void a_handler_cannot_hide_a_forbidden_call(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "catches_forbidden", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_FORBIDDEN_CALL);
    session_close(&r);
}

static void programs_are_not_started(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "starts_program", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_FORBIDDEN_CALL);
    session_close(&r);
}

/* The answer of a call that did not end the worker goes to *answer. */
static enum aisp_status call(struct session_rig *r, const int64_t number_and_arguments[4],
                             int64_t *answer)
{
    struct aisp_window w;
    enum aisp_status st;

    session_prepare(r, "calls_forbidden", NULL, N);
    memcpy(&r->inst.param[1], number_and_arguments, 4 * sizeof(int64_t));
    r->inst.n_params = 5;
    st = session_once(r, &w);
    if (st == AISP_OK)
        r->cpu->read(r->session, AISP_A, 0, Y, 0, sizeof *answer, answer, &r->err);
    session_close(r);
    return st;
}

static void calls_that_reach_outside_end_the_worker_by_name(void **state)
{
    const struct {
        int64_t call[4];
        const char *name;
    } forbidden[] = {
        { { SYS_kill, getpid(), 0 }, "kill" },
        { { SYS_kill, -1, 0 }, "kill" },
        { { SYS_tgkill, getpid(), getpid(), 0 }, "tgkill" },
        { { SYS_ptrace, 16, getpid() }, "ptrace" },
        { { SYS_process_vm_readv, getpid() }, "process_vm_readv" },
        { { SYS_sched_setscheduler, 0, 1 }, "sched_setscheduler" },
        { { SYS_setpriority, 0, 0, -5 }, "setpriority" },
        { { SYS_clock_settime, 0, 0 }, "clock_settime" },
        { { SYS_perf_event_open, 0, 0 }, "perf_event_open" },
        { { SYS_bpf, 0, 0 }, "bpf" },
        { { SYS_unshare, 0 }, "unshare" },
        { { SYS_setsid }, "setsid" },
        { { SYS_socket, AF_INET, SOCK_STREAM }, "socket" },
        { { SYS_execve, 0, 0 }, "execve" },
        { { SYS_prlimit64, getpid(), 0 }, "prlimit64" },
        { { SYS_userfaultfd, 0 }, "userfaultfd" },
        { { SYS_remap_file_pages, 0, 4096, 0 }, "remap_file_pages" },
        { { SYS_clone, SIGCHLD }, "clone" },
    };
    struct session_rig r;
    int64_t answer;

    (void)state;
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        assert_int_equal(call(&r, forbidden[i].call, &answer), AISP_E_WORKER);
        assert_int_equal(r.seen.what, AISP_SEEN_FORBIDDEN_CALL);
        assert_int_equal(r.seen.seen, forbidden[i].call[0]);
        assert_string_equal(r.seen.detail, forbidden[i].name);
    }
}

static void calls_that_libraries_need_are_answered(void **state)
{
    const struct {
        int64_t call[4], answer;
    } answered[] = {
        { { SYS_clone3, 0, 0 }, -1 }, /* no such call: libc falls back on clone */
        { { SYS_io_uring_setup, 1, 0 }, -1 },
        { { SYS_socket, AF_UNIX, SOCK_STREAM }, -1 }, /* permission denied */
        { { SYS_kill, 0x7fffffff, 0 }, -2 },          /* -2: must not be answered */
        { { SYS_sched_yield }, 0 },
        { { SYS_getuid }, 65534 },
    };
    struct session_rig r;
    int64_t answer = 0;

    (void)state;
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++) {
        if (answered[i].call[0] == SYS_getuid && geteuid() != 0)
            continue;
        assert_int_equal(call(&r, answered[i].call, &answer),
                         answered[i].answer == -2 ? AISP_E_WORKER : AISP_OK);
        if (answered[i].answer != -2)
            assert_int_equal(answer, answered[i].answer);
    }
}

static void without_confinement_the_same_fork_gets_through(void **state)
{
    const struct aisp_policy off = { 1u << AISP_CONFINEMENT };
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "starts_program", NULL, N);
    r.spec.policy = &off;
    assert_int_equal(session_once(&r, &w), AISP_OK);
    session_close(&r);
}

static void files_of_others_cannot_be_read_and_none_can_be_written(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    struct aisp_account a;
    int64_t y[3];

    (void)state;
    session_prepare(&r, "opens_file", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_OK);
    r.cpu->account(r.session, AISP_A, &a);
    session_close(&r);
    if (strstr(a.output, "no Landlock"))
        skip();
    assert_int_equal(y[0], -EACCES);
    assert_int_equal(y[1], -EACCES);
    assert_true(y[2] >= 0);
    assert_int_equal(access("/tmp/aisp-fixture-wrote-this", F_OK), -1);
}

static void an_undeclared_thread_is_counted(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "late_thread", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1), 1);
    assert_int_equal(r.seen.what, AISP_SEEN_EXTRA_THREADS);
    assert_int_equal(r.seen.seen, 2 + N_SANITIZERS_THREADS);
    session_close(&r);
}

static void a_late_writer_changes_what_was_read_at_the_stop(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    int64_t at_stop, later = 0;

    (void)state;
    session_prepare(&r, "late_thread", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    at_stop = session_right(&r, AISP_A, 0);
    for (int i = 0; i < 200000 && later < N; i++)
        later = session_right(&r, AISP_A, 0);
    assert_int_equal(at_stop, 0);
    assert_int_equal(later, N);
    session_close(&r);
}

static void time_used_between_windows_is_accounted(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    int64_t idle_ns = 0;

    (void)state;
    session_prepare(&r, "burns_outside", NULL, N);
    assert_int_equal(session_open(&r), AISP_OK);
    for (uint32_t i = 0; i < 20; i++) {
        for (int j = 0; j < 100; j++)
            session_fill(&r, i);
        assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_OK);
        idle_ns += w.idle_ns;
    }
    assert_true(idle_ns > 1000000);
    assert_int_equal(r.cpu->inspect(r.session, AISP_A, AISP_HASH_NOTHING, &r.seen, 1),
                     0); /* threads are declared */
    session_close(&r);
}

static void words_of_a_worker_hold_no_control_characters(void **state)
{
    (void)state;
    assert_dies("says_escapes", AISP_SEEN_REFUSED, AISP_E_REFUSED, "?]0;title?");
}

/* Not all: a window that the supervisor saw end late hides as much as it is longer. */
static void assert_busy_outside(const char *variant, int64_t least_ns)
{
    enum { WINDOWS = 21, LEAST_BUSY = 3 };
    struct session_rig r;
    struct aisp_window w;
    int n_busy = 0;

    session_prepare(&r, variant, NULL, N);
    assert_int_equal(session_open(&r), AISP_OK);
    for (uint32_t i = 0; i < WINDOWS; i++) {
        session_fill(&r, i);
        assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_OK);
        n_busy += i && w.idle_ns > least_ns;
    }
    if (n_busy < LEAST_BUSY)
        fail_msg("%s: busy outside of %d of %d windows", variant, n_busy, WINDOWS - 1);
    session_close(&r);
}

static void work_after_an_early_done_is_accounted(void **state)
{
    (void)state;
    assert_busy_outside("done_early", 1000000);
}

/* Nothing is left for it of what waking might have cost. */
static void a_little_work_after_an_early_done_is_too(void **state)
{
    (void)state;
    assert_busy_outside("done_a_little_early", 20000);
}

static void work_between_arm_and_go_is_accounted(void **state)
{
    (void)state;
    assert_busy_outside("works_before_go", 1000000);
}

static void an_answer_that_makes_no_sense_ends_the_worker(void **state)
{
    (void)state;
    assert_dies("answers_early", AISP_SEEN_PROTOCOL, 0, "not asked");
}

static void the_other_worker_of_a_pair_lives_on(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "honest", "writes_input", N);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 1);
    assert_int_equal(session_window(&r, AISP_B, 1, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.side, AISP_B);
    assert_int_equal(session_window(&r, AISP_B, 1, &w), AISP_E_WORKER);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 0), N);
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_to_an_input_is_a_fault_that_names_it),
        cmocka_unit_test(the_seal_keeps_inputs_read_only_against_mprotect),
        cmocka_unit_test(without_read_only_inputs_the_changed_contents_are_found),
        cmocka_unit_test(writing_far_past_the_end_meets_the_guard),
        cmocka_unit_test(writing_a_little_past_the_end_breaks_the_canary),
        cmocka_unit_test(writing_before_the_output_breaks_the_canary),
        cmocka_unit_test(without_guards_nothing_is_found_beside_a_buffer),
        cmocka_unit_test(leaving_is_no_success),
        cmocka_unit_test(an_abort_is_told_as_one),
        cmocka_unit_test(a_failure_of_its_own_is_told_as_one),
        cmocka_unit_test(a_call_that_never_returns_is_ended_on_the_supervisors_clock),
        cmocka_unit_test(a_constructor_that_never_returns_is_ended_too),
        cmocka_unit_test(a_death_in_teardown_is_told_with_its_phase),
        cmocka_unit_test(both_sides_can_die_in_teardown_and_an_orderly_one_is_not_accused),
        cmocka_unit_test(a_flood_of_words_ends_at_its_limit),
        cmocka_unit_test(memory_beyond_the_limit_is_told_as_that),
        cmocka_unit_test(what_is_no_variant_is_refused_with_the_reason),
        cmocka_unit_test(forks_end_the_worker),
        cmocka_unit_test(a_handler_cannot_hide_a_forbidden_call),
        cmocka_unit_test(programs_are_not_started),
        cmocka_unit_test(calls_that_reach_outside_end_the_worker_by_name),
        cmocka_unit_test(calls_that_libraries_need_are_answered),
        cmocka_unit_test(without_confinement_the_same_fork_gets_through),
        cmocka_unit_test(files_of_others_cannot_be_read_and_none_can_be_written),
        cmocka_unit_test(an_undeclared_thread_is_counted),
        cmocka_unit_test(a_late_writer_changes_what_was_read_at_the_stop),
        cmocka_unit_test(time_used_between_windows_is_accounted),
        cmocka_unit_test(words_of_a_worker_hold_no_control_characters),
        cmocka_unit_test(work_after_an_early_done_is_accounted),
        cmocka_unit_test(a_little_work_after_an_early_done_is_too),
        cmocka_unit_test(work_between_arm_and_go_is_accounted),
        cmocka_unit_test(an_answer_that_makes_no_sense_ends_the_worker),
        cmocka_unit_test(the_other_worker_of_a_pair_lives_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
