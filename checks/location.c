/* location.c - was the work done where and when it was timed? */
#include "checks/observed.h"

static void background_thread(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *busy = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_BUSY_OUTSIDE, -1);
        const struct aisp_observation *threads = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_EXTRA_THREADS, -1);
        char where[192];

        if (busy && busy->kind == AISP_BUSY_BEFORE_GO) {
            aisp_observed_where(ev, busy, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the worker took %.0f ns longer than the other side's to be ready, with the contents before it and no "
                      "clock running; %s", where, busy->seen, busy->detail);
        } else if (busy) {
            aisp_observed_where(ev, busy, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: the worker used %.0f ns of CPU time while it should have slept, expected 0%s%s", where, busy->seen,
                      *busy->detail ? "; " : "", busy->detail);
        }
        if (threads) {
            aisp_observed_where(ev, threads, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %.0f tasks, expected %.0f: threads were not declared (uses: threads)",
                      where, threads->seen, threads->expected);
        }
    }
}

AISP_CHECK(background_thread_check) = {
    .issue = 33,
    .name = "background-thread",
    .family = "location",
    .title = "Outside its windows a worker sleeps: no CPU time, no thread that was not declared",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 8,
    .examine = background_thread,
};
