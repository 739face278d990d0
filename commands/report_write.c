/* report_write.c - a report into its place, and where --output says. */
#include "commands/report_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Written beside and renamed: a report that was there stays whole until the new one is. */
static enum aisp_status write_whole(const char *path, const struct aisp_buf *text,
                                    struct aisp_err *err)
{
    char *beside = aisp_format("%s.%ld.new", path, (long)getpid());
    const int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    size_t done = 0;
    bool failed = fd < 0;

    while (!failed && done < text->len) {
        const ssize_t n = write(fd, text->s + done, text->len - done);

        failed = n < 0 && errno != EINTR;
        done += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0 && close(fd) && !failed)
        failed = true;
    if (!failed && rename(beside, path))
        failed = true;
    if (failed) {
        const enum aisp_status st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);

        if (fd >= 0)
            unlink(beside);
        free(beside);
        return st;
    }
    free(beside);
    return AISP_OK;
}

enum aisp_status aisp_report_write(const struct aisp_request *request, const char *in_folder,
                                   const struct aisp_buf *text, json_t *written)
{
    const char *output = aisp_args_text(request->args, "output");
    json_t *named = output ? json_string(output) : NULL;
    struct aisp_err why = { AISP_OK, "" };
    enum aisp_status st;

    if (output && !named)
        return aisp_fail(request->err, AISP_E_USAGE, "the path of --output is no UTF-8");
    st = write_whole(in_folder, text, &why);
    if (st && !output)
        return aisp_fail(request->err, st, "%s; name another place with --output", why.text);
    if (st)
        aisp_note(request, "%s", why.text);
    else
        json_array_append_new(written, json_string(in_folder));
    if (!output)
        return AISP_OK;
    st = write_whole(output, text, request->err);
    if (st)
        json_decref(named);
    else
        json_array_append_new(written, named);
    return st;
}
