/* simple.c - menus: a question, numbered answers, the text of the command.
 * Not here: what the commands say. Everything printed comes from their text or from the fields that a menu lists. */
#include "tui/simple.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/json.h"
#include "tui/list.h"
#include "tui/results.h"
#include "tui/view.h"

enum { PAGE = 20, COLUMNS = 80 };

struct simple {
    const struct aisp_words *common;
    const volatile int *stop;
    bool has_ended;                          /* no more input */
};

static bool is_over(const struct simple *s)
{
    return s->has_ended || (s->stop && *s->stop);
}

/* ---- input ---- */

/* A line without its end; false at the end of the input or after an interrupt. */
static bool ask(struct simple *s, const char *prompt, char *line, size_t size)
{
    printf("%s> ", prompt);
    fflush(stdout);
    *line = '\0';
    if (is_over(s) || !fgets(line, (int)size, stdin)) {
        s->has_ended = true;
        printf("\n");
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    if (!isatty(STDIN_FILENO))               /* nobody has typed it there: a log reads better with it */
        printf("%s\n", line);
    return true;
}

/* ---- commands ---- */

static void hear(void *context, enum aisp_job_says says, const char *text, const json_t *event)
{
    (void)context;
    (void)event;
    if (says == AISP_JOB_NOTE || says == AISP_JOB_LINE)
        printf("%s\n", text);
    else if (says == AISP_JOB_PROGRESS && isatty(STDOUT_FILENO))
        printf("\r%-79.79s", text);
    fflush(stdout);
}

static void wait_for(struct simple *s, struct aisp_job *job)
{
    bool was_stopped = false;

    while (!aisp_job_read(job, hear, NULL)) {
        struct pollfd fd[] = { { job->fd, POLLIN, 0 }, { job->stray_fd, POLLIN, 0 } };

        if (s->stop && *s->stop && !was_stopped) {
            aisp_job_stop(job);
            was_stopped = true;
        }
        poll(fd, 2, 200);                    /* an interrupt may come between the question and the wait */
    }
}

/* Run it; the answer is the job's, which the caller releases. */
static bool run(struct simple *s, struct aisp_job *job, int wants, const char *const *word)
{
    struct aisp_words asked = AISP_WORDS_INIT, words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    enum aisp_status st;

    aisp_words_add_all(&asked, word);
    aisp_words_add_common(&words, &asked, s->common);
    st = aisp_job_start(job, &words, wants, COLUMNS, &err);
    aisp_words_release(&words);
    aisp_words_release(&asked);
    if (st) {
        printf("aisp: %s\n", err.text);
        return false;
    }
    wait_for(s, job);
    if (job->answer.error)
        printf("aisp: %s\n", job->answer.error);
    return !job->answer.error;
}

static void show(struct simple *s, const char *const *word)
{
    struct aisp_job job = AISP_JOB_INIT;

    printf("\n");
    if (run(s, &job, AISP_JOB_WANTS_TEXT, word) && job.answer.text)
        printf("%s", job.answer.text);
    if (job.answer.exit_code && !job.answer.error)
        printf("exit code %d\n", job.answer.exit_code);
    aisp_job_release(&job);
}

/* The value's array; the job holds it. */
static const json_t *rows_of(struct simple *s, struct aisp_job *job, const char *key, const char *const *word)
{
    return run(s, job, AISP_JOB_WANTS_VALUE, word) ? json_object_get(job->answer.value, key) : NULL;
}

/* ---- menus ---- */

typedef void put_row(struct aisp_buf *out, const json_t *row);

static void print_row(size_t i, const json_t *row, put_row *put, const char *query, size_t *n_printed)
{
    struct aisp_buf text = AISP_BUF_INIT;

    put(&text, row);
    if (aisp_text_has(text.s ? text.s : "", query)) {
        printf("%4zu  %.*s\n", i + 1, COLUMNS - 6, text.s ? text.s : "");
        ++*n_printed;
    }
    aisp_buf_release(&text);
}

/* Number them, a page at a time, or those that have the text behind "/"; NULL: none was chosen. */
static const json_t *choose(struct simple *s, const char *what, const json_t *rows, put_row *put)
{
    const size_t n = json_array_size(rows);
    char line[200], query[200] = "";
    size_t from = 0;

    while (n && !is_over(s)) {
        char *prompt = aisp_format("%s: a number, /text, 0 to go back", what);
        size_t n_printed = 0, number;
        bool has_line;

        for (; from < n && n_printed < PAGE; from++)
            print_row(from, json_array_get(rows, from), put, query, &n_printed);
        if (from < n)
            printf("      Enter shows more\n");
        has_line = ask(s, prompt, line, sizeof line);
        free(prompt);
        if (!has_line || !strcmp(line, "0") || (!*line && from >= n))
            return NULL;
        number = strtoul(line, NULL, 10);
        if (number >= 1 && number <= n)
            return json_array_get(rows, number - 1);
        if (*line == '/')
            snprintf(query, sizeof query, "%s", line + 1);
        else if (*line)
            printf("\"%s\" is no number from 1 to %zu\n", line, n);
        from = *line ? 0 : from;
    }
    if (!n)
        printf("there are none\n");
    return NULL;
}

static void put_target(struct aisp_buf *out, const json_t *row)
{
    aisp_buf_printf(out, "%-28s %s", aisp_json_text(row, "target"), aisp_json_text(row, "title"));
}

static void put_run(struct aisp_buf *out, const json_t *row)
{
    aisp_buf_printf(out, "%-24s ", aisp_json_text(row, "run"));
    aisp_tui_put_date(out, row, "started");
    aisp_buf_printf(out, "  %lld results%s", (long long)json_integer_value(json_object_get(row, "n_results")),
                    json_is_true(json_object_get(row, "complete")) ? "" : ", incomplete");
}

static void put_result(struct aisp_buf *out, const json_t *row)
{
    struct aisp_buf name = AISP_BUF_INIT;

    aisp_tui_put_comparison(&name, row);
    aisp_buf_printf(out, "%-36.36s %-8s ", name.s, aisp_json_text(row, "verdict"));
    aisp_tui_put_ratio(out, row);
    aisp_buf_release(&name);
}

static void targets(struct simple *s)
{
    static const char *const list[] = { "bench", "list-targets", "--long", NULL };
    struct aisp_job job = AISP_JOB_INIT;
    const json_t *picked = choose(s, "target", rows_of(s, &job, "targets", list), put_target);
    const char *target = aisp_json_text(picked, "target");
    char line[200];

    if (picked && ask(s, " 1  show it\n 2  run it quickly\n 3  run it in full\n 0  back\n", line, sizeof line)) {
        if (!strcmp(line, "1"))
            show(s, (const char *const[]){ "bench", "show", target, NULL });
        else if (!strcmp(line, "2"))
            show(s, (const char *const[]){ "bench", "run", "-t", target, "--quick", NULL });
        else if (!strcmp(line, "3"))
            show(s, (const char *const[]){ "bench", "run", "-t", target, NULL });
    }
    aisp_job_release(&job);
}

/* Caller frees; NULL: none. */
static char *choose_run(struct simple *s, const char *what)
{
    static const char *const list[] = { "bench", "list-runs", "--limit", "1000", NULL };
    struct aisp_job job = AISP_JOB_INIT;
    const json_t *picked = choose(s, what, rows_of(s, &job, "runs", list), put_run);
    char *run = picked ? aisp_xstrdup(aisp_json_text(picked, "run")) : NULL;

    aisp_job_release(&job);
    return run;
}

static void runs(struct simple *s)
{
    struct aisp_job job = AISP_JOB_INIT;
    char *run_id = choose_run(s, "run");
    const json_t *results, *picked;

    if (run_id) {
        show(s, (const char *const[]){ "bench", "show-run", run_id, NULL });
        results = rows_of(s, &job, "results", (const char *const[]){ "bench", "show-run", run_id, NULL });
        picked = choose(s, "result", results, put_result);
        if (picked)
            show(s, (const char *const[]){ "bench", "show-run", run_id, "--result", aisp_json_text(picked, "key"), NULL });
    }
    aisp_job_release(&job);
    free(run_id);
}

static void compare(struct simple *s)
{
    char *a, *b = NULL;

    if (!aisp_tui_command("bench compare-runs")) {
        printf("this build has no \"aisp bench compare-runs\"\n");
        return;
    }
    a = choose_run(s, "the older run");
    if (a)
        b = choose_run(s, "the newer run");
    if (b)
        show(s, (const char *const[]){ "bench", "compare-runs", a, b, NULL });
    free(a);
    free(b);
}

/* Words typed behind those that are given. */
static void show_line(struct simple *s, const char *before, const char *line)
{
    struct aisp_words words = AISP_WORDS_INIT;

    aisp_words_split(&words, before);
    aisp_words_split(&words, line);
    *(char **)aisp_grow(&words.word, &words.n, &words.cap, sizeof *words.word) = NULL;
    if (words.n > 1)
        show(s, (const char *const *)words.word);
    words.n--;
    aisp_words_release(&words);
}

static void whatif(struct simple *s)
{
    char line[400];

    if (!aisp_tui_command("bench whatif")) {
        printf("this build has no \"aisp bench whatif\"\n");
        return;
    }
    show_line(s, "bench whatif --help", "");
    if (ask(s, "options, or Enter for none", line, sizeof line))
        show_line(s, "bench whatif", line);
}

static void any(struct simple *s)
{
    char line[400];

    if (ask(s, "command, as behind \"aisp\"", line, sizeof line))
        show_line(s, "", line);
}

enum aisp_status aisp_simple_run(const struct aisp_words *common, const volatile int *stop, struct aisp_err *err)
{
    static void (*const does[])(struct simple *s) = { targets, runs, compare, whatif, any };
    struct simple s = { common, stop, false };
    char line[200];

    while (
        ask(&s, "\n 1  targets\n 2  runs\n 3  compare two runs\n 4  what-if\n 5  any command\n 0  end\n", line, sizeof line)) {
        const unsigned long number = strtoul(line, NULL, 10);

        if (!strcmp(line, "0") || !strcmp(line, "q"))
            break;
        if (number >= 1 && number <= sizeof does / sizeof *does)
            does[number - 1](&s);
        else
            printf("\"%s\" is no number from 0 to 5\n", line);
    }
    if (stop && *stop)
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    return AISP_OK;
}
