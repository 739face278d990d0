/* number.cuh - random matrix elements by index, in each type that matrix units take: the same on host and device, so that a
 * result can be checked without moving a matrix. Floating types: a sum of four uniforms, about normal; integers: all values. */
#ifndef PEAK_NUMBER_CUH
#define PEAK_NUMBER_CUH

#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <string.h>

#include "peak_cuda/measure.cuh"

/* Bytes of one element; elements in 32 bytes are what one instruction takes of k. */
__host__ __device__ static inline int peak_type_bytes(int type)
{
    return type == PEAK_TF32 ? 4 : type == PEAK_BF16 || type == PEAK_FP16 ? 2 : 1;
}

__host__ __device__ static inline float peak_normal(uint64_t i)
{
    const uint64_t bits = peak_bits(i);
    const int sum = (int)(bits & 0xffff) + (int)(bits >> 16 & 0xffff) + (int)(bits >> 32 & 0xffff) + (int)(bits >> 48);

    return (float)(sum - 131070) * (1 / 37837.f);           /* variance of a uniform: 2^32 / 12 */
}

__host__ __device__ static inline uint32_t peak_float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The bits of element i. */
__host__ __device__ static inline uint32_t peak_element(int type, uint64_t i)
{
    const float x = peak_normal(i);

    switch (type) {
    case PEAK_TF32:
        return (peak_float_bits(x) + 0x1000) & 0xffffe000;      /* 10 bits of mantissa: what the units look at */
    case PEAK_BF16:
        return (peak_float_bits(x) + 0x8000) >> 16;
    case PEAK_FP16:
        return __half_as_ushort(__float2half(x));
    case PEAK_E4M3:
        return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
    default:
        return (uint32_t)(peak_bits(i) & 0xff);
    }
}

/* What it is worth. */
__host__ static inline double peak_element_value(int type, uint64_t i)
{
    const uint32_t bits = peak_element(type, i), wide = type == PEAK_BF16 ? bits << 16 : bits;
    float x;

    memcpy(&x, &wide, sizeof x);
    switch (type) {
    case PEAK_TF32: case PEAK_BF16:
        return (double)x;
    case PEAK_FP16:
        return (double)__half2float(__ushort_as_half((unsigned short)bits));
    case PEAK_E4M3:
        return (double)__half2float(__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)bits, __NV_E4M3)));
    default:
        return (double)(int8_t)bits;
    }
}

/* Four bytes of elements, the first being element `i`. */
__host__ __device__ static inline uint32_t peak_word(int type, uint64_t i)
{
    const int bytes = peak_type_bytes(type);
    uint32_t word = 0;

    for (int e = 0; e < 4 / bytes; e++)
        word |= peak_element(type, i + e) << (8 * bytes * e);
    return word;
}

#endif
