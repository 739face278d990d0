/* map_pdf.c - crossover maps on paper: one drawing a variant on axes that all of a target share, and all points as a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/reports/crossing.h"
#include "commands/reports/map_report.h"
#include "commands/reports/pdf_figures.h"

enum { HEIGHT = 84, LABELS = 70, HEAD = 12, FOOT = 16 };
#define WIDTH (AISP_FLOW_WIDTH - LABELS)

static const struct aisp_type soft = { AISP_PDF_REGULAR, 8, AISP_SOFT }, tiny = { AISP_PDF_REGULAR, 5.6, AISP_SOFT };

static void put_made(struct aisp_flow *flow, const struct aisp_type *type, struct aisp_buf *text)
{
    if (text->len)
        aisp_flow_paragraph(flow, type, text->s);
    aisp_buf_release(text);
}

static void put_tick(struct aisp_flow *flow, double at, double value)
{
    char text[32];

    aisp_crossing_label(value, text);
    aisp_flow_put(flow, AISP_FLOW_LEFT + WIDTH * at - 1.4 * (double)strlen(text), flow->y + HEIGHT + 8, LABELS, &tiny, text);
}

static void put_line(struct aisp_flow *flow, const json_t *map, size_t series)
{
    struct aisp_pdf_room room = aisp_pdf_room_at(flow, AISP_FLOW_LEFT, flow->y, WIDTH, HEIGHT);
    struct aisp_ticks ticks;
    struct aisp_axis x, y;

    if (!aisp_crossing_axes(map, &x, &y))
        return;
    aisp_marks_crossing(&room.canvas, map, series);
    aisp_axis_ticks(&y, &ticks);
    for (int t = 0; t < ticks.n; t++) {
        char text[48];

        aisp_axis_label(&y, &ticks, t, false, text);
        aisp_flow_put(flow, AISP_FLOW_LEFT + WIDTH + 4, flow->y + HEIGHT * (1 - aisp_axis_at(&y, ticks.at[t])) + 2, LABELS, &tiny,
                      text);
    }
    aisp_crossing_ticks(map, &x, &ticks);
    for (int t = 0; t < ticks.n; t++)
        put_tick(flow, aisp_axis_at(&x, ticks.at[t]), ticks.at[t]);
}

static void put_heat(struct aisp_flow *flow, const json_t *map, size_t series)
{
    const json_t *axes = json_object_get(map, "axes"), *first = json_array_get(axes, 0);
    const json_t *rows = json_object_get(first, "values"), *columns = json_object_get(json_array_get(axes, 1), "values");
    const size_t n_rows = json_array_size(rows), n_columns = json_array_size(columns);
    struct aisp_pdf_room room = aisp_pdf_room_at(flow, AISP_FLOW_LEFT, flow->y, WIDTH, HEIGHT);
    char text[32], *name;

    aisp_marks_heat(&room.canvas, map, series);
    for (size_t k = 0; k < n_rows; k += 1 + (n_rows - 1) / 10) {
        aisp_crossing_label(json_number_value(json_array_get(rows, k)), text);
        name = aisp_format("%s=%s", aisp_report_text(first, "name"), text);
        aisp_flow_put(flow, AISP_FLOW_LEFT + WIDTH + 4, flow->y + HEIGHT * ((double)k + 0.5) / (double)n_rows + 2, LABELS - 4,
                      &tiny, name);
        free(name);
    }
    for (size_t k = 0; k < n_columns; k += 1 + (n_columns - 1) / 12)
        put_tick(flow, ((double)k + 0.5) / (double)n_columns, json_number_value(json_array_get(columns, k)));
}

static void put_series(struct aisp_flow *flow, const json_t *map, size_t i)
{
    const struct aisp_type name = { AISP_PDF_BOLD, 8.5, AISP_INK };
    const json_t *series = json_array_get(json_object_get(map, "series"), i);
    struct aisp_buf found = AISP_BUF_INIT;

    aisp_flow_need(flow, HEAD + 24 + HEIGHT + FOOT);
    aisp_flow_put(flow, AISP_FLOW_LEFT, flow->y + 9, AISP_FLOW_WIDTH, &name, aisp_report_text(series, "variant"));
    flow->y += HEAD;
    for (size_t k = 0; k < aisp_map_n_found(series); k++) {
        aisp_map_put_found(series, k, &found);
        put_made(flow, &soft, &found);
    }
    if (json_array_size(json_object_get(map, "axes")) > 2)
        return;
    aisp_flow_need(flow, HEIGHT + FOOT);
    aisp_flow_skip(flow, 3);
    if (aisp_map_is_grid(map))
        put_heat(flow, map, i);
    else
        put_line(flow, map, i);
    aisp_flow_skip(flow, HEIGHT + FOOT);
}

static const struct aisp_column columns[] = {
    { "variant", 110, false }, { "point", 72, true },    { "reference", 50, true }, { "median", 50, true },
    { "ratio [95 %]", 96, true }, { "verdict", 72, false }, { "grade", 49, false },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void put_point(void *context, const struct aisp_map_point *p)
{
    struct aisp_buf text[3] = { AISP_BUF_INIT }, why = AISP_BUF_INIT;
    struct aisp_pdf_cell cell[N_COLUMNS] = { { p->variant, NULL, 0, false }, { p->point, NULL, 0, false } };

    for (int i = 2; i < N_COLUMNS; i++)
        cell[i].text = "";
    cell[5].text = "not measured";
    if (p->result) {
        aisp_report_put_time(&text[0], aisp_report_side(p->result, "median_ns", "a"));
        aisp_report_put_time(&text[1], aisp_report_side(p->result, "median_ns", "b"));
        aisp_report_put_ratio(&text[2], p->result);
        aisp_report_put_why(&why, p->result);
        if (*p->trouble)
            aisp_buf_printf(&why, "%s%s", why.len ? "; " : "", p->trouble);
        for (int i = 0; i < 3; i++)
            cell[2 + i].text = text[i].s;
        cell[5] = (struct aisp_pdf_cell){ aisp_report_text(p->result, "verdict"), why.len ? why.s : "",
                                          aisp_pdf_tone(aisp_html_tone(p->result)), true };
        cell[6].text = aisp_report_text(p->result, "grade");
    }
    aisp_flow_row(context, cell);
    for (int i = 0; i < 3; i++)
        aisp_buf_release(&text[i]);
    aisp_buf_release(&why);
}

void aisp_pdf_maps(struct aisp_flow *flow, const struct aisp_report *report)
{
    const json_t *map;
    size_t i;

    json_array_foreach(report->maps, i, map) {
        struct aisp_buf text = AISP_BUF_INIT;
        char *title = aisp_format("%s: where the winner changes", aisp_report_text(map, "target"));

        aisp_flow_heading(flow, 12, 90, title);
        free(title);
        aisp_map_put_range(map, &text);
        put_made(flow, &soft, &text);
        aisp_buf_puts(&text, "Winner: ");
        aisp_map_put_winners(map, &text);
        put_made(flow, &soft, &text);
        aisp_flow_skip(flow, 4);
        for (size_t s = 0; s < json_array_size(json_object_get(map, "series")); s++)
            put_series(flow, map, s);
        aisp_flow_table(flow, columns, N_COLUMNS);
        aisp_map_each_point(report, map, put_point, flow);
        aisp_flow_table_end(flow);
    }
}
