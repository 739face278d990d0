/* bench_analyze.c - `bench analyze`: leaderboards, Pareto frontiers, trade-offs, recommendations, a plot.
 * Not here: how each is computed (analysis/), their JSON and text (boards.c, fronts.c, scatter.c). */
#include <stdlib.h>
#include <string.h>

#include "commands/analyze/parts.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

enum { SHORT_TOP = 5, LONG_TOP = 20 };

static const char explain_one[] = "How: newest valid paired ratios of one machine, ordered by their 95 % intervals.";
static const char explain_mixed[] = "How: all targets' results as points; dominated is beyond 95 % intervals only.";

static enum aisp_status read_axes(const char *text, unsigned *axes, struct aisp_err *err)
{
    *axes = 0;
    while (text && *text) {
        const size_t n = strcspn(text, ",");
        unsigned found = 0;

        for (int k = 0; k < AISP_N_AXES; k++)
            if (strlen(aisp_axis_names[k]) == n && !memcmp(aisp_axis_names[k], text, n))
                found = 1u << k;
        if (!found)
            return aisp_fail(err, AISP_E_USAGE, "--axes: \"%.*s\" is none of speed, memory, energy", (int)n, text);
        *axes |= found;
        text += n + (text[n] == ',');
    }
    return AISP_OK;
}

static bool shows(const char *show, const char *part)
{
    return !strcmp(show, "all") || !strcmp(show, part);
}

static enum aisp_status read_options(const struct aisp_request *request, struct aisp_parts_options *options)
{
    const struct aisp_args *args = request->args;
    const char *show = aisp_args_text(args, "show");

    *options = (struct aisp_parts_options){ .tolerance = aisp_args_real(args, "tolerance") / 100,
                                            .mixed = aisp_args_flag(args, "mixed") };
    options->top = aisp_args_given(args, "top") ? (size_t)aisp_args_integer(args, "top")
                   : !strcmp(show, "all")       ? SHORT_TOP
                                                : LONG_TOP;
    if (options->tolerance < 1e-5 || options->tolerance > 1)
        return aisp_fail(request->err, AISP_E_USAGE, "--tolerance %s: must be 0.001 to 100 percent",
                         aisp_args_text(args, "tolerance"));
    if (options->mixed && strcmp(show, "pareto") && strcmp(show, "scatter"))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--mixed sets unrelated targets side by side, which only --show pareto and scatter can");
    return read_axes(aisp_args_text(args, "axes"), &options->axes, request->err);
}

static void add_parts(json_t *value, const char *show, struct aisp_selection *s, const struct aisp_parts_options *o)
{
    static const struct {
        const char *name;
        json_t *(*make)(struct aisp_selection *, const struct aisp_parts_options *);
    } parts[] = {
        { "leaderboards", aisp_boards_json },       { "pareto", aisp_fronts_json },   { "tradeoffs", aisp_tradeoffs_json },
        { "recommendations", aisp_advices_json }, { "scatter", aisp_scatter_json },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (shows(show, parts[i].name))
            json_object_set_new(value, parts[i].name, parts[i].make(s, o));
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const char *show = aisp_args_text(request->args, "show");
    struct aisp_selection s = AISP_SELECTION_INIT;
    struct aisp_selection_how how = { .invalid = shows(show, "recommendations"),
                                      .every = aisp_args_flag(request->args, "all-results") };
    struct aisp_parts_options options;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(read_options(request, &options));
    if (how.every && (shows(show, "leaderboards") || shows(show, "recommendations"))) {
        st = aisp_fail(request->err, AISP_E_USAGE,
                       "--all-results: leaderboards and recommendations are made of the newest results only; add --show "
                       "pareto, tradeoffs or scatter");
        goto out;
    }
    how.any_hardware = options.mixed;
    AISP_TRY(aisp_selection_init(&s, request, &how));
    if (!options.mixed)
        aisp_selection_sort(&s);
    *value = aisp_selection_json(&s);
    json_object_set_new(*value, "show", json_string(show));
    json_object_set_new(*value, "top", json_integer((json_int_t)options.top));
    add_parts(*value, show, &s, &options);
    json_object_set_new(*value, "explain", json_string(options.mixed ? explain_mixed : explain_one));
out:
    aisp_selection_release(&s);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const size_t top = (size_t)json_integer_value(json_object_get(value, "top"));
    const json_t *part;

    aisp_put_head(out, value);
    if ((part = json_object_get(value, "leaderboards")))
        aisp_boards_render(part, style, out);
    if ((part = json_object_get(value, "pareto")))
        aisp_fronts_render(part, top, style, out);
    if ((part = json_object_get(value, "tradeoffs")))
        aisp_tradeoffs_render(part, top, style, out);
    if ((part = json_object_get(value, "recommendations")))
        aisp_advices_render(part, style, out);
    if ((part = json_object_get(value, "scatter")))
        aisp_scatter_render(part, style, out);
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "show", 's', AISP_OPT_CHOICE, .meta = "all|leaderboards|pareto|tradeoffs|recommendations|scatter",
      .help = "One part in full, or all of them in short", .preset = "all" },
    { "top", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "Lines of a list (default: 5, of one part 20)", .low = 1,
      .high = 1000000 },
    { "axes", 0, AISP_OPT_TEXT, .meta = "LIST",
      .help = "Of the frontier: speed,memory,energy (default: those measured for every variant of a target)" },
    { "tolerance", 0, AISP_OPT_REAL, .meta = "PERCENT",
      .help = "A figure that has no interval decides only beyond this difference", .preset = "1" },
    { "mixed", 0, AISP_OPT_FLAG, .help = "Points of all targets in one frontier, unrelated as they are" },
    { "all-results", 0, AISP_OPT_FLAG, .help = "Every recorded result as a point, not only the newest of each variant" },
    AISP_OPTIONS_SAME,
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_analyze) = {
    .path = "bench analyze",
    .sentence = "Rank recorded results: leaderboards, Pareto frontiers, trade-offs, advice",
    .example = "aisp bench analyze\naisp bench analyze --show pareto -t ch07:transpose --axes speed,memory\n"
               "aisp bench analyze --show leaderboards --goal speed --top 10 --json",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
