/* one.c - one variant from its loading to its teardown. */
#include "plain/plain.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct one {
    struct plain_rig rig;
    struct plain_truth truth;
    void *handle, *state;
    const struct aisp_variant *variant;
    struct aisp_call call[PLAIN_MOST_SLOTS];
    bool is_set_up;
};

static enum aisp_status load(struct one *one, const char *path, struct aisp_err *err)
{
    one->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!one->handle)
        return aisp_fail(err, AISP_E_REFUSED, "%.400s", dlerror());
    one->variant = dlsym(one->handle, "aisp_variant");
    if (!one->variant || one->variant->abi != AISP_ABI || !one->variant->run)
        return aisp_fail(err, AISP_E_REFUSED, "it has no aisp_variant of this version");
    return AISP_OK;
}

static enum aisp_status set_up(struct one *one, struct aisp_err *err)
{
    struct plain_rig *rig = &one->rig;
    const void *weight[AISP_MAX_TENSORS];
    void *const *slot[PLAIN_MOST_SLOTS];
    struct aisp_setup s = { .param = rig->inst.param, .weight = weight, .slot = slot, .n_slots = rig->n_slots, .n_threads = 1,
                            .n_ranks = 1, .stream = rig->machine.stream, .state = &one->state };
    enum aisp_status st;
    int n = 0;

    if (one->variant->workspace_bytes)
        AISP_TRY(plain_rig_workspace(rig, one->variant->workspace_bytes(rig->inst.param), err));
    for (int t = 0; t < rig->inst.n_tensors; t++)
        if (rig->inst.problem->tensor[t].role == AISP_WEIGHT)
            weight[n++] = rig->weight[t].at;
    for (int i = 0; i < rig->n_slots; i++)
        slot[i] = rig->address[i];
    s.workspace = rig->workspace.at;
    if (one->variant->setup && (st = one->variant->setup(&s)))
        return aisp_fail(err, st, "setup() returned %s", aisp_status_name(st));
    one->is_set_up = true;
    AISP_TRY(plain_synchronize(&rig->machine, "setup()", err));
    for (int i = 0; i < rig->n_slots; i++)
        one->call[i] = (struct aisp_call){ .tensor = rig->address[i], .param = rig->inst.param, .state = one->state,
                                           .workspace = rig->workspace.at, .stream = rig->machine.stream, .slot = i,
                                           .n_threads = 1, .n_ranks = 1 };
out:
    return st;
}

/* One call on contents of its own, and its judgement. */
static enum aisp_status call_once(struct one *one, int contents, struct plain_result *result, struct aisp_err *err)
{
    const int slot = contents % one->rig.n_slots;
    enum aisp_status st;
    int changed;

    AISP_TRY(plain_contents(&one->rig, slot, contents, err));
    snprintf(result->contents, sizeof result->contents, "%s", plain_contents_name(&one->rig, contents));
    st = one->variant->run(&one->call[slot]);
    if (st)
        return aisp_fail(err, st, "run() returned %s", aisp_status_name(st));
    AISP_TRY(plain_synchronize(&one->rig.machine, "run()", err));
    AISP_TRY(plain_truth_judge(&one->truth, slot, result, err));
    if (one->rig.options->json)
        plain_truth_hash(&one->truth, result);
    AISP_TRY(plain_find_changed(&one->rig, slot, &changed, err));
    result->n_calls++;
    if (changed >= 0 && result->end != PLAIN_WRONG) {
        result->end = PLAIN_WRONG;
        snprintf(result->why, sizeof result->why, "the call wrote to %s, which it may only read",
                 one->rig.inst.problem->tensor[changed].name);
    }
out:
    return st;
}

static enum aisp_status run_variant(struct one *one, const struct aisp_variant_ref *variant, struct plain_result *result,
                                    struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(load(one, variant->path, err));
    AISP_TRY(set_up(one, err));
    for (int c = 0; c < plain_n_contents(&one->rig) && result->end != PLAIN_WRONG; c++)
        AISP_TRY(call_once(one, c, result, err));
    if (one->rig.options->time && result->end != PLAIN_WRONG)
        AISP_TRY(plain_time(&one->rig, one->variant, one->call, result, err));
out:
    if (one->is_set_up && one->variant->teardown)
        one->variant->teardown(one->state);
    return st;
}

static enum aisp_status compare_references(struct one *one, struct plain_result *result, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!one->truth.reference)
        return aisp_fail(err, AISP_E_NOT_FOUND, "there is no reference.cuda.so beside the problem");
    if (!one->rig.inst.problem->reference)
        return aisp_fail(err, AISP_E_REFUSED, "the problem judges by accept(): there is nothing to compare with");
    for (int c = 0; c < plain_n_contents(&one->rig) && result->end != PLAIN_WRONG; c++) {
        const int slot = c % one->rig.n_slots;

        AISP_TRY(plain_contents(&one->rig, slot, c, err));
        snprintf(result->contents, sizeof result->contents, "%s", plain_contents_name(&one->rig, c));
        AISP_TRY(plain_truth_agree(&one->truth, slot, result, err));
        result->n_calls++;
    }
out:
    return st;
}

void plain_run_one(const struct plain_options *options, const struct aisp_problem *problem, const struct aisp_variant_ref *variant,
                   struct plain_result *result)
{
    struct one *one = aisp_xcalloc(1, sizeof *one);
    struct aisp_err err = { 0 };
    enum aisp_status st;

    AISP_TRY(plain_rig_init(&one->rig, options, problem, variant ? &variant->decl : NULL, &err));
    memcpy(result->machine, one->rig.machine.name, sizeof result->machine);
    result->bytes = one->rig.inst.bytes;
    result->flops = one->rig.inst.flops;
    result->n_slots = one->rig.n_slots;
    AISP_TRY(plain_truth_init(&one->truth, &one->rig, &err));
    AISP_TRY(variant ? run_variant(one, variant, result, &err) : compare_references(one, result, &err));
out:
    if (st) {
        result->end = PLAIN_FAILED;
        snprintf(result->why, sizeof result->why, "%.399s", err.text);
    } else if (result->end == PLAIN_NOT_REACHED) {
        result->end = PLAIN_RIGHT;
    }
    plain_truth_release(&one->truth);
    plain_rig_release(&one->rig);
    if (one->handle)
        dlclose(one->handle);
    free(one);
}
