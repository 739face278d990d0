/* cublaslt.cu - the rate of NVIDIA's own matrix products, beside ours: the library is opened at run time, with the few
 * prototypes and numbers of its interface that are needed. 8192 in each direction, A transposed (rows of k, which fp8 and int8
 * ask for), f32 sums (int8: int32), fp8 with fast accumulation and scale pointers. The best of its own suggestions is held. */
#include "peak_cuda/matrix.cuh"
#include "peak_cuda/number.cuh"

#include <dlfcn.h>

enum { N = 8192, MOST_SUGGESTIONS = 8, N_CHECKED = 16 };
static const size_t WORKSPACE_BYTES = (size_t)64 << 20;

/* The interface, by number. */
enum { OPERATION_TRANSPOSED = 1, COMPUTE_32F = 68, COMPUTE_32F_TF32 = 77, COMPUTE_32I = 72 };
enum { TRANSPOSES_A = 3, SCALE_OF_A = 17, SCALE_OF_B = 18, FAST_SUMS = 25, PREFER_WORKSPACE = 1 };

struct suggestion {
    struct { uint64_t data[8]; } algorithm;
    size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
};

typedef void *lt_object;
static struct {
    int (*create)(lt_object *handle);
    int (*descriptor)(lt_object *descriptor, int compute, int scale);
    int (*set)(lt_object descriptor, int attribute, const void *value, size_t size);
    int (*layout)(lt_object *layout, int type, uint64_t rows, uint64_t columns, int64_t leading);
    int (*preference)(lt_object *preference);
    int (*prefer)(lt_object preference, int attribute, const void *value, size_t size);
    int (*suggest)(lt_object handle, lt_object descriptor, lt_object a, lt_object b, lt_object c, lt_object d,
                   lt_object preference, int most, struct suggestion *suggestions, int *n);
    int (*multiply)(lt_object handle, lt_object descriptor, const void *alpha, const void *a, lt_object a_layout, const void *b,
                    lt_object b_layout, const void *beta, const void *c, lt_object c_layout, void *d, lt_object d_layout,
                    const void *algorithm, void *workspace, size_t workspace_bytes, cudaStream_t stream);
} lt;

#define LT_TRY(call)                                                                                                       \
    do {                                                                                                                   \
        const int lt_status = (call);                                                                                      \
        if (lt_status) {                                                                                                   \
            snprintf(why, PEAK_WHY, "%.*s answers %d", (int)strcspn(#call, "("), #call, lt_status);                        \
            return false;                                                                                                  \
        }                                                                                                                  \
    } while (0)

static bool load(void *library, const char *symbol, void *slot, char *why)
{
    void *const found = dlsym(library, symbol);

    memcpy(slot, &found, sizeof found);
    if (!found)
        snprintf(why, PEAK_WHY, "cuBLASLt has no %s", symbol);
    return found != NULL;
}

static bool open_library(char *why)
{
    static const char *const names[] = { "libcublasLt.so.13", "/usr/local/cuda/lib64/libcublasLt.so.13", "libcublasLt.so.12",
                                         "/usr/local/cuda/lib64/libcublasLt.so.12", "libcublasLt.so" };
    void *library = NULL;

    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, PEAK_WHY, "cuBLASLt is not found (libcublasLt.so.13; LD_LIBRARY_PATH can name its folder)");
        return false;
    }
    return load(library, "cublasLtCreate", &lt.create, why) &&
           load(library, "cublasLtMatmulDescCreate", &lt.descriptor, why) &&
           load(library, "cublasLtMatmulDescSetAttribute", &lt.set, why) &&
           load(library, "cublasLtMatrixLayoutCreate", &lt.layout, why) &&
           load(library, "cublasLtMatmulPreferenceCreate", &lt.preference, why) &&
           load(library, "cublasLtMatmulPreferenceSetAttribute", &lt.prefer, why) &&
           load(library, "cublasLtMatmulAlgoGetHeuristic", &lt.suggest, why) && load(library, "cublasLtMatmul", &lt.multiply, why);
}

/* ---- one product ---- */

struct product {
    enum peak_type type;
    lt_object handle, descriptor, operand, result;
    struct suggestion suggestion[MOST_SUGGESTIONS], *chosen;
    int n_suggestions;
    void *d_a, *d_b, *d_d, *d_workspace;
    float *d_scale;
    union { float f; int32_t i; } one, zero;
};

/* Element i of A is element i of all, of B element N * N + i. */
__global__ static void fill_matrix(uint32_t *words, size_t n_words, int type, uint64_t first)
{
    const int each = 4 / peak_type_bytes(type);

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n_words; i += (size_t)gridDim.x * blockDim.x)
        words[i] = peak_word(type, first + i * each);
}

static int cuda_type(enum peak_type type)
{
    static const int types[] = { CUDA_R_32F, CUDA_R_16BF, CUDA_R_16F, CUDA_R_8F_E4M3, CUDA_R_8I };

    return types[type];
}

/* fp8 products give bf16, int8 ones int32, others their own type. */
static int cuda_result_type(enum peak_type type)
{
    return type == PEAK_E4M3 ? CUDA_R_16BF : type == PEAK_INT8 ? CUDA_R_32I : cuda_type(type);
}

static bool describe(struct product *p, char *why)
{
    const int transposed = OPERATION_TRANSPOSED;
    const int8_t fast = 1;

    LT_TRY(lt.create(&p->handle));
    LT_TRY(lt.descriptor(&p->descriptor, p->type == PEAK_INT8 ? COMPUTE_32I : p->type == PEAK_TF32 ? COMPUTE_32F_TF32 : COMPUTE_32F,
                         p->type == PEAK_INT8 ? CUDA_R_32I : CUDA_R_32F));
    LT_TRY(lt.set(p->descriptor, TRANSPOSES_A, &transposed, sizeof transposed));
    if (p->type == PEAK_E4M3) {
        LT_TRY(lt.set(p->descriptor, SCALE_OF_A, &p->d_scale, sizeof p->d_scale));
        LT_TRY(lt.set(p->descriptor, SCALE_OF_B, &p->d_scale, sizeof p->d_scale));
        LT_TRY(lt.set(p->descriptor, FAST_SUMS, &fast, sizeof fast));
    }
    LT_TRY(lt.layout(&p->operand, cuda_type(p->type), N, N, N));
    LT_TRY(lt.layout(&p->result, cuda_result_type(p->type), N, N, N));
    return true;
}

static bool ask(struct product *p, char *why)
{
    lt_object preference;

    LT_TRY(lt.preference(&preference));
    LT_TRY(lt.prefer(preference, PREFER_WORKSPACE, &WORKSPACE_BYTES, sizeof WORKSPACE_BYTES));
    LT_TRY(lt.suggest(p->handle, p->descriptor, p->operand, p->operand, p->result, p->result, preference, MOST_SUGGESTIONS,
                      p->suggestion, &p->n_suggestions));
    if (!p->n_suggestions)
        snprintf(why, PEAK_WHY, "cuBLASLt suggests no algorithm for it");
    return p->n_suggestions > 0;
}

static bool fill_all(struct product *p, char *why)
{
    const size_t bytes = (size_t)N * N * peak_type_bytes(p->type);
    const float one = 1;

    PEAK_TRY(cudaMalloc(&p->d_a, bytes));
    PEAK_TRY(cudaMalloc(&p->d_b, bytes));
    PEAK_TRY(cudaMalloc(&p->d_d, (size_t)N * N * 4));
    PEAK_TRY(cudaMalloc(&p->d_workspace, WORKSPACE_BYTES));
    PEAK_TRY(cudaMalloc(&p->d_scale, sizeof one));
    PEAK_TRY(cudaMemcpy(p->d_scale, &one, sizeof one, cudaMemcpyHostToDevice));
    fill_matrix<<<1024, 256>>>((uint32_t *)p->d_a, bytes / 4, p->type, 0);
    fill_matrix<<<1024, 256>>>((uint32_t *)p->d_b, bytes / 4, p->type, (uint64_t)N * N);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaDeviceSynchronize());
    if (p->type == PEAK_INT8)
        p->one.i = 1;
    else
        p->one.f = 1;
    return true;
}

static cudaError_t enqueue(void *state, cudaStream_t stream)
{
    struct product *const p = (struct product *)state;
    const int status = lt.multiply(p->handle, p->descriptor, &p->one, p->d_a, p->operand, p->d_b, p->operand, &p->zero, p->d_d,
                                   p->result, p->d_d, p->result, &p->chosen->algorithm, p->d_workspace, WORKSPACE_BYTES, stream);

    return status ? cudaErrorUnknown : cudaGetLastError();
}

/* The suggestion that a few products take least time with. */
static bool choose(struct product *p, char *why)
{
    struct suggestion *best = NULL;
    float best_ms = 0, ms = 0;
    cudaEvent_t from, to;

    PEAK_TRY(cudaEventCreate(&from));
    PEAK_TRY(cudaEventCreate(&to));
    for (int i = 0; i < p->n_suggestions; i++) {
        p->chosen = &p->suggestion[i];
        if (p->chosen->state || enqueue(p, 0) != cudaSuccess)
            continue;
        PEAK_TRY(cudaEventRecord(from, 0));
        for (int k = 0; k < 3; k++)
            PEAK_TRY(enqueue(p, 0));
        PEAK_TRY(cudaEventRecord(to, 0));
        PEAK_TRY(cudaEventSynchronize(to));
        PEAK_TRY(cudaEventElapsedTime(&ms, from, to));
        if (!best || ms < best_ms) {
            best = p->chosen;
            best_ms = ms;
        }
    }
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    p->chosen = best;
    if (!best)
        snprintf(why, PEAK_WHY, "none of cuBLASLt's %d suggestions runs", p->n_suggestions);
    return best != NULL;
}

static double result_of(enum peak_type type, uint32_t bits)
{
    const uint32_t wide = cuda_result_type(type) == CUDA_R_16BF ? bits << 16 : bits;
    float x;

    memcpy(&x, &wide, sizeof x);
    if (type == PEAK_FP16)
        return (double)__half2float(__ushort_as_half((unsigned short)bits));
    return type == PEAK_INT8 ? (double)(int32_t)bits : (double)x;
}

/* Some elements, dealt over the whole of D, against f64: D is by columns, and column j of B and row i of A' are rows of k. */
static bool check(const struct product *p, char *why)
{
    const size_t bytes = cuda_result_type(p->type) == CUDA_R_16BF || p->type == PEAK_FP16 ? 2 : 4;
    double got[N_CHECKED], truth[N_CHECKED], error;

    for (int c = 0; c < N_CHECKED; c++) {
        const uint64_t row = peak_bits(2 * c) % N, column = peak_bits(2 * c + 1) % N;
        uint32_t bits = 0;

        PEAK_TRY(cudaMemcpy(&bits, (char *)p->d_d + (column * N + row) * bytes, bytes, cudaMemcpyDeviceToHost));
        got[c] = result_of(p->type, bits);
        truth[c] = 0;
        for (int k = 0; k < N; k++)
            truth[c] += peak_element_value(p->type, row * N + k) * peak_element_value(p->type, (uint64_t)N * N + column * N + k);
    }
    error = peak_relative_error(got, truth, N_CHECKED);
    if (!(error <= (p->type == PEAK_INT8 ? 0 : 0.02))) {
        snprintf(why, PEAK_WHY, "cuBLASLt's product differs from f64 by %.2g of its norm", error);
        return false;
    }
    return true;
}

bool peak_cublaslt_run(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    struct product p = { (enum peak_type)item->variant };
    const struct peak_work work = { enqueue, &p, 2e-12 * N * N * N };
    const bool is_done = open_library(why) && fill_all(&p, why) && describe(&p, why) && ask(&p, why) && choose(&p, why) &&
                         peak_hold(card, &work, r, why) && check(&p, why);

    r->working_set_bytes = (int64_t)N * N * (2 * peak_type_bytes(p.type));
    peak_theory_of_sms(card, 1e-12 * peak_matrix_per_sm_clock(card, p.type), r);
    r->note = "best of its suggestions; A transposed";
    cudaFree(p.d_a);
    cudaFree(p.d_b);
    cudaFree(p.d_d);
    cudaFree(p.d_workspace);
    cudaFree(p.d_scale);
    return is_done;
}
