/* live.c - a command that runs code, watched: how far it is, the ratio so far, the verdicts as they come. It can be stopped;
 * what was measured until then is kept, as from a shell.
 * Not here: measuring. The child (tui/job.h) does that; this redraws only when it says something. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/json.h"
#include "tui/pane.h"
#include "tui/results.h"
#include "tui/view.h"

enum { NOTES = 4 };

struct live {
    struct aisp_tui_view view;
    struct aisp_table table;                 /* results so far */
    json_t *progress;                        /* the last event; NULL: none yet */
    char doing[160];                         /* the last line of progress */
    char *note[NOTES];                       /* the last ones */
    double *ratio;                           /* so far, of the comparison that is being made */
    size_t n_ratios, cap_ratios;
    bool has_ended, was_stopped;
    char ending[120];                        /* how it ended */
    char *run;                               /* id, once it is known */
    struct aisp_pane text;                   /* a command without results: what it printed */
};

/* ---- what is heard ---- */

static void take_note(struct live *l, const char *text)
{
    free(l->note[0]);
    memmove(l->note, l->note + 1, (NOTES - 1) * sizeof *l->note);
    l->note[NOTES - 1] = aisp_xstrdup(text);
}

static bool is_same_comparison(const json_t *a, const json_t *b)
{
    return aisp_json_is(a, "target", aisp_json_text(b, "target")) && aisp_json_is(a, "variant", aisp_json_text(b, "variant")) &&
           aisp_json_is(a, "point", aisp_json_text(b, "point"));
}

static void take_progress(struct live *l, const json_t *event)
{
    const double ratio = aisp_json_number(event, "ratio");

    if (!is_same_comparison(l->progress, event))
        l->n_ratios = 0;
    if (isfinite(ratio))
        *(double *)aisp_grow(&l->ratio, &l->n_ratios, &l->cap_ratios, sizeof *l->ratio) = ratio;
    json_decref(l->progress);
    l->progress = json_incref((json_t *)event);
}

static void take_result(struct live *l, const json_t *result)
{
    json_t *rows = json_incref(l->table.rows);

    json_array_append(rows, (json_t *)result);
    aisp_table_set(&l->table, rows);
    aisp_list_pick(&l->table.list, json_array_size(rows) - 1);
    json_decref(rows);
}

static void hear(struct aisp_tui_view *view, enum aisp_job_says says, const char *text, const json_t *event)
{
    struct live *l = (struct live *)view;

    if (says == AISP_JOB_PROGRESS)
        snprintf(l->doing, sizeof l->doing, "%s", text);
    else if (says != AISP_JOB_EVENT)
        take_note(l, text);
    else if (aisp_json_is(event, "event", "progress"))
        take_progress(l, event);
    else if (aisp_json_is(event, "event", "result"))
        take_result(l, json_object_get(event, "result"));
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct live *l = (struct live *)view;
    const char *run = aisp_json_text(answer->value, "run");

    l->has_ended = true;
    if (*run)
        l->run = aisp_xstrdup(run);
    if (answer->text && !json_array_size(l->table.rows))
        aisp_pane_set(&l->text, answer->text);
    if (answer->error)
        take_note(l, answer->error);
    snprintf(l->ending, sizeof l->ending, "%s, exit code %d%s", l->was_stopped ? "stopped" : "ended", answer->exit_code,
             l->run ? "; Enter shows the record" : "");
}

/* ---- drawing ---- */

static void draw_progress(const struct live *l, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const double done = aisp_json_number(l->progress, "done"), of = aisp_json_number(l->progress, "of");
    const struct aisp_rect bar = { in.row, in.column + 1, 1, 20 };
    const int rest = in.columns - 24;

    if (l->has_ended) {
        aisp_canvas_put(canvas, in.row, in.column + 1, in.columns - 2, AISP_MARK_BOLD, l->ending);
        return;
    }
    aisp_chart_bar(canvas, bar, AISP_TONE_ACCENT, of > 0 ? done / of : 0);
    aisp_canvas_put(canvas, in.row, in.column + 23, rest, AISP_TONE_PLAIN,
                    l->was_stopped ? "stopping: what is measured is being kept ..." : *l->doing ? l->doing : "starting ...");
}

static void draw_ratio(const struct live *l, struct aisp_canvas *canvas, struct aisp_rect in)
{
    const struct aisp_rect spark = { in.row, in.column + 23, 1, in.columns - 24 };
    double lo = INFINITY, hi = -INFINITY;

    if (l->has_ended || !l->n_ratios)
        return;
    for (size_t i = 0; i < l->n_ratios; i++) {
        lo = fmin(lo, l->ratio[i]);
        hi = fmax(hi, l->ratio[i]);
    }
    aisp_canvas_printf(canvas, in.row, in.column + 1, 21, AISP_MARK_BOLD, "ratio so far %.3g", l->ratio[l->n_ratios - 1]);
    aisp_chart_spark(canvas, spark, AISP_TONE_ACCENT, l->ratio, l->n_ratios, lo, hi, false);
}

/* The last rows of what was said, however long its lines are. */
static void draw_notes(const struct live *l, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct aisp_canvas all;
    int row = 0;

    aisp_canvas_init(&all, 5 * NOTES, in.columns, canvas->is_ascii);
    for (int i = 0; i < NOTES; i++)
        if (l->note[i])
            row += aisp_canvas_wrap(&all, (struct aisp_rect){ row, 1, 5, in.columns - 2 }, AISP_TONE_DIM, l->note[i]);
    aisp_canvas_copy(canvas, in, &all, row > in.rows ? row - in.rows : 0);
    aisp_canvas_release(&all);
}

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct live *l = (struct live *)view;
    const int notes = in.rows >= 14 ? NOTES : 1;
    const struct aisp_rect list = { in.row + 3, in.column, in.rows - 3 - notes, in.columns };

    draw_progress(l, canvas, in);
    in.row++;
    draw_ratio(l, canvas, in);
    in.row--;
    if (l->text.text)
        aisp_pane_draw(&l->text, canvas, list);
    else
        aisp_table_draw(&l->table, canvas, list, l->has_ended ? "no comparison was finished" : "no verdict yet");
    draw_notes(l, canvas, (struct aisp_rect){ in.row + in.rows - notes, in.column, notes, in.columns });
}

/* ---- keys ---- */

static struct aisp_step stop(struct live *l)
{
    if (!l->has_ended)
        l->was_stopped = l->view.wants_stop = true;
    return AISP_STEP_STAY;
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct live *l = (struct live *)view;

    if (key == 's' || (key == AISP_KEY_INTERRUPT && !l->has_ended))
        return stop(l);
    if (key == AISP_KEY_ENTER && l->run)
        return AISP_STEP_OPEN(aisp_run_view_new(l->run));
    if (l->text.text ? aisp_pane_key(&l->text, key) : aisp_table_key(&l->table, key))
        return AISP_STEP_STAY;
    return AISP_STEP_UNUSED;
}

static bool is_typing(const struct aisp_tui_view *view)
{
    const struct live *l = (const struct live *)view;

    return l->table.list.is_typing || l->text.is_typing;
}

static void release(struct aisp_tui_view *view)
{
    struct live *l = (struct live *)view;

    aisp_table_release(&l->table);
    aisp_pane_release(&l->text);
    json_decref(l->progress);
    for (int i = 0; i < NOTES; i++)
        free(l->note[i]);
    free(l->ratio);
    free(l->run);
}

static const struct aisp_key_help keys[] = {
    { "s", "stop" }, { "Enter", "the record, at the end" }, { "/", "search" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Live",
    .keys = keys,
    .draw = draw,
    .key = key,
    .is_typing = is_typing,
    .hear = hear,
    .answer = answer,
    .free = release,
};

struct aisp_tui_view *aisp_live_view_new(const struct aisp_words *words)
{
    struct live *l = aisp_view_new(&class, sizeof *l);
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_words_join(words, &line);
    snprintf(l->view.title, sizeof l->view.title, "%s", line.s);
    aisp_buf_release(&line);
    aisp_table_init(&l->table, aisp_result_columns);
    for (size_t i = 0; i < words->n; i++)
        aisp_words_add(&l->view.ask, words->word[i]);
    l->view.wants = AISP_JOB_WANTS_VALUE | AISP_JOB_WANTS_TEXT | AISP_JOB_WANTS_COLOR;
    l->view.is_patient = true;
    return &l->view;
}
