/* operators.c - the edits: what people get wrong in kernels, one row an operator.
 * An operator looks at one token with its neighbours and adds the edits that it knows there. Each edit stays in one line. */
#include "tests/breaks/breaks.h"

#include <stdlib.h>
#include <string.h>

struct place { const struct tokens *tokens; size_t i; struct edits *edits; const char *operator; };

static bool is(const struct place *p, long offset, const char *text)
{
    return token_is(p->tokens, p->i + (size_t)offset, text);
}

static const struct token *token(const struct place *p, long offset)
{
    const size_t i = p->i + (size_t)offset;

    return i < p->tokens->n ? &p->tokens->item[i] : NULL;
}

static bool is_kind(const struct place *p, long offset, enum token_kind kind)
{
    return token(p, offset) && token(p, offset)->kind == kind;
}

static void add(const struct place *p, size_t at, size_t n, const char *with)
{
    struct edit e = { .operator = p->operator, .at = at, .n = n, .line = p->tokens->item[p->i].line };

    snprintf(e.with, sizeof e.with, "%s", with);
    *(struct edit *)aisp_grow(&p->edits->item, &p->edits->n, &p->edits->cap, sizeof e) = e;
}

static void replace(const struct place *p, const char *with)
{
    add(p, token(p, 0)->at, token(p, 0)->n, with);
}

/* Rows of from and to: whole tokens. */
static void replace_by(const struct place *p, const char *const (*pair)[2])
{
    for (; (*pair)[0]; pair++)
        if (is(p, 0, (*pair)[0]))
            replace(p, (*pair)[1]);
}

/* Does an operand end before this token, so that it stands between two? */
static bool is_binary(const struct place *p)
{
    return is_kind(p, -1, TOKEN_WORD) || is_kind(p, -1, TOKEN_NUMBER) || is(p, -1, ")") || is(p, -1, "]");
}

static bool is_type(const struct place *p, long offset)
{
    static const char *const types[] = { "float",    "double",   "int",     "char",     "void",    "int64_t",
                                         "int32_t",  "uint32_t", "uint64_t", "int16_t", "uint16_t", "uint8_t",
                                         "int8_t",   "size_t",   "const",   "unsigned", "long",    NULL };

    for (int i = 0; types[i]; i++)
        if (is(p, offset, types[i]))
            return true;
    return false;
}

static void relation(const struct place *p)
{
    static const char *const pairs[][2] = { { "<", "<=" },  { "<=", "<" },  { ">", ">=" }, { ">=", ">" },
                                            { "==", "!=" }, { "!=", "==" }, { NULL, NULL } };

    replace_by(p, pairs);
}

/* The two semicolons and the end of a loop's header that opens at `p`; false: it is none. */
static bool header(const struct place *p, long part[3])
{
    int n = 0, open = 0;

    if (!is(p, 0, "for") || !is(p, 1, "("))
        return false;
    for (long k = 1; token(p, k) && n < 3; k++) {
        open += is(p, k, "(");
        open -= is(p, k, ")");
        if ((open == 1 && is(p, k, ";") && n < 2) || (open == 0 && n == 2))
            part[n++] = k;
    }
    return n == 3;
}

static void bound(const struct place *p)
{
    long part[3];

    if (header(p, part) && part[1] > part[0] + 1)
        add(p, token(p, part[1])->at, 0, " - 1");
}

static void start(const struct place *p)
{
    long part[3];

    if (header(p, part) && is(p, part[0] - 2, "=") && is(p, part[0] - 1, "0"))
        add(p, token(p, part[0])->at, 0, " + 1");
}

/* The loop that goes on where another stopped. */
static void tail(const struct place *p)
{
    long part[3];

    if (header(p, part) && part[0] == 2)
        add(p, token(p, part[0])->at + 1, 0, " 0 &&");
}

static void branch(const struct place *p)
{
    if (is(p, 0, "if") && is(p, 1, "("))
        add(p, token(p, 1)->at + 1, 0, "0 && ");
}

static void sum(const struct place *p)
{
    static const char *const pairs[][2] = { { "+", "-" }, { "-", "+" }, { NULL, NULL } };
    static const char *const assigning[][2] = { { "+=", "-=" }, { "-=", "+=" }, { NULL, NULL } };

    if (is_binary(p) && !is(p, -1, "return"))
        replace_by(p, pairs);
    replace_by(p, assigning);
}

static void product(const struct place *p)
{
    static const char *const pairs[][2] = { { "*", "+" }, { "/", "*" }, { "%", "/" }, { NULL, NULL } };

    if (is_binary(p) && !is_type(p, -1) && !is_type(p, -2) && !is(p, -3, "struct"))
        replace_by(p, pairs);
}

static void accumulate(const struct place *p)
{
    static const char *const pairs[][2] = { { "+=", "=" }, { "-=", "=" }, { "*=", "=" }, { "|=", "=" },
                                            { "^=", "=" }, { "&=", "=" }, { NULL, NULL } };

    replace_by(p, pairs);
}

/* a * n + b as b * n + a. */
static void transposed(const struct place *p)
{
    const char *s = p->tokens->source;
    char with[96];

    if (!is_kind(p, 0, TOKEN_WORD) || !is(p, 1, "*") || !is_kind(p, 2, TOKEN_WORD))
        return;
    if (!is(p, 3, "+") || !is_kind(p, 4, TOKEN_WORD))
        return;
    snprintf(with, sizeof with, "%.*s * %.*s + %.*s", (int)token(p, 4)->n, s + token(p, 4)->at, (int)token(p, 2)->n,
             s + token(p, 2)->at, (int)token(p, 0)->n, s + token(p, 0)->at);
    if (token(p, 4)->line == token(p, 0)->line)
        add(p, token(p, 0)->at, token(p, 4)->at + token(p, 4)->n - token(p, 0)->at, with);
}

static void neighbour(const struct place *p)
{
    if (is(p, 0, "]") && is_kind(p, -1, TOKEN_WORD))
        add(p, token(p, 0)->at, 0, " + 1");
}

static void constant(const struct place *p)
{
    char with[96], *s = p->tokens->source + p->tokens->item[p->i].at;
    const int n = (int)p->tokens->item[p->i].n;

    if (!is_kind(p, 0, TOKEN_NUMBER) || n > 40)
        return;
    if (memchr(s, '.', (size_t)n) || (s[n - 1] == 'f' && s[1] != 'x'))
        snprintf(with, sizeof with, atof(s) != 0 ? "(%.*s * 1.01f)" : "(%.*s + 0.01f)", n, s);
    else
        snprintf(with, sizeof with, "(%.*s + 1)", n, s);
    replace(p, with);
}

/* Not a declaration and not a jump. */
static bool begins_statement(const struct place *p)
{
    static const char *const others[] = { "return", "break", "continue", "goto", "case", "default", "else", "for", "if", "while",
                                          "do", "switch", "struct", "static", "enum", "const", "typedef", NULL };

    if (!is_kind(p, 0, TOKEN_WORD) || token(p, 0)->depth < 1 || is_type(p, 0))
        return false;
    if (!is(p, -1, ";") && !is(p, -1, "{") && !is(p, -1, "}") && !is(p, -1, ")"))
        return false;
    for (int i = 0; others[i]; i++)
        if (is(p, 0, others[i]))
            return false;
    return !is_kind(p, 1, TOKEN_WORD) && !(is(p, 1, "*") && is_kind(p, 2, TOKEN_WORD));
}

/* Offset of its semicolon if it ends in the line where it begins, else 0. */
static long end_of_statement(const struct place *p)
{
    for (long k = 1; token(p, k) && token(p, k)->line == token(p, 0)->line; k++)
        if (is(p, k, ";"))
            return k;
    return 0;
}

static const char *const syncs[] = { "pthread_barrier_wait", "pthread_join", "pthread_mutex_lock", "pthread_cond_wait",
                                     "atomic_thread_fence",  "pool_wait",    "_mm_sfence",         NULL };

static bool is_sync(const struct place *p)
{
    for (int i = 0; syncs[i]; i++)
        if (is(p, 0, syncs[i]))
            return true;
    return false;
}

static void statement(const struct place *p)
{
    const long end = begins_statement(p) && !is_sync(p) ? end_of_statement(p) : 0;

    if (end)
        add(p, token(p, 0)->at, token(p, end)->at - token(p, 0)->at, "");
}

/* A wait or a fence left out, and counters of several threads changed as if there were one (objects.c has what these are). */
static void sync(const struct place *p)
{
    static const char *const pairs[][2] = { { "__atomic_fetch_add", "broken_fetch_add" },
                                            { "__atomic_add_fetch", "broken_add_fetch" },
                                            { "__atomic_sub_fetch", "broken_sub_fetch" },
                                            { "atomic_fetch_add_explicit", "broken_fetch_add" },
                                            { "__atomic_load_n", "broken_load" },
                                            { "__atomic_test_and_set", "broken_test" },
                                            { NULL, NULL } };
    const long end = is_sync(p) && begins_statement(p) ? end_of_statement(p) : 0;

    if (end)
        add(p, token(p, 0)->at, token(p, end)->at - token(p, 0)->at, "");
    replace_by(p, pairs);
}

/* Declarations of values, and casts; a pointer to narrower elements would be another kind of mistake. */
static void narrow(const struct place *p)
{
    static const char *const pairs[][2] = { { "double", "float" }, { "float", "_Float16" }, { "int64_t", "int16_t" },
                                            { "uint64_t", "uint32_t" }, { "int32_t", "int16_t" }, { "uint32_t", "uint16_t" },
                                            { "size_t", "uint16_t" }, { NULL, NULL } };
    const bool is_cast = is(p, -1, "(") && is(p, 1, ")");
    const bool is_value = is_kind(p, 1, TOKEN_WORD) && (is(p, 2, "=") || is(p, 2, ";") || is(p, 2, "[") || is(p, 2, ","));

    if (is_cast || is_value)
        replace_by(p, pairs);
}

/* A part of a vector operation's name for its relative. */
static void lanes(const struct place *p)
{
    static const char *const parts[][2] = { { "_fmadd_", "_fmsub_" },
                                            { "_fnmadd_", "_fmadd_" },
                                            { "_add_", "_sub_" },
                                            { "_sub_", "_add_" },
                                            { "_mul_", "_add_" },
                                            { "_max_", "_min_" },
                                            { "_min_", "_max_" },
                                            { "_unpacklo_", "_unpackhi_" },
                                            { "_unpackhi_", "_unpacklo_" },
                                            { "_and_", "_or_" },
                                            { NULL, NULL } };
    static const char *const calls[][2] = { { "fmaxf", "fminf" }, { "fminf", "fmaxf" }, { "expf", "exp2f" }, { "exp", "exp2" },
                                            { "sqrtf", "fabsf" }, { "tanhf", "sinf" }, { NULL, NULL } };
    const char *s = p->tokens->source + token(p, 0)->at, *at;
    char name[64], with[96];

    replace_by(p, calls);
    if (!is_kind(p, 0, TOKEN_WORD) || token(p, 0)->n < 4 || token(p, 0)->n >= sizeof name || memcmp(s, "_mm", 3))
        return;
    snprintf(name, sizeof name, "%.*s", (int)token(p, 0)->n, s);
    for (int i = 0; parts[i][0]; i++)
        if ((at = strstr(name, parts[i][0]))) {
            snprintf(with, sizeof with, "%.*s%s%s", (int)(at - name), name, parts[i][1], at + strlen(parts[i][0]));
            replace(p, with);
            return;
        }
}

static void logic(const struct place *p)
{
    static const char *const pairs[][2] = { { "&&", "||" }, { "||", "&&" }, { "<<", ">>" }, { ">>", "<<" }, { NULL, NULL } };

    replace_by(p, pairs);
    if (is(p, 0, "!") && !is(p, 1, "!"))
        replace(p, "");
    if (is(p, 0, "&") && is_binary(p) && !is(p, -1, "return"))
        replace(p, "|");
}

static const struct { const char *name; void (*find)(const struct place *p); } operators[] = {
    { "bound", bound },           { "relation", relation },     { "sum", sum },         { "tail", tail },
    { "accumulate", accumulate }, { "sync", sync },             { "constant", constant }, { "transposed index", transposed },
    { "neighbour", neighbour },   { "narrow", narrow },         { "statement", statement }, { "product", product },
    { "lanes", lanes },           { "branch", branch },         { "start", start },     { "logic", logic },
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

void edits_find(const struct tokens *tokens, struct edits *edits)
{
    *edits = (struct edits){ 0 };
    for (size_t o = 0; o < N_OPERATORS; o++)
        for (size_t i = 0; i < tokens->n; i++) {
            const struct place p = { tokens, i, edits, operators[o].name };

            if (tokens->item[i].depth > 0 && !tokens->item[i].is_inert)
                operators[o].find(&p);
        }
}

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);     /* splitmix64: Steele, Lea and Flood 2014 */

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void swap(struct edit *a, struct edit *b)
{
    const struct edit kept = *a;

    *a = *b;
    *b = kept;
}

void edits_shuffle(struct edits *edits, uint64_t seed)
{
    size_t at = 0;

    for (size_t i = edits->n; i > 1; i--)
        swap(&edits->item[i - 1], &edits->item[next(&seed) % i]);
    while (at < edits->n) {
        const size_t round = at;
        size_t k = at;

        while (k < edits->n) {
            bool is_new = true;

            for (size_t j = round; j < at; j++)
                is_new &= strcmp(edits->item[j].operator, edits->item[k].operator) != 0;
            if (is_new) {
                swap(&edits->item[at++], &edits->item[k]);
                k = at;
            } else {
                k++;
            }
        }
    }
}
