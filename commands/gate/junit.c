/* junit.c - JUnit XML. */
#include "commands/gate/junit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/json.h"

/* ---- text ---- */

/* The code point at `at`, and its length in bytes; 0: no UTF-8 begins there. */
static size_t decode(const unsigned char *at, size_t n, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t length = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3
                          : *at >= 0xf0 && *at < 0xf5 ? 4 : 0;

    if (!length || length > n)
        return 0;
    *code = length == 1 ? *at : *at & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    return *code >= least[length] && *code <= 0x10ffff && !(*code >= 0xd800 && *code < 0xe000) ? length : 0;
}

static bool is_xml(uint32_t code)
{
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

static const char *escaped(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    }
    return NULL;
}

void aisp_xml_put(struct aisp_buf *out, const char *bytes, size_t n)
{
    const unsigned char *at = (const unsigned char *)bytes;

    while (n) {
        uint32_t code = 0;
        size_t length = decode(at, n, &code);

        if (!length || !is_xml(code))
            aisp_buf_puts(out, "\xef\xbf\xbd");
        else if (escaped(code))
            aisp_buf_puts(out, escaped(code));
        else
            aisp_buf_add(out, at, length);
        length += !length;
        at += length;
        n -= length;
    }
}

static void put_attribute(struct aisp_buf *out, const char *name, const char *text)
{
    aisp_buf_printf(out, " %s=\"", name);
    aisp_xml_put(out, text, strlen(text));
    aisp_buf_puts(out, "\"");
}

/* ---- cases ---- */

struct counts { size_t n, failures, errors, skipped; double time_s; };

static bool is_of(const json_t *c, const char *suite)
{
    return !suite || !strcmp(aisp_json_text(c, "suite"), suite);
}

/* suite NULL: of all */
static struct counts count(const json_t *cases, const char *suite)
{
    struct counts sum = { 0 };
    const json_t *c;
    size_t i;

    json_array_foreach(cases, i, c) {
        if (!is_of(c, suite))
            continue;
        sum.n++;
        sum.failures += !strcmp(aisp_json_text(c, "outcome"), "failure");
        sum.errors += !strcmp(aisp_json_text(c, "outcome"), "error");
        sum.skipped += !strcmp(aisp_json_text(c, "outcome"), "skipped");
        sum.time_s += json_number_value(json_object_get(c, "time_s"));
    }
    return sum;
}

static void put_counts(struct aisp_buf *out, const struct counts *sum)
{
    aisp_buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"", sum->n, sum->failures,
                    sum->errors, sum->skipped, sum->time_s);
}

static void put_case(struct aisp_buf *out, const json_t *c)
{
    const char *outcome = aisp_json_text(c, "outcome"), *message = aisp_json_text(c, "message");

    aisp_buf_puts(out, "    <testcase");
    put_attribute(out, "classname", aisp_json_text(c, "classname"));
    put_attribute(out, "name", aisp_json_text(c, "name"));
    aisp_buf_printf(out, " time=\"%.3f\"", json_number_value(json_object_get(c, "time_s")));
    if (!strcmp(outcome, "pass")) {
        aisp_buf_puts(out, "/>\n");
        return;
    }
    aisp_buf_printf(out, ">\n      <%s", outcome);
    put_attribute(out, "message", message);
    if (strcmp(outcome, "skipped"))
        put_attribute(out, "type", aisp_json_text(c, "type"));
    aisp_buf_puts(out, ">");
    aisp_xml_put(out, message, strlen(message));
    aisp_buf_printf(out, "</%s>\n    </testcase>\n", outcome);
}

static bool is_first_of_suite(const json_t *cases, size_t at)
{
    const char *suite = aisp_json_text(json_array_get(cases, at), "suite");

    for (size_t i = 0; i < at; i++)
        if (is_of(json_array_get(cases, i), suite))
            return false;
    return true;
}

/* The dialect knows seconds without a zone. */
static void put_timestamp(struct aisp_buf *out, const char *timestamp)
{
    char plain[20] = "";

    strncat(plain, timestamp, sizeof plain - 1);
    if (*plain)
        put_attribute(out, "timestamp", plain);
}

void aisp_junit(const json_t *cases, const char *name, const char *timestamp, struct aisp_buf *out)
{
    struct counts sum = count(cases, NULL);
    const json_t *c;
    size_t i, j;

    aisp_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute(out, "name", name);
    put_counts(out, &sum);
    aisp_buf_puts(out, ">\n");
    json_array_foreach(cases, i, c) {
        const char *suite = aisp_json_text(c, "suite");
        const json_t *member;

        if (!is_first_of_suite(cases, i))
            continue;
        sum = count(cases, suite);
        aisp_buf_puts(out, "  <testsuite");
        put_attribute(out, "name", suite);
        put_counts(out, &sum);
        put_timestamp(out, timestamp);
        aisp_buf_puts(out, ">\n");
        json_array_foreach(cases, j, member)
            if (is_of(member, suite))
                put_case(out, member);
        aisp_buf_puts(out, "  </testsuite>\n");
    }
    aisp_buf_puts(out, "</testsuites>\n");
}
