/* identical.c - did the contender do anything else than the reference? The recorder says what ran on the device, and a hash of each
 * kernel's machine code: where all of it is the same, the ratio is that of one thing with itself.
 * Kernels that were brought and never ran accuse nobody: they may be for other sizes.
 * Not here: two runs of one file, which are meant to be the same. */
#include <stdio.h>
#include <string.h>

#include "checks/device.h"

/* What a side did in the audit's windows but the first, in which something may be done once. */
struct deeds {
    uint64_t sum;            /* of each activity's hash: their order does not count */
    int64_t n, n_kernels, calls, n_api;
    bool is_known;           /* all kernels' code was seen */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    const uint32_t ways = AISP_HOW_GRAPH | AISP_HOW_COOPERATIVE | AISP_HOW_FROM_DEVICE | AISP_HOW_PROGRAMMATIC | AISP_HOW_POOL;
    uint64_t hash = 1;

    for (const char *c = a->code; *c; c++)
        hash = mix(hash, (uint64_t)*c);
    hash = mix(hash, (uint64_t)a->kind);
    hash = mix(hash, a->how & ways);
    hash = mix(hash, aisp_device_is_harness_stream(t, a));
    hash = mix(hash, (uint64_t)a->from << 8 | (uint64_t)a->to);
    hash = mix(hash, (uint64_t)a->call);
    hash = mix(hash, (uint64_t)a->n_blocks);
    hash = mix(hash, (uint64_t)a->n_threads);
    hash = mix(hash, (uint64_t)a->shared_bytes);
    return mix(hash, (uint64_t)a->bytes);
}

static struct deeds deeds_of(const struct aisp_device_trace *t)
{
    struct deeds d = { .is_known = t->n_dropped == 0 };

    for (size_t i = 0; i < t->n_activities; i++) {
        const struct aisp_device_activity *a = &t->activity[i];

        if (a->window < 1)
            continue;
        d.sum += hash_of(t, a);
        d.n++;
        d.n_kernels += a->kind == AISP_DEVICE_KERNEL;
        d.is_known &= a->kind != AISP_DEVICE_KERNEL || *a->code;
    }
    for (size_t i = 1; i < t->n_windows; i++) {
        d.calls += t->window[i].calls;
        d.n_api += t->window[i].n_api;
    }
    return d;
}

static bool are_identical(const struct deeds *a, const struct deeds *b)
{
    return a->is_known && b->is_known && a->n_kernels > 0 && a->n == b->n && a->sum == b->sum && a->calls == b->calls &&
           a->n_api == b->n_api;
}

static bool is_one_file(const struct aisp_evidence *ev)
{
    return *ev->variant[AISP_A].sha256 && !strcmp(ev->variant[AISP_A].sha256, ev->variant[AISP_B].sha256);
}

static void identical_work(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_device_trace *t[2] = { aisp_device_of(ev, AISP_A), aisp_device_of(ev, AISP_B) };
    const char *name = ev->variant[AISP_B].name, *other = ev->variant[AISP_A].name;
    struct deeds a, b;
    char ghosts[64] = "";
    int64_t n_ghosts;

    if (!t[AISP_A] || !t[AISP_B] || is_one_file(ev))
        return;
    a = deeds_of(t[AISP_A]);
    b = deeds_of(t[AISP_B]);
    if (!are_identical(&a, &b))
        return;
    n_ghosts = t[AISP_B]->n_kernels_idle - t[AISP_A]->n_kernels_idle;
    if (n_ghosts > 0)
        snprintf(ghosts, sizeof ghosts, "; %lld kernels that it brings never ran", (long long)n_ghosts);
    if (!strcmp(ev->machine.claim.verdict, "FASTER") && !aisp_device_declares(ev, AISP_B, "settings"))
        aisp_find(out, self, AISP_VIOLATION, AISP_B,
                  "%s: identical: all that ran in its windows is what ran in those of %s (%lld kernels, by their machine code), so "
                  "that FASTER has no cause (uses: settings)%s",
                  name, other, (long long)b.n_kernels, ghosts);
    else
        aisp_find(out, self, AISP_NOTE, AISP_B,
                  "%s: identical: all that ran in its windows is what ran in those of %s, by the machine code of its kernels%s",
                  name, other, ghosts);
}

AISP_CHECK(identical_work_check) = {
    .issue = 90,
    .name = "identical-work",
    .family = "evaluation",
    .title = "Who does what the reference does is called identical, with what never ran named, and is not faster",
    .needs = "gpu",
    .incident = "an optimised path behind a condition that is never met; a candidate that calls the baseline",
    .severity = AISP_VIOLATION,
    .rank = 23, /* what makes it so is said first, and before that samples are too few */
    .examine = identical_work,
};
