/* expr.c - a parser that works out the value as it reads: one function for each level of precedence.
 * Not here: what the names mean (core/instance.c).
 * Why no tree is kept: an expression is read a few times in a run, and never in a timed part. */
#include "core/expr.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct parser {
    const char *text, *what, *at;
    const struct aisp_names *names;
    struct aisp_err *err;
    int depth;
};

static enum aisp_status sum(struct parser *p, int64_t *value);

/* At the character `where`, with n characters from there on in quotes. */
static enum aisp_status fail_at(struct parser *p, const char *where, const char *message,
                                int n_quoted)
{
    int character = (int)(where - p->text) + 1;

    if (n_quoted == 0 || (unsigned char)*where >= 0x80)
        return aisp_fail(p->err, AISP_E_USAGE, "%s \"%.160s\": %s at character %d", p->what,
                         p->text, message, character);
    return aisp_fail(p->err, AISP_E_USAGE, "%s \"%.160s\": %s \"%.*s\" at character %d", p->what,
                     p->text, message, n_quoted, where, character);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_space(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static bool accept(struct parser *p, char c)
{
    skip_space(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static enum aisp_status expect(struct parser *p, char c)
{
    char message[] = "expected \"?\"";

    if (accept(p, c))
        return AISP_OK;
    message[sizeof message - 3] = c;
    return fail_at(p, p->at, message, 0);
}

/* `+ - * / %`, and `^` for a division that is rounded up. */
static enum aisp_status combine(struct parser *p, const char *where, char op, int64_t b, int64_t *a)
{
    int64_t quotient;

    if (op == '+' || op == '-' || op == '*') {
        bool over = op == '+'   ? __builtin_add_overflow(*a, b, a)
                    : op == '-' ? __builtin_sub_overflow(*a, b, a)
                                : __builtin_mul_overflow(*a, b, a);

        return over ? fail_at(p, where, "overflow", 0) : AISP_OK;
    }
    if (b == 0)
        return fail_at(p, where, "division by zero", 0);
    if (*a == INT64_MIN && b == -1)
        return fail_at(p, where, "overflow", 0);
    quotient = *a / b;
    if (op == '^' && *a % b != 0 && (*a < 0) == (b < 0))
        quotient++;
    *a = op == '%' ? *a % b : quotient;
    return AISP_OK;
}

static enum aisp_status number(struct parser *p, int64_t *value)
{
    const char *start = p->at;
    int64_t v = 0;

    for (; is_digit(*p->at); p->at++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p->at - '0', &v))
            return fail_at(p, start, "overflow", 0);
    if (is_letter(*p->at))
        return fail_at(p, p->at, "unexpected", 1);
    *value = v;
    return AISP_OK;
}

static bool is_word(const char *start, int n, const char *word)
{
    return strlen(word) == (size_t)n && memcmp(start, word, (size_t)n) == 0;
}

static bool is_function(const char *start, int n)
{
    static const char *const known[] = { "min", "max", "ceil", "log2", "most" };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_word(start, n, known[i]))
            return true;
    return false;
}

static enum aisp_status at_most(struct parser *p, const char *where, int64_t a, int64_t b)
{
    char message[64];

    if (a <= b)
        return AISP_OK;
    snprintf(message, sizeof message, "%lld is above %lld", (long long)a, (long long)b);
    return fail_at(p, where, message, 0);
}

static enum aisp_status call(struct parser *p, const char *start, int n, int64_t *value)
{
    enum aisp_status st;
    int64_t a, b = 0;

    if (!is_function(start, n))
        return fail_at(p, start, "unknown function", n);
    AISP_TRY(expect(p, '('));
    AISP_TRY(sum(p, &a));
    if (!is_word(start, n, "log2")) {
        AISP_TRY(expect(p, ','));
        AISP_TRY(sum(p, &b));
    }
    AISP_TRY(expect(p, ')'));
    *value = a;
    if (is_word(start, n, "min"))
        *value = a < b ? a : b;
    else if (is_word(start, n, "max"))
        *value = a > b ? a : b;
    else if (is_word(start, n, "ceil"))
        st = combine(p, start, '^', b, value);
    else if (is_word(start, n, "most"))
        st = at_most(p, start, a, b);
    else if (a < 1)
        st = fail_at(p, start, "log2 of a value below 1", 0);
    else
        *value = 63 - __builtin_clzll((unsigned long long)a);
out:
    return st;
}

static enum aisp_status name(struct parser *p, int64_t *value)
{
    const char *start = p->at;
    int n;

    while (is_letter(*p->at) || is_digit(*p->at))
        p->at++;
    n = (int)(p->at - start);
    skip_space(p);
    if (*p->at == '(')
        return call(p, start, n, value);
    for (int i = 0; p->names && i < p->names->n; i++)
        if (is_word(start, n, p->names->name[i])) {
            *value = p->names->value[i];
            return AISP_OK;
        }
    return fail_at(p, start, "unknown name", n);
}

static enum aisp_status primary(struct parser *p, int64_t *value)
{
    skip_space(p);
    if (is_digit(*p->at))
        return number(p, value);
    if (is_letter(*p->at))
        return name(p, value);
    if (accept(p, '(')) {
        enum aisp_status st = sum(p, value);

        return st ? st : expect(p, ')');
    }
    if (*p->at == '\0')
        return fail_at(p, p->at, "a value is missing", 0);
    return fail_at(p, p->at, "unexpected", 1);
}

static enum aisp_status unary(struct parser *p, int64_t *value)
{
    const char *where;
    enum aisp_status st;
    int64_t inner;

    skip_space(p);
    where = p->at;
    if (++p->depth > MAX_DEPTH)
        return fail_at(p, where, "nested too deeply", 0);
    if (accept(p, '-')) {
        AISP_TRY(unary(p, &inner));
        *value = 0;
        st = combine(p, where, '-', inner, value);
    } else {
        st = primary(p, value);
    }
out:
    p->depth--;
    return st;
}

static enum aisp_status product(struct parser *p, int64_t *value)
{
    enum aisp_status st;
    int64_t right;

    AISP_TRY(unary(p, value));
    for (;;) {
        const char *where;

        skip_space(p);
        where = p->at;
        if (*where == '\0' || !strchr("*/%", *where))
            break;
        p->at++;
        AISP_TRY(unary(p, &right));
        AISP_TRY(combine(p, where, *where, right, value));
    }
out:
    return st;
}

static enum aisp_status sum(struct parser *p, int64_t *value)
{
    enum aisp_status st;
    int64_t right;

    AISP_TRY(product(p, value));
    for (;;) {
        const char *where;

        skip_space(p);
        where = p->at;
        if (*where != '+' && *where != '-')
            break;
        p->at++;
        AISP_TRY(product(p, &right));
        AISP_TRY(combine(p, where, *where, right, value));
    }
out:
    return st;
}

enum aisp_status aisp_expr_list(const char *text, const char *what, const struct aisp_names *names,
                                int64_t *value, int max, int *n, struct aisp_err *err)
{
    struct parser p = { .text = text, .what = what, .at = text, .names = names, .err = err };
    int64_t v;
    int count = 0;

    if (!text)
        return aisp_fail(err, AISP_E_USAGE, "%s: no expression", what);
    do {
        enum aisp_status st;

        skip_space(&p);
        if (count == max)
            return fail_at(&p, p.at, "too many values", 0);
        st = sum(&p, &v);
        if (st)
            return st;
        value[count++] = v;
    } while (accept(&p, ','));
    if (*p.at)
        return fail_at(&p, p.at, "unexpected", 1);
    *n = count;
    return AISP_OK;
}

enum aisp_status aisp_expr(const char *text, const char *what, const struct aisp_names *names,
                           int64_t *value, struct aisp_err *err)
{
    int64_t v = 0;
    int n;
    enum aisp_status st = aisp_expr_list(text, what, names, &v, 1, &n, err);

    if (!st)
        *value = v;
    return st;
}
