/* plant.h - contents that ask a question: did the old position count, was each point looked at, is what the mask hides
 * ignored, does large input overflow? They take the place of the ordinary fill in some calls of the verification.
 * Not here: in which calls (core/run/contents.c). All is a function of (kind, key), so that the truth can be made again.
 * Which kinds there are for a problem follows from its declaration: what its parameters mean, its masks, its stress fills. */
#ifndef AISP_JUDGE_PLANT_H
#define AISP_JUDGE_PLANT_H

#include "core/judge/fill.h"
#include "core/instance.h"

enum aisp_plant {
    AISP_PLANT_NONE,
    AISP_PLANT_STRESS,      /* the declared other fill */
    AISP_PLANT_NEEDLE,      /* an old position of a cache is large */
    AISP_PLANT_SENTINEL,    /* the last positions of a sequence are large */
    AISP_PLANT_CHECKER,     /* a checkerboard */
    AISP_PLANT_HIDDEN,      /* what the mask hides is huge */
    AISP_N_PLANTS
};
const char *aisp_plant_name(enum aisp_plant plant);     /* "a needle in the old part of the cache" */

/* The kinds that this instance admits; returns how many. */
int aisp_plants(const struct aisp_instance *inst, enum aisp_plant kind[AISP_N_PLANTS]);

/* One call's contents of one tensor. */
struct aisp_planting {
    const struct aisp_instance *inst;
    enum aisp_plant kind;
    int tensor;
    struct aisp_philox fill;    /* what the ordinary contents are made of */
    struct aisp_key key;        /* the same for all tensors of the call */
};
/* Writes the whole tensor, planted. False: this kind leaves this tensor as it is (and nothing is written). */
bool aisp_plant_make(const struct aisp_planting *what, void *to);

/* Where the dimension of `tensor` is the name of parameter `param` and nothing more: its axis; else -1. */
int aisp_axis_of_param(const struct aisp_problem *problem, int tensor, int param);
/* And back: the parameter of an axis, or -1. */
int aisp_param_of_axis(const struct aisp_problem *problem, int tensor, int axis);

#endif
