/* pages.c - page sizes and memory nodes, by mapping and touching. */
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"
#include "core/base/buf.h"

#define MIB            ((size_t)1 << 20)
#define GIB            ((size_t)1 << 30)
#define MAP_SIZE(log2) ((log2) << MAP_HUGE_SHIFT)
#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* ---- pages ---- */

/* "works", or what the kernel answered. Mapping takes the pages of a pool, so touching cannot fail. */
static const char *try_mapping(size_t bytes, int flags)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    if (memory == MAP_FAILED)
        return errno == ENOMEM ? "none reserved" : strerror(errno);
    *memory = 1;
    munmap(memory, bytes);
    return "works";
}

/* Huge pages that lie under [memory, memory + bytes), as the kernel counts them. */
static int64_t huge_kib_at(const char *memory)
{
    FILE *f = fopen("/proc/self/smaps", "re");
    int64_t kib = -1;
    bool inside = false;
    char line[512];

    while (f && fgets(line, sizeof line, f)) {
        unsigned long from, to;
        long long value;

        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= (uintptr_t)memory && (uintptr_t)memory < to;
        else if (inside && sscanf(line, "AnonHugePages: %lld kB", &value) == 1)
            kib = value;
    }
    if (f)
        fclose(f);
    return kib;
}

static const char *try_transparent(void)
{
    const size_t bytes = 4 * MIB;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *aligned;
    const char *outcome;

    if (memory == MAP_FAILED)
        return strerror(errno);
    aligned = (char *)(((uintptr_t)memory + 2 * MIB - 1) & ~(uintptr_t)(2 * MIB - 1));
    if (madvise(aligned, 2 * MIB, MADV_HUGEPAGE))
        outcome = strerror(errno);
    else {
        memset(aligned, 1, 2 * MIB);
        outcome = huge_kib_at(aligned) >= 2048 ? "works" : "small pages were given";
    }
    munmap(memory, bytes);
    return outcome;
}

static void add_page(json_t *pages, size_t bytes, const char *how, const char *outcome)
{
    json_array_append_new(pages, json_pack("{s:I, s:s, s:s}", "page_bytes", (json_int_t)bytes, "how", how, "outcome", outcome));
}

json_t *aisp_probe_pages(void)
{
    json_t *pages = json_array();
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    add_page(pages, page, "mmap", try_mapping(page, 0));
    add_page(pages, 2 * MIB, "madvise(MADV_HUGEPAGE)", try_transparent());
    add_page(pages, 2 * MIB, "mmap(MAP_HUGETLB)", try_mapping(2 * MIB, MAP_HUGETLB | MAP_SIZE(21)));
    add_page(pages, GIB, "mmap(MAP_HUGETLB)", try_mapping(GIB, MAP_HUGETLB | MAP_SIZE(30)));
    return pages;
}

/* ---- nodes ---- */

/* Bind one page to the node, touch it, ask where it is. */
static const char *try_node(int node)
{
    unsigned long mask[16] = { 0 };
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const char *outcome = "works";
    int there = -1;

    if (memory == MAP_FAILED || node >= (int)(sizeof mask * 8))
        return "not tried";
    mask[node / 64] = 1UL << node % 64;
    if (syscall(SYS_mbind, memory, bytes, MPOL_BIND, mask, sizeof mask * 8, 0))
        outcome = strerror(errno);
    else {
        *memory = 1;
        if (syscall(SYS_get_mempolicy, &there, NULL, 0, memory, MPOL_F_NODE | MPOL_F_ADDR))
            outcome = strerror(errno);
        else if (there != node)
            outcome = "placed elsewhere";
    }
    munmap(memory, bytes);
    return outcome;
}

static json_t *node_memory(int node)
{
    char *path = aisp_format("/sys/devices/system/node/node%d/meminfo", node), line[256];
    FILE *f = fopen(path, "re");
    long long kib = -1;

    while (f && kib < 0 && fgets(line, sizeof line, f))
        if (strstr(line, "MemTotal:"))
            kib = atoll(strstr(line, "MemTotal:") + 9);
    if (f)
        fclose(f);
    free(path);
    return kib < 0 ? json_null() : json_integer(kib * 1024);
}

json_t *aisp_probe_numa(void)
{
    json_t *nodes = json_array();

    for (int node = 0; node < 1024; node++) {
        char *path = aisp_format("/sys/devices/system/node/node%d/cpulist", node), cpus[256] = "";
        FILE *f = fopen(path, "re");

        if (f) {
            if (fgets(cpus, sizeof cpus, f))
                cpus[strcspn(cpus, "\n")] = '\0';
            fclose(f);
            json_array_append_new(nodes, json_pack("{s:i, s:s, s:o, s:s}", "node", node, "cpus", cpus, "memory_bytes",
                                                   node_memory(node), "placed", try_node(node)));
        }
        free(path);
    }
    return nodes;
}
