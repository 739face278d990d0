/* memory.c - device memory that is host memory. As strict as the real driver about sizes, handles and
 * order, so that code which works here does not stumble there. */
#include "fake_cuda.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4096 };

struct allocation {
    int fd, n_users;          /* the handle and the mappings; 0: a free place */
    bool is_held, is_counted; /* a handle is out | it was made here, not imported */
    size_t bytes;
};
/* [at, at + bytes) of one of the lists below. */
struct range {
    cu_pointer at;
    size_t bytes;            /* 0: a free place */
    struct allocation *from; /* of a mapping */
    int access;              /* of the device: 0, CU_READ or CU_READ_WRITE */
};

static struct allocation allocation[MOST];
static struct range reserved[MOST], mapped[MOST], whole[MOST], pinned[MOST], registered[MOST];
static size_t used;
static struct cu_pool_s {
    uint64_t bytes;
} default_pool; /* one for all devices */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *address(cu_pointer at)
{
    return (void *)(uintptr_t)at;
}

static struct range *find_range(struct range *list, cu_pointer at, size_t bytes)
{
    for (int i = 0; i < MOST; i++)
        if (list[i].bytes && list[i].at == at && (!bytes || list[i].bytes == bytes))
            return &list[i];
    return NULL;
}

static struct range *free_range(struct range *list)
{
    for (int i = 0; i < MOST; i++)
        if (!list[i].bytes)
            return &list[i];
    return NULL;
}

/* The one range of the list that holds all of [at, at + bytes). */
static const struct range *range_around(const struct range *list, cu_pointer at, size_t bytes)
{
    for (int i = 0; i < MOST; i++)
        if (list[i].bytes && at >= list[i].at && at - list[i].at <= list[i].bytes &&
            bytes <= list[i].bytes - (at - list[i].at))
            return &list[i];
    return NULL;
}

static bool overlaps(const struct range *list, cu_pointer at, size_t bytes)
{
    for (int i = 0; i < MOST; i++)
        if (list[i].bytes && list[i].at < at + bytes && at < list[i].at + list[i].bytes)
            return true;
    return false;
}

bool fake_memory_holds(cu_pointer at, size_t bytes, bool is_written)
{
    static const struct range *const list[] = { mapped, whole, pinned, registered };
    bool holds = true;

    pthread_mutex_lock(&lock);
    while (bytes && holds) {
        const struct range *r = NULL;
        size_t n = 0;

        for (size_t i = 0; !r && i < sizeof list / sizeof *list; i++)
            r = range_around(list[i], at, 1);
        holds = r && (is_written ? r->access == CU_READ_WRITE : r->access != 0);
        if (r)
            n = r->at + r->bytes - at;
        n = n < bytes ? n : bytes;
        at += n;
        bytes -= n;
    }
    pthread_mutex_unlock(&lock);
    return holds;
}

static struct allocation *find_allocation(cu_allocation handle)
{
    struct allocation *a = address(handle);

    return a >= allocation && a < allocation + MOST && a->is_held ? a : NULL;
}

static void drop_allocation(struct allocation *a)
{
    if (--a->n_users == 0 && a->is_counted)
        used -= a->bytes;
}

/* Takes fd. */
static int keep_allocation(cu_allocation *made, int fd, size_t bytes, bool is_counted)
{
    for (int i = 0; i < MOST; i++)
        if (!allocation[i].n_users) {
            allocation[i] = (struct allocation){ fd, 1, true, is_counted, bytes };
            *made = (uintptr_t)&allocation[i];
            return CU_OK;
        }
    close(fd);
    return CU_OUT_OF_MEMORY;
}

int fake_memory_info(size_t *free_bytes, size_t *total)
{
    const int error = fake_begin_in_context("cuMemGetInfo_v2");

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    *total = fake_machine.memory_bytes;
    *free_bytes = fake_machine.memory_bytes - used;
    pthread_mutex_unlock(&lock);
    return CU_OK;
}

int fake_granularity(size_t *bytes, const struct cu_allocation_prop *prop, int option)
{
    const int error = fake_begin("cuMemGetAllocationGranularity");

    if (error)
        return error;
    if (!prop || option < 0 || option > 1)
        return CU_INVALID_VALUE;
    *bytes = FAKE_GRANULARITY;
    return CU_OK;
}

static int create_file(cu_allocation *made, size_t bytes)
{
    int fd, error;

    if (bytes > fake_machine.memory_bytes - used)
        return CU_OUT_OF_MEMORY;
    fd = memfd_create("fake-device-memory", MFD_CLOEXEC);
    if (fd < 0)
        return CU_OPERATING_SYSTEM;
    if (ftruncate(fd, (off_t)bytes)) {
        close(fd);
        return CU_OUT_OF_MEMORY;
    }
    error = keep_allocation(made, fd, bytes, true);
    if (!error)
        used += bytes;
    return error;
}

int fake_memory_create(cu_allocation *made, size_t bytes, const struct cu_allocation_prop *prop,
                       unsigned long long flags)
{
    int error = fake_begin("cuMemCreate");

    if (error)
        return error;
    if (!bytes || bytes % FAKE_GRANULARITY || flags || prop->type != CU_PINNED ||
        (prop->handle_types & ~CU_FD) || prop->place.kind != CU_ON_DEVICE)
        return CU_INVALID_VALUE;
    if (prop->place.id < 0 || prop->place.id >= fake_machine.n_devices)
        return CU_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    error = create_file(made, bytes);
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_memory_release(cu_allocation made)
{
    int error = fake_begin("cuMemRelease");
    struct allocation *a;

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    a = find_allocation(made);
    error = a ? CU_OK : CU_INVALID_VALUE;
    if (a) {
        close(a->fd); /* what is mapped stays; a worker shall have no descriptor of ours */
        a->is_held = false;
        drop_allocation(a);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_memory_export(void *handle, cu_allocation made, int type, unsigned long long flags)
{
    int error = fake_begin("cuMemExportToShareableHandle");
    struct allocation *a;
    int fd = -1;

    if (error)
        return error;
    if (type != CU_FD || flags)
        return CU_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    a = find_allocation(made);
    error = a ? CU_OK : CU_INVALID_VALUE;
    if (a && (fd = fcntl(a->fd, F_DUPFD_CLOEXEC, 0)) < 0)
        error = CU_OPERATING_SYSTEM;
    pthread_mutex_unlock(&lock);
    if (!error)
        *(int *)handle = fd;
    return error;
}

/* The caller keeps its descriptor. */
int fake_memory_import(cu_allocation *made, void *handle, int type)
{
    int error = fake_begin("cuMemImportFromShareableHandle");
    struct stat info;
    int fd;

    if (error)
        return error;
    if (type != CU_FD || fstat((int)(intptr_t)handle, &info) || !info.st_size ||
        info.st_size % FAKE_GRANULARITY)
        return CU_INVALID_VALUE;
    fd = fcntl((int)(intptr_t)handle, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return CU_OPERATING_SYSTEM;
    pthread_mutex_lock(&lock);
    error = keep_allocation(made, fd, (size_t)info.st_size, false);
    pthread_mutex_unlock(&lock);
    return error;
}

/* At the wish, or where there is room for a multiple of `alignment`. MAP_FAILED: there is none. */
static void *reserve_at(cu_pointer wish, size_t bytes, size_t alignment)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *at = MAP_FAILED, *from, *end;

    if (wish && wish % alignment == 0) {
        at = mmap(address(wish), bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (at != MAP_FAILED)
            return at;
    }
    from = mmap(NULL, bytes + alignment, PROT_NONE, flags, -1, 0);
    if (from == MAP_FAILED)
        return from;
    at = (char *)(((uintptr_t)from + alignment - 1) / alignment * alignment);
    end = from + bytes + alignment;
    if (at > from)
        munmap(from, (size_t)(at - from));
    if (end > at + bytes)
        munmap(at + bytes, (size_t)(end - (at + bytes)));
    return at;
}

int fake_address_reserve(cu_pointer *at, size_t bytes, size_t alignment, cu_pointer wish,
                         unsigned long long flags)
{
    int error = fake_begin("cuMemAddressReserve");
    struct range *r;
    void *place = MAP_FAILED;

    if (error)
        return error;
    if (!bytes || bytes % FAKE_GRANULARITY || (alignment & (alignment - 1)) || flags)
        return CU_INVALID_VALUE;
    if (alignment < FAKE_GRANULARITY)
        alignment = FAKE_GRANULARITY;
    pthread_mutex_lock(&lock);
    r = free_range(reserved);
    if (r)
        place = reserve_at(wish, bytes, alignment);
    if (place == MAP_FAILED)
        error = CU_OUT_OF_MEMORY;
    if (!error) {
        *r = (struct range){ (uintptr_t)place, bytes, NULL, 0 };
        *at = r->at;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_address_free(cu_pointer at, size_t bytes)
{
    int error = fake_begin("cuMemAddressFree");
    struct range *r;

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    r = find_range(reserved, at, bytes);
    error = r && bytes ? CU_OK : CU_INVALID_VALUE;
    if (!error && overlaps(mapped, at, bytes))
        error = CU_INVALID_VALUE; /* what is mapped has to be unmapped first */
    if (!error) {
        munmap(address(at), bytes);
        *r = (struct range){ 0 };
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static int map_file(cu_pointer at, size_t bytes, struct allocation *a)
{
    struct range *r = free_range(mapped);

    if (!a || bytes != a->bytes || !range_around(reserved, at, bytes))
        return CU_INVALID_VALUE;
    if (overlaps(mapped, at, bytes))
        return CU_INVALID_VALUE;
    if (!r)
        return CU_OUT_OF_MEMORY;
    if (mmap(address(at), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, a->fd, 0) == MAP_FAILED)
        return CU_OPERATING_SYSTEM;
    *r = (struct range){ at, bytes, a, 0 };
    a->n_users++;
    return CU_OK;
}

/* An allocation is mapped whole, as the driver asks today. */
int fake_memory_map(cu_pointer at, size_t bytes, size_t offset, cu_allocation made,
                    unsigned long long flags)
{
    int error = fake_begin("cuMemMap");

    if (error)
        return error;
    if (!bytes || at % FAKE_GRANULARITY || bytes % FAKE_GRANULARITY || offset || flags)
        return CU_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    error = map_file(at, bytes, find_allocation(made));
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_memory_unmap(cu_pointer at, size_t bytes)
{
    int error = fake_begin("cuMemUnmap");
    struct range *r;

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    r = find_range(mapped, at, bytes);
    error = r && bytes ? CU_OK : CU_INVALID_VALUE;
    if (!error &&
        mmap(address(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
             -1, 0) == MAP_FAILED)
        error = CU_OPERATING_SYSTEM;
    if (!error) {
        drop_allocation(r->from);
        *r = (struct range){ 0 };
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_memory_access(cu_pointer at, size_t bytes, const struct cu_access *access, size_t n)
{
    int error = fake_begin("cuMemSetAccess");
    struct range *r;

    if (error)
        return error;
    if (n != 1 || access->place.kind != CU_ON_DEVICE ||
        (access->flags && access->flags != CU_READ && access->flags != CU_READ_WRITE))
        return CU_INVALID_VALUE;
    if (access->place.id < 0 || access->place.id >= fake_machine.n_devices)
        return CU_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    r = find_range(mapped, at, bytes);
    error = r && bytes ? CU_OK : CU_INVALID_VALUE;
    if (!error && mprotect(address(at), bytes,
                           (access->flags ? PROT_READ : 0) |
                               (access->flags == CU_READ_WRITE ? PROT_WRITE : 0)))
        error = CU_OPERATING_SYSTEM;
    if (!error)
        r->access = access->flags;
    pthread_mutex_unlock(&lock);
    return error;
}

/* Memory of the process, remembered in `list`. */
static int take(struct range *list, void **at, size_t bytes)
{
    const size_t whole_pages = (bytes + 4095) / 4096 * 4096;
    struct range *r = free_range(list);

    *at = MAP_FAILED;
    if (r)
        *at = mmap(NULL, whole_pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*at == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    *r = (struct range){ (uintptr_t)*at, bytes, NULL, CU_READ_WRITE };
    return CU_OK;
}

static int give(struct range *list, cu_pointer at, size_t *bytes)
{
    struct range *r = find_range(list, at, 0);

    if (!r)
        return CU_INVALID_VALUE;
    *bytes = r->bytes;
    munmap(address(at), (r->bytes + 4095) / 4096 * 4096);
    *r = (struct range){ 0 };
    return CU_OK;
}

int fake_allocate(cu_pointer *at, size_t bytes)
{
    int error = fake_begin_in_context("cuMemAlloc_v2");
    void *place;

    if (error)
        return error;
    if (!bytes)
        return CU_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    error =
        bytes > fake_machine.memory_bytes - used ? CU_OUT_OF_MEMORY : take(whole, &place, bytes);
    if (!error) {
        used += bytes;
        *at = (uintptr_t)place;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_pool_default(cu_pool *pool, cu_device device)
{
    const int error = fake_begin("cuDeviceGetDefaultMemPool");

    if (!error && (device < 0 || device >= fake_machine.n_devices))
        return CU_INVALID_DEVICE;
    if (!error)
        *pool = &default_pool;
    return error;
}

int fake_pool_get(cu_pool pool, int attribute, void *value)
{
    const int error = fake_begin("cuMemPoolGetAttribute");

    if (!error && (pool != &default_pool || attribute != CU_POOL_RESERVED))
        return CU_INVALID_VALUE;
    if (!error)
        *(uint64_t *)value = default_pool.bytes;
    return error;
}

int fake_pool_allocate(cu_pointer *at, size_t bytes, cu_stream stream)
{
    const int error = fake_allocate(at, bytes);

    (void)stream;
    default_pool.bytes += error ? 0 : bytes;
    return error;
}

int fake_release(cu_pointer at)
{
    int error = fake_begin_in_context("cuMemFree_v2");
    size_t bytes = 0;

    if (error || !at)
        return error;
    pthread_mutex_lock(&lock);
    error = give(whole, at, &bytes);
    used -= bytes;
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_host_allocate(void **at, size_t bytes, unsigned flags)
{
    int error = fake_begin_in_context("cuMemHostAlloc");

    if (error)
        return error;
    if (!bytes || flags > 7)
        return CU_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    error = take(pinned, at, bytes);
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_host_release(void *at)
{
    int error = fake_begin_in_context("cuMemFreeHost");
    size_t bytes;

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    error = give(pinned, (uintptr_t)at, &bytes);
    pthread_mutex_unlock(&lock);
    return error;
}

/* Memory that the process has already. */
int fake_host_register(void *at, size_t bytes, unsigned flags)
{
    int error = fake_begin_in_context("cuMemHostRegister_v2");
    struct range *r;

    if (error)
        return error;
    if (!at || !bytes || flags > 15)
        return CU_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    r = free_range(registered);
    if (!r)
        error = CU_OUT_OF_MEMORY;
    if (overlaps(registered, (uintptr_t)at, bytes))
        error = CU_ALREADY_REGISTERED;
    if (!error)
        *r = (struct range){ (uintptr_t)at, bytes, NULL,
                             flags & CU_HOST_READ_ONLY ? CU_READ : CU_READ_WRITE };
    pthread_mutex_unlock(&lock);
    return error;
}

int fake_host_unregister(void *at)
{
    int error = fake_begin_in_context("cuMemHostUnregister");
    struct range *r;

    if (error)
        return error;
    pthread_mutex_lock(&lock);
    r = find_range(registered, (uintptr_t)at, 0);
    if (r)
        *r = (struct range){ 0 };
    pthread_mutex_unlock(&lock);
    return r ? CU_OK : CU_NOT_REGISTERED;
}

int fake_host_device_pointer(cu_pointer *at, void *host, unsigned flags)
{
    const int error = fake_begin_in_context("cuMemHostGetDevicePointer_v2");

    if (error)
        return error;
    if (flags || !fake_memory_holds((uintptr_t)host, 1, false))
        return CU_INVALID_VALUE;
    *at = (uintptr_t)host;
    return CU_OK;
}
