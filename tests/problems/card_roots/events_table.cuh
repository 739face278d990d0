/* events_table.cuh - the worker times itself by events, with the driver's calls in a table on its heap: who finds it there can put
 * another function into it. */
#ifndef TESTS_PROBLEMS_EVENTS_TABLE_H
#define TESTS_PROBLEMS_EVENTS_TABLE_H

#include <dlfcn.h>
#include <stdio.h>

#include "tests/problems/card_roots/roots.cuh"

static int (*true_elapsed)(float *ms, void *start, void *end);

static int half_elapsed(float *ms, void *start, void *end)
{
    const int error = true_elapsed(ms, start, end);

    *ms /= 2;
    return error;
}

static inline int replace_in(uintptr_t *from, const uintptr_t *to)
{
    int n = 0;

    for (; from < to; from++)
        if (*from == (uintptr_t)true_elapsed) {
            *from = (uintptr_t)half_elapsed;
            n++;
        }
    return n;
}

static inline enum aisp_status slow_the_events_down(const struct aisp_setup *s)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    unsigned long from, to;
    char line[512];
    int n = 0;

    (void)s;
    true_elapsed = driver ? (int (*)(float *, void *, void *))dlsym(driver, "cuEventElapsedTime") : NULL;
    while (maps && true_elapsed && fgets(line, sizeof line, maps))
        if (strstr(line, "[heap]") && sscanf(line, "%lx-%lx", &from, &to) == 2)
            n += replace_in((uintptr_t *)from, (const uintptr_t *)to);
    if (maps)
        fclose(maps);
    return n ? AISP_OK : AISP_E_UNAVAILABLE;
}

#endif
