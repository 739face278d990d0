/* gate.h - what the commands of a team's gate have in common: a recorded run as figures, the noise of its rows, and how their
 * answers are written.
 * Not here: what is concluded (analysis/), each command (bench_*.c). */
#ifndef AISP_COMMANDS_GATE_GATE_H
#define AISP_COMMANDS_GATE_GATE_H

#include "analysis/compare_runs.h"
#include "commands/command.h"
#include "store/store.h"

#define AISP_OPTION_FORMAT                                                                                                   \
    { "format", 'f', AISP_OPT_CHOICE, .meta = "text|markdown|junit|json",                                                    \
      .help = "How to write it; markdown is GitHub's, junit is XML", .preset = "text" }

struct aisp_gate_run {
    json_t *record;              /* as aisp_store_run_load gives it */
    json_t *figures;             /* figure.h, one for each result, in order */
    const char *id, *started;    /* borrowed from the record */
};
#define AISP_GATE_RUN_INIT { 0 }

/* Load a run. @with_evidence: hashes and floors are wanted; for results of older versions that takes reading their evidence.
 * Errors: those of aisp_store_run_load; evidence that cannot be read is no error: its figure has no hashes then. */
enum aisp_status aisp_gate_run_load(struct aisp_gate_run *run, struct aisp_store *store, const char *name, bool with_evidence,
                                    struct aisp_err *err);
void aisp_gate_run_release(struct aisp_gate_run *run);

/* An aisp_noise_source over the store's history, of the runs before `before` (NULL: of all). */
struct aisp_gate_noise { struct aisp_store *store; const char *before; enum aisp_status status; struct aisp_err err; };
void aisp_gate_noise(void *context, const json_t *figure, struct aisp_noise *out);

/* ---- writing ---- */

/* What a command with AISP_OPTION_FORMAT answers: {"format": ..., and the value's own}. `junit` gets the cases of
 * aisp_junit(). */
struct aisp_gate_form {
    void (*text)(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);
    void (*markdown)(const json_t *value, struct aisp_buf *out);
    json_t *(*cases)(const json_t *value);
    const char *suite;           /* name of the whole in JUnit */
};
void aisp_gate_render(const struct aisp_gate_form *form, const json_t *value, const struct aisp_style *style,
                      struct aisp_buf *out);

/* Lines of at most 79 columns, broken at spaces, each begun with `indent`. */
void aisp_gate_wrap(struct aisp_buf *out, const char *indent, const char *text);
/* "-0.7 %" with one decimal, never "-0.0". */
void aisp_gate_put_percent(struct aisp_buf *out, double percent);
/* The same of a row's "change" with its interval, in 22 columns: "-0.7 % [-1.9, +0.5]", "+140 % [+120, +163]", "-" */
void aisp_gate_put_change(struct aisp_buf *out, const json_t *change);
/* "2.034 [2.011, 2.058]", "-" */
void aisp_gate_put_ratio(struct aisp_buf *out, const json_t *figure);
/* A case for aisp_junit(), named by the row; new reference. outcome: "pass", "failure", "error", "skipped". */
json_t *aisp_gate_case(const json_t *row, const char *outcome, const char *type, const char *message);
/* As a cell of a table, escaped. */
void aisp_gate_put_cell(struct aisp_buf *out, const char *text);
/* How many of rows[] say `word` under `name`. */
size_t aisp_gate_count(const json_t *rows, const char *name, const char *word);

#endif
