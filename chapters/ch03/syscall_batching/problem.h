/* Names for what problem.c declares, in its order. */
#ifndef SYSCALL_BATCHING_PROBLEM_H
#define SYSCALL_BATCHING_PROBLEM_H

enum { RECORDS, HEAD_WORDS, BODY_WORDS }; /* param[] */
enum { LOG, HEAD, BODY };                 /* tensor[] */

#endif
