/* message.c - the compiler's words: counted, bounded, cleaned. Whoever wrote the source has a say in them, so that nothing of
 * them is believed but that a line of -H stands for an include. */
#include <string.h>

#include "sandbox/inside.h"

void aisp_messages_add(struct aisp_messages *m, const char *bytes, size_t n)
{
    const size_t room = sizeof m->kept - 1 - m->n_kept, keep = n < room ? n : room;

    for (size_t i = 0; i < keep; i++)
        m->kept[m->n_kept + i] = bytes[i] ? bytes[i] : '?';
    m->n_kept += keep;
    m->kept[m->n_kept] = '\0';
    m->n += n;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '\n') {
            m->column = m->n_dots = 0;
            continue;
        }
        if (bytes[i] == '.' && m->n_dots == m->column)
            m->n_dots++;
        else if (bytes[i] == ' ' && m->n_dots && m->n_dots == m->column)
            m->n_includes++;
        m->column++;
    }
}

bool aisp_messages_say(const struct aisp_messages *m, const char *what)
{
    return strstr(m->kept, what) != NULL;
}

/* What -H says: includes, and its advice at the end. */
static bool is_list(const char *line, size_t n)
{
    static const char advice[] = "Multiple include guards";
    const size_t dots = strspn(line, ".");

    return (dots && dots < n && line[dots] == ' ') || !strncmp(line, advice, sizeof advice - 1) ||
           (n && !memchr(line, ':', n) && (line[0] == '/' || !strncmp(line, "include/", 8)));
}

static size_t add_line(char *to, size_t size, size_t at, const char *line, size_t n)
{
    for (size_t i = 0; i < n && at + 2 < size; i++) {
        const unsigned char c = (unsigned char)line[i];

        /* Compilers quote names with these in UTF-8. */
        if (c == 0xe2 && i + 2 < n && (unsigned char)line[i + 1] == 0x80) {
            to[at++] = '\'';
            i += 2;
            continue;
        }
        to[at++] = c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : line[i];
    }
    if (at + 1 < size)
        to[at++] = '\n';
    return at;
}

void aisp_messages_clean(const struct aisp_messages *m, char *to, size_t size)
{
    const bool has_error = aisp_messages_say(m, "rror");
    bool begun = !has_error;
    size_t at = 0;

    for (const char *line = m->kept; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t n = strcspn(line, "\n");
        char head[256];

        memcpy(head, line, n < sizeof head - 1 ? n : sizeof head - 1);
        head[n < sizeof head - 1 ? n : sizeof head - 1] = '\0';
        begun = begun || strstr(head, "rror");
        if (begun && n && !is_list(line, n))
            at = add_line(to, size, at, line, n);
        if (at + 2 >= size)
            break;
    }
    while (at && to[at - 1] == '\n')
        at--;
    to[at] = '\0';
}
