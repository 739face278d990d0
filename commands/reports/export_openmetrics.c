/* export_openmetrics.c - OpenMetrics 1.0 text, for Prometheus: one gauge a figure, and one info metric that says which run,
 * which verdict and which grade stand behind it.
 * All samples of a family have to stand together: the store is asked once for each family, and nothing is held in memory.
 * Of all runs only the newest result of each series is given: a metric has one value at a time. What is withheld, not measured
 * or in quarantine has no sample: a number on a wall carries no reasons with it. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "commands/reports/export.h"

static const struct family {
    const char *name, *unit, *help;
    size_t at;
    double factor;
} families[] = {
    { "aisp_speedup_ratio", "ratio", "Reference / variant of the goal's figure. Above 1 the variant is better.",
      offsetof(struct aisp_result_row, ratio), 1 },
    { "aisp_speedup_low95_ratio", "ratio", "Lower end of the 95 % interval of the ratio.",
      offsetof(struct aisp_result_row, lo95), 1 },
    { "aisp_speedup_high95_ratio", "ratio", "Upper end of the 95 % interval of the ratio.",
      offsetof(struct aisp_result_row, hi95), 1 },
    { "aisp_reference_median_seconds", "seconds", "Median time of a call of the reference.",
      offsetof(struct aisp_result_row, a_median_ns), 1e9 },
    { "aisp_variant_median_seconds", "seconds", "Median time of a call of the variant.",
      offsetof(struct aisp_result_row, b_median_ns), 1e9 },
    { "aisp_variant_p99_seconds", "seconds", "99th percentile of the time of a call of the variant.",
      offsetof(struct aisp_result_row, b_p99_ns), 1e9 },
    { "aisp_reference_memory_bytes", "bytes", "Peak memory of the reference, seen from outside.",
      offsetof(struct aisp_result_row, a_memory_bytes), 1 },
    { "aisp_variant_memory_bytes", "bytes", "Peak memory of the variant, seen from outside.",
      offsetof(struct aisp_result_row, b_memory_bytes), 1 },
    { "aisp_reference_energy_joules", "joules", "Energy of a call of the reference.",
      offsetof(struct aisp_result_row, a_energy_j), 1 },
    { "aisp_variant_energy_joules", "joules", "Energy of a call of the variant.", offsetof(struct aisp_result_row, b_energy_j),
      1 },
    { "aisp_reference_units_per_second", "units_per_second", "What the problem counts, a second, of the reference.",
      offsetof(struct aisp_result_row, a_per_second), 1 },
    { "aisp_variant_units_per_second", "units_per_second", "What the problem counts, a second, of the variant.",
      offsetof(struct aisp_result_row, b_per_second), 1 },
};

struct pass {
    struct aisp_export *export;
    const struct family *family;
    bool has_begun;
};

/* Three characters are escaped; other control characters have no place in a line and become U+FFFD. */
static void put_label(struct aisp_buf *out, const char *between, const char *name, const char *text)
{
    aisp_buf_printf(out, "%s%s=\"", between, name);
    for (const char *c = text; *c; c++) {
        if (*c == '\n')
            aisp_buf_puts(out, "\\n");
        else if (*c == '"' || *c == '\\')
            aisp_buf_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            aisp_buf_puts(out, "\xef\xbf\xbd");
        else
            aisp_buf_add(out, c, 1);
    }
    aisp_buf_puts(out, "\"");
}

static void put_series(struct aisp_buf *out, const struct aisp_result_row *row)
{
    put_label(out, "{", "hardware", row->hardware);
    put_label(out, ",", "target", row->target);
    put_label(out, ",", "variant", row->variant);
    put_label(out, ",", "reference", row->reference);
    put_label(out, ",", "device", row->device);
    put_label(out, ",", "size", row->size);
    if (!strcmp(row->size, "custom"))        /* which own size it was: a sweep has many in one run */
        put_label(out, ",", "key", row->key);
}

static void put_time(struct aisp_export *export, const struct aisp_result_row *row)
{
    if (!export->no_timestamps)
        aisp_buf_printf(&export->pending, " %lld", (long long)row->started_at);
    aisp_buf_puts(&export->pending, "\n");
}

static bool put_info(const struct aisp_result_row *row, void *context)
{
    struct aisp_export *export = context;
    struct aisp_buf *out = &export->pending;

    export->n_results++;
    if (aisp_export_is_quarantined(export, row)) {
        export->n_quarantined++;
        return true;
    }
    aisp_buf_puts(out, "aisp_result_info");
    put_series(out, row);
    put_label(out, ",", "run", row->run);
    put_label(out, ",", "host", row->host);
    put_label(out, ",", "goal", row->goal);
    put_label(out, ",", "verdict", row->verdict);
    put_label(out, ",", "grade", row->grade);
    aisp_buf_puts(out, "} 1");
    put_time(export, row);
    return aisp_export_flow(export);
}

static bool put_sample(const struct aisp_result_row *row, void *context)
{
    struct pass *pass = context;
    struct aisp_buf *out = &pass->export->pending;
    const struct family *f = pass->family;
    const double value = *(const double *)((const char *)row + f->at);

    if (!isfinite(value) || aisp_export_is_quarantined(pass->export, row))
        return true;
    if (!pass->has_begun)
        aisp_buf_printf(out, "# TYPE %s gauge\n# UNIT %s %s\n# HELP %s %s\n", f->name, f->name, f->unit, f->name, f->help);
    pass->has_begun = true;
    aisp_buf_puts(out, f->name);
    put_series(out, row);
    aisp_buf_puts(out, "} ");
    aisp_export_put_real(out, value / f->factor);
    put_time(pass->export, row);
    return aisp_export_flow(pass->export);
}

enum aisp_status aisp_export_openmetrics(struct aisp_export *export, struct aisp_err *err)
{
    struct aisp_filter filter = aisp_export_filter(export);
    enum aisp_status st;

    filter.latest = !export->run;
    aisp_buf_puts(&export->pending,
                  "# TYPE aisp_result info\n# HELP aisp_result What stands behind the figures of a comparison: run, "
                  "machine, verdict and grade.\n");
    AISP_TRY(aisp_store_each_result(export->store, &filter, put_info, export, err));
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct pass pass = { export, &families[i], false };

        AISP_TRY(aisp_store_each_result(export->store, &filter, put_sample, &pass, err));
    }
    aisp_buf_puts(&export->pending, "# EOF\n");
out:
    return st;
}
