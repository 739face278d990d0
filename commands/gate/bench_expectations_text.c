/* bench_expectations_text.c - what `bench expectations` answers, for people, for a pull request and for CI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/gate/bench_expectations.h"
#include "core/json.h"

static const char *const outcomes[] = { "PASS", "FAIL", "UNSURE", "INVALID" };
enum { N_OUTCOMES = sizeof outcomes / sizeof *outcomes };

static bool is_update(const json_t *value)
{
    return json_is_true(json_object_get(value, "updated"));
}

/* "expected 2.034 [2.011, 2.058], measured 2.020 [2.001, 2.039], -0.7 %" */
static void put_figures(const json_t *row, struct aisp_buf *out)
{
    const json_t *expected = json_object_get(row, "expected"), *measured = json_object_get(row, "measured");
    const double percent = aisp_json_number(json_object_get(row, "change"), "percent");
    const char *between = "";

    if (json_is_object(expected)) {
        aisp_buf_puts(out, "expected ");
        aisp_gate_put_ratio(out, expected);
        between = ", ";
    }
    if (aisp_json_number(measured, "ratio") > 0) {
        aisp_buf_printf(out, "%smeasured ", between);
        aisp_gate_put_ratio(out, measured);
    }
    if (isfinite(percent)) {
        aisp_buf_puts(out, ", ");
        aisp_gate_put_percent(out, percent);
    }
}

static void put_noise(const json_t *row, struct aisp_buf *out)
{
    const json_t *noise = json_object_get(row, "noise"), *change = json_object_get(row, "change");

    if (json_is_object(noise) && json_is_object(change))
        aisp_buf_printf(out, "sees drops of %.1f %% (noise between runs %.2f %%, %s)",
                        aisp_json_number(change, "smallest_seen_percent"), aisp_json_number(noise, "sd_percent"),
                        !strcmp(aisp_json_text(noise, "from"), "history")        ? "from history"
                        : !strcmp(aisp_json_text(noise, "from"), "expectations") ? "kept with the expectation"
                                                                                   : "assumed");
}

static void put_counts(const json_t *rows, struct aisp_buf *out)
{
    const char *between = ": ";

    aisp_buf_printf(out, "%zu row%s", json_array_size(rows), json_array_size(rows) == 1 ? "" : "s");
    for (size_t i = 0; i < N_OUTCOMES; i++)
        if (aisp_gate_count(rows, "outcome", outcomes[i])) {
            aisp_buf_printf(out, "%s%zu %s", between, aisp_gate_count(rows, "outcome", outcomes[i]), outcomes[i]);
            between = ", ";
        }
}

/* ---- text ---- */

static const char *paint_of(const char *outcome)
{
    return !strcmp(outcome, "PASS") ? AISP_PAINT_GREEN : !strcmp(outcome, "UNSURE") ? NULL : AISP_PAINT_RED;
}

static void put_text_row(const json_t *row, const struct aisp_style *style, struct aisp_buf *out)
{
    struct aisp_buf line = AISP_BUF_INIT;
    const char *outcome = aisp_json_text(row, "outcome");

    aisp_paint(out, style, paint_of(outcome), 8, outcome);
    aisp_buf_printf(out, "%s %s  %s  (%s)\n", aisp_json_text(row, "target"), aisp_json_text(row, "variant"),
                    aisp_json_text(row, "size"), aisp_json_text(row, "state"));
    put_figures(row, &line);
    if (line.len)
        aisp_gate_wrap(out, "        ", line.s);
    aisp_buf_release(&line);
    put_noise(row, &line);
    if (line.len)
        aisp_gate_wrap(out, "        ", line.s);
    aisp_buf_release(&line);
    if (*aisp_json_text(row, "reason"))
        aisp_gate_wrap(out, "        ", aisp_json_text(row, "reason"));
}

static void text(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "rows"), *row;
    const long long not_asked = json_integer_value(json_object_get(value, "n_not_asked"));
    const char *hardware;
    size_t i;

    if (is_update(value)) {
        aisp_expectations_update_render(value, style, out);
        return;
    }
    aisp_buf_printf(out, "run %s", aisp_json_text(value, "run"));
    json_object_foreach(json_object_get(value, "hardware"), hardware, row)
        aisp_buf_printf(out, " on %s", *hardware ? hardware : "unknown hardware");
    aisp_buf_puts(out, "\n\n");
    json_array_foreach(rows, i, row)
        put_text_row(row, style, out);
    put_counts(rows, out);
    aisp_buf_printf(out, "\nfalse alarms: 1 %% over all rows together; drops to be seen: %.3g %%",
                    aisp_json_number(value, "mde_percent"));
    if (aisp_json_number(value, "min_speedup") > 0)
        aisp_buf_printf(out, "; least ratio: %g", aisp_json_number(value, "min_speedup"));
    aisp_buf_puts(out, "\n");
    if (not_asked)
        aisp_buf_printf(out, "%lld expected row%s of other targets or sizes, which this run was not asked for\n", not_asked,
                        not_asked == 1 ? "" : "s");
}

/* ---- markdown ---- */

static void put_names(const json_t *row, struct aisp_buf *out)
{
    static const char *const names[] = { "target", "variant", "size" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        aisp_buf_puts(out, " | ");
        aisp_gate_put_cell(out, aisp_json_text(row, names[k]));
    }
    aisp_buf_puts(out, " | ");
}

static void put_cell_ratio(const json_t *figure, struct aisp_buf *out)
{
    if (json_is_object(figure))
        aisp_gate_put_ratio(out, figure);
    else
        aisp_buf_puts(out, "-");
    aisp_buf_puts(out, " | ");
}

static void markdown_update(const json_t *value, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "rows"), *row;
    size_t i;

    aisp_buf_printf(out, "## Expectations of run `%s`: %zu new, %zu written, %zu skipped\n\n"
                         "| | target | variant | size | before | now | why |\n|---|---|---|---|---|---|---|\n",
                    aisp_json_text(value, "run"), aisp_gate_count(rows, "state", "new"),
                    aisp_gate_count(rows, "state", "written"), aisp_gate_count(rows, "state", "skipped"));
    json_array_foreach(rows, i, row) {
        aisp_buf_printf(out, "| %s", aisp_json_text(row, "state"));
        put_names(row, out);
        put_cell_ratio(json_object_get(row, "before"), out);
        put_cell_ratio(json_object_get(row, "after"), out);
        aisp_gate_put_cell(out, aisp_json_text(row, "reason"));
        aisp_buf_puts(out, " |\n");
    }
}

static void markdown(const json_t *value, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "rows"), *row;
    size_t i;

    if (is_update(value)) {
        markdown_update(value, out);
        return;
    }
    aisp_buf_puts(out, "## Expectations: ");
    put_counts(rows, out);
    aisp_buf_printf(out, "\n\nRun `%s`; 1 %% of false alarms over all rows together, drops to be seen: %.3g %%.\n\n"
                         "| | target | variant | size | expected | measured | change | sees | why |\n"
                         "|---|---|---|---|---|---|--:|--:|---|\n",
                    aisp_json_text(value, "run"), aisp_json_number(value, "mde_percent"));
    json_array_foreach(rows, i, row) {
        const json_t *change = json_object_get(row, "change");

        aisp_buf_printf(out, "| %s", aisp_json_text(row, "outcome"));
        put_names(row, out);
        put_cell_ratio(json_object_get(row, "expected"), out);
        put_cell_ratio(json_object_get(row, "measured"), out);
        if (json_is_object(change)) {
            aisp_gate_put_percent(out, aisp_json_number(change, "percent"));
            aisp_buf_printf(out, " | %.1f %% | ", aisp_json_number(change, "smallest_seen_percent"));
        } else {
            aisp_buf_puts(out, "- | - | ");
        }
        aisp_gate_put_cell(out, aisp_json_text(row, "reason"));
        aisp_buf_puts(out, " |\n");
    }
}

/* ---- JUnit ---- */

static json_t *case_of(const json_t *row, bool updated)
{
    const char *outcome = aisp_json_text(row, "outcome"), *state = aisp_json_text(row, "state");
    const char *reason = aisp_json_text(row, "reason");
    struct aisp_buf message = AISP_BUF_INIT;
    json_t *out;

    if (updated)
        return aisp_gate_case(row, strcmp(state, "skipped") ? "pass" : "skipped", state, reason);
    put_figures(row, &message);
    aisp_buf_printf(&message, "%s%s", message.len && *reason ? ": " : "", reason);
    out = aisp_gate_case(row, !strcmp(outcome, "PASS") ? "pass" : !strcmp(outcome, "INVALID") ? "error" : "failure", state,
                         message.s);
    aisp_buf_release(&message);
    return out;
}

static json_t *cases(const json_t *value)
{
    json_t *list = json_array();
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(value, "rows"), i, row)
        json_array_append_new(list, case_of(row, is_update(value)));
    return list;
}

void aisp_bench_expectations_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const struct aisp_gate_form form = { text, markdown, cases, "aisp bench expectations" };

    aisp_gate_render(&form, value, style, out);
}
