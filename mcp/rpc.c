/* rpc.c - what is a message, and what is none. */
#include "mcp/rpc.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/err.h"

static json_t *made(json_t *message)
{
    if (!message)
        AISP_BUG("a message that is no JSON");
    return message;
}

/* A text that was cut may end within a character. */
static json_t *text_of(const char *text)
{
    json_t *whole = json_string(text);
    char *bytes;

    if (whole)
        return whole;
    bytes = aisp_xstrdup(text);
    for (char *c = bytes; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    whole = json_string(bytes);
    free(bytes);
    return whole;
}

json_t *aisp_rpc_result(const json_t *id, json_t *result)
{
    return made(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

json_t *aisp_rpc_error(const json_t *id, int code, const char *text, json_t *data)
{
    json_t *error = json_pack("{s:i, s:o, s:o*}", "code", code, "message", text_of(text), "data", data);

    return made(json_pack("{s:s, s:O*, s:o}", "jsonrpc", "2.0", "id", id, "error", error));
}

json_t *aisp_rpc_notification(const char *method, json_t *params)
{
    return made(json_pack("{s:s, s:s, s:o*}", "jsonrpc", "2.0", "method", method, "params", params));
}

static bool is_id(const json_t *id)
{
    return json_is_string(id) || json_is_integer(id);
}

/* NULL: it is well formed. */
static const char *fault_of(const json_t *message)
{
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");

    if (json_is_array(message))
        return "batches are not taken: one message at a time";
    if (!json_is_object(message))
        return "a message is an object";
    if (!version || strcmp(version, "2.0"))
        return "\"jsonrpc\" is not \"2.0\"";
    if (id && !is_id(id))
        return "\"id\" is neither a string nor an integer";
    if (json_object_get(message, "result") || json_object_get(message, "error"))
        return NULL;
    if (!json_is_string(json_object_get(message, "method")))
        return "\"method\" is not a string";
    if (params && !json_is_object(params))
        return "\"params\" is not an object";
    return NULL;
}

json_t *aisp_rpc_read(const char *text, size_t n, struct aisp_rpc *rpc)
{
    json_error_t error;
    json_t *message = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error), *answer;
    const char *fault;

    *rpc = (struct aisp_rpc){ .message = NULL };
    if (!message) {
        char *what = aisp_format("no JSON: %s, at byte %d", error.text, error.position);

        answer = aisp_rpc_error(NULL, AISP_RPC_PARSE_ERROR, what, NULL);
        free(what);
        return answer;
    }
    fault = fault_of(message);
    rpc->id = json_object_get(message, "id");
    if (fault) {
        answer = aisp_rpc_error(is_id(rpc->id) ? rpc->id : NULL, AISP_RPC_INVALID_REQUEST, fault, NULL);
        *rpc = (struct aisp_rpc){ .message = NULL };
        json_decref(message);
        return answer;
    }
    rpc->message = message;
    rpc->method = json_string_value(json_object_get(message, "method"));
    rpc->params = json_object_get(message, "params");
    rpc->kind = !rpc->method ? AISP_RPC_RESPONSE : rpc->id ? AISP_RPC_REQUEST : AISP_RPC_NOTIFICATION;
    return NULL;
}

void aisp_rpc_release(struct aisp_rpc *rpc)
{
    json_decref(rpc->message);
    *rpc = (struct aisp_rpc){ .message = NULL };
}
