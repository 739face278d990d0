/* Names for what problem.c declares, in its order. */
#ifndef MEMORY_TRANSFER_PROBLEM_H
#define MEMORY_TRANSFER_PROBLEM_H

#define STEP 0x1p-7f /* what a unit of a sample is worth */

enum { N };    /* param[] */
enum { X, Y }; /* tensor[] */

#endif
