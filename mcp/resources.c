/* resources.c - what can be read by its address:
 *   aisp://guide/NAME      a guide, as Markdown
 *   aisp://targets/TARGET  what `bench show TARGET` says     aisp://runs/RUN   what `bench show-run RUN` says
 * The list is guides, targets, and runs with the newest first, in pages. A cursor is the run that a page ended with, so that runs
 * which come meanwhile do not shift what follows. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "mcp/mcp.h"

#define GUIDE "aisp://guide/"
#define TARGET "aisp://targets/"
#define RUN "aisp://runs/"
#define JSON "application/json"
#define MARKDOWN "text/markdown"

enum { PAGE = 200, NOT_FOUND = -32002 /* until 2025-11-25 */ };

static json_t *resource(const char *scheme, const char *name, const char *title, const char *what, const char *type)
{
    char *uri = aisp_format("%s%s", scheme, name);
    json_t *one =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "uri", uri, "name", name, "title", title, "description", what, "mimeType", type);

    free(uri);
    return one;
}

/* ---- the list ---- */

static void add_guides(const struct aisp_mcp *mcp, json_t *list)
{
    json_t *guides = aisp_mcp_guides(mcp), *name;
    size_t i;

    json_array_foreach(guides, i, name)
    {
        char *text = aisp_mcp_guide_text(mcp, json_string_value(name)), *title = aisp_mcp_guide_title(text ? text : "");

        json_array_append_new(list, resource(GUIDE, json_string_value(name), title, "A guide", MARKDOWN));
        free(title);
        free(text);
    }
    json_decref(guides);
}

/* Nothing is recorded or built: then nothing of it is listed. */
static bool is_empty(const struct aisp_mcp_call *call)
{
    return !call->job.answer.value && call->job.answer.status == AISP_E_NOT_FOUND;
}

static void add_targets(const json_t *answer, json_t *list)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(answer, "targets"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "target"));

        if (name)
            json_array_append_new(list, resource(TARGET, name, name, "A problem with its variants and their ideas", JSON));
    }
}

/* The runs after `after` (NULL: all), until the page is full. False: there is no such run. */
static bool add_runs(const json_t *answer, const char *after, json_t *list, const char **last)
{
    const json_t *one;
    bool is_behind = !after;
    size_t i;

    *last = NULL;
    json_array_foreach(json_object_get(answer, "runs"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "run"));

        if (is_behind && json_array_size(list) >= PAGE)
            return true;
        if (is_behind)
            json_array_append_new(list, resource(RUN, name, name, "A recorded run: comparisons, verdicts, grades", JSON));
        is_behind |= after && !strcmp(name, after);
        *last = is_behind ? name : NULL;
    }
    *last = NULL;                            /* that was all */
    return is_behind;
}

static json_t *finish_list(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    const char *after = json_string_value(json_object_get(call->params, "cursor")), *last;
    json_t *list = call->gathered ? call->gathered : json_array(), *result;

    (void)mcp;
    call->gathered = list;
    if (!call->job.answer.value && !is_empty(call))
        return aisp_mcp_job_fault(call, fault);
    if (!add_runs(call->job.answer.value, after, list, &last))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "no such cursor");
    result = json_pack("{s:O, s:s*}", "resources", list, "nextCursor", last);
    return result;
}

static json_t *finish_targets(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    json_t *first;

    if (!call->job.answer.value && !is_empty(call))
        return aisp_mcp_job_fault(call, fault);
    call->gathered = json_array();
    add_guides(mcp, call->gathered);
    add_targets(call->job.answer.value, call->gathered);
    first = json_pack("{s:i}", "limit", PAGE + 1);
    aisp_mcp_call_next(mcp, call, "bench list-runs", first, finish_list, fault);
    json_decref(first);
    return NULL;
}

json_t *aisp_mcp_resources_list(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const json_t *cursor = json_object_get(ask->params, "cursor");
    json_t *all;

    if (cursor && !json_is_string(cursor))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "\"cursor\" is not a string");
    if (!cursor) {
        aisp_mcp_call_begin(mcp, ask, aisp_mcp_command("bench list-targets"), NULL, AISP_JOB_WANTS_VALUE, finish_targets, fault);
        return NULL;
    }
    all = json_pack("{s:i}", "limit", 1000000);
    aisp_mcp_call_begin(mcp, ask, aisp_mcp_command("bench list-runs"), all, AISP_JOB_WANTS_VALUE, finish_list, fault);
    json_decref(all);
    return NULL;
}

json_t *aisp_mcp_resources_templates(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    (void)mcp;
    if (json_object_get(ask->params, "cursor"))
        return aisp_mcp_fail(fault, AISP_RPC_INVALID_PARAMS, "no such cursor: the templates are one page");
    return json_pack("{s:[{s:s, s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s, s:s}]}",
                     "resourceTemplates", "uriTemplate", RUN "{run}", "name", "run", "title", "A recorded run", "description",
                     "Its comparisons with verdicts, intervals and grades; the run is an id, the beginning of one, or latest",
                     "mimeType", JSON, "uriTemplate", TARGET "{+target}", "name", "target", "title", "A target", "description",
                     "What it asks, its variants with their ideas, and how well wrong answers are found: ch07:transpose",
                     "mimeType", JSON, "uriTemplate", GUIDE "{guide}", "name", "guide", "title", "A guide", "description",
                     "How something is used, and why it is so", "mimeType", MARKDOWN);
}

/* ---- one of them ---- */

static json_t *contents(const char *uri, const char *type, const char *text, struct aisp_mcp_fault *fault)
{
    json_t *value = json_string(text);

    if (!value)
        return aisp_mcp_fail(fault, AISP_RPC_INTERNAL_ERROR, "%s is no UTF-8", uri);
    return json_pack("{s:[{s:s, s:s, s:o}]}", "contents", "uri", uri, "mimeType", type, "text", value);
}

static json_t *not_found(bool is_modern, const char *uri, const char *why, struct aisp_mcp_fault *fault)
{
    fault->data = json_pack("{s:s}", "uri", uri);
    return aisp_mcp_fail(fault, is_modern ? AISP_RPC_INVALID_PARAMS : NOT_FOUND, "Resource not found: %s", why);
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* What stands behind the scheme, without its percent signs; NULL: another scheme, nothing, or no text. Caller frees. */
static char *name_in(const char *uri, const char *scheme)
{
    const char *at = uri + strlen(scheme);
    struct aisp_buf name = AISP_BUF_INIT;
    json_t *text;

    if (strncmp(uri, scheme, strlen(scheme)))
        return NULL;
    for (; *at; at++) {
        const int high = *at == '%' ? digit_of(at[1]) : -1, low = high < 0 ? -1 : digit_of(at[2]);
        const char c = low < 0 ? *at : (char)(16 * high + low);

        aisp_buf_add(&name, &c, 1);
        at += low < 0 ? 0 : 2;
    }
    text = name.s && strlen(name.s) == name.len ? json_string(name.s) : NULL;
    if (!text)
        aisp_buf_release(&name);
    json_decref(text);
    return name.s;
}

static json_t *finish_read(struct aisp_mcp *mcp, struct aisp_mcp_call *call, struct aisp_mcp_fault *fault)
{
    const char *uri = json_string_value(json_object_get(call->params, "uri"));
    const struct aisp_answer *answer = &call->job.answer;
    json_t *result;
    char *text;

    (void)mcp;
    if (!answer->value && (answer->status == AISP_E_NOT_FOUND || answer->status == AISP_E_USAGE))
        return not_found(call->is_modern, uri, answer->error, fault);
    if (!answer->value)
        return aisp_mcp_job_fault(call, fault);
    text = json_dumps(answer->value, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    if (!text)
        return aisp_mcp_fail(fault, AISP_RPC_INTERNAL_ERROR, "%s is no object", uri);
    result = contents(uri, JSON, text, fault);
    free(text);
    return result;
}

static json_t *read_by(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, const char *path, const char *property,
                       const char *name, struct aisp_mcp_fault *fault)
{
    json_t *arguments = json_pack("{s:s}", property, name);

    aisp_mcp_call_begin(mcp, ask, aisp_mcp_command(path), arguments, AISP_JOB_WANTS_VALUE, finish_read, fault);
    json_decref(arguments);
    return NULL;
}

static json_t *read_guide(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, const char *uri, const char *name,
                          struct aisp_mcp_fault *fault)
{
    char *text = aisp_mcp_guide_text(mcp, name);
    json_t *result;

    if (!text)
        return not_found(ask->is_modern, uri, "no guide of that name", fault);
    result = contents(uri, MARKDOWN, text, fault);
    free(text);
    return result;
}

json_t *aisp_mcp_resources_read(struct aisp_mcp *mcp, const struct aisp_mcp_ask *ask, struct aisp_mcp_fault *fault)
{
    const char *uri = aisp_mcp_string(ask, "uri", fault);
    char *run, *target, *guide;
    json_t *result = NULL;

    if (!uri)
        return NULL;
    run = name_in(uri, RUN);
    target = name_in(uri, TARGET);
    guide = name_in(uri, GUIDE);
    if (run)
        result = read_by(mcp, ask, "bench show-run", "run", run, fault);
    else if (target)
        result = read_by(mcp, ask, "bench show", "target", target, fault);
    else if (guide)
        result = read_guide(mcp, ask, uri, guide, fault);
    else
        not_found(ask->is_modern, uri, "addresses are " RUN "RUN, " TARGET "TARGET and " GUIDE "NAME", fault);
    free(run);
    free(target);
    free(guide);
    return result;
}
