/* Names for what problem.c declares, in its order, and the number of segments that prompts are made of. */
#ifndef PREFIX_CACHE_PROBLEM_H
#define PREFIX_CACHE_PROBLEM_H

enum { SEGMENTS = 8 };

enum { REQUESTS, DEPTH, TOKENS, DIM };   /* param[] */
enum { PROMPT, E, W, H };                /* tensor[] */

#endif
