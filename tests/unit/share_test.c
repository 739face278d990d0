/* share_test.c - every item of a shared piece is done once, whatever the number of CPUs. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/share.h"
#include "core/judge/fill_inside.h"

enum { MOST = 1000 };

struct seen {
    atomic_int n_done[MOST], n_parts, n_odd;
    int64_t least, n;
};

static void note(void *context, int64_t first, int64_t n)
{
    struct seen *seen = context;

    seen->n_parts++;
    seen->n_odd += first % seen->least != 0 || (n % seen->least != 0 && first + n != seen->n);
    for (int64_t i = first; i < first + n; i++)
        seen->n_done[i]++;
}

static void check(int64_t n, int64_t least, int most_parts)
{
    static struct seen seen;

    memset(&seen, 0, sizeof seen);
    seen.least = least;
    seen.n = n;
    aisp_share(n, least, note, &seen);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(seen.n_done[i], i < n);
    assert_int_equal(seen.n_odd, 0);
    assert_true(seen.n_parts <= most_parts);
}

static void every_item_is_done_once(void **unused)
{
    (void)unused;
    check(0, 10, 0);
    check(1, 10, 1);
    check(10, 10, 1);
    check(11, 10, 2);
    check(999, 10, 8);
    check(MOST, 1, 8);
}

struct who {
    pid_t thread[MOST];
    atomic_int n;
};

static void note_thread(void *context, int64_t first, int64_t n)
{
    struct who *who = context;

    (void)first;
    (void)n;
    who->thread[who->n++] = gettid();
}

/* A thread that ends has the kernel clean up behind it on its CPU, beside what is timed there some milliseconds later. */
static void helpers_are_kept_from_piece_to_piece(void **unused)
{
    static struct who who;
    cpu_set_t place;
    int n_threads = 0;

    (void)unused;
    assert_int_equal(sched_getaffinity(0, sizeof place, &place), 0);
    for (int i = 0; i < 100; i++)
        aisp_share(2, 1, note_thread, &who);
    for (int i = 0; i < who.n; i++) {
        bool is_new = true;

        for (int k = 0; k < i; k++)
            is_new &= who.thread[k] != who.thread[i];
        n_threads += is_new;
    }
    assert_int_equal(n_threads, CPU_COUNT(&place) > 1 ? 2 : 1);
}

static void a_child_has_helpers_of_its_own(void **unused)
{
    int status = -1;
    pid_t child;

    (void)unused;
#if defined(__SANITIZE_THREAD__) /* it ends a child of several threads that starts one */
    skip();
#endif
    check(MOST, 1, 8);
    child = fork();
    if (child == 0) {
        alarm(10);
        check(MOST, 1, 8);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void one_cpu_is_one_part(void **unused)
{
    cpu_set_t before, one;

    (void)unused;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    check(MOST, 1, 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* Beyond what one CPU fills or poisons alone, and a little more. */
static void several_cpus_make_what_one_makes(void **unused)
{
    enum { MANY = 7 * (1 << 20) + 331 };
    const struct aisp_philox key = { { 1, 2 }, { 3, 4 } };
    const struct aisp_filling what = { { AISP_NORMAL, 3, 0.5 }, AISP_F32, MANY, key };
    float *alone = malloc(MANY * sizeof *alone), *shared = malloc(MANY * sizeof *shared);

    (void)unused;
    aisp_fill_by(AISP_PORTABLE, &what, alone, 128, MANY - 128);
    aisp_fill(&what, shared, 128, MANY - 128);
    assert_memory_equal(alone + 128, shared + 128, (MANY - 128) * sizeof *alone);
    aisp_poison(shared, MANY * sizeof *shared, AISP_F32, &key);
    for (int64_t i = 0; i < MANY; i++)
        if (!aisp_is_poison(shared, i, AISP_F32, &key))
            fail_msg("element %lld is not the poison", (long long)i);
    free(alone);
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(helpers_are_kept_from_piece_to_piece),
        cmocka_unit_test(a_child_has_helpers_of_its_own),
        cmocka_unit_test(one_cpu_is_one_part),
        cmocka_unit_test(several_cpus_make_what_one_makes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
