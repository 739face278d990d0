/* files.c - FILE tensors: files without a name on a disk, one for each call slot, that the judge writes and a worker can only read.
 * Before each window the page cache is brought into the state that the problem names, and the kernel is asked whether it is so.
 * Why a disk and not memory: what is read from a file in memory was never cold. The folder is $AISP_SCRATCH, else /var/tmp.
 * A page that a worker has mapped cannot be dropped by advice, but a write past the page cache takes it away from everybody. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/buf.h"
#include "core/base/err.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* Linux 6.5 */
#endif

struct cpu_file {
    int fd, direct_fd; /* the judge's; direct_fd -1: this file system has no way past the page cache */
    size_t disk_bytes; /* whole pages */
    enum aisp_pages pages;
};

static const char *scratch(void)
{
    const char *folder = getenv("AISP_SCRATCH");

    return folder && *folder ? folder : "/var/tmp";
}

static const char *file_system_name(int64_t type)
{
    static const struct {
        int64_t type;
        const char *name;
    } known[] = {
        { EXT4_SUPER_MAGIC, "ext4" },         { XFS_SUPER_MAGIC, "xfs" },     { BTRFS_SUPER_MAGIC, "btrfs" },
        { OVERLAYFS_SUPER_MAGIC, "overlay" }, { TMPFS_MAGIC, "tmpfs" },       { RAMFS_MAGIC, "ramfs" },
        { NFS_SUPER_MAGIC, "nfs" },           { F2FS_SUPER_MAGIC, "f2fs" },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type)
            return known[i].name;
    return "other";
}

static bool is_in_memory(int64_t type)
{
    return type == TMPFS_MAGIC || type == RAMFS_MAGIC;
}

/* ---- What the page cache holds ---- */

static int64_t resident_by_mincore(const struct cpu_file *f)
{
    const size_t n = f->disk_bytes / CPU_PAGE;
    void *map = mmap(NULL, f->disk_bytes, PROT_READ, MAP_SHARED, f->fd, 0);
    unsigned char *in = aisp_xmalloc(n);
    int64_t resident = -1;

    if (map != MAP_FAILED && !mincore(map, f->disk_bytes, in)) {
        resident = 0;
        for (size_t i = 0; i < n; i++)
            resident += in[i] & 1;
    }
    if (map != MAP_FAILED)
        munmap(map, f->disk_bytes);
    free(in);
    return resident;
}

/* Pages; -1: the kernel does not say. */
static int64_t resident_pages(const struct cpu_file *f)
{
    struct {
        uint64_t off, len;
    } range = { 0, f->disk_bytes };
    struct {
        uint64_t nr_cache, nr_dirty, nr_writeback, nr_evicted, nr_recently_evicted;
    } stat;

    if (!syscall(SYS_cachestat, f->fd, &range, &stat, 0))
        return (int64_t)stat.nr_cache;
    return resident_by_mincore(f);
}

static bool write_all(int fd, const char *from, size_t offset, size_t n)
{
    while (n > 0) {
        const ssize_t done = pwrite(fd, from + offset, n, (off_t)offset);

        if (done <= 0)
            return false;
        offset += (size_t)done;
        n -= (size_t)done;
    }
    return true;
}

static int64_t drop_pages(struct cpu_buffer *b)
{
    const struct cpu_file *f = b->file;
    int64_t left;

    if (f->direct_fd < 0) /* else all that was written is on the disk */
        fdatasync(f->fd);
    posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
    left = resident_pages(f);
    if (left <= 0 || f->direct_fd < 0 || !write_all(f->direct_fd, b->data, 0, f->disk_bytes))
        return left;
    return resident_pages(f);
}

static int64_t read_pages(const struct cpu_file *f)
{
    enum { PART = 1 << 20 };
    char *part = aisp_xmalloc(PART);

    for (size_t at = 0; at < f->disk_bytes; at += PART)
        if (pread(f->fd, part, PART, (off_t)at) < 0)
            break;
    free(part);
    return resident_pages(f);
}

static enum aisp_status make_ready(struct aisp_session *s, struct cpu_buffer *b, const char *name, struct aisp_err *err)
{
    const bool is_cold = b->file->pages == AISP_COLD;
    const int64_t n = (int64_t)(b->file->disk_bytes / CPU_PAGE), wanted = is_cold ? 0 : n;
    int64_t now = resident_pages(b->file);

    s->file_facts.n_looks++;
    s->file_facts.n_pages += n;
    if (now == wanted)
        return AISP_OK;
    s->file_facts.n_dropped += now > wanted ? now - wanted : wanted - now;
    now = is_cold ? drop_pages(b) : read_pages(b->file);
    if (now == wanted)
        return AISP_OK;
    if (now < 0)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "file %s: this kernel does not say what its page cache holds", name);
    return aisp_fail(err, AISP_E_UNAVAILABLE, "file %s in %s: it is to be %s, and %lld of its %lld pages are in the page cache",
                     name, scratch(), is_cold ? "cold" : "cached", (long long)now, (long long)n);
}

enum aisp_status cpu_files_ready(struct aisp_session *s, const struct aisp_order *order, struct aisp_err *err)
{
    const int64_t n_used = order->calls < order->n ? order->calls : order->n;
    bool is_seen[AISP_MAX_FILES] = { false };
    enum aisp_status st = AISP_OK;

    for (int64_t i = 0; i < n_used && s->n_files; i++) {
        const int slot = order->slot[i];

        if (is_seen[slot])
            continue;
        is_seen[slot] = true;
        for (int t = 0; t < s->inst.n_tensors; t++) {
            struct cpu_buffer *b = cpu_buffer_of(s, slot, t);

            if (b->file)
                AISP_TRY(make_ready(s, b, s->inst.problem->tensor[t].name, err));
        }
    }
out:
    return st;
}

/* ---- Contents ---- */

enum aisp_status cpu_file_write(struct cpu_buffer *b, size_t offset, size_t n, struct aisp_err *err)
{
    const struct cpu_file *f = b->file;
    const bool past_cache = f->pages == AISP_COLD && f->direct_fd >= 0;
    const size_t first = past_cache ? offset / CPU_PAGE * CPU_PAGE : offset;
    const size_t end = past_cache ? (offset + n + CPU_PAGE - 1) / CPU_PAGE * CPU_PAGE : offset + n;

    if (write_all(past_cache ? f->direct_fd : f->fd, b->data, first, end - first))
        return AISP_OK;
    return aisp_fail_errno(err, errno == ENOSPC ? AISP_E_NO_MEMORY : AISP_E_IO, "writing %zu bytes to a file in %s", n, scratch());
}

bool cpu_file_read(const struct cpu_buffer *b, char *to)
{
    size_t at = 0;
    ssize_t n = 1;

    while (at < b->bytes && n > 0) {
        n = pread(b->file->fd, to + at, b->bytes - at, (off_t)at);
        at += n > 0 ? (size_t)n : 0;
    }
    return at == b->bytes;
}

/* ---- Open and close ---- */

static int reopen(int fd, int flags)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, flags | O_CLOEXEC);
}

/* A file that has no name, or loses it at once where the file system has no such files. */
static int open_nameless(void)
{
    char *path = aisp_format("%s/aisp-file-XXXXXX", scratch());
    int fd = open(scratch(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0400);

    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            unlink(path);
    }
    free(path);
    return fd;
}

static enum aisp_status open_file(struct aisp_session *s, int slot, int tensor, struct aisp_err *err)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    struct aisp_file *note = (struct aisp_file *)b->data;
    struct cpu_file *f = b->file = aisp_xmalloc(sizeof *f);
    const size_t bytes = s->inst.extent[tensor].bytes;
    struct statfs where;
    int error;

    *f = (struct cpu_file){ .fd = open_nameless(), .direct_fd = -1, .pages = t->pages };
    f->disk_bytes = (bytes + CPU_PAGE - 1) / CPU_PAGE * CPU_PAGE;
    b->map = b->data = aligned_alloc(CPU_PAGE, f->disk_bytes);
    b->bytes = bytes;
    b->back_bytes = 0;
    if (!b->data)
        return aisp_fail(err, AISP_E_NO_MEMORY, "no memory for the judge's copy of file %s", t->name);
    memset(b->data, 0, f->disk_bytes);
    if (f->fd < 0 || fstatfs(f->fd, &where))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "%s: no file can be made there (set AISP_SCRATCH to a folder on a disk)", scratch());
    if (t->pages == AISP_COLD && is_in_memory(where.f_type))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%s is a %s: a file there is never cold (set AISP_SCRATCH to a folder on a disk)",
                         scratch(), file_system_name(where.f_type));
    error = posix_fallocate(f->fd, 0, (off_t)f->disk_bytes);
    if (error)
        return aisp_fail(err, AISP_E_NO_MEMORY, "%s: no room for %.1f MiB: %s", scratch(), (double)f->disk_bytes / (1 << 20),
                         strerror(error));
    f->direct_fd = reopen(f->fd, O_WRONLY | O_DIRECT);
    for (int side = 0; side < s->n_workers; side++) {
        s->file_fd[side][s->n_files] = reopen(f->fd, O_RDONLY);
        if (s->file_fd[side][s->n_files] < 0)
            return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/proc/self/fd: a file cannot be opened again");
    }
    *note = (struct aisp_file){ .bytes = (int64_t)bytes, .fd = AISP_FD_FILES + s->n_files++ };
    snprintf(s->file_facts.file_system, sizeof s->file_facts.file_system, "%s", file_system_name(where.f_type));
    return AISP_OK;
}

enum aisp_status cpu_files_open(struct aisp_session *s, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    memset(s->file_fd, -1, sizeof s->file_fd);
    for (int slot = 0; slot < s->n_slots; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++)
            if (s->inst.problem->tensor[t].role == AISP_FILE)
                AISP_TRY(open_file(s, slot, t, err));
out:
    return st;
}

void cpu_files_close(struct aisp_session *s)
{
    for (int i = 0; s->buffer && i < s->n_slots * s->inst.n_tensors; i++) {
        struct cpu_buffer *b = &s->buffer[i];

        if (!b->file)
            continue;
        if (b->file->fd >= 0)
            close(b->file->fd);
        if (b->file->direct_fd >= 0)
            close(b->file->direct_fd);
        free(b->file);
        free(b->data);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < s->n_files; i++)
            if (s->file_fd[side][i] >= 0)
                close(s->file_fd[side][i]);
}

void cpu_files(struct aisp_session *s, struct aisp_file_facts *facts)
{
    bool is_cold = false, is_cached = false;

    for (int t = 0; t < s->inst.n_tensors; t++)
        if (s->inst.problem->tensor[t].role == AISP_FILE) {
            is_cold |= s->inst.problem->tensor[t].pages == AISP_COLD;
            is_cached |= s->inst.problem->tensor[t].pages == AISP_CACHED;
        }
    if (!is_cold && !is_cached)
        return;
    strcpy(facts->pages, !is_cached ? "cold" : !is_cold ? "cached" : "both");
    memcpy(facts->file_system, s->file_facts.file_system, sizeof facts->file_system);
    facts->n_looks += s->file_facts.n_looks;
    facts->n_pages += s->file_facts.n_pages;
    facts->n_dropped += s->file_facts.n_dropped;
}
