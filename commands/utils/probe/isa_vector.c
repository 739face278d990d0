/* isa_vector.c - extensions of vector registers and of tiles: one run each, with a result that is known beforehand.
 * The operands lie in memory and the result goes there, so that nothing here asks the compiler for registers that this CPU may
 * not have. */
#include <stdalign.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"

enum { ARCH_ASK_FOR_STATE = 0x1023, TILE_DATA = 18 };

/* Operands a and b, third c, result r: 64 bytes each. */
struct box { alignas(64) unsigned char a[64], b[64], c[64], r[64]; };

static void fill(unsigned char *to, size_t n, const void *element, size_t size)
{
    for (size_t i = 0; i + size <= n; i += size)
        memcpy(to + i, element, size);
}

static bool all(const unsigned char *r, size_t n, const void *element, size_t size)
{
    for (size_t i = 0; i + size <= n; i += size)
        if (memcmp(r + i, element, size))
            return false;
    return true;
}

/* A run on elements that are all the same: TYPE x, y, z are the operands, want is each element of the result. `code` finds a, b
 * and c in vector registers 0, 1 and 2 of kind R and leaves the result in 0. */
#define SAME(name, type, x, y, z, want, bytes, move, R, end, code)                                                             \
    static bool name(void)                                                                                                     \
    {                                                                                                                          \
        struct box box = { { 0 }, { 0 }, { 0 }, { 0 } };                                                                      \
        const type ex = x, ey = y, ez = z, ew = want;                                                                          \
                                                                                                                               \
        fill(box.a, bytes, &ex, sizeof ex);                                                                                    \
        fill(box.b, bytes, &ey, sizeof ey);                                                                                    \
        fill(box.c, bytes, &ez, sizeof ez);                                                                                    \
        __asm__ volatile(move " (%0), %%" R "0\n\t" move " 64(%0), %%" R "1\n\t" move " 128(%0), %%" R "2\n\t"                 \
                         code "\n\t" move " %%" R "0, 192(%0)\n\t" end                                                         \
                         : : "r"(&box) : "memory", "xmm0", "xmm1", "xmm2");                                                    \
        return all(box.r, bytes, &ew, sizeof ew);                                                                              \
    }
#define SSE(name, type, x, y, z, want, code)  SAME(name, type, x, y, z, want, 16, "movdqu", "xmm", "", code)
#define VEX(name, type, x, y, z, want, code)  SAME(name, type, x, y, z, want, 32, "vmovdqu", "ymm", "vzeroupper", code)
#define EVEX(name, type, x, y, z, want, code) SAME(name, type, x, y, z, want, 64, "vmovdqu64", "zmm", "vzeroupper", code)

SSE(sse2, uint64_t, 1, 2, 0, 3, "paddq %%xmm1, %%xmm0")
SSE(sse3, float, 1.5f, 2.0f, 0, 3.0f, "haddps %%xmm0, %%xmm0")
SSE(ssse3, int16_t, -7, 0, 0, 7, "pabsw %%xmm0, %%xmm0")
SSE(sse41, int32_t, 70000, 3, 0, 210000, "pmulld %%xmm1, %%xmm0")
SSE(sse42, int64_t, 5, 4, 0, -1, "pcmpgtq %%xmm1, %%xmm0")
SSE(sse4a, uint64_t, UINT64_C(0xabcdef), 0, 0, UINT64_C(0xde), "extrq $4, $8, %%xmm0\n\tpunpcklqdq %%xmm0, %%xmm0")
/* SubBytes of 0 is 0x63 everywhere, which ShiftRows and MixColumns leave. */
SSE(aes, uint8_t, 0, 0, 0, 0x63, "aesenc %%xmm1, %%xmm0")
/* (x + 1)^2 = x^2 + 1 without carries. */
SSE(pclmul, uint64_t, 3, 3, 0, 5, "pclmulqdq $0, %%xmm1, %%xmm0\n\tpunpcklqdq %%xmm0, %%xmm0")
/* x times x + 1 in the field of AES. */
SSE(gfni, uint8_t, 2, 3, 0, 6, "gf2p8mulb %%xmm1, %%xmm0")

VEX(avx, float, 1.5f, 2.0f, 0, 3.5f, "vaddps %%ymm1, %%ymm0, %%ymm0")
VEX(avx2, int32_t, 70000, 3, 0, 210000, "vpmulld %%ymm1, %%ymm0, %%ymm0")
VEX(fma3, float, 4.0f, 2.0f, 3.0f, 10.0f, "vfmadd231ps %%ymm2, %%ymm1, %%ymm0")
VEX(f16c, uint16_t, 0x3c00, 0, 0, 0x3f80,
    "vcvtph2ps %%xmm0, %%ymm0\n\tvpsrld $16, %%ymm0, %%ymm1\n\tvorps %%ymm1, %%ymm0, %%ymm0")
/* 4 x (2 x 3) + 1 in each lane of 32 bits. */
VEX(avx_vnni, uint32_t, 1, 0x02020202, 0x03030303, 25, "%{vex%} vpdpbusd %%ymm2, %%ymm1, %%ymm0")
VEX(vaes, uint8_t, 0, 0, 0, 0x63, "vaesenc %%ymm1, %%ymm0, %%ymm0")
VEX(vpclmul, uint64_t, 3, 3, 0, 5, "vpclmulqdq $0, %%ymm1, %%ymm0, %%ymm0\n\tvpunpcklqdq %%ymm0, %%ymm0, %%ymm0")

EVEX(avx512f, float, 4.0f, 2.0f, 3.0f, 10.0f, "vfmadd231ps %%zmm2, %%zmm1, %%zmm0")
EVEX(avx512cd, uint32_t, 1, 0, 0, 31, "vplzcntd %%zmm0, %%zmm0")
EVEX(avx512bw, uint8_t, 200, 100, 0, 44, "vpaddb %%zmm1, %%zmm0, %%zmm0")
EVEX(avx512dq, uint64_t, UINT64_C(3000000000), 3, 0, UINT64_C(9000000000), "vpmullq %%zmm1, %%zmm0, %%zmm0")
EVEX(avx512vl, uint32_t, 6, 3, 4, 1, "vpternlogd $0x96, %%ymm2, %%ymm1, %%ymm0\n\tvinserti64x4 $1, %%ymm0, %%zmm0, %%zmm0")
EVEX(avx512ifma, uint64_t, 1, 3, 5, 16, "vpmadd52luq %%zmm2, %%zmm1, %%zmm0")
EVEX(avx512vbmi, uint8_t, 7, 9, 0, 9, "vpermb %%zmm1, %%zmm0, %%zmm0")
/* 1 and then a set bit, shifted left by one. */
EVEX(avx512vbmi2, uint32_t, 1, 0x80000000, 0, 3, "vpshldd $1, %%zmm1, %%zmm0, %%zmm0")
EVEX(avx512vnni, uint32_t, 1, 0x02020202, 0x03030303, 25, "vpdpbusd %%zmm2, %%zmm1, %%zmm0")
EVEX(avx512bitalg, uint8_t, 0xf1, 0, 0, 5, "vpopcntb %%zmm0, %%zmm0")
EVEX(avx512vpopcntdq, uint32_t, 0xf1f1, 0, 0, 10, "vpopcntd %%zmm0, %%zmm0")
/* bf16 2.0 in both halves: 2 x 2 + 2 x 2 + 1. */
EVEX(avx512bf16, uint32_t, 0x3f800000, 0x40004000, 0x40004000, 0x41100000, "vdpbf16ps %%zmm2, %%zmm1, %%zmm0")
EVEX(avx512fp16, uint16_t, 0x3c00, 0x3c00, 0, 0x4000, "vaddph %%zmm1, %%zmm0, %%zmm0")

/* W[i] + s0(W[i+1]) of FIPS 180-4; s0(2) = 2 >>> 7 ^ 2 >>> 18 ^ 2 >> 3 = 0x04008000. */
static bool sha(void)
{
    const uint32_t first[4] = { 1, 0, 0, 2 }, second[4] = { 0, 0, 0, 0 }, want[4] = { 1, 0, 0x04008000, 2 };
    uint32_t r[4];

    __asm__ volatile("movdqu (%0), %%xmm0\n\t"
                     "movdqu (%1), %%xmm1\n\t"
                     "sha256msg1 %%xmm1, %%xmm0\n\t"
                     "movdqu %%xmm0, (%2)"
                     : : "r"(first), "r"(second), "r"(r) : "memory", "xmm0", "xmm1");
    return !memcmp(r, want, sizeof r);
}

/* ---- tiles ---- */

/* Three tiles of one row of four bytes. The kernel has to be asked for their state; where it refuses, the first tile
 * ends it. */
static void shape_tiles(void)
{
    struct { uint8_t palette, start, unused[14]; uint16_t row_bytes[16]; uint8_t rows[16]; } config = { .palette = 1 };

    syscall(SYS_arch_prctl, ARCH_ASK_FOR_STATE, TILE_DATA);
    for (int i = 0; i < 3; i++) {
        config.row_bytes[i] = 4;
        config.rows[i] = 1;
    }
    __asm__ volatile("ldtilecfg (%0)" : : "r"(&config) : "memory");
}

#define TILES(name, want, x, y, z, code)                                                                                       \
    static bool name(void)                                                                                                     \
    {                                                                                                                          \
        uint32_t memory[3] = { x, y, z };                                                                                      \
                                                                                                                               \
        shape_tiles();                                                                                                         \
        __asm__ volatile("tileloadd (%0,%1,1), %%tmm0\n\t"                                                                     \
                         "tileloadd 4(%0,%1,1), %%tmm1\n\t"                                                                    \
                         "tileloadd 8(%0,%1,1), %%tmm2\n\t"                                                                    \
                         code "\n\t"                                                                                           \
                         "tilestored %%tmm0, (%0,%1,1)\n\t"                                                                    \
                         "tilerelease" : : "r"(memory), "r"(UINT64_C(64)) : "memory");                                         \
        return memory[0] == want;                                                                                              \
    }
TILES(amx_tile, 77, 77, 0, 0, "")
TILES(amx_int8, 25, 1, 0x02020202, 0x03030303, "tdpbssd %%tmm2, %%tmm1, %%tmm0")
TILES(amx_bf16, 0x41100000, 0x3f800000, 0x40004000, 0x40004000, "tdpbf16ps %%tmm2, %%tmm1, %%tmm0")

const struct aisp_isa_row aisp_isa_vector[] = {
    { "sse2", 1, 0, AISP_EDX, 26, 0, "sse2", sse2 },
    { "sse3", 1, 0, AISP_ECX, 0, 0, "pni", sse3 },
    { "ssse3", 1, 0, AISP_ECX, 9, 0, "ssse3", ssse3 },
    { "sse4.1", 1, 0, AISP_ECX, 19, 0, "sse4_1", sse41 },
    { "sse4.2", 1, 0, AISP_ECX, 20, 0, "sse4_2", sse42 },
    { "sse4a", 0x80000001, 0, AISP_ECX, 6, 0, "sse4a", sse4a },
    { "aes", 1, 0, AISP_ECX, 25, 0, "aes", aes },
    { "pclmulqdq", 1, 0, AISP_ECX, 1, 0, "pclmulqdq", pclmul },
    { "sha", 7, 0, AISP_EBX, 29, 0, "sha_ni", sha },
    { "gfni", 7, 0, AISP_ECX, 8, 0, "gfni", gfni },
    { "avx", 1, 0, AISP_ECX, 28, AISP_XCR0_AVX, "avx", avx },
    { "avx2", 7, 0, AISP_EBX, 5, AISP_XCR0_AVX, "avx2", avx2 },
    { "fma", 1, 0, AISP_ECX, 12, AISP_XCR0_AVX, "fma", fma3 },
    { "f16c", 1, 0, AISP_ECX, 29, AISP_XCR0_AVX, "f16c", f16c },
    { "avx-vnni", 7, 1, AISP_EAX, 4, AISP_XCR0_AVX, "avx_vnni", avx_vnni },
    { "vaes", 7, 0, AISP_ECX, 9, AISP_XCR0_AVX, "vaes", vaes },
    { "vpclmulqdq", 7, 0, AISP_ECX, 10, AISP_XCR0_AVX, "vpclmulqdq", vpclmul },
    { "avx512f", 7, 0, AISP_EBX, 16, AISP_XCR0_AVX512, "avx512f", avx512f },
    { "avx512cd", 7, 0, AISP_EBX, 28, AISP_XCR0_AVX512, "avx512cd", avx512cd },
    { "avx512bw", 7, 0, AISP_EBX, 30, AISP_XCR0_AVX512, "avx512bw", avx512bw },
    { "avx512dq", 7, 0, AISP_EBX, 17, AISP_XCR0_AVX512, "avx512dq", avx512dq },
    { "avx512vl", 7, 0, AISP_EBX, 31, AISP_XCR0_AVX512, "avx512vl", avx512vl },
    { "avx512ifma", 7, 0, AISP_EBX, 21, AISP_XCR0_AVX512, "avx512ifma", avx512ifma },
    { "avx512vbmi", 7, 0, AISP_ECX, 1, AISP_XCR0_AVX512, "avx512vbmi", avx512vbmi },
    { "avx512vbmi2", 7, 0, AISP_ECX, 6, AISP_XCR0_AVX512, "avx512_vbmi2", avx512vbmi2 },
    { "avx512vnni", 7, 0, AISP_ECX, 11, AISP_XCR0_AVX512, "avx512_vnni", avx512vnni },
    { "avx512bitalg", 7, 0, AISP_ECX, 12, AISP_XCR0_AVX512, "avx512_bitalg", avx512bitalg },
    { "avx512vpopcntdq", 7, 0, AISP_ECX, 14, AISP_XCR0_AVX512, "avx512_vpopcntdq", avx512vpopcntdq },
    { "avx512bf16", 7, 1, AISP_EAX, 5, AISP_XCR0_AVX512, "avx512_bf16", avx512bf16 },
    { "avx512fp16", 7, 0, AISP_EDX, 23, AISP_XCR0_AVX512, "avx512_fp16", avx512fp16 },
    { "amx-tile", 7, 0, AISP_EDX, 24, AISP_XCR0_AMX, "amx_tile", amx_tile },
    { "amx-int8", 7, 0, AISP_EDX, 25, AISP_XCR0_AMX, "amx_int8", amx_int8 },
    { "amx-bf16", 7, 0, AISP_EDX, 22, AISP_XCR0_AMX, "amx_bf16", amx_bf16 },
    { 0 },
};
