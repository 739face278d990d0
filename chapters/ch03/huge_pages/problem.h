/* Names for what problem.c declares, in its order. */
#ifndef HUGE_PAGES_PROBLEM_H
#define HUGE_PAGES_PROBLEM_H

enum { ENTRIES, WALKS, HOPS }; /* param[] */
enum { TABLE, START, END };    /* tensor[] */

#endif
