/* skim.c - JSON by one pass over its bytes, as RFC 8259 has it; numbers and text as jansson takes them. */
#include "store/skim.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256 };

struct scan {
    const char *at, *end;
    const char *wrong;          /* what, once something is */
    struct aisp_skim_members *members;      /* or NULL */
};

static bool fail(struct scan *s, const char *what)
{
    if (!s->wrong)
        s->wrong = what;
    return false;
}

static void space(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

static int hex4(const char *at, const char *end)
{
    int value = 0;

    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;

        if (digit < 0)
            return -1;
        value = 16 * value + digit;
    }
    return value;
}

/* Behind "\u". A NUL is no text, and half of a pair is no character. */
static bool unicode_escape(struct scan *s)
{
    const int first = hex4(s->at, s->end);
    int second;

    if (first <= 0)
        return fail(s, "a bad \\u escape");
    s->at += 4;
    if (first >= 0xDC00 && first <= 0xDFFF)
        return fail(s, "half of a surrogate pair");
    if (first < 0xD800 || first > 0xDBFF)
        return true;
    if (s->end - s->at < 6 || s->at[0] != '\\' || s->at[1] != 'u')
        return fail(s, "half of a surrogate pair");
    second = hex4(s->at + 2, s->end);
    s->at += 6;
    return (second >= 0xDC00 && second <= 0xDFFF) || fail(s, "half of a surrogate pair");
}

/* One character of two to four bytes: shortest form, no surrogates, up to U+10FFFF. */
static bool utf8(struct scan *s)
{
    const unsigned char *u = (const unsigned char *)s->at;
    const ptrdiff_t left = s->end - s->at;
    const int more = u[0] >= 0xC2 && u[0] <= 0xDF ? 1 : u[0] >= 0xE0 && u[0] <= 0xEF ? 2 : u[0] >= 0xF0 && u[0] <= 0xF4 ? 3 : 0;

    if (!more || left <= more)
        return fail(s, "text that is no UTF-8");
    for (int i = 1; i <= more; i++)
        if ((u[i] & 0xC0) != 0x80)
            return fail(s, "text that is no UTF-8");
    if ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F) || (u[0] == 0xF0 && u[1] < 0x90) ||
        (u[0] == 0xF4 && u[1] > 0x8F))
        return fail(s, "text that is no UTF-8");
    s->at += more + 1;
    return true;
}

/* From the opening quote to behind the closing one. */
static bool string(struct scan *s)
{
    for (s->at++; s->at < s->end;) {
        const unsigned char c = (unsigned char)*s->at;

        if (c == '"') {
            s->at++;
            return true;
        }
        if (c < 0x20)
            return fail(s, "a control character in a text");
        if (c >= 0x80) {
            if (!utf8(s))
                return false;
        } else if (c != '\\') {
            s->at++;
        } else {
            if (s->end - s->at < 2 || !strchr("\"\\/bfnrtu", s->at[1]) || !s->at[1])
                return fail(s, "a bad escape");
            s->at += 2;
            if (s->at[-1] == 'u' && !unicode_escape(s))
                return false;
        }
    }
    return fail(s, "a text without an end");
}

static bool digits(struct scan *s)
{
    const char *from = s->at;

    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > from || fail(s, "a bad number");
}

/* Longer ones may be beyond what a 64-bit integer or a double can hold. */
static bool fits(struct scan *s, const char *from, bool is_real)
{
    char text[512], *end;
    const size_t n = (size_t)(s->at - from);
    double real;

    if (n >= sizeof text)
        return fail(s, "a number of too many digits");
    memcpy(text, from, n);
    text[n] = '\0';
    if (is_real) {
        real = strtod(text, NULL);
        return isfinite(real) || fail(s, "a number too large");
    }
    errno = 0;
    (void)strtoll(text, &end, 10);
    return errno == 0 || fail(s, "an integer too large");
}

static bool number(struct scan *s)
{
    const char *from = s->at;
    bool is_real = false, has_exponent = false;

    if (*s->at == '-')
        s->at++;
    if (s->at < s->end && *s->at == '0')
        s->at++;
    else if (!digits(s))
        return false;
    if (s->at < s->end && *s->at == '.') {
        is_real = true;
        s->at++;
        if (!digits(s))
            return false;
    }
    if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        is_real = has_exponent = true;
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
            s->at++;
        if (!digits(s))
            return false;
    }
    return (s->at - from <= (is_real ? 300 : 18) && !has_exponent) || fits(s, from, is_real);
}

static bool word(struct scan *s, const char *text)
{
    const size_t n = strlen(text);

    if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n))
        return fail(s, "neither a value nor the end");
    s->at += n;
    return true;
}

static bool value(struct scan *s, int depth);

/* `name`: without its quotes. */
static bool name_of_member(struct scan *s, struct aisp_span *name)
{
    space(s);
    if (s->at >= s->end || *s->at != '"')
        return fail(s, "a member without a name");
    name->s = s->at + 1;
    if (!string(s))
        return false;
    name->n = (size_t)(s->at - 1 - name->s);
    space(s);
    if (s->at >= s->end || *s->at != ':')
        return fail(s, "a name without a value");
    s->at++;
    return true;
}

static bool member(struct scan *s, int depth)
{
    struct aisp_skim_members *m = depth <= 2 ? s->members : NULL;
    struct aisp_skim_member *entry = m && m->n < AISP_SKIM_MEMBERS ? &m->of[m->n++] : NULL;
    struct aisp_span name;
    const char *from;

    if (!name_of_member(s, &name))
        return false;
    space(s);
    from = s->at;
    if (!value(s, depth))
        return false;
    if (entry)
        *entry = (struct aisp_skim_member){ name, { from, (size_t)(s->at - from) }, depth };
    return true;
}

/* What a bracket holds, from behind it. */
static bool contents(struct scan *s, char close, int depth)
{
    space(s);
    if (s->at < s->end && *s->at == close) {
        s->at++;
        return true;
    }
    for (;;) {
        if (close == '}' ? !member(s, depth) : !value(s, depth))
            return false;
        space(s);
        if (s->at >= s->end)
            return fail(s, "it ends too early");
        if (*s->at != ',' && *s->at != close)
            return fail(s, "neither a value nor the end");
        if (*s->at++ == close)
            return true;
    }
}

static bool value(struct scan *s, int depth)
{
    space(s);
    if (s->at >= s->end)
        return fail(s, "it ends too early");
    switch (*s->at) {
    case '{':
    case '[':
        if (depth >= DEPTH_MAX)
            return fail(s, "nested too deep");
        s->at++;
        return contents(s, s->at[-1] == '{' ? '}' : ']', depth + 1);
    case '"':
        return string(s);
    case 't':
        return word(s, "true");
    case 'f':
        return word(s, "false");
    case 'n':
        return word(s, "null");
    default:
        if (*s->at != '-' && (*s->at < '0' || *s->at > '9'))
            return fail(s, "neither a value nor the end");
        return number(s);
    }
}

enum aisp_status aisp_skim_check(struct aisp_span text, struct aisp_skim_members *members, struct aisp_err *err)
{
    struct scan s = { .at = text.s, .end = text.s + text.n, .members = members };

    if (members)
        members->n = 0;
    if (value(&s, 0)) {
        space(&s);
        if (s.at == s.end)
            return AISP_OK;
        fail(&s, "something behind the end");
    }
    return aisp_fail(err, AISP_E_USAGE, "no JSON: %s at byte %zu", s.wrong, (size_t)(s.at - text.s) + 1);
}

/* ---- of a text that passed ---- */

/* From the opening quote to behind the closing one. Most are short: a loop is quicker than a call. */
static inline const char *skip_string(const char *at)
{
    for (;;) {
        const char c = *++at;

        if (c == '"')
            return at + 1;
        if (c == '\\')
            at++;
    }
}

/* What skip_value() has to look at. */
enum { PLAIN, QUOTE, OPENS, CLOSES, ENDS };
static const unsigned char kind_of[256] = { ['"'] = QUOTE, ['{'] = OPENS, ['['] = OPENS, ['}'] = CLOSES, [']'] = CLOSES,
                                            [','] = ENDS,  [' '] = ENDS,  ['\n'] = ENDS, ['\t'] = ENDS, ['\r'] = ENDS };

static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;

    while (at < end) {
        switch (kind_of[(unsigned char)*at]) {
        case PLAIN:
            at++;
            break;
        case QUOTE:
            at = skip_string(at);
            if (depth == 0)
                return at;
            break;
        case OPENS:
            depth++;
            at++;
            break;
        case CLOSES:
            if (depth == 0)
                return at;
            at++;
            if (--depth == 0)
                return at;
            break;
        default:
            if (depth == 0)
                return at;
            at++;
        }
    }
    return at;
}

static inline const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

bool aisp_skim_next(struct aisp_span *rest, struct aisp_span *name, struct aisp_span *value_)
{
    const char *end = rest->s + rest->n, *at;

    if (!rest->s)
        return false;
    /* Before the first member there is the object's bracket, before others a comma. */
    at = skip_space(rest->s, end);
    if (at >= end || (*at != '{' && *at != ','))
        return false;
    at = skip_space(at + 1, end);
    if (at >= end || *at != '"')
        return false;
    name->s = at + 1;
    at = skip_string(at);
    name->n = (size_t)(at - 1 - name->s);
    value_->s = skip_space(skip_space(at, end) + 1, end);      /* behind the colon */
    at = skip_value(value_->s, end);
    value_->n = (size_t)(at - value_->s);
    rest->s = at;
    rest->n = (size_t)(end - at);
    return true;
}

bool aisp_skim_item(struct aisp_span *rest, struct aisp_span *value_)
{
    const char *end = rest->s + rest->n, *at;

    if (!rest->s)
        return false;
    at = skip_space(rest->s, end);
    if (at >= end || (*at != '[' && *at != ','))
        return false;
    at = skip_space(at + 1, end);
    if (at >= end || *at == ']')
        return false;
    value_->s = at;
    at = skip_value(at, end);
    value_->n = (size_t)(at - value_->s);
    rest->s = at;
    rest->n = (size_t)(end - at);
    return true;
}

struct aisp_span aisp_skim_find(struct aisp_span object, const char *name)
{
    struct aisp_span found = { NULL, 0 }, key, member;

    while (aisp_skim_next(&object, &key, &member))
        if (aisp_span_is(key, name))
            found = member;
    return found;
}

bool aisp_skim_is_object(struct aisp_span value_)
{
    return value_.n && *value_.s == '{';
}

bool aisp_skim_is_number(struct aisp_span value_)
{
    return value_.n && (*value_.s == '-' || (*value_.s >= '0' && *value_.s <= '9'));
}

bool aisp_skim_text(struct aisp_span value_, char *to, size_t size)
{
    json_t *text;
    bool fits_in;

    *to = '\0';
    if (value_.n < 2 || *value_.s != '"')
        return false;
    if (!memchr(value_.s, '\\', value_.n)) {
        if (value_.n - 2 >= size)
            return false;
        memcpy(to, value_.s + 1, value_.n - 2);
        to[value_.n - 2] = '\0';
        return true;
    }
    text = json_loadb(value_.s, value_.n, JSON_DECODE_ANY, NULL);
    fits_in = text && json_string_length(text) < size;
    if (fits_in)
        strcpy(to, json_string_value(text));
    json_decref(text);
    return fits_in;
}

/* ---- layout ---- */

/* From `at` to behind one string or number or word, as it is. */
static const char *copy_token(const char *at, const char *end, struct aisp_buf *out)
{
    const char *from = at;

    if (*at == '"')
        at = skip_string(at);
    else
        while (at < end && !strchr("{}[],: \n\t\r\"", *at))
            at++;
    aisp_buf_add(out, from, (size_t)(at - from));
    return at;
}

static void new_line(struct aisp_buf *out, int depth)
{
    static const char spaces[] = "\n                                ";
    int left = depth - (int)(sizeof spaces - 2);

    aisp_buf_add(out, spaces, 1 + (size_t)(left > 0 ? depth - left : depth));
    for (; left > 0; left--)
        aisp_buf_add(out, " ", 1);
}

static void lay_out(struct aisp_span value_, bool indented, struct aisp_buf *out)
{
    const char *at = value_.s, *end = at + value_.n;
    bool was_opened = false;           /* the last thing written was a bracket: what it holds begins on a new line */
    int depth = 0;

    while ((at = skip_space(at, end)) < end) {
        const bool closes = *at == '}' || *at == ']', opens = *at == '{' || *at == '[';

        depth -= closes;
        if (indented && was_opened != closes)      /* behind a bracket, before one; not between two that hold nothing */
            new_line(out, depth);
        was_opened = opens;
        depth += opens;
        if (closes || opens) {
            aisp_buf_add(out, at++, 1);
        } else if (*at == ',') {
            aisp_buf_add(out, at++, 1);
            if (indented)
                new_line(out, depth);
        } else if (*at == ':') {
            aisp_buf_add(out, ": ", indented ? 2 : 1);
            at++;
        } else {
            at = copy_token(at, end, out);
        }
    }
}

void aisp_skim_compact(struct aisp_span value_, struct aisp_buf *out)
{
    lay_out(value_, false, out);
}

void aisp_skim_indent(struct aisp_span value_, struct aisp_buf *out)
{
    lay_out(value_, true, out);
}
