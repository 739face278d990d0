/* calc.c - numbers that may be missing, and how they are written. */
#include "commands/utils/calc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80 };

json_t *aisp_calc_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *aisp_calc_count(double x)
{
    return fabs(x) < 9e15 && x == floor(x) ? json_integer((json_int_t)x) : aisp_calc_real(x);
}

double aisp_calc_of(const json_t *value, const char *key)
{
    const json_t *found = json_object_get(value, key);

    return json_is_number(found) ? json_number_value(found) : NAN;
}

const char *aisp_calc_text(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));

    return text ? text : "";
}

double aisp_calc_asked(const struct aisp_args *args, const char *option)
{
    return aisp_args_text(args, option) ? aisp_args_real(args, option) : NAN;
}

void aisp_calc_note(json_t *notes, const char *format, ...)
{
    struct aisp_buf line = AISP_BUF_INIT;
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(&line, format, args);
    va_end(args);
    json_array_append_new(notes, json_string(line.s));
    aisp_buf_release(&line);
}

struct aisp_calc_bytes aisp_calc_bytes(double bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    struct aisp_calc_bytes text = { "-" };
    size_t unit = 0;

    if (!isfinite(bytes))
        return text;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text.s, sizeof text.s, unit ? "%.2f %s" : "%.4g %s", bytes, units[unit]);
    return text;
}

/* Characters, not bytes: what a terminal shows. */
static int shown(const char *text, size_t n)
{
    int width = 0;

    for (size_t i = 0; i < n; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

void aisp_calc_put_wrapped(struct aisp_buf *out, int used, int indent, const char *text)
{
    bool first = true;

    while (*text) {
        const size_t n = strcspn(text, " ");
        const int width = shown(text, n);

        if (!first && used + 1 + width > WIDTH) {
            aisp_buf_printf(out, "\n%*s", indent, "");
            used = indent;
            first = true;
        }
        if (!first) {
            aisp_buf_puts(out, " ");
            used++;
        }
        aisp_buf_add(out, text, n);
        used += width;
        text += n + strspn(text + n, " ");
        first = false;
    }
    aisp_buf_puts(out, "\n");
}

void aisp_calc_put_notes(struct aisp_buf *out, const json_t *value)
{
    const json_t *notes = json_object_get(value, "notes"), *line;
    size_t i;

    json_array_foreach(notes, i, line)
    {
        aisp_buf_puts(out, "note: ");
        aisp_calc_put_wrapped(out, 6, 6, json_string_value(line));
    }
}
