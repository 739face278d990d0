/* terminal.c - pty and emulator. */
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/base/buf.h"

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(99);
}

void terminal_start(struct terminal *t, int rows, int columns, char **argv)
{
    const struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

    *t = (struct terminal){ .rows = rows, .columns = columns, .fd = -1 };
    t->vterm = vterm_new(rows, columns);
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    if (t->pid < 0)
        give_up("forkpty");
    if (t->pid == 0) {
        execvp(argv[0], argv);
        give_up(argv[0]);
    }
}

void terminal_stop(struct terminal *t)
{
    if (t->pid) {
        kill(t->pid, SIGKILL);
        waitpid(t->pid, NULL, 0);
    }
    terminal_hang_up(t);
    if (t->vterm)
        vterm_free(t->vterm);
    *t = (struct terminal){ .fd = -1 };
}

void terminal_hang_up(struct terminal *t)
{
    if (t->fd >= 0)
        close(t->fd);
    t->fd = -1;
}

void terminal_resize(struct terminal *t, int rows, int columns)
{
    const struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

    t->rows = rows;
    t->columns = columns;
    vterm_set_size(t->vterm, rows, columns);
    if (ioctl(t->fd, TIOCSWINSZ, &size))     /* which also sends SIGWINCH */
        give_up("TIOCSWINSZ");
}

void terminal_type(struct terminal *t, const char *bytes)
{
    if (write(t->fd, bytes, strlen(bytes)) < 0)
        give_up("typing");
}

bool terminal_read(struct terminal *t, int timeout_ms)
{
    struct pollfd fd = { t->fd, POLLIN, 0 };
    char bytes[4096];
    ssize_t n;
    size_t back;

    if (t->fd < 0)
        return false;
    if (poll(&fd, 1, timeout_ms) <= 0)
        return true;
    n = read(t->fd, bytes, sizeof bytes);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    vterm_input_write(t->vterm, bytes, (size_t)n);
    while ((back = vterm_output_read(t->vterm, bytes, sizeof bytes)) > 0)    /* answers to questions about the terminal */
        if (write(t->fd, bytes, back) < 0)
            break;
    return true;
}

bool terminal_has_ended(struct terminal *t)
{
    if (t->pid && waitpid(t->pid, &t->status, WNOHANG) == t->pid)
        t->pid = 0;
    return !t->pid;
}

/* ---- the screen ---- */

static VTermScreenCell cell_at(const struct terminal *t, int row, int column)
{
    VTermScreenCell cell = { 0 };

    vterm_screen_get_cell(t->screen, (VTermPos){ row, column }, &cell);
    return cell;
}

static void add_character(struct aisp_buf *out, uint32_t c)
{
    const char bytes[] = { (char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f)) };
    const char two[] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) };
    const char one = (char)(c ? c : ' ');

    if (c < 0x80)
        aisp_buf_add(out, &one, 1);
    else if (c < 0x800)
        aisp_buf_add(out, two, sizeof two);
    else
        aisp_buf_add(out, bytes, sizeof bytes);
}

char *terminal_text(const struct terminal *t)
{
    struct aisp_buf out = AISP_BUF_INIT;

    for (int row = 0; row < t->rows; row++) {
        const size_t from = out.len;

        aisp_buf_puts(&out, row && cell_at(t, row, 0).attrs.reverse ? ">" : " ");
        for (int column = 0; column < t->columns; column++)
            add_character(&out, cell_at(t, row, column).chars[0]);
        while (out.len > from && out.s[out.len - 1] == ' ')
            out.len--;
        out.s[out.len] = '\0';
        aisp_buf_puts(&out, "\n");
    }
    return aisp_buf_detach(&out);
}

bool terminal_has_color(const struct terminal *t)
{
    for (int row = 0; row < t->rows; row++)
        for (int column = 0; column < t->columns; column++) {
            const VTermScreenCell cell = cell_at(t, row, column);

            if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) || !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg))
                return true;
        }
    return false;
}

bool terminal_is_cooked(const struct terminal *t)
{
    struct termios mode;

    return !tcgetattr(t->fd, &mode) && mode.c_lflag & ECHO && mode.c_lflag & ICANON;
}
