/* peak_card.c - a table of what a card holds: sustained, the best short piece, the share of theory at the clock that was
 * sampled meanwhile, and how ours compares with the library's. */
#include "commands/peak_card.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"

double aisp_peak_of_library(const json_t *peaks, const char *name)
{
    double ours = NAN, library = NAN;
    const json_t *row;
    size_t i;

    json_array_foreach(peaks, i, row)
    {
        if (!strcmp(aisp_calc_text(row, "name"), name))
            ours = aisp_calc_of(row, "value");
        if (!strcmp(aisp_calc_text(row, "beside"), name))
            library = aisp_calc_of(row, "value");
    }
    return ours / library;
}

static void put_number(struct aisp_buf *out, int width, int decimals, double x)
{
    if (isfinite(x))
        aisp_buf_printf(out, " %*.*f", width, decimals, x);
    else
        aisp_buf_printf(out, " %*s", width, "-");
}

static void put_row(struct aisp_buf *out, const json_t *peaks, const json_t *row)
{
    const int decimals = aisp_calc_of(row, "value") < 100 ? 2 : 1;

    aisp_buf_printf(out, "%-16s", aisp_calc_text(row, "name"));
    put_number(out, 10, decimals, aisp_calc_of(row, "value"));
    put_number(out, 10, decimals, aisp_calc_of(row, "burst"));
    aisp_buf_printf(out, " %-8s", aisp_calc_text(row, "unit"));
    put_number(out, 7, 0, 100 * aisp_calc_of(row, "share"));
    put_number(out, 6, 0, aisp_calc_of(row, "sm_mhz"));
    put_number(out, 10, 2, aisp_peak_of_library(peaks, aisp_calc_text(row, "name")));
    aisp_buf_puts(out, "\n");
}

static void put_head(struct aisp_buf *out, const json_t *card)
{
    char *line = aisp_format("%s, compute capability %s, %lld SMs, %s; driver %s, ECC %s", aisp_calc_text(card, "name"),
                             aisp_calc_text(card, "compute_capability"),
                             (long long)json_integer_value(json_object_get(card, "multiprocessors")),
                             aisp_calc_bytes(aisp_calc_of(card, "memory_bytes")).s, aisp_calc_text(card, "driver"),
                             *aisp_calc_text(card, "ecc") ? aisp_calc_text(card, "ecc") : "unknown");

    aisp_calc_put_wrapped(out, 0, 2, line);
    free(line);
    aisp_buf_printf(out, "%-16s %10s %10s %-8s %7s %6s %10s\n", "", "sustained", "best", "", "%theory", "SM MHz", "/ cuBLASLt");
}

void aisp_peak_card_render(const json_t *value, struct aisp_buf *out)
{
    const json_t *peaks = json_object_get(value, "peaks"), *row;
    size_t i;

    if (*aisp_calc_text(value, "why")) {
        char *line = aisp_format("card: not measured: %s", aisp_calc_text(value, "why"));

        aisp_calc_put_wrapped(out, 0, 6, line);
        free(line);
        return;
    }
    put_head(out, json_object_get(value, "card"));
    json_array_foreach(peaks, i, row) if (!json_is_null(json_object_get(row, "value"))) put_row(out, peaks, row);
    json_array_foreach(peaks, i, row) if (json_is_null(json_object_get(row, "value")))
    {
        aisp_buf_printf(out, "%-16s ", aisp_calc_text(row, "name"));
        aisp_calc_put_wrapped(out, 17, 17, aisp_calc_text(row, "unavailable"));
    }
    json_array_foreach(peaks, i, row) if (aisp_peak_of_library(peaks, aisp_calc_text(row, "name")) < AISP_PEAK_LEAST_OF_LIBRARY)
        aisp_buf_printf(out, "%s: below %.2f of cuBLASLt's, so it is no ceiling: take the library's\n",
                        aisp_calc_text(row, "name"), AISP_PEAK_LEAST_OF_LIBRARY);
}
