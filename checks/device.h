/* device.h - what the checks of a device's trace share: which trace, what was declared, how to say where something was, and the
 * one classification of work that was not over in time, so that exactly one check names it.
 * Not here: the checks themselves (cuda.c, and of other families FAMILY_device.c). */
#ifndef AISP_CHECKS_DEVICE_H
#define AISP_CHECKS_DEVICE_H

#include "checks/check.h"
#include "core/device_trace.h"

/* The trace of a side's audit pass; NULL if there was none. */
const struct aisp_device_trace *aisp_device_of(const struct aisp_evidence *ev, int side);
bool aisp_device_declares(const struct aisp_evidence *ev, int side, const char *what);
/* Device times agree with the supervisor's to this. */
int64_t aisp_device_tolerance_ns(const struct aisp_device_trace *t);

/* A probe that waits for a kernel takes fifty times as long as one on an idle device. */
int64_t aisp_device_probe_limit_ns(const struct aisp_device_trace *t);
/* Of the windows behind the first, whose probe `probe_ns` tells: where at least half of them, and no less than two, took longer than
 * that, the first of them; else -1. A judge that was put aside once, by the kernel or by the host, was so in one. Negative: the
 * window tells nothing. */
int32_t aisp_device_busy_window(const struct aisp_device_trace *t,
                                int64_t (*probe_ns)(const struct aisp_device_trace *t, int32_t window));

/* "optimized, kernel gemm_128 on stream 13, call 2 of audit window 3" */
void aisp_device_where(const struct aisp_evidence *ev, int side,
                       const struct aisp_device_activity *a, char text[192]);

bool aisp_device_is_work(const struct aisp_device_activity *a); /* kernel, copy, memset */
bool aisp_device_is_harness_stream(const struct aisp_device_trace *t,
                                   const struct aisp_device_activity *a);
bool aisp_device_is_harness_context(const struct aisp_device_trace *t,
                                    const struct aisp_device_activity *a);

/* Why work was not over when its window was. */
enum aisp_late {
    AISP_IN_TIME,
    AISP_LATE_CALLBACK, /* enqueued by a host function */
    AISP_LATE_RESIDENT, /* was there before go, or has no end */
    AISP_LATE_CHILD,    /* launched from the device */
    AISP_LATE_TO_HOST,  /* a copy to host memory */
    AISP_LATE_COPY,     /* another copy */
    AISP_LATE_TRIGGER,  /* a programmatic launch let the stop mark pass */
    AISP_LATE_STREAM,   /* on a stream that nobody joined */
    AISP_LATE_OTHER,    /* on the given stream, or in another context */
};
/* Late is what ended too late by the clocks, and what the stop mark does not wait for, whenever it ended (AISP_HOW_UNJOINED).
 * *by_ns: how long after done, or (of an activity that ended before done) after the stop mark. */
enum aisp_late aisp_device_lateness(const struct aisp_device_trace *t,
                                    const struct aisp_device_activity *a, int64_t *by_ns);
/* A violation for each side with such late work: the first, how late, how many more. */
void aisp_find_late(const struct aisp_check *self, const struct aisp_evidence *ev,
                    enum aisp_late late, const char *advice, struct aisp_findings *out);

/* The first activity of a trace that `is` so, and how many are; NULL if none is. */
const struct aisp_device_activity *aisp_device_first(
    const struct aisp_device_trace *t,
    bool (*is)(const struct aisp_device_trace *t, const struct aisp_device_activity *a),
    int64_t *n);
/* The same of a side, with where it was; NULL too if the side has no trace. */
const struct aisp_device_activity *aisp_device_seek(
    const struct aisp_evidence *ev, int side,
    bool (*is)(const struct aisp_device_trace *t, const struct aisp_device_activity *a),
    char where[192], int64_t *n);
/* A violation for each side that does so without declaring `word`: the first of them, and how many. */
void aisp_find_undeclared(const struct aisp_check *self, const struct aisp_evidence *ev,
                          const char *word,
                          bool (*is)(const struct aisp_device_trace *t,
                                     const struct aisp_device_activity *a),
                          const char *what, struct aisp_findings *out);

#endif
