/* driver.c - tui-driver BUILD [--accept] SCRIPT: play a script against the program in an emulated terminal. Lines of a script:
 *   store                  the recorded runs, imported into ./artifacts of the test's own folder
 *   calibrated             a calibration of this machine in ./artifacts
 *   env NAME=VALUE         for the program; NAME= takes it away
 *   start ROWS COLUMNS WORD...   run the program "aisp" of the build, with the test's targets
 *   type TEXT              as it is      key NAME...      Enter Escape Tab Up Down Left Right PgUp PgDn Home End Del ^C ^L
 *   wait TEXT              until it is on the screen      gone TEXT      until it is not
 *   screen NAME            until the screen is as NAME.screen beside the script; --accept writes what stands there
 *   color yes|no           is any of what is there coloured?
 *   resize ROWS COLUMNS    signal NAME   hang up          the terminal goes away
 *   end CODE               until the program has ended so
 *   cooked                 the terminal is as a shell wants to find it
 * Nothing sleeps: every step waits for what it expects, and gives up after 100 s without it. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/store.h"
#include "terminal.h"

enum { PATIENCE_MS = 100000, SETTLED_MS = 400 };

struct play {
    struct terminal terminal;
    const char *build;
    char *folder;                            /* of the script */
    const char *script;
    bool accept;
    int line;
};

static _Noreturn void fail(struct play *p, const char *what, const char *detail)
{
    fprintf(stderr, "%s:%d: %s%s%s\n", p->script, p->line, what, *detail ? ": " : "", detail);
    if (p->terminal.vterm) {
        char *text = terminal_text(&p->terminal);

        fprintf(stderr, "---- the screen\n%s----\n", text);
        free(text);
    }
    terminal_stop(&p->terminal);
    exit(1);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- waiting ---- */

typedef bool condition(struct play *p, const char *text);

static bool has_text(struct play *p, const char *text)
{
    char *screen = terminal_text(&p->terminal);
    const bool has = strstr(screen, text);

    free(screen);
    return has;
}

static bool has_no_text(struct play *p, const char *text) { return !has_text(p, text); }

static bool is_screen(struct play *p, const char *expected)
{
    char *screen = terminal_text(&p->terminal);
    const bool is = !strcmp(screen, expected);

    free(screen);
    return is;
}

static bool has_ended(struct play *p, const char *text)
{
    (void)text;
    return terminal_has_ended(&p->terminal);
}

static bool has_color(struct play *p, const char *text)
{
    (void)text;
    return terminal_has_color(&p->terminal);
}

static bool wait_until(struct play *p, condition *holds, const char *text)
{
    const int64_t end = now_ms() + PATIENCE_MS;
    bool is_open = true;

    while (!holds(p, text)) {
        if (now_ms() > end)
            return false;
        is_open = is_open && terminal_read(&p->terminal, 50);
        if (!is_open)
            usleep(10000);                   /* its last words are read: only its end is waited for */
    }
    return true;
}

/* Until nothing comes for a while: to write down what is there. */
static void settle(struct play *p)
{
    int64_t quiet_since = now_ms();

    while (now_ms() - quiet_since < SETTLED_MS) {
        char *before = terminal_text(&p->terminal), *after;

        terminal_read(&p->terminal, 50);
        after = terminal_text(&p->terminal);
        if (strcmp(before, after))
            quiet_since = now_ms();
        free(before);
        free(after);
    }
}

/* ---- steps ---- */

static void step_store(struct play *p, char *rest)
{
    char *path = aisp_format("%s/../recorded/screen/store.jsonl", p->folder);
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_store *store = NULL;

    (void)rest;
    if (aisp_store_open(&store, "artifacts", true, &err) || aisp_store_import(store, path, &err))
        fail(p, "the recorded runs", err.text);
    aisp_store_close(store);
    free(path);
}

/* The one that the tests of the command line share. */
static void step_calibrated(struct play *p, char *rest)
{
    char *command = aisp_format("'%s/../cli/calibration' '%s' artifacts", p->folder, p->build);

    (void)rest;
    if (system(command))
        fail(p, "no calibration", command);
    free(command);
}

static void step_env(struct play *p, char *rest)
{
    char *value = strchr(rest, '=');

    if (!value)
        fail(p, "no NAME=VALUE", rest);
    *value++ = '\0';
    if (*value)
        setenv(rest, value, 1);
    else
        unsetenv(rest);
}

static void step_start(struct play *p, char *rest)
{
    char *program = aisp_format("%s/aisp", p->build), *targets = aisp_format("%s/tui-targets", p->build);
    char *argv[32] = { program };
    int rows, columns, used, n = 1;

    if (sscanf(rest, "%d %d %n", &rows, &columns, &used) != 2)
        fail(p, "no size", rest);
    for (char *word = strtok(rest + used, " "); word && n < 28; word = strtok(NULL, " "))
        argv[n++] = word;
    argv[n++] = "--bench-root";
    argv[n++] = targets;
    terminal_stop(&p->terminal);
    terminal_start(&p->terminal, rows, columns, argv);
    free(program);
    free(targets);
}

static void step_type(struct play *p, char *rest) { terminal_type(&p->terminal, rest); }

static void step_key(struct play *p, char *rest)
{
    static const struct { const char *name, *bytes; } keys[] = {
        { "Enter", "\r" }, { "Escape", "\033" }, { "Tab", "\t" }, { "Up", "\033OA" }, { "Down", "\033OB" },
        { "Right", "\033OC" }, { "Left", "\033OD" }, { "PgUp", "\033[5~" }, { "PgDn", "\033[6~" }, { "Home", "\033OH" },
        { "End", "\033OF" }, { "Del", "\033[3~" }, { "Backspace", "\177" }, { "^C", "\003" }, { "^L", "\014" },
    };

    for (char *name = strtok(rest, " "); name; name = strtok(NULL, " ")) {
        size_t i = 0;

        while (i < sizeof keys / sizeof *keys && strcmp(keys[i].name, name))
            i++;
        if (i == sizeof keys / sizeof *keys)
            fail(p, "no such key", name);
        terminal_type(&p->terminal, keys[i].bytes);
    }
}

static void step_wait(struct play *p, char *rest)
{
    if (!wait_until(p, has_text, rest))
        fail(p, "was not seen", rest);
}

static void step_gone(struct play *p, char *rest)
{
    if (!wait_until(p, has_no_text, rest))
        fail(p, "stays on the screen", rest);
}

static char *file_text(const char *path)
{
    struct aisp_buf text = AISP_BUF_INIT;
    FILE *f = fopen(path, "re");
    char bytes[4096];
    size_t n;

    while (f && (n = fread(bytes, 1, sizeof bytes, f)) > 0)
        aisp_buf_add(&text, bytes, n);
    if (f)
        fclose(f);
    return aisp_buf_detach(&text);
}

static void step_screen(struct play *p, char *rest)
{
    char *path = aisp_format("%s/%s.screen", p->folder, rest), *expected = file_text(path);

    if (p->accept) {
        FILE *f = fopen(path, "we");
        char *screen;

        settle(p);
        screen = terminal_text(&p->terminal);
        if (!f || fputs(screen, f) < 0 || fclose(f))
            fail(p, "cannot be written", path);
        free(screen);
    } else if (!wait_until(p, is_screen, expected)) {
        fprintf(stderr, "---- expected, from %s\n%s", path, expected);
        fail(p, "the screen differs from", path);
    }
    free(path);
    free(expected);
}

static void step_color(struct play *p, char *rest)
{
    const bool expected = !strcmp(rest, "yes");

    if (expected ? !wait_until(p, has_color, "") : terminal_has_color(&p->terminal))
        fail(p, "colour: expected", rest);
}

static void step_cooked(struct play *p, char *rest)
{
    (void)rest;
    if (!terminal_is_cooked(&p->terminal))
        fail(p, "the terminal was left without echo or lines", "");
}

static void step_resize(struct play *p, char *rest)
{
    int rows, columns;

    if (sscanf(rest, "%d %d", &rows, &columns) != 2)
        fail(p, "no size", rest);
    terminal_resize(&p->terminal, rows, columns);
}

static void step_signal(struct play *p, char *rest)
{
    static const struct { const char *name; int number; } signals[] = {
        { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "SEGV", SIGSEGV }, { "ABRT", SIGABRT },
    };

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!strcmp(signals[i].name, rest)) {
            kill(p->terminal.pid, signals[i].number);
            return;
        }
    fail(p, "no such signal", rest);
}

static void step_hang(struct play *p, char *rest)
{
    (void)rest;
    terminal_hang_up(&p->terminal);
}

static void step_end(struct play *p, char *rest)
{
    const int expected = atoi(rest);
    char text[40];
    int code;

    if (!wait_until(p, has_ended, ""))
        fail(p, "it has not ended", "");
    code = WIFEXITED(p->terminal.status) ? WEXITSTATUS(p->terminal.status) : 128 + WTERMSIG(p->terminal.status);
    snprintf(text, sizeof text, "%d instead of %d", code, expected);
    if (code != expected)
        fail(p, "ended with", text);
}

static const struct { const char *name; void (*does)(struct play *p, char *rest); } steps[] = {
    { "store", step_store }, { "calibrated", step_calibrated }, { "env", step_env }, { "start", step_start },
    { "type", step_type }, { "key", step_key },
    { "wait", step_wait }, { "gone", step_gone }, { "screen", step_screen }, { "color", step_color }, { "resize", step_resize },
    { "signal", step_signal }, { "hang", step_hang }, { "end", step_end }, { "cooked", step_cooked },
};

static void play_line(struct play *p, char *line)
{
    char *rest = line + strcspn(line, " ");
    size_t i = 0;

    if (*rest)
        *rest++ = '\0';
    while (i < sizeof steps / sizeof *steps && strcmp(steps[i].name, line))
        i++;
    if (i == sizeof steps / sizeof *steps)
        fail(p, "no such step", line);
    steps[i].does(p, rest);
}

static void play_all(struct play *p)
{
    char line[400];
    FILE *f = fopen(p->script, "re");

    if (!f)
        fail(p, "cannot be read", strerror(errno));
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        p->line++;
        if (*line && *line != '#')
            play_line(p, line);
    }
    fclose(f);
    terminal_stop(&p->terminal);
}

int main(int argc, char **argv)
{
    struct play p = { .terminal = { .fd = -1 }, .accept = argc == 4 && !strcmp(argv[2], "--accept") };
    char folder[] = "/tmp/aisp-tui-XXXXXX", *script;

    if (argc != 3 && !p.accept) {
        fprintf(stderr, "usage: tui-driver BUILD [--accept] SCRIPT\n");
        return 2;
    }
    p.build = realpath(argv[1], NULL);
    p.script = realpath(argv[argc - 1], NULL);
    if (!p.build || !p.script || !mkdtemp(folder) || chdir(folder)) {
        perror("tui-driver");
        return 99;
    }
    script = aisp_xstrdup(p.script);
    p.folder = dirname(script);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    unsetenv("AISP_STORE");
    setenv("ASAN_OPTIONS", "handle_segv=0", 0);    /* in a build that has it, our handler is the one to be seen */
    play_all(&p);
    return execlp("rm", "rm", "-rf", folder, (char *)NULL);
}
