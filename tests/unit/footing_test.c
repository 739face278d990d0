/* footing_test.c - what is read of a worker from outside: on roots made here, and of this process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/fake_root.h"
#include "core/footing.h"
#include "core/host.h"

static void this_process_stands_as_it_was_started(void **state)
{
    struct aisp_footing f = { 0 };

    (void)state;
    aisp_footing_look(&f, "/", getpid(), true);
    assert_int_equal(f.n_looks, 1);
    assert_int_equal(f.nice_low, getpriority(PRIO_PROCESS, 0));
    assert_int_equal(f.nice_high, f.nice_given);
    assert_int_equal(f.policy, 0);
    assert_true(f.data_bytes > 0 && f.resident_bytes > 0 && f.peak_bytes >= f.resident_bytes);
}

static void a_thread_with_its_own_niceness_is_seen_whatever_its_name(void **state)
{
    struct aisp_footing f = { 0 };

    put(*state, "/proc/7/status", "Name:\tw\nTracerPid:\t0\n");
    put(*state, "/proc/7/task/7/stat",
        "7 (a) S 1 (b)) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0\n");
    put(*state, "/proc/7/task/8/stat",
        "8 (w) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 10 -10 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 "
        "5 1\n");
    aisp_footing_look(&f, *state, 7, true);
    assert_int_equal(f.nice_low, -10);
    assert_int_equal(f.nice_high, 0);
    f = (struct aisp_footing){ 0 };
    aisp_footing_look(&f, *state, 7, false);
    assert_int_equal(f.nice_low, 0);
}

static void memory_on_two_nodes_is_counted_by_page_size(void **state)
{
    struct aisp_footing f = { 0 };

    put(*state, "/proc/7/status", "TracerPid:\t12\nCpus_allowed_list:\t2-3\n");
    put(*state, "/sys/devices/system/cpu/cpu2/node1/cpulist", "2-3\n");
    put(*state, "/sys/devices/system/cpu/cpu3/node1/cpulist", "2-3\n");
    put(*state, "/proc/7/numa_maps",
        "7f00 default file=/usr/lib/libc.so.6 mapped=9 N0=9 kernelpagesize_kB=4\n"
        "7f01 default anon=3 dirty=3 N0=1 N1=2 kernelpagesize_kB=2048\n"
        "7f02 default heap anon=5 dirty=5 N1=5 kernelpagesize_kB=4\n");
    aisp_footing_look(&f, *state, 7, true);
    assert_int_equal(f.node, 1);
    assert_int_equal(f.node_bytes[0], 2 << 20);
    assert_int_equal(f.node_bytes[1], (4 << 20) + 5 * 4096);
    assert_int_equal(f.tracer_pid, 12);
}

/* Where the harness's pages lie was its supervisor's choice, unless the worker has had them moved. */
static void memory_of_the_harness_is_counted_apart(void **state)
{
    struct aisp_footing f = { 0 }, back = { 0 };
    json_t *json;

    put(*state, "/proc/7/status", "Cpus_allowed_list:\t2\n");
    put(*state, "/proc/7/numa_maps",
        "7f01 default file=/memfd:aisp-in\\040(deleted) dirty=3 N0=3 kernelpagesize_kB=4\n"
        "7f02 bind:1 file=/memfd:aisp-out\\040(deleted) dirty=5 N1=5 kernelpagesize_kB=4\n"
        "7f03 default file=/memfd:own\\040(deleted) dirty=7 N0=7 kernelpagesize_kB=4\n");
    aisp_footing_look(&f, *state, 7, true);
    assert_int_equal(f.harness_node_bytes[0], 3 * 4096);
    assert_int_equal(f.harness_node_bytes[1], 0);
    assert_int_equal(f.node_bytes[0], 7 * 4096);
    assert_int_equal(f.node_bytes[1], 5 * 4096);
    json = aisp_footing_to_json(&f);
    assert_int_equal(aisp_footing_from_json(json, &back, NULL), AISP_OK);
    assert_memory_equal(&f, &back, sizeof f);
    json_object_del(json, "harness");
    assert_int_equal(aisp_footing_from_json(json, &back, NULL), AISP_OK);
    json_decref(json);
}

static void read_claims(struct aisp_footing *f, const char *root, const char *stack)
{
    char *limits = aisp_format("Limit                     Soft Limit           Hard Limit           Units     \n"
                               "Max data size             unlimited            unlimited            bytes     \n"
                               "Max stack size            %-20s unlimited            bytes     \n",
                               stack);

    put(root, "/proc/7/status", "VmData:\t  409600 kB\nRssAnon:\t    8192 kB\nThreads:\t41\n");
    put(root, "/proc/7/limits", limits);
    free(limits);
    *f = (struct aisp_footing){ 0 };
    aisp_footing_look(f, root, 7, true);
}

/* 400 MiB, of which forty threads have their stacks. */
static void stacks_of_threads_are_no_claims(void **state)
{
    struct aisp_footing f;

    read_claims(&f, *state, "8388608");
    assert_int_equal(f.data_bytes, 80 << 20);
    assert_int_equal(f.resident_bytes, 8 << 20);
    read_claims(&f, *state, "unlimited");
    assert_int_equal(f.data_bytes, 320 << 20);
    read_claims(&f, *state, "1073741824");
    assert_int_equal(f.data_bytes, 0);
}

static void a_worker_that_is_gone_leaves_nothing_known(void **state)
{
    struct aisp_footing f = { 0 };

    aisp_footing_look(&f, *state, 0, true);
    assert_int_equal(f.n_looks, 0);
    assert_null(aisp_footing_to_json(&f));
}

static void a_footing_survives_json(void **state)
{
    struct aisp_footing f = { 0 }, back = { 0 };
    json_t *json;

    (void)state;
    aisp_footing_look(&f, "/", getpid(), true);
    json = aisp_footing_to_json(&f);
    assert_int_equal(aisp_footing_from_json(json, &back, NULL), AISP_OK);
    assert_memory_equal(&f, &back, sizeof f);
    json_decref(json);
}

static void limits_of_an_older_container_are_read(void **state)
{
    struct aisp_host h;

    put(*state, "/proc/self/cgroup",
        "7:pids:/box\n4:cpu,cpuacct:/box\n3:cpuset:/box\n2:memory:/box\n");
    put(*state, "/sys/fs/cgroup/cpu/box/cpu.stat",
        "nr_periods 9\nnr_throttled 4\nthrottled_time 7\n");
    put(*state, "/sys/fs/cgroup/cpuset/box/cpuset.cpus", "0-3,8\n");
    put(*state, "/sys/fs/cgroup/pids/box/pids.max", "33\n");
    put(*state, "/sys/fs/cgroup/memory/box/memory.failcnt", "5\n");
    aisp_host_probe(&h, *state);
    assert_int_equal(h.throttled_periods, 4);
    assert_int_equal(h.cpuset_cpus, 5);
    assert_int_equal(h.pids_max, 33);
    assert_int_equal(h.memory_events, 5);
    assert_int_equal(h.governor_cpu, -1);
}

static void the_slowest_core_is_named(void **state)
{
    struct aisp_host h;

    for (int cpu = 0; cpu < 3; cpu++) {
        char *file = aisp_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);

        put(*state, file, cpu == 2 ? "schedutil\n" : "performance\n");
        free(file);
        file = aisp_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
        put(*state, file, cpu == 1 ? "800000\n" : "3000000\n");
        free(file);
    }
    aisp_host_probe(&h, *state);
    assert_int_equal(h.governor_cpu, 2);
    assert_string_equal(h.governor, "schedutil");
    assert_int_equal(h.khz_low, 800000);
    assert_int_equal(h.khz_low_cpu, 1);
    assert_int_equal(h.khz_high, 3000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_process_stands_as_it_was_started),
        cmocka_unit_test_setup_teardown(a_thread_with_its_own_niceness_is_seen_whatever_its_name,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_on_two_nodes_is_counted_by_page_size, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(memory_of_the_harness_is_counted_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stacks_of_threads_are_no_claims, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_worker_that_is_gone_leaves_nothing_known, set_up,
                                        tear_down),
        cmocka_unit_test(a_footing_survives_json),
        cmocka_unit_test_setup_teardown(limits_of_an_older_container_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_slowest_core_is_named, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
