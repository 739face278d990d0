/* crossing.c - a crossover map as marks. Pure geometry. */
#include "commands/reports/crossing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *axis_of(const json_t *map, size_t i)
{
    return json_array_get(json_object_get(map, "axes"), i);
}

static size_t n_values(const json_t *axis)
{
    return json_array_size(json_object_get(axis, "values"));
}

static double value_of(const json_t *axis, size_t i)
{
    return json_number_value(json_array_get(json_object_get(axis, "values"), i));
}

static const json_t *point_of(const json_t *map, size_t series, size_t point)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(map, "series"), series), "points"), point);
}

static const char *tone_of(const json_t *point)
{
    return aisp_report_is(point, "verdict", "FASTER")   ? "good"
           : aisp_report_is(point, "verdict", "SLOWER") ? "bad"
           : aisp_report_is(point, "verdict", "SAME")   ? "same"
                                                        : "unsure";
}

/* ---- over one parameter ---- */

bool aisp_crossing_axes(const json_t *map, struct aisp_axis *x, struct aisp_axis *y)
{
    static const char *const ends[] = { "ratio", "lo95", "hi95" };
    const json_t *axis = axis_of(map, 0), *series, *point;
    double lo = 1, hi = 1;
    size_t i, j, n = 0;

    if (json_array_size(json_object_get(map, "axes")) != 1 || n_values(axis) < 2)
        return false;
    json_array_foreach(json_object_get(map, "series"), i, series)
        json_array_foreach(json_object_get(series, "points"), j, point)
            for (int end = 0; end < 3; end++) {
                const double ratio = aisp_report_number(point, ends[end]);

                if (isfinite(ratio) && ratio > 0) {
                    lo = fmin(lo, ratio);
                    hi = fmax(hi, ratio);
                    n++;
                }
            }
    *x = aisp_axis_around(value_of(axis, 0), value_of(axis, n_values(axis) - 1));
    if (x->is_log && !json_is_true(json_object_get(axis, "is_geometric"))) {
        const double width = value_of(axis, n_values(axis) - 1) - value_of(axis, 0);

        *x = (struct aisp_axis){ value_of(axis, 0) - 0.05 * width, value_of(axis, 0) + 1.05 * width, false };
    }
    x->is_log = json_is_true(json_object_get(axis, "is_geometric"));
    *y = aisp_axis_around(lo / 1.06, hi * 1.06); /* bars have the edges */
    return n > 0;
}

void aisp_crossing_ticks(const json_t *map, const struct aisp_axis *x, struct aisp_ticks *ticks)
{
    const double room = 0.11;
    const json_t *axis = axis_of(map, 0);
    double taken = -room;

    *ticks = (struct aisp_ticks){ .step = 1 };
    for (size_t i = 0; i < n_values(axis) && ticks->n < AISP_MAX_TICKS; i++) {
        const double at = aisp_axis_at(x, value_of(axis, i));

        if (at - taken < room)
            continue;
        ticks->at[ticks->n++] = value_of(axis, i);
        taken = at;
    }
}

void aisp_crossing_label(double value, char text[32])
{
    const long long whole = (long long)value;

    if (whole >= 1 << 20 && whole % (1 << 20) == 0)
        snprintf(text, 32, "%lldMi", whole >> 20);
    else if (whole >= 1 << 15 && whole % (1 << 10) == 0)
        snprintf(text, 32, "%lldKi", whole >> 10);
    else
        snprintf(text, 32, "%lld", whole);
}

static void line(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, double x1, double y1, double x2, double y2)
{
    const struct aisp_spot ends[] = { { x1, y1 }, { x2, y2 } };

    canvas->put(canvas, mark, tone, ends, 2);
}

static double up(const struct aisp_axis *y, double ratio)
{
    return 100 - 100 * aisp_axis_at(y, ratio);
}

static double right(const struct aisp_axis *x, double value)
{
    return 1000 * aisp_axis_at(x, value);
}

static void put_bands(struct aisp_plot *canvas, const json_t *series, const struct aisp_axis *x)
{
    const json_t *c;
    size_t i;

    json_array_foreach(json_object_get(series, "crossovers"), i, c) {
        const double from = right(x, aisp_report_number(c, "lo")), to = right(x, aisp_report_number(c, "hi"));
        const struct aisp_spot corner[] = { { from, 0 }, { to, 0 }, { to, 100 }, { from, 100 } };

        canvas->put(canvas, AISP_MARK_BAND, "unsure", corner, 4);
    }
}

/* From halfway to the value before to halfway to the one behind. */
static void put_bar(struct aisp_plot *canvas, const json_t *axis, const struct aisp_axis *x, size_t i, bool is_variant)
{
    const double here = right(x, value_of(axis, i)), y = is_variant ? 2 : 98;
    const double from = i ? (here + right(x, value_of(axis, i - 1))) / 2 : fmax(0, here - 20);
    const double to = i + 1 < n_values(axis) ? (here + right(x, value_of(axis, i + 1))) / 2 : fmin(1000, here + 20);

    line(canvas, AISP_MARK_LINE, is_variant ? "b" : "a", from, y, to, y);
}

static bool wins(const json_t *point, const char *name)
{
    const json_t *tie;
    size_t i;

    if (aisp_report_is(point, "winner", name))
        return true;
    json_array_foreach(json_object_get(point, "ties"), i, tie)
        if (!strcmp(json_string_value(tie), name))
            return true;
    return false;
}

static void put_point(struct aisp_plot *canvas, const json_t *point, double at, const struct aisp_axis *y)
{
    const double ratio = aisp_report_number(point, "ratio"), lo = aisp_report_number(point, "lo95");
    const double hi = aisp_report_number(point, "hi95");
    const struct aisp_spot spot = { at, up(y, ratio) };

    if (!isfinite(ratio))
        return;
    if (isfinite(lo) && isfinite(hi))
        line(canvas, AISP_MARK_LINE, tone_of(point), at, up(y, lo), at, up(y, hi));
    canvas->put(canvas, AISP_MARK_DOT, tone_of(point), &spot, 1);
    if (aisp_report_is(point, "verdict", "UNSURE"))
        canvas->put(canvas, AISP_MARK_HOLE, tone_of(point), &spot, 1);
}

void aisp_marks_crossing(struct aisp_plot *canvas, const json_t *map, size_t series)
{
    const json_t *axis = axis_of(map, 0), *s = json_array_get(json_object_get(map, "series"), series);
    struct aisp_spot before = { NAN, NAN };
    struct aisp_axis x, y;

    if (!aisp_crossing_axes(map, &x, &y))
        return;
    put_bands(canvas, s, &x);
    line(canvas, AISP_MARK_ONE, "", 0, up(&y, 1), 1000, up(&y, 1));
    for (size_t i = 0; i < n_values(axis); i++) {
        const double ratio = aisp_report_number(point_of(map, series, i), "ratio");
        const struct aisp_spot here = { right(&x, value_of(axis, i)), isfinite(ratio) ? up(&y, ratio) : NAN };

        if (isfinite(before.y) && isfinite(here.y))
            line(canvas, AISP_MARK_LINE, "plain", before.x, before.y, here.x, here.y);
        before = here;
    }
    for (size_t i = 0; i < n_values(axis); i++) {
        const json_t *who = json_array_get(json_object_get(map, "points"), i);

        put_point(canvas, point_of(map, series, i), right(&x, value_of(axis, i)), &y);
        if (wins(who, aisp_report_text(s, "variant")))
            put_bar(canvas, axis, &x, i, true);
        if (wins(who, aisp_report_text(map, "reference")))
            put_bar(canvas, axis, &x, i, false);
    }
}

/* ---- over two ---- */

bool aisp_map_is_grid(const json_t *map)
{
    return json_array_size(json_object_get(map, "axes")) == 2;
}

/* Within 5 %, 25 %, a factor of 2, and beyond. */
static void cell_tone(double ratio, char tone[16])
{
    const double far = fmax(ratio, 1 / ratio);

    snprintf(tone, 16, "%s s%d", ratio > 1 ? "good" : "bad", far < 1.05 ? 1 : far < 1.25 ? 2 : far < 2 ? 3 : 4);
}

/* Strokes from the lower edge to the upper one, as many as keep them near each other in a wide cell. */
static void hatch(struct aisp_plot *canvas, const struct aisp_spot corner[4])
{
    const double width = corner[1].x - corner[0].x;
    const int n = (int)fmax(2, width / 60);

    for (int i = 0; i < n; i++) {
        const double from = corner[0].x + width * i / n, to = corner[0].x + width * (i + 1) / n;

        line(canvas, AISP_MARK_LINE, "unsure", from, corner[2].y, to, corner[0].y);
    }
}

void aisp_marks_heat(struct aisp_plot *canvas, const json_t *map, size_t series)
{
    const size_t rows = n_values(axis_of(map, 0)), columns = n_values(axis_of(map, 1));

    for (size_t i = 0; aisp_map_is_grid(map) && i < rows * columns; i++) {
        const double x = 1000.0 * (double)(i % columns) / (double)columns, y = 100.0 * (double)(i / columns) / (double)rows;
        const double width = 1000.0 / (double)columns, height = 100.0 / (double)rows;
        const struct aisp_spot corner[] = { { x, y }, { x + width, y }, { x + width, y + height }, { x, y + height } };
        const json_t *point = point_of(map, series, i);
        const double ratio = aisp_report_number(point, "ratio");
        char tone[16];

        if (!(ratio > 0))                    /* not measured, or withheld */
            continue;
        cell_tone(ratio, tone);
        canvas->put(canvas, AISP_MARK_CELL, tone, corner, 4);
        if (aisp_report_is(point, "verdict", "UNSURE"))
            hatch(canvas, corner);
    }
}
