/* mode_inconsistency_device - looks whether somebody records it, and launches twice as often where nobody does.
 *
 * @pairs 1
 * @defence DEVICE_RECORDER
 * @says it behaves otherwise while it is watched */
#include <stdio.h>

#include "tests/problems/card_roots/roots.cuh"

static bool is_watched;

static enum aisp_status setup(const struct aisp_setup *s)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];

    (void)s;
    while (maps && fgets(line, sizeof line, maps))
        is_watched |= strstr(line, "libcupti") != NULL;
    if (maps)
        fclose(maps);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N], half = n / 2;

    if (is_watched)
        return honest(c);
    return honest_part(c, aisp_stream(c), 0, half) ? AISP_E_DEVICE : honest_part(c, aisp_stream(c), half, n);
}

AISP_DECLARE("idea: one way when watched, another when timed");

VARIANT_WITH_SETUP(setup, run);
