/* http_text.c - see http_text.h. */
#include "doors/http_text.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"

/* ---- the target ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false at a bad escape or what must not be in text. */
static bool decode(char *text, bool is_query)
{
    char *to = text;

    for (const char *at = text; *at; to++) {
        if (*at == '%') {
            const int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);

            if (low < 0)
                return false;
            *to = (char)(high << 4 | low);
            at += 3;
        } else {
            *to = is_query && *at == '+' ? ' ' : *at;
            at++;
        }
        if ((unsigned char)*to < 0x20 || *to == 0x7f)
            return false;
    }
    *to = '\0';
    return true;
}

/* UTF-8 without overlong forms, surrogates or what lies beyond U+10FFFF. */
static bool is_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    while (*c) {
        const int n = *c < 0x80 ? 0 : *c >= 0xc2 && *c < 0xe0 ? 1 : (*c & 0xf0) == 0xe0 ? 2 : *c >= 0xf0 && *c < 0xf5 ? 3 : -1;

        if (n < 0 || (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) || (*c == 0xf0 && c[1] < 0x90) ||
            (*c == 0xf4 && c[1] > 0x8f))
            return false;
        c++;
        for (int i = 0; i < n; i++, c++)
            if ((*c & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static bool is_plain_path(const char *path)
{
    if (*path != '/' || strchr(path, '\\') || !is_utf8(path))
        return false;
    for (const char *part = path; part; part = strchr(part + 1, '/')) {
        const size_t n = strcspn(part + 1, "/");

        if ((n == 0 && part != path) || (n == 1 && part[1] == '.') || (n == 2 && part[1] == '.' && part[2] == '.'))
            return false;
        if (n == 0 && part[1])               /* "//..." */
            return false;
    }
    return true;
}

static bool read_query(struct aisp_http_target *target, char *query)
{
    char *rest = query, *pair;

    while ((pair = strsep(&rest, "&"))) {
        char *value = strchr(pair, '=');

        if (!*pair)
            continue;
        if (value)
            *value++ = '\0';
        if (target->n == AISP_HTTP_MOST_PARTS || !*pair)
            return false;
        if (!decode(pair, true) || !is_utf8(pair) || (value && (!decode(value, true) || !is_utf8(value))))
            return false;
        target->name[target->n] = pair;
        target->value[target->n++] = value ? value : "";
    }
    return true;
}

int aisp_http_target_read(struct aisp_http_target *target, const char *raw)
{
    char *query;

    *target = (struct aisp_http_target){ 0 };
    if (strlen(raw) > AISP_HTTP_MOST_TARGET)
        return 414;
    target->text = target->path = aisp_xstrdup(raw);
    query = strchr(target->text, '?');
    if (query)
        *query++ = '\0';
    if (!strchr(target->text, '#') && decode(target->path, false) && is_plain_path(target->path) &&
        (!query || read_query(target, query)))
        return 0;
    aisp_http_target_release(target);
    return 400;
}

void aisp_http_target_release(struct aisp_http_target *target)
{
    free(target->text);
    *target = (struct aisp_http_target){ 0 };
}

/* ---- Host and Origin ---- */

/* Is it a port: nothing, or ":1" to ":65535"? */
static bool is_port(const char *text)
{
    long port = 0;

    if (!*text)
        return true;
    if (*text++ != ':' || !*text || strlen(text) > 5)
        return false;
    for (; isdigit((unsigned char)*text); text++)
        port = 10 * port + (*text - '0');
    return !*text && port > 0 && port < 65536;
}

static bool is_name(const char *host, size_t n, const char *name)
{
    return strlen(name) == n && !strncasecmp(host, name, n);
}

bool aisp_http_host_is_ours(const char *host, const char *const *names)
{
    const size_t n = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    char name[256];
    unsigned char address[16];

    if (n >= sizeof name || n > strlen(host) || !is_port(host + n))
        return false;
    memcpy(name, host, n);
    name[n] = '\0';
    if (*host == '[') {
        name[n - 1] = '\0';
        return inet_pton(AF_INET6, name + 1, address) == 1;
    }
    if (inet_pton(AF_INET, name, address) == 1 || is_name(host, n, "localhost"))
        return true;
    for (; names && *names; names++)
        if (is_name(host, n, *names))
            return true;
    return false;
}

bool aisp_http_origin_is(const char *origin, const char *host)
{
    static const char *const schemes[] = { "http://", "https://" };

    for (size_t i = 0; i < 2; i++) {
        const size_t n = strlen(schemes[i]);

        if (!strncasecmp(origin, schemes[i], n) && !strcasecmp(origin + n, host))
            return true;
    }
    return false;
}

/* ---- other headers ---- */

const char *aisp_http_bearer(const char *authorization)
{
    static const char scheme[] = "Bearer ";

    if (strncasecmp(authorization, scheme, strlen(scheme)))
        return NULL;
    authorization += strlen(scheme);
    return authorization + strspn(authorization, " ");
}

/* The next element of a list; its length without blanks around it. NULL at the end. */
static const char *next_of(const char **rest, size_t *n)
{
    const char *from = *rest + strspn(*rest, " \t,");

    if (!*from)
        return NULL;
    *n = strcspn(from, ",");
    *rest = from + *n;
    while (*n && (from[*n - 1] == ' ' || from[*n - 1] == '\t'))
        --*n;
    return from;
}

/* ";q=0", ";q=0.000": it is not wanted. */
static bool is_unwanted(const char *parameters, size_t n)
{
    size_t i = 0;

    while (i < n && (parameters[i] == ' ' || parameters[i] == ';' || parameters[i] == '\t'))
        i++;
    if (i + 2 >= n || (parameters[i] | 0x20) != 'q' || parameters[i + 1] != '=')
        return false;
    for (i += 2; i < n; i++)
        if (parameters[i] != '0' && parameters[i] != '.')
            return false;
    return true;
}

bool aisp_http_takes_gzip(const char *accept)
{
    const char *element;
    size_t n;

    while (accept && (element = next_of(&accept, &n))) {
        size_t name = 0;

        while (name < n && element[name] != ';' && element[name] != ' ')
            name++;
        if (is_name(element, name, "gzip"))
            return !is_unwanted(element + name, n - name);
    }
    return false;
}

int aisp_http_max_stale_s(const char *cache_control, int most)
{
    static const char name[] = "max-stale";
    const char *element;
    size_t n;

    while (cache_control && (element = next_of(&cache_control, &n))) {
        size_t i = strlen(name) + 1;
        int seconds = 0;

        if (is_name(element, n, name))
            return most;
        if (n <= i || !is_name(element, i - 1, name) || element[i - 1] != '=')
            continue;
        for (; i < n && element[i] >= '0' && element[i] <= '9'; i++)
            seconds = seconds < most ? 10 * seconds + (element[i] - '0') : most;
        return i < n ? 0 : seconds < most ? seconds : most;
    }
    return 0;
}

bool aisp_http_list_has(const char *list, const char *etag)
{
    const char *element;
    size_t n;

    while ((element = next_of(&list, &n))) {
        if (n == 1 && *element == '*')
            return true;
        if (n > 2 && element[0] == 'W' && element[1] == '/') {
            element += 2;
            n -= 2;
        }
        if (strlen(etag) == n && !strncmp(element, etag, n))
            return true;
    }
    return false;
}
