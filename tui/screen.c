/* screen.c - curses, and nothing else of ours. */
#include "tui/screen.h"

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "tui/view.h"

/* There is one terminal. */
static struct {
    SCREEN *screen;
    bool is_ascii, has_color;
    int kept_fd, stderr_fd;                  /* what was written to standard error; where it goes at the end */
    struct termios before;
    char restore[4][64];                     /* what the terminal wants to hear at the end */
} term = { .kept_fd = -1, .stderr_fd = -1 };

/* ---- standard error ---- */

static void keep_stderr(void)
{
    term.kept_fd = memfd_create("stderr", MFD_CLOEXEC);
    term.stderr_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (term.kept_fd >= 0 && term.stderr_fd >= 0)
        dup2(term.kept_fd, STDERR_FILENO);
}

/* Safe in a signal handler. */
static void give_stderr_back(void)
{
    char bytes[4096];
    ssize_t n;

    if (term.stderr_fd < 0 || term.kept_fd < 0)
        return;
    dup2(term.stderr_fd, STDERR_FILENO);
    lseek(term.kept_fd, 0, SEEK_SET);
    while ((n = read(term.kept_fd, bytes, sizeof bytes)) > 0)
        if (write(STDERR_FILENO, bytes, (size_t)n) < 0)
            break;
    close(term.kept_fd);
    close(term.stderr_fd);
    term.kept_fd = term.stderr_fd = -1;
}

/* ---- open and close ---- */

static void start_colors(void)
{
    static const short color[] = { [AISP_TONE_GOOD] = COLOR_GREEN,
                                   [AISP_TONE_BAD] = COLOR_RED,
                                   [AISP_TONE_UNSURE] = COLOR_YELLOW,
                                   [AISP_TONE_ACCENT] = COLOR_CYAN };

    start_color();
    use_default_colors();
    for (short i = AISP_TONE_GOOD; i <= AISP_TONE_ACCENT; i++)
        init_pair(i, color[i], -1);
}

/* Asked for now: a signal handler may not look into the terminal's description. */
static void remember_restore(void)
{
    static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };

    for (int i = 0; i < 4; i++) {
        const char *text = tigetstr(names[i]);

        *term.restore[i] = '\0';
        if (text && text != (char *)-1 && strlen(text) < sizeof term.restore[i])
            strcpy(term.restore[i], text);
    }
}

enum aisp_status aisp_screen_open(const struct aisp_screen_options *options, struct aisp_err *err)
{
    const char *name = getenv("TERM"), *no = getenv("NO_COLOR"), *cup = NULL;

    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C");
    tcgetattr(STDIN_FILENO, &term.before);
    term.screen = newterm(NULL, stdout, stdin);
    if (term.screen)
        cup = tigetstr("cup");
    if (!cup || cup == (char *)-1) {
        aisp_screen_close();
        return aisp_fail(err, AISP_E_USAGE,
                         "the terminal \"%s\" cannot place its cursor; \"aisp bench tui --simple\" works on it",
                         name ? name : "");
    }
    remember_restore();
    keep_stderr();
    term.is_ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    term.has_color = has_colors() && !options->no_color && !(no && *no);
    if (term.has_color)
        start_colors();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    return AISP_OK;
}

void aisp_screen_close(void)
{
    if (!term.screen)
        return;
    endwin();
    delscreen(term.screen);
    term.screen = NULL;
    give_stderr_back();
}

void aisp_screen_abandon(void)
{
    if (!term.screen)
        return;
    term.screen = NULL;
    for (int i = 0; i < 4; i++)
        if (write(STDOUT_FILENO, term.restore[i], strlen(term.restore[i])) < 0)
            break;
    tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
    give_stderr_back();
}

/* ---- out ---- */

void aisp_screen_resize(void)
{
    struct winsize size;

    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
        resizeterm(size.ws_row, size.ws_col);
}

void aisp_screen_canvas(struct aisp_canvas *canvas)
{
    aisp_canvas_init(canvas, LINES, COLS, term.is_ascii);
}

static attr_t attributes(int style)
{
    const int tone = style & AISP_TONES;
    attr_t attr = (style & AISP_MARK_BOLD ? A_BOLD : 0) | (style & AISP_MARK_REVERSE ? A_REVERSE : 0);

    if (tone == AISP_TONE_DIM)
        attr |= A_DIM;
    else if (tone == AISP_TONE_BAD && !term.has_color)
        attr |= A_BOLD;
    return attr;
}

void aisp_screen_show(const struct aisp_canvas *canvas)
{
    for (int row = 0; row < canvas->rows; row++)
        for (int column = 0; column < canvas->columns; column++) {
            const struct aisp_cell *cell = &canvas->cell[row * canvas->columns + column];
            const int tone = cell->style & AISP_TONES;
            const wchar_t text[] = { (wchar_t)cell->character, L'\0' };
            cchar_t c;

            setcchar(&c, text, attributes(cell->style),
                     term.has_color && tone != AISP_TONE_DIM ? (short)tone : 0, NULL);
            mvadd_wch(row, column, &c);
        }
    refresh();
}

void aisp_screen_refresh(void)
{
    clearok(curscr, TRUE);
}

/* ---- in ---- */

int aisp_screen_key(void)
{
    static const struct { wint_t code; int key; } keys[] = {
        { KEY_UP, AISP_KEY_UP }, { KEY_DOWN, AISP_KEY_DOWN }, { KEY_LEFT, AISP_KEY_LEFT }, { KEY_RIGHT, AISP_KEY_RIGHT },
        { KEY_PPAGE, AISP_KEY_PAGE_UP }, { KEY_NPAGE, AISP_KEY_PAGE_DOWN }, { KEY_HOME, AISP_KEY_HOME },
        { KEY_END, AISP_KEY_END }, { KEY_DC, AISP_KEY_DELETE }, { KEY_BACKSPACE, AISP_KEY_BACKSPACE },
        { KEY_ENTER, AISP_KEY_ENTER },
    };
    wint_t code;
    int kind;

    while ((kind = get_wch(&code)) != ERR) {
        if (kind == OK)
            return code == '\r' ? AISP_KEY_ENTER : code == 8 ? AISP_KEY_BACKSPACE : (int)code;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (keys[i].code == code)
                return keys[i].key;
    }
    return -1;
}
