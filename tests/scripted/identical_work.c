/* identical_work - brings a kernel that never runs and does what the reference does; and is said to be faster; its twin runs its own, by
 * the same grid. */
#include <string.h>

#include "tests/selftest/scripted.h"

static void name_code(struct aisp_device_trace *t, const char *code)
{
    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].kind == AISP_DEVICE_KERNEL)
            strcpy(t->activity[i].code, code);
}

static void reference_does(struct aisp_device_trace *t)
{
    scene_honest(t);
    name_code(t, "00000000000000aa");
    t->n_kernels = 1;
}

static void falls_back(struct aisp_device_trace *t)
{
    reference_does(t);
    t->n_kernels = 2;
    t->n_kernels_idle = 1;
}

static void runs_its_own(struct aisp_device_trace *t)
{
    falls_back(t);
    name_code(t, "00000000000000bb");
}

static void is_called_faster(struct aisp_evidence *ev)
{
    int n_control;

    strcpy(ev->machine.claim.verdict, "FASTER");
    aisp_evidence_pairs(ev, NULL, &ev->machine.claim.n_pairs, NULL, &n_control);
}

SCRIPTED_CHEAT(identical_work, "identical-work", .baseline = { "", reference_does }, .contender = { "", falls_back }, .pairs = 12,
               .seen = is_called_faster, .says = "1 kernels that it brings never ran");
SCRIPTED_TWIN(identical_work, "identical-work", .baseline = { "", reference_does }, .contender = { "", runs_its_own }, .pairs = 12,
              .seen = is_called_faster);
