/* Names for what problem.c declares, in its order. */
#ifndef RECORD_PARSING_PROBLEM_H
#define RECORD_PARSING_PROBLEM_H

enum { LINES, WIDTH };      /* param[] */
enum { TEXT, COUNT, TOTAL };   /* tensor[] */

#endif
