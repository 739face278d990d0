/* serve.h - one call of a server: requests handed over at secret times, tokens stamped as they appear, and judged.
 * The life of a trace: prepare (while the worker sleeps), tick (from go to done, called by the backend while it waits, every
 * few hundred ns), finish. Stamps are the supervisor's own; what is judged of a row is what stood there when it was seen, so
 * what is written later counts for nothing.
 * An open loop: a request is due at its time whatever the server does, and its latency counts from there. Is it handed over
 * late, because the supervisor had no core, then the server looks slower, never faster, and evidence says by how much. */
#ifndef AISP_RUN_SERVE_H
#define AISP_RUN_SERVE_H

#include <aisp/serving.h>

#include "core/backend.h"

/* A row as it was when it was seen. Times are ns since go. */
struct aisp_seen_token { int32_t request, index, token; int64_t stamp_ns, blur_ns; };

/* Reads a ring that somebody hostile writes. */
struct aisp_ring_reader {
    const int32_t *ring;                     /* head and rows of 4 */
    int64_t capacity, n;                     /* rows that fit, rows read */
    struct aisp_seen_token *token;           /* room for `capacity` */
    enum aisp_emission_flaw flaw;            /* BACKWARDS or OVERFLOW: nothing is read any more */
    int64_t claimed;                         /* the count that was wrong */
};
/* Take the rows that are new. `looked_ns`: when it was looked at before. Returns how many. */
int64_t aisp_ring_read(struct aisp_ring_reader *reader, int64_t looked_ns, int64_t (*now_ns)(void *), void *clock);

/* Ascending due times of n requests, ns since go. */
void aisp_serve_schedule(enum aisp_process process, int64_t per_second, struct aisp_dice *dice, int64_t *due_ns, int64_t n);

/* What is to be judged of one trace. `answer` holds the right tokens, most_tokens a request; `before` those of the trace
 * before (NULL: none). */
struct aisp_served_trace {
    int64_t n_requests, most_tokens, n_seen;
    const struct aisp_seen_token *seen;
    const int64_t *published_ns;             /* -1: never */
    const int64_t *n_answer;
    const int32_t *answer, *before;
};
struct aisp_serve_flaw { int64_t n; struct aisp_seen_token first; int64_t expected; };
struct aisp_serve_answer {
    struct aisp_serve_flaw flaw[AISP_N_EMISSION_FLAWS];
    struct aisp_serve_flaw wrong;            /* tokens that are not the right ones ... */
    int64_t n_stale;                         /* ... of which so many are the right ones of the trace before */
};
/* Fills times[] (n_requests; due_ns must be there) from what was seen. */
void aisp_serve_judge(const struct aisp_served_trace *served, struct aisp_request_times *times,
                      struct aisp_serve_answer *answer);

struct aisp_rig;
struct aisp_shot;
struct aisp_serve;                           /* of one rig */

void aisp_serve_release(struct aisp_serve *serve);
/* A new trace for the slot, in rig->serve (made when it is first needed). */
enum aisp_status aisp_serve_prepare(struct aisp_rig *rig, const struct aisp_shot *shot, int slot, struct aisp_err *err);
/* For struct aisp_order: stamp, then hand over. Returns in how many ns it wants to be called again. */
int64_t aisp_serve_tick(void *rig);
/* After done: judge what left, observe what is wrong, keep the trace if it is to be recorded. *right: nothing was. */
void aisp_serve_finish(struct aisp_rig *rig, const struct aisp_shot *shot, const struct aisp_window *window, bool *right);

#endif
