/* held.c - checks of windows whose calls are queued before their contents are made (the kernel scope).
 * Not here: that outputs were wrong at all (output.c). */
#include "checks/check.h"
#include "checks/observed.h"

/* Right wherever contents are there when a call is made, and old or missing wherever they come after it. */
static void ahead_of_release(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_held_facts *held = &ev->held;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN);
        char where[192];

        if (!o)
            o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_STALE);
        if (held->scope != AISP_SCOPE_KERNEL || !o || !held->n_wrong[side] || !held->n_right_free[side])
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %s; wrong in %lld held windows, whose contents come after their calls are queued, and right in the %lld calls "
                  "compared that were not held: it works without waiting for the given stream",
                  where, o->kind == AISP_WRONG_STALE ? "the answer is that of contents before" : "the answer is not there",
                  (long long)held->n_wrong[side], (long long)held->n_right_free[side]);
    }
}

AISP_CHECK(ahead_of_release_check) = {
    .issue = 1,
    .name = "ahead-of-release",
    .family = "timing",
    .title = "What is queued waits for its stream: contents of a held window are made after its calls are queued",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = ahead_of_release,
};
