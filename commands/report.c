/* report.c - load a run with its series, and put its numbers into words.
 * What is withheld stays withheld: the series of a variant whose speedup is not printed are not loaded either. */
#include "commands/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "commands/quarantine.h"
#include "commands/reports/roof.h"
#include "commands/sweep/map.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

/* ---- loading ---- */

static void take_pairs(struct aisp_report_row *row, const struct aisp_evidence *ev)
{
    int n, n_control;

    aisp_evidence_pairs(ev, &row->pair_ratio, &n, NULL, &n_control);
    row->n_pairs = (size_t)n;
    for (size_t i = 0; i < row->n_pairs; i++)
        row->pair_ratio[i] = exp(row->pair_ratio[i]);
}

static void take_roof(struct aisp_report_row *row, const struct aisp_evidence *ev)
{
    double median[2] = { NAN, NAN };

    for (int side = AISP_A; side <= AISP_B; side++)
        if (row->side[side].n && aisp_median(row->side[side].ns, row->side[side].n, &median[side], NULL))
            median[side] = NAN;
    aisp_report_roof_of(ev, median, &row->roof);
}

static void take_series(struct aisp_report *report, struct aisp_report_row *row, const json_t *json)
{
    const bool is_invalid = aisp_report_is(row->result, "grade", "invalid");
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_err why = { AISP_OK, "" };
    char chain[65];

    if (aisp_evidence_from_json(json, &ev, &why)) {
        snprintf(row->trouble, sizeof row->trouble, "the evidence cannot be read: %.160s", why.text);
        return;
    }
    aisp_evidence_chain(&ev, chain);
    if (*ev.chain && strcmp(chain, ev.chain))
        snprintf(row->trouble, sizeof row->trouble,
                 "the recorded windows do not match their hash chain: they were changed after the run");
    for (int side = AISP_A; side <= (is_invalid ? AISP_A : AISP_B); side++)
        row->side[side].ns = aisp_evidence_samples(&ev, side, &row->side[side].n);
    if (!is_invalid)
        take_pairs(row, &ev);
    take_roof(row, &ev);
    if (!report->calibration.taken_at)
        report->calibration = ev.calibration;
    aisp_evidence_release(&ev);
}

static void take_row(struct aisp_report *report, struct aisp_store *store, const char *run, const json_t *result)
{
    struct aisp_report_row *row = aisp_grow(&report->row, &report->n, &report->cap, sizeof *row);
    struct aisp_err why = { AISP_OK, "" };
    json_t *json = NULL;

    row->result = result;
    if (aisp_store_evidence_load(store, run, aisp_report_text(result, "key"), &json, &why))
        snprintf(row->trouble, sizeof row->trouble, "the evidence cannot be read: %.160s", why.text);
    else if (json_object_size(json))         /* what was refused before a worker started has none */
        take_series(report, row, json);
    json_decref(json);
}

static void mark_quarantined(struct aisp_report *report, struct aisp_store *store)
{
    json_t *list = NULL;

    if (aisp_store_quarantine_list(store, &list, NULL))
        return;
    for (size_t i = 0; i < report->n; i++) {
        struct aisp_report_row *row = &report->row[i];
        const json_t *in = aisp_quarantine_find(list, aisp_report_text(row->result, "target"),
                                                aisp_report_text(row->result, "variant"),
                                                aisp_report_text(row->result, "device"));

        row->is_quarantined = in != NULL;
        if (in)
            snprintf(row->trouble, sizeof row->trouble, "in quarantine since run %s: %.150s", aisp_report_text(in, "run"),
                     aisp_report_text(in, "reason"));
    }
    json_decref(list);
}

static bool is_on_a_map(const struct aisp_report *report, const json_t *result)
{
    const json_t *map;
    size_t i;

    json_array_foreach(report->maps, i, map)
        if (aisp_report_is(map, "target", aisp_report_text(result, "target")))
            return *aisp_report_text(result, "point") != '\0';
    return false;
}

/* Those of one target together. */
static void take_rows(struct aisp_report *report, struct aisp_store *store, const json_t *results, bool on_a_map)
{
    const size_t before = report->n;
    const json_t *result;
    size_t i, j;

    json_array_foreach(results, i, result) {
        const char *target = aisp_report_text(result, "target");
        bool is_taken = is_on_a_map(report, result) != on_a_map;

        for (j = before; j < report->n && !is_taken; j++)
            is_taken = aisp_report_is(report->row[j].result, "target", target);
        for (j = i; j < json_array_size(results) && !is_taken; j++)
            if (aisp_report_is(json_array_get(results, j), "target", target) &&
                is_on_a_map(report, json_array_get(results, j)) == on_a_map)
                take_row(report, store, aisp_report_text(report->record, "run"), json_array_get(results, j));
    }
}

enum aisp_status aisp_report_load(struct aisp_report *report, struct aisp_store *store, const char *run,
                                  struct aisp_err *err)
{
    const json_t *results;
    enum aisp_status st = aisp_store_run_load(store, run, &report->record, err);
    size_t before;

    if (st)
        return st;
    results = json_object_get(report->record, "results");
    report->maps = aisp_maps_of(aisp_sweeps_of(json_object_get(report->record, "manifest")), results);
    take_rows(report, store, results, false);
    before = report->n;
    take_rows(report, store, results, true);
    report->n_swept = report->n - before;
    mark_quarantined(report, store);
    return AISP_OK;
}

void aisp_report_release(struct aisp_report *report)
{
    for (size_t i = 0; i < report->n; i++) {
        free(report->row[i].side[AISP_A].ns);
        free(report->row[i].side[AISP_B].ns);
        free(report->row[i].pair_ratio);
    }
    free(report->row);
    json_decref(report->maps);
    json_decref(report->record);
    *report = (struct aisp_report)AISP_REPORT_INIT;
}

/* ---- as JSON ---- */

static json_t *quantiles(const struct aisp_report_series *series)
{
    struct aisp_quantiles q;

    if (!series->n || aisp_quantiles_of(series->ns, series->n, &q, NULL))
        return json_null();
    return json_pack("{s:I, s:f, s:f, s:f, s:f}", "n", (json_int_t)q.n, "p5_ns", q.p5, "p50_ns", q.p50, "p95_ns", q.p95,
                     "p99_ns", q.p99);
}

json_t *aisp_report_json(const struct aisp_report *report)
{
    json_t *json = json_copy(report->record), *series = json_object();

    for (size_t i = 0; i < report->n; i++) {
        const struct aisp_report_row *row = &report->row[i];
        json_t *ratios = json_array();

        for (size_t j = 0; j < row->n_pairs; j++)
            json_array_append_new(ratios, json_real(row->pair_ratio[j]));
        json_object_set_new(series, aisp_report_text(row->result, "key"),
                            json_pack("{s:o, s:o, s:o, s:o, s:s}", "a", quantiles(&row->side[AISP_A]), "b",
                                      quantiles(&row->side[AISP_B]), "pair_ratios", ratios, "roofline",
                                      aisp_report_roof_json(&row->roof), "trouble", row->trouble));
    }
    json_object_set_new(json, "series", series);
    json_object_set(json, "sweeps", report->maps);
    json_object_set_new(json, "calibration",
                        report->calibration.taken_at ? aisp_calibration_to_json(&report->calibration) : json_null());
    return json;
}

/* ---- words ---- */

const char *aisp_report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

double aisp_report_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

double aisp_report_side(const json_t *result, const char *key, const char *side)
{
    return aisp_report_number(json_object_get(result, key), side);
}

bool aisp_report_is(const json_t *object, const char *key, const char *text)
{
    return !strcmp(aisp_report_text(object, key), text);
}

size_t aisp_report_group(const struct aisp_report *report, size_t first)
{
    size_t n = 0;

    while (first + n < report->n - report->n_swept &&
           aisp_report_is(report->row[first + n].result, "target", aisp_report_text(report->row[first].result, "target")))
        n++;
    return n;
}

void aisp_report_put_time(struct aisp_buf *out, double ns)
{
    static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\u00b5s" }, { 1, "ns" } };
    size_t i = 0;

    if (!isfinite(ns)) {
        aisp_buf_puts(out, "-");
        return;
    }
    while (i < 3 && fabs(ns) < 0.9995 * units[i].ns)
        i++;
    ns /= units[i].ns;
    aisp_buf_printf(out, "%.*f %s", fabs(ns) < 9.995 ? 2 : fabs(ns) < 99.95 ? 1 : 0, ns, units[i].unit);
}

void aisp_report_put_ratio(struct aisp_buf *out, const json_t *result)
{
    const double ratio = aisp_report_number(result, "ratio"), lo = aisp_report_number(result, "lo95");
    const double hi = aisp_report_number(result, "hi95");
    const int digits = ratio < 3 ? 3 : ratio < 30 ? 2 : ratio < 300 ? 1 : 0;

    if (!isfinite(ratio))
        aisp_buf_puts(out, "-");
    else if (!isfinite(lo) || !isfinite(hi))
        aisp_buf_printf(out, "%.*f", digits, ratio);
    else
        aisp_buf_printf(out, "%.*f [%.*f, %.*f]", digits, ratio, digits, lo, digits, hi);
}

void aisp_report_put_roof(struct aisp_buf *out, const json_t *result)
{
    const json_t *roof = json_object_get(result, "roof_percent");
    const char *bound = aisp_report_text(roof, "bound");
    const double percent = *bound ? aisp_report_number(roof, bound) : NAN;

    if (isfinite(percent))
        aisp_buf_printf(out, "%.*f%% (%s)", percent < 9.95 ? 1 : 0, percent, bound);
    else
        aisp_buf_puts(out, "-");
}

void aisp_report_put_params(struct aisp_buf *out, const json_t *result)
{
    const json_t *params = json_object_get(result, "params"), *value;
    const char *name;

    aisp_buf_puts(out, aisp_report_text(result, "size"));
    if (json_object_size(params))
        aisp_buf_puts(out, ":");
    json_object_foreach((json_t *)params, name, value)
        aisp_buf_printf(out, " %s=%lld", name, (long long)json_integer_value(value));
}

void aisp_report_put_why(struct aisp_buf *out, const json_t *result)
{
    const json_t *reasons = json_object_get(result, "reasons");
    const char *first = json_string_value(json_array_get(reasons, 0));
    const double wanted = aisp_report_number(result, "pairs_wanted");

    if (aisp_report_is(result, "verdict", "INVALID")) {
        aisp_buf_puts(out, first ? first : "");
        if (json_array_size(reasons) > 1)
            aisp_buf_printf(out, " (and %zu more)", json_array_size(reasons) - 1);
        return;
    }
    aisp_buf_puts(out, aisp_report_text(result, "reason"));
    if (*aisp_report_text(result, "reason") && wanted > 0)
        aisp_buf_printf(out, "; about %.0f pairs would decide it, there were %.0f", wanted,
                        aisp_report_number(result, "n_pairs"));
}

void aisp_report_put_counts(struct aisp_buf *out, const struct aisp_report *report)
{
    static const char *const verdicts[] = { "FASTER", "SLOWER", "SAME", "UNSURE", "VERIFIED", "INVALID" };
    const char *between = ": ";
    size_t n_quarantined = 0;

    aisp_buf_printf(out, "%zu comparison%s", report->n, report->n == 1 ? "" : "s");
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
        size_t n = 0;

        for (size_t i = 0; i < report->n; i++)
            n += !report->row[i].is_quarantined && aisp_report_is(report->row[i].result, "verdict", verdicts[v]);
        if (!n)
            continue;
        aisp_buf_printf(out, "%s%zu %s", between, n, verdicts[v]);
        between = ", ";
    }
    for (size_t i = 0; i < report->n; i++)
        n_quarantined += report->row[i].is_quarantined;
    if (n_quarantined)
        aisp_buf_printf(out, "%s%zu in quarantine", between, n_quarantined);
}

/* ---- findings ---- */

static void add_finding(struct aisp_report_findings *out, const json_t *result, const json_t *finding)
{
    struct aisp_report_finding *f = NULL;

    for (size_t i = 0; i < out->n && !f; i++)
        if (json_equal(out->item[i].finding, finding))
            f = &out->item[i];
    if (!f) {
        f = aisp_grow(&out->item, &out->n, &out->cap, sizeof *f);
        f->finding = finding;
    }
    if (f->n++ < 4)
        aisp_buf_printf(&f->who, "%s%s %s%s%s", f->n > 1 ? ", " : "", aisp_report_text(result, "target"),
                        aisp_report_text(result, "variant"), *aisp_report_text(result, "point") ? " " : "",
                        aisp_report_text(result, "point"));
}

static void sum_up_who(struct aisp_report_finding *f, size_t n_rows)
{
    if (f->n == n_rows && n_rows > 1) {
        aisp_buf_release(&f->who);
        aisp_buf_printf(&f->who, "all %zu comparisons", n_rows);
    } else if (f->n > 4) {
        aisp_buf_printf(&f->who, " and %zu more", f->n - 4);
    }
}

void aisp_report_findings_of(const struct aisp_report *report, struct aisp_report_findings *out)
{
    static const char *const order[] = { "violation", "development", "note" };
    const json_t *finding;
    size_t j;

    for (size_t severity = 0; severity < 3; severity++)
        for (size_t i = 0; i < report->n; i++)
            json_array_foreach(json_object_get(report->row[i].result, "findings"), j, finding)
                if (aisp_report_is(finding, "severity", order[severity]))
                    add_finding(out, report->row[i].result, finding);
    for (size_t i = 0; i < out->n; i++)
        sum_up_who(&out->item[i], report->n);
}

void aisp_report_findings_release(struct aisp_report_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        aisp_buf_release(&findings->item[i].who);
    free(findings->item);
    *findings = (struct aisp_report_findings){ 0 };
}
