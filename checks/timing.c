/* timing.c - is the time that is printed the time of the work? The supervisor's window decides; these look for what could make
 * it too short, too coarse, or unlike what it claims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/observed.h"
#include "checks/samples.h"
#include "core/goal.h"
#include "core/run/control.h"

static void incomplete_async(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_LATE_WRITE, -1);
        char where[192];

        if (!o)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: the output changed after done: element %lld held %.9g after the stop, %.9g later; %lld of %lld bytes changed",
                  where, (long long)o->element, o->expected, o->seen, (long long)o->count, (long long)o->of);
    }
}

AISP_CHECK(incomplete_async_check) = {
    .issue = 2,
    .name = "incomplete-async",
    .family = "timing",
    .title = "An output that changes after the clock stopped is found: it is copied at the stop and looked at again",
    .needs = "cpu",
    .incident = "82 of 250 generated kernels ran on streams that nobody waited for, 2025",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = incomplete_async,
};

/* Both sides make the same number of calls in each window of a block, or their windows are no comparison. */
static void unequal_calls(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    int64_t calls[2] = { 0, 0 };
    int32_t pair = -1;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->kind != AISP_WINDOW_TIMED || w->side < AISP_A || w->side > AISP_B)
            continue;
        if (w->pair != pair)
            calls[0] = calls[1] = 0;
        pair = w->pair;
        calls[w->side] = w->calls;
        if (!calls[AISP_A] || !calls[AISP_B] || calls[AISP_A] == calls[AISP_B])
            continue;
        aisp_find(out, self, AISP_VIOLATION, -1, "windows of pair %d have %lld calls for %s and %lld for %s", pair,
                  (long long)calls[AISP_A], ev->variant[AISP_A].name, (long long)calls[AISP_B], ev->variant[AISP_B].name);
        return;
    }
}

/* Nobody could have had a longer window: it is one call, for that is what is asked about; or the slots that a call uses up, or what
 * the slower side makes of it, left room for no more. Then a clock that is good for something makes it a doubt. */
static bool is_as_long_as_can_be(const struct aisp_evidence *ev, double window_ns, double step_ns)
{
    const double needed_ns = AISP_CLOCK_STEPS * step_ns, planned_ns = (double)ev->planned_window_ns;

    return step_ns <= AISP_CLOCK_COARSEST_NS && window_ns * 100 >= needed_ns &&
           (aisp_goal_is_single(ev->goal) || (planned_ns > 0 && planned_ns < needed_ns));
}

/* A window has to be long against the clock's step, or its time is the clock's and not the kernel's. */
static void short_of_steps(const struct aisp_check *self, const struct aisp_evidence *ev, int side, double window_ns,
                           struct aisp_findings *out)
{
    const double step_ns = ev->calibration.clock_step_ns;
    const bool is_doubt = is_as_long_as_can_be(ev, window_ns, step_ns);

    if (step_ns > 0 && window_ns > 0 && window_ns < AISP_CLOCK_STEPS * step_ns)
        aisp_find(out, self, is_doubt ? AISP_DEVELOPMENT : AISP_VIOLATION, side,
                  "%s: windows of %.0f ns are below %d steps of the clock (%.0f ns): %s", ev->variant[side].name, window_ns,
                  AISP_CLOCK_STEPS, step_ns, is_doubt ? "they cannot be longer, and it is coarse for them" : "cannot resolve");
}

/* Slow calls in the trial and in the warm-up, whether by bad luck or on purpose, plan short windows, of which all that is allowed
 * beside their calls is a larger part. */
static void short_of_plan(const struct aisp_check *self, const struct aisp_evidence *ev, int side, double window_ns,
                          struct aisp_findings *out)
{
    const double planned_ns = (double)ev->planned_window_ns;

    if (window_ns > 0 && window_ns < planned_ns / 2 && !aisp_goal_is_single(ev->goal))
        aisp_find(out, self, AISP_DEVELOPMENT, side,
                  "%s: windows of %.0f us, where %.0f were planned: its calls were slower before they were timed, and in windows as "
                  "short as that what is not calls is a larger part. Measure again",
                  ev->variant[side].name, 1e-3 * window_ns, 1e-3 * planned_ns);
}

static void timer_granularity(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    unequal_calls(self, ev, out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const double window_ns = aisp_median_window_ns(ev, (enum aisp_side)side);

        short_of_steps(self, ev, side, window_ns, out);
        short_of_plan(self, ev, side, window_ns, out);
    }
}

AISP_CHECK(timer_granularity_check) = {
    .issue = 4,
    .name = "timer-granularity",
    .family = "timing",
    .title = "Calls are batched into windows of at least 1000 clock steps, equally many on both sides",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 50,
    .examine = timer_granularity,
};

/* Right while it was young, and later a call that writes nothing at all: it worked only as long as it took to be believed. */
static void warmup_bleed(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_verified *v = &ev->verified[side];
        const struct aisp_observation *o =
            aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN);
        const int64_t right = v->n_full_right + v->warmup_right + v->timed_right;
        char where[192];

        if (!o || o->count != o->of || right == 0)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: nothing was written (all %lld elements hold the poison, expected %.9g), after %lld right calls earlier",
                  where, (long long)o->of, o->expected, (long long)right);
    }
}

AISP_CHECK(warmup_bleed_check) = {
    .issue = 5,
    .name = "warmup-bleed",
    .family = "timing",
    .title = "Work done in warm-up is of no use later: contents are new and outputs poisoned before each window",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 12,
    .examine = warmup_bleed,
};

/* A wall clock that was set meanwhile changes no figure: windows are timed by a clock that nobody can set. It is said because
 * dates in the record jump. */
static void wall_clock(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const int64_t step_ns = ev->after.realtime_minus_mono_ns - ev->before.realtime_minus_mono_ns;

    if (ev->before.realtime_minus_mono_ns && ev->after.realtime_minus_mono_ns && llabs(step_ns) > 1000000000)
        aisp_find(out, self, AISP_NOTE, -1, "the wall clock was set by %.1f s during the run; times are of another clock",
                  1e-9 * (double)step_ns);
}

/* The worker's clock decides nothing; but a steady disagreement means that one of the two was tampered with. One window can
 * be late for many reasons, so medians over processes are judged, without windows in which another process ran. */
static void clock_drift(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const double calibrated_ns = ev->calibration.slack_median_high_ns;
    /* Where this machine was never calibrated, honest processes on a crowded one reach some microseconds. */
    const double own_ns = !ev->spinning ? 200000 : calibrated_ns > 0 ? 2000 : 20000;
    /* A card is told to begin and waited for: 9 to 26 us (medians of processes) on an H100, for windows of 1 to 140 ms; where
     * the window is held (the kernel scope), 2 to 3 us. */
    const double card_ns = !*ev->limits.card ? 0 : ev->held.scope == AISP_SCOPE_KERNEL ? 15000 : 40000;
    const double least_ns = fmax(own_ns, card_ns);
    const double limit_ns = fmax(least_ns, 2 * calibrated_ns);

    wall_clock(self, ev, out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_slack slack = aisp_slack(ev, (enum aisp_side)side);

        if (!slack.n_processes || (slack.median_ns <= limit_ns && slack.median_ns >= -1000))
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: clocks disagree: the supervisor's windows are %.0f ns longer (median of %d processes) than the worker says; "
                  "honest processes stay below %.0f ns. The printed time is the supervisor's",
                  ev->variant[side].name, slack.median_ns, slack.n_processes, limit_ns);
    }
}

AISP_CHECK(clock_drift_check) = {
    .issue = 6,
    .name = "clock-drift",
    .family = "timing",
    .title = "The supervisor's clock alone decides; a worker's clock that disagrees is reported",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 14,
    .examine = clock_drift,
};

static void clock_setting(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    static const char *const calls[] = { "clock_settime", "clock_adjtime", "adjtimex", "settimeofday" };

    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];
        bool is_one = false;
        char where[192];

        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
            is_one |= o->what == AISP_SEEN_FORBIDDEN_CALL && !strcmp(o->detail, calls[c]);
        if (!is_one)
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, o->side, "%s: called %s to set the machine's clock", where, o->detail);
        return;
    }
}

AISP_CHECK(clock_setting_check) = {
    .issue = 6,
    .name = "clock-setting",
    .family = "timing",
    .title = "A worker cannot set the machine's clock, and who tries is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = clock_setting,
};

static void profiler_overhead(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_environment *env = &ev->before;

    if (env->tracer_pid > 0)
        aisp_find(out, self, AISP_VIOLATION, -1, "a tracer (process %d) is attached: times are the tracer's", env->tracer_pid);
    if (*env->injection)
        aisp_find(out, self, AISP_VIOLATION, -1, "%s is set: a profiler is injected into what is timed", env->injection);
    if (*env->preload)
        aisp_find(out, self, AISP_VIOLATION, -1, "LD_PRELOAD is \"%s\": unset it", env->preload);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (ev->machine.footing[side].tracer_pid > 0)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: a tracer (process %d) was attached to its worker",
                      ev->variant[side].name, ev->machine.footing[side].tracer_pid);
}

AISP_CHECK(profiler_overhead_check) = {
    .issue = 7,
    .name = "profiler-overhead",
    .family = "timing",
    .title = "No score is taken under a tracer or an injected library",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 45,
    .examine = profiler_overhead,
};

/* Work skipped when a slot comes again within one window cannot be seen in the output, which is already right. Its time can:
 * windows in which no slot repeats have to cost as much a call. What is below 1.5 times is not accused, for caches and
 * predictors are a little colder in short windows: the verdict has to survive it instead (core/run/control.h). */
/* Of honest code one in a hundred was left: the last call had come and gone a little before the store. */
enum { LEFT_LEAST = 4, LEFT_ONE_IN = 10 };

/* A word that was overwritten before a slot's last call, and that this call did not write again. One may be a matter of timing. */
static void left_as_it_was(const struct aisp_check *self, const struct aisp_evidence *ev, int side, struct aisp_findings *out)
{
    const struct aisp_rewrites *r = &ev->rewrites[side];

    if (r->n_left >= LEFT_LEAST && r->n_left * LEFT_ONE_IN >= r->n)
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s, window %d of pair %d, slot %d: element %lld of an output was overwritten while the window ran, and the slot's "
                  "last call left it so; %lld of %lld such words were left: work is skipped where a slot comes again",
                  ev->variant[side].name, r->window, r->pair, r->slot, (long long)r->element, (long long)r->n_left,
                  (long long)r->n);
}

/* The difference in cost alone accuses nobody: a loop whose branches depend on its contents was seen at 3.9 times its usual cost
 * where they were new, since a core learns what comes again. A FASTER that rests on it is withheld (control.h). */
static void repeated_slot(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_control c = aisp_control_repeats(ev, (enum aisp_side)side);

        left_as_it_was(self, ev, side, out);
        if (c.n < AISP_CONTROL_LEAST || c.control_ns < 1.5 * c.usual_ns + 2 * aisp_control_cold_ns(ev) ||
            c.control_ns - c.usual_ns < 4 * c.error_ns)
            continue;
        aisp_find(out, self, AISP_NOTE, side,
                  "%s: a call costs %.1f ns where a window repeats slots and %.1f +- %.1f ns where it repeats none (%d control "
                  "windows): its branches are learned from what comes again, or work is skipped",
                  ev->variant[side].name, c.usual_ns, c.control_ns, c.error_ns, c.n);
    }
}

AISP_CHECK(repeated_slot_check) = {
    .issue = 9,
    .name = "repeated-slot",
    .family = "timing",
    .title = "Work skipped when a slot is used again shows: a secret word of its output, overwritten meanwhile, is left as it is",
    .needs = "cpu",
    .incident = "last-call replay among the cheats of generated kernels, 2025",
    .severity = AISP_VIOLATION,
    .rank = 13,
    .examine = repeated_slot,
};

/* Where new contents for every call would cost more than the kernel, a window gets a secret part of them, and a variant could
 * look for what has changed and do only that. Windows with all contents new have to cost as much. On a machine with two speeds, which
 * a neighbour makes, ten such windows had a median 1.3 times the usual one with honest code: so the difference has to be plain
 * in the window as a whole, and plainer in its calls with contents that nobody had seen, and that in nearly all windows, each against its own
 * pair. What is less is for the verdict to survive (core/run/control.h). */
static void partial_recompute(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_control c = aisp_control_fresh(ev, (enum aisp_side)side);
        const double cold_ns = aisp_control_cold_ns(ev), more_ns = c.control_ns - c.usual_ns;

        if (c.n < AISP_CONTROL_LEAST || c.first_ns < 1.5 * c.usual_ns + cold_ns || c.control_ns < 1.4 * c.usual_ns ||
            more_ns < 4 * c.error_ns || aisp_control_fresh_share(ev, (enum aisp_side)side, 1.25, cold_ns) < 0.8)
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: a call costs %.0f ns where a part of its input is new and at least %.0f +- %.0f ns where all of it is (%d control "
                  "windows): what has not changed is not computed",
                  ev->variant[side].name, c.usual_ns, c.first_ns, c.error_ns * (c.first_ns - c.usual_ns) / more_ns, c.n);
    }
}

AISP_CHECK(partial_recompute_check) = {
    .issue = 9,
    .name = "partial-recompute",
    .family = "timing",
    .title = "Work that is done only for contents that changed costs less than where all contents changed",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 13,
    .examine = partial_recompute,
};

/* Nothing moves bytes faster than the memory level that holds them, or computes faster than the core's ports. The roof is a
 * measurement too, and a disturbed one is too low: up to twice above it the roof is in doubt, beyond that the time is. */
static void roofline_floor(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const double floor_ns = aisp_floor_ns(ev);

    for (int side = AISP_A; side <= AISP_B && floor_ns > 0; side++) {
        const double call_ns = aisp_median_call_ns(ev, (enum aisp_side)side);
        const bool impossible = call_ns < 0.5 * floor_ns;

        if (call_ns > 0 && call_ns < 0.9 * floor_ns)
            aisp_find(out, self, impossible ? AISP_VIOLATION : AISP_DEVELOPMENT, side,
                      "%s: %.0f ns a call, where %lld bytes and %lld flops take at least %.0f ns at the measured roof: %s",
                      ev->variant[side].name, call_ns, (long long)ev->bytes, (long long)ev->flops, floor_ns,
                      impossible ? "no machine is twice as fast as itself" : "calibrate again while the machine is quiet");
    }
}

AISP_CHECK(roofline_floor_check) = {
    .issue = 20,
    .name = "roofline-floor",
    .family = "workload",
    .title = "A time below the measured roof of the machine is no result",
    .needs = "cpu",
    .incident = "a generated kernel reported 18 times faster than physics allows, 2025",
    .severity = AISP_VIOLATION,
    .rank = 35,
    .examine = roofline_floor,
};
