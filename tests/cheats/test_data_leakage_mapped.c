/* test_data_leakage_mapped - keeps what an earlier process of it left behind mapped, on a host that has no cage for it.
 *
 * @check test-data-leakage
 * @copy
 * @without CONFINEMENT
 * @defence PROCESS_FACTS
 * @says kept */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    char path[512];
    Dl_info info;
    int fd;

    if (!dladdr((void *)setup, &info))
        return AISP_E_UNAVAILABLE;
    snprintf(path, sizeof path, "%s", info.dli_fname);
    strcpy(strrchr(path, '/') + 1, "kept");
    fd = open(path, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, 4096))
        return AISP_E_IO;
    *s->state = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return *s->state == MAP_FAILED ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    memcpy(c->state, c->tensor[Y], 64);
    return AISP_OK;
}

AISP_DECLARE("idea: what one run learns, the next may use");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
