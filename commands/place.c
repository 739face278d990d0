/* place.c - where this program lies, and folders of its own. */
#include "commands/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"

static const char PREFIX[] = "aisp-private-";

static const char *home;

void aisp_place_set_home(const char *directory)
{
    home = directory;
}

char *aisp_place_beside(const char *name)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (home)
        return aisp_format("%s/%s", home, name);
    if (n <= 0)
        return aisp_xstrdup(name);
    path[n] = '\0';
    slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return aisp_format("%s/%s", path, name);
}

bool aisp_place_is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool aisp_place_is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char *aisp_place_include(void)
{
    static const char *const where[] = { "include", "../include", "view/variant" };

    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        char *folder = aisp_place_beside(where[i]);
        char *header = aisp_format("%s/aisp/problem.h", folder);
        const bool is_there = aisp_place_is_file(header);

        free(header);
        if (is_there)
            return folder;
        free(folder);
    }
    return NULL;
}

static const char *temporary(void)
{
    const char *base = getenv("TMPDIR");

    return base && *base ? base : "/tmp";
}

enum aisp_status aisp_place_private(char **path, struct aisp_err *err)
{
    char *base = realpath(temporary(), NULL);

    *path = aisp_format("%s/%s%ld-XXXXXX", base ? base : temporary(), PREFIX, (long)getpid());
    free(base);
    if (mkdtemp(*path))
        return AISP_OK;
    aisp_fail_errno(err, AISP_E_IO, "%s: cannot make a private folder", temporary());
    free(*path);
    *path = NULL;
    return AISP_E_IO;
}

static int64_t walked_bytes;

static int add_bytes(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)path;
    (void)at;
    if (type == FTW_F)
        walked_bytes += info->st_size;
    return 0;
}

int64_t aisp_place_bytes(const char *path)
{
    walked_bytes = 0;
    nftw(path, add_bytes, 16, FTW_PHYS);
    return walked_bytes;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

enum aisp_status aisp_place_remove(const char *path, int64_t *bytes, struct aisp_err *err)
{
    if (bytes)
        *bytes += aisp_place_bytes(path);
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be removed", path);
    return AISP_OK;
}

void aisp_place_each_left(void (*found)(void *context, const char *path), void *context)
{
    DIR *dir = opendir(temporary());
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        const size_t n = sizeof PREFIX - 1;
        long pid;
        char *path;
        struct stat info;

        if (strncmp(entry->d_name, PREFIX, n))
            continue;
        pid = strtol(entry->d_name + n, NULL, 10);
        if (pid < 1 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
            continue;
        path = aisp_format("%s/%s", temporary(), entry->d_name);
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid())
            found(context, path);
        free(path);
    }
    if (dir)
        closedir(dir);
}
