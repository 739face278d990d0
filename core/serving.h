/* serving.h - what was seen of a server: one trace a window, with the supervisor's own stamps of every request.
 * Not here: feeding and stamping (core/run/serve.c), figures (core/goal.h).
 * Traces can be made again from their pair's secret, whose hash was written before; the chain holds all stamps together. */
#ifndef AISP_CORE_SERVING_H
#define AISP_CORE_SERVING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* What can be wrong with what left a server: `kind` of an observation AISP_SEEN_EMISSION. */
enum aisp_emission_flaw {
    AISP_EMISSION_RIGHT,
    AISP_EMISSION_EARLY,      /* before its request was there */
    AISP_EMISSION_REPEATED,   /* not the next token of its request: again, or out of order, or beyond its end */
    AISP_EMISSION_UNSERVED,   /* the call ended before all tokens had left */
    AISP_EMISSION_UNKNOWN,    /* of no request */
    AISP_EMISSION_BACKWARDS,  /* the count went down */
    AISP_EMISSION_OVERFLOW,   /* the count is beyond the ring */
    AISP_N_EMISSION_FLAWS
};
const char *aisp_emission_flaw_name(enum aisp_emission_flaw flaw);

/* One recorded window of a server. */
struct aisp_trace {
    int32_t pair, block, index;              /* of its window */
    int8_t side, kind;                       /* enum aisp_side, enum aisp_window_kind */
    int32_t n_requests, n_tokens;            /* arrived, and stamped */
    int64_t first;                           /* its first request among all */
    int64_t late_ns;                         /* 99th percentile of how late requests were handed over */
    int64_t blur_ns;                         /* and of the time from the look before to the look that saw a token */
    int64_t span_ns;                         /* go -> last token */
};

/* Since go, in ns. Latency counts from when a request was due, not from when it was handed over. */
struct aisp_request_times { int64_t due_ns, first_ns, last_ns; int32_t n_tokens; };

struct aisp_service {
    int32_t process, figure;                 /* enum aisp_process, enum aisp_served; 0: no server */
    int64_t n_requests, per_second, ttft_slo_ns, tpot_slo_ns;
    struct aisp_trace *trace;
    size_t n_traces, cap_traces;
    struct aisp_request_times *times;
    size_t n_times, cap_times;
    char chain[65];
};

void aisp_service_release(struct aisp_service *service);
/* SHA-256 over all traces and stamps as they stand. */
void aisp_service_chain(const struct aisp_service *service, char hex[65]);

/* NULL if there was no server. */
json_t *aisp_service_to_json(const struct aisp_service *service);
/* Errors: AISP_E_IO with the path. *service is released then. */
enum aisp_status aisp_service_from_json(const json_t *json, struct aisp_service *service, struct aisp_err *err);

#endif
