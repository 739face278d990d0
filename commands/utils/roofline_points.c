/* roofline_points.c - where the measured variants of this machine lie: declared work of the sizes that were timed, over the
 * time that was measured. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/pick.h"
#include "commands/utils/calc.h"
#include "commands/utils/roof.h"
#include "commands/utils/roofline.h"
#include "core/hardware.h"
#include "core/instance.h"
#include "core/peak/peak.h"
#include "store/query.h"

static const char *const level_names[] = { "L1", "L2", "L3", "DRAM" };

/* The newest result of a variant; without a time if it was found invalid, which an older one does not undo. */
struct seen {
    char *run, *target, *variant, *reference, *size;
    double a_ns, b_ns;
    bool is_valid;
};
struct seen_list {
    struct seen *seen;
    size_t n, cap, limit;
    const char *host;
};

static bool is_seen(const struct seen_list *list, const struct aisp_result_row *row)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->seen[i].target, row->target) && !strcmp(list->seen[i].variant, row->variant) &&
            !strcmp(list->seen[i].reference, row->reference) && !strcmp(list->seen[i].size, row->size))
            return true;
    return false;
}

/* Of this machine only: another of the same kind has ceilings of its own. */
static bool take_row(const struct aisp_result_row *row, void *context)
{
    struct seen_list *list = context;
    struct seen *s;

    if (strcmp(row->host, list->host) || is_seen(list, row))
        return true;
    s = aisp_grow(&list->seen, &list->n, &list->cap, sizeof *list->seen);
    *s = (struct seen){ aisp_xstrdup(row->run),     aisp_xstrdup(row->target),
                        aisp_xstrdup(row->variant), aisp_xstrdup(row->reference),
                        aisp_xstrdup(row->size),    row->a_median_ns,
                        row->b_median_ns,           strcmp(row->grade, "invalid") && isfinite(row->b_median_ns) };
    return list->n < list->limit;
}

static void release(struct seen_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->seen[i].run);
        free(list->seen[i].target);
        free(list->seen[i].variant);
        free(list->seen[i].reference);
        free(list->seen[i].size);
    }
    free(list->seen);
}

/* ---- one point ---- */

struct scene {
    const struct aisp_catalogue *cat;
    const struct aisp_calibration *cal;
    struct aisp_caches caches;
    json_t *run;              /* the run that was loaded last, or NULL */
    json_t *points, *skipped; /* borrowed */
};

static const json_t *result_of(const struct scene *scene, const struct seen *s)
{
    const json_t *result;
    size_t i;

    json_array_foreach(json_object_get(scene->run, "results"), i,
                       result) if (!strcmp(aisp_calc_text(result, "target"), s->target) &&
                                   !strcmp(aisp_calc_text(result, "variant"), s->variant) &&
                                   !strcmp(aisp_calc_text(result, "reference"), s->reference) &&
                                   !strcmp(aisp_calc_text(result, "size"), s->size)) return result;
    return NULL;
}

/* The level that holds what has to be moved, as `bench run` chooses it for its column of the roof. */
static int level_of(const struct aisp_caches *caches, int64_t bytes)
{
    const size_t holds[] = { caches->l1_bytes, caches->l2_bytes, caches->l3_bytes };
    int level = 0;

    while (level < 3 && (size_t)bytes > holds[level])
        level++;
    return level;
}

static double measured(double x)
{
    return x > 0 ? x : NAN;
}

static void skip(struct scene *scene, const struct seen *s, const char *variant, const char *why)
{
    char *what = aisp_format("%s/%s", s->target, variant);

    json_array_append_new(scene->skipped, json_pack("{s:s, s:s}", "what", what, "why", why));
    free(what);
}

static bool is_there(const json_t *points, const struct seen *s, const char *variant)
{
    const json_t *p;
    size_t i;

    json_array_foreach(points, i, p) if (!strcmp(aisp_calc_text(p, "target"), s->target) &&
                                         !strcmp(aisp_calc_text(p, "variant"), variant) &&
                                         !strcmp(aisp_calc_text(p, "size"), s->size)) return true;
    return false;
}

static void put(struct scene *scene, const struct seen *s, const char *variant, double time_ns,
                const struct aisp_instance *inst, const json_t *result)
{
    const int level = level_of(&scene->caches, inst->bytes);
    const enum aisp_dtype arithmetic = aisp_arithmetic_of(inst->problem->tensor, inst->n_declared);
    const char *precision = arithmetic ? aisp_dtype_name(arithmetic) : NULL;
    const double copy = scene->cal->peak_copy_gbps[level], read = scene->cal->peak_read_gbps[level];
    const struct aisp_roof roof = { arithmetic ? measured(aisp_calibration_peak(scene->cal, arithmetic)) : NAN,
                                    measured(read > copy ? read : copy) };
    const int64_t threads = json_integer_value(json_object_get(result, "threads"));
    const double cores = (double)(threads > 1 ? threads : 1) * inst->n_ranks;
    const struct aisp_roof_place place =
        aisp_roof_place(&roof, (double)inst->flops / cores, (double)inst->bytes / cores, time_ns);
    json_t *point;

    if (!isfinite(time_ns) || time_ns <= 0 || inst->bytes < 1 || is_there(scene->points, s, variant))
        return;
    point = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:I, s:I, s:I, s:f, s:s}", "target", s->target, "variant", variant,
                      "size", s->size, "run", s->run, "grade", aisp_calc_text(result, "grade"), "precision", precision,
                      "threads", (json_int_t)cores, "flops", (json_int_t)inst->flops, "bytes", (json_int_t)inst->bytes,
                      "time_ns", time_ns, "level", level_names[level]);
    json_object_update_new(point,
                           json_pack("{s:f, s:f, s:f, s:o, s:o, s:s}", "intensity", place.intensity, "gflops", place.gflops,
                                     "gbps", place.gbps, "roof_gflops", aisp_calc_real(place.roof_gflops), "percent",
                                     aisp_calc_real(place.percent), "bound", aisp_roof_bound_name(place.bound)));
    json_array_append_new(scene->points, point);
}

/* The problem at the parameters that were timed. */
static enum aisp_status instance_of(const struct aisp_problem *problem, const json_t *result, struct aisp_instance *inst)
{
    const char *set[AISP_MAX_PARAMS] = { NULL }, *name;
    enum aisp_status st;
    json_t *value;
    int n = 0;

    json_object_foreach(json_object_get(result, "params"), name, value) if (n < AISP_MAX_PARAMS) set[n++] =
        aisp_format("%s=%lld", name, (long long)json_integer_value(value));
    st = aisp_instance_init(inst, problem, AISP_SIZE_DEFAULT, set, n, NULL);
    for (int i = 0; i < n; i++)
        free((char *)set[i]);
    return st;
}

static void add(struct scene *scene, const struct seen *s)
{
    const struct aisp_target *target = NULL;
    struct aisp_loaded_problem loaded = { 0 };
    struct aisp_instance inst;
    const json_t *result = result_of(scene, s);

    for (size_t i = 0; i < scene->cat->n && !target; i++)
        target = strcmp(scene->cat->target[i].id, s->target) ? NULL : &scene->cat->target[i];
    if (!target || aisp_problem_load(target->problem_path, &loaded, NULL)) {
        skip(scene, s, s->variant, "its problem is not among the targets here");
        return;
    }
    if (!result || instance_of(loaded.problem, result, &inst))
        skip(scene, s, s->variant, "its problem has changed since, the work at its parameters is not known");
    else {
        put(scene, s, s->reference, s->a_ns, &inst, result);
        put(scene, s, s->variant, s->b_ns, &inst, result);
    }
    aisp_problem_unload(&loaded);
}

enum aisp_status aisp_roofline_points(const struct aisp_request *request, struct aisp_store *store,
                                      const struct aisp_calibration *cal, json_t *value)
{
    struct seen_list list = { .host = cal->host, .limit = (size_t)aisp_args_integer(request->args, "limit") };
    char hardware[AISP_HARDWARE_MAX];
    const struct aisp_filter filter = {
        .hardware = hardware, .target = aisp_args_text(request->args, "target"), .device = "cpu", .complete = true
    };
    struct aisp_environment env;
    struct aisp_catalogue cat = { 0 };
    struct scene scene = {
        .cat = &cat, .cal = cal, .points = json_object_get(value, "points"), .skipped = json_object_get(value, "skipped")
    };
    enum aisp_status st;

    aisp_environment_probe(&env, "/");
    aisp_hardware_key(&env, NULL, hardware);
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_store_each_result(store, &filter, take_row, &list, request->err));
    aisp_caches_read(&scene.caches);
    for (size_t i = 0; i < list.n; i++) {
        if (!i || strcmp(list.seen[i].run, list.seen[i - 1].run)) {
            json_decref(scene.run);
            scene.run = NULL;
            AISP_TRY(aisp_store_run_load(store, list.seen[i].run, &scene.run, request->err));
        }
        if (list.seen[i].is_valid)
            add(&scene, &list.seen[i]);
    }
out:
    json_decref(scene.run);
    aisp_catalogue_release(&cat);
    release(&list);
    return st;
}
