/* result.c - from evidence to one result.
 * Not here: its text form (result_text.c). */
#include "commands/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/samples.h"
#include "core/base/buf.h"
#include "core/base/hash.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/object_code.h"

static const char *const goals[] = { "speed", "memory", "throughput", "latency" };
static const char *const severities[] = { "note", "development", "violation" };

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* The JSON of a side that has nothing, or may not show it, is null. */
static json_t *both(json_t *a, json_t *b)
{
    return json_pack("{s:o, s:o}", "a", a, "b", b);
}

static void add_times(json_t *result, const struct aisp_evidence *ev, bool is_withheld)
{
    static const char *const key[] = { "p5_ns", "median_ns", "p95_ns", "p99_ns" };
    struct aisp_quantiles q[2];
    double shown[4][2];
    size_t n[2];

    for (int side = AISP_A; side <= AISP_B; side++) {
        double *x = aisp_evidence_samples(ev, side, &n[side]);

        if (!n[side] || aisp_quantiles_of(x, n[side], &q[side], NULL) ||
            (is_withheld && side == AISP_B))
            q[side] = (struct aisp_quantiles){ n[side], NAN, NAN, NAN, NAN };
        free(x);
        shown[0][side] = q[side].p5;
        shown[1][side] = q[side].p50;
        shown[2][side] = q[side].p95;
        shown[3][side] = q[side].p99;
    }
    for (int i = 0; i < 4; i++)
        json_object_set_new(result, key[i],
                            both(real_or_null(shown[i][AISP_A]), real_or_null(shown[i][AISP_B])));
    json_object_set_new(
        result, "n_windows",
        both(json_integer((json_int_t)n[AISP_A]), json_integer((json_int_t)n[AISP_B])));
}

/* Why the kernel scope has nothing to say; NULL: that is not it. Caller frees. */
static char *unheld_reason(const struct aisp_evidence *ev)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        if (ev->held.is_refused[side])
            return aisp_format("%s cannot be measured in the kernel scope: its calls do not come back while the device is "
                               "held, for they wait for it or launch more than its queue takes; measure with --scope call",
                               ev->variant[side].name);
    return NULL;
}

static void add_verdict(json_t *result, const struct aisp_result_spec *spec, bool is_invalid)
{
    struct aisp_look_result look = {
        .verdict = AISP_UNSURE, .ratio = NAN, .lo95 = NAN, .hi95 = NAN
    };
    const char *verdict, *reason = "";
    char *unheld = NULL;
    bool has_look = false;

    if (!spec->verify_only)
        has_look = aisp_run_verdict(spec->ev, &look, NULL) == AISP_OK;
    verdict = aisp_verdict_name(look.verdict);
    if (!has_look && spec->ev->held.scope)
        unheld = unheld_reason(spec->ev);
    if (is_invalid)
        verdict = "INVALID";
    else if (spec->verify_only)
        verdict = "VERIFIED";
    else if (look.verdict == AISP_UNSURE)
        reason = has_look ? aisp_reason_text(look.reason) : unheld ? unheld : "no complete pair was measured";
    if (is_invalid || !has_look)
        look.ratio = look.lo95 = look.hi95 = NAN;
    json_object_set_new(result, "n_pairs", json_integer((json_int_t)look.n_pairs));
    json_object_set_new(result, "ratio", real_or_null(look.ratio));
    json_object_set_new(result, "lo95", real_or_null(look.has_interval ? look.lo95 : NAN));
    json_object_set_new(result, "hi95", real_or_null(look.has_interval ? look.hi95 : NAN));
    json_object_set_new(result, "verdict", json_string(verdict));
    json_object_set_new(result, "reason", json_string(reason));
    free(unheld);
    json_object_set_new(result, "pairs_wanted",
                        json_integer((json_int_t)(is_invalid ? 0 : look.pairs_wanted)));
}

/* Ratios seen while the code lay elsewhere; nothing to show of what is invalid. */
static json_t *placement(const struct aisp_evidence *ev, bool is_withheld)
{
    double lo = INFINITY, hi = -INFINITY;
    int n = 0;

    for (size_t i = 0; i < ev->n_placements; i++) {
        if (ev->placement[i].n_pairs < 1)
            continue;
        lo = fmin(lo, exp(ev->placement[i].centre));
        hi = fmax(hi, exp(ev->placement[i].centre));
        n++;
    }
    if (!ev->n_placements || is_withheld)
        return json_null();
    return json_pack("{s:o, s:o, s:i, s:i}", "lo", real_or_null(lo), "hi", real_or_null(hi),
                     "measured", n, "of", (int)ev->n_placements);
}

/* How much of the gain there is at the secret points; nothing to show of what is invalid. */
static json_t *holdout(const struct aisp_evidence *ev, bool is_withheld)
{
    struct aisp_generalisation g;
    bool has_interval;

    if (is_withheld || !aisp_run_generalisation(ev, &g))
        return json_null();
    has_interval = g.n >= AISP_GENERALISATION_PAIRS;
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i}", "ratio", real_or_null(exp(g.there)), "lo99",
                     real_or_null(has_interval ? exp(g.lo) : NAN), "hi99",
                     real_or_null(has_interval ? exp(g.hi) : NAN), "generalisation",
                     real_or_null(exp(g.there - g.here)), "points", g.n_points, "n_pairs",
                     g.n);
}

static double median_of(const json_t *result, const char *side)
{
    const json_t *value = json_object_get(json_object_get(result, "median_ns"), side);

    return json_is_real(value) ? json_real_value(value) : NAN;
}

/* GB/s and GFLOP/s are bytes and operations a nanosecond. */
static json_t *watts(const struct aisp_card_energy *e)
{
    return real_or_null(e->n_windows ? 1e6 * (double)e->mj / (double)e->ns : NAN);
}

static json_t *mean_window_ms(const struct aisp_card_energy *e)
{
    return real_or_null(e->n_windows ? 1e-6 * (double)e->ns / (double)e->n_windows : NAN);
}

/* Of a call, as the card counted it; nothing at all where it could not be told. */
static void add_energy(json_t *result, const struct aisp_evidence *ev, bool is_withheld)
{
    struct aisp_card_energy e[2];
    double joules[2];

    for (int side = AISP_A; side <= AISP_B; side++) {
        e[side] = aisp_card_energy(&ev->machine.card, side);
        if (side == AISP_B && is_withheld)
            e[side].n_windows = 0;
        joules[side] = e[side].n_windows ? 1e-3 * (double)e[side].mj / (double)e[side].calls : NAN;
    }
    if (!e[AISP_A].n_windows && !e[AISP_B].n_windows)
        return;
    json_object_set_new(result, "energy_j", both(real_or_null(joules[AISP_A]), real_or_null(joules[AISP_B])));
    json_object_set_new(result, "energy",
                        json_pack("{s:s, s:f, s:o, s:o, s:o}", "by", "the card's counter", "step_ms",
                                  1e-6 * (double)ev->machine.card.energy_step_ns, "window_ms",
                                  both(mean_window_ms(&e[AISP_A]), mean_window_ms(&e[AISP_B])), "n_windows",
                                  both(json_integer((json_int_t)e[AISP_A].n_windows),
                                       json_integer((json_int_t)e[AISP_B].n_windows)),
                                  "watts", both(watts(&e[AISP_A]), watts(&e[AISP_B]))));
}

static void add_roof(json_t *result, const struct aisp_evidence *ev)
{
    const double t = median_of(result, "b"), gbps = aisp_evidence_roof_gbps(ev), gflops = aisp_evidence_roof_gflops(ev);
    double bytes = NAN, flops = NAN;
    const char *bound = NULL;

    if (gbps > 0 && ev->bytes > 0 && strcmp(ev->files.pages, "cold")) /* the roof of a disk was not measured */
        bytes = 100 * (double)ev->bytes / gbps / t;
    if (gflops > 0 && ev->flops > 0)
        flops = 100 * (double)ev->flops / gflops / t;
    if (isfinite(bytes) || isfinite(flops))
        bound = !isfinite(flops) || bytes >= flops ? "bytes" : "flops";
    json_object_set_new(result, "roof_percent",
                        bound ? json_pack("{s:o, s:o, s:s}", "bytes", real_or_null(bytes), "flops",
                                          real_or_null(flops), "bound", bound)
                              : json_null());
}

static void add_findings(json_t *result, const struct aisp_findings *found, enum aisp_grade grade)
{
    json_t *findings = json_array(), *reasons = json_array();

    for (size_t i = 0; i < found->n; i++) {
        const struct aisp_finding *f = &found->item[i];

        json_array_append_new(findings, json_pack("{s:s, s:i, s:s, s:s?, s:s%}", "check",
                                                  f->check->name, "issue", f->check->issue,
                                                  "severity", severities[f->severity], "side",
                                                  f->side == AISP_A   ? "a"
                                                  : f->side == AISP_B ? "b"
                                                                      : NULL,
                                                  "text", f->text, strlen(f->text)));
        if ((grade == AISP_GRADE_INVALID && f->severity == AISP_VIOLATION) ||
            (grade == AISP_GRADE_DEVELOPMENT && f->severity == AISP_DEVELOPMENT))
            json_array_append_new(reasons, json_string(f->text));
    }
    json_object_set_new(result, "grade", json_string(aisp_grade_name(grade)));
    json_object_set_new(result, "reasons", reasons);
    json_object_set_new(result, "findings", findings);
}

/* A quantile over a side's timed windows, without those of control pairs, of what `pick` takes from them. */
static json_t *quantile_window(const struct aisp_evidence *ev, int side,
                               double (*pick)(const struct aisp_window *), double p)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x);
    json_t *quantile;
    size_t n = 0;

    for (size_t i = 0; i < ev->n_windows; i++)
        if (ev->window[i].side == side && ev->window[i].kind == AISP_WINDOW_TIMED &&
            !aisp_evidence_is_control(ev, ev->window[i].pair))
            x[n++] = pick(&ev->window[i]);
    if (n)
        aisp_sort(x, n);
    quantile = n ? real_or_null(aisp_quantile_sorted(x, n, p)) : json_null();
    free(x);
    return quantile;
}

static double slack(const struct aisp_window *w)
{
    return (double)(w->window_ns - w->inner_ns);
}

/* A window without calls has its slack too, which hides nothing. */
static json_t *hidden(const struct aisp_evidence *ev, int side)
{
    json_t *most = quantile_window(ev, side, slack, 0.95);
    const double beyond_ns = json_number_value(most) - (double)ev->held.empty_ns[side];

    if (!json_is_number(most) || !ev->held.empty_ns[side])
        return most;
    json_decref(most);
    return json_real(fmax(beyond_ns, 0));
}

static double gap(const struct aisp_window *w)
{
    return (double)w->gap_ns;
}

static json_t *verified(const struct aisp_verified *v)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:o}", "full", (json_int_t)v->n_full,
                     "full_right", (json_int_t)v->n_full_right, "sampled", (json_int_t)v->n_sampled,
                     "sampled_right", (json_int_t)v->n_sampled_right, "elements",
                     (json_int_t)v->n_elements, "holdout", v->n_holdout, "holdout_right",
                     v->n_holdout_right, "worst", real_or_null(v->worst));
}

static json_t *verified_sides(const struct aisp_evidence *ev)
{
    json_t *a = verified(&ev->verified[AISP_A]);

    if (*ev->reference_in)
        json_object_set_new(a, "in", json_string(ev->reference_in));
    return both(a, verified(&ev->verified[AISP_B]));
}

static json_t *account(const struct aisp_account *a)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i}", "cpu_ns", (json_int_t)a->cpu_ns, "minor_faults",
        (json_int_t)a->minor_faults, "major_faults", (json_int_t)a->major_faults,
        "voluntary_switches", (json_int_t)a->voluntary_switches, "involuntary_switches",
        (json_int_t)a->involuntary_switches, "peak_rss_bytes", (json_int_t)a->peak_rss_bytes,
        "setup_ns", (json_int_t)a->setup_ns, "max_tasks", (int)a->max_tasks);
}

static json_t *units(const json_t *result, const struct aisp_result_spec *spec)
{
    const double n = spec->inst ? (double)spec->inst->units : 0;

    if (!spec->problem || !spec->problem->unit || n <= 0)
        return json_null();
    return json_pack("{s:s, s:o, s:o}", "unit", spec->problem->unit, "a",
                     real_or_null(n * 1e9 / median_of(result, "a")), "b",
                     real_or_null(n * 1e9 / median_of(result, "b")));
}

static json_t *names(const struct aisp_result_spec *spec)
{
    const struct aisp_evidence *ev = spec->ev;
    json_t *params = json_object(), *json;

    for (int i = 0; i < ev->n_params; i++)
        json_object_set_new(params, ev->param_name[i], json_integer(ev->param[i]));
    json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:s}", "key", spec->key,
                     "target", ev->target, "variant", ev->variant[AISP_B].name, "reference",
                     ev->variant[AISP_A].name, "device", ev->device, "scope",
                     aisp_scope_name((enum aisp_scope)ev->held.scope), "size", ev->size, "params",
                     params, "goal", (unsigned)ev->goal < 4 ? goals[ev->goal] : "?", "idea",
                     ev->variant[AISP_B].decl.idea, "expect", ev->variant[AISP_B].decl.expect);
    if (json && spec->point)
        json_object_set_new(json, "point", json_string(spec->point));
    return json;
}

/* Of the file that was measured, and no other: its hash has to be that of the evidence. */
static json_t *code_of(const char *path, const char *sha256)
{
    char file[65], code[65];

    if (!*path || aisp_hash_file(path, file, NULL) || strcmp(file, sha256) ||
        aisp_object_code_hash(path, code, NULL))
        return json_null();
    return json_string(code);
}

static json_t *codes(const struct aisp_evidence *ev)
{
    const struct aisp_watched *problem = &ev->watched[AISP_WATCHED_PROBLEM];

    return json_pack("{s:o, s:o, s:o}", "problem", code_of(problem->path, problem->sha256), "a",
                     code_of(ev->process[AISP_A].variant_path, ev->variant[AISP_A].sha256), "b",
                     code_of(ev->process[AISP_B].variant_path, ev->variant[AISP_B].sha256));
}

json_t *aisp_result_new(const struct aisp_result_spec *spec)
{
    const struct aisp_evidence *ev = spec->ev;
    struct aisp_findings found = AISP_FINDINGS_INIT;
    const enum aisp_grade grade = aisp_examine(ev, &spec->grading, &found);
    json_t *result = names(spec);

    if (!result)
        AISP_BUG("a result of %s that is no JSON", ev->target);
    add_times(result, ev, grade == AISP_GRADE_INVALID);
    add_verdict(result, spec, grade == AISP_GRADE_INVALID);
    json_object_set_new(result, "placement", placement(ev, grade == AISP_GRADE_INVALID));
    json_object_set_new(result, "holdout_speed", holdout(ev, grade == AISP_GRADE_INVALID));
    json_object_set_new(result, "per_second", units(result, spec));
    json_object_set_new(result, "goal_figure",
                        aisp_result_goal(ev, spec->inst ? spec->inst->units : 0,
                                         grade == AISP_GRADE_INVALID));
    add_energy(result, ev, grade == AISP_GRADE_INVALID);
    add_roof(result, ev);
    add_findings(result, &found, grade);
    json_object_set_new(result, "slack_ns",
                        both(quantile_window(ev, AISP_A, slack, 0.5), quantile_window(ev, AISP_B, slack, 0.5)));
    json_object_set_new(result, "slack95_ns",
                        both(quantile_window(ev, AISP_A, slack, 0.95), quantile_window(ev, AISP_B, slack, 0.95)));
    json_object_set_new(result, "hidden_ns", both(hidden(ev, AISP_A), hidden(ev, AISP_B)));
    json_object_set_new(result, "gap_ns",
                        both(quantile_window(ev, AISP_A, gap, 0.5), quantile_window(ev, AISP_B, gap, 0.5)));
    json_object_set_new(result, "verified", verified_sides(ev));
    json_object_set_new(result, "profile",
                        spec->profile
                            ? both(account(&ev->account[AISP_A]), account(&ev->account[AISP_B]))
                            : json_null());
    json_object_set_new(result, "calls", json_integer(ev->calls_per_window));
    json_object_set_new(result, "slots", json_integer(ev->n_slots));
    json_object_set_new(result, "threads", json_integer(ev->n_threads));
    json_object_set_new(result, "cache_level", json_string(ev->cache_level));
    json_object_set_new(result, "elapsed_s", real_or_null((double)ev->elapsed_ns * 1e-9));
    json_object_set_new(result, "band", real_or_null(ev->band));
    json_object_set_new(result, "floor", real_or_null(ev->floor));
    json_object_set_new(result, "code", codes(ev));
    json_object_set_new(result, "seed_commitment",
                        json_string(spec->seed_commitment ? spec->seed_commitment : ""));
    aisp_findings_release(&found);
    return result;
}

/* NULL: what was refused is itself at fault. */
static const char *not_measured(enum aisp_status status)
{
    return status == AISP_E_REFUSED     ? NULL
           : status == AISP_E_NO_MEMORY ? "no-memory"
           : status == AISP_E_USAGE     ? "usage"
                                        : "unavailable";
}

json_t *aisp_result_refused(const struct aisp_refusal *r)
{
    const char *not = not_measured(r->status);
    char *why = aisp_xstrdup(r->why);
    json_t *finding, *result;

    aisp_text_clean(why); /* names of files stand in it */
    finding = json_pack("{s:s, s:i, s:s, s:n, s:s}", "check", not ? not : "refused", "issue", 0, "severity",
                        not ? "development" : "violation", "side", "text", why);
    result = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:n, s:s, s:s, s:[s], s:[o]}", "key", r->key, "target",
                       r->target, "variant", r->variant, "reference", r->reference, "device", r->device, "scope",
                       aisp_scope_name(r->scope), "verdict", not ? "UNSURE" : "INVALID", "ratio", "reason",
                       not ? why : "", "grade", not ? "development" : "invalid", "reasons", why, "findings",
                       finding);
    if (not)
        json_object_set_new(result, "not_measured", json_string(not));
    free(why);
    return result;
}

void aisp_result_set_point(json_t *result, const char *point, const struct aisp_instance *inst, const char *reference)
{
    json_t *params = json_object();

    for (int i = 0; i < inst->n_params; i++)
        json_object_set_new(params, inst->problem->param[i].name, json_integer(inst->param[i]));
    json_object_set_new(result, "params", params);
    json_object_set_new(result, "size", json_string("custom"));
    json_object_set_new(result, "reference", json_string(reference));
    json_object_set_new(result, "point", json_string(point));
}

bool aisp_result_is_invalid(const json_t *result)
{
    const char *grade = json_string_value(json_object_get(result, "grade"));

    return grade && !strcmp(grade, "invalid");
}

char *aisp_result_key(const char *target, const char *variant, const char *reference)
{
    const bool is_usual = !reference || !strcmp(reference, "baseline");
    char *key = aisp_format("%s.%s%s%s", target, variant, is_usual ? "" : "-vs-",
                            is_usual ? "" : reference);

    for (char *c = key; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c))
            *c = '.';
    if (*key == '.')
        *key = '_';
    return key;
}
