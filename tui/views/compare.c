/* compare.c - two runs side by side: `bench compare-runs A B`, row by row, and why of the picked one.
 * Not here: the comparison. Where this program has no such command, the view says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/json.h"
#include "tui/results.h"
#include "tui/table.h"
#include "tui/view.h"

static const char command_path[] = "bench compare-runs";

struct compare {
    struct aisp_tui_view view;
    json_t *runs;                            /* complete ones, newest first; NULL: both are given, or they are not here yet */
    size_t at[2];                            /* in runs */
    char *run[2];                            /* A, B; NULL: not known yet */
    struct aisp_table table;
};

/* ---- columns ---- */

static void put_ratio(struct aisp_buf *out, const json_t *row, const char *side)
{
    const double ratio = aisp_json_number(json_object_get(row, side), "ratio");

    if (isfinite(ratio))
        aisp_buf_printf(out, "%.*f", ratio < 3 ? 3 : ratio < 30 ? 2 : 1, ratio);
    else
        aisp_buf_puts(out, "-");
}

static void put_before(struct aisp_buf *out, const json_t *row) { put_ratio(out, row, "before"); }
static void put_after(struct aisp_buf *out, const json_t *row) { put_ratio(out, row, "after"); }
static void put_verdict(struct aisp_buf *out, const json_t *row) { aisp_tui_put_key(out, row, "verdict"); }
static int verdict_style(const json_t *row) { return aisp_tui_verdict_style(aisp_json_text(row, "verdict")); }

static void put_change(struct aisp_buf *out, const json_t *row)
{
    const json_t *change = json_object_get(row, "change");

    if (json_is_object(change))
        aisp_buf_printf(out, "%+.1f%% [%+.1f, %+.1f]", aisp_json_number(change, "percent"),
                        aisp_json_number(change, "lo95_percent"), aisp_json_number(change, "hi95_percent"));
    else
        aisp_tui_put_key(out, row, "state");
}

static const struct aisp_table_column columns[] = {
    { "COMPARISON", 0, .put = aisp_tui_put_comparison },
    { "A", 6, .from = 72, .is_right = true, .put = put_before },
    { "B", 6, .from = 72, .is_right = true, .put = put_after },
    { "CHANGE [95%]", 22, .put = put_change },
    { "VERDICT", 8, .put = put_verdict, .style = verdict_style },
    { NULL },
};

/* ---- which runs ---- */

static void take(struct compare *c, const char *run_a, const char *run_b)
{
    const char *const words[] = { "bench", "compare-runs", run_a, run_b, NULL };

    free(c->run[0]);
    free(c->run[1]);
    c->run[0] = aisp_xstrdup(run_a);
    c->run[1] = aisp_xstrdup(run_b);
    aisp_view_ask(&c->view, AISP_JOB_WANTS_VALUE, words);
}

static const char *run_at(const struct compare *c, size_t i)
{
    return aisp_json_text(json_array_get(c->runs, i), "run");
}

/* Only sealed runs can be compared. To begin with, the newest with the one before it. */
static void take_runs(struct compare *c, const json_t *runs)
{
    const json_t *row;
    size_t i;

    c->runs = json_array();
    json_array_foreach(runs, i, row)
        if (json_is_true(json_object_get(row, "complete")))
            json_array_append(c->runs, (json_t *)row);
    if (json_array_size(c->runs) < 2)
        return;
    c->at[0] = 1;
    c->at[1] = 0;
    take(c, run_at(c, 1), run_at(c, 0));
}

/* The next older one, from the newest again after the oldest; never the same as the other side. */
static struct aisp_step turn(struct compare *c, int side)
{
    const size_t n = json_array_size(c->runs);

    if (n < 2)
        return AISP_STEP_STAY;
    do
        c->at[side] = (c->at[side] + 1) % n;
    while (c->at[0] == c->at[1]);
    take(c, run_at(c, c->at[0]), run_at(c, c->at[1]));
    return AISP_STEP_STAY;
}

/* ---- the view ---- */

/* Why the picked row is as it is, and the noise between runs that went into its interval. */
static void draw_picked(const struct compare *c, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const json_t *row = aisp_table_picked(&c->table), *noise = json_object_get(row, "noise");
    struct aisp_rect text = { in.row + 1, in.column + 1, 2, in.columns - 2 };

    aisp_canvas_rule(canvas, in.row, in.column, in.columns);
    if (!row)
        return;
    text.row += aisp_canvas_wrap(canvas, text, AISP_TONE_PLAIN, aisp_json_text(row, "reason"));
    if (json_is_object(noise))
        aisp_canvas_printf(canvas, text.row, text.column, text.columns, AISP_TONE_DIM, "noise between runs %.2f%%, %s",
                           aisp_json_number(noise, "sd_percent"),
                           json_is_true(json_object_get(noise, "is_learned")) ? "learned from history"
                                                                              : "assumed: too few runs");
}

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct compare *c = (struct compare *)view;
    const int below = in.rows >= 15 ? 4 : 0;
    const struct aisp_rect list = { in.row + 2, in.column, in.rows - 2 - below, in.columns };
    const struct aisp_rect picked = { in.row + in.rows - below, in.column, below, in.columns };

    if (!aisp_tui_command(command_path)) {
        aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_TONE_PLAIN,
                        "this build has no \"aisp bench compare-runs\"");
        return;
    }
    for (int side = 0; side < 2; side++)
        aisp_canvas_printf(canvas, in.row + side, in.column + 1, in.columns - 2, AISP_TONE_PLAIN, "%c  %s", "AB"[side],
                           c->run[side] ? c->run[side] : "-");
    aisp_table_draw(&c->table, canvas, list, aisp_view_is_busy(view) ? "comparing ..." :
                    c->run[0] ? "nothing to compare" : "two complete runs are needed");
    if (below)
        draw_picked(c, canvas, picked);
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct compare *c = (struct compare *)view;

    if (aisp_table_key(&c->table, key))
        return AISP_STEP_STAY;
    return key == 'a' ? turn(c, 0) : key == 'b' ? turn(c, 1) : AISP_STEP_UNUSED;
}

static bool is_typing(const struct aisp_tui_view *view)
{
    return ((const struct compare *)view)->table.list.is_typing;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct compare *c = (struct compare *)view;

    if (answer->error)
        snprintf(view->said, sizeof view->said, "%s", answer->error);
    if (c->run[0])
        aisp_table_set(&c->table, json_object_get(answer->value, "rows"));
    else
        take_runs(c, json_object_get(answer->value, "runs"));
}

static void release(struct aisp_tui_view *view)
{
    struct compare *c = (struct compare *)view;

    json_decref(c->runs);
    free(c->run[0]);
    free(c->run[1]);
    aisp_table_release(&c->table);
}

static const struct aisp_key_help keys[] = {
    { "a", "another A" }, { "b", "another B" }, { "/", "search" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Compare", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_compare_view_new(const char *run_a, const char *run_b)
{
    static const char *const list[] = { "bench", "list-runs", "--limit", "1000", NULL };
    struct compare *c = aisp_view_new(&class, sizeof *c);

    aisp_table_init(&c->table, columns);
    if (!aisp_tui_command(command_path))
        return &c->view;
    if (*run_a && *run_b)
        take(c, run_a, run_b);
    else
        aisp_view_ask(&c->view, AISP_JOB_WANTS_VALUE, list);
    return &c->view;
}
