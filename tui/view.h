/* view.h - what a view is: a model that keys, answers and events change, and that is drawn on a canvas.
 * Not here: the views (views/), who keeps them (app.h).
 * A view knows neither the terminal nor how commands are run: it says in `ask` which command line it wants answered. So each is
 * tested with JSON in, keys in, characters out. */
#ifndef AISP_TUI_VIEW_H
#define AISP_TUI_VIEW_H

#include "tui/canvas.h"
#include "doors/job.h"

/* A key is its character (Unicode), or one of these. */
enum aisp_tui_key {
    AISP_KEY_ENTER = '\n', AISP_KEY_TAB = '\t', AISP_KEY_ESCAPE = 27, AISP_KEY_BACKSPACE = 127,
    AISP_KEY_UP = 0x110000, AISP_KEY_DOWN, AISP_KEY_LEFT, AISP_KEY_RIGHT, AISP_KEY_PAGE_UP, AISP_KEY_PAGE_DOWN, AISP_KEY_HOME,
    AISP_KEY_END, AISP_KEY_DELETE, AISP_KEY_INTERRUPT,
};

struct aisp_tui_view;
struct aisp_key_help { const char *key, *does; };

/* What is to happen after a key. */
enum aisp_step_kind {
    AISP_STAY,
    AISP_UNUSED,                             /* the view has no use for that key */
    AISP_OPEN,                               /* `view`, taken, is put above */
};
struct aisp_step { enum aisp_step_kind kind; struct aisp_tui_view *view; };

struct aisp_view_class {
    const char *name;
    const struct aisp_key_help *keys;        /* ends with a NULL key; the first are shown below */
    void (*draw)(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in);
    struct aisp_step (*key)(struct aisp_tui_view *view, int key);
    bool (*is_typing)(const struct aisp_tui_view *view);       /* keys are text now; or NULL */
    void (*hear)(struct aisp_tui_view *view, enum aisp_job_says says, const char *text, const json_t *event);    /* or NULL */
    void (*answer)(struct aisp_tui_view *view, const struct aisp_answer *answer);
    void (*free)(struct aisp_tui_view *view);
};

/* The beginning of every view. */
struct aisp_tui_view {
    const struct aisp_view_class *class;
    char title[120];
    char said[400];                          /* one line for the user: what went wrong, what was done */
    struct aisp_words ask;                   /* wants this answered; whoever keeps the view takes it */
    int wants;                               /* AISP_JOB_WANTS_... */
    bool is_patient;                         /* the command does more than read: it is interrupted, never dropped */
    bool wants_stop;                         /* of its command, once more */
    struct aisp_job job;
};

/* Begin and end of each view's own functions. */
void *aisp_view_new(const struct aisp_view_class *class, size_t size);
void aisp_view_free(struct aisp_tui_view *view);
bool aisp_view_is_busy(const struct aisp_tui_view *view);
/* Replace what is asked: a list of words that ends with NULL. */
void aisp_view_ask(struct aisp_tui_view *view, int wants, const char *const *words);

#define AISP_STEP_STAY ((struct aisp_step){ AISP_STAY, NULL })
#define AISP_STEP_UNUSED ((struct aisp_step){ AISP_UNUSED, NULL })
#define AISP_STEP_OPEN(view) ((struct aisp_step){ AISP_OPEN, (view) })

/* ---- the views (views/) ---- */

struct aisp_tui_view *aisp_targets_view_new(void);
/* Their names, for the completion; added to *names. */
void aisp_targets_view_names(const struct aisp_tui_view *view, struct aisp_words *names);
struct aisp_tui_view *aisp_runs_view_new(void);
struct aisp_tui_view *aisp_run_view_new(const char *run);
struct aisp_tui_view *aisp_result_view_new(const char *run, const char *key);
/* Either may be "": it is chosen there. */
struct aisp_tui_view *aisp_compare_view_new(const char *run_a, const char *run_b);
struct aisp_tui_view *aisp_whatif_view_new(void);
struct aisp_tui_view *aisp_live_view_new(const struct aisp_words *words);
/* The text of a command. */
struct aisp_tui_view *aisp_output_view_new(const struct aisp_words *words);
struct aisp_tui_view *aisp_output_view_of(const char *const *list);    /* words that end with NULL */
struct aisp_tui_view *aisp_text_view_new(const char *title, const char *text);

/* NULL: this program has no such command. */
struct aisp_command;
const struct aisp_command *aisp_tui_command(const char *path);
/* AISP_CMD_... of the command that a line names; 0 if it names none, or asks for help only. */
unsigned aisp_tui_flags(const struct aisp_words *words);
/* Keys that would leave a view whose command does more than read, and is under way, say so instead: true then. */
bool aisp_view_holds(struct aisp_tui_view *view, int key);

#endif
