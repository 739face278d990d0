/* declared.c - a suggested sweep, looked at as --sweep would. */
#include "commands/sweep/declared.h"

#include <stdlib.h>

#include "commands/sweep/grid.h"
#include "core/instance.h"

static enum aisp_status try_points(const struct aisp_grid *grid, const struct aisp_problem *problem, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (size_t point = 0; point < grid->n_points && !st; point++) {
        char *set[AISP_GRID_AXES * AISP_AXIS_PARAMS];
        struct aisp_instance inst;
        size_t n = 0;

        aisp_grid_add_sets(grid, point, set, &n);
        st = aisp_instance_init(&inst, problem, AISP_SIZE_DEFAULT, (const char *const *)set, (int)n, err);
        while (n)
            free(set[--n]);
    }
    return st;
}

json_t *aisp_sweep_declared(const struct aisp_loaded_problem *loaded)
{
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_grid grid;
    json_t *json;

    if (!loaded->sweep)
        return json_null();
    if (!aisp_grid_init_words(&grid, loaded->sweep, &why) && !aisp_grid_check(&grid, loaded->problem, NULL, 0, &why))
        try_points(&grid, loaded->problem, &why);
    json = json_pack("{s:s, s:I, s:s}", "text", loaded->sweep, "n_points", (json_int_t)grid.n_points, "refused", why.text);
    aisp_grid_release(&grid);
    return json ? json : json_null();        /* what is no UTF-8 is no suggestion */
}
