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

static void add_variant(struct aisp_target *target, size_t *cap, const char *folder,
                        const char *file)
{
    struct aisp_variant_ref *v;
    const char *device;
    size_t n_name, n_device;
    struct aisp_err why;

    if (!split_file_name(file, &device, &n_name, &n_device))
        return;
    v = aisp_grow(&target->variant, &target->n_variants, cap, sizeof *v);
    v->path = aisp_format("%s/%s", folder, file);
    copy_name(v->device, sizeof v->device, device, n_device);
    if (!copy_name(v->name, sizeof v->name, file, n_name))
        snprintf(v->refused, sizeof v->refused, "%.160s: its name has more than %d characters",
                 file, AISP_NAME_MAX - 1);
    else if (aisp_declaration_read(v->path, &v->decl, &why))
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

static bool is_file(const char *folder, const char *name)
{
    char *path = aisp_format("%s/%s", folder, name);
    struct stat info;
    const bool is = stat(path, &info) == 0 && S_ISREG(info.st_mode);

    free(path);
    return is;
}

/* Everything in one folder that holds a problem. */
static enum aisp_status read_target(struct aisp_target *target, const char *folder, const char *id,
                                    struct aisp_err *err)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t cap = 0;

    *target = (struct aisp_target){ .id = "" };
    if (!dir)
        return aisp_fail_errno(
            err, errno == ENOENT || errno == ENOTDIR ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", folder);
    set_id(target, id);
    target->problem_path = aisp_format("%s/problem.so", folder);
    while ((entry = readdir(dir)))
        add_variant(target, &cap, folder, entry->d_name);
    closedir(dir);
    if (target->n_variants)
        qsort(target->variant, target->n_variants, sizeof *target->variant, compare_variants);
    if (!*target->refused && !aisp_target_variant(target, "baseline", NULL))
        snprintf(target->refused, sizeof target->refused, "%.200s: no baseline.so", folder);
    return AISP_OK;
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

/* `folder` is `depth` levels below the root and called `relative` from there. A folder that cannot be read is passed over
 * like an empty one: nothing can be said of what is in it. */
static enum aisp_status walk(struct aisp_catalogue *cat, const char *folder, const char *relative,
                             int depth, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    struct dirent *entry;
    DIR *dir;

    if (depth >= MIN_DEPTH && is_file(folder, "problem.so")) {
        char *id = id_of(relative);
        struct aisp_target target;

        if (!read_target(&target, folder, id, NULL))
            *(struct aisp_target *)aisp_grow(&cat->target, &cat->n, &cat->cap, sizeof target) =
                target;
        free(id);
        return AISP_OK;
    }
    if (depth == MAX_DEPTH)
        return AISP_OK;
    dir = opendir(folder);
    if (!dir && depth == 0)
        return aisp_fail_errno(
            err, errno == ENOENT || errno == ENOTDIR ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", folder);
    while (!st && dir && (entry = readdir(dir))) {
        char *below = aisp_format("%s/%s", folder, entry->d_name);
        char *name = aisp_format("%s%s%s", relative, depth ? "/" : "", entry->d_name);

        if (is_folder(below, entry))
            st = walk(cat, below, name, depth + 1, err);
        free(below);
        free(name);
    }
    if (dir)
        closedir(dir);
    return st;
}

enum aisp_status aisp_catalogue_init(struct aisp_catalogue *cat, const char *root,
                                     struct aisp_err *err)
{
    enum aisp_status st;

    *cat = (struct aisp_catalogue){ .root = aisp_xstrdup(root) };
    st = walk(cat, root, "", 0, err);
    if (st)
        aisp_catalogue_release(cat);
    else if (cat->n)
        qsort(cat->target, cat->n, sizeof *cat->target, compare_targets);
    return st;
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
    char *own = id ? aisp_xstrdup(id) : id_of_folder(folder);
    enum aisp_status st = read_target(target, folder, own, err);

    if (!st && !is_file(folder, "problem.so"))
        st = aisp_fail(err, AISP_E_REFUSED, "%s: no problem.so", folder);
    else if (!st && *target->refused)
        st = aisp_fail(err, AISP_E_REFUSED, "%s", target->refused);
    if (st)
        aisp_target_release(target);
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
