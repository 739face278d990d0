/* memory.c - buffers are the harness's own, inputs stay what they were, and the machine has the memory it claims. */
#include <string.h>

#include "checks/observed.h"

/* A store to a read-only mapping kills the worker; where a device cannot map so, the contents are hashed. */
static void input_integrity(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        for (size_t i = 0; i < ev->n_observations; i++) {
            const struct aisp_observation *o = &ev->observation[i];
            const bool fault = o->what == AISP_SEEN_SIGNAL && o->tensor >= 0;
            char where[192];

            if (o->side != side || (!fault && o->what != AISP_SEEN_INPUT_CHANGED))
                continue;
            aisp_observed_where(ev, o, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %s input tensor %d, which is read-only: %s", where,
                      fault ? "wrote to" : "changed", o->tensor, o->detail);
            break;
        }
}

AISP_CHECK(input_integrity_check) = {
    .issue = 37,
    .name = "input-integrity",
    .family = "memory",
    .title = "Inputs are mapped read-only and sealed; contents that change are found",
    .needs = "cpu",
    .incident = "a kernel that zeroed its inputs so that the reference became zero too",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = input_integrity,
};

static void swap(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    int64_t major = 0;

    for (size_t i = 0; i < ev->n_windows; i++)
        major += ev->window[i].major_faults;
    if (major > 0 && !*ev->files.pages) /* to read a file is to go to a disk */
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "%lld page faults inside windows went to a disk", (long long)major);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (ev->process[side].swapped_bytes > 0)
            aisp_find(out, self, AISP_DEVELOPMENT, side, "%s: %lld bytes of a worker of it had been swapped out",
                      ev->variant[side].name, (long long)ev->process[side].swapped_bytes);
    if (ev->after.swap_used_bytes > ev->before.swap_used_bytes && ev->before.swap_used_bytes >= 0)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the machine began to swap during the run (%lld bytes more)",
                  (long long)(ev->after.swap_used_bytes - ev->before.swap_used_bytes));
}

AISP_CHECK(swap_check) = {
    .issue = 42,
    .name = "swap",
    .family = "memory",
    .title = "No window waits for a disk because memory ran short",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 30,
    .examine = swap,
};

static void memory_limit(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_MEMORY, -1);
        char where[192];

        if (!o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side, "%s: went beyond its memory limit: %s", where, o->detail);
    }
}

AISP_CHECK(memory_limit_check) = {
    .issue = 71,
    .name = "memory-limit",
    .family = "environment",
    .title = "A worker cannot take the memory that the rest of the run needs",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 20,
    .examine = memory_limit,
};
