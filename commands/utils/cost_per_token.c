/* cost_per_token.c - `aisp utils cost-per-token`: energy and money a token, from measured power and throughput.
 * Not here: the formulas (token_cost.h), the cost of what aisp itself measured (`bench cost`). */
#include <math.h>
#include <stdlib.h>

#include "commands/utils/calc.h"
#include "commands/utils/token_cost.h"

/* Which of the inputs that a figure needs were not given; caller frees, NULL: all were. */
static char *missing(const struct aisp_args *args, const char *const *option)
{
    struct aisp_buf list = AISP_BUF_INIT;

    for (; *option; option++)
        if (!aisp_args_given(args, *option))
            aisp_buf_printf(&list, "%s--%s", list.len ? ", " : "", *option);
    return list.s ? aisp_buf_detach(&list) : NULL;
}

/* One figure: a token's, a million tokens', and what it lacks. */
static json_t *figure(const struct aisp_args *args, double a_token, const char *const *needs)
{
    char *lacks = missing(args, needs);
    json_t *value = json_pack("{s:o, s:o, s:s?}", "per_token", aisp_calc_real(a_token), "per_million",
                              aisp_calc_real(a_token * 1e6), "not_given", lacks);

    free(lacks);
    return value;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    static const char *const device[] = { "avg-power", NULL }, *const meter[] = { "avg-power", "pue", NULL };
    static const char *const device_cost[] = { "avg-power", "electricity-cost", NULL };
    static const char *const meter_cost[] = { "avg-power", "pue", "electricity-cost", NULL };
    static const char *const rental[] = { "price-per-hour", NULL };
    const struct aisp_args *args = request->args;
    const struct aisp_token_cost_spec spec = {
        aisp_calc_asked(args, "avg-power"), aisp_calc_asked(args, "throughput"),     aisp_calc_asked(args, "electricity-cost"),
        aisp_calc_asked(args, "pue"),       aisp_calc_asked(args, "price-per-hour"),
    };
    const struct aisp_token_cost cost = aisp_token_cost(&spec);

    (void)exit_code;
    if (!isfinite(spec.tokens_per_second))
        return aisp_fail(request->err, AISP_E_USAGE, "give --throughput: measured tokens a second");
    if (!isfinite(spec.power_w) && !isfinite(spec.dollars_per_hour))
        return aisp_fail(request->err, AISP_E_USAGE, "give --avg-power (W, measured) or --price-per-hour ($/h), or both");
    if (spec.pue < 1)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--pue %g: a facility uses at least what its devices use, so PUE is 1 or more", spec.pue);
    *value = json_pack("{s:{s:o, s:o, s:o, s:o, s:o}, s:{s:o, s:o}, s:{s:o, s:o, s:o}}", "given", "power_w",
                       aisp_calc_real(spec.power_w), "tokens_per_second", aisp_calc_real(spec.tokens_per_second),
                       "dollars_per_kwh", aisp_calc_real(spec.dollars_per_kwh), "pue", aisp_calc_real(spec.pue),
                       "dollars_per_hour", aisp_calc_real(spec.dollars_per_hour), "energy_j", "device",
                       figure(args, cost.device_j, device), "meter", figure(args, cost.meter_j, meter), "cost_dollars",
                       "electricity_device", figure(args, cost.device_dollars, device_cost), "electricity_meter",
                       figure(args, cost.meter_dollars, meter_cost), "rental", figure(args, cost.rental_dollars, rental));
    return AISP_OK;
}

static void put(struct aisp_buf *out, const char *label, const char *unit, const json_t *figure)
{
    const double a_token = aisp_calc_of(figure, "per_token");
    char *why;

    if (isfinite(a_token)) {
        aisp_buf_printf(out, "%-20s %11.4g %s/token %12.6g %s/M tokens\n", label, a_token, unit,
                        aisp_calc_of(figure, "per_million"), unit);
        return;
    }
    why = aisp_format("not computed: %s not given", aisp_calc_text(figure, "not_given"));
    aisp_buf_printf(out, "%-20s ", label);
    aisp_calc_put_wrapped(out, 21, 21, why);
    free(why);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *energy = json_object_get(value, "energy_j"), *cost = json_object_get(value, "cost_dollars");
    const json_t *rental = json_object_get(cost, "rental"), *meter = json_object_get(cost, "electricity_meter");

    (void)style;
    aisp_buf_printf(out, "at %g tokens/s", aisp_calc_of(json_object_get(value, "given"), "tokens_per_second"));
    if (isfinite(aisp_calc_of(json_object_get(value, "given"), "power_w")))
        aisp_buf_printf(out, " and %g W", aisp_calc_of(json_object_get(value, "given"), "power_w"));
    aisp_buf_puts(out, "\n");
    put(out, "energy, device", "J", json_object_get(energy, "device"));
    put(out, "energy, meter", "J", json_object_get(energy, "meter"));
    put(out, "electricity, device", "$", json_object_get(cost, "electricity_device"));
    put(out, "electricity, meter", "$", meter);
    put(out, "rental", "$", rental);
    if (isfinite(aisp_calc_of(rental, "per_token")) && isfinite(aisp_calc_of(meter, "per_token")))
        aisp_buf_puts(out, "A rental price mostly includes electricity, so the two are not added.\n");
}

static const struct aisp_option options[] = {
    { "avg-power", 0, AISP_OPT_REAL, .meta = "W", .help = "Measured: mean power of all devices at that throughput" },
    { "throughput", 0, AISP_OPT_REAL, .meta = "TOKENS/S", .help = "Measured: tokens a second of the same devices" },
    { "electricity-cost", 0, AISP_OPT_REAL, .meta = "$/KWH", .help = "Price of electricity" },
    { "pue", 0, AISP_OPT_REAL, .meta = "RATIO", .help = "Power usage effectiveness: energy of the facility / of its devices" },
    { "price-per-hour", 0, AISP_OPT_REAL, .meta = "$/H", .help = "Rental of the same devices" },
    { 0 },
};

AISP_COMMAND(utils_cost_per_token) = {
    .path = "utils cost-per-token",
    .sentence = "Work out energy and money a token from measured power and throughput",
    .example = "aisp utils cost-per-token --throughput 1500 --price-per-hour 3.50\n"
               "aisp utils cost-per-token --throughput 1500 --avg-power 800 --pue 1.5",
    .option = options,
    .run = run,
    .render = render,
};
