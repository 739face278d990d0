/* grid.c - texts of --sweep into points. */
#include "commands/sweep/grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/instance.h"

static const char grammar[] = "NAME=FIRST:LAST:xFACTOR, NAME=FIRST:LAST:+STEP, NAME=VALUE,VALUE,... or declared";
enum { WIDE = 16 }; /* a list that spans this factor is meant by factors */
static const int64_t MOST = INT64_C(1) << 40; /* as of any parameter */

static void axis_release(struct aisp_sweep_axis *axis)
{
    for (size_t i = 0; i < axis->n_params; i++)
        free(axis->param[i]);
    free(axis->text);
    free(axis->name);
    free(axis->value);
    *axis = (struct aisp_sweep_axis){ 0 };
}

void aisp_grid_release(struct aisp_grid *grid)
{
    for (size_t i = 0; i < grid->n_axes; i++)
        axis_release(&grid->axis[i]);
    *grid = (struct aisp_grid)AISP_GRID_INIT;
}

/* ---- values ---- */

/* The whole number that begins at *at, moved behind it. False: there is none, or one that no parameter can have. */
static bool take_number(const char **at, int64_t *value)
{
    const char *from = *at;

    *value = 0;
    for (; **at >= '0' && **at <= '9' && *value <= MOST; ++*at)
        *value = *value * 10 + (**at - '0');
    return *at > from && *value >= 1 && *value <= MOST;
}

static enum aisp_status add_value(struct aisp_sweep_axis *axis, int64_t value, struct aisp_err *err)
{
    if (axis->n > AISP_GRID_POINTS) /* one more than is allowed, so that merging may still bring it down */
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: more than %d values", axis->text, AISP_GRID_POINTS);
    *(int64_t *)aisp_grow(&axis->value, &axis->n, &axis->cap, sizeof *axis->value) = value;
    return AISP_OK;
}

/* Behind FIRST: ":LAST:x2" or ":LAST:+64". */
static enum aisp_status take_range(struct aisp_sweep_axis *axis, const char **at, int64_t first, bool *has_steps,
                                   struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    int64_t last, step;
    bool is_factor;

    ++*at;
    if (!take_number(at, &last) || **at != ':' || ((*at)[1] != 'x' && (*at)[1] != '+'))
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: behind %lld: comes LAST and a step, as in %lld:%lld:x2 or :+%lld",
                         axis->text, (long long)first, (long long)first, (long long)first * 8, (long long)first);
    is_factor = (*at)[1] == 'x';
    *at += 2;
    if (!take_number(at, &step) || (is_factor && step < 2))
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: %s", axis->text,
                         is_factor ? "a factor is a whole number from 2" : "a step is a whole number from 1");
    if (last < first)
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: the last value, %lld, is below the first, %lld", axis->text,
                         (long long)last, (long long)first);
    axis->is_geometric |= is_factor;
    *has_steps |= !is_factor;
    for (int64_t value = first; value <= last && !st;) {
        st = add_value(axis, value, err);
        if (is_factor && value > last / step)
            break;
        value = is_factor ? value * step : value + step; /* both below 2^41 */
    }
    return st;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sorted, each once. */
static void tidy(struct aisp_sweep_axis *axis)
{
    size_t n = 0;

    qsort(axis->value, axis->n, sizeof *axis->value, by_value);
    for (size_t i = 0; i < axis->n; i++)
        if (!n || axis->value[n - 1] != axis->value[i])
            axis->value[n++] = axis->value[i];
    axis->n = n;
}

static enum aisp_status take_values(struct aisp_sweep_axis *axis, const char *at, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    bool has_steps = false;
    int64_t value;

    for (;; at++) {
        const char *item = at;

        if (!take_number(&at, &value))
            return aisp_fail(err, AISP_E_USAGE, "--sweep %s: \"%s\" begins with no whole number from 1 to %lld", axis->text,
                             item, (long long)MOST);
        st = *at == ':' ? take_range(axis, &at, value, &has_steps, err) : add_value(axis, value, err);
        if (st)
            return st;
        if (*at != ',')
            break;
    }
    if (*at)
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: \"%s\" is not understood; a sweep is %s", axis->text, at, grammar);
    tidy(axis);
    axis->is_geometric |= !has_steps && axis->value[axis->n - 1] / axis->value[0] >= WIDE;
    if (axis->n < 2)
        return aisp_fail(err, AISP_E_USAGE, "--sweep %s: has one value; that is --set %s=%lld", axis->text, axis->name,
                         (long long)axis->value[0]);
    return AISP_OK;
}

/* ---- names ---- */

static bool is_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", text[i]))
            return false;
    return n > 0;
}

static enum aisp_status axis_init(struct aisp_sweep_axis *axis, const char *text, struct aisp_err *err)
{
    const char *values = strrchr(text, '='), *at = text;

    axis->text = aisp_xstrdup(text);
    if (!values)
        return aisp_fail(err, AISP_E_USAGE, "--sweep \"%s\": a sweep is %s", text, grammar);
    axis->name = aisp_format("%.*s", (int)(values - text), text);
    while (at <= values) {
        const size_t n = strcspn(at, "=");

        if (!is_name(at, n))
            return aisp_fail(err, AISP_E_USAGE, "--sweep %s: \"%.*s\" is no parameter's name; a sweep is %s", text, (int)n, at,
                             grammar);
        if (axis->n_params == AISP_AXIS_PARAMS)
            return aisp_fail(err, AISP_E_USAGE, "--sweep %s: more than %d parameters go together", text, AISP_AXIS_PARAMS);
        axis->param[axis->n_params++] = aisp_format("%.*s", (int)n, at);
        at += n + 1;
    }
    return take_values(axis, values + 1, err);
}

static enum aisp_status check_names(const struct aisp_grid *grid, struct aisp_err *err)
{
    const char *seen[AISP_GRID_AXES * AISP_AXIS_PARAMS];
    size_t n = 0;

    for (size_t i = 0; i < grid->n_axes; i++)
        for (size_t p = 0; p < grid->axis[i].n_params; p++) {
            for (size_t k = 0; k < n; k++)
                if (!strcmp(seen[k], grid->axis[i].param[p]))
                    return aisp_fail(err, AISP_E_USAGE, "--sweep: %s is swept twice; its values are one list: %s=8,16:128:x2",
                                     seen[k], seen[k]);
            seen[n++] = grid->axis[i].param[p];
        }
    return AISP_OK;
}

static enum aisp_status add_axis(struct aisp_grid *grid, const char *text, struct aisp_err *err)
{
    enum aisp_status st;

    if (grid->n_axes == AISP_GRID_AXES)
        return aisp_fail(err, AISP_E_USAGE, "--sweep: a grid of more than %d directions", AISP_GRID_AXES);
    st = axis_init(&grid->axis[grid->n_axes++], text, err);
    if (st)
        return st;
    grid->n_points = grid->n_axes == 1 ? grid->axis[0].n : grid->n_points * grid->axis[grid->n_axes - 1].n;
    if (grid->n_points > AISP_GRID_POINTS)
        return aisp_fail(err, AISP_E_USAGE, "--sweep: %zu points are more than %d; take a larger step or fewer values",
                         grid->n_points, AISP_GRID_POINTS);
    return check_names(grid, err);
}

enum aisp_status aisp_grid_init(struct aisp_grid *grid, const char *const *text, size_t n, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    *grid = (struct aisp_grid)AISP_GRID_INIT;
    for (size_t i = 0; i < n && !st; i++)
        st = add_axis(grid, text[i], err);
    if (st)
        aisp_grid_release(grid);
    return st;
}

enum aisp_status aisp_grid_init_words(struct aisp_grid *grid, const char *words, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    *grid = (struct aisp_grid)AISP_GRID_INIT;
    for (const char *at = words + strspn(words, " "); *at && !st; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        char *word = aisp_format("%.*s", (int)n, at);

        st = add_axis(grid, word, err);
        free(word);
        at += n;
    }
    if (!st && !grid->n_axes)
        st = aisp_fail(err, AISP_E_USAGE, "--sweep: no parameter is named; a sweep is %s", grammar);
    if (st)
        aisp_grid_release(grid);
    return st;
}

/* ---- against a problem ---- */

static const struct aisp_param *find_param(const struct aisp_problem *problem, const char *name)
{
    const struct aisp_param *p = problem->param;

    while (p->name && strcmp(p->name, name))
        p++;
    return p->name ? p : NULL;
}

static enum aisp_status no_param(const struct aisp_problem *problem, const char *name, struct aisp_err *err)
{
    struct aisp_buf known = AISP_BUF_INIT;
    enum aisp_status st;

    for (const struct aisp_param *p = problem->param; p->name; p++)
        aisp_buf_printf(&known, "%s%s", known.len ? ", " : "", p->name);
    st = aisp_fail(err, AISP_E_USAGE, "--sweep: no parameter \"%s\"; there are %s", name, known.s ? known.s : "none");
    aisp_buf_release(&known);
    return st;
}

static enum aisp_status check_param(const struct aisp_sweep_axis *axis, const struct aisp_param *p, struct aisp_err *err)
{
    for (size_t i = 0; i < axis->n; i++) {
        const int64_t value = axis->value[i], next = aisp_param_next(p, value);

        if (next != value)
            return aisp_fail(err, AISP_E_USAGE, "--sweep %s: %s=%lld: its values go in steps of %lld; the next is %lld",
                             axis->text, p->name, (long long)value, (long long)aisp_param_step(p), (long long)next);
    }
    return AISP_OK;
}

enum aisp_status aisp_grid_check(const struct aisp_grid *grid, const struct aisp_problem *problem, const char *const *set,
                                 size_t n_set, struct aisp_err *err)
{
    for (size_t i = 0; i < grid->n_axes; i++)
        for (size_t k = 0; k < grid->axis[i].n_params; k++) {
            const char *name = grid->axis[i].param[k];
            const struct aisp_param *p = find_param(problem, name);
            enum aisp_status st;

            if (!p)
                return no_param(problem, name, err);
            for (size_t s = 0; s < n_set; s++)
                if (!strncmp(set[s], name, strlen(name)) && set[s][strlen(name)] == '=')
                    return aisp_fail(err, AISP_E_USAGE, "--sweep %s and --set %s contradict each other", grid->axis[i].text,
                                     set[s]);
            st = check_param(&grid->axis[i], p, err);
            if (st)
                return st;
        }
    return AISP_OK;
}

/* ---- points ---- */

int64_t aisp_grid_value(const struct aisp_grid *grid, size_t point, size_t axis)
{
    for (size_t i = grid->n_axes - 1; i > axis; i--)
        point /= grid->axis[i].n;
    return grid->axis[axis].value[point % grid->axis[axis].n];
}

bool aisp_grid_find(const struct aisp_grid *grid, const json_t *params, size_t *point)
{
    *point = 0;
    for (size_t i = 0; i < grid->n_axes; i++) {
        const struct aisp_sweep_axis *axis = &grid->axis[i];
        const json_t *value = json_object_get(params, axis->param[0]);
        size_t at = 0;

        while (at < axis->n && axis->value[at] != json_integer_value(value))
            at++;
        if (at == axis->n)
            return false;
        *point = *point * axis->n + at;
    }
    return grid->n_axes > 0;
}

void aisp_grid_put_point(const struct aisp_grid *grid, size_t point, struct aisp_buf *out)
{
    for (size_t i = 0; i < grid->n_axes; i++)
        aisp_buf_printf(out, "%s%s=%lld", i ? " " : "", grid->axis[i].name, (long long)aisp_grid_value(grid, point, i));
}

void aisp_grid_add_sets(const struct aisp_grid *grid, size_t point, char **set, size_t *n_set)
{
    for (size_t i = 0; i < grid->n_axes; i++)
        for (size_t k = 0; k < grid->axis[i].n_params; k++)
            set[(*n_set)++] = aisp_format("%s=%lld", grid->axis[i].param[k], (long long)aisp_grid_value(grid, point, i));
}

void aisp_grid_put_names(const struct aisp_grid *grid, struct aisp_buf *out)
{
    for (size_t i = 0; i < grid->n_axes; i++)
        aisp_buf_printf(out, "%s%s", !i ? "" : i + 1 < grid->n_axes ? ", " : " and ", grid->axis[i].name);
}
