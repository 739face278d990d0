/* run.c - one recorded run: `bench show-run RUN`, its results as a table.
 * Not here: what lies behind a result (result.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/json.h"
#include "tui/results.h"
#include "tui/view.h"

struct run {
    struct aisp_tui_view view;
    struct aisp_table table;
    json_t *record;                          /* NULL: not here yet */
    char *id;
};

static void draw_head(const struct run *r, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const json_t *manifest = json_object_get(r->record, "manifest"), *env = json_object_get(manifest, "environment");
    struct aisp_buf counts = AISP_BUF_INIT;

    aisp_canvas_printf(canvas, in.row, in.column + 1, in.columns - 2, AISP_TONE_PLAIN, "%s, %s, %s%s",
                       aisp_json_text(manifest, "command"), aisp_json_text(manifest, "started"),
                       aisp_json_text(env, "cpu_model"),
                       json_is_true(json_object_get(r->record, "complete")) ? "" : " (incomplete)");
    aisp_tui_put_verdict_counts(&counts, r->table.rows);
    aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_MARK_BOLD, counts.s ? counts.s : "no results");
    aisp_buf_release(&counts);
}

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct run *r = (struct run *)view;
    const struct aisp_rect list = { in.row + 2, in.column, in.rows - 2, in.columns };

    if (r->record)
        draw_head(r, canvas, in);
    aisp_table_draw(&r->table, canvas, list, aisp_view_is_busy(view) ? "reading the run ..." : "it has no results");
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct run *r = (struct run *)view;
    const char *const text[] = { "bench", "show-run", r->id, NULL };
    const char *picked;

    if (aisp_table_key(&r->table, key))
        return AISP_STEP_STAY;
    if (key == 't')
        return AISP_STEP_OPEN(aisp_output_view_of(text));
    if (key != AISP_KEY_ENTER)
        return AISP_STEP_UNUSED;
    picked = aisp_json_text(aisp_table_picked(&r->table), "key");
    return *picked ? AISP_STEP_OPEN(aisp_result_view_new(r->id, picked)) : AISP_STEP_STAY;
}

static bool is_typing(const struct aisp_tui_view *view)
{
    return ((const struct run *)view)->table.list.is_typing;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct run *r = (struct run *)view;

    if (answer->error) {
        snprintf(view->said, sizeof view->said, "%s", answer->error);
        return;
    }
    json_decref(r->record);
    r->record = json_incref(answer->value);
    aisp_table_set(&r->table, json_object_get(r->record, "results"));
}

static void release(struct aisp_tui_view *view)
{
    struct run *r = (struct run *)view;

    json_decref(r->record);
    free(r->id);
    aisp_table_release(&r->table);
}

static const struct aisp_key_help keys[] = {
    { "Enter", "samples, findings" }, { "t", "as text" }, { "/", "search" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Run", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_run_view_new(const char *run)
{
    const char *const words[] = { "bench", "show-run", run, NULL };
    struct run *r = aisp_view_new(&class, sizeof *r);

    r->id = aisp_xstrdup(run);
    snprintf(r->view.title, sizeof r->view.title, "Run %s", run);
    aisp_table_init(&r->table, aisp_result_columns);
    aisp_view_ask(&r->view, AISP_JOB_WANTS_VALUE, words);
    return &r->view;
}
