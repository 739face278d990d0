/* metrics.c - the server's own figures as OpenMetrics. Figures of what was measured: `bench export --format openmetrics`. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dashboard/dashboard.h"

static int64_t resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "re");
    long pages = 0, resident = 0;

    if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (f)
        fclose(f);
    return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

static void family(struct aisp_buf *out, const char *name, const char *type, const char *help)
{
    aisp_buf_printf(out, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void gauge(struct aisp_buf *out, const char *name, const char *help, int64_t value)
{
    family(out, name, "gauge", help);
    aisp_buf_printf(out, "%s %lld\n", name, (long long)value);
}

static void counter(struct aisp_buf *out, const char *name, const char *help, int64_t value)
{
    family(out, name, "counter", help);
    aisp_buf_printf(out, "%s_total %lld\n", name, (long long)value);
}

static void put_http(struct aisp_dashboard *d, struct aisp_buf *out)
{
    struct aisp_http_counts n;

    aisp_http_count(d->http, &n);
    family(out, "aisp_http_answers", "counter", "Answers by the first digit of their status.");
    for (int i = 2; i < 6; i++)
        aisp_buf_printf(out, "aisp_http_answers_total{class=\"%dxx\"} %lld\n", i, (long long)n.by_class[i]);
    counter(out, "aisp_http_requests", "Requests whose first line came.", n.requests);
    counter(out, "aisp_http_refused", "Requests that were not let in: Host, Origin, token, size.", n.refused);
    counter(out, "aisp_http_sent_bytes", "Bytes of bodies that were sent whole.", n.bytes);
    gauge(out, "aisp_http_connections", "Clients that are connected.", n.connections);
    gauge(out, "aisp_http_streams", "Streams of events that are open.", n.streams);
    gauge(out, "aisp_http_waiting", "Requests that wait for an answer to be made.", n.waiting);
}

static void put_cache(struct aisp_dashboard *d, struct aisp_buf *out)
{
    struct aisp_cache_counts n;

    aisp_cache_count(d->cache, &n);
    counter(out, "aisp_cache_hits", "Answers that were there.", n.hits);
    counter(out, "aisp_cache_misses", "Answers that a command had to be asked for.", n.misses);
    counter(out, "aisp_cache_stale", "Requests that took an answer from before a change.", n.stale);
    counter(out, "aisp_cache_shared", "Requests that waited for the answer of an earlier one.", n.shared);
    counter(out, "aisp_cache_failed", "Commands that failed, took too long or said too much.", n.failed);
    gauge(out, "aisp_cache_bytes", "Bytes of the answers that are kept.", (int64_t)n.bytes);
    gauge(out, "aisp_cache_entries", "Answers that are kept.", n.entries);
    gauge(out, "aisp_cache_children", "Commands that run for an answer now.", n.children);
}

void aisp_dashboard_metrics(struct aisp_dashboard *d, struct aisp_http_request *request)
{
    static const char type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    struct aisp_buf out = AISP_BUF_INIT;
    struct aisp_http_answer *answer;

    put_http(d, &out);
    put_cache(d, &out);
    counter(&out, "aisp_jobs_started", "Jobs that were started.", d->jobs.n_started);
    gauge(&out, "aisp_jobs_waiting", "Jobs that wait for their turn.", aisp_jobs_n(&d->jobs, AISP_RUN_WAITING));
    gauge(&out, "aisp_jobs_running", "Jobs that run.",
          aisp_jobs_n(&d->jobs, AISP_RUN_RUNNING) + aisp_jobs_n(&d->jobs, AISP_RUN_STOPPING));
    gauge(&out, "aisp_generation", "One more for each change of the store or the targets that was seen.", d->watched.generation);
    gauge(&out, "aisp_resident_bytes", "Memory of the server's process.", resident_bytes());
    gauge(&out, "aisp_uptime_seconds", "Since the server started.", (aisp_dashboard_now_ms() - d->started_ms) / 1000);
    aisp_buf_puts(&out, "# EOF\n");
    answer = aisp_http_answer_new(200, type, out.s, out.len);
    aisp_http_answer_header(answer, "Cache-Control", "no-store");
    aisp_http_send_once(request, answer);
    aisp_buf_release(&out);
}
