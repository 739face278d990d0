/* gpu_table.c - the rows. Each figure is from the source that its row names. */
#include "commands/utils/gpu_table.h"

#include <ctype.h>
#include <string.h>

#define DENSE(fp64, fp64_tensor, fp32, tf32, bf16, fp16, fp8, int8, fp4, int4)                                                 \
    { fp64, fp64_tensor, fp32, tf32, bf16, fp16, fp8, int8, fp4, int4 }

/* Operations of a multiprocessor in a cycle, dense, sums in FP32 (INT32), as the white papers of each architecture state them:
 * Turing (TU104), GA100, Ada (AD102, AD104), GH100. A10G does half of what other GA102 cards do on its matrix units, which
 * follows from its data sheet. */
static const double turing[AISP_N_GPU_PRECISIONS] = DENSE(0, 0, 128, 0, 0, 1024, 0, 2048, 0, 4096);
static const double ga100[AISP_N_GPU_PRECISIONS] = DENSE(64, 128, 128, 1024, 2048, 2048, 0, 4096, 0, 8192);
static const double a10g[AISP_N_GPU_PRECISIONS] = DENSE(0, 0, 256, 256, 512, 512, 0, 1024, 0, 2048);
static const double ada[AISP_N_GPU_PRECISIONS] = DENSE(0, 0, 256, 512, 1024, 1024, 2048, 2048, 0, 0);
static const double gh100[AISP_N_GPU_PRECISIONS] = DENSE(128, 256, 256, 2048, 4096, 4096, 8192, 8192, 0, 0);

static const struct aisp_gpu gpus[] = {
    { "T4", DENSE(0, 0, 8.1, 0, 0, 65, 0, 130, 0, 260), 16, 320, "GDDR6", "PCIe 3.0 x16", 32, 70,
      "NVIDIA T4 data sheet (2019)",
      40, 1590, 1590, turing },
    { "A10G", DENSE(0, 0, 35, 35, 70, 70, 0, 140, 0, 280), 24, 600, "GDDR6", "PCIe 4.0 x16", 64, 300,
      "NVIDIA A10G data sheet for Amazon EC2 G5 (2022)",
      80, 1710, 1710, a10g },
    { "L4", DENSE(0, 0, 30.3, 60, 121, 121, 242.5, 242.5, 0, 0), 24, 300, "GDDR6", "PCIe 4.0 x16", 64, 72,
      "NVIDIA L4 data sheet (2023), which prints sparse tensor figures: the dense ones are half of those",
      58, 2040, 2040, ada },
    { "L40S", DENSE(0, 0, 91.6, 183, 362, 362, 733, 733, 0, 733), 48, 864, "GDDR6", "PCIe 4.0 x16", 64, 350,
      "NVIDIA L40S data sheet (2023)",
      142, 2520, 2520, ada },
    { "A100-40GB", DENSE(9.7, 19.5, 19.5, 156, 312, 312, 0, 624, 0, 1248), 40, 1555, "HBM2", "NVLink 3", 600, 400,
      "NVIDIA A100 Tensor Core GPU data sheet, SXM4 40 GB (2020); INT4: A100 architecture white paper",
      108, 1410, 1410, ga100 },
    { "A100-80GB", DENSE(9.7, 19.5, 19.5, 156, 312, 312, 0, 624, 0, 1248), 80, 2039, "HBM2e", "NVLink 3", 600, 400,
      "NVIDIA A100 Tensor Core GPU data sheet, SXM4 80 GB (2021); INT4: A100 architecture white paper",
      108, 1410, 1410, ga100 },
    { "H100-PCIe", DENSE(25.6, 51.2, 51.2, 378, 756, 756, 1513, 1513, 0, 0), 80, 2039, "HBM2e", "NVLink 4 bridge", 600, 350,
      "NVIDIA H100 Tensor Core GPU architecture white paper, table 3, PCIe; dense column (2022)",
      114, 1755, 1620, gh100 },
    { "H100-SXM", DENSE(33.5, 66.9, 66.9, 494.7, 989.4, 989.4, 1978.9, 1978.9, 0, 0), 80, 3352, "HBM3", "NVLink 4", 900, 700,
      "NVIDIA H100 Tensor Core GPU architecture white paper, table 3, SXM5; dense column (2022)",
      132, 1980, 1830, gh100 },
    { "H200", DENSE(33.5, 66.9, 66.9, 494.7, 989.4, 989.4, 1978.9, 1978.9, 0, 0), 141, 4800, "HBM3e", "NVLink 4", 900, 700,
      "NVIDIA H200 data sheet (2023), which prints sparse tensor figures: the dense ones are those of the same GPU, H100-SXM",
      132, 1980, 1830, gh100 },
    { "B200", DENSE(40, 40, 80, 1100, 2250, 2250, 4500, 4500, 9000, 0), 180, 8000, "HBM3e", "NVLink 5", 1800, 1000,
      "NVIDIA Blackwell architecture technical brief, HGX B200: dense figures; memory of the DGX B200 data sheet (2024)",
      148, 0, 0, NULL },
};
enum { N_GPUS = sizeof gpus / sizeof *gpus };

const struct aisp_gpu *aisp_gpu_at(size_t i)
{
    return i < N_GPUS ? &gpus[i] : NULL;
}

double aisp_gpu_computed(const struct aisp_gpu *gpu, enum aisp_gpu_precision precision)
{
    const double mhz = precision >= AISP_GPU_TF32 ? gpu->tensor_mhz : gpu->mhz;

    return gpu->per_sm_clock ? gpu->multiprocessors * mhz * 1e6 * gpu->per_sm_clock[precision] * 1e-12 : 0;
}

/* The next character that counts, in lower case; 0 at the end. */
static int next(const char **at)
{
    while (**at && !isalnum((unsigned char)**at))
        (*at)++;
    return **at ? tolower((unsigned char)*(*at)++) : 0;
}

const struct aisp_gpu *aisp_gpu_find(const char *name)
{
    const struct aisp_gpu *found = NULL;

    for (size_t i = 0; i < N_GPUS; i++) {
        const char *a = name, *b = gpus[i].name;
        int x, y;

        do {
            x = next(&a);
            y = next(&b);
        } while (x && x == y);
        if (!x && !y)
            return &gpus[i];
        if (!x && a != name) {          /* the name begins so */
            if (found)
                return NULL;
            found = &gpus[i];
        }
    }
    return found;
}

const char *aisp_gpu_precision_name(enum aisp_gpu_precision precision)
{
    static const char *const names[] = { "FP64",        "FP64 tensor", "FP32",        "TF32 tensor", "BF16 tensor",
                                         "FP16 tensor", "FP8 tensor",  "INT8 tensor", "FP4 tensor",  "INT4 tensor" };

    return names[precision];
}

const char *aisp_gpu_precision_unit(enum aisp_gpu_precision precision)
{
    return precision == AISP_GPU_INT8 || precision == AISP_GPU_INT4 ? "TOP/s" : "TFLOP/s";
}
