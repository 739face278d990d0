/* log.c - see log.h. */
#include "dashboard/log.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

enum { FIRST_CAP = 16 };

struct aisp_log_reader {
    struct aisp_log_reader *prev, *next;
    struct aisp_log *log;                    /* NULL: the log is gone */
    struct aisp_http_stream *stream;
    uint64_t at;                             /* number of the event that is next */
    size_t offset;                           /* bytes of it that were sent */
};

void aisp_log_init(struct aisp_log *log, size_t most_bytes)
{
    *log = (struct aisp_log){ .most_bytes = most_bytes, .first = 1 };
}

static void wake(struct aisp_log *log)
{
    for (struct aisp_log_reader *r = log->readers; r; r = r->next)
        aisp_http_stream_wake(r->stream);
}

static void drop_oldest(struct aisp_log *log)
{
    struct aisp_log_event *e = &log->event[log->first_at];

    log->bytes -= e->n;
    free(e->text);
    log->first_at = (log->first_at + 1) % log->cap;
    log->first++;
    log->n--;
}

static void make_room(struct aisp_log *log)
{
    struct aisp_log_event *wider;
    const size_t cap = log->cap ? 2 * log->cap : FIRST_CAP;

    if (log->n < log->cap)
        return;
    wider = aisp_xcalloc(cap, sizeof *wider);
    for (size_t i = 0; i < log->n; i++)
        wider[i] = log->event[(log->first_at + i) % log->cap];
    free(log->event);
    log->event = wider;
    log->cap = cap;
    log->first_at = 0;
}

void aisp_log_add(struct aisp_log *log, const char *name, const json_t *data)
{
    char *json = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9));
    struct aisp_log_event *e;

    if (!json)
        AISP_BUG("an event that is no JSON");
    make_room(log);
    e = &log->event[(log->first_at + log->n++) % log->cap];
    e->text = aisp_format("id: %llu\nevent: %s\ndata: %s\n\n", (unsigned long long)(log->first + log->n - 1), name, json);
    e->n = strlen(e->text);
    log->bytes += e->n;
    free(json);
    while (log->bytes > log->most_bytes && log->n > 1)
        drop_oldest(log);
    wake(log);
}

void aisp_log_end(struct aisp_log *log)
{
    log->is_ended = true;
    wake(log);
}

void aisp_log_release(struct aisp_log *log)
{
    while (log->n)
        drop_oldest(log);
    free(log->event);
    for (struct aisp_log_reader *r = log->readers; r; r = r->next) {
        r->log = NULL;
        aisp_http_stream_wake(r->stream);
    }
    *log = (struct aisp_log){ 0 };
}

/* ---- readers ---- */

static ssize_t more(void *context, char *to, size_t room)
{
    struct aisp_log_reader *r = context;
    struct aisp_log *log = r->log;
    size_t n = 0;

    if (!log || (r->at < log->first && r->offset))     /* the rest of what was begun is gone */
        return -1;
    if (r->at < log->first)
        r->at = log->first;
    while (n < room && r->at < log->first + log->n) {
        const struct aisp_log_event *e = &log->event[(log->first_at + (size_t)(r->at - log->first)) % log->cap];
        const size_t left = e->n - r->offset, part = left < room - n ? left : room - n;

        memcpy(to + n, e->text + r->offset, part);
        n += part;
        r->offset += part;
        if (r->offset == e->n) {
            r->at++;
            r->offset = 0;
        }
    }
    return n ? (ssize_t)n : log->is_ended ? -1 : 0;
}

static void gone(void *context)
{
    struct aisp_log_reader *r = context;

    if (r->log) {
        *(r->prev ? &r->prev->next : &r->log->readers) = r->next;
        if (r->next)
            r->next->prev = r->prev;
        r->log->n_readers--;
    }
    free(r);
}

void aisp_log_follow(struct aisp_log *log, struct aisp_http_request *request, bool from_start)
{
    const char *last = aisp_http_header(request, "Last-Event-ID");
    const uint64_t seen = last ? strtoull(last, NULL, 10) : 0, next = log->first + log->n;
    struct aisp_log_reader *r = aisp_xcalloc(1, sizeof *r);

    *r = (struct aisp_log_reader){ .log = log, .at = from_start ? 1 : next };
    if (last && seen < next)
        r->at = seen + 1;
    if (!aisp_http_stream_open(request, more, gone, r, &r->stream)) {
        free(r);
        return;
    }
    r->next = log->readers;
    if (r->next)
        r->next->prev = r;
    log->readers = r;
    log->n_readers++;
}
