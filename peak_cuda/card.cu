/* card.cu - open a card, hold a ceiling on it, and say what failed. */
#include "peak_cuda/measure.cuh"

#include <string.h>

/* ---- errors ---- */

bool peak_failed(char *why, const char *call, cudaError_t error)
{
    snprintf(why, PEAK_WHY, "%.*s: %s (%s)", (int)strcspn(call, "("), call, cudaGetErrorName(error), cudaGetErrorString(error));
    cudaGetLastError();
    return false;
}

bool peak_card_is_lost(void)
{
    cudaGetLastError();
    return cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess;
}

/* ---- the card ---- */

static double mhz_of(enum cudaDeviceAttr attribute, int device)
{
    int khz = 0;

    return cudaDeviceGetAttribute(&khz, attribute, device) == cudaSuccess ? khz * 1e-3 : 0;
}

static void say_uuid(char uuid[48], const cudaUUID_t *id)
{
    int n = snprintf(uuid, 48, "GPU-");

    for (int i = 0; i < 16; i++)
        n += snprintf(uuid + n, 48 - (size_t)n, "%02x%s", (unsigned char)id->bytes[i],
                      i == 3 || i == 5 || i == 7 || i == 9 ? "-" : "");
}

bool peak_card_open(struct peak_card *card, int device, char *why)
{
    char ignored[PEAK_WHY];
    cudaDeviceProp p;

    card->device = device;
    PEAK_TRY(cudaDriverGetVersion(&card->driver));
    if (!card->driver) {
        snprintf(why, PEAK_WHY, "there is no NVIDIA driver");
        return false;
    }
    PEAK_TRY(cudaRuntimeGetVersion(&card->runtime));
    PEAK_TRY(cudaGetDeviceCount(&card->n_devices));
    PEAK_TRY(cudaSetDevice(device));
    PEAK_TRY(cudaGetDeviceProperties(&p, device));
    PEAK_TRY(cudaFree(NULL));
    snprintf(card->name, sizeof card->name, "%.127s", p.name);
    say_uuid(card->uuid, &p.uuid);
    card->major = p.major;
    card->minor = p.minor;
    card->multiprocessors = p.multiProcessorCount;
    card->memory_bytes = (int64_t)p.totalGlobalMem;
    card->l2_bytes = p.l2CacheSize;
    card->bus_bits = p.memoryBusWidth;
    card->sm_mhz_most = mhz_of(cudaDevAttrClockRate, device);
    card->memory_mhz_most = mhz_of(cudaDevAttrMemoryClockRate, device);
    PEAK_TRY(cudaDeviceGetPCIBusId(card->bus_id, sizeof card->bus_id, device));
    peak_nvml_open(card->bus_id, ignored);     /* without it clocks are the attributes' */
    return true;
}

/* ---- contents ---- */

__global__ static void fill(uint64_t *words, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        words[i] = peak_bits(i);
}

cudaError_t peak_fill(void *d_memory, size_t bytes, cudaStream_t stream)
{
    fill<<<1024, 256, 0, stream>>>((uint64_t *)d_memory, bytes / sizeof(uint64_t));
    return cudaGetLastError();
}

/* ---- holding ---- */

enum { MOST_GROUPS = 1024, IN_FLIGHT = 3 };
static const double GROUP_S = 0.004;

struct hold {
    cudaEvent_t event[MOST_GROUPS + 1];
    cudaStream_t stream;
    int n_events, per_group, n_groups, n_warm, n_samples;
    double sm_mhz, memory_mhz;           /* sums */
};

static void sample_clocks(struct hold *h)
{
    double sm, memory;

    peak_nvml_clocks(&sm, &memory);
    if (sm <= 0)
        return;
    h->sm_mhz += sm;
    h->memory_mhz += memory;
    h->n_samples++;
}

static bool enqueue_group(struct hold *h, const struct peak_work *work, cudaEvent_t after, char *why)
{
    for (int i = 0; i < h->per_group; i++)
        PEAK_TRY(work->enqueue(work->state, h->stream));
    PEAK_TRY(cudaEventRecord(after, h->stream));
    return true;
}

/* Launches a group so that it takes about GROUP_S, and how many groups fill the time. */
static bool size_groups(struct hold *h, const struct peak_card *card, const struct peak_work *work, char *why)
{
    float ms = 0;

    h->per_group = 1;
    for (int round = 0; round < 2; round++) {          /* the first also loads the code */
        PEAK_TRY(cudaEventRecord(h->event[0], h->stream));
        if (!enqueue_group(h, work, h->event[1], why))
            return false;
        PEAK_TRY(cudaEventSynchronize(h->event[1]));
    }
    PEAK_TRY(cudaEventElapsedTime(&ms, h->event[0], h->event[1]));
    if (ms <= 0)
        ms = 1e-3f;
    h->per_group = (int)(GROUP_S * 1e3 / ms) + 1;
    ms *= (float)h->per_group;
    h->n_warm = (int)(0.25 * card->sustain_s * 1e3 / ms) + 1;
    h->n_groups = h->n_warm + (int)(card->sustain_s * 1e3 / ms) + 3;
    h->n_groups = h->n_groups < MOST_GROUPS ? h->n_groups : MOST_GROUPS;
    return true;
}

static bool run_groups(struct hold *h, const struct peak_work *work, char *why)
{
    PEAK_TRY(cudaEventRecord(h->event[0], h->stream));
    for (int i = 0; i < h->n_groups; i++) {
        if (!enqueue_group(h, work, h->event[i + 1], why))
            return false;
        if (i < IN_FLIGHT)
            continue;
        PEAK_TRY(cudaEventSynchronize(h->event[i + 1 - IN_FLIGHT]));
        if (i >= h->n_warm)
            sample_clocks(h);
    }
    PEAK_TRY(cudaStreamSynchronize(h->stream));
    return true;
}

static bool read_groups(const struct hold *h, const struct peak_work *work, struct peak_result *r, char *why)
{
    const double each = work->amount * h->per_group;
    float ms;

    for (int i = 0; i < h->n_groups; i++) {
        PEAK_TRY(cudaEventElapsedTime(&ms, h->event[i], h->event[i + 1]));
        if (ms > 0 && each / (ms * 1e-3) > r->burst)
            r->burst = each / (ms * 1e-3);
    }
    PEAK_TRY(cudaEventElapsedTime(&ms, h->event[h->n_warm], h->event[h->n_groups]));
    if (ms <= 0) {
        snprintf(why, PEAK_WHY, "the events' clock did not move");
        return false;
    }
    r->seconds = ms * 1e-3;
    r->value = each * (h->n_groups - h->n_warm) / r->seconds;
    return true;
}

static bool hold_all(struct hold *h, const struct peak_card *card, const struct peak_work *work, struct peak_result *r, char *why)
{
    PEAK_TRY(cudaStreamCreateWithFlags(&h->stream, cudaStreamNonBlocking));
    for (; h->n_events <= MOST_GROUPS; h->n_events++)
        PEAK_TRY(cudaEventCreate(&h->event[h->n_events]));
    return size_groups(h, card, work, why) && run_groups(h, work, why) && read_groups(h, work, r, why);
}

bool peak_hold(const struct peak_card *card, const struct peak_work *work, struct peak_result *result, char *why)
{
    static struct hold h;
    bool is_done;

    memset(&h, 0, sizeof h);
    is_done = hold_all(&h, card, work, result, why);
    for (int i = 0; i < h.n_events; i++)
        cudaEventDestroy(h.event[i]);
    if (h.stream)
        cudaStreamDestroy(h.stream);
    result->sm_mhz = h.n_samples ? h.sm_mhz / h.n_samples : card->sm_mhz_most;
    result->memory_mhz = h.n_samples ? h.memory_mhz / h.n_samples : card->memory_mhz_most;
    result->clock_source = h.n_samples ? "nvml" : result->sm_mhz > 0 ? "attribute" : NULL;
    return is_done;
}

void peak_theory_of_sms(const struct peak_card *card, double per_sm_clock, struct peak_result *result)
{
    result->theory = per_sm_clock * card->multiprocessors * result->sm_mhz * 1e6;
}

/* Two transfers a cycle, as all memories of these cards do by the clock that the driver names. */
void peak_theory_of_memory(const struct peak_card *card, struct peak_result *result)
{
    result->theory = 2 * result->memory_mhz * 1e6 * card->bus_bits / 8 / 1e9;
}
