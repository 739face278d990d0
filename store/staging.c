/* staging.c - write without waiting for the disk, wait once, rename. */
#include "store/staging.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/file.h"

static const char PREFIX[] = ".import-";

struct aisp_staging {
    char *runs;              /* ARTIFACTS/runs */
    char *folder;            /* .../.import-PID */
    char run[64];            /* whose folder was made last */
    bool has_folder, has_evidence;
};

struct aisp_staging *aisp_staging_new(const char *artifacts_dir)
{
    struct aisp_staging *s = aisp_xcalloc(1, sizeof *s);

    s->runs = aisp_format("%s/runs", artifacts_dir);
    s->folder = aisp_format("%s/%s%ld", s->runs, PREFIX, (long)getpid());
    return s;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

enum aisp_status aisp_staging_remove(const char *path, struct aisp_err *err)
{
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be removed", path);
    return AISP_OK;
}

void aisp_staging_free(struct aisp_staging *s)
{
    if (!s)
        return;
    if (s->has_folder)
        aisp_staging_remove(s->folder, NULL);
    free(s->runs);
    free(s->folder);
    free(s);
}

static enum aisp_status make(const char *path, struct aisp_err *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot make this folder", path);
    return AISP_OK;
}

static enum aisp_status make_below(struct aisp_staging *s, const char *name, struct aisp_err *err)
{
    char *path = aisp_format("%s/%s", s->folder, name);
    const enum aisp_status st = make(path, err);

    free(path);
    return st;
}

/* The folders that this file needs, where it is not the run's of before. */
static enum aisp_status make_folders(struct aisp_staging *s, const char *run, bool is_evidence, struct aisp_err *err)
{
    char evidence[80];
    enum aisp_status st = AISP_OK;

    if (!s->has_folder) {
        AISP_TRY(make(s->runs, err));
        if (!access(s->folder, F_OK))          /* of a process that had this number before */
            AISP_TRY(aisp_staging_remove(s->folder, err));
        AISP_TRY(make(s->folder, err));
        s->has_folder = true;
    }
    if (strcmp(run, s->run)) {
        AISP_TRY(make_below(s, run, err));
        snprintf(s->run, sizeof s->run, "%s", run);
        s->has_evidence = false;
    }
    if (is_evidence && !s->has_evidence) {
        snprintf(evidence, sizeof evidence, "%s/evidence", run);
        AISP_TRY(make_below(s, evidence, err));
        s->has_evidence = true;
    }
out:
    return st;
}

enum aisp_status aisp_staging_add(struct aisp_staging *s, const char *run, const char *name, const char *text, size_t n,
                                  struct aisp_err *err)
{
    char *path = aisp_format("%s/%s/%s", s->folder, run, name);
    enum aisp_status st;
    int fd = -1;

    AISP_TRY(make_folders(s, run, strchr(name, '/') != NULL, err));
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        goto out;
    }
    while (n) {
        const ssize_t w = write(fd, text, n);

        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0) {
            st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
            goto out;
        }
        text += w;
        n -= (size_t)w;
    }
out:
    if (fd >= 0)
        close(fd);
    free(path);
    return st;
}

/* ---- into place ---- */

/* Hashes beside the results, which older versions did not write, say nothing new. */
static bool says_the_same(const char *a, const char *b)
{
    static const char *const beside[] = { "manifest_sha256", "evidence_sha256", "finished_at" };
    json_t *x = NULL, *y = NULL;
    bool same = aisp_file_read_json(a, &x, NULL) == AISP_OK && aisp_file_read_json(b, &y, NULL) == AISP_OK;

    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        json_object_del(x, beside[i]);
        json_object_del(y, beside[i]);
    }
    same = same && json_equal(x, y);
    json_decref(x);
    json_decref(y);
    return same;
}

static enum aisp_status place_file(const char *from, const char *to, struct aisp_err *err)
{
    if (!access(to, F_OK))
        return says_the_same(from, to) ? AISP_OK
                                       : aisp_fail(err, AISP_E_USAGE, "%s: is there already and says something else; "
                                                                      "nothing was imported", to);
    if (rename(from, to))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be put in place", to);
    return AISP_OK;
}

static enum aisp_status place_folder(const char *from, const char *to, struct aisp_err *err);

static enum aisp_status place_entry(const char *from, const char *to, struct aisp_err *err)
{
    struct stat info;

    if (lstat(from, &info))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", from);
    return S_ISDIR(info.st_mode) ? place_folder(from, to, err) : place_file(from, to, err);
}

/* Whole if nothing is there, else entry by entry. */
static enum aisp_status place_folder(const char *from, const char *to, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    struct dirent *entry;
    DIR *dir;

    if (access(to, F_OK) && rename(from, to) == 0)
        return AISP_OK;
    AISP_TRY(make(to, err));
    dir = opendir(from);
    if (!dir)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", from);
    while (!st && (entry = readdir(dir))) {
        char *a, *b;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        a = aisp_format("%s/%s", from, entry->d_name);
        b = aisp_format("%s/%s", to, entry->d_name);
        st = place_entry(a, b, err);
        free(a);
        free(b);
    }
    closedir(dir);
out:
    return st;
}

static enum aisp_status sync_all(const char *folder, struct aisp_err *err)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool bad = fd < 0 || syncfs(fd);

    if (fd >= 0)
        close(fd);
    return bad ? aisp_fail_errno(err, AISP_E_IO, "%s: cannot be brought to disk", folder) : AISP_OK;
}

enum aisp_status aisp_staging_place(struct aisp_staging *s, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!s->has_folder)
        return AISP_OK;
    AISP_TRY(sync_all(s->folder, err));
    AISP_TRY(place_folder(s->folder, s->runs, err));
    AISP_TRY(sync_all(s->runs, err));
out:
    return st;
}

void aisp_staging_each_left(const char *artifacts_dir, void (*found)(void *context, const char *path), void *context)
{
    char *runs = aisp_format("%s/runs", artifacts_dir);
    DIR *dir = opendir(runs);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        const size_t n = sizeof PREFIX - 1;
        char *path;
        long pid;

        if (strncmp(entry->d_name, PREFIX, n))
            continue;
        pid = strtol(entry->d_name + n, NULL, 10);
        if (pid > 0 && (kill((pid_t)pid, 0) == 0 || errno != ESRCH))
            continue;
        path = aisp_format("%s/%s", runs, entry->d_name);
        found(context, path);
        free(path);
    }
    if (dir)
        closedir(dir);
    free(runs);
}
