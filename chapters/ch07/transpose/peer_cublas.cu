/* peer_cublas - cublasSgeam, the library's transpose: c = 1 a^T + 0 b. It counts columns where we count rows: our x is its
 * a with cols rows, our y its c with `rows` rows.
 * Contract: as the baseline's; rows, cols < 2^31. Why opened by name: where the library is missing, this variant alone is. */
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdlib.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

struct library {
    void *file;
    cublasHandle_t handle;
    decltype(&cublasCreate_v2) create;
    decltype(&cublasDestroy_v2) destroy;
    decltype(&cublasSetStream_v2) set_stream;
    decltype(&cublasSgeam) geam;
};

static enum aisp_status library_open(struct library *library)
{
    library->file = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library->file)
        library->file = dlopen("libcublas.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!library->file)
        return AISP_E_UNAVAILABLE;
    *(void **)&library->create = dlsym(library->file, "cublasCreate_v2");
    *(void **)&library->destroy = dlsym(library->file, "cublasDestroy_v2");
    *(void **)&library->set_stream = dlsym(library->file, "cublasSetStream_v2");
    *(void **)&library->geam = dlsym(library->file, "cublasSgeam");
    if (!library->create || !library->destroy || !library->set_stream || !library->geam)
        return AISP_E_UNAVAILABLE;
    return library->create(&library->handle) == CUBLAS_STATUS_SUCCESS ? AISP_OK : AISP_E_DEVICE;
}

static void teardown(void *state)
{
    struct library *library = (struct library *)state;

    if (!library)
        return;
    if (library->handle)
        library->destroy(library->handle);
    free(library); /* the file stays: the library has ends of its own */
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct library *library = (const struct library *)call->state;
    const int rows = (int)call->param[ROWS], cols = (int)call->param[COLS];
    const float one = 1, zero = 0;
    const float *x = (const float *)call->tensor[X];
    float *y = (float *)call->tensor[Y];

    if (library->set_stream(library->handle, aisp_stream(call)) != CUBLAS_STATUS_SUCCESS)
        return AISP_E_DEVICE;
    return library->geam(library->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, x, cols, &zero, y, rows, y, rows) ==
                   CUBLAS_STATUS_SUCCESS
               ? AISP_OK
               : AISP_E_DEVICE;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct library *library = (struct library *)calloc(1, sizeof *library);

    if (!library)
        return AISP_E_NO_MEMORY;
    const enum aisp_status st = library_open(library);

    if (st) {
        teardown(library);
        return st;
    }
    *setup->state = library;
    return aisp_rehearse(setup, run);
}

AISP_DECLARE("idea: cublasSgeam of cuBLAS\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = setup, .run = run, .teardown = teardown };
