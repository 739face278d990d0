/* pdf.c - a run as pages of A4: what report_html.c shows, on paper.
 * Not here: the figures (pdf_figures.c), lines and tables (pdf_flow.c), what is said (report.c, report_facts.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/reports/map_report.h"
#include "commands/reports/pdf_figures.h"
#include "commands/reports/pdf_flow.h"

static const struct aisp_type body = { AISP_PDF_REGULAR, 9, AISP_INK }, soft = { AISP_PDF_REGULAR, 8, AISP_SOFT };
static const struct aisp_type warning = { AISP_PDF_BOLD, 8.5, 0xa5371c };

/* What was made in `text`, as a paragraph; empties it. */
static void put_made(struct aisp_flow *flow, const struct aisp_type *type, struct aisp_buf *text)
{
    if (text->len)
        aisp_flow_paragraph(flow, type, text->s);
    aisp_buf_release(text);
}

static void put_title(struct aisp_flow *flow, const struct aisp_report *report)
{
    const json_t *manifest = json_object_get(report->record, "manifest");
    const char *cpu = aisp_report_text(json_object_get(manifest, "environment"), "cpu_model");
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_printf(&text, "aisp run %s", aisp_report_text(report->record, "run"));
    aisp_flow_heading(flow, 17, 0, text.s);
    aisp_buf_release(&text);
    aisp_report_put_counts(&text, report);
    put_made(flow, &body, &text);
    aisp_buf_printf(&text, "%s%s%s", aisp_report_text(manifest, "started"), *cpu ? ", on " : "", cpu);
    put_made(flow, &soft, &text);
    if (!json_is_true(json_object_get(report->record, "complete")))
        aisp_flow_paragraph(flow, &warning, "This run is incomplete: it was interrupted, and more was asked for.");
}

/* ---- targets ---- */

static const struct aisp_column columns[] = {
    { "variant and idea", 117, false },
    { "median", 46, true },
    { "p5 / p95", 84, true },
    { "ratio [95 % interval]", 88, true },
    { "verdict", 70, false },
    { "% of roof", 51, true },
    { "grade", 43, false },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void put_row(struct aisp_flow *flow, const json_t *result)
{
    const char *reference = aisp_report_text(result, "reference");
    struct aisp_buf text[N_COLUMNS] = { AISP_BUF_INIT }, why = AISP_BUF_INIT;
    struct aisp_pdf_cell cell[N_COLUMNS] = { { 0 } };

    aisp_buf_puts(&text[0], aisp_report_text(result, "variant"));
    if (*reference && strcmp(reference, "baseline"))
        aisp_buf_printf(&text[0], " against %s", reference);
    aisp_report_put_time(&text[1], aisp_report_side(result, "median_ns", "b"));
    aisp_report_put_time(&text[2], aisp_report_side(result, "p5_ns", "b"));
    aisp_buf_puts(&text[2], " / ");
    aisp_report_put_time(&text[2], aisp_report_side(result, "p95_ns", "b"));
    aisp_report_put_ratio(&text[3], result);
    aisp_buf_puts(&text[4], aisp_report_text(result, "verdict"));
    aisp_report_put_roof(&text[5], result);
    aisp_buf_puts(&text[6], aisp_report_text(result, "grade"));
    aisp_report_put_why(&why, result);
    for (int i = 0; i < N_COLUMNS; i++)
        cell[i].text = text[i].len ? text[i].s : "";
    cell[0].note = aisp_report_text(result, "idea");
    cell[4] = (struct aisp_pdf_cell){ cell[4].text, why.len ? why.s : "", aisp_pdf_tone(aisp_html_tone(result)), true };
    aisp_flow_row(flow, cell);
    for (int i = 0; i < N_COLUMNS; i++)
        aisp_buf_release(&text[i]);
    aisp_buf_release(&why);
}

static void put_target(struct aisp_flow *flow, const struct aisp_report *report, size_t first, size_t end)
{
    const json_t *result = report->row[first].result;
    const double ns = aisp_report_side(result, "median_ns", "a");
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_flow_heading(flow, 12, 70, aisp_report_text(result, "target"));
    aisp_report_put_params(&text, result);
    if (isfinite(ns)) {
        aisp_buf_printf(&text, "%s%s takes ", text.len ? "; " : "", aisp_report_text(result, "reference"));
        aisp_report_put_time(&text, ns);
    }
    put_made(flow, &soft, &text);
    aisp_flow_skip(flow, 4);
    aisp_flow_table(flow, columns, N_COLUMNS);
    for (size_t i = first; i < end; i++)
        put_row(flow, report->row[i].result);
    aisp_flow_table_end(flow);
    for (size_t i = first; i < end; i++)
        aisp_pdf_panels(flow, &report->row[i]);
}

/* ---- the rest ---- */

static void put_findings(struct aisp_flow *flow, const struct aisp_report *report)
{
    static const struct aisp_column found[] = { { "severity", 60, false },
                                                { "finding", 300, false },
                                                { "check and where", 139, false } };
    struct aisp_report_findings findings = { 0 };

    aisp_report_findings_of(report, &findings);
    aisp_flow_heading(flow, 12, 50, "Findings");
    if (!findings.n)
        aisp_flow_paragraph(flow, &body, "None.");
    else
        aisp_flow_table(flow, found, 3);
    for (size_t i = 0; i < findings.n; i++) {
        const json_t *finding = findings.item[i].finding;
        const char *side = aisp_report_text(finding, "side"), *severity = aisp_report_text(finding, "severity");
        char *where = aisp_format("%s%s%s", aisp_report_text(finding, "check"),
                                  *side == 'a'   ? ", in the reference; "
                                  : *side == 'b' ? ", in the variant; "
                                                 : "; ",
                                  findings.item[i].who.s);
        const char *tone = !strcmp(severity, "violation") ? "bad" : !strcmp(severity, "development") ? "unsure" : "plain";
        const struct aisp_pdf_cell cell[] = { { severity, NULL, aisp_pdf_tone(tone), true },
                                              { aisp_report_text(finding, "text"), NULL, 0, false },
                                              { where, NULL, AISP_SOFT, false } };

        aisp_flow_row(flow, cell);
        free(where);
    }
    aisp_flow_table_end(flow);
    aisp_report_findings_release(&findings);
}

static const struct aisp_column two[] = { { "", 150, false }, { "", 349, false } };

static void put_facts(struct aisp_flow *flow, const char *title, const char *none, struct aisp_report_facts *facts)
{
    aisp_flow_heading(flow, 12, 50, title);
    if (!facts->n)
        aisp_flow_paragraph(flow, &body, none);
    else
        aisp_flow_table(flow, two, 2);
    for (size_t i = 0; i < facts->n; i++) {
        const struct aisp_pdf_cell cell[] = { { facts->fact[i][0], NULL, AISP_SOFT, false },
                                              { facts->fact[i][1], NULL, 0, false } };

        aisp_flow_row(flow, cell);
    }
    aisp_flow_table_end(flow);
    aisp_report_facts_release(facts);
}

static void put_words(struct aisp_flow *flow)
{
    aisp_flow_heading(flow, 12, 50, "How to read it");
    aisp_flow_table(flow, two, 2);
    for (const struct aisp_report_word *w = aisp_report_words; w->word; w++) {
        const struct aisp_pdf_cell cell[] = { { w->word, NULL, 0, true }, { w->meaning, NULL, 0, false } };

        aisp_flow_row(flow, cell);
    }
    for (const struct aisp_report_word *w = aisp_pdf_figure_words; w->word; w++) {
        const struct aisp_pdf_cell cell[] = { { w->word, NULL, 0, true }, { w->meaning, NULL, 0, false } };

        aisp_flow_row(flow, cell);
    }
    aisp_flow_table_end(flow);
}

/* Last, when it is known how many there are. */
static void put_margins(struct aisp_flow *flow, const struct aisp_report *report)
{
    static const struct aisp_type type = { AISP_PDF_REGULAR, 7.5, AISP_SOFT };
    const size_t n = aisp_pdf_n_sheets(flow->pdf);
    char *run = aisp_format("aisp run %s", aisp_report_text(report->record, "run"));

    for (size_t i = 0; i < n; i++) {
        char *page = aisp_format("page %zu of %zu", i + 1, n);

        aisp_pdf_turn_to(flow->pdf, i);
        aisp_flow_put(flow, AISP_FLOW_LEFT, 40, 300, &type, run);
        aisp_flow_put_right(flow, AISP_FLOW_RIGHT, 40, 190, &type, "aisp bench report");
        aisp_flow_put(flow, AISP_FLOW_LEFT, 812, 300, &type, run);
        aisp_flow_put_right(flow, AISP_FLOW_RIGHT, 812, 190, &type, page);
        free(page);
    }
    free(run);
}

enum aisp_status aisp_report_pdf(const struct aisp_report *report, bool is_compressed, struct aisp_buf *out,
                                 struct aisp_err *err)
{
    struct aisp_report_facts machine = { 0 }, origin = { 0 }, calibration = { 0 };
    char *title = aisp_format("aisp run %s", aisp_report_text(report->record, "run"));
    struct aisp_pdf *pdf = NULL;
    struct aisp_flow flow;
    enum aisp_status st;

    AISP_TRY(aisp_pdf_new(&pdf, title, is_compressed, err));
    aisp_flow_begin(&flow, pdf);
    put_title(&flow, report);
    aisp_pdf_forest(&flow, report);
    aisp_pdf_maps(&flow, report);
    for (size_t i = 0; i < report->n - report->n_swept; i += aisp_report_group(report, i))
        put_target(&flow, report, i, i + aisp_report_group(report, i));
    put_findings(&flow, report);
    aisp_report_machine(report, &machine);
    aisp_report_calibration(report, &calibration);
    aisp_report_origin(report, &origin);
    put_facts(&flow, "Environment", "Not recorded.", &machine);
    put_facts(&flow, "Calibration", "This run was not calibrated: no floor, no roof.", &calibration);
    put_facts(&flow, "Origin", "Not recorded.", &origin);
    put_words(&flow);
    put_margins(&flow, report);
    st = aisp_pdf_finish(pdf, out, err);
out:
    aisp_pdf_free(pdf);
    free(title);
    return st;
}
