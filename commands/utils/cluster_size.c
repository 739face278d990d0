/* cluster_size.c - `aisp utils cluster-size`: how many cards a traffic takes, from the measured throughput of one.
 * Not here: the queue (queueing.h), how the throughput was measured (the store; or the user says it was). */
#include <math.h>
#include <stdlib.h>

#include "commands/utils/calc.h"
#include "commands/utils/queueing.h"
#include "store/query.h"

struct plan {
    struct aisp_traffic mean, peak;
    double slo_s, p;
    int64_t spare;
    json_t *measured; /* where the throughput comes from */
};

/* ---- the throughput ---- */

struct found {
    double per_second;
    json_t *row;
};

static bool take_row(const struct aisp_result_row *row, void *context)
{
    struct found *found = context;

    if (!isfinite(row->b_per_second) || row->b_per_second <= 0)
        return true;
    found->per_second = row->b_per_second;
    found->row =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f}", "run", row->run, "target", row->target, "variant", row->variant,
                  "size", row->size, "hardware", row->hardware, "grade", row->grade, "per_second", row->b_per_second);
    return false;
}

/* The newest result of that target and variant in the store that has units a second. */
static enum aisp_status from_store(const struct aisp_request *request, struct found *found)
{
    const struct aisp_filter filter = { .target = aisp_args_text(request->args, "target"),
                                        .variant = aisp_args_text(request->args, "variant"),
                                        .complete = true };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_store_each_result(store, &filter, take_row, found, request->err));
    if (!found->row)
        st = aisp_fail(request->err, AISP_E_NOT_FOUND,
                       "no measured throughput of %s%s%s in %s: measure it (\"aisp bench run -t %s\"), or give "
                       "--throughput-per-card",
                       filter.target, filter.variant ? "/" : "", filter.variant ? filter.variant : "", request->artifacts_dir,
                       filter.target);
out:
    aisp_store_close(store);
    return st;
}

static enum aisp_status take_throughput(const struct aisp_request *request, struct plan *plan)
{
    const double given = aisp_calc_asked(request->args, "throughput-per-card");
    struct found found = { NAN, NULL };
    enum aisp_status st;

    if (isfinite(given) == aisp_args_given(request->args, "target"))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "give either --throughput-per-card (measured units a second of one card) or "
                         "--target with its variant, for the newest result in the store");
    if (isfinite(given)) {
        plan->mean.throughput = given;
        plan->measured = json_null();
        return AISP_OK;
    }
    st = from_store(request, &found);
    if (st)
        return st;
    plan->mean.throughput = found.per_second;
    plan->measured = found.row;
    return AISP_OK;
}

static enum aisp_status take(const struct aisp_request *request, struct plan *plan)
{
    const struct aisp_args *args = request->args;
    const double ratio = aisp_calc_asked(args, "peak-to-average"), percentile = aisp_args_real(args, "percentile");
    enum aisp_status st;

    plan->mean.requests_per_second = aisp_calc_asked(args, "rate");
    plan->mean.units_per_request = aisp_calc_asked(args, "units-per-request");
    plan->mean.concurrency = aisp_args_integer(args, "concurrency");
    plan->slo_s = aisp_args_given(args, "slo") ? (double)aisp_args_duration_ns(args, "slo") * 1e-9 : NAN;
    plan->spare = aisp_args_integer(args, "spare");
    plan->p = percentile / 100;
    if (!isfinite(plan->mean.requests_per_second))
        return aisp_fail(request->err, AISP_E_USAGE, "give --rate: requests a second, on average");
    if (!isfinite(plan->mean.units_per_request))
        return aisp_fail(request->err, AISP_E_USAGE, "give --units-per-request: tokens (or other units) that a request takes");
    if (!plan->mean.concurrency)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "give --concurrency: requests that a card served at once when its throughput was measured");
    if (percentile >= 100)
        return aisp_fail(request->err, AISP_E_USAGE, "--percentile %g: must be below 100", percentile);
    if (ratio < 1)
        return aisp_fail(request->err, AISP_E_USAGE, "--peak-to-average %g: a peak is at least the average", ratio);
    AISP_TRY(take_throughput(request, plan));
    plan->peak = plan->mean;
    plan->peak.requests_per_second *= isfinite(ratio) ? ratio : 1;
    if (aisp_traffic_cards(&plan->peak) > 1e6)
        st =
            aisp_fail(request->err, AISP_E_USAGE, "that takes %.3g cards: check --rate, --units-per-request and the throughput",
                      aisp_traffic_cards(&plan->peak));
out:
    return st;
}

/* ---- the answer ---- */

static json_t *row_of(const struct plan *plan, int64_t cards)
{
    const double load = aisp_traffic_cards(&plan->peak), service_s = aisp_traffic_service_s(&plan->peak);
    const bool is_stable = load < (double)cards;
    const double waits = aisp_erlang_c(cards * plan->peak.concurrency, plan->peak.requests_per_second * service_s);

    return json_pack("{s:I, s:f, s:o, s:o}", "cards", (json_int_t)cards, "utilisation", load / (double)cards, "waiting_share",
                     is_stable ? json_real(waits) : json_null(), "wait_s",
                     aisp_calc_real(aisp_traffic_wait(&plan->peak, cards, plan->p)));
}

static json_t *rows_of(const struct plan *plan, int64_t stable, int64_t wanted)
{
    json_t *rows = json_array();

    for (int64_t cards = wanted - 2 > stable ? wanted - 2 : stable; cards <= wanted + 2; cards++)
        json_array_append_new(rows, row_of(plan, cards));
    return rows;
}

static json_t *notes_of(const struct aisp_args *args)
{
    json_t *notes = json_array();

    if (!aisp_args_given(args, "peak-to-average"))
        aisp_calc_note(notes, "--peak-to-average not given: sized for the average rate alone");
    if (!aisp_args_given(args, "slo"))
        aisp_calc_note(notes, "--slo not given: only the least number of cards that keeps up, with no bound on the wait");
    aisp_calc_note(notes,
                   "assumes Poisson arrivals, exponential service times, one queue in order for all cards, nobody who leaves "
                   "it (M/M/c, Erlang C), and that a card keeps its measured throughput at that concurrency");
    aisp_calc_note(notes, "burstier arrivals wait longer; service times that vary less than exponential ones wait less");
    return notes;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct plan plan = { .measured = NULL };
    int64_t stable, wanted;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(take(request, &plan));
    stable = aisp_traffic_cards_for(&plan.peak, INFINITY, plan.p);
    wanted = aisp_traffic_cards_for(&plan.peak, isfinite(plan.slo_s) ? plan.slo_s : INFINITY, plan.p);
    *value = json_pack("{s:f, s:f, s:f, s:f, s:I, s:f, s:O, s:o, s:f}", "requests_per_second", plan.mean.requests_per_second,
                       "peak_per_second", plan.peak.requests_per_second, "units_per_request", plan.mean.units_per_request,
                       "throughput_per_card", plan.mean.throughput, "concurrency", (json_int_t)plan.mean.concurrency,
                       "service_s", aisp_traffic_service_s(&plan.mean), "measured", plan.measured, "slo_s",
                       aisp_calc_real(plan.slo_s), "percentile", 100 * plan.p);
    json_object_update_new(*value, json_pack("{s:f, s:f, s:I, s:o, s:I, s:I, s:o, s:o}", "load_average_cards",
                                             aisp_traffic_cards(&plan.mean), "load_peak_cards", aisp_traffic_cards(&plan.peak),
                                             "cards_stable", (json_int_t)stable, "cards_slo",
                                             isfinite(plan.slo_s) ? json_integer((json_int_t)wanted) : json_null(), "spare",
                                             (json_int_t)plan.spare, "cards", (json_int_t)(wanted + plan.spare), "rows",
                                             rows_of(&plan, stable, wanted), "notes", notes_of(request->args)));
out:
    json_decref(plan.measured);
    return st;
}

static void put_rows(struct aisp_buf *out, const json_t *value)
{
    const json_t *row;
    size_t i;

    aisp_buf_printf(out, "\n%6s %12s %14s %14s\n", "cards", "utilisation", "have to wait", "wait");
    json_array_foreach(json_object_get(value, "rows"), i, row) aisp_buf_printf(
        out, "%6lld %10.1f %% %12.3f %% %11.3f s%s\n", (long long)json_integer_value(json_object_get(row, "cards")),
        100 * aisp_calc_of(row, "utilisation"), 100 * aisp_calc_of(row, "waiting_share"), aisp_calc_of(row, "wait_s"),
        json_equal(json_object_get(row, "cards"), json_object_get(value, "cards_slo")) ? "  <" : "");
}

static void put_card(struct aisp_buf *out, const json_t *value)
{
    const json_t *measured = json_object_get(value, "measured");
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_buf_printf(&line, "a card: %g units/s with %lld requests at once", aisp_calc_of(value, "throughput_per_card"),
                    (long long)json_integer_value(json_object_get(value, "concurrency")));
    if (json_is_object(measured))
        aisp_buf_printf(&line, " (%s/%s on %s)", aisp_calc_text(measured, "target"), aisp_calc_text(measured, "variant"),
                        aisp_calc_text(measured, "hardware"));
    else
        aisp_buf_puts(&line, " (given)");
    aisp_buf_printf(&line, ", so %.4g s a request", aisp_calc_of(value, "service_s"));
    aisp_calc_put_wrapped(out, 0, 2, line.s);
    aisp_buf_release(&line);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const double slo = aisp_calc_of(value, "slo_s");
    char *line;

    (void)style;
    line = aisp_format("traffic: %g requests/s on average, %g at the peak, of %g units each",
                       aisp_calc_of(value, "requests_per_second"), aisp_calc_of(value, "peak_per_second"),
                       aisp_calc_of(value, "units_per_request"));
    aisp_calc_put_wrapped(out, 0, 2, line);
    free(line);
    put_card(out, value);
    aisp_buf_printf(out, "work that arrives: %.2f cards on average, %.2f at the peak\n",
                    aisp_calc_of(value, "load_average_cards"), aisp_calc_of(value, "load_peak_cards"));
    aisp_buf_printf(out, "to keep up at the peak: %lld\n",
                    (long long)json_integer_value(json_object_get(value, "cards_stable")));
    if (isfinite(slo))
        aisp_buf_printf(out, "for %g %% of requests to wait at most %g s: %lld\n", aisp_calc_of(value, "percentile"), slo,
                        (long long)json_integer_value(json_object_get(value, "cards_slo")));
    aisp_buf_printf(out, "with %lld spare: %lld cards\n", (long long)json_integer_value(json_object_get(value, "spare")),
                    (long long)json_integer_value(json_object_get(value, "cards")));
    put_rows(out, value);
    aisp_calc_put_notes(out, value);
}

static const struct aisp_option options[] = {
    { "rate", 'r', AISP_OPT_REAL, .meta = "REQUESTS/S", .help = "Requests a second, on average" },
    { "peak-to-average", 0, AISP_OPT_REAL, .meta = "RATIO", .help = "The rate at the peak / the average rate" },
    { "units-per-request", 'u', AISP_OPT_REAL, .meta = "N", .help = "Tokens (or other units) that a request takes" },
    { "throughput-per-card", 'p', AISP_OPT_REAL, .meta = "UNITS/S", .help = "Measured: units a second of one card" },
    { "concurrency", 'c', AISP_OPT_INTEGER, .meta = "N", .low = 1, .high = 100000,
      .help = "Requests that the card served at once when that was measured" },
    { "target", 't', AISP_OPT_TEXT, .meta = "TARGET", .help = "Instead: the newest result of this target in the store" },
    { "variant", 0, AISP_OPT_TEXT, .meta = "VARIANT", .help = "Of which variant" },
    { "slo", 0, AISP_OPT_DURATION, .meta = "TIME", .help = "Longest wait before a request is served" },
    { "percentile", 0, AISP_OPT_REAL, .meta = "P", .help = "Of how many percent of the requests", .preset = "99" },
    { "spare", 0, AISP_OPT_INTEGER, .meta = "N", .low = 0, .high = 100000,
      .help = "Cards that may fail without missing the SLO: N+1", .preset = "1" },
    { 0 },
};

AISP_COMMAND(utils_cluster_size) = {
    .path = "utils cluster-size",
    .sentence = "Work out how many cards a traffic takes, from the measured throughput of one",
    .example = "aisp utils cluster-size -r 40 -u 500 -p 2500 -c 16 --slo 500ms",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
