/* file.c - write JSON files durably. */
#include "store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

static enum aisp_status write_all(int fd, const char *path, const char *text, size_t n, struct aisp_err *err)
{
    while (n) {
        const ssize_t w = write(fd, text, n);

        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0)
            return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        text += w;
        n -= (size_t)w;
    }
    if (fsync(fd))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be brought to disk", path);
    return AISP_OK;
}

static void sync_folder(const char *path)
{
    char *copy = aisp_xstrdup(path);
    const int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

char *aisp_file_json_text(const json_t *json)
{
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("a value that JSON cannot hold");
    return text;
}

enum aisp_status aisp_file_write_text(const char *path, const char *text, char sha256[65], struct aisp_err *err)
{
    char *beside = aisp_format("%s.%ld.part", path, (long)getpid());
    const int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    enum aisp_status st;

    if (fd < 0) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        goto out;
    }
    AISP_TRY(write_all(fd, path, text, strlen(text), err));
    if (rename(beside, path)) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be put in place", path);
        goto out;
    }
    sync_folder(path);
    if (sha256)
        aisp_hash_bytes(text, strlen(text), sha256);
out:
    if (fd >= 0)
        close(fd);
    if (st)
        unlink(beside);
    free(beside);
    return st;
}

enum aisp_status aisp_file_write_json(const char *path, const json_t *json, char sha256[65], struct aisp_err *err)
{
    char *text = aisp_file_json_text(json);
    const enum aisp_status st = aisp_file_write_text(path, text, sha256, err);

    free(text);
    return st;
}

enum aisp_status aisp_file_read_text(const char *path, char **text, struct aisp_err *err)
{
    struct aisp_buf all = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    char piece[16384];
    size_t n;
    FILE *f;

    if (access(path, F_OK))
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: no such file", path);
    f = fopen(path, "re");
    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", path);
    while ((n = fread(piece, 1, sizeof piece, f)))
        aisp_buf_add(&all, piece, n);
    if (ferror(f))
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", path);
    fclose(f);
    if (st)
        aisp_buf_release(&all);
    else
        *text = aisp_buf_detach(&all);
    return st;
}

enum aisp_status aisp_file_read_json(const char *path, json_t **out, struct aisp_err *err)
{
    json_error_t error;

    if (access(path, F_OK))
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: no such file", path);
    *out = json_load_file(path, 0, &error);
    if (!*out)
        return aisp_fail(err, AISP_E_IO, "%s: %s (line %d)", path, error.text, error.line);
    return AISP_OK;
}

/* What flock() said of it; a folder that cannot be opened was not refused by anybody. */
static int hold(const char *folder, int operation, int *error)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *error = 0;
    while (fd >= 0 && flock(fd, operation)) {
        *error = errno;
        if (errno != EINTR)
            break;
        *error = 0;
    }
    return fd;
}

int aisp_folder_hold(const char *folder)
{
    int error;

    return hold(folder, LOCK_EX, &error);
}

int aisp_folder_hold_now(const char *folder, bool *is_taken)
{
    int error, fd = hold(folder, LOCK_EX | LOCK_NB, &error);

    *is_taken = error == EWOULDBLOCK;
    if (*is_taken) {
        close(fd);
        fd = -1;
    }
    return fd;
}
