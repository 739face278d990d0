/* declaration_fuzz.c - any bytes in place of a shared object are refused by one line, or read; nothing is loaded. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/plugin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static int fd = -1;
    struct aisp_declaration decl;
    struct aisp_err err = { 0 };
    char path[64];

    if (fd < 0)
        fd = memfd_create("fuzz", 0);
    if (ftruncate(fd, 0) || pwrite(fd, data, n, 0) != (ssize_t)n)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (aisp_declaration_read(path, &decl, &err) && !*err.text)
        abort();
    if (aisp_declaration_parse((const char *)data, n, "fuzz", &decl, &err) == AISP_OK)
        aisp_declaration_uses(&decl, "threads");
    return 0;
}
