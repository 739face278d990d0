/* extract.c - one pass over a result's members. */
#include "store/extract.h"

#include "core/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name { const char *member; size_t n, at, size; };

#define NAME(member)                                                                                                           \
    {                                                                                                                          \
#member, sizeof #member - 1, offsetof(struct aisp_extract, member), sizeof(((struct aisp_extract *)0)->member)         \
    }
static const struct name names[] = { NAME(key),  NAME(target), NAME(variant), NAME(reference), NAME(device),
                                     NAME(size), NAME(goal),   NAME(grade),   NAME(verdict), NAME(scope) };
enum { N_NAMES = sizeof names / sizeof *names };

/* What is looked for below the first level, found on the way. */
struct parts { struct aisp_span median, p99, per_second, goal, profile, energy; };

/* As it is written, where that is short and plain: both engines read it. Else as a double says it. */
static void put_number(struct aisp_extract *out, enum aisp_extract_figure which, struct aisp_span value)
{
    char *digits = out->digits[which], text[512];

    out->figure[which] = NULL;
    if (!aisp_skim_is_number(value) || value.n >= sizeof text)
        return;
    memcpy(text, value.s, value.n);
    text[value.n] = '\0';
    if (value.n < sizeof out->digits[which] && !strpbrk(text, "eE"))
        memcpy(digits, text, value.n + 1);
    else
        snprintf(digits, sizeof out->digits[which], "%.17g", strtod(text, NULL));
    out->figure[which] = digits;
}

/* {"a": ..., "b": ...} */
static void put_sides(struct aisp_extract *out, enum aisp_extract_figure a, struct aisp_span sides)
{
    put_number(out, a, aisp_skim_find(sides, "a"));
    put_number(out, a + 1, aisp_skim_find(sides, "b"));
}

static enum aisp_status take_name(struct aisp_span member, struct aisp_span value, struct aisp_extract *out,
                                  struct aisp_err *err)
{
    for (int i = 0; i < N_NAMES; i++)
        if (member.n == names[i].n && !memcmp(member.s, names[i].member, member.n) &&
            !aisp_skim_text(value, (char *)out + names[i].at, names[i].size))
            return aisp_fail(err, AISP_E_USAGE, "a result whose \"%s\" is no text of at most %zu bytes", names[i].member,
                             names[i].size - 1);
    return AISP_OK;
}

static void take_figure(struct aisp_span member, struct aisp_span value, struct aisp_extract *out, struct parts *parts)
{
    if (aisp_span_is(member, "ratio"))
        put_number(out, AISP_EXTRACT_RATIO, value);
    else if (aisp_span_is(member, "lo95"))
        put_number(out, AISP_EXTRACT_LO95, value);
    else if (aisp_span_is(member, "hi95"))
        put_number(out, AISP_EXTRACT_HI95, value);
    else if (aisp_span_is(member, "median_ns"))
        parts->median = value;
    else if (aisp_span_is(member, "p99_ns"))
        parts->p99 = value;
    else if (aisp_span_is(member, "per_second"))
        parts->per_second = value;
    else if (aisp_span_is(member, "goal_figure"))
        parts->goal = value;
    else if (aisp_span_is(member, "profile"))
        parts->profile = value;
    else if (aisp_span_is(member, "energy_j"))
        parts->energy = value;
}

/* A server's calls are whole traces: what its 99th percentile is of, its goal says. */
static struct aisp_span p99_of(const struct parts *parts)
{
    char figure[32];
    struct aisp_span served;

    if (!aisp_skim_text(aisp_skim_find(parts->goal, "figure"), figure, sizeof figure))
        return parts->p99;
    served = aisp_skim_find(parts->goal, strstr(figure, "TPOT") ? "tpot" : "ttft");
    return served.s ? aisp_skim_find(served, "p99_ns") : parts->p99;
}

static void take_parts(const struct parts *parts, struct aisp_extract *out)
{
    const struct aisp_span bytes = aisp_skim_find(parts->goal, "bytes"), rate = aisp_skim_find(parts->goal, "rate");

    put_sides(out, AISP_EXTRACT_A_MEDIAN, parts->median);
    put_number(out, AISP_EXTRACT_B_P99, aisp_skim_find(p99_of(parts), "b"));
    put_sides(out, AISP_EXTRACT_A_ENERGY, parts->energy);
    put_sides(out, AISP_EXTRACT_A_RATE, rate.s ? rate : parts->per_second);
    if (bytes.s) {
        put_sides(out, AISP_EXTRACT_A_MEMORY, bytes);
        return;
    }
    put_number(out, AISP_EXTRACT_A_MEMORY, aisp_skim_find(aisp_skim_find(parts->profile, "a"), "peak_rss_bytes"));
    put_number(out, AISP_EXTRACT_B_MEMORY, aisp_skim_find(aisp_skim_find(parts->profile, "b"), "peak_rss_bytes"));
}

enum aisp_status aisp_extract(const struct aisp_skim_member *member, size_t n, bool figures, struct aisp_extract *out,
                              struct aisp_err *err)
{
    const int depth = n ? member[0].depth : 0;
    struct parts parts = { { NULL, 0 } };
    enum aisp_status st = AISP_OK;
    char device[sizeof out->device];

    for (int i = 0; i < N_NAMES; i++)
        *((char *)out + names[i].at) = '\0';
    memset(out->figure, 0, sizeof out->figure);
    for (size_t i = 0; i < n && member[i].depth >= depth; i++) {
        if (member[i].depth > depth || *member[i].value.s == 'n')       /* null: as if it were not there */
            continue;
        AISP_TRY(take_name(member[i].name, member[i].value, out, err));
        if (figures)
            take_figure(member[i].name, member[i].value, out, &parts);
    }
    if (figures)
        take_parts(&parts, out);
    memcpy(device, out->device, sizeof device);
    aisp_scope_device(device, out->scope, out->device, sizeof out->device);
out:
    return st;
}

enum aisp_status aisp_extract_text(const char *result, struct aisp_extract *out, struct aisp_err *err)
{
    struct aisp_skim_members members;
    enum aisp_status st;

    AISP_TRY(aisp_skim_check((struct aisp_span){ result, strlen(result) }, &members, err));
    st = aisp_extract(members.of, members.n, true, out, err);
out:
    return st;
}
