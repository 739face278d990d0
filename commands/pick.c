/* pick.c - from what a user wrote to targets and variants.
 * Not here: what there is (core/catalogue.c). */
#include "commands/pick.h"

#include <stdlib.h>
#include <string.h>

void aisp_picks_release(struct aisp_picks *picks)
{
    free(picks->target);
    *picks = (struct aisp_picks)AISP_PICKS_INIT;
}

enum aisp_status aisp_pick_catalogue(const struct aisp_request *request, struct aisp_catalogue *cat)
{
    struct aisp_err why;
    enum aisp_status st;

    *cat = (struct aisp_catalogue){ 0 };
    st = aisp_catalogue_init(cat, request->bench_root, &why);
    if (st == AISP_E_NOT_FOUND)
        return aisp_fail(request->err, st,
                         "%s: no folder of built targets; build them, or name it by --bench-root",
                         request->bench_root);
    if (st)
        return aisp_fail(request->err, st, "%s", why.text);
    if (cat->n)
        return AISP_OK;
    aisp_catalogue_release(cat);
    return aisp_fail(
        request->err, AISP_E_NOT_FOUND,
        "%s: holds no target (GROUP/TARGET/problem.so); name another folder by --bench-root",
        request->bench_root);
}

static enum aisp_status unknown_target(const struct aisp_catalogue *cat, const char *pattern,
                                       struct aisp_err *err)
{
    const char *nearest = aisp_catalogue_nearest(cat, pattern);

    return aisp_fail(err, AISP_E_NOT_FOUND,
                     "unknown target \"%s\" in %s: did you mean %s? (aisp bench list-targets)",
                     pattern, cat->root, nearest ? nearest : "another folder");
}

/* What the harness measures itself with: only where it is asked for by name. */
static bool is_yardstick(const struct aisp_target *target)
{
    return !strcmp(target->group, "harness");
}

enum aisp_status aisp_pick_targets(const struct aisp_catalogue *cat, const char *const *pattern,
                                   size_t n, struct aisp_picks *picks, struct aisp_err *err)
{
    bool *is_picked = aisp_xcalloc(cat->n, sizeof *is_picked);
    enum aisp_status st = AISP_OK;

    for (size_t p = 0; p < n && !st; p++) {
        size_t n_named = 0;

        for (size_t i = 0; i < cat->n; i++)
            if (aisp_target_matches(&cat->target[i], pattern[p]) &&
                (!is_yardstick(&cat->target[i]) || !strncmp(pattern[p], "harness", 7))) {
                n_named++;
                is_picked[i] = true;
            }
        if (!n_named)
            st = unknown_target(cat, pattern[p], err);
    }
    for (size_t i = 0; i < cat->n && !st; i++)
        if (is_picked[i] || (!n && !is_yardstick(&cat->target[i])))
            *(const struct aisp_target **)aisp_grow(&picks->target, &picks->n, &picks->cap,
                                                    sizeof *picks->target) = &cat->target[i];
    free(is_picked);
    return st;
}

enum aisp_status aisp_pick_target(const struct aisp_catalogue *cat, const char *pattern,
                                  const struct aisp_target **target, struct aisp_err *err)
{
    struct aisp_picks picks = AISP_PICKS_INIT;
    enum aisp_status st = aisp_pick_targets(cat, &pattern, 1, &picks, err);

    if (!st && picks.n > 1)
        st = aisp_fail(err, AISP_E_USAGE, "\"%s\" names %zu targets (%s, %s, ...); one is wanted",
                       pattern, picks.n, picks.target[0]->id, picks.target[1]->id);
    if (!st)
        *target = picks.target[0];
    aisp_picks_release(&picks);
    return st;
}

enum aisp_status aisp_pick_variant(const struct aisp_target *target, const char *name, const char *device,
                                   const struct aisp_variant_ref **variant, struct aisp_err *err)
{
    struct aisp_buf known = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    const char *last = "";
    char *longer = aisp_format("optimized_%s", name);

    *variant = aisp_target_variant(target, name, device);
    if (!*variant)
        *variant = aisp_target_variant(target, longer, device);
    free(longer);
    if (*variant)
        return AISP_OK;
    for (size_t i = 0; i < target->n_variants; i++) {
        const struct aisp_variant_ref *v = &target->variant[i];

        if ((device && strcmp(v->device, device)) || !strcmp(v->name, last)) /* forms of one name lie together */
            continue;
        aisp_buf_printf(&known, "%s%s", known.len ? ", " : "", v->name);
        last = v->name;
    }
    st = aisp_fail(err, AISP_E_NOT_FOUND, "%s has no variant \"%s\"; there are %s", target->id,
                   name, known.s ? known.s : "none");
    aisp_buf_release(&known);
    return st;
}

/* "ch07.optimized_transpose": the first variant of that kind in ch07:transpose;
 * "ch07.optimized_transpose_tiled" names the idea too. *target stays NULL if the spelling is
 * another one. */
static enum aisp_status pick_dotted(const struct aisp_catalogue *cat, const char *spelling,
                                    const char *device, const struct aisp_target **target,
                                    const struct aisp_variant_ref **variant, struct aisp_err *err)
{
    const char *dot = strrchr(spelling, '.'), *bar = dot ? strchr(dot, '_') : NULL;
    char *kind, *group;
    enum aisp_status st = AISP_OK;

    if (!bar || strchr(spelling, ':'))
        return AISP_OK;
    kind = aisp_format("%.*s", (int)(bar - dot - 1), dot + 1);
    group = aisp_format("%.*s", (int)(dot - spelling), spelling);
    for (size_t i = 0; i < cat->n && !*target; i++) {
        const struct aisp_target *t = &cat->target[i];
        const char *name = strrchr(t->id, ':') + 1;
        const size_t n = strlen(name);

        if (strcmp(t->group, group) || strncmp(bar + 1, name, n) ||
            (bar[1 + n] && bar[1 + n] != '_'))
            continue;
        *target = t;
        if (bar[1 + n]) {
            char *full = aisp_format("%s%s", kind, bar + 1 + n);

            st = aisp_pick_variant(t, full, device, variant, err);
            free(full);
            continue;
        }
        for (size_t v = 0; v < t->n_variants && !*variant; v++)
            if (!strncmp(t->variant[v].name, kind, strlen(kind)) &&
                (!device || !strcmp(t->variant[v].device, device)))
                *variant = &t->variant[v];
        if (!*variant)
            st = aisp_pick_variant(t, kind, device, variant, err);
    }
    free(kind);
    free(group);
    return st;
}

enum aisp_status aisp_pick_spelled(const struct aisp_catalogue *cat, const char *spelling,
                                   const char *device, const struct aisp_target **target,
                                   const struct aisp_variant_ref **variant, struct aisp_err *err)
{
    const char *slash = strrchr(spelling, '/'), *colon = strchr(spelling, ':');
    enum aisp_status st;
    char *id;

    *target = NULL;
    *variant = NULL;
    st = pick_dotted(cat, spelling, device, target, variant, err);
    if (st || *target)
        return st;
    if (!slash || !colon || slash < colon)
        return aisp_fail(err, AISP_E_USAGE,
                         "\"%s\" names no variant; write it as ch07:transpose/optimized_tiled or "
                         "ch07.optimized_transpose",
                         spelling);
    id = aisp_format("%.*s", (int)(slash - spelling), spelling);
    st = aisp_pick_target(cat, id, target, err);
    if (!st)
        st = aisp_pick_variant(*target, slash + 1, device, variant, err);
    free(id);
    return st;
}
