/* bisect_commit.c - one commit: built in the worktree, its object kept, measured against the good commit's.
 * Both are variants of one target that is made for it: the good commit's problem, its variant as the baseline, this commit's as
 * the candidate. So every run is a comparison like any other: verified, paired, judged. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/noise.h"
#include "commands/contest.h"
#include "commands/history/bisect.h"
#include "commands/place.h"
#include "core/base/hash.h"

enum {
    MOST_FAILED = 2, /* a crowded machine makes a check wrong once; twice is the commit */
    MOST_LONGER = 32,
    RUN_PAIRS = 18,  /* then rather another run than more pairs: what differs from run to run, no pair averages out */
};
static const double LEAST_SE = 1e-6;

static enum aisp_status copy(const char *from, const char *to, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    char part[65536];
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    size_t n;

    while (out && (n = fread(part, 1, sizeof part, in)))
        if (fwrite(part, 1, n, out) != n)
            break;
    if (!in || !out || ferror(in) || ferror(out))
        st = aisp_fail_errno(err, AISP_E_IO, "%s", in ? to : from);
    if (in)
        fclose(in);
    if (out && fclose(out) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s", to);
    return st;
}

void aisp_bisect_commit_release(struct aisp_bisect_commit *c)
{
    free(c->object);
    free(c->log_ratio);
    *c = (struct aisp_bisect_commit){ 0 };
}

/* ---- building ---- */

/* TREE/build/targets/ch07/transpose/NAME.so; caller frees. */
static char *built_path(const struct aisp_bisect *b, const char *name)
{
    return aisp_format("%s/%s/%s/%s.so", b->worktree.tree, b->built, b->group_and_name, name);
}

/* What the commit before left must not pass for this one's. */
static void remove_old(const struct aisp_bisect *b)
{
    char *path = built_path(b, b->variant), *longer_name = aisp_format("optimized_%s", b->variant);
    char *longer = built_path(b, longer_name);

    unlink(path);
    unlink(longer);
    free(path);
    free(longer);
    free(longer_name);
}

static enum aisp_status find_object(const struct aisp_bisect *b, char **path, struct aisp_err *err)
{
    char *name = aisp_format("optimized_%s", b->variant);

    *path = built_path(b, b->variant);
    if (!aisp_place_is_file(*path)) {
        char *longer = built_path(b, name);

        if (aisp_place_is_file(longer)) {
            free(*path);
            *path = longer;
        } else {
            free(longer);
        }
    }
    free(name);
    return aisp_place_is_file(*path)
               ? AISP_OK
               : aisp_fail(err, AISP_E_REFUSED, "its build makes no %s/%s/%s.so", b->built, b->group_and_name, b->variant);
}

/* The good commit's problem and variant are what all others are measured with. */
static enum aisp_status keep_good(const struct aisp_bisect *b, struct aisp_err *err)
{
    char *from = built_path(b, "problem"), *to = aisp_format("%s/target", b->folder), *baseline = NULL;
    enum aisp_status st;

    if (mkdir(to, 0700)) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s", to);
        goto out;
    }
    baseline = aisp_format("%s/baseline.so", to);
    free(to);
    to = aisp_format("%s/target/problem.so", b->folder);
    if (!aisp_place_is_file(from)) {
        st = aisp_fail(err, AISP_E_REFUSED, "its build makes no %s/%s/problem.so", b->built, b->group_and_name);
        goto out;
    }
    AISP_TRY(copy(from, to, err));
    st = copy(b->commit[0].object, baseline, err);
out:
    free(from);
    free(to);
    free(baseline);
    return st;
}

/* Two commits with the same object: the change is not between them, and one of them is enough to measure. */
static enum aisp_status find_same(struct aisp_bisect *b, size_t commit, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    b->commit[commit].same_as = commit;
    for (size_t i = 0; i < b->commits.n && !st; i++) {
        if (i == commit || !b->commit[i].object || strcmp(b->commit[i].sha256, b->commit[commit].sha256))
            continue;
        if (b->commit[commit].same_as == commit)
            b->commit[commit].same_as = b->commit[i].same_as;
        st = aisp_bisection_same(&b->bisection, i < commit ? i : commit, i < commit ? commit : i, err);
    }
    return st;
}

static enum aisp_status try_build(struct aisp_bisect *b, size_t commit, struct aisp_err *err)
{
    struct aisp_bisect_commit *c = &b->commit[commit];
    char *path = NULL;
    enum aisp_status st;

    remove_old(b);
    AISP_TRY(aisp_worktree_checkout(&b->worktree, b->commits.commit[commit].hash, err));
    AISP_TRY(aisp_worktree_build(&b->worktree, b->build, err));
    AISP_TRY(find_object(b, &path, err));
    AISP_TRY(aisp_hash_file(path, c->sha256, err));
    c->object = aisp_format("%s/%zu.so", b->folder, commit);
    AISP_TRY(copy(path, c->object, err));
    if (commit == 0)
        st = keep_good(b, err);
out:
    free(path);
    if (st) {
        free(c->object);
        c->object = NULL;
    }
    return st;
}

static enum aisp_status skip(struct aisp_bisect *b, size_t commit, const char *why, struct aisp_err *err)
{
    snprintf(b->commit[commit].why, sizeof b->commit[commit].why, "%s", why);
    aisp_note(b->bench.request, "commit %.10s is skipped: %s", b->commits.commit[commit].hash, why);
    return aisp_bisection_skip(&b->bisection, commit, err);
}

enum aisp_status aisp_bisect_build(struct aisp_bisect *b, size_t commit, struct aisp_err *err)
{
    struct aisp_err why = { AISP_OK, "" };
    enum aisp_status st = try_build(b, commit, &why);

    b->commit[commit].is_built = true;
    b->n_builds++;
    if (aisp_bench_is_stopped(&b->bench))
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    if (st == AISP_E_REFUSED && commit > 0)
        return skip(b, commit, why.text, err);
    if (st)
        return aisp_fail(err, st, "commit %.10s: %s", b->commits.commit[commit].hash, why.text);
    return find_same(b, commit, err);
}

/* ---- measuring ---- */

/* What the evidence says against the candidate; "" if nothing. */
static void find_wrong(const struct aisp_bisect *b, const struct aisp_evidence *ev, char why[400])
{
    struct aisp_findings findings = AISP_FINDINGS_INIT;

    *why = '\0';
    if (aisp_examine(ev, &b->bench.options.grading, &findings) == AISP_GRADE_INVALID && findings.n)
        snprintf(why, 400, "%s: %s", findings.item[0].check->name, findings.item[0].text);
    aisp_findings_release(&findings);
}

static enum aisp_status take_run(struct aisp_bisect *b, size_t commit, const struct aisp_evidence *ev, struct aisp_err *err)
{
    struct aisp_bisect_commit *c = &b->commit[commit];
    struct aisp_look_result look;
    char why[400];
    double se;

    find_wrong(b, ev, why);
    if (*why)
        return ++c->n_failed >= MOST_FAILED ? skip(b, commit, why, err) : AISP_OK;
    if (aisp_run_verdict(ev, &look, NULL) || !look.has_interval) {
        b->n_blind++;
        b->longer *= b->longer < MOST_LONGER ? 2 : 1;
        return AISP_OK;
    }
    se = fmax(LEAST_SE, aisp_noise_se_log(look.lo95, look.hi95));
    *(double *)aisp_grow(&c->log_ratio, &c->n_runs, &c->cap_runs, sizeof *c->log_ratio) = look.centre;
    return aisp_bisection_add(&b->bisection,
                              &(struct aisp_bisection_run){ .commit = commit, .log_ratio = look.centre, .se_log = se }, err);
}

enum aisp_status aisp_bisect_measure(struct aisp_bisect *b, size_t commit, struct aisp_err *err)
{
    char *folder = aisp_format("%s/target", b->folder), *candidate = aisp_format("%s/candidate.so", folder);
    char *key = aisp_format("%s.%zu", b->commits.commit[commit].hash,
                            b->bisection.n_runs + b->n_blind + (size_t)b->commit[commit].n_failed);
    static const char *const only[] = { "candidate" };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_target target = { 0 };
    struct aisp_entry entry = { 0 };
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_plan plan;
    enum aisp_status st;

    AISP_TRY(copy(b->commit[b->commit[commit].same_as].object, candidate, err));
    AISP_TRY(aisp_target_from_folder(folder, b->id, &target, err));
    st = aisp_entry_init(&entry, &(struct aisp_entry_spec){ .target = &target, .only = only, .n_only = 1 }, &b->bench.options,
                         &why);
    if (st == AISP_E_REFUSED && commit > 0) {
        st = skip(b, commit, why.text, err);
        goto out;
    }
    if (st) {
        aisp_fail(err, st, "%s", why.text);
        goto out;
    }
    plan = aisp_entry_plan(&entry, &b->bench, entry.variant[0], key);
    plan.time_limit_ns *= b->longer;
    plan.max_pairs = RUN_PAIRS;
    AISP_TRY(aisp_run(&plan, &ev, err));
    st = take_run(b, commit, &ev, err);
out:
    aisp_evidence_release(&ev);
    aisp_entry_release(&entry);
    aisp_target_release(&target);
    free(folder);
    free(candidate);
    free(key);
    return st;
}
