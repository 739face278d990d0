/* Names for what problem.c declares, in its order. */
#ifndef PIPELINE_SCHEDULE_PROBLEM_H
#define PIPELINE_SCHEDULE_PROBLEM_H

enum { BATCH, WIDTH };       /* param[] */
enum { X, WEIGHTS, Y };      /* tensor[], of each rank */

#endif
