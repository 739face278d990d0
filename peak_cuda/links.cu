/* links.cu - bytes a second between the card and pinned host memory, and between two cards. */
#include "peak_cuda/measure.cuh"

enum way { TO_DEVICE, TO_HOST, BOTH_WAYS };
static const size_t BYTES = (size_t)128 << 20;

struct link {
    enum way way;
    void *h_up, *h_down, *d_up, *d_down;       /* up: to the card */
    cudaStream_t other;
    cudaEvent_t begun, ended;
    int device, peer;                          /* peer: whose is the other stream; of the host's link the same card */
};

/* Both ways: the other stream begins with and ends before the one that is timed. */
static cudaError_t enqueue_host(void *state, cudaStream_t stream)
{
    struct link *l = (struct link *)state;
    cudaError_t e;

    if (l->way == TO_HOST)
        return cudaMemcpyAsync(l->h_down, l->d_down, BYTES, cudaMemcpyDeviceToHost, stream);
    if (l->way == TO_DEVICE)
        return cudaMemcpyAsync(l->d_up, l->h_up, BYTES, cudaMemcpyHostToDevice, stream);
    e = cudaEventRecord(l->begun, stream);
    e = e ? e : cudaStreamWaitEvent(l->other, l->begun, 0);
    e = e ? e : cudaMemcpyAsync(l->d_up, l->h_up, BYTES, cudaMemcpyHostToDevice, stream);
    e = e ? e : cudaMemcpyAsync(l->h_down, l->d_down, BYTES, cudaMemcpyDeviceToHost, l->other);
    e = e ? e : cudaEventRecord(l->ended, l->other);
    return e ? e : cudaStreamWaitEvent(stream, l->ended, 0);
}

/* The way back is the other card's to go: one card's engine takes one copy to or from another card at a time. */
static cudaError_t enqueue_peer(void *state, cudaStream_t stream)
{
    struct link *l = (struct link *)state;
    cudaError_t e;

    if (l->way != BOTH_WAYS)
        return cudaMemcpyPeerAsync(l->d_down, l->peer, l->d_up, l->device, BYTES, stream);
    e = cudaEventRecord(l->begun, stream);
    e = e ? e : cudaStreamWaitEvent(l->other, l->begun, 0);
    e = e ? e : cudaMemcpyPeerAsync(l->d_down, l->peer, l->d_up, l->device, BYTES, stream);
    e = e ? e : cudaMemcpyPeerAsync((char *)l->d_up + BYTES, l->device, (char *)l->d_down + BYTES, l->peer, BYTES, l->other);
    e = e ? e : cudaEventRecord(l->ended, l->other);
    return e ? e : cudaStreamWaitEvent(stream, l->ended, 0);
}

static bool open_second(struct link *l, char *why)
{
    PEAK_TRY(cudaEventCreateWithFlags(&l->begun, cudaEventDisableTiming));
    PEAK_TRY(cudaSetDevice(l->peer));
    PEAK_TRY(cudaStreamCreateWithFlags(&l->other, cudaStreamNonBlocking));
    PEAK_TRY(cudaEventCreateWithFlags(&l->ended, cudaEventDisableTiming));
    PEAK_TRY(cudaSetDevice(l->device));
    return true;
}

static void close_all(struct link *l)
{
    cudaFreeHost(l->h_up);
    cudaFreeHost(l->h_down);
    cudaFree(l->d_up);
    cudaFree(l->d_down);
    if (l->other)
        cudaStreamDestroy(l->other);
    if (l->begun)
        cudaEventDestroy(l->begun);
    if (l->ended)
        cudaEventDestroy(l->ended);
}

/* ---- the host's link ---- */

static bool open_host(struct link *l, char *why)
{
    PEAK_TRY(cudaMallocHost(&l->h_up, BYTES));
    PEAK_TRY(cudaMallocHost(&l->h_down, BYTES));
    PEAK_TRY(cudaMalloc(&l->d_up, BYTES));
    PEAK_TRY(cudaMalloc(&l->d_down, BYTES));
    for (size_t i = 0; i < BYTES / 8; i++)
        ((uint64_t *)l->h_up)[i] = peak_bits(i + 7);
    PEAK_TRY(peak_fill(l->d_down, BYTES, 0));
    PEAK_TRY(cudaDeviceSynchronize());
    return open_second(l, why);
}

/* What went up is fetched again; what came down is known by its index. */
static bool check_host(struct link *l, char *why)
{
    const uint64_t *down = (const uint64_t *)l->h_down;
    size_t n_wrong = 0;

    for (size_t i = 0; l->way != TO_DEVICE && i < BYTES / 8; i++)
        n_wrong += down[i] != peak_bits(i);
    if (l->way != TO_HOST) {
        PEAK_TRY(cudaMemcpy(l->h_down, l->d_up, BYTES, cudaMemcpyDeviceToHost));
        n_wrong += memcmp(l->h_down, l->h_up, BYTES) != 0;
    }
    if (n_wrong)
        snprintf(why, PEAK_WHY, "what arrived is not what was sent");
    return !n_wrong;
}

static bool run_host(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct link l = { (enum way)item->variant };
    const int ways = l.way == BOTH_WAYS ? 2 : 1;
    const struct peak_work work = { enqueue_host, &l, 1e-9 * (double)BYTES * ways };
    bool is_done;

    l.device = l.peer = card->device;
    is_done = open_host(&l, why) && peak_hold(card, &work, r, why) && check_host(&l, why);

    close_all(&l);
    r->working_set_bytes = (int64_t)BYTES * ways;
    r->theory = peak_nvml_pcie_gbps() * ways;
    r->note = r->theory > 0 ? "theory: the PCIe link's lanes and rate as it runs, before packets" : NULL;
    return is_done;
}

/* ---- another card ---- */

static bool open_peer(struct link *l, char *why)
{
    int can = 0;

    PEAK_TRY(cudaDeviceCanAccessPeer(&can, l->device, l->peer));
    if (!can) {
        snprintf(why, PEAK_WHY, "cards %d and %d do not reach each other's memory", l->device, l->peer);
        return false;
    }
    PEAK_TRY(cudaSetDevice(l->peer));
    PEAK_TRY(peak_reach(l->device));
    PEAK_TRY(cudaMalloc(&l->d_down, 2 * BYTES));
    PEAK_TRY(peak_fill(l->d_down, 2 * BYTES, 0));
    PEAK_TRY(cudaMemset(l->d_down, 0, BYTES));                  /* what is copied to holds something else */
    PEAK_TRY(cudaDeviceSynchronize());
    PEAK_TRY(cudaSetDevice(l->device));
    PEAK_TRY(peak_reach(l->peer));
    PEAK_TRY(cudaMalloc(&l->d_up, 2 * BYTES));
    PEAK_TRY(peak_fill(l->d_up, 2 * BYTES, 0));
    PEAK_TRY(cudaMemset((char *)l->d_up + BYTES, 0, BYTES));
    PEAK_TRY(cudaDeviceSynchronize());
    PEAK_TRY(cudaMallocHost(&l->h_down, BYTES));
    return open_second(l, why);
}

/* Words of a copy's target that are not those of its source, which are known by their index. */
static cudaError_t count_wrong(struct link *l, const void *d_to, uint64_t first, size_t *n_wrong)
{
    const uint64_t *words = (const uint64_t *)l->h_down;
    const cudaError_t e = cudaMemcpy(l->h_down, d_to, BYTES, cudaMemcpyDefault);

    for (size_t i = 0; e == cudaSuccess && i < BYTES / 8; i++)
        *n_wrong += words[i] != peak_bits(first + i);
    return e;
}

static bool check_peer(struct link *l, char *why)
{
    size_t n_wrong = 0;

    PEAK_TRY(count_wrong(l, l->d_down, 0, &n_wrong));
    if (l->way == BOTH_WAYS)
        PEAK_TRY(count_wrong(l, (char *)l->d_up + BYTES, BYTES / 8, &n_wrong));
    if (n_wrong)
        snprintf(why, PEAK_WHY, "%zu words that arrived are not what was sent", n_wrong);
    return !n_wrong;
}

static bool run_peer(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct link l = { (enum way)item->variant };
    const int ways = l.way == BOTH_WAYS ? 2 : 1;
    const struct peak_work work = { enqueue_peer, &l, 1e-9 * (double)BYTES * ways };
    bool is_done;
    int n_links;

    if (card->n_devices < 2) {
        snprintf(why, PEAK_WHY, "there is one card only");
        return false;
    }
    l.device = card->device;
    l.peer = card->device ? 0 : 1;
    is_done = open_peer(&l, why) && peak_hold(card, &work, r, why) && check_peer(&l, why);
    close_all(&l);
    r->working_set_bytes = (int64_t)BYTES * ways;
    r->theory = peak_nvml_nvlink_gbps(&n_links) * ways;
    r->note = n_links ? "theory: all active NVLinks of the card" : "no active NVLink: over PCIe";
    return is_done;
}

extern "C" const struct peak_item peak_link_items[] = {
    { "host_to_device", "GB/s", "pinned host memory to the card", NULL, run_host, TO_DEVICE },
    { "device_to_host", "GB/s", "the card to pinned host memory", NULL, run_host, TO_HOST },
    { "host_both_ways", "GB/s", "both at once, added", NULL, run_host, BOTH_WAYS },
    { "peer_copy", "GB/s", "to another card's memory", NULL, run_peer, TO_DEVICE },
    { "peer_both_ways", "GB/s", "to another card and back at once, added", NULL, run_peer, BOTH_WAYS },
    { 0 },
};
