/* environment.c - is this a machine, and a moment, to publish from? Nothing here is ever changed, only named. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "core/base/buf.h"
#include "core/channel.h"

/* Cores whose clocks lie apart while nothing but the run works are not all free to run: what it got depends on its core. */
static void observed_clocks(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_host *h = &ev->machine.after;

    if (h->khz_low > 0 && h->khz_high * 2 > h->khz_low * 3)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "cores run at %.2f to %.2f GHz (core %d is the slowest)",
                  (double)h->khz_low / 1e6, (double)h->khz_high / 1e6, h->khz_low_cpu);
}

static void governor(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_environment *env = &ev->before;

    if (*env->governor && strcmp(env->governor, "performance"))
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the frequency governor is \"%s\", not \"performance\"", env->governor);
    if (ev->machine.before.governor_cpu > 0)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the frequency governor of core %d is \"%s\", not \"performance\"",
                  ev->machine.before.governor_cpu, ev->machine.before.governor);
    observed_clocks(self, ev, out);
    if (env->cpu_khz > 0 && ev->after.cpu_khz > 0 && llabs(ev->after.cpu_khz - env->cpu_khz) * 20 > env->cpu_khz)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the core ran at %.2f GHz before and at %.2f GHz after the run",
                  (double)env->cpu_khz / 1e6, (double)ev->after.cpu_khz / 1e6);
}

AISP_CHECK(governor_check) = {
    .issue = 73,
    .name = "governor",
    .family = "environment",
    .title = "A clock that is free to wander makes the result a development one",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 12,
    .examine = governor,
};

static void container_counters(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_host *before = &ev->machine.before, *after = &ev->machine.after;

    if (before->throttled_periods >= 0 && after->throttled_periods > before->throttled_periods)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the container was held back in %lld scheduling periods during the run",
                  (long long)(after->throttled_periods - before->throttled_periods));
    if (before->memory_events >= 0 && after->memory_events > before->memory_events)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the container reached its memory limit %lld times during the run",
                  (long long)(after->memory_events - before->memory_events));
    if (before->cpuset_cpus > 0 && before->cpuset_cpus < ev->n_threads)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the container has %d cores for %d threads", before->cpuset_cpus,
                  ev->n_threads);
    if (before->pids_max > 0 && before->pids_max < 16 + ev->n_threads)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the container allows %lld processes", (long long)before->pids_max);
}

static void container_limits(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_environment *env = &ev->before;

    if (env->cgroup_quota_usec > 0 && env->cgroup_period_usec > 0)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "a CPU quota of %.2f cores is in force",
                  (double)env->cgroup_quota_usec / (double)env->cgroup_period_usec);
    if (env->cgroup_throttled_usec >= 0 && ev->after.cgroup_throttled_usec > env->cgroup_throttled_usec)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the container was throttled for %lld us during the run",
                  (long long)(ev->after.cgroup_throttled_usec - env->cgroup_throttled_usec));
    container_counters(self, ev, out);
}

AISP_CHECK(container_limits_check) = {
    .issue = 78,
    .name = "container-limits",
    .family = "environment",
    .title = "A CPU quota or throttling is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 11,
    .examine = container_limits,
};

static void virtualisation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    if (ev->before.virtual_machine)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "this is a virtual machine (%s)",
                  *ev->before.hypervisor ? ev->before.hypervisor : "hypervisor unknown");
}

AISP_CHECK(virtualisation_check) = {
    .issue = 79,
    .name = "virtualisation",
    .family = "environment",
    .title = "A virtual machine gives development results, unless its owner accepts that one reason",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 10,
    .examine = virtualisation,
};

static void spare_core(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    if (!ev->spinning && ev->n_windows)
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "the supervisor had no core of its own (%d usable): windows carry wake-up latency", ev->before.n_usable);
}

AISP_CHECK(spare_core_check) = {
    .issue = 87,
    .name = "spare-core",
    .family = "environment",
    .title = "A supervisor that shares the measuring core is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 13,
    .examine = spare_core,
};

/* What keeps a worker from the rest of the machine. An address that a device did not give, and a recorder that did not start, are
 * other checks' business. */
static void confinement(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    static const struct {
        enum aisp_cage part;
        const char *name;
    } parts[] = {
        { AISP_CAGE_SECCOMP, "a filter of system calls (seccomp)" },
        { AISP_CAGE_LANDLOCK, "rules for files (Landlock)" },
        { AISP_CAGE_USER, "another user" },
        { AISP_CAGE_LIMITS, "limits of what a process may use" },
    };
    const int32_t missing = ev->account[AISP_A].missing | ev->account[AISP_B].missing;
    struct aisp_buf names = AISP_BUF_INIT;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (missing & (int32_t)parts[i].part)
            aisp_buf_printf(&names, "%s%s", names.len ? ", " : "", parts[i].name);
    if (names.len)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "workers were caged without %s: this host has none, or does not give it", names.s);
    aisp_buf_release(&names);
}

AISP_CHECK(confinement_check) = {
    .issue = 88,
    .name = "confinement",
    .family = "environment",
    .title = "A part of the cage that this host lacks is named, and the result is a development one",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 9,
    .examine = confinement,
};
