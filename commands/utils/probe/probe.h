/* probe.h - inside `utils probe-hw`: each part looks at one side of the machine and answers with JSON (new references). What a
 * machine says of itself (cpuid, /proc, /sys) is "claimed"; what was seen to work when it was tried is "executed" or an
 * outcome: "works", or why it does not. Nothing is left changed: what would stay (filters, namespaces, mappings) is tried in a
 * child process. Not here: rates and ceilings (core/peak), how well the machine measures (`aisp calibrate`), what to change
 * (`aisp doctor`). */
#ifndef AISP_COMMANDS_UTILS_PROBE_H
#define AISP_COMMANDS_UTILS_PROBE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* ---- instructions (isa.c, isa_scalar.c, isa_vector.c) ---- */

/* One extension: where cpuid claims it, what the system has to switch on for it, its word in /proc/cpuinfo, and a run of its
 * instructions that says whether the result was right. The run may end in a signal: call it in a child only. */
enum { AISP_EAX, AISP_EBX, AISP_ECX, AISP_EDX };
struct aisp_isa_row {
    const char *name;
    uint32_t leaf, subleaf;
    int reg, bit;
    uint64_t xcr0;                 /* bits of XCR0 that it needs */
    const char *proc;
    bool (*run)(void);
};
extern const struct aisp_isa_row aisp_isa_scalar[], aisp_isa_vector[];      /* end with a NULL name */
#define AISP_XCR0_AVX    UINT64_C(0x6)
#define AISP_XCR0_AVX512 UINT64_C(0xe6)
#define AISP_XCR0_AMX    UINT64_C(0x60000)

enum aisp_outcome { AISP_RAN_RIGHT, AISP_RAN_WRONG, AISP_RAN_ILLEGAL, AISP_RAN_SIGNAL, AISP_NOT_RUN };
/* Run it in a child that may die of it. */
enum aisp_outcome aisp_isa_execute(bool (*run)(void));
/* [{"name", "cpuid", "proc", "executed", "agrees"}] */
json_t *aisp_probe_isa(void);

/* ---- memory (memory.c) ---- */

/* As /sys tells: [{"level", "type", "bytes", "line_bytes", "ways", "sets", "shared_cpus"}] */
json_t *aisp_probe_caches(void);
/* Measured by dependent loads over ever larger sets: [{"bytes", "ns"}]; a step says where it went up:
 * [{"reached_at_bytes", "ns"}] */
json_t *aisp_probe_latency(json_t **steps);
/* ns of one load out of a random cycle through `bytes` bytes; 0: no memory for it. */
double aisp_chase_ns(size_t bytes, int64_t loads);

/* ---- threads of a core (smt.c) ---- */

/* {"cpu", "siblings" as claimed, "share_beside_sibling": rate of work while the sibling works / alone; null: it has none} */
json_t *aisp_probe_smt(void);
/* The same of any two CPUs; 0: not measured. */
double aisp_smt_share(int cpu, int other);

/* ---- pages and nodes (pages.c) ---- */

json_t *aisp_probe_pages(void);     /* [{"page_bytes", "how", "outcome"}] */
json_t *aisp_probe_numa(void);      /* [{"node", "cpus", "memory_bytes", "placed": outcome}] */

/* ---- clocks (clocks.c) ---- */

json_t *aisp_probe_clocks(void);    /* [{"clock", "resolution_ns", "step_ns", "cost_ns"}] */
/* {"claimed_invariant", "ghz", "monotonic", "moves", "cpus", "backward"} */
json_t *aisp_probe_tsc(void);

/* ---- the kernel (kernel.c, kernel_cages.c, kernel_ring.c) ---- */

/* "works" or why not, of what is tried in a child: `try` returns 0, an errno, or -1 (it was let through, but did not do what
 * it is for). */
const char *aisp_probe_tried(int (*try)(void), char text[96]);
json_t *aisp_probe_kernel(void);    /* [{"name", "outcome", "what"}] */
int aisp_try_io_uring(void);
int aisp_try_landlock(void);
int aisp_try_seccomp(void);
int aisp_try_cgroup(void);

/* ---- GPUs (gpu.c) ---- */

/* {"driver": "none" or its version, "why", "gpus": [{"name", "compute_capability", "sms", "memory_bytes", "memory": outcome,
 * "clusters_claimed", "tma_claimed"}]} */
json_t *aisp_probe_gpus(void);

/* ---- what a card's features do (card.c) ---- */

/* Adds "features": [{"name", "what", "answer", "why"}] to what aisp_probe_gpus() found, or "features_why": why none was
 * executed. Nothing where no GPU was found. */
enum aisp_status aisp_probe_card(json_t *gpu, const volatile int *stop, struct aisp_err *err);

#endif
