/* command.c - the table as a whole, and what all commands share.
 * Not here: any command. */
#include "commands/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/place.h"

static int by_path(const void *a, const void *b)
{
    return strcmp((*(const struct aisp_command *const *)a)->path,
                  (*(const struct aisp_command *const *)b)->path);
}

const struct aisp_command **aisp_commands_sorted(size_t *n)
{
    const struct aisp_command **all = NULL;
    size_t cap = 0;

    *n = 0;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    *(const struct aisp_command **)aisp_grow(&all, n, &cap, sizeof *all) = c;
    if (*n)
        qsort(all, *n, sizeof *all, by_path);
    return all;
}

enum aisp_exit aisp_exit_of(enum aisp_status status)
{
    switch (status) {
    case AISP_OK:
        return AISP_EXIT_OK;
    case AISP_E_USAGE:
    case AISP_E_NOT_FOUND:
    case AISP_E_NO_MEMORY:
    case AISP_E_REFUSED:
        return AISP_EXIT_USAGE;
    case AISP_E_DEVICE:
    case AISP_E_IO:
        return AISP_EXIT_STORE;
    case AISP_E_WORKER:
        return AISP_EXIT_INVALID;
    case AISP_E_UNAVAILABLE:
        return AISP_EXIT_NOTHING;
    case AISP_E_INTERRUPTED:
        return AISP_EXIT_INTERRUPTED;
    case AISP_N_STATUS:
        break;
    }
    return AISP_EXIT_BUG;
}

enum aisp_status aisp_command_run(const struct aisp_args *args, const struct aisp_console *console,
                                  json_t **value, int *exit_code, struct aisp_err *err)
{
    char *beside = aisp_place_beside("targets");
    const char *given = aisp_args_text(args, "bench-root"), *root = given ? given : beside;
    char *whole = realpath(root, NULL); /* a worker looks at it from another folder */
    const struct aisp_request request = {
        .args = args,
        .bench_root = whole ? whole : root,
        .artifacts_dir = aisp_args_text(args, "artifacts-dir"),
        .console = console,
        .err = err,
    };
    enum aisp_status st;

    *value = NULL;
    *exit_code = AISP_EXIT_OK;
    st = args->command->run(&request, value, exit_code);
    if (st)
        *exit_code = aisp_exit_of(st);
    free(whole);
    free(beside);
    return st;
}

void aisp_command_text(const struct aisp_args *args, const json_t *value, const struct aisp_style *style,
                       struct aisp_buf *out)
{
    char *text;

    if (!aisp_args_flag(args, "json")) {
        if (args->command->render)
            args->command->render(value, style, out);
        return;
    }
    text = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9) | JSON_ENCODE_ANY);
    if (!text)
        AISP_BUG("a value of \"%s\" that is no JSON", args->command->path);
    aisp_buf_printf(out, "%s\n", text);
    free(text);
}

void aisp_note(const struct aisp_request *request, const char *format, ...)
{
    struct aisp_buf line = AISP_BUF_INIT;
    va_list args;

    if (!request->console || !request->console->note)
        return;
    va_start(args, format);
    aisp_buf_vprintf(&line, format, args);
    va_end(args);
    request->console->note(request->console->context, line.s);
    aisp_buf_release(&line);
}

/* Characters, not bytes: what a terminal shows. */
static int shown(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

void aisp_paint(struct aisp_buf *out, const struct aisp_style *style, const char *paint, int width,
                const char *text)
{
    const bool color = style->color && paint;
    const int pad = (width < 0 ? -width : width) - shown(text);

    if (width < 0 && pad > 0)
        aisp_buf_printf(out, "%*s", pad, "");
    if (color)
        aisp_buf_printf(out, "\033[%sm", paint);
    aisp_buf_puts(out, text);
    if (color)
        aisp_buf_puts(out, "\033[0m");
    if (width > 0 && pad > 0)
        aisp_buf_printf(out, "%*s", pad, "");
}

/* Levenshtein's distance; the row is the caller's, of strlen(b) + 1. */
static size_t distance(const char *a, const char *b, size_t *row)
{
    const size_t n = strlen(b);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t j = 1; j <= n; j++) {
            const size_t above = row[j];
            size_t best = corner + (a[i] != b[j - 1]);

            best = above + 1 < best ? above + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            corner = above;
            row[j] = best;
        }
    }
    return row[n];
}

const char *aisp_nearest(const char *name, const char *const *known, size_t n)
{
    const char *nearest = NULL;
    size_t least = strlen(name) / 3 + 2;

    for (size_t i = 0; i < n; i++) {
        size_t *row = aisp_xcalloc(strlen(known[i]) + 1, sizeof *row);
        const size_t d = distance(name, known[i], row);

        if (d < least) {
            least = d;
            nearest = known[i];
        }
        free(row);
    }
    return nearest;
}
