/* tensor_maps.cuh - what the Hopper rungs prepare once: descriptors of a, b and c for the copy engine, for each call slot.
 * Not here: how they are used (the rungs); shapes that the engine cannot describe (mma_tiles.cuh).
 * Why through the runtime: cuTensorMapEncodeTiled is the driver's, and a program that links it does not start without a
 * driver. */
#ifndef GEMM_BF16_TENSOR_MAPS_CUH
#define GEMM_BF16_TENSOR_MAPS_CUH

#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdlib.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

struct slot_maps { CUtensorMap a, b, c; };

/* `is_plain`: rows are no multiple of 16 bytes, which the copy engine asks for. `n_clusters`: how many run at once, where a
 * rung asks. */
struct hopper_state { struct slot_maps *slot; int n_sms, n_clusters, is_plain; };

/* Boxes of `box_rows` rows of 64 elements: 128 bytes, the widest that one swizzle permutes. */
static enum aisp_status map_encode(PFN_cuTensorMapEncodeTiled_v12000 encode, CUtensorMap *map, void *address, int64_t rows,
                                   int64_t columns, unsigned box_rows)
{
    const cuuint64_t size[2] = { (cuuint64_t)columns, (cuuint64_t)rows }, stride[1] = { (cuuint64_t)columns * 2 };
    const cuuint32_t box[2] = { 64, box_rows }, step[2] = { 1, 1 };
    const CUresult result =
        encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, address, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", (int)result);
        return AISP_E_DEVICE;
    }
    return AISP_OK;
}

static void hopper_free(void *state)
{
    struct hopper_state *h = (struct hopper_state *)state;

    if (h)
        free(h->slot);
    free(h);
}

static enum aisp_status maps_encode(struct hopper_state *h, const struct aisp_setup *setup, unsigned a_rows, unsigned b_rows,
                                    unsigned c_rows)
{
    const int64_t m = setup->param[M], n = setup->param[N], k = setup->param[K];
    PFN_cuTensorMapEncodeTiled_v12000 encode = NULL;
    cudaDriverEntryPointQueryResult found;

    AISP_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess)
        return AISP_E_UNAVAILABLE;
    for (int s = 0; s < setup->n_slots; s++) {
        void *const *tensor = setup->slot[s];
        enum aisp_status st;

        if ((st = map_encode(encode, &h->slot[s].a, tensor[A], m, k, a_rows)) ||
            (st = map_encode(encode, &h->slot[s].b, tensor[B], k, n, b_rows)) ||
            (st = map_encode(encode, &h->slot[s].c, tensor[C], m, n, c_rows)))
            return st;
    }
    return AISP_OK;
}

/* Fills *setup->state, which hopper_free() ends. AISP_E_UNAVAILABLE where the card is no Hopper. */
static enum aisp_status hopper_setup(const struct aisp_setup *setup, unsigned a_rows, unsigned b_rows, unsigned c_rows)
{
    struct hopper_state *h;
    int device, major, minor;

    AISP_CUDA(cudaGetDevice(&device));
    AISP_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    AISP_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    if (major != 9 || minor != 0)
        return AISP_E_UNAVAILABLE;
    h = (struct hopper_state *)calloc(1, sizeof *h);
    *setup->state = h;
    if (!h)
        return AISP_E_NO_MEMORY;
    AISP_CUDA(cudaDeviceGetAttribute(&h->n_sms, cudaDevAttrMultiProcessorCount, device));
    h->is_plain = setup->param[N] % 8 != 0 || setup->param[K] % 8 != 0;
    if (h->is_plain)
        return AISP_OK;
    h->slot = (struct slot_maps *)aligned_alloc(64, (size_t)setup->n_slots * sizeof *h->slot);
    if (!h->slot)
        return AISP_E_NO_MEMORY;
    return maps_encode(h, setup, a_rows, b_rows, c_rows);
}

#endif
