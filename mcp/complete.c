/* complete.c - values for what a user is typing into a prompt or an address: runs, targets, variants, guides.
 * First what begins with it, then what has it somewhere. */
#include <string.h>

#include "commands/command.h"
#include "mcp/mcp.h"

enum { MOST_VALUES = 100, LATEST_RUNS = 1000 };

/* What is asked for: "run", "target", "variant", "guide"; NULL after *fault. */
static const char *kind_of(const json_t *params, struct aisp_mcp_fault *fault)
{
    const json_t *ref = json_object_get(params, "ref"), *argument = json_object_get(params, "argument");
    const char *type = json_string_value(json_object_get(ref, "type")), *name = json_string_value(json_object_get(ref, "name")),
               *uri = json_string_value(json_object_get(ref, "uri")),
               *wanted = json_string_value(json_object_get(argument, "name")), *kind = NULL;

    if (!type || !wanted || !json_is_string(json_object_get(argument, "value"))) {
        aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS,
                      "a completion needs ref.type, argument.name and argument.value, all strings");
        return NULL;
    }
    if (!strcmp(type, "ref/prompt") && name)
        kind = aisp_mcp_prompt_argument(name, wanted);
    if (!strcmp(type, "ref/resource") && uri) {
        static const char *const templates[][2] = { { "aisp://runs/{run}", "run" }, { "aisp://targets/{+target}", "target" },
                                                    { "aisp://guide/{guide}", "guide" } };

        for (size_t i = 0; i < 3; i++)
            if (!strcmp(templates[i][0], uri) && !strcmp(templates[i][1], wanted))
                kind = wanted;
    }
    if (!kind)
        aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "no argument \"%s\" of such a prompt or resource template", wanted);
    return kind;
}

static json_t *chosen(const json_t *all, const char *typed)
{
    const size_t n = strlen(typed);
    json_t *values = json_array();
    const json_t *one;
    size_t i, total = 0;

    for (int pass = 0; pass < 2; pass++)
        json_array_foreach(all, i, one)
        {
            const char *text = json_string_value(one);
            const bool begins = !strncmp(text, typed, n);

            if (pass ? begins || !strstr(text, typed) : !begins)
                continue;
            if (total++ < MOST_VALUES)
                json_array_append_new(values, json_string(text));
        }
    return json_pack("{s:{s:o, s:I, s:b}}", "completion", "values", values, "total", (json_int_t)total, "hasMore",
                     total > MOST_VALUES);
}

/* A target's variants; without a target in the context, of all. */
static void add_variants(const json_t *target, const char *only, json_t *all)
{
    const char *id = json_string_value(json_object_get(target, "target"));
    const json_t *variant;
    size_t i;

    if (!id || (only && strcmp(only, id)))
        return;
    json_array_foreach(json_object_get(target, "variants"), i, variant)
        json_array_append(all, json_object_get(variant, "name"));
}

static json_t *finish(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    const char *kind = kind_of(call->params, fault);
    const json_t *context = json_object_get(json_object_get(call->params, "context"), "arguments");
    const char *only = json_string_value(json_object_get(context, "target"));
    const json_t *answer = call->job.answer.value, *one;
    json_t *all, *result;
    size_t i;

    (void)mcp;
    if (!answer && call->job.answer.status != AISP_E_NOT_FOUND)
        return aisp_mcp_job_fault(call, fault);
    all = !strcmp(kind, "run") ? json_pack("[s]", "latest") : json_array();
    json_array_foreach(json_object_get(answer, "runs"), i, one)
        json_array_append(all, json_object_get(one, "run"));
    json_array_foreach(json_object_get(answer, "targets"), i, one)
        if (!strcmp(kind, "variant"))
            add_variants(one, only, all);
        else
            json_array_append(all, json_object_get(one, "target"));
    result = chosen(all, json_string_value(json_object_get(json_object_get(call->params, "argument"), "value")));
    json_decref(all);
    return result;
}

json_t *aisp_mcp_complete(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const char *kind = kind_of(ask->params, fault);
    json_t *arguments, *guides, *result;

    if (!kind)
        return NULL;
    if (!strcmp(kind, "guide")) {
        guides = aisp_mcp_guides(mcp);
        result = chosen(guides, json_string_value(json_object_get(json_object_get(ask->params, "argument"), "value")));
        json_decref(guides);
        return result;
    }
    arguments = !strcmp(kind, "run") ? json_pack("{s:i}", "limit", LATEST_RUNS) : NULL;
    aisp_mcp_call_begin(mcp, ask, aisp_mcp_command(arguments ? "bench list-runs" : "bench list-targets"), arguments,
                        AISP_JOB_WANTS_VALUE, finish, fault);
    json_decref(arguments);
    return NULL;
}
