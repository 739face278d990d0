/* nvml_test.c - the supervisor's own path to a management library, with the fake one in its place
 * (tests/fake_nvml); and what is said where there is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/nvml.h"

static char *fake;

static void use(const char *script)
{
    char *path = aisp_format(TESTS_DIR "/fake_nvml/scripts/%s", script);

    aisp_nvml_set_library(fake);
    setenv("FAKE_NVML_SCRIPT", path, 1);
    free(path);
}

static void a_steady_card_says_who_it_is_and_how_it_stands(void **state)
{
    const struct aisp_watch_mark mark = { 3, 2, 1 };
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("steady");
    w = aisp_watch_open(&c, "0");
    assert_non_null(w);
    aisp_watch_begin(w, &mark);
    aisp_watch_end(w);
    aisp_watch_close(w);
    assert_string_equal(c.name, "NVIDIA H100 80GB HBM3");
    assert_string_equal(c.driver, "580.82.07");
    assert_int_equal(c.compute, 90);
    assert_int_equal(c.ecc, 1);
    assert_int_equal(c.n_cards, 2);
    assert_int_equal(c.limit_default_mw, 700000);
    assert_int_equal(c.energy_mj, 0);
    assert_int_equal(c.n_blocks, 1);
    assert_int_equal(c.block[0].pair, 3);
    assert_int_equal(c.block[0].block, 2);
    assert_int_equal(c.block[0].side, 1);
    assert_true(c.block[0].n >= 1);
    assert_int_equal(c.block[0].sm_mhz_low, 1980);
    assert_int_equal(c.block[0].celsius_high, 54);
    assert_int_equal(c.busy_high, 97);
    assert_int_equal(c.elsewhere_busy_high, 0);
    aisp_card_release(&c);
}

static void samples_go_to_the_block_they_were_taken_in(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("throttle");
    w = aisp_watch_open(&c, "0");
    for (int block = 0; block < 120; block++) {
        const struct aisp_watch_mark mark = { 0, block, (int8_t)(block % 2) };

        aisp_watch_begin(w, &mark);
        aisp_watch_end(w);
    }
    aisp_watch_close(w);
    assert_int_equal(c.n_blocks, 120);
    assert_int_equal(c.block[0].reasons, 0);
    assert_int_equal(c.block[119].reasons, AISP_CARD_THERMAL_HARDWARE);
    assert_int_equal(c.block[119].sm_mhz_high, 1410);
    aisp_card_release(&c);
}

enum { NO_PAIR = -1 };

static void watch_for(struct aisp_watch *w, int32_t pair, int32_t block, int64_t calls, long ms)
{
    const struct timespec nap = { 0, ms * 1000000 };

    aisp_watch_begin(w, &(struct aisp_watch_mark){ pair, block, 0, calls });
    nanosleep(&nap, NULL);
    aisp_watch_end(w);
}

/* 431 W, in steps of 2 ms. */
static void energy_is_known_of_windows_that_are_many_of_the_counters_steps_long(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_card_energy sum;
    struct aisp_watch *w;
    int64_t step_ns;

    (void)state;
    use("metered");
    w = aisp_watch_open(&c, "0");
    watch_for(w, NO_PAIR, 0, 7, 400);
    watch_for(w, NO_PAIR, 0, 7, 400);
    watch_for(w, NO_PAIR, 1, 1, 5);
    watch_for(w, 3, 0, 9, 400);
    step_ns = aisp_watch_energy_step(w); /* on a crowded machine some are missed, and it is said to be longer */
    aisp_watch_close(w);
    assert_in_range(step_ns, 1900000, 19000000);
    assert_int_equal(c.energy_step_ns, step_ns);
    assert_int_equal(c.block[0].n_windows, 2);
    assert_int_equal(c.block[0].calls, 14);
    assert_true(c.block[0].ns >= 800000000);
    assert_true(fabs(1e-3 * (double)c.block[0].energy_mj - 431e-9 * (double)c.block[0].ns) < 0.1 * 431 * 0.8);
    assert_int_equal(c.block[1].energy_mj, -1); /* two or three steps */
    assert_true(c.block[2].energy_mj > 0); /* known, and not of a call: it may be a control's, or another size's */
    sum = aisp_card_energy(&c, 0);
    assert_int_equal(sum.calls, 14);
    assert_int_equal(sum.mj, c.block[0].energy_mj);
    assert_int_equal(aisp_card_energy(&c, 1).n_windows, 0);
    aisp_card_release(&c);
}

static void without_known_steps_no_energy_is_known(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("metered"); /* nobody looked for them */
    w = aisp_watch_open(&c, "0");
    watch_for(w, NO_PAIR, 0, 1, 100);
    aisp_watch_close(w);
    assert_int_equal(c.energy_step_ns, -1);
    assert_int_equal(c.block[0].energy_mj, -1);
    aisp_card_release(&c);
    use("steady"); /* there are none */
    w = aisp_watch_open(&c, "0");
    watch_for(w, NO_PAIR, 0, 1, 100);
    assert_int_equal(aisp_watch_energy_step(w), -1);
    aisp_watch_close(w);
    assert_int_equal(c.block[0].energy_mj, -1);
    assert_int_equal(aisp_watch_energy_step(NULL), -1);
    aisp_card_release(&c);
}

static void an_instance_is_watched_by_the_card_whose_part_it_is(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("instance");
    w = aisp_watch_open(&c, "MIG-faceface-0000-0000-0000-000000000000");
    assert_non_null(w);
    aisp_watch_close(w);
    assert_string_equal(c.uuid, "GPU-22222222-0000-0000-0000-000000000000");
    aisp_card_release(&c);
    assert_null(aisp_watch_open(&c, "MIG-00000000-0000-0000-0000-000000000000"));
    aisp_card_release(&c);
}

static void a_card_is_found_by_its_uuid_and_only_by_its_own(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("steady");
    w = aisp_watch_open(&c, "GPU-22222222-0000-0000-0000-000000000000");
    assert_non_null(w);
    aisp_watch_close(w);
    assert_string_equal(c.uuid, "GPU-22222222-0000-0000-0000-000000000000");
    assert_int_equal(c.limit_default_mw, -1);
    aisp_card_release(&c);
    assert_null(aisp_watch_open(&c, "GPU-2"));
    assert_string_equal(c.unknown, "the machine has no card of that index or UUID");
    aisp_card_release(&c);
    assert_null(aisp_watch_open(&c, "2"));
    aisp_card_release(&c);
}

/* The judge of the card's memory is a child of the supervisor; whoever else is there disturbs. */
static void the_supervisor_and_its_children_are_no_strangers_on_the_card(void **state)
{
    const pid_t child = fork();
    struct aisp_card c = { 0 };
    char *listed;

    (void)state;
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_true(child > 0);
    use("crowded");
    listed = aisp_format("%d,%d,%d", (int)child, (int)getpid(), (int)getppid());
    setenv("FAKE_NVML_PROCESSES", listed, 1);
    aisp_watch_close(aisp_watch_open(&c, "0"));
    unsetenv("FAKE_NVML_PROCESSES");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    free(listed);
    assert_int_equal(c.n_processes, 2);
    aisp_card_release(&c);
}

static void a_card_that_is_lost_is_no_card_afterwards_and_keeps_what_was_seen(void **state)
{
    struct aisp_card c = { 0 };
    struct aisp_watch *w;

    (void)state;
    use("lost");
    w = aisp_watch_open(&c, "0");
    assert_non_null(w);
    for (int block = 0; block < 20; block++) {
        const struct aisp_watch_mark mark = { 0, block, 0 };

        aisp_watch_begin(w, &mark);
        aisp_watch_end(w);
    }
    aisp_watch_close(w);
    assert_string_equal(c.uuid, "GPU-11111111-0000-0000-0000-000000000000");
    assert_string_equal(c.uuid_after, "");
    assert_string_equal(c.name_after, "");
    assert_int_equal(c.energy_mj, -1);
    assert_int_equal(c.block[0].sm_mhz_low, 1980);
    assert_int_equal(c.block[19].sm_mhz_low, -1);
    assert_int_equal(c.block[19].power_mw_high, -1);
    aisp_card_release(&c);
}

static void without_a_library_or_a_driver_one_line_says_so(void **state)
{
    struct aisp_card c = { 0 };

    (void)state;
    aisp_nvml_set_library("/nowhere/libnvidia-ml.so.1");
    assert_null(aisp_watch_open(&c, "0"));
    assert_non_null(strstr(c.unknown, "there is no NVIDIA management library"));
    aisp_watch_begin(NULL, NULL);
    aisp_watch_end(NULL);
    aisp_watch_close(NULL);
    aisp_card_release(&c);
    use("nowhere");
    assert_null(aisp_watch_open(&c, "0"));
    assert_non_null(strstr(c.unknown, "finds no driver"));
    aisp_card_release(&c);
}

/* As it was written when windows had no energy. */
static void make_old(json_t *json)
{
    json_t *block = json_array_get(json_object_get(json, "blocks"), 0);

    json_object_del(json, "energy_step_ns");
    json_object_del(block, "n_windows");
    json_object_del(block, "calls");
    json_object_del(block, "ns");
    json_object_del(block, "energy_mj");
}

static void a_card_survives_json_and_none_is_none(void **state)
{
    const struct aisp_watch_mark mark = { 1, 0, 0 };
    struct aisp_card c = { 0 }, back = { 0 };
    struct aisp_watch *w;
    json_t *json;

    (void)state;
    assert_null(aisp_card_to_json(&c));
    assert_int_equal(aisp_card_from_json(NULL, &back, NULL), AISP_OK);
    assert_false(back.asked);
    use("warm");
    w = aisp_watch_open(&c, "0");
    aisp_watch_begin(w, &mark);
    aisp_watch_end(w);
    aisp_watch_close(w);
    json = aisp_card_to_json(&c);
    assert_int_equal(aisp_card_from_json(json, &back, NULL), AISP_OK);
    assert_int_equal(back.n_blocks, 1);
    assert_memory_equal(back.block, c.block, sizeof *c.block);
    assert_string_equal(back.uuid_after, c.uuid);
    assert_int_equal(back.limit_default_mw, 600000);
    aisp_card_release(&back);
    make_old(json);
    assert_int_equal(aisp_card_from_json(json, &back, NULL), AISP_OK);
    json_decref(json);
    assert_int_equal(back.energy_step_ns, -1);
    assert_int_equal(back.block[0].energy_mj, -1);
    assert_int_equal(aisp_card_energy(&back, 1).n_windows, 0);
    aisp_card_release(&back);
    aisp_card_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_card_says_who_it_is_and_how_it_stands),
        cmocka_unit_test(samples_go_to_the_block_they_were_taken_in),
        cmocka_unit_test(energy_is_known_of_windows_that_are_many_of_the_counters_steps_long),
        cmocka_unit_test(without_known_steps_no_energy_is_known),
        cmocka_unit_test(an_instance_is_watched_by_the_card_whose_part_it_is),
        cmocka_unit_test(a_card_is_found_by_its_uuid_and_only_by_its_own),
        cmocka_unit_test(the_supervisor_and_its_children_are_no_strangers_on_the_card),
        cmocka_unit_test(a_card_that_is_lost_is_no_card_afterwards_and_keeps_what_was_seen),
        cmocka_unit_test(without_a_library_or_a_driver_one_line_says_so),
        cmocka_unit_test(a_card_survives_json_and_none_is_none),
    };
    int failed;

    fake = aisp_xstrdup(BUILD_DIR "/selftest/nvml/libnvidia-ml.so.1");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(fake);
    return failed;
}
