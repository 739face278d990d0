/* tui.c - `bench tui`: a screen over the command table. Waits for keys, signals and commands, and draws.
 * Not here: the views (app.h, views/), the terminal (screen.h), the menus of --simple (simple.c). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "commands/command.h"
#include "tui/app.h"
#include "tui/screen.h"
#include "tui/simple.h"

enum { CTRL_L = 12 };

/* ---- signals ---- */

/* Those that ask come through a pipe into the loop; those that end everything restore the terminal first. */
static const int asking[] = { SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int fatal[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
enum { ASKING = sizeof asking / sizeof *asking, FATAL = sizeof fatal / sizeof *fatal };

static int signal_pipe[2] = { -1, -1 };
static struct sigaction before_asking[ASKING], before_fatal[FATAL];

static void on_asking(int number)
{
    const unsigned char byte = (unsigned char)number;
    const int saved = errno;

    if (write(signal_pipe[1], &byte, 1) < 0)
        errno = saved;                       /* full of older ones: they will do */
    errno = saved;
}

static void on_fatal(int number)
{
    aisp_screen_abandon();
    for (int i = 0; i < FATAL; i++)
        sigaction(fatal[i], &before_fatal[i], NULL);
    raise(number);
}

static enum aisp_status watch_signals(struct aisp_err *err)
{
    struct sigaction ask = { .sa_handler = on_asking }, end = { .sa_handler = on_fatal };

    if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK))
        return aisp_fail_errno(err, AISP_E_IO, "no pipe for signals");
    for (int i = 0; i < ASKING; i++)
        sigaction(asking[i], &ask, &before_asking[i]);
    for (int i = 0; i < FATAL; i++)
        sigaction(fatal[i], &end, &before_fatal[i]);
    return AISP_OK;
}

static void forget_signals(void)
{
    for (int i = 0; i < ASKING; i++)
        sigaction(asking[i], &before_asking[i], NULL);
    for (int i = 0; i < FATAL; i++)
        sigaction(fatal[i], &before_fatal[i], NULL);
    close(signal_pipe[0]);
    close(signal_pipe[1]);
}

/* ---- the loop ---- */

enum ended { NOT_YET, BY_KEY, BY_SIGNAL, BY_HANGUP };

static enum ended take_signals(struct aisp_app *app)
{
    unsigned char number;

    while (read(signal_pipe[0], &number, 1) == 1) {
        if (number == SIGWINCH)
            aisp_screen_resize();
        else if (number == SIGINT)
            aisp_app_key(app, AISP_KEY_INTERRUPT);
        else
            return number == SIGHUP ? BY_HANGUP : BY_SIGNAL;
    }
    return NOT_YET;
}

static void take_keys(struct aisp_app *app)
{
    int key;

    while (!app->wants_end && (key = aisp_screen_key()) >= 0) {
        if (key == CTRL_L)
            aisp_screen_refresh();
        else
            aisp_app_key(app, key);
        aisp_app_start(app);
    }
}

static void draw(struct aisp_app *app)
{
    struct aisp_canvas canvas;

    aisp_screen_canvas(&canvas);
    aisp_app_draw(app, &canvas);
    aisp_screen_show(&canvas);
    aisp_canvas_release(&canvas);
}

static enum ended loop(struct aisp_app *app)
{
    enum { FIXED = 2, MOST = FIXED + 2 * (AISP_ROOTS + AISP_STACK) };
    enum ended ended = NOT_YET;

    while (!ended) {
        struct pollfd fd[MOST] = { { STDIN_FILENO, POLLIN, 0 }, { signal_pipe[0], POLLIN, 0 } };
        int n;

        aisp_app_start(app);
        draw(app);
        n = FIXED + aisp_app_fds(app, fd + FIXED, MOST - FIXED);
        if (poll(fd, (nfds_t)n, -1) < 0 && errno != EINTR)
            return BY_HANGUP;
        ended = take_signals(app);
        if (fd[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            ended = BY_HANGUP;
        if (ended)
            break;
        take_keys(app);
        aisp_app_hear(app);
        if (app->wants_end)
            ended = BY_KEY;
    }
    return ended;
}

static enum aisp_status run_screen(const struct aisp_request *request, const struct aisp_words *common, enum ended *ended)
{
    const struct aisp_screen_options options = { aisp_args_flag(request->args, "no-color"),
                                                 aisp_args_flag(request->args, "ascii") };
    struct aisp_app app;
    enum aisp_status st = watch_signals(request->err);

    if (st)
        return st;
    AISP_TRY(aisp_screen_open(&options, request->err));
    aisp_app_init(&app, common);
    *ended = loop(&app);
    aisp_screen_close();
    if (aisp_app_is_running(&app))
        aisp_note(request, "stopping what still runs; its record is kept ...");
    aisp_app_release(&app);
out:
    forget_signals();
    return st;
}

/* ---- the command ---- */

static void collect_common(const struct aisp_request *request, struct aisp_words *common)
{
    aisp_words_add(common, "--artifacts-dir");
    aisp_words_add(common, request->artifacts_dir);
    if (!aisp_args_given(request->args, "bench-root"))
        return;
    aisp_words_add(common, "--bench-root");
    aisp_words_add(common, request->bench_root);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const bool is_simple = aisp_args_flag(request->args, "simple");
    struct aisp_words common = AISP_WORDS_INIT;
    enum ended ended = BY_KEY;
    enum aisp_status st;

    (void)exit_code;
    if (!is_simple && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "input or output is not a terminal; \"aisp bench tui --simple\" works without one");
    collect_common(request, &common);
    st = is_simple ? aisp_simple_run(&common, request->console ? request->console->stop : NULL, request->err)
                   : run_screen(request, &common, &ended);
    aisp_words_release(&common);
    if (!st && ended != BY_KEY)
        st = aisp_fail(request->err, AISP_E_INTERRUPTED, ended == BY_HANGUP ? "the terminal is gone" : "interrupted");
    if (!st)
        *value = json_pack("{s:b}", "simple", is_simple);
    return st;
}

static const struct aisp_option options[] = {
    { "simple", 0, AISP_OPT_FLAG, .help = "Numbered menus on plain input and output" },
    { "ascii", 0, AISP_OPT_FLAG, .help = "ASCII only, also if the terminal could show more" },
    { 0 },
};

AISP_COMMAND(bench_tui) = {
    .path = "bench tui",
    .sentence = "Browse targets and runs, measure and compare, on a full screen or by menus",
    .example = "aisp bench tui\naisp bench tui --simple",
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_RUNS_CODE | AISP_CMD_TERMINAL,
    .run = run,
};
