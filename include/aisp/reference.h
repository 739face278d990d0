/* reference.h - the truth once more, as a kernel: reference.cu beside problem.c, in f64 (integers: exact), for devices on which rows
 * of the CPU's truth would cost more than everything they judge. It runs in the judge's own context, never where a variant runs.
 * It says the same as problem.c's reference(): the tests compare the two, and a problem without one is judged by the CPU's. */
#ifndef AISP_REFERENCE_H
#define AISP_REFERENCE_H

#include <stdint.h>

#include <aisp/problem.h>
#include <aisp/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers are the device's: one for each tensor in declaration order, INOUT as it was before the call, OUT is NULL. */
struct aisp_device_view { const void *const *tensor; const int64_t *param; void *stream; };

struct aisp_reference {
    uint32_t abi;
    /* Enqueues rows [first, first + n) of output tensor `out` on the view's stream; `to` is the device's, of double for floating
     * types and int64_t for integers. Legal at any parameters. */
    enum aisp_status (*rows)(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to);
};

#if defined(__cplusplus)
#define AISP_REFERENCE extern "C" const struct aisp_reference aisp_reference; const struct aisp_reference aisp_reference
#else
#define AISP_REFERENCE const struct aisp_reference aisp_reference
#endif

#ifdef __cplusplus
}
#endif
#endif
