/* runs.c - the browser of recorded runs: `bench list-runs`. Two marked ones can be compared.
 * Not here: one run (run.c), the comparison (compare.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/json.h"
#include "tui/table.h"
#include "tui/view.h"

struct runs {
    struct aisp_tui_view view;
    struct aisp_table table;
    char *marked;                            /* id of a run; NULL: none */
};

static void put_run(struct aisp_buf *out, const json_t *row) { aisp_tui_put_key(out, row, "run"); }
static void put_started(struct aisp_buf *out, const json_t *row) { aisp_tui_put_date(out, row, "started"); }
static void put_host(struct aisp_buf *out, const json_t *row) { aisp_tui_put_key(out, row, "host"); }

static void put_results(struct aisp_buf *out, const json_t *row)
{
    aisp_buf_printf(out, "%lld", (long long)json_integer_value(json_object_get(row, "n_results")));
}

static bool is_complete(const json_t *row) { return json_is_true(json_object_get(row, "complete")); }

static void put_state(struct aisp_buf *out, const json_t *row)
{
    aisp_buf_puts(out, is_complete(row) ? "complete" : "incomplete");
}

static int state_style(const json_t *row) { return is_complete(row) ? AISP_TONE_PLAIN : AISP_TONE_UNSURE; }

static const struct aisp_table_column columns[] = {
    { "RUN", 24, .put = put_run },
    { "STARTED (UTC)", 16, .from = 60, .put = put_started },
    { "RESULTS", 7, .is_right = true, .put = put_results },
    { "STATE", 10, .put = put_state, .style = state_style },
    { "HOST", 0, .from = 72, .put = put_host },
    { NULL },
};

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct runs *r = (struct runs *)view;
    const struct aisp_rect list = { in.row + 1, in.column, in.rows - 1, in.columns };

    if (r->marked)
        aisp_canvas_printf(canvas, in.row, in.column + 1, in.columns - 2, AISP_TONE_ACCENT,
                           "marked %s: pick another one and press m to compare", r->marked);
    else
        aisp_canvas_put(canvas, in.row, in.column + 1, in.columns - 2, AISP_TONE_DIM, "newest first");
    aisp_table_draw(&r->table, canvas, list,
                    aisp_view_is_busy(view) ? "reading the runs ..."
                                            : "no runs are recorded here: press 1, pick a target, press r");
}

/* The first mark is kept; the second one opens the comparison, the older run first. */
static struct aisp_step mark(struct runs *r)
{
    const char *run = aisp_json_text(aisp_table_picked(&r->table), "run");
    struct aisp_tui_view *view;

    if (!*run)
        return AISP_STEP_STAY;
    if (!r->marked) {
        r->marked = aisp_xstrdup(run);
        return AISP_STEP_STAY;
    }
    view = !strcmp(run, r->marked) ? NULL : strcmp(run, r->marked) < 0 ? aisp_compare_view_new(run, r->marked)
                                                                       : aisp_compare_view_new(r->marked, run);
    free(r->marked);
    r->marked = NULL;
    return view ? AISP_STEP_OPEN(view) : AISP_STEP_STAY;
}

static void reload(struct aisp_tui_view *view)
{
    static const char *const words[] = { "bench", "list-runs", "--limit", "1000", NULL };

    aisp_view_ask(view, AISP_JOB_WANTS_VALUE, words);
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct runs *r = (struct runs *)view;
    const char *run;

    if (aisp_table_key(&r->table, key))
        return AISP_STEP_STAY;
    switch (key) {
    case AISP_KEY_ENTER:
        run = aisp_json_text(aisp_table_picked(&r->table), "run");
        return *run ? AISP_STEP_OPEN(aisp_run_view_new(run)) : AISP_STEP_STAY;
    case 'm': return mark(r);
    case 'u': reload(view); return AISP_STEP_STAY;
    default: return AISP_STEP_UNUSED;
    }
}

static bool is_typing(const struct aisp_tui_view *view)
{
    return ((const struct runs *)view)->table.list.is_typing;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct runs *r = (struct runs *)view;

    if (answer->error)
        snprintf(view->said, sizeof view->said, "%s", answer->error);
    else
        aisp_table_set(&r->table, json_object_get(answer->value, "runs"));
}

static void release(struct aisp_tui_view *view)
{
    struct runs *r = (struct runs *)view;

    free(r->marked);
    aisp_table_release(&r->table);
}

static const struct aisp_key_help keys[] = {
    { "Enter", "open" }, { "m", "mark, compare" }, { "/", "search" }, { "u", "read again" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Runs", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_runs_view_new(void)
{
    struct runs *r = aisp_view_new(&class, sizeof *r);

    aisp_table_init(&r->table, columns);
    reload(&r->view);
    return &r->view;
}
