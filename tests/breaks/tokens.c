/* tokens.c - a C source cut into tokens: comments and lines of the preprocessor are left out, texts are one token each.
 * Not a parser: an edit that makes no C does not compile, and is counted as that. */
#include "tests/breaks/breaks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader { struct tokens *tokens; size_t at; int line, depth; bool at_line_start; };

static const char *const longer_signs[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
                                            "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", NULL };

static void skip(struct reader *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->line += r->tokens->source[r->at++] == '\n';
}

static bool skip_comment(struct reader *r)
{
    const char *s = r->tokens->source + r->at, *end;

    if (s[0] == '/' && s[1] == '*')
        end = strstr(s + 2, "*/");
    else if (s[0] == '/' && s[1] == '/')
        end = strchr(s, '\n');
    else
        return false;
    skip(r, end ? (size_t)(end - s) + (s[1] == '*' ? 2 : 0) : strlen(s));
    return true;
}

static void skip_preprocessor(struct reader *r)
{
    const char *s = r->tokens->source;

    while (s[r->at] && (s[r->at] != '\n' || s[r->at - 1] == '\\'))
        skip(r, 1);
}

static size_t text_length(const char *s)
{
    size_t n = 1;

    while (s[n] && s[n] != *s)
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return s[n] ? n + 1 : n;
}

static size_t number_length(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '.' || ((s[n] == '+' || s[n] == '-') && strchr("eEpP", s[n - 1])))
        n++;
    return n;
}

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static size_t sign_length(const char *s)
{
    for (int i = 0; longer_signs[i]; i++)
        if (!strncmp(s, longer_signs[i], strlen(longer_signs[i])))
            return strlen(longer_signs[i]);
    return 1;
}

static void add(struct reader *r)
{
    const char *s = r->tokens->source + r->at;
    struct token t = { .at = r->at, .line = r->line };

    if (*s == '"' || *s == '\'') {
        t.kind = TOKEN_TEXT;
        t.n = text_length(s);
    } else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
        t.kind = TOKEN_NUMBER;
        t.n = number_length(s);
    } else if (isalpha((unsigned char)*s) || *s == '_') {
        t.kind = TOKEN_WORD;
        t.n = word_length(s);
    } else {
        t.kind = TOKEN_SIGN;
        t.n = sign_length(s);
    }
    r->depth -= *s == '}';
    t.depth = r->depth;
    r->depth += *s == '{';
    *(struct token *)aisp_grow(&r->tokens->item, &r->tokens->n, &r->tokens->cap, sizeof t) = t;
    skip(r, t.n);
}

/* From AISP_DECLARE or AISP_VARIANT to the semicolon outside of all braces. */
static void mark_inert(struct tokens *tokens)
{
    bool inside = false;

    for (size_t i = 0; i < tokens->n; i++) {
        inside |= token_is(tokens, i, "AISP_DECLARE") || token_is(tokens, i, "AISP_VARIANT");
        tokens->item[i].is_inert = inside;
        if (tokens->item[i].depth == 0 && token_is(tokens, i, ";"))
            inside = false;
    }
}

bool token_is(const struct tokens *tokens, size_t i, const char *text)
{
    return i < tokens->n && tokens->item[i].n == strlen(text) &&
           !memcmp(tokens->source + tokens->item[i].at, text, tokens->item[i].n);
}

bool tokens_read(struct tokens *tokens, const char *path)
{
    struct reader r = { .tokens = tokens, .line = 1, .at_line_start = true };
    FILE *file = fopen(path, "r");
    size_t cap = 0;

    *tokens = (struct tokens){ 0 };
    if (!file || getdelim(&tokens->source, &cap, '\0', file) < 0) {
        if (file)
            fclose(file);
        return false;
    }
    fclose(file);
    while (tokens->source[r.at]) {
        const char c = tokens->source[r.at];

        if (isspace((unsigned char)c)) {
            r.at_line_start |= c == '\n';
            skip(&r, 1);
        } else if (c == '#' && r.at_line_start) {
            skip_preprocessor(&r);
        } else if (!skip_comment(&r)) {
            r.at_line_start = false;
            add(&r);
        }
    }
    mark_inert(tokens);
    return true;
}

void tokens_release(struct tokens *tokens)
{
    free(tokens->source);
    free(tokens->item);
    *tokens = (struct tokens){ 0 };
}
