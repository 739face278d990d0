/* place.c - beside this program. */
#include "tests/selftest/place.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"

char *place_of(const char *format, ...)
{
    struct aisp_buf path = AISP_BUF_INIT;
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    va_list args;

    self[n > 0 ? n : 0] = 0;
    if (strrchr(self, '/'))
        strrchr(self, '/')[1] = 0;
    aisp_buf_printf(&path, "%sselftest/", self);
    va_start(args, format);
    aisp_buf_vprintf(&path, format, args);
    va_end(args);
    return aisp_buf_detach(&path);
}
