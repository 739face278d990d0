/* memory.c - what one core can move: read, write and copy with ordinary stores at each level, with
 * non-temporal stores to DRAM. A copy counts both directions. The extra read that an ordinary store
 * causes beyond L1 is not counted: it is what a program pays for, not what it gets.
 * Why only the widest registers of the machine: narrower ones move no more at any level. */
#include "core/peak/rows.h"

/* clang-format off */

/* Eight moves of `w` bytes in registers `r`0-7; f and t walk along source and target. */
#define EACH8(op, mov, r, w)                                                                       \
    op(mov, r, w, "0") op(mov, r, w, "1") op(mov, r, w, "2") op(mov, r, w, "3") op(mov, r, w, "4") \
    op(mov, r, w, "5") op(mov, r, w, "6") op(mov, r, w, "7")
#define LOAD(mov, r, w, i)  mov " " w "*" i "(%[f]), %%" r i "\n"
#define STORE(mov, r, w, i) mov " %%" r i ", " w "*" i "(%[t])\n"

#define PASSES(w, step, end)                                                                       \
    for (; passes > 0; passes--) {                                                                 \
        const void *f = from;                                                                      \
        void *t = to;                                                                              \
        size_t n = bytes / 8;                                                                      \
                                                                                                   \
        __asm__ volatile(".p2align 6\n"                                                            \
                         "1:\n" step                                                               \
                         "add $8*" w ", %[f]\n"                                                    \
                         "add $8*" w ", %[t]\n"                                                    \
                         "sub $" w ", %[n]\n"                                                      \
                         "jnz 1b\n" end                                                            \
                         : [f] "+r"(f), [t] "+r"(t), [n] "+r"(n)                                   \
                         :                                                                         \
                         : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",         \
                           "xmm6", "xmm7");                                                        \
    }

#define LOOPS(isa, r, w, mov, nt, leave)                                                           \
    static void isa##_read(void *to, const void *from, size_t bytes, int64_t passes)               \
    {                                                                                              \
        PASSES(w, EACH8(LOAD, mov, r, w), leave)                                                   \
    }                                                                                              \
    static void isa##_write(void *to, const void *from, size_t bytes, int64_t passes)              \
    {                                                                                              \
        PASSES(w, EACH8(STORE, mov, r, w), leave)                                                  \
    }                                                                                              \
    static void isa##_copy(void *to, const void *from, size_t bytes, int64_t passes)               \
    {                                                                                              \
        PASSES(w, EACH8(LOAD, mov, r, w) EACH8(STORE, mov, r, w), leave)                           \
    }                                                                                              \
    static void isa##_write_nt(void *to, const void *from, size_t bytes, int64_t passes)           \
    {                                                                                              \
        PASSES(w, EACH8(STORE, nt, r, w), "sfence\n" leave)                                        \
    }                                                                                              \
    static void isa##_copy_nt(void *to, const void *from, size_t bytes, int64_t passes)            \
    {                                                                                              \
        PASSES(w, EACH8(LOAD, mov, r, w) EACH8(STORE, nt, r, w), "sfence\n" leave)                 \
    }

/* Four streams at once, two moves of each: more pages and banks open than one stream has. */
#define READ4(isa, r, w, mov, leave)                                                               \
    static void isa##_read4(void *to, const void *from, size_t bytes, int64_t passes)              \
    {                                                                                              \
        const size_t n = bytes / 4;                                                                \
                                                                                                   \
        (void)to;                                                                                  \
        for (; passes > 0; passes--) {                                                             \
            const char *f = from, *end = f + n;                                                    \
                                                                                                   \
            __asm__ volatile(".p2align 6\n"                                                        \
                             "1:\n"                                                                \
                             mov " (%[f]), %%" r "0\n"                                             \
                             mov " " w "(%[f]), %%" r "1\n"                                        \
                             mov " (%[f],%[n]), %%" r "2\n"                                        \
                             mov " " w "(%[f],%[n]), %%" r "3\n"                                   \
                             mov " (%[f],%[n],2), %%" r "4\n"                                      \
                             mov " " w "(%[f],%[n],2), %%" r "5\n"                                 \
                             mov " (%[f],%[n3]), %%" r "6\n"                                       \
                             mov " " w "(%[f],%[n3]), %%" r "7\n"                                  \
                             "add $2*" w ", %[f]\n"                                                \
                             "cmp %[end], %[f]\n"                                                  \
                             "jb 1b\n" leave                                                       \
                             : [f] "+r"(f)                                                         \
                             : [n] "r"(n), [n3] "r"(3 * n), [end] "r"(end)                         \
                             : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",     \
                               "xmm6", "xmm7");                                                    \
        }                                                                                          \
    }

LOOPS(sse, "xmm", "16", "movaps", "movntps", "")
LOOPS(avx, "ymm", "32", "vmovaps", "vmovntps", "vzeroupper\n")
LOOPS(avx512, "zmm", "64", "vmovaps", "vmovntps", "vzeroupper\n")
READ4(sse, "xmm", "16", "movaps", "")
READ4(avx, "ymm", "32", "vmovaps", "vzeroupper\n")
READ4(avx512, "zmm", "64", "vmovaps", "vzeroupper\n")

/* clang-format on */

size_t aisp_peak_vector_bytes(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return 64;
    return __builtin_cpu_supports("avx") ? 32 : 16;
}

#define WIDEST(what)                                                                               \
    static void what(void *to, const void *from, size_t bytes, int64_t passes)                     \
    {                                                                                              \
        aisp_peak_loop *const loop = aisp_peak_vector_bytes() == 64   ? avx512_##what              \
                                     : aisp_peak_vector_bytes() == 32 ? avx_##what                 \
                                                                      : sse_##what;                \
                                                                                                   \
        loop(to, from, bytes, passes);                                                             \
    }

WIDEST(read)
WIDEST(read4)
WIDEST(write)
WIDEST(copy)
WIDEST(write_nt)
WIDEST(copy_nt)

static bool any(void)
{
    return true;
}

/* clang-format off */
#define ROW(name, what, level, loop, work, max)                                                    \
    { name, "GB/s", what, level, any, loop, NULL, work, work, max }
#define LEVEL(low, text, level, issues)                                                            \
    ROW("read_" low, "read, " text, level, read, 1, 3 * issues),                                   \
    ROW("write_" low, "write, " text, level, write, 1, 2 * issues),                                \
    ROW("copy_" low, "copy, both directions, " text, level, copy, 2, 2 * issues)

/* clang-format on */

/* Theory only for L1: beyond it no rate is the same on two machines. */
const struct aisp_peak aisp_memory_peaks[AISP_N_MEMORY_PEAKS] = {
    LEVEL("l1", "working set in L1", AISP_PEAK_L1, 1),
    LEVEL("l2", "working set in L2", AISP_PEAK_L2, 0),
    LEVEL("l3", "working set in L3", AISP_PEAK_L3, 0),
    LEVEL("dram", "working set in DRAM", AISP_PEAK_DRAM, 0),
    ROW("read_4_dram", "read, four streams at once, working set in DRAM", AISP_PEAK_DRAM, read4, 1,
        0),
    ROW("write_nt_dram", "non-temporal write, working set in DRAM", AISP_PEAK_DRAM, write_nt, 1, 0),
    ROW("copy_nt_dram", "copy with non-temporal stores, both directions, working set in DRAM",
        AISP_PEAK_DRAM, copy_nt, 2, 0),
};
