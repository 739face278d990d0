/* mutants.c - can a problem tell right from wrong? Make contents, the right answer to them, and
 * spoil it in known ways.
 * Not here: the ways (mutations.c), the comparison (compare.c): it is the one that outputs are
 * judged by. A mutant that happens to equal the right answer is made again; one that cannot differ
 * (rows of an output with one row) does not count. Trivial outputs always count: a problem whose
 * right answer is all zeros has to be seen as such. */
#include "core/judge/mutants_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/judge/compare.h"
#include "core/judge/fill.h"
#include "core/judge/number.h"

static const size_t most_bytes = (size_t)256 << 20;
enum { TRIES = 16, OTHER_CONTENTS = 8 };

struct bench {
    struct aisp_scene scene;
    struct aisp_mutation_score *score;
    struct aisp_key key;
    const void *view[AISP_MAX_TENSORS]; /* scene.view, where the contents are ours */
    void *content[AISP_MAX_TENSORS], *right[AISP_MAX_TENSORS], *truth[AISP_MAX_TENSORS];
    void *stale[AISP_MAX_TENSORS], *trial[AISP_MAX_TENSORS];
};

static enum aisp_role role_of(const struct bench *b, int t)
{
    return b->scene.inst->problem->tensor[t].role;
}

static enum aisp_dtype dtype_of(const struct bench *b, int t)
{
    return b->scene.inst->problem->tensor[t].dtype;
}

static void *room(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);

    if (!block)
        AISP_BUG("out of memory: %zu bytes", bytes);
    return block;
}

/* Contents number `n` of all that is filled; weights are the same in all of them. */
static void make_contents(struct bench *b, int n, void *to[AISP_MAX_TENSORS])
{
    const struct aisp_instance *inst = b->scene.inst;

    for (int t = 0; t < inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &inst->problem->tensor[t];
        const bool is_fixed = tensor->role == AISP_WEIGHT;
        const struct aisp_key key = aisp_key_derive(&b->key, "mutants", t, is_fixed ? 0 : n, 0, 0);
        const struct aisp_filling what = { tensor->fill, tensor->dtype, inst->extent[t].elements,
                                           aisp_philox_of(&key) };

        if (tensor->fill.kind == AISP_NO_FILL)
            continue;
        if (!to[t])
            to[t] = room(inst->extent[t].bytes);
        aisp_fill(&what, to[t], 0, what.elements);
    }
}

/* The truth of output t, and a right output made of it. */
static void make_right(const struct bench *b, const void *const *contents, int t, void *truth,
                       void *right)
{
    const struct aisp_instance *inst = b->scene.inst;
    const struct aisp_view view = { contents, inst->param };
    const struct aisp_extent *extent = &inst->extent[t];

    inst->problem->reference(&view, t, 0, extent->rows, truth);
    if (aisp_dtype_is_float(dtype_of(b, t)))
        aisp_numbers_store(right, dtype_of(b, t), truth, extent->elements);
    else
        aisp_integers_store(right, dtype_of(b, t), truth, extent->elements);
}

static struct aisp_comparing question_of(const struct bench *b, int t)
{
    const struct aisp_instance *inst = b->scene.inst;
    const enum aisp_dtype dtype = dtype_of(b, t);

    return (struct aisp_comparing){
        .dtype = dtype,
        .truth = b->scene.truth[t],
        .n = inst->extent[t].elements,
        .relative = aisp_tolerance_relative(inst, dtype),
        .norm = aisp_tolerance_norm(inst, dtype),
        .poison = role_of(b, t) == AISP_OUT ? &b->scene.poison : NULL,
    };
}

static bool is_found(const struct bench *b, int t, const void *got)
{
    struct aisp_comparing c = question_of(b, t);
    struct aisp_comparison answer;

    c.got = got;
    aisp_compare(&c, &answer);
    return answer.kind != AISP_RIGHT;
}

/* accept() about whole outputs: those of `trial` where it has some, else the right ones. */
static bool is_rejected(const struct bench *b, const void *const trial[AISP_MAX_TENSORS])
{
    const void *all[AISP_MAX_TENSORS];
    char why[160] = "";
    int n = 0;

    for (int t = 0; t < b->scene.inst->n_tensors; t++)
        if (aisp_role_is_output(role_of(b, t)))
            all[n++] = trial[t] ? trial[t] : b->scene.right[t];
    return b->scene.inst->problem->accept(&b->scene.view, all, why, sizeof why) != 0;
}

/* What was not found, by tensor and name. */
static void note_missed(struct bench *b, int t, const char *name)
{
    char *missed = b->score->missed;
    const size_t used = strlen(missed);

    snprintf(missed + used, sizeof b->score->missed - used, "%s%s: %s", used ? ", " : "",
             b->scene.inst->problem->tensor[t].name, name);
}

static void new_poison(struct bench *b)
{
    for (int i = 0; i < 2; i++) {
        b->scene.poison.key[i] = aisp_dice_u32(&b->scene.dice);
        b->scene.poison.stream[i] = aisp_dice_u32(&b->scene.dice);
    }
}

/* By value: -0 is 0. */
static bool differs(const struct bench *b, int t, const void *a, const void *other)
{
    const struct aisp_extent *extent = &b->scene.inst->extent[t];

    if (!memcmp(a, other, extent->bytes))
        return false;
    if (!aisp_dtype_is_float(dtype_of(b, t)))
        return true;
    for (int64_t i = 0; i < extent->elements; i++)
        if (aisp_number_load(a, i, dtype_of(b, t)) != aisp_number_load(other, i, dtype_of(b, t)))
            return true;
    return false;
}

static void try_mutation(struct bench *b, int t, const struct aisp_mutation *mutation)
{
    const size_t bytes = b->scene.inst->extent[t].bytes;
    const void *trial[AISP_MAX_TENSORS] = { NULL };
    bool differ = false, found;

    trial[t] = b->trial[t];
    for (int i = 0; i < TRIES && !differ; i++) {
        new_poison(b);
        memcpy(b->trial[t], b->scene.right[t], bytes);
        if (!mutation->apply(&b->scene, t, b->trial[t]))
            return;
        differ = differs(b, t, b->trial[t], b->scene.right[t]);
    }
    if (!differ && !mutation->must_differ)
        return;
    found = b->scene.inst->problem->accept ? is_rejected(b, trial) : is_found(b, t, b->trial[t]);
    b->score->n_mutants++;
    b->score->n_found += found;
    if (!found)
        note_missed(b, t, mutation->name);
}

static void try_mutations(struct bench *b)
{
    const bool many_right = b->scene.inst->problem->accept;

    for (int t = 0; t < b->scene.inst->n_tensors; t++)
        for (const struct aisp_mutation *m = aisp_mutations; b->scene.right[t] && m->name; m++)
            if (!many_right || !m->moves)
                try_mutation(b, t, m);
}

static void count_trivial(struct bench *b, int t, const char *name, bool found)
{
    b->score->n_trivial++;
    b->score->n_trivial_found += found;
    if (!found)
        note_missed(b, t, name);
}

/* Make a trivial output: the table's, or the bytes of input `from`. */
static bool make_trivial(struct bench *b, int t, const struct aisp_trivial *trivial, int from)
{
    return trivial ? trivial->make(&b->scene, t, b->trial[t])
                   : aisp_trivial_input(&b->scene, t, from, b->trial[t]);
}

/* accept() gets all outputs trivial at once, else each is compared alone. */
static void try_trivial(struct bench *b, const struct aisp_trivial *trivial, int from)
{
    const struct aisp_problem *problem = b->scene.inst->problem;
    const char *name = trivial ? trivial->name : problem->tensor[from].name;
    const void *trial[AISP_MAX_TENSORS] = { NULL };
    int first = -1;

    new_poison(b);
    for (int t = 0; t < b->scene.inst->n_tensors; t++) {
        if (!b->trial[t] || (from == t && role_of(b, t) == AISP_INOUT))
            continue;
        if (!make_trivial(b, t, trivial, from)) {
            if (problem->accept)
                return;
            continue;
        }
        trial[t] = b->trial[t];
        first = first < 0 ? t : first;
        if (!problem->accept)
            count_trivial(b, t, name, is_found(b, t, b->trial[t]));
    }
    for (int t = 0; t < b->scene.inst->n_tensors && problem->accept; t++)
        if (b->trial[t] && !trial[t])
            return;
    if (problem->accept && first >= 0)
        count_trivial(b, first, name, is_rejected(b, trial));
}

static void try_trivials(struct bench *b)
{
    for (const struct aisp_trivial *trivial = aisp_trivials; trivial->name; trivial++)
        try_trivial(b, trivial, -1);
    for (int t = 0; t < b->scene.inst->n_tensors; t++)
        if (b->scene.view.tensor[t])
            try_trivial(b, NULL, t);
}

static enum aisp_status bench_init(struct bench *b, const struct aisp_instance *inst,
                                   const struct aisp_key *key, struct aisp_mutation_score *score,
                                   struct aisp_err *err)
{
    const struct aisp_key dice = aisp_key_derive(key, "mutations", 0, 0, 0, 0);
    int n_outputs = 0;

    *b = (struct bench){ .scene = { .inst = inst }, .score = score, .key = *key };
    *score = (struct aisp_mutation_score){ 0 };
    aisp_dice_init(&b->scene.dice, &dice);
    if (aisp_instance_total_bytes(inst) > most_bytes)
        return aisp_fail(err, AISP_E_USAGE,
                         "%zu bytes of tensors are too many to spoil, ask at a smaller size",
                         aisp_instance_total_bytes(inst));
    for (int t = 0; t < inst->n_tensors; t++) {
        if (!aisp_role_is_output(inst->problem->tensor[t].role))
            continue;
        b->trial[t] = room(inst->extent[t].bytes);
        n_outputs++;
    }
    return n_outputs
               ? AISP_OK
               : aisp_fail(err, AISP_E_REFUSED, "no tensor is an output that could be spoiled");
}

static void bench_release(struct bench *b)
{
    for (int t = 0; t < AISP_MAX_TENSORS; t++) {
        free(b->content[t]);
        free(b->right[t]);
        free(b->truth[t]);
        free(b->stale[t]);
        free(b->trial[t]);
    }
}

static void use_contents(struct bench *b)
{
    make_contents(b, 0, b->content);
    for (int t = 0; t < b->scene.inst->n_tensors; t++)
        b->view[t] = b->content[t];
    b->scene.view = (struct aisp_view){ b->view, b->scene.inst->param };
}

/* The last row alone has to be what it is among all: a run asks for a few rows. Its truth may be
 * rounded in another order. */
static bool is_same_in_parts(const struct bench *b, int t)
{
    const struct aisp_extent *extent = &b->scene.inst->extent[t];
    struct aisp_comparing c = question_of(b, t);
    void *row = room((size_t)extent->row_elements * 8);
    struct aisp_comparison answer;

    b->scene.inst->problem->reference(&b->scene.view, t, extent->rows - 1, 1, row);
    c.truth = row;
    c.n = extent->row_elements;
    c.first = (extent->rows - 1) * extent->row_elements;
    c.got = (const char *)b->right[t] + (size_t)c.first * aisp_dtype_bytes(c.dtype);
    aisp_compare(&c, &answer);
    free(row);
    return answer.kind == AISP_RIGHT;
}

static enum aisp_status use_truth(struct bench *b, struct aisp_err *err)
{
    const struct aisp_problem *problem = b->scene.inst->problem;

    for (int t = 0; t < b->scene.inst->n_tensors; t++) {
        if (!b->trial[t])
            continue;
        b->scene.truth[t] = b->truth[t] = room((size_t)b->scene.inst->extent[t].elements * 8);
        b->scene.right[t] = b->right[t] = room(b->scene.inst->extent[t].bytes);
        make_right(b, b->view, t, b->truth[t], b->right[t]);
        new_poison(b);
        if (is_found(b, t, b->right[t]))
            return aisp_fail(err, AISP_E_REFUSED,
                             "tensor %s: the truth, rounded to %s, is outside of the tolerance",
                             problem->tensor[t].name, aisp_dtype_name(dtype_of(b, t)));
        if (!is_same_in_parts(b, t))
            return aisp_fail(err, AISP_E_REFUSED,
                             "tensor %s: the last row of the truth is another when asked alone",
                             problem->tensor[t].name);
    }
    return AISP_OK;
}

/* The answers to other contents. Where they are the same as ours, by chance or always, others
 * again, a few times. */
static void use_stale(struct bench *b)
{
    const struct aisp_instance *inst = b->scene.inst;
    void *other[AISP_MAX_TENSORS] = { NULL };
    bool varies = false, same = true;

    for (int t = 0; t < inst->n_tensors; t++)
        varies |= aisp_role_is_filled(role_of(b, t));
    for (int n = 1; varies && same && n <= OTHER_CONTENTS; n++) {
        same = false;
        make_contents(b, n, other);
        for (int t = 0; t < inst->n_tensors; t++) {
            void *truth;

            if (!b->trial[t])
                continue;
            if (!b->stale[t])
                b->scene.stale[t] = b->stale[t] = room(inst->extent[t].bytes);
            truth = room((size_t)inst->extent[t].elements * 8);
            make_right(b, (const void *const *)other, t, truth, b->stale[t]);
            free(truth);
            same |= !differs(b, t, b->stale[t], b->scene.right[t]);
        }
    }
    for (int t = 0; t < inst->n_tensors; t++)
        free(other[t]);
}

enum aisp_status aisp_mutation_score(const struct aisp_instance *inst, const struct aisp_key *key,
                                     struct aisp_mutation_score *score, struct aisp_err *err)
{
    enum aisp_status st;
    struct bench b;

    AISP_TRY(bench_init(&b, inst, key, score, err));
    use_contents(&b);
    if (inst->problem->reference) {
        AISP_TRY(use_truth(&b, err));
        use_stale(&b);
        try_mutations(&b);
    }
    try_trivials(&b);
out:
    bench_release(&b);
    return st;
}

/* Values of a given right output, for mutations that need them. */
static void use_given(struct bench *b, int t, const void *right)
{
    const int64_t n = b->scene.inst->extent[t].elements;

    b->truth[t] = room((size_t)n * 8);
    if (aisp_dtype_is_float(dtype_of(b, t)))
        aisp_numbers_load(right, dtype_of(b, t), b->truth[t], n);
    for (int64_t i = 0; i < n && !aisp_dtype_is_float(dtype_of(b, t)); i++)
        ((int64_t *)b->truth[t])[i] = aisp_integer_load(right, i, dtype_of(b, t));
    b->scene.truth[t] = b->truth[t];
    b->scene.right[t] = right;
}

enum aisp_status aisp_mutation_score_given(const struct aisp_instance *inst,
                                           const struct aisp_view *view, const void *const *right,
                                           const struct aisp_key *key,
                                           struct aisp_mutation_score *score, struct aisp_err *err)
{
    const void *none[AISP_MAX_TENSORS] = { NULL };
    enum aisp_status st;
    struct bench b;
    int n = 0;

    AISP_TRY(bench_init(&b, inst, key, score, err));
    if (!inst->problem->accept) {
        st = aisp_fail(err, AISP_E_USAGE,
                       "the problem has a reference: a right output need not be given");
        goto out;
    }
    b.scene.view = *view;
    for (int t = 0; t < inst->n_tensors; t++)
        if (b.trial[t])
            use_given(&b, t, right[n++]);
    if (is_rejected(&b, none)) {
        st = aisp_fail(err, AISP_E_REFUSED,
                       "accept: the output that was given as right is rejected");
        goto out;
    }
    try_mutations(&b);
    try_trivials(&b);
out:
    bench_release(&b);
    return st;
}
