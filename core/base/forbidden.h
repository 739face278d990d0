/* forbidden.h - system calls that neither a kernel under test nor a compiler needs: what reaches other processes, the clock, the
 * file system's shape, the kernel, or other users. Who confines something adds what is forbidden there alone. */
#ifndef AISP_BASE_FORBIDDEN_H
#define AISP_BASE_FORBIDDEN_H

/* Names, for seccomp to resolve: not each kernel has all of them. Ends with NULL. */
extern const char *const aisp_forbidden_calls[];

#endif
