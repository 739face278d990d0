/* catalogue.c - walk the folder of built targets.
 * Not here: what a variant's file says (core/plugin.c).
 * Why a walk and no list: a target that was built is there, one that was not is not; no file names them a second time. */
#include "core/catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/buf.h"

enum { MIN_DEPTH = 2, MAX_DEPTH = 3 };

/* Found once: what is in it is looked up from there, not from the root of the file system. */
struct folder {
    const char *path;
    DIR *dir;
};

/* "optimized_tiled.cuda.so" is "optimized_tiled" on "cuda"; false for what is no variant's file. */
static bool split_file_name(const char *file, const char **device, size_t *n_name, size_t *n_device)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = strlen(file);
    const char *dot;

    if (file[0] == '.' || n <= 3 || strcmp(file + n - 3, ".so") != 0)
        return false;
    n -= 3;
    dot = memchr(file, '.', n);
    *n_name = dot ? (size_t)(dot - file) : n;
    *device = dot ? dot + 1 : "cpu";
    *n_device = dot ? n - *n_name - 1 : 3;
    if (*n_device == 0 || *n_device >= sizeof((struct aisp_variant_ref *)0)->device ||
        strspn(*device, letters) < *n_device)
        return false;
    return !(*n_name == 7 && memcmp(file, "problem", 7) == 0) && !(*n_name == 9 && memcmp(file, "reference", 9) == 0);
}

/* A name cut to fit is never a silent change: false is said of it. */
static bool copy_name(char *to, size_t size, const char *from, size_t n)
{
    const bool fits = n < size;

    if (!fits)
        n = size - 1;
    memcpy(to, from, n);
    to[n] = '\0';
    return fits;
}

static void add_variant(struct aisp_target *target, size_t *cap, const struct folder *folder,
                        const char *file)
{
    struct aisp_variant_ref *v;
    const char *device;
    size_t n_name, n_device;
    struct aisp_err why;

    if (!split_file_name(file, &device, &n_name, &n_device))
        return;
    v = aisp_grow(&target->variant, &target->n_variants, cap, sizeof *v);
    v->path = aisp_format("%s/%s", folder->path, file);
    copy_name(v->device, sizeof v->device, device, n_device);
    if (!copy_name(v->name, sizeof v->name, file, n_name))
        snprintf(v->refused, sizeof v->refused, "%.160s: its name has more than %d characters",
                 file, AISP_NAME_MAX - 1);
    else if (aisp_declaration_read_in(dirfd(folder->dir), v->path, &v->decl, &why))
        snprintf(v->refused, sizeof v->refused, "%.255s", why.text);
}

static int rank_of(const char *name)
{
    if (!strcmp(name, "baseline"))
        return 0;
    if (!strncmp(name, "optimized", 9))
        return 1;
    return strncmp(name, "peer_", 5) ? 3 : 2;
}

static int compare_variants(const void *left, const void *right)
{
    const struct aisp_variant_ref *a = left, *b = right;
    const int ranks = rank_of(a->name) - rank_of(b->name);
    const int names = strcmp(a->name, b->name);

    return ranks ? ranks : names ? names : strcmp(a->device, b->device);
}

static int compare_targets(const void *left, const void *right)
{
    return strcmp(((const struct aisp_target *)left)->id, ((const struct aisp_target *)right)->id);
}

static void set_id(struct aisp_target *target, const char *id)
{
    const char *colon = strrchr(id, ':');
    const size_t n_group = colon ? (size_t)(colon - id) : 0;

    if (!copy_name(target->id, sizeof target->id, id, strlen(id)) ||
        !copy_name(target->group, sizeof target->group, id, n_group))
        snprintf(target->refused, sizeof target->refused,
                 "%.100s: its name is too long, %d characters are allowed, %d of them in the group",
                 id, AISP_ID_MAX - 1, AISP_NAME_MAX - 1);
}

static enum aisp_status open_folder(struct folder *folder, const char *path, struct aisp_err *err)
{
    *folder = (struct folder){ path, opendir(path) };
    if (folder->dir)
        return AISP_OK;
    return aisp_fail_errno(
        err, errno == ENOENT || errno == ENOTDIR ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", path);
}

static bool has_problem(const struct folder *folder)
{
    struct stat info;

    return fstatat(dirfd(folder->dir), "problem.so", &info, 0) == 0 && S_ISREG(info.st_mode);
}

/* Everything in one folder that holds a problem. */
static void read_target(struct aisp_target *target, const struct folder *folder, const char *id)
{
    struct dirent *entry;
    size_t cap = 0;

    *target = (struct aisp_target){ .id = "" };
    set_id(target, id);
    target->problem_path = aisp_format("%s/problem.so", folder->path);
    while ((entry = readdir(folder->dir)))
        add_variant(target, &cap, folder, entry->d_name);
    aisp_fit(&target->variant, target->n_variants, &cap, sizeof *target->variant);
    if (target->n_variants)
        qsort(target->variant, target->n_variants, sizeof *target->variant, compare_variants);
    if (!*target->refused && !aisp_target_variant(target, "baseline", NULL))
        snprintf(target->refused, sizeof target->refused, "%.200s: no baseline.so", folder->path);
}

static bool is_folder(const char *path, const struct dirent *entry)
{
    struct stat info;

    if (entry->d_name[0] == '.')
        return false;
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* "labs/matmul/gemm" -> "labs/matmul:gemm" */
static char *id_of(const char *relative)
{
    char *id = aisp_xstrdup(relative), *slash = strrchr(id, '/');

    if (slash)
        *slash = ':';
    return id;
}

static void add_target(struct aisp_catalogue *cat, const struct folder *folder,
                       const char *relative)
{
    char *id = id_of(relative);

    read_target(aisp_grow(&cat->target, &cat->n, &cat->cap, sizeof *cat->target), folder, id);
    free(id);
}

/* `folder` is `depth` levels below the root and called `relative` from there. A folder that cannot be read is passed over
 * like an empty one: nothing can be said of what is in it. */
static void walk(struct aisp_catalogue *cat, const struct folder *folder, const char *relative,
                 int depth)
{
    struct dirent *entry;

    if (depth >= MIN_DEPTH && has_problem(folder)) {
        add_target(cat, folder, relative);
        return;
    }
    while (depth < MAX_DEPTH && (entry = readdir(folder->dir))) {
        char *path = aisp_format("%s/%s", folder->path, entry->d_name);
        char *name = aisp_format("%s%s%s", relative, depth ? "/" : "", entry->d_name);
        struct folder below;

        if (is_folder(path, entry) && !open_folder(&below, path, NULL)) {
            walk(cat, &below, name, depth + 1);
            closedir(below.dir);
        }
        free(path);
        free(name);
    }
}

enum aisp_status aisp_catalogue_init(struct aisp_catalogue *cat, const char *root,
                                     struct aisp_err *err)
{
    struct folder folder;
    enum aisp_status st = open_folder(&folder, root, err);

    *cat = (struct aisp_catalogue){ 0 };
    if (st)
        return st;
    cat->root = aisp_xstrdup(root);
    walk(cat, &folder, "", 0);
    closedir(folder.dir);
    if (cat->n)
        qsort(cat->target, cat->n, sizeof *cat->target, compare_targets);
    return AISP_OK;
}

void aisp_catalogue_release(struct aisp_catalogue *cat)
{
    if (!cat)
        return;
    for (size_t i = 0; i < cat->n; i++)
        aisp_target_release(&cat->target[i]);
    free(cat->target);
    free(cat->root);
    *cat = (struct aisp_catalogue){ 0 };
}

/* The last two names of the folder's real path, as an id. */
static char *id_of_folder(const char *folder)
{
    char *path = realpath(folder, NULL), *from = path;
    int n_slashes = 0;
    char *id;

    if (!path)
        return aisp_xstrdup(folder);
    for (char *c = path + strlen(path); c > path && n_slashes < 2; c--)
        if (c[-1] == '/' && ++n_slashes == 2)
            from = c;
    id = id_of(from[0] == '/' ? from + 1 : from);
    free(path);
    return id;
}

enum aisp_status aisp_target_from_folder(const char *folder, const char *id,
                                         struct aisp_target *target, struct aisp_err *err)
{
    struct folder opened;
    enum aisp_status st = open_folder(&opened, folder, err);
    char *own;

    *target = (struct aisp_target){ .id = "" };
    if (st)
        return st;
    own = id ? aisp_xstrdup(id) : id_of_folder(folder);
    read_target(target, &opened, own);
    if (!has_problem(&opened))
        st = aisp_fail(err, AISP_E_REFUSED, "%s: no problem.so", folder);
    else if (*target->refused)
        st = aisp_fail(err, AISP_E_REFUSED, "%s", target->refused);
    if (st)
        aisp_target_release(target);
    closedir(opened.dir);
    free(own);
    return st;
}

void aisp_target_release(struct aisp_target *target)
{
    if (!target)
        return;
    for (size_t i = 0; i < target->n_variants; i++)
        free(target->variant[i].path);
    free(target->variant);
    free(target->problem_path);
    *target = (struct aisp_target){ .id = "" };
}

bool aisp_target_matches(const struct aisp_target *target, const char *pattern)
{
    const size_t n = strlen(pattern);
    bool matches;
    char *text, *last;

    if (n == 0)
        return false;
    if (!fnmatch(pattern, target->id, 0) || !fnmatch(pattern, target->group, 0))
        return true;
    if (!strncmp(target->group, pattern, n) && target->group[n] == '/')
        return true;
    if (strchr(pattern, ':'))
        return false;
    text = aisp_xstrdup(pattern);
    last = strrchr(text, '.');
    last = last ? last : strrchr(text, '/');
    if (last)
        *last = ':';
    matches = last && !fnmatch(text, target->id, 0);
    free(text);
    return matches;
}

/* Levenshtein's distance; both are short. */
static size_t distance(const char *a, const char *b)
{
    size_t row[AISP_ID_MAX + 1], n = strnlen(b, AISP_ID_MAX), corner, above;

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        corner = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= n; j++) {
            size_t best = corner + (a[i] != b[j - 1]);

            above = row[j];
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            corner = above;
            row[j] = best;
        }
    }
    return row[n];
}

const char *aisp_catalogue_nearest(const struct aisp_catalogue *cat, const char *pattern)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < cat->n; i++) {
        const struct aisp_target *t = &cat->target[i];
        const char *colon = strrchr(t->id, ':');
        const struct {
            const char *text, *means;
        } known[] = {
            { t->id, t->id },
            { t->group, t->group },
            { colon ? colon + 1 : t->id, t->id },
        };

        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            size_t d = distance(pattern, known[k].text);

            if (d < least) {
                least = d;
                nearest = known[k].means;
            }
        }
    }
    return nearest;
}

const struct aisp_variant_ref *aisp_target_variant(const struct aisp_target *target,
                                                   const char *name, const char *device)
{
    for (size_t i = 0; i < target->n_variants; i++)
        if (!strcmp(target->variant[i].name, name) &&
            (!device || !strcmp(target->variant[i].device, device)))
            return &target->variant[i];
    return NULL;
}
