/* worker.h - the child that loads one variant: its own parts. All of it runs before the
 * variant's code does, except the call loop; from dlopen on nothing in this process is believed
 * by anybody. */
#ifndef AISP_WORKER_H
#define AISP_WORKER_H

#include <stdbool.h>

#include <aisp/variant.h>

#include "core/channel.h"

struct record_area;
struct worker_device;
struct worker_recorder;

struct worker {
    const struct aisp_spec *spec;
    const struct aisp_down *down;
    struct aisp_up *up;
    const struct aisp_area *area; /* [slot * n_tensors + tensor] */
    void ***slot;                 /* slot[s][t]: the address of a tensor */
    const void **weight;
    struct aisp_call *call; /* one for each slot, made before the first window */
    const struct aisp_variant *variant;
    void *state, *workspace, *meet;
    int wire[AISP_MAX_RANKS];
    struct worker_device *device; /* NULL: this machine's cores */
    uint32_t device_missing;
    struct worker_recorder *recorder; /* NULL: nothing is recorded */
    struct record_area *record; /* of an audit session, shared with the supervisor; NULL: none */
};

/* map.c - read the spec that lies at `offset` of AISP_FD_IN and map what it names. False: up may
 * not exist yet; leave. */
bool worker_map(struct worker *w, uint64_t offset);
bool worker_make_calls(struct worker *w); /* after the variant is loaded */
void worker_prime(const struct worker *w);

/* confine.c - the cage, in the order that works. Returns false if this process must not go on. */
bool worker_confine(const struct worker *w);
/* The last bars: system calls. After it nothing of ours is opened any more. False: this host has none, and without them a
 * stranger's variant is not loaded; up->text says why. */
bool worker_lock(const struct worker *w);

/* device.c. False, or a status: up->text says why. */
bool worker_device_open(struct worker *w);
void *worker_device_stream(const struct worker *w);
void *worker_device_allocate(struct worker *w, size_t bytes); /* NULL: there is no more */
enum aisp_status worker_device_settle(struct worker *w);
void worker_device_wake(struct worker *w);
void worker_device_sample(struct worker *w);
enum aisp_status worker_device_poison(struct worker *w); /* the workspace */
void worker_device_mark(struct worker *w, bool is_stop);
int64_t worker_device_between_marks(struct worker *w);
/* held.c: what held windows need, once the device is open; and the calls of one. As above. */
bool worker_held_open(struct worker *w);
enum aisp_status worker_held_calls(struct worker *w, uint32_t seq);
/* crash.c - leave a note in `up` when a fatal signal comes, then die of it. */
void worker_note_crashes(struct aisp_up *up);
/* While a stranger's variant is loaded the loader may have this file, once. */
void worker_be_strict(const char *path, int fd);

/* recorder.c: in audit sessions; in others each does nothing */
void worker_recorder_load(struct worker *w);  /* before the cage */
void worker_recorder_start(struct worker *w); /* the driver is there, a context is not */
/* The driver gave another address for the data of an area than the spec wished. */
void worker_recorder_moved(struct worker *w, int tensor, uint64_t to);
void worker_recorder_calibrate(struct worker *w);
void worker_recorder_own(const struct worker *w, bool begins); /* calls into the driver are ours from here to there */
void worker_recorder_phase(const struct worker *w, uint32_t command, bool begins);
void worker_recorder_window(const struct worker *w, bool begins);
enum aisp_status worker_recorder_calls(const struct worker *w); /* those of a window, each with its number noted */
void worker_recorder_flush(const struct worker *w);

/* conditions.c: under what conditions an audit's variant runs, into the record; in other sessions nothing */
void worker_conditions_at_start(struct worker *w); /* the variant is loaded, its setup was not called yet */
void worker_conditions_after_setup(struct worker *w);
void worker_conditions_after_window(struct worker *w); /* is to be called after each */

/* launches.c: launches through the runtime so far, by whatever thread; find: that which a loaded variant is linked with. */
void worker_launches_find(void *variant);
int64_t worker_launches(void);

/* loop.c */
enum aisp_status worker_calls(const struct worker *w); /* those of a window; the first status that is not OK */
void worker_window(struct worker *w, uint32_t seq);
void worker_wait(const uint32_t *word, uint32_t until);
void worker_answer(uint32_t *word, uint32_t seq, bool wake);

/* How this thread rounds and what it does with subnormals: MXCSR without its sticky flags. */
static inline uint32_t worker_float_mode(void)
{
    return __builtin_ia32_stmxcsr() & ~UINT32_C(0x3f);
}

#endif
