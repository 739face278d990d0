/* ranks.c - a declared problem, multiplied by its ranks.
 * Why the results are kept for good: an instance is copied freely and owns nothing, so what it points at has to outlive it.
 * There are as many as there are problems with ranks. */
#include "core/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

struct expansion {
    const struct aisp_problem *declared;
    struct aisp_problem
        as_declared; /* what stood there: another object may be loaded to the same place later */
    int n_ranks, n_declared;
    struct aisp_tensor *tensor_declared, *tensor;
    char (*name)[40];
    struct aisp_problem problem;
    struct expansion *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct expansion *expansions;

static int count_tensors(const struct aisp_problem *problem)
{
    int n = 0;

    while (problem->tensor[n].name)
        n++;
    return n;
}

/* The names are compared too: they may have changed behind the same pointers. */
static bool is_of(const struct expansion *e, const struct aisp_problem *declared, int n_ranks)
{
    const size_t bytes = (size_t)e->n_declared * sizeof *e->tensor_declared;

    if (e->declared != declared || e->n_ranks != n_ranks ||
        memcmp(&e->as_declared, declared, sizeof *declared) ||
        count_tensors(declared) != e->n_declared ||
        memcmp(e->tensor_declared, declared->tensor, bytes))
        return false;
    for (int t = 0; t < e->n_declared; t++) {
        char name[sizeof *e->name];

        snprintf(name, sizeof name, "%s@0", declared->tensor[t].name);
        if (strcmp(name, e->name[t]))
            return false;
    }
    return true;
}

static struct expansion *expand(const struct aisp_problem *declared, int n_ranks)
{
    const int n = count_tensors(declared);
    struct expansion *e = aisp_xcalloc(1, sizeof *e);

    e->declared = declared;
    e->n_ranks = n_ranks;
    e->n_declared = n;
    memcpy(&e->as_declared, declared, sizeof e->as_declared);
    memcpy(&e->problem, declared, sizeof e->problem);
    e->tensor_declared = aisp_xcalloc((size_t)n + 1, sizeof *e->tensor_declared);
    memcpy(e->tensor_declared, declared->tensor, (size_t)n * sizeof *e->tensor_declared);
    e->tensor = aisp_xcalloc((size_t)(n * n_ranks) + 1, sizeof *e->tensor);
    e->name = aisp_xcalloc((size_t)(n * n_ranks) + 1, sizeof *e->name);
    for (int i = 0; i < n * n_ranks; i++) {
        e->tensor[i] = declared->tensor[i % n];
        snprintf(e->name[i], sizeof e->name[i], "%s@%d", declared->tensor[i % n].name, i / n);
        e->tensor[i].name = e->name[i];
    }
    e->problem.tensor = e->tensor;
    return e;
}

const struct aisp_problem *aisp_ranks_expand(const struct aisp_problem *declared, int n_ranks)
{
    struct expansion *e;

    if (n_ranks <= 1)
        return declared;
    pthread_mutex_lock(&lock);
    for (e = expansions; e && !is_of(e, declared, n_ranks); e = e->next)
        ;
    if (!e) {
        e = expand(declared, n_ranks);
        e->next = expansions;
        expansions = e;
    }
    pthread_mutex_unlock(&lock);
    return &e->problem;
}

const struct aisp_problem *aisp_ranks_declared(const struct aisp_problem *problem)
{
    const struct aisp_problem *declared = problem;

    pthread_mutex_lock(&lock);
    for (const struct expansion *e = expansions; e; e = e->next)
        if (problem == &e->problem)
            declared = e->declared;
    pthread_mutex_unlock(&lock);
    return declared;
}

void aisp_ranks_release(struct aisp_ranks *ranks)
{
    free(ranks->span);
    ranks->span = NULL;
    ranks->n_spans = ranks->cap_spans = 0;
}
