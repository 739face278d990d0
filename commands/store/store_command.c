/* store_command.c - small things of the store's commands. */
#include "commands/store/store_command.h"

#include <stdlib.h>

void aisp_store_put_bytes(struct aisp_buf *out, int64_t bytes)
{
    static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    double x = (double)bytes;
    size_t i = 0;

    for (; x >= 1024 && i + 1 < sizeof unit / sizeof *unit; i++)
        x /= 1024;
    aisp_buf_printf(out, i ? "%.1f %s" : "%.0f %s", x, unit[i]);
}

void aisp_store_progress(const struct aisp_request *request, const char *format, ...)
{
    const struct aisp_console *console = request->console;
    struct aisp_buf line = AISP_BUF_INIT;
    va_list args;

    if (!console || !console->progress)
        return;
    va_start(args, format);
    aisp_buf_vprintf(&line, format, args);
    va_end(args);
    console->progress(console->context, line.s);
    aisp_buf_release(&line);
}

bool aisp_store_is_stopped(const struct aisp_request *request)
{
    return request->console && request->console->stop && *request->console->stop;
}
