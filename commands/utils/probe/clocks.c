/* clocks.c - the clocks of the system, and the counter of the processor. */
#include <cpuid.h>
#include <sched.h>
#include <time.h>

#include "commands/utils/probe/probe.h"
#include "core/base/clock.h"

enum { READINGS = 20000, MOVES = 400, WAIT_NS = 20000000 };

static int64_t read_ns(clockid_t clock)
{
    struct timespec t = { 0 };

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static json_t *clock_of(const char *name, clockid_t clock)
{
    struct timespec resolution = { 0 };
    int64_t before = read_ns(clock), smallest = 0, start = aisp_now_ns();

    clock_getres(clock, &resolution);
    for (int i = 0; i < READINGS; i++) {
        const int64_t now = read_ns(clock);

        if (now > before && (!smallest || now - before < smallest))
            smallest = now - before;
        before = now;
    }
    return json_pack("{s:s, s:f, s:o, s:f}", "clock", name, "resolution_ns",
                     (double)resolution.tv_sec * 1e9 + (double)resolution.tv_nsec, "step_ns",
                     smallest ? json_integer(smallest) : json_null(), "cost_ns", (double)(aisp_now_ns() - start) / READINGS);
}

json_t *aisp_probe_clocks(void)
{
    json_t *clocks = json_array();

    json_array_append_new(clocks, clock_of("MONOTONIC_RAW", CLOCK_MONOTONIC_RAW));
    json_array_append_new(clocks, clock_of("MONOTONIC", CLOCK_MONOTONIC));
    json_array_append_new(clocks, clock_of("REALTIME", CLOCK_REALTIME));
    json_array_append_new(clocks, clock_of("PROCESS_CPUTIME", CLOCK_PROCESS_CPUTIME_ID));
    return clocks;
}

/* Not before what was read before it, nor after what is read later. */
static uint64_t counter(void)
{
    unsigned low, high;

    __asm__ volatile("lfence\n\t"
                     "rdtsc\n\t"
                     "lfence"
                     : "=a"(low), "=d"(high)
                     :
                     : "memory");
    return (uint64_t)high << 32 | low;
}

static double ticks_a_ns(void)
{
    const int64_t start_ns = aisp_now_ns();
    const uint64_t start = counter();
    int64_t now_ns;

    while ((now_ns = aisp_now_ns()) - start_ns < WAIT_NS)
        ;
    return (double)(counter() - start) / (double)(now_ns - start_ns);
}

/* From CPU to CPU, reading on each: how often it went back, and over how many CPUs. */
static void walk(const cpu_set_t *allowed, int *cpus, int *moves, int *backward)
{
    uint64_t last = 0;

    *cpus = CPU_COUNT(allowed);
    *moves = *backward = 0;
    for (int i = 0; *moves < MOVES; i = (i + 1) % CPU_SETSIZE) {
        cpu_set_t one;
        uint64_t now;

        if (!CPU_ISSET(i, allowed))
            continue;
        CPU_ZERO(&one);
        CPU_SET(i, &one);
        if (sched_setaffinity(0, sizeof one, &one))
            return;
        now = counter();
        *backward += now < last;
        last = now;
        (*moves)++;
    }
}

json_t *aisp_probe_tsc(void)
{
    unsigned a, b, c, d = 0;
    const bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
    const double ghz = ticks_a_ns();
    cpu_set_t allowed;
    int cpus = 0, moves = 0, backward = 0;

    if (!sched_getaffinity(0, sizeof allowed, &allowed)) {
        walk(&allowed, &cpus, &moves, &backward);
        sched_setaffinity(0, sizeof allowed, &allowed);
    }
    return json_pack("{s:b, s:f, s:o, s:i, s:i, s:i}", "claimed_invariant", invariant, "ghz", ghz, "monotonic",
                     moves ? json_boolean(!backward) : json_null(), "moves", moves, "cpus", cpus, "backward", backward);
}
