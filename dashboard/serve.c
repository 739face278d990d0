/* serve.c - `aisp dashboard serve`: the server from its first line to its last. */
#include <malloc.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "dashboard/dashboard.h"

enum { CACHE_BYTES = 32 << 20, NEWS_BYTES = 64 << 10, GRACE_MS = 3000, TRIM_MS = 10000, OTHER_CONNECTIONS = 1000 };

/* Memory of large answers goes back to the system when they do, however often they come. */
static void keep_small(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
    mallopt(M_ARENA_MAX, 1);
}

static void say_where(const struct aisp_request *request, const struct aisp_http *http, const char *token, bool always_token)
{
    if (aisp_args_text(request->args, "token-file"))
        aisp_note(request, "%s/ with the token of %s; interrupt to stop", aisp_http_url(http),
                  aisp_args_text(request->args, "token-file"));
    else
        aisp_note(request, "%s/#token=%s\nWho has this address may run code here; without the token it shows %s. "
                           "Interrupt to stop.",
                  aisp_http_url(http), token, always_token || !aisp_http_is_loopback(http) ? "nothing" : "what is recorded");
}

static enum aisp_status start(struct aisp_dashboard *d, const struct aisp_request *request)
{
    static const char *const open_paths[] = { "/", "/healthz", NULL };
    const char *const *hosts;
    char token[AISP_HTTP_TOKEN_SIZE];
    size_t n_hosts;
    enum aisp_status st = aisp_http_token(aisp_args_text(request->args, "token-file"), token, request->err);
    struct aisp_http_options options = {
        .listen = aisp_args_text(request->args, "listen"),
        .port = (int)aisp_args_integer(request->args, "port"),
        .token = token,
        .open_path = open_paths,
        .most_streams = (int)aisp_args_integer(request->args, "streams"),
        .handle = aisp_dashboard_handle,
        .context = d,
    };

    if (st)
        return st;
    options.most_connections = options.most_streams + OTHER_CONNECTIONS;
    hosts = aisp_args_list(request->args, "host", &n_hosts);
    d->hosts = aisp_xcalloc(n_hosts + 1, sizeof *d->hosts);
    for (size_t i = 0; i < n_hosts; i++)
        d->hosts[i] = hosts[i];
    options.host = d->hosts;
    options.always_token = n_hosts > 0;      /* it is reached through something in front of it, which makes all look near */
    st = aisp_http_start(&d->http, &options, request->err);
    if (!st) {
        aisp_dashboard_make_page(&d->page);
        aisp_dashboard_make_openapi(&d->openapi);
        say_where(request, d->http, token, options.always_token);
    }
    explicit_bzero(token, sizeof token);
    return st;
}

/* Who follows the news is told of a change within a second. */
static void tell_changes(struct aisp_dashboard *d)
{
    const int64_t generation = d->news.n_readers ? aisp_watched_look(&d->watched, aisp_dashboard_now_ms()) : d->told_generation;
    json_t *news;

    if (generation == d->told_generation)
        return;
    d->told_generation = generation;
    news = json_pack("{s:I}", "generation", (json_int_t)generation);
    aisp_log_add(&d->news, "change", news);
    json_decref(news);
}

/* What many clients took goes back when they have gone. */
static void give_back(struct aisp_dashboard *d)
{
    const int64_t now_ms = aisp_dashboard_now_ms();

    if (now_ms - d->trimmed_ms < TRIM_MS)
        return;
    d->trimmed_ms = now_ms;
    malloc_trim(0);
}

static void serve(struct aisp_dashboard *d, const volatile int *stop)
{
    while (!stop || !*stop) {
        struct pollfd fds[1 + AISP_CACHE_FDS + 2] = { { aisp_http_fd(d->http), POLLIN, 0 } };
        size_t n = 1;

        n += aisp_cache_fds(d->cache, fds + n);
        n += aisp_jobs_fds(&d->jobs, fds + n);
        poll(fds, n, aisp_http_timeout_ms(d->http));
        aisp_http_work(d->http);
        aisp_cache_work(d->cache);
        aisp_jobs_work(&d->jobs);
        tell_changes(d);
        give_back(d);
    }
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_dashboard d = { .started_ms = aisp_dashboard_now_ms() };
    struct aisp_words common = AISP_WORDS_INIT;
    struct aisp_http_counts counts;
    enum aisp_status st;

    keep_small();
    aisp_words_add_folders(&common, request->bench_root, request->artifacts_dir);
    aisp_watched_init(&d.watched, request->artifacts_dir, request->bench_root);
    d.told_generation = aisp_watched_look(&d.watched, d.started_ms);
    aisp_log_init(&d.news, NEWS_BYTES);
    aisp_jobs_init(&d.jobs, &common, &d.news);
    d.cache = aisp_cache_new(&d.watched, &common, CACHE_BYTES);
    AISP_TRY(start(&d, request));
    serve(&d, request->console ? request->console->stop : NULL);
    aisp_http_count(d.http, &counts);
    *value = json_pack("{s:s, s:I, s:I}", "url", aisp_http_url(d.http), "requests", (json_int_t)counts.requests, "seconds",
                       (json_int_t)((aisp_dashboard_now_ms() - d.started_ms) / 1000));
    *exit_code = AISP_EXIT_OK;
    aisp_http_stop(d.http, GRACE_MS);
out:
    aisp_cache_free(d.cache);
    aisp_jobs_release(&d.jobs);
    aisp_log_release(&d.news);
    aisp_watched_release(&d.watched);
    aisp_made_release(&d.page);
    aisp_made_release(&d.openapi);
    aisp_words_release(&common);
    free(d.hosts);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    (void)style;
    aisp_buf_printf(out, "%s: %lld requests in %lld s\n", json_string_value(json_object_get(value, "url")),
                    (long long)json_integer_value(json_object_get(value, "requests")),
                    (long long)json_integer_value(json_object_get(value, "seconds")));
}

static const struct aisp_option options[] = {
    { "port", 'p', AISP_OPT_INTEGER, .meta = "N", .help = "Listen on this port; 0 is one that is free", .preset = "8100",
      .low = 0, .high = 65535 },
    { "listen", 0, AISP_OPT_TEXT, .meta = "ADDRESS",
      .help = "Listen on this address of the machine, where all that is asked needs the token (0.0.0.0: all)",
      .preset = "127.0.0.1" },
    { "host", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME",
      .help = "A name that this server goes by, besides addresses and localhost; all that is asked then needs the token" },
    { "token-file", 0, AISP_OPT_PATH, .meta = "FILE", .help = "The token is this file's first line; only its owner may read it" },
    { "streams", 0, AISP_OPT_INTEGER, .meta = "N", .help = "At most so many followers of events", .preset = "1000", .low = 1,
      .high = 20000 },
    { 0 },
};

AISP_COMMAND(dashboard_serve) = {
    .path = "dashboard serve",
    .sentence = "Serve the dashboard and the REST interface, to this machine alone by default",
    .example = "aisp dashboard serve\naisp dashboard serve --listen 0.0.0.0 --host bench.example --token-file token",
    .option = options,
    .flags = AISP_CMD_TERMINAL,
    .run = run,
    .render = render,
};
