/* Names for what problem.c declares, in its order, and a bf16 as f32: its bits are the upper
 * half. */
#ifndef MATRIX_UNITS_PROBLEM_H
#define MATRIX_UNITS_PROBLEM_H

#include <stdint.h>
#include <string.h>

enum { M, N, K }; /* param[] */
enum { A, B, C }; /* tensor[] */

static inline float bf16_to_f32(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return value;
}

#endif
