/* report_html.c - a run as one HTML file: no network, no script, light and dark, from a telephone's width to a wall's.
 * Not here: the figures (report_figures.c, report_svg.c), the style sheet (report_style.c), what is said (report.c).
 * Every text from the record is a stranger's and goes through aisp_html_put; ids and classes are ours alone. */
#include "commands/report_html.h"
#include "commands/reports/map_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void aisp_html_put(struct aisp_buf *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        const unsigned char u = (unsigned char)*c;

        if (u < 0x20 || u == 0x7f)
            aisp_buf_puts(out, " ");
        else if (u == '<')
            aisp_buf_puts(out, "&lt;");
        else if (u == '>')
            aisp_buf_puts(out, "&gt;");
        else if (u == '&')
            aisp_buf_puts(out, "&amp;");
        else if (u == '"')
            aisp_buf_puts(out, "&quot;");
        else if (u == '\'')
            aisp_buf_puts(out, "&#39;");
        else
            aisp_buf_add(out, c, 1);
    }
}

void aisp_html_put_made(struct aisp_buf *out, struct aisp_buf *text)
{
    if (text->len)
        aisp_html_put(out, text->s);
    aisp_buf_release(text);
}

/* ---- head ---- */

static void put_head(struct aisp_buf *out, const struct aisp_report *report)
{
    const json_t *manifest = json_object_get(report->record, "manifest");
    const char *cpu = aisp_report_text(json_object_get(manifest, "environment"), "cpu_model");

    aisp_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>aisp run ");
    aisp_html_put(out, aisp_report_text(report->record, "run"));
    aisp_buf_printf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<p class=\"soft\">aisp run</p><h1>",
                    aisp_report_css);
    aisp_html_put(out, aisp_report_text(report->record, "run"));
    aisp_buf_puts(out, "</h1>\n<p class=\"lead\">");
    aisp_report_put_counts(out, report);
    aisp_buf_puts(out, "</p>\n<p class=\"soft\">");
    aisp_html_put(out, aisp_report_text(manifest, "started"));
    if (*cpu) {
        aisp_buf_puts(out, ", on ");
        aisp_html_put(out, cpu);
    }
    aisp_buf_puts(out, "</p>\n");
    if (!json_is_true(json_object_get(report->record, "complete")))
        aisp_buf_puts(out, "<p class=\"warn\">This run is incomplete: it was interrupted, and more was asked for.</p>\n");
}

/* ---- a target ---- */

static void put_cell(struct aisp_buf *out, const char *is, const char *class, struct aisp_buf *text)
{
    aisp_buf_printf(out, "<td%s data-is=\"%s\">", class, is);
    aisp_html_put_made(out, text);
    aisp_buf_puts(out, "</td>");
}

static void put_verdict(struct aisp_buf *out, const json_t *result)
{
    struct aisp_buf why = AISP_BUF_INIT;

    aisp_buf_printf(out, "<td data-is=\"verdict\"><span><span class=\"verdict %s\">", aisp_html_tone(result));
    aisp_html_put(out, aisp_report_text(result, "verdict"));
    aisp_buf_puts(out, "</span>");
    aisp_report_put_why(&why, result);
    if (why.len) {
        aisp_buf_puts(out, " <span class=\"soft\">");
        aisp_html_put_made(out, &why);
        aisp_buf_puts(out, "</span>");
    }
    aisp_buf_release(&why);
    aisp_buf_puts(out, "</span></td>");
}

static void put_row(struct aisp_buf *out, const json_t *result)
{
    const double p5 = aisp_report_side(result, "p5_ns", "b"), p95 = aisp_report_side(result, "p95_ns", "b");
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_puts(out, "<tr><th scope=\"row\">");
    aisp_html_put(out, aisp_report_text(result, "variant"));
    if (*aisp_report_text(result, "reference") && !aisp_report_is(result, "reference", "baseline")) {
        aisp_buf_puts(out, " against ");
        aisp_html_put(out, aisp_report_text(result, "reference"));
    }
    aisp_buf_puts(out, "<span class=\"soft\">");
    aisp_html_put(out, aisp_report_text(result, "idea"));
    aisp_buf_puts(out, "</span></th>");
    aisp_report_put_time(&text, aisp_report_side(result, "median_ns", "b"));
    put_cell(out, "median", " class=\"n\"", &text);
    aisp_report_put_time(&text, p5);
    aisp_buf_puts(&text, " / ");
    aisp_report_put_time(&text, p95);
    put_cell(out, "p5 / p95", " class=\"n\"", &text);
    aisp_report_put_ratio(&text, result);
    put_cell(out, "ratio [95 %]", " class=\"n\"", &text);
    put_verdict(out, result);
    aisp_report_put_roof(&text, result);
    put_cell(out, "% of roof", " class=\"n\"", &text);
    aisp_buf_puts(&text, aisp_report_text(result, "grade"));
    put_cell(out, "grade", "", &text);
    aisp_buf_puts(out, "</tr>\n");
}

static void put_card(struct aisp_buf *out, const struct aisp_report *report, size_t i)
{
    const struct aisp_report_row *row = &report->row[i];
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_printf(out, "<section class=\"card\" id=\"c%zu\"><header><h3>", i);
    aisp_html_put(out, aisp_report_text(row->result, "variant"));
    aisp_buf_puts(out, "</h3><span>");
    if (isfinite(aisp_report_number(row->result, "ratio"))) {
        aisp_report_put_ratio(&text, row->result);
        aisp_html_put_made(out, &text);
    }
    aisp_buf_printf(out, "</span><span class=\"verdict %s\">", aisp_html_tone(row->result));
    aisp_html_put(out, aisp_report_text(row->result, "verdict"));
    aisp_buf_puts(out, "</span></header>\n<p class=\"soft\">");
    aisp_html_put(out, aisp_report_text(row->result, "idea"));
    aisp_buf_puts(out, "</p>\n");
    if (*row->trouble) {
        aisp_buf_puts(out, "<p class=\"warn\">");
        aisp_html_put(out, row->trouble);
        aisp_buf_puts(out, "</p>\n");
    }
    if (aisp_report_is(row->result, "grade", "invalid"))
        aisp_buf_puts(out, "<p class=\"warn\">The variant's times are withheld.</p>\n");
    aisp_html_panels(out, row);
    aisp_buf_puts(out, "</section>\n");
}

static void put_targets(struct aisp_buf *out, const struct aisp_report *report)
{
    for (size_t i = 0; i < report->n - report->n_swept;) {
        const size_t end = i + aisp_report_group(report, i);
        const json_t *result = report->row[i].result;
        const double ns = aisp_report_side(result, "median_ns", "a");
        struct aisp_buf text = AISP_BUF_INIT;

        aisp_buf_puts(out, "<h2>");
        aisp_html_put(out, aisp_report_text(result, "target"));
        aisp_buf_puts(out, "</h2>\n<p class=\"soft\">");
        aisp_report_put_params(&text, result);
        if (isfinite(ns)) {
            aisp_buf_printf(&text, "%s%s takes ", text.len ? "; " : "", aisp_report_text(result, "reference"));
            aisp_report_put_time(&text, ns);
        }
        aisp_html_put_made(out, &text);
        aisp_buf_puts(out, "</p>\n<table class=\"wide\"><thead><tr><th scope=\"col\">variant and idea</th>"
                           "<th scope=\"col\" class=\"n\">median</th><th scope=\"col\" class=\"n\">p5 / p95</th>"
                           "<th scope=\"col\" class=\"n\">ratio [95 % interval]</th><th scope=\"col\">verdict</th>"
                           "<th scope=\"col\" class=\"n\">% of roof</th><th scope=\"col\">grade</th></tr></thead><tbody>\n");
        for (size_t j = i; j < end; j++)
            put_row(out, report->row[j].result);
        aisp_buf_puts(out, "</tbody></table>\n");
        for (; i < end; i++)
            put_card(out, report, i);
    }
}

/* ---- the rest ---- */

static void put_findings(struct aisp_buf *out, const struct aisp_report *report)
{
    struct aisp_report_findings findings = { 0 };

    aisp_report_findings_of(report, &findings);
    aisp_buf_puts(out, findings.n ? "<h2>Findings</h2>\n<ul class=\"found\">\n" : "<h2>Findings</h2>\n<p>None.</p>\n");
    for (size_t i = 0; i < findings.n; i++) {
        const json_t *finding = findings.item[i].finding;
        const char *side = aisp_report_text(finding, "side"), *severity = aisp_report_text(finding, "severity");

        aisp_buf_printf(out, "<li><span class=\"verdict %s\">", !strcmp(severity, "violation")     ? "bad"
                                                                : !strcmp(severity, "development") ? "unsure"
                                                                                                   : "plain");
        aisp_html_put(out, severity);
        aisp_buf_puts(out, "</span> ");
        aisp_html_put(out, aisp_report_text(finding, "text"));
        aisp_buf_puts(out, "<span class=\"soft\">");
        aisp_html_put(out, aisp_report_text(finding, "check"));
        aisp_buf_puts(out, *side == 'a' ? ", in the reference; " : *side == 'b' ? ", in the variant; " : "; ");
        aisp_html_put(out, findings.item[i].who.s);
        aisp_buf_puts(out, "</span></li>\n");
    }
    aisp_buf_puts(out, findings.n ? "</ul>\n" : "");
    aisp_report_findings_release(&findings);
}

static void put_facts(struct aisp_buf *out, const char *title, const char *none, struct aisp_report_facts *facts)
{
    aisp_buf_printf(out, "<h2>%s</h2>\n%s%s%s\n", title, facts->n ? "<dl>" : "<p>", facts->n ? "" : none,
                    facts->n ? "" : "</p>");
    for (size_t i = 0; i < facts->n; i++) {
        aisp_buf_puts(out, "<dt>");
        aisp_html_put(out, facts->fact[i][0]);
        aisp_buf_puts(out, "</dt><dd>");
        aisp_html_put(out, facts->fact[i][1]);
        aisp_buf_puts(out, "</dd>\n");
    }
    aisp_buf_puts(out, facts->n ? "</dl>\n" : "");
    aisp_report_facts_release(facts);
}

void aisp_report_html(const struct aisp_report *report, struct aisp_buf *out)
{
    struct aisp_report_facts machine = { 0 }, origin = { 0 }, calibration = { 0 };

    put_head(out, report);
    aisp_html_forest(out, report);
    aisp_html_maps(report, out);
    put_targets(out, report);
    put_findings(out, report);
    aisp_report_machine(report, &machine);
    aisp_report_calibration(report, &calibration);
    aisp_report_origin(report, &origin);
    put_facts(out, "Environment", "Not recorded.", &machine);
    put_facts(out, "Calibration", "This run was not calibrated: no floor, no roof.", &calibration);
    put_facts(out, "Origin", "Not recorded.", &origin);
    aisp_buf_puts(out, "<h2>How to read it</h2>\n<dl>\n");
    for (const struct aisp_report_word *w = aisp_report_words; w->word; w++) {
        aisp_buf_puts(out, "<dt>");
        aisp_html_put(out, w->word);
        aisp_buf_puts(out, "</dt><dd>");
        aisp_html_put(out, w->meaning);
        aisp_buf_puts(out, "</dd>\n");
    }
    aisp_buf_puts(out, "</dl>\n</main></body></html>\n");
}
