/* environment_test.c - the probe on roots made here (a fake /proc and /sys) and on this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>

#include "tests/unit/fake_root.h"
#include "core/environment.h"

static void a_tuned_bare_metal_server_reads_as_one(void **state)
{
    struct aisp_environment env;
    const char *root = *state;

    put(root, "/proc/cpuinfo", "model name\t: AMD EPYC 9654\nmicrocode\t: 0xa10\nflags\t\t: fpu sse4_2 avx2 fma avx512f avx512_bf16\n");
    put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index1/level", "3\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index1/type", "Unified\n");
    put(root, "/sys/devices/system/cpu/cpu0/cache/index1/size", "32M\n");
    put(root, "/proc/meminfo", "MemTotal:  1000 kB\nMemAvailable: 900 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n");
    put(root, "/sys/class/dmi/id/sys_vendor", "Supermicro\n");
    aisp_environment_probe(&env, root);
    assert_false(env.virtual_machine);
    assert_string_equal(env.hypervisor, "");
    assert_string_equal(env.cpu_model, "AMD EPYC 9654");
    assert_string_equal(env.isa, "sse4_2 avx2 fma avx512f avx512_bf16");
    assert_string_equal(env.governor, "performance");
    assert_int_equal(env.l1d_bytes, 32 << 10);
    assert_int_equal(env.l3_bytes, 32 << 20);
    assert_int_equal(env.memory_bytes, 1000 << 10);
    assert_int_equal(env.swap_used_bytes, 6 << 10);
}

/* Here, whether there is a folder of them or not; of another root nothing is taken from this machine. */
static void the_cores_own_caches_are_known_where_they_can_be(void **state)
{
    struct aisp_environment env;
    int64_t l1d, l2;

    aisp_environment_own_caches(&l1d, &l2);
    aisp_environment_probe(&env, "/");
    assert_true((env.l1d_bytes > 0) >= (l1d > 0) && (env.l2_bytes > 0) >= (l2 > 0));
    aisp_environment_probe(&env, *state);
    assert_true(env.l1d_bytes == -1 && env.l2_bytes == -1);
}

static void a_virtual_machine_is_told_by_flag_or_by_firmware(void **state)
{
    struct aisp_environment env;
    const char *root = *state;

    put(root, "/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu hypervisor avx2\n");
    aisp_environment_probe(&env, root);
    assert_true(env.virtual_machine);
    assert_string_equal(env.hypervisor, "unknown");
    put(root, "/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu avx2\n");
    put(root, "/sys/class/dmi/id/product_name", "KVM Virtual Machine\n");
    aisp_environment_probe(&env, root);
    assert_true(env.virtual_machine);
    assert_string_equal(env.hypervisor, "KVM Virtual Machine");
}

static void a_quota_is_read_from_both_versions_of_cgroups(void **state)
{
    struct aisp_environment env;
    const char *root = *state;

    put(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
    put(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    aisp_environment_probe(&env, root);
    assert_string_equal(env.cgroup, "v1");
    assert_int_equal(env.cgroup_quota_usec, 150000);
    put(root, "/sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    put(root, "/proc/self/cgroup", "0::/box\n");
    put(root, "/sys/fs/cgroup/box/cpu.max", "50000 100000\n");
    put(root, "/sys/fs/cgroup/box/cpu.stat", "usage_usec 5\nthrottled_usec 77\n");
    aisp_environment_probe(&env, root);
    assert_string_equal(env.cgroup, "hybrid");
    assert_int_equal(env.cgroup_quota_usec, 50000);
    assert_int_equal(env.cgroup_throttled_usec, 77);
    put(root, "/sys/fs/cgroup/box/cpu.max", "max 100000\n");
    aisp_environment_probe(&env, root);
    assert_int_equal(env.cgroup_quota_usec, -1);
}

static void an_empty_root_leaves_everything_unknown(void **state)
{
    struct aisp_environment env;

    aisp_environment_probe(&env, *state);
    assert_false(env.virtual_machine);
    assert_int_equal(env.memory_bytes, -1);
    assert_int_equal(env.l2_bytes, -1);
    assert_string_equal(env.governor, "");
    assert_string_equal(env.cgroup, "none");
}

static void this_machine_reads_plausibly_and_survives_json(void **state)
{
    struct aisp_environment env, again;
    char first[65], second[65];
    struct aisp_err err;
    json_t *json;

    (void)state;
    aisp_environment_probe(&env, "/");
    assert_true(env.n_cpus >= 1 && env.n_usable >= 1 && env.n_usable <= env.n_cpus);
    assert_true(env.memory_bytes > 1 << 28 && env.available_bytes <= env.memory_bytes);
    assert_true(*env.cpu_model && *env.kernel);
    json = aisp_environment_to_json(&env);
    assert_int_equal(aisp_environment_from_json(json, &again, &err), AISP_OK);
    aisp_environment_fingerprint(&env, first);
    aisp_environment_fingerprint(&again, second);
    assert_string_equal(first, second);
    json_object_del(json, "governor");
    assert_int_equal(aisp_environment_from_json(json, &again, &err), AISP_E_IO);
    assert_non_null(strstr(err.text, "governor"));
    json_decref(json);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_tuned_bare_metal_server_reads_as_one),
        T(a_virtual_machine_is_told_by_flag_or_by_firmware),
        T(the_cores_own_caches_are_known_where_they_can_be),
        T(a_quota_is_read_from_both_versions_of_cgroups),
        T(an_empty_root_leaves_everything_unknown),
        T(this_machine_reads_plausibly_and_survives_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
