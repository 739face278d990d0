/* hardware_test.c - the name of a kind of machine, from what real processors and cards say of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hardware.h"

static struct aisp_environment machine(const char *model, int n_cpus, bool vm)
{
    struct aisp_environment env = { .n_cpus = n_cpus, .virtual_machine = vm, .l3_bytes = 32 << 20 };

    strcpy(env.cpu_model, model);
    strcpy(env.isa, "sse4_2 avx2 fma");
    return env;
}

static void expect_key(const char *model, int n_cpus, bool vm, const char *expected)
{
    const struct aisp_environment env = machine(model, n_cpus, vm);
    char key[AISP_HARDWARE_MAX];

    aisp_hardware_key(&env, NULL, key);
    assert_string_equal(key, expected);
}

static void a_model_reads_as_its_vendor_would_be_asked_for_it(void **state)
{
    (void)state;
    expect_key("AMD EPYC 7B13 64-Core Processor", 128, false, "amd-epyc-7b13-128c");
    expect_key("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 26, true, "intel-xeon-platinum-8481c-26c-vm");
    expect_key("AMD Ryzen 7 PRO 6850U with Radeon Graphics", 16, false, "amd-ryzen-7-pro-6850u-16c");
    expect_key("AMD Ryzen 9 4900HS w/ Radeon Graphics", 16, false, "amd-ryzen-9-4900hs-16c");
    expect_key("12th Gen Intel(R) Core(TM) i7-1260P", 16, false, "intel-i7-1260p-16c");
    expect_key("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", 56, false, "intel-xeon-e5-2680-v4-56c");
    expect_key("ARMv8 Processor rev 1 (v8l)", 4, false, "armv8-rev-1-v8l-4c");
    expect_key("Neoverse-N1", 80, false, "neoverse-n1-80c");
}

static void a_model_without_a_number_is_told_by_vectors_and_cache(void **state)
{
    struct aisp_environment env = machine("AMD EPYC", 2, true);
    char key[AISP_HARDWARE_MAX];

    (void)state;
    expect_key("AMD EPYC", 2, true, "amd-epyc-avx2-l3-32m-2c-vm");
    expect_key("Intel Xeon Processor (SapphireRapids)", 8, true, "intel-xeon-sapphirerapids-avx2-l3-32m-8c-vm");
    strcpy(env.isa, "sse4_2 avx2 fma avx512f avx512_bf16");
    aisp_hardware_key(&env, NULL, key);
    assert_string_equal(key, "amd-epyc-avx512-l3-32m-2c-vm");
}

static void nothing_known_is_said_so(void **state)
{
    const struct aisp_environment env = { .n_cpus = -1, .l3_bytes = -1 };
    char key[AISP_HARDWARE_MAX];

    (void)state;
    aisp_hardware_key(&env, NULL, key);
    assert_string_equal(key, "unknown");
    expect_key("", 4, false, "unknown-avx2-l3-32m-4c");
    expect_key("(R)", 4, false, "unknown-avx2-l3-32m-4c");
}

static void a_card_comes_first_and_changes_the_key(void **state)
{
    const struct aisp_environment env = machine("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 26, true);
    char cpu[AISP_HARDWARE_MAX], card[AISP_HARDWARE_MAX], other[AISP_HARDWARE_MAX];

    (void)state;
    aisp_hardware_key(&env, "", cpu);
    aisp_hardware_key(&env, "NVIDIA H100 80GB HBM3", card);
    aisp_hardware_key(&env, "NVIDIA H200", other);
    assert_string_equal(card, "nvidia-h100-80gb-hbm3-intel-xeon-platinum-8481c-26c-vm");
    assert_string_equal(other, "nvidia-h200-intel-xeon-platinum-8481c-26c-vm");
    assert_string_not_equal(cpu, card);
}

/* What differs from boot to boot or from minute to minute. */
static void a_reboot_changes_nothing(void **state)
{
    struct aisp_environment env = machine("AMD EPYC", 2, true);
    char before[AISP_HARDWARE_MAX], after[AISP_HARDWARE_MAX];

    (void)state;
    aisp_hardware_key(&env, NULL, before);
    strcpy(env.kernel, "Linux 9.9.9");
    strcpy(env.microcode, "0x1");
    strcpy(env.governor, "powersave");
    strcpy(env.hypervisor, "another word for it");
    strcpy(env.clocksource, "kvm-clock");
    env.n_usable = 1;
    env.memory_bytes = env.available_bytes = env.swap_used_bytes = env.cpu_khz = 12345;
    env.load1 = 9, env.aslr = 0, env.turbo = 1, env.cgroup_quota_usec = 50000;
    aisp_hardware_key(&env, NULL, after);
    assert_string_equal(before, after);
}

static void long_names_are_cut_between_words_and_stay_apart(void **state)
{
    const struct aisp_environment env = machine("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", 26, true);
    char key[AISP_HARDWARE_MAX], other[AISP_HARDWARE_MAX];

    (void)state;
    aisp_hardware_key(&env, "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition Mark 1", key);
    aisp_hardware_key(&env, "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition Mark 2", other);
    assert_true(strlen(key) < AISP_HARDWARE_MAX);
    assert_string_not_equal(key, other);
    assert_int_equal(strncmp(key, "nvidia-rtx-pro-6000-blackwell-max-q-workstation", 47), 0);
    assert_int_equal(strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_reads_as_its_vendor_would_be_asked_for_it),
        cmocka_unit_test(a_model_without_a_number_is_told_by_vectors_and_cache),
        cmocka_unit_test(nothing_known_is_said_so),
        cmocka_unit_test(a_card_comes_first_and_changes_the_key),
        cmocka_unit_test(a_reboot_changes_nothing),
        cmocka_unit_test(long_names_are_cut_between_words_and_stay_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
