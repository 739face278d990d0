/* json.c - fields and figures. */
#include "tui/json.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "tui/canvas.h"

double *aisp_json_numbers(const json_t *array, size_t *n)
{
    double *x = aisp_xcalloc(json_array_size(array) + 1, sizeof *x);

    *n = json_array_size(array);
    for (size_t i = 0; i < *n; i++) {
        const json_t *value = json_array_get(array, i);

        x[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return x;
}

void aisp_tui_put_time(struct aisp_buf *out, double ns)
{
    static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
    size_t i = 0;

    if (!isfinite(ns)) {
        aisp_buf_puts(out, "-");
        return;
    }
    while (i < 3 && fabs(ns) < 0.9995 * units[i].ns)
        i++;
    ns /= units[i].ns;
    aisp_buf_printf(out, "%.*f %s", fabs(ns) < 9.995 ? 2 : fabs(ns) < 99.95 ? 1 : 0, ns, units[i].unit);
}

void aisp_tui_put_ratio(struct aisp_buf *out, const json_t *result)
{
    const double ratio = aisp_json_number(result, "ratio"), lo = aisp_json_number(result, "lo95");
    const double hi = aisp_json_number(result, "hi95");
    const int digits = ratio < 3 ? 3 : ratio < 30 ? 2 : ratio < 300 ? 1 : 0;

    if (!isfinite(ratio))
        aisp_buf_puts(out, "-");
    else if (!isfinite(lo) || !isfinite(hi))
        aisp_buf_printf(out, "%.*f", digits, ratio);
    else
        aisp_buf_printf(out, "%.*f [%.*f, %.*f]", digits, ratio, digits, lo, digits, hi);
}

void aisp_tui_put_roof(struct aisp_buf *out, const json_t *result)
{
    const json_t *roof = json_object_get(result, "roof_percent");
    const double percent = aisp_json_number(roof, aisp_json_text(roof, "bound"));

    if (isfinite(percent))
        aisp_buf_printf(out, "%.*f%%", percent < 9.95 ? 1 : 0, percent);
    else
        aisp_buf_puts(out, "-");
}

void aisp_tui_put_params(struct aisp_buf *out, const json_t *result)
{
    const json_t *params = json_object_get(result, "params"), *value;
    const char *name, *between = ": ";

    aisp_tui_put_key(out, result, "size");
    json_object_foreach((json_t *)params, name, value) {
        aisp_buf_printf(out, "%s%s=%lld", between, name, (long long)json_integer_value(value));
        between = " ";
    }
}

void aisp_tui_put_why(struct aisp_buf *out, const json_t *result)
{
    const json_t *reasons = json_object_get(result, "reasons");
    const char *first = json_string_value(json_array_get(reasons, 0)), *reason = aisp_json_text(result, "reason");
    const double wanted = aisp_json_number(result, "pairs_wanted");

    if (aisp_json_is(result, "grade", "invalid")) {
        aisp_buf_puts(out, first ? first : "");
        return;
    }
    aisp_buf_puts(out, reason);
    if (*reason && wanted > 0)
        aisp_buf_printf(out, "; about %.0f pairs would decide it, there were %.0f", wanted,
                        aisp_json_number(result, "n_pairs"));
}

void aisp_tui_put_key(struct aisp_buf *out, const json_t *object, const char *key)
{
    aisp_buf_puts(out, aisp_json_text(object, key));
}

void aisp_tui_put_date(struct aisp_buf *out, const json_t *object, const char *key)
{
    const time_t at = (time_t)json_integer_value(json_object_get(object, key));
    char text[24];
    struct tm tm;

    if (gmtime_r(&at, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm))
        aisp_buf_puts(out, text);
}

int aisp_tui_verdict_style(const char *verdict)
{
    static const struct { const char *verdict; int style; } of[] = {
        { "FASTER", AISP_TONE_GOOD }, { "VERIFIED", AISP_TONE_GOOD }, { "SLOWER", AISP_TONE_BAD },
        { "INVALID", AISP_TONE_BAD | AISP_MARK_BOLD }, { "UNSURE", AISP_TONE_UNSURE },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strcmp(verdict, of[i].verdict))
            return of[i].style;
    return AISP_TONE_PLAIN;
}
