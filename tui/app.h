/* app.h - who keeps the views: four to begin with, others above them; which one has the keys, what commands they wait for, and
 * the frame around them.
 * Not here: the terminal and its signals (tui.c, screen.h). */
#ifndef AISP_TUI_APP_H
#define AISP_TUI_APP_H

#include <poll.h>

#include "tui/palette.h"
#include "tui/view.h"

enum { AISP_ROOTS = 4, AISP_STACK = 16 };

struct aisp_app {
    struct aisp_tui_view *root[AISP_ROOTS];      /* targets, runs, compare, what-if; NULL: not looked at yet */
    struct aisp_tui_view *above[AISP_STACK];
    int at, n_above;
    struct aisp_palette palette;
    struct aisp_words targets;               /* for the completion */
    struct aisp_words common;                /* options that every command line gets, with their values */
    int columns;                             /* of the canvas that was drawn last */
    bool wants_end;
};

void aisp_app_init(struct aisp_app *app, const struct aisp_words *common);
void aisp_app_release(struct aisp_app *app);
void aisp_app_key(struct aisp_app *app, int key);
void aisp_app_draw(struct aisp_app *app, struct aisp_canvas *canvas);

/* Start what views ask for. */
void aisp_app_start(struct aisp_app *app);
/* Descriptors that are waited for; returns how many of the most `n`. */
int aisp_app_fds(struct aisp_app *app, struct pollfd *fd, int n);
/* Take what commands have said. */
void aisp_app_hear(struct aisp_app *app);
struct aisp_tui_view *aisp_app_front(struct aisp_app *app);
/* Is a command under way that does more than read? */
bool aisp_app_is_running(const struct aisp_app *app);

/* ---- what fits ---- */

enum { AISP_LEAST_ROWS = 10, AISP_LEAST_COLUMNS = 40 };

#endif
