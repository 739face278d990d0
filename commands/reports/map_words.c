/* map_words.c - what all forms of a report say of a map's points. */
#include "commands/reports/map_report.h"

#include <stdlib.h>
#include <string.h>

static const struct aisp_report_row *row_of(const struct aisp_report *report, const char *key)
{
    for (size_t i = report->n - report->n_swept; i < report->n; i++)
        if (aisp_report_is(report->row[i].result, "key", key))
            return &report->row[i];
    return NULL;
}

void aisp_map_each_point(const struct aisp_report *report, const json_t *map, aisp_map_row *put, void *context)
{
    const json_t *series, *seen;
    size_t i, j;

    json_array_foreach(json_object_get(map, "series"), i, series)
        json_array_foreach(json_object_get(series, "points"), j, seen) {
            const struct aisp_report_row *row = row_of(report, aisp_report_text(seen, "key"));

            put(context, &(struct aisp_map_point){ .variant = aisp_report_text(series, "variant"),
                                                   .point = aisp_report_text(
                                                       json_array_get(json_object_get(map, "points"), j), "point"),
                                                   .result = row ? row->result : NULL,
                                                   .trouble = row ? row->trouble : "" });
        }
}

void aisp_map_put_found(const json_t *series, size_t i, struct aisp_buf *out)
{
    const json_t *crossovers = json_object_get(series, "crossovers");

    if (json_array_size(crossovers))
        aisp_map_put_crossover(json_array_get(crossovers, i), out);
    else
        aisp_map_put_none(series, out);
}

size_t aisp_map_n_found(const json_t *series)
{
    const size_t n = json_array_size(json_object_get(series, "crossovers"));

    return n ? n : 1;
}
