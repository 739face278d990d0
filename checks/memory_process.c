/* memory_process.c - is the harness's memory still where it was laid out, and does a side's time go to its own memory rather
 * than to its work? As its process shows it from outside. */
#include <math.h>
#include <stdlib.h>

#include "checks/observed.h"
#include "checks/process.h"
#include "checks/samples.h"
#include "core/base/buf.h"
#include "core/base/sort.h"

static void pre_allocated_output(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        if (ev->process[side].n_outputs_replaced)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: at the addresses of %d outputs lies memory of its own instead of the harness's", ev->variant[side].name,
                      ev->process[side].n_outputs_replaced);
}

AISP_CHECK(pre_allocated_output_check) = {
    .issue = 36,
    .name = "pre-allocated-output",
    .family = "memory",
    .title = "Outputs are the harness's memory; other memory put in their place is seen, and never read",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 2,
    .examine = pre_allocated_output,
};

static void in_out_aliasing(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];

        if (p->n_extra_views)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the harness's memory is mapped a second time, in %d places that the harness did not lay out",
                      ev->variant[side].name, p->n_extra_views);
        if (p->n_inputs_replaced)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: at the addresses of %d inputs lies other memory",
                      ev->variant[side].name, p->n_inputs_replaced);
    }
}

AISP_CHECK(in_out_aliasing_check) = {
    .issue = 37,
    .name = "in-out-aliasing",
    .family = "memory",
    .title = "Inputs and outputs are disjoint, by address and by page: a second mapping of either is seen",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 2,
    .examine = in_out_aliasing,
};

enum { GROWN_ALLOWED_BYTES = 4 << 20 };

static void fragmentation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const int64_t grown = ev->process[side].grown_bytes;

        if (grown > GROWN_ALLOWED_BYTES && !aisp_side_uses(ev, (enum aisp_side)side, "allocates"))
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a process of it holds %.1f MiB more at its end than after its first calls: its calls take memory and "
                      "do not reuse it (uses: allocates is not declared)",
                      ev->variant[side].name, (double)grown / (1 << 20));
    }
}

AISP_CHECK(fragmentation_check) = {
    .issue = 40,
    .name = "fragmentation",
    .family = "memory",
    .title = "Each side starts with a fresh heap, and a heap that grows while calls are timed is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 23,
    .examine = fragmentation,
};

struct median_window { double faults, ns; size_t n; };

static struct median_window median_window(const struct aisp_evidence *ev, int side)
{
    double *faults = aisp_xcalloc(ev->n_windows + 1, sizeof *faults), *ns = aisp_xcalloc(ev->n_windows + 1, sizeof *ns);
    struct median_window m = { 0 };

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (!aisp_window_is_timed_of(ev, w, side))
            continue;
        faults[m.n] = w->minor_faults;
        ns[m.n++] = (double)w->window_ns;
    }
    aisp_sort(faults, m.n);
    aisp_sort(ns, m.n);
    m.faults = m.n ? faults[m.n / 2] : 0;
    m.ns = m.n ? ns[m.n / 2] : 0;
    free(faults);
    free(ns);
    return m;
}

/* A minor fault costs at least so much anywhere; below so many a window they are no habit of the code, and below half a percent
 * of its time they change no verdict. */
static const double FAULT_NS = 250;
enum { FAULTS_LEAST = 8, FAULTS_MORE = 4, WINDOWS_LEAST = 4 };

static void page_faults(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct median_window m[2] = { median_window(ev, AISP_A), median_window(ev, AISP_B) };

    for (int side = AISP_A; side <= AISP_B; side++) {
        const double share = m[side].ns > 0 ? m[side].faults * FAULT_NS / m[side].ns : 0;
        const bool is_declared = aisp_side_uses(ev, (enum aisp_side)side, "allocates");

        if (m[side].n < WINDOWS_LEAST || m[side].faults < FAULTS_LEAST + FAULTS_MORE * m[!side].faults || share < 0.005)
            continue;
        aisp_find(out, self, is_declared ? AISP_NOTE : AISP_VIOLATION, side,
                  "%s: %.0f page faults in the median window, the other side has %.0f: at least %.1f %% of its time goes to the "
                  "kernel's handling of memory%s",
                  ev->variant[side].name, m[side].faults, m[!side].faults, 100 * fmin(1, share),
                  is_declared ? ", as it declares" : ", and it does not declare it (uses: allocates)");
    }
}

AISP_CHECK(page_faults_check) = {
    .issue = 41,
    .name = "page-faults",
    .family = "memory",
    .title = "Buffers are touched before timing; a side whose windows still fault for memory of its own is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 24,
    .examine = page_faults,
};
