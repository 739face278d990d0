/* bench_scaling.c - `bench scaling`: how measured times grow with a parameter, and where variants cross.
 * Not here: which results make a sweep (sweeps.h), laws, crossings and efficiencies (analysis/scaling.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/scaling.h"
#include "commands/analyze/sweeps.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

static const char explain[] = "How: time ~ parameter^exponent by Theil-Sen; crossings by 95 % intervals.";

/* The points of one variant. */
struct series { const struct aisp_sweep_point *point; size_t n; };

static json_t *law_json(const struct series *s)
{
    double *x = aisp_xmalloc((s->n + 1) * sizeof *x), *y = aisp_xmalloc((s->n + 1) * sizeof *y);
    struct aisp_power_law law;
    json_t *value = NULL;

    for (size_t i = 0; i < s->n; i++) {
        x[i] = s->point[i].value;
        y[i] = s->point[i].time_ns;
    }
    if (aisp_power_law_fit(x, y, s->n, &law))
        value = json_pack("{s:I, s:f, s:o, s:o, s:f, s:f, s:f}", "n", (json_int_t)law.n, "exponent", law.exponent, "lo95",
                          aisp_real_or_null(law.lo), "hi95", aisp_real_or_null(law.hi), "factor_ns", law.factor,
                          "residual_median_percent", 100 * law.residual_median, "residual_max_percent", 100 * law.residual_max);
    free(x);
    free(y);
    return value ? value : json_null();
}

static json_t *processes_json(const struct series *s)
{
    static const char *const kinds[] = { "strong", "weak", "neither" };
    struct aisp_scaling_point *p = aisp_xcalloc(s->n + 1, sizeof *p);
    json_t *points = json_array();
    enum aisp_scaling_kind kind;
    bool known = s->n >= 2;

    for (size_t i = 0; i < s->n; i++) {
        p[i].processes = s->point[i].value;
        p[i].time = s->point[i].time_ns;
        p[i].work = s->point[i].work;
        known &= isfinite(p[i].work);
    }
    if (!known || !aisp_sweep_is_of_processes(s->point->parameter)) {
        free(p);
        json_decref(points);
        return json_null();
    }
    kind = aisp_scaling_over_processes(p, s->n);
    for (size_t i = 0; i < s->n; i++)
        json_array_append_new(points, json_pack("{s:f, s:f, s:f, s:o}", "processes", p[i].processes, "speedup", p[i].speedup,
                                                "efficiency", p[i].efficiency, "serial_share", aisp_real_or_null(p[i].serial)));
    free(p);
    return json_pack("{s:s, s:o}", "kind", kinds[kind], "points", points);
}

static json_t *series_json(const struct series *s)
{
    json_t *points = json_array();

    for (size_t i = 0; i < s->n; i++) {
        const struct aisp_sweep_point *p = &s->point[i];

        json_array_append_new(points, json_pack("{s:f, s:f, s:o, s:s}", "value", p->value, "median_ns", p->time_ns, "ratio",
                                                aisp_measured_json(&p->ratio), "run", p->run));
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "variant", s->point->variant, "points", points, "law", law_json(s), "processes",
                     processes_json(s));
}

/* ---- crossings ---- */

/* At the values that both have: how much better `s` is than `than`, both through the reference. */
static size_t set_against(const struct series *s, const struct series *than, double *x, struct aisp_measured *ratio)
{
    size_t n = 0, k = 0;

    for (size_t i = 0; i < s->n; i++) {
        while (k < than->n && than->point[k].value < s->point[i].value)
            k++;
        if (k == than->n || than->point[k].value > s->point[i].value)
            continue;
        x[n] = s->point[i].value;
        ratio[n++] = aisp_measured_quotient(&s->point[i].ratio, &than->point[k].ratio);
    }
    return n;
}

static void add_crossovers(json_t *list, const struct series *s, const struct series *than)
{
    double *x = aisp_xmalloc((s->n + 1) * sizeof *x);
    struct aisp_measured *ratio = aisp_xmalloc((s->n + 1) * sizeof *ratio);
    struct aisp_crossover *c = aisp_xmalloc((s->n + 1) * sizeof *c);
    const size_t n = aisp_crossovers(x, ratio, set_against(s, than, x, ratio), c);

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:f, s:f, s:b}", "variant", s->point->variant, "against",
                                              than->point->variant, "at", aisp_real_or_null(c[i].at), "lo", c[i].lo,
                                              "hi", c[i].hi, "better_above", c[i].better_above));
    free(x);
    free(ratio);
    free(c);
}

static json_t *sweep_json(const struct aisp_sweep_point *p, size_t n)
{
    struct series *series = aisp_xcalloc(n + 1, sizeof *series);
    json_t *list = json_array(), *crossovers = json_array();
    size_t n_series = 0;

    for (size_t i = 0; i < n; i++) {
        if (!i || strcmp(p[i].variant, p[i - 1].variant))
            series[n_series++] = (struct series){ &p[i], 0 };
        series[n_series - 1].n++;
    }
    for (size_t i = 0; i < n_series; i++) {
        json_array_append_new(list, series_json(&series[i]));
        for (size_t k = 0; k < n_series; k++) /* the reference is what others cross, of two variants the later the earlier */
            if (strcmp(series[i].point->variant, p->reference) && (!strcmp(series[k].point->variant, p->reference) || k < i))
                add_crossovers(crossovers, &series[i], &series[k]);
    }
    free(series);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "target", p->target, "device", p->device, "reference", p->reference,
                     "parameter", p->parameter, "fixed", p->same_work ? json_null() : json_loads(p->fixed, 0, NULL),
                     "series", list, "crossovers", crossovers);
}

static enum aisp_status check_over(const struct aisp_request *request, const struct aisp_selection *s,
                                   const struct aisp_sweeps *sweeps)
{
    const char *over = aisp_args_text(request->args, "over");

    if (!over || sweeps->n || !s->rows.n)
        return AISP_OK;
    return aisp_fail(request->err, AISP_E_NOT_FOUND,
                     "--over %s: no results that differ in it alone, at %d values or more; "
                     "\"aisp bench run --set %s=N\" records them", over, aisp_sweep_is_of_processes(over) ? 2 : 3, over);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_selection_how how = { .every = true, .any_size = true };
    struct aisp_selection s = AISP_SELECTION_INIT;
    struct aisp_sweeps sweeps = AISP_SWEEPS_INIT;
    json_t *list = json_array();
    size_t end;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_selection_init(&s, request, &how));
    aisp_sweeps_find(&sweeps, &s, aisp_args_text(request->args, "over"), (size_t)aisp_args_integer(request->args, "runs"));
    AISP_TRY(check_over(request, &s, &sweeps));
    for (size_t first = 0; first < sweeps.n; first = end) {
        for (end = first; end < sweeps.n && !strcmp(sweeps.point[end].sweep, sweeps.point[first].sweep); end++)
            ;
        json_array_append_new(list, sweep_json(&sweeps.point[first], end - first));
    }
    *value = aisp_selection_json(&s);
    json_object_set_new(*value, "n_runs", json_integer((json_int_t)sweeps.n_runs));
    json_object_set_new(*value, "n_older_runs", json_integer((json_int_t)sweeps.n_runs_left));
    json_object_set(*value, "sweeps", list);
    json_object_set_new(*value, "explain", json_string(explain));
out:
    json_decref(list);
    aisp_sweeps_release(&sweeps);
    aisp_selection_release(&s);
    return st;
}

/* ---- as text ---- */

static void put_law(const json_t *series, const char *parameter, struct aisp_buf *out)
{
    const json_t *law = json_object_get(series, "law");
    const double lo = aisp_report_number(law, "lo95");

    aisp_buf_printf(out, "  %-28.28s", aisp_report_text(series, "variant"));
    if (!json_is_object(law)) {
        aisp_buf_printf(out, " %zu values: too few for a law\n", json_array_size(json_object_get(series, "points")));
        return;
    }
    aisp_buf_printf(out, " %.8s^%.2f", parameter, aisp_report_number(law, "exponent"));
    if (isfinite(lo))
        aisp_buf_printf(out, " [%.2f, %.2f]", lo, aisp_report_number(law, "hi95"));
    else
        aisp_buf_puts(out, " (no interval)");
    aisp_buf_printf(out, "; off by %.1f, max %.1f %%\n", aisp_report_number(law, "residual_median_percent"),
                    aisp_report_number(law, "residual_max_percent"));
}

static void put_points(const json_t *series, struct aisp_buf *out)
{
    struct aisp_buf line = AISP_BUF_INIT;
    const json_t *p;
    size_t i;

    json_array_foreach(json_object_get(series, "points"), i, p) {
        aisp_buf_printf(&line, "%s%.10g: ", i ? ", " : "", aisp_report_number(p, "value"));
        aisp_report_put_time(&line, aisp_report_number(p, "median_ns"));
    }
    aisp_put_wrapped(out, 4, 4, line.s);
    aisp_buf_release(&line);
}

static void put_processes(const json_t *series, struct aisp_buf *out)
{
    const json_t *value = json_object_get(series, "processes"), *p;
    size_t i;

    if (!json_is_object(value))
        return;
    aisp_buf_printf(out, "    %s scaling:\n", aisp_report_text(value, "kind"));
    json_array_foreach(json_object_get(value, "points"), i, p) {
        const double serial = aisp_report_number(p, "serial_share");

        aisp_buf_printf(out, "    %6.0f: speedup %6.2f, efficiency %5.1f %%", aisp_report_number(p, "processes"),
                        aisp_report_number(p, "speedup"), 100 * aisp_report_number(p, "efficiency"));
        if (isfinite(serial))
            aisp_buf_printf(out, ", serial share %.1f %%", 100 * serial);
        aisp_buf_puts(out, "\n");
    }
}

static void put_crossover(const json_t *c, const char *parameter, struct aisp_buf *out)
{
    const double at = aisp_report_number(c, "at");
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_buf_printf(&line, "%s is better than %s %s %s = ", aisp_report_text(c, "variant"), aisp_report_text(c, "against"),
                    json_is_true(json_object_get(c, "better_above")) ? "above" : "below", parameter);
    if (isfinite(at))
        aisp_buf_printf(&line, "%.4g ", at);
    else
        aisp_buf_puts(&line, "some value in ");
    aisp_buf_printf(&line, "[%.10g, %.10g]", aisp_report_number(c, "lo"), aisp_report_number(c, "hi"));
    aisp_put_wrapped(out, 2, 4, line.s);
    aisp_buf_release(&line);
}

static void put_sweep(const json_t *sweep, struct aisp_buf *out)
{
    const char *parameter = aisp_report_text(sweep, "parameter"), *name;
    const json_t *fixed = json_object_get(sweep, "fixed"), *one;
    struct aisp_buf line = AISP_BUF_INIT;
    json_t *value;
    size_t i;

    aisp_buf_printf(&line, "%s over %s", aisp_report_text(sweep, "target"), parameter);
    if (json_is_null(fixed))
        aisp_buf_puts(&line, ", the same work in all");
    json_object_foreach((json_t *)fixed, name, value)
        aisp_buf_printf(&line, ", %s=%lld", name, (long long)json_integer_value(value));
    aisp_put_wrapped(out, 0, 2, line.s);
    json_array_foreach(json_object_get(sweep, "series"), i, one) {
        put_law(one, parameter, out);
        put_points(one, out);
        put_processes(one, out);
    }
    json_array_foreach(json_object_get(sweep, "crossovers"), i, one)
        put_crossover(one, parameter, out);
    aisp_buf_release(&line);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long older = json_integer_value(json_object_get(value, "n_older_runs"));
    const json_t *sweep;
    size_t i;

    (void)style;
    aisp_put_head(out, value);
    json_array_foreach(json_object_get(value, "sweeps"), i, sweep)
        put_sweep(sweep, out);
    if (!i)
        aisp_put_wrapped(out, 0, 0,
                         "No sweep is recorded: results that differ in one parameter alone, at 3 values or more. \"aisp bench "
                         "run -t TARGET --set NAME=N\" records one value.");
    if (older)
        aisp_buf_printf(out, "%lld older runs were not looked into: --runs N\n", older);
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "over", 0, AISP_OPT_TEXT, .meta = "PARAMETER",
      .help = "Sweeps of this parameter, threads or ranks (default: of all that differ)" },
    { "runs", 0, AISP_OPT_INTEGER, .meta = "N", .help = "Look into so many runs, the newest", .preset = "200", .low = 1,
      .high = 1000000 },
    { "reference", 0, AISP_OPT_TEXT, .meta = "VARIANT", .help = "Measured against this variant", .preset = "baseline" },
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_scaling) = {
    .path = "bench scaling",
    .sentence = "Fit how measured times grow with a parameter, and find where variants cross",
    .example = "aisp bench scaling -t ch07:transpose\naisp bench scaling -t ch09:gemm_ladder --over n\n"
               "aisp bench scaling --over threads --json",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
