/* output.c - the text of any command that is not watched live, to scroll and to search: what the palette shows; and plain text,
 * as the help of the keys.
 * Not here: commands that run code (live.c). */
#include <stdio.h>
#include <stdlib.h>

#include "commands/command.h"
#include "tui/pane.h"
#include "tui/view.h"

struct output {
    struct aisp_tui_view view;
    struct aisp_pane pane;
    struct aisp_buf notes;
    char progress[160];
};

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct output *o = (struct output *)view;

    if (aisp_view_is_busy(view))
        aisp_canvas_put(canvas, in.row, in.column + 1, in.columns - 2, AISP_TONE_PLAIN,
                        *o->progress ? o->progress : "working ...");
    else
        aisp_pane_draw(&o->pane, canvas, in);
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct output *o = (struct output *)view;

    if ((key == 's' || key == AISP_KEY_INTERRUPT) && aisp_view_is_busy(view)) {
        view->wants_stop = true;
        return AISP_STEP_STAY;
    }
    return aisp_pane_key(&o->pane, key) ? AISP_STEP_STAY : AISP_STEP_UNUSED;
}

static bool is_typing(const struct aisp_tui_view *view)
{
    return ((const struct output *)view)->pane.is_typing;
}

static void hear(struct aisp_tui_view *view, enum aisp_job_says says, const char *text, const json_t *event)
{
    struct output *o = (struct output *)view;

    (void)event;
    if (says == AISP_JOB_PROGRESS)
        snprintf(o->progress, sizeof o->progress, "%s", text);
    else if (says != AISP_JOB_EVENT)
        aisp_buf_printf(&o->notes, "%s\n", text);
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct output *o = (struct output *)view;
    struct aisp_buf all = AISP_BUF_INIT;

    aisp_buf_printf(&all, "%s%s", o->notes.s ? o->notes.s : "", answer->text ? answer->text : "");
    if (answer->error)
        aisp_buf_printf(&all, "\033[31m%s\033[0m\n", answer->error);
    if (answer->exit_code)
        aisp_buf_printf(&all, "\nexit code %d\n", answer->exit_code);
    else if (!all.len)
        aisp_buf_puts(&all, "done\n");
    aisp_pane_set(&o->pane, all.s);
    aisp_buf_release(&all);
    aisp_buf_release(&o->notes);
}

static void release(struct aisp_tui_view *view)
{
    struct output *o = (struct output *)view;

    aisp_pane_release(&o->pane);
    aisp_buf_release(&o->notes);
}

static const struct aisp_key_help keys[] = {
    { "Up Down", "scroll" }, { "Space", "page" }, { "/", "search" }, { "n", "next" }, { "s", "stop" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Output", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .hear = hear, .answer = answer,
    .free = release,
};

struct aisp_tui_view *aisp_output_view_new(const struct aisp_words *words)
{
    struct output *o = aisp_view_new(&class, sizeof *o);
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_words_join(words, &line);
    snprintf(o->view.title, sizeof o->view.title, "%s", line.s);
    aisp_buf_release(&line);
    for (size_t i = 0; i < words->n; i++)
        aisp_words_add(&o->view.ask, words->word[i]);
    o->view.wants = AISP_JOB_WANTS_TEXT | AISP_JOB_WANTS_COLOR;
    o->view.is_patient = aisp_tui_flags(words) & AISP_CMD_LONG;
    return &o->view;
}

struct aisp_tui_view *aisp_output_view_of(const char *const *list)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_tui_view *view;

    aisp_words_add_all(&words, list);
    view = aisp_output_view_new(&words);
    aisp_words_release(&words);
    return view;
}

struct aisp_tui_view *aisp_text_view_new(const char *title, const char *text)
{
    struct output *o = aisp_view_new(&class, sizeof *o);

    snprintf(o->view.title, sizeof o->view.title, "%s", title);
    aisp_pane_set(&o->pane, text);
    return &o->view;
}
