/* http_fuzz.c - what a client says: its target, Host, Origin, lists in its headers, a query, and pages of a text. The input's
 * first line is the target; the second the Host; the third the Origin; the fourth an Accept-Encoding and a list of entity tags;
 * the rest a text of which pages are cut. Whatever comes, what is accepted is what the guards promise. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "commands/command.h"
#include "core/base/buf.h"
#include "dashboard/slice.h"
#include "doors/ask.h"
#include "doors/http_text.h"

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text)
{
    json_t *string = json_string(text);      /* NULL: no UTF-8 */

    must(string != NULL);
    json_decref(string);
    for (; *text; text++)
        must((unsigned char)*text >= 0x20 && *text != 0x7f);
}

/* A command line from a query begins with the command's own words, and nothing of a value is an option. */
static void ask(const struct aisp_http_target *t)
{
    const struct aisp_command *command = aisp_ask_find(t->n % 2 ? "bench/analyze" : "bench/show", '/', AISP_ASK_READ);
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    json_t *object = aisp_ask_object(command, t->name, t->value, t->n, AISP_ASK_READ, &err);
    bool are_operands = false;

    must(object || *err.text);
    if (object && !aisp_ask_words(command, object, AISP_ASK_READ, &words, &err)) {
        must(words.n >= 2 && !strcmp(words.word[0], "bench"));
        for (size_t i = 2; i < words.n; i++) {
            are_operands |= !strcmp(words.word[i], "--");
            must(are_operands || !strncmp(words.word[i], "--", 2));
        }
    }
    aisp_words_release(&words);
    json_decref(object);
}

static void check_target(const char *raw)
{
    struct aisp_http_target t;
    const int status = aisp_http_target_read(&t, raw);

    must(status == 0 || status == 400 || status == 414);
    if (status)
        return;
    must(t.path[0] == '/' && !strstr(t.path, "//") && !strchr(t.path, '\\'));
    for (const char *part = t.path; part; part = strchr(part + 1, '/')) {
        const size_t n = strcspn(part + 1, "/");

        must(!(n == 2 && !strncmp(part + 1, "..", 2)) && !(n == 1 && part[1] == '.'));
    }
    check_text(t.path);
    for (size_t i = 0; i < t.n; i++) {
        must(*t.name[i] != '\0');
        check_text(t.name[i]);
        check_text(t.value[i]);
    }
    ask(&t);
    aisp_http_target_release(&t);
}

/* Only characters of addresses, localhost and the one name. */
static void check_host(const char *host, const char *origin)
{
    static const char *const names[] = { "bench.example", NULL };

    if (aisp_http_host_is_ours(host, names))
        must(strspn(host, "0123456789abcdefABCDEF.:[]localhstLOCALHSTbenchexmpBENCHXMP") == strlen(host));
    if (aisp_http_origin_is(origin, host))
        must(strlen(origin) == strlen(host) + 7 || strlen(origin) == strlen(host) + 8);
    aisp_http_bearer(origin);
}

static void cut_pages(const char *text, size_t n)
{
    struct aisp_slice slice;

    if (!aisp_slice_find(&slice, text, n))
        return;
    must(slice.from <= slice.to && slice.to <= n);
    for (size_t first = 0; first < 5; first++) {
        struct aisp_buf page = AISP_BUF_INIT;

        aisp_slice_write(&slice, text, n, first, 2, &page);
        must(page.len <= n + 1);
        aisp_buf_release(&page);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = aisp_xmalloc(n + 1), *rest = text, *line[4];

    memcpy(text, data, n);
    text[n] = '\0';
    for (int i = 0; i < 4; i++) {
        line[i] = rest;
        rest += strcspn(rest, "\n");
        if (*rest)
            *rest++ = '\0';
    }
    check_target(line[0]);
    check_host(line[1], line[2]);
    aisp_http_takes_gzip(line[3]);
    aisp_http_max_stale_s(line[3], 10);
    aisp_http_list_has(line[3], "\"0123456789abcdef\"");
    cut_pages(rest, strlen(rest));
    free(text);
    return 0;
}
