/* cublas.cuh - cuBLAS as a peer, loaded when it is needed: the variant is there where the library
 * is not, and says so in setup. The handle and its workspace are made in setup; a call only
 * enqueues.
 * Not here: which product is asked for. Types and prototypes are the library's own header's. */
#ifndef AISP_KIT_CUBLAS_CUH
#define AISP_KIT_CUBLAS_CUH

#include <dlfcn.h>
#include <stdlib.h>

#include <cublas_api.h>

#include <aisp/kernel_kit.cuh>

enum {
    CUBLAS_WORKSPACE = 32 << 20,
    CUBLAS_ALIGN = 256
}; /* bytes: what the library asks for on Hopper */

#define CUBLAS_FUNCTION(name) __typeof__(name) *name##_at

struct cublas {
    cublasHandle_t handle;
    CUBLAS_FUNCTION(cublasCreate_v2);
    CUBLAS_FUNCTION(cublasDestroy_v2);
    CUBLAS_FUNCTION(cublasSetStream_v2);
    CUBLAS_FUNCTION(cublasSetWorkspace_v2);
    CUBLAS_FUNCTION(cublasSgemm_v2);
    CUBLAS_FUNCTION(cublasSgemmStridedBatched);
    /* Written out, because the header overloads the name in C++. */
    cublasStatus_t (*cublasGemmEx_at)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,
                                      int n, int k, const void *alpha, const void *a, cudaDataType,
                                      int lda, const void *b, cudaDataType, int ldb,
                                      const void *beta, void *c, cudaDataType, int ldc,
                                      cublasComputeType_t, cublasGemmAlgo_t);
};

static inline size_t cublas_workspace_bytes(const int64_t *param)
{
    (void)param;
    return CUBLAS_WORKSPACE + CUBLAS_ALIGN;
}

static inline void cublas_release(void *state)
{
    struct cublas *lib = (struct cublas *)state;

    if (lib && lib->handle)
        lib->cublasDestroy_v2_at(lib->handle);
    free(lib);
}

/* false if one of them is missing. */
static inline bool cublas_load(struct cublas *lib)
{
    void *file = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);

    if (!file)
        file = dlopen("libcublas.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        fprintf(stderr, "cuBLAS: %s\n", dlerror());
        return false;
    }
#define CUBLAS_FIND(name) (lib->name##_at = (__typeof__(lib->name##_at))dlsym(file, #name))
    return CUBLAS_FIND(cublasCreate_v2) && CUBLAS_FIND(cublasDestroy_v2) &&
           CUBLAS_FIND(cublasSetStream_v2) && CUBLAS_FIND(cublasSetWorkspace_v2) &&
           CUBLAS_FIND(cublasSgemm_v2) && CUBLAS_FIND(cublasSgemmStridedBatched) &&
           CUBLAS_FIND(cublasGemmEx);
#undef CUBLAS_FIND
}

/* The variant's setup: *setup->state becomes a struct cublas on the call's stream. The stream comes
 * first, because setting it takes the workspace away. */
static inline enum aisp_status cublas_setup(const struct aisp_setup *setup)
{
    struct cublas *lib = (struct cublas *)calloc(1, sizeof *lib);
    char *workspace = (char *)setup->workspace;

    if (!lib)
        return AISP_E_NO_MEMORY;
    workspace += (CUBLAS_ALIGN - (uintptr_t)workspace % CUBLAS_ALIGN) % CUBLAS_ALIGN;
    if (!cublas_load(lib) || lib->cublasCreate_v2_at(&lib->handle) ||
        lib->cublasSetStream_v2_at(lib->handle, (cudaStream_t)setup->stream) ||
        lib->cublasSetWorkspace_v2_at(lib->handle, workspace, CUBLAS_WORKSPACE)) {
        cublas_release(lib);
        return AISP_E_UNAVAILABLE;
    }
    *setup->state = lib;
    return AISP_OK;
}

#endif
