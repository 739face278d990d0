/* gpu_table.h - what the makers of named GPUs say that these can do at most: dense figures only. Sparse figures (2:4
 * structured sparsity, twice the dense ones in every data sheet that prints them) are not here: no program that multiplies all
 * elements can reach them. Where a data sheet prints sparse figures alone, the half of them stands here, and the row's source
 * says so. 0: this GPU has no such unit, or its maker states no figure. Not here: what a GPU reaches (that is measured). */
#ifndef AISP_COMMANDS_UTILS_GPU_TABLE_H
#define AISP_COMMANDS_UTILS_GPU_TABLE_H

#include <stddef.h>

/* In the order of aisp_gpu_precision(). tensor: by matrix units. */
enum aisp_gpu_precision {
    AISP_GPU_FP64, AISP_GPU_FP64_TENSOR, AISP_GPU_FP32, AISP_GPU_TF32, AISP_GPU_BF16, AISP_GPU_FP16, AISP_GPU_FP8,
    AISP_GPU_INT8, AISP_GPU_FP4, AISP_GPU_INT4, AISP_N_GPU_PRECISIONS
};

struct aisp_gpu {
    const char *name;                       /* "H100-SXM" */
    double dense[AISP_N_GPU_PRECISIONS];    /* TFLOP/s, of integers TOP/s */
    double memory_gb, memory_gbps;          /* 10^9 bytes; of the device's own memory */
    const char *memory, *link;              /* "HBM3", "NVLink 4" */
    double link_gbps;                       /* both directions together, as makers state it */
    double power_w;
    const char *source;
    /* Where the maker states them; else 0 and NULL. Some state matrix rates at a lower clock than the others. */
    int multiprocessors;
    double mhz, tensor_mhz;                 /* tensor_mhz: of TF32 and what is narrower, on the matrix units */
    const double *per_sm_clock;             /* operations of a multiprocessor in a cycle, by precision; 0: not known */
};

const struct aisp_gpu *aisp_gpu_at(size_t i);            /* NULL behind the last one */
/* Multiprocessors x clock x operations of each in a cycle, in the precision's unit; 0: not known. The same thing as dense[],
 * come by otherwise: what disagrees is a mistake in one of them. */
double aisp_gpu_computed(const struct aisp_gpu *gpu, enum aisp_gpu_precision precision);
/* Case, spaces and hyphens do not matter. NULL: none, or several begin so. */
const struct aisp_gpu *aisp_gpu_find(const char *name);
const char *aisp_gpu_precision_name(enum aisp_gpu_precision precision);     /* "BF16 tensor" */
const char *aisp_gpu_precision_unit(enum aisp_gpu_precision precision);     /* "TFLOP/s", "TOP/s" */

#endif
