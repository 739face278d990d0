/* terminal.h - a program in a pseudo-terminal, and the screen that it draws.
 * Not here: what is expected of it (driver.c). */
#ifndef TESTS_TUI_TERMINAL_H
#define TESTS_TUI_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <vterm.h>

struct terminal {
    int rows, columns, fd;
    pid_t pid;                               /* 0: no program */
    int status;                              /* of waitpid, once it has ended */
    VTerm *vterm;
    VTermScreen *screen;
};

/* Start argv in a terminal of that size. Aborts the test on a failure of its own. */
void terminal_start(struct terminal *t, int rows, int columns, char **argv);
void terminal_stop(struct terminal *t);
void terminal_resize(struct terminal *t, int rows, int columns);
void terminal_type(struct terminal *t, const char *bytes);
/* The other end goes away, as when a connection is lost. */
void terminal_hang_up(struct terminal *t);

/* Draw what has come; wait for it at most so long. False: nothing more will come. */
bool terminal_read(struct terminal *t, int timeout_ms);
/* Wait for the program's end; false: it goes on. */
bool terminal_has_ended(struct terminal *t);

/* The screen as lines without blanks at their ends, a ">" before those that are picked (reversed, below the title); caller
 * frees. */
char *terminal_text(const struct terminal *t);
bool terminal_has_color(const struct terminal *t);
/* Does it echo and wait for whole lines, as a shell wants to find it? */
bool terminal_is_cooked(const struct terminal *t);

#endif
