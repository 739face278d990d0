/* parallelism.c - `aisp utils parallelism`: how to split a model over cards, from rates and links that were measured.
 * Not here: the estimates (split.h), the text (parallelism_text.c). */
#include "commands/utils/parallelism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/split.h"

enum { N_SHOWN = 6 };

/* What has to be measured; each is an option, and a member of the file of --measured. */
enum rate { VRAM, CARD_TFLOPS, CARD_GBPS, LINK_US, LINK_GBPS, NET_US, NET_GBPS, N_RATES };
static const struct {
    const char *option, *member, *what;
} rates[N_RATES] = {
    { "vram", "vram_gib", "GiB of memory of a card" },
    { "card-tflops", "card_tflops", "TFLOP/s of a card's matrix products in the format of the weights" },
    { "card-gbps", "card_gbps", "GB/s of a card's memory" },
    { "link-us", "link_us", "microseconds of an empty message between cards of a node" },
    { "link-gbps", "link_gbps", "GB/s of a card to others of its node, one direction" },
    { "net-us", "net_us", "microseconds of an empty message between nodes" },
    { "net-gbps", "net_gbps", "GB/s of a card to other nodes, one direction" },
};

struct asked {
    struct aisp_model model;
    struct aisp_parallel_job job;
    struct aisp_cluster cluster;
    double rate[N_RATES];
    json_t *notes; /* borrowed */
};

/* ---- what was measured ---- */

static enum aisp_status read_file(const char *path, double *rate, struct aisp_err *err)
{
    json_error_t error;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *value;
    enum aisp_status st = AISP_OK;
    const char *name;

    if (!file && error.line < 0)
        return aisp_fail(err, AISP_E_NOT_FOUND, "--measured: %s", error.text);
    if (!file)
        return aisp_fail(err, AISP_E_USAGE, "--measured %s, line %d: %s", path, error.line, error.text);
    json_object_foreach(file, name, value)
    {
        int i = 0;

        while (i < N_RATES && strcmp(rates[i].member, name))
            i++;
        if (i == N_RATES)
            st = aisp_fail(err, AISP_E_USAGE,
                           "--measured %s: unknown member \"%s\"; known are vram_gib, card_tflops, card_gbps, "
                           "link_us, link_gbps, net_us and net_gbps",
                           path, name);
        else if (!json_is_number(value) || json_number_value(value) <= 0)
            st = aisp_fail(err, AISP_E_USAGE, "--measured %s: \"%s\" must be a number above 0", path, name);
        else
            rate[i] = json_number_value(value);
        if (st)
            break;
    }
    json_decref(file);
    return st;
}

/* No usual values: what is missing is named. Without other nodes, their network is not needed. */
static enum aisp_status take_rates(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    const bool alone = a->cluster.cards == 1, one_node = a->cluster.cards <= a->cluster.node_cards;

    for (int i = 0; i < N_RATES; i++)
        a->rate[i] = NAN;
    if (aisp_args_given(args, "measured")) {
        const enum aisp_status st = read_file(aisp_args_text(args, "measured"), a->rate, request->err);

        if (st)
            return st;
    }
    for (int i = 0; i < N_RATES; i++) {
        const bool is_needed = i < LINK_US || (i < NET_US ? !alone : !one_node);

        if (aisp_args_given(args, rates[i].option))
            a->rate[i] = aisp_args_real(args, rates[i].option);
        if (is_needed && !isfinite(a->rate[i]))
            return aisp_fail(request->err, AISP_E_USAGE, "give --%s (%s), or a --measured file with %s", rates[i].option,
                             rates[i].what, rates[i].member);
        if (!isfinite(a->rate[i]))
            a->rate[i] = i == LINK_US || i == NET_US ? 0 : 1; /* never used */
    }
    a->cluster.flops = a->rate[CARD_TFLOPS] * 1e12;
    a->cluster.bytes_per_second = a->rate[CARD_GBPS] * 1e9;
    a->cluster.link = (struct aisp_link){ a->rate[LINK_US] * 1e-6, a->rate[LINK_GBPS] * 1e9 };
    a->cluster.net = (struct aisp_link){ a->rate[NET_US] * 1e-6, a->rate[NET_GBPS] * 1e9 };
    return AISP_OK;
}

/* ---- what is to be done ---- */

static enum aisp_status needs(const struct aisp_request *request, const char *option, const char *what)
{
    if (aisp_args_text(request->args, option))
        return AISP_OK;
    return aisp_fail(request->err, AISP_E_USAGE, "give --%s: %s", option, what);
}

static enum aisp_status take_cluster(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    const double reserve = aisp_calc_asked(args, "reserve");
    enum aisp_status st;

    AISP_TRY(needs(request, "cards", "how many there are"));
    a->cluster.cards = aisp_args_integer(args, "cards");
    a->cluster.node_cards = aisp_args_given(args, "node-cards") ? aisp_args_integer(args, "node-cards") : a->cluster.cards;
    if (!aisp_args_given(args, "node-cards") && a->cluster.cards > 1)
        aisp_calc_note(a->notes, "--node-cards not given: all cards are in one node");
    if (!isfinite(reserve))
        aisp_calc_note(a->notes, "--reserve not given: nothing is kept for workspace and the runtime");
    AISP_TRY(take_rates(request, a));
    a->cluster.memory_bytes = (a->rate[VRAM] - (isfinite(reserve) ? reserve : 0)) * AISP_GIB;
out:
    return st;
}

static enum aisp_status take_job(const struct aisp_request *request, struct asked *a)
{
    static const char *const phases[] = { "prefill", "decode", "train" };
    const struct aisp_args *args = request->args;
    enum aisp_status st;

    AISP_TRY(needs(request, "model", "a model by name, or a file NAME.json that states its shape"));
    AISP_TRY(needs(request, "phase", "prefill, decode or train"));
    AISP_TRY(needs(request, "tokens", "length of a sequence; decode: tokens in the cache"));
    AISP_TRY(needs(request, "batch", "sequences at once over all cards"));
    AISP_TRY(aisp_model_load(aisp_args_text(args, "model"), &a->model, request->err));
    a->job = (struct aisp_parallel_job){ .model = &a->model,
                                         .tokens = aisp_args_integer(args, "tokens"),
                                         .batch = aisp_args_integer(args, "batch") };
    for (int i = 0; i < 3; i++)
        if (!strcmp(phases[i], aisp_args_text(args, "phase")))
            a->job.phase = i;
    if (a->job.phase != AISP_TRAINING) {
        AISP_TRY(needs(request, "weight-dtype", "number format of the weights"));
        AISP_TRY(needs(request, "kv-dtype", "number format of keys and values"));
    }
    /* Training in mixed precision multiplies 16-bit weights. */
    a->job.weights = aisp_number_format(aisp_args_text(args, "weight-dtype") ? aisp_args_text(args, "weight-dtype") : "bf16");
    a->job.experts =
        aisp_args_text(args, "expert-dtype") ? aisp_number_format(aisp_args_text(args, "expert-dtype")) : a->job.weights;
    a->job.cache = aisp_number_format(aisp_args_text(args, "kv-dtype") ? aisp_args_text(args, "kv-dtype") : "bf16");
out:
    return st;
}

/* ---- the answer ---- */

static json_t *row_of(const struct aisp_plan_row *row)
{
    static const char *const parts[AISP_N_PARTS] = { "work", "tensor", "expert", "pipeline", "gradient", "bubble" };
    const struct aisp_split_cost *c = &row->cost;
    json_t *value = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:s, s:o, s:o, s:o, s:o, s:o, s:b}", "tp", (json_int_t)row->split.tp, "pp",
        (json_int_t)row->split.pp, "dp", (json_int_t)row->split.dp, "ep", (json_int_t)row->split.ep, "micro_batches",
        (json_int_t)row->split.micro, "step_s", c->step_s, "tokens_per_second", c->tokens_per_second, "bubble_share",
        c->bubble_share, "work_bound", c->is_memory_bound ? "memory" : "compute", "card_bytes", aisp_calc_count(c->card_bytes),
        "weights_bytes", aisp_calc_count(c->weights_bytes), "cache_bytes", aisp_calc_count(c->cache_bytes), "training_bytes",
        aisp_calc_count(c->training_bytes), "activation_bytes", aisp_calc_count(c->activation_bytes), "fits", c->fits);
    json_t *seconds = json_object();

    for (int part = 0; part < AISP_N_PARTS; part++)
        json_object_set_new(seconds, parts[part], json_real(c->part_s[part]));
    json_object_set_new(value, "parts_s", seconds);
    return value;
}

/* The part in which `a` gains most over `b`, and the one in which it loses most (AISP_N_PARTS: none). */
static char *why(const struct aisp_plan_row *a, const struct aisp_plan_row *b)
{
    int gain = AISP_N_PARTS, loss = AISP_N_PARTS;
    struct aisp_buf text = AISP_BUF_INIT;
    double most = 0, least = 0;

    for (int part = 0; part < AISP_N_PARTS; part++) {
        const double saved = b->cost.part_s[part] - a->cost.part_s[part];

        if (saved > most) {
            most = saved;
            gain = part;
        }
        if (saved < least) {
            least = saved;
            loss = part;
        }
    }
    aisp_buf_printf(&text, "tp %lld pp %lld dp %lld ep %lld needs %.2f %% less time than tp %lld pp %lld dp %lld ep %lld",
                    (long long)a->split.tp, (long long)a->split.pp, (long long)a->split.dp, (long long)a->split.ep,
                    100 * (1 - a->cost.step_s / b->cost.step_s), (long long)b->split.tp, (long long)b->split.pp,
                    (long long)b->split.dp, (long long)b->split.ep);
    if (gain < AISP_N_PARTS)
        aisp_buf_printf(&text, ": it saves %.4g ms of %s", 1e3 * most, aisp_part_name(gain));
    if (loss < AISP_N_PARTS)
        aisp_buf_printf(&text, "%s %.4g ms more of %s", gain < AISP_N_PARTS ? " and has" : ": it has", -1e3 * least,
                        aisp_part_name(loss));
    return aisp_buf_detach(&text);
}

static void add_sensitivity(const struct asked *a, const struct aisp_parallel_plan *winner, json_t *value)
{
    static const char *const names[AISP_N_INPUTS] = { "card TFLOP/s",    "memory GB/s",  "link latency",  "link GB/s",
                                                      "network latency", "network GB/s", "memory for use" };
    json_t *turns = json_array(), *steady = json_array();
    const bool one_node = a->cluster.cards <= a->cluster.node_cards;

    for (int input = 0; input < AISP_N_INPUTS; input++) {
        const size_t before = json_array_size(turns);

        if ((input == AISP_INPUT_NET || input == AISP_INPUT_NET_LATENCY) && one_node)
            continue;
        for (int up = 0; up < 2; up++) {
            struct aisp_parallel_plan other;
            const double factor = aisp_split_turns(&a->job, &a->cluster, winner, input, up, &other);

            if (factor > 0)
                json_array_append_new(turns, json_pack("{s:s, s:f, s:I, s:I, s:I, s:I}", "input", names[input], "factor",
                                                       factor, "tp", (json_int_t)other.tp, "pp", (json_int_t)other.pp, "dp",
                                                       (json_int_t)other.dp, "ep", (json_int_t)other.ep));
        }
        if (json_array_size(turns) == before)
            json_array_append_new(steady, json_string(names[input]));
    }
    json_object_set_new(value, "sensitivity", turns);
    json_object_set_new(value, "steady", steady);
}

static void add_ways(const struct asked *a, const struct aisp_plan_row *rows, size_t n, json_t *value)
{
    json_t *ways = json_array();
    size_t n_fit = 0;
    char *text;

    for (size_t i = 0; i < n; i++)
        n_fit += rows[i].cost.fits;
    for (size_t i = 0; i < n && i < N_SHOWN; i++)
        json_array_append_new(ways, row_of(&rows[i]));
    json_object_set_new(value, "n_ways", json_integer((json_int_t)n));
    json_object_set_new(value, "n_fit", json_integer((json_int_t)n_fit));
    json_object_set_new(value, "ways", ways);
    json_object_set_new(value, "why", json_null());
    json_object_set_new(value, "margin_percent", json_null());
    if (n_fit > 1) {
        text = why(&rows[0], &rows[1]);
        json_object_set_new(value, "why", json_string(text));
        json_object_set_new(value, "margin_percent", json_real(100 * (1 - rows[0].cost.step_s / rows[1].cost.step_s)));
        free(text);
    }
    if (n_fit)
        add_sensitivity(a, &rows[0].split, value);
}

static json_t *given_of(const struct asked *a)
{
    json_t *given = json_pack("{s:I, s:o}", "node_cards", (json_int_t)a->cluster.node_cards, "memory_bytes",
                              aisp_calc_count(a->cluster.memory_bytes));

    for (int i = 0; i < N_RATES; i++) {
        const bool is_used = i < LINK_US || (i < NET_US ? a->cluster.cards > 1 : a->cluster.cards > a->cluster.node_cards);

        json_object_set_new(given, rates[i].member, is_used ? json_real(a->rate[i]) : json_null());
    }
    return given;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct asked a = { .notes = json_array() };
    struct aisp_plan_row *rows = NULL;
    enum aisp_status st;
    size_t n;

    (void)exit_code;
    AISP_TRY(take_job(request, &a));
    AISP_TRY(take_cluster(request, &a));
    rows = aisp_split_search(&a.job, &a.cluster, &n);
    if (!n) {
        st = aisp_fail(
            request->err, AISP_E_USAGE,
            "no way to use all %lld cards: heads (%lld) must divide by tp, layers (%lld) hold pp, the batch (%lld) hold dp",
            (long long)a.cluster.cards, (long long)a.model.heads, (long long)a.model.layers, (long long)a.job.batch);
        goto out;
    }
    if (a.job.phase == AISP_TRAINING)
        aisp_calc_note(a.notes,
                       "training: Adam in mixed precision, 16 bytes a parameter, 12 of them dealt out over data parallel "
                       "cards (ZeRO stage 1); selective recomputation of activations");
    aisp_calc_note(a.notes,
                   "estimates from measured rates: nothing overlaps, activations are 2 bytes, experts are asked evenly; "
                   "let a measurement decide between ways a few percent apart");
    *value = json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:O}", "model", aisp_args_text(request->args, "model"), "phase",
                       aisp_args_text(request->args, "phase"), "cards", (json_int_t)a.cluster.cards, "tokens",
                       (json_int_t)a.job.tokens, "batch", (json_int_t)a.job.batch, "given", given_of(&a), "notes", a.notes);
    add_ways(&a, rows, n, *value);
out:
    free(rows);
    json_decref(a.notes);
    return st;
}

#define COUNT(most) AISP_OPT_INTEGER, .meta = "N", .low = 1, .high = (most)
static const struct aisp_option options[] = {
    { "model", 'm', AISP_OPT_TEXT, .meta = "NAME", .may_be_path = true,
      .help = "llama-3.1-8b, llama-3.1-70b, gpt-oss-120b, deepseek-v3-671b, or a file NAME.json that states the shape" },
    { "phase", 0, AISP_OPT_CHOICE, .meta = "prefill|decode|train", .help = "What the cards do" },
    { "tokens", 't', COUNT(100000000), .help = "Length of a sequence; decode: tokens in the cache" },
    { "batch", 'b', COUNT(10000000), .help = "Sequences at once over all cards" },
    { "weight-dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "Number format of the weights" },
    { "expert-dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "The same of routed experts, if it differs" },
    { "kv-dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "Number format of keys and values" },
    { "cards", 'n', COUNT(4096), .help = "Cards, all to be used" },
    { "node-cards", 0, COUNT(4096), .help = "Cards in a node (default: all)" },
    { "vram", 0, AISP_OPT_REAL, .meta = "GIB", .help = "Memory of a card" },
    { "reserve", 0, AISP_OPT_REAL, .meta = "GIB", .help = "Of it, kept for workspace and the runtime" },
    { "measured", 'f', AISP_OPT_PATH, .meta = "FILE",
      .help = "JSON of what is measured, such as {\"vram_gib\": 80, \"card_tflops\": 640}" },
    { "card-tflops", 0, AISP_OPT_REAL, .meta = "TFLOP/S", .help = "Measured: matrix products of a card" },
    { "card-gbps", 0, AISP_OPT_REAL, .meta = "GB/S", .help = "Measured: memory of a card" },
    { "link-us", 0, AISP_OPT_REAL, .meta = "US", .help = "Measured: an empty message inside a node (alpha)" },
    { "link-gbps", 0, AISP_OPT_REAL, .meta = "GB/S", .help = "Measured: a card to its node, one direction (beta)" },
    { "net-us", 0, AISP_OPT_REAL, .meta = "US", .help = "Measured: an empty message between nodes" },
    { "net-gbps", 0, AISP_OPT_REAL, .meta = "GB/S", .help = "Measured: a card to other nodes, one direction" },
    { 0 },
};

AISP_COMMAND(utils_parallelism) = {
    .path = "utils parallelism",
    .sentence = "Plan how to split a model over cards: tensor, pipeline, data, expert parallel",
    .example = "aisp utils parallelism -m my.json --phase train -t 8192 -b 64 -n 8 -f n.json",
    .option = options,
    .run = run,
    .render = aisp_parallelism_render,
};
