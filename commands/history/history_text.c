/* history_text.c - series as a line of blocks, their changes, and the newest runs.
 * Not here: the numbers (bench_history.c). */
#include "commands/history/history_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/json.h"
#include "core/stats/stats.h"

enum { COLUMNS = 72, SHOWN_RUNS = 10 };

static void put_date(struct aisp_buf *out, const json_t *object, const char *key)
{
    const time_t at = (time_t)json_integer_value(json_object_get(object, key));
    struct tm tm;
    char text[24];

    gmtime_r(&at, &tm);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm);
    aisp_buf_puts(out, text);
}

static void put_ratio(struct aisp_buf *out, double ratio, double lo, double hi)
{
    const int digits = ratio < 10 ? 3 : ratio < 100 ? 2 : 1;

    if (!isfinite(ratio))
        aisp_buf_puts(out, "withheld");
    else if (!isfinite(lo) || !isfinite(hi))
        aisp_buf_printf(out, "%.*f", digits, ratio);
    else
        aisp_buf_printf(out, "%.*f [%.*f, %.*f]", digits, ratio, digits, lo, digits, hi);
}

/* ---- the line of blocks ---- */

static double median_of(const double *x, size_t n)
{
    double *known = aisp_xcalloc(n + 1, sizeof *known), median = NAN;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i]))
            known[n_known++] = x[i];
    if (n_known)
        aisp_median(known, n_known, &median, NULL);
    free(known);
    return median;
}

size_t aisp_sparkline(const double *x, size_t n, size_t columns, struct aisp_buf *out)
{
    static const char *const blocks[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
    const size_t n_columns = n < columns ? n : columns;
    double *column = aisp_xcalloc(n_columns + 1, sizeof *column), least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < n_columns; i++) {
        const size_t from = i * n / n_columns, to = (i + 1) * n / n_columns;

        column[i] = median_of(x + from, to - from);
        least = fmin(least, column[i]); /* fmin and fmax pass over what is NaN */
        most = fmax(most, column[i]);
    }
    for (size_t i = 0; i < n_columns; i++)
        if (!isfinite(column[i]))
            aisp_buf_puts(out, " ");
        else
            aisp_buf_puts(out, blocks[most > least ? (size_t)(7.999 * (column[i] - least) / (most - least)) : 3]);
    free(column);
    return n_columns;
}

static void put_line(const json_t *series, struct aisp_buf *out)
{
    const json_t *runs = json_object_get(series, "runs"), *changes = json_object_get(series, "changes"), *item;
    const size_t n = json_array_size(runs);
    double *x = aisp_xcalloc(n + 1, sizeof *x);
    char marks[COLUMNS + 1];
    size_t i, columns;

    json_array_foreach(runs, i, item) x[i] = log(aisp_json_number(item, "ratio"));
    aisp_buf_puts(out, "  ");
    columns = aisp_sparkline(x, n, COLUMNS, out);
    aisp_buf_puts(out, "\n");
    free(x);
    if (!json_array_size(changes))
        return;
    memset(marks, ' ', sizeof marks);
    marks[columns] = '\0';
    json_array_foreach(changes, i, item) marks[(size_t)json_integer_value(json_object_get(item, "index")) * columns / n] = '^';
    columns = strlen(marks);
    while (columns && marks[columns - 1] == ' ')
        marks[--columns] = '\0';
    aisp_buf_printf(out, "  %s\n", marks);
}

/* ---- changes and runs ---- */

static void put_commit(struct aisp_buf *out, const json_t *git)
{
    const char *commit = aisp_json_text(git, "commit");

    aisp_buf_printf(out, "%.10s%s", *commit ? commit : "unknown", json_is_true(json_object_get(git, "dirty")) ? "+" : "");
}

static void put_change(const json_t *change, const struct aisp_style *style, struct aisp_buf *out)
{
    const double percent = aisp_json_number(change, "percent");
    char *size =
        aisp_format("%+.2f %% [%+.2f, %+.2f]", percent, aisp_json_number(change, "lo95_percent"), aisp_json_number(change, "hi95_percent"));

    aisp_buf_puts(out, "  ^ ");
    put_date(out, change, "at");
    aisp_buf_puts(out, "  ");
    aisp_paint(out, style, percent < 0 ? AISP_PAINT_RED : AISP_PAINT_GREEN, 0, size);
    aisp_buf_printf(out, "  p %.3f\n      run %s", aisp_json_number(change, "p"), aisp_json_text(change, "run"));
    if (!strcmp(aisp_json_text(change, "first_run"), aisp_json_text(change, "last_run")))
        aisp_buf_puts(out, " (95 %: no other)\n");
    else
        aisp_buf_printf(out, " (95 %%: %s\n      to %s)\n", aisp_json_text(change, "first_run"), aisp_json_text(change, "last_run"));
    aisp_buf_puts(out, "      commit ");
    put_commit(out, json_object_get(change, "git"));
    aisp_buf_puts(out, ", before ");
    put_commit(out, json_object_get(change, "git_before"));
    aisp_buf_puts(out, "\n");
    free(size);
}

static void put_runs(const json_t *series, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *runs = json_object_get(series, "runs");
    const size_t n = json_array_size(runs), from = n > SHOWN_RUNS ? n - SHOWN_RUNS : 0;

    for (size_t i = from; i < n; i++) {
        const json_t *run = json_array_get(runs, i);
        const char *verdict = aisp_json_text(run, "verdict");
        struct aisp_buf ratio = AISP_BUF_INIT;

        put_ratio(&ratio, aisp_json_number(run, "ratio"), aisp_json_number(run, "lo95"), aisp_json_number(run, "hi95"));
        aisp_buf_puts(out, "  ");
        put_date(out, run, "at");
        aisp_buf_printf(out, "  %-24s ", ratio.s);
        aisp_paint(out, style,
                   !strcmp(verdict, "FASTER")   ? AISP_PAINT_GREEN
                   : !strcmp(verdict, "SLOWER") ? AISP_PAINT_RED
                                                : NULL,
                   9, verdict);
        aisp_buf_printf(out, " %s\n", aisp_json_text(run, "grade"));
        aisp_buf_release(&ratio);
    }
    if (from)
        aisp_buf_printf(out, "  the newest %d of %zu runs; --json has all\n", SHOWN_RUNS, n);
}

static void put_level(const json_t *series, struct aisp_buf *out)
{
    const json_t *level = json_object_get(series, "level"), *noise = json_object_get(series, "noise");
    const size_t n_changes = json_array_size(json_object_get(series, "changes"));

    if (json_is_number(json_object_get(level, "ratio"))) {
        aisp_buf_printf(out, "  level %s ", n_changes ? "since the last change" : "of all runs");
        put_ratio(out, aisp_json_number(level, "ratio"), aisp_json_number(level, "lo95"), aisp_json_number(level, "hi95"));
        aisp_buf_puts(out, "; ");
    } else {
        aisp_buf_puts(out, "  no run has a ratio with an interval; ");
    }
    aisp_buf_printf(out, "%zu change%s\n", n_changes, n_changes == 1 ? "" : "s");
    if (json_is_true(json_object_get(noise, "is_learned")))
        aisp_buf_printf(out, "  between runs %.2f %% beyond their intervals (95 %%: at most %.2f %%), of %lld runs\n",
                        aisp_json_number(noise, "percent"), aisp_json_number(noise, "high_percent"),
                        (long long)json_integer_value(json_object_get(noise, "n_runs")));
    else
        aisp_buf_puts(out, "  noise between runs: not learned, fewer than 10 runs have an interval\n");
}

static void put_series(const json_t *series, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *runs = json_object_get(series, "runs"), *change;
    const size_t n = json_array_size(runs);
    const long long n_older = (long long)json_integer_value(json_object_get(series, "n_older"));
    char *name = aisp_format("%s/%s", aisp_json_text(series, "target"), aisp_json_text(series, "variant"));
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, name);
    aisp_buf_printf(out, " against %s\n  %s, %s size, goal %s; %s\n  %zu run%s, ", aisp_json_text(series, "reference"),
                    aisp_json_text(series, "device"), aisp_json_text(series, "size"), aisp_json_text(series, "goal"),
                    aisp_json_text(series, "hardware"), n, n == 1 ? "" : "s");
    put_date(out, json_array_get(runs, 0), "at");
    aisp_buf_puts(out, " to ");
    put_date(out, json_array_get(runs, n - 1), "at");
    if (n_older)
        aisp_buf_printf(out, " (%lld older: --limit)", n_older);
    aisp_buf_puts(out, "\n");
    put_line(series, out);
    put_level(series, out);
    json_array_foreach(json_object_get(series, "changes"), i, change) put_change(change, style, out);
    put_runs(series, style, out);
    free(name);
}

void aisp_history_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long n_custom = (long long)json_integer_value(json_object_get(value, "n_custom"));
    const json_t *series;
    size_t i;

    json_array_foreach(json_object_get(value, "series"), i, series)
    {
        if (i)
            aisp_buf_puts(out, "\n");
        put_series(series, style, out);
    }
    if (n_custom)
        aisp_buf_printf(out, "%lld result%s at a size of %s own (--set, --sweep) left out\n", n_custom, n_custom == 1 ? "" : "s",
                        n_custom == 1 ? "its" : "their");
}
