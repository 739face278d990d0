/* openapi.c - the description of the REST interface (OpenAPI 3.1), made from the command table: what is listed is what is
 * served. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/version.h"
#include "dashboard/dashboard.h"
#include "doors/ask.h"

static json_t *problem(void)
{
    return json_pack("{s:s, s:{s:{s:{s:s}}}}", "description", "why there is no answer", "content", "application/problem+json",
                     "schema", "$ref", "#/components/schemas/Problem");
}

static json_t *answer(const char *description, const char *type, const char *schema)
{
    json_t *body = schema ? json_pack("{s:s}", "$ref", schema) : json_object();

    return json_pack("{s:s, s:{s:{s:o}}}", "description", description, "content", type, "schema", body);
}

static json_t *operation(const char *id, const char *summary, const char *status, json_t *answer_take)
{
    return json_pack("{s:s, s:s, s:{s:o, s:o}}", "operationId", id, "summary", summary, "responses", status, answer_take,
                     "default", problem());
}

static json_t *token_needed(json_t *operation_take)
{
    json_object_set_new(operation_take, "security", json_pack("[{s:[]}]", "token"));
    return operation_take;
}

/* ---- parameters ---- */

static json_t *parameter(const char *name, const char *in, bool required, json_t *schema_take)
{
    const json_t *description = json_object_get(schema_take, "description");
    json_t *p = json_pack("{s:s, s:s, s:b}", "name", name, "in", in, "required", required);

    if (description)
        json_object_set(p, "description", (json_t *)(uintptr_t)description);
    json_object_del(schema_take, "description");
    json_object_set_new(p, "schema", schema_take);
    return p;
}

static bool is_required(const json_t *schema, const char *name)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(schema, "required"), i, one)
        if (!strcmp(json_string_value(one), name))
            return true;
    return false;
}

/* A page's own parameters are those of every command. */
static void add_page(json_t *parameters, const char *page_size)
{
    json_t *size = json_pack("{s:s, s:i, s:i, s:i, s:s}", "type", "integer", "minimum", 1, "maximum", 1000, "default", 200,
                             "description", "Only so many elements of the answer's one list; Link names the next page");
    json_t *cursor =
        json_pack("{s:s, s:s}", "type", "string", "description", "Where the page begins, as the Link before it says");

    json_array_append_new(parameters, parameter(page_size, "query", false, size));
    json_array_append_new(parameters, parameter("cursor", "query", false, cursor));
}

static void add_stale(json_t *parameters)
{
    char *what = aisp_format("max-stale=N: an answer that was up to date at most N seconds ago, %d at most, will do",
                             AISP_DASHBOARD_MOST_STALE_S);

    json_array_append_new(parameters, parameter("Cache-Control", "header", false,
                                                json_pack("{s:s, s:s}", "type", "string", "description", what)));
    free(what);
}

static json_t *parameters_of(const struct aisp_command *command, const char *without)
{
    json_t *schema = aisp_ask_schema(command, AISP_ASK_READ), *list = json_array(), *property;
    const char *name;

    json_object_foreach(json_object_get(schema, "properties"), name, property)
        if (!without || strcmp(name, without))
            json_array_append_new(list, parameter(name, "query", is_required(schema, name), json_deep_copy(property)));
    add_page(list, aisp_dashboard_page_size(command));
    add_stale(list);
    json_decref(schema);
    return list;
}

/* ---- paths ---- */

static json_t *headers_of_read(void)
{
    static const struct { const char *name, *description; } said[] = {
        { "ETag", "of the answer in this form, for If-None-Match" },
        { "Link", "the next page, where there is one" },
        { "Aisp-Exit-Code", "the command's, where it is not 0" },
        { "Aisp-Fresh-At", "until when the answer was up to date, or \"now\"" },
    };
    json_t *headers = json_object();

    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        json_object_set_new(headers, said[i].name, json_pack("{s:s, s:{s:s}}", "description", said[i].description, "schema",
                                                             "type", "string"));
    return headers;
}

static json_t *read_path(const struct aisp_command *command, const char *id, const char *without)
{
    json_t *value = answer("the value that --json prints", "application/json", NULL);
    json_t *get = operation(id, command->sentence, "200", value);

    json_object_set_new(value, "headers", headers_of_read());
    json_object_set_new(json_object_get(get, "responses"), "304", json_pack("{s:s}", "description", "unchanged since that ETag"));
    json_object_set_new(get, "parameters", parameters_of(command, without));
    return json_pack("{s:o}", "get", get);
}

static void add_commands(json_t *paths)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    for (size_t i = 0; i < n; i++) {
        struct aisp_buf name = AISP_BUF_INIT, id = AISP_BUF_INIT;
        char *path;

        if (!aisp_ask_offered(all[i], AISP_ASK_READ))
            continue;
        aisp_ask_name(all[i], '/', &name);
        aisp_ask_name(all[i], '_', &id);
        path = aisp_format("/api/v1/%s", name.s);
        json_object_set_new(paths, path, read_path(all[i], id.s, NULL));
        free(path);
        aisp_buf_release(&name);
        aisp_buf_release(&id);
    }
    free(all);
}

static void add_aliases(json_t *paths)
{
    for (const struct aisp_dashboard_alias *s = aisp_dashboard_aliases; s->path; s++) {
        const struct aisp_command *command = aisp_ask_find(s->command, '/', AISP_ASK_READ);
        char *id = aisp_format("alias_%s", strrchr(s->path, '/') + 1);

        json_object_set_new(paths, s->path, read_path(command, id, s->option));
        free(id);
    }
}

static json_t *id_parameter(void)
{
    return json_pack("[o]", parameter("id", "path", true, json_pack("{s:s}", "type", "string")));
}

static void add_jobs(json_t *paths)
{
    json_t *post = operation("job_start", "Start a command; it waits until those before it have ended", "202",
                             answer("the job", "application/json", "#/components/schemas/Job"));
    json_t *list = operation("job_list", "List the jobs, newest first", "200", answer("the jobs", "application/json", NULL));
    json_t *get = operation("job_show", "Show a job, with its value when it has ended", "200",
                            answer("the job", "application/json", "#/components/schemas/Job"));
    json_t *cancel = operation("job_cancel", "Interrupt a job; twice insists", "202",
                               answer("the job", "application/json", "#/components/schemas/Job"));
    json_t *follow = operation("job_events", "Follow a job: note, progress, result and at last end", "200",
                               answer("server-sent events; Last-Event-ID continues", "text/event-stream", NULL));

    json_object_set_new(post, "requestBody", json_pack("{s:b, s:{s:{s:{s:s}}}}", "required", true, "content", "application/json",
                                                       "schema", "$ref", "#/components/schemas/Ask"));
    json_object_set_new(paths, "/api/v1/jobs", json_pack("{s:o, s:o}", "get", list, "post", token_needed(post)));
    json_object_set_new(paths, "/api/v1/jobs/{id}",
                        json_pack("{s:o, s:o, s:o}", "parameters", id_parameter(), "get", get, "delete", token_needed(cancel)));
    json_object_set_new(paths, "/api/v1/jobs/{id}/events", json_pack("{s:o, s:o}", "parameters", id_parameter(), "get", follow));
}

static void add_rest(json_t *paths)
{
    static const struct { const char *path, *id, *summary, *type; } rest[] = {
        { "/api/v1/events", "events", "Follow what changes: change (the store or the targets) and job", "text/event-stream" },
        { "/api/v1/openapi.json", "openapi", "This description", "application/json" },
        { "/healthz", "health", "Say that the server answers", "text/plain" },
        { "/metrics", "metrics", "The server's own figures", "application/openmetrics-text" },
        { "/", "page", "The user interface", "text/html" },
    };

    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        json_object_set_new(paths, rest[i].path, json_pack("{s:o}", "get", operation(rest[i].id, rest[i].summary, "200",
                                                                                     answer("as said", rest[i].type, NULL))));
}

/* ---- what they consist of ---- */

static json_t *problem_schema(void)
{
    return json_pack("{s:s, s:[s, s], s:{s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}}", "type", "object", "required", "title", "status",
                     "properties", "type", "type", "string", "title", "type", "string", "status", "type", "integer", "detail",
                     "type", "string");
}

/* What a job may be asked for: one alternative a command, so that an editor can complete its arguments. */
static json_t *ask_schema(void)
{
    json_t *alternatives = json_array();
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    for (size_t i = 0; i < n; i++)
        if (aisp_ask_offered(all[i], AISP_ASK_RUN))
            json_array_append_new(alternatives,
                                  json_pack("{s:s, s:[s], s:b, s:{s:{s:s, s:s}, s:o}}", "type", "object", "required", "command",
                                            "additionalProperties", false, "properties", "command", "const", all[i]->path,
                                            "description", all[i]->sentence, "arguments", aisp_ask_schema(all[i], AISP_ASK_RUN)));
    free(all);
    return json_pack("{s:o}", "oneOf", alternatives);
}

static json_t *job_schema(void)
{
    static const char *const strings[] = { "id", "command" }, *const times[] = { "created", "started", "ended" };
    json_t *properties =
        json_pack("{s:{s:s}, s:{s:[s,s,s,s,s,s]}, s:{s:[s,s], s:s}, s:{s:[s,s]}, s:{s:s}}", "arguments", "type", "object",
                  "state", "enum", "waiting", "running", "stopping", "done", "failed", "cancelled", "exit", "type", "integer",
                  "null", "description", "The exit code of the command", "error", "type", "string", "null", "value",
                  "description", "What --json prints; only of one job that has ended");

    for (size_t i = 0; i < 2; i++)
        json_object_set_new(properties, strings[i], json_pack("{s:s}", "type", "string"));
    for (size_t i = 0; i < 3; i++)
        json_object_set_new(properties, times[i], json_pack("{s:[s,s], s:s}", "type", "integer", "null", "description",
                                                            "Seconds since 1970"));
    return json_pack("{s:s, s:[s,s,s], s:o}", "type", "object", "required", "id", "command", "state", "properties", properties);
}

json_t *aisp_dashboard_openapi(void)
{
    json_t *paths = json_object(), *whole;

    add_commands(paths);
    add_aliases(paths);
    add_jobs(paths);
    add_rest(paths);
    whole = json_pack(
        "{s:s, s:{s:s, s:s, s:s}, s:o, s:{s:{s:o, s:o, s:o}, s:{s:{s:s, s:s, s:s}}}}", "openapi", "3.1.0", "info", "title",
        "aisp", "version", aisp_version(), "description",
        "What aisp's commands answer. Reads are commands of the table that neither run code nor write; their answers are "
        "what --json prints. All others are jobs, and need the token.",
        "paths", paths, "components", "schemas", "Problem", problem_schema(), "Job", job_schema(), "Ask", ask_schema(),
        "securitySchemes", "token", "type", "http", "scheme", "bearer", "description",
        "Printed when the server starts, or the line of --token-file");
    if (!whole)
        AISP_BUG("the description of the interface is no JSON");
    return whole;
}

void aisp_dashboard_make_openapi(struct aisp_made *openapi)
{
    json_t *json = aisp_dashboard_openapi();
    char *text = json_dumps(json, JSON_COMPACT);

    aisp_made_body(openapi, "application/json", text, strlen(text));
    aisp_made_compress(openapi);
    json_decref(json);
}
