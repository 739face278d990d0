/* compile_build.c - were both sides built by the same rules, does each run the code that it brought, and does the path that was
 * timed give what the path that was verified gave? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/observed.h"
#include "checks/process.h"
#include "core/base/buf.h"
#include "core/run/run.h"

static bool is_foreign_code(const struct aisp_evidence *ev, enum aisp_side side, const struct aisp_process_object *o)
{
    return o->is_executable && aisp_object_owner(ev, side, o) == AISP_OWNER_NOBODY;
}

static void compile_cache_hit(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        for (int i = 0; i < ev->process[side].n_objects; i++) {
            const struct aisp_process_object *o = &ev->process[side].object[i];

            if (!is_foreign_code(ev, (enum aisp_side)side, o))
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: runs code out of %s (%.12s...), which is neither its own file nor installed on this machine: somebody put "
                      "it there before the run",
                      ev->variant[side].name, o->path, o->sha256);
            break;
        }
}

AISP_CHECK(compile_cache_hit_check) = {
    .issue = 53,
    .name = "compile-cache-hit",
    .family = "compile",
    .title = "A worker starts without caches of earlier runs; code from any file that is not its own is seen",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 17,
    .examine = compile_cache_hit,
};

/* On a card the driver brings libraries of its own. Those that compute for others are known by their names. */
static bool does_the_work(const struct aisp_evidence *ev, const char *path)
{
    static const char *const vendors[] = { "libcublas", "libcudnn", "libcufft", "libcusparse", "libcusolver", "libcurand",
                                           "libcutensor", "libnccl", "libnpp", "libcutlass" };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (!strncmp(name, vendors[i], strlen(vendors[i])))
            return true;
    return !strcmp(ev->device, "cpu");
}

static void library_fallback(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        for (int i = 0; i < ev->process[side].n_objects; i++) {
            const struct aisp_process_object *o = &ev->process[side].object[i];

            if (!o->is_executable || aisp_object_owner(ev, (enum aisp_side)side, o) != AISP_OWNER_SYSTEM ||
                !does_the_work(ev, o->path) || aisp_side_uses(ev, (enum aisp_side)side, "library"))
                continue;
            aisp_find(out, self, AISP_VIOLATION, side, "%s: the library %s was loaded %s, and it does not declare it (uses: library)",
                      ev->variant[side].name, o->path, o->first_phase <= AISP_PHASE_SETUP ? "in setup" : "by its calls");
            break;
        }
}

AISP_CHECK(library_fallback_check) = {
    .issue = 20,
    .name = "library-fallback",
    .family = "workload",
    .title = "Whose code did the work is known: a library that was loaded and not declared is named",
    .needs = "cpu",
    .incident = "generated kernels that called the vendor's library, always or on any failure, 2025",
    .severity = AISP_VIOLATION,
    .rank = 18,
    .examine = library_fallback,
};

/* Right as long as it was verified and warmed up, and then values that are simply others: another path. */
static void mode_inconsistency(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_verified *v = &ev->verified[side];
        char where[192];

        if (!v->n_full || v->n_full_right < v->n_full)
            continue;
        for (size_t i = 0; i < ev->n_observations; i++) {
            const struct aisp_observation *o = &ev->observation[i];

            if (o->side != side || o->what != AISP_SEEN_WRONG_OUTPUT ||
                (o->kind != AISP_WRONG_VALUE && o->kind != AISP_WRONG_NORM && o->kind != AISP_WRONG_REJECTED))
                continue;
            if (o->phase < AISP_PHASE_TRIAL)
                break;
            aisp_observed_where(ev, o, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: saw %.9g, expected %.9g, after %lld whole outputs that were all right: what is timed is not what was "
                      "verified",
                      where, o->seen, o->expected, (long long)v->n_full);
            break;
        }
    }
}

AISP_CHECK(mode_inconsistency_check) = {
    .issue = 55,
    .name = "mode-inconsistency",
    .family = "compile",
    .title = "One binary, one entry and one environment for verification and timing; the calls that are timed are verified too",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 36,   /* behind what is known of a wrong answer, before that it is wrong */
    .examine = mode_inconsistency,
};

/* The last -O of a list of flags: 0 to 3, 2 for -Os, 3 for -Ofast; -1: none was given. */
static int optimisation(const char *flags)
{
    int level = -1;

    for (const char *at = flags; (at = strstr(at, "-O")); at++)
        if (at == flags || at[-1] == ' ')
            level = at[2] >= '0' && at[2] <= '3' ? at[2] - '0'
                    : at[2] == 's' || at[2] == 'z' ? 2
                    : at[2] == 'g'                 ? 1
                    : !strncmp(at + 2, "fast", 4)  ? 3
                                                   : 1;
    return level < 0 && *flags ? 0 : level;
}

static bool is_same_code(const struct aisp_evidence *ev)
{
    const struct aisp_scan_facts *a = &ev->process[AISP_A].scan, *b = &ev->process[AISP_B].scan;

    return a->is_scanned && b->is_scanned && !strcmp(a->code_sha256, b->code_sha256) &&
           !strcmp(ev->variant[AISP_A].decl.place, ev->variant[AISP_B].decl.place) &&
           strcmp(ev->variant[AISP_A].sha256, ev->variant[AISP_B].sha256);
}

static void same_code(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    struct aisp_look_result look;
    const bool differs = ev->n_pairs > 0 && aisp_run_verdict(ev, &look, NULL) == AISP_OK && look.decided &&
                         look.verdict != AISP_SAME;

    aisp_find(out, self, differs ? AISP_DEVELOPMENT : AISP_NOTE, -1,
              "identical: %s and %s are the same code, byte for byte%s", ev->variant[AISP_A].name, ev->variant[AISP_B].name,
              differs ? "; a ratio other than 1 comes from elsewhere" : "");
}

static void unequal_compilers(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_scan_facts *scan[2] = { &ev->process[AISP_A].scan, &ev->process[AISP_B].scan };
    const int level[2] = { optimisation(scan[0]->flags), optimisation(scan[1]->flags) };

    for (int side = AISP_A; side <= AISP_B; side++)
        if (scan[side]->has_fast_math && !aisp_side_uses(ev, (enum aisp_side)side, "fast-math"))
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: was built with rules of arithmetic of its own, and does not declare it (uses: fast-math): %.200s",
                      ev->variant[side].name, scan[side]->flags);
    if (scan[0]->has_flags && scan[1]->has_flags && level[0] != level[1])
        aisp_find(out, self, level[0] < level[1] ? AISP_VIOLATION : AISP_DEVELOPMENT, AISP_A,
                  "%s was built with -O%d, %s with -O%d: their ratio is the compiler's too", ev->variant[AISP_A].name,
                  level[0] < 0 ? 0 : level[0], ev->variant[AISP_B].name, level[1] < 0 ? 0 : level[1]);
    if (is_same_code(ev))
        same_code(self, ev, out);
}

AISP_CHECK(unequal_compilers_check) = {
    .issue = 56,
    .name = "unequal-compilers",
    .family = "compile",
    .title = "Both sides are built by the same rules, read out of their files; fast-math has to be declared; equal code is named",
    .needs = "cpu",
    .incident = "a baseline in a debug build; a model compiled on one side only",
    .severity = AISP_VIOLATION,
    .rank = 8,
    .examine = unequal_compilers,
};

/* Estimates of pairs, each of fresh processes, that fall into two groups with nothing between them: another algorithm from one
 * process to the next. Ratios, so that a machine which slows both sides down alike makes no groups. */
enum { GROUP_LEAST = 3 };
static const double GAP_LEAST = 0.15, GAP_OF_SPREAD = 4;

static void autotune_variance(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    int n, n_control, at = 0;
    double *m, gap = 0;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    for (int i = 1; i < n; i++)       /* insertion sort: some dozens */
        for (int k = i; k > 0 && m[k] < m[k - 1]; k--) {
            const double t = m[k];

            m[k] = m[k - 1];
            m[k - 1] = t;
        }
    for (int i = GROUP_LEAST; i + GROUP_LEAST <= n; i++)
        if (m[i] - m[i - 1] > gap) {
            gap = m[i] - m[i - 1];
            at = i;
        }
    if (at && gap > GAP_LEAST && gap > GAP_OF_SPREAD * fmax(m[at - 1] - m[0], m[n - 1] - m[at]))
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "the ratio has two modes, %.3f in %d pairs and %.3f in %d, and nothing between: a variant that chooses another "
                  "algorithm from process to process has no one ratio",
                  exp((m[0] + m[at - 1]) / 2), at, exp((m[at] + m[n - 1]) / 2), n - at);
    free(m);
}

AISP_CHECK(autotune_variance_check) = {
    .issue = 58,
    .name = "autotune-variance",
    .family = "compile",
    .title = "A choice that falls out differently in each process shows as two modes of the ratio",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 8,
    .examine = autotune_variance,
};

/* Less than a quarter of the gain, beyond doubt: it belongs to one size. Less than three quarters: it is said. And so is that too
 * few pairs came about to know, for whatever reason: it is no violation to be slow to set up. */
static void symbolic_shape(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    struct aisp_generalisation g;
    int n;

    if (aisp_run_lacks_points(ev, &n))
        aisp_find(out, self, AISP_DEVELOPMENT, AISP_B,
                  "%s: faster at the known size, and timed in %d pairs at secret points of the declared range, where %d are needed to "
                  "say whether it is so there: allow more time",
                  ev->variant[AISP_B].name, n, AISP_GENERALISATION_PAIRS);
    if (!aisp_run_generalisation(ev, &g) || !(g.hi < 0.75 * g.here))
        return;
    aisp_find(out, self, g.hi < 0.25 * g.here ? AISP_VIOLATION : AISP_DEVELOPMENT, AISP_B,
              "%s: %.3f times as fast at the known size, %.3f [%.3f, %.3f] at %d secret points of the declared range: %.0f %% "
              "of the gain is there",
              ev->variant[AISP_B].name, exp(g.here), exp(g.there), exp(g.lo), exp(g.hi), g.n_points,
              100 * fmax(0, g.there / g.here));
}

AISP_CHECK(symbolic_shape_check) = {
    .issue = 59,
    .name = "symbolic-shape",
    .family = "compile",
    .title = "A path for the one size that everybody measures is no speedup: neighbours drawn in secret are timed too",
    .needs = "cpu",
    .incident = "kernels specialised to the benchmark's shapes by direct matching, 2025",
    .severity = AISP_VIOLATION,
    .rank = 37,
    .examine = symbolic_shape,
};
