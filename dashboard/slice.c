/* slice.c - see slice.h. JSON_INDENT(2) puts each element on a line of its own, and no line break into a string. */
#include "dashboard/slice.h"

#include <string.h>

/* The length of the line at `text`, with its line break. */
static size_t line_of(const char *text, const char *end)
{
    const char *lf = memchr(text, '\n', (size_t)(end - text));

    return (size_t)((lf ? lf + 1 : end) - text);
}

static int indent_of(const char *line, size_t n)
{
    size_t i = 0;

    while (i < n && line[i] == ' ')
        i++;
    return (int)i;
}

/* Without the line break and a comma. */
static size_t trimmed(const char *line, size_t n)
{
    while (n && (line[n - 1] == '\n' || line[n - 1] == ','))
        n--;
    return n;
}

static bool begins_element(const char *line, size_t n, int indent)
{
    return n > (size_t)indent + 1 && indent_of(line, n) == indent && line[indent] != '}' && line[indent] != ']';
}

/* Where the list that begins behind `at` ends, and how many it has. */
static void measure(struct aisp_slice *s, const char *text, const char *at, const char *end)
{
    s->from = (size_t)(at - text);
    s->n = 0;
    for (size_t n; at < end; at += n) {
        n = line_of(at, end);
        if (indent_of(at, n) < s->indent)
            break;
        s->n += begins_element(at, n, s->indent);
    }
    s->to = (size_t)(at - text);
}

bool aisp_slice_find(struct aisp_slice *s, const char *text, size_t n)
{
    const char *end = text + n, *at = text;
    int n_lists = 0;

    *s = (struct aisp_slice){ .indent = 2 };
    if (n > 1 && text[0] == '[' && text[1] == '\n') {
        measure(s, text, text + 2, end);
        return true;
    }
    for (size_t length; at < end; at += length) {
        size_t m;

        length = line_of(at, end);
        m = trimmed(at, length);
        if (indent_of(at, length) != 2 || at[2] != '"')
            continue;
        if (m > 4 && !memcmp(at + m - 3, ": [", 3)) {
            s->indent = 4;
            measure(s, text, at + length, end);
            n_lists++;
        } else if (m > 4 && !memcmp(at + m - 4, ": []", 4)) {
            if (!n_lists++)
                s->from = s->to = n;         /* nothing to cut */
        }
    }
    return n_lists == 1;
}

void aisp_slice_write(const struct aisp_slice *s, const char *text, size_t n, size_t first, size_t count, struct aisp_buf *out)
{
    const char *at = text + s->from, *end = text + s->to;
    size_t i = 0, last = 0;                  /* elements that have begun; where the last written byte lies */

    aisp_buf_add(out, text, s->from);
    for (size_t length; at < end; at += length) {
        length = line_of(at, end);
        i += begins_element(at, length, s->indent);
        if (i > first + count)
            break;
        if (i > first) {
            aisp_buf_add(out, at, length);
            last = out->len;
        }
    }
    if (last && out->s[last - 1] == '\n' && last > 1 && out->s[last - 2] == ',') {
        out->s[last - 2] = '\n';             /* the last has no comma behind it */
        out->len = last - 1;
    }
    aisp_buf_add(out, text + s->to, n - s->to);
}
