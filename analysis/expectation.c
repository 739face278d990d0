/* expectation.c - a result against what is expected of it. */
#include "analysis/expectation.h"

#include <math.h>
#include <string.h>

#include "analysis/compare_runs.h"
#include "core/json.h"

/* ---- what is said ---- */

static json_t *side(const json_t *figure)
{
    static const char *const names[] = { "ratio", "lo95", "hi95", "n_pairs" };
    const json_t *from = json_object_get(figure, "provenance");
    json_t *out;

    if (!figure)
        return json_null();
    out = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set(out, names[i], json_object_get(figure, names[i]));
    if (from) {
        json_object_set(out, "run", json_object_get(from, "run"));
        json_object_set(out, "commit", json_object_get(from, "commit"));
    }
    return out;
}

static json_t *row_of(const json_t *figure, const json_t *expected)
{
    static const char *const names[] = { "target", "variant", "reference", "device", "size", "goal" };
    const json_t *who = figure ? figure : expected;
    json_t *row = json_object(), *elapsed = json_object_get(figure, "elapsed_s");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set_new(row, names[i], json_string(aisp_json_text(who, names[i])));
    json_object_set_new(row, "expected", side(expected));
    json_object_set_new(row, "measured", side(figure));
    json_object_set_new(row, "change", json_null());
    json_object_set_new(row, "noise", json_null());
    json_object_set_new(row, "elapsed_s", elapsed ? json_incref(elapsed) : json_null());
    return row;
}

static void conclude(json_t *row, const char *outcome, const char *state, const char *reason)
{
    json_object_set_new(row, "outcome", json_string(outcome));
    json_object_set_new(row, "state", json_string(state));
    json_object_set_new(row, "reason", json_string(reason));
}

/* ---- the rules ---- */

/* What keeps the two from being compared, with its outcome and state in the row; false: nothing does. */
static bool is_stopped(json_t *row, const json_t *figure, const json_t *expected)
{
    struct aisp_buf why = AISP_BUF_INIT;

    if (!figure)
        conclude(row, "UNSURE", "not measured", "this run has no such result");
    else if (json_is_true(json_object_get(figure, "is_invalid")))
        conclude(row, "INVALID", "invalid", aisp_json_text(figure, "trouble"));
    else if (*aisp_json_text(figure, "trouble"))
        conclude(row, "UNSURE", "no figure", aisp_json_text(figure, "trouble"));
    else if (!expected)
        conclude(row, "UNSURE", "no expectation", "nothing is expected of it yet: --update writes what this run found");
    else if (aisp_figure_differs(expected, figure, &why)) {
        aisp_buf_puts(&why, ": --update writes what this run found");
        conclude(row, "UNSURE", "changed", why.s);
    }
    aisp_buf_release(&why);
    return json_object_get(row, "outcome") != NULL;
}

bool aisp_expectation_is_judged(const json_t *figure, const json_t *expected)
{
    struct aisp_buf why = AISP_BUF_INIT;
    const bool is = figure && expected && !*aisp_json_text(figure, "trouble") && !aisp_figure_differs(expected, figure, &why);

    aisp_buf_release(&why);
    return is;
}

/* A floor under the ratio itself: this run's own interval decides. False: it holds, or there is none. */
static bool is_below_minimum(json_t *row, const json_t *figure, double minimum)
{
    const struct aisp_ratio r = aisp_figure_ratio(figure);
    struct aisp_buf why = AISP_BUF_INIT;

    if (!(minimum > 0) || !(r.ratio > 0) || r.lo95 >= minimum)
        return false;
    if (r.hi95 < minimum)
        aisp_buf_printf(&why, "its ratio lies below the minimum of %g", minimum);
    else
        aisp_buf_printf(&why, "its interval holds the minimum of %g", minimum);
    conclude(row, r.hi95 < minimum ? "FAIL" : "UNSURE", "below minimum", why.s);
    aisp_buf_release(&why);
    return true;
}

/* The history that is at hand, else the one that was there when the row was written. */
static const char *pick_noise(const struct aisp_noise *here, const json_t *expected, struct aisp_noise *out)
{
    const json_t *kept = json_object_get(expected, "noise");

    *out = *here;
    if (here->is_learned)
        return "history";
    if (!json_is_object(kept))
        return "assumed";
    *out = (struct aisp_noise){ .sd_log = aisp_json_number(kept, "sd_log"),
                                .sd_log_high = aisp_json_number(kept, "sd_log_high"),
                                .n_runs = (size_t)json_integer_value(json_object_get(kept, "n_runs")), .is_learned = true };
    return "expectations";
}

static void say_blind(json_t *row, const struct aisp_change *change, const struct aisp_noise *noise, double mde)
{
    struct aisp_buf why = AISP_BUF_INIT;

    aisp_buf_printf(&why, "no drop is clear, but only one of %.1f %% or more would be, and --mde asks for %.1f %%",
                    -aisp_change_percent(-change->smallest_seen), -aisp_change_percent(-mde));
    if (!noise->is_learned)
        aisp_buf_printf(&why, "; the noise between runs is not learned yet (%zu of %d runs), %.1f %% is assumed", noise->n_runs,
                        AISP_NOISE_MIN_RUNS, 100 * change->noise_sd);
    conclude(row, "UNSURE", "blind", why.s);
    aisp_buf_release(&why);
}

static void say_regression(json_t *row, const struct aisp_change *change)
{
    struct aisp_buf why = AISP_BUF_INIT;

    aisp_buf_printf(&why, "%.1f %% below what is expected, with all noise between %.1f and %.1f %%",
                    -aisp_change_percent(change->change), -aisp_change_percent(change->vhi), -aisp_change_percent(change->vlo));
    conclude(row, "FAIL", "regression", why.s);
    aisp_buf_release(&why);
}

static void judge_change(json_t *row, const json_t *figure, const json_t *expected, const struct aisp_noise *here,
                         const struct aisp_expectation_rules *rules)
{
    const struct aisp_ratio before = aisp_figure_ratio(expected), after = aisp_figure_ratio(figure);
    const struct aisp_change_rules change_rules = { .alpha = rules->alpha, .n_rows = rules->n_rows,
                                                    .floor = aisp_change_floor(expected, figure), .band = rules->mde };
    struct aisp_change change;
    struct aisp_noise noise;
    const char *from = pick_noise(here, expected, &noise);
    json_t *said;

    aisp_change_of(&before, &after, &noise, &change_rules, &change);
    said = aisp_noise_json(&change, &noise);
    json_object_set_new(said, "from", json_string(from));
    json_object_set_new(row, "noise", said);
    json_object_set_new(row, "change", aisp_change_json(&change, &change_rules));
    if (change.verdict == AISP_SLOWER)
        say_regression(row, &change);
    else if (is_below_minimum(row, figure, rules->min_speedup))
        return;
    else if (change.verdict == AISP_FASTER)
        conclude(row, "PASS", "improved", "");
    else if (change.smallest_seen > rules->mde)
        say_blind(row, &change, &noise, rules->mde);
    else
        conclude(row, "PASS", "met", "");
}

json_t *aisp_expectation_judge(const json_t *figure, const json_t *expected, const struct aisp_noise *noise,
                               const struct aisp_expectation_rules *rules)
{
    json_t *row = row_of(figure, expected);
    const bool has_figure = figure && !*aisp_json_text(figure, "trouble");

    if (is_stopped(row, figure, expected)) {
        /* What is below the minimum fails whatever is expected of it. */
        if (has_figure && aisp_figure_ratio(figure).hi95 < rules->min_speedup)
            is_below_minimum(row, figure, rules->min_speedup);
        return row;
    }
    judge_change(row, figure, expected, noise, rules);
    return row;
}
