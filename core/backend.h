/* backend.h - what a device must be able to do, so that core/run can time and judge variants on it.
 * A backend is one filled struct in one folder. It owns processes, memory and clocks; it decides nothing: which contents,
 * which order, how many calls, what is right and what counts is core's.
 *
 * A session is one pair of live workers (or a single one) with their shared call slots. Its life:
 *   open     allocate the slots (addresses and layout shared by both sides, secretly shifted), start the workers in the
 *            given order, confine them, load the variants, fill weights, run setup() on poisoned slots
 *   fill     write fresh contents into one tensor of one slot (the worker sleeps; accounted by the supervisor as judge work)
 *   poison   write the poison into one output of one slot
 *   hold     (kernel scope) queue the next window's calls on the device, before its contents are made
 *   window   arm, ready, stamp, go, K calls, done, stamp. No judge work inside
 *   read     rows of an output, copied at once after the stop; and again for the late look
 *   inspect  canaries and guard bytes, input integrity
 *   account  processes from outside
 *   leave    teardown() of who still lives
 *   close    kill what is left, free */
#ifndef AISP_CORE_BACKEND_H
#define AISP_CORE_BACKEND_H

#include <stddef.h>

#include "core/base/rng.h"
#include "core/base/section.h"
#include "core/catalogue.h"
#include "core/evidence.h"
#include "core/footprint.h"
#include "core/run/policy.h"

struct aisp_session;                             /* the backend's own */

struct aisp_session_spec {
    const struct aisp_instance *inst;
    const struct aisp_variant_ref *variant[2];   /* [AISP_B] NULL: a single worker */
    int n_slots, n_threads;
    bool b_first;                                /* spawn order, by coin */
    bool spin;                                   /* the supervisor has a core of its own to spin on */
    struct aisp_key secret;                      /* layout, shifts; contents have keys of their own */
    int64_t setup_timeout_ns, call_timeout_ns;   /* the supervisor's; a variant cannot change them */
    int64_t memory_limit_bytes;                  /* of a worker, beyond its buffers */
    const struct aisp_policy *policy;            /* NULL: all defences on */
    const volatile int *stop;                    /* set by the user's interrupt: waits return AISP_E_INTERRUPTED */
    int64_t limit_of_bytes[2];                   /* of one side's workers, instead of memory_limit_bytes; 0: that one */
    bool is_measured;                            /* memory is what is asked about: workers may open no descriptors */
    enum aisp_scope scope;                       /* KERNEL: hold() may be asked for */
    bool is_audit;                               /* record what the device does; such a session is never scored */
    /* NULL, or to be called once when the slots hold poison and no setup() has run yet: fills what setup may see. */
    enum aisp_status (*before_setup)(void *context, struct aisp_session *session, struct aisp_err *err);
    void *before_setup_context;
};

/* The secret order of slots, told to the worker only in go: call i uses slot[i % n]. */
struct aisp_order {
    const int32_t *slot;
    int64_t n, calls;
    /* NULL, or called at go, again and again while the backend waits for done, and once more when it has seen it. Returns in how
     * many ns it wants to be called again: a supervisor with a core of its own calls it at once. */
    int64_t (*tick)(void *context);
    /* NULL, or called once when the worker is ready, before go: contents that it puts in place then are there in time. Where that
     * takes more than a store (on a device, in pages of the worker's own) it is not called. */
    void (*ready)(void *context);
    /* NULL, or called once when done was seen and stamped, before the backend waits for anything else: what a worker that says
     * done too early has not done by then, it has not done. A backend that calls it not at all loses that. */
    void (*done)(void *context);
    void *context;
};

/* Which contents are made again and compared: those of all slots, the weights, both. */
enum aisp_hash { AISP_HASH_NOTHING = 0, AISP_HASH_INPUTS = 1, AISP_HASH_WEIGHTS = 2, AISP_HASH_ALL = 3 };

/* In every function: on AISP_E_WORKER, *seen says what the worker did (signal, exit, hang, ...), and the session is only good
 * for account, leave and close. Other errors are ours or the machine's. */
struct aisp_backend {
    const char *name;                            /* "cpu"; the device of a variant_ref */
    const char *title;
    bool is_scripted;                            /* the fake: its results never prove anything about a machine */

    /* AISP_E_UNAVAILABLE with the reason, or AISP_OK. */
    enum aisp_status (*probe)(struct aisp_err *err);
    /* NULL: the machine's own caches and peaks hold (core/environment.h, calibration.h). Untouched where it is not there. */
    void (*limits)(struct aisp_device_limits *limits);
    /* AISP_E_NO_MEMORY "needs 3.1 GiB, 2.0 GiB are available" if a session of so many slots cannot be opened. */
    enum aisp_status (*fits)(const struct aisp_instance *inst, int n_slots, int n_workers, struct aisp_err *err);

    enum aisp_status (*open)(const struct aisp_session_spec *spec, struct aisp_session **session,
                             struct aisp_observation *seen, struct aisp_err *err);
    void (*close)(struct aisp_session *session);
    /* NULL: nothing is torn down. After all that is asked of the session, account too: teardown() of the workers that live, of both
     * sides at once; close does it where this was not called. Writes one observation for each side of which one died of it or
     * did not come back from it in a call's time; returns how many. */
    int (*leave)(struct aisp_session *session, struct aisp_observation seen[2]);

    /* Elements [first, first + n) of a slot's tensor (weights: slot 0); n = 0 means all. */
    enum aisp_status (*fill)(struct aisp_session *session, int slot, int tensor, const struct aisp_philox *key,
                             int64_t first, int64_t n, struct aisp_err *err);
    enum aisp_status (*poison)(struct aisp_session *session, int slot, int tensor, const struct aisp_philox *key,
                               struct aisp_err *err);
    enum aisp_status (*window)(struct aisp_session *session, enum aisp_side side, const struct aisp_order *order,
                               struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err);

    /* NULL: windows have no scope but the call's. Before contents are made: queue the calls of the next window on the device,
     * where they wait for window(), which is then to be called with the same side and order. *is_held false: they cannot be
     * queued without being run, for a call waits for the device or needs more room; they were run, on what lay there, and the
     * next window is an ordinary one. */
    enum aisp_status (*hold)(struct aisp_session *session, enum aisp_side side, const struct aisp_order *order, bool *is_held,
                             struct aisp_observation *seen, struct aisp_err *err);

    /* Host copy of an output's bytes as side `side` left them (sides share outputs; where placement forbids it they do not). */
    enum aisp_status (*read)(struct aisp_session *session, enum aisp_side side, int slot, int tensor, size_t offset,
                             size_t n_bytes, void *to, struct aisp_err *err);
    /* Host pointer to an input or weight as it is now, valid until the next fill of it. */
    const void *(*input)(struct aisp_session *session, int slot, int tensor);
    /* Adds to seen[] (at most max) what is wrong: canaries, and changed contents of what `hash` names. Returns how many. */
    int (*inspect)(struct aisp_session *session, enum aisp_side side, enum aisp_hash hash, struct aisp_observation *seen, int max);
    void (*account)(struct aisp_session *session, enum aisp_side side, struct aisp_account *account);
    /* What each rank did in the side's last window, at most max of them; returns how many. NULL: there are no ranks here. */
    int (*spans)(struct aisp_session *session, enum aisp_side side, struct aisp_rank_span *span, int max);

    /* NULL: the device works out no truth. Rows of an output by the problem's reference.cu, as doubles or int64_t, out of the inputs
     * that lie in the slot now. Errors: AISP_E_UNAVAILABLE (the problem has none, or it would need what is not on the device). */
    enum aisp_status (*truth)(struct aisp_session *session, int slot, int tensor, int64_t first, int64_t n, void *to,
                              struct aisp_err *err);
    /* NULL: no planted contents here. Puts a whole tensor's bytes, made by the judge, into an input of a slot instead of a fill. */
    enum aisp_status (*plant)(struct aisp_session *session, int slot, int tensor, const void *bytes, struct aisp_err *err);

    /* NULL: its cache cannot be emptied, or is nobody's to look into. chill: when a window's contents are all there, so much is read
     * that nothing of them lies in the cache any more (`percent`: of what that takes; 100 but in tests). lines: of a slot's inputs
     * some lines are read against the clock, which `seed` draws. */
    enum aisp_status (*chill)(struct aisp_session *session, int percent, struct aisp_cold_facts *facts, struct aisp_err *err);
    enum aisp_status (*lines)(struct aisp_session *session, int slot, uint64_t seed, struct aisp_cold_look *look,
                              struct aisp_err *err);

    /* NULL: no files on this device. At the end of a session: in which state they were, and how often that was proved. */
    void (*files)(struct aisp_session *session, struct aisp_file_facts *facts);

    /* NULL: no servers on this device. The shared ring of a slot's ARRIVALS or EMISSIONS: the one is written, the other read
     * while a window runs. Valid until close. */
    int32_t *(*ring)(struct aisp_session *session, int slot, int tensor);
    /* NULL: memory is not measured on this device. What the kernel says of one side's worker now, in a session that is_measured.
     * Errors: AISP_E_UNAVAILABLE (this host does not say). */
    enum aisp_status (*reach)(struct aisp_session *session, enum aisp_side side, struct aisp_reach *reach, struct aisp_err *err);

    /* NULL: the device has no recorder. At the end of a session, adds what one side did on the device: of a scored session its
     * launch counters only; of an audit all that core/device_trace.h has, the first window there being the warm-up. */
    void (*trace)(struct aisp_session *session, enum aisp_side side, struct aisp_device_trace *trace);

    /* NULL: outputs cannot be reached while a window runs. Writes n_bytes at offset into a side's output, during a window of its own;
     * false: this one cannot be reached, and nothing was written. */
    bool (*overwrite)(struct aisp_session *session, enum aisp_side side, int slot, int tensor, size_t offset, size_t n_bytes,
                      const void *from);

    /* NULL: nothing is replaced. Between windows, into a side's output, so that it is there when this returns; false: it is not. */
    bool (*replace)(struct aisp_session *session, enum aisp_side side, int slot, int tensor, size_t offset, size_t n_bytes,
                    const void *from);
    /* NULL: nobody asks. Since the last window: what the first read took, if one was made, and what the device takes to answer now,
     * in all; -1: not known. */
    int64_t (*answer)(struct aisp_session *session);

    /* NULL: it has no processes. The live worker of a side, so that core can look at it from outside; 0: there is none. */
    int (*pid)(const struct aisp_session *session, enum aisp_side side);
    /* NULL: nothing is known. At the end of a session whose worker lives: what its process looks like from outside, merged
     * into a side's facts. `phase` is where the session ended. */
    void (*process)(struct aisp_session *session, enum aisp_side side, enum aisp_phase phase, struct aisp_process_facts *facts);
};

AISP_TABLE(aisp_backends, struct aisp_backend);
const struct aisp_backend *aisp_backend_find(const char *name);   /* NULL if there is none */

#endif
