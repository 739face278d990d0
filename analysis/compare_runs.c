/* compare_runs.c - match the rows of two runs and judge each change. */
#include "analysis/compare_runs.h"

#include <math.h>
#include <string.h>

#include "core/json.h"

double aisp_change_floor(const json_t *before, const json_t *after)
{
    const double a = aisp_json_number(before, "floor"), b = aisp_json_number(after, "floor");

    return fmax(AISP_CHANGE_FLOOR, isfinite(a) ? a : 0) + fmax(AISP_CHANGE_FLOOR, isfinite(b) ? b : 0);
}

/* In-run bands are 0.5 %, or 1 % for DRAM. Three times the two together, because the noise between runs comes on top: where
 * the same code moves by 0.2 % from run to run and 29 runs taught it, once leaves 369 of 400 rows of the same code UNSURE,
 * twice 34, three times one. */
static double band_of(const struct aisp_compare_spec *spec, const json_t *before, const json_t *after)
{
    const double a = aisp_json_number(before, "band"), b = aisp_json_number(after, "band");

    if (spec->band > 0)
        return spec->band;
    return 3 * ((a > 0 ? a : 0.005) + (b > 0 ? b : 0.005));
}

static json_t *percent(double log_change)
{
    return aisp_figure_json(aisp_change_percent(log_change));
}

json_t *aisp_change_json(const struct aisp_change *c, const struct aisp_change_rules *rules)
{
    if (!isfinite(c->change))
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "percent", percent(c->change), "lo95_percent",
                     percent(c->lo95), "hi95_percent", percent(c->hi95), "vlo_percent", percent(c->vlo), "vhi_percent",
                     percent(c->vhi), "smallest_seen_percent", aisp_figure_json(-aisp_change_percent(-c->smallest_seen)),
                     "band_percent", percent(rules->band), "floor_percent", percent(rules->floor));
}

json_t *aisp_noise_json(const struct aisp_change *c, const struct aisp_noise *noise)
{
    if (!isfinite(c->noise_sd))
        return json_null();
    return json_pack("{s:o, s:I, s:b}", "sd_percent", aisp_figure_json(100 * c->noise_sd), "n_runs", (json_int_t)noise->n_runs,
                     "is_learned", noise->is_learned);
}

/* Why a change is UNSURE, with what it would take; nothing for an answer. */
static void put_reason(const struct aisp_change *c, const struct aisp_noise *noise, const struct aisp_change_rules *rules,
                       struct aisp_buf *out)
{
    switch (c->reason) {
    case AISP_CHANGE_CLEAR:
        break;
    case AISP_CHANGE_NO_INTERVAL:
        aisp_buf_puts(out, "one of the two has no interval");
        break;
    case AISP_CHANGE_NOT_LEARNED:
        aisp_buf_printf(out,
                        "how far this ratio moves from run to run is not learned yet (%zu of %d runs), and the change is not "
                        "beyond what %.1f %% of it could make",
                        noise->n_runs, AISP_NOISE_MIN_RUNS, 100 * c->noise_sd);
        break;
    case AISP_CHANGE_WIDE:
        aisp_buf_printf(out, "no change is clear, and one of %.1f %% is not ruled out (the band is %.1f %%)",
                        aisp_change_percent(c->band_wanted), aisp_change_percent(rules->band));
        break;
    case AISP_CHANGE_BELOW_FLOOR:
        aisp_buf_printf(out, "clear, but below the %.1f %% that bias of the two runs can make",
                        aisp_change_percent(rules->floor));
        break;
    }
}

/* ---- rows ---- */

static json_t *side(const json_t *figure)
{
    static const char *const names[] = { "ratio", "lo95", "hi95", "n_pairs", "grade", "variant_sha256" };
    json_t *out;

    if (!figure)
        return json_null();
    out = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set(out, names[i], json_object_get(figure, names[i]));
    return out;
}

static json_t *row_of(const json_t *before, const json_t *after)
{
    static const char *const names[] = { "target", "variant", "reference", "device", "size", "goal", "point" };
    const json_t *who = after ? after : before;
    json_t *row = json_object(), *elapsed = json_object_get(who, "elapsed_s");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set_new(row, names[i], json_string(aisp_json_text(who, names[i])));
    json_object_set_new(row, "before", side(before));
    json_object_set_new(row, "after", side(after));
    json_object_set_new(row, "elapsed_s", elapsed ? json_incref(elapsed) : json_null());
    return row;
}

static void conclude(json_t *row, enum aisp_verdict verdict, const char *state, const char *reason)
{
    json_object_set_new(row, "verdict", json_string(aisp_verdict_name(verdict)));
    json_object_set_new(row, "state", json_string(state));
    json_object_set_new(row, "reason", json_string(reason));
    if (!json_object_get(row, "change"))
        json_object_set_new(row, "change", json_null());
    if (!json_object_get(row, "noise"))
        json_object_set_new(row, "noise", json_null());
}

static bool put_trouble(const json_t *figure, const char *when, struct aisp_buf *why)
{
    const char *trouble = aisp_json_text(figure, "trouble");

    if (*trouble)
        aisp_buf_printf(why, "%s%s%s", when, json_is_true(json_object_get(figure, "is_invalid")) ? "invalid: " : "", trouble);
    return *trouble;
}

/* Why these two have no change, or NULL. */
static const char *obstacle(const json_t *before, const json_t *after, struct aisp_buf *why)
{
    const char *on[2] = { aisp_json_text(before, "hardware"), aisp_json_text(after, "hardware") };

    if (!before || !after) {
        aisp_buf_puts(why, after ? "the run before has no such row" : "the run after has no such row");
        return after ? "only after" : "only before";
    }
    if (put_trouble(after, "", why))
        return json_is_true(json_object_get(after, "is_invalid")) ? "invalid" : "no figure";
    if (put_trouble(before, "before: ", why))
        return "no figure";
    if (strcmp(on[0], on[1])) {
        aisp_buf_printf(why, "it ran on %s, before on %s: a ratio moves with the machine", *on[1] ? on[1] : "unknown hardware",
                        *on[0] ? on[0] : "unknown hardware");
        return "other";
    }
    return aisp_figure_differs(before, after, why) ? "other" : NULL;
}

static json_t *compare(const struct aisp_compare_spec *spec, const json_t *before, const json_t *after, size_t n_rows)
{
    json_t *row = row_of(before, after);
    struct aisp_buf why = AISP_BUF_INIT;
    const char *state = obstacle(before, after, &why);

    if (state) {
        conclude(row, AISP_UNSURE, state, why.s);
    } else {
        const struct aisp_change_rules rules = { .alpha = spec->alpha, .n_rows = n_rows,
                                                 .floor = aisp_change_floor(before, after),
                                                 .band = band_of(spec, before, after) };
        const struct aisp_ratio a = aisp_figure_ratio(before), b = aisp_figure_ratio(after);
        struct aisp_noise noise = { 0 };
        struct aisp_change change;

        spec->noise(spec->context, after, &noise);
        aisp_change_of(&a, &b, &noise, &rules, &change);
        put_reason(&change, &noise, &rules, &why);
        json_object_set_new(row, "change", aisp_change_json(&change, &rules));
        json_object_set_new(row, "noise", aisp_noise_json(&change, &noise));
        conclude(row, change.verdict, "compared", why.s ? why.s : "");
    }
    aisp_buf_release(&why);
    return row;
}

/* Only rows that get a verdict share the rate of false ones. */
static size_t count_judged(const struct aisp_compare_spec *spec)
{
    const json_t *after;
    size_t i, n = 0;

    json_array_foreach(spec->after, i, after) {
        struct aisp_buf why = AISP_BUF_INIT;

        n += !obstacle(aisp_figure_find(spec->before, after), after, &why);
        aisp_buf_release(&why);
    }
    return n;
}

json_t *aisp_compare_runs(const struct aisp_compare_spec *spec)
{
    const size_t n_rows = count_judged(spec);
    json_t *rows = json_array();
    const json_t *figure;
    size_t i;

    json_array_foreach(spec->after, i, figure)
        json_array_append_new(rows, compare(spec, aisp_figure_find(spec->before, figure), figure, n_rows));
    json_array_foreach(spec->before, i, figure)
        if (!aisp_figure_find(spec->after, figure))
            json_array_append_new(rows, compare(spec, figure, NULL, n_rows));
    return rows;
}
