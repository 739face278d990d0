/* blas.cuh - y = x w' by cuBLAS, opened by name in setup: the fixture is there where the library is not, and says so. The library is
 * column-major: y turned = w turned, times x turned, which is the same memory. */
#ifndef TESTS_PROBLEMS_LAYER_BLAS_H
#define TESTS_PROBLEMS_LAYER_BLAS_H

#include <dlfcn.h>

#include "tests/problems/layer/layer.cuh"

enum { PLAIN = 0, TURNED = 1 }; /* as cublasOperation_t */
enum { DEFAULT_MATH = 0, TF32_MATH = 3 }; /* as cublasMath_t */

static struct {
    void *handle;
    int (*create)(void **handle);
    int (*set_stream)(void *handle, void *stream);
    int (*set_math)(void *handle, int math);
    int (*sgemm)(void *handle, int turn_a, int turn_b, int m, int n, int k, const float *alpha, const float *a, int lda,
                 const float *b, int ldb, const float *beta, float *c, int ldc);
} blas;

static inline enum aisp_status run_blas(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);
    const int in = (int)s.in, out = (int)s.out;
    const float one = 1, zero = 0;

    return blas.sgemm(blas.handle, TURNED, PLAIN, out, (int)s.batch, in, &one, (const float *)c->tensor[W], in,
                      (const float *)c->tensor[X], in, &zero, (float *)c->tensor[Y], out)
               ? AISP_E_DEVICE
               : AISP_OK;
}

static inline enum aisp_status open_blas_in(const struct aisp_setup *s, int math)
{
    static const char *const names[] = { "libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13", "libcublas.so.12",
                                         "/usr/local/cuda/lib64/libcublas.so.12" };
    void *file = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !file; i++)
        file = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!file)
        return AISP_E_UNAVAILABLE;
    blas.create = (__typeof__(blas.create))dlsym(file, "cublasCreate_v2");
    blas.set_stream = (__typeof__(blas.set_stream))dlsym(file, "cublasSetStream_v2");
    blas.set_math = (__typeof__(blas.set_math))dlsym(file, "cublasSetMathMode");
    blas.sgemm = (__typeof__(blas.sgemm))dlsym(file, "cublasSgemm_v2");
    if (!blas.create || !blas.set_stream || !blas.set_math || !blas.sgemm)
        return AISP_E_UNAVAILABLE;
    if (blas.create(&blas.handle) || blas.set_stream(blas.handle, s->stream) || blas.set_math(blas.handle, math))
        return AISP_E_UNAVAILABLE;
    return aisp_rehearse(s, run_blas);
}

static inline enum aisp_status open_blas(const struct aisp_setup *s)
{
    return open_blas_in(s, DEFAULT_MATH);
}

#endif
