/* location_process.c - was the work done in the window, by the given cores, into the given memory? As a process shows it from
 * outside, and as wrong answers tell of themselves. */
#include <string.h>

#include "checks/observed.h"
#include "checks/process.h"

static void cpu_spillover(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];

        if (p->n_cpus_allowed > p->n_cpus_given)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: its tasks may run on %d cores, %d were given to it: it moved them to others", ev->variant[side].name,
                      p->n_cpus_allowed, p->n_cpus_given);
    }
}

AISP_CHECK(cpu_spillover_check) = {
    .issue = 29,
    .name = "cpu-spillover",
    .family = "location",
    .title = "Work stays on the cores it was given; tasks that were moved to others are seen from outside",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 7,
    .examine = cpu_spillover,
};

static void setup_precompute(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, -1);
        char where[192];

        if (!ev->process[side].n_setup_answers || !o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: saw %.9g, expected %.9g; %d wrong answers are the right ones to what lay in the slot while it was loaded "
                  "and set up, which no call gets",
                  where, o->seen, o->expected, ev->process[side].n_setup_answers);
    }
}

AISP_CHECK(setup_precompute_check) = {
    .issue = 30,
    .name = "setup-precompute",
    .family = "location",
    .title = "What is there while a variant is loaded and set up is a decoy: answers made from it are wrong, and known for it",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 9,
    .examine = setup_precompute,
};

static const struct aisp_observation *wrong_in(const struct aisp_evidence *ev, int side, enum aisp_phase phase)
{
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];

        if (o->side == side && o->phase == phase && o->what == AISP_SEEN_WRONG_OUTPUT)
            return o;
    }
    return NULL;
}

static void warm_up_computation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = wrong_in(ev, side, AISP_PHASE_TIMED);
        char where[192];

        if (!ev->process[side].n_warmup_answers || !o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: saw %.9g, expected %.9g; %d wrong answers of timed windows are the right ones to what the slot held before "
                  "timing began",
                  where, o->seen, o->expected, ev->process[side].n_warmup_answers);
    }
}

AISP_CHECK(warm_up_computation_check) = {
    .issue = 32,
    .name = "warm-up-computation",
    .family = "location",
    .title = "Answers computed before timing are of no use in it: the number of warm-up windows is secret, contents are new",
    .needs = "cpu",
    .incident = "a bank of outputs filled in warm-up and replayed in the ranked calls, 2025",
    .severity = AISP_VIOLATION,
    .rank = 9,
    .examine = warm_up_computation,
};

static void lazy_evaluation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_FORBIDDEN_CALL, -1);
        char where[192];

        if (p->n_outputs_protected)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: it made the pages of %d outputs inaccessible to itself, to fill them when they are touched; the judge "
                      "reads the memory itself, where nothing fills them",
                      ev->variant[side].name, p->n_outputs_protected);
        if (!o || strcmp(o->detail, "userfaultfd"))
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side, "%s: asked to answer its own page faults (userfaultfd)", where);
    }
}

AISP_CHECK(lazy_evaluation_check) = {
    .issue = 34,
    .name = "lazy-evaluation",
    .family = "location",
    .title = "An output is bytes in the harness's memory when the clock stops; nothing of the variant runs when they are read",
    .needs = "cpu",
    .incident = "a tensor subclass that computed when it was compared, 2025",
    .severity = AISP_VIOLATION,
    .rank = 2,   /* before the call that was forbidden, and before what was not written */
    .examine = lazy_evaluation,
};

static void jit_timing(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_process_facts *p = &ev->process[side];

        if (p->jit_window_bytes > 0)
            aisp_find(out, self, aisp_side_uses(ev, (enum aisp_side)side, "library") ? AISP_NOTE : AISP_VIOLATION, side,
                      "%s: made %lld bytes of code in its windows (%lld in setup): compiling belongs into setup, where its time is "
                      "reported apart",
                      ev->variant[side].name, (long long)p->jit_window_bytes, (long long)p->jit_setup_bytes);
    }
}

AISP_CHECK(jit_timing_check) = {
    .issue = 35,
    .name = "jit-timing",
    .family = "location",
    .title = "Code is made in setup or not at all; code that is new after the windows is seen",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 19,
    .examine = jit_timing,
};
