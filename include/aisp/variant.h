/* variant.h - one way to compute a problem.
 * Not here: shapes, fills, tolerances, references (problem.h): a variant cannot change what is asked.
 * A variant allocates no input and no output, reads no clock and prints nothing. */
#ifndef AISP_VARIANT_H
#define AISP_VARIANT_H

#include <stddef.h>
#include <stdint.h>

#include <aisp/problem.h>
#include <aisp/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What tensor[t] points to where t is a FILE: open, read-only, of `bytes` bytes (on the disk rounded up to 4096, for O_DIRECT). To read
 * it, to map it, to advise the kernel and, by fcntl(F_SETFL), to go past the page cache is the variant's choice. */
struct aisp_file { int64_t bytes; int fd; };

/* Before the first call. Weights hold their contents; the tensors of the n_slots call slots have their addresses but only
 * poison in them, or contents that no call gets: this is the place to build graphs, descriptors, registrations and library plans. */
struct aisp_setup {
    const int64_t *param;
    const void *const *weight;           /* in declaration order of the WEIGHT tensors */
    void *const *const *slot;            /* slot[s][t]: address of tensor t in call slot s */
    int n_slots, n_threads, rank, n_ranks;
    void *workspace, *stream;
    void **state;                        /* the variant's own, handed to every call and to teardown */
    void *rendezvous;                    /* shared by the ranks, zero at first; NULL: one rank, or ranks with wires */
    size_t rendezvous_bytes;
    const int *wire;                     /* wire[r]: a socket to rank r that keeps messages whole; or NULL */
};

/* One call: tensors in declaration order (weights included), on CUDA the only stream to use. */
struct aisp_call {
    void *const *tensor;
    const int64_t *param;
    void *state, *workspace, *stream;
    int slot, n_threads, rank, n_ranks;
    void *rendezvous;
    size_t rendezvous_bytes;
    const int *wire;
};

struct aisp_variant {
    uint32_t abi;
    size_t (*workspace_bytes)(const int64_t *param);         /* or NULL: 64-byte aligned scratch, made by the harness */
    enum aisp_status (*setup)(const struct aisp_setup *);    /* or NULL */
    enum aisp_status (*run)(const struct aisp_call *);
    void (*teardown)(void *state);                           /* or NULL */
};

/* What a variant says of itself, as text that is read without loading it. One line a key:
 *   idea    one sentence: what makes it faster
 *   expect  a prediction that a counter can confirm or refute: "store sectors / 8"
 *   uses    what is unusual, comma separated: threads streams graph stable-pointers cooperative device-launch persistent
 *           host-callback atomics-order allocates synchronises jit io_uring library fast-math ...
 *           settings: differs by settings of the device, or by what its kernels are handed, alone
 *   place   wishes for tensors, which the harness fulfils: "x=huge, y=pinned" */
#define AISP_DECLARE(text) \
    __attribute__((section("aisp.declare"), used)) static const char aisp_declaration[] = text

#if defined(__cplusplus)
#define AISP_VARIANT extern "C" const struct aisp_variant aisp_variant; const struct aisp_variant aisp_variant
#else
#define AISP_VARIANT const struct aisp_variant aisp_variant
#endif

#ifdef __cplusplus
}
#endif
#endif
