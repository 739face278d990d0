/* map_html.c - crossover maps in HTML: one drawing a variant on axes that all of a target share, and all points as a table. */
#include <math.h>
#include <stdlib.h>

#include "commands/report_html.h"
#include "commands/report_svg.h"
#include "commands/reports/crossing.h"
#include "commands/reports/map_report.h"

static void put_tick(struct aisp_buf *out, double at, double value)
{
    char text[32];

    aisp_crossing_label(value, text);
    aisp_buf_printf(out, "<span class=\"tick%s\" style=\"left:%.2f%%\">%s</span>",
                    at < 0.06 ? " first" : at > 0.94 ? " last" : "", 100 * at, text);
}

static void put_name(struct aisp_buf *out, const json_t *map, const json_t *series)
{
    struct aisp_buf found = AISP_BUF_INIT;

    aisp_buf_puts(out, "<div class=\"name b\"><span>");
    aisp_html_put(out, aisp_report_text(series, "variant"));
    aisp_buf_puts(out, " against ");
    aisp_html_put(out, aisp_report_text(map, "reference"));
    aisp_buf_puts(out, "</span><span></span></div>");
    for (size_t i = 0; i < aisp_map_n_found(series); i++) {
        aisp_map_put_found(series, i, &found);
        aisp_buf_puts(out, "<p class=\"soft\">");
        aisp_html_put_made(out, &found);
        aisp_buf_puts(out, "</p>");
    }
}

static void put_line(struct aisp_buf *out, const json_t *map, size_t i)
{
    struct aisp_ticks ticks;
    struct aisp_axis x, y;
    struct aisp_svg svg;

    if (!aisp_crossing_axes(map, &x, &y))
        return;
    aisp_buf_puts(out, "<div class=\"roofline\"><div class=\"plane\">");
    aisp_svg_begin(&svg, out, "strip tall");
    aisp_marks_crossing(&svg.canvas, map, i);
    aisp_svg_end(&svg);
    aisp_axis_ticks(&y, &ticks);
    for (int t = 0; t < ticks.n; t++) {
        char text[48];

        aisp_axis_label(&y, &ticks, t, false, text);
        aisp_buf_printf(out, "<span class=\"rate\" style=\"top:%.2f%%\">%s</span>", 100 - 100 * aisp_axis_at(&y, ticks.at[t]),
                        text);
    }
    aisp_buf_puts(out, "</div><div class=\"axis\">");
    aisp_crossing_ticks(map, &x, &ticks);
    for (int t = 0; t < ticks.n; t++)
        put_tick(out, aisp_axis_at(&x, ticks.at[t]), ticks.at[t]);
    aisp_buf_puts(out, "</div></div>");
}

/* Labels in the middle of rows and columns; of many columns only some. */
static void put_heat(struct aisp_buf *out, const json_t *map, size_t i)
{
    const json_t *axes = json_object_get(map, "axes"), *first = json_array_get(axes, 0), *second = json_array_get(axes, 1);
    const json_t *rows = json_object_get(first, "values"), *columns = json_object_get(second, "values"), *value;
    const size_t n_rows = json_array_size(rows), n_columns = json_array_size(columns), every = 1 + (n_columns - 1) / 10;
    struct aisp_svg svg;
    char text[32];
    size_t k;

    aisp_buf_puts(out, "<div class=\"heat\"><div class=\"plane\">");
    aisp_svg_begin(&svg, out, "heat");
    aisp_marks_heat(&svg.canvas, map, i);
    aisp_svg_end(&svg);
    json_array_foreach(rows, k, value) {
        if (k % (1 + (n_rows - 1) / 12))
            continue;
        aisp_crossing_label(json_number_value(value), text);
        aisp_buf_printf(out, "<span class=\"rate\" style=\"top:%.2f%%\">", 100 * ((double)k + 0.5) / (double)n_rows);
        aisp_html_put(out, aisp_report_text(first, "name"));
        aisp_buf_printf(out, "=%s</span>", text);
    }
    aisp_buf_puts(out, "</div><div class=\"axis\">");
    for (k = 0; k < n_columns; k += every)
        put_tick(out, ((double)k + 0.5) / (double)n_columns, json_number_value(json_array_get(columns, k)));
    aisp_buf_puts(out, "</div></div>");
}

static void put_drawings(struct aisp_buf *out, const json_t *map)
{
    const bool is_grid = aisp_map_is_grid(map);
    const json_t *axes = json_object_get(map, "axes"), *series;
    size_t i;

    aisp_buf_puts(out, "<figure class=\"map\"><figcaption>");
    if (is_grid) {
        aisp_buf_puts(out, "How many times faster than the reference, rows over ");
        aisp_html_put(out, aisp_report_text(json_array_get(axes, 0), "name"));
        aisp_buf_puts(out, ", columns over ");
        aisp_html_put(out, aisp_report_text(json_array_get(axes, 1), "name"));
        aisp_buf_puts(out, ". Green: faster, red: slower, the stronger the further from 1; hatched: unsure; empty: not "
                           "measured or withheld.");
    } else if (json_array_size(axes) == 1) {
        aisp_buf_puts(out, "How many times faster than the reference over ");
        aisp_html_put(out, aisp_report_text(json_array_get(axes, 0), "name"));
        aisp_buf_puts(out, ", with the 95 % interval. Dashed: 1, no difference; a hollow dot is unsure; band: where a crossover "
                           "lies. A bar at the top: this variant wins here; at the foot: the reference does.");
    } else {
        aisp_buf_puts(out, "Three parameters are not drawn; all points are in the table.");
    }
    aisp_buf_puts(out, "</figcaption>\n");
    json_array_foreach(json_object_get(map, "series"), i, series) {
        put_name(out, map, series);
        if (is_grid)
            put_heat(out, map, i);
        else
            put_line(out, map, i);
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_puts(out, "</figure>\n");
}

/* ---- the table ---- */

static void put_cell(struct aisp_buf *out, const char *is, bool is_number, struct aisp_buf *text)
{
    aisp_buf_printf(out, "<td%s data-is=\"%s\">", is_number ? " class=\"n\"" : "", is);
    aisp_html_put_made(out, text);
    aisp_buf_puts(out, "</td>");
}

static void put_verdict(struct aisp_buf *out, const struct aisp_map_point *p)
{
    struct aisp_buf why = AISP_BUF_INIT;

    aisp_buf_printf(out, "<td data-is=\"verdict\"><span><span class=\"verdict %s\">", aisp_html_tone(p->result));
    aisp_html_put(out, aisp_report_text(p->result, "verdict"));
    aisp_buf_puts(out, "</span>");
    aisp_report_put_why(&why, p->result);
    if (*p->trouble)
        aisp_buf_printf(&why, "%s%s", why.len ? "; " : "", p->trouble);
    if (why.len) {
        aisp_buf_puts(out, " <span class=\"soft\">");
        aisp_html_put_made(out, &why);
        aisp_buf_puts(out, "</span>");
    }
    aisp_buf_release(&why);
    aisp_buf_puts(out, "</span></td>");
}

static void put_point(void *context, const struct aisp_map_point *p)
{
    struct aisp_buf *out = context, text = AISP_BUF_INIT;

    aisp_buf_puts(out, "<tr><th scope=\"row\">");
    aisp_html_put(out, p->variant);
    aisp_buf_puts(out, "</th>");
    aisp_buf_puts(&text, p->point);
    put_cell(out, "point", true, &text);
    if (!p->result) {
        aisp_buf_puts(out, "<td></td><td></td><td></td><td data-is=\"verdict\">not measured</td><td></td></tr>\n");
        return;
    }
    aisp_report_put_time(&text, aisp_report_side(p->result, "median_ns", "a"));
    put_cell(out, "reference", true, &text);
    aisp_report_put_time(&text, aisp_report_side(p->result, "median_ns", "b"));
    put_cell(out, "median", true, &text);
    aisp_report_put_ratio(&text, p->result);
    put_cell(out, "ratio [95 %]", true, &text);
    put_verdict(out, p);
    aisp_buf_puts(&text, aisp_report_text(p->result, "grade"));
    put_cell(out, "grade", false, &text);
    aisp_buf_puts(out, "</tr>\n");
}

void aisp_html_maps(const struct aisp_report *report, struct aisp_buf *out)
{
    const json_t *map;
    size_t i;

    json_array_foreach(report->maps, i, map) {
        struct aisp_buf text = AISP_BUF_INIT;

        aisp_buf_puts(out, "<h2>");
        aisp_html_put(out, aisp_report_text(map, "target"));
        aisp_buf_puts(out, ": where the winner changes</h2>\n<p class=\"soft\">");
        aisp_map_put_range(map, &text);
        aisp_html_put_made(out, &text);
        aisp_buf_puts(out, "</p>\n<p>Winner: ");
        aisp_map_put_winners(map, &text);
        aisp_html_put_made(out, &text);
        aisp_buf_puts(out, ".</p>\n");
        put_drawings(out, map);
        aisp_buf_puts(out, "<table class=\"wide points\"><thead><tr><th scope=\"col\">variant</th>"
                           "<th scope=\"col\" class=\"n\">point</th><th scope=\"col\" class=\"n\">");
        aisp_html_put(out, aisp_report_text(map, "reference"));
        aisp_buf_puts(out, "</th><th scope=\"col\" class=\"n\">median</th>"
                           "<th scope=\"col\" class=\"n\">ratio [95 % interval]</th><th scope=\"col\">verdict</th>"
                           "<th scope=\"col\">grade</th></tr></thead><tbody>\n");
        aisp_map_each_point(report, map, put_point, out);
        aisp_buf_puts(out, "</tbody></table>\n");
    }
}
