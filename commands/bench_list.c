/* bench_list.c - `bench list-chapters` and `bench list-targets`: what there is. Loads no
 * plug-in, unless --long or --sweeps asks what the problems declare. */
#include <stdlib.h>
#include <string.h>

#include "commands/budget.h"
#include "commands/command.h"
#include "commands/measure.h"
#include "commands/pick.h"
#include "commands/quarantine.h"
#include "commands/sweep/declared.h"
#include "core/catalogue.h"
#include "core/instance.h"
#include "core/json.h"

/* ---- chapters ---- */

static enum aisp_status list_chapters(const struct aisp_request *request, json_t **value,
                                      int *exit_code)
{
    struct aisp_catalogue cat;
    enum aisp_status st = aisp_pick_catalogue(request, &cat);
    json_t *chapters;

    (void)exit_code;
    if (st)
        return st;
    chapters = json_array();
    for (size_t i = 0, j; i < cat.n; i = j) {
        json_t *names = json_array();

        if (!strcmp(cat.target[i].group, "harness")) { /* yardsticks, not lessons */
            json_decref(names);
            j = i + 1;
            continue;
        }
        for (j = i; j < cat.n && !strcmp(cat.target[j].group, cat.target[i].group); j++)
            json_array_append_new(names, json_string(strrchr(cat.target[j].id, ':') + 1));
        json_array_append_new(
            chapters, json_pack("{s:s, s:o}", "chapter", cat.target[i].group, "targets", names));
    }
    aisp_catalogue_release(&cat);
    *value = json_pack("{s:s, s:o}", "bench_root", request->bench_root, "chapters", chapters);
    return AISP_OK;
}

static void render_chapters(const json_t *value, const struct aisp_style *style,
                            struct aisp_buf *out)
{
    const json_t *chapters = json_object_get(value, "chapters"), *chapter, *name;
    size_t i, j, n = 0;

    json_array_foreach(chapters, i, chapter)
    {
        size_t used = 14;

        aisp_paint(out, style, AISP_PAINT_BOLD, 14, aisp_json_text(chapter, "chapter"));
        json_array_foreach(json_object_get(chapter, "targets"), j, name)
        {
            const char *text = json_string_value(name);

            if (used + strlen(text) + 2 > 80) {
                aisp_buf_printf(out, ",\n%14s", "");
                used = 14;
            }
            aisp_buf_printf(out, "%s%s", used > 14 ? ", " : "", text);
            used += strlen(text) + 2;
            n++;
        }
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "%zu chapters, %zu targets\n", json_array_size(chapters), n);
}

AISP_COMMAND(bench_list_chapters) = {
    .path = "bench list-chapters",
    .sentence = "List the chapters with the names of their targets",
    .example = "aisp bench list-chapters",
    .run = list_chapters,
    .render = render_chapters,
};

/* ---- targets ---- */

/* What the problem declares; its absence is said in "refused". */
static void add_declared(json_t *row, const struct aisp_target *target)
{
    static const char *const goals[] = { "speed", "memory", "throughput", "latency" };
    struct aisp_loaded_problem loaded;
    const struct aisp_problem *p;
    struct aisp_err why;

    if (aisp_problem_load(target->problem_path, &loaded, &why)) {
        json_object_set_new(row, "refused", json_string(why.text));
        return;
    }
    p = loaded.problem;
    json_object_set_new(row, "title", json_string(p->title));
    json_object_set_new(row, "goal", json_string((unsigned)p->goal < 4 ? goals[p->goal] : "?"));
    json_object_set_new(row, "bytes", json_string(p->bytes));
    json_object_set_new(row, "flops", json_string(p->flops ? p->flops : "0"));
    json_object_set_new(row, "unit", p->unit ? json_string(p->unit) : json_null());
    json_object_set_new(row, "informational", p->informational ? json_string(p->informational) : json_null());
    json_object_set_new(row, "sweep", aisp_sweep_declared(&loaded));
    aisp_problem_unload(&loaded);
}

static json_t *target_row(const struct aisp_target *target, bool is_long, const char *device, const json_t *quarantined)
{
    json_t *variants = json_array(), *row;

    for (size_t i = 0; i < target->n_variants; i++) {
        const struct aisp_variant_ref *v = &target->variant[i];

        if (device && strcmp(v->device, device) != 0)
            continue;
        json_array_append_new(
            variants,
            json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", v->name, "device", v->device, "idea",
                      v->decl.idea, "refused", v->refused, "quarantined",
                      aisp_quarantine_find(quarantined, target->id, v->name, v->device) != NULL));
    }
    row = json_pack("{s:s, s:s, s:s, s:o}", "target", target->id, "chapter", target->group,
                    "refused", target->refused, "variants", variants);
    if (is_long && !*target->refused)
        add_declared(row, target);
    return row;
}

static enum aisp_status list_targets(const struct aisp_request *request, json_t **value,
                                     int *exit_code)
{
    const struct aisp_args *args = request->args;
    const char *chapter = aisp_args_text(args, "chapter");
    const bool is_long = aisp_args_flag(args, "long"), only_sweeps = aisp_args_flag(args, "sweeps");
    struct aisp_catalogue cat;
    struct aisp_picks picks = AISP_PICKS_INIT;
    json_t *rows = NULL, *quarantined = aisp_quarantine_here(request->artifacts_dir);
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_targets(&cat, &chapter, chapter ? 1 : 0, &picks, request->err));
    rows = json_array();
    for (size_t i = 0; i < picks.n; i++) {
        json_t *row = target_row(picks.target[i], is_long || only_sweeps, aisp_args_text(args, "device"), quarantined);

        if (!only_sweeps || json_is_object(json_object_get(row, "sweep")))
            json_array_append(rows, row);
        json_decref(row);
    }
    *value = json_pack("{s:s, s:b, s:b, s:b, s:o}", "bench_root", request->bench_root, "long", is_long, "sweeps", only_sweeps,
                       "names", aisp_args_flag(args, "names"), "targets", rows);
out:
    json_decref(quarantined);
    aisp_picks_release(&picks);
    aisp_catalogue_release(&cat);
    return st;
}

static void render_sweep(const json_t *row, struct aisp_buf *out)
{
    const json_t *sweep = json_object_get(row, "sweep");

    aisp_buf_printf(out, " %s, %lld points", aisp_json_text(sweep, "text"),
                    (long long)json_integer_value(json_object_get(sweep, "n_points")));
    if (*aisp_json_text(sweep, "refused"))
        aisp_buf_printf(out, "; refused: %s", aisp_json_text(sweep, "refused"));
    aisp_buf_puts(out, "\n");
}

/* Each form but the baseline is a comparison. */
static size_t n_comparisons(const json_t *row)
{
    size_t i, n = 0;
    const json_t *v;

    json_array_foreach(json_object_get(row, "variants"), i, v)
        n += strcmp(aisp_json_text(v, "name"), "baseline") && !*aisp_json_text(v, "refused");
    return n;
}

static void render_budget(const json_t *row, struct aisp_buf *out)
{
    const size_t n = n_comparisons(row);

    if (!n)
        return;
    aisp_buf_printf(out, "\n%30s %zu comparison%s: about ", "", n, n == 1 ? "" : "s");
    aisp_budget_put(out, aisp_budget_s(n, AISP_LIMIT_S));
    aisp_buf_puts(out, ", with --quick ");
    aisp_budget_put(out, aisp_budget_s(n, AISP_QUICK_LIMIT_S));
}

static void render_target(const json_t *row, bool is_long, const struct aisp_style *style,
                          struct aisp_buf *out)
{
    const json_t *variants = json_object_get(row, "variants"), *v;
    const char *refused = aisp_json_text(row, "refused");
    size_t i, used = 28, n = 0;

    aisp_paint(out, style, AISP_PAINT_BOLD, 28, aisp_json_text(row, "target"));
    if (json_is_object(json_object_get(row, "sweep")) && !is_long) {
        render_sweep(row, out);
        return;
    }
    if (*refused)
        aisp_buf_printf(out, " cannot be run: %s", refused);
    else if (is_long) {
        aisp_buf_printf(out, " %s; goal %s%s\n%30s bytes %s, flops %s%s%s", aisp_json_text(row, "title"), aisp_json_text(row, "goal"),
                        *aisp_json_text(row, "informational") ? ", informational" : "", "", aisp_json_text(row, "bytes"),
                        aisp_json_text(row, "flops"), json_is_object(json_object_get(row, "sweep")) ? ", sweep " : "",
                        aisp_json_text(json_object_get(row, "sweep"), "text"));
        render_budget(row, out);
    } else
        json_array_foreach(variants, i, v)
        {
            const char *name = aisp_json_text(v, "name");
            const bool is_refused = *aisp_json_text(v, "refused"),
                       is_out = json_is_true(json_object_get(v, "quarantined"));
            const char *mark = is_refused ? " (refused)" : is_out ? " (quarantined)" : "";

            const bool is_cpu = !strcmp(aisp_json_text(v, "device"), "cpu");
            const char *device = is_cpu ? "" : aisp_json_text(v, "device"), *colon = is_cpu ? "" : ":";
            size_t width;

            if (!strcmp(name, "baseline"))
                continue;
            if (!strncmp(name, "optimized_", 10))
                name += 10;
            width = strlen(name) + strlen(device) + strlen(colon) + 2 + strlen(mark);
            if (used + width > 80) {
                aisp_buf_printf(out, ",\n%28s", "");
                used = 28;
            }
            aisp_buf_printf(out, "%s%s%s%s%s", n && used > 28 ? ", " : " ", device, colon, name, mark);
            used += width;
            n++;
        }
    aisp_buf_puts(out, "\n");
}

static void render_targets(const json_t *value, const struct aisp_style *style,
                           struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "targets"), *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row)
    {
        n += json_array_size(json_object_get(row, "variants"));
        if (json_is_true(json_object_get(value, "names")))
            aisp_buf_printf(out, "%s\n", aisp_json_text(row, "target"));
        else
            render_target(row, json_is_true(json_object_get(value, "long")), style, out);
    }
    if (!json_is_true(json_object_get(value, "names")))
        aisp_buf_printf(out, "%zu targets, %zu variants in %s\n", json_array_size(rows), n,
                        aisp_json_text(value, "bench_root"));
}

static const struct aisp_option options[] = {
    { "chapter", 'c', AISP_OPT_TEXT, .meta = "CHAPTER",
      .help = "Only this one: ch07, ch07:transpose, 'ch0*'" },
    { "device", 0, AISP_OPT_CHOICE, .meta = "cpu|cuda", .help = "Only forms for this device" },
    { "long", 'l', AISP_OPT_FLAG,
      .help = "Also what each problem declares: title, goal, least bytes, flops; and how long it takes to measure" },
    { "sweeps", 0, AISP_OPT_FLAG, .help = "Only those of which a size decides who wins, with the sweep that shows it" },
    { "names", 0, AISP_OPT_FLAG, .help = "Only the names, one each line" },
    { 0 },
};

AISP_COMMAND(bench_list_targets) = {
    .path = "bench list-targets",
    .sentence = "List the targets with their variants",
    .example = "aisp bench list-targets --chapter ch07\naisp bench list-targets --long --device cuda\naisp bench list-targets "
               "--sweeps",
    .option = options,
    .run = list_targets,
    .render = render_targets,
};
