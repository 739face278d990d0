/* screen.h - the terminal: a canvas out, keys in, and everything as it was at the end, however that comes.
 * Not here: what is drawn. Only screen.c sees curses. */
#ifndef AISP_TUI_SCREEN_H
#define AISP_TUI_SCREEN_H

#include "core/base/err.h"
#include "tui/canvas.h"

struct aisp_screen_options { bool no_color, ascii; };

/* Take standard input and output, which are terminals. What is written to standard error meanwhile is kept until the end.
 * Errors: AISP_E_USAGE (a terminal that cannot place its cursor). */
enum aisp_status aisp_screen_open(const struct aisp_screen_options *options, struct aisp_err *err);
void aisp_screen_close(void);
/* The same from a signal handler, when all is lost: only what is safe there. */
void aisp_screen_abandon(void);

/* The size has changed. */
void aisp_screen_resize(void);
/* An empty canvas of the screen's size; the caller releases it. */
void aisp_screen_canvas(struct aisp_canvas *canvas);
void aisp_screen_show(const struct aisp_canvas *canvas);
/* Draw all of it again: somebody else wrote there. */
void aisp_screen_refresh(void);
/* The next key (enum aisp_tui_key) of those that have come; -1: there is none. */
int aisp_screen_key(void);

#endif
