/* bench_show.c - `bench show TARGET`: what a target asks, its ladder of ideas, and how well
 * wrong answers would be found. */
#include <aisp/serving.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/pick.h"
#include "commands/sweep/declared.h"
#include "core/instance.h"
#include "core/json.h"
#include "core/judge/judge.h"

static const char *const goals[] = { "speed", "memory", "throughput", "latency" };

static json_t *params_of(const struct aisp_problem *p)
{
    json_t *list = json_array();

    for (const struct aisp_param *x = p->param; x->name; x++)
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:[I, I, I]}", "name", x->name, "default",
                            (json_int_t)x->value, "quick", (json_int_t)x->quick, "large",
                            (json_int_t)(x->large ? x->large : x->value), "holdout",
                            (json_int_t)x->low, (json_int_t)x->high, (json_int_t)x->step));
    return list;
}

static void print_fill(char *text, size_t size, const struct aisp_fill *f)
{
    text[0] = '\0';
    switch (f->kind) {
    case AISP_NORMAL:
        snprintf(text, size, "normal(%g, %g)", f->a, f->b);
        break;
    case AISP_UNIFORM:
        snprintf(text, size, "uniform[%g, %g)", f->a, f->b);
        break;
    case AISP_INTEGERS:
        snprintf(text, size, "integers[%g, %g)", f->a, f->b);
        break;
    case AISP_MASK:
        snprintf(text, size, "mask(%g)", f->a);
        break;
    case AISP_ZIPF:
        snprintf(text, size, "zipf(%g) below %g", f->a, f->b);
        break;
    case AISP_WIDE:
        snprintf(text, size, "2^uniform[%g, %g]", f->a, f->b);
        break;
    case AISP_PERMUTATION:
        snprintf(text, size, "permutation");
        break;
    case AISP_SUBNORMAL:
        snprintf(text, size, "normal(0, 1), some subnormal");
        break;
    case AISP_TEXT:
        snprintf(text, size, "text");
        break;
    case AISP_NO_FILL:
        break;
    }
}

static json_t *tensors_of(const struct aisp_instance *inst)
{
    json_t *list = json_array();

    for (int i = 0; i < inst->n_tensors; i++) {
        const struct aisp_tensor *t = &inst->problem->tensor[i];
        json_t *dims = json_array();
        char fill[80];

        print_fill(fill, sizeof fill, &t->fill);
        if (t->role == AISP_FILE)
            snprintf(fill + strlen(fill), sizeof fill - strlen(fill), ", %s", t->pages == AISP_COLD ? "cold" : "cached");
        for (int d = 0; d < inst->extent[i].n_dims; d++)
            json_array_append_new(dims, json_integer(inst->extent[i].dim[d]));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:s}", "name", t->name,
                                        "role", aisp_role_name(t->role), "dtype",
                                        aisp_dtype_name(t->dtype), "dims", t->dims, "default", dims,
                                        "bytes", (json_int_t)inst->extent[i].bytes, "fill", fill));
    }
    return list;
}

static json_t *variants_of(const struct aisp_target *target, const char *device)
{
    json_t *list = json_array();

    for (size_t i = 0; i < target->n_variants; i++) {
        const struct aisp_variant_ref *v = &target->variant[i];

        if (device && strcmp(v->device, device) != 0)
            continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "name",
                                              v->name, "device", v->device, "idea", v->decl.idea,
                                              "expect", v->decl.expect, "uses", v->decl.uses,
                                              "place", v->decl.place, "refused", v->refused));
    }
    return list;
}

/* Peers whose source lies in the tree but whose library was not there at build time: the build
 * leaves a note beside the objects, MISSING, one "peer_x: library" a line. */
static json_t *missing_of(const struct aisp_target *target)
{
    char *path = aisp_format("%.*s/MISSING",
                             (int)(strrchr(target->problem_path, '/') - target->problem_path),
                             target->problem_path),
         line[160];
    json_t *list = json_array();
    FILE *f = fopen(path, "r");

    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line)
            json_array_append_new(list, json_string(line));
    }
    if (f)
        fclose(f);
    free(path);
    return list;
}

static json_t *tolerance_of(const struct aisp_problem *p)
{
    const struct aisp_tolerance *t = &p->tolerance;

    return json_pack("{s:f, s:s, s:f, s:s}", "ulps", t->ulps, "length", t->length ? t->length : "1",
                     "norm", t->norm, "why", t->why ? t->why : "");
}

/* At the quick size: how many wrong answers would be told from a right one. */
static json_t *mutation_of(const struct aisp_problem *problem)
{
    struct aisp_mutation_score score;
    struct aisp_instance inst;
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_key key;

    if (problem->serving && !problem->reference && !problem->accept)
        return json_pack("{s:s}", "error",
                         "every token is compared with its truth: one that differs is found");
    aisp_key_random(&key);
    if (aisp_instance_init(&inst, problem, AISP_SIZE_QUICK, NULL, 0, &why) ||
        aisp_every_input_counts(&inst, &key, &why) ||
        aisp_mutation_score(&inst, &key, &score, &why))
        return json_pack("{s:s}", "error", why.text);
    return json_pack("{s:i, s:i, s:i, s:i, s:s}", "mutants", score.n_mutants, "found",
                     score.n_found, "trivial", score.n_trivial, "trivial_found",
                     score.n_trivial_found, "missed", score.missed);
}

/* "40 requests, 30000/s (poisson), p99 of TTFT; objective TTFT 200 us, TPOT 20 us" */
static json_t *serving_of(const struct aisp_instance *inst)
{
    static const char *const process[] = { "?", "poisson", "bursty", "long tail" };
    const struct aisp_serving *s = inst->problem->serving;
    const struct aisp_served_numbers *n = &inst->serving;

    return json_sprintf("%lld requests, %lld/s (%s), p99 of %s; objective TTFT %lld us, TPOT %lld us",
                        (long long)n->requests, (long long)n->per_second, process[s->process],
                        s->figure == AISP_TPOT ? "TPOT" : "TTFT",
                        (long long)n->ttft_slo_ns / 1000, (long long)n->tpot_slo_ns / 1000);
}

static json_t *show_loaded(const struct aisp_target *target, const char *device, const struct aisp_problem *p,
                           const struct aisp_instance *inst)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:{s:s, s:I}, s:{s:s, s:I, s:b}, s:s?, s:o, "
                     "s:o, s:o, s:o, s:s?, s:s?}",
                     "target", target->id, "title", p->title, "teaches", p->teaches, "goal",
                     (unsigned)p->goal < 4 ? goals[p->goal] : "?", "params", params_of(p),
                     "tensors", tensors_of(inst), "bytes", "expression", p->bytes, "default",
                     (json_int_t)inst->bytes, "flops", "expression", p->flops ? p->flops : "0",
                     "default", (json_int_t)inst->flops, "is_floor", inst->flops_is_floor, "unit",
                     p->unit, "tolerance", tolerance_of(p), "mutation", mutation_of(p), "variants",
                     variants_of(target, device), "missing", missing_of(target), "informational",
                     p->informational, "large_omits", p->large_omits);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_catalogue cat;
    struct aisp_loaded_problem loaded = { 0 };
    const struct aisp_target *target = NULL;
    struct aisp_instance inst;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_target(&cat, request->args->operand[0], &target, request->err));
    AISP_TRY(aisp_problem_load(target->problem_path, &loaded, request->err));
    AISP_TRY(aisp_instance_init(&inst, loaded.problem, AISP_SIZE_DEFAULT, NULL, 0, request->err));
    *value = show_loaded(target, aisp_args_text(request->args, "device"), loaded.problem, &inst);
    if (!*value)
        AISP_BUG("%s: what it declares is no JSON", target->id);
    json_object_set_new(*value, "sweep", aisp_sweep_declared(&loaded));
    if (loaded.problem->serving)
        json_object_set_new(*value, "serving", serving_of(&inst));
out:
    aisp_problem_unload(&loaded);
    aisp_catalogue_release(&cat);
    return st;
}

/* ---- text ---- */

static long long number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* "label   text", broken at spaces to 80 columns. */
static void add_field(struct aisp_buf *out, const char *label, const char *text)
{
    enum { LABEL = 14, REST = 80 - LABEL };

    aisp_buf_printf(out, "%-*s", LABEL, label);
    while (strlen(text) > REST) {
        int cut = REST;

        while (cut && text[cut] != ' ')
            cut--;
        if (!cut)
            break;
        aisp_buf_printf(out, "%.*s\n%*s", cut, text, LABEL, "");
        text += cut + 1;
    }
    aisp_buf_printf(out, "%s\n", text);
}

static void render_params(const json_t *value, struct aisp_buf *out)
{
    const json_t *p;
    size_t i;

    aisp_buf_printf(out, "\n%-14s%12s%12s%12s   secret range\n", "parameter", "default", "quick",
                    "large");
    json_array_foreach(json_object_get(value, "params"), i, p)
    {
        const json_t *range = json_object_get(p, "holdout");

        aisp_buf_printf(out, "%-14s%12lld%12lld%12lld   %lld to %lld by %lld\n", aisp_json_text(p, "name"),
                        number_of(p, "default"), number_of(p, "quick"), number_of(p, "large"),
                        (long long)json_integer_value(json_array_get(range, 0)),
                        (long long)json_integer_value(json_array_get(range, 1)),
                        (long long)json_integer_value(json_array_get(range, 2)));
    }
}

static void render_tensors(const json_t *value, struct aisp_buf *out)
{
    enum { MOST_DIMS = 45 }; /* longer ones have lines of their own below */
    const json_t *t;
    size_t i;

    aisp_buf_printf(out, "\n%-10s%-7s%-7s%-24s%11s  %s\n", "tensor", "role", "type", "dims", "bytes", "contents");
    json_array_foreach(json_object_get(value, "tensors"), i, t) {
        const char *fill = aisp_json_text(t, "fill"), *dims = aisp_json_text(t, "dims");
        const bool is_long = strlen(dims) > MOST_DIMS;
        size_t n = out->len;

        aisp_buf_printf(out, "%-9s %-6s %-6s %-23s", aisp_json_text(t, "name"), aisp_json_text(t, "role"), aisp_json_text(t, "dtype"),
                        is_long ? "" : dims);
        n = out->len - n;
        aisp_buf_printf(out, "%*lld", n < 48 ? 59 - (int)n : 11, number_of(t, "bytes"));
        n += n < 48 ? 59 - n : 11;
        if (*fill && n + 2 + strlen(fill) > 80) /* a line of its own below */
            aisp_buf_printf(out, "\n%10s%s", "", fill);
        else
            aisp_buf_printf(out, "%s%s", *fill ? "  " : "", fill);
        aisp_buf_puts(out, "\n");
        if (is_long)
            add_field(out, "", dims);
    }
}

static void render_variants(const json_t *value, const struct aisp_style *style,
                            struct aisp_buf *out)
{
    const json_t *v, *line;
    size_t i;

    json_array_foreach(json_object_get(value, "variants"), i, v)
    {
        aisp_buf_puts(out, "\n");
        if (strcmp(aisp_json_text(v, "device"), "cpu") != 0)
            aisp_buf_printf(out, "%s:", aisp_json_text(v, "device"));
        aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(v, "name"));
        aisp_buf_puts(out, "\n");
        if (*aisp_json_text(v, "refused"))
            add_field(out, "  refused", aisp_json_text(v, "refused"));
        if (*aisp_json_text(v, "idea"))
            add_field(out, "  idea", aisp_json_text(v, "idea"));
        if (*aisp_json_text(v, "expect"))
            add_field(out, "  expect", aisp_json_text(v, "expect"));
        if (*aisp_json_text(v, "uses"))
            add_field(out, "  uses", aisp_json_text(v, "uses"));
        if (*aisp_json_text(v, "place"))
            add_field(out, "  place", aisp_json_text(v, "place"));
    }
    json_array_foreach(json_object_get(value, "missing"), i, line)
        aisp_buf_printf(out, "\nnot built here: %s\n", json_string_value(line));
}

static void render_mutation(const json_t *value, struct aisp_buf *out)
{
    const json_t *m = json_object_get(value, "mutation");
    char *line;

    if (*aisp_json_text(m, "error")) {
        add_field(out, "mutants", aisp_json_text(m, "error"));
        return;
    }
    line = aisp_format("%lld of %lld wrong answers and %lld of %lld trivial ones are found%s%s",
                       number_of(m, "found"), number_of(m, "mutants"),
                       number_of(m, "trivial_found"), number_of(m, "trivial"),
                       *aisp_json_text(m, "missed") ? "; missed: " : "", aisp_json_text(m, "missed"));
    add_field(out, "mutants", line);
    free(line);
}

static void render_sweep(const json_t *value, struct aisp_buf *out)
{
    const json_t *sweep = json_object_get(value, "sweep");
    char *line;

    if (!json_is_object(sweep))
        return;
    line = *aisp_json_text(sweep, "refused")
               ? aisp_format("%s, refused: %s", aisp_json_text(sweep, "text"), aisp_json_text(sweep, "refused"))
               : aisp_format("%s, %lld points: aisp bench run -t %s --sweep declared", aisp_json_text(sweep, "text"),
                             number_of(sweep, "n_points"), aisp_json_text(value, "target"));
    add_field(out, "sweep", line);
    free(line);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *bytes = json_object_get(value, "bytes"), *flops = json_object_get(value, "flops");
    const json_t *tolerance = json_object_get(value, "tolerance");
    const double ulps = json_number_value(json_object_get(tolerance, "ulps"));
    char *line;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(value, "target"));
    aisp_buf_printf(out, ": %s\n", aisp_json_text(value, "title"));
    add_field(out, "teaches", aisp_json_text(value, "teaches"));
    add_field(out, "goal", aisp_json_text(value, "goal"));
    if (*aisp_json_text(value, "serving"))
        add_field(out, "serving", aisp_json_text(value, "serving"));
    if (*aisp_json_text(value, "informational"))
        add_field(out, "informational", aisp_json_text(value, "informational"));
    line = aisp_format("%s = %lld", aisp_json_text(bytes, "expression"), number_of(bytes, "default"));
    add_field(out, "least bytes", line);
    free(line);
    line = aisp_format("%s = %lld", aisp_json_text(flops, "expression"), number_of(flops, "default"));
    add_field(out, "flops", line);
    free(line);
    line = ulps > 0 ? aisp_format("%g u sqrt(%s): %s", ulps, aisp_json_text(tolerance, "length"),
                                  aisp_json_text(tolerance, "why"))
                    : aisp_format("exact: %s", aisp_json_text(tolerance, "why"));
    add_field(out, "tolerance", line);
    free(line);
    render_mutation(value, out);
    render_sweep(value, out);
    render_params(value, out);
    render_tensors(value, out);
    render_variants(value, style, out);
}

static const struct aisp_operand operands[] = { { "TARGET", "One target: ch07:transpose" }, { 0 } };

static const struct aisp_option options[] = {
    { "device", 0, AISP_OPT_CHOICE, .meta = "cpu|cuda", .help = "Only forms for this device" },
    { 0 },
};

AISP_COMMAND(bench_show) = {
    .path = "bench show",
    .sentence = "Show what a target asks, its ideas, and how well wrong answers are found",
    .example = "aisp bench show ch07:transpose",
    .operand = operands,
    .option = options,
    .run = run,
    .render = render,
};
