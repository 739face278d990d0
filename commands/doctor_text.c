/* doctor_text.c - the value of `aisp doctor` as text for a terminal, and the checklist as Markdown. */
#include <stdlib.h>
#include <string.h>

#include "commands/doctor.h"
#include "core/json.h"

enum { LINE = 80, MARKDOWN_LINE = 120 };

static long long count_of(const json_t *counts, const char *key)
{
    return (long long)json_integer_value(json_object_get(counts, key));
}

/* `first` and the text behind it, broken at spaces; further lines begin with `indent` spaces. */
static void put_wrapped(struct aisp_buf *out, const char *first, size_t indent, const char *text, size_t line)
{
    size_t used = strlen(first);

    aisp_buf_puts(out, first);
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, " ");

        if (used + n > line && used > indent) {
            if (out->s[out->len - 1] == ' ')
                out->s[--out->len] = 0;
            aisp_buf_printf(out, "\n%*s", (int)indent, "");
            used = indent;
        }
        aisp_buf_add(out, at, n);
        used += n;
        at += n;
        if (*at) {
            aisp_buf_puts(out, " ");
            used++;
            at++;
        }
    }
    aisp_buf_puts(out, "\n");
}

/* Commands keep their lines. */
static void put_lines(struct aisp_buf *out, const char *first, const char *indent, const char *text)
{
    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, "\n");

        aisp_buf_printf(out, "%s%.*s\n", at == text ? first : indent, (int)n, at);
        at += n + (at[n] == '\n');
    }
}

/* "2 problems, 23 attention, 5 unknown, 84 ok, 80 not applicable" */
static void put_counts(struct aisp_buf *out, const json_t *counts)
{
    static const char *const verdicts[] = { "problem", "attention", "unknown", "ok", "not applicable" };
    bool any = false;

    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        const long long n = count_of(counts, verdicts[i]);

        if (!n)
            continue;
        aisp_buf_printf(out, "%s%lld %s%s", any ? ", " : "", n, verdicts[i], i == 0 && n > 1 ? "s" : "");
        any = true;
    }
    if (!any)
        aisp_buf_puts(out, "nothing to check by machine");
}

static const char *paint_of(const char *verdict)
{
    if (!strcmp(verdict, "problem"))
        return AISP_PAINT_RED;
    if (!strcmp(verdict, "attention"))
        return AISP_PAINT_BOLD;
    return !strcmp(verdict, "ok") ? AISP_PAINT_GREEN : AISP_PAINT_DIM;
}

/* What there is nothing to do about: one line is enough. */
static bool is_short(const char *verdict)
{
    return !strcmp(verdict, "ok") || !strcmp(verdict, "not applicable") || !strcmp(verdict, "unknown");
}

static void put_item(struct aisp_buf *out, const struct aisp_style *style, const json_t *item)
{
    const char *verdict = aisp_json_text(item, "verdict");
    char *line;

    aisp_paint(out, style, paint_of(verdict), 16, verdict);
    if (is_short(verdict)) {
        line = aisp_format("%s: %s", aisp_json_text(item, "id"), aisp_json_text(item, "found"));
        put_wrapped(out, "", 18, line, LINE - 16);
        free(line);
        return;
    }
    aisp_buf_printf(out, "%s\n    %s\n", aisp_json_text(item, "id"), aisp_json_text(item, "title"));
    if (!strcmp(verdict, "ask"))
        put_wrapped(out, "    ask:   ", 11, aisp_json_text(item, "how"), LINE);
    else
        put_wrapped(out, "    found: ", 11, aisp_json_text(item, "found"), LINE);
    put_lines(out, "    fix:   ", "           ", aisp_json_text(item, "fix"));
}

static void put_family(struct aisp_buf *out, const struct aisp_style *style, const json_t *family, bool all)
{
    struct aisp_buf counts = AISP_BUF_INIT;
    const json_t *item;
    size_t i;

    put_counts(&counts, json_object_get(family, "counts"));
    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(family, "title"));
    aisp_buf_printf(out, ":%s%s\n", strlen(aisp_json_text(family, "title")) + 2 + counts.len > LINE ? "\n    " : " ", counts.s);
    aisp_buf_release(&counts);
    json_array_foreach(json_object_get(family, "items"), i, item) {
        const char *verdict = aisp_json_text(item, "verdict");

        if (all || !strcmp(verdict, "problem") || !strcmp(verdict, "attention") || !strcmp(verdict, "unknown"))
            put_item(out, style, item);
    }
    aisp_buf_puts(out, "\n");
}

static void explain(struct aisp_buf *out, const struct aisp_style *style, const json_t *family)
{
    const json_t *item = json_array_get(json_object_get(family, "items"), 0);
    const char *verdict = aisp_json_text(item, "verdict");
    char *line = aisp_format("%s: %s", verdict, aisp_json_text(item, "found"));

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_json_text(item, "id"));
    aisp_buf_printf(out, " (%s)\n", aisp_json_text(family, "title"));
    aisp_buf_printf(out, "    %s\n", aisp_json_text(item, "title"));
    put_wrapped(out, "    why:   ", 11, aisp_json_text(item, "why"), LINE);
    put_wrapped(out, strcmp(verdict, "ask") ? "    reads: " : "    ask:   ", 11, aisp_json_text(item, "how"), LINE);
    if (strcmp(verdict, "ask"))
        put_wrapped(out, "    found: ", 11, line, LINE);
    put_lines(out, "    fix:   ", "           ", aisp_json_text(item, "fix"));
    free(line);
}

void aisp_doctor_text(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *families = json_object_get(value, "families"), *counts = json_object_get(value, "counts"), *family;
    const bool all = json_is_true(json_object_get(value, "all"));
    const char *root = aisp_json_text(value, "root");
    size_t i;

    if (!json_is_null(json_object_get(value, "explain"))) {
        explain(out, style, json_array_get(families, 0));
        return;
    }
    json_array_foreach(families, i, family)
        if (all || count_of(json_object_get(family, "counts"), "checked"))
            put_family(out, style, family, all);
    aisp_buf_printf(out, "%lld items", count_of(counts, "items"));
    aisp_buf_printf(out, strcmp(root, "/") ? " below %s:\n" : ": ", root);
    put_counts(out, counts);
    if (count_of(counts, "ask"))
        aisp_buf_printf(out, ";\n%lld questions to a person%s", count_of(counts, "ask"), all ? "" : " are shown with --all");
    aisp_buf_puts(out, "\n");
}

/* ---- Markdown ---- */

static int by_id(const void *a, const void *b)
{
    return strcmp(aisp_json_text(*(json_t *const *)a, "id"), aisp_json_text(*(json_t *const *)b, "id"));
}

static void guide_item(struct aisp_buf *out, const json_t *item)
{
    aisp_buf_printf(out, "**`%s`** %s.\n\n", aisp_json_text(item, "id"), aisp_json_text(item, "title"));
    put_wrapped(out, "", 0, aisp_json_text(item, "why"), MARKDOWN_LINE);
    put_wrapped(out, json_is_true(json_object_get(item, "checked")) ? "*Reads:* " : "*Ask:* ", 0, aisp_json_text(item, "how"),
                MARKDOWN_LINE);
    aisp_buf_puts(out, "\n");
    put_lines(out, "    ", "    ", aisp_json_text(item, "fix"));
    aisp_buf_puts(out, "\n");
}

void aisp_doctor_guide(const json_t *value, struct aisp_buf *out)
{
    const json_t *counts = json_object_get(value, "counts"), *family;
    size_t i;

    aisp_buf_printf(out, "# The checklist\n\n"
                         "<!-- Made by `aisp doctor --markdown` of the items in doctor/: change those. -->\n\n"
                         "`aisp doctor` goes through %lld items. It reads %lld of them from the machine and says what it found "
                         "there:\nok, attention (somebody should decide), problem, unknown (it says what could not be read) or "
                         "not applicable. The\nothers are questions that only a person can answer, shown with `--all`. What is "
                         "indented is the fix; it is printed\nand never run.\n\n",
                    count_of(counts, "items"), count_of(counts, "checked"));
    json_array_foreach(json_object_get(value, "families"), i, family) {
        const json_t *items = json_object_get(family, "items");
        const size_t n = json_array_size(items);
        const json_t **sorted = aisp_xcalloc(n + 1, sizeof *sorted);

        aisp_buf_printf(out, "## %s\n\n", aisp_json_text(family, "title"));
        for (size_t k = 0; k < n; k++)                   /* by name: what was found must not show */
            sorted[k] = json_array_get(items, k);
        qsort(sorted, n, sizeof *sorted, by_id);
        for (size_t k = 0; k < n; k++)
            guide_item(out, sorted[k]);
        free(sorted);
    }
}
