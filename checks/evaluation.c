/* evaluation.c - did the evaluation itself hold: was everything verified, on more than the known case, by code that nobody
 * touched, from workers that stayed inside their cage? */
#include <string.h>

#include "checks/observed.h"

static void refused(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_REFUSED, -1);
        const struct aisp_observation *bad = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_BAD_STATUS, -1);
        char where[192];

        if (o)
            aisp_find(out, self, AISP_VIOLATION, side, "%s was refused: %s", ev->variant[side].name, o->detail);
        if (bad) {
            aisp_observed_where(ev, bad, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side, "%s: returned %s", where, aisp_status_name((enum aisp_status)bad->seen));
        }
    }
}

AISP_CHECK(refused_check) = {
    .issue = 90,
    .name = "refused",
    .family = "evaluation",
    .title = "A variant that does not load, or says itself that it failed, has no time",
    .needs = "cpu",
    .incident = "failed variants scored as a speedup of 1.0",
    .severity = AISP_VIOLATION,
    .rank = 1,
    .examine = refused,
};

static void exploitation(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    static const enum aisp_seen acts[] = { AISP_SEEN_FORBIDDEN_CALL, AISP_SEEN_PROTOCOL, AISP_SEEN_OUTPUT_FLOOD };

    for (int side = AISP_A; side <= AISP_B; side++)
        for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
            const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, acts[i], -1);
            char where[192];

            if (!o)
                continue;
            aisp_observed_where(ev, o, where, sizeof where);
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %s: %s", where, aisp_seen_name(acts[i]), o->detail);
        }
}

AISP_CHECK(exploitation_check) = {
    .issue = 88,
    .name = "eval-exploitation",
    .family = "evaluation",
    .title = "A worker is caged before its code is loaded; what it tries outside ends it",
    .needs = "cpu",
    .incident = "an automated scientist that changed the code which timed it, 2024",
    .severity = AISP_VIOLATION,
    .rank = 4,
    .examine = exploitation,
};

/* The first such end of a side; one in teardown only where there is no other. */
static const struct aisp_observation *first_end(const struct aisp_evidence *ev, int side, enum aisp_seen what)
{
    const struct aisp_observation *torn = NULL;

    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct aisp_observation *o = &ev->observation[i];

        if (o->side != side || o->what != what)
            continue;
        if (o->phase != AISP_PHASE_TEARDOWN)
            return o;
        torn = torn ? torn : o;
    }
    return torn;
}

/* Who dies in teardown() has made all its calls, and what they left was looked at before: outputs, guards, inputs, its process. No
 * time and no output can owe anything to that death, so the figure stands; but whoever ran such code would fall over with it. */
static enum aisp_severity severity_of_end(const struct aisp_observation *o)
{
    return o->phase == AISP_PHASE_TEARDOWN ? AISP_DEVELOPMENT : AISP_VIOLATION;
}

static void worker_died(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    static const enum aisp_seen ends[] = { AISP_SEEN_HANG, AISP_SEEN_SIGNAL, AISP_SEEN_EXIT };

    for (int side = AISP_A; side <= AISP_B; side++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            const struct aisp_observation *o = first_end(ev, side, ends[i]);
            char where[192];

            if (!o)
                continue;
            aisp_observed_where(ev, o, where, sizeof where);
            aisp_find(out, self, severity_of_end(o), side, "%s: %s: %s", where, aisp_seen_name(ends[i]), o->detail);
        }
}

AISP_CHECK(worker_died_check) = {
    .issue = 89,
    .name = "worker-died",
    .family = "evaluation",
    .title = "Time limits are the supervisor's; a worker that hangs, leaves or dies costs only itself",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = worker_died,
};

/* What was seen first at a secret point; NULL if all were right. */
static const struct aisp_observation *seen_at_holdout(const struct aisp_evidence *ev, int side)
{
    for (size_t i = 0; i < ev->n_observations; i++)
        if (ev->observation[i].side == side && ev->observation[i].phase == AISP_PHASE_HOLDOUT)
            return &ev->observation[i];
    return NULL;
}

static void overfitting(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_verified *v = &ev->verified[side];
        const struct aisp_observation *o = seen_at_holdout(ev, side);

        if (v->n_holdout_right >= v->n_holdout)
            continue;
        if (o && o->what == AISP_SEEN_WRONG_OUTPUT)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: right at the declared sizes, at %d of %d secret points of the declared range; call %lld, slot %d, "
                      "element %lld: saw %.9g, expected %.9g",
                      ev->variant[side].name, v->n_holdout_right, v->n_holdout, (long long)o->call, o->slot,
                      (long long)o->element, o->seen, o->expected);
        else
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: right at the declared sizes, at %d of %d secret points of the declared range%s%s",
                      ev->variant[side].name, v->n_holdout_right, v->n_holdout, o ? ": " : "",
                      o ? aisp_seen_name(o->what) : "");
    }
}

AISP_CHECK(overfitting_check) = {
    .issue = 92,
    .name = "overfitting",
    .family = "evaluation",
    .title = "A variant must be right at secret sizes too, drawn after it was written",
    .needs = "cpu",
    .incident = "right only at the benchmark's shapes: direct shape matching, 2025",
    .severity = AISP_VIOLATION,
    .rank = 9,   /* before what is wrong there: at the known sizes it is not */
    .examine = overfitting,
};

static void self_modifying(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_variant_facts *v = &ev->variant[side];

        if (*v->sha256_after && strcmp(v->sha256, v->sha256_after))
            aisp_find(out, self, AISP_VIOLATION, side, "%s: its file changed during the run: %.12s... before, %.12s... after",
                      v->name, v->sha256, v->sha256_after);
    }
    for (int side = AISP_A; side <= AISP_B; side++)
        for (int i = 0; i < ev->process[side].n_objects; i++)
            if (ev->process[side].object[i].is_changed)
                aisp_find(out, self, AISP_VIOLATION, side, "%s: %s changed during the run", ev->variant[side].name,
                          ev->process[side].object[i].path);
    for (int i = 0; i < AISP_N_WATCHED; i++)
        if (strcmp(ev->watched[i].sha256, ev->watched[i].sha256_after))
            aisp_find(out, self, AISP_VIOLATION, -1, "%s, which %s, changed during the run: %.12s... before, %.12s... after",
                      ev->watched[i].path, i == AISP_WATCHED_PROBLEM ? "holds the truth" : "judges", ev->watched[i].sha256,
                      *ev->watched[i].sha256_after ? ev->watched[i].sha256_after : "gone");
    if (ev->dirty_tree)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the source tree has uncommitted changes: the result has no name");
}

AISP_CHECK(self_modifying_check) = {
    .issue = 93,
    .name = "self-modifying",
    .family = "evaluation",
    .title = "Files are hashed before and after; a dirty tree is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 27,
    .examine = self_modifying,
};

static void missing_holdout(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_verified *v = &ev->verified[side];

        if (v->n_full == 0 && v->n_sampled == 0 && !aisp_evidence_has_doubts(ev))
            aisp_find(out, self, AISP_VIOLATION, side, "%s: no output was compared with the truth", ev->variant[side].name);
        else if (v->n_holdout == 0 && !aisp_evidence_has_doubts(ev))
            aisp_find(out, self, AISP_DEVELOPMENT, side, "%s: verified at the declared sizes only, at no secret one",
                      ev->variant[side].name);
    }
}

AISP_CHECK(missing_holdout_check) = {
    .issue = 95,
    .name = "missing-holdout",
    .family = "evaluation",
    .title = "Nothing counts that was not verified, at known and at secret sizes",
    .needs = "cpu",
    .incident = "a chatbot released without adversarial tests, 2016; training data in test sets, 2023",
    .severity = AISP_VIOLATION,
    .rank = 29,
    .examine = missing_holdout,
};
