/* jobs.h - commands that were started here: one runs, the others wait for their turn, for measurements disturb each other.
 * Not here: how they are asked for and shown over HTTP (jobs_routes.c). */
#ifndef AISP_DASHBOARD_JOBS_H
#define AISP_DASHBOARD_JOBS_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>

#include "dashboard/log.h"
#include "doors/job.h"

enum { AISP_JOBS_MOST_WAITING = 16, AISP_JOBS_MOST_ENDED = 50, AISP_JOBS_ID_SIZE = 17 };

enum aisp_run_state { AISP_RUN_WAITING, AISP_RUN_RUNNING, AISP_RUN_STOPPING, AISP_RUN_DONE, AISP_RUN_FAILED, AISP_RUN_CANCELLED };

struct aisp_run_job {
    struct aisp_run_job *next;               /* the one that was asked for after it */
    char id[AISP_JOBS_ID_SIZE];
    const char *command;                     /* "bench run" */
    json_t *arguments;
    struct aisp_words words;
    enum aisp_run_state state;
    time_t created, started, ended;
    struct aisp_job job;                     /* its answer stays when it has ended */
    struct aisp_log log;
};

struct aisp_jobs {
    struct aisp_run_job *first;              /* the oldest */
    struct aisp_words common;
    struct aisp_log *news;                   /* is told of each change; borrowed */
    int64_t n_started;
};

void aisp_jobs_init(struct aisp_jobs *jobs, const struct aisp_words *common, struct aisp_log *news);
/* Who runs is interrupted, and given some seconds to end its record. */
void aisp_jobs_release(struct aisp_jobs *jobs);
/* NULL: too many wait. Takes the words; the arguments are borrowed. */
struct aisp_run_job *aisp_jobs_add(struct aisp_jobs *jobs, const char *command, struct aisp_words *words_take,
                                   const json_t *arguments);
struct aisp_run_job *aisp_jobs_find(struct aisp_jobs *jobs, const char *id);
/* Once asks, twice insists. False: it has ended already. */
bool aisp_jobs_stop(struct aisp_jobs *jobs, struct aisp_run_job *job);
/* With its value if `whole`. */
json_t *aisp_jobs_json(const struct aisp_run_job *job, bool whole);
size_t aisp_jobs_fds(const struct aisp_jobs *jobs, struct pollfd fds[2]);
void aisp_jobs_work(struct aisp_jobs *jobs);
int aisp_jobs_n(const struct aisp_jobs *jobs, enum aisp_run_state state);

#endif
