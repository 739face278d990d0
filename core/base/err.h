/* err.h - how a function says that it failed: a status, and one line in the caller's struct aisp_err.
 * Libraries return, programs speak: nothing below commands/ prints or exits. A caller's mistake is a status; our own is
 * AISP_BUG(), which aborts (exit code 70 is made of it by the front-end). */
#ifndef AISP_CORE_ERR_H
#define AISP_CORE_ERR_H

#include <aisp/status.h>

/* Put `status` and the formatted line into *err (which may be NULL) and return `status`. */
enum aisp_status aisp_fail(struct aisp_err *err, enum aisp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with ": strerror(errno)" behind the line. */
enum aisp_status aisp_fail_errno(struct aisp_err *err, enum aisp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In a function with `enum aisp_status st` and a label `out`. */
#define AISP_TRY(call)       \
    do {                     \
        st = (call);         \
        if (st != AISP_OK)   \
            goto out;        \
    } while (0)

#define AISP_BUG(...) aisp_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void aisp_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
