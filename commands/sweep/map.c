/* map.c - from results to a map of where which variant wins. */
#include "commands/sweep/map.h"

#include <stdlib.h>

#include "analysis/scaling.h"
#include "commands/report.h"
#include "commands/sweep/grid.h"

/* One target's part of a run. */
struct scene {
    struct aisp_grid grid;
    const json_t *results;
    const char *target;
    const json_t **variant;                  /* of each the first result */
    size_t n_variants, cap;
    const json_t **at;                       /* results by variant and point; NULL: not measured */
};

const json_t *aisp_sweeps_of(const json_t *manifest)
{
    const json_t *sweeps = json_object_get(json_object_get(manifest, "options"), "sweeps");

    return json_array_size(sweeps) ? sweeps : NULL;
}

static bool is_one_of(const struct scene *s, const json_t *result)
{
    return aisp_report_is(result, "target", s->target) && *aisp_report_text(result, "point");
}

static size_t variant_of(struct scene *s, const json_t *result)
{
    for (size_t i = 0; i < s->n_variants; i++)
        if (aisp_report_is(s->variant[i], "variant", aisp_report_text(result, "variant")))
            return i;
    *(const json_t **)aisp_grow(&s->variant, &s->n_variants, &s->cap, sizeof *s->variant) = result;
    return s->n_variants - 1;
}

/* A point that was measured twice, as no run does, shows its last result. */
static void take_results(struct scene *s)
{
    const json_t *result;
    size_t i, point;

    json_array_foreach(s->results, i, result)
        if (is_one_of(s, result))
            variant_of(s, result);
    s->at = aisp_xcalloc(s->n_variants * s->grid.n_points + 1, sizeof *s->at);
    json_array_foreach(s->results, i, result)
        if (is_one_of(s, result) && aisp_grid_find(&s->grid, json_object_get(result, "params"), &point))
            s->at[variant_of(s, result) * s->grid.n_points + point] = result;
}

static bool scene_init(struct scene *s, const json_t *sweep, const json_t *results)
{
    const json_t *over = json_object_get(sweep, "over"), *text;
    const char *texts[AISP_GRID_AXES];
    size_t i, n = json_array_size(over);

    *s = (struct scene){ .results = results, .target = aisp_report_text(sweep, "target") };
    if (n < 1 || n > AISP_GRID_AXES)
        return false;
    json_array_foreach(over, i, text)
        texts[i] = json_is_string(text) ? json_string_value(text) : "";
    if (aisp_grid_init(&s->grid, texts, n, NULL))
        return false;
    take_results(s);
    return s->n_variants > 0;
}

static void scene_release(struct scene *s)
{
    aisp_grid_release(&s->grid);
    free(s->variant);
    free(s->at);
}

/* ---- one variant ---- */

static int side_of(const json_t *result)
{
    return aisp_report_is(result, "verdict", "FASTER") ? 1 : aisp_report_is(result, "verdict", "SLOWER") ? -1 : 0;
}

static json_t *copy(const json_t *result, const char *key)
{
    json_t *value = json_object_get(result, key);

    return value ? json_incref(value) : json_null();
}

static json_t *point_json(const json_t *result)
{
    const json_t *median = json_object_get(result, "median_ns");

    if (!result)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "key", copy(result, "key"), "verdict",
                     copy(result, "verdict"), "ratio", copy(result, "ratio"), "lo95", copy(result, "lo95"), "hi95",
                     copy(result, "hi95"), "a_ns", copy(median, "a"), "b_ns", copy(median, "b"), "grade",
                     copy(result, "grade"), "reason", copy(result, "reason"));
}

/* "k=8 batch=2" of all axes but one; "" where it is the only one. */
static json_t *along(const struct aisp_grid *grid, size_t point, size_t axis)
{
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *json;

    for (size_t i = 0; i < grid->n_axes; i++)
        if (i != axis)
            aisp_buf_printf(&text, "%s%s=%lld", text.len ? " " : "", grid->axis[i].name,
                            (long long)aisp_grid_value(grid, point, i));
    json = json_string(text.s ? text.s : "");
    aisp_buf_release(&text);
    return json;
}

/* Points in one direction: the first, how far apart two are, how many. */
struct line { size_t axis, first, stride, n; };

static void add_crossovers(json_t *list, const struct scene *s, size_t variant, const struct line *l)
{
    const struct aisp_sweep_axis *axis = &s->grid.axis[l->axis];
    struct aisp_side_change *change = aisp_xcalloc(l->n + 1, sizeof *change);
    int *side = aisp_xcalloc(l->n + 1, sizeof *side);
    size_t n;

    for (size_t i = 0; i < l->n; i++)
        side[i] = side_of(s->at[variant * s->grid.n_points + l->first + i * l->stride]);
    n = aisp_side_changes(side, l->n, change);
    for (size_t i = 0; i < n; i++) {
        json_t *undecided = json_array();

        for (size_t k = change[i].from + 1; k < change[i].to; k++)
            json_array_append_new(undecided, json_integer(axis->value[k]));
        json_array_append_new(list, json_pack("{s:s, s:o, s:I, s:I, s:o, s:b}", "axis", axis->name, "along",
                                              along(&s->grid, l->first, l->axis), "lo", (json_int_t)axis->value[change[i].from],
                                              "hi", (json_int_t)axis->value[change[i].to], "undecided", undecided,
                                              "faster_above", change[i].better_above));
    }
    free(change);
    free(side);
}

static json_t *series_json(const struct scene *s, size_t variant)
{
    const struct aisp_grid *grid = &s->grid;
    json_t *points = json_array(), *crossovers = json_array();
    size_t stride = grid->n_points;

    for (size_t p = 0; p < grid->n_points; p++)
        json_array_append_new(points, point_json(s->at[variant * grid->n_points + p]));
    for (size_t a = 0; a < grid->n_axes; a++) {
        const size_t n = grid->axis[a].n, block = stride;

        stride = block / n;
        for (size_t p = 0; p < grid->n_points; p++)
            if (p % block < stride)          /* its value on this axis is the first */
                add_crossovers(crossovers, s, variant, &(struct line){ a, p, stride, n });
    }
    return json_pack("{s:s, s:o, s:o}", "variant", aisp_report_text(s->variant[variant], "variant"), "points", points,
                     "crossovers", crossovers);
}

/* ---- the winner of a point ---- */

static const json_t *fastest(const struct scene *s, size_t point)
{
    const json_t *best = NULL;

    for (size_t v = 0; v < s->n_variants; v++) {
        const json_t *r = s->at[v * s->grid.n_points + point];

        if (side_of(r) > 0 && (!best || aisp_report_number(r, "ratio") > aisp_report_number(best, "ratio")))
            best = r;
    }
    return best;
}

static json_t *ties_of(const struct scene *s, size_t point, const json_t *best)
{
    json_t *ties = json_array();

    for (size_t v = 0; v < s->n_variants; v++) {
        const json_t *r = s->at[v * s->grid.n_points + point];

        if (r != best && side_of(r) > 0 && !(aisp_report_number(r, "hi95") < aisp_report_number(best, "lo95")))
            json_array_append(ties, json_object_get(r, "variant"));
    }
    return ties;
}

static json_t *winner_json(const struct scene *s, size_t point)
{
    const json_t *best = fastest(s, point);
    struct aisp_buf name = AISP_BUF_INIT;
    json_t *at = json_array(), *json;
    bool all_slower = true;

    for (size_t v = 0; v < s->n_variants; v++)
        all_slower &= side_of(s->at[v * s->grid.n_points + point]) < 0;
    for (size_t a = 0; a < s->grid.n_axes; a++)
        json_array_append_new(at, json_integer(aisp_grid_value(&s->grid, point, a)));
    aisp_grid_put_point(&s->grid, point, &name);
    json = json_pack("{s:s, s:o, s:o, s:o}", "point", name.s, "at", at, "winner",
                     best         ? copy(best, "variant")
                     : all_slower ? copy(s->variant[0], "reference")
                                  : json_null(),
                     "ties", best ? ties_of(s, point, best) : json_array());
    aisp_buf_release(&name);
    return json;
}

/* ---- all of it ---- */

static json_t *axes_json(const struct aisp_grid *grid)
{
    json_t *axes = json_array();

    for (size_t a = 0; a < grid->n_axes; a++) {
        json_t *values = json_array();

        for (size_t i = 0; i < grid->axis[a].n; i++)
            json_array_append_new(values, json_integer(grid->axis[a].value[i]));
        json_array_append_new(axes, json_pack("{s:s, s:o, s:b}", "name", grid->axis[a].name, "values", values, "is_geometric",
                                              grid->axis[a].is_geometric));
    }
    return axes;
}

static json_t *map_json(const struct scene *s)
{
    json_t *series = json_array(), *points = json_array(), *fixed = json_deep_copy(json_object_get(s->variant[0], "params"));

    for (size_t a = 0; a < s->grid.n_axes; a++)
        for (size_t k = 0; k < s->grid.axis[a].n_params; k++)
            json_object_del(fixed, s->grid.axis[a].param[k]);
    for (size_t v = 0; v < s->n_variants; v++)
        json_array_append_new(series, series_json(s, v));
    for (size_t p = 0; p < s->grid.n_points; p++)
        json_array_append_new(points, winner_json(s, p));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "target", s->target, "reference", copy(s->variant[0], "reference"),
                     "device", copy(s->variant[0], "device"), "fixed", fixed ? fixed : json_object(), "axes",
                     axes_json(&s->grid), "points", points, "series", series);
}

json_t *aisp_maps_of(const json_t *sweeps, const json_t *results)
{
    json_t *maps = json_array();
    const json_t *sweep;
    size_t i;

    json_array_foreach(sweeps, i, sweep) {
        struct scene s;

        if (scene_init(&s, sweep, results))
            json_array_append_new(maps, map_json(&s));
        scene_release(&s);
    }
    return maps;
}
