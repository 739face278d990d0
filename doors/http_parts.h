/* http_parts.h - what http.c (connections, guards) and http_send.c (answers, streams) share. */
#ifndef AISP_DOORS_HTTP_PARTS_H
#define AISP_DOORS_HTTP_PARTS_H

#include "core/base/buf.h"
#include "doors/http.h"
#include "doors/http_text.h"
#include "doors/microhttpd.h"

/* A client, from accept to close. */
struct link {
    struct link *prev, *next;
    int fd;
    int64_t since_ms;                        /* when what it does now began */
    enum { READS_REQUEST, IS_ANSWERED, HAS_STREAM, WAITS } stage;
    struct aisp_http_stream *stream;         /* where it has one */
};

/* One request of a client. */
struct exchange {
    struct aisp_http_request request;        /* the first: what the caller holds is cast back */
    struct exchange *prev, *next;            /* among those that wait */
    struct aisp_http *http;
    struct MHD_Connection *connection;
    struct link *link;
    struct aisp_http_target target;
    struct aisp_http_answer *answer;         /* given, and not yet queued */
    struct aisp_http_stream *stream;
    struct aisp_buf body;
    size_t n_sent;
    int bad_target;                          /* the status that refuses it */
    bool is_begun, is_inside;                /* is_inside: its callback runs */
};

struct aisp_http_answer {
    struct MHD_Response *response;
    size_t n;
    int status, n_refs;
};

struct aisp_http_stream {
    struct aisp_http_stream *prev, *next;
    struct exchange *exchange;
    aisp_http_more *more;
    aisp_http_gone *gone;
    void *context;
    int64_t last_ms;
    bool is_asleep, has_left;                /* has_left: its client */
};

struct aisp_http {
    struct MHD_Daemon *daemon;
    struct aisp_http_options options;
    char *token, *url;
    int port, listen_fd, fd;
    bool is_loopback, is_stopping;
    bool is_resumed; /* a connection goes on, which the daemon does not count as something to do at once */
    int64_t swept_ms, swept_all_ms;
    struct link *links;
    struct exchange *waiting;
    struct aisp_http_stream *streams;
    struct aisp_http_counts counts;
};

/* Doubly linked, new ones first. */
#define AISP_LINK(list, one)                \
    do {                                    \
        (one)->prev = NULL;                 \
        (one)->next = (list);               \
        if (list)                           \
            (list)->prev = (one);           \
        (list) = (one);                     \
    } while (0)
#define AISP_UNLINK(list, one)              \
    do {                                    \
        if ((one)->prev)                    \
            (one)->prev->next = (one)->next;\
        else                                \
            (list) = (one)->next;           \
        if ((one)->next)                    \
            (one)->next->prev = (one)->prev;\
    } while (0)

int64_t aisp_http_now_ms(void);
/* Queue what was given; MHD_NO ends the connection. */
enum MHD_Result aisp_http_queue(struct exchange *exchange);
/* The stream's connection is gone. */
void aisp_http_stream_release(struct aisp_http_stream *stream);
/* Wake streams that have been silent for long; all of them when the server stops. */
void aisp_http_streams_beat(struct aisp_http *http, bool all);

#endif
