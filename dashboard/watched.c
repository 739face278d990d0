/* watched.c - see watched.h. */
#include "dashboard/watched.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"

enum { WALK_MS = 1000, DEEPEST = 4 };

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t mix_info(uint64_t hash, const struct stat *info)
{
    const int64_t facts[] = { (int64_t)info->st_ino, info->st_size, info->st_mtim.tv_sec, info->st_mtim.tv_nsec };

    return mix(hash, facts, sizeof facts);
}

/* What only comes and goes with readers says nothing: an empty write-ahead log. */
static uint64_t mix_file(uint64_t hash, const char *before, const char *name)
{
    char *path = aisp_format("%s%s", before, name);
    struct stat info;

    if (!stat(path, &info) && info.st_size > 0)
        hash = mix_info(hash, &info);
    free(path);
    return hash;
}

/* The store's own path: what a writer leaves lies beside the file, and not beside a link to it. Caller frees. */
static char *store_of(const struct aisp_watched_files *w)
{
    char *path = aisp_format("%s/aisp.sqlite", w->artifacts), *whole, first;

    if (readlink(path, &first, 1) < 0)       /* it is no link, as almost always */
        return path;
    whole = realpath(path, NULL);
    if (!whole)
        return path;
    free(path);
    return whole;
}

static uint64_t look_at_store(const struct aisp_watched_files *w)
{
    static const char *const of_store[] = { "", "-wal", "-journal" }, *const folders[] = { "/runs", "/proofs" };
    uint64_t hash = UINT64_C(14695981039346656037);
    char *store = store_of(w);

    for (size_t i = 0; i < sizeof of_store / sizeof *of_store; i++)
        hash = mix_file(hash, store, of_store[i]);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        hash = mix_file(hash, w->artifacts, folders[i]);
    free(store);
    return hash;
}

/* The sum, so that the order of a folder's entries is no matter. */
static uint64_t look_below(int parent, const char *name, int depth)
{
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    uint64_t sum = 0;

    if (!folder) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    for (struct dirent *e; (e = readdir(folder)); ) {
        struct stat info;

        if (e->d_name[0] == '.' || fstatat(dirfd(folder), e->d_name, &info, 0))
            continue;
        sum += mix_info(mix(depth + 1, e->d_name, strlen(e->d_name)), &info);
        if (S_ISDIR(info.st_mode) && depth < DEEPEST)
            sum += 31 * look_below(dirfd(folder), e->d_name, depth + 1);
    }
    closedir(folder);
    return sum;
}

void aisp_watched_init(struct aisp_watched_files *w, const char *artifacts, const char *targets)
{
    const char *shared = getenv("AISP_STORE");

    *w = (struct aisp_watched_files){ .artifacts = aisp_xstrdup(artifacts),
                                      .targets = aisp_xstrdup(targets),
                                      .targets_ms = -WALK_MS,
                                      .is_shared = shared && *shared };
}

void aisp_watched_release(struct aisp_watched_files *w)
{
    free(w->artifacts);
    free(w->targets);
    *w = (struct aisp_watched_files){ 0 };
}

int64_t aisp_watched_look(struct aisp_watched_files *w, int64_t now_ms)
{
    const uint64_t store_hash = look_at_store(w);
    uint64_t targets_hash = w->targets_hash;

    if (now_ms - w->targets_ms >= WALK_MS) {
        targets_hash = look_below(AT_FDCWD, w->targets, 0);
        w->targets_ms = now_ms;
    }
    if (!w->generation || store_hash != w->store_hash || targets_hash != w->targets_hash)
        w->generation++;
    w->store_hash = store_hash;
    w->targets_hash = targets_hash;
    return w->generation;
}
