/* scatter.c - results as points on a terminal: the speed ratio to the right, what is paid or saved upwards.
 * Upwards is the first of memory, energy and time of a call that was measured for two results or more. Both axes are
 * logarithmic. The best points carry letters, which the lines below the plot explain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/analyze/parts.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

enum { PLOT_COLUMNS = 62, PLOT_ROWS = 14, MARKS = 8, AXIS_TIME = AISP_N_AXES };

struct axis { const char *label; double lo, hi; };

/* NaN: this row is no point of the plot. */
static double value_of(const struct aisp_result_row *row, int axis)
{
    const struct aisp_measured m = axis == AISP_AXIS_SPEED    ? aisp_row_speed(row)
                                   : axis == AISP_AXIS_MEMORY ? aisp_row_memory(row)
                                   : axis == AISP_AXIS_ENERGY ? aisp_row_energy(row)
                                                              : aisp_measured_of(row->b_median_ns, NAN, NAN);

    return aisp_row_is_valid(row) ? m.value : NAN;
}

static struct axis axis_of(const struct aisp_result_row *row, size_t n, int which)
{
    static const char *const labels[] = { "speed ratio", "memory ratio", "energy ratio", "ns a call" };
    struct axis axis = { labels[which], INFINITY, -INFINITY };

    for (size_t i = 0; i < n; i++) {
        const double value = value_of(&row[i], which);

        axis.lo = fmin(axis.lo, value); /* of a number and NaN it is the number */
        axis.hi = fmax(axis.hi, value);
    }
    return axis;
}

static int upward(const struct aisp_result_row *row, size_t n)
{
    for (int axis = AISP_AXIS_MEMORY; axis < AXIS_TIME; axis++) {
        size_t measured = 0;

        for (size_t i = 0; i < n; i++)
            measured += isfinite(value_of(&row[i], axis)) && isfinite(value_of(&row[i], AISP_AXIS_SPEED));
        if (measured >= 2)
            return axis;
    }
    return AXIS_TIME;
}

static int cell_of(const struct axis *axis, double value, int cells)
{
    const double share = axis->hi > axis->lo ? log(value / axis->lo) / log(axis->hi / axis->lo) : 0.5;
    const int cell = (int)(share * cells);

    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

static json_t *axis_json(const struct axis *axis)
{
    return json_pack("{s:s, s:f, s:f}", "label", axis->label, "lo", axis->lo, "hi", axis->hi);
}

/* The fastest rows, at most MARKS, one of each cell. */
static json_t *marks_json(const struct aisp_result_row *row, size_t n, const struct axis *x, const struct axis *y, int up)
{
    bool taken[PLOT_ROWS][PLOT_COLUMNS] = { { false } };
    json_t *marks = json_array(), *mark;

    for (int m = 0; m < MARKS; m++) {
        const struct aisp_result_row *best = NULL;
        char name[2] = { (char)('A' + m), '\0' };

        for (size_t i = 0; i < n; i++) {
            const double vx = value_of(&row[i], AISP_AXIS_SPEED), vy = value_of(&row[i], up);

            if (isfinite(vx) && isfinite(vy) && (!best || vx > value_of(best, AISP_AXIS_SPEED)) &&
                !taken[cell_of(y, vy, PLOT_ROWS)][cell_of(x, vx, PLOT_COLUMNS)])
                best = &row[i];
        }
        if (!best)
            break;
        taken[cell_of(y, value_of(best, up), PLOT_ROWS)][cell_of(x, value_of(best, AISP_AXIS_SPEED), PLOT_COLUMNS)] = true;
        mark = aisp_row_json(best);
        json_object_set_new(mark, "mark", json_string(name));
        json_object_set_new(mark, "x", json_real(value_of(best, AISP_AXIS_SPEED)));
        json_object_set_new(mark, "y", json_real(value_of(best, up)));
        json_array_append_new(marks, mark);
    }
    return marks;
}

json_t *aisp_scatter_json(struct aisp_selection *selection, const struct aisp_parts_options *options)
{
    const struct aisp_result_row *row = selection->rows.row;
    const size_t n = selection->rows.n;
    const int up = upward(row, n);
    const struct axis x = axis_of(row, n, AISP_AXIS_SPEED), y = axis_of(row, n, up);
    size_t cell[PLOT_ROWS][PLOT_COLUMNS] = { { 0 } };
    json_t *cells = json_array();

    (void)options;
    for (size_t i = 0; i < n; i++) {
        const double vx = value_of(&row[i], AISP_AXIS_SPEED), vy = value_of(&row[i], up);

        if (isfinite(vx) && isfinite(vy))
            cell[cell_of(&y, vy, PLOT_ROWS)][cell_of(&x, vx, PLOT_COLUMNS)]++;
    }
    for (int r = 0; r < PLOT_ROWS; r++)
        for (int c = 0; c < PLOT_COLUMNS; c++)
            if (cell[r][c])
                json_array_append_new(cells, json_pack("{s:i, s:i, s:I}", "column", c, "row", r, "n", (json_int_t)cell[r][c]));
    if (!json_array_size(cells)) {
        json_decref(cells);
        return json_null();
    }
    return json_pack("{s:o, s:o, s:i, s:i, s:o, s:o}", "x", axis_json(&x), "y", axis_json(&y), "columns", PLOT_COLUMNS, "rows",
                     PLOT_ROWS, "cells", cells, "marked", marks_json(row, n, &x, &y, up));
}

/* ---- as text ---- */

static void put_value(struct aisp_buf *out, const json_t *axis, const char *end, int width)
{
    const double value = aisp_report_number(axis, end);
    char *text = aisp_format("%.3g", value);
    struct aisp_buf time = AISP_BUF_INIT;

    if (!strcmp(aisp_report_text(axis, "label"), "ns a call"))
        aisp_report_put_time(&time, value);
    aisp_buf_printf(out, "%*s", width, time.s ? time.s : text);
    aisp_buf_release(&time);
    free(text);
}

static int integer(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void fill(const json_t *scatter, char grid[PLOT_ROWS][PLOT_COLUMNS + 1])
{
    const struct axis x = { "", aisp_report_number(json_object_get(scatter, "x"), "lo"),
                            aisp_report_number(json_object_get(scatter, "x"), "hi") },
                      y = { "", aisp_report_number(json_object_get(scatter, "y"), "lo"),
                            aisp_report_number(json_object_get(scatter, "y"), "hi") };
    const json_t *cell, *mark;
    size_t i;

    for (int r = 0; r < PLOT_ROWS; r++) {
        memset(grid[r], ' ', PLOT_COLUMNS);
        grid[r][PLOT_COLUMNS] = '\0';
    }
    json_array_foreach(json_object_get(scatter, "cells"), i, cell)
        grid[integer(cell, "row")][integer(cell, "column")] = integer(cell, "n") > 9 ? '#' : integer(cell, "n") > 1 ? 'o' : '.';
    json_array_foreach(json_object_get(scatter, "marked"), i, mark)
        grid[cell_of(&y, aisp_report_number(mark, "y"), PLOT_ROWS)][cell_of(&x, aisp_report_number(mark, "x"), PLOT_COLUMNS)] =
            *aisp_report_text(mark, "mark");
}

void aisp_scatter_render(const json_t *scatter, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *x = json_object_get(scatter, "x"), *y = json_object_get(scatter, "y"), *mark;
    char grid[PLOT_ROWS][PLOT_COLUMNS + 1];
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Scatter");
    if (!json_is_object(scatter)) {
        aisp_buf_puts(out, ": nothing to draw\n");
        return;
    }
    aisp_buf_printf(out, ": %s upwards, %s to the right; . one, o 2-9, # more\n", aisp_report_text(y, "label"),
                    aisp_report_text(x, "label"));
    fill(scatter, grid);
    for (int r = PLOT_ROWS - 1; r >= 0; r--) {
        if (r == PLOT_ROWS - 1 || r == 0)
            put_value(out, y, r ? "hi" : "lo", 9);
        else
            aisp_buf_printf(out, "%9s", "");
        for (int n = PLOT_COLUMNS; n && grid[r][n - 1] == ' '; n--)
            grid[r][n - 1] = '\0';
        aisp_buf_printf(out, " |%s\n", grid[r]);
    }
    aisp_buf_printf(out, "%9s +", "");
    for (int c = 0; c < PLOT_COLUMNS; c++)
        aisp_buf_puts(out, "-");
    aisp_buf_printf(out, "\n%11s", "");
    put_value(out, x, "lo", 0);
    put_value(out, x, "hi", 57);
    aisp_buf_puts(out, "\n");
    json_array_foreach(json_object_get(scatter, "marked"), i, mark) {
        aisp_buf_printf(out, " %s ", aisp_report_text(mark, "mark"));
        aisp_put_who(out, mark, 50);
        aisp_buf_printf(out, " %.3g\n", aisp_report_number(mark, "x"));
    }
}
