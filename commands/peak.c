/* peak.c - `aisp peak`: what one core of this machine can do, measured. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "core/peak/peak.h"

/* On the CPU that we are on: a move to another core would only lower what is measured. */
static void stay(cpu_set_t *before)
{
    cpu_set_t one;
    const int cpu = sched_getcpu();

    CPU_ZERO(before);
    if (sched_getaffinity(0, sizeof *before, before) || cpu < 0)
        return;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static json_t *row_of(const struct aisp_peak *peak, const struct aisp_peak_result *r)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:i}", "name", peak->name, "unit",
                            peak->unit, "what", peak->what, "value", r->value, "median", r->median,
                            "clock_ghz", r->clock_ghz, "working_set_bytes",
                            (json_int_t)r->working_set_bytes, "slices", r->slices);

    json_object_set_new(row, "theory", r->theory > 0 ? json_real(r->theory) : json_null());
    json_object_set_new(row, "share", r->theory > 0 ? json_real(r->share) : json_null());
    return row;
}

static enum aisp_status measure(const struct aisp_request *request,
                                const struct aisp_peak_place *place,
                                const struct aisp_caches *caches, json_t *rows)
{
    const volatile int *stop = request->console ? request->console->stop : NULL;
    const struct aisp_peak *peak;

    for (size_t i = 0; (peak = aisp_peak_at(i)); i++) {
        struct aisp_peak_result result;
        struct aisp_err why = { AISP_OK, "" };
        enum aisp_status st;

        if (stop && *stop)
            return aisp_fail(request->err, AISP_E_INTERRUPTED, "interrupted");
        if (request->console && request->console->progress)
            request->console->progress(request->console->context, peak->what);
        st = aisp_peak_measure(peak, caches, place, &result, &why);
        if (st == AISP_OK)
            json_array_append_new(rows, row_of(peak, &result));
        else
            json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:n, s:s}", "name", peak->name,
                                                  "unit", peak->unit, "what", peak->what, "value",
                                                  "unavailable", why.text));
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_peak_place place = { .duration_ns = aisp_args_duration_ns(request->args, "time") };
    struct aisp_caches caches;
    const struct aisp_peak *peak;
    json_t *rows = json_array();
    cpu_set_t before;
    enum aisp_status st;

    (void)exit_code;
    aisp_caches_read(&caches);
    for (size_t i = 0; (peak = aisp_peak_at(i)); i++)
        if (aisp_peak_bytes(peak, &caches) > place.bytes)
            place.bytes = aisp_peak_bytes(peak, &caches);
    place.bytes = (place.bytes + 4095) / 4096 * 4096;
    place.buffer = aligned_alloc(4096, place.bytes);
    if (!place.buffer) {
        json_decref(rows);
        return aisp_fail(request->err, AISP_E_NO_MEMORY,
                         "%zu bytes are needed to reach past the caches", place.bytes);
    }
    memset(place.buffer, 0, place.bytes);
    stay(&before);
    st = measure(request, &place, &caches, rows);
    if (CPU_COUNT(&before))
        sched_setaffinity(0, sizeof before, &before);
    free(place.buffer);
    if (!st)
        *value = json_pack("{s:s, s:{s:I, s:I, s:I}, s:O}", "device", "cpu", "caches", "l1",
                           (json_int_t)caches.l1_bytes, "l2", (json_int_t)caches.l2_bytes, "l3",
                           (json_int_t)caches.l3_bytes, "peaks", rows);
    json_decref(rows);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    (void)style;
    aisp_buf_printf(out, "%-20s %10s %10s %-8s %8s %8s\n", "one core", "best", "median", "",
                    "theory", "GHz");
    json_array_foreach(json_object_get(value, "peaks"), i, row)
    {
        const json_t *share = json_object_get(row, "share");

        if (json_is_null(json_object_get(row, "value")))
            continue;
        aisp_buf_printf(out, "%-20s %10.1f %10.1f %-8s ",
                        json_string_value(json_object_get(row, "name")),
                        json_number_value(json_object_get(row, "value")),
                        json_number_value(json_object_get(row, "median")),
                        json_string_value(json_object_get(row, "unit")));
        if (json_is_number(share))
            aisp_buf_printf(out, "%6.0f %% ", 100 * json_number_value(share));
        else
            aisp_buf_printf(out, "%8s ", "-");
        aisp_buf_printf(out, "%8.2f\n", json_number_value(json_object_get(row, "clock_ghz")));
    }
    json_array_foreach(json_object_get(value, "peaks"), i,
                       row) if (json_is_null(json_object_get(row, "value")))
        aisp_buf_printf(out, "%-20s %s\n", json_string_value(json_object_get(row, "name")),
                        json_string_value(json_object_get(row, "unavailable")));
}

static const struct aisp_option options[] = {
    { "device", 0, AISP_OPT_CHOICE, .meta = "cpu", .help = "What to measure", .preset = "cpu" },
    { "time", 0, AISP_OPT_DURATION, .meta = "TIME", .help = "For each ceiling", .preset = "200ms" },
    { 0 },
};

AISP_COMMAND(peak) = {
    .path = "peak",
    .sentence = "Measure what one core of this machine can do at most: arithmetic and memory",
    .example = "aisp peak --time 500ms",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
