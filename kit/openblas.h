/* openblas.h - how the peers that call OpenBLAS begin: with the harness's threads, and only on kernels that this core deserves.
 * Why: a library that is older than the core takes it for one of 2004 (Prescott) and loses by a factor of ten; a ratio against
 * that would be worth nothing. Workers are told a core type that old libraries know (backends/cpu/spawn.c); who is told another
 * one, or was built for one kind of core, is refused here.
 * Declared here, because <cblas.h> may be another library's on a machine that has several. */
#ifndef AISP_KIT_OPENBLAS_H
#define AISP_KIT_OPENBLAS_H

#include <stdbool.h>
#include <stdio.h>
#include <strings.h>

#include <aisp/variant.h>

void openblas_set_num_threads(int n_threads);
char *openblas_get_corename(void);

/* Cores without AVX2, as OpenBLAS names them. */
static inline bool openblas_is_before_avx2(const char *core)
{
    static const char *const old[] = { "Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Sandybridge", "Atom", "Nano",
                                       "Athlon", "Opteron", "Opteron_SSE3", "Barcelona", "Bobcat", "Bulldozer", "Piledriver",
                                       "Steamroller", "Katmai", "Coppermine", "Northwood", "Banias" };

    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (!strcasecmp(core, old[i]))
            return true;
    return false;
}

/* Errors: AISP_E_UNAVAILABLE, and why in the worker's log, where it would run kernels from before AVX2 on a core that has it. */
static inline enum aisp_status openblas_begin(const struct aisp_setup *setup)
{
    const char *core = openblas_get_corename();

    if (__builtin_cpu_supports("avx2") && openblas_is_before_avx2(core)) {
        fprintf(stderr, "OpenBLAS runs kernels for %s on a core with AVX2: a ratio against them is worth nothing; set "
                        "OPENBLAS_CORETYPE, or install a newer one\n", core);
        return AISP_E_UNAVAILABLE;
    }
    openblas_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    return AISP_OK;
}

#endif
