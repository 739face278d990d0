/* driver.h - NVIDIA's driver library, opened at run time with prototypes of our own: a program that was built anywhere runs with or
 * without a driver, and says in one line what is missing. Used by the judge and by workers, each in its own process.
 * Not here: the runtime (variants link it), NVML (core/nvml.h), CUPTI.
 * Names, versions and values are those of cuda.h 12 and 13; only what we call is declared. */
#ifndef AISP_CUDA_DRIVER_H
#define AISP_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cu_device;
typedef uint64_t cu_pointer, cu_allocation;
typedef struct cu_context_s *cu_context;
typedef struct cu_stream_s *cu_stream;
typedef struct cu_event_s *cu_event;
typedef struct cu_module_s *cu_module;
typedef struct cu_function_s *cu_function;
typedef struct cu_pool_s *cu_pool;

enum { CU_OK = 0, CU_INVALID_VALUE = 1, CU_OUT_OF_MEMORY = 2, CU_STUB = 34, CU_NO_DEVICE = 100, CU_NO_BINARY = 209, CU_NOT_READY = 600 };
enum { CU_CTX_SPIN = 1, CU_STREAM_APART = 1, CU_FD = 1, CU_READ = 1, CU_READ_WRITE = 3, CU_ON_DEVICE = 1, CU_PINNED = 1, CU_HOST_ON_DEVICE = 2, CU_HOST_READ_ONLY = 8 };
enum { CU_LIMIT_L2_FETCH = 5, CU_LIMIT_L2_PERSISTING = 6, CU_CTX_SCHEDULING = 7 };
enum { CU_POOL_RESERVED = 5 }; /* CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, a uint64_t */
enum cu_attribute {
    CU_ATTR_MAX_SHARED = 8, CU_ATTR_SMS = 16, CU_ATTR_MEMORY_KHZ = 36, CU_ATTR_BUS_BITS = 37, CU_ATTR_L2_BYTES = 38,
    CU_ATTR_MAJOR = 75, CU_ATTR_MINOR = 76, CU_ATTR_VMM = 102, CU_ATTR_VMM_FD = 103,
};

/* CUmemAllocationProp, CUmemAccessDesc */
struct cu_place { int kind, id; };
struct cu_allocation_prop {
    int type, handle_types;             /* 1 pinned; CU_FD */
    struct cu_place place;
    void *win32;
    struct { unsigned char compression, rdma; unsigned short usage; unsigned char reserved[4]; } flags;
};
struct cu_access { struct cu_place place; int flags; };
struct cu_uuid { unsigned char bytes[16]; };

/* name in the library, result, arguments. _v2 and the like are what cuda.h's macros make of the plain names. */
#define CUDA_DRIVER_CALLS(X)                                                                                                           \
    X(init, "cuInit", (unsigned flags))                                                                                                \
    X(driver_version, "cuDriverGetVersion", (int *version))                                                                            \
    X(error_name, "cuGetErrorName", (int error, const char **name))                                                                    \
    X(error_string, "cuGetErrorString", (int error, const char **text))                                                                \
    X(device_count, "cuDeviceGetCount", (int *n))                                                                                      \
    X(device_get, "cuDeviceGet", (cu_device *device, int ordinal))                                                                     \
    X(device_name, "cuDeviceGetName", (char *name, int size, cu_device device))                                                        \
    X(device_uuid, "cuDeviceGetUuid_v2", (struct cu_uuid *uuid, cu_device device))                                                     \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t *bytes, cu_device device))                                                         \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device))                                         \
    X(primary_flags, "cuDevicePrimaryCtxSetFlags_v2", (cu_device device, unsigned flags))                                              \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (cu_context *context, cu_device device))                                             \
    X(primary_release, "cuDevicePrimaryCtxRelease_v2", (cu_device device))                                                             \
    X(context_set, "cuCtxSetCurrent", (cu_context context))                                                                            \
    X(context_push, "cuCtxPushCurrent_v2", (cu_context context))                                                                       \
    X(context_pop, "cuCtxPopCurrent_v2", (cu_context * context))                                                                       \
    X(context_synchronize, "cuCtxSynchronize", (void))                                                                                 \
    X(context_limit, "cuCtxGetLimit", (size_t *value, int limit))                                                                      \
    X(context_cache, "cuCtxGetCacheConfig", (int *config))                                                                             \
    X(context_flags, "cuCtxGetFlags", (unsigned *flags))                                                                               \
    X(reset_persisting, "cuCtxResetPersistingL2Cache", (void))                                                                         \
    X(stream_create, "cuStreamCreate", (cu_stream * stream, unsigned flags))                                                           \
    X(stream_destroy, "cuStreamDestroy_v2", (cu_stream stream))                                                                        \
    X(stream_synchronize, "cuStreamSynchronize", (cu_stream stream))                                                                   \
    X(stream_query, "cuStreamQuery", (cu_stream stream))                                                                               \
    X(stream_write, "cuStreamWriteValue32_v2", (cu_stream stream, cu_pointer at, uint32_t value, unsigned flags))                      \
    X(event_create, "cuEventCreate", (cu_event * event, unsigned flags))                                                               \
    X(event_destroy, "cuEventDestroy_v2", (cu_event event))                                                                            \
    X(event_record, "cuEventRecord", (cu_event event, cu_stream stream))                                                               \
    X(event_synchronize, "cuEventSynchronize", (cu_event event))                                                                       \
    X(event_elapsed, "cuEventElapsedTime", (float *ms, cu_event start, cu_event end))                                                  \
    X(memory_info, "cuMemGetInfo_v2", (size_t *free, size_t *total))                                                                   \
    X(granularity, "cuMemGetAllocationGranularity", (size_t *bytes, const struct cu_allocation_prop *prop, int option))                \
    X(memory_create, "cuMemCreate",                                                                                                    \
      (cu_allocation * made, size_t bytes, const struct cu_allocation_prop *prop, unsigned long long flags))                           \
    X(memory_release, "cuMemRelease", (cu_allocation made))                                                                            \
    X(memory_export, "cuMemExportToShareableHandle", (void *handle, cu_allocation made, int type, unsigned long long flags))           \
    X(memory_import, "cuMemImportFromShareableHandle", (cu_allocation * made, void *handle, int type))                                 \
    X(address_reserve, "cuMemAddressReserve",                                                                                          \
      (cu_pointer * at, size_t bytes, size_t alignment, cu_pointer wish, unsigned long long flags))                                    \
    X(address_free, "cuMemAddressFree", (cu_pointer at, size_t bytes))                                                                 \
    X(memory_map, "cuMemMap", (cu_pointer at, size_t bytes, size_t offset, cu_allocation made, unsigned long long flags))              \
    X(memory_unmap, "cuMemUnmap", (cu_pointer at, size_t bytes))                                                                       \
    X(memory_access, "cuMemSetAccess", (cu_pointer at, size_t bytes, const struct cu_access *access, size_t n))                        \
    X(allocate, "cuMemAlloc_v2", (cu_pointer * at, size_t bytes))                                                                      \
    X(release, "cuMemFree_v2", (cu_pointer at))                                                                                        \
    X(pool_default, "cuDeviceGetDefaultMemPool", (cu_pool * pool, cu_device device))                                                   \
    X(pool_get, "cuMemPoolGetAttribute", (cu_pool pool, int attribute, void *value))                                                   \
    X(host_allocate, "cuMemHostAlloc", (void **at, size_t bytes, unsigned flags))                                                      \
    X(host_release, "cuMemFreeHost", (void *at))                                                                                       \
    X(host_register, "cuMemHostRegister_v2", (void *at, size_t bytes, unsigned flags))                                                 \
    X(host_device_pointer, "cuMemHostGetDevicePointer_v2", (cu_pointer * at, void *host, unsigned flags))                              \
    X(host_unregister, "cuMemHostUnregister", (void *at))                                                                              \
    X(copy_to_device, "cuMemcpyHtoDAsync_v2", (cu_pointer to, const void *from, size_t bytes, cu_stream stream))                       \
    X(copy_to_host, "cuMemcpyDtoHAsync_v2", (void *to, cu_pointer from, size_t bytes, cu_stream stream))                               \
    X(copy_on_device, "cuMemcpyDtoDAsync_v2", (cu_pointer to, cu_pointer from, size_t bytes, cu_stream stream))                        \
    X(set_bytes, "cuMemsetD8Async", (cu_pointer to, unsigned char value, size_t n, cu_stream stream))                                  \
    X(set_words, "cuMemsetD32Async", (cu_pointer to, unsigned value, size_t n, cu_stream stream))                                      \
    X(module_load, "cuModuleLoadData", (cu_module * module, const void *image))                                                        \
    X(module_unload, "cuModuleUnload", (cu_module module))                                                                             \
    X(module_function, "cuModuleGetFunction", (cu_function * function, cu_module module, const char *name))                            \
    X(launch, "cuLaunchKernel",                                                                                                        \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,  \
       unsigned shared_bytes, cu_stream stream, void **arguments, void **extra))

struct cuda_driver {
    void *library;
    int version;                        /* 13000 is 13.0 */
#define CUDA_DRIVER_FIELD(field, name, arguments) int (*field) arguments;
    CUDA_DRIVER_CALLS(CUDA_DRIVER_FIELD)
#undef CUDA_DRIVER_FIELD
};

/* Opens `path`, or libcuda.so.1 where it is NULL, and calls cuInit. On failure `why` says in one line what is missing or wrong:
 * no library, a symbol that an old driver lacks, a stub, no device, a device that does not answer. */
bool cuda_driver_open(struct cuda_driver *driver, const char *path, char why[200]);
/* "cuMemCreate: CUDA_ERROR_OUT_OF_MEMORY (out of memory)" */
void cuda_driver_say(const struct cuda_driver *driver, const char *call, int error, char text[200]);

#endif
