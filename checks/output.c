/* output.c - is what was written the answer to what was asked? */
#include "checks/observed.h"

/* Nothing at all was written by this call, although earlier ones were right: then it is no question of shape but of work not
 * done any more (warmup-bleed). */
static bool wrote_nothing(const struct aisp_evidence *ev, int side, const struct aisp_observation *o)
{
    const struct aisp_verified *v = &ev->verified[side];

    return o->count == o->of && o->of > 0 && v->n_full_right + v->warmup_right + v->timed_right > 0;
}

static void constant_output(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    aisp_find_wrong_output(self, ev, AISP_WRONG_CONSTANT, out);
}

AISP_CHECK(constant_output_check) = {
    .issue = 8,
    .name = "constant-output",
    .family = "output",
    .title = "An output that ignores its input is found, since every call has new contents",
    .needs = "cpu",
    .incident = "generated kernels that returned a fixed tensor, 2025",
    .severity = AISP_VIOLATION,
    .rank = 20,
    .examine = constant_output,
};

static void stale_cache(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    aisp_find_wrong_output(self, ev, AISP_WRONG_STALE, out);
}

AISP_CHECK(stale_cache_check) = {
    .issue = 9,
    .name = "stale-cache",
    .family = "output",
    .title = "An answer kept from an earlier call is found, since contents change at unchanged addresses",
    .needs = "cpu",
    .incident = "result caching among the reward hacks of generated CUDA kernels, 2025",
    .severity = AISP_VIOLATION,
    .rank = 10,
    .examine = stale_cache,
};

static void approximation_drift(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    aisp_find_wrong_output(self, ev, AISP_WRONG_VALUE, out);
    aisp_find_wrong_output(self, ev, AISP_WRONG_NORM, out);
    aisp_find_wrong_output(self, ev, AISP_WRONG_REJECTED, out);
}

AISP_CHECK(approximation_drift_check) = {
    .issue = 10,
    .name = "approximation-drift",
    .family = "output",
    .title = "Every element is compared with a more precise truth, inside a bound that the problem justifies",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 40,
    .examine = approximation_drift,
};

static void nan_output(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    aisp_find_wrong_output(self, ev, AISP_WRONG_NAN, out);
}

AISP_CHECK(nan_check) = {
    .issue = 11,
    .name = "nan",
    .family = "output",
    .title = "A NaN equals nothing, and is told from memory that was never written",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 30,
    .examine = nan_output,
};

static void inf_output(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    aisp_find_wrong_output(self, ev, AISP_WRONG_INF, out);
}

AISP_CHECK(inf_check) = {
    .issue = 12,
    .name = "inf",
    .family = "output",
    .title = "An infinity is right only where the truth has the same one",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 31,
    .examine = inf_output,
};

static void invalid_ground_truth(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_observation *o = aisp_observed(ev, AISP_A, AISP_SEEN_WRONG_OUTPUT, -1);
    char where[192];

    if (ev->workload.n_second_differ > 0)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the problem's two references disagree in %lld of %lld elements, first in %lld: %.9g and %.9g",
                  (long long)ev->workload.n_second_differ, (long long)ev->workload.n_second,
                  (long long)ev->workload.second_element, ev->workload.second_first, ev->workload.second_other);
    if (!o)
        return;
    aisp_observed_where(ev, o, where, sizeof where);
    aisp_find(out, self, AISP_VIOLATION, AISP_A,
              "%s: the reference variant itself is wrong, nothing can be compared with it: %s; element %lld: saw %.9g, expected "
              "%.9g",
              where, aisp_wrong_name((enum aisp_wrong)o->kind), (long long)o->element, o->seen, o->expected);
}

AISP_CHECK(invalid_ground_truth_check) = {
    .issue = 13,
    .name = "invalid-ground-truth",
    .family = "output",
    .title = "The truth comes from the problem; the baseline has to meet it like everyone else",
    .needs = "cpu",
    .incident = "label errors of 6 % and more in standard test sets, 2021",
    .severity = AISP_VIOLATION,
    .rank = 7,   /* before what is wrong with it: that would read as if a contender were */
    .examine = invalid_ground_truth,
};

static void shape_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        if (ev->workload.anatomy[side].kind == AISP_ANATOMY_TRANSPOSED)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the right answer with its last two dimensions exchanged; %lld of %lld elements not where they were "
                      "expected",
                      ev->variant[side].name, (long long)ev->workload.anatomy[side].n_wrong,
                      (long long)ev->workload.anatomy[side].n_elements);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *unwritten =
            aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN);
        const struct aisp_observation *canary = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_CANARY, -1);
        char where[192];

        if (unwritten && !wrote_nothing(ev, side, unwritten)) {
            aisp_observed_where(ev, unwritten, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: element %lld still holds the poison, expected %.9g; %lld of %lld elements not written", where,
                      (long long)unwritten->element, unwritten->expected, (long long)unwritten->count,
                      (long long)unwritten->of);
        }
        if (canary) {
            aisp_observed_where(ev, canary, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side, "%s: bytes beside the buffer were changed: %s", where, canary->detail);
        }
    }
}

AISP_CHECK(shape_mismatch_check) = {
    .issue = 14,
    .name = "shape-mismatch",
    .family = "output",
    .title = "Every element is written, and nothing beside the buffer is",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 15,
    .examine = shape_mismatch,
};
