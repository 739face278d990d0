/* held_image.c - the kernel that holds a stream as nvcc made it, inside the program, as judge_cuda/image.c has the judge's. */
#include "worker/worker.h"

#ifdef HOLD_IMAGE

const bool worker_has_hold_image = true;

__asm__(".section .rodata\n"
        ".balign 64\n"
        ".globl worker_hold_image\n"
        ".type worker_hold_image, @object\n"
        "worker_hold_image:\n"
        ".incbin \"" HOLD_IMAGE "\"\n"
        ".byte 0\n"
        ".size worker_hold_image, . - worker_hold_image\n"
        ".previous\n");

#else

const bool worker_has_hold_image = false;
const char worker_hold_image[] = "aisp: built without nvcc";

#endif
