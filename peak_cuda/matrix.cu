/* matrix.cu - the matrix units' rate for each type, ours first and the library's (cublaslt.cu) beside it; whether they are
 * right, as features. Not here: the instructions (wgmma.cu, mma.cu). */
#include "peak_cuda/matrix.cuh"
#include "peak_cuda/number.cuh"

#include <math.h>

const char *peak_type_name(enum peak_type type)
{
    static const char *const names[] = { "tf32", "bf16", "fp16", "fp8 e4m3", "int8" };

    return names[type];
}

double peak_relative_error(const double *got, const double *truth, size_t n)
{
    double off = 0, norm = 0;

    for (size_t i = 0; i < n; i++) {
        off += (got[i] - truth[i]) * (got[i] - truth[i]);
        norm += truth[i] * truth[i];
    }
    return norm > 0 ? sqrt(off / norm) : NAN;
}

/* Dense, with f32 (int32) sums, as the maker's white papers state them for each architecture: A100 (8.0), L4 and L40S (8.9;
 * consumer cards of it do half), H100 (9.0), B200 (10.0). 8.6 is left out, for its cards differ among themselves. */
double peak_matrix_per_sm_clock(const struct peak_card *card, enum peak_type type)
{
    static const struct { int capability; double rate[PEAK_N_TYPES]; } known[] = {
        { 80, { 1024, 2048, 2048, 0, 4096 } },
        { 89, { 512, 1024, 1024, 2048, 2048 } },
        { 90, { 2048, 4096, 4096, 8192, 8192 } },
        { 100, { 4096, 8192, 8192, 16384, 16384 } },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].capability == 10 * card->major + card->minor)
            return known[i].rate[type];
    return 0;
}

/* A way to drive the units. */
struct way {
    bool (*init)(const struct peak_card *card, struct peak_matrix *matrix, char *why);
    cudaError_t (*enqueue)(void *matrix, cudaStream_t stream);
    bool (*check)(const struct peak_matrix *matrix, char *why);
};
static const struct way warpgroups = { peak_wgmma_init, peak_wgmma_enqueue, peak_wgmma_check },
                        warps = { peak_mma_init, peak_mma_enqueue, peak_mma_check };

static bool enqueue_once(const struct way *way, struct peak_matrix *m, char *why)
{
    PEAK_TRY(way->enqueue(m, 0));
    PEAK_TRY(cudaDeviceSynchronize());
    return true;
}

static bool run_matrix(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why)
{
    const struct way *const way = card->major == 9 ? &warpgroups : &warps;
    struct peak_matrix m = { (enum peak_type)item->variant };
    struct peak_work work = { way->enqueue, &m, 0 };
    bool is_done = way->init(card, &m, why);

    work.amount = m.flops * 1e-12;
    is_done = is_done && peak_hold(card, &work, r, why) && way->check(&m, why);
    cudaFree(m.d_data);
    cudaFree(m.d_out);
    peak_theory_of_sms(card, 1e-12 * peak_matrix_per_sm_clock(card, m.type), r);
    r->note = card->major == 9   ? "wgmma m64n256, operands in shared memory"
              : card->major < 10 ? "mma.sync, operands in registers"
                                 : "mma.sync; this card has a faster way (tcgen05) that is not used";
    return is_done;
}

#define MATRIX(name, unit, type)                                                                                             \
    { "matrix_" name, unit, "matrix units, " name ", operands in place", NULL, run_matrix, type },                           \
        { "cublaslt_" name, unit, "cuBLASLt's product, " name ", 8192 in each direction", "matrix_" name, peak_cublaslt_run, type }

extern "C" const struct peak_item peak_matrix_items[] = {
    MATRIX("tf32", "TFLOP/s", PEAK_TF32),  MATRIX("bf16", "TFLOP/s", PEAK_BF16), MATRIX("fp16", "TFLOP/s", PEAK_FP16),
    MATRIX("e4m3", "TFLOP/s", PEAK_E4M3), MATRIX("int8", "TOP/s", PEAK_INT8),   { 0 },
};

/* ---- features ---- */

static enum peak_answer try_types(const struct way *way, const struct peak_card *card, int first, int last, char *why)
{
    bool is_right = true;

    for (int type = first; type <= last && is_right; type++) {
        struct peak_matrix m = { (enum peak_type)type };

        is_right = way->init(card, &m, why) && enqueue_once(way, &m, why) && way->check(&m, why);
        cudaFree(m.d_data);
        cudaFree(m.d_out);
    }
    return is_right ? PEAK_YES : PEAK_ERROR;
}

static enum peak_answer try_wgmma(const struct peak_card *card, char *why)
{
    if (card->major != 9) {
        snprintf(why, PEAK_WHY, "warpgroup instructions are those of compute capability 9.0, and this is %d.%d", card->major,
                 card->minor);
        return PEAK_NO;
    }
    return try_types(&warpgroups, card, PEAK_TF32, PEAK_INT8, why);
}

static enum peak_answer try_mma(const struct peak_card *card, char *why)
{
    const enum peak_answer answer = try_types(&warps, card, PEAK_TF32, PEAK_FP16, why);

    return answer == PEAK_YES ? try_types(&warps, card, PEAK_INT8, PEAK_INT8, why) : answer;
}

static enum peak_answer try_fp8(const struct peak_card *card, char *why)
{
    if (10 * card->major + card->minor < 89) {
        snprintf(why, PEAK_WHY, "compute capability %d.%d is below 8.9", card->major, card->minor);
        return PEAK_NO;
    }
    return try_types(&warps, card, PEAK_E4M3, PEAK_E4M3, why);
}

extern "C" const struct peak_feature peak_matrix_features[] = {
    { "wgmma", "warpgroup matrix instructions of five types, a tile compared with f64", try_wgmma },
    { "mma", "warp matrix instructions tf32, bf16, fp16, int8, compared with f64", try_mma },
    { "fp8_mma", "warp matrix instruction fp8 e4m3, compared with f64", try_fp8 },
    { 0 },
};
