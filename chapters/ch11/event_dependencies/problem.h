/* Names for what problem.c declares, in its order. */
#ifndef EVENT_DEPENDENCIES_PROBLEM_H
#define EVENT_DEPENDENCIES_PROBLEM_H

enum { LAYERS, TILES, WIDTH }; /* param[] */
enum { X, OFFSET, Y };         /* tensor[] */

enum { REACH = 3 }; /* offset is in [0, REACH] */

#endif
