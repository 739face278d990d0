/* app.c - keys to views, views to commands, commands' answers to views. */
#include "tui/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

enum { TARGETS, RUNS, COMPARE, WHATIF };

/* ---- views ---- */

static struct aisp_tui_view *root(struct aisp_app *app, int which)
{
    if (app->root[which])
        return app->root[which];
    switch (which) {
    case TARGETS: app->root[which] = aisp_targets_view_new(); break;
    case RUNS: app->root[which] = aisp_runs_view_new(); break;
    case COMPARE: app->root[which] = aisp_compare_view_new("", ""); break;
    default: app->root[which] = aisp_whatif_view_new();
    }
    return app->root[which];
}

struct aisp_tui_view *aisp_app_front(struct aisp_app *app)
{
    return app->n_above ? app->above[app->n_above - 1] : root(app, app->at);
}

void aisp_app_init(struct aisp_app *app, const struct aisp_words *common)
{
    *app = (struct aisp_app){ .columns = 80 };
    for (size_t i = 0; i < common->n; i++)
        aisp_words_add(&app->common, common->word[i]);
    root(app, TARGETS);
}

void aisp_app_release(struct aisp_app *app)
{
    while (app->n_above)
        aisp_view_free(app->above[--app->n_above]);
    for (int i = 0; i < AISP_ROOTS; i++)
        aisp_view_free(app->root[i]);
    aisp_palette_release(&app->palette);
    aisp_words_release(&app->targets);
    aisp_words_release(&app->common);
}

/* A run changes what is recorded: the views of what there is begin anew. */
static void back(struct aisp_app *app)
{
    struct aisp_tui_view *view = app->above[--app->n_above];

    for (int i = RUNS; i <= COMPARE && view->is_patient; i++) {
        aisp_view_free(app->root[i]);
        app->root[i] = NULL;
    }
    root(app, app->at);
    aisp_view_free(view);
}

static void open_view(struct aisp_app *app, struct aisp_tui_view *view)
{
    if (app->n_above == AISP_STACK) {        /* the lowest that is not under way is given up, not the newest */
        const int i = app->above[0]->is_patient && aisp_view_is_busy(app->above[0]);

        aisp_view_free(app->above[i]);
        memmove(app->above + i, app->above + i + 1, (size_t)(AISP_STACK - 1 - i) * sizeof *app->above);
        app->n_above--;
    }
    app->above[app->n_above++] = view;
}

/* ---- commands ---- */

static void each_view(struct aisp_app *app, void (*does)(struct aisp_app *app, struct aisp_tui_view *view, void *context),
                      void *context)
{
    for (int i = 0; i < AISP_ROOTS; i++)
        if (app->root[i])
            does(app, app->root[i], context);
    for (int i = 0; i < app->n_above; i++)
        does(app, app->above[i], context);
}

static void start(struct aisp_app *app, struct aisp_tui_view *view, void *context)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };

    (void)context;
    if (view->wants_stop) {
        aisp_job_stop(&view->job);
        view->wants_stop = false;
    }
    if (!view->ask.n)
        return;
    aisp_job_drop(&view->job);               /* the newest question counts */
    aisp_words_add_common(&words, &view->ask, &app->common);
    if (aisp_job_start(&view->job, &words, view->wants, app->columns > 80 ? app->columns : 80, &err))
        snprintf(view->said, sizeof view->said, "%.390s", err.text);
    aisp_words_release(&words);
    aisp_words_release(&view->ask);
}

void aisp_app_start(struct aisp_app *app)
{
    each_view(app, start, NULL);
}

struct fds { struct pollfd *fd; int n, cap; };

static void add_fds(struct aisp_app *app, struct aisp_tui_view *view, void *context)
{
    struct fds *fds = context;

    (void)app;
    if (!view->job.pid || fds->n + 2 > fds->cap)
        return;
    fds->fd[fds->n++] = (struct pollfd){ view->job.fd, POLLIN, 0 };
    fds->fd[fds->n++] = (struct pollfd){ view->job.stray_fd, POLLIN, 0 };
}

int aisp_app_fds(struct aisp_app *app, struct pollfd *fd, int n)
{
    struct fds fds = { fd, 0, n };

    each_view(app, add_fds, &fds);
    return fds.n;
}

static void listen(void *context, enum aisp_job_says says, const char *text, const json_t *event)
{
    struct aisp_tui_view *view = context;

    if (view->class->hear)
        view->class->hear(view, says, text, event);
}

static void hear(struct aisp_app *app, struct aisp_tui_view *view, void *context)
{
    (void)context;
    if (!view->job.pid || !aisp_job_read(&view->job, listen, view))
        return;
    view->class->answer(view, &view->job.answer);
    aisp_job_drop(&view->job);
    if (view != app->root[TARGETS])
        return;
    aisp_words_release(&app->targets);
    aisp_targets_view_names(view, &app->targets);
}

void aisp_app_hear(struct aisp_app *app)
{
    each_view(app, hear, NULL);
}

/* ---- keys ---- */

static const struct aisp_key_help common_keys[] = {
    { "1 2 3 4", "targets, runs, compare, what-if" },
    { "Esc, q", "back; at the bottom q ends" },
    { ":", "any command, Tab completes" },
    { "?", "these keys" },
    { "Ctrl-L", "draw again" },
    { "Ctrl-C", "stop what runs, else end" },
    { NULL, NULL },
};

static void add_keys(struct aisp_buf *out, const char *name, const struct aisp_key_help *keys)
{
    aisp_buf_printf(out, "\033[1m%s\033[0m\n", name);
    for (; keys && keys->key; keys++)
        aisp_buf_printf(out, "  %-14s %s\n", keys->key, keys->does);
    aisp_buf_puts(out, "\n");
}

static void open_help(struct aisp_app *app)
{
    static const struct aisp_key_help list_keys[] = {
        { "Up Down, j k", "one row" }, { "PgUp PgDn", "a page; Space is a page down" }, { "Home End, g G", "first, last" },
        { "/ text", "search; Enter keeps it, Esc drops it" }, { NULL, NULL },
    };
    const struct aisp_view_class *class = aisp_app_front(app)->class;
    struct aisp_buf text = AISP_BUF_INIT;

    add_keys(&text, class->name, class->keys);
    add_keys(&text, "Lists and texts", list_keys);
    add_keys(&text, "Everywhere", common_keys);
    open_view(app, aisp_text_view_new("Keys", text.s));
    aisp_buf_release(&text);
}

bool aisp_app_is_running(const struct aisp_app *app)
{
    for (int i = 0; i < app->n_above; i++)
        if (app->above[i]->is_patient && aisp_view_is_busy(app->above[i]))
            return true;
    return false;
}

static void go(struct aisp_app *app, int which)
{
    if (aisp_app_is_running(app)) {
        snprintf(aisp_app_front(app)->said, sizeof aisp_app_front(app)->said, "a command is still running: s stops it");
        return;
    }
    while (app->n_above)
        back(app);
    app->at = which;
    root(app, which);                        /* now, so that what it asks is started */
}

/* What runs code is watched; all else is read and shown. */
static void open_command(struct aisp_app *app)
{
    struct aisp_words words = AISP_WORDS_INIT;

    aisp_words_split(&words, app->palette.line);
    if (words.n && !strcmp(words.word[0], "aisp")) {    /* as it stands in the examples */
        free(words.word[0]);
        memmove(words.word, words.word + 1, --words.n * sizeof *words.word);
    }
    open_view(app, aisp_tui_flags(&words) & AISP_CMD_RUNS_CODE ? aisp_live_view_new(&words) : aisp_output_view_new(&words));
    aisp_words_release(&words);
}

static void key_left_over(struct aisp_app *app, int key)
{
    if (key >= '1' && key < '1' + AISP_ROOTS)
        go(app, key - '1');
    else if (key == ':')
        aisp_palette_open(&app->palette, &app->targets);
    else if (key == '?')
        open_help(app);
    else if ((key == AISP_KEY_ESCAPE || key == 'q' || key == AISP_KEY_LEFT) && app->n_above)
        back(app);
    else if (key == 'q' || key == AISP_KEY_INTERRUPT)
        app->wants_end = true;
}

void aisp_app_key(struct aisp_app *app, int key)
{
    struct aisp_tui_view *view = aisp_app_front(app);
    struct aisp_step step;

    if (app->palette.is_open) {
        if (aisp_palette_key(&app->palette, key, &app->targets))
            open_command(app);
        return;
    }
    *view->said = '\0';
    if (!(view->class->is_typing && view->class->is_typing(view)) && aisp_view_holds(view, key))
        return;
    step = view->class->key(view, key);
    if (step.kind == AISP_OPEN)
        open_view(app, step.view);
    else if (step.kind == AISP_UNUSED && !(view->class->is_typing && view->class->is_typing(view)))
        key_left_over(app, key);
}

/* ---- the frame ---- */

static void draw_title(struct aisp_app *app, struct aisp_canvas *canvas)
{
    static const char *const names[AISP_ROOTS] = { "Targets", "Runs", "Compare", "What-if" };
    int at = 1;

    aisp_canvas_fill(canvas, 0, 0, canvas->columns, AISP_MARK_REVERSE);
    at += aisp_canvas_put(canvas, 0, at, canvas->columns, AISP_MARK_REVERSE | AISP_MARK_BOLD, "aisp");
    for (int i = 0; i < AISP_ROOTS; i++)
        if (i == app->at || !app->n_above)
            at +=
                aisp_canvas_printf(canvas, 0, at, canvas->columns - at, AISP_MARK_REVERSE | (i == app->at ? AISP_MARK_BOLD : 0),
                                   i == app->at ? "  [%d %s]" : "   %d %s ", i + 1, names[i]);
    if (app->n_above)
        aisp_canvas_printf(canvas, 0, at, canvas->columns - at - 1, AISP_MARK_REVERSE, "  %s", aisp_app_front(app)->title);
}

/* What the view has to say, else its first keys. */
static void draw_foot(struct aisp_app *app, struct aisp_canvas *canvas)
{
    const struct aisp_tui_view *view = aisp_app_front(app);
    const int row = canvas->rows - 1;
    int at = 1;

    if (*view->said) {
        aisp_canvas_put(canvas, row, 1, canvas->columns - 2, AISP_MARK_BOLD, view->said);
        return;
    }
    for (const struct aisp_key_help *k = view->class->keys; k->key; k++) {
        const int width = (int)strlen(k->key) + 1 + (int)strlen(k->does) + 2;

        if (at + width > canvas->columns - 24)
            break;
        aisp_canvas_put(canvas, row, at, width, AISP_TONE_ACCENT, k->key);
        aisp_canvas_put(canvas, row, at + (int)strlen(k->key) + 1, width, AISP_TONE_DIM, k->does);
        at += width;
    }
    aisp_canvas_put_right(canvas, row, 0, canvas->columns - 1, AISP_TONE_DIM,
                          app->n_above ? ": command  ? keys  q back" : ": command  ? keys  q end");
}

void aisp_app_draw(struct aisp_app *app, struct aisp_canvas *canvas)
{
    struct aisp_tui_view *view = aisp_app_front(app);
    const struct aisp_rect in = { 1, 0, canvas->rows - 2, canvas->columns };

    app->columns = canvas->columns;
    if (canvas->rows < AISP_LEAST_ROWS || canvas->columns < AISP_LEAST_COLUMNS) {
        aisp_canvas_printf(canvas, 0, 0, canvas->columns, AISP_TONE_PLAIN, "needs %dx%d (q ends)",
                           AISP_LEAST_COLUMNS, AISP_LEAST_ROWS);
        return;
    }
    draw_title(app, canvas);
    view->class->draw(view, canvas, in);
    draw_foot(app, canvas);
    if (app->palette.is_open)
        aisp_palette_draw(&app->palette, canvas, aisp_canvas_all(canvas));
}
