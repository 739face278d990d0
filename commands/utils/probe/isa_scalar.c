/* isa_scalar.c - extensions of general registers and of memory: one run each, with a result that is known beforehand.
 * All of it is assembly: a compiler could compute the result while it compiles. */
#include <sched.h>
#include <stdalign.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"

enum { TRIES = 10, ARCH_GET_FS_BASE = 0x1003 };

static bool popcnt(void)
{
    uint64_t x = UINT64_C(0xf0f0000000000001), n;

    __asm__ volatile("popcnt %1, %0" : "=r"(n) : "r"(x) : "cc");
    return n == 9;
}

/* Without it the same bytes are bsr, which answers 0. */
static bool lzcnt(void)
{
    uint64_t x = 1, n;

    __asm__ volatile("lzcnt %1, %0" : "=r"(n) : "r"(x) : "cc");
    return n == 63;
}

static bool bmi1(void)
{
    uint64_t a = 0x0f, b = 0x3c, zero = 0, and_not, n;

    __asm__ volatile("andn %3, %2, %0\n\t"
                     "tzcnt %4, %1"
                     : "=&r"(and_not), "=&r"(n)
                     : "r"(a), "r"(b), "r"(zero)
                     : "cc");
    return and_not == 0x30 && n == 64;
}

/* Bits 1, 0, 1 to the places 1, 3 and 4. */
static bool bmi2(void)
{
    uint64_t bits = 5, mask = 0x1a, spread;

    __asm__ volatile("pdep %2, %1, %0" : "=r"(spread) : "r"(bits), "r"(mask));
    return spread == 0x12;
}

static bool adx(void)
{
    uint64_t sum = 2, three = 3;

    __asm__ volatile("stc\n\t"
                     "adcx %1, %0"
                     : "+r"(sum)
                     : "r"(three)
                     : "cc");
    return sum == 6;
}

static bool movbe(void)
{
    uint32_t memory = 0x01020304, x;

    __asm__ volatile("movbe %1, %0" : "=r"(x) : "m"(memory));
    return x == 0x04030201;
}

/* CRC-32C of "123456789", its check value in every catalogue. */
static bool crc32(void)
{
    uint32_t crc = UINT32_MAX;

    for (const char *c = "123456789"; *c; c++)
        __asm__ volatile("crc32b %1, %0" : "+r"(crc) : "rm"(*c));
    return ~crc == 0xe3069283;
}

static bool cx16(void)
{
    alignas(16) uint64_t memory[2] = { 1, 2 };
    uint64_t low = 1, high = 2;
    unsigned char swapped;

    __asm__ volatile("lock cmpxchg16b %1\n\t"
                     "sete %0"
                     : "=q"(swapped), "+m"(memory), "+a"(low), "+d"(high)
                     : "b"(UINT64_C(3)), "c"(UINT64_C(4))
                     : "cc", "memory");
    return swapped && memory[0] == 3 && memory[1] == 4;
}

/* Two numbers that are not the same. */
static bool rdrand(void)
{
    uint64_t x[2] = { 0, 0 };
    unsigned char good = 0;

    for (int i = 0; i < 2; i++)
        for (int t = 0; t < TRIES && (t == 0 || !good); t++)
            __asm__ volatile("rdrand %0\n\t"
                             "setc %1"
                             : "=r"(x[i]), "=q"(good)
                             :
                             : "cc");
    return good && x[0] != x[1];
}

static bool rdseed(void)
{
    uint64_t x[2] = { 0, 0 };
    unsigned char good = 0;

    for (int i = 0; i < 2; i++)
        for (int t = 0; t < 1000 * TRIES && (t == 0 || !good); t++)
            __asm__ volatile("rdseed %0\n\t"
                             "setc %1\n\t"
                             "pause"
                             : "=r"(x[i]), "=q"(good)
                             :
                             : "cc");
    return good && x[0] != x[1];
}

/* The number of the processor that the system left there; we may be moved between the two questions. */
static bool rdtscp(void)
{
    for (int t = 0; t < TRIES; t++) {
        unsigned low, high, processor, again;
        const int cpu = sched_getcpu();

        __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
        __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(again));
        if ((int)(processor & 0xfff) == cpu && processor == again)
            return true;
    }
    return false;
}

static bool rdpid(void)
{
    for (int t = 0; t < TRIES; t++) {
        const int cpu = sched_getcpu();
        uint64_t processor;

        __asm__ volatile("rdpid %0" : "=r"(processor));
        if ((int)(processor & 0xfff) == cpu)
            return true;
    }
    return false;
}

static bool fsgsbase(void)
{
    uint64_t here, told = 0;

    __asm__ volatile("rdfsbase %0" : "=r"(here));
    return syscall(SYS_arch_prctl, ARCH_GET_FS_BASE, &told) == 0 && here == told;
}

static bool clflushopt(void)
{
    volatile uint64_t memory = 7;

    __asm__ volatile("clflushopt %0\n\t"
                     "sfence"
                     : "+m"(memory));
    return memory == 7;
}

static bool clwb(void)
{
    volatile uint64_t memory = 7;

    __asm__ volatile("clwb %0\n\t"
                     "sfence"
                     : "+m"(memory));
    return memory == 7;
}

static bool clzero(void)
{
    alignas(128) unsigned char line[128];
    int left = 0;

    memset(line, 0xa5, sizeof line);
    __asm__ volatile("clzero\n\t"
                     "sfence"
                     :
                     : "a"(line)
                     : "memory");
    for (int i = 0; i < 64; i++)
        left += line[i] != 0;
    return left == 0;
}

static bool movdiri(void)
{
    volatile uint64_t memory = 0;
    uint64_t x = 0x1122334455667788;

    __asm__ volatile("movdiri %1, %0\n\t"
                     "mfence"
                     : "+m"(memory)
                     : "r"(x));
    return memory == x;
}

static bool movdir64b(void)
{
    alignas(64) unsigned char from[64], to[64] = { 0 };

    for (int i = 0; i < 64; i++)
        from[i] = (unsigned char)(i + 1);
    __asm__ volatile("movdir64b (%1), %0\n\t"
                     "mfence"
                     :
                     : "r"(to), "r"(from)
                     : "memory");
    return !memcmp(from, to, sizeof to);
}

/* A deadline that is over: it returns at once. */
static bool waitpkg(void)
{
    __asm__ volatile("tpause %0" : : "r"(0), "a"(0), "d"(0) : "cc");
    return true;
}

static bool serialize(void)
{
    __asm__ volatile("serialize" : : : "memory");
    return true;
}

/* Present and switched off is common: then every transaction aborts, and none ever commits. */
static bool rtm(void)
{
    for (int t = 0; t < 100 * TRIES; t++) {
        unsigned status = UINT32_MAX;

        __asm__ volatile("xbegin 1f\n\t"
                         "xend\n"
                         "1:"
                         : "+a"(status)
                         :
                         : "memory");
        if (status == UINT32_MAX)
            return true;
    }
    return false;
}

const struct aisp_isa_row aisp_isa_scalar[] = {
    { "popcnt", 1, 0, AISP_ECX, 23, 0, "popcnt", popcnt },
    { "lzcnt", 0x80000001, 0, AISP_ECX, 5, 0, "abm", lzcnt },
    { "bmi1", 7, 0, AISP_EBX, 3, 0, "bmi1", bmi1 },
    { "bmi2", 7, 0, AISP_EBX, 8, 0, "bmi2", bmi2 },
    { "adx", 7, 0, AISP_EBX, 19, 0, "adx", adx },
    { "movbe", 1, 0, AISP_ECX, 22, 0, "movbe", movbe },
    { "sse4.2 crc32", 1, 0, AISP_ECX, 20, 0, "sse4_2", crc32 },
    { "cmpxchg16b", 1, 0, AISP_ECX, 13, 0, "cx16", cx16 },
    { "rdrand", 1, 0, AISP_ECX, 30, 0, "rdrand", rdrand },
    { "rdseed", 7, 0, AISP_EBX, 18, 0, "rdseed", rdseed },
    { "rdtscp", 0x80000001, 0, AISP_EDX, 27, 0, "rdtscp", rdtscp },
    { "rdpid", 7, 0, AISP_ECX, 22, 0, "rdpid", rdpid },
    { "fsgsbase", 7, 0, AISP_EBX, 0, 0, "fsgsbase", fsgsbase },
    { "clflushopt", 7, 0, AISP_EBX, 23, 0, "clflushopt", clflushopt },
    { "clwb", 7, 0, AISP_EBX, 24, 0, "clwb", clwb },
    { "clzero", 0x80000008, 0, AISP_EBX, 0, 0, "clzero", clzero },
    { "movdiri", 7, 0, AISP_ECX, 27, 0, "movdiri", movdiri },
    { "movdir64b", 7, 0, AISP_ECX, 28, 0, "movdir64b", movdir64b },
    { "waitpkg", 7, 0, AISP_ECX, 5, 0, "waitpkg", waitpkg },
    { "serialize", 7, 0, AISP_EDX, 14, 0, "serialize", serialize },
    { "rtm", 7, 0, AISP_EBX, 11, 0, "rtm", rtm },
    { 0 },
};
