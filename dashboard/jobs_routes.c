/* jobs_routes.c - jobs over HTTP: start, list, look, follow, stop. That a token came with what changes something was seen to
 * before (doors/http.h). */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "dashboard/dashboard.h"
#include "doors/ask.h"

static void send_json(struct aisp_http_request *request, int status, json_t *json_take, const char *location)
{
    char *text = json_dumps(json_take, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    struct aisp_http_answer *answer;

    if (!text)
        AISP_BUG("an answer that is no JSON");
    answer = aisp_http_answer_take(status, "application/json", text, strlen(text));
    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    if (location)
        aisp_http_answer_header(answer, "Location", location);
    aisp_http_send_once(request, answer);
    json_decref(json_take);
}

/* "bench run" */
static const struct aisp_command *command_of(const char *path)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strcmp(c->path, path))
        return aisp_ask_offered(c, AISP_ASK_RUN) ? c : NULL;
    return NULL;
}

static bool is_json(const struct aisp_http_request *request)
{
    const char *type = aisp_http_header(request, "Content-Type");

    return type && !strncasecmp(type, "application/json", strlen("application/json")) &&
           strchr(";", type[strlen("application/json")]);
}

/* What a body asks for; NULL: said what is wrong. */
static json_t *body_of(struct aisp_http_request *request, const struct aisp_command **command)
{
    json_error_t error;
    json_t *body = NULL;
    const char *path;

    if (!is_json(request)) {
        aisp_http_problem(request, 415, "a body of application/json: {\"command\": \"bench run\", \"arguments\": {...}}");
        return NULL;
    }
    body = json_loadb(request->body, request->body_len, JSON_REJECT_DUPLICATES, &error);
    path = json_string_value(json_object_get(body, "command"));
    *command = path ? command_of(path) : NULL;
    if (!body)
        aisp_http_problem(request, 400, "the body is no JSON: %s", error.text);
    else if (!path)
        aisp_http_problem(request, 400, "no \"command\" in {\"command\": \"bench run\", \"arguments\": {...}}");
    else if (!*command)
        aisp_http_problem(request, 404, "no command of that name is offered here");
    if (*command)
        return body;
    json_decref(body);
    return NULL;
}

static void start(struct aisp_dashboard *d, struct aisp_http_request *request)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    const struct aisp_command *command;
    struct aisp_run_job *job;
    json_t *body = body_of(request, &command), *arguments = json_object_get(body, "arguments");
    char *location;

    if (!body)
        return;
    if (aisp_ask_words(command, arguments, AISP_ASK_RUN, &words, &err)) {
        aisp_http_problem(request, 400, "%s", err.text);
    } else if (!(job = aisp_jobs_add(&d->jobs, command->path, &words, arguments))) {
        aisp_http_problem(request, 429, "%d jobs wait, which is the limit", AISP_JOBS_MOST_WAITING);
    } else {
        location = aisp_format("/api/v1/jobs/%s", job->id);
        send_json(request, 202, aisp_jobs_json(job, false), location);
        free(location);
    }
    json_decref(body);
}

static void list(struct aisp_dashboard *d, struct aisp_http_request *request)
{
    json_t *jobs = json_array();

    for (const struct aisp_run_job *j = d->jobs.first; j; j = j->next)
        json_array_insert_new(jobs, 0, aisp_jobs_json(j, false));
    send_json(request, 200, json_pack("{s:o}", "jobs", jobs), NULL);
}

static void stop(struct aisp_dashboard *d, struct aisp_http_request *request, struct aisp_run_job *job)
{
    if (aisp_jobs_stop(&d->jobs, job))
        send_json(request, 202, aisp_jobs_json(job, false), NULL);
    else
        aisp_http_problem(request, 409, "it has ended");
}

static void not_allowed(struct aisp_http_request *request)
{
    aisp_http_problem(request, 405, "%s is not for this path", request->method);
}

static void one(struct aisp_dashboard *d, struct aisp_http_request *request, const char *rest)
{
    const size_t n = strcspn(rest, "/");
    char id[AISP_JOBS_ID_SIZE] = "";
    struct aisp_run_job *job;

    if (n < sizeof id)
        memcpy(id, rest, n);
    job = aisp_jobs_find(&d->jobs, id);
    if (!job || (rest[n] && strcmp(rest + n, "/events")))
        aisp_http_problem(request, 404, "no such job, or it was long ago");
    else if (rest[n] && !strcmp(request->method, "GET"))
        aisp_log_follow(&job->log, request, true);
    else if (!rest[n] && !strcmp(request->method, "GET"))
        send_json(request, 200, aisp_jobs_json(job, true), NULL);
    else if (!rest[n] && !strcmp(request->method, "DELETE"))
        stop(d, request, job);
    else
        not_allowed(request);
}

void aisp_dashboard_jobs(struct aisp_dashboard *d, struct aisp_http_request *request, const char *rest)
{
    if (*rest == '/')
        one(d, request, rest + 1);
    else if (!strcmp(request->method, "GET"))
        list(d, request);
    else if (!strcmp(request->method, "POST"))
        start(d, request);
    else
        not_allowed(request);
}
