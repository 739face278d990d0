/* Names for what problem.c declares, in its order, and how a key names a row. */
#ifndef RANDOM_GATHER_PROBLEM_H
#define RANDOM_GATHER_PROBLEM_H

#include <stdint.h>

enum { ENTRIES, BAGS, MEMBERS }; /* param[] */
enum { TABLE, KEY, Y };          /* tensor[] */

enum { WIDTH = 64, KEY_BITS = 31 };

/* Keys lie in [0, 2^31), whatever the number of entries: they are scaled. The product fits for tables below 2^32 rows. */
static inline int64_t row_of(int32_t key, int64_t entries)
{
    return key * entries >> KEY_BITS;
}

#endif
