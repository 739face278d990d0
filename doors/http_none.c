/* http_none.c - http.h where aisp was built without libmicrohttpd: no server starts, so nothing else of it is ever called. */
#ifndef AISP_HAS_MICROHTTPD

#include "doors/http.h"

enum aisp_status aisp_http_start(struct aisp_http **http, const struct aisp_http_options *options, struct aisp_err *err)
{
    (void)options;
    *http = NULL;
    return aisp_fail(err, AISP_E_UNAVAILABLE,
                     "this aisp was built without libmicrohttpd (Debian: libmicrohttpd-dev), which a server needs");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NEVER(...) { AISP_BUG("no server, and yet a request"); }
const char *aisp_http_header(const struct aisp_http_request *request, const char *name) NEVER()
bool aisp_http_has(const struct aisp_http_request *request, const char *etag) NEVER()
struct aisp_http_answer *aisp_http_answer_new(int status, const char *type, const void *body, size_t n) NEVER()
struct aisp_http_answer *aisp_http_answer_take(int status, const char *type, void *body_take, size_t n) NEVER()
void aisp_http_answer_header(struct aisp_http_answer *answer, const char *name, const char *value) NEVER()
void aisp_http_answer_change(struct aisp_http_answer *answer, const char *name, const char *was, const char *value) NEVER()
void aisp_http_answer_free(struct aisp_http_answer *answer) NEVER()
void aisp_http_send(struct aisp_http_request *request, struct aisp_http_answer *answer) NEVER()
void aisp_http_send_once(struct aisp_http_request *request, struct aisp_http_answer *answer) NEVER()
void aisp_http_problem(struct aisp_http_request *request, int status, const char *format, ...) NEVER()
const char *aisp_http_title(int status) NEVER()
void *aisp_http_gzip(const void *body, size_t n, size_t *n_out) NEVER()
bool aisp_http_stream_open(struct aisp_http_request *request, aisp_http_more *more, aisp_http_gone *gone, void *context,
                           struct aisp_http_stream **stream) NEVER()
void aisp_http_stream_wake(struct aisp_http_stream *stream) NEVER()
int aisp_http_port(const struct aisp_http *http) NEVER()
const char *aisp_http_url(const struct aisp_http *http) NEVER()
bool aisp_http_is_loopback(const struct aisp_http *http) NEVER()
int aisp_http_fd(const struct aisp_http *http) NEVER()
int aisp_http_timeout_ms(const struct aisp_http *http) NEVER()
void aisp_http_work(struct aisp_http *http) NEVER()
void aisp_http_stop(struct aisp_http *http, int grace_ms) NEVER()
void aisp_http_count(const struct aisp_http *http, struct aisp_http_counts *counts) NEVER()
#pragma GCC diagnostic pop

#else
typedef int aisp_has_microhttpd; /* a file is never empty */
#endif
