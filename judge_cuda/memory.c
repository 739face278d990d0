/* memory.c - buffers that other processes map: made with the virtual memory calls, exported as
 * descriptors. The handle of an allocation is given up as soon as it is mapped and exported; the
 * memory lives as long as a mapping or a descriptor of it does. Data begin as zeros, so that no
 * answer of an earlier session is found there. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge_cuda/program.h"

bool judge_tiles(struct judge *j, const struct judge_tile *tile, cu_pointer base, uint64_t from,
                 uint64_t to)
{
    void *arguments[] = { (void *)tile, &base, &from, &to };

    return judge_launch(j, KERNEL_TILE, to > from ? (int64_t)((to - from) / 16 + 2) : 0, arguments);
}

static bool map(struct judge *j, const struct cuda_place *place, cu_allocation made, cu_pointer *at)
{
    const struct cu_access access = { { CU_ON_DEVICE, j->device }, CU_READ_WRITE };
    const size_t bytes = place->map_bytes;

    if (judge_failed(j, "cuMemAddressReserve", j->cu.address_reserve(at, bytes, 0, 0, 0)))
        return false;
    if (judge_failed(j, "cuMemMap", j->cu.memory_map(*at, bytes, 0, made, 0))) {
        j->cu.address_free(*at, bytes);
        return false;
    }
    if (judge_failed(j, "cuMemSetAccess", j->cu.memory_access(*at, bytes, &access, 1))) {
        j->cu.memory_unmap(*at, bytes);
        j->cu.address_free(*at, bytes);
        return false;
    }
    return true;
}

static struct judge_buffer *next_buffer(struct judge *j, int index)
{
    struct judge_buffer *grown;

    if (index != j->n_buffers) {
        judge_refuse(j, AISP_E_DEVICE, "buffer %d where buffer %d is next", index, j->n_buffers);
        return NULL;
    }
    grown = realloc(j->buffer, ((size_t)index + 1) * sizeof *grown);
    if (!grown) {
        judge_refuse(j, AISP_E_NO_MEMORY, "memory for %d buffers", index);
        return NULL;
    }
    j->buffer = grown;
    j->n_buffers++;
    grown[index] = (struct judge_buffer){ 0 };
    return &grown[index];
}

bool judge_allocate(struct judge *j, int index, const struct cuda_place *place, int *fd)
{
    const struct cu_allocation_prop prop = { .type = 1,
                                             .handle_types = CU_FD,
                                             .place = { CU_ON_DEVICE, j->device } };
    const uint64_t end = place->data_offset + place->bytes;
    struct judge_buffer *b = next_buffer(j, index);
    cu_allocation made;
    bool ok;

    if (!b)
        return false;
    if (place->data_offset > place->map_bytes || end < place->bytes || end > place->map_bytes) {
        judge_refuse(j, AISP_E_DEVICE, "data of buffer %d lie outside of it", index);
        return false;
    }
    if (judge_failed(j, "cuMemCreate", j->cu.memory_create(&made, place->map_bytes, &prop, 0)))
        return false;
    ok = map(j, place, made, &b->map);
    if (ok) {
        b->place = *place;
        *fd = -1;
        ok = !judge_failed(j, "cuMemExportToShareableHandle",
                           j->cu.memory_export(fd, made, CU_FD, 0));
    } else {
        b->map = 0;
    }
    j->cu.memory_release(made);
    return ok &&
           (!place->bytes || !judge_failed(j, "cuMemsetD8Async",
                                           j->cu.set_bytes(b->map + place->data_offset, 0,
                                                           place->bytes, j->stream))) &&
           judge_tiles(j, &j->canary, b->map, 0, place->data_offset) &&
           judge_tiles(j, &j->canary, b->map, end, place->map_bytes);
}

void judge_release(struct judge *j)
{
    judge_wait(j);
    for (int i = 0; i < j->n_buffers; i++) {
        struct judge_buffer *b = &j->buffer[i];

        if (b->map &&
            !judge_failed(j, "cuMemUnmap", j->cu.memory_unmap(b->map, b->place.map_bytes)))
            judge_failed(j, "cuMemAddressFree", j->cu.address_free(b->map, b->place.map_bytes));
    }
    free(j->buffer);
    j->buffer = NULL;
    j->n_buffers = 0;
    if (j->rows)
        j->cu.release(j->rows);
    j->rows = 0;
    j->rows_bytes = 0;
}

/* It stays as large as it was ever asked for. */
bool judge_make_swept(struct judge *j, size_t bytes)
{
    if (bytes <= j->swept_bytes)
        return true;
    if (j->swept)
        j->cu.release(j->swept);
    j->swept = 0;
    j->swept_bytes = 0;
    if (judge_failed(j, "cuMemAlloc", j->cu.allocate(&j->swept, bytes)) ||
        judge_failed(j, "cuMemsetD8Async", j->cu.set_bytes(j->swept, 0, bytes, j->stream)))
        return false;
    j->swept_bytes = bytes;
    return true;
}

bool judge_make_room(struct judge *j, size_t bytes)
{
    if (bytes <= j->rows_bytes)
        return true;
    if (j->rows)
        j->cu.release(j->rows);
    j->rows = 0;
    j->rows_bytes = 0;
    if (judge_failed(j, "cuMemAlloc", j->cu.allocate(&j->rows, bytes)))
        return false;
    j->rows_bytes = bytes;
    return true;
}
