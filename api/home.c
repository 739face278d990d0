/* home.c - where libaisp.so lies, and with it the worker and the targets. */
#include "api/home.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "commands/place.h"

void aisp_home_find(void)
{
    static char home[4096], worker[4096 + 16];
    Dl_info info;
    char *real, *slash;

    if (*home || !dladdr((void *)aisp_home_find, &info) || !info.dli_fname ||
        !(real = realpath(info.dli_fname, NULL)))
        return;
    slash = strrchr(real, '/');
    if (slash) {
        snprintf(home, sizeof home, "%.*s", (int)(slash - real), real);
        snprintf(worker, sizeof worker, "%s/aisp-worker", home);
        aisp_place_set_home(home);
        aisp_cpu_set_worker(worker);
    }
    free(real);
}
