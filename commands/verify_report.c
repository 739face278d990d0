/* verify_report.c - the words of a verification report, and its two layouts. Texts of the record are a stranger's: escaped. */
#include "commands/verify_report.h"

#include <math.h>
#include <string.h>

#include "commands/report_html.h"

static const json_t *side(const json_t *result, const char *name)
{
    return json_object_get(json_object_get(result, "verified"), name);
}

static long long count(const json_t *verified, const char *key)
{
    return (long long)json_integer_value(json_object_get(verified, key));
}

/* "412 in full, 9216 by sample; 1.2e+09 elements", "-" if nothing was compared. */
static void put_compared(struct aisp_buf *out, const json_t *result)
{
    const json_t *v = side(result, "b");
    const double worst = aisp_report_number(v, "worst");

    if (!count(v, "full") && !count(v, "sampled")) {
        aisp_buf_puts(out, "-");
        return;
    }
    aisp_buf_printf(out, "%lld in full, %lld by sample; %.3g elements", count(v, "full"),
                    count(v, "sampled"), (double)count(v, "elements"));
    if (isfinite(worst))
        aisp_buf_printf(out, ", worst error %.3g of what is allowed", worst);
}

/* "3 of 3", "-" */
static void put_holdout(struct aisp_buf *out, const json_t *result)
{
    const json_t *v = side(result, "b");

    if (count(v, "holdout"))
        aisp_buf_printf(out, "%lld of %lld", count(v, "holdout_right"), count(v, "holdout"));
    else
        aisp_buf_puts(out, "-");
}

/* Worst finding, or "": "stale-cache: ..." */
static void put_finding(struct aisp_buf *out, const json_t *result)
{
    const json_t *finding = json_array_get(json_object_get(result, "findings"), 0);

    if (finding && !aisp_report_is(finding, "severity", "note"))
        aisp_buf_printf(out, "%s: %s", aisp_report_text(finding, "check"),
                        aisp_report_text(finding, "text"));
}

/* Counts over all: how many passed, were found wrong, could not be tried, are in quarantine. */
static void put_counts(struct aisp_buf *out, const json_t *report)
{
    const json_t *target, *result;
    size_t i, j, good = 0, bad = 0, untried = 0, quarantined = 0;

    json_array_foreach(json_object_get(report, "targets"), i, target) {
        quarantined += json_object_size(json_object_get(target, "quarantined"));
        json_array_foreach(json_object_get(target, "results"), j, result) {
            const bool is_bad = aisp_report_is(result, "grade", "invalid"), is_tried = !*aisp_report_text(result, "not_measured");

            bad += is_bad;
            untried += !is_tried;
            good += !is_bad && is_tried;
        }
    }
    aisp_buf_printf(out, "%zu targets: %zu variants right, %zu wrong or refused, ",
                    json_array_size(json_object_get(report, "targets")), good, bad);
    if (untried)
        aisp_buf_printf(out, "%zu could not be tried, ", untried);
    aisp_buf_printf(out, "%zu in quarantine; %zu targets without a run", quarantined,
                    json_array_size(json_object_get(report, "without")));
}

static const char *quarantine_of(const json_t *target, const json_t *result)
{
    return aisp_report_text(json_object_get(target, "quarantined"),
                            aisp_report_text(result, "variant"));
}

/* ---- Markdown ---- */

static void md_made(struct aisp_buf *out, struct aisp_buf *text)
{
    if (text->len)
        aisp_report_put_markdown(out, text->s);
    aisp_buf_release(text);
}

static void md_row(struct aisp_buf *out, const json_t *target, const json_t *result)
{
    const char *quarantine = quarantine_of(target, result);
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_puts(out, "| ");
    aisp_report_put_markdown(out, aisp_report_text(result, "variant"));
    aisp_buf_puts(out, " | ");
    put_compared(&text, result);
    md_made(out, &text);
    aisp_buf_puts(out, " | ");
    put_holdout(&text, result);
    md_made(out, &text);
    aisp_buf_puts(out, " | ");
    aisp_report_put_markdown(out, aisp_report_text(result, "grade"));
    aisp_buf_puts(out, *quarantine ? ", in quarantine | " : " | ");
    put_finding(&text, result);
    md_made(out, &text);
    aisp_buf_puts(out, " |\n");
}

void aisp_verify_report_markdown(const json_t *report, struct aisp_buf *out)
{
    const json_t *target, *result;
    size_t i, j;

    aisp_buf_puts(out, "# What was verified\n\n");
    put_counts(out, report);
    aisp_buf_puts(out, ".\n");
    json_array_foreach(json_object_get(report, "targets"), i, target) {
        aisp_buf_puts(out, "\n## ");
        aisp_report_put_markdown(out, aisp_report_text(target, "target"));
        aisp_buf_puts(out, "\n\nRun ");
        aisp_report_put_markdown(out, aisp_report_text(target, "run"));
        aisp_buf_puts(out, ", on ");
        aisp_report_put_markdown(out, aisp_report_text(target, "machine"));
        aisp_buf_puts(out, "\n\n| variant | outputs compared | secret sizes | grade | worst "
                           "finding |\n|---|---|---|---|---|\n");
        json_array_foreach(json_object_get(target, "results"), j, result)
            md_row(out, target, result);
    }
    if (json_array_size(json_object_get(report, "without")))
        aisp_buf_puts(out, "\n## No run yet\n\n");
    json_array_foreach(json_object_get(report, "without"), i, target) {
        aisp_buf_puts(out, "- ");
        aisp_report_put_markdown(out, json_string_value(target));
        aisp_buf_puts(out, "\n");
    }
}

/* ---- HTML ---- */

static void cell(struct aisp_buf *out, struct aisp_buf *text)
{
    aisp_buf_puts(out, "<td>");
    aisp_html_put_made(out, text);
    aisp_buf_puts(out, "</td>");
}

static void html_row(struct aisp_buf *out, const json_t *target, const json_t *result)
{
    const bool is_bad = aisp_report_is(result, "grade", "invalid");
    const char *quarantine = quarantine_of(target, result);
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_puts(out, "<tr><th scope=\"row\">");
    aisp_html_put(out, aisp_report_text(result, "variant"));
    aisp_buf_puts(out, "<span class=\"soft\">");
    aisp_html_put(out, aisp_report_text(result, "idea"));
    aisp_buf_puts(out, "</span></th>");
    put_compared(&text, result);
    cell(out, &text);
    put_holdout(&text, result);
    cell(out, &text);
    aisp_buf_printf(out, "<td><span class=\"verdict %s\">",
                    is_bad        ? "bad"
                    : *quarantine ? "unsure"
                                  : "good");
    aisp_html_put(out, aisp_report_text(result, "grade"));
    aisp_buf_printf(out, "</span>%s</td>", *quarantine ? " in quarantine" : "");
    put_finding(&text, result);
    cell(out, &text);
    aisp_buf_puts(out, "</tr>\n");
}

static void html_target(struct aisp_buf *out, const json_t *target)
{
    const json_t *result;
    size_t j;

    aisp_buf_puts(out, "<h2>");
    aisp_html_put(out, aisp_report_text(target, "target"));
    aisp_buf_puts(out, "</h2>\n<p class=\"soft\">run ");
    aisp_html_put(out, aisp_report_text(target, "run"));
    aisp_buf_puts(out, ", on ");
    aisp_html_put(out, aisp_report_text(target, "machine"));
    aisp_buf_puts(out, "</p>\n<table class=\"wide\"><thead><tr><th scope=\"col\">variant and "
                       "idea</th><th scope=\"col\">outputs "
                       "compared</th><th scope=\"col\">secret sizes</th><th "
                       "scope=\"col\">grade</th><th scope=\"col\">worst "
                       "finding</th></tr></thead><tbody>\n");
    json_array_foreach(json_object_get(target, "results"), j, result)
        html_row(out, target, result);
    aisp_buf_puts(out, "</tbody></table>\n");
}

void aisp_verify_report_html(const json_t *report, struct aisp_buf *out)
{
    const json_t *target;
    size_t i;

    aisp_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>What was verified</title>\n");
    aisp_buf_printf(
        out,
        "<style>\n%s</style></head>\n<body><main>\n<h1>What was verified</h1>\n<p class=\"lead\">",
        aisp_report_css);
    put_counts(out, report);
    aisp_buf_puts(out, "</p>\n");
    json_array_foreach(json_object_get(report, "targets"), i, target)
        html_target(out, target);
    if (json_array_size(json_object_get(report, "without")))
        aisp_buf_puts(out, "<h2>No run yet</h2>\n<ul>\n");
    json_array_foreach(json_object_get(report, "without"), i, target) {
        aisp_buf_puts(out, "<li>");
        aisp_html_put(out, json_string_value(target));
        aisp_buf_puts(out, "</li>\n");
    }
    if (json_array_size(json_object_get(report, "without")))
        aisp_buf_puts(out, "</ul>\n");
    aisp_buf_puts(out, "</main></body></html>\n");
}
