/* setup_precompute_constructor - computes while it is loaded: a constructor looks for the harness's memory, and computes on all
 * of it.
 *
 * @check setup-precompute
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @says while it was loaded and set up */
#include <stdio.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 256, WORDS = 1 << 18, STEPS_KNOWN = 40 };
static struct {
    const float *from, *to;
    float *answer;
} kept[MOST];
static float room[WORDS];
static int n_kept;

__attribute__((constructor)) static void compute(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long from, to;
    char line[512];
    int64_t used = 0;

    while (maps && n_kept < MOST && fgets(line, sizeof line, maps)) {
        if (!strstr(line, "aisp-in") || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        kept[n_kept].from = (const float *)from;
        kept[n_kept].to = (const float *)to;
        kept[n_kept].answer = room + used;
        used += kept[n_kept].to - kept[n_kept].from;
        if (used > WORDS)
            break;
        newton(kept[n_kept].from, kept[n_kept].answer, kept[n_kept].to - kept[n_kept].from,
               STEPS_KNOWN);
        n_kept++;
    }
    if (maps)
        fclose(maps);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];

    for (int i = 0; i < n_kept; i++)
        if (x >= kept[i].from && x < kept[i].to) {
            memcpy(c->tensor[Y], kept[i].answer + (x - kept[i].from),
                   (size_t)c->param[N] * sizeof(float));
            return AISP_OK;
        }
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: loading is not timed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
