/* map_text.c - a map in words, and as tables for people. */
#include "commands/sweep/map.h"

#include <stdio.h>
#include <string.h>

#include "commands/report.h"
#include "commands/result.h"
#include "commands/sweep/grid.h"

void aisp_map_put_range(const json_t *map, struct aisp_buf *out)
{
    const json_t *axis, *value;
    const char *name;
    size_t i;

    json_array_foreach(json_object_get(map, "axes"), i, axis) {
        const json_t *values = json_object_get(axis, "values");

        aisp_buf_printf(out, "%s%s=%lld to %lld", i ? ", " : "", aisp_report_text(axis, "name"),
                        (long long)json_integer_value(json_array_get(values, 0)),
                        (long long)json_integer_value(json_array_get(values, json_array_size(values) - 1)));
    }
    aisp_buf_printf(out, "; %zu points", json_array_size(json_object_get(map, "points")));
    i = 0;
    json_object_foreach(json_object_get(map, "fixed"), name, value)
        aisp_buf_printf(out, "%s%s=%lld", i++ ? " " : "; ", name, (long long)json_integer_value(value));
}

void aisp_map_put_crossover(const json_t *c, struct aisp_buf *out)
{
    const char *axis = aisp_report_text(c, "axis"), *along = aisp_report_text(c, "along");
    const json_t *undecided = json_object_get(c, "undecided"), *value;
    size_t i;

    aisp_buf_printf(out, "crossover between %s=%.0f and %s=%.0f", axis, aisp_report_number(c, "lo"), axis,
                    aisp_report_number(c, "hi"));
    json_array_foreach(undecided, i, value)
        aisp_buf_printf(out, "%s%lld", i ? ", " : " (undecided at ", (long long)json_integer_value(value));
    aisp_buf_printf(out, "%s%s%s: %s above", json_array_size(undecided) ? ")" : "", *along ? " where " : "", along,
                    json_is_true(json_object_get(c, "faster_above")) ? "FASTER" : "SLOWER");
}

void aisp_map_put_none(const json_t *series, struct aisp_buf *out)
{
    static const char *const verdicts[] = { "FASTER", "SLOWER", "SAME", "UNSURE", "INVALID", "VERIFIED" };
    const json_t *points = json_object_get(series, "points"), *p;
    const char *between = " ";
    size_t i, n_left = 0;

    aisp_buf_puts(out, "no crossover:");
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        size_t n = 0;

        json_array_foreach(points, i, p)
            n += aisp_report_is(p, "verdict", verdicts[v]);
        if (!n)
            continue;
        aisp_buf_printf(out, "%s%s at %zu", between, verdicts[v], n);
        between = ", ";
    }
    json_array_foreach(points, i, p)
        n_left += json_is_null(p);
    if (n_left)
        aisp_buf_printf(out, "%snot measured at %zu", between, n_left);
    aisp_buf_printf(out, " of %zu points", json_array_size(points));
}

static void put_winner(const json_t *point, struct aisp_buf *out)
{
    const char *winner = aisp_report_text(point, "winner");
    const json_t *tie;
    size_t i;

    aisp_buf_puts(out, *winner ? winner : "undecided");
    json_array_foreach(json_object_get(point, "ties"), i, tie)
        aisp_buf_printf(out, " or %s", json_string_value(tie));
}

/* Neighbours in the last direction with the same winner. */
static bool is_one_stretch(const json_t *a, const json_t *b)
{
    const json_t *at = json_object_get(a, "at"), *other = json_object_get(b, "at");

    for (size_t i = 0; i + 1 < json_array_size(at); i++)
        if (!json_equal(json_array_get(at, i), json_array_get(other, i)))
            return false;
    return json_equal(json_object_get(a, "winner"), json_object_get(b, "winner")) &&
           json_equal(json_object_get(a, "ties"), json_object_get(b, "ties"));
}

void aisp_map_put_winners(const json_t *map, struct aisp_buf *out)
{
    const json_t *points = json_object_get(map, "points");
    const size_t n = json_array_size(points), n_axes = json_array_size(json_object_get(map, "axes"));

    for (size_t i = 0, end; i < n; i = end) {
        const json_t *p = json_array_get(points, i), *last = p;

        for (end = i + 1; end < n && is_one_stretch(p, json_array_get(points, end)); end++)
            last = json_array_get(points, end);
        aisp_buf_puts(out, i ? "; " : "");
        put_winner(p, out);
        aisp_buf_printf(out, " at %s", aisp_report_text(p, "point"));
        if (last != p)
            aisp_buf_printf(out, " to %lld",
                            (long long)json_integer_value(json_array_get(json_object_get(last, "at"), n_axes - 1)));
    }
}

/* ---- tables ---- */

/* The figures of a row take 60 of 80 columns. */
enum { AXES_ROOM = 20, AXIS_WIDE = 8 };

/* What a direction's name and values take at least. */
static int width_of(const json_t *axis)
{
    int most = (int)strlen(aisp_report_text(axis, "name"));
    const json_t *value;
    size_t i;

    most = most < AXIS_WIDE ? most : AXIS_WIDE;
    json_array_foreach(json_object_get(axis, "values"), i, value) {
        const int n = snprintf(NULL, 0, "%lld", (long long)json_integer_value(value));

        most = n > most ? n : most;
    }
    return most;
}

/* Columns are 8 wide where there is room for that, else as narrow as they can be; false: not even so. */
static bool find_widths(const json_t *map, int width[AISP_GRID_AXES])
{
    const json_t *axes = json_object_get(map, "axes");
    const size_t n = json_array_size(axes);
    int least = 0, wide = 0;

    for (size_t i = 0; i < n && i < AISP_GRID_AXES; i++) {
        width[i] = width_of(json_array_get(axes, i));
        least += 1 + width[i];
        wide += 1 + (width[i] > AXIS_WIDE ? width[i] : AXIS_WIDE);
    }
    for (size_t i = 0; i < n && i < AISP_GRID_AXES && wide <= AXES_ROOM; i++)
        width[i] = width[i] > AXIS_WIDE ? width[i] : AXIS_WIDE;
    return least <= AXES_ROOM;
}

static void render_axes(const json_t *map, const json_t *point, struct aisp_buf *out)
{
    const json_t *axis, *at = json_object_get(point, "at");
    int width[AISP_GRID_AXES];
    size_t i;

    if (!find_widths(map, width)) {              /* the point has a line of its own */
        if (point)
            aisp_buf_printf(out, " %s\n", aisp_report_text(point, "point"));
        aisp_buf_printf(out, "%*s", AXES_ROOM, "");
        return;
    }
    json_array_foreach(json_object_get(map, "axes"), i, axis) {
        if (i == AISP_GRID_AXES)
            return;
        if (point)
            aisp_buf_printf(out, " %*lld", width[i], (long long)json_integer_value(json_array_get(at, i)));
        else
            aisp_buf_printf(out, " %*.8s", width[i], aisp_report_text(axis, "name"));
    }
}

static const char *paint_of(const char *verdict)
{
    return !strcmp(verdict, "FASTER")                                   ? AISP_PAINT_GREEN
           : !strcmp(verdict, "SLOWER") || !strcmp(verdict, "INVALID") ? AISP_PAINT_RED
                                                                        : NULL;
}

static void render_point(const json_t *map, const json_t *point, const json_t *seen, const struct aisp_style *style,
                         struct aisp_buf *out)
{
    struct aisp_buf a = AISP_BUF_INIT, b = AISP_BUF_INIT, ratio = AISP_BUF_INIT;
    const char *verdict = aisp_report_text(seen, "verdict"), *grade = aisp_report_text(seen, "grade");

    render_axes(map, point, out);
    if (json_is_null(seen)) {
        aisp_buf_puts(out, "   not measured\n");
        return;
    }
    aisp_report_put_time(&a, aisp_report_number(seen, "a_ns"));
    aisp_report_put_time(&b, aisp_report_number(seen, "b_ns"));
    aisp_report_put_ratio(&ratio, seen);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, NULL, -9, a.s);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, NULL, -9, b.s);
    aisp_buf_puts(out, "  ");
    aisp_paint(out, style, NULL, 21, ratio.s);
    aisp_buf_puts(out, " ");
    aisp_paint(out, style, paint_of(verdict), 8, verdict);
    aisp_buf_printf(out, " %s\n", aisp_grade_short(grade));
    aisp_buf_release(&a);
    aisp_buf_release(&b);
    aisp_buf_release(&ratio);
}

/* The reasons of those that are UNSURE, each with the points that have it. */
static void render_unsure(const json_t *map, const json_t *series, struct aisp_buf *out)
{
    const json_t *points = json_object_get(series, "points"), *p, *other;
    size_t i, j;

    json_array_foreach(points, i, p) {
        const char *reason = aisp_report_text(p, "reason"), *between = " ";
        bool is_said = !*reason;

        for (j = 0; j < i && !is_said; j++)
            is_said = aisp_report_is(json_array_get(points, j), "reason", reason);
        if (is_said)
            continue;
        aisp_buf_puts(out, "  UNSURE at");
        json_array_foreach(points, j, other) {
            if (!aisp_report_is(other, "reason", reason))
                continue;
            aisp_buf_printf(out, "%s%s", between,
                            aisp_report_text(json_array_get(json_object_get(map, "points"), j), "point"));
            between = ", ";
        }
        aisp_buf_printf(out, ": %s\n", reason);
    }
}

static void render_series(const json_t *map, const json_t *series, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *points = json_object_get(map, "points"), *crossovers = json_object_get(series, "crossovers"), *c, *p;
    size_t i;

    aisp_buf_puts(out, " ");
    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_report_text(series, "variant"));
    aisp_buf_puts(out, "\n");
    render_axes(map, NULL, out);
    aisp_buf_printf(out, " %9.9s %9s  %-21s %-8s %s\n", aisp_report_text(map, "reference"), "median", "ratio [95% interval]",
                    "verdict", "grade");
    json_array_foreach(points, i, p)
        render_point(map, p, json_array_get(json_object_get(series, "points"), i), style, out);
    json_array_foreach(crossovers, i, c) {
        aisp_buf_puts(out, "  ");
        aisp_map_put_crossover(c, out);
        aisp_buf_puts(out, "\n");
    }
    if (!json_array_size(crossovers)) {
        aisp_buf_puts(out, "  ");
        aisp_map_put_none(series, out);
        aisp_buf_puts(out, "\n");
    }
    render_unsure(map, series, out);
}

void aisp_maps_render(const json_t *maps, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *map, *series;
    size_t i, j;

    json_array_foreach(maps, i, map) {
        struct aisp_buf winners = AISP_BUF_INIT;

        aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_report_text(map, "target"));
        aisp_buf_puts(out, "  ");
        aisp_map_put_range(map, out);
        aisp_buf_puts(out, "\n");
        json_array_foreach(json_object_get(map, "series"), j, series)
            render_series(map, series, style, out);
        aisp_map_put_winners(map, &winners);
        for (char *at = winners.s, *end; at; at = end) { /* one a line: as many as there are stretches */
            end = strstr(at, "; ");
            if (end) {
                *end = '\0';
                end += 2;
            }
            aisp_buf_printf(out, "%s%s\n", at == winners.s ? " winner: " : "         ", at);
        }
        aisp_buf_release(&winners);
    }
}
