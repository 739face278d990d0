/* routes.c - which path is answered by whom. */
#include <string.h>

#include "dashboard/dashboard.h"

static const char api[] = "/api/v1/", jobs[] = "/api/v1/jobs";

static void send_health(struct aisp_http_request *request)
{
    struct aisp_http_answer *answer = aisp_http_answer_new(200, "text/plain; charset=utf-8", "ok\n", 3);

    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    aisp_http_send_once(request, answer);
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static void get(struct aisp_dashboard *d, struct aisp_http_request *request)
{
    const char *path = request->path;

    if (!strcmp(path, "/"))
        aisp_made_send(&d->page, request);
    else if (!strcmp(path, "/healthz"))
        send_health(request);
    else if (!strcmp(path, "/metrics"))
        aisp_dashboard_metrics(d, request);
    else if (!strcmp(path, "/api/v1/openapi.json"))
        aisp_made_send(&d->openapi, request);
    else if (!strcmp(path, "/api/v1/events"))
        aisp_log_follow(&d->news, request, false);
    else if (begins(path, api))
        aisp_dashboard_read(d, request, path + strlen(api));
    else if (!aisp_dashboard_alias(d, request))
        aisp_http_problem(request, 404, "nothing is here; /api/v1/openapi.json lists what there is");
}

void aisp_dashboard_handle(void *context, struct aisp_http_request *request)
{
    struct aisp_dashboard *d = context;
    const char *path = request->path;

    if (begins(path, jobs) && (!path[strlen(jobs)] || path[strlen(jobs)] == '/'))
        aisp_dashboard_jobs(d, request, path + strlen(jobs));
    else if (strcmp(request->method, "GET"))
        aisp_http_problem(request, 405, "only /api/v1/jobs takes %s", request->method);
    else
        get(d, request);
}
