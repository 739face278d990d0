/* jobs.c - see jobs.h. */
#include "dashboard/jobs.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

enum { LOG_BYTES = 512 << 10 };

static bool has_ended(const struct aisp_run_job *job)
{
    return job->state >= AISP_RUN_DONE;
}

static struct aisp_run_job *running(const struct aisp_jobs *jobs)
{
    struct aisp_run_job *j = jobs->first;

    while (j && j->state != AISP_RUN_RUNNING && j->state != AISP_RUN_STOPPING)
        j = j->next;
    return j;
}

static void tell(struct aisp_jobs *jobs, const struct aisp_run_job *job)
{
    json_t *news = aisp_jobs_json(job, false);

    aisp_log_add(jobs->news, "job", news);
    json_decref(news);
}

static void end(struct aisp_jobs *jobs, struct aisp_run_job *job, enum aisp_run_state state)
{
    json_t *last;

    job->state = state;
    job->ended = time(NULL);
    last = aisp_jobs_json(job, false);
    aisp_log_add(&job->log, "end", last);
    aisp_log_end(&job->log);
    json_decref(last);
    tell(jobs, job);
}

static void job_free(struct aisp_jobs *jobs, struct aisp_run_job *job)
{
    struct aisp_run_job **at = &jobs->first;

    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    aisp_job_release(&job->job);
    aisp_log_release(&job->log);
    aisp_words_release(&job->words);
    json_decref(job->arguments);
    free(job);
}

/* The oldest that have ended are forgotten; their runs are in the store. */
static void forget_old(struct aisp_jobs *jobs)
{
    int n = 0;

    for (struct aisp_run_job *j = jobs->first; j; j = j->next)
        n += has_ended(j);
    for (struct aisp_run_job *j = jobs->first, *next; j && n > AISP_JOBS_MOST_ENDED; j = next) {
        next = j->next;
        if (has_ended(j)) {
            job_free(jobs, j);
            n--;
        }
    }
}

/* ---- what it says meanwhile ---- */

static void take_line(struct aisp_log *log, const char *name, const char *text)
{
    json_t *data = json_object();
    json_t *line = json_string(text);

    json_object_set_new(data, "line", line ? line : json_string("(a line that is no UTF-8)"));
    aisp_log_add(log, name, data);
    json_decref(data);
}

static void listen_to(void *context, enum aisp_job_says says, const char *text, const json_t *event)
{
    static const char *const names[] = { [AISP_JOB_NOTE] = "note", [AISP_JOB_PROGRESS] = "progress", [AISP_JOB_LINE] = "line" };
    struct aisp_run_job *job = context;
    const char *kind = json_string_value(json_object_get(event, "event"));

    if (says == AISP_JOB_EVENT)
        aisp_log_add(&job->log, kind ? kind : "event", event);
    else
        take_line(&job->log, names[says], text);
}

/* ---- public ---- */

void aisp_jobs_init(struct aisp_jobs *jobs, const struct aisp_words *common, struct aisp_log *news)
{
    *jobs = (struct aisp_jobs){ .news = news };
    for (size_t i = 0; i < common->n; i++)
        aisp_words_add(&jobs->common, common->word[i]);
}

void aisp_jobs_release(struct aisp_jobs *jobs)
{
    while (jobs->first)
        job_free(jobs, jobs->first);
    aisp_words_release(&jobs->common);
}

struct aisp_run_job *aisp_jobs_add(struct aisp_jobs *jobs, const char *command, struct aisp_words *words_take,
                                   const json_t *arguments)
{
    struct aisp_run_job **last = &jobs->first, *job;
    unsigned char random[(AISP_JOBS_ID_SIZE - 1) / 2];

    if (aisp_jobs_n(jobs, AISP_RUN_WAITING) >= AISP_JOBS_MOST_WAITING) {
        aisp_words_release(words_take);
        return NULL;
    }
    job = aisp_xcalloc(1, sizeof *job);
    *job = (struct aisp_run_job){ .command = command, .words = *words_take, .created = time(NULL), .job = AISP_JOB_INIT };
    *words_take = (struct aisp_words)AISP_WORDS_INIT;
    job->arguments = arguments ? json_deep_copy(arguments) : json_object();
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(job->id, sizeof job->id, random, sizeof random);
    aisp_log_init(&job->log, LOG_BYTES);
    while (*last)
        last = &(*last)->next;
    *last = job;
    tell(jobs, job);
    aisp_jobs_work(jobs);
    return job;
}

struct aisp_run_job *aisp_jobs_find(struct aisp_jobs *jobs, const char *id)
{
    struct aisp_run_job *j = jobs->first;

    while (j && strcmp(j->id, id))
        j = j->next;
    return j;
}

bool aisp_jobs_stop(struct aisp_jobs *jobs, struct aisp_run_job *job)
{
    if (has_ended(job))
        return false;
    if (job->state == AISP_RUN_WAITING) {
        end(jobs, job, AISP_RUN_CANCELLED);
        return true;
    }
    aisp_job_stop(&job->job);
    job->state = AISP_RUN_STOPPING;
    tell(jobs, job);
    return true;
}

static void start_next(struct aisp_jobs *jobs)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_run_job *job = jobs->first;

    while (job && job->state != AISP_RUN_WAITING)
        job = job->next;
    if (!job || running(jobs))
        return;
    aisp_words_add_common(&words, &job->words, &jobs->common);
    job->started = time(NULL);
    job->state = AISP_RUN_RUNNING;
    jobs->n_started++;
    if (aisp_job_start(&job->job, &words, AISP_JOB_WANTS_VALUE, 100, &err)) {
        job->job.answer = (struct aisp_answer){ .exit_code = AISP_EXIT_STORE, .error = aisp_xstrdup(err.text) };
        end(jobs, job, AISP_RUN_FAILED);
    } else {
        tell(jobs, job);
    }
    aisp_words_release(&words);
}

void aisp_jobs_work(struct aisp_jobs *jobs)
{
    struct aisp_run_job *job = running(jobs);

    if (job && (aisp_job_read(&job->job, listen_to, job) || aisp_job_is_too_long(&job->job)))
        end(jobs, job, job->job.answer.exit_code == AISP_EXIT_INTERRUPTED || job->state == AISP_RUN_STOPPING ? AISP_RUN_CANCELLED
                       : job->job.answer.value                                                                ? AISP_RUN_DONE
                                                                                                              : AISP_RUN_FAILED);
    start_next(jobs);
    forget_old(jobs);
}

size_t aisp_jobs_fds(const struct aisp_jobs *jobs, struct pollfd fds[2])
{
    const struct aisp_run_job *job = running(jobs);

    if (!job)
        return 0;
    fds[0] = (struct pollfd){ job->job.fd, POLLIN, 0 };
    fds[1] = (struct pollfd){ job->job.stray_fd, POLLIN, 0 };
    return 2;
}

int aisp_jobs_n(const struct aisp_jobs *jobs, enum aisp_run_state state)
{
    int n = 0;

    for (const struct aisp_run_job *j = jobs->first; j; j = j->next)
        n += j->state == state;
    return n;
}

static json_t *when(time_t at)
{
    return at ? json_integer((json_int_t)at) : json_null();
}

json_t *aisp_jobs_json(const struct aisp_run_job *job, bool whole)
{
    static const char *const states[] = { "waiting", "running", "stopping", "done", "failed", "cancelled" };
    json_t *json = json_pack("{s:s, s:s, s:O, s:s, s:o, s:o, s:o}", "id", job->id, "command", job->command, "arguments",
                             job->arguments, "state", states[job->state], "created", when(job->created), "started",
                             when(job->started), "ended", when(job->ended));
    const struct aisp_answer *answer = &job->job.answer;

    if (!json)
        AISP_BUG("a job that is no JSON");
    json_object_set_new(json, "exit", has_ended(job) && job->started ? json_integer(answer->exit_code) : json_null());
    json_object_set_new(json, "error", answer->error ? json_string(answer->error) : json_null());
    if (whole)
        json_object_set(json, "value", has_ended(job) && answer->value ? answer->value : json_null());
    return json;
}
