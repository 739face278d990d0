/* map.c - map what the spec names, at its addresses, and touch it all: no page fault is left for
 * a window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker/worker.h"

static void *map_at(uint64_t address, uint64_t bytes, int protection, int flags, int fd,
                    uint64_t offset)
{
    void *p = mmap((void *)address, bytes, protection, flags | MAP_FIXED_NOREPLACE | MAP_POPULATE,
                   fd, (off_t)offset);

    return p == MAP_FAILED || (uint64_t)p != address ? NULL : p;
}

static void touch(void *p, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += 4096)
        ((volatile char *)p)[i] = 0;
}

static bool map_huge(const struct aisp_area *a)
{
    void *p = mmap((void *)a->map_address, a->map_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if (p == MAP_FAILED)
        return false;
    if (madvise(p, a->map_bytes, MADV_HUGEPAGE))
        dprintf(STDERR_FILENO, "(this host gives no huge pages) ");
    touch(p, a->map_bytes);
    return true;
}

static bool map_area(const struct aisp_spec *spec, const struct aisp_area *a)
{
    const int inputs = spec->flags & AISP_SPEC_WRITABLE_INPUTS ? PROT_READ | PROT_WRITE : PROT_READ;

    if (!a->map_bytes || a->kind == AISP_AREA_FAR) /* those come with the device */
        return true;
    if (a->kind == AISP_AREA_HUGE)
        return map_huge(a);
    if (a->kind == AISP_AREA_OUTPUT)
        return map_at(a->map_address, a->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, AISP_FD_OUT,
                      a->file_offset);
    return map_at(a->map_address, a->map_bytes, inputs, MAP_SHARED, AISP_FD_IN, a->file_offset);
}

static bool map_pages(struct worker *w, uint64_t offset)
{
    struct aisp_spec head;
    const uint64_t page = 4095;

    if (pread(AISP_FD_IN, &head, sizeof head, (off_t)offset) != (ssize_t)sizeof head ||
        head.version != AISP_CHANNEL_VERSION)
        return false;
    w->spec =
        map_at(head.spec_address, head.total_bytes, PROT_READ, MAP_SHARED, AISP_FD_IN, offset);
    w->down = map_at(head.down_address, (sizeof *w->down + page) & ~page, PROT_READ, MAP_SHARED,
                     AISP_FD_IN, head.down_offset);
    w->up = map_at(head.up_address, (sizeof *w->up + page) & ~page, PROT_READ | PROT_WRITE,
                   MAP_SHARED, AISP_FD_UP, 0);
    return w->spec && w->down && w->up;
}

/* What it shares with the other ranks of its side. */
static bool map_meeting(struct worker *w)
{
    const struct aisp_spec *spec = w->spec;

    for (int r = 0; r < AISP_MAX_RANKS; r++)
        w->wire[r] =
            spec->has_wires && r < spec->n_ranks && r != spec->rank ? AISP_FD_WIRES + r : -1;
    if (!spec->meet_bytes)
        return true;
    w->meet = map_at(spec->meet_address, spec->meet_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                     AISP_FD_MEET, 0);
    return w->meet != NULL;
}

bool worker_map(struct worker *w, uint64_t offset)
{
    int n, n_tensors, n_weights = 0;

    if (!map_pages(w, offset))
        return false;
    w->area = (const void *)((const char *)w->spec + w->spec->area_at);
    n = w->spec->n_slots * w->spec->n_tensors;
    n_tensors = w->spec->n_tensors;
    w->slot = calloc((size_t)w->spec->n_slots, sizeof *w->slot);
    w->weight = calloc((size_t)n_tensors + 1, sizeof *w->weight);
    w->slot[0] = calloc((size_t)n, sizeof **w->slot);
    for (int i = 0; i < n; i++) {
        if (!map_area(w->spec, &w->area[i])) {
            strcpy(w->up->text, "its buffers could not be mapped");
            return false;
        }
        w->slot[i / n_tensors] = w->slot[0] + i / n_tensors * n_tensors;
        w->slot[0][i] = (void *)w->area[i].data_address;
    }
    for (int t = 0; t < n_tensors; t++)
        if (w->spec->role[t] == AISP_WEIGHT)
            w->weight[n_weights++] = w->slot[0][t];
    if (!map_meeting(w)) {
        strcpy(w->up->text, "its rendezvous could not be mapped");
        return false;
    }
    return true;
}

/* At the address that the spec names. Where nothing is timed its end is that of its pages, but for the 64 bytes that it is
 * aligned to: nothing lies behind, and an overrun does not pass for right. Where it is timed it begins with a page, as it always
 * did: where a scratch lies in its page shows in times. */
static void *map_workspace(const struct aisp_spec *spec, size_t bytes)
{
    const size_t page = 4096, room = (page - bytes % page) % page, before = spec->flags & AISP_SPEC_SNUG ? room & ~(size_t)63 : 0;
    char *p = mmap((void *)spec->workspace_address, before + bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
    /* For the translations: copies in scratch are read again and again. Where the host gives
     * no huge pages, small ones serve. */
    madvise(p, before + bytes, MADV_HUGEPAGE);
    touch(p, before + bytes);
    return p + before;
}

bool worker_make_calls(struct worker *w)
{
    const struct aisp_spec *spec = w->spec;
    const size_t bytes = w->variant->workspace_bytes ? w->variant->workspace_bytes(spec->param) : 0;

    if (bytes)
        w->workspace = w->device ? worker_device_allocate(w, bytes) : map_workspace(spec, bytes);
    if (bytes && !w->workspace)
        return false;
    w->call = aligned_alloc(64, ((size_t)spec->n_slots * sizeof *w->call + 63) & ~(size_t)63);
    if (!w->call)
        return false;
    for (int s = 0; s < spec->n_slots; s++)
        w->call[s] = (struct aisp_call){
            .tensor = w->slot[s],
            .param = spec->param,
            .state = w->state,
            .workspace = w->workspace,
            .stream = worker_device_stream(w),
            .slot = s,
            .n_threads = spec->n_threads,
            .rank = spec->rank,
            .n_ranks = spec->n_ranks,
            .rendezvous = w->meet,
            .rendezvous_bytes = spec->meet_bytes,
            .wire = spec->has_wires ? w->wire : NULL,
        };
    return true;
}

/* Bring every line of every slot into this core's cache: inputs to be read, outputs owned. */
void worker_prime(const struct worker *w)
{
    const int n = w->spec->n_slots * w->spec->n_tensors;

    for (int i = 0; i < n; i++) {
        const struct aisp_area *a = &w->area[i];

        if (!a->map_bytes)
            continue;
        for (uint64_t at = a->data_address & ~63ull; at < a->data_address + a->data_bytes;
             at += 64) {
            volatile uint64_t *line = (volatile uint64_t *)at;
            const uint64_t seen = *line;

            if (a->is_output)
                *line = seen;
        }
    }
}
