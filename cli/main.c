/* main.c - the program `aisp`: arguments in, text or JSON out, an exit code.
 * Not here: what can be asked (the table in commands/). Only this file prints and exits.
 * Why abort() becomes exit code 70: a mistake of ours must never look like a result; AISP_BUG()
 * and failed assertions end that way. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands/command.h"

static volatile int stop;

static void on_interrupt(int number)
{
    (void)number;
    /* The second one means it: what was finished is in the store already. */
    if (stop)
        _exit(AISP_EXIT_INTERRUPTED);
    stop = 1;
}

static void on_abort(int number)
{
    (void)number;
    _exit(AISP_EXIT_BUG);
}

static void watch_signals(void)
{
    struct sigaction interrupt = { .sa_handler = on_interrupt }, bug = { .sa_handler = on_abort };

    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    sigaction(SIGABRT, &bug, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* The line of progress that stands on the terminal must go before anything else is written
 * there. */
static bool has_progress;

static void clear_progress(void)
{
    if (has_progress)
        fputs("\r\033[K", stderr);
    has_progress = false;
}

static void note(void *context, const char *line)
{
    (void)context;
    clear_progress();
    fprintf(stderr, "%s\n", line);
}

static void progress(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "\r\033[K%.79s", line);
    fflush(stderr);
    has_progress = true;
}

static bool is_cut_off; /* a part of the answer could not be written */

static void answer_line(void *context, const char *line)
{
    (void)context;
    clear_progress();
    is_cut_off |= printf("%s\n", line) < 0 || fflush(stdout);
}

static bool wants_color(const struct aisp_args *args)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") &&
           !aisp_args_flag(args, "no-color");
}

static int columns(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 80 ? size.ws_col : 80;
}

/* A full disk or a closed pipe must not look like success. */
static int put(const char *text)
{
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "aisp: writing the output: %s\n", strerror(errno));
    return AISP_EXIT_STORE;
}

static int show_help(const struct aisp_command *command, const char *topic)
{
    struct aisp_buf out = AISP_BUF_INIT;
    int rc;

    if (command)
        aisp_help_command(command, &out);
    else
        aisp_help_topic(topic, &out);
    rc = put(out.s);
    aisp_buf_release(&out);
    return rc;
}

static int show(const struct aisp_args *args, const json_t *value)
{
    const struct aisp_style style = { wants_color(args), columns() };
    struct aisp_buf out = AISP_BUF_INIT;
    int rc = 0;

    aisp_command_text(args, value, &style, &out);
    if (out.s)
        rc = put(out.s);
    aisp_buf_release(&out);
    return rc;
}

static void show_error(const struct aisp_args *args, const struct aisp_err *err, int exit_code)
{
    clear_progress();
    fprintf(stderr, "aisp: %s\n", err->text);
    if (args->command && aisp_args_flag(args, "json"))
        printf("{\"error\": \"%s\", \"exit\": %d}\n", aisp_status_name(err->status), exit_code);
}

static int run(const struct aisp_args *args)
{
    const struct aisp_console console = { note, isatty(STDERR_FILENO) ? progress : NULL, NULL, &stop,
                                          aisp_args_flag(args, "json") ? NULL : answer_line, NULL };
    struct aisp_err err = { AISP_OK, "" };
    json_t *value = NULL;
    int exit_code, rc;

    if (aisp_command_run(args, &console, &value, &exit_code, &err)) {
        show_error(args, &err, exit_code);
        return exit_code;
    }
    clear_progress();
    rc = show(args, value);
    json_decref(value);
    if (is_cut_off && !rc) {
        fprintf(stderr, "aisp: writing the output failed\n");
        rc = AISP_EXIT_STORE;
    }
    return rc ? rc : exit_code;
}

int main(int argc, char **argv)
{
    struct aisp_args args;
    struct aisp_err err = { AISP_OK, "" };
    const char *topic;
    int rc;

    watch_signals();
    if (aisp_args_parse(&args, argc - 1, (const char *const *)argv + 1, &topic, &err)) {
        fprintf(stderr, "aisp: %s\n", err.text);
        rc = AISP_EXIT_USAGE;
    } else if (!args.command || aisp_args_flag(&args, "help"))
        rc = show_help(args.command, topic);
    else
        rc = run(&args);
    aisp_args_release(&args);
    return rc;
}
