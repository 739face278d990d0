/* background_thread_device - has a thread that sleeps until it is called, and launches nothing. */
#include "tests/honest_cuda/background_thread.cu"
