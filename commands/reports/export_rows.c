/* export_rows.c - a row as a line of CSV, of JSON Lines, of a Markdown table.
 * Fields have the same names in CSV and JSON, with their unit; what was not measured or is withheld is empty, or null. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands/report.h"
#include "commands/reports/export.h"

enum kind { TEXT, TIME, REAL, QUARANTINED };

static const struct field {
    const char *name;
    enum kind kind;
    size_t at;
} fields[] = {
    { "run", TEXT, offsetof(struct aisp_result_row, run) },
    { "started_at_utc", TIME, offsetof(struct aisp_result_row, started_at) },
    { "host", TEXT, offsetof(struct aisp_result_row, host) },
    { "hardware", TEXT, offsetof(struct aisp_result_row, hardware) },
    { "key", TEXT, offsetof(struct aisp_result_row, key) },
    { "target", TEXT, offsetof(struct aisp_result_row, target) },
    { "variant", TEXT, offsetof(struct aisp_result_row, variant) },
    { "reference", TEXT, offsetof(struct aisp_result_row, reference) },
    { "device", TEXT, offsetof(struct aisp_result_row, device) },
    { "size", TEXT, offsetof(struct aisp_result_row, size) },
    { "goal", TEXT, offsetof(struct aisp_result_row, goal) },
    { "verdict", TEXT, offsetof(struct aisp_result_row, verdict) },
    { "grade", TEXT, offsetof(struct aisp_result_row, grade) },
    { "quarantined", QUARANTINED, 0 },
    { "ratio", REAL, offsetof(struct aisp_result_row, ratio) },
    { "ratio_low95", REAL, offsetof(struct aisp_result_row, lo95) },
    { "ratio_high95", REAL, offsetof(struct aisp_result_row, hi95) },
    { "reference_median_ns", REAL, offsetof(struct aisp_result_row, a_median_ns) },
    { "variant_median_ns", REAL, offsetof(struct aisp_result_row, b_median_ns) },
    { "variant_p99_ns", REAL, offsetof(struct aisp_result_row, b_p99_ns) },
    { "reference_memory_bytes", REAL, offsetof(struct aisp_result_row, a_memory_bytes) },
    { "variant_memory_bytes", REAL, offsetof(struct aisp_result_row, b_memory_bytes) },
    { "reference_energy_joules", REAL, offsetof(struct aisp_result_row, a_energy_j) },
    { "variant_energy_joules", REAL, offsetof(struct aisp_result_row, b_energy_j) },
    { "reference_units_per_second", REAL, offsetof(struct aisp_result_row, a_per_second) },
    { "variant_units_per_second", REAL, offsetof(struct aisp_result_row, b_per_second) },
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const char *text_at(const struct aisp_result_row *row, const struct field *f)
{
    return *(const char *const *)((const char *)row + f->at);
}

static double real_at(const struct aisp_result_row *row, const struct field *f)
{
    return *(const double *)((const char *)row + f->at);
}

void aisp_export_put_real(struct aisp_buf *out, double x)
{
    char text[32];

    if (x == floor(x) && fabs(x) < 1e15) {
        aisp_buf_printf(out, "%.0f", x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    aisp_buf_puts(out, text);
}

/* "2026-11-28T13:26:25Z" */
static void put_time(struct aisp_buf *out, int64_t at)
{
    const time_t seconds = (time_t)at;
    struct tm tm;
    char text[32];

    if (gmtime_r(&seconds, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
        aisp_buf_puts(out, text);
}

/* ---- CSV ---- */

/* RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it. RFC 4180 has no control characters within
 * a field but ends of line, which would tear the row apart: each becomes U+FFFD. */
static void put_cell(struct aisp_buf *out, const char *text)
{
    const bool is_formula = *text && strchr("=+-@\t\r", *text);

    if (!is_formula && !text[strcspn(text, ",\"")]) {
        bool is_plain = true;

        for (const char *c = text; *c; c++)
            is_plain &= (unsigned char)*c >= 0x20 && *c != 0x7f;
        if (is_plain) {
            aisp_buf_puts(out, text);
            return;
        }
    }
    aisp_buf_puts(out, is_formula ? "\"'" : "\"");
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            aisp_buf_puts(out, "\xef\xbf\xbd");
        else if (*c == '"')
            aisp_buf_puts(out, "\"\"");
        else
            aisp_buf_add(out, c, 1);
    }
    aisp_buf_puts(out, "\"");
}

static bool put_csv(const struct aisp_result_row *row, void *context)
{
    struct aisp_export *export = context;
    struct aisp_buf *out = &export->pending;
    const bool is_quarantined = aisp_export_is_quarantined(export, row);

    for (int i = 0; i < N_FIELDS; i++) {
        const struct field *f = &fields[i];

        aisp_buf_puts(out, i ? "," : "");
        if (f->kind == TEXT)
            put_cell(out, text_at(row, f));
        else if (f->kind == TIME)
            put_time(out, row->started_at);
        else if (f->kind == QUARANTINED)
            aisp_buf_puts(out, is_quarantined ? "true" : "false");
        else if (isfinite(real_at(row, f)))
            aisp_export_put_real(out, real_at(row, f));
    }
    aisp_buf_puts(out, "\r\n");
    export->n_results++;
    export->n_quarantined += is_quarantined;
    return aisp_export_flow(export);
}

enum aisp_status aisp_export_csv(struct aisp_export *export, struct aisp_err *err)
{
    for (int i = 0; i < N_FIELDS; i++)
        aisp_buf_printf(&export->pending, "%s%s", i ? "," : "", fields[i].name);
    aisp_buf_puts(&export->pending, "\r\n");
    return aisp_export_each(export, put_csv, err);
}

/* ---- JSON Lines ---- */

static void put_json_text(struct aisp_buf *out, const char *text)
{
    aisp_buf_puts(out, "\"");
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            aisp_buf_printf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else if (*c == '"' || *c == '\\')
            aisp_buf_printf(out, "\\%c", *c);
        else
            aisp_buf_add(out, c, 1);
    }
    aisp_buf_puts(out, "\"");
}

static bool put_json(const struct aisp_result_row *row, void *context)
{
    struct aisp_export *export = context;
    struct aisp_buf *out = &export->pending;
    const bool is_quarantined = aisp_export_is_quarantined(export, row);

    for (int i = 0; i < N_FIELDS; i++) {
        const struct field *f = &fields[i];

        aisp_buf_printf(out, "%s\"%s\":", i ? "," : "{", f->name);
        if (f->kind == TEXT) {
            put_json_text(out, text_at(row, f));
        } else if (f->kind == TIME) {
            aisp_buf_puts(out, "\"");
            put_time(out, row->started_at);
            aisp_buf_puts(out, "\"");
        } else if (f->kind == QUARANTINED) {
            aisp_buf_puts(out, is_quarantined ? "true" : "false");
        } else if (isfinite(real_at(row, f))) {
            aisp_export_put_real(out, real_at(row, f));
        } else {
            aisp_buf_puts(out, "null");
        }
    }
    aisp_buf_puts(out, "}\n");
    export->n_results++;
    export->n_quarantined += is_quarantined;
    return aisp_export_flow(export);
}

enum aisp_status aisp_export_json(struct aisp_export *export, struct aisp_err *err)
{
    return aisp_export_each(export, put_json, err);
}

/* ---- Markdown ---- */

/* As the reports write it: digits after the size of the ratio. */
static void put_ratio(struct aisp_buf *out, const struct aisp_result_row *row)
{
    json_t *result = json_object();

    json_object_set_new(result, "ratio", json_real(isfinite(row->ratio) ? row->ratio : 0));
    if (isfinite(row->lo95) && isfinite(row->hi95)) {
        json_object_set_new(result, "lo95", json_real(row->lo95));
        json_object_set_new(result, "hi95", json_real(row->hi95));
    }
    if (isfinite(row->ratio)) {
        struct aisp_buf text = AISP_BUF_INIT;

        aisp_report_put_ratio(&text, result);
        aisp_report_put_markdown(out, text.s);
        aisp_buf_release(&text);
    } else {
        aisp_buf_puts(out, "-");
    }
    json_decref(result);
}

static bool put_markdown(const struct aisp_result_row *row, void *context)
{
    struct aisp_export *export = context;
    struct aisp_buf *out = &export->pending;
    const bool is_quarantined = aisp_export_is_quarantined(export, row);
    const char *const names[] = { row->run, row->hardware, row->target, row->variant, row->reference, row->size };

    for (int i = 0; i < 6; i++) {
        if (i < 2 && export->run) /* the same in all rows */
            continue;
        aisp_buf_puts(out, "| ");
        aisp_report_put_markdown(out, names[i]);
        aisp_buf_puts(out, " ");
    }
    aisp_buf_puts(out, "| ");
    aisp_report_put_time(out, row->a_median_ns);
    aisp_buf_puts(out, " | ");
    aisp_report_put_time(out, row->b_median_ns);
    aisp_buf_puts(out, " | ");
    put_ratio(out, row);
    aisp_buf_puts(out, " | ");
    aisp_report_put_markdown(out, row->verdict);
    aisp_buf_puts(out, is_quarantined ? ", in quarantine | " : " | ");
    aisp_report_put_markdown(out, row->grade);
    aisp_buf_puts(out, " |\n");
    export->n_results++;
    export->n_quarantined += is_quarantined;
    return aisp_export_flow(export);
}

enum aisp_status aisp_export_markdown(struct aisp_export *export, struct aisp_err *err)
{
    aisp_buf_printf(
        &export->pending,
        "%s| target | variant | reference | size | reference median | variant median | ratio \\[95 %% interval\\] | "
        "verdict | grade |\n%s|---|---|---|---|--:|--:|--:|---|---|\n",
        export->run ? "" : "| run | hardware ", export->run ? "" : "|---|---");
    return aisp_export_each(export, put_markdown, err);
}
