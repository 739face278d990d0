/* roof.c - ceilings and rates out of the evidence. GB/s and GFLOP/s are bytes and operations a nanosecond. */
#include "commands/reports/roof.h"

#include <math.h>

#include "core/instance.h"

const char *const aisp_report_levels[4] = { "L1", "L2", "L3", "DRAM" };

void aisp_report_roof_of(const struct aisp_evidence *ev, const double median_ns[2], struct aisp_report_roof *roof)
{
    const struct aisp_calibration *cal = &ev->calibration;
    const double cores = (double)(ev->n_threads > 1 ? ev->n_threads : 1) * (ev->ranks.n_ranks > 1 ? ev->ranks.n_ranks : 1);
    const double peak_gflops = aisp_evidence_roof_gflops(ev);
    const bool is_arithmetic = ev->flops > 0 && peak_gflops > 0;

    *roof = (struct aisp_report_roof){ .rate = { NAN, NAN } };
    if (ev->bytes <= 0 || !(aisp_evidence_roof_gbps(ev) > 0))
        return;
    roof->gbps = aisp_evidence_roof_gbps(ev);
    for (int i = 0; i < 4; i++)
        roof->level_gbps[i] = cores * fmax(cal->peak_read_gbps[i], cal->peak_copy_gbps[i]);
    if (is_arithmetic) {
        roof->flops_per_byte = (double)ev->flops / (double)ev->bytes;
        roof->peak_gflops = peak_gflops;
        roof->arithmetic = aisp_dtype_name(ev->arithmetic ? (enum aisp_dtype)ev->arithmetic : AISP_F32);
    }
    for (int side = AISP_A; side <= AISP_B; side++)
        if (median_ns[side] > 0)
            roof->rate[side] = (double)(is_arithmetic ? ev->flops : ev->bytes) / median_ns[side];
}

bool aisp_report_roof_is_measured(const struct aisp_report_roof *roof)
{
    return roof->gbps > 0 && (roof->rate[AISP_A] > 0 || roof->rate[AISP_B] > 0);
}

double aisp_report_roof_ceiling(const struct aisp_report_roof *roof)
{
    return roof->flops_per_byte > 0 ? fmin(roof->peak_gflops, roof->flops_per_byte * roof->gbps) : roof->gbps;
}

static void widen(double x, double *lo, double *hi)
{
    if (!(x > 0))
        return;
    *lo = fmin(*lo, x);
    *hi = fmax(*hi, x);
}

void aisp_report_roof_axes(const struct aisp_report_roof *roof, struct aisp_axis *x, struct aisp_axis *y)
{
    double lo[2] = { INFINITY, INFINITY }, hi[2] = { 0, 0 };

    if (!(roof->flops_per_byte > 0)) {
        for (int i = 0; i < 4; i++)
            widen(roof->level_gbps[i], &lo[0], &hi[0]);
        for (int side = AISP_A; side <= AISP_B; side++)
            widen(roof->rate[side], &lo[0], &hi[0]);
        *x = aisp_axis_around(lo[0], hi[0]);
        return;
    }
    widen(roof->flops_per_byte, &lo[0], &hi[0]);
    for (int i = 0; i < 4; i++)
        widen(roof->level_gbps[i] > 0 ? roof->peak_gflops / roof->level_gbps[i] : 0, &lo[0], &hi[0]);
    for (int side = AISP_A; side <= AISP_B; side++)
        widen(roof->rate[side], &lo[1], &hi[1]);
    widen(aisp_report_roof_ceiling(roof), &lo[1], &hi[1]);
    widen(roof->peak_gflops, &lo[1], &hi[1]);
    *x = (struct aisp_axis){ lo[0] / 4, hi[0] * 4, true };
    *y = (struct aisp_axis){ lo[1] / 3, hi[1] * 1.5, true };
}

/* Three digits. */
static void put_rate(struct aisp_buf *out, double x)
{
    aisp_buf_printf(out, "%.*f", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
}

void aisp_report_roof_put_side(struct aisp_buf *out, const struct aisp_report_roof *roof, int side)
{
    const double percent = 100 * roof->rate[side] / aisp_report_roof_ceiling(roof);

    if (!(roof->rate[side] > 0))
        return;
    put_rate(out, roof->rate[side]);
    aisp_buf_printf(out, " %s, %.*f%% of roof%s", roof->flops_per_byte > 0 ? "GFLOP/s" : "GB/s", percent < 9.95 ? 1 : 0, percent,
                    percent >= 100.5 ? " (above 100%: an error)" : "");
}

void aisp_report_roof_put_ceilings(struct aisp_buf *out, const struct aisp_report_roof *roof)
{
    const char *between = "";

    for (int i = 0; i < 4; i++) {
        if (!(roof->level_gbps[i] > 0))
            continue;
        aisp_buf_printf(out, "%s%s ", between, aisp_report_levels[i]);
        put_rate(out, roof->level_gbps[i]);
        between = ", ";
    }
    aisp_buf_puts(out, " GB/s");
    if (!(roof->flops_per_byte > 0))
        return;
    aisp_buf_printf(out, "; %s ", roof->arithmetic);
    put_rate(out, roof->peak_gflops);
    aisp_buf_puts(out, " GFLOP/s");
}

static json_t *positive(double x)
{
    return x > 0 ? json_real(x) : json_null();
}

json_t *aisp_report_roof_json(const struct aisp_report_roof *roof)
{
    json_t *json, *levels;

    if (!aisp_report_roof_is_measured(roof))
        return json_null();
    levels = json_object();
    for (int i = 0; i < 4; i++)
        json_object_set_new(levels, aisp_report_levels[i], positive(roof->level_gbps[i]));
    json = json_pack("{s:o, s:o, s:f, s:o, s:s, s:f}", "flops_per_byte", positive(roof->flops_per_byte), "peak_gflops",
                     positive(roof->peak_gflops), "roof_gbps", roof->gbps, "levels_gbps", levels, "unit",
                     roof->flops_per_byte > 0 ? "GFLOP/s" : "GB/s", "roof", aisp_report_roof_ceiling(roof));
    json_object_set_new(json, "a", positive(roof->rate[AISP_A]));
    json_object_set_new(json, "b", positive(roof->rate[AISP_B]));
    return json;
}
