/* power.c - power and thermal: what may lower a clock, and what can be read of energy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"

static void profile(const struct aisp_root *root, struct aisp_found *found)
{
    char name[32];

    if (!aisp_root_line(root, name, sizeof name, "/sys/firmware/acpi/platform_profile")) {
        if (aisp_root_exists(root, "/sys/firmware"))
            aisp_found_not_applicable(found, "the firmware has no profiles");
        else
            aisp_found_unreadable(found, "/sys/firmware/acpi/platform_profile");
        return;
    }
    aisp_found_judged(found, !strcmp(name, "performance") || !strcmp(name, "balanced-performance"), AISP_DIAGNOSIS_ATTENTION,
                      "profile %s", name);
}

AISP_ITEM(profile) = {
    .id = "power.profile",
    .title = "The firmware's power profile is the fast one",
    .why = "The profile sets fans and power limits below the operating system: a quiet one caps the package, and no "
           "governor can lift that.",
    .how = "/sys/firmware/acpi/platform_profile",
    .fix = "echo performance > /sys/firmware/acpi/platform_profile",
    .check = profile,
};

static void battery(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names supplies;
    char type[32], state[32];
    bool has_battery = false, drains = false;

    if (!aisp_root_list(root, &supplies, "", "/sys/class/power_supply")) {
        if (aisp_root_exists(root, "/sys/class"))
            aisp_found_not_applicable(found, "there is no battery");
        else
            aisp_found_unreadable(found, "/sys/class/power_supply");
        return;
    }
    for (size_t i = 0; i < supplies.n; i++)
        if (aisp_root_line(root, type, sizeof type, "/sys/class/power_supply/%s/type", supplies.name[i]) &&
            !strcmp(type, "Battery")) {
            has_battery = true;
            drains |= aisp_root_line(root, state, sizeof state, "/sys/class/power_supply/%s/status", supplies.name[i]) &&
                      !strcmp(state, "Discharging");
        }
    aisp_names_release(&supplies);
    if (!has_battery)
        aisp_found_not_applicable(found, "there is no battery");
    else
        aisp_found_judged(found, !drains, AISP_DIAGNOSIS_PROBLEM, "%s", drains ? "running on the battery" : "on the mains");
}

AISP_ITEM(battery) = {
    .id = "power.battery",
    .title = "The machine runs on the mains",
    .why = "On the battery the firmware lowers power limits, and lowers them further as it empties.",
    .how = "status of batteries in /sys/class/power_supply",
    .fix = "# plug it in",
    .check = battery,
};

static void temperature(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names zones;
    double closest = 1e9, at = 0;
    char which[40] = "";

    aisp_root_list(root, &zones, "thermal_zone", "/sys/class/thermal");
    for (size_t i = 0; i < zones.n; i++) {
        int64_t now, trip;

        if (!aisp_root_integer(root, &now, "/sys/class/thermal/%s/temp", zones.name[i]) || now <= 0)
            continue;
        for (int k = 0; k < 12; k++)
            if (aisp_root_integer(root, &trip, "/sys/class/thermal/%s/trip_point_%d_temp", zones.name[i], k) && trip > 0 &&
                (double)(trip - now) < closest) {
                char type[16];

                /* "active" only starts a fan */
                if (aisp_root_line(root, type, sizeof type, "/sys/class/thermal/%s/trip_point_%d_type", zones.name[i], k) &&
                    !strcmp(type, "active"))
                    continue;
                closest = (double)(trip - now);
                at = (double)now;
                aisp_root_line(root, which, sizeof which, "/sys/class/thermal/%s/type", zones.name[i]);
            }
    }
    aisp_names_release(&zones);
    if (closest < 1e9)   /* 10 degrees: what a core gains in the first seconds of a heavy load */
        aisp_found_judged(found, closest >= 10000, closest <= 0 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                          "%s has %.0f C, %.0f below its limit", which, at / 1000, closest / 1000);
    else
        aisp_found_unreadable(found, "a temperature with a trip point in /sys/class/thermal");
}

AISP_ITEM(temperature) = {
    .id = "power.temperature",
    .title = "Every sensor is well below the point where clocks are cut",
    .why = "At a passive trip point the kernel lowers clocks step by step; figures then depend on what ran before.",
    .how = "temp against trip points in /sys/class/thermal",
    .fix = "sensors   # dust, fans, inlet temperature",
    .check = temperature,
};

/* Sum of a counter over CPUs; -1: no CPU has it. */
static int64_t sum_throttles(const struct aisp_root *root, const char *name)
{
    struct aisp_root_names cpus;
    int64_t sum = -1, n;

    aisp_root_list(root, &cpus, "cpu#", "/sys/devices/system/cpu");
    for (size_t i = 0; i < cpus.n; i++)
        if (aisp_root_integer(root, &n, "/sys/devices/system/cpu/%s/thermal_throttle/%s", cpus.name[i], name))
            sum = (sum < 0 ? 0 : sum) + n;
    aisp_names_release(&cpus);
    return sum;
}

static void judge_throttles(const struct aisp_root *root, struct aisp_found *found, const char *name)
{
    const int64_t n = sum_throttles(root, name);

    if (n >= 0)
        aisp_found_judged(found, n == 0, AISP_DIAGNOSIS_ATTENTION, "%lld times since boot, all CPUs together", (long long)n);
    else if (aisp_root_exists(root, "/sys/devices/system/cpu/cpu0"))
        aisp_found_not_applicable(found, "this processor does not count throttling");
    else
        aisp_found_unreadable(found, "/sys/devices/system/cpu");
}

static void core_throttled(const struct aisp_root *root, struct aisp_found *found)
{
    judge_throttles(root, found, "core_throttle_count");
}

AISP_ITEM(core_throttled) = {
    .id = "power.core-throttled",
    .title = "No core was slowed for its temperature",
    .why = "A hot core is clocked down by itself, so one thread of a parallel loop is late and all others wait for it.",
    .how = "thermal_throttle/core_throttle_count of every CPU",
    .fix = "sensors; turbostat --show Core,CoreTmp,CoreThr",
    .check = core_throttled,
};

static void package_throttled(const struct aisp_root *root, struct aisp_found *found)
{
    judge_throttles(root, found, "package_throttle_count");
}

AISP_ITEM(package_throttled) = {
    .id = "power.package-throttled",
    .title = "No package was slowed for its temperature",
    .why = "When the package is too hot all of its cores slow down together, usually minutes after the load began.",
    .how = "thermal_throttle/package_throttle_count of every CPU",
    .fix = "# fans, airflow, ambient; then burst and cool down in turns",
    .check = package_throttled,
};

static void energy_readable(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names domains;
    int64_t uj;
    size_t n, readable = 0;

    if (!aisp_root_list(root, &domains, "intel-rapl:", "/sys/class/powercap")) {
        if (aisp_root_exists(root, "/sys/class"))
            aisp_found_not_applicable(found, "there is no energy counter (no powercap)");
        else
            aisp_found_unreadable(found, "/sys/class/powercap");
        return;
    }
    n = domains.n;
    for (size_t i = 0; i < n; i++)
        readable += aisp_root_integer(root, &uj, "/sys/class/powercap/%s/energy_uj", domains.name[i]);
    aisp_names_release(&domains);
    if (!n)
        aisp_found_not_applicable(found, "there is no energy counter");
    else
        aisp_found_judged(found, readable == n, AISP_DIAGNOSIS_ATTENTION, "%zu of %zu domains can be read", readable, n);
}

AISP_ITEM(energy_readable) = {
    .id = "power.energy-readable",
    .title = "The processor's energy counters can be read",
    .why = "Since Linux 5.10 only root may read them; energy for a unit of work is then not measured, and never guessed.",
    .how = "energy_uj of the domains in /sys/class/powercap",
    .fix = "chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj",
    .check = energy_readable,
};

static void package_limit(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t now, most;

    if (!aisp_root_integer(root, &now, "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw") ||
        !aisp_root_integer(root, &most, "/sys/class/powercap/intel-rapl:0/constraint_0_max_power_uw") || most <= 0) {
        if (aisp_root_exists(root, "/sys/class"))
            aisp_found_not_applicable(found, "the package says no power limit");
        else
            aisp_found_unreadable(found, "/sys/class/powercap/intel-rapl:0");
        return;
    }
    aisp_found_judged(found, now >= most, AISP_DIAGNOSIS_ATTENTION, "%.0f of %.0f W", (double)now / 1e6, (double)most / 1e6);
}

AISP_ITEM(package_limit) = {
    .id = "power.package-limit",
    .title = "The package may use the power it was built for",
    .why = "A lower limit is a lower clock under vector code, and only there: light loads look as fast as ever.",
    .how = "constraint_0_power_limit_uw against constraint_0_max_power_uw",
    .fix = "powercap-set -p intel-rapl -z 0 -c 0 -l MAXIMUM_UW",
    .check = package_limit,
};

static void link_sleep(const struct aisp_root *root, struct aisp_found *found)
{
    char policy[32];

    if (aisp_need_chosen(root, found, "/sys/module/pcie_aspm/parameters/policy", policy, sizeof policy))
        aisp_found_judged(found, !strstr(policy, "power"), AISP_DIAGNOSIS_ATTENTION, "policy %s", policy);
}

AISP_ITEM(link_sleep) = {
    .id = "power.link-sleep",
    .title = "PCIe links do not sleep between transfers",
    .why = "Waking a link takes 10 to 100 us, which is the whole latency of a small copy or of a read from NVMe.",
    .how = "/sys/module/pcie_aspm/parameters/policy",
    .fix = "echo performance > /sys/module/pcie_aspm/parameters/policy",
    .check = link_sleep,
};

static void alarms(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names chips;
    char first[96] = "";
    int n = 0;

    aisp_root_list(root, &chips, "hwmon", "/sys/class/hwmon");
    for (size_t i = 0; i < chips.n; i++) {
        struct aisp_root_names files;

        aisp_root_list(root, &files, "", "/sys/class/hwmon/%s", chips.name[i]);
        for (size_t k = 0; k < files.n; k++) {
            const size_t length = strlen(files.name[k]);
            int64_t on;

            if (length < 6 || strcmp(files.name[k] + length - 6, "_alarm") ||
                !aisp_root_integer(root, &on, "/sys/class/hwmon/%s/%s", chips.name[i], files.name[k]))
                continue;
            n++;
            if (on && !*first)
                snprintf(first, sizeof first, "%.20s/%.60s", chips.name[i], files.name[k]);
        }
        aisp_names_release(&files);
    }
    aisp_names_release(&chips);
    if (n)
        /* Only attention: boards also raise them for fans and voltages that are not connected. */
        aisp_found_judged(found, !*first, AISP_DIAGNOSIS_ATTENTION, "%d alarms read, on: %s", n,
                          *first ? first : "none");
    else
        aisp_found_unreadable(found, "an alarm in /sys/class/hwmon");
}

AISP_ITEM(alarms) = {
    .id = "power.alarms",
    .title = "No sensor of the board raises an alarm",
    .why = "A fan that stands still or a voltage that sags shows here first, and as throttling later.",
    .how = "*_alarm of the chips in /sys/class/hwmon",
    .fix = "sensors; ipmitool sel list",
    .check = alarms,
};

static void cooling(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names devices;
    char type[32], first[48] = "";
    int64_t state;
    int n = 0;

    aisp_root_list(root, &devices, "cooling_device", "/sys/class/thermal");
    for (size_t i = 0; i < devices.n; i++)
        if (aisp_root_line(root, type, sizeof type, "/sys/class/thermal/%s/type", devices.name[i]) &&
            (!strcmp(type, "Processor") || strstr(type, "powerclamp") || strstr(type, "cpufreq")) &&
            aisp_root_integer(root, &state, "/sys/class/thermal/%s/cur_state", devices.name[i])) {
            n++;
            if (state > 0 && !*first)
                snprintf(first, sizeof first, "%.20s at %lld", type, (long long)state);
        }
    aisp_names_release(&devices);
    if (n)
        aisp_found_judged(found, !*first, AISP_DIAGNOSIS_PROBLEM, "%s", *first ? first : "no processor is held back");
    else if (aisp_root_exists(root, "/sys/class/thermal"))
        aisp_found_not_applicable(found, "nothing here slows processors to cool them");
    else
        aisp_found_unreadable(found, "/sys/class/thermal");
}

AISP_ITEM(cooling) = {
    .id = "power.cooling",
    .title = "The kernel is not holding processors back right now",
    .why = "A cooling device above state 0 inserts idle time or lowers clocks at this moment.",
    .how = "cur_state of processor cooling devices in /sys/class/thermal",
    .fix = "# wait until it has cooled, then find out why it was hot",
    .check = cooling,
};

static void tuned(const struct aisp_root *root, struct aisp_found *found)
{
    char name[64];

    if (!aisp_root_line(root, name, sizeof name, "/etc/tuned/active_profile")) {
        if (aisp_root_exists(root, "/etc"))
            aisp_found_not_applicable(found, "tuned is not installed");
        else
            aisp_found_unreadable(found, "/etc/tuned/active_profile");
        return;
    }
    aisp_found_judged(found, strstr(name, "performance") || strstr(name, "latency") || strstr(name, "hpc"),
                      AISP_DIAGNOSIS_ATTENTION, "profile %s", *name ? name : "none");
}

AISP_ITEM(tuned) = {
    .id = "power.tuned",
    .title = "The tuning daemon has a profile for throughput or latency",
    .why = "tuned sets governor, idle states, huge pages and swappiness at boot, and again over whatever was set by hand.",
    .how = "/etc/tuned/active_profile",
    .fix = "tuned-adm profile throughput-performance",
    .check = tuned,
};

static void daemons(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const names[] = { "tlp", "auto-cpufreq", "thermald", "power-profiles-daemon", "laptop_mode" };
    char running[96] = "";
    size_t used = 0;
    int seen = -1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        seen = aisp_root_has_process(root, names[i]);
        if (seen > 0)
            used += (size_t)snprintf(running + used, sizeof running - used, "%s%s", used ? ", " : "", names[i]);
    }
    if (*running)
        aisp_found_attention(found, "running: %s", running);
    else if (seen == 0)
        aisp_found_ok(found, "none among the processes seen");
    else
        aisp_found_unreadable(found, "/proc/*/comm");
}

AISP_ITEM(daemons) = {
    .id = "power.daemons",
    .title = "No daemon changes clocks while something is measured",
    .why = "Power daemons react to load, temperature and battery by setting governors and limits in the middle of a run.",
    .how = "tlp, thermald, power-profiles-daemon and the like among processes",
    .fix = "systemctl stop tlp thermald power-profiles-daemon",
    .check = daemons,
};

/* ---- questions ---- */

AISP_ITEM(gpu_clocks) = {
    .id = "power.gpu-clocks",
    .title = "GPU clocks are locked while variants are compared",
    .why = "Boost follows temperature and power, so the variant that is measured second runs at another clock.",
    .how = "Are application or locked clocks set, and recorded?",
    .fix = "nvidia-smi -lgc 1410,1410 -lmc 2619   # undo: -rgc -rmc",
};

AISP_ITEM(gpu_limit) = {
    .id = "power.gpu-limit",
    .title = "The power limit of every GPU is known and the same",
    .why = "Data centres lower it to fit the rack; a card at 500 of 700 W loses little when decoding and much in matrix "
           "products.",
    .how = "enforced.power.limit against power.max_limit of all cards?",
    .fix = "nvidia-smi --query-gpu=index,power.limit,power.max_limit \\\n"
           "  --format=csv",
};

AISP_ITEM(gpu_reasons) = {
    .id = "power.gpu-reasons",
    .title = "No GPU reports a reason for throttling under load",
    .why = "The driver says whether heat, power, or the board's brake lowers the clock; the average clock does not.",
    .how = "clocks_event_reasons during the longest run?",
    .fix = "nvidia-smi -q -d PERFORMANCE",
};

AISP_ITEM(energy_goal) = {
    .id = "power.energy-goal",
    .title = "Energy for a unit of work is a figure that is followed",
    .why = "The fastest setting is rarely the most economical: the last 10 % of clock cost 30 % of power.",
    .how = "Joules for a token or a sample, from the energy counter?",
    .fix = "aisp utils cost-per-token --help",
};

AISP_ITEM(limit_sweep) = {
    .id = "power.limit-sweep",
    .title = "The power limit was swept for this load",
    .why = "Loads that are bound by memory keep their speed at two thirds of the power, and leave room in the rack for "
           "more cards.",
    .how = "Speed and joules at three limits or more?",
    .fix = "nvidia-smi -pl 500   # measure; undo: -pl DEFAULT",
};

AISP_ITEM(rack_budget) = {
    .id = "power.rack-budget",
    .title = "The rack can feed and cool all cards at once",
    .why = "Synchronous training loads all cards in the same millisecond; feeds and brakes answer to peaks, not to "
           "averages.",
    .how = "Peak of all cards against the feed, with one feed lost?",
    .fix = "ipmitool dcmi power reading",
};

AISP_ITEM(steady_state) = {
    .id = "power.steady-state",
    .title = "Figures are from the thermal state of production",
    .why = "The first minute of a cold card is the fastest of its day.",
    .how = "Does time against sample index end flat?",
    .fix = "aisp bench report --format html",
};

AISP_ITEM(power_steps) = {
    .id = "power.load-steps",
    .title = "Swings of power between steps are within what was agreed",
    .why = "Thousands of cards that pause together for an all-reduce swing by megawatts, which the supply may cut off.",
    .how = "Largest swing of the cluster within a second?",
    .fix = "# power smoothing of the card, or ramps in the scheduler",
};
