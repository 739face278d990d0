/* made.c - see made.h. */
#include "dashboard/made.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands/command.h"

int64_t aisp_dashboard_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void aisp_made_digest(const void *body, size_t n, char digest[33])
{
    unsigned char hash[16];

    crypto_generichash(hash, sizeof hash, body, n, NULL, 0);
    sodium_bin2hex(digest, 33, hash, sizeof hash);
}

int aisp_made_status(const struct aisp_answer *answer)
{
    if (answer->status == AISP_E_NOT_FOUND)
        return 404;
    switch (answer->exit_code) {
    case AISP_EXIT_USAGE:
        return 400;
    case AISP_EXIT_NOTHING:
    case AISP_EXIT_INVALID:
    case AISP_EXIT_GATE:
        return 422;
    case AISP_EXIT_STORE:      /* locked, full, damaged: the line says what somebody can do, and it may be better next time */
    case AISP_EXIT_INTERRUPTED:
        return 503;
    default:
        return 500;
    }
}

void aisp_made_headers(struct aisp_http_answer *answer, const char *etag)
{
    aisp_http_answer_header(answer, "ETag", etag);
    aisp_http_answer_header(answer, "Cache-Control", "no-cache");
    aisp_http_answer_header(answer, "Vary", "Accept-Encoding, Authorization");
}

/* 304: as little as the client has to know (RFC 9110, 15.4.5). */
static struct aisp_http_answer *same(const char *etag)
{
    struct aisp_http_answer *answer = aisp_http_answer_new(304, "", "", 0);

    aisp_made_headers(answer, etag);
    return answer;
}

static const char fresh_at[] = "Aisp-Fresh-At", of_now[] = "now";

/* Of a command's answer, and of a 304 to it as well: what that one says replaces what a client keeps, and what it leaves out the
 * client keeps from before (RFC 9111, 3.2). So there is no age without a header. */
static void say_rest(struct aisp_http_answer *answer, const struct aisp_made *made)
{
    if (*made->exit_code)
        aisp_http_answer_header(answer, "Aisp-Exit-Code", made->exit_code);
    if (*made->fresh_at)
        aisp_http_answer_header(answer, fresh_at, made->fresh_at);
}

void aisp_made_say_now(struct aisp_http_answer *answer)
{
    aisp_http_answer_header(answer, fresh_at, of_now);
}

static void add_gzip(struct aisp_made *made, void *packed_take, size_t n)
{
    made->gzip_n = n;
    made->gzip = aisp_http_answer_take(200, made->type, packed_take, n);
    aisp_http_answer_header(made->gzip, "Content-Encoding", "gzip");
    aisp_made_headers(made->gzip, made->gzip_etag);
    say_rest(made->gzip, made);
    made->gzip_same = same(made->gzip_etag);
    say_rest(made->gzip_same, made);
}

void aisp_made_body(struct aisp_made *made, const char *type, char *text_take, size_t n)
{
    char digest[33];

    aisp_made_digest(text_take, n, digest);
    *made = (struct aisp_made){ .status = 200, .text = text_take, .n = n, .type = type, .is_filled = true };
    snprintf(made->etag, sizeof made->etag, "\"%s\"", digest);
    snprintf(made->gzip_etag, sizeof made->gzip_etag, "\"%s-gzip\"", digest);
    made->plain = aisp_http_answer_take(200, type, text_take, n);
    aisp_made_headers(made->plain, made->etag);
    made->plain_same = same(made->etag);
}

void aisp_made_fill(struct aisp_made *made, struct aisp_answer *answer)
{
    if (!answer->text || answer->error) {
        aisp_made_problem(made, aisp_made_status(answer), answer->error ? answer->error : "no answer");
        return;
    }
    aisp_made_body(made, "application/json", answer->text, strlen(answer->text));
    answer->text = NULL;
    if (answer->exit_code)                   /* there is a value and yet something to say, as of a gate */
        snprintf(made->exit_code, sizeof made->exit_code, "%d", answer->exit_code);
    strcpy(made->fresh_at, of_now);
    say_rest(made->plain, made);
    say_rest(made->plain_same, made);
    if (!answer->gzip)
        return;
    made->is_tried = true;
    add_gzip(made, answer->gzip, answer->gzip_n);
    answer->gzip = NULL;
}

void aisp_made_problem(struct aisp_made *made, int status, const char *detail)
{
    char *text = aisp_xstrdup(detail);

    *made = (struct aisp_made){ .is_filled = true, .status = status, .text = text, .n = strlen(text) };
}

void aisp_made_compress(struct aisp_made *made)
{
    void *packed;
    size_t n;

    if (made->is_tried)
        return;
    made->is_tried = true;
    packed = aisp_http_gzip(made->text, made->n, &n);
    if (packed)
        add_gzip(made, packed, n);
}

void aisp_made_send(struct aisp_made *made, struct aisp_http_request *request)
{
    if (request->wants_gzip)
        aisp_made_compress(made);
    if (request->wants_gzip && made->gzip)
        aisp_http_send(request, aisp_http_has(request, made->gzip_etag) ? made->gzip_same : made->gzip);
    else
        aisp_http_send(request, aisp_http_has(request, made->etag) ? made->plain_same : made->plain);
}

/* Once outdated it is never of now again: what is sent later may all say so. */
void aisp_made_outdate(struct aisp_made *made, int64_t ago_ms)
{
    struct aisp_http_answer *all[] = { made->plain, made->gzip, made->plain_same, made->gzip_same };
    struct timespec now;
    struct tm tm;
    int64_t at_ms;
    time_t at;
    size_t n;

    if (strcmp(made->fresh_at, of_now) != 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    at_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - ago_ms;
    at = (time_t)(at_ms / 1000);
    n = strftime(made->fresh_at, sizeof made->fresh_at, "%Y-%m-%dT%H:%M:%S", gmtime_r(&at, &tm));
    snprintf(made->fresh_at + n, sizeof made->fresh_at - n, ".%03dZ", (int)(at_ms % 1000));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            aisp_http_answer_change(all[i], fresh_at, of_now, made->fresh_at);
}

void aisp_made_release(struct aisp_made *made)
{
    struct aisp_http_answer *all[] = { made->plain, made->gzip, made->plain_same, made->gzip_same };

    if (!made->plain)
        free(made->text);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        aisp_http_answer_free(all[i]);
    *made = (struct aisp_made){ 0 };
}
