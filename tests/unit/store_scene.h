/* store_scene.h - runs with known results, recorded through the product's own calls. */
#ifndef AISP_TESTS_STORE_SCENE_H
#define AISP_TESTS_STORE_SCENE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "store/store.h"
#include "tests/unit/store_place.h"
#include "tests/unit/temporary.h"

struct scene {
    char *folder;
    struct aisp_store *store;
    struct aisp_err err;
};

static inline struct scene *scene_in(char *folder_take)
{
    struct scene *s = aisp_xcalloc(1, sizeof *s);

    s->folder = folder_take;
    if (aisp_store_open(&s->store, s->folder, true, &s->err))
        fail_msg("%s", s->err.text);
    return s;
}

static inline int scene_open(void **state)
{
    char *folder = temporary_folder();

    store_place(folder);
    *state = scene_in(folder);
    return 0;
}

static inline int scene_close(void **state)
{
    struct scene *s = *state;

    aisp_store_close(s->store);
    remove_folder(s->folder);
    unsetenv("AISP_STORE");
    free(s);
    return 0;
}

/* Another store, empty, in a folder of its own. */
static inline struct scene *scene_other(void)
{
    void *other;

    scene_open(&other);
    return other;
}

static inline void scene_forget(struct scene *other)
{
    void *state = other;

    scene_close(&state);
}

#define expect_ok(s, call)                     \
    do {                                       \
        if (call)                              \
            fail_msg("%s", (s)->err.text);     \
    } while (0)

/* A machine of so many CPUs; its hardware key is amd-epyc-9654-<n>c. */
static inline void scene_begin(struct scene *s, int n_cpus, char run[AISP_RUN_ID_MAX])
{
    json_t *manifest = json_pack("{s:s, s:s, s:{s:s, s:s, s:i, s:I, s:b}}", "host", n_cpus == 2 ? "two" : "many", "started",
                                 "2026-11-28T13:10:53Z", "environment", "cpu_model", "AMD EPYC 9654", "isa", "avx2", "n_cpus",
                                 n_cpus, "l3_bytes", (json_int_t)(32 << 20), "virtual_machine", 0);

    expect_ok(s, aisp_store_run_begin(s->store, manifest, run, &s->err));
    json_decref(manifest);
}

static inline json_t *scene_result(const char *target, const char *variant, double ratio)
{
    char key[128];

    snprintf(key, sizeof key, "%s.%s", target, variant);
    for (char *at = key; *at; at++)
        if (*at == ':' || *at == '/')
            *at = '.';
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:{s:f, s:f}, s:{s:f, s:f}}", "key", key,
                     "target", target, "variant", variant, "reference", "baseline", "device", "cpu", "size", "default", "goal",
                     "speed", "grade", "development", "verdict", "FASTER", "ratio", ratio, "lo95", ratio - 0.1, "hi95",
                     ratio + 0.1, "median_ns", "a", 1000.0 * ratio, "b", 1000.0, "p99_ns", "a", 2000.0 * ratio, "b", 2000.0);
}

/* Takes the result. */
static inline void scene_add(struct scene *s, const char *run, json_t *result)
{
    json_t *evidence = json_pack("{s:s, s:[f, i]}", "of", json_string_value(json_object_get(result, "key")), "window", 0.1, 3);

    expect_ok(s, aisp_store_result_add(s->store, run, result, evidence, &s->err));
    json_decref(evidence);
    json_decref(result);
}

static inline void scene_seal(struct scene *s, const char *run)
{
    json_t *summary = json_pack("{s:i}", "n", 1);

    expect_ok(s, aisp_store_run_finish(s->store, run, summary, &s->err));
    json_decref(summary);
}

/* One sealed run of one result. */
static inline void scene_record(struct scene *s, int n_cpus, const char *target, const char *variant, double ratio,
                                char run[AISP_RUN_ID_MAX])
{
    scene_begin(s, n_cpus, run);
    scene_add(s, run, scene_result(target, variant, ratio));
    scene_seal(s, run);
}

static inline char *scene_path(const struct scene *s, const char *name) { return aisp_format("%s/%s", s->folder, name); }

#endif
