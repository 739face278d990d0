/* root.c - readers of one file, folder or list. Not here: what is put together of several (machine.c). */
#include "doctor/root.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"

enum { MOST_BYTES = 1 << 20, PATH_BYTES = 1024 };

/* ---- one file ---- */

/* Where a file of the root lies on this machine. False: the name does not fit. */
__attribute__((format(printf, 3, 0))) static bool locate(const struct aisp_root *root, char path[PATH_BYTES], const char *format, va_list args)
{
    int n = snprintf(path, PATH_BYTES, "%s", strcmp(root->path, "/") ? root->path : "");
    int m;

    if (n < 0 || n >= PATH_BYTES)
        return false;
    m = vsnprintf(path + n, (size_t)(PATH_BYTES - n), format, args);
    return m >= 0 && n + m < PATH_BYTES;
}

/* Zero bytes, which /proc puts between words, become line ends. */
static char *read_whole(const char *path)
{
    struct aisp_buf text = AISP_BUF_INIT;
    FILE *f = fopen(path, "r");
    char part[4096];
    size_t n;
    bool failed;

    if (!f)
        return NULL;
    while (text.len < MOST_BYTES && (n = fread(part, 1, sizeof part, f)) > 0)
        aisp_buf_add(&text, part, n);
    failed = ferror(f) != 0;
    fclose(f);
    if (failed) {
        aisp_buf_release(&text);
        return NULL;
    }
    for (size_t i = 0; i < text.len; i++)
        if (!text.s[i])
            text.s[i] = '\n';
    return aisp_buf_detach(&text);
}

char *aisp_root_text(const struct aisp_root *root, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    bool fits;

    va_start(args, format);
    fits = locate(root, path, format, args);
    va_end(args);
    return fits ? read_whole(path) : NULL;
}

static void copy_trimmed(char *to, size_t size, const char *from, size_t n)
{
    while (n && isspace((unsigned char)*from))
        from++, n--;
    while (n && isspace((unsigned char)from[n - 1]))
        n--;
    if (n >= size)
        n = size - 1;
    memcpy(to, from, n);
    to[n] = 0;
}

bool aisp_root_line(const struct aisp_root *root, char *to, size_t size, const char *format, ...)
{
    char path[PATH_BYTES], *text = NULL;
    va_list args;

    *to = 0;
    va_start(args, format);
    if (locate(root, path, format, args))
        text = read_whole(path);
    va_end(args);
    if (!text)
        return false;
    copy_trimmed(to, size, text, strcspn(text, "\n"));
    free(text);
    return true;
}

static bool to_integer(const char *text, int64_t *value)
{
    char *end;
    long long v;

    while (isspace((unsigned char)*text))
        text++;
    errno = 0;
    v = strtoll(text, &end, !strncmp(text, "0x", 2) ? 16 : 10);
    if (end == text || errno || isalnum((unsigned char)*end))
        return false;
    *value = v;
    return true;
}

bool aisp_root_integer(const struct aisp_root *root, int64_t *value, const char *format, ...)
{
    char path[PATH_BYTES], *text = NULL;
    va_list args;
    bool good;

    va_start(args, format);
    if (locate(root, path, format, args))
        text = read_whole(path);
    va_end(args);
    good = text && to_integer(text, value);
    free(text);
    return good;
}

bool aisp_root_chosen(const struct aisp_root *root, char *to, size_t size, const char *file)
{
    char *text = aisp_root_text(root, "%s", file), *open = text ? strchr(text, '[') : NULL;
    char *close = open ? strchr(open, ']') : NULL;

    *to = 0;
    if (close)
        copy_trimmed(to, size, open + 1, (size_t)(close - open - 1));
    free(text);
    return close != NULL;
}

bool aisp_root_exists(const struct aisp_root *root, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    bool fits;

    va_start(args, format);
    fits = locate(root, path, format, args);
    va_end(args);
    return fits && access(path, F_OK) == 0;
}

bool aisp_root_link(const struct aisp_root *root, char *to, size_t size, const char *format, ...)
{
    char path[PATH_BYTES], target[PATH_BYTES];
    const char *last;
    va_list args;
    ssize_t n;
    bool fits;

    *to = 0;
    va_start(args, format);
    fits = locate(root, path, format, args);
    va_end(args);
    n = fits ? readlink(path, target, sizeof target - 1) : -1;
    if (n <= 0)
        return false;
    target[n] = 0;
    last = strrchr(target, '/');
    last = last ? last + 1 : target;
    copy_trimmed(to, size, last, strlen(last));
    return true;
}

/* ---- lines of a text ---- */

bool aisp_text_field(const char *text, const char *key, char *to, size_t size)
{
    const size_t n = strlen(key);

    *to = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *at = line;

        while (*at == ' ' || *at == '\t')
            at++;
        if (strncmp(at, key, n))
            continue;
        at += n;
        if (*at != ':' && *at != '=' && *at != ' ' && *at != '\t')
            continue;
        at += strspn(at, " \t");
        at += *at == ':' || *at == '=';
        copy_trimmed(to, size, at, strcspn(at, "\n"));
        return true;
    }
    return false;
}

bool aisp_text_integer(const char *text, const char *key, int64_t *value)
{
    char word[64];

    return aisp_text_field(text, key, word, sizeof word) && to_integer(word, value);
}

bool aisp_text_has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = text; at && *at; at += strcspn(at, " ,\t\n"), at += strspn(at, " ,\t\n"))
        if (!strncmp(at, word, n) && (!at[n] || strchr(" ,\t\n", at[n])))
            return true;
    return false;
}

/* ---- folders ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "cpu#" begins cpu0, not cpufreq. */
static bool begins_with(const char *name, const char *prefix)
{
    const size_t n = strcspn(prefix, "#");

    return !strncmp(name, prefix, n) && (!prefix[n] || isdigit((unsigned char)name[n]));
}

bool aisp_root_list(const struct aisp_root *root, struct aisp_root_names *names, const char *prefix, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    DIR *dir = NULL;

    *names = (struct aisp_root_names)AISP_NAMES_INIT;
    va_start(args, format);
    if (locate(root, path, format, args))
        dir = opendir(path);
    va_end(args);
    if (!dir)
        return false;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir))
        if (e->d_name[0] != '.' && begins_with(e->d_name, prefix))
            *(char **)aisp_grow(&names->name, &names->n, &names->cap, sizeof(char *)) = aisp_xstrdup(e->d_name);
    closedir(dir);
    if (names->n)
        qsort(names->name, names->n, sizeof *names->name, by_name);
    return true;
}

void aisp_names_release(struct aisp_root_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
    *names = (struct aisp_root_names)AISP_NAMES_INIT;
}

/* ---- lists of CPUs ---- */

/* Next range of the list; NULL at its end or where it is none. */
static const char *next_range(const char *at, long *low, long *high)
{
    char *end;

    while (*at == ',' || isspace((unsigned char)*at))
        at++;
    if (!isdigit((unsigned char)*at))
        return NULL;
    *low = *high = strtol(at, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1]))
        *high = strtol(end + 1, &end, 10);
    return !*end || *end == ',' || isspace((unsigned char)*end) ? end : NULL;
}

bool aisp_list_has(const char *list, int cpu)
{
    long low, high;

    for (const char *at = next_range(list, &low, &high); at; at = next_range(at, &low, &high))
        if (cpu >= low && cpu <= high)
            return true;
    return false;
}

int aisp_list_count(const char *list)
{
    long low, high, n = 0;
    const char *at = next_range(list, &low, &high);

    if (!at)
        return -1;
    for (; at; at = next_range(at, &low, &high))
        n += high >= low ? high - low + 1 : 0;
    return (int)n;
}

int aisp_list_common(const char *a, const char *b)
{
    long low, high;
    int n = 0;

    for (const char *at = next_range(a, &low, &high); at; at = next_range(at, &low, &high))
        for (long cpu = low; cpu <= high && cpu - low < 65536; cpu++)
            n += aisp_list_has(b, (int)cpu);
    return n;
}

/* ---- the root ---- */

static void read_environment(struct aisp_root *root)
{
    size_t n = 0, cap = 0;
    char *text = aisp_root_text(root, "/proc/self/environ");

    root->environment_text = text;
    if (!text)
        return;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
        *(char **)aisp_grow(&root->environment, &n, &cap, sizeof(char *)) = at;
    *(char **)aisp_grow(&root->environment, &n, &cap, sizeof(char *)) = NULL;
}

static void read_processes(struct aisp_root *root)
{
    struct aisp_buf names = AISP_BUF_INIT;
    struct aisp_root_names ids;
    char name[32];

    aisp_root_list(root, &ids, "#", "/proc");
    for (size_t i = 0; i < ids.n; i++)
        if (aisp_root_line(root, name, sizeof name, "/proc/%s/comm", ids.name[i]) && *name)
            aisp_buf_printf(&names, "%s\n", name);
    aisp_names_release(&ids);
    root->processes = names.len ? aisp_buf_detach(&names) : NULL;
}

void aisp_root_init(struct aisp_root *root, const char *path)
{
    *root = (struct aisp_root){ .path = path };
    if (!strcmp(path, "/"))
        root->environment = environ;
    else
        read_environment(root);
    read_processes(root);
}

void aisp_root_release(struct aisp_root *root)
{
    if (root->environment_text)
        free(root->environment);
    free(root->environment_text);
    free(root->processes);
    *root = (struct aisp_root){ 0 };
}
