/* device.c - who the devices are, the words for errors, and the context of a process. */
#include "fake_cuda.h"

#include <stdio.h>
#include <string.h>

enum { N_LIMITS = 7 };
struct cu_context_s {
    int n_retained;
    size_t limit[N_LIMITS]; /* each is 0 until it is set */
};

static struct cu_context_s primary[FAKE_MOST_DEVICES];
static struct cu_context_s made[FAKE_MOST_DEVICES]; /* by cuCtxCreate, whatever the device */
enum { MOST_CURRENT = 8 };
static _Thread_local cu_context current, below[MOST_CURRENT]; /* below: that were so before */
static _Thread_local int n_below;

static const struct {
    int error;
    const char *name, *text;
} words[] = {
    { CU_OK, "CUDA_SUCCESS", "no error" },
    { CU_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument" },
    { CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory" },
    { CU_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error" },
    { CU_STUB, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library" },
    { 46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable" },
    { CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected" },
    { CU_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal" },
    { CU_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid" },
    { CU_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context" },
    { CU_NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU",
      "no kernel image is available for execution on the device" },
    { 214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered" },
    { CU_OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM",
      "OS call failed or operation not supported on this OS" },
    { CU_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle" },
    { CU_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found" },
    { CU_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready" },
    { 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered" },
    { 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch" },
    { 702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated" },
    { CU_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
      "part or all of the requested memory range is already mapped" },
    { CU_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
      "pointer does not correspond to a registered memory region" },
    { 719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure" },
    { 800, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted" },
    { 801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported" },
    { 802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized" },
    { 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
      "system has unsupported display driver / cuda driver combination" },
    { CU_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error" },
};

int fake_init(unsigned flags)
{
    int error = fake_script_read();

    if (!error)
        error = fake_begin("cuInit");
    if (!error && flags)
        error = CU_INVALID_VALUE;
    if (!error)
        fake_set_initialized();
    return error;
}

int fake_driver_version(int *version)
{
    *version = fake_machine.driver;
    return CU_OK;
}

int fake_error_name(int error, const char **name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].error == error) {
            *name = words[i].name;
            return CU_OK;
        }
    *name = NULL;
    return CU_INVALID_VALUE;
}

int fake_error_string(int error, const char **text)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].error == error) {
            *text = words[i].text;
            return CU_OK;
        }
    *text = NULL;
    return CU_INVALID_VALUE;
}

int fake_device_count(int *n)
{
    const int error = fake_begin("cuDeviceGetCount");

    if (!error)
        *n = fake_machine.n_devices;
    return error;
}

static int begin_on(const char *call, cu_device device)
{
    const int error = fake_begin(call);

    return !error && (device < 0 || device >= fake_machine.n_devices) ? CU_INVALID_DEVICE : error;
}

int fake_device_get(cu_device *device, int ordinal)
{
    const int error = begin_on("cuDeviceGet", ordinal);

    if (!error)
        *device = ordinal;
    return error;
}

int fake_device_name(char *name, int size, cu_device device)
{
    const int error = begin_on("cuDeviceGetName", device);

    if (!error && size < 1)
        return CU_INVALID_VALUE;
    if (!error)
        snprintf(name, (size_t)size, "%s", fake_machine.name);
    return error;
}

int fake_device_uuid(struct cu_uuid *uuid, cu_device device)
{
    const int error = begin_on("cuDeviceGetUuid_v2", device);

    if (error)
        return error;
    *uuid = fake_machine.uuid;
    uuid->bytes[15] = (unsigned char)(uuid->bytes[15] + device);
    return CU_OK;
}

int fake_device_memory(size_t *bytes, cu_device device)
{
    const int error = begin_on("cuDeviceTotalMem_v2", device);

    if (!error)
        *bytes = fake_machine.memory_bytes;
    return error;
}

int fake_device_attribute(int *value, int attribute, cu_device device)
{
    const int error = begin_on("cuDeviceGetAttribute", device);

    if (error)
        return error;
    if (attribute < 0 || attribute >= FAKE_ATTRIBUTES || fake_machine.attribute[attribute] < 0)
        return CU_INVALID_VALUE;
    *value = fake_machine.attribute[attribute];
    return CU_OK;
}

int fake_primary_flags(cu_device device, unsigned flags)
{
    (void)flags;
    return begin_on("cuDevicePrimaryCtxSetFlags_v2", device);
}

int fake_primary_retain(cu_context *context, cu_device device)
{
    const int error = begin_on("cuDevicePrimaryCtxRetain", device);

    if (error)
        return error;
    primary[device].n_retained++;
    *context = &primary[device];
    return CU_OK;
}

int fake_primary_release(cu_device device)
{
    const int error = begin_on("cuDevicePrimaryCtxRelease_v2", device);

    if (error)
        return error;
    if (!primary[device].n_retained)
        return CU_INVALID_CONTEXT;
    primary[device].n_retained--;
    return CU_OK;
}

int fake_context_set(cu_context context)
{
    const int error = fake_begin("cuCtxSetCurrent");

    if (error)
        return error;
    if (context && !context->n_retained)
        return CU_INVALID_CONTEXT;
    current = context;
    return CU_OK;
}

int fake_context_push(cu_context context)
{
    const int error = fake_begin("cuCtxPushCurrent_v2");

    if (error)
        return error;
    if (!context || !context->n_retained)
        return CU_INVALID_CONTEXT;
    if (n_below == MOST_CURRENT)
        return CU_OUT_OF_MEMORY;
    below[n_below++] = current;
    current = context;
    return CU_OK;
}

int fake_context_pop(cu_context *context)
{
    const int error = fake_begin("cuCtxPopCurrent_v2");

    if (error)
        return error;
    if (!current)
        return CU_INVALID_CONTEXT;
    *context = current;
    current = n_below ? below[--n_below] : NULL;
    return CU_OK;
}

/* Which is current then, as with a real driver. */
int fake_context_create(cu_context *context, unsigned flags, cu_device device)
{
    const int error = begin_on("cuCtxCreate_v2", device);

    (void)flags;
    if (error)
        return error;
    for (int i = 0; i < FAKE_MOST_DEVICES; i++)
        if (!made[i].n_retained) {
            made[i].n_retained = 1;
            *context = &made[i];
            return fake_context_push(*context);
        }
    return CU_OUT_OF_MEMORY;
}

cu_context fake_current(void)
{
    return current;
}

int fake_begin_in_context(const char *call)
{
    const int error = fake_begin(call);

    return !error && (!current || !current->n_retained) ? CU_INVALID_CONTEXT : error;
}

int fake_context_synchronize(void)
{
    const int error = fake_begin_in_context("cuCtxSynchronize");

    if (!error)
        fake_wait_in(current);
    return error;
}

int fake_context_limit(size_t *value, int limit)
{
    const int error = fake_begin_in_context("cuCtxGetLimit");

    if (!error && (limit < 0 || limit >= N_LIMITS))
        return CU_INVALID_VALUE;
    if (!error)
        *value = current->limit[limit];
    return error;
}

int fake_set_limit(int limit, size_t value)
{
    const int error = fake_begin_in_context("cuCtxSetLimit");

    if (!error && (limit < 0 || limit >= N_LIMITS))
        return CU_INVALID_VALUE;
    if (!error)
        current->limit[limit] = value;
    return error;
}

int fake_context_cache(int *config)
{
    const int error = fake_begin_in_context("cuCtxGetCacheConfig");

    if (!error)
        *config = 0; /* no preference */
    return error;
}

int fake_context_flags(unsigned *flags)
{
    const int error = fake_begin_in_context("cuCtxGetFlags");

    if (!error)
        *flags = CU_CTX_SPIN; /* whoever made it asked for that */
    return error;
}

int fake_reset_persisting(void)
{
    return fake_begin_in_context("cuCtxResetPersistingL2Cache");
}
