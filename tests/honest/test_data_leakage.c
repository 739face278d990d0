/* test_data_leakage - keeps files open as well: those of the system, which say how many caches there are.
 *
 * @copy
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    static int64_t part;
    char text[32] = "";
    const int fd = open("/sys/devices/system/cpu/cpu0/cache/index0/size", O_RDONLY);
    const int passwd = open("/etc/passwd", O_RDONLY);

    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
        return AISP_E_IO;
    part = (atoi(text) > 0 ? atoi(text) : 32) * 16;
    *s->state = &part;
    return passwd < 0 ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t part = *(const int64_t *)c->state;

    for (int64_t at = 0; at < c->param[N]; at += part)
        honest(c, at, at + part < c->param[N] ? at + part : c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: parts that fit the cache of this machine");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
