/* rpc_fuzz.c - any bytes that a client of `mcp serve` sends, a message a line: each is answered once at most, by a well-formed
 * message, and no command is begun that does not only read. Commands that were asked for are not started here. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "mcp/mcp.h"

static void check_answer(void *context, const json_t *message, bool is_last)
{
    int *n_answers = context;
    const json_t *error = json_object_get(message, "error"), *id = json_object_get(message, "id");
    char *text = json_dumps(message, JSON_COMPACT);

    if (!text || strchr(text, '\n') || !is_last || ++*n_answers > 1)
        abort();
    if (!error == !json_object_get(message, "result") || (!error && !id) || (id && !json_is_string(id) && !json_is_integer(id)))
        abort();
    if (error && (!json_is_integer(json_object_get(error, "code")) || !json_string_length(json_object_get(error, "message"))))
        abort();
    free(text);
}

static void check_calls(const struct aisp_mcp *mcp)
{
    for (const struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (call->command->flags & (AISP_CMD_RUNS_CODE | AISP_CMD_WRITES | AISP_CMD_TERMINAL))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct aisp_mcp mcp;

    aisp_mcp_init(&mcp, AISP_ASK_READ);
    mcp.is_initialized = n & 1;
    while (n) {
        const uint8_t *end = memchr(data, '\n', n);
        const size_t length = end ? (size_t)(end - data) : n;
        int n_answers = 0;
        const struct aisp_mcp_channel channel = { check_answer, &n_answers };

        aisp_mcp_take(&mcp, (const char *)data, length, "", channel);
        for (struct aisp_mcp_call *call = mcp.calls; call; call = call->next)
            call->channel.send = NULL;       /* the counter goes */
        data += length + (end != NULL);
        n -= length + (end != NULL);
    }
    check_calls(&mcp);
    aisp_mcp_release(&mcp);
    return 0;
}
