/* workload.c - was all of the work done, in the precision that was asked for? What a wrong answer is the right answer to.
 * Each reads the anatomy of the first whole wrong output (core/workload.h). Where that is not clear it is empty, and then the
 * general checks of output.c speak alone. */
#include "checks/observed.h"

#include <stdio.h>
#include <string.h>

#include <aisp/problem.h>

#include "core/judge/anatomy.h"
#include "core/judge/plant.h"

/* The anatomy of a side, if it is of this kind. */
static const struct aisp_anatomy *anatomy_of(const struct aisp_evidence *ev, int side, enum aisp_anatomy_kind kind)
{
    const struct aisp_anatomy *a = &ev->workload.anatomy[side];

    return a->kind == (int32_t)kind ? a : NULL;
}

/* "optimized_half: 16 of 16 elements wrong with a checkerboard" */
static void begin(const struct aisp_evidence *ev, int side, const struct aisp_anatomy *a, char text[160])
{
    snprintf(text, 160, "%.60s: %lld of %lld elements of a whole output wrong%s%s", ev->variant[side].name,
             (long long)a->n_wrong, (long long)a->n_elements, a->plant ? " with " : "",
             a->plant ? aisp_plant_name((enum aisp_plant)a->plant) : "");
}

static void find(const struct aisp_check *self, const struct aisp_evidence *ev, int side, const struct aisp_anatomy *a,
                 const char *what, struct aisp_findings *out)
{
    char start[160];

    begin(ev, side, a, start);
    aisp_find(out, self, AISP_VIOLATION, side, "%s: %s", start, what);
}

static const char *content_name(const struct aisp_anatomy *a)
{
    static const char *const name[] = {
        [AISP_SLICE_OTHER] = "other values",
        [AISP_SLICE_UNWRITTEN] = "nothing was written",
        [AISP_SLICE_ZEROS] = "zeros",
        [AISP_SLICE_COPIES] = "copies of others",
    };

    return name[a->content];
}

/* The last part along an axis of this meaning; or the answer to a part of the inputs alone. */
static void find_less(const struct aisp_check *self, const struct aisp_evidence *ev, enum aisp_meaning meaning,
                      struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *slices = anatomy_of(ev, side, AISP_ANATOMY_SLICES),
                                  *shorter = anatomy_of(ev, side, AISP_ANATOMY_SHORTER);
        char text[200];

        if (slices && slices->meaning == (int32_t)meaning) {
            snprintf(text, sizeof text, "%lld of %lld along %s wrong, from %lld on%s (%s), the others right",
                     (long long)slices->n_slices, (long long)slices->of, slices->name, (long long)slices->from,
                     slices->is_tail ? " to the end" : "", content_name(slices));
            find(self, ev, side, slices, text, out);
        } else if (shorter && shorter->meaning == (int32_t)meaning) {
            snprintf(text, sizeof text, "the right answer to %s = %lld (%s), expected that to %s = %lld", shorter->name,
                     (long long)shorter->from, shorter->where, shorter->name, (long long)shorter->of);
            find(self, ev, side, shorter, text, out);
        }
    }
}

static void precision_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, AISP_ANATOMY_ROUNDED);
        char text[200];

        if (!a)
            continue;
        snprintf(text, sizeof text, "%s in %s: relative error %.2g, of that precision %.2g", a->where, a->name, a->error,
                 a->error_left);
        find(self, ev, side, a, text, out);
    }
}

AISP_CHECK(precision_mismatch_check) = {
    .issue = 18,
    .name = "precision-mismatch",
    .family = "workload",
    .title = "An answer of less precision than was asked for is told by what it is the answer to",
    .needs = "cpu",
    .incident = "fp16 kernels handed in for fp32 tasks by generated code, 2025",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = precision_mismatch,
};

static bool is_declared(const struct aisp_evidence *ev, int side, const char *use)
{
    return strstr(ev->variant[side].decl.uses, use) != NULL;
}

static void backend_policy_drift(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_float_mode *mode = &ev->workload.mode[side];

        if (mode->at_load != mode->after && !is_declared(ev, side, "fast-math"))
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: its thread's floating-point mode (MXCSR) was %#x when it was loaded and %#x after its calls, not "
                      "declared (uses: fast-math)",
                      ev->variant[side].name, mode->at_load, mode->after);
    }
}

AISP_CHECK(backend_policy_drift_check) = {
    .issue = 19,
    .name = "backend-policy-drift",
    .family = "workload",
    .title = "A variant that changes how numbers are rounded for its thread says so",
    .needs = "cpu",
    .incident = "TF32 switched on for one side of a comparison",
    .severity = AISP_VIOLATION,
    .rank = 13,
    .examine = backend_policy_drift,
};

/* Of an axis without a meaning only what cannot have been computed is held against anybody: copies and zeros. */
static void undeclared_shortcuts(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *slices = anatomy_of(ev, side, AISP_ANATOMY_SLICES),
                                  *input = anatomy_of(ev, side, AISP_ANATOMY_INPUT);
        char text[200];

        if (slices && slices->meaning != AISP_BATCH && slices->meaning != AISP_SEQUENCE &&
            (slices->content == AISP_SLICE_COPIES || slices->content == AISP_SLICE_ZEROS)) {
            snprintf(text, sizeof text, "%lld of %lld slices along axis %d are %s, the others right",
                     (long long)slices->n_slices, (long long)slices->of, slices->axis, content_name(slices));
            find(self, ev, side, slices, text, out);
        } else if (input) {
            snprintf(text, sizeof text, "the output is input %s, byte for byte", input->name);
            find(self, ev, side, input, text, out);
        }
    }
}

AISP_CHECK(undeclared_shortcuts_check) = {
    .issue = 20,
    .name = "undeclared-shortcuts",
    .family = "workload",
    .title = "Parts that were copied, left zero or passed through instead of computed are found and counted",
    .needs = "cpu",
    .incident = "inputs handed back as outputs by generated kernels, 2025",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = undeclared_shortcuts,
};

static void early_exit(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_less(self, ev, AISP_STEPS, out);
}

AISP_CHECK(early_exit_check) = {
    .issue = 21,
    .name = "early-exit",
    .family = "workload",
    .title = "Steps that were not taken show: the answer is that of fewer steps",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = early_exit,
};

static void batch_shrinking(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_less(self, ev, AISP_BATCH, out);
}

AISP_CHECK(batch_shrinking_check) = {
    .issue = 22,
    .name = "batch-shrinking",
    .family = "workload",
    .title = "Every sample of a batch is compared; missing ones are told from wrong ones",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = batch_shrinking,
};

static void sequence_truncation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_less(self, ev, AISP_SEQUENCE, out);
}

AISP_CHECK(sequence_truncation_check) = {
    .issue = 23,
    .name = "sequence-truncation",
    .family = "workload",
    .title = "The last positions of a sequence count, also where they are planted to be large",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = sequence_truncation,
};

static void hidden_downsampling(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, AISP_ANATOMY_UPSAMPLED);
        char text[200];

        if (!a)
            continue;
        snprintf(text, sizeof text, "%lld of %lld pairs of neighbours along %s are equal where the truth's differ",
                 (long long)a->n_slices, (long long)a->of, *a->name ? a->name : "an axis");
        find(self, ev, side, a, text, out);
    }
}

AISP_CHECK(hidden_downsampling_check) = {
    .issue = 24,
    .name = "hidden-downsampling",
    .family = "workload",
    .title = "Half of the resolution shows in equal neighbours, and cannot answer a checkerboard",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = hidden_downsampling,
};

/* The right answer to an altered input. */
static void find_altered(const struct aisp_check *self, const struct aisp_evidence *ev, enum aisp_anatomy_kind kind,
                         struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_anatomy *a = anatomy_of(ev, side, kind);
        char text[200];

        if (!a)
            continue;
        snprintf(text, sizeof text, "the right answer to %s instead of %s", a->where, a->name);
        find(self, ev, side, a, text, out);
    }
}

static void sparsity_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_altered(self, ev, AISP_ANATOMY_PRUNED, out);
}

AISP_CHECK(sparsity_mismatch_check) = {
    .issue = 25,
    .name = "sparsity-mismatch",
    .family = "workload",
    .title = "Weights that were pruned show: the answer is that of the pruned ones",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = sparsity_mismatch,
};

static void mask_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_altered(self, ev, AISP_ANATOMY_MASK, out);
}

AISP_CHECK(mask_mismatch_check) = {
    .issue = 26,
    .name = "mask-mismatch",
    .family = "workload",
    .title = "A mask that was ignored or replaced by a causal one shows in whose answer it is",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = mask_mismatch,
};

static void kv_cache_size(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    find_less(self, ev, AISP_CACHE, out);
}

AISP_CHECK(kv_cache_size_check) = {
    .issue = 27,
    .name = "kv-cache-size",
    .family = "workload",
    .title = "The whole cache counts: the answer of a window of it is recognised, and old positions are planted",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = kv_cache_size,
};

/* A flaw of the data, which no variant has a part in. */
static void train_test_overlap(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_overlap *o = &ev->workload.overlap;

    if (o->n_shared > 0)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the data set: %lld of %lld training rows are test rows too (row %lld of %lld test rows is training row "
                  "%lld), expected none",
                  (long long)o->n_shared, (long long)o->n_train, (long long)o->first_test, (long long)o->n_test,
                  (long long)o->first_train);
}

AISP_CHECK(train_test_overlap_check) = {
    .issue = 28,
    .name = "train-test-overlap",
    .family = "workload",
    .title = "No row of a training set is one of the test set",
    .needs = "cpu",
    .incident = "duplicates of test images among training images of common data sets, 2019",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = train_test_overlap,
};
