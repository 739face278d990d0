/* show.c - what is said of a variant: right or wrong, how much was compared, and what it took. */
#include "plain/show.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const end_name[] = {
    [PLAIN_NOT_REACHED] = "failed", [PLAIN_RIGHT] = "right",       [PLAIN_WRONG] = "WRONG",
    [PLAIN_FAILED] = "failed",      [PLAIN_LEFT_OUT] = "left out",
};
static const char *const size_name[] = {
    [AISP_SIZE_DEFAULT] = "default",
    [AISP_SIZE_QUICK] = "quick",
    [AISP_SIZE_LARGE] = "large",
};

/* "value outside tolerance in y[17]: seen 1.5, expected 2, allowed 1e-06; 3 of 70 elements wrong; ordinary contents" */
static void describe_wrong(const struct plain_result *r, char text[600])
{
    const struct aisp_comparison *c = &r->first_wrong;

    if (r->why[0])
        snprintf(text, 600, "%s", r->why);
    else if (c->kind == AISP_WRONG_REJECTED)
        snprintf(text, 600, "%s: %s[%lld]: %s; %s", aisp_wrong_name(c->kind), r->tensor, (long long)c->first_wrong, c->why,
                 r->contents);
    else
        snprintf(text, 600, "%s: %s[%lld] is %.9g, expected %.9g +- %.3g; %lld of %lld compared wrong; %s", aisp_wrong_name(c->kind),
                 r->tensor, (long long)c->first_wrong, c->seen, c->expected, c->allowed, (long long)c->n_wrong,
                 (long long)c->n_compared, r->contents);
}

static void describe_rows(const struct plain_result *r, char text[64])
{
    if (r->n_rows >= r->of_rows)
        snprintf(text, 64, r->of_rows ? "all" : "-");
    else
        snprintf(text, 64, "%lld of %lld%s", (long long)r->n_rows, (long long)r->of_rows, r->by_device ? ", all by .cu" : "");
}

void plain_show_row(const struct plain_options *o, const struct aisp_target *target, const char *name, const struct plain_result *r,
                    bool is_first)
{
    char text[600], rows[64];

    if (is_first) {
        printf("%s, %s size", target->id, size_name[o->size]);
        for (int i = 0; i < o->n_set; i++)
            printf(", %s", o->set[i]);
        printf(", on %s\n%-26s %-8s %-24s %7s", r->machine[0] ? r->machine : "no device", "variant", "result", "rows", "err/tol");
        printf(o->time ? " %11s %11s %11s %8s %8s\n" : "\n", "median us", "p5", "p95", "GB/s", "TFLOP/s");
    }
    describe_rows(r, rows);
    printf("%-26s %-8s %-24s %7.2g", name, end_name[r->end], rows, r->worst);
    if (r->n_samples)
        printf(" %11.2f %11.2f %11.2f %8.1f %8.3f", r->us, r->us_p5, r->us_p95, (double)r->bytes / r->us / 1e3,
               (double)r->flops / r->us / 1e6);
    putchar('\n');
    if (r->end == PLAIN_WRONG)
        describe_wrong(r, text);
    if (r->end == PLAIN_WRONG)
        printf("    %s\n", text);
    else if (r->why[0])
        printf("    %s\n", r->why);
    fflush(stdout);
}

/* JSON has no NaN and no Inf. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *timing(const struct plain_result *r)
{
    if (!r->n_samples)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:i}", "median_us", r->us, "p5_us", r->us_p5, "p95_us", r->us_p95, "gbps",
                     (double)r->bytes / r->us / 1e3, "tflops", (double)r->flops / r->us / 1e6, "samples", r->n_samples,
                     "calls_per_sample", r->per_sample, "slots", r->n_slots);
}

static json_t *wrong(const struct plain_result *r)
{
    const struct aisp_comparison *c = &r->first_wrong;

    if (r->end != PLAIN_WRONG || r->why[0])
        return json_null();
    return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:I, s:I, s:s}", "kind", aisp_wrong_name(c->kind), "tensor", r->tensor, "element",
                     (json_int_t)c->first_wrong, "seen", number(c->seen), "expected", number(c->expected), "allowed",
                     number(c->allowed), "n_wrong", (json_int_t)c->n_wrong, "n_compared", (json_int_t)c->n_compared, "contents",
                     r->contents);
}

void plain_show_json(const struct plain_options *o, const struct aisp_target *target, const char *name, const struct plain_result *r,
                     bool is_first, bool is_last)
{
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:b, s:o, s:o, s:i, s:o, s:o}", "target", target->id, "variant", name,
                             "device", o->on_cuda ? "cuda" : "cpu", "machine", r->machine, "size", size_name[o->size], "result",
                             end_name[r->end], "rows_compared", (json_int_t)r->n_rows, "rows", (json_int_t)r->of_rows,
                             "rest_by_reference_cu", r->by_device, "wrong", wrong(r), "why",
                             r->why[0] ? json_string(r->why) : json_null(), "calls",
                             r->n_calls, "outputs", r->outputs[0] ? json_string(r->outputs) : json_null(), "time", timing(r));
    char *text = json ? json_dumps(json, JSON_REAL_PRECISION(9)) : NULL;

    printf("%s%s%s", is_first ? "[" : ",\n ", text ? text : "null", is_last ? "]\n" : "");
    free(text);
    json_decref(json);
    fflush(stdout);
}
