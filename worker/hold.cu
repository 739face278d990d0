/* hold.cu - the kernel behind which the calls of a held window wait. One thread: it leaves the card to whoever takes turns with
 * it, and its end is all that the first call waits for. It polls a word of the supervisor's, in this machine's memory, which the
 * worker may not write. Each look is a read over the bus, about 1 us, and so is the release. It counts its looks where the
 * supervisor sees them: a stream whose context has no turn on the card, because the judge has it, counts none.
 * Launch: one block of one thread, nothing shared. */
#include "backends/cuda/hold.h"

__device__ static unsigned long long now_ns(void)
{
    unsigned long long ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

extern "C" __global__ void aisp_hold(struct cuda_hold hold)
{
    const volatile unsigned *go = (const volatile unsigned *)hold.go;
    volatile unsigned *beat = (volatile unsigned *)hold.beat;
    const unsigned long long begin_ns = now_ns();
    unsigned n = *beat;

    while (*go != hold.seq && now_ns() - begin_ns < hold.limit_ns) {
        *beat = ++n;
        __nanosleep(20);
    }
}
