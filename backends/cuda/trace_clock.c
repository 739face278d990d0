/* trace_clock.c - bring CUPTI's clock to the supervisor's: both were read together now and then (struct record_pair). Between two
 * such readings the difference is taken to change evenly, since one of the clocks is steered and the other is not. */
#include "backends/cuda/trace.h"

static const int64_t SECOND = 1000000000;

/* Readings that make sense, in the order of the device's clock: taken within a second, and less than a second off the ones before. */
static bool is_sane(const struct cuda_clock *clock, const struct record_pair *p, int64_t ahead_ns)
{
    const int64_t least = -(INT64_C(1) << 62), most = INT64_C(1) << 62;

    if (p->before_ns < least || p->after_ns > most || p->before_ns > p->after_ns || p->after_ns - p->before_ns > SECOND)
        return false;
    if (ahead_ns < least || ahead_ns > most)
        return false;
    if (!clock->n)
        return true;
    return p->device > clock->pair[clock->n - 1].device && ahead_ns - clock->pair[clock->n - 1].ahead_ns < SECOND &&
           ahead_ns - clock->pair[clock->n - 1].ahead_ns > -SECOND;
}

/* A pair is good to half of what lies between its two readings; the worker that took it gets no more room than that. */
void cuda_clock_init(struct cuda_clock *clock, const struct record_area *area)
{
    enum { MOST_ERROR_NS = 20000 };

    clock->n = 0;
    clock->error_ns = 0;
    for (uint32_t i = 0; i < area->n_pairs && i < RECORD_MOST_PAIRS; i++) {
        const struct record_pair *p = &area->pair[i];
        const int64_t ahead_ns = (int64_t)((uint64_t)(p->before_ns / 2 + p->after_ns / 2) - p->device);
        int64_t width_ns;

        if (!is_sane(clock, p, ahead_ns))
            continue;
        clock->pair[clock->n].device = p->device;
        clock->pair[clock->n++].ahead_ns = ahead_ns;
        width_ns = (p->after_ns - p->before_ns) / 2 + 1;
        clock->error_ns = width_ns > clock->error_ns ? width_ns : clock->error_ns;
    }
    if (clock->error_ns > MOST_ERROR_NS)
        clock->error_ns = MOST_ERROR_NS;
}

int64_t cuda_clock_ns(const struct cuda_clock *clock, uint64_t device)
{
    uint32_t i = 0;
    int64_t ahead_ns;

    while (i + 1 < clock->n && clock->pair[i + 1].device <= device)
        i++;
    ahead_ns = clock->pair[i].ahead_ns;
    if (i + 1 < clock->n && device > clock->pair[i].device) {
        const double share =
            (double)(device - clock->pair[i].device) / (double)(clock->pair[i + 1].device - clock->pair[i].device);

        ahead_ns += (int64_t)(share * (double)(clock->pair[i + 1].ahead_ns - ahead_ns));
    }
    return (int64_t)(device + (uint64_t)ahead_ns);
}
