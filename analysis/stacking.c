/* stacking.c - find combinations by name, and set what was predicted against what was measured. */
#include "analysis/stacking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

/* One target's variants. */
struct group { const struct aisp_result_row *row; size_t n; };

static bool is_combinable(const struct aisp_result_row *row)
{
    return !strncmp(row->variant, "optimized_", 10) && row->variant[10];
}

static const struct aisp_result_row *find(const struct group *g, const char *variant)
{
    for (size_t i = 0; i < g->n; i++)
        if (!strcmp(g->row[i].variant, variant))
            return &g->row[i];
    return NULL;
}

/* The variant, other than `whole`, whose idea is these n letters, or begins with them before a "_" and is the only one. */
static const struct aisp_result_row *find_part(const struct group *g, const struct aisp_result_row *whole, const char *text,
                                               size_t n)
{
    const char *of = aisp_row_idea(whole->variant);
    const struct aisp_result_row *longer = NULL;
    size_t n_longer = 0;

    for (size_t i = 0; i < g->n; i++) {
        const char *idea = aisp_row_idea(g->row[i].variant);

        if (&g->row[i] == whole || !is_combinable(&g->row[i]) || strncmp(idea, text, n))
            continue;
        if (!idea[n])
            return &g->row[i];
        if (idea[n] == '_' && strncmp(idea, of, strlen(of))) { /* what goes beyond the whole is no part of it */
            longer = &g->row[i];
            n_longer++;
        }
    }
    return n_longer == 1 ? longer : NULL;
}

static void add_part(struct aisp_stack *s, const struct aisp_result_row *part, const char *name, size_t n)
{
    s->part[s->n] = part;
    if (part)
        snprintf(s->name[s->n], sizeof *s->name, "%s", part->variant);
    else
        snprintf(s->name[s->n], sizeof *s->name, "optimized_%.*s", (int)n, name);
    s->n++;
}

static bool has_part(const struct aisp_stack *s, const struct aisp_result_row *part)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->part[i] == part)
            return true;
    return false;
}

/* Split the rest of an idea into two or more parts that all have variants, the longest first. */
static bool split(const struct group *g, struct aisp_stack *s, const char *rest)
{
    for (size_t n = strlen(rest) - (s->n == 0); n; n--) {
        const struct aisp_result_row *part = rest[n] && rest[n] != '_' ? NULL : find_part(g, s->whole, rest, n);

        if (!part || has_part(s, part) || s->n == AISP_STACK_PARTS_MAX)
            continue;
        add_part(s, part, rest, n);
        if (!rest[n] || split(g, s, rest + n + 1))
            return true;
        s->n--;
    }
    return false;
}

/* One part has a variant, what is before or behind it has none. */
static bool split_partly(const struct group *g, struct aisp_stack *s, const char *idea)
{
    for (const char *at = strrchr(idea, '_'); at; at = at > idea ? memrchr(idea, '_', (size_t)(at - idea)) : NULL) {
        const size_t n = (size_t)(at - idea);
        char variant[96];
        const struct aisp_result_row *head, *tail;

        snprintf(variant, sizeof variant, "optimized_%.*s", (int)n, idea);
        head = find(g, variant);
        snprintf(variant, sizeof variant, "optimized_%s", at + 1);
        tail = find(g, variant);
        if (!head && !tail)
            continue;
        add_part(s, head, idea, n);
        add_part(s, tail, at + 1, strlen(at + 1));
        return true;
    }
    return false;
}

static bool take_said(const struct group *g, struct aisp_stack *s, const struct aisp_combination *said, size_t n_said)
{
    for (size_t i = 0; i < n_said; i++) {
        if (strcmp(said[i].whole, s->whole->variant))
            continue;
        for (size_t k = 0; k < said[i].n; k++) {
            snprintf(s->name[k], sizeof *s->name, "%s", said[i].part[k]);
            s->part[k] = find(g, said[i].part[k]);
        }
        s->n = said[i].n;
        return true;
    }
    return false;
}

static void judge(struct aisp_stack *s)
{
    struct aisp_measured part[AISP_STACK_PARTS_MAX];
    int side;

    s->measured = aisp_row_ratio(s->whole);
    for (size_t i = 0; i < s->n; i++)
        part[i] = s->part[i] && aisp_row_is_valid(s->part[i]) ? aisp_row_ratio(s->part[i])
                                                               : (struct aisp_measured){ NAN, NAN, NAN };
    s->predicted = aisp_measured_product(part, s->n);
    s->interaction = aisp_measured_quotient(&s->measured, &s->predicted);
    side = aisp_measured_side(&s->interaction, 1);
    if (!strcmp(s->whole->grade, "invalid"))
        s->kind = AISP_STACK_INVALID;
    else if (!aisp_measured_has_interval(&s->interaction))
        s->kind = AISP_STACK_UNKNOWN;
    else
        s->kind = side > 0 ? AISP_STACK_SYNERGY : side < 0 ? AISP_STACK_INTERFERENCE : AISP_STACK_AS_PREDICTED;
}

static bool find_parts(const struct group *g, struct aisp_stack *s, const struct aisp_combination *said, size_t n_said)
{
    const char *idea = aisp_row_idea(s->whole->variant);

    if (take_said(g, s, said, n_said))
        return true;
    return is_combinable(s->whole) && (split(g, s, idea) || split_partly(g, s, idea));
}

void aisp_stacks_find(struct aisp_stacks *stacks, const struct aisp_result_row *row, size_t n,
                      const struct aisp_combination *said, size_t n_said)
{
    for (size_t first = 0, end; first < n; first = end) {
        struct group g = { &row[first], 0 };

        for (end = first; end < n && aisp_row_same_group(&row[first], &row[end]); end++)
            g.n++;
        for (size_t i = 0; i < g.n; i++) {
            struct aisp_stack s = { .whole = &g.row[i] };

            if (!find_parts(&g, &s, said, n_said))
                continue;
            judge(&s);
            *(struct aisp_stack *)aisp_grow(&stacks->stack, &stacks->n, &stacks->cap, sizeof s) = s;
        }
    }
}

void aisp_stacks_release(struct aisp_stacks *stacks)
{
    free(stacks->stack);
    *stacks = (struct aisp_stacks){ 0 };
}

const char *aisp_interaction_name(enum aisp_interaction kind)
{
    static const char *const names[] = { "unknown", "as predicted", "synergy", "interference", "invalid" };

    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

enum aisp_status aisp_combination_parse(struct aisp_combination *c, const char *text, struct aisp_err *err)
{
    const char *at = strchr(text, '=');

    *c = (struct aisp_combination){ 0 };
    if (!at || at == text || (size_t)(at - text) >= sizeof c->whole)
        goto bad;
    memcpy(c->whole, text, (size_t)(at - text));
    while (*at) {
        const size_t n = strcspn(++at, "+");

        if (!n || n >= sizeof *c->part || c->n == AISP_STACK_PARTS_MAX)
            goto bad;
        memcpy(c->part[c->n++], at, n);
        at += n;
    }
    if (c->n >= 2)
        return AISP_OK;
bad:
    return aisp_fail(err, AISP_E_USAGE,
                     "combination \"%s\": must be WHOLE=PART+PART..., such as optimized_ab=optimized_a+optimized_b", text);
}
