/* Names for what problem.c declares, in its order. */
#ifndef VECTOR_ADD_PROBLEM_H
#define VECTOR_ADD_PROBLEM_H

enum { N };       /* param[] */
enum { X, Y, Z }; /* tensor[] */

#endif
