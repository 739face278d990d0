# GPUs are asked for through the driver's library, in a child: what it lists is shown, what it does wrong is told, and a driver that
# crashes or does not start takes nothing with it.
# @shares
driver() {
    cat >driver.c <<EOF
#include <stdlib.h>
#include <string.h>
static unsigned memory[1 << 18];
int cuInit(unsigned f) { (void)f; $1; return 0; }
int cuDriverGetVersion(int *v) { *v = 13020; return 0; }
int cuDeviceGetCount(int *n) { *n = 1; return 0; }
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDeviceGetName(char *s, int n, int d) { (void)d; strncpy(s, "Test GPU", n); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { (void)d; *v = a == 16 ? 132 : a == 75 ? 9 : a == 120; return 0; }
int cuDeviceTotalMem_v2(size_t *n, int d) { (void)d; *n = (size_t)80 << 30; return 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = memory; return 0; }
int cuCtxSetCurrent(void *c) { (void)c; return 0; }
int cuMemAlloc_v2(unsigned long long *p, size_t n) { (void)n; *p = (unsigned long long)memory; return $2; }
int cuMemsetD32_v2(unsigned long long p, unsigned x, size_t n) { while (n--) ((unsigned *)p)[n] = x; return 0; }
int cuMemcpyDtoH_v2(void *t, unsigned long long p, size_t n) { memcpy(t, (void *)p, n); ((char *)t)[n / 2] $3; return 0; }
EOF
    cc -w -shared -fPIC -o libcuda.so.1 driver.c
    LD_LIBRARY_PATH=. aisp utils probe-hw --only gpu | sed -n '/^GPUs/,/^$/p' | grep .
}
driver '' 0 '+= 0'
driver '' 0 '+= 1'
driver '' 2 '+= 0'
driver 'return 100' 0 '+= 0'
driver 'abort()' 0 '+= 0'
