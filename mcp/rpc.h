/* rpc.h - JSON-RPC 2.0 messages: one text into its parts, and answers.
 * Not here: what methods mean (server.c), and how messages travel (stdio.c, http.c).
 * An error answers no request, and has no id, where the id could not be read: MCP's schema has no null there. */
#ifndef AISP_MCP_RPC_H
#define AISP_MCP_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    AISP_RPC_PARSE_ERROR = -32700,
    AISP_RPC_INVALID_REQUEST = -32600,
    AISP_RPC_METHOD_NOT_FOUND = -32601,
    AISP_RPC_INVALID_PARAMS = -32602,
    AISP_RPC_INTERNAL_ERROR = -32603,
    AISP_RPC_HEADER_MISMATCH = -32020,       /* MCP's own: HTTP headers and body disagree */
    AISP_RPC_UNSUPPORTED_VERSION = -32022,   /* MCP's own: its data lists what is supported */
};

enum aisp_rpc_kind { AISP_RPC_REQUEST, AISP_RPC_NOTIFICATION, AISP_RPC_RESPONSE };

struct aisp_rpc {
    enum aisp_rpc_kind kind;
    json_t *message;              /* owned; what follows is part of it */
    const json_t *id;             /* of a request: a string or an integer */
    const char *method;           /* NULL: a response */
    const json_t *params;         /* an object, or NULL */
};

/* NULL: *rpc is filled, and the caller releases it. Else the error to answer with; *rpc is empty. */
json_t *aisp_rpc_read(const char *text, size_t n, struct aisp_rpc *rpc);
void aisp_rpc_release(struct aisp_rpc *rpc);

/* Messages to send. Results, parameters and data are taken over. `id` NULL: none could be read. */
json_t *aisp_rpc_result(const json_t *id, json_t *result);
json_t *aisp_rpc_error(const json_t *id, int code, const char *text, json_t *data);
json_t *aisp_rpc_notification(const char *method, json_t *params);

#endif
