/* memory.cu - bytes a second of the card's own memory, of its L2 and of shared memory. Which of some forms of a loop is fastest
 * differs from card to card, by a per cent or two: all are tried and the best is held.
 * Loads and stores are 16 bytes a thread, several in flight before the first is used. What is read is folded into a word that
 * is stored only where it has one value in 2^64, so that nothing can be left out and nothing extra is written. */
#include "peak_cuda/measure.cuh"

enum { THREADS = 256, EACH = 8, TILE = THREADS * EACH };          /* 16-byte words of one block and step */
enum { SHARED_THREADS = 1024, SHARED_BYTES = 32768, SHARED_ROUNDS = 512, SHARED_EACH = 16 };

__device__ static inline uint4 fold(uint4 a, uint4 b)
{
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

__device__ static inline void keep(uint4 x, uint4 *sink)
{
    if (x.x == 0x2545f491u && x.y == 0x4f6cdd1du && x.z == 0x9e3779b9u && x.w == 0x7f4a7c15u)
        *sink = x;
}

/* 16 bytes, or 16 bytes that caches need not keep. */
template <int STREAMS> __device__ static inline uint4 load(const uint4 *from)
{
    return STREAMS ? __ldcs(from) : *from;
}

template <int STREAMS> __device__ static inline void store(uint4 *to, uint4 x)
{
    if (STREAMS)
        __stcs(to, x);
    else
        *to = x;
}

/* copy - to = from. from, to: n 16-byte words, n a multiple of THREADS * N, no overlap. Launch: n / (THREADS N) blocks of THREADS.
 * Cost: 32 n bytes. */
template <int N, int STREAMS> __global__ static void copy(uint4 *__restrict__ to, const uint4 *__restrict__ from)
{
    const size_t at = blockIdx.x * (size_t)(THREADS * N) + threadIdx.x;
    uint4 x[N];

#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = load<STREAMS>(from + at + i * THREADS);
#pragma unroll
    for (int i = 0; i < N; i++)
        store<STREAMS>(to + at + i * THREADS, x[i]);
}

/* As copy, reading alone. Cost: 16 n bytes. */
template <int N, int STREAMS> __global__ static void read(uint4 *sink, const uint4 *__restrict__ from)
{
    const size_t at = blockIdx.x * (size_t)(THREADS * N) + threadIdx.x;
    uint4 x[N], all = make_uint4(0, 0, 0, 0);

#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = load<STREAMS>(from + at + i * THREADS);
#pragma unroll
    for (int i = 0; i < N; i++)
        all = fold(all, x[i]);
    keep(all, sink);
}

/* As copy, writing alone: words that differ by address. */
template <int N, int STREAMS> __global__ static void write(uint4 *__restrict__ to, uint32_t salt)
{
    const size_t at = blockIdx.x * (size_t)(THREADS * N) + threadIdx.x;

#pragma unroll
    for (int i = 0; i < N; i++) {
        const uint32_t x = ((uint32_t)(at + i * THREADS) ^ salt) * 0x9e3779b9u;

        store<STREAMS>(to + at + i * THREADS, make_uint4(x, x * 0x85ebca6bu, x ^ 0xc2b2ae35u, ~x * 0x27d4eb2fu));
    }
}

/* read_l2 - every block reads all n words, past its L1, from a place of its own on. Launch: any grid of THREADS.
 * Cost: 16 n passes gridDim.x bytes out of L2. */
__global__ static void read_l2(uint4 *sink, const uint4 *__restrict__ from, int n_tiles, int passes)
{
    uint4 all = make_uint4(0, 0, 0, 0);
    int tile = (int)((blockIdx.x * 2654435761u) % (unsigned)n_tiles);

    for (int step = 0; step < passes * n_tiles; step++) {
        uint4 x[EACH];

#pragma unroll
        for (int i = 0; i < EACH; i++)
            x[i] = __ldcg(from + (size_t)tile * TILE + threadIdx.x + i * THREADS);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            all = fold(all, x[i]);
        tile = tile + 1 == n_tiles ? 0 : tile + 1;
    }
    keep(all, sink);
}

/* read_shared - 16 bytes a thread and load, no two threads of a quarter-warp in one bank; volatile, or a load of the same address
 * would be left out. Launch: SHARED_THREADS a block.
 * Cost: 16 SHARED_THREADS SHARED_EACH SHARED_ROUNDS bytes a block out of shared memory. */
__global__ __launch_bounds__(SHARED_THREADS, 2) static void read_shared(uint4 *sink, const uint4 *__restrict__ from)
{
    __shared__ uint4 words[SHARED_BYTES / 16];
    uint4 all = make_uint4(0, 0, 0, 0);
    uint32_t base;

    for (int i = threadIdx.x; i < SHARED_BYTES / 16; i += SHARED_THREADS)
        words[i] = from[i];
    __syncthreads();
    base = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x * 16;
    for (int round = 0; round < SHARED_ROUNDS; round++) {
        uint4 x[SHARED_EACH / 2];

#pragma unroll
        for (int half = 0; half < 2; half++) {
#pragma unroll
            for (int i = 0; i < SHARED_EACH / 2; i++)
                asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x[i].x), "=r"(x[i].y), "=r"(x[i].z), "=r"(x[i].w)
                             : "r"(base + (i & 1) * (SHARED_BYTES / 2)));
#pragma unroll
            for (int i = 0; i < SHARED_EACH / 2; i += 2)
                all = fold(all, fold(x[i], x[i + 1]));
        }
    }
    keep(all, sink);
}

/* ---- host ---- */

enum kind { COPY, READ, WRITE, L2, SHARED };

typedef void copy_kernel(uint4 *to, const uint4 *from);
typedef void write_kernel(uint4 *to, uint32_t salt);

/* 16-byte words of a thread, and whether caches are told that they need not keep them. */
static const struct form {
    const char *name;
    int each;
    copy_kernel *copying, *reading;
    write_kernel *writing;
} forms[] = {
    { "16 bytes a thread", 1, copy<1, 0>, read<1, 0>, write<1, 0> },
    { "16 bytes a thread, streaming", 1, copy<1, 1>, read<1, 1>, write<1, 1> },
    { "64 bytes a thread", 4, copy<4, 0>, read<4, 0>, write<4, 0> },
    { "64 bytes a thread, streaming", 4, copy<4, 1>, read<4, 1>, write<4, 1> },
    { "128 bytes a thread, streaming", 8, copy<8, 1>, read<8, 1>, write<8, 1> },
};
enum { N_FORMS = sizeof forms / sizeof *forms };

struct place {
    enum kind kind;
    const struct form *form;
    uint4 *d_to, *d_from;
    unsigned blocks;           /* L2 and shared memory */
    size_t n_words;            /* the card's memory */
    int n_tiles, passes;
    uint32_t salt;
};

static cudaError_t enqueue(void *state, cudaStream_t stream)
{
    struct place *p = (struct place *)state;
    const unsigned blocks = p->form ? (unsigned)(p->n_words / ((size_t)THREADS * p->form->each)) : p->blocks;

    switch (p->kind) {
    case COPY:
        p->form->copying<<<blocks, THREADS, 0, stream>>>(p->d_to, p->d_from);
        break;
    case READ:
        p->form->reading<<<blocks, THREADS, 0, stream>>>(p->d_to, p->d_from);
        break;
    case WRITE:
        p->form->writing<<<blocks, THREADS, 0, stream>>>(p->d_to, p->salt += 0x632be5abu);
        break;
    case L2:
        read_l2<<<blocks, THREADS, 0, stream>>>(p->d_to, p->d_from, p->n_tiles, p->passes);
        break;
    case SHARED:
        read_shared<<<blocks, SHARED_THREADS, 0, stream>>>(p->d_to, p->d_from);
        break;
    }
    return cudaGetLastError();
}

/* The form that a few launches take least time with, after one that loads its code. */
static bool choose_form(struct place *p, char *why)
{
    enum { LAUNCHES = 8 };
    const struct form *best = NULL;
    float best_ms = 0, ms = 0;
    cudaEvent_t from, to;

    PEAK_TRY(cudaEventCreate(&from));
    PEAK_TRY(cudaEventCreate(&to));
    for (int f = 0; f < N_FORMS; f++) {
        p->form = &forms[f];
        PEAK_TRY(enqueue(p, 0));
        PEAK_TRY(cudaEventRecord(from, 0));
        for (int i = 0; i < LAUNCHES; i++)
            PEAK_TRY(enqueue(p, 0));
        PEAK_TRY(cudaEventRecord(to, 0));
        PEAK_TRY(cudaEventSynchronize(to));
        PEAK_TRY(cudaEventElapsedTime(&ms, from, to));
        if (!best || ms < best_ms) {
            best = p->form;
            best_ms = ms;
        }
    }
    p->form = best;
    PEAK_TRY(cudaEventDestroy(from));
    PEAK_TRY(cudaEventDestroy(to));
    return true;
}

__global__ static void count_differences(const uint64_t *a, const uint64_t *b, size_t n, unsigned *n_different)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(n_different, 1u);
}

/* After a copy: the target has to hold the source. */
static bool check_copy(const struct place *p, size_t bytes, char *why)
{
    unsigned *d_n, n = 1;

    PEAK_TRY(cudaMalloc(&d_n, sizeof n));
    PEAK_TRY(cudaMemset(d_n, 0, sizeof n));
    count_differences<<<1024, 256>>>((uint64_t *)p->d_to, (uint64_t *)p->d_from, bytes / 8, d_n);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaMemcpy(&n, d_n, sizeof n, cudaMemcpyDeviceToHost));
    PEAK_TRY(cudaFree(d_n));
    if (n)
        snprintf(why, PEAK_WHY, "%u words of 8 bytes differ after the copy", n);
    return !n;
}

static bool hold_place(const struct peak_card *card, struct place *p, size_t bytes, double amount, struct peak_result *r,
                       char *why)
{
    const struct peak_work work = { enqueue, p, amount };

    PEAK_TRY(cudaMalloc(&p->d_to, p->kind == COPY || p->kind == WRITE ? bytes : 256));
    if (p->kind != WRITE) {
        PEAK_TRY(cudaMalloc(&p->d_from, bytes));
        PEAK_TRY(peak_fill(p->d_from, bytes, 0));
        PEAK_TRY(cudaDeviceSynchronize());
    }
    if (p->n_words && !choose_form(p, why))
        return false;
    if (!peak_hold(card, &work, r, why))
        return false;
    r->note = p->form ? p->form->name : NULL;
    return p->kind != COPY || check_copy(p, bytes, why);
}

static bool hold_and_free(const struct peak_card *card, struct place *p, size_t bytes, double amount, struct peak_result *r,
                          char *why)
{
    const bool is_done = hold_place(card, p, bytes, amount, r, why);

    cudaFree(p->d_to);
    cudaFree(p->d_from);
    return is_done;
}

/* More than three times what L2 holds, a gibibyte where that is more, but a quarter of what is free at most. */
static bool run_dram(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct place p = { (enum kind)item->variant };
    size_t free_bytes, all, bytes = (size_t)1 << 30;

    PEAK_TRY(cudaMemGetInfo(&free_bytes, &all));
    bytes = bytes > 4 * (size_t)card->l2_bytes ? bytes : 4 * (size_t)card->l2_bytes;
    bytes = bytes < free_bytes / 4 ? bytes : free_bytes / 4;
    bytes -= bytes % (16 * TILE);
    if (bytes <= 3 * (size_t)card->l2_bytes) {
        snprintf(why, PEAK_WHY, "only %zu MiB are free: too little to reach past L2", free_bytes >> 20);
        return false;
    }
    p.n_words = bytes / 16;
    r->working_set_bytes = (int64_t)(p.kind == COPY ? 2 * bytes : bytes);
    if (!hold_and_free(card, &p, bytes, (p.kind == COPY ? 2e-9 : 1e-9) * (double)bytes, r, why))
        return false;
    peak_theory_of_memory(card, r);
    return true;
}

/* As many blocks as there is room for at once, so that all take equally long. */
static bool fill_card(const struct peak_card *card, const void *kernel, int threads, unsigned *blocks, char *why)
{
    int per_sm = 0;

    PEAK_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, 0));
    *blocks = (unsigned)(card->multiprocessors * per_sm);
    return true;
}

/* A quarter of L2: where L2 has two halves, each of them can hold it. */
static bool run_l2(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct place p = { (enum kind)item->variant };
    size_t bytes = (size_t)card->l2_bytes / 4;

    p.n_tiles = (int)(bytes / (16 * TILE));
    if (p.n_tiles < 1) {
        snprintf(why, PEAK_WHY, "the card does not say how large its L2 is");
        return false;
    }
    bytes = (size_t)p.n_tiles * 16 * TILE;
    p.passes = 2;
    if (!fill_card(card, (const void *)read_l2, THREADS, &p.blocks, why))
        return false;
    r->working_set_bytes = (int64_t)bytes;
    return hold_and_free(card, &p, bytes, 1e-9 * (double)bytes * p.passes * p.blocks, r, why);
}

/* 32 banks of 4 bytes a cycle and SM. */
static bool run_shared(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct place p = { (enum kind)item->variant };
    const double a_block = 16.0 * SHARED_THREADS * SHARED_EACH * SHARED_ROUNDS;

    if (!fill_card(card, (const void *)read_shared, SHARED_THREADS, &p.blocks, why))
        return false;
    r->working_set_bytes = SHARED_BYTES;
    if (!hold_and_free(card, &p, SHARED_BYTES, 1e-9 * a_block * p.blocks, r, why))
        return false;
    peak_theory_of_sms(card, 128e-9, r);
    return true;
}

extern "C" const struct peak_item peak_memory_items[] = {
    { "dram_copy", "GB/s", "copy within the card's memory, bytes read and written", NULL, run_dram, COPY },
    { "dram_read", "GB/s", "read the card's memory", NULL, run_dram, READ },
    { "dram_write", "GB/s", "write the card's memory", NULL, run_dram, WRITE },
    { "l2_read", "GB/s", "read a quarter of L2, by all multiprocessors", NULL, run_l2, L2 },
    { "shared_read", "GB/s", "read shared memory, 16 bytes a thread, free of bank conflicts", NULL, run_shared, SHARED },
    { 0 },
};
