/* parallelism_text.c - the ways as a table, the winner beside the runner-up, and what would turn the choice. */
#include <math.h>
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/parallelism.h"

static long long count(const json_t *value, const char *key)
{
    return (long long)json_integer_value(json_object_get(value, key));
}

static void put_ways(struct aisp_buf *out, const json_t *ways)
{
    const json_t *row;
    size_t i;

    aisp_buf_printf(out, "\n%4s %4s %4s %4s %6s %12s %12s %8s %12s\n", "tp", "pp", "dp", "ep", "micro", "step", "tokens/s",
                    "bubble", "a card");
    json_array_foreach(ways, i, row) aisp_buf_printf(
        out, "%4lld %4lld %4lld %4lld %6lld %9.3f ms %12.4g %6.1f %% %12s%s\n", count(row, "tp"), count(row, "pp"),
        count(row, "dp"), count(row, "ep"), count(row, "micro_batches"), 1e3 * aisp_calc_of(row, "step_s"),
        aisp_calc_of(row, "tokens_per_second"), 100 * aisp_calc_of(row, "bubble_share"),
        aisp_calc_bytes(aisp_calc_of(row, "card_bytes")).s, json_is_true(json_object_get(row, "fits")) ? "" : " !");
}

static void put_pair(struct aisp_buf *out, const json_t *first, const json_t *second)
{
    static const struct {
        const char *key, *label;
    } parts[] = {
        { "work", "work" },         { "tensor", "tensor parallel" }, { "expert", "expert parallel" },
        { "pipeline", "pipeline" }, { "gradient", "gradients" },     { "bubble", "bubble" },
    };
    static const struct {
        const char *key, *label;
    } sizes[] = {
        { "weights_bytes", "weights" },
        { "cache_bytes", "cache" },
        { "training_bytes", "weights, state" },
        { "activation_bytes", "activations" },
    };

    aisp_buf_printf(out, "\n%-20s %15s %15s\n", "", "winner", second ? "runner-up" : "");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double a = aisp_calc_of(json_object_get(first, "parts_s"), parts[i].key);
        const double b = aisp_calc_of(json_object_get(second, "parts_s"), parts[i].key);

        if (a == 0 && !(b > 0))
            continue;
        aisp_buf_printf(out, "%-20s %12.3f ms", parts[i].label, 1e3 * a);
        if (second)
            aisp_buf_printf(out, " %12.3f ms", 1e3 * b);
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "%-20s %15s %15s\n", "work is bound by", aisp_calc_text(first, "work_bound"),
                    second ? aisp_calc_text(second, "work_bound") : "");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (aisp_calc_of(first, sizes[i].key) > 0)
            aisp_buf_printf(out, "%-20s %15s %15s\n", sizes[i].label, aisp_calc_bytes(aisp_calc_of(first, sizes[i].key)).s,
                            second ? aisp_calc_bytes(aisp_calc_of(second, sizes[i].key)).s : "");
}

static void put_sensitivity(struct aisp_buf *out, const json_t *value)
{
    const json_t *turns = json_object_get(value, "sensitivity"), *steady = json_object_get(value, "steady"), *row;
    struct aisp_buf line = AISP_BUF_INIT;
    size_t i;

    aisp_buf_puts(out, "\nanother way would win:\n");
    json_array_foreach(turns, i, row)
        aisp_buf_printf(out, "  %-16s x %-6.3g tp %lld pp %lld dp %lld ep %lld\n", aisp_calc_text(row, "input"),
                        aisp_calc_of(row, "factor"), count(row, "tp"), count(row, "pp"), count(row, "dp"), count(row, "ep"));
    aisp_buf_puts(&line, json_array_size(turns) ? "not for " : "for nothing between 1/8 and 8 times: ");
    json_array_foreach(steady, i, row) aisp_buf_printf(&line, "%s%s", i ? ", " : "", json_string_value(row));
    if (json_array_size(turns))
        aisp_buf_puts(&line, " between 1/8 and 8 times");
    if (json_array_size(steady)) {
        aisp_buf_puts(out, "  ");
        aisp_calc_put_wrapped(out, 2, 2, line.s);
    }
    aisp_buf_release(&line);
}

void aisp_parallelism_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *ways = json_object_get(value, "ways");

    (void)style;
    aisp_buf_printf(out, "%s, %s, %lld cards: %lld ways, %lld fit\n", aisp_calc_text(value, "model"),
                    aisp_calc_text(value, "phase"), count(value, "cards"), count(value, "n_ways"), count(value, "n_fit"));
    put_ways(out, ways);
    if (count(value, "n_fit") < (long long)json_array_size(ways))
        aisp_buf_puts(out, "! does not fit; what needs least memory comes first among these\n");
    if (count(value, "n_fit")) {
        put_pair(out, json_array_get(ways, 0), count(value, "n_fit") > 1 ? json_array_get(ways, 1) : NULL);
        if (*aisp_calc_text(value, "why")) {
            aisp_buf_puts(out, "\n");
            aisp_calc_put_wrapped(out, 0, 0, aisp_calc_text(value, "why"));
        }
        put_sensitivity(out, value);
    }
    aisp_calc_put_notes(out, value);
}
