/* judge_build.c - the builds of a judge. */
#include "commands/judge_build.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/compile.h"
#include "commands/place.h"
#include "commands/sources.h"
#include "core/base/buf.h"
#include "core/base/hash.h"

enum { MAX_HEADERS = 64, HEADER_BYTES = 1 << 20, MAX_AT_ONCE = 32 };

static const char *const libraries[] = { "-lm", NULL };
static const char SOURCE[] = "candidate.c", PRODUCT[] = "candidate.so";

/* ---- headers ---- */

static enum aisp_status add_header(struct aisp_builder *b, const char *path, const char *at,
                                   struct aisp_err *err)
{
    char *bytes = aisp_xmalloc(HEADER_BYTES);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(bytes, 1, HEADER_BYTES, f) : 0;
    struct aisp_sandbox_file *file;

    if (!f || ferror(f) || n == HEADER_BYTES) {
        free(bytes);
        if (f)
            fclose(f);
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read as a header", path);
    }
    fclose(f);
    file = aisp_grow(&b->header, &b->n_headers, &b->cap_headers, sizeof *file);
    *file = (struct aisp_sandbox_file){ aisp_xstrdup(at), bytes, n };
    return AISP_OK;
}

static bool is_header(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && *name != '.' && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh"));
}

/* FOLDER/name/... as include/name/...: headers only, three levels at most. */
static enum aisp_status add_headers(struct aisp_builder *b, const char *folder, const char *at,
                                    int depth, struct aisp_err *err)
{
    DIR *dir = opendir(folder);
    enum aisp_status st = AISP_OK;
    struct dirent *e;

    while (dir && !st && (e = readdir(dir))) {
        char *path = aisp_format("%s/%s", folder, e->d_name),
             *to = aisp_format("%s/%s", at, e->d_name);

        if (aisp_place_is_file(path) && is_header(e->d_name) && b->n_headers < MAX_HEADERS)
            st = add_header(b, path, to, err);
        else if (*e->d_name != '.' && depth > 1 && aisp_place_is_folder(path))
            st = add_headers(b, path, to, depth - 1, err);
        free(path);
        free(to);
    }
    if (dir)
        closedir(dir);
    return st;
}

/* The folder of the target's sources stands in a note beside its objects; the header of a target that comes without sources
 * may lie there itself. *lacks: why it is not found where the note says, for what a compiler says of it helps nobody. */
static char *find_problem_header(const struct aisp_target *target, char **lacks)
{
    const char *slash = strrchr(target->problem_path, '/');
    char *folder =
        slash ? aisp_format("%.*s", (int)(slash - target->problem_path), target->problem_path)
              : aisp_xstrdup(".");
    char *path = aisp_format("%s/problem.h", folder);
    struct aisp_sources sources;
    struct aisp_err why;

    if (!aisp_place_is_file(path)) {
        const enum aisp_status st = aisp_sources_find(target, false, &sources, &why);

        if (st == AISP_E_UNAVAILABLE)
            *lacks = aisp_xstrdup(why.text);
        if (!st) {
            free(path);
            path = aisp_format("%s/problem.h", sources.folder);
        }
    }
    free(folder);
    if (aisp_place_is_file(path))
        return path;
    free(path);
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct aisp_sandbox_file *)a)->at,
                  ((const struct aisp_sandbox_file *)b)->at);
}

static enum aisp_status take_headers(struct aisp_builder *b, const struct aisp_target *target,
                                     struct aisp_err *err)
{
    char *include = aisp_place_include(), *problem = find_problem_header(target, &b->lacks);
    enum aisp_status st = AISP_OK;

    if (!include)
        st = aisp_fail(
            err, AISP_E_UNAVAILABLE,
            "nothing can be compiled: aisp/problem.h is neither beside aisp nor in ../include");
    if (!st)
        st = add_headers(b, include, "include", 3, err);
    if (!st && problem)
        st = add_header(b, problem, "problem.h", err);
    if (!st)
        qsort(b->header, b->n_headers, sizeof *b->header, by_name);
    free(include);
    free(problem);
    return st;
}

/* ---- the builder ---- */

/* Who is answered "again" must have been built the same way. */
static void hash_build(struct aisp_builder *b)
{
    struct aisp_buf text = AISP_BUF_INIT;
    char hex[65];

    aisp_buf_printf(&text, "%s\n", b->tools.compiler);
    if (!aisp_hash_file(b->tools.compiler, hex, NULL))
        aisp_buf_printf(&text, "%s\n", hex);
    for (int i = 0; b->flag[i]; i++)
        aisp_buf_printf(&text, "%s ", b->flag[i]);
    for (size_t i = 0; i < b->n_headers; i++) {
        aisp_hash_bytes(b->header[i].bytes, b->header[i].n, hex);
        aisp_buf_printf(&text, "\n%s %s", b->header[i].at, hex);
    }
    aisp_hash_bytes(text.s, text.len, b->build);
    aisp_buf_release(&text);
}

/* Warnings help nobody here, and would fill the answer. */
static void take_flags(struct aisp_builder *b)
{
    int n = 0;

    b->flags = aisp_compile_flags(b->flag);
    while (b->flag[n])
        n++;
    b->flag[n++] = "-w";
    b->flag[n] = NULL;
}

enum aisp_status aisp_builder_init(struct aisp_builder *b, const struct aisp_target *target,
                                   enum aisp_jail_mode asked, struct aisp_err *err)
{
    char *jail = aisp_place_beside("aisp-jail"), *probe = NULL;
    enum aisp_status st;

    *b = (struct aisp_builder){ .limits = aisp_sandbox_limits };
    if (aisp_place_is_file(jail)) {
        aisp_sandbox_set_jail(jail);
        jail = NULL; /* borrowed for good */
    }
    free(jail);
    AISP_TRY(aisp_toolchain_init(&b->tools, aisp_compile_compiler(), err));
    AISP_TRY(take_headers(b, target, err));
    take_flags(b);
    hash_build(b);
    if (asked != AISP_JAIL_LANDLOCK && !aisp_sandbox_mode(asked, NULL, &b->mode, NULL))
        return AISP_OK;
    AISP_TRY(aisp_place_private(&b->folder, err));
    probe = aisp_format("%s/probe", b->folder);
    if (mkdir(probe, 0700))
        st = aisp_fail_errno(err, AISP_E_IO, "%s", probe);
    else
        st = aisp_sandbox_mode(asked, probe, &b->mode, err);
out:
    free(probe);
    if (st)
        aisp_builder_release(b);
    return st;
}

void aisp_builder_release(struct aisp_builder *b)
{
    for (size_t i = 0; i < b->n_headers; i++) {
        free((void *)(uintptr_t)b->header[i].at);
        free((void *)(uintptr_t)b->header[i].bytes);
    }
    free(b->header);
    free(b->flags);
    free(b->lacks);
    if (b->folder)
        aisp_place_remove(b->folder, NULL, NULL);
    free(b->folder);
    aisp_toolchain_release(&b->tools);
    *b = (struct aisp_builder){ 0 };
}

/* ---- one batch ---- */

struct running {
    struct aisp_sandbox *job[MAX_AT_ONCE];
    char *folder[MAX_AT_ONCE];
    size_t of[MAX_AT_ONCE]; /* which candidate */
    size_t n;
};

static enum aisp_status start(const struct aisp_builder *b, const struct aisp_candidate *c,
                              size_t index, struct running *r, struct aisp_err *err)
{
    struct aisp_sandbox_file *file = aisp_xcalloc(b->n_headers + 1, sizeof *file);
    struct aisp_sandbox_spec spec = { .tools = &b->tools,
                                      .mode = b->mode,
                                      .flags = b->flag,
                                      .libraries = libraries,
                                      .file = file,
                                      .n_files = b->n_headers + 1,
                                      .source = SOURCE,
                                      .product = PRODUCT,
                                      .limits = b->limits };
    enum aisp_status st;

    memcpy(file, b->header, b->n_headers * sizeof *file);
    file[b->n_headers] = (struct aisp_sandbox_file){ SOURCE, c->source, c->bytes };
    r->folder[r->n] = b->folder ? aisp_format("%s/%zu", b->folder, index) : NULL;
    spec.folder = r->folder[r->n];
    if (spec.folder && mkdir(spec.folder, 0700))
        st = aisp_fail_errno(err, AISP_E_IO, "%s", spec.folder);
    else
        st = aisp_sandbox_start(&spec, &r->job[r->n], err);
    r->of[r->n] = index;
    if (!st)
        r->n++;
    else
        free(r->folder[r->n]);
    free(file);
    return st;
}

static void stop_one(struct running *r, size_t i)
{
    aisp_sandbox_free(r->job[i]);
    if (r->folder[i])
        aisp_place_remove(r->folder[i], NULL, NULL);
    free(r->folder[i]);
    r->n--;
    r->job[i] = r->job[r->n];
    r->folder[i] = r->folder[r->n];
    r->of[i] = r->of[r->n];
}

enum aisp_status aisp_builder_run(const struct aisp_builder *b,
                                  const struct aisp_candidate *candidate, size_t n, int jobs,
                                  const volatile int *stop, struct aisp_built *built,
                                  struct aisp_err *err)
{
    const size_t most = (size_t)(jobs < MAX_AT_ONCE ? jobs : MAX_AT_ONCE);
    struct running r = { .n = 0 };
    enum aisp_status st = AISP_OK;
    size_t next = 0, ended;

    for (size_t i = 0; i < n; i++)
        built[i] = (struct aisp_built){ .result = { .product_fd = -1 } };
    while (next < n || r.n) {
        if (next < n && (!candidate[next].source || candidate[next].is_answered)) {
            next++;
        } else if (next < n && r.n < most) {
            AISP_TRY(start(b, &candidate[next], next, &r, err));
            next++;
        } else {
            AISP_TRY(aisp_sandbox_wait(r.job, r.n, stop, &ended, err));
            built[r.of[ended]].is_tried = true;
            AISP_TRY(aisp_sandbox_result(r.job[ended], &built[r.of[ended]].result, err));
            stop_one(&r, ended);
        }
    }
out:
    while (r.n)
        stop_one(&r, r.n - 1);
    return st;
}

void aisp_built_release(struct aisp_built *built)
{
    if (built->result.product_fd >= 0)
        close(built->result.product_fd);
    built->result.product_fd = -1;
}
