/* whatif.c - which variants fit: the options of `bench whatif` as sliders, its answer below them.
 * Not here: what fits (the command). The sliders are made from the command's row in the table, so that they are its options and
 * no others; where this program has no such command, the view says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "tui/list.h"
#include "tui/pane.h"
#include "tui/view.h"

static const char command_path[] = "bench whatif";

enum { LABEL = 16, TRACK = 24, VALUE = 10 };

struct slider { const struct aisp_option *option; char value[32]; };    /* "": not asked for */

struct whatif {
    struct aisp_tui_view view;
    struct slider *slider;
    size_t n, cap, at, top;
    bool is_typing;
    struct aisp_pane text;
};

/* ---- values ---- */

/* 1 1.5 2 3 5 7 10 ... */
static const double steps[] = { 1, 1.5, 2, 3, 5, 7 };
enum { STEPS = sizeof steps / sizeof *steps, FROM_DECADE = -3, TO_DECADE = 6 };

static double rung(int i)
{
    return steps[i % STEPS] * pow(10, FROM_DECADE + i / STEPS);
}

static bool fits(const struct aisp_option *o, double x)
{
    if (o->kind == AISP_OPT_REAL)
        return true;
    return x == floor(x) && x >= 1 && (o->low >= o->high || (x >= (double)o->low && x <= (double)o->high));
}

static const char *unit(const struct aisp_option *o)
{
    return o->kind == AISP_OPT_DURATION ? "ms" : "";
}

/* The next rung above or below; below the last one the limit is off. From off it begins at 1, or 100 for times. */
static void slide_number(struct slider *s, int by)
{
    const double from = strtod(s->value, NULL), first = s->option->kind == AISP_OPT_DURATION ? 100 : 1;
    const int n = (TO_DECADE - FROM_DECADE + 1) * STEPS;

    if (!*s->value && by < 0)
        return;
    for (int i = by > 0 ? 0 : n - 1; i >= 0 && i < n; i += by) {
        const double x = rung(i);
        const bool is_past = !*s->value ? x >= first * 0.999 : by > 0 ? x > from * 1.001 : x < from * 0.999;

        if (is_past && fits(s->option, x)) {
            snprintf(s->value, sizeof s->value, "%.6g%s", x, unit(s->option));
            return;
        }
    }
    if (by < 0)
        *s->value = '\0';
}

/* off, the first choice, the second, ... and round again. */
static void slide_choice(struct slider *s, int by)
{
    struct aisp_words choice = AISP_WORDS_INIT;
    char *all = aisp_xstrdup(s->option->meta);
    size_t at = 0;

    for (char *word = strtok(all, "|"); word; word = strtok(NULL, "|"))
        aisp_words_add(&choice, word);
    for (size_t i = 0; i < choice.n; i++)
        if (!strcmp(choice.word[i], s->value))
            at = i + 1;
    at = (at + choice.n + 1 + (size_t)by) % (choice.n + 1);
    snprintf(s->value, sizeof s->value, "%s", at ? choice.word[at - 1] : "");
    aisp_words_release(&choice);
    free(all);
}

static void slide(struct slider *s, int by)
{
    switch (s->option->kind) {
    case AISP_OPT_FLAG: snprintf(s->value, sizeof s->value, "%s", *s->value ? "" : "yes"); break;
    case AISP_OPT_CHOICE: slide_choice(s, by); break;
    case AISP_OPT_TEXT:
    case AISP_OPT_PATH: break;
    default: slide_number(s, by);
    }
}

static bool is_asked(const struct whatif *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (*w->slider[i].value)
            return true;
    return false;
}

static void ask(struct whatif *w)
{
    static const char *const words[] = { "bench", "whatif", NULL };

    if (!is_asked(w)) {
        aisp_words_release(&w->view.ask);
        aisp_pane_set(&w->text, "Right sets the picked option, Enter types it: what then fits stands here.\n");
        return;
    }
    aisp_view_ask(&w->view, AISP_JOB_WANTS_TEXT | AISP_JOB_WANTS_COLOR, words);
    for (size_t i = 0; i < w->n; i++) {
        const struct slider *s = &w->slider[i];
        char *option = aisp_format("--%s", s->option->name);

        if (*s->value)
            aisp_words_add(&w->view.ask, option);
        if (*s->value && s->option->kind != AISP_OPT_FLAG)
            aisp_words_add(&w->view.ask, s->value);
        free(option);
    }
}

/* ---- drawing ---- */

static void draw_track(const struct slider *s, struct aisp_canvas *canvas, int row, int column)
{
    const double x = strtod(s->value, NULL);
    const int n = (TO_DECADE - FROM_DECADE + 1);
    const int at = x > 0 ? (int)((log10(x) - FROM_DECADE) / n * (TRACK - 1) + 0.5) : -1;

    for (int i = 0; i < TRACK; i++)
        aisp_canvas_put(canvas, row, column + i, 1, AISP_TONE_DIM, "\u2500");
    if (at >= 0)
        aisp_canvas_put(canvas, row, column + (at < TRACK ? at : TRACK - 1), 1, AISP_TONE_ACCENT | AISP_MARK_BOLD, "\u25cf");
}

static void draw_slider(const struct whatif *w, size_t i, struct aisp_canvas *canvas, int row, struct aisp_rect in)
{
    const struct slider *s = &w->slider[i];
    const enum aisp_option_kind kind = s->option->kind;
    const bool is_here = i == w->at, is_number = kind == AISP_OPT_INTEGER || kind == AISP_OPT_REAL || kind == AISP_OPT_DURATION;
    const int value = in.column + LABEL + TRACK + 1;

    aisp_canvas_put(canvas, row, in.column + 1, LABEL - 2, is_here ? AISP_MARK_BOLD : AISP_TONE_PLAIN, s->option->name);
    if (is_number)
        draw_track(s, canvas, row, in.column + LABEL);
    aisp_canvas_printf(canvas, row, is_number ? value : in.column + LABEL, is_number ? VALUE : TRACK + VALUE,
                       *s->value ? AISP_TONE_ACCENT : AISP_TONE_DIM, "%s%s",
                       *s->value || (is_here && w->is_typing) ? s->value : s->option->preset ? s->option->preset : "off",
                       is_here && w->is_typing ? "_" : "");
    if (s->option->meta && is_number)
        aisp_canvas_put(canvas, row, value + VALUE + 1, in.columns, AISP_TONE_DIM, s->option->meta);
    if (is_here)
        aisp_canvas_mark(canvas, row, in.column, LABEL - 1, AISP_MARK_REVERSE);
}

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct whatif *w = (struct whatif *)view;
    const int most = in.rows / 2, shown = (int)w->n < most ? (int)w->n : most;
    const struct aisp_rect text = { in.row + shown + 1, in.column, in.rows - shown - 1, in.columns };

    if (!aisp_tui_command(command_path)) {
        aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_TONE_PLAIN,
                        "this build has no \"aisp bench whatif\"");
        return;
    }
    if (w->at < w->top)
        w->top = w->at;
    if (w->at >= w->top + (size_t)shown)
        w->top = w->at - (size_t)shown + 1;
    if (w->top + (size_t)shown > w->n)       /* the screen grew */
        w->top = w->n - (size_t)shown;
    for (int i = 0; i < shown; i++)
        draw_slider(w, w->top + (size_t)i, canvas, in.row + i, in);
    aisp_canvas_rule(canvas, in.row + shown, in.column, in.columns);
    if (w->n)
        aisp_canvas_printf(canvas, in.row + shown, in.column + 2, in.columns - 4, AISP_TONE_DIM, " %s ",
                           w->slider[w->at].option->help);
    aisp_pane_draw(&w->text, canvas, text);
}

/* ---- keys ---- */

static struct aisp_step changed(struct whatif *w)
{
    ask(w);
    return AISP_STEP_STAY;
}

static struct aisp_step type(struct whatif *w, int key)
{
    struct slider *s = &w->slider[w->at];

    if (key == AISP_KEY_ENTER || key == AISP_KEY_ESCAPE) {
        w->is_typing = false;
        return changed(w);
    }
    aisp_line_key(s->value, sizeof s->value, key);
    return AISP_STEP_STAY;
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct whatif *w = (struct whatif *)view;

    if (!w->n)
        return AISP_STEP_UNUSED;
    if (w->is_typing)
        return type(w, key);
    switch (key) {
    case AISP_KEY_UP: case 'k': w->at -= w->at > 0; return AISP_STEP_STAY;
    case AISP_KEY_DOWN: case 'j': w->at += w->at + 1 < w->n; return AISP_STEP_STAY;
    case AISP_KEY_LEFT: case '-': slide(&w->slider[w->at], -1); return changed(w);
    case AISP_KEY_RIGHT: case '+': slide(&w->slider[w->at], 1); return changed(w);
    case AISP_KEY_DELETE: case AISP_KEY_BACKSPACE: *w->slider[w->at].value = '\0'; return changed(w);
    case AISP_KEY_ENTER: w->is_typing = w->slider[w->at].option->kind != AISP_OPT_FLAG; return AISP_STEP_STAY;
    default: return aisp_pane_key(&w->text, key) ? AISP_STEP_STAY : AISP_STEP_UNUSED;
    }
}

static bool is_typing(const struct aisp_tui_view *view)
{
    const struct whatif *w = (const struct whatif *)view;

    return w->is_typing || w->text.is_typing;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct whatif *w = (struct whatif *)view;

    if (!is_asked(w))                        /* asked before the last limit was taken away */
        return;
    if (answer->error)
        snprintf(view->said, sizeof view->said, "%s", answer->error);
    aisp_pane_set(&w->text, answer->text ? answer->text : "");
}

static void release(struct aisp_tui_view *view)
{
    struct whatif *w = (struct whatif *)view;

    free(w->slider);
    aisp_pane_release(&w->text);
}

static const struct aisp_key_help keys[] = {
    { "Up Down", "option" }, { "Left Right", "less, more" }, { "Enter", "type a value" }, { "Del", "off" }, { "Space", "page" },
    { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "What-if", .keys = keys, .draw = draw, .key = key, .is_typing = is_typing, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_whatif_view_new(void)
{
    const struct aisp_command *command = aisp_tui_command(command_path);
    struct whatif *w = aisp_view_new(&class, sizeof *w);

    if (!command)
        return &w->view;
    for (const struct aisp_option *o = command->option; o && o->name; o++)
        ((struct slider *)aisp_grow(&w->slider, &w->n, &w->cap, sizeof *w->slider))->option = o;
    ask(w);
    return &w->view;
}
