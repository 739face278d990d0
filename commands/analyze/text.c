/* text.c - small pieces of JSON and of tables. */
#include "commands/analyze/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/report.h"

enum { COLUMNS = 80 };

json_t *aisp_real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *aisp_measured_json(const struct aisp_measured *m)
{
    if (!aisp_measured_exists(m))
        return json_null();
    return json_pack("{s:f, s:o, s:o}", "value", m->value, "lo95", aisp_real_or_null(m->lo), "hi95", aisp_real_or_null(m->hi));
}

json_t *aisp_row_json(const struct aisp_result_row *row)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "target", row->target, "variant", row->variant,
                     "device", row->device, "run", row->run, "key", row->key, "grade", row->grade, "verdict", row->verdict,
                     "ratio", aisp_real_or_null(row->ratio), "lo95", aisp_real_or_null(row->lo95), "hi95",
                     aisp_real_or_null(row->hi95));
}

struct aisp_measured aisp_measured_from(const json_t *value)
{
    return aisp_measured_of(aisp_report_number(value, "value"), aisp_report_number(value, "lo95"),
                            aisp_report_number(value, "hi95"));
}

void aisp_put_padded(struct aisp_buf *out, const char *text, int width)
{
    const struct aisp_style plain = { false, 0 };

    aisp_paint(out, &plain, NULL, width, text);
}

void aisp_put_who(struct aisp_buf *out, const json_t *row, int width)
{
    char *who = aisp_format("%s/%s", aisp_report_text(row, "target"), aisp_report_text(row, "variant"));
    const int n = (int)strlen(who), head = (width - 2) / 2;

    if (n <= width || !width)
        aisp_put_padded(out, who, width);
    else
        aisp_buf_printf(out, "%.*s..%s", head, who, who + n - (width - 2 - head));
    free(who);
}

static int digits(double x)
{
    return x < 3 ? 3 : x < 30 ? 2 : x < 300 ? 1 : 0;
}

void aisp_put_measured(struct aisp_buf *out, const struct aisp_measured *m, int width)
{
    const int d = digits(m->value);
    char text[96];

    if (!aisp_measured_exists(m))
        snprintf(text, sizeof text, "not measured");
    else if (!aisp_measured_has_interval(m))
        snprintf(text, sizeof text, "%.*f", d, m->value);
    else
        snprintf(text, sizeof text, "%.*f [%.*f, %.*f]", d, m->value, d, m->lo, d, m->hi);
    aisp_put_padded(out, text, width);
}

void aisp_put_bytes(struct aisp_buf *out, double bytes, int width)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    char text[48];
    size_t i = 0;

    for (; bytes >= 1024 && i < 4; i++)
        bytes /= 1024;
    if (isfinite(bytes))
        snprintf(text, sizeof text, "%.*f %s", i ? (bytes < 10 ? 2 : bytes < 100 ? 1 : 0) : 0, bytes, units[i]);
    else
        snprintf(text, sizeof text, "not measured");
    aisp_put_padded(out, text, width);
}

void aisp_put_number(struct aisp_buf *out, double x, int width)
{
    static const char *const powers[] = { "n", "u", "m", "", "k", "M", "G", "T" };
    const double large = fabs(x);
    char text[48];
    int i = 3;

    if (isfinite(x) && large > 0) {
        while (i < 7 && large * pow(1000, 3 - i) >= 1000)
            i++;
        while (i > 0 && large * pow(1000, 3 - i) < 1)
            i--;
        x *= pow(1000, 3 - i);
    }
    if (isfinite(x))
        snprintf(text, sizeof text, "%.*f%s%s", fabs(x) < 10 ? 2 : fabs(x) < 100 ? 1 : 0, x, *powers[i] ? " " : "", powers[i]);
    else
        snprintf(text, sizeof text, "not measured");
    aisp_put_padded(out, text, width);
}

void aisp_put_time(struct aisp_buf *out, double ns, int width)
{
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_report_put_time(&text, ns);
    aisp_put_padded(out, isfinite(ns) ? text.s : "not measured", width);
    aisp_buf_release(&text);
}

void aisp_put_wrapped(struct aisp_buf *out, int first, int rest, const char *text)
{
    int at = first;
    bool is_start = true;

    aisp_buf_printf(out, "%*s", first, "");
    while (*text) {
        const int n = (int)strcspn(text, " ");

        if (!is_start && at + 1 + n > COLUMNS) {
            aisp_buf_printf(out, "\n%*s", rest, "");
            at = rest;
        } else if (!is_start) {
            aisp_buf_puts(out, " ");
            at++;
        }
        aisp_buf_add(out, text, (size_t)n);
        at += n;
        is_start = false;
        text += n + (text[n] == ' ');
    }
    aisp_buf_puts(out, "\n");
}

static void put_left_out(struct aisp_buf *line, long long n, const char *what, const char *option, const char *example)
{
    if (n && *example)
        aisp_buf_printf(line, ", %lld %s (%s %s)", n, what, option, example);
    else if (n)
        aisp_buf_printf(line, ", %lld %s", n, what);
}

static long long count(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

void aisp_put_head(struct aisp_buf *out, const json_t *value)
{
    const json_t *left = json_object_get(value, "left_out");
    const char *hardware = aisp_report_text(value, "hardware");
    const long long n = count(value, "n_results");
    struct aisp_buf line = AISP_BUF_INIT, rest = AISP_BUF_INIT;

    if (*hardware)
        aisp_buf_printf(&line, "%s: %lld result%s", hardware, n, n == 1 ? "" : "s");
    else
        aisp_buf_puts(&line, "Nothing that is recorded fits these options.");
    put_left_out(&rest, count(left, "invalid"), "invalid", "", "");
    put_left_out(&rest, count(left, "quarantined"), "in quarantine", "", "");
    put_left_out(&rest, count(left, "no_ratio"), "without a ratio", "", "");
    put_left_out(&rest, count(left, "other_size"), "of another size", "--size", aisp_report_text(left, "a_size"));
    put_left_out(&rest, count(left, "other_reference"), "against another reference", "--reference",
                 aisp_report_text(left, "a_reference"));
    if (rest.s)
        aisp_buf_printf(&line, "; left out:%s", rest.s + 1);
    aisp_put_wrapped(out, 0, 2, line.s);
    aisp_buf_release(&line);
    aisp_buf_release(&rest);
}

void aisp_put_explained(struct aisp_buf *out, const json_t *value)
{
    aisp_put_wrapped(out, 0, 2, aisp_report_text(value, "explain"));
}
