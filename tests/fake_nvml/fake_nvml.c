/* fake_nvml.c - a management library whose cards do what a text file says. It has the symbols of
 * the real one, so that the supervisor's own path to it runs; what it answers proves nothing about
 * any card.
 *
 * The file is named by FAKE_NVML_SCRIPT; one line says one thing, and of several the last holds:
 *   cards N                     driver TEXT                 card I KEY VALUE
 *   from N card I KEY VALUE     the same, once N samples were taken (a sample: a reading of a
 *                               card's SM clock)
 * Keys: name uuid instance (a UUID: of the one that the card is divided into) compute sm_mhz sm_mhz_most memory_mhz reasons celsius
 * power_mw limit_mw limit_default_mw energy_mj energy_step_ms ecc mig processes busy bus links link_version (of each of the links).
 * A number that is not said is not supported. With a step the
 * energy grows by what power_mw comes to, each time so many milliseconds are over; without one it stands still.
 * "card I lost yes": it fell off the bus, and nothing is known of it any more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OK = 0, INVALID = 2, NOT_SUPPORTED = 3, UNKNOWN = 999, MOST_CARDS = 8, MOST_LINES = 128 };
enum { CLOCK_SM = 1 };
#define EXPORT __attribute__((visibility("default")))

static char line[MOST_LINES][160];
static int n_lines;
static long n_samples;
static struct timespec began;
static int card[MOST_CARDS]; /* a device is a pointer to its place here */
static int instance[MOST_CARDS]; /* or here, where it is an instance of that card */

/* What is said of `subject` now; NULL: nothing. */
static const char *said(const char *subject)
{
    const char *found = NULL;

    for (int i = 0; i < n_lines; i++) {
        const char *at = line[i];
        char *end;

        if (!strncmp(at, "from ", 5)) {
            if (strtol(at + 5, &end, 10) > n_samples)
                continue;
            at = *end ? end + 1 : end;
        }
        if (!strncmp(at, subject, strlen(subject)) && at[strlen(subject)] == ' ')
            found = at + strlen(subject) + 1;
    }
    return found;
}

static const char *said_of(const void *device, const char *key)
{
    const int index = (int)((const int *)device - card);
    char subject[64];

    snprintf(subject, sizeof subject, "card %d lost", index);
    if (said(subject))
        return NULL;
    snprintf(subject, sizeof subject, "card %d %s", index, key);
    return said(subject);
}

static int text_of(const void *device, const char *key, char *to, unsigned size)
{
    const char *text = said_of(device, key);

    if (!text)
        return NOT_SUPPORTED;
    snprintf(to, size, "%s", text);
    return OK;
}

static int number_of(const void *device, const char *key, unsigned long long *value)
{
    const char *text = said_of(device, key);

    if (!text)
        return NOT_SUPPORTED;
    *value = strtoull(text, NULL, 0);
    return OK;
}

static int unsigned_of(const void *device, const char *key, unsigned *value)
{
    unsigned long long wide = 0;
    const int result = number_of(device, key, &wide);

    *value = (unsigned)wide;
    return result;
}

EXPORT int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    const char *path = getenv("FAKE_NVML_SCRIPT");
    FILE *f = path ? fopen(path, "r") : NULL;

    n_lines = 0;
    n_samples = 0;
    clock_gettime(CLOCK_MONOTONIC, &began);
    if (!f)
        return UNKNOWN;
    while (n_lines < MOST_LINES && fgets(line[n_lines], sizeof *line, f)) {
        line[n_lines][strcspn(line[n_lines], "\n")] = 0;
        n_lines++;
    }
    fclose(f);
    return OK;
}

EXPORT int nvmlShutdown(void);
int nvmlShutdown(void)
{
    return OK;
}

EXPORT int nvmlSystemGetDriverVersion(char *to, unsigned size);
int nvmlSystemGetDriverVersion(char *to, unsigned size)
{
    const char *text = said("driver");

    if (!text)
        return NOT_SUPPORTED;
    snprintf(to, size, "%s", text);
    return OK;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *n);
int nvmlDeviceGetCount_v2(unsigned *n)
{
    const char *text = said("cards");

    *n = text ? (unsigned)atoi(text) : 0;
    return *n <= MOST_CARDS ? OK : INVALID;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    if (index >= MOST_CARDS)
        return INVALID;
    *device = &card[index];
    return OK;
}

EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    for (int i = 0; i < MOST_CARDS; i++) {
        const char *its = said_of(&card[i], "bus");

        if (its && !strcmp(its, bus)) {
            *device = &card[i];
            return OK;
        }
    }
    return INVALID;
}

EXPORT int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *is_active);
int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *is_active)
{
    unsigned n;
    const int result = unsigned_of(device, "links", &n);

    *is_active = result == OK && link < n;
    return result;
}

EXPORT int nvmlDeviceGetNvLinkVersion(void *device, unsigned link, unsigned *version);
int nvmlDeviceGetNvLinkVersion(void *device, unsigned link, unsigned *version)
{
    (void)link;
    return unsigned_of(device, "link_version", version);
}

/* Of instances; nobody asks for a card by it. */
EXPORT int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    for (int i = 0; i < MOST_CARDS; i++) {
        const char *text = said_of(&card[i], "instance");

        if (!text || strcmp(text, uuid))
            continue;
        *device = &instance[i];
        return OK;
    }
    return INVALID;
}

EXPORT int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *device, void **parent);
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void *device, void **parent)
{
    const int *i = device;

    if (i < instance || i >= instance + MOST_CARDS)
        return INVALID;
    *parent = &card[i - instance];
    return OK;
}

EXPORT int nvmlDeviceGetName(void *device, char *to, unsigned size);
int nvmlDeviceGetName(void *device, char *to, unsigned size)
{
    return text_of(device, "name", to, size);
}

EXPORT int nvmlDeviceGetUUID(void *device, char *to, unsigned size);
int nvmlDeviceGetUUID(void *device, char *to, unsigned size)
{
    return text_of(device, "uuid", to, size);
}

EXPORT int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor);
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor)
{
    unsigned value;
    const int result = unsigned_of(device, "compute", &value);

    *major = (int)value / 10;
    *minor = (int)value % 10;
    return result;
}

EXPORT int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    if (which == CLOCK_SM)
        n_samples++;
    return unsigned_of(device, which == CLOCK_SM ? "sm_mhz" : "memory_mhz", mhz);
}

EXPORT int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz)
{
    return which == CLOCK_SM ? unsigned_of(device, "sm_mhz_most", mhz) : NOT_SUPPORTED;
}

EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *bits);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *bits)
{
    return number_of(device, "reasons", bits);
}

EXPORT int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees)
{
    return sensor ? INVALID : unsigned_of(device, "celsius", degrees);
}

EXPORT int nvmlDeviceGetPowerUsage(void *device, unsigned *mw);
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw)
{
    return unsigned_of(device, "power_mw", mw);
}

EXPORT int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *mw);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *mw)
{
    return unsigned_of(device, "limit_mw", mw);
}

EXPORT int nvmlDeviceGetPowerManagementDefaultLimit(void *device, unsigned *mw);
int nvmlDeviceGetPowerManagementDefaultLimit(void *device, unsigned *mw)
{
    return unsigned_of(device, "limit_default_mw", mw);
}

EXPORT int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj)
{
    const int result = number_of(device, "energy_mj", mj);
    unsigned long long step_ms = 0, mw = 0, ms;
    struct timespec now;

    if (result || number_of(device, "energy_step_ms", &step_ms) || number_of(device, "power_mw", &mw) || !step_ms)
        return result;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (unsigned long long)((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000);
    *mj += mw * (ms - ms % step_ms) / 1000;
    return OK;
}

EXPORT int nvmlDeviceGetEccMode(void *device, int *now, int *pending);
int nvmlDeviceGetEccMode(void *device, int *now, int *pending)
{
    unsigned value;
    const int result = unsigned_of(device, "ecc", &value);

    *now = *pending = (int)value;
    return result;
}

EXPORT int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending);
int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending)
{
    const int result = unsigned_of(device, "mig", now);

    *pending = *now;
    return result;
}

/* So many of them, of whom nothing is known but a number that no process has; the first have those that the environment's
 * FAKE_NVML_PROCESSES lists. */
EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, void *list);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, void *list)
{
    enum { BYTES = 24, NOBODYS = 0x7ffffff0 }; /* of an nvmlProcessInfo_t, which begins with the number */
    const unsigned room = *n;
    const int result = unsigned_of(device, "processes", n);
    const char *listed = getenv("FAKE_NVML_PROCESSES");

    for (unsigned i = 0; !result && i < *n && i < room; i++) {
        *(unsigned *)((char *)list + i * BYTES) = listed && *listed ? (unsigned)strtoul(listed, (char **)&listed, 10) : NOBODYS;
        listed += listed && *listed == ',';
    }
    return result;
}

EXPORT int nvmlDeviceGetUtilizationRates(void *device, unsigned percent[2]);
int nvmlDeviceGetUtilizationRates(void *device, unsigned percent[2])
{
    percent[1] = 0;
    return unsigned_of(device, "busy", &percent[0]);
}
