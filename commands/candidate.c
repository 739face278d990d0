/* candidate.c - read what strangers handed in. */
#include "commands/candidate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

void aisp_candidate_clean(const char *text, size_t n, char *to, size_t size)
{
    size_t at = 0;

    for (size_t i = 0; i < n && at + 1 < size; i++)
        to[at++] =
            text[i] >= ' ' && text[i] <= '~' && text[i] != '"' && text[i] != '\\' ? text[i] : '?';
    to[at] = '\0';
}

/* "softmax_v12.c" is one of the family "softmax". */
static void family_of(const char *name, char to[AISP_CANDIDATE_NAME_MAX])
{
    size_t n = strlen(name);

    if (n > 2 && !strcmp(name + n - 2, ".c"))
        n -= 2;
    if (n && strchr("0123456789", name[n - 1])) {
        while (n && strchr("0123456789", name[n - 1]))
            n--;
        if (n > 1 && name[n - 1] == 'v' && strchr("_-.", name[n - 2]))
            n--;
        while (n > 1 && strchr("_-.", name[n - 1]))
            n--;
    }
    snprintf(to, AISP_CANDIDATE_NAME_MAX, "%.*s", (int)n, name);
    if (!*to)
        strcpy(to, "candidate");
}

static struct aisp_candidate *add(struct aisp_candidates *list, const char *name, size_t n,
                                  const char *family)
{
    struct aisp_candidate *c = aisp_grow(&list->item, &list->n, &list->cap, sizeof *c);

    c->rejected = "";
    aisp_candidate_clean(name, n, c->name, sizeof c->name);
    if (family)
        aisp_candidate_clean(family, strlen(family), c->family, sizeof c->family);
    else
        family_of(c->name, c->family);
    aisp_hash_bytes("", 0, c->sha256);
    return c;
}

static void reject(struct aisp_candidate *c, const char *word, const char *why)
{
    c->rejected = word;
    snprintf(c->why, sizeof c->why, "%s", why);
}

static void take_source(struct aisp_candidate *c, const char *bytes, size_t n)
{
    if (n > AISP_CANDIDATE_BYTES_MAX) {
        reject(c, "source-too-large", "a source has at most 1 MiB");
        return;
    }
    c->source = aisp_xmalloc(n + 1);
    memcpy(c->source, bytes, n);
    c->source[n] = '\0';
    c->bytes = n;
    aisp_hash_bytes(c->source, n, c->sha256);
}

static enum aisp_status unreadable(const char *path, struct aisp_err *err)
{
    return aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO,
                           "candidate %s cannot be read; name a C source, or a folder of them",
                           path);
}

/* Opened so that a FIFO or a device cannot hold us up. */
static enum aisp_status read_file(struct aisp_candidate *c, int folder, const char *path, int flags,
                                  struct aisp_err *err)
{
    const int fd = openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
    char *bytes = NULL;
    struct stat info;
    size_t at = 0;
    ssize_t n = 0;

    if (fd < 0 && (errno == ELOOP || errno == ENXIO)) {
        reject(c, "not-a-file", "a candidate is a plain file");
        return AISP_OK;
    }
    if (fd < 0 || fstat(fd, &info)) {
        if (fd >= 0)
            close(fd);
        return unreadable(path, err);
    }
    if (!S_ISREG(info.st_mode)) {
        reject(c, "not-a-file", "a candidate is a plain file");
    } else {
        bytes = aisp_xmalloc(AISP_CANDIDATE_BYTES_MAX + 1);
        while (at <= AISP_CANDIDATE_BYTES_MAX &&
               (n = read(fd, bytes + at, AISP_CANDIDATE_BYTES_MAX + 1 - at)) > 0)
            at += (size_t)n;
        if (n < 0)
            reject(c, "not-a-file", "it cannot be read");
        else
            take_source(c, bytes, at);
        free(bytes);
    }
    close(fd);
    return AISP_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum aisp_status list_folder(DIR *dir, char ***name, size_t *n, struct aisp_err *err)
{
    struct dirent *e;
    size_t cap = 0;

    while ((e = readdir(dir))) {
        const size_t length = strlen(e->d_name);

        if (length < 2 || strcmp(e->d_name + length - 2, ".c"))
            continue;
        if (*n == AISP_CANDIDATES_MAX)
            return aisp_fail(err, AISP_E_USAGE, "more than %d candidates in one folder",
                             AISP_CANDIDATES_MAX);
        *(char **)aisp_grow(name, n, &cap, sizeof **name) = aisp_xstrdup(e->d_name);
    }
    if (*n)
        qsort(*name, *n, sizeof **name, by_name);
    return AISP_OK;
}

static enum aisp_status add_folder(struct aisp_candidates *list, const char *path,
                                   const char *family, struct aisp_err *err)
{
    DIR *dir = opendir(path);
    char **name = NULL;
    enum aisp_status st;
    size_t n = 0;

    if (!dir)
        return unreadable(path, err);
    AISP_TRY(list_folder(dir, &name, &n, err));
    for (size_t i = 0; i < n; i++)
        AISP_TRY(read_file(add(list, name[i], strlen(name[i]), family), dirfd(dir), name[i],
                           O_NOFOLLOW, err));
out:
    for (size_t i = 0; i < n; i++)
        free(name[i]);
    free(name);
    closedir(dir);
    return st;
}

enum aisp_status aisp_candidates_add_path(struct aisp_candidates *list, const char *path,
                                          const char *family, struct aisp_err *err)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    struct stat info;

    if (stat(path, &info))
        return unreadable(path, err);
    if (S_ISDIR(info.st_mode))
        return add_folder(list, path, family, err);
    return read_file(add(list, name, strlen(name), family), AT_FDCWD, path, 0, err);
}

/* ---- from a stream ---- */

static void add_line(struct aisp_candidates *list, const char *line, size_t n, const char *family)
{
    json_error_t error;
    json_t *request = json_loadb(line, n, 0, &error);
    const json_t *source = json_object_get(request, "source");
    const char *name = json_string_value(json_object_get(request, "name")),
               *own = json_string_value(json_object_get(request, "family"));
    struct aisp_candidate *c =
        add(list, name ? name : "line", name ? strlen(name) : 4, own ? own : family);

    if (!name || !json_is_string(source))
        reject(c, "bad-request",
               request ? "a line is {\"name\": text, \"source\": text}" : error.text);
    else
        take_source(c, json_string_value(source), json_string_length(source));
    aisp_candidate_clean(c->why, strlen(c->why), c->why, sizeof c->why);
    json_decref(request);
}

enum aisp_status aisp_candidates_add_stream(struct aisp_candidates *list, FILE *stream,
                                            bool as_lines, const char *family, struct aisp_err *err)
{
    char *text = NULL, *bytes;
    size_t cap = 0;
    ssize_t n;

    if (!as_lines) {
        bytes = aisp_xmalloc(AISP_CANDIDATE_BYTES_MAX + 1);
        cap = fread(bytes, 1, AISP_CANDIDATE_BYTES_MAX + 1, stream);
        take_source(add(list, "stdin", 5, family), bytes, cap);
        free(bytes);
    }
    while (as_lines && (n = getline(&text, &cap, stream)) > 0) {
        if (list->n == AISP_CANDIDATES_MAX) {
            free(text);
            return aisp_fail(err, AISP_E_USAGE, "more than %d candidates", AISP_CANDIDATES_MAX);
        }
        if (strspn(text, " \t\r\n") < (size_t)n)
            add_line(list, text, (size_t)n, family);
    }
    if (as_lines)
        free(text);
    return ferror(stream) ? aisp_fail_errno(err, AISP_E_IO, "standard input") : AISP_OK;
}

void aisp_candidates_release(struct aisp_candidates *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->item[i].source);
    free(list->item);
    *list = (struct aisp_candidates){ 0 };
}
