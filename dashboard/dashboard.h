/* dashboard.h - the parts of a running dashboard, and what each kind of request is answered by (routes.c).
 * It knows no store and parses no record: it asks the command table, in children, and keeps what they say. */
#ifndef AISP_DASHBOARD_DASHBOARD_H
#define AISP_DASHBOARD_DASHBOARD_H

#include "dashboard/cache.h"
#include "dashboard/jobs.h"
#include "dashboard/log.h"
#include "dashboard/watched.h"
#include "doors/http.h"

struct aisp_dashboard {
    struct aisp_http *http;
    struct aisp_watched_files watched;
    struct aisp_cache *cache;
    struct aisp_jobs jobs;
    struct aisp_log news;                    /* /api/v1/events: what changed */
    const char **hosts;                      /* names that it goes by */
    int64_t told_generation, started_ms, trimmed_ms;
    struct aisp_made page, openapi;          /* made when the server starts, sent ever after */
};

/* The handler of the server. */
void aisp_dashboard_handle(void *context, struct aisp_http_request *request);

/* GET below /api: a command of the table, or what an alias stands for. `name` is "bench/analyze". */
void aisp_dashboard_read(struct aisp_dashboard *d, struct aisp_http_request *request, const char *name);
/* False: it is no alias. */
bool aisp_dashboard_alias(struct aisp_dashboard *d, struct aisp_http_request *request);
/* /api/v1/jobs and below: what follows "/api/v1/jobs". */
void aisp_dashboard_jobs(struct aisp_dashboard *d, struct aisp_http_request *request, const char *rest);
void aisp_dashboard_metrics(struct aisp_dashboard *d, struct aisp_http_request *request);

void aisp_dashboard_make_page(struct aisp_made *page);
void aisp_dashboard_make_openapi(struct aisp_made *openapi);

/* OpenAPI 3.1 of the table; the caller's to release. */
json_t *aisp_dashboard_openapi(void);
/* The name of the parameter that says how long a page of an answer's list is: "limit", or, where the command has one of its own,
 * "page-size". */
struct aisp_command;
const char *aisp_dashboard_page_size(const struct aisp_command *command);
/* Of how long ago an answer may be at most, whatever max-stale asks for. */
enum { AISP_DASHBOARD_MOST_STALE_S = 10 };
/* An alias and the command that answers it. Ends with a NULL path. */
struct aisp_dashboard_alias { const char *path, *command, *option, *value; };
extern const struct aisp_dashboard_alias aisp_dashboard_aliases[];

#endif
