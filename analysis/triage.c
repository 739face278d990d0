/* triage.c - sort a run's rows by what they ask for. */
#include "analysis/triage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/evidence.h"
#include "core/json.h"

/* The procedure's last look: a run takes no more pairs than these. */
enum { PAIRS_AT_MOST = 90 };

/* ---- command lines ---- */

void aisp_triage_put_word(struct aisp_buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";

    if (*word && strspn(word, plain) == strlen(word)) {
        aisp_buf_puts(out, word);
        return;
    }
    aisp_buf_puts(out, "'");
    for (; *word; word++)
        if (*word == '\'')
            aisp_buf_puts(out, "'\\''");
        else
            aisp_buf_add(out, word, 1);
    aisp_buf_puts(out, "'");
}

/* A figure's device is "cuda/kernel", a result's "cuda" with its scope beside it. */
static bool is_on_cpu(const json_t *row)
{
    const char *device = aisp_json_text(row, "device");

    return !*device || !strcmp(device, "cpu");
}

void aisp_triage_put_device(struct aisp_buf *out, const json_t *row)
{
    const char *device = aisp_json_text(row, "device");
    char *name = aisp_format("%.*s", (int)strcspn(device, "/"), device);

    if (!is_on_cpu(row)) {
        aisp_buf_puts(out, " --device ");
        aisp_triage_put_word(out, name);
    }
    free(name);
}

/* Without a word of it an accelerator is measured at the large size. */
static void put_size(struct aisp_buf *out, const json_t *result)
{
    const char *size = aisp_json_text(result, "size"), *name;
    const json_t *value;

    if (!strcmp(size, "quick"))
        aisp_buf_puts(out, " --quick");
    else if (!strcmp(size, "large") || (!strcmp(size, "default") && !is_on_cpu(result)))
        aisp_buf_printf(out, " --size %s", size);
    else if (!strcmp(size, "custom"))
        json_object_foreach(json_object_get(result, "params"), name, value) {
            char *set = aisp_format("%s=%lld", name, (long long)json_integer_value(value));

            aisp_buf_puts(out, " --set ");
            aisp_triage_put_word(out, set);
            free(set);
        }
}

void aisp_triage_put_run(struct aisp_buf *out, const json_t *result)
{
    const char *target = aisp_json_text(result, "target"), *variant = aisp_json_text(result, "variant");
    const char *reference = aisp_json_text(result, "reference"), *scope = aisp_json_text(result, "scope");
    const long long n_threads = json_integer_value(json_object_get(result, "threads"));

    if (strcmp(reference, "baseline")) {
        char *a = aisp_format("%s/%s", target, reference), *b = aisp_format("%s/%s", target, variant);

        aisp_buf_puts(out, "aisp bench compare ");
        aisp_triage_put_word(out, a);
        aisp_buf_puts(out, " ");
        aisp_triage_put_word(out, b);
        free(a);
        free(b);
    } else {
        aisp_buf_puts(out, "aisp bench run -t ");
        aisp_triage_put_word(out, target);
    }
    if (!strcmp(reference, "baseline") && strcmp(variant, "-")) { /* "-": what was refused is the whole target */
        aisp_buf_puts(out, " --variant ");
        aisp_triage_put_word(out, variant);
    }
    aisp_triage_put_device(out, result);
    if (!strcmp(scope, aisp_scope_name(AISP_SCOPE_KERNEL)))
        aisp_buf_printf(out, " --scope %s", scope);
    put_size(out, result);
    if (n_threads > 1)
        aisp_buf_printf(out, " --threads %lld", n_threads);
}

static void add(json_t *list, const char *kind, const json_t *result, struct aisp_buf *text, struct aisp_buf *next,
                const char *options, double weight)
{
    aisp_buf_puts(next, options);
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:f}", "kind", kind, "target",
                                    aisp_json_text(result, "target"), "variant", aisp_json_text(result, "variant"),
                                    "device", aisp_json_text(result, "device"), "size", aisp_json_text(result, "size"),
                                    "text", text->s ? text->s : "", "next", next->s, "weight", isfinite(weight) ? weight : 0));
    aisp_buf_release(text);
    aisp_buf_release(next);
}

/* ---- kinds ---- */

static void add_invalid(json_t *list, const struct aisp_triage_spec *spec, const json_t *result, const json_t *figure)
{
    const json_t *findings = json_object_get(result, "findings"), *finding;
    struct aisp_buf text = AISP_BUF_INIT, next = AISP_BUF_INIT;
    const char *check = "";
    size_t i;

    json_array_foreach(findings, i, finding)
        if (!strcmp(aisp_json_text(finding, "severity"), "violation") && !*check)
            check = aisp_json_text(finding, "check");
    aisp_buf_printf(&text, "%s%s%s", check, *check ? ": " : "", aisp_json_text(figure, "trouble"));
    aisp_buf_puts(&next, strcmp(check, "refused") ? "aisp bench verify -t " : "aisp bench show ");
    aisp_triage_put_word(&next, aisp_json_text(result, "target"));
    aisp_triage_put_device(&next, result);
    add(list, "invalid", result, &text, &next, spec->options, 0);
}

static void add_slower(json_t *list, const struct aisp_triage_spec *spec, const json_t *result)
{
    const struct aisp_ratio r = aisp_figure_ratio(result);
    struct aisp_buf text = AISP_BUF_INIT, next = AISP_BUF_INIT;

    aisp_buf_printf(&text, "ratio %.3f [%.3f, %.3f] to %s", r.ratio, r.lo95, r.hi95, aisp_json_text(result, "reference"));
    aisp_triage_put_run(&next, result);
    if (is_on_cpu(result)) /* whose code an audit can move */
        aisp_buf_puts(&next, " --placement-audit");
    add(list, "slower", result, &text, &next, spec->options, -log(r.ratio));
}

/* More pairs take more time; more than the procedure's last look there are never. */
static void put_cure(const json_t *result, double time_limit_s, struct aisp_buf *text, struct aisp_buf *next)
{
    const double wanted = aisp_json_number(result, "pairs_wanted"), n = aisp_json_number(result, "n_pairs");
    const double took = time_limit_s > 0 ? time_limit_s : aisp_json_number(result, "elapsed_s");
    const bool is_wide = !strcmp(aisp_json_text(result, "reason"), aisp_reason_text(AISP_REASON_WIDE));
    const struct aisp_ratio r = aisp_figure_ratio(result);

    aisp_triage_put_run(next, result);
    if (*aisp_json_text(result, "not_measured")) /* the reason says what is in the way */
        return;
    if (wanted > 0 && wanted <= PAIRS_AT_MOST && n > 0 && took > 0) {
        aisp_buf_printf(text, "; about %.0f pairs would decide it, there were %.0f", wanted, n);
        aisp_buf_printf(next, " --time-limit %.0fs", ceil(1.2 * took * wanted / n));
    } else if (wanted > PAIRS_AT_MOST && is_wide && r.lo95 > 0) {
        aisp_buf_printf(text, "; about %.0f pairs would decide it, and no run takes more than %d: a wider band may", wanted,
                        PAIRS_AT_MOST);
        aisp_buf_printf(next, " --band %.1f", ceil(11 * 100 * fmax(fabs(log(r.lo95)), fabs(log(r.hi95)))) / 10);
    } else if (!strcmp(aisp_json_text(result, "reason"), aisp_reason_text(AISP_REASON_PLACEMENT))) {
        aisp_buf_puts(next, " --placement-audit");
    } else {
        aisp_buf_puts(text, "; more pairs are not what is missing: measure it again on a quiet machine");
    }
}

static void add_unsure(json_t *list, const struct aisp_triage_spec *spec, const json_t *result)
{
    struct aisp_buf text = AISP_BUF_INIT, next = AISP_BUF_INIT;

    aisp_buf_puts(&text, aisp_json_text(result, "reason"));
    put_cure(result, spec->time_limit_s, &text, &next);
    add(list, "unsure", result, &text, &next, spec->options, -aisp_json_number(result, "pairs_wanted"));
}

static void add_change(json_t *list, const struct aisp_triage_spec *spec, const json_t *change, const char *kind)
{
    const json_t *c = json_object_get(change, "change");
    struct aisp_buf text = AISP_BUF_INIT, next = AISP_BUF_INIT;

    aisp_buf_printf(&text, "%+.1f %% [%+.1f, %+.1f] against run %s: ratio %.3f, was %.3f", aisp_json_number(c, "percent"),
                    aisp_json_number(c, "lo95_percent"), aisp_json_number(c, "hi95_percent"),
                    aisp_json_text(change, "run"), aisp_json_number(json_object_get(change, "after"), "ratio"),
                    aisp_json_number(json_object_get(change, "before"), "ratio"));
    if (*aisp_json_text(change, "reason"))
        aisp_buf_printf(&text, "; %s", aisp_json_text(change, "reason"));
    aisp_buf_puts(&next, "aisp bench compare-runs ");
    aisp_triage_put_word(&next, aisp_json_text(change, "run"));
    aisp_buf_puts(&next, " ");
    aisp_triage_put_word(&next, spec->run);
    add(list, kind, change, &text, &next, spec->options, fabs(aisp_json_number(c, "percent")));
}

/* ---- order ---- */

static int by_weight(const void *a, const void *b)
{
    const double x = aisp_json_number(*(json_t *const *)a, "weight"), y = aisp_json_number(*(json_t *const *)b, "weight");

    return (x < y) - (x > y);
}

/* Those of `from`, the heaviest first, behind `to`; at most n of them. How many were left out. `from` is stolen. */
static size_t append_sorted(json_t *to, json_t *from, size_t n)
{
    const size_t all = json_array_size(from);
    json_t **item = aisp_xcalloc(all + 1, sizeof *item);

    for (size_t i = 0; i < all; i++)
        item[i] = json_array_get(from, i);
    qsort(item, all, sizeof *item, by_weight);
    for (size_t i = 0; i < all && i < n; i++) {
        json_object_del(item[i], "weight");
        json_array_append(to, item[i]);
    }
    free(item);
    json_decref(from);
    return all > n ? all - n : 0;
}

static bool has_verdict(const json_t *row, const char *verdict)
{
    return !strcmp(aisp_json_text(row, "verdict"), verdict);
}

json_t *aisp_triage(const struct aisp_triage_spec *spec)
{
    json_t *invalid = json_array(), *regression = json_array(), *slower = json_array(), *unsure = json_array();
    json_t *change = json_array(), *all = json_array();
    size_t left_unsure, left_change, i;
    const json_t *row;

    json_array_foreach(spec->results, i, row) {
        const json_t *figure = json_array_get(spec->figures, i);

        if (json_is_true(json_object_get(figure, "is_invalid")))
            add_invalid(invalid, spec, row, figure);
        else if (has_verdict(row, "SLOWER"))
            add_slower(slower, spec, row);
        else if (has_verdict(row, "UNSURE"))
            add_unsure(unsure, spec, row);
    }
    json_array_foreach(spec->changes, i, row)
        if (json_is_object(json_object_get(row, "change"))) {
            if (has_verdict(row, "SLOWER"))
                add_change(regression, spec, row, "regression");
            else
                add_change(change, spec, row, has_verdict(row, "FASTER") ? "improvement" : "change");
        }
    append_sorted(all, invalid, (size_t)-1);
    append_sorted(all, regression, (size_t)-1);
    append_sorted(all, slower, (size_t)-1);
    left_unsure = append_sorted(all, unsure, spec->n_most);
    left_change = append_sorted(all, change, spec->n_most);
    return json_pack("{s:o, s:{s:I, s:I}}", "items", all, "left_out", "unsure", (json_int_t)left_unsure, "change",
                     (json_int_t)left_change);
}
