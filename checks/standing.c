/* standing.c - how the workers of each side stood on the machine: whom the scheduler prefers, what
 * they claimed and touched, where their memory lies, which libraries they really ran. The facts are
 * read from outside (core/footing.h, core/process_facts.h). */
#include <math.h>
#include <string.h>

#include "checks/observed.h"

/* ---- 70 ---- */

static bool is_about_priority(const char *call)
{
    static const char *const calls[] = { "setpriority", "sched_setscheduler", "sched_setparam",
                                         "sched_setattr", "ioprio_set" };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(call, calls[i]))
            return true;
    return false;
}

static void tried(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                  struct aisp_findings *out)
{
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];
        char where[192];

        if (o->what != AISP_SEEN_FORBIDDEN_CALL || o->side != side || !is_about_priority(o->detail))
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: called %s, which tells the scheduler whom to prefer", where, o->detail);
        return;
    }
}

static void priority_elevation(const struct aisp_check *self, const struct aisp_evidence *ev,
                               struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_footing *f = &ev->machine.footing[side];

        tried(self, ev, side, out);
        if (!f->n_looks)
            continue;
        if (f->nice_low != f->nice_given || f->nice_high != f->nice_given)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a thread had niceness %d, all were started with %d",
                      ev->variant[side].name,
                      f->nice_low != f->nice_given ? f->nice_low : f->nice_high, f->nice_given);
        if (f->policy || f->realtime)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a thread had scheduling policy %d (priority %d), all were started with "
                      "the usual one",
                      ev->variant[side].name, f->policy, f->realtime);
        if (f->io_class != ev->machine.footing[!side].io_class &&
            ev->machine.footing[!side].n_looks)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a thread had I/O class %d, the other side's have %d",
                      ev->variant[side].name, f->io_class, ev->machine.footing[!side].io_class);
    }
}

AISP_CHECK(priority_elevation_check) = {
    .issue = 70,
    .name = "priority-elevation",
    .family = "environment",
    .title = "No worker is preferred to the other: who tells the scheduler otherwise is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 2,
    .examine = priority_elevation,
};

/* ---- 71 ---- */

enum { TOUCHED_ONE_IN = 8 };
static const int64_t CLAIM_LEAST_BYTES = INT64_C(256) << 20;

/* Memory that was claimed and is not there proves no capacity. Address space that cannot be written
 * (PROT_NONE) is a reservation and not counted. */
static void overcommit(const struct aisp_check *self, const struct aisp_evidence *ev,
                       struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_footing *f = &ev->machine.footing[side];
        const double claimed = (double)f->data_bytes, touched = (double)f->resident_bytes;
        const bool is_beyond =
            ev->before.available_bytes > 0 && f->data_bytes > ev->before.available_bytes;

        if (f->data_bytes < CLAIM_LEAST_BYTES || touched * TOUCHED_ONE_IN >= claimed)
            continue;
        if (!is_beyond && aisp_declaration_uses(&ev->variant[side].decl, "library"))
            continue; /* libraries keep arenas for threads that are not there */
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: claims %.0f MiB of memory and has touched %.0f MiB of it (%.0f MiB were "
                  "available, overcommit %lld): that capacity is not shown",
                  ev->variant[side].name, claimed / (1 << 20), touched / (1 << 20),
                  (double)ev->before.available_bytes / (1 << 20), (long long)ev->before.overcommit);
    }
}

AISP_CHECK(overcommit_check) = {
    .issue = 71,
    .name = "overcommit",
    .family = "environment",
    .title = "Memory that is claimed and never touched is no capacity",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 21,
    .examine = overcommit,
};

/* ---- 72 ---- */

/* Share of memory that lies on another node than its side's cores; < 0: not known, or one node. */
static double remote_share(const struct aisp_footing *f, const int64_t bytes[AISP_FOOTING_NODES])
{
    double all = 0;

    for (int i = 0; i < AISP_FOOTING_NODES; i++)
        all += (double)bytes[i];
    if (!f->n_looks || f->node < 0 || f->node >= AISP_FOOTING_NODES || all <= 0)
        return -1;
    return 1 - (double)bytes[f->node] / all;
}

/* Its pages lie where the supervisor ran when it made them: nobody's fault, and a time all the same that nobody else has. */
static void harness_is_near(const struct aisp_check *self, const struct aisp_evidence *ev, int side, struct aisp_findings *out)
{
    const struct aisp_footing *f = &ev->machine.footing[side];
    const double share = remote_share(f, f->harness_node_bytes);

    if (share > 0.1)
        aisp_find(out, self, AISP_DEVELOPMENT, side, "%.0f %% of the memory that the harness gave %s lies on another node than its core (node %d)",
                  100 * share, ev->variant[side].name, f->node);
}

static void numa(const struct aisp_check *self, const struct aisp_evidence *ev,
                 struct aisp_findings *out)
{
    const struct aisp_footing *f = ev->machine.footing;
    const double share[] = { remote_share(&f[AISP_A], f[AISP_A].node_bytes), remote_share(&f[AISP_B], f[AISP_B].node_bytes) };
    const bool is_one_sided = share[0] >= 0 && share[1] >= 0 && fabs(share[0] - share[1]) > 0.2;

    for (int side = AISP_A; side <= AISP_B; side++) {
        harness_is_near(self, ev, side, out);
        if (share[side] > 0.1)
            aisp_find(out, self, is_one_sided ? AISP_VIOLATION : AISP_DEVELOPMENT, side,
                      "%s: %.0f %% of its memory lies on another node than its core (node %d); of "
                      "the other side's %.0f %%",
                      ev->variant[side].name, 100 * share[side], ev->machine.footing[side].node,
                      100 * fmax(share[!side], 0));
    }
}

AISP_CHECK(numa_check) = {
    .issue = 72,
    .name = "numa",
    .family = "environment",
    .title = "Memory lies on the node of the core that uses it, on both sides",
    .needs = "cpu (proved with a fake root of two nodes)",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 31,
    .examine = numa,
};

/* ---- 77 ---- */

/* "libm.so" of "/opt/mine/libm.so.6" and of "libm-2.36.so": what makes two files the same library. */
static size_t stem(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/'), *dot;

    *name = slash ? slash + 1 : path;
    dot = strstr(*name, ".so");
    return dot ? (size_t)(dot - *name) : 0;
}

static bool is_same_library(const char *a, const char *b)
{
    const char *name_a, *name_b;
    const size_t n = stem(a, &name_a), m = stem(b, &name_b);

    return n > 3 && n == m && !strncmp(name_a, "lib", 3) && !strncmp(name_a, name_b, n);
}

/* A library of this side that the other side ran in another form, and in no equal one; NULL. */
static const struct aisp_process_object *other_form(const struct aisp_process_facts *other,
                                                    const struct aisp_process_object *mine)
{
    const struct aisp_process_object *found = NULL;

    for (int i = 0; i < other->n_objects; i++) {
        const struct aisp_process_object *its = &other->object[i];

        if (!its->is_executable || !is_same_library(its->path, mine->path))
            continue;
        if (!strcmp(its->sha256, mine->sha256))
            return NULL;
        found = its;
    }
    return found;
}

static void library_version(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    for (int side = AISP_B; side >= AISP_A; side--) {
        const struct aisp_process_facts *f = &ev->process[side];

        for (int i = 0; i < f->n_objects; i++) {
            const struct aisp_process_object *mine = &f->object[i],
                                             *other = mine->is_executable
                                                          ? other_form(&ev->process[!side], mine)
                                                          : NULL;

            if (!other)
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s ran %.90s (%.8s...), %s ran %.90s (%.8s...): two libraries are compared",
                      ev->variant[side].name, mine->path, mine->sha256, ev->variant[!side].name,
                      other->path, other->sha256);
            return;
        }
    }
}

AISP_CHECK(library_version_check) = {
    .issue = 77,
    .name = "library-version",
    .family = "environment",
    .title = "A library that both sides map is the same file on both, by its hash",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 14,
    .examine = library_version,
};
