/* device.c - the judge's context, and launches in it. The primary context, because the runtime that
 * a reference kernel brings along uses that one; a waiting judge spins, because what it waits for
 * takes microseconds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "judge_cuda/program.h"

void judge_refuse(struct judge *j, enum aisp_status status, const char *format, ...)
{
    va_list args;

    j->status = status;
    va_start(args, format);
    vsnprintf(j->text, sizeof j->text, format, args);
    va_end(args);
}

bool judge_failed(struct judge *j, const char *call, int error)
{
    char text[200];

    if (error == CU_OK)
        return false;
    cuda_driver_say(&j->cu, call, error, text);
    judge_refuse(j, error == CU_OUT_OF_MEMORY ? AISP_E_NO_MEMORY : AISP_E_DEVICE, "%s", text);
    return true;
}

static int attribute(struct judge *j, enum cu_attribute attribute)
{
    int value = 0;

    return j->cu.device_attribute(&value, (int)attribute, j->device) ? 0 : value;
}

/* GPU-01234567-89ab-cdef-0123-456789abcdef. A card that is divided (MIG) answers with the instance's, and says in its name what that
 * is: "NVIDIA H200 MIG 1g.18gb". */
static void print_uuid(const char *name, const struct cu_uuid *uuid, char text[48])
{
    int n = snprintf(text, 48, "%s", strstr(name, " MIG ") ? "MIG" : "GPU");

    for (int i = 0; i < 16; i++)
        n += snprintf(text + n, (size_t)(48 - n), "%s%02x",
                      i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid->bytes[i]);
}

static bool read_card(struct judge *j)
{
    const struct cu_allocation_prop prop = { .type = 1,
                                             .handle_types = CU_FD,
                                             .place = { CU_ON_DEVICE, j->device } };
    struct cuda_card *card = &j->card;
    struct cu_uuid uuid;
    size_t bytes, free_bytes, granularity;

    if (judge_failed(j, "cuDeviceGetName",
                     j->cu.device_name(card->name, sizeof card->name, j->device)) ||
        judge_failed(j, "cuDeviceGetUuid", j->cu.device_uuid(&uuid, j->device)) ||
        judge_failed(j, "cuMemGetInfo", j->cu.memory_info(&free_bytes, &bytes)))
        return false;
    print_uuid(card->name, &uuid, card->uuid);
    if (!attribute(j, CU_ATTR_VMM) || !attribute(j, CU_ATTR_VMM_FD)) {
        judge_refuse(j, AISP_E_UNAVAILABLE, "%.80s cannot share its memory by descriptors",
                     card->name);
        return false;
    }
    if (judge_failed(j, "cuMemGetAllocationGranularity", j->cu.granularity(&granularity, &prop, 0)))
        return false;
    card->driver = j->cu.version;
    card->major = attribute(j, CU_ATTR_MAJOR);
    card->minor = attribute(j, CU_ATTR_MINOR);
    card->n_sms = attribute(j, CU_ATTR_SMS);
    card->memory_khz = attribute(j, CU_ATTR_MEMORY_KHZ);
    card->bus_bits = attribute(j, CU_ATTR_BUS_BITS);
    card->l2_bytes = attribute(j, CU_ATTR_L2_BYTES);
    card->total_bytes = (int64_t)bytes;
    card->free_bytes = (int64_t)free_bytes;
    card->granularity = (int64_t)granularity;
    return true;
}

static bool load_kernels(struct judge *j)
{
    static const char *const name[N_KERNELS] = { "judge_fill", "judge_holds", "judge_tile",
                                                 "judge_tile_check", "judge_probe",
                                                 "judge_sweep", "judge_lines" };
    cu_module module;
    const int error = j->cu.module_load(&module, judge_image);

    if (error && !judge_has_image) {
        judge_refuse(j, AISP_E_UNAVAILABLE,
                     "aisp was built without nvcc: there are no kernels for the CUDA judge");
        return false;
    }
    if (judge_failed(j, "cuModuleLoadData", error))
        return false;
    for (int k = 0; k < N_KERNELS; k++)
        if (judge_failed(j, name[k], j->cu.module_function(&j->kernel[k], module, name[k])))
            return false;
    return true;
}

static bool open_context(struct judge *j)
{
    const size_t bytes = WIRE_OPS * sizeof *j->seen;

    return !judge_failed(j, "cuDeviceGet", j->cu.device_get(&j->device, 0)) &&
           !judge_failed(j, "cuDevicePrimaryCtxSetFlags",
                         j->cu.primary_flags(j->device, CU_CTX_SPIN)) &&
           !judge_failed(j, "cuDevicePrimaryCtxRetain",
                         j->cu.primary_retain(&j->context, j->device)) &&
           !judge_failed(j, "cuCtxSetCurrent", j->cu.context_set(j->context)) &&
           !judge_failed(j, "cuStreamCreate", j->cu.stream_create(&j->stream, CU_STREAM_APART)) &&
           !judge_failed(j, "cuMemAlloc", j->cu.allocate(&j->answers, bytes)) &&
           !judge_failed(j, "cuMemAlloc",
                         j->cu.allocate(&j->lines, CUDA_MOST_LINES * sizeof(uint32_t)));
}

/* Kernels are brought to the device when they are first launched: once here with nothing to do, so
 * that no answer that is timed waits for that. */
static bool warm_up(struct judge *j)
{
    struct judge_plan plan = { 0 };
    struct judge_tile tile = { 0 };
    int64_t none = 0;
    void *on_elements[] = { &plan, &j->answers, &none, &none, &j->answers };
    void *on_bytes[] = { &tile, &j->answers, &none, &none, &j->answers };
    void *on_word[] = { &j->answers, &none };
    void *on_swept[] = { &j->answers, &none, &j->answers };
    void *on_lines[] = { &j->answers, &none, &none, &none, &j->lines };

    return judge_launch(j, KERNEL_FILL, 1, on_elements) &&
           judge_launch(j, KERNEL_HOLDS, 1, on_elements) &&
           judge_launch(j, KERNEL_TILE, 1, on_bytes) &&
           judge_launch(j, KERNEL_TILE_CHECK, 1, on_bytes) &&
           judge_launch(j, KERNEL_PROBE, 1, on_word) &&
           judge_launch(j, KERNEL_SWEEP, 1, on_swept) &&
           judge_launch(j, KERNEL_LINES, 1, on_lines) &&
           !judge_failed(j, "cuMemcpyDtoHAsync",
                         j->cu.copy_to_host(j->seen, j->answers, sizeof *j->seen, j->stream)) &&
           judge_wait(j);
}

void judge_open(struct judge *j, const char *library)
{
    char why[200];

    if (getrandom(&j->canary, sizeof j->canary, 0) != sizeof j->canary) {
        judge_refuse(j, AISP_E_UNAVAILABLE, "the kernel gives no random bytes");
        return;
    }
    if (!cuda_driver_open(&j->cu, library, why)) {
        judge_refuse(j, AISP_E_UNAVAILABLE, "%s", why);
        return;
    }
    if (!open_context(j) || !read_card(j) || !load_kernels(j))
        return;
    /* Copies between pinned memory and the device are faster, and do not wait on the host. Where
     * the driver does not pin it, the same calls copy all the same. */
    j->cu.host_register(j->mirror, WIRE_MIRROR, 0);
    warm_up(j);
}

bool judge_launch(struct judge *j, enum judge_kernel kernel, int64_t n_pieces, void **arguments)
{
    enum { BLOCK = 256, BLOCKS_PER_SM = 16 };
    const int64_t most = (int64_t)(j->card.n_sms > 0 ? j->card.n_sms : 1) * BLOCKS_PER_SM;
    const int64_t wanted = (n_pieces + BLOCK - 1) / BLOCK, n_blocks = wanted < most ? wanted : most;

    if (n_pieces <= 0)
        return true;
    return !judge_failed(j, "cuLaunchKernel",
                         j->cu.launch(j->kernel[kernel], (unsigned)n_blocks, 1, 1, BLOCK, 1, 1, 0,
                                      j->stream, arguments, NULL));
}

bool judge_wait(struct judge *j)
{
    return !judge_failed(j, "cuStreamSynchronize", j->cu.stream_synchronize(j->stream));
}
