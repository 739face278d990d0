/* bench_summary.c - `bench summary [RUN]`: one run in a few lines, for people, for a pull request and for CI.
 * Not here: what is counted (analysis/summary.h). It is no gate: its exit code says only whether it could be read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary.h"
#include "commands/gate/gate.h"
#include "core/json.h"

static const char *const verdicts[] = { "FASTER", "SAME", "SLOWER", "UNSURE", "INVALID", "VERIFIED" };
enum { N_VERDICTS = sizeof verdicts / sizeof *verdicts };

static json_t *or_null(json_t *value)
{
    return value ? json_incref(value) : json_null();
}

static const char *hardware_of(const json_t *figures)
{
    return aisp_json_text(json_array_get(figures, 0), "hardware");
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    struct aisp_gate_run loaded = AISP_GATE_RUN_INIT;
    struct aisp_store *store = NULL;
    const json_t *manifest;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_gate_run_load(&loaded, store, args->n_operands ? args->operand[0] : "latest", false, request->err));
    manifest = json_object_get(loaded.record, "manifest");
    *value = aisp_summary_new(json_object_get(loaded.record, "results"), loaded.figures);
    json_object_set_new(*value, "format", json_string(aisp_args_text(args, "format")));
    json_object_set_new(*value, "run", json_string(loaded.id));
    json_object_set_new(*value, "started", json_string(loaded.started));
    json_object_set(*value, "complete", json_object_get(loaded.record, "complete"));
    json_object_set_new(*value, "hardware", json_string(hardware_of(loaded.figures)));
    json_object_set_new(*value, "git", or_null(json_object_get(manifest, "git")));
    json_object_set_new(*value, "aisp", or_null(json_object_get(manifest, "aisp")));
out:
    aisp_gate_run_release(&loaded);
    aisp_store_close(store);
    return st;
}

/* ---- text ---- */

static long long count_of(const json_t *counts, const char *word)
{
    return json_integer_value(json_object_get(counts, word));
}

/* "14 comparisons: 10 FASTER, 1 SLOWER" */
static void put_counts(const json_t *value, struct aisp_buf *out)
{
    const json_t *counts = json_object_get(value, "verdicts");
    const long long n = count_of(value, "n_results"), quarantined = count_of(value, "n_quarantined");
    const char *between = ": ";

    aisp_buf_printf(out, "%lld comparison%s", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < N_VERDICTS; i++)
        if (count_of(counts, verdicts[i])) {
            aisp_buf_printf(out, "%s%lld %s", between, count_of(counts, verdicts[i]), verdicts[i]);
            between = ", ";
        }
    if (quarantined)
        aisp_buf_printf(out, "%s%lld in quarantine", between, quarantined);
}

static void put_grades(const json_t *value, struct aisp_buf *out)
{
    const char *between = "", *grade;
    const json_t *n;

    json_object_foreach(json_object_get(value, "grades"), grade, n)
        if (json_integer_value(n)) {
            aisp_buf_printf(out, "%s%lld %s", between, (long long)json_integer_value(n), grade);
            between = ", ";
        }
}

/* "aisp 0.1.0, commit 0123456789ab with changes" */
static void put_origin(const json_t *value, struct aisp_buf *out)
{
    const json_t *git = json_object_get(value, "git");
    const char *commit = aisp_json_text(git, "commit");

    aisp_buf_printf(out, "aisp %s", aisp_json_text(value, "aisp"));
    if (*commit)
        aisp_buf_printf(out, ", commit %.12s%s", commit, json_is_true(json_object_get(git, "dirty")) ? " with changes" : "");
}

static void put_mean(const json_t *goal, struct aisp_buf *out)
{
    const double mean = aisp_json_number(goal, "geomean");

    if (isfinite(mean))
        aisp_buf_printf(out, "%.3f", mean);
    else
        aisp_buf_puts(out, "not measured");
}

static const char note[] = "Geometric means: ratios of one goal alone; what is withheld or in quarantine is left out.";

static void text(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(value, "run"));
    aisp_buf_printf(out, "  %.16s  %s%s\n", aisp_json_text(value, "started"), aisp_json_text(value, "hardware"),
                    json_is_true(json_object_get(value, "complete")) ? "" : "  (incomplete)");
    put_origin(value, out);
    aisp_buf_puts(out, "\n");
    put_counts(value, out);
    aisp_buf_puts(out, "\ngrades: ");
    put_grades(value, out);
    aisp_buf_printf(out, "\n\n%-24s %6s %9s  %s\n", "goal", "rows", "of them", "geometric mean of the ratios");
    json_array_foreach(json_object_get(value, "goals"), i, row) {
        aisp_buf_printf(out, "%-24s %6lld %9lld  ", aisp_json_text(row, "goal"), count_of(row, "n"),
                        count_of(row, "n_valid"));
        put_mean(row, out);
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "\n%-24s", "chapter");
    for (size_t v = 0; v < N_VERDICTS; v++)
        aisp_buf_printf(out, " %8s", verdicts[v]);
    aisp_buf_puts(out, "\n");
    json_array_foreach(json_object_get(value, "chapters"), i, row) {
        aisp_buf_printf(out, "%-24.24s", aisp_json_text(row, "chapter"));
        for (size_t v = 0; v < N_VERDICTS; v++)
            aisp_buf_printf(out, " %8lld", count_of(json_object_get(row, "verdicts"), verdicts[v]));
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_puts(out, "\n");
    aisp_gate_wrap(out, "", note);
}

/* ---- markdown ---- */

static void put_row(const json_t *row, struct aisp_buf *out)
{
    static const char *const names[] = { "target", "variant", "size" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        aisp_buf_puts(out, i ? " | " : "| ");
        aisp_gate_put_cell(out, aisp_json_text(row, names[i]));
    }
    aisp_buf_puts(out, " | ");
    aisp_gate_put_ratio(out, row);
    aisp_buf_puts(out, " | ");
    aisp_gate_put_cell(out, json_is_true(json_object_get(row, "is_quarantined")) ? "QUARANTINE"
                                                                                 : aisp_json_text(row, "verdict"));
    aisp_buf_puts(out, " | ");
    aisp_gate_put_cell(out, aisp_json_text(row, "grade"));
    aisp_buf_puts(out, " | ");
    aisp_gate_put_cell(out, aisp_json_text(row, "reason"));
    aisp_buf_puts(out, " |\n");
}

static void put_chapters(const json_t *value, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_buf_puts(out, "\n| chapter |");
    for (size_t v = 0; v < N_VERDICTS; v++)
        aisp_buf_printf(out, " %s |", verdicts[v]);
    aisp_buf_puts(out, "\n|---|");
    for (size_t v = 0; v < N_VERDICTS; v++)
        aisp_buf_puts(out, "--:|");
    aisp_buf_puts(out, "\n");
    json_array_foreach(json_object_get(value, "chapters"), i, row) {
        aisp_buf_puts(out, "| ");
        aisp_gate_put_cell(out, aisp_json_text(row, "chapter"));
        aisp_buf_puts(out, " |");
        for (size_t v = 0; v < N_VERDICTS; v++)
            aisp_buf_printf(out, " %lld |", count_of(json_object_get(row, "verdicts"), verdicts[v]));
        aisp_buf_puts(out, "\n");
    }
}

/* What a record says of itself came with it, and need not be what aisp writes. */
static void put_escaped(const json_t *value, void (*put)(const json_t *value, struct aisp_buf *out), struct aisp_buf *out)
{
    struct aisp_buf plain = AISP_BUF_INIT;

    put(value, &plain);
    aisp_gate_put_cell(out, plain.s ? plain.s : "");
    aisp_buf_release(&plain);
}

static void put_started(const json_t *value, struct aisp_buf *out)
{
    aisp_buf_printf(out, "%.16s", aisp_json_text(value, "started"));
}

static void markdown(const json_t *value, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_buf_puts(out, "## ");
    put_counts(value, out);
    aisp_buf_printf(out, "\n\nRun `%s`, ", aisp_json_text(value, "run"));
    put_escaped(value, put_started, out);
    aisp_buf_printf(out, ", on `%s`%s; ", aisp_json_text(value, "hardware"),
                    json_is_true(json_object_get(value, "complete")) ? "" : ", **incomplete**");
    put_escaped(value, put_origin, out);
    aisp_buf_puts(out, "; ");
    put_escaped(value, put_grades, out);
    aisp_buf_puts(out, ".\n\n| goal | rows | with a ratio | geometric mean |\n|---|--:|--:|--:|\n");
    json_array_foreach(json_object_get(value, "goals"), i, row) {
        aisp_buf_puts(out, "| ");
        aisp_gate_put_cell(out, aisp_json_text(row, "goal"));
        aisp_buf_printf(out, " | %lld | %lld | ", count_of(row, "n"), count_of(row, "n_valid"));
        put_mean(row, out);
        aisp_buf_puts(out, " |\n");
    }
    aisp_buf_printf(out, "\n%s\n", note);
    put_chapters(value, out);
    aisp_buf_puts(out, "\n<details><summary>All comparisons</summary>\n\n"
                       "| target | variant | size | ratio, 95 % | verdict | grade | why |\n|---|---|---|---|---|---|---|\n");
    json_array_foreach(json_object_get(value, "rows"), i, row)
        put_row(row, out);
    aisp_buf_puts(out, "\n</details>\n");
}

/* ---- JUnit ---- */

static json_t *cases(const json_t *value)
{
    json_t *list = json_array();
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(value, "rows"), i, row) {
        const char *verdict = aisp_json_text(row, "verdict");
        const bool is_in = json_is_true(json_object_get(row, "is_quarantined"));
        const bool is_error = is_in || !strcmp(verdict, "INVALID");
        const bool is_failure = !strcmp(verdict, "SLOWER") || !strcmp(verdict, "UNSURE");
        struct aisp_buf message = AISP_BUF_INIT;

        aisp_buf_puts(&message, is_in ? "QUARANTINE" : verdict);
        if (aisp_json_number(row, "ratio") > 0) {
            aisp_buf_puts(&message, ": ratio ");
            aisp_gate_put_ratio(&message, row);
        }
        if (*aisp_json_text(row, "reason"))
            aisp_buf_printf(&message, ": %s", aisp_json_text(row, "reason"));
        json_array_append_new(list, aisp_gate_case(row, is_error ? "error" : is_failure ? "failure" : "pass",
                                                   is_in ? "QUARANTINE" : verdict, message.s));
        aisp_buf_release(&message);
    }
    return list;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const struct aisp_gate_form form = { text, markdown, cases, "aisp bench summary" };

    aisp_gate_render(&form, value, style, out);
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = { AISP_OPTION_FORMAT, { 0 } };

AISP_COMMAND(bench_summary) = {
    .path = "bench summary",
    .sentence = "Sum up a recorded run: verdicts, grades, chapters, mean gain by goal",
    .example = "aisp bench summary\naisp bench summary latest --format markdown\naisp bench summary --format junit",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
