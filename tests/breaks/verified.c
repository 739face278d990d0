/* verified.c - `bench verify` over all breaks of a target that changed an output. Two breaks stand against each other in one
 * comparison, for verification looks at each side alone; so a break costs what a break costs, and no baseline is verified beside
 * each. Found means: grade invalid, by a violation of that very side. */
#include "tests/breaks/breaks.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LIMIT_A_PAIR_S = 240, SYNC_TRIES = 4 };

static void link_break(const struct job *job, const char *folder, const char *name, const struct attempt *a)
{
    char *object = object_path(job, a->number);

    object_copy(object, folder, name);
    free(object);
}

/* ROOT/breaks/pNNN with a break on either side, or with the baseline beside the last one. */
static void make_pair(const struct job *job, const char *root, int pair, const struct attempt *a, const struct attempt *b)
{
    char *folder = aisp_format("%s/breaks/p%03d", root, pair);

    object_copy(job->target->problem_path, folder, "problem.so");
    link_break(job, folder, "optimized_break.so", a);
    if (b)
        link_break(job, folder, "baseline.so", b);
    else
        object_copy(aisp_target_variant(job->target, "baseline", "cpu")->path, folder, "baseline.so");
    free(folder);
}

static json_int_t wrong_calls(const json_t *result, const char *side)
{
    const json_t *v = json_object_get(json_object_get(result, "verified"), side);

    return json_integer_value(json_object_get(v, "full")) + json_integer_value(json_object_get(v, "sampled")) -
           json_integer_value(json_object_get(v, "full_right")) - json_integer_value(json_object_get(v, "sampled_right"));
}

/* The fate of one side, as its violations say. */
static void judge_side(struct attempt *a, const json_t *result, const char *side)
{
    const json_t *finding;
    size_t i;

    a->fate = FATE_MISSED;
    json_array_foreach(json_object_get(result, "findings"), i, finding) {
        const char *check = text_of(finding, "check");

        if (strcmp(text_of(finding, "severity"), "violation") != 0 || strcmp(text_of(finding, "side"), side) != 0)
            continue;
        a->fate = !strcmp(check, "worker-died") || !strcmp(check, "refused") ? FATE_CRASH
                  : wrong_calls(result, side)                                ? FATE_OUTPUT
                                                                             : FATE_OTHER;
        snprintf(a->where, sizeof a->where, "%s", check);
        return;
    }
}

static const json_t *result_of(const json_t *value, int pair)
{
    char id[40];
    const json_t *result;
    size_t i;

    snprintf(id, sizeof id, "breaks:p%03d", pair);
    json_array_foreach(json_object_get(value, "results"), i, result)
        if (!strcmp(text_of(result, "target"), id))
            return result;
    return NULL;
}

static json_t *run_verify(const struct job *job, const char *root, int n_pairs)
{
    char *program = aisp_format("%s/aisp", job->settings->build), *artifacts = aisp_format("%s/artifacts", root);
    const char *const argv[] = { program, "bench", "verify", "--bench-root", root, "--artifacts-dir", artifacts, "--json", NULL };
    struct program_result result;
    json_t *value;

    program_run(argv, n_pairs * LIMIT_A_PAIR_S, &result);
    value = json_loads(result.out, 0, NULL);
    free(result.out);
    free(program);
    free(artifacts);
    return value;
}

/* Once: all that are FATE_SHOWN. */
static void verify_once(struct job *job, int round)
{
    char *root = aisp_format("%s/verify%d", job->folder, round), *group = aisp_format("%s/breaks", root);
    struct attempt *left = NULL, **pair = aisp_xcalloc(job->n + 1, sizeof *pair);
    int n = 0;
    json_t *value;

    mkdir(root, 0700);
    mkdir(group, 0700);
    for (size_t i = 0; i < job->n; i++) {
        if (job->attempt[i].fate != FATE_SHOWN)
            continue;
        if (left) {
            make_pair(job, root, n / 2, left, &job->attempt[i]);
            pair[n++] = left;
            pair[n++] = &job->attempt[i];
            left = NULL;
        } else {
            left = &job->attempt[i];
        }
    }
    if (left) {
        make_pair(job, root, n / 2, left, NULL);
        pair[n++] = left;
    }
    value = n ? run_verify(job, root, (n + 1) / 2) : NULL;
    for (int i = 0; i < n; i++) {
        const json_t *result = result_of(value, i / 2);

        if (result)
            judge_side(pair[i], result, i % 2 ? "a" : "b");
        else
            pair[i]->fate = FATE_NONE;
    }
    json_decref(value);
    folder_remove(root);
    free(pair);
    free(group);
    free(root);
}

void verified_settle(struct job *job)
{
    verify_once(job, 0);
    for (int round = 1; round < SYNC_TRIES; round++) {      /* a race is not lost every time */
        bool is_any = false;

        for (size_t i = 0; i < job->n; i++)
            if (job->attempt[i].fate == FATE_MISSED && !strcmp(job->attempt[i].edit.operator, "sync")) {
                job->attempt[i].fate = FATE_SHOWN;
                is_any = true;
            }
        if (!is_any)
            return;
        verify_once(job, round);
    }
}
