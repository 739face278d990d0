/* matrix.cuh - inside the matrix rates: what a way of driving the matrix units offers to matrix.cu. */
#ifndef PEAK_MATRIX_CUH
#define PEAK_MATRIX_CUH

#include "peak_cuda/measure.cuh"

/* One way and type, its data on the card. */
struct peak_matrix {
    enum peak_type type;
    unsigned blocks;
    int tiles;                 /* of a block and launch */
    void *d_data, *d_out;
    double flops;              /* of one launch */
};

/* Warpgroups' instructions (compute capability 9.0 alone) and warps' (all since 8.0). Both answer false with the reason.
 * _check compares one tile with a product in f64. */
bool peak_wgmma_init(const struct peak_card *card, struct peak_matrix *matrix, char *why);
cudaError_t peak_wgmma_enqueue(void *matrix, cudaStream_t stream);
bool peak_wgmma_check(const struct peak_matrix *matrix, char *why);
bool peak_mma_init(const struct peak_card *card, struct peak_matrix *matrix, char *why);
cudaError_t peak_mma_enqueue(void *matrix, cudaStream_t stream);
bool peak_mma_check(const struct peak_matrix *matrix, char *why);

/* The library's product of the same type, 8192 in each direction. */
bool peak_cublaslt_run(const struct peak_card *card, const struct peak_item *item, struct peak_result *r, char *why);

/* Operations of an SM in a cycle; 0: not known to this program. */
double peak_matrix_per_sm_clock(const struct peak_card *card, enum peak_type type);

/* |got - truth| relative to |truth|, of n numbers. */
double peak_relative_error(const double *got, const double *truth, size_t n);

#endif
