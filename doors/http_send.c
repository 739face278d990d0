/* http_send.c - answers, problems, compression, and streams of events. */
#ifdef AISP_HAS_MICROHTTPD

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "doors/http_parts.h"

enum { BEAT_MS = 15000, GZIP_LEAST = 512, STREAM_BLOCK = 1024 };

/* ---- answers ---- */

void aisp_http_answer_header(struct aisp_http_answer *answer, const char *name, const char *value)
{
    if (MHD_add_response_header(answer->response, name, value) != MHD_YES)
        AISP_BUG("a header %s that is none", name);
}

void aisp_http_answer_change(struct aisp_http_answer *answer, const char *name, const char *was, const char *value)
{
    if (MHD_del_response_header(answer->response, name, was) != MHD_YES)
        AISP_BUG("a header %s that was not said", name);
    aisp_http_answer_header(answer, name, value);
}

static void add_common(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        { "X-Content-Type-Options", "nosniff" },
        { "Referrer-Policy", "no-referrer" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "X-Frame-Options", "DENY" },
    };

    MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (strncmp(type, "text/html", strlen("text/html")))      /* a page says what it may load */
        MHD_add_response_header(response, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
}

static struct aisp_http_answer *answer_of(int status, const char *type, void *body, size_t n, enum MHD_ResponseMemoryMode mode)
{
    struct aisp_http_answer *answer = aisp_xcalloc(1, sizeof *answer);

    *answer = (struct aisp_http_answer){ NULL, n, status, 1 };
    answer->response = MHD_create_response_from_buffer(n, body, mode);
    if (!answer->response)
        AISP_BUG("no memory for an answer of %zu bytes", n);
    if (status != MHD_HTTP_NOT_MODIFIED)
        add_common(answer->response, type);
    return answer;
}

struct aisp_http_answer *aisp_http_answer_new(int status, const char *type, const void *body, size_t n)
{
    return answer_of(status, type, (void *)(uintptr_t)body, n, MHD_RESPMEM_MUST_COPY);
}

struct aisp_http_answer *aisp_http_answer_take(int status, const char *type, void *body_take, size_t n)
{
    return answer_of(status, type, body_take, n, MHD_RESPMEM_MUST_FREE);
}

void aisp_http_answer_free(struct aisp_http_answer *answer)
{
    if (!answer || --answer->n_refs)
        return;
    MHD_destroy_response(answer->response);
    free(answer);
}

enum MHD_Result aisp_http_queue(struct exchange *e)
{
    struct aisp_http_answer *answer = e->answer;
    const enum MHD_Result result = MHD_queue_response(e->connection, (unsigned)answer->status, answer->response);

    e->http->counts.by_class[answer->status / 100]++;
    e->n_sent = answer->n;
    e->link->stage = IS_ANSWERED;
    e->link->since_ms = aisp_http_now_ms();
    e->answer = NULL;
    aisp_http_answer_free(answer);
    return result;
}

void aisp_http_send(struct aisp_http_request *request, struct aisp_http_answer *answer)
{
    struct exchange *e = (struct exchange *)request;

    if (e->answer || e->stream)
        AISP_BUG("a request is answered twice");
    e->answer = answer;
    answer->n_refs++;
    if (e->is_inside)
        return;
    AISP_UNLINK(e->http->waiting, e);
    e->http->counts.waiting--;
    e->link->stage = IS_ANSWERED;
    e->link->since_ms = aisp_http_now_ms();
    e->http->is_resumed = true;
    MHD_resume_connection(e->connection);
}

void aisp_http_send_once(struct aisp_http_request *request, struct aisp_http_answer *answer)
{
    aisp_http_send(request, answer);
    aisp_http_answer_free(answer);
}

const char *aisp_http_title(int status)
{
    static const struct { int status; const char *title; } titles[] = {
        { 400, "Bad Request" }, { 401, "Unauthorized" }, { 403, "Forbidden" }, { 404, "Not Found" },
        { 405, "Method Not Allowed" }, { 406, "Not Acceptable" }, { 409, "Conflict" }, { 410, "Gone" },
        { 413, "Content Too Large" }, { 414, "URI Too Long" }, { 415, "Unsupported Media Type" },
        { 422, "Unprocessable Content" }, { 429, "Too Many Requests" }, { 431, "Request Header Fields Too Large" },
        { 500, "Internal Server Error" }, { 503, "Service Unavailable" }, { 504, "Gateway Timeout" },
    };

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Error";
}

static void add_what_to_do(struct aisp_http_answer *answer, int status)
{
    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    if (status == 401)
        aisp_http_answer_header(answer, "WWW-Authenticate", "Bearer realm=\"aisp\"");
    if (status == 429 || status == 503)
        aisp_http_answer_header(answer, "Retry-After", "5");
}

void aisp_http_problem(struct aisp_http_request *request, int status, const char *format, ...)
{
    struct aisp_buf detail = AISP_BUF_INIT;
    struct aisp_http_answer *answer;
    json_t *problem;
    va_list args;
    char *text;

    va_start(args, format);
    aisp_buf_vprintf(&detail, format, args);
    va_end(args);
    problem = json_pack("{s:s, s:s, s:i}", "type", "about:blank", "title", aisp_http_title(status), "status", status);
    json_object_set_new(problem, "detail", json_stringn_nocheck(detail.s, detail.len));
    text = json_dumps(problem, JSON_COMPACT);
    if (!text) {                             /* a detail that is no UTF-8 */
        json_object_del(problem, "detail");
        text = json_dumps(problem, JSON_COMPACT);
    }
    answer = aisp_http_answer_new(status, "application/problem+json", text, strlen(text));
    add_what_to_do(answer, status);
    aisp_http_send_once(request, answer);
    free(text);
    json_decref(problem);
    aisp_buf_release(&detail);
}

void *aisp_http_gzip(const void *body, size_t n, size_t *n_out)
{
    z_stream z = { .next_in = (void *)(uintptr_t)body, .avail_in = (uInt)n };
    unsigned char *out;
    bool is_done;

    if (n < GZIP_LEAST || n > UINT32_MAX / 2 || deflateInit2(&z, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    out = aisp_xmalloc(n);
    z.next_out = out;
    z.avail_out = (uInt)n;
    is_done = deflate(&z, Z_FINISH) == Z_STREAM_END;
    *n_out = z.total_out;
    deflateEnd(&z);
    if (is_done)
        return out;
    free(out);
    return NULL;
}

/* ---- streams ---- */

static ssize_t read_stream(void *context, uint64_t position, char *to, size_t room)
{
    static const char beat[] = ":\n\n";
    struct aisp_http_stream *s = context;
    const int64_t now_ms = aisp_http_now_ms();
    ssize_t n;

    (void)position;
    if (s->has_left)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (s->exchange->http->is_stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    n = s->more(s->context, to, room);
    if (n < 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!n && room >= strlen(beat) && now_ms - s->last_ms >= BEAT_MS) {
        memcpy(to, beat, strlen(beat));
        n = (ssize_t)strlen(beat);
    }
    if (n) {
        s->last_ms = now_ms;
        return n;
    }
    s->is_asleep = true;
    MHD_suspend_connection(s->exchange->connection);
    return 0;
}

bool aisp_http_stream_open(struct aisp_http_request *request, aisp_http_more *more, aisp_http_gone *gone, void *context,
                           struct aisp_http_stream **stream)
{
    struct exchange *e = (struct exchange *)request;
    struct aisp_http *http = e->http;
    struct aisp_http_answer *answer;

    *stream = NULL;
    if (http->is_stopping || http->counts.streams >= http->options.most_streams) {
        aisp_http_problem(request, 503, http->is_stopping ? "the server stops" : "%d streams are open, which is the limit",
                          http->options.most_streams);
        return false;
    }
    *stream = aisp_xcalloc(1, sizeof **stream);
    **stream = (struct aisp_http_stream){ NULL, NULL, e, more, gone, context, aisp_http_now_ms(), false, false };
    answer = aisp_xcalloc(1, sizeof *answer);
    *answer = (struct aisp_http_answer){ NULL, 0, 200, 1 };
    answer->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, *stream, NULL);
    if (!answer->response)
        AISP_BUG("no memory for a stream");
    add_common(answer->response, "text/event-stream");
    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    aisp_http_send_once(request, answer);
    e->stream = *stream;
    AISP_LINK(http->streams, *stream);
    http->counts.streams++;
    return true;
}

void aisp_http_stream_wake(struct aisp_http_stream *stream)
{
    if (!stream->is_asleep)
        return;
    stream->is_asleep = false;
    stream->exchange->http->is_resumed = true;
    MHD_resume_connection(stream->exchange->connection);
}

void aisp_http_stream_release(struct aisp_http_stream *stream)
{
    struct aisp_http *http = stream->exchange->http;

    AISP_UNLINK(http->streams, stream);
    http->counts.streams--;
    stream->gone(stream->context);
    free(stream);
}

void aisp_http_streams_beat(struct aisp_http *http, bool all)
{
    const int64_t now_ms = aisp_http_now_ms();

    for (struct aisp_http_stream *s = http->streams; s; s = s->next)
        if (all || now_ms - s->last_ms >= BEAT_MS)
            aisp_http_stream_wake(s);
}

#else
typedef int aisp_no_http_send; /* a file is never empty */
#endif
