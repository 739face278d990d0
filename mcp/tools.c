/* tools.c - a tool for each command that is offered: what it is for, what it takes, and how its answer looks.
 * The text of a result is what the command line prints, its structured content what the command line prints with --json. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "mcp/mcp.h"

enum { MOST_ANSWER = 16 << 20 };             /* bytes of text; more is of no use to anybody who asks in this way */

/* ---- the list ---- */

static void look_at_options(const struct aisp_command *command, bool *writes, bool *runs_code)
{
    for (const struct aisp_option *o = command->option; o && o->name; o++) {
        *writes |= o->writes;
        *runs_code |= o->runs_code;
    }
}

/* A run adds a record and takes nothing away; what writes may overwrite. */
static json_t *annotations_of(const struct aisp_command *command, enum aisp_ask_right right)
{
    bool writes = command->flags & AISP_CMD_WRITES, runs_code = command->flags & AISP_CMD_RUNS_CODE, only_reads;

    if (right == AISP_ASK_RUN)
        look_at_options(command, &writes, &runs_code);
    only_reads = !writes && !runs_code;
    return json_pack("{s:s, s:b, s:b, s:b, s:b}", "title", command->path, "readOnlyHint", only_reads, "destructiveHint", writes,
                     "idempotentHint", only_reads, "openWorldHint", 0);
}

static json_t *description_of(const struct aisp_command *command)
{
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *value;

    aisp_buf_printf(&text, "%s.", command->sentence);
    if (command->flags & AISP_CMD_LONG)
        aisp_buf_puts(&text, " May take minutes; reports progress and can be cancelled.");
    aisp_buf_printf(&text, "\nThe same on a command line, for example:\n%s", command->example);
    value = json_string(text.s);
    aisp_buf_release(&text);
    return value;
}

static json_t *tool_of(const struct aisp_command *command, enum aisp_ask_right right)
{
    struct aisp_buf name = AISP_BUF_INIT;
    json_t *tool;

    aisp_ask_name(command, '_', &name);
    tool = json_pack("{s:s, s:s, s:o, s:o, s:{s:s}, s:o, s:{s:s, s:b}}", "name", name.s, "title", command->path, "description",
                     description_of(command), "inputSchema", aisp_ask_schema(command, right), "outputSchema", "type", "object",
                     "annotations", annotations_of(command, right), "_meta", "aisp/command", command->path, "aisp/long",
                     (command->flags & AISP_CMD_LONG) != 0);
    if (!tool)
        AISP_BUG("a tool that is no JSON: %s", command->path);
    aisp_buf_release(&name);
    return tool;
}

json_t *aisp_mcp_tools_list(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const struct aisp_command **all;
    json_t *tools;
    size_t n;

    if (json_object_get(ask->params, "cursor"))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "no such cursor: the tools are one page");
    tools = json_array();
    all = aisp_commands_sorted(&n);
    for (size_t i = 0; i < n; i++)
        if (aisp_ask_offered(all[i], mcp->right))
            json_array_append_new(tools, tool_of(all[i], mcp->right));
    free(all);
    return json_pack("{s:o}", "tools", tools);
}

/* ---- results ---- */

static void add_text(json_t *content, const char *text)
{
    json_t *value = json_string(text);

    json_array_append_new(content, json_pack("{s:s, s:o}", "type", "text", "text", value ? value : json_string("(no UTF-8)")));
}

static json_t *failed(const char *text, int exit_code)
{
    json_t *content = json_array();

    add_text(content, text);
    return json_pack("{s:o, s:b, s:{s:i}}", "content", content, "isError", 1, "_meta", "aisp/exit", exit_code);
}

static const char *meaning_of(int exit_code)
{
    switch (exit_code) {
    case AISP_EXIT_INVALID:
        return "exit code 3: a variant was wrong, refused or crashed; what follows from the rest stands";
    case AISP_EXIT_GATE:
        return "exit code 4: the gate is not passed";
    case AISP_EXIT_NOTHING:
        return "exit code 5: nothing of what was asked can run here";
    case AISP_EXIT_STORE:
        return "exit code 1: the store, the disk or a permission failed";
    case AISP_EXIT_INTERRUPTED:
        return "exit code 130: interrupted";
    default:
        return NULL;
    }
}

static json_t *content_of(const struct aisp_mcp_call *call)
{
    const struct aisp_answer *answer = &call->job.answer;
    const char *meaning = meaning_of(answer->exit_code);
    char *compact = answer->text ? NULL : json_dumps(answer->value, JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_ENCODE_ANY);
    json_t *content = json_array(), *note;
    size_t i;

    add_text(content, answer->text ? answer->text : compact);
    free(compact);
    json_array_foreach(call->notes, i, note)
        add_text(content, json_string_value(note));
    if (meaning)
        add_text(content, meaning);
    return content;
}

static json_t *finish(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    const struct aisp_answer *answer = &call->job.answer;
    json_t *result;

    (void)mcp;
    (void)fault;
    if (!answer->value)
        return failed(answer->error ? answer->error : "the command gave no answer", answer->exit_code);
    if (json_dumpb(answer->value, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_ENCODE_ANY) > MOST_ANSWER)
        return failed("the answer has over 16 MiB; ask for less: fewer targets, a limit, one result", answer->exit_code);
    result = json_pack("{s:o, s:b, s:{s:i}}", "content", content_of(call), "isError", 0, "_meta", "aisp/exit", answer->exit_code);
    if (json_is_object(answer->value))
        json_object_set(result, "structuredContent", answer->value);
    return result;
}

/* ---- calls ---- */

static json_t *unknown(const struct aisp_mcp *mcp, const char *name, struct aisp_mcp_fault *fault)
{
    if (mcp->right != AISP_ASK_RUN && aisp_ask_find(name, '_', AISP_ASK_RUN))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "Tool %s runs code or writes, and this server only reads: it was "
                             "started without --allow-run", name);
    return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "Unknown tool: %s", name);
}

/* What is wrong with a tool's arguments is told as its result, from which a model can learn; what is wrong with the request, as
 * an error of the protocol. */
json_t *aisp_mcp_tools_call(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const json_t *arguments = json_object_get(ask->params, "arguments");
    const char *name = aisp_mcp_string(ask, "name", fault);
    const struct aisp_command *command;
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    bool is_wrong;

    if (!name)
        return NULL;
    if (arguments && !json_is_object(arguments))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"arguments\" is not an object");
    command = aisp_ask_find(name, '_', mcp->right);
    if (!command)
        return unknown(mcp, name, fault);
    is_wrong = aisp_ask_words(command, arguments, mcp->right, &words, &err) != AISP_OK;
    aisp_words_release(&words);
    if (is_wrong)
        return failed(err.text, AISP_EXIT_USAGE);
    aisp_mcp_call_begin(mcp, ask, command, arguments, AISP_JOB_WANTS_VALUE | AISP_JOB_WANTS_TEXT, finish, fault);
    return NULL;
}
