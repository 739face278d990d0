/* http.c - Streamable HTTP: each message is a POST to /mcp, answered by one JSON object, or by a stream of events where there is
 * something to tell before the answer.
 * Not here: Host, Origin, the token, sizes and times (doors/http.h).
 * No session is kept. A client of the older protocol gets an id, which it repeats and which tells its requests from those of
 * others; who speaks the newer one cancels by closing the stream. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "commands/command.h"
#include "doors/http.h"
#include "mcp/mcp.h"

#define META "io.modelcontextprotocol/"
#define PATH "/mcp"

enum { MOST_FDS = 64, TICK_MS = 1000, GRACE_MS = 3000, LONGEST_SESSION = 128, MOST_PENDING = 1 << 20 };

/* One POST until it is answered. */
struct exchange {
    struct aisp_mcp *mcp;
    struct aisp_http_request *request;       /* NULL: answered, or a stream */
    struct aisp_http_stream *stream;
    struct aisp_buf out;
    bool is_done, is_modern;
    char new_session[AISP_HTTP_TOKEN_SIZE];  /* "": none was given */
};

/* ---- answers ---- */

static int status_of(const struct exchange *e, const json_t *message)
{
    switch (json_integer_value(json_object_get(json_object_get(message, "error"), "code"))) {
    case AISP_RPC_PARSE_ERROR:
    case AISP_RPC_INVALID_REQUEST:
    case AISP_RPC_HEADER_MISMATCH:
    case AISP_RPC_UNSUPPORTED_VERSION:
        return 400;
    case AISP_RPC_METHOD_NOT_FOUND:
        return e->is_modern ? 404 : 200;
    default:
        return 200;
    }
}

static char *text_of(const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(9));

    if (!text)
        AISP_BUG("a message that is no JSON");
    return text;
}

static void send_json(struct exchange *e, int status, const json_t *message)
{
    char *text = text_of(message);
    struct aisp_http_answer *answer = aisp_http_answer_new(status, "application/json", text, strlen(text));

    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    if (*e->new_session)
        aisp_http_answer_header(answer, "Mcp-Session-Id", e->new_session);
    aisp_http_send_once(e->request, answer);
    e->request = NULL;
    e->is_done = true;
    free(text);
}

/* ---- streams ---- */

static ssize_t more(void *context, char *to, size_t room)
{
    struct exchange *e = context;
    const size_t n = e->out.len < room ? e->out.len : room;

    if (!n)
        return e->is_done ? -1 : 0;
    memcpy(to, e->out.s, n);
    e->out.len -= n;
    memmove(e->out.s, e->out.s + n, e->out.len);
    return (ssize_t)n;
}

static void exchange_free(struct exchange *e)
{
    aisp_buf_release(&e->out);
    free(e);
}

static void gone(void *context)
{
    struct exchange *e = context;

    if (!e->is_done)
        aisp_mcp_call_abandon(e->mcp, e);
    exchange_free(e);
}

/* False: there are too many; the client was told. */
static bool open_stream(struct exchange *e)
{
    struct aisp_http_request *request = e->request;

    e->request = NULL;
    return aisp_http_stream_open(request, more, gone, e, &e->stream);
}

static void send_message(void *context, const json_t *message, bool is_last)
{
    struct exchange *e = context;
    char *text;

    if (!e->stream && is_last) {
        if (message)
            send_json(e, status_of(e, message), message);
        else
            aisp_http_problem(e->request, 409, "the request was cancelled");
        exchange_free(e);
        return;
    }
    if (!e->stream && !open_stream(e)) {
        aisp_mcp_call_abandon(e->mcp, e);
        exchange_free(e);
        return;
    }
    e->is_done = is_last;
    if (message && (is_last || e->out.len < MOST_PENDING)) {
        text = text_of(message);
        aisp_buf_printf(&e->out, "event: message\ndata: %s\n\n", text);
        free(text);
    }
    aisp_http_stream_wake(e->stream);
}

/* ---- headers that repeat what the body says ---- */

/* "=?base64?...?=" is decoded. Caller frees; NULL: it is no text. */
static char *decoded(const char *value)
{
    static const char head[] = "=?base64?", tail[] = "?=";
    const size_t n = strlen(value), h = sizeof head - 1, t = sizeof tail - 1;
    char *text;
    size_t length;

    if (n < h + t || strncmp(value, head, h) || strcmp(value + n - t, tail))
        return aisp_xstrdup(value);
    text = aisp_xcalloc(1, n);
    if (sodium_base642bin((unsigned char *)text, n - 1, value + h, n - h - t, NULL, &length, NULL,
                          sodium_base64_VARIANT_ORIGINAL) ||
        strlen(text) != length) {
        free(text);
        return NULL;
    }
    return text;
}

/* False: *what says which header is missing or says something else. */
static bool header_is(const struct aisp_http_request *request, const char *name, const char *expected, char what[200])
{
    const char *given = aisp_http_header(request, name);
    char *value = given ? decoded(given) : NULL;
    const bool is_same = value && expected && !strcmp(value, expected);

    if (!is_same)
        snprintf(what, 200, "Header mismatch: %s is %s", name, given ? "not what the body says" : "missing");
    free(value);
    return is_same;
}

static bool headers_agree(const struct aisp_http_request *request, const struct aisp_rpc *rpc, char what[200])
{
    static const struct { const char *method, *member; } named[] = { { "tools/call", "name" }, { "resources/read", "uri" },
                                                                     { "prompts/get", "name" } };
    const json_t *version = json_object_get(json_object_get(rpc->params, "_meta"), META "protocolVersion");

    if (!header_is(request, "MCP-Protocol-Version", json_string_value(version), what) ||
        !header_is(request, "Mcp-Method", rpc->method, what))
        return false;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strcmp(named[i].method, rpc->method))
            return header_is(request, "Mcp-Name", json_string_value(json_object_get(rpc->params, named[i].member)), what);
    return true;
}

static bool is_legacy(const char *version)
{
    for (size_t i = 0; aisp_mcp_legacy[i]; i++)
        if (!strcmp(aisp_mcp_legacy[i], version))
            return true;
    return !strcmp(version, "2025-03-26");   /* what a client without the header is taken for */
}

/* NULL: the headers go with the message. */
static json_t *check(const struct aisp_http_request *request, const struct aisp_rpc *rpc)
{
    const char *version = aisp_http_header(request, "MCP-Protocol-Version");
    const json_t *meta = json_object_get(rpc->params, "_meta");
    char what[200];

    if (rpc->kind != AISP_RPC_REQUEST)
        return NULL;
    if (json_object_get(meta, META "protocolVersion") || (version && !strcmp(version, AISP_MCP_MODERN))) {
        if (!json_is_object(json_object_get(meta, META "clientCapabilities")))
            return aisp_rpc_error(rpc->id, AISP_RPC_INVALID_PARAMS, "_meta has no object \"" META "clientCapabilities\"", NULL);
        return headers_agree(request, rpc, what) ? NULL : aisp_rpc_error(rpc->id, AISP_RPC_HEADER_MISMATCH, what, NULL);
    }
    if (version && !is_legacy(version))
        return aisp_rpc_error(rpc->id, AISP_RPC_UNSUPPORTED_VERSION, "Unsupported protocol version",
                              json_pack("{s:[s, s, s], s:s}", "supported", AISP_MCP_MODERN, aisp_mcp_legacy[0],
                                        aisp_mcp_legacy[1], "requested", version));
    return NULL;
}

/* ---- one POST ---- */

/* What tells this client's requests from others': the id it was given, or one for this request alone. */
static void session_of(const struct aisp_http_request *request, const struct exchange *e, char session[LONGEST_SESSION + 1])
{
    static int64_t n;
    const char *given = e->is_modern ? NULL : aisp_http_header(request, "Mcp-Session-Id");

    if (given && strlen(given) <= LONGEST_SESSION)
        snprintf(session, LONGEST_SESSION + 1, "%s", given);
    else
        snprintf(session, LONGEST_SESSION + 1, "#%lld", (long long)++n);
}

static void accepted(struct aisp_http_request *request)
{
    aisp_http_send_once(request, aisp_http_answer_new(202, "application/json", "", 0));
}

/* A long command is a stream from the beginning: only there is it seen that the client has left. */
static void stream_if_long(struct aisp_mcp *mcp, const json_t *id, const char *session)
{
    const struct aisp_mcp_call *call = aisp_mcp_call_find(mcp, id, session);
    struct exchange *e = call ? call->channel.context : NULL;     /* gone where nobody waits: send is NULL then */

    if (!call || !call->channel.send || !(call->command->flags & AISP_CMD_LONG) || e->stream || open_stream(e))
        return;
    aisp_mcp_call_abandon(mcp, e);
    exchange_free(e);
}

static void take(struct aisp_mcp *mcp, struct aisp_http_request *request, const struct aisp_rpc *rpc)
{
    struct exchange *e = aisp_xcalloc(1, sizeof *e);
    const struct aisp_mcp_channel channel = { send_message, e };
    char session[LONGEST_SESSION + 1];
    json_t *error = check(request, rpc);

    *e = (struct exchange){ .mcp = mcp, .request = request };
    e->is_modern = json_object_get(json_object_get(rpc->params, "_meta"), META "protocolVersion") != NULL;
    if (error) {
        send_json(e, 400, error);
        json_decref(error);
        exchange_free(e);
        return;
    }
    session_of(request, e, session);
    if (rpc->kind != AISP_RPC_REQUEST) {     /* nothing is answered to it */
        aisp_mcp_take(mcp, request->body, request->body_len, session, channel);
        accepted(request);
        exchange_free(e);
        return;
    }
    if (!e->is_modern && !strcmp(rpc->method, "initialize"))
        aisp_http_token_make(e->new_session);
    aisp_mcp_take(mcp, request->body, request->body_len, session, channel);
    stream_if_long(mcp, rpc->id, session);
}

static void post(struct aisp_mcp *mcp, struct aisp_http_request *request)
{
    const char *type = aisp_http_header(request, "Content-Type");
    struct exchange e = { .request = request };
    struct aisp_rpc rpc;
    json_t *error;

    if (!type || strncmp(type, "application/json", 16)) {
        aisp_http_problem(request, 415, "a message is application/json");
        return;
    }
    error = aisp_rpc_read(request->body, request->body_len, &rpc);
    if (error)
        send_json(&e, 400, error);
    else
        take(mcp, request, &rpc);
    json_decref(error);
    aisp_rpc_release(&rpc);
}

static void handle(void *context, struct aisp_http_request *request)
{
    struct aisp_http_answer *answer;

    if (strcmp(request->path, PATH)) {
        aisp_http_problem(request, 404, "there is only " PATH);
    } else if (strcmp(request->method, "POST")) {
        answer = aisp_http_answer_new(405, "text/plain", "POST one message\n", 17);
        aisp_http_answer_header(answer, "Allow", "POST");
        aisp_http_send_once(request, answer);
    } else {
        post(context, request);
    }
}

/* ---- the server ---- */

static void serve(struct aisp_mcp *mcp, struct aisp_http *http, const volatile int *stop)
{
    while (!stop || !*stop) {
        struct pollfd fd[MOST_FDS] = { { aisp_http_fd(http), POLLIN, 0 } };
        const size_t n = 1 + aisp_mcp_fds(mcp, fd + 1, MOST_FDS - 1);
        const int timeout = aisp_http_timeout_ms(http);

        poll(fd, (nfds_t)n, timeout < 0 || timeout > TICK_MS ? TICK_MS : timeout);
        aisp_http_work(http);
        aisp_mcp_work(mcp);
    }
    for (struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (!call->is_cancelled)
            aisp_mcp_call_cancel(call);
    aisp_http_stop(http, GRACE_MS);
}

enum aisp_status aisp_mcp_http(struct aisp_mcp *mcp, const struct aisp_request *request)
{
    const char *file = aisp_args_text(request->args, "token-file");
    char token[AISP_HTTP_TOKEN_SIZE];
    struct aisp_http_options options = {
        .port = (int)aisp_args_integer(request->args, "port"),
        .token = token,
        .always_token = true,
        .most_body = AISP_MCP_MOST_BYTES,
        .handle = handle,
        .context = mcp,
    };
    struct aisp_http *http;
    enum aisp_status st;

    AISP_TRY(aisp_http_token(file, token, request->err));
    AISP_TRY(aisp_http_start(&http, &options, request->err));
    mcp->is_initialized = true;              /* each client is for itself */
    aisp_note(request, "%s" PATH " with the header Authorization: Bearer %s; interrupt to stop", aisp_http_url(http),
              file ? "and the token of the file" : token);
    serve(mcp, http, request->console ? request->console->stop : NULL);
out:
    explicit_bzero(token, sizeof token);
    return st;
}
