/* figure.c - from a result and its evidence to what can be compared. */
#include "analysis/figure.h"

#include <math.h>
#include <string.h>

#include "core/evidence.h"
#include "core/json.h"

json_t *aisp_figure_json(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

char *aisp_figure_chapter(const char *target)
{
    const char *colon = strrchr(target, ':');

    return colon ? aisp_format("%.*s", (int)(colon - target), target) : aisp_xstrdup(target);
}

static bool is_invalid(const json_t *result)
{
    return !strcmp(aisp_json_text(result, "grade"), "invalid") || !strcmp(aisp_json_text(result, "verdict"), "INVALID");
}

/* An UNSURE whose interval is merely wide, or near 1, is as good a figure as any other. One that an alarm made is not. */
static bool is_alarm(const json_t *result)
{
    const char *reason = aisp_json_text(result, "reason");

    return !strcmp(aisp_json_text(result, "verdict"), "UNSURE") && strcmp(reason, aisp_reason_text(AISP_REASON_WIDE)) &&
           strcmp(reason, aisp_reason_text(AISP_REASON_BELOW_FLOOR));
}

static void put_trouble(const json_t *result, const char *quarantine, struct aisp_buf *out)
{
    const json_t *reasons = json_object_get(result, "reasons");
    const char *first = json_string_value(json_array_get(reasons, 0));
    const struct aisp_ratio r = aisp_figure_ratio(result);

    if (is_invalid(result))
        aisp_buf_puts(out, first ? first : "no finding is recorded");
    else if (quarantine)
        aisp_buf_puts(out, quarantine);
    else if (!strcmp(aisp_json_text(result, "verdict"), "VERIFIED"))
        aisp_buf_puts(out, "only its outputs were verified, nothing was timed");
    else if (is_alarm(result))
        aisp_buf_printf(out, "the run itself is unsure of it: %s", aisp_json_text(result, "reason"));
    else if (!(r.ratio > 0) || !(r.lo95 > 0) || !(r.hi95 >= r.lo95))
        aisp_buf_puts(out, "it has no interval: fewer than 6 complete pairs");
}

bool aisp_figure_needs_evidence(const json_t *result)
{
    return !json_is_object(json_object_get(result, "code"));
}

/* New reference. */
static json_t *text_or_null(const json_t *object, const char *name)
{
    const char *text = aisp_json_text(object, name);

    return *text ? json_string(text) : json_null();
}

/* Of object[list][i]. */
static json_t *text_at(const json_t *object, const char *list, size_t i, const char *name)
{
    return text_or_null(json_array_get(json_object_get(object, list), i), name);
}

static void put_hashes(json_t *figure, const json_t *result, const json_t *evidence)
{
    const json_t *code = json_object_get(result, "code");
    const bool has_code = !aisp_figure_needs_evidence(result);

    json_object_set_new(figure, "hash_of", json_string(has_code ? "code" : "file"));
    json_object_set_new(figure, "problem_sha256",
                        has_code ? text_or_null(code, "problem") : text_at(evidence, "watched", 0, "sha256"));
    json_object_set_new(figure, "reference_sha256",
                        has_code ? text_or_null(code, "a") : text_at(evidence, "variants", 0, "sha256"));
    json_object_set_new(figure, "variant_sha256",
                        has_code ? text_or_null(code, "b") : text_at(evidence, "variants", 1, "sha256"));
}

static void copy(json_t *to, const json_t *from, const char *name)
{
    json_t *value = json_object_get(from, name);

    json_object_set_new(to, name, value ? json_deep_copy(value) : json_null());
}

json_t *aisp_figure_new(const json_t *result, const json_t *evidence, const char *hardware, const char *quarantine)
{
    static const char *const copied[] = { "key",     "target",  "variant", "reference", "device", "size",
                                          "goal",    "params",  "threads", "ratio",     "lo95",   "hi95",
                                          "n_pairs", "verdict", "grade",   "elapsed_s", "point" };
    struct aisp_buf trouble = AISP_BUF_INIT;
    json_t *figure = json_object();
    char device[48];

    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
        copy(figure, result, copied[i]);
    aisp_scope_device(aisp_json_text(result, "device"), aisp_json_text(result, "scope"), device, sizeof device);
    json_object_set_new(figure, "device", json_string(device)); /* figures of two scopes are of two devices: never compared */
    json_object_set_new(figure, "hardware", json_string(hardware));
    copy(figure, json_object_get(result, "floor") ? result : evidence, "floor");
    copy(figure, json_object_get(result, "band") ? result : evidence, "band");
    put_hashes(figure, result, evidence);
    put_trouble(result, quarantine, &trouble);
    json_object_set_new(figure, "is_invalid", json_boolean(is_invalid(result) || quarantine));
    json_object_set_new(figure, "trouble", json_string(trouble.s ? trouble.s : ""));
    aisp_buf_release(&trouble);
    return figure;
}

bool aisp_figure_is_same(const json_t *a, const json_t *b)
{
    static const char *const names[] = { "target", "variant", "reference", "device", "size" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(aisp_json_text(a, names[i]), aisp_json_text(b, names[i])))
            return false;
    return true;
}

const json_t *aisp_figure_find(const json_t *figures, const json_t *of)
{
    const json_t *figure, *first = NULL;
    size_t i;

    json_array_foreach(figures, i, figure) {
        if (!aisp_figure_is_same(figure, of))
            continue;
        if (json_equal(json_object_get(figure, "params"), json_object_get(of, "params")))
            return figure;
        if (!first && !*aisp_json_text(of, "point") && !*aisp_json_text(figure, "point")) /* of a sweep's many, no other */
            first = figure;
    }
    return first;
}

struct aisp_ratio aisp_figure_ratio(const json_t *figure)
{
    return (struct aisp_ratio){ aisp_json_number(figure, "ratio"), aisp_json_number(figure, "lo95"),
                                aisp_json_number(figure, "hi95") };
}

/* ---- what both have to share ---- */

static bool differ_in_params(const json_t *before, const json_t *after, struct aisp_buf *why)
{
    const json_t *a = json_object_get(before, "params"), *b = json_object_get(after, "params"), *value;
    const char *name;

    json_object_foreach((json_t *)b, name, value) {
        const json_t *was = json_object_get(a, name);

        if (!was)
            aisp_buf_printf(why, "parameter %s is new", name);
        else if (json_integer_value(was) != json_integer_value(value))
            aisp_buf_printf(why, "parameter %s is %lld, was %lld", name, (long long)json_integer_value(value),
                            (long long)json_integer_value(was));
        if (why->len)
            return true;
    }
    json_object_foreach((json_t *)a, name, value)
        if (!json_object_get(b, name)) {
            aisp_buf_printf(why, "parameter %s is gone", name);
            return true;
        }
    return false;
}

/* What is not known on one side cannot be said to be the same. */
static bool differ_in_hash(const json_t *before, const json_t *after, const char *name, const char *what, struct aisp_buf *why)
{
    const char *a = aisp_json_text(before, name), *b = aisp_json_text(after, name);
    const bool is_alike = !strcmp(aisp_json_text(before, "hash_of"), aisp_json_text(after, "hash_of"));

    if (*a && *b && is_alike && !strcmp(a, b))
        return false;
    if (*a && *b && is_alike)
        aisp_buf_printf(why, "%s is another one (hash %.8s, was %.8s)", what, b, a);
    else if (*a && *b)
        aisp_buf_printf(why, "it is not known whether %s is the same: one hash is of its file, one of its code", what);
    else
        aisp_buf_printf(why, "it is not known whether %s is the same: its hash is not recorded", what);
    return true;
}

bool aisp_figure_differs(const json_t *before, const json_t *after, struct aisp_buf *why)
{
    const char *a = aisp_json_text(before, "goal"), *b = aisp_json_text(after, "goal");
    const double threads[2] = { aisp_json_number(before, "threads"), aisp_json_number(after, "threads") };

    if (strcmp(a, b)) {
        aisp_buf_printf(why, "the goal is %s, was %s", b, a);
        return true;
    }
    if (differ_in_params(before, after, why))
        return true;
    if (threads[0] != threads[1]) {
        if (isfinite(threads[0]) && isfinite(threads[1]))
            aisp_buf_printf(why, "it ran with %.0f threads, before with %.0f", threads[1], threads[0]);
        else
            aisp_buf_puts(why, "it is not known whether it ran with as many threads");
        return true;
    }
    return differ_in_hash(before, after, "problem_sha256", "the problem", why) ||
           differ_in_hash(before, after, "reference_sha256", "the baseline", why);
}
