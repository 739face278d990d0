/* group.h - tokens in the order of their experts, by counting: first[e] .. first[e + 1] of `token` are those of expert e. */
#ifndef MOE_DISPATCH_GROUP_H
#define MOE_DISPATCH_GROUP_H

#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

struct groups { int32_t *first, *token; };

static inline size_t groups_bytes(const int64_t *param)
{
    return (size_t)(param[EXPERTS] + 1 + param[TOKENS]) * sizeof(int32_t);
}

static inline struct groups group_tokens(const struct aisp_call *call)
{
    const int64_t tokens = call->param[TOKENS], experts = call->param[EXPERTS];
    const int32_t *expert = call->tensor[EXPERT];
    struct groups g = { call->workspace, (int32_t *)call->workspace + experts + 1 };

    memset(g.first, 0, (size_t)(experts + 1) * sizeof *g.first);
    for (int64_t t = 0; t < tokens; t++)
        g.first[expert[t] + 1]++;
    for (int64_t e = 0; e < experts; e++)
        g.first[e + 1] += g.first[e];
    for (int64_t t = tokens - 1; t >= 0; t--) /* first[e + 1] is where e's ends: counted down, it becomes where it begins */
        g.token[--g.first[expert[t] + 1]] = (int32_t)t;
    memmove(g.first, g.first + 1, (size_t)experts * sizeof *g.first);
    g.first[experts] = (int32_t)tokens;
    return g;
}

#endif
