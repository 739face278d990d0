/* fake.h - a scripted device: all of core is tested on it, anywhere, in milliseconds.
 * It starts no process and takes no time: windows last as long as the script says. Outputs are real bytes, made from the
 * problem's own truth and then spoiled as scripted, so that judging them is real.
 * What a script says of a variant is found by the variant's name; what it does not say is honest and right.
 * There are two of it: "fake" is a device without a recorder, "fakegpu" the same with one (core/device_trace.h). */
#ifndef AISP_BACKENDS_FAKE_H
#define AISP_BACKENDS_FAKE_H

#include "core/backend.h"
#include "core/device_trace.h"

enum aisp_fake_fault {
    AISP_FAKE_NONE,
    /* outputs */
    AISP_FAKE_UNWRITTEN,
    AISP_FAKE_HALF,
    AISP_FAKE_STALE,
    AISP_FAKE_CONSTANT,
    AISP_FAKE_NAN,
    AISP_FAKE_INF,
    AISP_FAKE_VALUE,
    AISP_FAKE_LATE, /* right at the stop, changed after the first look */
    AISP_FAKE_AGAIN, /* right at the stop, and written again after the first look */
    /* beside them */
    AISP_FAKE_CANARY,
    AISP_FAKE_INPUT,
    AISP_FAKE_BUSY,
    AISP_FAKE_THREADS,
    AISP_FAKE_FOREIGN,  /* outputs of slots that the window does not call are written */
    AISP_FAKE_TEARDOWN, /* all is right until the end of the session */
    /* the worker is gone: from here on the window (or, at window 0, the opening) answers AISP_E_WORKER */
    AISP_FAKE_SIGNAL,
    AISP_FAKE_EXIT,
    AISP_FAKE_HANG,
    AISP_FAKE_BAD_STATUS,
    AISP_FAKE_FORBIDDEN,
    AISP_FAKE_MEMORY,
    AISP_FAKE_PROTOCOL,
    AISP_FAKE_REFUSED,
    AISP_FAKE_LOST_REPLY, /* done never comes: waited for until the time-out */
    AISP_FAKE_N_FAULTS
};

/* A fault begins at window `window` (1 = the first; 0 = while opening) of the variant's session number `session` (1 = its
 * first; 0 = every session) and stays until that session ends; with `onwards` it comes again in every later one. */
struct aisp_fake_when {
    int session, window;
    bool onwards;
};

struct aisp_fake_variant {
    const char *name;
    double call_ns;
    double noise;                   /* deviation of the log of a window */
    double pair_noise;              /* deviation of the log of a whole session: placement */
    double drift;                   /* of the log, from one session to the next */
    double mode_share, mode_factor; /* so many sessions are slower by that factor */
    double repeat_factor;           /* cost of a repeated call, of an unrepeated one's; 0: 1 */
    double step;                    /* log; added from session `step_session` on */
    int step_session;
    double slack_ns; /* window - inner */
    int64_t answer_ns; /* of the device, right after done; 0: that of an idle one */
    enum aisp_fake_fault fault;
    struct aisp_fake_when when;
    /* What the recorder of "fakegpu" has to say at the end of a session; NULL: nothing. */
    void (*device)(struct aisp_device_trace *trace, bool is_audit);
};

enum { AISP_FAKE_VARIANTS = 4 };

struct aisp_fake_script {
    uint64_t seed;
    struct aisp_fake_variant variant[AISP_FAKE_VARIANTS];
    int64_t fits_bytes;      /* memory that there is; 0: enough */
    const char *unavailable; /* reason for probe(); NULL: it is there */
    int fill_fails_at;       /* n-th fill answers AISP_E_IO; 0: never */
};

/* What it was asked to do, for tests to look at. */
struct aisp_fake_log {
    int n_opens, n_closes, n_b_first, n_fills, n_whole_fills, n_windows;
    int64_t max_calls, min_calls;
    int n_in_order; /* windows whose first slots came as 0, 1, 2, ... (of those with 3 slots or more) */
    int n_orders; /* windows with 3 slots or more */
};

/* The script in force and the log since then. */
void aisp_fake_play(const struct aisp_fake_script *script);
const struct aisp_fake_log *aisp_fake_seen(void);

#endif
