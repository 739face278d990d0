/* report_markdown.c - a run as Markdown (GitHub's), for reading in a terminal, a review or a repository.
 * Not here: what is said (report.c, report_facts.c). All texts are strangers' data and are escaped. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/report.h"
#include "commands/reports/map_report.h"

/* Text that is no markup, in one line. An underscore within a word is no markup anyway, and stays readable. */
void aisp_report_put_markdown(struct aisp_buf *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        const unsigned char u = (unsigned char)*c;

        if (u < 0x20 || u == 0x7f)
            aisp_buf_puts(out, " ");
        else if (u == '<' || u == '>' || u == '&')
            aisp_buf_puts(out, u == '<' ? "&lt;" : u == '>' ? "&gt;" : "&amp;");
        else if (u == '_' && c > text && isalnum((unsigned char)c[-1]) && isalnum((unsigned char)c[1]))
            aisp_buf_puts(out, "_");
        else if (strchr("\\`*_{}[]|~#!$", u))
            aisp_buf_printf(out, "\\%c", u);
        else
            aisp_buf_add(out, c, 1);
    }
}

static void put(struct aisp_buf *out, const char *text)
{
    aisp_report_put_markdown(out, text);
}

/* What was made in `text`, escaped; empties it. */
static void put_made(struct aisp_buf *out, struct aisp_buf *text)
{
    if (text->len)
        put(out, text->s);
    aisp_buf_release(text);
}

static void put_heading(struct aisp_buf *out, const json_t *result)
{
    const double ns = aisp_report_side(result, "median_ns", "a");
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_puts(out, "\n## ");
    put(out, aisp_report_text(result, "target"));
    aisp_buf_puts(out, "\n\n");
    aisp_report_put_params(&text, result);
    if (isfinite(ns)) {
        aisp_buf_printf(&text, "%s%s takes ", text.len ? "; " : "", aisp_report_text(result, "reference"));
        aisp_report_put_time(&text, ns);
    }
    if (text.len) {
        put_made(out, &text);
        aisp_buf_puts(out, "\n\n");
    }
    aisp_buf_release(&text);
}

static void put_row(struct aisp_buf *out, const json_t *result)
{
    const double p5 = aisp_report_side(result, "p5_ns", "b"), p95 = aisp_report_side(result, "p95_ns", "b");
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_puts(out, "| ");
    put(out, aisp_report_text(result, "variant"));
    if (*aisp_report_text(result, "reference") && !aisp_report_is(result, "reference", "baseline")) {
        aisp_buf_puts(out, " against ");
        put(out, aisp_report_text(result, "reference"));
    }
    aisp_buf_puts(out, " | ");
    put(out, aisp_report_text(result, "idea"));
    aisp_buf_puts(out, " | ");
    aisp_report_put_time(out, aisp_report_side(result, "median_ns", "b"));
    aisp_buf_puts(out, " | ");
    aisp_report_put_time(out, p5);
    aisp_buf_puts(out, " / ");
    aisp_report_put_time(out, p95);
    aisp_buf_puts(out, " | ");
    aisp_report_put_ratio(&text, result);
    put_made(out, &text);
    aisp_buf_puts(out, " | ");
    put(out, aisp_report_text(result, "verdict"));
    aisp_report_put_why(&text, result);
    aisp_buf_puts(out, text.len ? ": " : "");
    put_made(out, &text);
    aisp_buf_puts(out, " | ");
    aisp_report_put_roof(out, result);
    aisp_buf_puts(out, " | ");
    put(out, aisp_report_text(result, "grade"));
    aisp_buf_puts(out, " |\n");
}

static void put_targets(struct aisp_buf *out, const struct aisp_report *report)
{
    for (size_t i = 0; i < report->n - report->n_swept;) {
        const size_t end = i + aisp_report_group(report, i);

        put_heading(out, report->row[i].result);
        aisp_buf_puts(out, "| variant | idea | median | p5 / p95 | ratio \\[95 % interval\\] | verdict | % of roof | grade |\n"
                           "|---|---|--:|--:|--:|---|--:|---|\n");
        for (size_t j = i; j < end; j++)
            put_row(out, report->row[j].result);
        for (size_t j = i; j < end; j++)
            if (*report->row[j].trouble) {
                aisp_buf_puts(out, "\n**");
                put(out, aisp_report_text(report->row[j].result, "variant"));
                aisp_buf_puts(out, ":** ");
                put(out, report->row[j].trouble);
                aisp_buf_puts(out, "\n");
            }
        i = end;
    }
}

static void put_findings(struct aisp_buf *out, const struct aisp_report *report)
{
    struct aisp_report_findings findings = { 0 };

    aisp_report_findings_of(report, &findings);
    aisp_buf_puts(out, "\n## Findings\n\n");
    if (!findings.n)
        aisp_buf_puts(out, "None.\n");
    for (size_t i = 0; i < findings.n; i++) {
        const json_t *finding = findings.item[i].finding;
        const char *side = aisp_report_text(finding, "side");

        aisp_buf_puts(out, "- **");
        put(out, aisp_report_text(finding, "severity"));
        aisp_buf_puts(out, "** ");
        put(out, aisp_report_text(finding, "text"));
        aisp_buf_puts(out, " (");
        put(out, aisp_report_text(finding, "check"));
        aisp_buf_puts(out, *side == 'a' ? ", in the reference; " : *side == 'b' ? ", in the variant; " : "; ");
        put(out, findings.item[i].who.s);
        aisp_buf_puts(out, ")\n");
    }
    aisp_report_findings_release(&findings);
}

static void put_facts(struct aisp_buf *out, const char *title, const char *none, struct aisp_report_facts *facts)
{
    aisp_buf_printf(out, "\n## %s\n\n", title);
    if (facts->n)
        aisp_buf_puts(out, "| | |\n|---|---|\n");
    else
        aisp_buf_printf(out, "%s\n", none);
    for (size_t i = 0; i < facts->n; i++) {
        aisp_buf_puts(out, "| ");
        put(out, facts->fact[i][0]);
        aisp_buf_puts(out, " | ");
        put(out, facts->fact[i][1]);
        aisp_buf_puts(out, " |\n");
    }
    aisp_report_facts_release(facts);
}

void aisp_report_markdown(const struct aisp_report *report, struct aisp_buf *out)
{
    struct aisp_report_facts machine = { 0 }, origin = { 0 }, calibration = { 0 };

    aisp_buf_puts(out, "# Run ");
    put(out, aisp_report_text(report->record, "run"));
    aisp_buf_puts(out, "\n\n");
    aisp_report_put_counts(out, report);
    aisp_buf_puts(out, ".\n");
    if (!json_is_true(json_object_get(report->record, "complete")))
        aisp_buf_puts(out, "\n**This run is incomplete: it was interrupted, and more was asked for.**\n");
    aisp_markdown_maps(report, out);
    put_targets(out, report);
    put_findings(out, report);
    aisp_report_machine(report, &machine);
    aisp_report_calibration(report, &calibration);
    aisp_report_origin(report, &origin);
    put_facts(out, "Environment", "Not recorded.", &machine);
    put_facts(out, "Calibration", "This run was not calibrated: no floor, no roof.", &calibration);
    put_facts(out, "Origin", "Not recorded.", &origin);
    aisp_buf_puts(out, "\n## How to read it\n\n");
    for (const struct aisp_report_word *w = aisp_report_words; w->word; w++)
        aisp_buf_printf(out, "- **%s**: %s\n", w->word, w->meaning);
}
