/* baseline - Newton's steps, an element a thread. */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: Newton's steps");

VARIANT(honest);
