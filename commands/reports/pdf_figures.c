/* pdf_figures.c - marks on paper, with their captions and axes.
 * Small multiples: every comparison is drawn the same way, reference above, variant below. */
#include "commands/reports/pdf_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/reports/roof.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

static const char *const tones[] = { "a", "b" };
static const struct aisp_type small = { AISP_PDF_REGULAR, 6.2, AISP_SOFT }, tiny = { AISP_PDF_REGULAR, 5.6, AISP_SOFT };

const struct aisp_report_word aisp_pdf_figure_words[] = {
    { "figure: time of a call",
      "All timed windows, reference above, variant below. Upright: median; line: p5 to p95; dot: p99. Few "
      "slow windows may lie beyond the axis." },
    { "figure: windows in order",
      "The same windows as distance from their median, first to last. Line: middle of neighbours; band: "
      "80 % of them." },
    { "figure: ratio of each pair",
      "First pair at the top. Upright: the ratio; band: its 95 % interval; dashed: 1, no difference." },
    { "figure: roofline",
      "GFLOP/s over flop / byte of the declared work; without arithmetic GB/s, left to right. Solid: the measured "
      "ceiling that holds; dashed: other levels of memory." },
    { "figure: where the winner changes",
      "Ratio over the swept parameter with the 95 % interval; dashed: 1; hollow dot: unsure; band: where a crossover lies. A bar "
      "at the top: the variant wins; at the foot: the reference. Over two parameters: green is faster, red slower, the stronger "
      "the further from 1; hatched: unsure; empty: not measured or withheld." },
    { NULL, NULL },
};

unsigned aisp_pdf_tone(const char *tone)
{
    static const struct {
        const char *tone;
        unsigned color;
    } of[] = {
        { "b", 0x1d5fa6 },
        { "good", 0x1b6b40 },
        { "bad", 0xa5371c },
        { "unsure", 0x7a5a00 },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strcmp(tone, of[i].tone))
            return of[i].color;
    return 0x6b7078;
}

/* "good s2": two fourths of the colour, the rest paper. */
static unsigned mixed(const char *tone)
{
    const char *strength = strstr(tone, " s");
    char name[16];
    unsigned color = 0;

    if (!strength || strength - tone >= (int)sizeof name)
        return aisp_pdf_tone(tone);
    snprintf(name, sizeof name, "%.*s", (int)(strength - tone), tone);
    for (int shift = 0; shift < 24; shift += 8) {
        const unsigned part = aisp_pdf_tone(name) >> shift & 0xff, share = (unsigned)(strength[2] - '0');

        color |= (part * share + 255 * (5 - share)) / 5 << shift;
    }
    return color;
}

/* ---- the canvas ---- */

/* Three parts of paper to one of the colour: paper has no opacity here. */
static unsigned faint(unsigned color)
{
    return ((color >> 2) & 0x3f3f3f) + 0xbfbfbf;
}

static struct aisp_pdf_pen pen_of(enum aisp_mark mark, unsigned color)
{
    switch (mark) {
    case AISP_MARK_AREA:
        return (
            struct aisp_pdf_pen){ .fill = faint(color), .stroke = color, .is_filled = true, .is_stroked = true, .width = 0.4 };
    case AISP_MARK_BAND:
        return (struct aisp_pdf_pen){ .fill = faint(color), .is_filled = true, .width = 1 };
    case AISP_MARK_CELL:
        return (struct aisp_pdf_pen){ .fill = color, .stroke = 0xffffff, .is_filled = true, .is_stroked = true, .width = 0.8 };
    case AISP_MARK_DOT:
        return (struct aisp_pdf_pen){ .stroke = color, .is_stroked = true, .is_round = true, .width = 4 };
    case AISP_MARK_HOLE:
        return (struct aisp_pdf_pen){ .stroke = 0xffffff, .is_stroked = true, .is_round = true, .width = 2 };
    case AISP_MARK_DOTS:
        return (struct aisp_pdf_pen){ .stroke = AISP_SOFT, .is_stroked = true, .is_round = true, .width = 1.6 };
    case AISP_MARK_RULE:
        return (struct aisp_pdf_pen){ .stroke = AISP_HAIR, .is_stroked = true, .width = 0.5 };
    case AISP_MARK_ONE:
        return (struct aisp_pdf_pen){ .stroke = 0x8a8f96, .is_stroked = true, .is_dashed = true, .width = 0.5 };
    default:
        return (struct aisp_pdf_pen){ .stroke = color, .is_stroked = true, .width = 0.9 };
    }
}

static struct aisp_spot placed(const struct aisp_pdf_room *sheet, struct aisp_spot spot)
{
    return (struct aisp_spot){ sheet->x + sheet->width * spot.x / 1000, sheet->y + sheet->height * spot.y / 100 };
}

static void put(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, const struct aisp_spot *spot, size_t n)
{
    struct aisp_pdf_room *sheet = (struct aisp_pdf_room *)canvas;
    const struct aisp_pdf_pen pen = pen_of(mark, mixed(tone));
    struct aisp_spot *to = aisp_xcalloc(n + 1, sizeof *to);

    for (size_t i = 0; i < n; i++)
        to[i] = placed(sheet, spot[i]);
    if (!pen.is_round)
        aisp_pdf_path(sheet->flow->pdf, &pen, to, n);
    for (size_t i = 0; pen.is_round && i < n; i++) { /* a line of no length with round ends */
        const struct aisp_spot ends[] = { to[i], { to[i].x + 0.01, to[i].y } };

        aisp_pdf_path(sheet->flow->pdf, &pen, ends, 2);
    }
    free(to);
}

struct aisp_pdf_room aisp_pdf_room_at(struct aisp_flow *flow, double x, double y, double width, double height)
{
    return (struct aisp_pdf_room){ { put }, flow, x, y, width, height };
}

/* ---- axes ---- */

/* A rule with ticks at y, their labels below; who has no room beside the one before gets none. */
static void put_axis(struct aisp_flow *flow, const struct aisp_axis *axis, double x, double y, double width, bool is_time)
{
    const struct aisp_pdf_pen pen = { .stroke = 0x8a8f96, .is_stroked = true, .width = 0.4 };
    const struct aisp_spot ends[] = { { x, y }, { x + width, y } };
    struct aisp_ticks ticks;
    double taken = -1;

    aisp_axis_ticks(axis, &ticks);
    aisp_pdf_path(flow->pdf, &pen, ends, 2);
    for (int i = 0; i < ticks.n; i++) {
        const double at = x + width * aisp_axis_at(axis, ticks.at[i]);
        const struct aisp_spot tick[] = { { at, y }, { at, y + 2 } };
        char text[48], *bytes;
        double wide, left;

        aisp_axis_label(axis, &ticks, i, is_time, text);
        bytes = aisp_pdf_encode(text);
        wide = aisp_pdf_width_of(flow->pdf, tiny.font, tiny.size, bytes, strlen(bytes));
        left = fmin(x + width - wide, fmax(x, at - wide / 2));
        aisp_pdf_path(flow->pdf, &pen, tick, 2);
        if (left > taken) {
            aisp_flow_put(flow, left, y + 8, width, &tiny, text);
            taken = left + wide + 3;
        }
        free(bytes);
    }
}

/* ---- forest ---- */

enum { LANE = 13, PLOT_X = AISP_FLOW_LEFT + 150, PLOT = 170, RATIO_X = PLOT_X + PLOT + 110, VERDICT_X = RATIO_X + 10 };

static void put_lane(struct aisp_flow *flow, const struct aisp_axis *axis, const json_t *result)
{
    const struct aisp_type name = { AISP_PDF_REGULAR, 8, AISP_INK };
    const struct aisp_type verdict = { AISP_PDF_BOLD, 7.5, aisp_pdf_tone(aisp_html_tone(result)) };
    struct aisp_pdf_room sheet = aisp_pdf_room_at(flow, PLOT_X, flow->y, PLOT, LANE);
    struct aisp_buf ratio = AISP_BUF_INIT;

    aisp_report_put_ratio(&ratio, result);
    aisp_flow_put(flow, AISP_FLOW_LEFT, flow->y + 9.5, PLOT_X - AISP_FLOW_LEFT - 8, &name, aisp_report_text(result, "variant"));
    aisp_marks_interval(&sheet.canvas, axis, result, aisp_html_tone(result));
    aisp_flow_put_right(flow, RATIO_X, flow->y + 9.5, 105, &name, ratio.s);
    aisp_flow_put(flow, VERDICT_X, flow->y + 9.5, AISP_FLOW_RIGHT - VERDICT_X, &verdict, aisp_report_text(result, "verdict"));
    aisp_buf_release(&ratio);
    flow->y += LANE;
}

void aisp_pdf_forest(struct aisp_flow *flow, const struct aisp_report *report)
{
    const struct aisp_type target = { AISP_PDF_REGULAR, 7.5, AISP_SOFT };
    struct aisp_axis axis;

    if (!aisp_axis_of_ratios(report, &axis))
        return;
    aisp_flow_heading(flow, 12, 60, "Ratios");
    aisp_flow_paragraph(flow, &small,
                        "How many times faster than its reference, with the 95 % interval. Dashed: 1, no difference. A "
                        "hollow dot is unsure.");
    for (size_t i = 0; i < report->n - report->n_swept; i++) {
        const bool is_first =
            !i || !aisp_report_is(report->row[i].result, "target", aisp_report_text(report->row[i - 1].result, "target"));

        if (flow->y + 3 * LANE + 14 > AISP_FLOW_FOOT) { /* an axis below each sheet's part */
            put_axis(flow, &axis, PLOT_X, flow->y + 2, PLOT, false);
            flow->y = AISP_FLOW_FOOT;
            aisp_flow_need(flow, LANE);
        }
        if (is_first) {
            aisp_flow_put(flow, AISP_FLOW_LEFT, flow->y + 11, AISP_FLOW_WIDTH, &target,
                          aisp_report_text(report->row[i].result, "target"));
            flow->y += LANE + 1;
        }
        if (!report->row[i].is_quarantined)
            put_lane(flow, &axis, report->row[i].result);
    }
    put_axis(flow, &axis, PLOT_X, flow->y + 2, PLOT, false);
    flow->y += 14;
}

/* ---- one comparison ---- */

#define BETWEEN 14.0
#define PANEL   ((AISP_FLOW_WIDTH - 3 * BETWEEN) / 4)
enum { CAPTION = 10, PANEL_HEIGHT = 60, STRIP = 29, AXIS = 12, RATES = 18 };

static double panel_x(int i)
{
    return AISP_FLOW_LEFT + i * (PANEL + BETWEEN);
}

static void put_distribution(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const double x = panel_x(0), y = flow->y + CAPTION;
    struct aisp_axis axis;

    if (!aisp_axis_of_times(row, &axis))
        return;
    aisp_flow_put(flow, x, flow->y + 6, PANEL, &small, "time of a call");
    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_pdf_room sheet = aisp_pdf_room_at(flow, x, y + side * (PANEL_HEIGHT - STRIP), PANEL, STRIP);

        aisp_marks_histogram(&sheet.canvas, &axis, &row->side[side], tones[side]);
    }
    put_axis(flow, &axis, x, y + PANEL_HEIGHT, PANEL, true);
}

static void put_drift(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const double x = panel_x(1), y = flow->y + CAPTION, span = aisp_drift_span(row);
    size_t most = 0;
    char text[64];

    snprintf(text, sizeof text, "windows in order, \u00b1%g %% of the median", 100 * span);
    aisp_flow_put(flow, x, flow->y + 6, PANEL, &small, text);
    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_pdf_room sheet = aisp_pdf_room_at(flow, x, y + side * (PANEL_HEIGHT - STRIP), PANEL, STRIP);

        most = row->side[side].n > most ? row->side[side].n : most;
        aisp_marks_drift(&sheet.canvas, &row->side[side], span, tones[side]);
    }
    snprintf(text, sizeof text, "%zu", most);
    aisp_flow_put(flow, x, y + PANEL_HEIGHT + 8, PANEL, &tiny, "first window");
    aisp_flow_put_right(flow, x + PANEL, y + PANEL_HEIGHT + 8, PANEL, &tiny, text);
}

static void put_pairs(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const double x = panel_x(2), y = flow->y + CAPTION;
    struct aisp_pdf_room sheet = aisp_pdf_room_at(flow, x, y, PANEL, PANEL_HEIGHT);
    struct aisp_axis axis;
    char text[64];

    if (!aisp_axis_of_pairs(row, &axis))
        return;
    snprintf(text, sizeof text, "ratio of each pair: %zu", row->n_pairs);
    aisp_flow_put(flow, x, flow->y + 6, PANEL, &small, text);
    aisp_marks_pairs(&sheet.canvas, &axis, row);
    put_axis(flow, &axis, x, y + PANEL_HEIGHT, PANEL, false);
}

static void put_roofline(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const bool is_arithmetic = row->roof.flops_per_byte > 0;
    const double x = panel_x(3), y = flow->y + CAPTION, width = PANEL - (is_arithmetic ? RATES : 0);
    struct aisp_pdf_room sheet = aisp_pdf_room_at(flow, x, y, width, PANEL_HEIGHT);
    struct aisp_axis along, up;
    struct aisp_ticks ticks;

    if (!aisp_report_roof_is_measured(&row->roof)) {
        aisp_flow_put(flow, x, flow->y + 6, PANEL, &small, "roofline: not measured");
        return;
    }
    aisp_flow_put(flow, x, flow->y + 6, PANEL, &small,
                  is_arithmetic ? "roofline: GFLOP/s over flop / byte" : "roofline: GB/s, no arithmetic");
    aisp_report_roof_axes(&row->roof, &along, &up);
    aisp_marks_roofline(&sheet.canvas, &row->roof);
    put_axis(flow, &along, x, y + PANEL_HEIGHT, width, false);
    if (!is_arithmetic)
        return;
    aisp_axis_ticks(&up, &ticks);
    for (int i = 0; i < ticks.n; i++) {
        char text[48];

        aisp_axis_label(&up, &ticks, i, false, text);
        aisp_flow_put_right(flow, x + PANEL, y + PANEL_HEIGHT * (1 - aisp_axis_at(&up, ticks.at[i])) + 2, PANEL, &tiny, text);
    }
}

/* ---- the same in numbers ---- */

static void say_side(struct aisp_flow *flow, const struct aisp_report_row *row, int side)
{
    static const char *const names[] = { "p5 ", ", median ", ", p95 ", ", p99 " };
    const struct aisp_type type = { AISP_PDF_REGULAR, 6.8, aisp_pdf_tone(tones[side]) };
    const struct aisp_report_series *s = &row->side[side];
    struct aisp_buf text = AISP_BUF_INIT;
    struct aisp_quantiles q;

    if (!s->n || aisp_quantiles_of(s->ns, s->n, &q, NULL))
        return;
    const double x[] = { q.p5, q.p50, q.p95, q.p99 };

    aisp_buf_printf(&text, "%s: %zu windows, ", aisp_report_text(row->result, side == AISP_A ? "reference" : "variant"), s->n);
    for (int i = 0; i < 4; i++) {
        aisp_buf_puts(&text, names[i]);
        aisp_report_put_time(&text, x[i]);
    }
    if (aisp_report_roof_is_measured(&row->roof) && row->roof.rate[side] > 0) {
        aisp_buf_puts(&text, "; ");
        aisp_report_roof_put_side(&text, &row->roof, side);
    }
    aisp_flow_paragraph(flow, &type, text.s);
    aisp_buf_release(&text);
}

static void say_ceilings(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const struct aisp_type type = { AISP_PDF_REGULAR, 6.8, AISP_SOFT };
    struct aisp_buf text = AISP_BUF_INIT;

    if (!aisp_report_roof_is_measured(&row->roof))
        return;
    aisp_buf_puts(&text, "measured ceilings: ");
    aisp_report_roof_put_ceilings(&text, &row->roof);
    aisp_flow_paragraph(flow, &type, text.s);
    aisp_buf_release(&text);
}

static void put_title(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const struct aisp_type name = { AISP_PDF_BOLD, 8.5, AISP_INK }, ratio = { AISP_PDF_REGULAR, 8, AISP_SOFT };
    const struct aisp_type verdict = { AISP_PDF_BOLD, 7.5, aisp_pdf_tone(aisp_html_tone(row->result)) };
    struct aisp_buf text = AISP_BUF_INIT;
    double x = AISP_FLOW_LEFT;

    x += aisp_flow_put(flow, x, flow->y + 9, 300, &name, aisp_report_text(row->result, "variant")) + 8;
    if (isfinite(aisp_report_number(row->result, "ratio"))) {
        aisp_report_put_ratio(&text, row->result);
        x += aisp_flow_put(flow, x, flow->y + 9, 120, &ratio, text.s) + 8;
    }
    aisp_flow_put(flow, x, flow->y + 9, AISP_FLOW_RIGHT - x, &verdict, aisp_report_text(row->result, "verdict"));
    aisp_buf_release(&text);
    flow->y += 15;
}

void aisp_pdf_panels(struct aisp_flow *flow, const struct aisp_report_row *row)
{
    const struct aisp_type warning = { AISP_PDF_BOLD, 7.5, 0xa5371c };
    const bool is_drawn = row->side[AISP_A].n || row->side[AISP_B].n;
    const bool is_invalid = aisp_report_is(row->result, "grade", "invalid");

    if (!is_drawn && !*row->trouble)
        return;
    aisp_flow_skip(flow, 8);
    aisp_flow_need(flow, 15 + CAPTION + PANEL_HEIGHT + AXIS + 3 * 9 + 24);
    put_title(flow, row);
    if (*row->trouble)
        aisp_flow_paragraph(flow, &warning, row->trouble);
    if (is_invalid)
        aisp_flow_paragraph(flow, &warning, "The variant's times are withheld.");
    if (!is_drawn)
        return;
    put_distribution(flow, row);
    put_drift(flow, row);
    put_pairs(flow, row);
    put_roofline(flow, row);
    aisp_flow_skip(flow, CAPTION + PANEL_HEIGHT + AXIS);
    for (int side = AISP_A; side <= AISP_B; side++)
        say_side(flow, row, side);
    say_ceilings(flow, row);
}
