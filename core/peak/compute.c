/* compute.c - the multiplier's ceilings: independent chains of one instruction, more chains than
 * latency times pipes.
 * Why operands from memory with full mantissas: zeros and ones draw less power, and a power-limited
 * clock would look better than it is. x lies in (0.5, 1), so acc = acc x + y stays bounded for
 * ever. */
#include <cpuid.h>
#include <stdalign.h>

#include "core/peak/rows.h"

/* clang-format off */

/* Unrolled four times: the loop itself is one of 49 or more instructions. */
#define LOOP(body) "1:\n" body body body body "dec %[passes]\n" "jnz 1b\n"
#define EACH8(op)  op("0") op("1") op("2") op("3") op("4") op("5") op("6") op("7")
#define EACH12(op) EACH8(op) op("8") op("9") op("10") op("11")
#define EACH24(op) EACH12(op) op("12") op("13") op("14") op("15") op("16") op("17") op("18")       \
                   op("19") op("20") op("21") op("22") op("23")
#define XMM_0_15  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",                  \
                  "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define XMM_16_31 "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",          \
                  "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"

#define RUN(text, ...)                                                                             \
    do {                                                                                           \
        (void)bytes;                                                                               \
        __asm__ volatile(text : [passes] "+r"(passes), [to] "+r"(to) : [from] "r"(from)            \
                         : "memory", "cc", __VA_ARGS__);                                           \
    } while (0)

/* ---- SSE: no fused form, so eight chains of additions beside six of multiplications. ---- */
#define S_CLEAR(i)   "xorps %%xmm" i ", %%xmm" i "\n"
#define S_ONE_PS(i)  "movaps %%xmm14, %%xmm" i "\n"
#define S_ADD_PS(i)  "addps %%xmm15, %%xmm" i "\n"
#define S_MUL_PS(i)  "mulps %%xmm14, %%xmm" i "\n"
#define S_ADD_PD(i)  "addpd %%xmm15, %%xmm" i "\n"
#define S_MUL_PD(i)  "mulpd %%xmm14, %%xmm" i "\n"
#define S_STORE(i)   "movups %%xmm" i ", (%[to])\n" "add $16, %[to]\n"
#define EACH_MUL(op) op("8") op("9") op("10") op("11") op("12") op("13")
#define SSE(add, mul)                                                                              \
    RUN("movups (%[from]), %%xmm14\n" "movups 64(%[from]), %%xmm15\n"                              \
        EACH8(S_CLEAR) EACH_MUL(S_ONE_PS)                                                          \
        LOOP(add("0") mul("8") add("1") mul("9") add("2") mul("10") add("3") mul("11") add("4")    \
             mul("12") add("5") mul("13") add("6") add("7"))                                       \
        EACH8(S_STORE) EACH_MUL(S_STORE), XMM_0_15)

static void f32_sse(void *to, const void *from, size_t bytes, int64_t passes)
{
    SSE(S_ADD_PS, S_MUL_PS);
}

static void f64_sse(void *to, const void *from, size_t bytes, int64_t passes)
{
    SSE(S_ADD_PD, S_MUL_PD);
}

/* ---- AVX2 and FMA: twelve chains. ---- */
#define Y_CLEAR(i)  "vxorps %%xmm" i ", %%xmm" i ", %%xmm" i "\n"
#define Y_FMA_PS(i) "vfmadd213ps %%ymm13, %%ymm12, %%ymm" i "\n"
#define Y_FMA_PD(i) "vfmadd213pd %%ymm13, %%ymm12, %%ymm" i "\n"
#define Y_STORE(i)  "vmovups %%ymm" i ", (%[to])\n" "add $32, %[to]\n"
#define AVX2(step)                                                                                 \
    RUN("vmovups (%[from]), %%ymm12\n" "vmovups 64(%[from]), %%ymm13\n"                            \
        EACH12(Y_CLEAR) LOOP(EACH12(step))                                                         \
        EACH12(Y_STORE) "vzeroupper\n", XMM_0_15)

static void f32_avx2(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX2(Y_FMA_PS);
}

static void f64_avx2(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX2(Y_FMA_PD);
}

/* Bytes without a dot instruction: u8 by s8 into pairs of 16 bits (which saturate), pairs into 32
 * bits, sum. */
#define Y_MADD(i)                                                                                  \
    "vpmaddubsw %%ymm13, %%ymm12, %%ymm15\n" "vpmaddwd %%ymm14, %%ymm15, %%ymm15\n"                \
    "vpaddd %%ymm15, %%ymm" i ", %%ymm" i "\n"

static void i8_avx2(void *to, const void *from, size_t bytes, int64_t passes)
{
    RUN("vmovups (%[from]), %%ymm12\n" "vmovups 64(%[from]), %%ymm13\n" EACH12(Y_CLEAR)
        "vpcmpeqw %%ymm14, %%ymm14, %%ymm14\n" "vpsrlw $15, %%ymm14, %%ymm14\n"
        LOOP(EACH12(Y_MADD)) EACH12(Y_STORE) "vzeroupper\n", XMM_0_15);
}

#define Y_DOT(i) "%{vex%} vpdpbusd %%ymm13, %%ymm12, %%ymm" i "\n"
static void i8_avx_vnni(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX2(Y_DOT);
}

/* ---- AVX-512: 24 chains, for the dot instructions take longer. ---- */
#define Z_CLEAR(i)  "vpxord %%zmm" i ", %%zmm" i ", %%zmm" i "\n"
#define Z_FMA_PS(i) "vfmadd213ps %%zmm31, %%zmm30, %%zmm" i "\n"
#define Z_FMA_PD(i) "vfmadd213pd %%zmm31, %%zmm30, %%zmm" i "\n"
#define Z_DOT_BF(i) "vdpbf16ps %%zmm31, %%zmm30, %%zmm" i "\n"
#define Z_DOT_I8(i) "vpdpbusd %%zmm31, %%zmm30, %%zmm" i "\n"
#define Z_STORE(i)  "vmovups %%zmm" i ", (%[to])\n" "add $64, %[to]\n"
#define AVX512(step)                                                                               \
    RUN("vmovups (%[from]), %%zmm30\n" "vmovups 64(%[from]), %%zmm31\n"                            \
        EACH24(Z_CLEAR) LOOP(EACH24(step))                                                         \
        EACH24(Z_STORE) "vzeroupper\n", XMM_0_15, XMM_16_31)
#define ON_AVX512 __attribute__((target("avx512f")))

ON_AVX512 static void f32_avx512(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX512(Z_FMA_PS);
}

ON_AVX512 static void f64_avx512(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX512(Z_FMA_PD);
}

ON_AVX512 static void bf16_avx512(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX512(Z_DOT_BF);
}

ON_AVX512 static void i8_avx512(void *to, const void *from, size_t bytes, int64_t passes)
{
    AVX512(Z_DOT_I8);
}

/* clang-format on */

/* ---- What is here, and the operands. ---- */

static bool any(void)
{
    return true;
}
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}
static bool has_avx512_vnni(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
}

/* Bits of leaf 7, subleaf 1, EAX: 4 = AVX-VNNI, 5 = AVX512-BF16. */
static bool leaf_7_1(int bit)
{
    unsigned a, b, c, d;

    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> bit & 1);
}

static bool has_avx_vnni(void)
{
    return has_avx2() && leaf_7_1(4);
}
static bool has_avx512_bf16(void)
{
    return has_avx512() && leaf_7_1(5);
}

static const alignas(64) float f32_operands[2][16] = {
    { 0.61803f, 0.70711f, 0.57722f, 0.91597f, 0.83463f, 0.66274f, 0.78343f, 0.54931f, 0.95493f,
      0.69315f, 0.88623f, 0.74048f, 0.52360f, 0.62433f, 0.97027f, 0.81320f },
    { -1.41421f, 1.73205f, -2.23607f, 2.64575f, 3.31662f, -3.60555f, 4.12311f, -4.35890f, 4.79583f,
      -5.38516f, 5.56776f, -6.08276f, 6.40312f, -6.55744f, 6.85565f, -7.28011f },
};
/* A chain of multiplications alone keeps its value only by 1: any other factor takes it to subnormals or to infinity, and some
 * cores multiply subnormals a hundred times slower. */
static const alignas(64) float f32_sse_operands[2][16] = { { 1, 1, 1, 1 }, { -1.41421f, 1.73205f, -2.23607f, 2.64575f } };
static const alignas(64) double f64_sse_operands[2][8] = { { 1, 1 }, { -1.4142135623730951, 1.7320508075688772 } };
static const alignas(64) double f64_operands[2][8] = {
    { 0.6180339887498949, 0.7071067811865476, 0.5772156649015329, 0.9159655941772190,
      0.8346268416740732, 0.6627434193491816, 0.7834305107121344, 0.5493061443340549 },
    { -1.4142135623730951, 1.7320508075688772, -2.2360679774997898, 2.6457513110645907,
      3.3166247903553998, -3.6055512754639891, 4.1231056256176606, -4.3588989435406740 },
};
/* bf16: sign, 8 bits of exponent, 7 of fraction; all between 0.5 and 8. */
static const alignas(64) uint16_t bf16_operands[2][32] = {
    { 0x3f1e, 0xbf35, 0x3f14, 0xbf6a, 0x3f56, 0xbf2a, 0x3f49, 0xbf0d, 0x3f74, 0xbf31, 0x3f63,
      0xbf3e, 0x3f06, 0xbf20, 0x3f78, 0xbf50, 0x3fb5, 0xbfdd, 0x400f, 0xc029, 0x4054, 0xc067,
      0x4084, 0xc08b, 0x4099, 0xc0ac, 0x40b2, 0xc0c3, 0x40cd, 0xc0d2, 0x40db, 0xc0e9 },
    { 0x40e9, 0x40db, 0xc0d2, 0xc0cd, 0x40c3, 0x40b2, 0xc0ac, 0xc099, 0x408b, 0x4084, 0xc067,
      0xc054, 0x4029, 0x400f, 0xbfdd, 0xbfb5, 0x3f50, 0x3f78, 0xbf20, 0xbf06, 0x3f3e, 0x3f63,
      0xbf31, 0xbf74, 0x3f0d, 0x3f49, 0xbf2a, 0xbf56, 0x3f6a, 0x3f14, 0xbf35, 0xbf1e },
};
static const alignas(64) uint8_t i8_operands[2][64] = {
    { 0x9e, 0x37, 0x79, 0xb9, 0x7f, 0x4a, 0x7c, 0x15, 0xf3, 0x9c, 0xc0, 0x60, 0x5c,
      0xed, 0xc8, 0x34, 0x10, 0x82, 0x27, 0x6b, 0xf3, 0xa2, 0x72, 0x51, 0xf8, 0x6c,
      0x6a, 0x11, 0xd0, 0xc1, 0x8e, 0x95, 0x27, 0x67, 0xf0, 0xb1, 0x53, 0xd2, 0x7b,
      0x7f, 0x03, 0x47, 0x04, 0x5b, 0x5b, 0xf1, 0x82, 0x7f, 0x01, 0x88, 0x6f, 0x09,
      0x28, 0x40, 0x30, 0x02, 0xc1, 0xd6, 0x4b, 0xa4, 0x0f, 0x33, 0x5e, 0x36 },
    { 0x6a, 0xd7, 0xad, 0xf7, 0xb0, 0x67, 0x12, 0x1a, 0xae, 0x0d, 0x55, 0x26, 0xc6,
      0xa2, 0x38, 0x46, 0x16, 0x8b, 0xf7, 0x66, 0x2a, 0x99, 0x43, 0x85, 0x16, 0x57,
      0x4c, 0x2b, 0x67, 0x7f, 0x7a, 0x0b, 0x94, 0x06, 0x90, 0x04, 0x2c, 0x23, 0x83,
      0xcf, 0x69, 0xf4, 0x25, 0x79, 0x41, 0x3a, 0xb1, 0xef, 0xb5, 0x26, 0xa3, 0x9a,
      0x67, 0x15, 0x03, 0xf4, 0x8e, 0x1b, 0x5c, 0x77, 0x21, 0xd9, 0x68, 0x3e },
};

/* work = 4 (unrolled) * chains * work_per_issue. */
const struct aisp_peak aisp_compute_peaks[AISP_N_COMPUTE_PEAKS] = {
    { "f32_sse", "GFLOP/s", "f32 mulps beside addps, 128 bits", AISP_PEAK_CORE, any, f32_sse,
      f32_sse_operands, 4 * 14 * 4, 4, 4 },
    { "f64_sse", "GFLOP/s", "f64 mulpd beside addpd, 128 bits", AISP_PEAK_CORE, any, f64_sse,
      f64_sse_operands, 4 * 14 * 2, 2, 4 },
    { "f32_fma_avx2", "GFLOP/s", "f32 vfmadd, 256 bits", AISP_PEAK_CORE, has_avx2, f32_avx2,
      f32_operands, 4 * 12 * 16, 16, 2 },
    { "f64_fma_avx2", "GFLOP/s", "f64 vfmadd, 256 bits", AISP_PEAK_CORE, has_avx2, f64_avx2,
      f64_operands, 4 * 12 * 8, 8, 2 },
    { "f32_fma_avx512", "GFLOP/s", "f32 vfmadd, 512 bits", AISP_PEAK_CORE, has_avx512, f32_avx512,
      f32_operands, 4 * 24 * 32, 32, 2 },
    { "f64_fma_avx512", "GFLOP/s", "f64 vfmadd, 512 bits", AISP_PEAK_CORE, has_avx512, f64_avx512,
      f64_operands, 4 * 24 * 16, 16, 2 },
    { "bf16_dot_avx512", "GFLOP/s", "bf16 pairs into f32, vdpbf16ps, 512 bits", AISP_PEAK_CORE,
      has_avx512_bf16, bf16_avx512, bf16_operands, 4 * 24 * 64, 64, 2,
      0.5 }, /* Sapphire Rapids: one every other cycle */
    { "i8_dot_avx2", "GOP/s",
      "u8 by s8 into i32 with 16-bit saturation: vpmaddubsw, vpmaddwd, vpaddd, 256 bits",
      AISP_PEAK_CORE, has_avx2, i8_avx2, i8_operands, 4 * 12 * 64, 64, 1 },
    { "i8_dot_avx_vnni", "GOP/s", "u8 by s8 into i32, vpdpbusd, 256 bits", AISP_PEAK_CORE,
      has_avx_vnni, i8_avx_vnni, i8_operands, 4 * 12 * 64, 64, 2 },
    { "i8_dot_avx512_vnni", "GOP/s", "u8 by s8 into i32, vpdpbusd, 512 bits", AISP_PEAK_CORE,
      has_avx512_vnni, i8_avx512, i8_operands, 4 * 24 * 128, 128, 2 },
};
