/* scripted.h - a fixture whose device is played: what the recorder of a GPU would have seen of a cheat, and of its honest twin.
 * It goes the whole way (run on backends/fake, evidence, JSON and back, checks), but no card was there: what it proves is the
 * logic of a check, and a row that nothing else proves is called "logic only" until the same cheat has run on a card.
 *
 * tests/scripted/NAME.c holds a cheat and a twin, each with the name of its check, one a line, so that they can be listed
 * without being run (cmake/proofs.awk does, for the product):
 *     SCRIPTED_CHEAT(unsynced_streams, "unsynced-streams", .contender = { "streams", returns_at_once });
 *     SCRIPTED_TWIN(unsynced_streams, "unsynced-streams", .contender = { "streams", joins });
 * A row is logic only if such a pair names it and tests/cheats has no fixture that does. In a program that holds them, walk
 * AISP_FOR_EACH(scripted_cheats, struct scripted, s): s->check is the row, s->lacks what a real proof needs. */
#ifndef TESTS_SELFTEST_SCRIPTED_H
#define TESTS_SELFTEST_SCRIPTED_H

#include <stdbool.h>
#include <stddef.h>

#include "checks/check.h"
#include "core/base/section.h"
#include "core/device_trace.h"

/* What one side declares, and what the recorder saw of it; NULL: an honest kernel a call. */
struct scripted_side {
    const char *uses;
    void (*device)(struct aisp_device_trace *trace);
};

struct scripted {
    const char *name, *check;
    struct scripted_side baseline, contender;
    int pairs; /* timed; 0: it is only verified */
    void (*seen)(struct aisp_evidence *ev); /* by others than the recorder; NULL: nothing else */
    const char *says;  /* the finding contains it; NULL: anything */
    const char *lacks; /* what a real proof needs; NULL: one CUDA device with CUPTI */
};

AISP_TABLE(scripted_cheats, struct scripted);
AISP_TABLE(scripted_twins, struct scripted);
#define SCRIPTED_CHEAT(fixture, row_check, ...)                                                    \
    AISP_ROW(scripted_cheats, struct scripted, fixture##_cheat) = { .name = #fixture,              \
                                                                    .check = row_check,            \
                                                                    __VA_ARGS__ }
#define SCRIPTED_TWIN(fixture, row_check, ...)                                                     \
    AISP_ROW(scripted_twins, struct scripted, fixture##_twin) = { .name = #fixture,                \
                                                                  .check = row_check,              \
                                                                  __VA_ARGS__ }

/* ---- what scripts are made of ---- */

enum { SCENE_WINDOWS = 4, SCENE_CALLS = 3, SCENE_STREAM = 7, SCENE_SIDE_STREAM = 13, SCENE_CONTEXT = 1 };

/* An idle device: one context, the given stream, four windows of three calls a millisecond apart, each 300 us long. */
void scene_idle(struct aisp_device_trace *t);
/* One piece of work in its place: 80 us on the given stream, in that call. */
struct aisp_device_activity *scene_work(struct aisp_device_trace *t, int kind, int window, int call);
/* scene_idle, and a kernel for every call. */
void scene_honest(struct aisp_device_trace *t);
/* The kernel of a call of scene_honest. */
struct aisp_device_activity *scene_kernel(struct aisp_device_trace *t, int window, int call);
/* Something outside of windows: at so many ns, in setup if that is before the first window. */
struct aisp_device_activity *scene_outside(struct aisp_device_trace *t, int kind, int64_t start_ns, int64_t end_ns);
struct aisp_device_graph *scene_graph(struct aisp_device_trace *t, int id, int n_kernels, int n_copies);
/* The variant's own second stream. */
void scene_side_stream(struct aisp_device_trace *t);

/* ---- trying them ---- */

/* NULL if it is as it should be, else what is wrong with it; `text` gets the first finding. */
const char *scripted_try_cheat(const struct scripted *s, char text[320]);
const char *scripted_try_twin(const struct scripted *s, char text[320]);

const struct scripted *scripted_cheat(const char *name); /* NULL if there is none */
const struct scripted *scripted_twin(const char *name);

#endif
