/* bench_audit_text.c - the matrix in 80 columns: a target is two lines with one sign for each protection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checks/issues.h"
#include "commands/bench_audit.h"
#include "core/json.h"

enum { NAME_WIDTH = 22, SECOND_LINE = 53 }; /* the second line begins with issue 53, compile */

static const struct {
    const char *state, *sign, *paint;
} signs[] = {
    { "held", "+", AISP_PAINT_GREEN }, { "violated", "!", AISP_PAINT_RED },
    { "development", "d", NULL },      { "logic only", "o", NULL },
    { "unproven", "?", NULL },         { "not applicable", ".", AISP_PAINT_DIM },
};
enum { N_SIGNS = sizeof signs / sizeof *signs };

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static int sign_of(const json_t *states, int issue)
{
    const char *state = aisp_json_text(json_array_get(states, (size_t)issue - 1), "state");

    for (int i = 0; i < N_SIGNS; i++)
        if (!strcmp(signs[i].state, state))
            return i;
    AISP_BUG("no sign for \"%s\"", state);
}

static bool begins_family(int issue)
{
    return issue > 1 && strcmp(aisp_issue(issue)->family, aisp_issue(issue - 1)->family);
}

static void render_line(const json_t *states, int first, int last, const struct aisp_style *style,
                        struct aisp_buf *out)
{
    for (int i = first; i <= last; i++) {
        const int sign = sign_of(states, i);

        if (i > first && begins_family(i))
            aisp_buf_puts(out, " ");
        aisp_paint(out, style, signs[sign].paint, 0, signs[sign].sign);
    }
    aisp_buf_puts(out, "\n");
}

/* The families over their signs, cut to their width. */
static void render_ruler(const char *name, int first, int last, struct aisp_buf *out)
{
    aisp_buf_printf(out, "%-*s", NAME_WIDTH, name);
    for (int i = first; i <= last;) {
        const char *family = aisp_issue(i)->family;
        int n = 0;

        for (; i <= last && !strcmp(aisp_issue(i)->family, family); i++)
            n++;
        if (i > last)
            aisp_buf_printf(out, "%.*s", n, family);
        else
            aisp_buf_printf(out, "%-*.*s ", n, n, family);
    }
    aisp_buf_puts(out, "\n");
}

static void render_target(const json_t *row, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *states = json_object_get(row, "states");
    const char *target = aisp_json_text(row, "target"), *run = aisp_json_text(row, "run");

    aisp_paint(out, style, AISP_PAINT_BOLD, NAME_WIDTH - 1, target);
    aisp_buf_puts(out, strlen(target) < NAME_WIDTH ? " " : "\n                      ");
    if (!*run) {
        aisp_buf_printf(out, "no run yet: aisp bench run -t %s\n", target);
        return;
    }
    if (!json_is_array(states)) {
        aisp_buf_printf(out, "nothing was seen in run %s\n", run);
        return;
    }
    render_line(states, 1, SECOND_LINE - 1, style, out);
    aisp_buf_printf(out, "  %.16s%*s", run,
                    NAME_WIDTH - 2 - (int)(strlen(run) < 16 ? strlen(run) : 16), "");
    render_line(states, SECOND_LINE, AISP_N_ISSUES, style, out);
}

static void render_legend(struct aisp_buf *out)
{
    aisp_buf_puts(
        out, "+ held  . not applicable  ? unproven  o logic only  d development  ! violated\n");
}

/* ---- reasons ---- */

static void put_range(struct aisp_buf *out, int first, int last)
{
    aisp_buf_printf(out,
                    first == last       ? " %d"
                    : last == first + 1 ? " %d %d"
                                        : " %d-%d",
                    first, last);
}

/* Numbers of all that are in this state for this reason: "1 3-5 43". */
static void render_reason(const json_t *states, size_t from, struct aisp_buf *out)
{
    const char *state = aisp_json_text(json_array_get(states, from), "state"),
               *why = aisp_json_text(json_array_get(states, from), "why");
    struct aisp_buf numbers = AISP_BUF_INIT;
    int first = 0, last = 0;

    for (size_t i = from; i < AISP_N_ISSUES; i++) {
        const json_t *row = json_array_get(states, i);

        if (strcmp(aisp_json_text(row, "state"), state) || strcmp(aisp_json_text(row, "why"), why))
            continue;
        if (first && (int)i + 1 > last + 1) {
            put_range(&numbers, first, last);
            first = 0;
        }
        first = first ? first : (int)i + 1;
        last = (int)i + 1;
    }
    put_range(&numbers, first, last);
    aisp_buf_printf(out, "  %s%s%s:%s\n", state, *why ? ", " : "", why, numbers.s);
    aisp_buf_release(&numbers);
}

static bool was_said(const json_t *states, size_t at)
{
    const json_t *row = json_array_get(states, at);

    for (size_t i = 0; i < at; i++)
        if (!strcmp(aisp_json_text(json_array_get(states, i), "state"), aisp_json_text(row, "state")) &&
            !strcmp(aisp_json_text(json_array_get(states, i), "why"), aisp_json_text(row, "why")))
            return true;
    return false;
}

static void render_reasons(const json_t *row, bool is_alone, const struct aisp_style *style,
                           struct aisp_buf *out)
{
    const json_t *states = json_object_get(row, "states"), *without;
    size_t i;

    json_array_foreach(json_object_get(row, "without"), i, without)
        aisp_buf_printf(out, "%s %s: nothing to look at: %s\n", aisp_json_text(row, "target"),
                        aisp_json_text(without, "variant"), aisp_json_text(without, "why"));
    for (int s = 0; s < N_SIGNS; s++)
        for (i = 0; i < json_array_size(states); i++) {
            const json_t *state = json_array_get(states, i);
            const bool is_bad = !strcmp(signs[s].state, "violated");

            if (strcmp(aisp_json_text(state, "state"), signs[s].state) || was_said(states, i) ||
                !strcmp(signs[s].state, "held"))
                continue;
            if (is_bad && !is_alone) {
                aisp_paint(out, style, AISP_PAINT_RED, 0, "violated");
                aisp_buf_printf(out, " (%s): %s [#%lld]\n", aisp_json_text(row, "target"),
                                aisp_json_text(state, "why"), (long long)number_of(state, "issue"));
            } else if (is_alone) {
                render_reason(states, i, out);
            }
        }
}

/* ---- proofs ---- */

/* Cheats and twins, and when the last of them was seen here. */
static void count_fixtures(const json_t *row, int *cheats, int *twins, json_int_t *at)
{
    const json_t *check, *fixture;
    size_t i, j;

    *cheats = *twins = 0;
    *at = 0;
    json_array_foreach(json_object_get(row, "checks"), i, check)
        json_array_foreach(json_object_get(check, "fixtures"), j, fixture) {
            const bool is_twin = !strncmp(aisp_json_text(fixture, "id"), "honest/", 7);

            *twins += is_twin;
            *cheats += !is_twin;
            if (number_of(fixture, "at") > *at)
                *at = number_of(fixture, "at");
        }
}

/* The worst of its checks: failed, not tried, in part, proven. */
static const char *here_of(const json_t *row)
{
    static const char *const order[] = { "failed", "not tried", "in part", "proven" };
    const json_t *check;
    size_t i, worst = 4;

    json_array_foreach(json_object_get(row, "checks"), i, check)
        for (size_t k = 0; k < worst; k++)
            if (!strcmp(aisp_json_text(check, "here"), order[k]))
                worst = k;
    return worst < 4 ? order[worst] : "-";
}

static void render_protection(const json_t *row, const struct aisp_style *style,
                              struct aisp_buf *out)
{
    const char *proof = aisp_json_text(row, "proof"), *here = here_of(row);
    const bool is_proven = !strcmp(proof, "proven");
    int cheats, twins;
    json_int_t at;
    char when[24];
    time_t t;
    struct tm utc;

    count_fixtures(row, &cheats, &twins, &at);
    t = (time_t)at;
    if (!at || !gmtime_r(&t, &utc) || !strftime(when, sizeof when, "%Y-%m-%d", &utc))
        snprintf(when, sizeof when, "-");
    aisp_buf_printf(out, "%2lld %-34.34s ", (long long)number_of(row, "issue"),
                    aisp_json_text(row, "name"));
    aisp_paint(out, style, is_proven ? AISP_PAINT_GREEN : NULL, 10, proof);
    if (is_proven || !strcmp(proof, "logic only"))
        aisp_buf_printf(out, " %2d + %-2d  %-9s %s\n", cheats, twins, here, when);
    else
        aisp_buf_printf(out, " %.31s\n", aisp_json_text(row, "why"));
}

static void render_protections(const json_t *value, const struct aisp_style *style,
                               struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_buf_printf(out, "%2s %-34s %-10s %-8s %-9s %s\n", "#", "protection", "proof", "fixtures",
                    "here", "last");
    json_array_foreach(json_object_get(value, "protections"), i, row)
        render_protection(row, style, out);
    aisp_buf_puts(out, "fixtures: cheats that it catches + honest twins that it lets pass\n");
}

static void render_summary(const json_t *value, struct aisp_buf *out)
{
    const json_t *sum = json_object_get(value, "summary");
    const long long good = number_of(sum, "here_good"), bad = number_of(sum, "here_bad");

    aisp_buf_printf(out, "%d protections: %lld proven, %lld logic only, %lld unproven%s\n",
                    AISP_N_ISSUES, (long long)number_of(sum, "proven"),
                    (long long)number_of(sum, "logic_only"), (long long)number_of(sum, "unproven"),
                    json_is_true(json_object_get(value, "all")) ? "" : "; --all lists them");
    if (good + bad)
        aisp_buf_printf(out, "on this machine: %lld of %lld fixtures did what they should\n", good,
                        good + bad);
    else
        aisp_buf_puts(out,
                      "on this machine: nothing was tried yet; aisp-selftest repeats the proofs\n");
}

/* ---- compute-sanitizer ---- */

enum { CELL_WIDTH = 11, VARIANT_WIDTH = 80 - 3 * CELL_WIDTH };

static void render_cell(const json_t *cell, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long errors = number_of(cell, "errors"), warnings = number_of(cell, "warnings");
    char text[48];

    if (!strcmp(aisp_json_text(cell, "state"), "not judged"))
        snprintf(text, sizeof text, "-");
    else if (!errors && warnings)
        snprintf(text, sizeof text, "%lld warned", warnings);
    else
        snprintf(text, sizeof text, "%lld", errors);
    aisp_buf_printf(out, "%*s", CELL_WIDTH - (int)strlen(text), "");
    aisp_paint(out, style, errors ? AISP_PAINT_RED : NULL, 0, text);
}

/* What is to be said of cells, once for those of a row that say the same. */
static void render_cell_reasons(const json_t *row, struct aisp_buf *out)
{
    const json_t *cells = json_object_get(row, "cells"), *cell;
    const char *before = "";
    size_t i;

    json_array_foreach(cells, i, cell) {
        const char *why = aisp_json_text(cell, "why");

        if (*why && strcmp(why, before) != 0)
            aisp_buf_printf(out, "  %s%s: %s\n", aisp_json_text(cell, "tool"),
                            strcmp(aisp_json_text(cell, "state"), "not judged") ? "" : ", not judged", why);
        before = why;
    }
}

static bool has_same_reasons(const json_t *a, const json_t *b)
{
    const json_t *cells = json_object_get(a, "cells"), *cell;
    size_t i;

    json_array_foreach(cells, i, cell)
        if (strcmp(aisp_json_text(cell, "why"),
                   aisp_json_text(json_array_get(json_object_get(b, "cells"), i), "why")) != 0)
            return false;
    return true;
}

static void render_sanitizer(const json_t *rows, const struct aisp_style *style,
                             struct aisp_buf *out)
{
    const json_t *row, *cell;
    char name[256];
    size_t i, j;

    aisp_buf_printf(out, "\n%-*s", VARIANT_WIDTH, "compute-sanitizer, quick size: errors");
    json_array_foreach(json_object_get(json_array_get(rows, 0), "cells"), j, cell)
        aisp_buf_printf(out, "%*s", CELL_WIDTH, aisp_json_text(cell, "tool"));
    aisp_buf_puts(out, "\n");
    if (!json_array_size(rows))
        aisp_buf_puts(out, "  these targets have no CUDA forms here\n");
    json_array_foreach(rows, i, row) {
        snprintf(name, sizeof name, "%s/%s", aisp_json_text(row, "target"), aisp_json_text(row, "variant"));
        aisp_buf_printf(out, "%-*s", VARIANT_WIDTH, name);
        json_array_foreach(json_object_get(row, "cells"), j, cell)
            render_cell(cell, style, out);
        aisp_buf_puts(out, "\n");
        if (!has_same_reasons(row, json_array_get(rows, i + 1)))
            render_cell_reasons(row, out);
    }
}

void aisp_audit_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "targets"), *row;
    const bool is_alone = json_array_size(rows) == 1;
    size_t i;

    if (json_is_true(json_object_get(value, "all")))
        render_protections(value, style, out);
    render_ruler("", 1, SECOND_LINE - 1, out);
    render_ruler("", SECOND_LINE, AISP_N_ISSUES, out);
    json_array_foreach(rows, i, row)
        render_target(row, style, out);
    render_legend(out);
    json_array_foreach(rows, i, row)
        render_reasons(row, is_alone, style, out);
    render_summary(value, out);
    if (json_is_array(json_object_get(value, "sanitizer")))
        render_sanitizer(json_object_get(value, "sanitizer"), style, out);
}
