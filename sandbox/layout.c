/* layout.c - the plan of a build: which folders, links, files of the host and files of the caller make up its world, and the
 * command line. All of it is worked out here, so that the jail only carries out a list. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/inside.h"

enum { MAX_LINKS = 40 };

struct layout {
    struct aisp_buf bytes;
    struct aisp_jail_step *step;
    size_t n_steps, cap_steps;
    char **made; /* paths that have a step */
    size_t n_made, cap_made;
};

static uint32_t put(struct layout *l, const void *bytes, size_t n)
{
    const uint32_t at = (uint32_t)l->bytes.len;

    aisp_buf_add(&l->bytes, bytes, n);
    return at;
}

static uint32_t put_text(struct layout *l, const char *text)
{
    return put(l, text, strlen(text) + 1);
}

static uint32_t put_table(struct layout *l, const void *table, size_t n)
{
    static const char zeros[8];

    aisp_buf_add(&l->bytes, zeros, -l->bytes.len & 7);
    return put(l, table, n);
}

static void add_step(struct layout *l, enum aisp_jail_op op, const char *at, const void *what,
                     size_t n)
{
    struct aisp_jail_step *step = aisp_grow(&l->step, &l->n_steps, &l->cap_steps, sizeof *step);

    step->op = op;
    step->at = put_text(l, at);
    step->what = n ? put(l, what, n) : 0;
    step->bytes = (uint32_t)n;
}

static bool is_new(struct layout *l, const char *path)
{
    for (size_t i = 0; i < l->n_made; i++)
        if (!strcmp(l->made[i], path))
            return false;
    *(char **)aisp_grow(&l->made, &l->n_made, &l->cap_made, sizeof *l->made) = aisp_xstrdup(path);
    return true;
}

static void show(struct layout *l, const char *path, int n_links);

/* A link of the host is made again, and what it leads to is shown. */
static void follow(struct layout *l, const char *link, const char *to, const char *rest,
                   int n_links)
{
    const char *slash = strrchr(link, '/');
    char *next = *to == '/' ? aisp_format("%s%s", to, rest)
                            : aisp_format("%.*s/%s%s", (int)(slash - link), link, to, rest);
    char *real = realpath(next, NULL);

    if (is_new(l, link))
        add_step(l, AISP_JAIL_LINK, link, to, strlen(to) + 1);
    /* Links below it are found on the way, unless ".." makes a detour of it. */
    if (strstr(next, "/../") || strstr(next, "/./")) {
        if (real)
            show(l, real, n_links - 1);
    } else {
        show(l, next, n_links - 1);
    }
    free(next);
    free(real);
}

static void show(struct layout *l, const char *path, int n_links)
{
    char part[PATH_MAX], to[PATH_MAX];

    for (const char *end = path; n_links > 0 && *end;) {
        struct stat info;
        ssize_t n;

        end += 1 + strcspn(end + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (lstat(part, &info))
            return;
        if (S_ISLNK(info.st_mode)) {
            n = readlink(part, to, sizeof to - 1);
            if (n > 0) {
                to[n] = '\0';
                follow(l, part, to, end, n_links);
            }
            return;
        }
        if (*end && is_new(l, part))
            add_step(l, AISP_JAIL_FOLDER, part, NULL, 0);
        if (!*end && is_new(l, part))
            add_step(l, S_ISDIR(info.st_mode) ? AISP_JAIL_SHOW_FOLDER : AISP_JAIL_SHOW_FILE, part,
                     NULL, 0);
    }
}

static bool is_inside(const char *path, const struct aisp_toolchain *tools)
{
    for (size_t i = 0; i < tools->n_folders; i++) {
        const size_t n = strlen(tools->folder[i]);

        if (!strncmp(path, tools->folder[i], n) && path[n] == '/')
            return true;
    }
    return false;
}

/* What lies in a folder that is shown needs no step of its own. */
static void show_tools(struct layout *l, const struct aisp_toolchain *tools)
{
    for (size_t i = 0; i < tools->n_folders; i++)
        if (!is_inside(tools->folder[i], tools))
            show(l, tools->folder[i], MAX_LINKS);
    for (size_t i = 0; i < tools->n_files; i++)
        if (!is_inside(tools->file[i], tools))
            show(l, tools->file[i], MAX_LINKS);
}

static void write_files(struct layout *l, const struct aisp_sandbox_spec *spec)
{
    for (size_t i = 0; i < spec->n_files; i++)
        add_step(l, AISP_JAIL_WRITE, spec->file[i].at, spec->file[i].bytes, spec->file[i].n);
}

struct words {
    uint32_t *at;
    size_t n, cap;
};

static void add_word(struct layout *l, struct words *w, const char *text)
{
    const uint32_t at = put_text(l, text);

    *(uint32_t *)aisp_grow(&w->at, &w->n, &w->cap, sizeof *w->at) = at;
}

/* Depth is gcc's own count; how many there are in all is counted from what -H says. */
static void command_line(struct layout *l, const struct aisp_sandbox_spec *spec, struct words *w)
{
    static const char *const ours[] = { "-H",
                                        "-fmax-errors=20",
                                        "-fdiagnostics-color=never",
                                        "-fPIC",
                                        "-shared",
                                        "-I",
                                        "include",
                                        "-I",
                                        "." };
    const bool is_clang = strstr(spec->tools->compiler, "clang");

    add_word(l, w, spec->tools->compiler);
    for (size_t i = 0; spec->flags[i]; i++)
        add_word(l, w, spec->flags[i]);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add_word(l, w,
                 is_clang && !strncmp(ours[i], "-fmax-errors", 12) ? "-ferror-limit=20" : ours[i]);
    add_word(l, w, "-o");
    add_word(l, w, spec->product);
    add_word(l, w, spec->source);
    for (size_t i = 0; spec->libraries[i]; i++)
        add_word(l, w, spec->libraries[i]);
}

static void environment(struct layout *l, const struct aisp_sandbox_spec *spec, struct words *w)
{
    char *libraries = aisp_format("LD_LIBRARY_PATH=%s", spec->tools->library_path);

    add_word(l, w, "PATH=/usr/bin:/bin");
    add_word(l, w, "LC_ALL=C");
    add_word(l, w, "TMPDIR=.");
    add_word(l, w, libraries);
    free(libraries);
}

static void limits(struct aisp_jail_plan *head, const struct aisp_sandbox_limits *most)
{
    head->cpu_s = (uint32_t)most->cpu_s;
    head->n_processes = (uint32_t)most->n_processes;
    head->memory_bytes = most->memory_bytes;
    head->file_bytes = head->space_bytes = most->space_bytes;
    head->product_bytes = most->product_bytes;
}

void aisp_sandbox_plan(const struct aisp_sandbox_spec *spec, enum aisp_jail_mode mode,
                       const char *folder, struct aisp_buf *plan)
{
    struct aisp_jail_plan head = { .version = AISP_JAIL_VERSION,
                                   .mode = mode,
                                   .supervisor_pid = getpid() };
    struct words words = { 0 }, env = { 0 };
    struct layout l = { .bytes = AISP_BUF_INIT };
    size_t n_filter;
    const struct sock_filter *filter = aisp_sandbox_filter(&n_filter);

    put(&l, &head, sizeof head);
    limits(&head, spec ? &spec->limits : &aisp_sandbox_limits);
    head.folder_at = put_text(&l, folder ? folder : "");
    head.product_at = put_text(&l, spec ? spec->product : "");
    if (spec) {
        show_tools(&l, spec->tools);
        write_files(&l, spec);
        command_line(&l, spec, &words);
        environment(&l, spec, &env);
    }
    head.n_steps = (uint32_t)l.n_steps;
    head.steps_at = put_table(&l, l.step, l.n_steps * sizeof *l.step);
    head.n_words = (uint32_t)words.n;
    head.words_at = put_table(&l, words.at, words.n * sizeof *words.at);
    head.n_env = (uint32_t)env.n;
    head.env_at = put_table(&l, env.at, env.n * sizeof *env.at);
    head.n_filter = (uint32_t)n_filter;
    head.filter_at = put_table(&l, filter, n_filter * sizeof *filter);
    head.total_bytes = (uint32_t)l.bytes.len;
    memcpy(l.bytes.s, &head, sizeof head);
    *plan = l.bytes;
    for (size_t i = 0; i < l.n_made; i++)
        free(l.made[i]);
    free(l.made);
    free(l.step);
    free(words.at);
    free(env.at);
}
