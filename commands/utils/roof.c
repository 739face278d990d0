/* roof.c - the formulas of roof.h. */
#include "commands/utils/roof.h"

#include <math.h>

double aisp_roof_ridge(const struct aisp_roof *roof)
{
    return roof->gflops / roof->gbps;
}

double aisp_roof_at(const struct aisp_roof *roof, double intensity)
{
    const double memory = intensity * roof->gbps;

    /* Not fmin(), which takes the other one where one was not measured. */
    return memory < roof->gflops ? memory : memory >= roof->gflops ? roof->gflops : NAN;
}

struct aisp_roof_place aisp_roof_place(const struct aisp_roof *roof, double flops, double bytes, double time_ns)
{
    struct aisp_roof_place place = { .intensity = flops / bytes, .gflops = flops / time_ns, .gbps = bytes / time_ns };

    if (flops <= 0) { /* left of every ridge */
        place.roof_gflops = 0;
        place.percent = 100 * place.gbps / roof->gbps;
        place.bound = isfinite(roof->gbps) ? AISP_ROOF_MEMORY : AISP_ROOF_UNKNOWN;
        return place;
    }
    place.roof_gflops = aisp_roof_at(roof, place.intensity);
    place.percent = 100 * place.gflops / place.roof_gflops;
    if (isfinite(place.roof_gflops))
        place.bound = place.intensity < aisp_roof_ridge(roof) ? AISP_ROOF_MEMORY : AISP_ROOF_COMPUTE;
    return place;
}

const char *aisp_roof_bound_name(enum aisp_roof_bound bound)
{
    static const char *const names[] = { "unknown", "memory", "compute" };

    return names[bound];
}
