/* log.h - what happened, as server-sent events that any number of clients follow, each from where it is.
 * A log is bounded: the oldest go, and who was further behind continues with what is left; the numbers of events show the gap. */
#ifndef AISP_DASHBOARD_LOG_H
#define AISP_DASHBOARD_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doors/http.h"

struct aisp_log_event { char *text; size_t n; };

struct aisp_log {
    struct aisp_log_event *event;            /* a ring */
    size_t cap, first_at, n, bytes, most_bytes;
    uint64_t first;                          /* number of the oldest that is kept; they begin with 1 */
    bool is_ended;                           /* nothing more comes */
    struct aisp_log_reader *readers;
    int n_readers;
};

void aisp_log_init(struct aisp_log *log, size_t most_bytes);
/* Readers that are left are told that it is over. */
void aisp_log_release(struct aisp_log *log);
/* `name` and one line of JSON. */
void aisp_log_add(struct aisp_log *log, const char *name, const json_t *data);
void aisp_log_end(struct aisp_log *log);
/* Answers the request with the events from now on, or from the one behind Last-Event-ID, or `from_start` all that are kept. */
void aisp_log_follow(struct aisp_log *log, struct aisp_http_request *request, bool from_start);

#endif
