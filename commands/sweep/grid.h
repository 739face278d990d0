/* grid.h - the points that `--sweep` asks for: "n=64:4096:x2", "n=100,200,400", "n=64:512:+64".
 *   NAME=ITEM[,ITEM...]    ITEM is a value, FIRST:LAST:xFACTOR or FIRST:LAST:+STEP; values beyond LAST are not taken
 *   m=n=k=16:512:x2        parameters that go together
 * Several make a grid. Values are sorted, and each is there once.
 * Not here: what was measured at the points (map.h), measuring (bench_run.c). */
#ifndef AISP_COMMANDS_SWEEP_GRID_H
#define AISP_COMMANDS_SWEEP_GRID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <aisp/problem.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* A point is measured for some ten seconds a variant: more of them are no sweep but a mistake. */
enum { AISP_GRID_AXES = 3, AISP_GRID_POINTS = 256, AISP_AXIS_PARAMS = 4 };

struct aisp_sweep_axis {
    char *text;                              /* as it was written */
    char *name;                              /* "n", "m=n=k" */
    char *param[AISP_AXIS_PARAMS];
    size_t n_params;
    int64_t *value;                          /* ascending */
    size_t n, cap;
    bool is_geometric;                       /* drawn on logarithms */
};

struct aisp_grid { struct aisp_sweep_axis axis[AISP_GRID_AXES]; size_t n_axes, n_points; };
#define AISP_GRID_INIT { 0 }

/* Errors: AISP_E_USAGE with what is wrong with which text; *grid is then empty. */
enum aisp_status aisp_grid_init(struct aisp_grid *grid, const char *const *text, size_t n, struct aisp_err *err);
/* The same out of one text, as a problem suggests it: "rows=1:64:x2 cols=128:8192:x4". */
enum aisp_status aisp_grid_init_words(struct aisp_grid *grid, const char *words, struct aisp_err *err);
void aisp_grid_release(struct aisp_grid *grid);
/* Has the problem these parameters, and do the values keep the steps in which it declares its own? Whether its tensors exist at
 * a point is for aisp_instance_init(). `set` is what else is set. Errors: AISP_E_USAGE. */
enum aisp_status aisp_grid_check(const struct aisp_grid *grid, const struct aisp_problem *problem, const char *const *set,
                                 size_t n_set, struct aisp_err *err);

/* Points are counted with the last axis running fastest. */
int64_t aisp_grid_value(const struct aisp_grid *grid, size_t point, size_t axis);
/* The point whose values are those of `params` (a result's); false: none. */
bool aisp_grid_find(const struct aisp_grid *grid, const json_t *params, size_t *point);
/* "n=64", "m=n=k=64 batch=8" */
void aisp_grid_put_point(const struct aisp_grid *grid, size_t point, struct aisp_buf *out);
/* "m=64", "n=64", ... appended to `set`, with room for n_axes * AISP_AXIS_PARAMS; each is the caller's to free. */
void aisp_grid_add_sets(const struct aisp_grid *grid, size_t point, char **set, size_t *n_set);
/* "n", "rows and cols" */
void aisp_grid_put_names(const struct aisp_grid *grid, struct aisp_buf *out);

#endif
