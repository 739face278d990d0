/* server.c - a message that came: which version it speaks, whether it may be asked now, which method answers it.
 * Not here: the methods (tools.c, resources.c, prompts.c, complete.c). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/version.h"
#include "mcp/mcp.h"

#define META "io.modelcontextprotocol/"

/* 2025-03-26 is not among them: it has batches. */
const char *const aisp_mcp_legacy[] = { "2025-11-25", "2025-06-18", "2024-11-05", NULL };

enum { STABLE_MS = 300000 };                 /* lists that come from the program itself */

static const char instructions[] =
    "aisp proves whether a kernel is faster than its baseline: outputs are verified at secret sizes, inputs change under the "
    "timed calls, and a speedup is printed only if it is real. A verdict is FASTER, SLOWER, SAME or UNSURE, with the ratio and "
    "its "
    "95 % interval; UNSURE means that the measurement cannot tell, and is never to be read as \"a little faster\". A result is "
    "publishable, development (with reasons) or invalid; an invalid one has no speedup, and its finding says why. Never call a "
    "kernel faster that is not FASTER. A target is named like ch07:transpose, a variant like ch07:transpose/optimized_tiled, "
    "and "
    "\"latest\" is the newest run.";
static const char reads_only[] = " This server only reads: whoever wants to measure types the command line in a shell, or starts "
                                 "the server with --allow-run.";
static const char may_run[] = " This server may run code and write: measuring takes minutes, alone on the machine, and reports "
                              "progress.";

json_t *aisp_mcp_fail(struct aisp_mcp_fault *fault, int code, const char *format, ...)
{
    va_list args;

    fault->code = code;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    return NULL;
}

const char *aisp_mcp_string(const struct aisp_mcp_ask *ask, const char *name, struct aisp_mcp_fault *fault)
{
    const char *text = json_string_value(json_object_get(ask->params, name));

    if (!text)
        aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"%s\" is not a string", name);
    return text;
}

/* ---- who we are ---- */

static json_t *server_info(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "aisp", "title", "aisp: is the kernel really faster?", "version", aisp_version());
}

static json_t *capabilities(void)
{
    return json_pack("{s:{}, s:{}, s:{}, s:{}}", "tools", "resources", "prompts", "completions");
}

static json_t *instructions_of(const struct aisp_mcp *mcp)
{
    char *text = aisp_format("%s%s", instructions, mcp->right == AISP_ASK_RUN ? may_run : reads_only);
    json_t *value = json_string(text);

    free(text);
    return value;
}

static json_t *versions(void)
{
    json_t *list = json_pack("[s]", AISP_MCP_MODERN);

    for (size_t i = 0; aisp_mcp_legacy[i]; i++)
        json_array_append_new(list, json_string(aisp_mcp_legacy[i]));
    return list;
}

/* ---- methods of the protocol itself ---- */

static json_t *initialize(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const char *wanted = aisp_mcp_string(ask, "protocolVersion", fault), *agreed = aisp_mcp_legacy[0];

    if (!wanted)
        return NULL;
    for (size_t i = 0; aisp_mcp_legacy[i]; i++)
        if (!strcmp(aisp_mcp_legacy[i], wanted))
            agreed = aisp_mcp_legacy[i];
    mcp->is_initialized = true;
    return json_pack("{s:s, s:o, s:o, s:o}", "protocolVersion", agreed, "capabilities", capabilities(), "serverInfo",
                     server_info(), "instructions", instructions_of(mcp));
}

static json_t *discover(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    (void)ask;
    (void)fault;
    return json_pack("{s:o, s:o, s:o}", "supportedVersions", versions(), "capabilities", capabilities(), "instructions",
                     instructions_of(mcp));
}

static json_t *ping(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    (void)mcp;
    (void)ask;
    (void)fault;
    return json_object();
}

enum { LEGACY = 1, MODERN = 2, BOTH = 3, FIRST = 4 };     /* FIRST: also before initialize */
enum { NOT_CACHED = -1 };

static const struct method {
    const char *name;
    aisp_mcp_method *answer;
    int eras;
    int ttl_ms;                              /* how long clients may keep the result */
} methods[] = {
    { "initialize", initialize, LEGACY | FIRST, NOT_CACHED },
    { "ping", ping, LEGACY | FIRST, NOT_CACHED },
    { "server/discover", discover, MODERN, STABLE_MS },
    { "tools/list", aisp_mcp_tools_list, BOTH, STABLE_MS },
    { "tools/call", aisp_mcp_tools_call, BOTH, NOT_CACHED },
    { "resources/list", aisp_mcp_resources_list, BOTH, 0 },
    { "resources/templates/list", aisp_mcp_resources_templates, BOTH, STABLE_MS },
    { "resources/read", aisp_mcp_resources_read, BOTH, 0 },
    { "prompts/list", aisp_mcp_prompts_list, BOTH, STABLE_MS },
    { "prompts/get", aisp_mcp_prompts_get, BOTH, NOT_CACHED },
    { "completion/complete", aisp_mcp_complete, BOTH, NOT_CACHED },
};

static const struct method *method_of(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}

/* ---- answers ---- */

/* What newer clients find in every result. */
static json_t *sealed(json_t *result, const struct method *method)
{
    json_object_set_new(result, "resultType", json_string("complete"));
    if (method->ttl_ms != NOT_CACHED) {
        json_object_set_new(result, "ttlMs", json_integer(method->ttl_ms));
        json_object_set_new(result, "cacheScope", json_string("private"));
    }
    if (!json_object_get(result, "_meta"))
        json_object_set_new(result, "_meta", json_object());
    json_object_set_new(json_object_get(result, "_meta"), META "serverInfo", server_info());
    return result;
}

void aisp_mcp_answer(const struct aisp_mcp_ask *ask, json_t *result, struct aisp_mcp_fault *fault)
{
    json_t *message = !result ? aisp_rpc_error(ask->id, fault->code, fault->text, fault->data)
                              : aisp_rpc_result(ask->id, ask->is_modern ? sealed(result, method_of(ask->method)) : result);

    if (ask->channel.send)
        ask->channel.send(ask->channel.context, message, true);
    json_decref(message);
}

/* ---- requests ---- */

static json_t *unsupported(struct aisp_mcp_fault *fault, const char *requested)
{
    aisp_mcp_fail(fault, AISP_RPC_UNSUPPORTED_VERSION, "Unsupported protocol version");
    fault->data = json_pack("{s:o, s:s}", "supported", versions(), "requested", requested);
    return NULL;
}

/* Which era a request is of, and whether it says what it must. False: *fault. */
static bool read_era(struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const json_t *meta = json_object_get(ask->params, "_meta"), *version = json_object_get(meta, META "protocolVersion");

    if (meta && !json_is_object(meta))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"_meta\" is not an object");
    ask->is_modern = version || !strcmp(ask->method, "server/discover");
    if (!ask->is_modern)
        return true;
    if (!json_is_string(version))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "_meta has no string \"" META "protocolVersion\"");
    if (strcmp(json_string_value(version), AISP_MCP_MODERN))
        return unsupported(fault, json_string_value(version));
    if (!json_is_object(json_object_get(meta, META "clientCapabilities")))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "_meta has no object \"" META "clientCapabilities\"");
    return true;
}

static json_t *answer(struct aisp_mcp *mcp, struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const struct method *method;

    if (mcp->is_ending)
        return aisp_mcp_fail(fault, AISP_RPC_INTERNAL_ERROR, "the server is stopping");
    if (!read_era(ask, fault))
        return NULL;
    method = method_of(ask->method);
    if (!method || !(method->eras & (ask->is_modern ? MODERN : LEGACY)))
        return aisp_mcp_fail(fault, AISP_RPC_METHOD_NOT_FOUND, "no method \"%s\"", ask->method);
    if (!ask->is_modern && !(method->eras & FIRST) && !mcp->is_initialized)
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_REQUEST,
                             "\"%s\" before \"initialize\", and without a protocol version in its _meta", ask->method);
    if (aisp_mcp_call_find(mcp, ask->id, ask->session))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_REQUEST, "a request of this id is under way");
    ask->method = method->name;
    return method->answer(mcp, ask, fault);
}

static void request(struct aisp_mcp *mcp, const struct aisp_rpc *rpc, const char *session, struct aisp_mcp_channel channel)
{
    struct aisp_mcp_ask ask = { .id = rpc->id, .params = rpc->params, .method = rpc->method, .session = session,
                                .channel = channel };
    struct aisp_mcp_fault fault = { 0 };
    json_t *result;

    mcp->n_requests++;
    result = answer(mcp, &ask, &fault);
    if (result || fault.code)
        aisp_mcp_answer(&ask, result, &fault);
}

/* Those that we do not know, and a cancelled one that has ended or never was, are passed over: that is how notifications are. */
static void notification(struct aisp_mcp *mcp, const struct aisp_rpc *rpc, const char *session)
{
    const json_t *id = json_object_get(rpc->params, "requestId");
    struct aisp_mcp_call *call =
        !strcmp(rpc->method, "notifications/cancelled") && id ? aisp_mcp_call_find(mcp, id, session) : NULL;

    if (call)
        aisp_mcp_call_cancel(call);
}

void aisp_mcp_take(struct aisp_mcp *mcp, const char *text, size_t n, const char *session, struct aisp_mcp_channel channel)
{
    struct aisp_rpc rpc;
    json_t *error = aisp_rpc_read(text, n, &rpc);

    if (error) {
        channel.send(channel.context, error, true);
        json_decref(error);
        return;
    }
    if (rpc.kind == AISP_RPC_REQUEST)
        request(mcp, &rpc, session, channel);
    else if (rpc.kind == AISP_RPC_NOTIFICATION)
        notification(mcp, &rpc, session);
    aisp_rpc_release(&rpc);
}
