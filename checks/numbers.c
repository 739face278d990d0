/* numbers.c - are the bits those of the type that was asked for, all of them computed from the inputs? The part of the output
 * family that reads the anatomy of a wrong answer. */
#include "checks/observed.h"

#include "core/judge/anatomy.h"

static const struct aisp_anatomy *anatomy_of(const struct aisp_evidence *ev, int side, enum aisp_anatomy_kind kind)
{
    const struct aisp_anatomy *a = &ev->workload.anatomy[side];

    return a->kind == (int32_t)kind ? a : NULL;
}

static void dtype_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, AISP_ANATOMY_BYTES);

        if (a)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the bytes of the output are the right answer as %s, which is not the type that was asked for; "
                      "%lld of %lld elements wrong as they are",
                      ev->variant[side].name, a->name, (long long)a->n_wrong, (long long)a->n_elements);
    }
}

AISP_CHECK(dtype_mismatch_check) = {
    .issue = 15,
    .name = "dtype-mismatch",
    .family = "output",
    .title = "An answer in another type is read as that type, and named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 12,
    .examine = dtype_mismatch,
};

static void denormals(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, AISP_ANATOMY_FLUSHED);

        if (a)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: subnormal %s taken for zero: %lld of %lld elements wrong; %lld subnormals in the inputs seen, %lld in "
                      "its outputs",
                      ev->variant[side].name, a->where, (long long)a->n_wrong, (long long)a->n_elements,
                      (long long)ev->workload.subnormals[side].n_in, (long long)ev->workload.subnormals[side].n_out);
    }
}

AISP_CHECK(denormals_check) = {
    .issue = 16,
    .name = "denormals",
    .family = "output",
    .title = "Subnormals that were flushed to zero are told from other errors, and counted on both sides",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 12,
    .examine = denormals,
};

/* NaNs with the poison's own payload cannot come from the inputs. Where the same contents gave two answers, one of them wrong,
 * something else than the inputs has a say: memory that was not initialised, or a race. */
static void uninitialised_memory(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, AISP_ANATOMY_LEFTOVER);
        const struct aisp_repeats *again = &ev->workload.repeats[side];

        if (a)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: %lld of %lld elements are NaNs that carry the poison of other elements: what lay in the output before "
                      "was read",
                      ev->variant[side].name, (long long)a->n_slices, (long long)a->of);
        else if (again->n_differ_wrong > 0)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the same contents gave other outputs in %lld of %lld repeats, and wrong ones: the answer depends on "
                      "what is no input (memory left over from another call, or a race)",
                      ev->variant[side].name, (long long)again->n_differ, (long long)again->n);
    }
}

AISP_CHECK(uninitialised_memory_check) = {
    .issue = 17,
    .name = "uninitialised-memory",
    .family = "output",
    .title = "The same contents give the same answer, whatever memory held before",
    .needs = "cpu",
    .incident = "reuse of the reference's freed output by generated kernels, 2025",
    .severity = AISP_VIOLATION,
    .rank = 13,
    .examine = uninitialised_memory,
};
