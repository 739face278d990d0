/* world.c - set what is around a run, and set it back. */
#include "tests/selftest/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/nvml.h"
#include "core/peak/peak.h"
#include "tests/selftest/edits.h"
#include "tests/selftest/place.h"

enum { PEAK_NS = 60000000, NOBODY = 65534 };

static void pin(struct world *w, int cpus)
{
    cpu_set_t few;

    if (!cpus || sched_getaffinity(0, sizeof w->cpus, &w->cpus))
        return;
    CPU_ZERO(&few);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&few) < cpus; i++)
        if (CPU_ISSET(i, &w->cpus))
            CPU_SET(i, &few);
    w->is_pinned = !sched_setaffinity(0, sizeof few, &few);
}

/* Root waits behind it: that is who comes back. */
static bool become_nobody(void)
{
    return geteuid() == 0 && !setresuid(NOBODY, NOBODY, 0);
}

static void become_root(void)
{
    if (setresuid(0, 0, 0))
        AISP_BUG("nobody cannot become root again");
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

bool world_has_nobody(void)
{
    char *worker = place_of("../aisp-worker");
    const bool was_root = become_nobody(), can_walk = !access(worker, X_OK);

    if (was_root)
        become_root();
    free(worker);
    return can_walk;
}

void world_enter(struct world *w, const struct fixture *f)
{
    const char *equals = strchr(f->env, '=');

    memset(w, 0, sizeof *w);
    if (equals) {
        snprintf(w->env, sizeof w->env, "%.*s", (int)(equals - f->env), f->env);
        setenv(w->env, equals + 1, 1);
    }
    pin(w, f->cpus);
    w->was_root = f->as_nobody && become_nobody();
}

void world_leave(struct world *w)
{
    if (w->was_root)
        become_root();
    if (*w->env)
        unsetenv(w->env);
    if (w->is_pinned)
        sched_setaffinity(0, sizeof w->cpus, &w->cpus);
}

const char *world_card(const struct fixture *f)
{
    static char *library;
    char *script = place_of("nvml/scripts/%s", f->nvml);

    if (access(script, R_OK))
        AISP_BUG("%s/%s: there is no script %s", f->kind, f->name, script);
    free(library);
    library = place_of("nvml/libnvidia-ml.so.1");
    aisp_nvml_set_library(library);
    setenv("FAKE_NVML_SCRIPT", script, 1);
    free(script);
    return f->card;
}

/* Of the levels of memory, the nearest n of them. */
static void measure_peaks(struct aisp_calibration *cal, size_t n)
{
    static const char *const rows[] = { "read_l1", "read_l2", "read_l3", "read_dram" };
    struct aisp_peak_place place = { .duration_ns = PEAK_NS };
    struct aisp_peak_result result;
    struct aisp_caches caches;

    aisp_caches_read(&caches);
    for (size_t i = 0; i < n; i++) {
        const struct aisp_peak *peak = aisp_peak_find(rows[i]);

        place.bytes = (aisp_peak_bytes(peak, &caches) + 4095) / 4096 * 4096;
        place.buffer = aligned_alloc(4096, place.bytes);
        memset(place.buffer, 0, place.bytes);
        if (aisp_peak_measure(peak, &caches, &place, &result, NULL) == AISP_OK)
            cal->peak_read_gbps[i] = result.value;
        free(place.buffer);
    }
}

void world_calibrate(const char *what, struct aisp_calibration *cal)
{
    memset(cal, 0, sizeof *cal);
    if (!strcmp(what, "peaks"))
        measure_peaks(cal, 2);
    else if (!strcmp(what, "memory"))
        measure_peaks(cal, 4);
    else
        sscanf(what, "step %lf", &cal->clock_step_ns);
}

/* Its processes 1001 and 1002 are the workers of the two sides. */
static void replace_footing(const char *root, struct aisp_evidence *ev)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        char *status = aisp_format("%s/proc/%d/status", root, 1001 + side);

        if (!access(status, R_OK)) {
            ev->machine.footing[side] = (struct aisp_footing){ 0 };
            aisp_footing_look(&ev->machine.footing[side], root, 1001 + side, true);
        }
        free(status);
    }
}

/* A root without an "after" is one that stayed as it was. */
static void replace_environment(const struct fixture *f, struct aisp_evidence *ev)
{
    char *before = place_of("%s/roots/%s/before", f->kind, f->root);
    char *after = place_of("%s/roots/%s/after", f->kind, f->root);

    if (access(before, R_OK))
        AISP_BUG("%s/%s: there is no root %s", f->kind, f->name, before);
    aisp_environment_probe(&ev->before, before);
    aisp_environment_probe(&ev->after, access(after, R_OK) ? before : after);
    aisp_host_probe(&ev->machine.before, before);
    aisp_host_probe(&ev->machine.after, access(after, R_OK) ? before : after);
    replace_footing(before, ev);
    free(before);
    free(after);
}

static bool is_timed_of(const struct aisp_window *w, enum aisp_side side)
{
    return w->side == (int)side && w->kind == AISP_WINDOW_TIMED;
}

/* The contender's slowest window never was. */
static void drop_slowest(struct aisp_evidence *ev)
{
    size_t slowest = ev->n_windows;

    for (size_t i = 0; i < ev->n_windows; i++)
        if (is_timed_of(&ev->window[i], AISP_B) &&
            (slowest == ev->n_windows || ev->window[i].window_ns > ev->window[slowest].window_ns))
            slowest = i;
    if (slowest == ev->n_windows)
        return;
    ev->n_windows--;
    memmove(&ev->window[slowest], &ev->window[slowest + 1],
            (ev->n_windows - slowest) * sizeof *ev->window);
}

/* All windows of the contender become its first one, and the chain is made to fit. */
static void repeat_first(struct aisp_evidence *ev)
{
    int64_t window_ns = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        struct aisp_window *w = &ev->window[i];

        if (!is_timed_of(w, AISP_B))
            continue;
        window_ns = window_ns ? window_ns : w->window_ns;
        w->inner_ns += window_ns - w->window_ns;
        w->window_ns = window_ns;
    }
    aisp_evidence_chain(ev, ev->chain);
}

/* Out into a file and back, as evidence travels. */
static void round_trip(struct aisp_evidence *ev)
{
    json_t *json = aisp_evidence_to_json(ev);
    struct aisp_evidence back = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };

    if (aisp_evidence_from_json(json, &back, &err)) {
        printf("evidence does not come back: %s\n", err.text);
    } else {
        aisp_evidence_release(ev);
        *ev = back;
    }
    json_decref(json);
}

void world_replace(const struct fixture *f, struct aisp_evidence *ev)
{
    if (*f->root)
        replace_environment(f, ev);
    if (!strcmp(f->edit, "drop"))
        drop_slowest(ev);
    else if (!strcmp(f->edit, "same"))
        repeat_first(ev);
    else if (!strcmp(f->edit, "json"))
        round_trip(ev);
    else
        edit_evidence(ev, f->edit);
}
