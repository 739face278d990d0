/* http.h - an HTTP server for doors: one thread, one handler, answers that are made once and sent often, streams of events.
 * What every request has passed before the handler sees it: a Host that is an address or one of the server's own names (a page
 * that points its name here does not have it), no foreign Origin, the token where one is needed, a path without "..", limits on
 * its size.
 * Not here: what is asked and answered (dashboard/, mcp/).
 * Why one thread, which is the caller's: commands are forked children (job.h), and a fork beside other threads is a trap.
 * It is libmicrohttpd's (LGPL), loaded when a server starts: with what it needs it is ten libraries, and most runs of aisp want
 * none. */
#ifndef AISP_DOORS_HTTP_H
#define AISP_DOORS_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"

/* ---- the token: who has it may change things and run code ---- */

enum { AISP_HTTP_TOKEN_SIZE = 128 };

/* 32 random bytes, as 64 digits. */
void aisp_http_token_make(char token[AISP_HTTP_TOKEN_SIZE]);
/* The first line of a file that only its owner can read; NULL: one that is made.
 * Errors: AISP_E_IO (cannot be read), AISP_E_REFUSED (others can read it, or it is another user's), AISP_E_USAGE (under 32
 * characters, or others than letters, digits and -._~+/=). */
enum aisp_status aisp_http_token(const char *file, char token[AISP_HTTP_TOKEN_SIZE], struct aisp_err *err);
/* In a time that does not depend on where they differ. */
bool aisp_http_token_is(const char *token, const char *given);

/* ---- requests and answers ---- */

struct aisp_http_request {
    const char *method;                      /* "GET" also for HEAD */
    const char *path;                        /* decoded: no "..", no empty part, no control characters; begins with '/' */
    const char *const *name, *const *value;  /* the query, decoded, in its order */
    size_t n;
    const char *body;                        /* ends with a NUL beyond body_len; "" if there is none */
    size_t body_len;
    bool has_token, wants_gzip;
};
/* NULL: it has none. Borrowed until the request is answered. */
const char *aisp_http_header(const struct aisp_http_request *request, const char *name);
/* If-None-Match names this entity tag (given with its quotes). */
bool aisp_http_has(const struct aisp_http_request *request, const char *etag);

/* What one request costs the caller is one call of aisp_http_send: at once, or any time later. Till then the request lives, and
 * its client waits. */
struct aisp_http_answer;
struct aisp_http_answer *aisp_http_answer_new(int status, const char *type, const void *body, size_t n);
/* The body is the answer's to free, and stays where it is as long as the answer. */
struct aisp_http_answer *aisp_http_answer_take(int status, const char *type, void *body_take, size_t n);
/* Control characters in a value are a bug of the caller's. */
void aisp_http_answer_header(struct aisp_http_answer *answer, const char *name, const char *value);
/* From now on it says this instead of `was`. */
void aisp_http_answer_change(struct aisp_http_answer *answer, const char *name, const char *was, const char *value);
void aisp_http_answer_free(struct aisp_http_answer *answer);
void aisp_http_send(struct aisp_http_request *request, struct aisp_http_answer *answer);
/* One that is sent once. */
void aisp_http_send_once(struct aisp_http_request *request, struct aisp_http_answer *answer);
/* application/problem+json (RFC 9457); the title is that of the status. */
void aisp_http_problem(struct aisp_http_request *request, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *aisp_http_title(int status);

/* gzip of a body; caller frees. NULL: it would not be smaller. */
void *aisp_http_gzip(const void *body, size_t n, size_t *n_out);

/* ---- streams of server-sent events ---- */

struct aisp_http_stream;
/* Up to `room` bytes of what is next into `to`. 0: nothing yet, aisp_http_stream_wake will say when. -1: that was all. */
typedef ssize_t aisp_http_more(void *context, char *to, size_t room);
/* Called once for each stream that was opened, when nothing will be asked of it any more. */
typedef void aisp_http_gone(void *context);
/* Answers the request with text/event-stream. A comment is sent now and then, which keeps it open and finds out who left.
 * False: there are too many streams (the client was told), or the server is stopping; `gone` is not called. */
bool aisp_http_stream_open(struct aisp_http_request *request, aisp_http_more *more, aisp_http_gone *gone, void *context,
                           struct aisp_http_stream **stream);
void aisp_http_stream_wake(struct aisp_http_stream *stream);

/* ---- the server ---- */

typedef void aisp_http_handler(void *context, struct aisp_http_request *request);

struct aisp_http_options {
    const char *listen;                      /* NULL: 127.0.0.1 */
    int port;                                /* 0: one that is free */
    const char *const *host; /* names that a Host may give besides addresses and localhost; ends with NULL; or NULL */
    const char *token;                       /* needed for all but GET and HEAD */
    bool always_token;                       /* for these as well; on any address but a loopback one it is so anyway */
    const char *const *open_path;            /* but for these; ends with NULL; or NULL */
    size_t most_body;                        /* bytes; 0: 64 KiB */
    int most_connections, most_streams;      /* 0: 2,000 and 1,000 */
    aisp_http_handler *handle;
    void *context;
};

struct aisp_http;
/* Errors: AISP_E_USAGE (no such address; not loopback and no token), AISP_E_IO (the port is taken),
 * AISP_E_UNAVAILABLE (built without libmicrohttpd, or it is not here). */
enum aisp_status aisp_http_start(struct aisp_http **http, const struct aisp_http_options *options, struct aisp_err *err);
int aisp_http_port(const struct aisp_http *http);
/* "http://127.0.0.1:8100", of an address that a browser takes. Borrowed. */
const char *aisp_http_url(const struct aisp_http *http);
bool aisp_http_is_loopback(const struct aisp_http *http);
/* To be polled for reading, at most so long, before aisp_http_work. */
int aisp_http_fd(const struct aisp_http *http);
int aisp_http_timeout_ms(const struct aisp_http *http);
void aisp_http_work(struct aisp_http *http);
/* No new connections, streams end, answers under way may end: at most so long. Requests that wait are told 503: none may be
 * answered by the caller any more. */
void aisp_http_stop(struct aisp_http *http, int grace_ms);

struct aisp_http_counts {
    int64_t requests, by_class[6], refused;  /* by_class[4]: answers of 400 to 499; refused: by the guards, among them */
    int64_t bytes;                           /* of bodies that were sent whole */
    int connections, streams, waiting;       /* now */
};
void aisp_http_count(const struct aisp_http *http, struct aisp_http_counts *counts);

#endif
