/* nvml.c - NVIDIA's management library for this program's own reading: clocks while something is held, modes, links. Opened at
 * run time with prototypes of our own, so that the program runs without it; nothing is ever set.
 * Not here: the watch over windows, which is the supervisor's. */
#include "peak_cuda/peak_cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { NVML_OK = 0, CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_DIE = 0, MOST_LINKS = 18 };

typedef int nvml_result;
typedef void *nvml_device;

static struct {
    nvml_device device;
    nvml_result (*init)(void);
    nvml_result (*find)(const char *bus_id, nvml_device *device);
    nvml_result (*clock)(nvml_device, int which, unsigned *mhz);
    nvml_result (*ecc)(nvml_device, int *now, int *pending);
    nvml_result (*mig)(nvml_device, unsigned *now, unsigned *pending);
    nvml_result (*pcie_generation)(nvml_device, unsigned *generation);
    nvml_result (*pcie_width)(nvml_device, unsigned *width);
    nvml_result (*link_state)(nvml_device, unsigned link, int *is_active);
    nvml_result (*link_version)(nvml_device, unsigned link, unsigned *version);
    nvml_result (*compute)(nvml_device, int *major, int *minor);
    nvml_result (*celsius)(nvml_device, int sensor, unsigned *degrees);
    nvml_result (*power)(nvml_device, unsigned *mw);
} lib;

static void load(void *handle, const char *symbol, void *slot)
{
    void *found = dlsym(handle, symbol);

    memcpy(slot, &found, sizeof found);
}

bool peak_nvml_open(const char *bus_id, char *why)
{
    void *handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!handle) {
        snprintf(why, PEAK_WHY, "there is no NVIDIA management library (libnvidia-ml.so.1)");
        return false;
    }
    load(handle, "nvmlInit_v2", &lib.init);
    load(handle, "nvmlDeviceGetHandleByPciBusId_v2", &lib.find);
    load(handle, "nvmlDeviceGetClockInfo", &lib.clock);
    load(handle, "nvmlDeviceGetEccMode", &lib.ecc);
    load(handle, "nvmlDeviceGetMigMode", &lib.mig);
    load(handle, "nvmlDeviceGetCurrPcieLinkGeneration", &lib.pcie_generation);
    load(handle, "nvmlDeviceGetCurrPcieLinkWidth", &lib.pcie_width);
    load(handle, "nvmlDeviceGetNvLinkState", &lib.link_state);
    load(handle, "nvmlDeviceGetNvLinkVersion", &lib.link_version);
    load(handle, "nvmlDeviceGetCudaComputeCapability", &lib.compute);
    load(handle, "nvmlDeviceGetTemperature", &lib.celsius);
    load(handle, "nvmlDeviceGetPowerUsage", &lib.power);
    if (!lib.init || !lib.find || lib.init() != NVML_OK || lib.find(bus_id, &lib.device) != NVML_OK) {
        lib.device = NULL;
        snprintf(why, PEAK_WHY, "the NVIDIA management library does not find the card %s", bus_id);
        return false;
    }
    return true;
}

static double clock_of(int which)
{
    unsigned mhz = 0;

    return lib.device && lib.clock && lib.clock(lib.device, which, &mhz) == NVML_OK ? (double)mhz : 0;
}

void peak_nvml_clocks(double *sm_mhz, double *memory_mhz)
{
    *sm_mhz = clock_of(CLOCK_SM);
    *memory_mhz = clock_of(CLOCK_MEMORY);
}

int peak_nvml_ecc(void)
{
    int now = 0, pending;

    return lib.device && lib.ecc && lib.ecc(lib.device, &now, &pending) == NVML_OK ? now : -1;
}

int peak_nvml_mig(void)
{
    unsigned now = 0, pending;

    return lib.device && lib.mig && lib.mig(lib.device, &now, &pending) == NVML_OK ? (int)now : -1;
}

/* Lanes x transfers a second x coding (8b/10b up to generation 2, 128b/130b from 3; 6 is left out: its packets differ). */
double peak_nvml_pcie_gbps(void)
{
    static const double gtps[] = { 0, 2.5, 5, 8, 16, 32 };
    unsigned generation = 0, width = 0;

    if (!lib.device || !lib.pcie_generation || !lib.pcie_width ||
        lib.pcie_generation(lib.device, &generation) != NVML_OK || lib.pcie_width(lib.device, &width) != NVML_OK ||
        generation < 1 || generation > 5)
        return 0;
    return gtps[generation] * width / 8 * (generation < 3 ? 8.0 / 10 : 128.0 / 130);
}

/* GB/s of a link and direction by its version; 0: not known. The library counts 1.0, 2.0, 2.2, 3.0, 3.1, 4.0, 5.0 from 1 on. Some
 * drivers say 5.0 of Hopper's links, which are 4.0. */
static double link_gbps(unsigned version)
{
    static const double gbps[] = { 0, 20, 25, 25, 25, 25, 25, 50 };
    int major = 0, minor;

    if (version >= sizeof gbps / sizeof *gbps)
        return 0;
    if (!lib.compute || lib.compute(lib.device, &major, &minor) != NVML_OK)
        major = 0;
    return major == 9 && gbps[version] > 25 ? 25 : gbps[version];
}

/* Of all links together; one of which nothing is known makes all unknown. */
double peak_nvml_nvlink_gbps(int *n_links)
{
    double sum = 0;
    bool is_known = true;

    *n_links = 0;
    for (unsigned i = 0; lib.device && lib.link_state && i < MOST_LINKS; i++) {
        unsigned version = 0;
        int is_active = 0;
        double gbps;

        if (lib.link_state(lib.device, i, &is_active) != NVML_OK || !is_active)
            continue;
        ++*n_links;
        gbps = lib.link_version && lib.link_version(lib.device, i, &version) == NVML_OK ? link_gbps(version) : 0;
        is_known &= gbps > 0;
        sum += gbps;
    }
    return is_known ? sum : 0;
}

void peak_nvml_state(double *celsius, double *watts)
{
    unsigned degrees = 0, mw = 0;

    *celsius = lib.device && lib.celsius && lib.celsius(lib.device, SENSOR_DIE, &degrees) == NVML_OK ? degrees : 0;
    *watts = lib.device && lib.power && lib.power(lib.device, &mw) == NVML_OK ? mw * 1e-3 : 0;
}
