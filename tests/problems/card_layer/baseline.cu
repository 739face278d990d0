/* baseline - as layer's: a dot product for each output, one a thread. */
#include "tests/problems/layer/baseline.cu"
