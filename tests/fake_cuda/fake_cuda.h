/* fake_cuda.h - a driver library whose device is this machine's own memory and processor. It has the
 * symbols of the real one, so that the backend's own code, its programs and their faults are tested
 * where there is no card; what it answers is a result of nothing, and every device name says "Fake".
 * Not here: the runtime and what is built on it (a variant for this device is plain C).
 *
 * Device memory is host memory: an allocation is a memfd, an exported handle its descriptor, an
 * address a place in this process; a store into memory that was set read-only faults. Streams are in
 * order and done at once, but behind the kernel that holds one: there work is queued (queue.c); event
 * times are real. cuLaunchHostFunc, which nobody else here needs, is how a variant in C queues work, and cuCtxCreate how it makes
 * a context; a context is waited for by what was queued on streams made in it. Used memory is counted for each process alone.
 * cuMemAllocAsync takes from the default pool, which gives nothing back.
 *
 * The text file PATH.script, PATH being the library's own, is read at cuInit (none: all defaults).
 * One line says one thing; tests copy the library into a folder of their own to have their own:
 *   name TEXT   driver N   devices N   memory_mib N   uuid 32 HEX DIGITS, dashes ignored
 *   attribute N VALUE                  as cuDeviceGetAttribute numbers them
 *   fail CALL NTH ERROR                the NTH call of CALL returns ERROR
 *   fail_after CALL NTH ERROR          after the NTH call of CALL every call returns it: a lost device
 *   hang CALL NTH                      that call never returns
 *   kill CALL NTH                      the process is killed in that call
 *   delay CALL NTH MS                  that call takes so long; NTH 0: each
 *   spin CALL NTH MS                   the same, as CPU time of the thread that calls
 *   trace                              "PROGRAM CALL" of each call is added to PATH.trace; not for
 *                                      workers, who close descriptors that they do not know
 *   in PROGRAM any of these            counts only in the program of that name
 *   later MS                           host functions of streams run on the device's time, each so long
 *   # a comment */
#ifndef AISP_FAKE_CUDA_H
#define AISP_FAKE_CUDA_H

#include "backends/cuda/driver.h"

/* Of driver.h's errors, those that only the library itself returns. */
enum {
    CU_NOT_INITIALIZED = 3,
    CU_INVALID_DEVICE = 101,
    CU_INVALID_IMAGE = 200,
    CU_INVALID_CONTEXT = 201,
    CU_OPERATING_SYSTEM = 304,
    CU_INVALID_HANDLE = 400,
    CU_NOT_FOUND = 500,
    CU_ALREADY_REGISTERED = 712,
    CU_NOT_REGISTERED = 713,
    CU_UNKNOWN = 999,
};
enum { FAKE_GRANULARITY = 2 << 20, FAKE_MOST_DEVICES = 8, FAKE_ATTRIBUTES = 160 };

/* driver.h's own prototypes, under the library's names: what differs does not compile. */
#define FAKE_DECLARE(field, name, arguments)                                                       \
    __attribute__((visibility("default"))) int fake_##field arguments __asm__(name);
CUDA_DRIVER_CALLS(FAKE_DECLARE)
FAKE_DECLARE(host_function, "cuLaunchHostFunc", (cu_stream stream, void (*function)(void *), void *data))
FAKE_DECLARE(set_limit, "cuCtxSetLimit", (int limit, size_t value))
FAKE_DECLARE(pool_allocate, "cuMemAllocAsync", (cu_pointer * at, size_t bytes, cu_stream stream))
FAKE_DECLARE(context_create, "cuCtxCreate_v2", (cu_context * context, unsigned flags, cu_device device))
#undef FAKE_DECLARE

struct fake_machine {
    char name[96];
    struct cu_uuid uuid;
    int driver, n_devices;
    size_t memory_bytes;
    int later_ms; /* 0: host functions run when they are queued */
    int attribute[FAKE_ATTRIBUTES]; /* -1: the driver does not know it */
};
extern struct fake_machine fake_machine;

/* Read the script. On failure, which is told on stderr, an error of the driver. */
int fake_script_read(void);
/* What every call begins with: counts it and does to it what the script says. Not CU_OK: return it. */
int fake_begin(const char *call);
/* The same for a call that needs a current context. */
int fake_begin_in_context(const char *call);
void fake_set_initialized(void);

/* queue.c. Work of at most so many bytes of arguments, which are copied. */
enum { FAKE_JOB_BYTES = 96 };
/* A kernel that does not end by itself: from here on the stream's work is queued. */
void fake_start_queue(cu_stream stream, void (*run)(void *what), const void *what, size_t bytes);
/* Behind what is queued on the stream. False: nothing is, and nothing was done: do it now. */
bool fake_queue(cu_stream stream, void (*run)(void *what), const void *what, size_t bytes);
bool fake_is_pending(cu_stream stream);
void fake_wait(cu_stream stream);
void fake_wait_for_all(void);
void fake_wait_in(cu_context context); /* for the streams that were made in it */

bool fake_stream_is_live(cu_stream stream);
cu_context fake_context_of(cu_stream stream); /* NULL: of the default stream */
cu_context fake_current(void);
/* May all of [at, at + bytes) be read, or written, by the device? */
bool fake_memory_holds(cu_pointer at, size_t bytes, bool is_written);

/* kernels.c - a kernel of the judge: its arguments as cuLaunchKernel takes them. */
struct fake_kernel {
    const char *name;
    void (*run)(void **argument, int64_t thread, int64_t n_threads);
    size_t waits_bytes; /* of its one argument, of a kernel that waits for another's word; 0: it does not */
};
const struct fake_kernel *fake_kernel_find(const char *name);

#endif
