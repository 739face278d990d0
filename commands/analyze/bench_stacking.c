/* bench_stacking.c - `bench stacking`: do ideas add up?
 * Not here: which variant combines which, predictions and intervals (analysis/stacking.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stacking.h"
#include "commands/analyze/filter.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

static const char explain[] = "How: interaction = measured / product of its parts' ratios - 1, 95 % intervals.";

static json_t *stack_json(const struct aisp_stack *s)
{
    const struct aisp_measured *i = &s->interaction;
    json_t *one = aisp_row_json(s->whole), *parts = json_array(), *missing = json_array();

    for (size_t k = 0; k < s->n; k++) {
        const struct aisp_measured ratio = s->part[k] ? aisp_row_ratio(s->part[k]) : (struct aisp_measured){ NAN, NAN, NAN };

        json_array_append_new(parts, json_pack("{s:s, s:o}", "variant", s->name[k], "ratio", aisp_measured_json(&ratio)));
        if (!s->part[k] || !aisp_row_is_valid(s->part[k]))
            json_array_append_new(missing, json_string(s->name[k]));
    }
    json_object_set_new(one, "parts", parts);
    json_object_set_new(one, "missing", missing);
    json_object_set_new(one, "predicted", aisp_measured_json(&s->predicted));
    json_object_set_new(one, "measured", aisp_measured_json(&s->measured));
    json_object_set_new(one, "interaction_percent",
                        aisp_measured_exists(i)
                            ? json_pack("{s:f, s:o, s:o}", "value", 100 * (i->value - 1), "lo95",
                                        aisp_real_or_null(100 * (i->lo - 1)), "hi95", aisp_real_or_null(100 * (i->hi - 1)))
                            : json_null());
    json_object_set_new(one, "interaction", json_string(aisp_interaction_name(s->kind)));
    return one;
}

/* ---- what goes with what ---- */

/* Of one target: {"target", "ideas": [...], "pairs": [{"a", "b", "with", "interaction"}]}, a < b. */
static json_t *matrix_json(const struct aisp_stack *s, size_t n)
{
    json_t *ideas = json_object(), *names = json_array(), *pairs = json_array(), *value;
    const char *name;

    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < s[i].n; a++) {
            json_object_set_new(ideas, aisp_row_idea(s[i].name[a]), json_true());
            for (size_t b = 0; b < s[i].n; b++)
                if (strcmp(s[i].name[a], s[i].name[b]) < 0)
                    json_array_append_new(pairs,
                                          json_pack("{s:s, s:s, s:s, s:s}", "a", aisp_row_idea(s[i].name[a]), "b",
                                                    aisp_row_idea(s[i].name[b]), "with", s[i].whole->variant,
                                                    "interaction", aisp_interaction_name(s[i].kind)));
        }
    json_object_foreach(ideas, name, value)
        json_array_append_new(names, json_string(name));
    json_decref(ideas);
    return json_pack("{s:s, s:s, s:o, s:o}", "target", s->whole->target, "device", s->whole->device, "ideas", names, "pairs",
                     pairs);
}

static enum aisp_status read_said(const struct aisp_request *request, struct aisp_combination **said, size_t *n)
{
    const char *const *given = aisp_args_list(request->args, "combine", n);
    enum aisp_status st = AISP_OK;

    *said = aisp_xcalloc(*n + 1, sizeof **said);
    for (size_t i = 0; i < *n; i++)
        AISP_TRY(aisp_combination_parse(&(*said)[i], given[i], request->err));
out:
    return st;
}

/* A misspelt --combine must not look like "nothing was found". */
static enum aisp_status check_said(const struct aisp_request *request, const struct aisp_rows *rows,
                                   const struct aisp_combination *said, size_t n_said)
{
    const char **known = aisp_xcalloc(rows->n + 1, sizeof *known), *nearest;
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < rows->n; i++)
        known[i] = rows->row[i].variant;
    for (size_t i = 0; i < n_said && !st; i++)
        for (size_t k = 0; k <= said[i].n && !st; k++) {
            const char *name = k ? said[i].part[k - 1] : said[i].whole;
            size_t at = 0;

            while (at < rows->n && strcmp(known[at], name))
                at++;
            if (at < rows->n)
                continue;
            nearest = aisp_nearest(name, known, rows->n);
            st = aisp_fail(request->err, AISP_E_NOT_FOUND, "--combine: no result here is of a variant \"%s\"%s%s%s", name,
                           nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
        }
    free(known);
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_selection_how how = { .invalid = true };
    struct aisp_selection s = AISP_SELECTION_INIT;
    struct aisp_stacks stacks = AISP_STACKS_INIT;
    struct aisp_combination *said = NULL;
    json_t *list = json_array(), *matrices = json_array();
    size_t n_said, end;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(read_said(request, &said, &n_said));
    AISP_TRY(aisp_selection_init(&s, request, &how));
    AISP_TRY(check_said(request, &s.rows, said, n_said));
    aisp_selection_sort(&s);
    aisp_stacks_find(&stacks, s.rows.row, s.rows.n, said, n_said);
    for (size_t i = 0; i < stacks.n; i++)
        json_array_append_new(list, stack_json(&stacks.stack[i]));
    for (size_t i = 0; i < stacks.n; i = end) {
        for (end = i; end < stacks.n && aisp_row_same_group(stacks.stack[i].whole, stacks.stack[end].whole); end++)
            ;
        json_array_append_new(matrices, matrix_json(&stacks.stack[i], end - i));
    }
    *value = aisp_selection_json(&s);
    json_object_set(*value, "combinations", list);
    json_object_set(*value, "compatibility", matrices);
    json_object_set_new(*value, "explain", json_string(explain));
out:
    json_decref(list);
    json_decref(matrices);
    free(said);
    aisp_stacks_release(&stacks);
    aisp_selection_release(&s);
    return st;
}

/* ---- as text ---- */

static void put_names(const char *before, const json_t *list, const char *key, const char *between, struct aisp_buf *out)
{
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one) {
        const char *variant = key ? aisp_report_text(one, key) : json_string_value(one);

        aisp_buf_printf(out, "%s%s", i ? between : before, aisp_row_idea(variant));
    }
}

static void put_stack(const json_t *one, struct aisp_buf *out)
{
    const struct aisp_measured predicted = aisp_measured_from(json_object_get(one, "predicted")),
                               measured = aisp_measured_from(json_object_get(one, "measured"));
    const json_t *percent = json_object_get(one, "interaction_percent");
    const double lo = aisp_report_number(percent, "lo95");

    aisp_put_who(out, one, 0);
    put_names(" = ", json_object_get(one, "parts"), "variant", " + ", out);
    aisp_buf_puts(out, "\n   predicted ");
    aisp_put_measured(out, &predicted, 21);
    aisp_buf_puts(out, " measured ");
    aisp_put_measured(out, &measured, 0);
    aisp_buf_printf(out, "\n   %s", aisp_report_text(one, "interaction"));
    if (json_is_object(percent)) {
        aisp_buf_printf(out, ": %+.1f %%", aisp_report_number(percent, "value"));
        if (isfinite(lo))
            aisp_buf_printf(out, " [%+.1f, %+.1f]", lo, aisp_report_number(percent, "hi95"));
    }
    put_names("; not measured alone: ", json_object_get(one, "missing"), NULL, ", ", out);
    aisp_buf_puts(out, "\n");
}

static char sign_of(const json_t *matrix, const char *a, const char *b)
{
    static const struct { const char *kind; char sign; } signs[] = {
        { "synergy", '+' }, { "interference", '-' }, { "as predicted", '=' }, { "invalid", 'x' }, { "unknown", '?' } };
    const json_t *pair;
    char sign = '.';
    size_t i;

    json_array_foreach(json_object_get(matrix, "pairs"), i, pair)
        if ((aisp_report_is(pair, "a", a) && aisp_report_is(pair, "b", b)) ||
            (aisp_report_is(pair, "a", b) && aisp_report_is(pair, "b", a)))
            for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
                if (aisp_report_is(pair, "interaction", signs[k].kind))
                    sign = sign == '.' || sign == signs[k].sign ? signs[k].sign : '*';
    return sign;
}

static void put_matrix(const json_t *matrix, struct aisp_buf *out)
{
    const json_t *ideas = json_object_get(matrix, "ideas"), *a, *b;
    size_t i, k;

    aisp_buf_printf(out, "%s\n", aisp_report_text(matrix, "target"));
    json_array_foreach(ideas, i, a) {
        aisp_buf_printf(out, " %2zu %*.30s", i + 1, i ? -30 : 0, json_string_value(a));
        json_array_foreach(ideas, k, b)
            if (k < i)
                aisp_buf_printf(out, " %2c", sign_of(matrix, json_string_value(a), json_string_value(b)));
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "%34s", "");
    for (i = 0; i + 1 < json_array_size(ideas); i++)
        aisp_buf_printf(out, " %2zu", i + 1);
    aisp_buf_puts(out, "\n");
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *list = json_object_get(value, "combinations"), *one;
    size_t i;

    aisp_put_head(out, value);
    json_array_foreach(list, i, one)
        put_stack(one, out);
    if (!i) {
        aisp_put_wrapped(out, 0, 0,
                         "No combination was measured: no variant's idea is the ideas of others, as optimized_a_b is of "
                         "optimized_a and optimized_b; --combine says what names do not.");
    } else {
        aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Compatibility");
        aisp_buf_puts(out, ": + more than the product, - less, = as predicted, x invalid,\n"
                           "? cannot be said, * differs between combinations, . not run\n");
    }
    json_array_foreach(json_object_get(value, "compatibility"), i, one)
        put_matrix(one, out);
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "combine", 0, AISP_OPT_TEXT, .repeats = true, .meta = "WHOLE=PART+PART",
      .help = "This variant combines these. Otherwise by name: optimized_a_b combines optimized_a and optimized_b of its "
              "target, where a part may be the first words of one idea" },
    AISP_OPTIONS_SAME,
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_stacking) = {
    .path = "bench stacking",
    .sentence = "Compare variants that combine ideas with the product of the single gains",
    .example = "aisp bench stacking\naisp bench stacking -t ch09:online_softmax\n"
               "aisp bench stacking --combine optimized_ab=optimized_a+optimized_b",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
