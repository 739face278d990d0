/* driver.c - find the driver's functions by name. */
#include "backends/cuda/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { OLDEST = 12000 };

void cuda_driver_say(const struct cuda_driver *driver, const char *call, int error, char text[200])
{
    const char *name = NULL, *words = NULL;

    if (driver->error_name)
        driver->error_name(error, &name);
    if (driver->error_string)
        driver->error_string(error, &words);
    if (name)
        snprintf(text, 200, "%s: %s (%s)", call, name, words ? words : "no description");
    else
        snprintf(text, 200, "%s: error %d, for which this driver has no words", call, error);
}

static bool find_calls(struct cuda_driver *driver, char why[200])
{
    static const char *const name[] = {
#define CUDA_DRIVER_NAME(field, name, arguments) name,
        CUDA_DRIVER_CALLS(CUDA_DRIVER_NAME)
#undef CUDA_DRIVER_NAME
    };
    void **const field[] = {
#define CUDA_DRIVER_PLACE(field, name, arguments) (void **)&driver->field,
        CUDA_DRIVER_CALLS(CUDA_DRIVER_PLACE)
#undef CUDA_DRIVER_PLACE
    };

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        *field[i] = dlsym(driver->library, name[i]);
        if (!*field[i]) {
            snprintf(why, 200, "the driver has no %s: it is older than CUDA 12", name[i]);
            return false;
        }
    }
    return true;
}

bool cuda_driver_open(struct cuda_driver *driver, const char *path, char why[200])
{
    int error, n = 0;

    memset(driver, 0, sizeof *driver);
    driver->library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver->library) {
        snprintf(why, 200, "no NVIDIA driver here (%.150s)", dlerror());
        return false;
    }
    if (!find_calls(driver, why))
        return false;
    error = driver->init(0);
    if (error == CU_STUB) {
        snprintf(why, 200, "%.100s is the toolkit's stub, not a driver", path ? path : "libcuda.so.1");
        return false;
    }
    if (error) {
        cuda_driver_say(driver, "cuInit", error, why);
        return false;
    }
    driver->driver_version(&driver->version);
    if (driver->version < OLDEST) {
        snprintf(why, 200, "the driver is for CUDA %d.%d, 12.0 or newer is needed", driver->version / 1000,
                 driver->version % 1000 / 10);
        return false;
    }
    error = driver->device_count(&n);
    if (error || n < 1) {
        snprintf(why, 200, "the driver finds no device");
        return false;
    }
    return true;
}
