/* environment.h - what the machine is and how busy it is, read from a root that tests can replace ("/" in the product).
 * Unknown numbers are -1, unknown texts "". Nothing is ever set. */
#ifndef AISP_CORE_ENVIRONMENT_H
#define AISP_CORE_ENVIRONMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_environment {
    char cpu_model[64], hypervisor[32], container[32], kernel[96], microcode[24], isa[96];
    char governor[24], driver[24], thp[16], cgroup[16];       /* cgroup: "v1", "v2", "hybrid", "none" */
    bool virtual_machine;
    int n_cpus, n_usable, n_numa, smt;                        /* usable: in our affinity mask; smt: threads a core */
    int64_t l1d_bytes, l2_bytes, l3_bytes;
    int64_t memory_bytes, available_bytes, swap_used_bytes, overcommit;
    double load1, psi_cpu_avg10;
    int64_t steal_ticks, cgroup_throttled_usec, cgroup_quota_usec, cgroup_period_usec, cgroup_memory_bytes;
    int64_t cpu_khz;                                          /* of the measuring core, now */
    int aslr, turbo, tracer_pid;
    char preload[96], injection[96];                          /* LD_PRELOAD and the like in our environment */
    char clocksource[24];
    int64_t realtime_minus_mono_ns;                           /* a step of the wall clock shows between before and after */
};

/* Reads what there is; never fails: what cannot be read stays unknown. */
void aisp_environment_probe(struct aisp_environment *env, const char *root);
/* A core's first data cache and its second one as the C library has them from the core; -1: not known. */
void aisp_environment_own_caches(int64_t *l1d_bytes, int64_t *l2_bytes);
/* 64 hex digits over what makes two machines the same: model, caches, memory, kernel, hypervisor. */
void aisp_environment_fingerprint(const struct aisp_environment *env, char hex[65]);

json_t *aisp_environment_to_json(const struct aisp_environment *env);
enum aisp_status aisp_environment_from_json(const json_t *json, struct aisp_environment *env, struct aisp_err *err);

#endif
