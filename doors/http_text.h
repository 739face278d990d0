/* http_text.h - what a request says, read without trust: its target, its Host, its Origin, lists in its headers. Pure, so that
 * it is fuzzed (tests/fuzz/http_fuzz.c). */
#ifndef AISP_DOORS_HTTP_TEXT_H
#define AISP_DOORS_HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { AISP_HTTP_MOST_TARGET = 4096, AISP_HTTP_MOST_PARTS = 64 };

/* A request's target, decoded: all strings lie in `text`. */
struct aisp_http_target {
    char *text;
    char *path;
    const char *name[AISP_HTTP_MOST_PARTS], *value[AISP_HTTP_MOST_PARTS];
    size_t n;
};
/* 0, or the status that refuses it: 414 too long, 400 anything that is not a plain path with a query (a bad escape, a control
 * character, no UTF-8, ".", ".." or an empty part, a backslash, too many parameters, one without a name). */
int aisp_http_target_read(struct aisp_http_target *target, const char *raw);
void aisp_http_target_release(struct aisp_http_target *target);

/* "name:port": an address of either family, localhost, or one of `names` (ends with NULL; or NULL). Addresses
 * cannot be rebound; a name can. */
bool aisp_http_host_is_ours(const char *host, const char *const *names);
/* "http://HOST" or "https://HOST", with the Host of the same request. */
bool aisp_http_origin_is(const char *origin, const char *host);
/* "Bearer TOKEN" -> TOKEN; NULL: something else. */
const char *aisp_http_bearer(const char *authorization);
/* gzip is acceptable by this Accept-Encoding (NULL: no header). */
bool aisp_http_takes_gzip(const char *accept);
/* By this Cache-Control (NULL: no header): how old an answer may be beyond being fresh; "max-stale" alone is `most`, which is never
 * exceeded. 0: it says nothing of it, or no number. */
int aisp_http_max_stale_s(const char *cache_control, int most);
/* A list of entity tags, or "*", names this one; a weak comparison. */
bool aisp_http_list_has(const char *list, const char *etag);

#endif
