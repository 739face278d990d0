/* Names for what problem.c declares, in its order. */
#ifndef SHUFFLED_EPOCH_PROBLEM_H
#define SHUFFLED_EPOCH_PROBLEM_H

enum { RECORDS, FIELDS };    /* param[] */
enum { DATA, ORDER, BATCH }; /* tensor[] */

#endif
