/* system_memory.c - operating system: huge pages, swap, NUMA and what the kernel does with memory behind one's back. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/item.h"

#define THP "/sys/kernel/mm/transparent_hugepage"
#define GIB (1024.0 * 1024 * 1024)

static void thp(const struct aisp_root *root, struct aisp_found *found)
{
    char mode[32];

    if (aisp_need_chosen(root, found, THP "/enabled", mode, sizeof mode))
        aisp_found_judged(found, strcmp(mode, "never") != 0, AISP_DIAGNOSIS_ATTENTION, "transparent huge pages: %s", mode);
}

AISP_ITEM(thp) = {
    .id = "system.thp",
    .title = "Transparent huge pages can be had",
    .why = "A buffer of 1 GiB needs 262144 page table entries of 4 KiB or 512 of 2 MiB; without huge pages, large "
           "strides and pinning are bound by translation.",
    .how = THP "/enabled",
    .fix = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
    .check = thp,
};

static void thp_defrag(const struct aisp_root *root, struct aisp_found *found)
{
    char mode[32];

    if (aisp_need_chosen(root, found, THP "/defrag", mode, sizeof mode))
        aisp_found_judged(found, strcmp(mode, "always") != 0, AISP_DIAGNOSIS_ATTENTION, "defrag: %s", mode);
}

AISP_ITEM(thp_defrag) = {
    .id = "system.thp-defrag",
    .title = "A page fault does not stop to compact memory",
    .why = "With defrag=always every fault may move other pages to make a huge one, which stalls the thread for "
           "milliseconds at moments that nobody chose.",
    .how = THP "/defrag",
    .fix = "echo madvise > /sys/kernel/mm/transparent_hugepage/defrag",
    .check = thp_defrag,
};

static void hugepages_pool(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t total, unused, kib;

    if (!aisp_need_field(root, found, "/proc/meminfo", "HugePages_Total", &total) ||
        !aisp_need_field(root, found, "/proc/meminfo", "HugePages_Free", &unused) ||
        !aisp_need_field(root, found, "/proc/meminfo", "Hugepagesize", &kib))
        return;
    if (!total)
        aisp_found_not_applicable(found, "no huge pages are reserved");
    else
        aisp_found_judged(found, unused < total, AISP_DIAGNOSIS_ATTENTION, "%lld of %lld pages of %lld KiB are free",
                          (long long)unused, (long long)total, (long long)kib);
}

AISP_ITEM(hugepages_pool) = {
    .id = "system.hugepages-pool",
    .title = "Reserved huge pages are used by somebody",
    .why = "The pool is taken out of ordinary memory for good; one that nobody maps is memory that was bought and given "
           "away.",
    .how = "HugePages_Total and HugePages_Free in /proc/meminfo",
    .fix = "sysctl -w vm.nr_hugepages=0",
    .check = hugepages_pool,
};

static void hugepages_nodes(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names nodes;
    int64_t low = INT64_MAX, high = 0, pages;
    int n = 0;

    aisp_root_list(root, &nodes, "node#", "/sys/devices/system/node");
    for (size_t i = 0; i < nodes.n; i++)
        if (aisp_root_integer(root, &pages, "/sys/devices/system/node/%s/hugepages/hugepages-2048kB/nr_hugepages",
                              nodes.name[i])) {
            low = pages < low ? pages : low;
            high = pages > high ? pages : high;
            n++;
        }
    aisp_names_release(&nodes);
    if (!n)
        aisp_found_unreadable(found, "/sys/devices/system/node/node*/hugepages");
    else if (n == 1 || !high)
        aisp_found_not_applicable(found, "%d NUMA node%s, %lld pages reserved", n, n == 1 ? "" : "s", (long long)high);
    else
        aisp_found_judged(found, low == high, AISP_DIAGNOSIS_ATTENTION, "from %lld to %lld pages of 2 MiB a node",
                          (long long)low, (long long)high);
}

AISP_ITEM(hugepages_nodes) = {
    .id = "system.hugepages-nodes",
    .title = "Every NUMA node has its share of the reserved huge pages",
    .why = "A process that is bound to a node without pages gets remote ones or fails, although the machine has enough.",
    .how = "node*/hugepages/hugepages-2048kB/nr_hugepages",
    .fix = "cd /sys/devices/system/node/node1/hugepages/hugepages-2048kB\n"
           "echo N > nr_hugepages",
    .check = hugepages_nodes,
};

static void swap_used(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t total, unused, memory;
    double used;

    if (!aisp_need_field(root, found, "/proc/meminfo", "SwapTotal", &total) ||
        !aisp_need_field(root, found, "/proc/meminfo", "SwapFree", &unused) ||
        !aisp_need_field(root, found, "/proc/meminfo", "MemTotal", &memory))
        return;
    used = (double)(total - unused);
    /* 1 % of memory: more than forgotten daemons, so somebody who works was swapped out. */
    aisp_found_judged(found, used <= 0, used < 0.01 * (double)memory ? AISP_DIAGNOSIS_ATTENTION : AISP_DIAGNOSIS_PROBLEM,
                      "%.2f GiB of swap are in use", used * 1024 / GIB);
}

AISP_ITEM(swap_used) = {
    .id = "system.swap-used",
    .title = "Nothing is swapped out",
    .why = "A page that comes back from disk costs a hundred microseconds where memory costs a tenth of one; one such "
           "page in a window outweighs all that is measured there.",
    .how = "SwapTotal and SwapFree in /proc/meminfo",
    .fix = "swapoff -a && swapon -a   # when enough memory is free",
    .check = swap_used,
};

static void swappiness(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t value, swap;

    if (!aisp_need_field(root, found, "/proc/meminfo", "SwapTotal", &swap) ||
        !aisp_need_integer(root, found, "/proc/sys/vm/swappiness", &value))
        return;
    if (!swap)
        aisp_found_not_applicable(found, "there is no swap");
    else   /* 10: the page cache goes first unless memory is nearly full */
        aisp_found_judged(found, value <= 10, AISP_DIAGNOSIS_ATTENTION, "vm.swappiness = %lld", (long long)value);
}

AISP_ITEM(swappiness) = {
    .id = "system.swappiness",
    .title = "Reading data does not push processes into swap",
    .why = "Streaming a data set fills the page cache; at the default of 60 the kernel makes room for it by swapping "
           "idle parts of processes out.",
    .how = "/proc/sys/vm/swappiness, where there is swap",
    .fix = "sysctl -w vm.swappiness=1",
    .check = swappiness,
};

static void overcommit(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t mode;

    if (aisp_need_integer(root, found, "/proc/sys/vm/overcommit_memory", &mode))
        aisp_found_judged(found, mode != 2, AISP_DIAGNOSIS_ATTENTION, "vm.overcommit_memory = %lld", (long long)mode);
}

AISP_ITEM(overcommit) = {
    .id = "system.overcommit",
    .title = "Address space may be reserved without memory behind it",
    .why = "CUDA reserves address space for all GPUs and all host memory at start, and allocators reserve ahead; strict "
           "accounting (mode 2) refuses that although nothing is used.",
    .how = "/proc/sys/vm/overcommit_memory",
    .fix = "sysctl -w vm.overcommit_memory=0",
    .check = overcommit,
};

static void numa_balancing(const struct aisp_root *root, struct aisp_found *found)
{
    const int nodes = aisp_root_count_nodes(root);
    int64_t on;

    if (nodes == 1) {
        aisp_found_not_applicable(found, "one NUMA node");
        return;
    }
    if (aisp_need_integer(root, found, "/proc/sys/kernel/numa_balancing", &on))
        aisp_found_judged(found, on == 0, AISP_DIAGNOSIS_ATTENTION, "kernel.numa_balancing = %lld", (long long)on);
}

AISP_ITEM(numa_balancing) = {
    .id = "system.numa-balancing",
    .title = "The kernel does not move pages between nodes by itself",
    .why = "To learn who uses a page it unmaps it and waits for the fault, then may copy it; a process that is bound to "
           "its node pays for that and gains nothing.",
    .how = "/proc/sys/kernel/numa_balancing, with two nodes and more",
    .fix = "sysctl -w kernel.numa_balancing=0",
    .check = numa_balancing,
};

static void ksm(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t on;

    if (aisp_need_integer(root, found, "/sys/kernel/mm/ksm/run", &on))
        aisp_found_judged(found, on != 1, AISP_DIAGNOSIS_ATTENTION, "ksm/run = %lld", (long long)on);
}

AISP_ITEM(ksm) = {
    .id = "system.ksm",
    .title = "Equal pages are not merged in the background",
    .why = "Page merging scans memory on a CPU of its own and turns the next write to a merged page into a copy.",
    .how = "/sys/kernel/mm/ksm/run",
    .fix = "echo 2 > /sys/kernel/mm/ksm/run   # stop, and unmerge",
    .check = ksm,
};

static void zone_reclaim(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t mode;

    if (aisp_need_integer(root, found, "/proc/sys/vm/zone_reclaim_mode", &mode))
        aisp_found_judged(found, mode == 0, AISP_DIAGNOSIS_ATTENTION, "vm.zone_reclaim_mode = %lld", (long long)mode);
}

AISP_ITEM(zone_reclaim) = {
    .id = "system.zone-reclaim",
    .title = "A full NUMA node borrows before it throws caches away",
    .why = "With zone reclaim on, a node that is full of page cache stalls every allocation to free some, while the "
           "other node has free memory.",
    .how = "/proc/sys/vm/zone_reclaim_mode",
    .fix = "sysctl -w vm.zone_reclaim_mode=0",
    .check = zone_reclaim,
};

static void dirty_ratio(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t percent, bytes = 0;
    const int64_t memory = aisp_root_memory_bytes(root);
    double limit;

    if (!aisp_need_integer(root, found, "/proc/sys/vm/dirty_ratio", &percent))
        return;
    aisp_root_integer(root, &bytes, "/proc/sys/vm/dirty_bytes");
    if (memory < 0) {
        aisp_found_unreadable(found, "MemTotal of /proc/meminfo");
        return;
    }
    limit = bytes ? (double)bytes : (double)memory * (double)percent / 100;
    /* 16 GiB: eight seconds of a disk of 2 GB/s; who writes then is stopped for that long. */
    aisp_found_judged(found, limit <= 16 * GIB, AISP_DIAGNOSIS_ATTENTION, "up to %.1f GiB may wait to be written", limit / GIB);
}

AISP_ITEM(dirty_ratio) = {
    .id = "system.dirty-limit",
    .title = "Checkpoints do not pile up in memory before they are written",
    .why = "The limit is a share of memory: on a machine of 1 TiB, 20 % is 200 GiB, and when it is reached every writer "
           "is stopped until the disk has caught up.",
    .how = "/proc/sys/vm/dirty_ratio or dirty_bytes",
    .fix = "sysctl -w vm.dirty_background_bytes=1073741824\n"
           "sysctl -w vm.dirty_bytes=4294967296",
    .check = dirty_ratio,
};

static void map_count(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t most;

    /* 262144: what common data stores and allocators of virtual memory ask for; the default of 65530 is from 2004. */
    if (aisp_need_integer(root, found, "/proc/sys/vm/max_map_count", &most))
        aisp_found_judged(found, most >= 262144, AISP_DIAGNOSIS_ATTENTION, "vm.max_map_count = %lld", (long long)most);
}

AISP_ITEM(map_count) = {
    .id = "system.map-count",
    .title = "A process may have as many mappings as shards and segments need",
    .why = "Each mapped shard, pinned segment and guard page is a mapping; at the limit mmap fails with 'out of memory' "
           "while memory is free.",
    .how = "/proc/sys/vm/max_map_count",
    .fix = "sysctl -w vm.max_map_count=1048576",
    .check = map_count,
};

static void min_free(const struct aisp_root *root, struct aisp_found *found)
{
    const int64_t memory = aisp_root_memory_bytes(root);
    int64_t kib;

    if (!aisp_need_integer(root, found, "/proc/sys/vm/min_free_kbytes", &kib))
        return;
    if (memory < 0)
        aisp_found_unreadable(found, "MemTotal of /proc/meminfo");
    else if (memory < 64 * GIB)
        aisp_found_not_applicable(found, "%.0f GiB of memory: the default fits", (double)memory / GIB);
    else   /* 128 MiB: one burst of a 400 Gb/s card lasts 2.7 ms in it, about one wake-up of the reclaimer */
        aisp_found_judged(found, kib >= 128 * 1024, AISP_DIAGNOSIS_ATTENTION, "vm.min_free_kbytes = %lld", (long long)kib);
}

AISP_ITEM(min_free) = {
    .id = "system.min-free",
    .title = "A large host keeps a reserve for network bursts",
    .why = "Drivers take receive buffers in interrupts, where they cannot wait; if the reserve is empty packets are "
           "dropped until the reclaimer has run.",
    .how = "/proc/sys/vm/min_free_kbytes, from 64 GiB of memory",
    .fix = "sysctl -w vm.min_free_kbytes=1048576",
    .check = min_free,
};

static void available(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t total, free_kib;
    double share;

    if (!aisp_need_field(root, found, "/proc/meminfo", "MemTotal", &total) ||
        !aisp_need_field(root, found, "/proc/meminfo", "MemAvailable", &free_kib))
        return;
    share = total ? (double)free_kib / (double)total : 0;
    /* Below 10 % the reclaimer runs most of the time; below 3 % allocations wait for it. */
    aisp_found_judged(found, share >= 0.1, share < 0.03 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION,
                      "%.1f of %.1f GiB are available", (double)free_kib * 1024 / GIB, (double)total * 1024 / GIB);
}

AISP_ITEM(available) = {
    .id = "system.memory-available",
    .title = "Memory is left to work with",
    .why = "Near the end of memory every allocation first throws something else away, and huge pages are no longer found.",
    .how = "MemAvailable in /proc/meminfo",
    .fix = "ps -eo rss,pid,comm --sort=-rss | head",
    .check = available,
};

static void fragmentation(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/buddyinfo");
    double all = 0, huge = 0;

    if (!text) {
        aisp_found_unreadable(found, "/proc/buddyinfo");
        return;
    }
    for (char *line = strstr(text, "Normal"); line; line = strstr(line, "Normal")) {
        char *at = line + 6, *end;

        for (int order = 0; order < 16 && *at && *at != '\n'; order++, at = end) {
            const double pages = (double)strtoll(at, &end, 10) * (double)(1 << order);

            if (end == at)
                break;
            all += pages;
            huge += order >= 9 ? pages : 0;              /* 2 MiB of pages of 4 KiB */
        }
        line = at;
    }
    free(text);
    if (all <= 0)
        aisp_found_not_applicable(found, "no zone Normal in /proc/buddyinfo");
    else   /* a tenth of free memory: what is left then is soon gone to one large buffer */
        aisp_found_judged(found, huge >= 0.1 * all, AISP_DIAGNOSIS_ATTENTION, "%.0f %% of free memory is in blocks of 2 MiB",
                          100 * huge / all);
}

AISP_ITEM(fragmentation) = {
    .id = "system.fragmentation",
    .title = "Free memory is in pieces large enough for huge pages",
    .why = "After weeks of use free memory may lie in scattered small pages; huge pages then fail silently and only some "
           "runs, the early ones, get them.",
    .how = "orders 9 and up of zone Normal in /proc/buddyinfo",
    .fix = "echo 1 > /proc/sys/vm/compact_memory",
    .check = fragmentation,
};

static void nodes_allowed(const struct aisp_root *root, struct aisp_found *found)
{
    char *text = aisp_root_text(root, "/proc/self/status"), allowed[128], online[128];

    if (!aisp_text_field(text, "Mems_allowed_list", allowed, sizeof allowed))
        aisp_found_unreadable(found, "Mems_allowed_list of /proc/self/status");
    else if (aisp_need_line(root, found, "/sys/devices/system/node/online", online, sizeof online))
        aisp_found_judged(found, aisp_list_common(allowed, online) == aisp_list_count(online), AISP_DIAGNOSIS_ATTENTION,
                          "memory of nodes %s may be used, %s are online", allowed, online);
    free(text);
}

AISP_ITEM(nodes_allowed) = {
    .id = "system.memory-nodes",
    .title = "The process may use the memory of every NUMA node",
    .why = "A cpuset can bind memory to one node while the threads run on another: all of it is then remote, and full "
           "sooner.",
    .how = "Mems_allowed_list in /proc/self/status",
    .fix = "docker run --cpuset-mems=0-1 ...   # or no --cpuset-mems",
    .check = nodes_allowed,
};

static void zswap(const struct aisp_root *root, struct aisp_found *found)
{
    char on[8];
    int64_t swap;

    if (!aisp_need_field(root, found, "/proc/meminfo", "SwapTotal", &swap))
        return;
    if (!swap)
        aisp_found_not_applicable(found, "there is no swap");
    else if (aisp_need_line(root, found, "/sys/module/zswap/parameters/enabled", on, sizeof on))
        aisp_found_judged(found, *on == 'N' || *on == '0', AISP_DIAGNOSIS_ATTENTION, "zswap enabled: %s", on);
}

AISP_ITEM(zswap) = {
    .id = "system.zswap",
    .title = "Swapped pages are not compressed on the CPUs that work",
    .why = "zswap trades disk time for CPU time and cache in whatever thread happens to fault.",
    .how = "/sys/module/zswap/parameters/enabled, where there is swap",
    .fix = "echo 0 > /sys/module/zswap/parameters/enabled",
    .check = zswap,
};
