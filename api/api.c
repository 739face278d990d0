/* api.c - libaisp: the command table as C functions.
 * Not here: any command (commands/).
 * Why through the table: what a program gets and what the command line prints cannot differ. */
#include <aisp/aisp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/home.h"
#include "commands/command.h"
#include "commands/place.h"

struct aisp_harness {
    char *bench_root, *artifacts_dir;
    struct aisp_console console;
};

enum aisp_status aisp_open(struct aisp_harness **h, const struct aisp_settings *settings,
                           struct aisp_err *err)
{
    static const struct aisp_settings none;
    struct aisp_harness *made = aisp_xcalloc(1, sizeof *made);

    *h = NULL;
    aisp_home_find();
    settings = settings ? settings : &none;
    made->bench_root =
        settings->bench_root ? aisp_xstrdup(settings->bench_root) : aisp_place_beside("targets");
    made->artifacts_dir =
        aisp_xstrdup(settings->artifacts_dir ? settings->artifacts_dir : "artifacts");
    made->console = (struct aisp_console){ settings->note, settings->progress, settings->context,
                                           settings->stop };
    if (!aisp_place_is_folder(made->bench_root)) {
        aisp_fail(err, AISP_E_NOT_FOUND, "%s: no folder of built targets", made->bench_root);
        aisp_close(made);
        return AISP_E_NOT_FOUND;
    }
    *h = made;
    return AISP_OK;
}

void aisp_close(struct aisp_harness *h)
{
    if (!h)
        return;
    free(h->bench_root);
    free(h->artifacts_dir);
    free(h);
}

/* The words with the harness's folders behind them, parsed and run. */
static enum aisp_status run(struct aisp_harness *h, int argc, const char *const *argv,
                            json_t **value, int *exit_code, struct aisp_err *err)
{
    const char **words = aisp_xcalloc((size_t)argc + 5, sizeof *words), *topic;
    struct aisp_args args;
    int n = 0;
    enum aisp_status st;

    for (; n < argc; n++)
        words[n] = argv[n];
    words[n++] = "--bench-root";
    words[n++] = h->bench_root;
    words[n++] = "--artifacts-dir";
    words[n++] = h->artifacts_dir;
    *value = NULL;
    *exit_code = AISP_EXIT_USAGE;
    st = aisp_args_parse(&args, n, words, &topic, err);
    if (!st && (!args.command || aisp_args_flag(&args, "help")))
        st = aisp_fail(err, AISP_E_USAGE, "not a whole command; \"help\" explains one");
    if (!st)
        st = aisp_command_run(&args, &h->console, value, exit_code, err);
    aisp_args_release(&args);
    free(words);
    return st;
}

static char *dump(const json_t *value)
{
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9) | JSON_ENCODE_ANY);

    if (!text)
        AISP_BUG("a value that is no JSON");
    return text;
}

enum aisp_status aisp_command(struct aisp_harness *h, int argc, const char *const *argv,
                              char **json, int *exit_code, struct aisp_err *err)
{
    json_t *value;
    const enum aisp_status st = run(h, argc, argv, &value, exit_code, err);

    *json = st ? NULL : dump(value);
    json_decref(value);
    return st;
}

enum aisp_status aisp_list(struct aisp_harness *h, char **json, struct aisp_err *err)
{
    static const char *const words[] = { "bench", "list-targets" };
    int exit_code;

    return aisp_command(h, 2, words, json, &exit_code, err);
}

static double number_or_nan(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void copy_text(char to[16], const json_t *value)
{
    snprintf(to, 16, "%s", json_is_string(value) ? json_string_value(value) : "");
}

static void take_result(struct aisp_comparison_result *r, const json_t *row)
{
    const json_t *median = json_object_get(row, "median_ns");

    *r = (struct aisp_comparison_result){
        .ratio = number_or_nan(json_object_get(row, "ratio")),
        .lo95 = number_or_nan(json_object_get(row, "lo95")),
        .hi95 = number_or_nan(json_object_get(row, "hi95")),
        .median_a_ns = number_or_nan(json_object_get(median, "a")),
        .median_b_ns = number_or_nan(json_object_get(median, "b")),
        .json = dump(row),
    };
    copy_text(r->verdict, json_object_get(row, "verdict"));
    copy_text(r->grade, json_object_get(row, "grade"));
}

enum aisp_status aisp_compare_variants(struct aisp_harness *h, const struct aisp_ask *ask,
                                       struct aisp_comparison_result *result, struct aisp_err *err)
{
    enum { MAX_SET = 16 };
    const char *words[2 * MAX_SET + 16];
    char limit[48], band[48], threads[16];
    int n = 0, exit_code;
    json_t *value = NULL;
    enum aisp_status st;

    *result = (struct aisp_comparison_result){ .json = NULL };
    words[n++] = "bench";
    words[n++] = "compare";
    words[n++] = ask->a ? ask->a : "";
    words[n++] = ask->b ? ask->b : "";
    if (ask->size) {
        words[n++] = "--size";
        words[n++] = ask->size;
    }
    for (int i = 0; ask->set && ask->set[i]; i++) {
        if (i == MAX_SET)
            return aisp_fail(err, AISP_E_USAGE, "more than %d parameters set", MAX_SET);
        words[n++] = "--set";
        words[n++] = ask->set[i];
    }
    if (ask->time_limit_s != 0) {
        snprintf(limit, sizeof limit, "%gs", ask->time_limit_s);
        words[n++] = "--time-limit";
        words[n++] = limit;
    }
    if (ask->band_percent != 0) {
        snprintf(band, sizeof band, "%g", ask->band_percent);
        words[n++] = "--band";
        words[n++] = band;
    }
    if (ask->n_threads) {
        snprintf(threads, sizeof threads, "%d", ask->n_threads);
        words[n++] = "--threads";
        words[n++] = threads;
    }
    if (ask->publish)
        words[n++] = "--publish";
    st = run(h, n, words, &value, &exit_code, err);
    if (!st)
        take_result(result, json_array_get(json_object_get(value, "results"), 0));
    json_decref(value);
    return st;
}

void aisp_comparison_release(struct aisp_comparison_result *result)
{
    if (!result)
        return;
    free(result->json);
    *result = (struct aisp_comparison_result){ .json = NULL };
}

void aisp_text_free(char *text)
{
    free(text);
}
