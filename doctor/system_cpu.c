/* system_cpu.c - operating system: frequency, idle states, isolation and interrupts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"

#define CPUS "/sys/devices/system/cpu"

/* Count CPUs whose file `name` says something else than `wanted`; the first of them goes to `other`. -1: none has the file. */
static int count_others(const struct aisp_root *root, const char *name, const char *wanted, char *other, size_t size)
{
    struct aisp_root_names cpus;
    int n = 0, seen = 0;

    *other = 0;
    aisp_root_list(root, &cpus, "cpu#", CPUS);
    for (size_t i = 0; i < cpus.n; i++) {
        char word[64];

        if (!aisp_root_line(root, word, sizeof word, CPUS "/%s/%s", cpus.name[i], name))
            continue;
        seen++;
        if (strcmp(word, wanted)) {
            if (!n)
                snprintf(other, size, "%s", word);
            n++;
        }
    }
    aisp_names_release(&cpus);
    return seen ? n : -1;
}

/* Frequency files are missing where a hypervisor or the firmware sets the clock. */
static bool has_frequency(const struct aisp_root *root, struct aisp_found *found)
{
    if (aisp_root_exists(root, CPUS "/cpu0/cpufreq"))
        return true;
    if (aisp_root_exists(root, CPUS "/cpu0"))
        aisp_found_not_applicable(found, "the kernel does not set the frequency here (no cpufreq)");
    else
        aisp_found_unreadable(found, CPUS);
    return false;
}

static void governor(const struct aisp_root *root, struct aisp_found *found)
{
    char other[64];
    int n;

    if (!has_frequency(root, found))
        return;
    n = count_others(root, "cpufreq/scaling_governor", "performance", other, sizeof other);
    if (n < 0)
        aisp_found_unreadable(found, CPUS "/cpu*/cpufreq/scaling_governor");
    else if (n)
        aisp_found_problem(found, "%d CPU%s not under performance: %s", n, n == 1 ? "" : "s", other);
    else
        aisp_found_ok(found, "all CPUs under performance");
}

AISP_ITEM(governor) = {
    .id = "system.governor",
    .title = "Every CPU is under the performance governor",
    .why = "Other governors raise the clock only after load was seen, so the first milliseconds of each window run "
           "slower than the rest, and a thread that moves to a quiet CPU starts slow again.",
    .how = "cpufreq/scaling_governor of every CPU",
    .fix = "cpupower frequency-set -g performance",
    .check = governor,
};

static void energy_preference(const struct aisp_root *root, struct aisp_found *found)
{
    char other[64];
    int n;

    if (!has_frequency(root, found))
        return;
    n = count_others(root, "cpufreq/energy_performance_preference", "performance", other, sizeof other);
    if (n < 0)
        aisp_found_not_applicable(found, "this frequency driver has no energy preference");
    else
        aisp_found_judged(found, n == 0, AISP_DIAGNOSIS_ATTENTION, "%d CPUs prefer something else than performance%s%s", n,
                          n ? ": " : "", other);
}

AISP_ITEM(energy_preference) = {
    .id = "system.energy-preference",
    .title = "The hardware's own frequency control prefers performance",
    .why = "Where the processor chooses its clock itself, the governor is only a hint: the energy preference decides how "
           "fast it ramps up.",
    .how = "cpufreq/energy_performance_preference of every CPU",
    .fix = "cpupower set --epp performance",
    .check = energy_preference,
};

static void frequency_fixed(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t boost = -1, no_turbo, low = 0, high = 0;

    if (!has_frequency(root, found))
        return;
    if (!aisp_root_integer(root, &boost, CPUS "/cpufreq/boost") &&
        aisp_root_integer(root, &no_turbo, CPUS "/intel_pstate/no_turbo"))
        boost = !no_turbo;
    aisp_root_integer(root, &low, CPUS "/cpu0/cpufreq/scaling_min_freq");
    aisp_root_integer(root, &high, CPUS "/cpu0/cpufreq/scaling_max_freq");
    if (low > 0 && low == high)
        aisp_found_ok(found, "fixed at %.2f GHz", (double)low / 1e6);
    else if (boost < 0)
        aisp_found_unreadable(found, CPUS "/cpufreq/boost and intel_pstate/no_turbo");
    else
        aisp_found_judged(found, boost == 0, AISP_DIAGNOSIS_ATTENTION, "boost is %s, range %.2f to %.2f GHz",
                          boost ? "on" : "off", (double)low / 1e6, (double)high / 1e6);
}

AISP_ITEM(frequency_fixed) = {
    .id = "system.frequency-fixed",
    .title = "The clock does not move while something is compared",
    .why = "With boost the clock follows heat and the load of the other cores; the second of two variants then runs at "
           "another frequency than the first. Turn boost off to compare, on to serve.",
    .how = "cpufreq/boost or intel_pstate/no_turbo, scaling_min_freq and _max_freq",
    .fix = "echo 0 > /sys/devices/system/cpu/cpufreq/boost\n"
           "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
    .check = frequency_fixed,
};

static void frequency_cap(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t cap, can;

    if (!has_frequency(root, found))
        return;
    if (!aisp_root_integer(root, &cap, CPUS "/cpu0/cpufreq/scaling_max_freq") ||
        !aisp_root_integer(root, &can, CPUS "/cpu0/cpufreq/cpuinfo_max_freq"))
        aisp_found_unreadable(found, CPUS "/cpu0/cpufreq/scaling_max_freq or cpuinfo_max_freq");
    else   /* drivers round to a step of 100 MHz: less than 2 % is no cap */
        aisp_found_judged(found, (double)cap >= 0.98 * (double)can, AISP_DIAGNOSIS_ATTENTION,
                          "may use %.2f of %.2f GHz", (double)cap / 1e6, (double)can / 1e6);
}

AISP_ITEM(frequency_cap) = {
    .id = "system.frequency-cap",
    .title = "No power profile caps the clock below what the CPU can do",
    .why = "A cap left by a power daemon or an old experiment slows everything by the same factor, so no comparison "
           "shows it.",
    .how = "scaling_max_freq against cpuinfo_max_freq",
    .fix = "cpupower frequency-set -u MAXIMUM   # from cpupower frequency-info",
    .check = frequency_cap,
};

static void idle_states(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names states;
    int64_t worst = -1;
    char slowest[32] = "";

    if (!aisp_root_list(root, &states, "state", CPUS "/cpu0/cpuidle")) {
        if (aisp_root_exists(root, CPUS "/cpu0"))
            aisp_found_not_applicable(found, "the kernel controls no idle states here");
        else
            aisp_found_unreadable(found, CPUS "/cpu0/cpuidle");
        return;
    }
    for (size_t i = 0; i < states.n; i++) {
        int64_t latency_us, disabled = 0;

        aisp_root_integer(root, &disabled, CPUS "/cpu0/cpuidle/%s/disable", states.name[i]);
        if (!disabled && aisp_root_integer(root, &latency_us, CPUS "/cpu0/cpuidle/%s/latency", states.name[i]) &&
            latency_us > worst) {
            worst = latency_us;
            aisp_root_line(root, slowest, sizeof slowest, CPUS "/cpu0/cpuidle/%s/name", states.name[i]);
        }
    }
    aisp_names_release(&states);
    if (worst < 0)
        aisp_found_unreadable(found, CPUS "/cpu0/cpuidle/state*/latency");
    else   /* 20 us: what a wake-up through an interrupt costs anyway; C6 and below take 100 us and more */
        aisp_found_judged(found, worst <= 20, AISP_DIAGNOSIS_ATTENTION, "slowest allowed state %s wakes in %lld us", slowest,
                          (long long)worst);
}

AISP_ITEM(idle_states) = {
    .id = "system.idle-states",
    .title = "CPUs do not sleep so deeply that waking shows in latencies",
    .why = "Each blocked thread pays the exit latency of the state its core went into, and finds its private caches "
           "flushed after the deepest ones.",
    .how = "latency of the states under cpu0/cpuidle that are not disabled",
    .fix = "cpupower idle-set -D 20   # no state slower than 20 us",
    .check = idle_states,
};

static void smt(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t active;

    if (aisp_need_integer(root, found, CPUS "/smt/active", &active))
        aisp_found_judged(found, active == 0, AISP_DIAGNOSIS_ATTENTION, "%s", active ? "two or more threads share each core"
                                                                                     : "one thread a core");
}

AISP_ITEM(smt) = {
    .id = "system.smt",
    .title = "Two measured threads do not share one core",
    .why = "Siblings share execution units and the first cache levels: whatever the scheduler puts beside a thread "
           "halves it, and no counter of the thread says so.",
    .how = CPUS "/smt/active",
    .fix = "echo off > /sys/devices/system/cpu/smt/control\n"
           "OMP_PLACES=cores OMP_PROC_BIND=close   # or one thread a core",
    .check = smt,
};

static void cpus_offline(const struct aisp_root *root, struct aisp_found *found)
{
    char present[256], online[256];

    if (!aisp_need_line(root, found, CPUS "/present", present, sizeof present) ||
        !aisp_need_line(root, found, CPUS "/online", online, sizeof online))
        return;
    if (aisp_list_count(present) < 1 || aisp_list_count(online) < 1)
        aisp_found_unreadable(found, "a list of CPUs in " CPUS "/present or online");
    else
        aisp_found_judged(found, aisp_list_count(present) == aisp_list_count(online), AISP_DIAGNOSIS_ATTENTION,
                          "%d of %d CPUs are online", aisp_list_count(online), aisp_list_count(present));
}

AISP_ITEM(cpus_offline) = {
    .id = "system.cpus-offline",
    .title = "All CPUs of the machine are online",
    .why = "A CPU that was taken out, by hand or after an error, is paid for and unused, and thread counts chosen for "
           "the model no longer fit.",
    .how = CPUS "/present against online",
    .fix = "echo 1 > /sys/devices/system/cpu/cpuN/online",
    .check = cpus_offline,
};

static void isolation(const struct aisp_root *root, struct aisp_found *found)
{
    char isolated[256], no_tick[256], callbacks[256], *list = isolated;
    bool known;

    aisp_root_boot_option(root, "isolcpus", isolated, sizeof isolated, &known);
    aisp_root_boot_option(root, "nohz_full", no_tick, sizeof no_tick, &known);
    aisp_root_boot_option(root, "rcu_nocbs", callbacks, sizeof callbacks, &known);
    if (!known) {
        aisp_found_unreadable(found, "/proc/cmdline");
        return;
    }
    list += strcspn(list, "0123456789");                  /* flags such as managed_irq come before the list */
    if (!*isolated && !*no_tick && !*callbacks)
        aisp_found_not_applicable(found, "no CPUs are set aside");
    else   /* nohz_full implies rcu_nocbs for the same CPUs */
        aisp_found_judged(found, *list && !strcmp(list, no_tick) && (!*callbacks || !strcmp(list, callbacks)),
                          AISP_DIAGNOSIS_ATTENTION, "isolcpus=%.50s nohz_full=%.50s rcu_nocbs=%.50s", isolated, no_tick,
                          callbacks);
}

AISP_ITEM(isolation) = {
    .id = "system.isolation",
    .title = "CPUs that are set aside are free of tick and callbacks as well",
    .why = "isolcpus alone keeps tasks away; the timer tick and deferred kernel work still interrupt these CPUs a "
           "thousand times a second.",
    .how = "isolcpus, nohz_full and rcu_nocbs in /proc/cmdline name the same CPUs",
    .fix = "# kernel command line, then reboot:\n"
           "isolcpus=managed_irq,2-7 nohz_full=2-7 rcu_nocbs=2-7",
    .check = isolation,
};

static void irq_isolated(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names irqs;
    char isolated[256], list[256];
    int n = 0, bad = 0;

    if (!aisp_root_line(root, isolated, sizeof isolated, CPUS "/isolated")) {
        aisp_found_unreadable(found, CPUS "/isolated");
        return;
    }
    if (!*isolated) {
        aisp_found_not_applicable(found, "no CPUs are isolated");
        return;
    }
    aisp_root_list(root, &irqs, "#", "/proc/irq");
    for (size_t i = 0; i < irqs.n; i++)
        if (aisp_root_line(root, list, sizeof list, "/proc/irq/%s/effective_affinity_list", irqs.name[i]) && *list) {
            n++;
            bad += aisp_list_common(list, isolated) > 0;
        }
    aisp_names_release(&irqs);
    if (!n || aisp_list_count(isolated) < 1)
        aisp_found_unreadable(found, "/proc/irq/*/effective_affinity_list or a list of CPUs in " CPUS "/isolated");
    else
        aisp_found_judged(found, !bad, AISP_DIAGNOSIS_ATTENTION, "%d of %d interrupts arrive on isolated CPUs %.60s", bad, n,
                          isolated);
}

AISP_ITEM(irq_isolated) = {
    .id = "system.irq-isolated",
    .title = "Interrupts stay away from isolated CPUs",
    .why = "An interrupt runs its handler on the CPU it arrives at; a busy network queue there takes back what isolation "
           "gave.",
    .how = "effective_affinity_list of /proc/irq/* against the CPUs isolated",
    .fix = "IRQBALANCE_BANNED_CPULIST=2-7   # in /etc/default/irqbalance\n"
           "echo 0-1 > /proc/irq/N/smp_affinity_list",
    .check = irq_isolated,
};

static void irqbalance(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names irqs;
    char list[256], first[256] = "";
    int n = 0, same = 0;
    const int cpus = aisp_root_count_cpus(root);

    if (!aisp_root_list(root, &irqs, "#", "/proc/irq") || cpus < 0) {
        aisp_names_release(&irqs);
        aisp_found_unreadable(found, "/proc/irq or the CPUs that are online");
        return;
    }
    for (size_t i = 0; i < irqs.n; i++)
        if (aisp_root_line(root, list, sizeof list, "/proc/irq/%s/effective_affinity_list", irqs.name[i]) && *list) {
            if (!n)
                snprintf(first, sizeof first, "%s", list);
            n++;
            same += !strcmp(list, first);
        }
    aisp_names_release(&irqs);
    if (!n || cpus < 4)   /* with fewer there is nothing to spread over */
        aisp_found_not_applicable(found, "%d CPUs and %d steered interrupts", cpus, n);
    else
        aisp_found_judged(found, n < 4 || same < n, AISP_DIAGNOSIS_ATTENTION, "%d of %d interrupts arrive at CPU %.40s",
                          same, n, first);
}

AISP_ITEM(irqbalance) = {
    .id = "system.irq-spread",
    .title = "Interrupts are not all handled by one CPU",
    .why = "A fast disk or network card can fill a whole core with its interrupts; if all arrive at one CPU that CPU "
           "bounds the throughput of every device, and whatever is pinned there is slow.",
    .how = "effective_affinity_list of /proc/irq/*",
    .fix = "systemctl enable --now irqbalance",
    .check = irqbalance,
};

static void nmi_watchdog(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t on;

    if (aisp_need_integer(root, found, "/proc/sys/kernel/nmi_watchdog", &on))
        aisp_found_judged(found, on == 0, AISP_DIAGNOSIS_ATTENTION, "kernel.nmi_watchdog = %lld", (long long)on);
}

AISP_ITEM(nmi_watchdog) = {
    .id = "system.nmi-watchdog",
    .title = "The hard-lockup watchdog does not hold a hardware counter",
    .why = "It occupies the cycle counter on every CPU, so perf has to multiplex sooner, and it interrupts every few "
           "seconds.",
    .how = "/proc/sys/kernel/nmi_watchdog",
    .fix = "sysctl -w kernel.nmi_watchdog=0",
    .check = nmi_watchdog,
};

static void steal(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/stat");
    long long t[8], total = 0;
    double share;

    if (!text || sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
                        &t[7]) != 8) {
        aisp_found_unreadable(found, "the first line of /proc/stat");
        free(text);
        return;
    }
    free(text);
    for (int i = 0; i < 8; i++)
        total += i == 3 || i == 4 ? 0 : t[i];            /* without idle and waiting for disks: stolen of wanted time */
    share = total ? (double)t[7] / (double)total : 0;
    /* 0.1 % is at the smallest effects that a comparison resolves; above 2 % a neighbour takes whole time slices. */
    aisp_found_judged(found, share < 0.001, share < 0.02 ? AISP_DIAGNOSIS_ATTENTION : AISP_DIAGNOSIS_PROBLEM,
                      "the hypervisor took %.2f %% of the time that was wanted since boot", 100 * share);
}

AISP_ITEM(steal) = {
    .id = "system.steal",
    .title = "The hypervisor takes no CPU time away",
    .why = "Stolen time is inside every measured window and belongs to neighbours, so it comes and goes with their load.",
    .how = "steal against busy time in /proc/stat, since boot",
    .fix = "# a dedicated host, or an instance type with whole cores",
    .check = steal,
};

static void clocksource(const struct aisp_root *root, struct aisp_found *found)
{
    char name[64];
    bool fast;

    if (!aisp_need_line(root, found, "/sys/devices/system/clocksource/clocksource0/current_clocksource", name, sizeof name))
        return;
    /* These are read in user space through the vDSO; hpet and acpi_pm need a system call and a slow device read. */
    fast = !strcmp(name, "tsc") || !strcmp(name, "kvm-clock") || !strcmp(name, "hyperv_clocksource_tsc_page") ||
           !strcmp(name, "arch_sys_counter");
    aisp_found_judged(found, fast, AISP_DIAGNOSIS_PROBLEM, "clock source %s", name);
}

AISP_ITEM(clocksource) = {
    .id = "system.clocksource",
    .title = "The clock is one that user space can read by itself",
    .why = "After a failed stability test the kernel falls back to hpet or acpi_pm: reading the clock then takes a "
           "microsecond and more instead of twenty nanoseconds, in frameworks as in measurements.",
    .how = "current_clocksource",
    .fix = "cd /sys/devices/system/clocksource/clocksource0\n"
           "echo tsc > current_clocksource   # why it was dropped: dmesg",
    .check = clocksource,
};

static void mitigations(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names names;
    char line[256], value[64], open[64] = "";
    bool known, off;
    int vulnerable = 0, mitigated = 0, known_lines = 0;

    if (!aisp_root_list(root, &names, "", CPUS "/vulnerabilities")) {
        aisp_names_release(&names);
        aisp_found_unreadable(found, CPUS "/vulnerabilities");
        return;
    }
    for (size_t i = 0; i < names.n; i++)
        if (aisp_root_line(root, line, sizeof line, CPUS "/vulnerabilities/%s", names.name[i])) {
            mitigated += !strncmp(line, "Mitigation", 10);
            known_lines += !strncmp(line, "Mitigation", 10) || !strncmp(line, "Not affected", 12);
            if (!strncmp(line, "Vulnerable", 10) && !vulnerable++)
                snprintf(open, sizeof open, "%.60s", names.name[i]);
        }
    aisp_names_release(&names);
    off = aisp_root_boot_option(root, "mitigations", value, sizeof value, &known) && !strcmp(value, "off");
    if (!known_lines && !vulnerable) {
        aisp_found_unreadable(found, CPUS "/vulnerabilities/*");
        return;
    }
    aisp_found_judged(found, !vulnerable && !off, AISP_DIAGNOSIS_ATTENTION, "%d mitigated, %d vulnerable%s%s%s", mitigated,
                      vulnerable, vulnerable ? ", first " : "", open, off ? "; mitigations=off" : "");
}

AISP_ITEM(mitigations) = {
    .id = "system.mitigations",
    .title = "CPU mitigations are as in production",
    .why = "They make system calls, page faults and context switches dearer by tens of percent. Figures taken with them "
           "off do not hold on a host that has them on, and the reverse.",
    .how = "cpu/vulnerabilities in /sys and mitigations= in /proc/cmdline",
    .fix = "grep . /sys/devices/system/cpu/vulnerabilities/*\n"
           "# then newer microcode, or no mitigations=off at boot",
    .check = mitigations,
};

static void microcode(const struct aisp_root *root, struct aisp_found *found)
{
    char other[64], first[64] = "";
    int n;

    if (!aisp_root_line(root, first, sizeof first, CPUS "/cpu0/microcode/version") || !*first) {
        aisp_found_unreadable(found, CPUS "/cpu0/microcode/version");
        return;
    }
    n = count_others(root, "microcode/version", first, other, sizeof other);
    aisp_found_judged(found, n == 0, AISP_DIAGNOSIS_PROBLEM, "%d CPUs differ from %s%s%s", n < 0 ? 0 : n, first,
                      n > 0 ? ": " : "", other);
}

AISP_ITEM(microcode) = {
    .id = "system.microcode",
    .title = "All CPUs run the same microcode",
    .why = "Microcode changes the cost of instructions and of mitigations; a machine of two revisions has two kinds of "
           "cores.",
    .how = CPUS "/cpu*/microcode/version",
    .fix = "apt-get install intel-microcode amd64-microcode   # and reboot",
    .check = microcode,
};
