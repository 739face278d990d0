/* read.c - a GET becomes a command line, its answer a body: whole, a page of its list, compressed, or "you have it". */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "dashboard/dashboard.h"
#include "dashboard/slice.h"
#include "doors/ask.h"
#include "doors/http_text.h"

enum { MOST_PAGE = 1000, PAGE = 200, CURSOR_SIZE = 64, OF_SIZE = 16 };

const struct aisp_dashboard_alias aisp_dashboard_aliases[] = {
    { "/api/benchmarks", "bench/list-targets" },
    { "/api/summary", "bench/summary" },
    { "/api/analysis/leaderboards", "bench/analyze", "show", "leaderboards" },
    { "/api/analysis/pareto", "bench/analyze", "show", "pareto" },
    { "/api/analysis/tradeoffs", "bench/analyze", "show", "tradeoffs" },
    { "/api/analysis/recommendations", "bench/analyze", "show", "recommendations" },
    { "/api/analysis/whatif", "bench/whatif" },
    { "/api/analysis/stacking", "bench/stacking" },
    { "/api/analysis/power", "bench/power" },
    { "/api/analysis/cost", "bench/cost" },
    { "/api/analysis/scaling", "bench/scaling" },
    { 0 },
};

static bool has_option(const struct aisp_command *command, const char *name)
{
    for (const struct aisp_option *o = command->option; o && o->name; o++)
        if (!strcmp(o->name, name))
            return true;
    return false;
}

const char *aisp_dashboard_page_size(const struct aisp_command *command)
{
    return has_option(command, "limit") ? "page-size" : "limit";
}

/* ---- pages ---- */

/* A cursor is where the next page begins, and the beginning of the list's entity tag: in a list that has changed, it leads
 * nowhere. */
static void cursor_write(int64_t first, const char *digest, char text[CURSOR_SIZE])
{
    char *plain = aisp_format("%lld.%.*s", (long long)first, OF_SIZE, digest);

    sodium_bin2base64(text, CURSOR_SIZE, (const unsigned char *)plain, strlen(plain), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    free(plain);
}

static bool cursor_read(const char *text, struct aisp_wait *wait)
{
    char plain[CURSOR_SIZE] = "", *end;
    size_t n;

    if (sodium_base642bin((unsigned char *)plain, sizeof plain - 1, text, strlen(text), NULL, &n, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING))
        return false;
    wait->first = strtoll(plain, &end, 10);
    if (end == plain || *end != '.' || wait->first < 0 || strlen(end + 1) != OF_SIZE ||
        strspn(end + 1, "0123456789abcdef") != OF_SIZE)
        return false;
    memcpy(wait->of, end + 1, OF_SIZE + 1);
    return true;
}

static void add_escaped(struct aisp_buf *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    for (; *text; text++)
        if (strchr(plain, *text))
            aisp_buf_add(out, text, 1);
        else
            aisp_buf_printf(out, "%%%02X", (unsigned char)*text);
}

/* </api/v1/bench/export?limit=200&cursor=...>; rel="next" */
static char *link_to(const struct aisp_wait *wait, const char *cursor)
{
    const struct aisp_http_request *r = wait->request;
    struct aisp_buf out = AISP_BUF_INIT;
    const char *before = "?";

    aisp_buf_puts(&out, "<");
    add_escaped(&out, r->path);
    for (size_t i = 0; i < r->n; i++) {
        if (!strcmp(r->name[i], "cursor"))
            continue;
        aisp_buf_puts(&out, before);
        add_escaped(&out, r->name[i]);
        aisp_buf_puts(&out, "=");
        add_escaped(&out, r->value[i]);
        before = "&";
    }
    aisp_buf_printf(&out, "%scursor=%s>; rel=\"next\"", before, cursor);
    return aisp_buf_detach(&out);
}

static void send_page(const struct aisp_wait *wait, const struct aisp_made *made)
{
    struct aisp_buf body = AISP_BUF_INIT;
    struct aisp_http_answer *answer;
    char digest[33], etag[48], cursor[CURSOR_SIZE];
    struct aisp_slice slice;

    if (!aisp_slice_find(&slice, made->text, made->n)) {
        aisp_http_problem(wait->request, 400, "this answer has not one list; \"%s\" and \"cursor\" are for those that have",
                          wait->page_size);
        return;
    }
    if (*wait->of && strncmp(wait->of, made->etag + 1, OF_SIZE)) {
        aisp_http_problem(wait->request, 410, "the list has changed since its first page; begin again");
        return;
    }
    aisp_slice_write(&slice, made->text, made->n, (size_t)wait->first, (size_t)wait->limit, &body);
    aisp_made_digest(body.s, body.len, digest);
    answer = aisp_http_answer_new(200, "application/json", body.s, body.len);
    aisp_buf_release(&body);
    etag[0] = '"';
    memcpy(etag + 1, digest, 32);
    strcpy(etag + 33, "\"");
    aisp_made_headers(answer, etag);
    aisp_made_say_now(answer);
    if ((uint64_t)wait->first + (uint64_t)wait->limit < slice.n) {
        char *link;

        cursor_write(wait->first + wait->limit, made->etag + 1, cursor);
        link = link_to(wait, cursor);
        aisp_http_answer_header(answer, "Link", link);
        free(link);
    }
    aisp_http_send_once(wait->request, answer);
}

/* ---- answers ---- */

static void reply(const struct aisp_wait *wait, struct aisp_made *made)
{
    struct aisp_http_request *request = wait->request;

    if (made->status != 200) {
        aisp_http_problem(request, made->status, "%s", made->text);
        return;
    }
    if (wait->has_page) {
        send_page(wait, made);
        return;
    }
    aisp_made_send(made, request);
}

/* Parameters that are the server's own are taken out of the query. False: one is wrong, and that was said. */
static bool take_page(const struct aisp_http_request *request, const struct aisp_command *command, struct aisp_wait *wait,
                      const char **name, const char **value, size_t *n)
{
    wait->page_size = aisp_dashboard_page_size(command);
    wait->limit = PAGE;
    *n = 0;
    for (size_t i = 0; i < request->n; i++) {
        const char *v = request->value[i];
        const bool is_limit = !strcmp(request->name[i], wait->page_size), is_cursor = !strcmp(request->name[i], "cursor");
        char *end;

        if (!is_limit && !is_cursor) {
            name[*n] = request->name[i];
            value[(*n)++] = v;
            continue;
        }
        wait->has_page = true;
        if (is_limit) {
            wait->limit = strtoll(v, &end, 10);
            if (*end || end == v || wait->limit < 1 || wait->limit > MOST_PAGE) {
                aisp_http_problem(wait->request, 400, "\"%s\" is 1 to %d", wait->page_size, MOST_PAGE);
                return false;
            }
        } else if (!cursor_read(v, wait)) {
            aisp_http_problem(wait->request, 400, "a cursor that was not given here");
            return false;
        }
    }
    return true;
}

static void read_command(struct aisp_dashboard *d, struct aisp_http_request *request, const struct aisp_command *command,
                         const struct aisp_dashboard_alias *alias)
{
    const char *name[AISP_HTTP_MOST_PARTS + 1], *value[AISP_HTTP_MOST_PARTS + 1];
    struct aisp_wait wait = { .request = request, .reply = reply };
    const int stale_s = aisp_http_max_stale_s(aisp_http_header(request, "Cache-Control"), AISP_DASHBOARD_MOST_STALE_S);
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    json_t *object;
    size_t n;

    wait.most_stale_ms = 1000 * stale_s;
    if (!take_page(request, command, &wait, name, value, &n))
        return;
    if (alias && alias->option) {
        name[n] = alias->option;
        value[n++] = alias->value;
    }
    object = aisp_ask_object(command, name, value, n, AISP_ASK_READ, &err);
    if (!object || aisp_ask_words(command, object, AISP_ASK_READ, &words, &err))
        aisp_http_problem(request, 400, "%s", err.text);
    else
        aisp_cache_ask(d->cache, &words, command->flags & AISP_CMD_READS_STORE, &wait);
    aisp_words_release(&words);
    json_decref(object);
}

void aisp_dashboard_read(struct aisp_dashboard *d, struct aisp_http_request *request, const char *name)
{
    const struct aisp_command *command = aisp_ask_find(name, '/', AISP_ASK_READ);

    if (command)
        read_command(d, request, command, NULL);
    else if (aisp_ask_find(name, '/', AISP_ASK_RUN))
        aisp_http_problem(request, 403, "this one runs code or writes: POST /api/v1/jobs with the token");
    else
        aisp_http_problem(request, 404, "no command of that name; /api/v1/openapi.json lists them");
}

bool aisp_dashboard_alias(struct aisp_dashboard *d, struct aisp_http_request *request)
{
    for (const struct aisp_dashboard_alias *s = aisp_dashboard_aliases; s->path; s++)
        if (!strcmp(s->path, request->path)) {
            read_command(d, request, aisp_ask_find(s->command, '/', AISP_ASK_READ), s);
            return true;
        }
    return false;
}
