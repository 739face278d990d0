/* cuda.h - for tests of the CUDA device. */
#ifndef AISP_CUDA_H
#define AISP_CUDA_H

/* Another driver library than libcuda.so.1, for the judge and for workers; NULL: that one again. Ends the judge. Borrowed. */
void aisp_cuda_set_library(const char *path);

#endif
