/* environment_json.c - an environment as JSON and back. */
#include "core/environment.h"
#include "core/fields.h"

#define TEXT(name) AISP_FIELD_AT(struct aisp_environment, AISP_FIELD_TEXT, name, 1, 0)
#define INT(name)  AISP_FIELD_AT(struct aisp_environment, AISP_FIELD_INT, name, 1, 0)
#define REAL(name) AISP_FIELD_AT(struct aisp_environment, AISP_FIELD_REAL, name, 1, 0)
#define BOOL(name) AISP_FIELD_AT(struct aisp_environment, AISP_FIELD_BOOL, name, 1, 0)

static const struct aisp_field fields[] = {
    TEXT(cpu_model), TEXT(hypervisor), TEXT(container), TEXT(kernel), TEXT(microcode), TEXT(isa),
    TEXT(governor), TEXT(driver), TEXT(thp), TEXT(cgroup), BOOL(virtual_machine), INT(n_cpus),
    INT(n_usable), INT(n_numa), INT(smt), INT(l1d_bytes), INT(l2_bytes), INT(l3_bytes),
    INT(memory_bytes), INT(available_bytes), INT(swap_used_bytes), INT(overcommit), REAL(load1),
    REAL(psi_cpu_avg10), INT(steal_ticks), INT(cgroup_throttled_usec), INT(cgroup_quota_usec),
    INT(cgroup_period_usec), INT(cgroup_memory_bytes), INT(cpu_khz), INT(aslr), INT(turbo),
    INT(tracer_pid), TEXT(preload), TEXT(injection), TEXT(clocksource), INT(realtime_minus_mono_ns),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_environment_to_json(const struct aisp_environment *env)
{
    return aisp_fields_to_object(fields, N_FIELDS, env);
}

enum aisp_status aisp_environment_from_json(const json_t *json, struct aisp_environment *env,
                                            struct aisp_err *err)
{
    return aisp_fields_from_object(fields, N_FIELDS, json, "environment", env, err);
}
