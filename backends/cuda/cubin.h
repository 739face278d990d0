/* cubin.h - what the machine code that a driver loaded says of each kernel: the narrowest type that its matrix instructions
 * multiply, whether they skip every other weight, and whether it may launch from the device. Code proves what a name only
 * claims, and it is the one trace that a launch from the device leaves: CUPTI 13 records none.
 * Not here: who finds the code (recorder_cuda/calls.c), which kernels ran (trace_make.c), what that means (checks/).
 * Why out of what was loaded, and not of the variant's file: there images lie compressed, or as PTX that the driver compiles, and
 * a library's kernels lie elsewhere. */
#ifndef AISP_CUDA_CUBIN_H
#define AISP_CUDA_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_code {
    char math[8];   /* "tf32", "f16", "bf16", "f8", "f64", "i8", "i4", "b1"; "": no matrix instruction of a known kind */
    bool is_sparse; /* of the sparse form */
    bool launches;  /* its module holds the device's runtime, with what launches or copies */
    uint64_t hash;  /* of its instructions and of those that it may call; its constants and arguments are in none. Never 0 */
};

/* Each function of the image, with what it calls in there: nobody's calls are followed, so functions of the same module that
 * are no kernels count for all its kernels. Every byte is taken as hostile. False: no 64-bit ELF image of NVIDIA's, or a cut
 * one. */
typedef void cuda_cubin_visit(void *to, const char *kernel, const struct cuda_code *code);
bool cuda_cubin_read(const void *image, size_t bytes, cuda_cubin_visit *visit, void *to);

/* One instruction of sm_80 to sm_120, 16 bytes. False: it multiplies no matrices. What the encodings are was found by compiling
 * each of PTX's (tests/unit/cubin_test.c does it again for sm_80 where there is nvcc). tcgen05 is not among them. */
bool cuda_matrix_instruction(const uint64_t word[2], struct cuda_code *code);

/* A kernel's name as a number, equal for the name in the image and the one that a driver reports: whichever of the two has it,
 * the prefix by which a linker keeps apart what is static does not count. Never 0. */
uint64_t cuda_code_name(const char *kernel);

#endif
