/* http.c - connections, what a request has to pass, and when a client has had its time.
 * The daemon is libmicrohttpd's, without threads of its own: aisp_http_work runs it. */
#ifdef AISP_HAS_MICROHTTPD

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "doors/http_parts.h"

enum {
    CONNECTION_MEMORY = 32768,               /* of both heads: a Link repeats a target, with three bytes for one of it */
    MOST_HEADERS = 64,
    MOST_BODY = 65536,
    MOST_CONNECTIONS = 2000,
    MOST_STREAMS = 1000,
    OWN_FILES = 64
};
/* A client that is slow on purpose: one request, and one answer, take at most so long. */
enum { IDLE_S = 30, REQUEST_MS = 30000, ANSWER_MS = 120000, SWEEP_MS = 1000 };

static struct aisp_http *live; /* whose sockets a child must not keep open */

int64_t aisp_http_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- a request ---- */

static void *begin(void *context, const char *raw, struct MHD_Connection *connection)
{
    struct exchange *e = aisp_xcalloc(1, sizeof *e);

    e->http = context;
    e->connection = connection;
    e->link = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    e->bad_target = aisp_http_target_read(&e->target, raw);
    e->http->counts.requests++;
    return e;
}

static void end(void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode how)
{
    struct exchange *e = *request;

    (void)context;
    (void)connection;
    *request = NULL;
    if (!e)
        return;
    if (how == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        e->http->counts.bytes += (int64_t)e->n_sent;
    if (e->stream)
        aisp_http_stream_release(e->stream);
    e->link->stream = NULL;
    e->link->stage = READS_REQUEST;
    e->link->since_ms = aisp_http_now_ms();
    aisp_http_answer_free(e->answer);
    aisp_http_target_release(&e->target);
    aisp_buf_release(&e->body);
    free(e);
}

const char *aisp_http_header(const struct aisp_http_request *request, const char *name)
{
    return MHD_lookup_connection_value(((const struct exchange *)request)->connection, MHD_HEADER_KIND, name);
}

bool aisp_http_has(const struct aisp_http_request *request, const char *etag)
{
    const char *list = aisp_http_header(request, "If-None-Match");

    return list && aisp_http_list_has(list, etag);
}

/* ---- the guards ---- */

/* How often the fields are there that must not be there twice; and those whose name has a blank: to us another field, to who
 * passed it on perhaps the one without it. */
struct fields { int host, origin, authorization, length, encoding, odd; };

static enum MHD_Result count_field(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct fields *n = context;

    (void)kind;
    (void)value;
    n->host += !strcasecmp(name, "Host");
    n->origin += !strcasecmp(name, "Origin");
    n->authorization += !strcasecmp(name, "Authorization");
    n->length += !strcasecmp(name, "Content-Length");
    n->encoding += !strcasecmp(name, "Transfer-Encoding");
    n->odd += name[strcspn(name, " \t")] != '\0';
    return MHD_YES;
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; list && *list; list++)
        if (!strcmp(text, *list))
            return true;
    return false;
}

/* What a browser says of the page behind a request: one of another site may lead a user here, and may not ask for anything, nor
 * in a frame, which it can open as often as it likes. */
static const char *why_foreign(const struct aisp_http_request *request)
{
    const char *host = aisp_http_header(request, "Host"), *origin = aisp_http_header(request, "Origin"),
               *site = aisp_http_header(request, "Sec-Fetch-Site"), *mode = aisp_http_header(request, "Sec-Fetch-Mode"),
               *dest = aisp_http_header(request, "Sec-Fetch-Dest");
    const bool leads_here = mode && !strcmp(mode, "navigate") && (!dest || !strcmp(dest, "document"));

    if (origin && !aisp_http_origin_is(origin, host))
        return "a page of another origin may not ask";
    if (site && strcmp(site, "same-origin") && strcmp(site, "none") && !leads_here)
        return "a page of another site may not ask";
    return NULL;
}

static bool refuse(struct exchange *e, int status, const char *why)
{
    e->http->counts.refused++;
    aisp_http_problem(&e->request, status, "%s", why);
    return false;
}

/* Where a body ends has to be what whoever passed the request on took it for: else its rest is a request that nobody sent. */
static bool says_its_end(const struct exchange *e, const struct fields *n)
{
    const char *encoding = aisp_http_header(&e->request, "Transfer-Encoding");

    return !n->odd && n->length + n->encoding <= 1 && (!encoding || !strcasecmp(encoding, "chunked"));
}

static bool passes_form(struct exchange *e, const struct fields *n)
{
    const char *length = aisp_http_header(&e->request, "Content-Length");
    const size_t most = e->http->options.most_body;
    char *rest;

    if (e->bad_target)
        return refuse(e, e->bad_target, e->bad_target == 414 ? "the target is over 4096 bytes"
                                                            : "the target is no plain path with a query");
    if (MHD_get_connection_values(e->connection, MHD_HEADER_KIND, NULL, NULL) > MOST_HEADERS)
        return refuse(e, 431, "over 64 header fields");
    if (!says_its_end(e, n))
        return refuse(e, 400, "one Content-Length, or Transfer-Encoding: chunked, and no blank in a field's name");
    errno = 0;
    if (length && (strtoull(length, &rest, 10) > most || errno || *rest))
        return refuse(e, 413, "the body is too large");
    return true;
}

/* True: it may be asked. */
static bool passes(struct exchange *e, const char *method)
{
    struct aisp_http *http = e->http;
    struct aisp_http_request *request = &e->request;
    const bool reads = !strcmp(method, "GET") || !strcmp(method, "HEAD");
    const char *host, *why, *authorization, *given;
    struct fields n = { 0 };

    MHD_get_connection_values(e->connection, MHD_HEADER_KIND, count_field, &n);
    if (!passes_form(e, &n))
        return false;
    host = aisp_http_header(request, "Host");
    if (!host || n.host != 1 || n.origin > 1 || n.authorization > 1)
        return refuse(e, 400, "one Host, and at most one Origin and Authorization");
    if (!aisp_http_host_is_ours(host, http->options.host))
        return refuse(e, 403, "this server has another name (--host adds one)");
    why = why_foreign(request);
    if (why)
        return refuse(e, 403, why);
    if (!reads && strcmp(method, "POST") && strcmp(method, "DELETE"))
        return refuse(e, 405, "GET, HEAD, POST or DELETE");
    authorization = aisp_http_header(request, "Authorization");
    given = authorization ? aisp_http_bearer(authorization) : NULL;
    request->has_token = given && http->token && aisp_http_token_is(http->token, given);
    if (given && !request->has_token)
        return refuse(e, 401, "another token");
    if (!request->has_token && (!reads || (http->options.always_token && !is_one_of(request->path, http->options.open_path))))
        return refuse(e, 401, "needs \"Authorization: Bearer TOKEN\", the token that was printed when the server started");
    return true;
}

/* ---- the life of a request ---- */

static void fill(struct exchange *e, const char *method)
{
    struct aisp_http_request *r = &e->request;

    r->method = !strcmp(method, "HEAD") ? "GET" : method;
    r->path = e->target.path ? e->target.path : "";
    r->name = e->target.name;
    r->value = e->target.value;
    r->n = e->target.n;
    r->body = "";
    r->wants_gzip = aisp_http_takes_gzip(aisp_http_header(r, "Accept-Encoding"));
}

/* All of it is here: ask the handler, and let the client wait if there is no answer at once. A server that stops asks no more:
 * nobody would answer, and who waits keeps the daemon from ending. */
static enum MHD_Result ask(struct exchange *e)
{
    if (e->body.s) {
        e->request.body = e->body.s;
        e->request.body_len = e->body.len;
    }
    e->is_inside = true;
    if (e->http->is_stopping)
        aisp_http_problem(&e->request, 503, "the server stops");
    else
        e->http->options.handle(e->http->options.context, &e->request);
    e->is_inside = false;
    if (e->answer) {
        const enum MHD_Result result = aisp_http_queue(e);

        e->link->stream = e->stream;
        if (e->stream)
            e->link->stage = HAS_STREAM;
        return result;
    }
    AISP_LINK(e->http->waiting, e);
    e->http->counts.waiting++;
    e->link->stage = WAITS;
    MHD_suspend_connection(e->connection);
    return MHD_YES;
}

static enum MHD_Result take(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *data, size_t *n_data, void **request)
{
    struct exchange *e = *request;
    struct aisp_http *http = context;

    (void)connection;
    (void)url;
    (void)version;
    if (!e->is_begun) {
        e->is_begun = true;
        fill(e, method);
        e->is_inside = true;
        if (http->is_stopping)
            aisp_http_problem(&e->request, 503, "the server stops");
        else if (passes(e, method)) {
            e->is_inside = false;
            return MHD_YES;
        }
        e->is_inside = false;
        return aisp_http_queue(e);
    }
    if (*n_data) {
        if (e->body.len + *n_data > http->options.most_body)
            return MHD_NO;                   /* in chunks, so that nothing could be said before */
        aisp_buf_add(&e->body, data, *n_data);
        *n_data = 0;
        return MHD_YES;
    }
    return e->answer ? aisp_http_queue(e) : ask(e);
}

/* ---- connections ---- */

static void come_or_go(void *context, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode what)
{
    struct aisp_http *http = context;
    struct link *link = *slot;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        *slot = link = aisp_xcalloc(1, sizeof *link);
        link->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        link->since_ms = aisp_http_now_ms();
        AISP_LINK(http->links, link);
        http->counts.connections++;
    } else if (link) {
        AISP_UNLINK(http->links, link);
        http->counts.connections--;
        free(link);
        *slot = NULL;
    }
}

/* The client has closed, and nothing it said is unread. The daemon does not see that if it came together with what was said. */
static bool has_left(const struct link *link)
{
    char byte;
    const ssize_t n = recv(link->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

static bool is_too_slow(const struct link *link, int64_t now_ms)
{
    return (link->stage == READS_REQUEST && now_ms - link->since_ms > REQUEST_MS) ||
           (link->stage == IS_ANSWERED && now_ms - link->since_ms > ANSWER_MS);
}

/* Once a second; those that say nothing more often when most places are taken. */
static int sweep_ms(const struct aisp_http *http)
{
    const int n_idle = http->counts.connections - http->counts.streams;

    return n_idle > (http->options.most_connections - http->options.most_streams) / 2 ? SWEEP_MS / 10 : SWEEP_MS;
}

static void sweep(struct aisp_http *http)
{
    const int64_t now_ms = aisp_http_now_ms();
    const bool all = now_ms - http->swept_all_ms >= SWEEP_MS;

    if (now_ms - http->swept_ms < sweep_ms(http))
        return;
    http->swept_ms = now_ms;
    if (all)
        http->swept_all_ms = now_ms;
    aisp_http_streams_beat(http, false);
    for (struct link *l = http->links; l; l = l->next) {
        const bool may_leave = l->stage == READS_REQUEST || (all && l->stage == HAS_STREAM);

        if (!is_too_slow(l, now_ms) && !(may_leave && has_left(l)))
            continue;
        shutdown(l->fd, SHUT_RDWR);
        if (l->stage == HAS_STREAM) {
            l->stream->has_left = true;
            aisp_http_stream_wake(l->stream);
        }
    }
}

/* In a child, before it does anything: what a client is told by the parent's closing must not wait for a child's end. */
static void close_in_child(void)
{
    struct aisp_http *http = live;

    live = NULL;
    if (!http)
        return;
    for (struct link *l = http->links; l; l = l->next)
        close(l->fd);
    if (http->listen_fd >= 0)
        close(http->listen_fd);
    close(http->fd);
}

/* ---- the server ---- */

union address { struct sockaddr any; struct sockaddr_in v4; struct sockaddr_in6 v6; };

static enum aisp_status read_address(const char *text, int port, union address *to, bool *is_loopback, struct aisp_err *err)
{
    *to = (union address){ 0 };
    if (inet_pton(AF_INET, text, &to->v4.sin_addr) == 1) {
        to->v4.sin_family = AF_INET;
        to->v4.sin_port = htons((uint16_t)port);
        *is_loopback = ntohl(to->v4.sin_addr.s_addr) >> 24 == 127;
        return AISP_OK;
    }
    if (inet_pton(AF_INET6, text, &to->v6.sin6_addr) == 1) {
        to->v6.sin6_family = AF_INET6;
        to->v6.sin6_port = htons((uint16_t)port);
        *is_loopback = IN6_IS_ADDR_LOOPBACK(&to->v6.sin6_addr);
        return AISP_OK;
    }
    return aisp_fail(err, AISP_E_USAGE, "\"%s\" is no address: 127.0.0.1, ::1, 0.0.0.0 or one of this machine", text);
}

static enum aisp_status open_socket(struct aisp_http *http, const char *text, struct aisp_err *err)
{
    union address address;
    socklen_t n = sizeof address;
    const int on = 1;
    const char *shown = text;
    enum aisp_status st = read_address(text, http->options.port, &address, &http->is_loopback, err);

    if (st)
        return st;
    http->listen_fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (http->listen_fd < 0)
        return aisp_fail_errno(err, AISP_E_IO, "no socket");
    setsockopt(http->listen_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    n = address.any.sa_family == AF_INET ? sizeof address.v4 : sizeof address.v6;
    if (bind(http->listen_fd, &address.any, n) || listen(http->listen_fd, 1024) ||
        getsockname(http->listen_fd, &address.any, &n))
        return aisp_fail_errno(err, AISP_E_IO, "%s, port %d", text, http->options.port);
    http->port = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    if (!strcmp(text, "0.0.0.0") || !strcmp(text, "::"))
        shown = address.any.sa_family == AF_INET ? "127.0.0.1" : "::1";
    http->url =
        strchr(shown, ':') ? aisp_format("http://[%s]:%d", shown, http->port) : aisp_format("http://%s:%d", shown, http->port);
    return AISP_OK;
}

/* Each client is an open file; more than usual have to be allowed. */
static void allow_files(int n_connections)
{
    struct rlimit limit;
    const rlim_t want = (rlim_t)n_connections + OWN_FILES;

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= want)
        return;
    limit.rlim_cur = limit.rlim_max < want ? limit.rlim_max : want;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static enum aisp_status start_daemon(struct aisp_http *http, struct aisp_err *err)
{
    const union MHD_DaemonInfo *info;

    http->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, take, http,
                                    MHD_OPTION_LISTEN_SOCKET, http->listen_fd,
                                    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                                    MHD_OPTION_CONNECTION_LIMIT, (unsigned)http->options.most_connections,
                                    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                                    MHD_OPTION_URI_LOG_CALLBACK, begin, http, MHD_OPTION_NOTIFY_COMPLETED, end, http,
                                    MHD_OPTION_NOTIFY_CONNECTION, come_or_go, http, MHD_OPTION_END);
    info = http->daemon ? MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
    if (!info)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "libmicrohttpd does not start here");
    http->fd = info->epoll_fd;
    return AISP_OK;
}

static void release(struct aisp_http *http)
{
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    else if (http->listen_fd >= 0)
        close(http->listen_fd);
    free(http->token);
    free(http->url);
    free(http);
}

enum aisp_status aisp_http_start(struct aisp_http **http, const struct aisp_http_options *options, struct aisp_err *err)
{
    static bool is_watched;
    const char *address = options->listen ? options->listen : "127.0.0.1";
    struct aisp_http *h = aisp_xcalloc(1, sizeof *h);
    enum aisp_status st;

    *http = NULL;
    *h = (struct aisp_http){ .options = *options, .listen_fd = -1, .fd = -1 };
    h->token = options->token ? aisp_xstrdup(options->token) : NULL;
    h->options.most_body = options->most_body ? options->most_body : MOST_BODY;
    h->options.most_connections = options->most_connections ? options->most_connections : MOST_CONNECTIONS;
    h->options.most_streams = options->most_streams ? options->most_streams : MOST_STREAMS;
    AISP_TRY(aisp_microhttpd_load(err));
    AISP_TRY(open_socket(h, address, err));
    h->options.always_token |= !h->is_loopback;
    if (h->options.always_token && !h->token)
        AISP_TRY(aisp_fail(err, AISP_E_USAGE, "listening on %s needs a token", address));
    allow_files(h->options.most_connections);
    AISP_TRY(start_daemon(h, err));
    if (!is_watched)
        pthread_atfork(NULL, NULL, close_in_child);
    is_watched = true;
    *http = live = h;
out:
    if (st)
        release(h);
    return st;
}

int aisp_http_port(const struct aisp_http *http) { return http->port; }
const char *aisp_http_url(const struct aisp_http *http) { return http->url; }
bool aisp_http_is_loopback(const struct aisp_http *http) { return http->is_loopback; }
int aisp_http_fd(const struct aisp_http *http) { return http->fd; }
void aisp_http_count(const struct aisp_http *http, struct aisp_http_counts *counts) { *counts = http->counts; }

int aisp_http_timeout_ms(const struct aisp_http *http)
{
    MHD_UNSIGNED_LONG_LONG ms;

    if (http->is_resumed)
        return 0;
    return MHD_get_timeout(http->daemon, &ms) == MHD_YES && ms < (unsigned)sweep_ms(http) ? (int)ms : sweep_ms(http);
}

void aisp_http_work(struct aisp_http *http)
{
    http->is_resumed = false;
    MHD_run(http->daemon);
    sweep(http);
}

static bool is_busy(const struct aisp_http *http)
{
    for (const struct link *l = http->links; l; l = l->next)
        if (l->stage != READS_REQUEST)
            return true;
    return false;
}

void aisp_http_stop(struct aisp_http *http, int grace_ms)
{
    const int64_t until_ms = aisp_http_now_ms() + grace_ms;

    if (!http)
        return;
    http->is_stopping = true;
    if (http->listen_fd >= 0 && MHD_quiesce_daemon(http->daemon) >= 0)
        close(http->listen_fd);
    http->listen_fd = -1;
    while (http->waiting)
        aisp_http_problem(&http->waiting->request, 503, "the server stops");
    aisp_http_streams_beat(http, true);
    MHD_run(http->daemon);
    while (is_busy(http) && aisp_http_now_ms() < until_ms) {
        struct pollfd fd = { http->fd, POLLIN, 0 };
        const int ms = aisp_http_timeout_ms(http);

        poll(&fd, 1, ms < 50 ? ms : 50);
        MHD_run(http->daemon);
    }
    live = NULL;
    release(http);
}

#else
typedef int aisp_no_http; /* a file is never empty */
#endif
