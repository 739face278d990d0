/* peak.c - `aisp peak`: what one core of this machine and its card can do, measured.
 * Not here: the loops (core/peak), the card's program (card_program.h) and its table (peak_card.c). */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "commands/card_program.h"
#include "commands/command.h"
#include "commands/peak_card.h"
#include "core/peak/peak.h"

/* The program's own limits are shorter: this one is for a program that does not keep them. */
enum { CARD_LIMIT_S = 150 };

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

static enum aisp_status add_cpu(const struct aisp_request *request, json_t *value)
{
    struct aisp_peak_place place = { .duration_ns = aisp_args_duration_ns(request->args, "time") };
    struct aisp_caches caches;
    const struct aisp_peak *peak;
    json_t *rows = json_array();
    cpu_set_t before;
    enum aisp_status st;

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
    json_object_set_new(value, "caches",
                        json_pack("{s:I, s:I, s:I}", "l1", (json_int_t)caches.l1_bytes, "l2",
                                  (json_int_t)caches.l2_bytes, "l3", (json_int_t)caches.l3_bytes));
    json_object_set_new(value, "peaks", rows);
    return st;
}

/* {"card", "peaks"}, or {"why"}: no card, or one that failed, is a line of its own beside the CPU's rows. */
static enum aisp_status add_card(const struct aisp_request *request, json_t *value, enum aisp_status *outcome)
{
    const struct aisp_card_question question = {
        .only = "peaks",
        .quick = aisp_args_flag(request->args, "quick"),
        .limit_ns = (int64_t)CARD_LIMIT_S * 1000000000,
        .stop = request->console ? request->console->stop : NULL,
    };
    struct aisp_err why = { AISP_OK, "" };
    json_t *answer = NULL;

    if (request->console && request->console->progress)
        request->console->progress(request->console->context, "the card");
    *outcome = aisp_card_ask(&question, &answer, &why);
    if (*outcome == AISP_E_INTERRUPTED)
        return aisp_fail(request->err, *outcome, "%s", why.text);
    if (*outcome)
        json_object_set_new(value, "cuda", json_pack("{s:s}", "why", why.text));
    else
        json_object_set_new(value, "cuda", json_pack("{s:O, s:O, s:O}", "card", json_object_get(answer, "card"), "peaks",
                                                     json_object_get(answer, "peaks"), "seconds",
                                                     json_object_get(answer, "seconds")));
    json_decref(answer);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const char *device = aisp_args_text(request->args, "device");
    json_t *made = json_pack("{s:s}", "device", device);
    enum aisp_status st = AISP_OK, card = AISP_OK;

    if (strcmp(device, "cuda"))
        st = add_cpu(request, made);
    if (!st && strcmp(device, "cpu"))
        st = add_card(request, made, &card);
    if (!strcmp(device, "cuda") && card)       /* it was all that was asked for */
        *exit_code = card == AISP_E_UNAVAILABLE ? AISP_EXIT_NOTHING : AISP_EXIT_INVALID;
    if (!st)
        *value = json_incref(made);
    json_decref(made);
    return st;
}

static void render_cpu(const json_t *value, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

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

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *card = json_object_get(value, "cuda");

    (void)style;
    if (json_object_get(value, "peaks"))
        render_cpu(value, out);
    if (card && json_object_get(value, "peaks"))
        aisp_buf_puts(out, "\n");
    if (card)
        aisp_peak_card_render(card, out);
}

static const struct aisp_option options[] = {
    { "device", 0, AISP_OPT_CHOICE, .meta = "all|cpu|cuda", .help = "What to measure", .preset = "all" },
    { "time", 0, AISP_OPT_DURATION, .meta = "TIME", .help = "For each ceiling of the CPU", .preset = "200ms" },
    { "quick", 0, AISP_OPT_FLAG, .help = "Hold the card's ceilings more briefly" },
    { 0 },
};

AISP_COMMAND(peak) = {
    .path = "peak",
    .sentence = "Measure what one core of this machine, and its card, can do at most",
    .example = "aisp peak --time 500ms\naisp peak --device cuda --quick",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
