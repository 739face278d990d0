/* err.c - one line for each failure, and every status by its name.
 * Not here: printing it (commands/, cli/).
 * Why a local line first: callers put err->text into the new line, as in aisp_fail(err, st, "%s: %s", name, err->text). */
#include "core/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

static void store(struct aisp_err *err, enum aisp_status status, const char *line)
{
    size_t n = strnlen(line, sizeof err->text - 1);

    err->status = status;
    memcpy(err->text, line, n);
    err->text[n] = '\0';
    aisp_text_clean(err->text); /* a line stays a line, whatever a file name or a plug-in put into it */
}

enum aisp_status aisp_fail(struct aisp_err *err, enum aisp_status status, const char *format, ...)
{
    char line[sizeof err->text];
    va_list args;

    if (!err)
        return status;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    store(err, status, line);
    return status;
}

enum aisp_status aisp_fail_errno(struct aisp_err *err, enum aisp_status status, const char *format,
                                 ...)
{
    const int number = errno;
    char line[sizeof err->text], scratch[96];
    const char *reason = strerror_r(number, scratch, sizeof scratch);
    size_t reason_bytes = strlen(reason) + sizeof ": ", room;
    va_list args;

    if (!err)
        return status;
    /* The reason is never what is cut off. */
    room = reason_bytes < sizeof line ? sizeof line - reason_bytes : 1;
    va_start(args, format);
    vsnprintf(line, room, format, args);
    va_end(args);
    room = strlen(line);
    snprintf(line + room, sizeof line - room, ": %s", reason);
    store(err, status, line);
    errno = number;
    return status;
}

_Noreturn void aisp_bug(const char *file, int line, const char *format, ...)
{
    const char *base = strrchr(file, '/');
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    aisp_text_clean(text);
    fprintf(stderr, "aisp: bug in %s:%d: %s\n", base ? base + 1 : file, line, text);
    abort();
}

const char *aisp_status_name(enum aisp_status status)
{
    static const char *const name[AISP_N_STATUS] = {
        [AISP_OK] = "AISP_OK",
        [AISP_E_USAGE] = "AISP_E_USAGE",
        [AISP_E_NOT_FOUND] = "AISP_E_NOT_FOUND",
        [AISP_E_NO_MEMORY] = "AISP_E_NO_MEMORY",
        [AISP_E_DEVICE] = "AISP_E_DEVICE",
        [AISP_E_IO] = "AISP_E_IO",
        [AISP_E_REFUSED] = "AISP_E_REFUSED",
        [AISP_E_WORKER] = "AISP_E_WORKER",
        [AISP_E_UNAVAILABLE] = "AISP_E_UNAVAILABLE",
        [AISP_E_INTERRUPTED] = "AISP_E_INTERRUPTED",
    };

    if ((unsigned)status >= AISP_N_STATUS || !name[status])
        return "AISP_?";
    return name[status];
}
