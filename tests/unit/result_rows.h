/* result_rows.h - rows of results as analyses get them, in one line each. */
#ifndef TESTS_UNIT_RESULT_ROWS_H
#define TESTS_UNIT_RESULT_ROWS_H

#include <math.h>

#include "store/query.h"

/* A valid result of the goal speed, on one machine; what is not said was not measured. Override by naming a field. */
#define ROW(name, ratio_, lo_, hi_, ...)                                                                                   \
    {                                                                                                                      \
        .run = "r", .key = "k", .host = "h", .hardware = "cpu:one", .target = "ch01:x", .variant = name,                   \
        .reference = "baseline", .device = "cpu", .size = "default", .goal = "speed", .grade = "development",              \
        .verdict = "FASTER", .ratio = ratio_, .lo95 = lo_, .hi95 = hi_, .a_median_ns = NAN, .b_median_ns = NAN,            \
        .b_p99_ns = NAN, .a_memory_bytes = NAN, .b_memory_bytes = NAN, .a_energy_j = NAN, .b_energy_j = NAN,               \
        .a_per_second = NAN, .b_per_second = NAN, __VA_ARGS__                                                              \
    }

#endif
