/* launch.c - modules whose kernels are found by name (kernels.c), and their threads one after another. */
#include "fake_cuda.h"

#include <string.h>

enum { MOST_MODULES = 16 };

struct cu_module_s {
    bool is_live;
};

static struct cu_module_s module[MOST_MODULES];

/* A fat binary, a cubin, PTX, or what a build without nvcc has in its place. What it holds is not
 * looked at: kernels are those of kernels.c. */
static bool is_image(const void *image)
{
    static const unsigned char fat[4] = { 0x50, 0xed, 0x55, 0xba };

    return !memcmp(image, fat, 4) || !memcmp(image, "\177ELF", 4) ||
           !strncmp(image, "aisp: built without nvcc", 24) || strstr(image, ".version");
}

int fake_module_load(cu_module *made, const void *image)
{
    const int error = fake_begin_in_context("cuModuleLoadData");

    if (error)
        return error;
    if (!image || !is_image(image))
        return CU_INVALID_IMAGE;
    for (int i = 0; i < MOST_MODULES; i++)
        if (!module[i].is_live) {
            module[i].is_live = true;
            *made = &module[i];
            return CU_OK;
        }
    return CU_OUT_OF_MEMORY;
}

static bool module_is_live(cu_module m)
{
    return m >= module && m < module + MOST_MODULES && m->is_live;
}

int fake_module_unload(cu_module m)
{
    const int error = fake_begin_in_context("cuModuleUnload");

    if (error)
        return error;
    if (!module_is_live(m))
        return CU_INVALID_HANDLE;
    m->is_live = false;
    return CU_OK;
}

int fake_module_function(cu_function *function, cu_module m, const char *name)
{
    const int error = fake_begin_in_context("cuModuleGetFunction");
    const struct fake_kernel *kernel;

    if (error)
        return error;
    if (!module_is_live(m))
        return CU_INVALID_HANDLE;
    kernel = fake_kernel_find(name);
    if (!kernel)
        return CU_NOT_FOUND;
    *function = (cu_function)(uintptr_t)kernel;
    return CU_OK;
}

/* A kernel of one argument that is queued or waits. */
struct launched {
    const struct fake_kernel *kernel;
    int64_t n;
    _Alignas(16) char argument[64];
};

static void run_launched(void *what)
{
    struct launched *l = what;
    void *argument[] = { l->argument };

    for (int64_t thread = 0; thread < l->n; thread++)
        l->kernel->run(argument, thread, l->n);
}

int fake_launch(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                cu_stream stream, void **arguments, void **extra)
{
    const int error = fake_begin_in_context("cuLaunchKernel");
    const struct fake_kernel *kernel = (const struct fake_kernel *)(uintptr_t)function;
    const uint64_t block = (uint64_t)block_x * block_y * block_z;
    const uint64_t n = block * grid_x * grid_y * grid_z;

    if (error)
        return error;
    if (!fake_stream_is_live(stream) || !function)
        return CU_INVALID_HANDLE;
    if (!n || block > 1024 || n > INT32_MAX || shared_bytes > 48 << 10 || !arguments || extra)
        return CU_INVALID_VALUE;
    if (kernel->waits_bytes) {
        struct launched l = { kernel, (int64_t)n, { 0 } };

        memcpy(l.argument, arguments[0], kernel->waits_bytes);
        fake_start_queue(stream, run_launched, &l, sizeof l);
        return CU_OK;
    }
    fake_wait(stream); /* what its arguments are is not known here, so they cannot be kept */
    for (int64_t thread = 0; thread < (int64_t)n; thread++)
        kernel->run(arguments, thread, (int64_t)n);
    return CU_OK;
}
