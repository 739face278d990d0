/* system_kernel.c - operating system: the kernel itself, storage and the file systems that data comes from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "doctor/item.h"

static void kernel_age(const struct aisp_root *root, struct aisp_found *found)
{
    char release[96];
    int major = 0, minor = 0;

    if (!aisp_need_line(root, found, "/proc/sys/kernel/osrelease", release, sizeof release))
        return;
    if (sscanf(release, "%d.%d", &major, &minor) != 2)
        aisp_found_unreadable(found, "a version in '%s'", release);
    else   /* 5.13 is the first with Landlock, 5.3 with pidfd_open, 5.1 with F_SEAL_FUTURE_WRITE: workers are caged by them */
        aisp_found_judged(found, major * 100 + minor >= 513,
                          major * 100 + minor < 501 ? AISP_DIAGNOSIS_PROBLEM : AISP_DIAGNOSIS_ATTENTION, "Linux %s", release);
}

AISP_ITEM(kernel_age) = {
    .id = "system.kernel-age",
    .title = "The kernel is new enough to confine what is measured",
    .why = "Workers are kept from each other's memory by sealed memory files (Linux 5.1), pidfds (5.3) and Landlock "
           "(5.13); without them results are graded development.",
    .how = "/proc/sys/kernel/osrelease",
    .fix = "apt-get install linux-image-amd64   # and reboot",
    .check = kernel_age,
};

static void kernel_flavour(const struct aisp_root *root, struct aisp_found *found)
{
    char version[256];

    if (!aisp_need_line(root, found, "/proc/version", version, sizeof version))
        return;
    if (!strstr(version, "version"))
        aisp_found_unreadable(found, "a version in /proc/version");
    else if (aisp_root_exists(root, "/proc/lockdep_stats") || strstr(version, "debug"))
        aisp_found_problem(found, "a debugging kernel: %.150s", version);
    else
        aisp_found_judged(found, !strstr(version, "PREEMPT_RT"), AISP_DIAGNOSIS_ATTENTION, "%s",
                          strstr(version, "PREEMPT_RT") ? "a real-time kernel" : "an ordinary kernel");
}

AISP_ITEM(kernel_flavour) = {
    .id = "system.kernel-flavour",
    .title = "The kernel is built for throughput",
    .why = "Lock debugging multiplies the cost of system calls; a real-time kernel makes locks sleep and interrupts "
           "threads, good for deadlines and bad for rates.",
    .how = "/proc/version, /proc/lockdep_stats",
    .fix = "# boot the distribution's ordinary kernel",
    .check = kernel_flavour,
};

static void tainted(const struct aisp_root *root, struct aisp_found *found)
{
    /* Bits of Documentation/admin-guide/tainted-kernels: 4 machine check, 5 bad page, 7 oops, 9 warning, 14 soft lockup.
     * Proprietary and out-of-tree modules (0, 12, 13) are what GPUs come with. */
    static const struct { int bit; const char *what; } traces[] = {
        { 4, "machine check" }, { 5, "bad page" }, { 7, "oops" }, { 9, "warning" }, { 14, "soft lockup" },
    };
    char text[96] = "";
    size_t used = 0;
    int64_t bits;

    if (!aisp_need_integer(root, found, "/proc/sys/kernel/tainted", &bits))
        return;
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
        if (bits >> traces[i].bit & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", traces[i].what);
    aisp_found_judged(found, !used, (bits & (1 << 9)) == bits ? AISP_DIAGNOSIS_ATTENTION : AISP_DIAGNOSIS_PROBLEM,
                      used ? "since boot: %s" : "nothing went wrong since boot%s", text);
}

AISP_ITEM(tainted) = {
    .id = "system.kernel-incidents",
    .title = "The kernel has met no error since it was booted",
    .why = "After an oops or a machine check the system goes on with a lock held or a CPU slowed, and all later figures "
           "are those of a damaged machine.",
    .how = "/proc/sys/kernel/tainted",
    .fix = "dmesg --level=emerg,alert,crit,err,warn   # then reboot",
    .check = tainted,
};

static void io_uring(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t mode;

    if (aisp_need_integer(root, found, "/proc/sys/kernel/io_uring_disabled", &mode))
        aisp_found_judged(found, mode == 0, AISP_DIAGNOSIS_ATTENTION, "kernel.io_uring_disabled = %lld", (long long)mode);
}

AISP_ITEM(io_uring) = {
    .id = "system.io-uring",
    .title = "io_uring is allowed",
    .why = "Loaders and stores that queue many reads at once fall back to threads or to one read at a time without it.",
    .how = "/proc/sys/kernel/io_uring_disabled",
    .fix = "sysctl -w kernel.io_uring_disabled=0",
    .check = io_uring,
};

static void aio(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t used, most;

    if (aisp_need_integer(root, found, "/proc/sys/fs/aio-nr", &used) &&
        aisp_need_integer(root, found, "/proc/sys/fs/aio-max-nr", &most))
        /* 262144: 64 contexts (8 ranks x 8 threads) of 4096 requests; the default allows a quarter of that */
        aisp_found_judged(found, most >= 262144, AISP_DIAGNOSIS_ATTENTION, "%lld of %lld requests in use", (long long)used,
                          (long long)most);
}

AISP_ITEM(aio) = {
    .id = "system.aio",
    .title = "Enough asynchronous reads may be queued",
    .why = "Offloading to NVMe queues thousands of reads and writes for each rank; past the limit setting up the queue "
           "fails.",
    .how = "/proc/sys/fs/aio-max-nr",
    .fix = "sysctl -w fs.aio-max-nr=1048576",
    .check = aio,
};

static void entropy(const struct aisp_root *root, struct aisp_found *found)
{
    int64_t bits;

    /* 128 bits: what getrandom wants before it answers; kernels since 5.18 report 256 once they are seeded. */
    if (aisp_need_integer(root, found, "/proc/sys/kernel/random/entropy_avail", &bits))
        aisp_found_judged(found, bits >= 128, AISP_DIAGNOSIS_ATTENTION, "%lld bits", (long long)bits);
}

AISP_ITEM(entropy) = {
    .id = "system.entropy",
    .title = "Random numbers do not block",
    .why = "A young virtual machine without a random device stalls whoever opens a TLS connection or draws a secret.",
    .how = "/proc/sys/kernel/random/entropy_avail",
    .fix = "# give the guest a virtio-rng device",
    .check = entropy,
};

/* ---- disks ---- */

/* Real disks: those that are a device of their own, and not loops, RAM disks or optical drives. */
static bool list_disks(const struct aisp_root *root, struct aisp_found *found, struct aisp_root_names *disks)
{
    size_t kept = 0;

    if (!aisp_root_list(root, disks, "", "/sys/block")) {
        aisp_found_unreadable(found, "/sys/block");
        return false;
    }
    for (size_t i = 0; i < disks->n; i++) {
        const char *name = disks->name[i];

        if (aisp_root_exists(root, "/sys/block/%s/device", name) && strncmp(name, "sr", 2))
            disks->name[kept++] = disks->name[i];
        else
            free(disks->name[i]);
    }
    disks->n = kept;
    if (!kept)
        aisp_found_not_applicable(found, "there is no disk");
    return kept > 0;
}

static void scheduler(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names disks;
    char file[128], chosen[32], bad[64] = "";
    int n = 0;

    if (list_disks(root, found, &disks)) {
        for (size_t i = 0; i < disks.n; i++) {
            int64_t rotates = 0;

            aisp_root_integer(root, &rotates, "/sys/block/%s/queue/rotational", disks.name[i]);
            snprintf(file, sizeof file, "/sys/block/%.64s/queue/scheduler", disks.name[i]);
            if (!rotates && aisp_root_chosen(root, chosen, sizeof chosen, file)) {
                n++;
                if (strcmp(chosen, "none") && !*bad)
                    snprintf(bad, sizeof bad, "%.24s uses %.24s", disks.name[i], chosen);
            }
        }
        if (n)
            aisp_found_judged(found, !*bad, AISP_DIAGNOSIS_ATTENTION, "%s", *bad ? bad : "none on every solid-state disk");
        else
            aisp_found_not_applicable(found, "there is no solid-state disk");
    }
    aisp_names_release(&disks);
}

AISP_ITEM(scheduler) = {
    .id = "system.io-scheduler",
    .title = "Requests to fast disks are not sorted first",
    .why = "An NVMe disk orders its queue itself; sorting in the kernel adds a lock and microseconds to each of a "
           "million requests a second.",
    .how = "queue/scheduler of disks that do not rotate",
    .fix = "echo none > /sys/block/nvme0n1/queue/scheduler",
    .check = scheduler,
};

static void readahead(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names disks;
    int64_t least = INT64_MAX, kib;

    if (list_disks(root, found, &disks)) {
        for (size_t i = 0; i < disks.n; i++)
            if (aisp_root_integer(root, &kib, "/sys/block/%s/queue/read_ahead_kb", disks.name[i]) && kib < least)
                least = kib;
        if (least == INT64_MAX)
            aisp_found_unreadable(found, "/sys/block/*/queue/read_ahead_kb");
        else   /* 512 KiB: at 100 us a request and 5 GB/s, so much is on its way at a time */
            aisp_found_judged(found, least >= 512, AISP_DIAGNOSIS_ATTENTION, "from %lld KiB", (long long)least);
    }
    aisp_names_release(&disks);
}

AISP_ITEM(readahead) = {
    .id = "system.readahead",
    .title = "Sequential reads are read far enough ahead",
    .why = "Loading weights and shards reads large files in order; with 128 KiB ahead a fast disk idles between "
           "requests, and the load takes a multiple of what the disk could do.",
    .how = "queue/read_ahead_kb of every disk",
    .fix = "blockdev --setra 8192 /dev/nvme0n1   # sectors: 4 MiB",
    .check = readahead,
};

static void rotational(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names disks;
    int64_t rotates;
    int n = 0, seen = 0;
    char first[32] = "";

    if (list_disks(root, found, &disks)) {
        for (size_t i = 0; i < disks.n; i++)
            if (aisp_root_integer(root, &rotates, "/sys/block/%s/queue/rotational", disks.name[i])) {
                seen++;
                if (rotates && !n++)
                    snprintf(first, sizeof first, "%.31s", disks.name[i]);
            }
        if (!seen)
            aisp_found_unreadable(found, "/sys/block/*/queue/rotational");
        else
            aisp_found_judged(found, !n, AISP_DIAGNOSIS_ATTENTION, "%d of %d disks rotate%s%s", n, seen, n ? ": " : "", first);
    }
    aisp_names_release(&disks);
}

AISP_ITEM(rotational) = {
    .id = "system.rotational",
    .title = "Data does not come from a rotating disk",
    .why = "Shuffled reads cost it a seek of 5 to 10 ms each: a hundred samples a second, whatever the GPU could do. "
           "Virtual disks may claim to rotate, and are then read with the wrong settings.",
    .how = "queue/rotational of every disk",
    .fix = "echo 0 > /sys/block/vda/queue/rotational   # if it is not true",
    .check = rotational,
};

/* ---- file systems ---- */

/* Mounts of real disks (device /dev/...) that may be written and have `bad` among their options, or lack all of `good`. */
static void judge_mounts(const struct aisp_root *root, struct aisp_found *found, const char *bad, const char *good,
                         enum aisp_diagnosis verdict)
{
    char *text = aisp_root_text(root, "/proc/self/mounts");
    struct aisp_buf at = AISP_BUF_INIT;
    int n = 0;

    if (!text)
        text = aisp_root_text(root, "/proc/mounts");
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        struct aisp_mount m;
        bool is_bad;

        if (sscanf(line, "%127s %255s %31s %511s", m.device, m.at, m.type, m.options) != 4 || strncmp(m.device, "/dev/", 5) ||
            !aisp_text_has_word(m.options, "rw"))
            continue;
        n++;
        is_bad = bad ? aisp_text_has_word(m.options, bad)
                     : !aisp_text_has_word(m.options, good) && !aisp_text_has_word(m.options, "noatime");
        if (is_bad && at.len < 100)
            aisp_buf_printf(&at, "%s%s", at.len ? ", " : "", m.at);
    }
    if (!text)
        aisp_found_unreadable(found, "/proc/mounts");
    else if (!n)
        aisp_found_not_applicable(found, "no file system of a disk can be written");
    else
        aisp_found_judged(found, !at.len, verdict, "%s%s", at.len ? "mounted so: " : "no file system is mounted so",
                          at.len ? at.s : "");
    aisp_buf_release(&at);
    free(text);
}

static void atime(const struct aisp_root *root, struct aisp_found *found)
{
    judge_mounts(root, found, NULL, "relatime", AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(atime) = {
    .id = "system.atime",
    .title = "Reading a file does not write its time of reading",
    .why = "Without relatime or noatime each read of each small sample makes an inode dirty that has to be written back.",
    .how = "options of writable mounts in /proc/mounts",
    .fix = "mount -o remount,noatime MOUNT",
    .check = atime,
};

static void sync_mounts(const struct aisp_root *root, struct aisp_found *found)
{
    judge_mounts(root, found, "sync", NULL, AISP_DIAGNOSIS_PROBLEM);
}

AISP_ITEM(sync_mounts) = {
    .id = "system.sync-mounts",
    .title = "No file system writes synchronously",
    .why = "Under the option sync every write waits for the disk; checkpoints and logs become a hundred times slower.",
    .how = "option sync in /proc/mounts",
    .fix = "mount -o remount,async MOUNT",
    .check = sync_mounts,
};

static void discard(const struct aisp_root *root, struct aisp_found *found)
{
    judge_mounts(root, found, "discard", NULL, AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(discard) = {
    .id = "system.discard",
    .title = "Deleted blocks are trimmed in batches",
    .why = "With the option discard each deletion sends trim commands at once, which stall reads on many disks; removing "
           "an old checkpoint then slows the loader.",
    .how = "option discard in /proc/mounts",
    .fix = "systemctl enable --now fstrim.timer   # and mount without discard",
    .check = discard,
};

static void data_journal(const struct aisp_root *root, struct aisp_found *found)
{
    judge_mounts(root, found, "data=journal", NULL, AISP_DIAGNOSIS_ATTENTION);
}

AISP_ITEM(data_journal) = {
    .id = "system.data-journal",
    .title = "File contents are written once, not through the journal",
    .why = "data=journal writes every byte twice and disables delayed allocation and O_DIRECT: checkpoints take twice as "
           "long.",
    .how = "option data=journal in /proc/mounts",
    .fix = "tune2fs -o ^journal_data DEVICE   # then mount again",
    .check = data_journal,
};

static void work_folder(const struct aisp_root *root, struct aisp_found *found)
{
    static const char *const remote[] = { "nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.s3fs", "fuse.gcsfuse",
                                          "virtiofs" };
    struct aisp_mount mount;
    const char *folder;
    bool is_remote = false;

    if (!aisp_need_environment(root, found))
        return;
    folder = aisp_root_variable(root, "PWD");
    if (!folder)
        aisp_found_unreadable(found, "PWD: the variable is not set");
    else if (!aisp_root_mount(root, folder, &mount))
        aisp_found_unreadable(found, "the mount of %.100s in /proc/mounts", folder);
    else {
        for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
            is_remote |= !strcmp(mount.type, remote[i]);
        aisp_found_judged(found, !is_remote, AISP_DIAGNOSIS_ATTENTION, "%.120s is on %s", folder, mount.type);
    }
}

AISP_ITEM(work_folder) = {
    .id = "system.work-folder",
    .title = "The working folder is on a local file system",
    .why = "On a network file system the locks of the record store are unreliable, builds and small files take a round "
           "trip each, and its load is everybody's.",
    .how = "mount of $PWD in /proc/mounts",
    .fix = "aisp bench run --artifacts-dir /local/disk/artifacts ...",
    .check = work_folder,
};
