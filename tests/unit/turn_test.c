/* turn_test.c - one at a time: a second one waits, and whoever is killed leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/turn.h"

static char name[32];
static const int64_t LONG_NS = 10000000000;

static void a_turn_is_held_by_one(void **unused)
{
    const int first = aisp_turn_take(name, 0, NULL);

    (void)unused;
    assert_true(first >= 0);
    assert_int_equal(aisp_turn_take(name, 0, NULL), -1);
    aisp_turn_give(first);
}

static void a_turn_that_was_given_back_can_be_taken(void **unused)
{
    int turn = aisp_turn_take(name, 0, NULL);

    (void)unused;
    aisp_turn_give(turn);
    turn = aisp_turn_take(name, 0, NULL);
    assert_true(turn >= 0);
    aisp_turn_give(turn);
}

static void another_name_is_another_turn(void **unused)
{
    const int one = aisp_turn_take(name, 0, NULL), two = aisp_turn_take("turn-test-two", 0, NULL);

    (void)unused;
    assert_true(one >= 0 && two >= 0);
    aisp_turn_give(one);
    aisp_turn_give(two);
}

static void whoever_waits_gets_it_when_the_holder_is_killed(void **unused)
{
    int told[2], turn;
    char held;
    pid_t pid;

    (void)unused;
    assert_int_equal(pipe(told), 0);
    pid = fork();
    if (pid == 0) {
        held = aisp_turn_take(name, 0, NULL) >= 0;
        if (write(told[1], &held, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(told[0], &held, 1), 1);
    assert_true(held);
    assert_int_equal(aisp_turn_take(name, 0, NULL), -1);
    kill(pid, SIGKILL);
    turn = aisp_turn_take(name, LONG_NS, NULL);
    assert_true(turn >= 0);
    aisp_turn_give(turn);
    waitpid(pid, NULL, 0);
    close(told[0]);
    close(told[1]);
}

static void an_interrupt_ends_the_waiting(void **unused)
{
    const int first = aisp_turn_take(name, 0, NULL);
    const volatile int stop = 1;
    const int64_t start_ns = aisp_now_ns();

    (void)unused;
    assert_int_equal(aisp_turn_take(name, LONG_NS, &stop), -1);
    assert_true(aisp_now_ns() - start_ns < LONG_NS / 2);
    aisp_turn_give(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_held_by_one),
        cmocka_unit_test(a_turn_that_was_given_back_can_be_taken),
        cmocka_unit_test(another_name_is_another_turn),
        cmocka_unit_test(whoever_waits_gets_it_when_the_holder_is_killed),
        cmocka_unit_test(an_interrupt_ends_the_waiting),
    };

    snprintf(name, sizeof name, "turn-test-%d", (int)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
