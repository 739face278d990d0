/* roof.h - the roofline: what rate of arithmetic a machine allows to a program of a given intensity.
 *
 *   intensity I     flop / byte, of the declared work: the conventional count, and the least bytes that must move
 *   roof            min(compute ceiling, I x bandwidth)
 *   ridge           compute ceiling / bandwidth: left of it the roof is memory, right of it compute
 *   percent         100 x rate / roof; for a program without arithmetic, of the bandwidth
 *
 * Source: S. Williams, A. Waterman, D. Patterson, Roofline, CACM 52(4), 2009. Pure functions; GB/s and GFLOP/s are bytes and
 * operations a nanosecond. */
#ifndef AISP_COMMANDS_UTILS_ROOF_H
#define AISP_COMMANDS_UTILS_ROOF_H

/* NaN: not measured. */
struct aisp_roof { double gflops, gbps; };

enum aisp_roof_bound { AISP_ROOF_UNKNOWN, AISP_ROOF_MEMORY, AISP_ROOF_COMPUTE };
struct aisp_roof_place {
    double intensity, gflops, gbps;        /* of the program */
    double roof_gflops, percent;           /* NaN: a ceiling that it takes was not measured */
    enum aisp_roof_bound bound;
};

double aisp_roof_ridge(const struct aisp_roof *roof);
double aisp_roof_at(const struct aisp_roof *roof, double intensity);
/* bytes and time_ns above 0, flops 0 or more. */
struct aisp_roof_place aisp_roof_place(const struct aisp_roof *roof, double flops, double bytes, double time_ns);
const char *aisp_roof_bound_name(enum aisp_roof_bound bound);

#endif
