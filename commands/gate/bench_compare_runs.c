/* bench_compare_runs.c - `bench compare-runs A B`: what changed between two runs, row by row.
 * Not here: how two runs are compared (analysis/compare_runs.h). Nothing is measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/gate/gate.h"
#include "core/json.h"

static const char *const verdicts[] = { "FASTER", "SAME", "SLOWER", "UNSURE" };
enum { N_VERDICTS = sizeof verdicts / sizeof *verdicts };

static bool has_state(const json_t *row, const char *state)
{
    return !strcmp(aisp_json_text(row, "state"), state);
}

/* What only the later run has is news and no failure; what it lost is one. */
static bool fails(const json_t *row)
{
    const char *verdict = aisp_json_text(row, "verdict");

    return !strcmp(verdict, "SLOWER") || (!strcmp(verdict, "UNSURE") && !has_state(row, "only after"));
}

static int exit_of(const json_t *rows, bool gate)
{
    const json_t *row;
    size_t i;

    if (!json_array_size(rows))
        return AISP_EXIT_NOTHING;
    if (gate && aisp_gate_count(rows, "state", "invalid"))
        return AISP_EXIT_INVALID;
    json_array_foreach(rows, i, row)
        if (gate && fails(row))
            return AISP_EXIT_GATE;
    return AISP_EXIT_OK;
}

static json_t *run_of(const struct aisp_gate_run *run)
{
    const json_t *git = json_object_get(json_object_get(run->record, "manifest"), "git");

    return json_pack("{s:s, s:s, s:s?, s:b}", "run", run->id, "started", run->started, "commit",
                     json_string_value(json_object_get(git, "commit")), "dirty", json_is_true(json_object_get(git, "dirty")));
}

static enum aisp_status compare(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    struct aisp_gate_run before = AISP_GATE_RUN_INIT, after = AISP_GATE_RUN_INIT;
    struct aisp_gate_noise noise = { 0 };
    json_t *rows = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&noise.store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_gate_run_load(&before, noise.store, args->operand[0], true, request->err));
    AISP_TRY(aisp_gate_run_load(&after, noise.store, args->operand[1], true, request->err));
    noise.before = after.id;
    if (!strcmp(before.id, after.id)) {
        st = aisp_fail(request->err, AISP_E_USAGE, "\"%s\" and \"%s\" are the same run %s", args->operand[0], args->operand[1],
                       after.id);
        goto out;
    }
    rows = aisp_compare_runs(&(struct aisp_compare_spec){ .before = before.figures, .after = after.figures,
                                                          .alpha = AISP_CHANGE_ALPHA,
                                                          .band = log1p(aisp_args_real(args, "band") / 100),
                                                          .noise = aisp_gate_noise, .context = &noise });
    if (noise.status) {
        st = aisp_fail(request->err, noise.status, "%s", noise.err.text);
        goto out;
    }
    *exit_code = exit_of(rows, aisp_args_flag(args, "gate"));
    *value = json_pack("{s:s, s:s, s:o, s:o, s:f, s:b, s:O}", "format", aisp_args_text(args, "format"), "started",
                       after.started, "before", run_of(&before), "after", run_of(&after), "alpha", AISP_CHANGE_ALPHA, "gate",
                       aisp_args_flag(args, "gate"), "rows", rows);
    if (!*value)
        AISP_BUG("an answer that is no JSON");
out:
    json_decref(rows);
    aisp_gate_run_release(&before);
    aisp_gate_run_release(&after);
    aisp_store_close(noise.store);
    return st;
}

/* ---- what is said ---- */

static void put_noise(const json_t *row, struct aisp_buf *out)
{
    const json_t *noise = json_object_get(row, "noise");
    const bool is_learned = json_is_true(json_object_get(noise, "is_learned"));
    const double sd = aisp_json_number(noise, "sd_percent");

    if (json_is_object(noise))
        aisp_buf_printf(out, "%s%.*f %%", is_learned ? "" : "~", sd < 9.995 ? 2 : sd < 99.95 ? 1 : 0, sd);
    else
        aisp_buf_puts(out, "-");
}

static void put_one_ratio(const json_t *row, const char *name, struct aisp_buf *out)
{
    const double ratio = aisp_json_number(json_object_get(row, name), "ratio");

    if (isfinite(ratio))
        aisp_buf_printf(out, "%.*f", ratio < 10 ? 3 : ratio < 100 ? 2 : ratio < 1000 ? 1 : 0, ratio);
    else
        aisp_buf_puts(out, "-");
}

static void put_counts(const json_t *rows, struct aisp_buf *out)
{
    const char *between = ": ";

    aisp_buf_printf(out, "%zu row%s", json_array_size(rows), json_array_size(rows) == 1 ? "" : "s");
    for (size_t i = 0; i < N_VERDICTS; i++)
        if (aisp_gate_count(rows, "verdict", verdicts[i])) {
            aisp_buf_printf(out, "%s%zu %s", between, aisp_gate_count(rows, "verdict", verdicts[i]), verdicts[i]);
            between = ", ";
        }
}

static const char how[] =
    "Change: of the ratio to the baseline that both runs measured, with its 95 % interval: both runs and the "
    "noise between runs (~: assumed, not learned yet). A verdict allows 1 % of false FASTER or SLOWER over "
    "all rows together.";

/* ---- text ---- */

static const char *paint_of(const char *verdict)
{
    return !strcmp(verdict, "FASTER") ? AISP_PAINT_GREEN : !strcmp(verdict, "SLOWER") ? AISP_PAINT_RED : NULL;
}

static void put_text_row(const json_t *row, const struct aisp_style *style, struct aisp_buf *out)
{
    struct aisp_buf a = AISP_BUF_INIT, b = AISP_BUF_INIT, change = AISP_BUF_INIT, noise = AISP_BUF_INIT;
    const char *verdict = aisp_json_text(row, "verdict");

    put_one_ratio(row, "before", &a);
    put_one_ratio(row, "after", &b);
    aisp_gate_put_change(&change, json_object_get(row, "change"));
    put_noise(row, &noise);
    aisp_buf_printf(out, " %-26.26s %6s %6s %22s ", aisp_json_text(row, "variant"), a.s, b.s, change.s);
    aisp_paint(out, style, paint_of(verdict), 7, verdict);
    aisp_buf_printf(out, " %7s\n", noise.s);
    if (*aisp_json_text(row, "reason"))
        aisp_gate_wrap(out, "   ", aisp_json_text(row, "reason"));
    aisp_buf_release(&a);
    aisp_buf_release(&b);
    aisp_buf_release(&change);
    aisp_buf_release(&noise);
}

static bool is_new_block(const json_t *row, const json_t *above)
{
    return !above || strcmp(aisp_json_text(row, "target"), aisp_json_text(above, "target")) ||
           strcmp(aisp_json_text(row, "size"), aisp_json_text(above, "size"));
}

static void text(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "rows"), *row, *above = NULL;
    size_t i;

    for (i = 0; i < 2; i++) {
        const json_t *run = json_object_get(value, i ? "after" : "before");

        aisp_buf_printf(out, "%-7s %s  %.16s  %.12s%s\n", i ? "after" : "before", aisp_json_text(run, "run"),
                        aisp_json_text(run, "started"), aisp_json_text(run, "commit"),
                        json_is_true(json_object_get(run, "dirty")) ? " with changes" : "");
    }
    aisp_buf_printf(out, "\n%-27s %6s %6s %22s %-7s %7s\n", "", "before", "after", "change", "verdict", "noise");
    json_array_foreach(rows, i, row) {
        if (is_new_block(row, above)) {
            aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(row, "target"));
            aisp_buf_printf(out, "  %s\n", aisp_json_text(row, "size"));
        }
        put_text_row(row, style, out);
        above = row;
    }
    put_counts(rows, out);
    aisp_buf_puts(out, "\n");
    aisp_gate_wrap(out, "", how);
}

/* ---- markdown and JUnit ---- */

static void markdown(const json_t *value, struct aisp_buf *out)
{
    static const char *const names[] = { "target", "variant", "size" };
    const json_t *rows = json_object_get(value, "rows"), *row;
    size_t i;

    aisp_buf_puts(out, "## ");
    put_counts(rows, out);
    aisp_buf_printf(out, "\n\nRun `%s` against `%s`. %s\n\n"
                         "| target | variant | size | before | after | change, 95 %% | verdict | noise of a run | why |\n"
                         "|---|---|---|--:|--:|---|---|---|---|\n",
                    aisp_json_text(json_object_get(value, "after"), "run"),
                    aisp_json_text(json_object_get(value, "before"), "run"), how);
    json_array_foreach(rows, i, row) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            aisp_buf_puts(out, k ? " | " : "| ");
            aisp_gate_put_cell(out, aisp_json_text(row, names[k]));
        }
        aisp_buf_puts(out, " | ");
        put_one_ratio(row, "before", out);
        aisp_buf_puts(out, " | ");
        put_one_ratio(row, "after", out);
        aisp_buf_puts(out, " | ");
        aisp_gate_put_change(out, json_object_get(row, "change"));
        aisp_buf_printf(out, " | %s | ", aisp_json_text(row, "verdict"));
        put_noise(row, out);
        aisp_buf_puts(out, " | ");
        aisp_gate_put_cell(out, aisp_json_text(row, "reason"));
        aisp_buf_puts(out, " |\n");
    }
}

static json_t *cases(const json_t *value)
{
    json_t *list = json_array();
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(value, "rows"), i, row) {
        const char *verdict = aisp_json_text(row, "verdict");
        struct aisp_buf message = AISP_BUF_INIT;

        aisp_buf_printf(&message, "%s: ", verdict);
        aisp_gate_put_change(&message, json_object_get(row, "change"));
        if (*aisp_json_text(row, "reason"))
            aisp_buf_printf(&message, ": %s", aisp_json_text(row, "reason"));
        json_array_append_new(list, aisp_gate_case(row,
                                                   has_state(row, "only after") ? "skipped"
                                                   : has_state(row, "invalid")  ? "error"
                                                   : fails(row)                 ? "failure"
                                                                                : "pass",
                                                   verdict, message.s));
        aisp_buf_release(&message);
    }
    return list;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const struct aisp_gate_form form = { text, markdown, cases, "aisp bench compare-runs" };

    aisp_gate_render(&form, value, style, out);
}

static const struct aisp_operand operands[] = {
    { "A", "The run before: an id, or the beginning of one" },
    { "B", "The run after: an id, the beginning of one, or latest" },
    { 0 },
};

static const struct aisp_option options[] = {
    { "band", 0, AISP_OPT_REAL, .meta = "PERCENT",
      .help = "SAME means inside this band (default: three times those of both runs: 3, DRAM-class 6)" },
    { "gate", 0, AISP_OPT_FLAG, .help = "Exit with 4 if a row is slower, unsure or gone, with 3 if one is invalid" },
    AISP_OPTION_FORMAT,
    { 0 },
};

AISP_COMMAND(bench_compare_runs) = {
    .path = "bench compare-runs",
    .sentence = "Compare two recorded runs through the baseline that both of them measured",
    .example =
        "aisp bench compare-runs 20261127T0905 latest\naisp bench compare-runs 20261127T0905 latest --gate --format junit",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = compare,
    .render = render,
};
