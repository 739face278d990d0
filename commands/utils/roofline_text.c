/* roofline_text.c - the roofline in characters, and its table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/roof.h"
#include "commands/utils/roofline.h"

enum { COLUMNS = 66, ROWS = 17, LABEL = 10 };

static double bandwidth(const json_t *value, const char *level)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(value, "levels"), i,
                       row) if (!strcmp(aisp_calc_text(row, "level"), level)) return aisp_calc_of(row, "gbps");
    return NAN;
}

static void widen(double *low, double *high, double x)
{
    if (isfinite(x) && x > 0) {
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

struct aisp_roofline_frame aisp_roofline_frame(const json_t *value)
{
    struct aisp_roofline_frame f = { INFINITY, 0, INFINITY, 0 };
    const double peak = aisp_calc_of(value, "compute_gflops");
    const json_t *row;
    size_t i;

    widen(&f.y_low, &f.y_high, peak);
    json_array_foreach(json_object_get(value, "levels"), i, row) widen(&f.x_low, &f.x_high, aisp_calc_of(row, "ridge"));
    json_array_foreach(json_object_get(value, "points"), i, row)
    {
        widen(&f.x_low, &f.x_high, aisp_calc_of(row, "intensity"));
        widen(&f.y_low, &f.y_high, aisp_calc_of(row, "gflops"));
    }
    f.x_low /= 2;
    f.x_high *= 4;
    f.y_low = fmin(f.y_low, f.x_low * bandwidth(value, "DRAM")) / 1.5;
    f.y_high *= 1.5;
    return f;
}

/* ---- the plot ---- */

struct canvas {
    char cell[ROWS][COLUMNS];
    struct aisp_roofline_frame frame;
};

static int column_of(const struct canvas *c, double x)
{
    return (int)lround((COLUMNS - 1) * log(x / c->frame.x_low) / log(c->frame.x_high / c->frame.x_low));
}

static int row_of(const struct canvas *c, double y)
{
    return ROWS - 1 - (int)lround((ROWS - 1) * log(y / c->frame.y_low) / log(c->frame.y_high / c->frame.y_low));
}

static void mark(struct canvas *c, int column, int row, char what)
{
    if (column >= 0 && column < COLUMNS && row >= 0 && row < ROWS)
        c->cell[row][column] = what;
}

static void draw_roof(struct canvas *c, const struct aisp_roof *roof, char slope)
{
    for (int column = 0; column < COLUMNS; column++) {
        const double x = c->frame.x_low * pow(c->frame.x_high / c->frame.x_low, (double)column / (COLUMNS - 1));

        mark(c, column, row_of(c, aisp_roof_at(roof, x)), x < aisp_roof_ridge(roof) ? slope : '-');
    }
}

/* a, b, ... z, A, ... Z: the letter of a point in the plot. */
static char letter_of(size_t i)
{
    return (char)(i < 26 ? 'a' + i : i < 52 ? 'A' + (i - 26) : '?');
}

static void draw_points(struct canvas *c, const json_t *points)
{
    const json_t *p;
    size_t i;

    json_array_foreach(points, i, p) if (aisp_calc_of(p, "intensity") > 0)
        mark(c, column_of(c, aisp_calc_of(p, "intensity")), row_of(c, aisp_calc_of(p, "gflops")), letter_of(i));
}

static void put_axis(struct aisp_buf *out, const struct canvas *c)
{
    char line[COLUMNS + 1];

    memset(line, ' ', COLUMNS);
    line[COLUMNS] = '\0';
    for (int power = (int)ceil(log10(c->frame.x_low)); power <= (int)floor(log10(c->frame.x_high)); power++) {
        char label[12];
        const int n = snprintf(label, sizeof label, "%g", pow(10, power)), at = column_of(c, pow(10, power));

        if (at >= 0 && at + n <= COLUMNS)
            memcpy(line + at, label, (size_t)n);
    }
    aisp_buf_printf(out, "%*s +%.*s\n%*s  %s flop/byte\n", LABEL, "", COLUMNS,
                    "------------------------------------------------------------------", LABEL, "", line);
}

void aisp_roofline_plot(struct aisp_buf *out, const json_t *value)
{
    static const char slopes[] = { '\'', ':', '.', '/' }; /* L1 L2 L3 DRAM */
    struct canvas c = { .frame = aisp_roofline_frame(value) };
    const json_t *level;
    size_t i;

    memset(c.cell, ' ', sizeof c.cell);
    json_array_foreach(json_object_get(value, "levels"), i, level)
    {
        const struct aisp_roof roof = { aisp_calc_of(value, "compute_gflops"), aisp_calc_of(level, "gbps") };

        if (isfinite(roof.gbps) && i < sizeof slopes)
            draw_roof(&c, &roof, slopes[i]);
    }
    draw_points(&c, json_object_get(value, "points"));
    aisp_buf_printf(out, "%*s GFLOP/s of one core, %s\n", LABEL, "", aisp_calc_text(value, "precision"));
    for (int row = 0; row < ROWS; row++) {
        const double y = c.frame.y_low * pow(c.frame.y_high / c.frame.y_low, (double)(ROWS - 1 - row) / (ROWS - 1));
        int n = COLUMNS;

        while (n && c.cell[row][n - 1] == ' ')
            n--;
        if (row % 4)
            aisp_buf_printf(out, "%*s |%.*s\n", LABEL, "", n, c.cell[row]);
        else
            aisp_buf_printf(out, "%*.3g |%.*s\n", LABEL, y, n, c.cell[row]);
    }
    put_axis(out, &c);
}

/* ---- the table ---- */

/* Above 100 % is an error, and marked as one. */
static void put_percent(struct aisp_buf *out, double percent)
{
    if (isfinite(percent))
        aisp_buf_printf(out, " %5.1f %%%c", percent, percent >= 100.05 ? '!' : ' ');
    else
        aisp_buf_printf(out, " %7s ", "-");
}

void aisp_roofline_table(struct aisp_buf *out, const json_t *value)
{
    const json_t *p;
    size_t i;

    aisp_buf_printf(out, "\n  %9s %9s %8s %7s %-7s %-4s\n", "flop/byte", "GFLOP/s", "GB/s", "of roof", "bound", "");
    json_array_foreach(json_object_get(value, "points"), i, p)
    {
        char *name = aisp_format("%s/%s%s%s%s", aisp_calc_text(p, "target"), aisp_calc_text(p, "variant"),
                                 strcmp(aisp_calc_text(p, "size"), "default") ? " (" : "",
                                 strcmp(aisp_calc_text(p, "size"), "default") ? aisp_calc_text(p, "size") : "",
                                 strcmp(aisp_calc_text(p, "size"), "default") ? ")" : "");

        aisp_buf_printf(out, "%c %9.3g %9.4g %8.2f", letter_of(i), aisp_calc_of(p, "intensity"), aisp_calc_of(p, "gflops"),
                        aisp_calc_of(p, "gbps"));
        put_percent(out, aisp_calc_of(p, "percent"));
        aisp_buf_printf(out, "%-7s %-4s ", aisp_calc_text(p, "bound"), aisp_calc_text(p, "level"));
        aisp_calc_put_wrapped(out, 52, 52, name);
        free(name);
    }
}
