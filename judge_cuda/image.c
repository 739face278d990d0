/* image.c - the kernels as nvcc made them, inside the program: there is no file to lose, and no
 * path to trust. Without nvcc there is a text in their place, so that the program is the same
 * everywhere but for its kernels. */
#include "judge_cuda/program.h"

#ifdef JUDGE_IMAGE

const bool judge_has_image = true;

__asm__(".section .rodata\n"
        ".balign 64\n"
        ".globl judge_image\n"
        ".type judge_image, @object\n"
        "judge_image:\n"
        ".incbin \"" JUDGE_IMAGE "\"\n"
        ".byte 0\n"
        ".size judge_image, . - judge_image\n"
        ".previous\n");

#else

const bool judge_has_image = false;
const char judge_image[] = "aisp: built without nvcc";

#endif
