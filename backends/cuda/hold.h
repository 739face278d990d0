/* hold.h - the argument of the kernel that holds a stream (worker/hold.cu), in the kernel's way of seeing: addresses of the
 * device.
 * Not here: the words themselves (core/channel.h), who writes them (worker/held.c, backends/cpu/held.c). */
#ifndef AISP_CUDA_HOLD_H
#define AISP_CUDA_HOLD_H

#include <stdint.h>

#define CUDA_HOLD_KERNEL "aisp_hold"

struct cuda_hold {
    uint64_t go, beat; /* the word to poll; the word to count up meanwhile */
    uint64_t limit_ns; /* after so long it ends, whatever stands there */
    uint32_t seq;      /* what go has to become */
};

#endif
