/* kv_cache_command.c - `aisp utils kv-cache`: what the keys and values of a model take, and how many sequences fit.
 * Not here: the formulas (kv_cache.h), public models (model.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/kv_cache.h"

/* What was asked, with the shape of a named model below it. */
struct asked {
    const char *model_name;
    struct aisp_model shape;
    const struct aisp_model *model; /* &shape, or NULL: by numbers only */
    struct aisp_kv_spec spec;
    const char *attention;
    double params, weights, card_weights, vram, reserve; /* NaN: not given */
    json_t *notes;                                       /* borrowed */
};

static int64_t whole(const struct aisp_args *args, const char *option, int64_t otherwise)
{
    return aisp_args_given(args, option) ? aisp_args_integer(args, option) : otherwise;
}

static enum aisp_status find_model(const struct aisp_request *request, struct asked *a)
{
    const char *name = aisp_args_text(request->args, "model");
    enum aisp_status st;

    if (!name)
        return AISP_OK;
    st = aisp_model_load(name, &a->shape, request->err);
    a->model = st ? NULL : &a->shape;
    a->model_name = name;
    return st;
}

static const char *attention_of(int64_t heads, int64_t kv_heads)
{
    if (kv_heads == 1 && heads != 1)
        return "multi-query";
    return !heads ? "per-head" : kv_heads < heads ? "grouped-query" : "multi-head";
}

/* Heads and their width: as given, else of the model, else one for the whole width. */
static enum aisp_status take_heads(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    const struct aisp_model *m = a->model;
    const int64_t hidden = whole(args, "hidden", m ? m->hidden : 0), heads = whole(args, "heads", m ? m->heads : 0);
    struct aisp_kv_spec *s = &a->spec;

    s->kv_heads = whole(args, "kv-heads", m ? m->kv_heads : heads);
    s->head_dim = whole(args, "head-dim", m ? m->head_dim : 0);
    if (!s->head_dim && hidden && heads && hidden % heads)
        return aisp_fail(request->err, AISP_E_USAGE, "--hidden %lld is not a multiple of --heads %lld; give --head-dim",
                         (long long)hidden, (long long)heads);
    if (!s->head_dim && hidden && heads)
        s->head_dim = hidden / heads;
    if (heads && s->kv_heads && heads % s->kv_heads)
        return aisp_fail(request->err, AISP_E_USAGE, "--kv-heads %lld must divide --heads %lld: each serves as many query heads",
                         (long long)s->kv_heads, (long long)heads);
    if (s->kv_heads && s->head_dim) {
        a->attention = attention_of(heads, s->kv_heads);
        return AISP_OK;
    }
    if (s->kv_heads || s->head_dim || !hidden)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "the width of keys and values is missing: give --model, or --hidden, or --kv-heads with --head-dim");
    if (s->tp > 1)
        return aisp_fail(request->err, AISP_E_USAGE, "--tp %lld: give --kv-heads and --head-dim, for whole heads are dealt out",
                         (long long)s->tp);
    s->kv_heads = 1;
    s->head_dim = hidden;
    a->attention = "multi-head";
    aisp_calc_note(a->notes, "neither --heads nor --kv-heads given: multi-head attention, keys and values as wide as --hidden");
    return AISP_OK;
}

static enum aisp_status take_window(const struct aisp_request *request, struct asked *a)
{
    struct aisp_kv_spec *s = &a->spec;
    const struct aisp_args *args = request->args;

    s->window = whole(args, "window", a->model ? a->model->window : 0);
    s->window_layers = whole(args, "window-layers", a->model ? a->model->window_layers : 0);
    if (aisp_args_given(args, "window-layers") && !s->window)
        return aisp_fail(request->err, AISP_E_USAGE, "--window-layers needs --window: how many tokens those layers keep");
    if (s->window && !s->window_layers) {
        s->window_layers = s->layers;
        aisp_calc_note(a->notes, "--window-layers not given: every layer is windowed");
    }
    if (s->window_layers > s->layers)
        return aisp_fail(request->err, AISP_E_USAGE, "--window-layers %lld: there are %lld layers", (long long)s->window_layers,
                         (long long)s->layers);
    return AISP_OK;
}

static enum aisp_status take_format(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    struct aisp_kv_spec *s = &a->spec;

    if (!aisp_args_text(args, "dtype"))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "the number format of the cache is missing: give --dtype, one of " AISP_NUMBER_FORMATS);
    s->format = aisp_number_format(aisp_args_text(args, "dtype"));
    s->scale_bytes = aisp_args_given(args, "scale-bytes") ? (double)aisp_args_integer(args, "scale-bytes") : 0;
    s->scale_group = whole(args, "scale-group", 0);
    if (!aisp_args_given(args, "scale-bytes") != !s->scale_group)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--scale-bytes and --scale-group belong together: bytes of a scale, and elements that share it");
    if (s->format->bits < 16 && !s->format->block && !s->scale_group)
        aisp_calc_note(a->notes, "no scales counted: give --scale-bytes and --scale-group if the cache keeps scales a token");
    return AISP_OK;
}

static enum aisp_status take_shape(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    const struct aisp_model *m = a->model;
    struct aisp_kv_spec *s = &a->spec;

    s->layers = whole(args, "layers", m ? m->layers : 0);
    s->tokens = whole(args, "tokens", 0);
    s->batch = whole(args, "batch", 1);
    s->tp = whole(args, "tp", 1);
    s->pp = whole(args, "pp", 1);
    s->page_tokens = whole(args, "page", 0);
    if (!s->layers)
        return aisp_fail(request->err, AISP_E_USAGE, "the number of layers is missing: give --layers or --model");
    if (!s->tokens)
        return aisp_fail(request->err, AISP_E_USAGE, "the length of a sequence is missing: give --tokens");
    if (s->pp > s->layers)
        return aisp_fail(request->err, AISP_E_USAGE, "--pp %lld: there are %lld layers", (long long)s->pp,
                         (long long)s->layers);
    s->kv_latent = whole(args, "kv-latent", m && !aisp_args_given(args, "kv-heads") ? m->kv_latent : 0);
    s->rope_dim = whole(args, "rope-dim", m && s->kv_latent ? m->rope_dim : 0);
    if (s->kv_latent && !s->rope_dim)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--kv-latent needs --rope-dim: the part of a key that carries the position");
    a->attention = "multi-head latent";
    return s->kv_latent ? AISP_OK : take_heads(request, a);
}

static double memory_asked(const struct aisp_args *args, const char *option)
{
    return aisp_calc_asked(args, option) * AISP_GIB;
}

static enum aisp_status take_weights(const struct aisp_request *request, struct asked *a)
{
    const struct aisp_args *args = request->args;
    const char *dtype = aisp_args_text(args, "weight-dtype"), *experts = aisp_args_text(args, "expert-dtype");
    struct aisp_model_params p = { 0 };

    a->params = aisp_calc_asked(args, "params");
    if (a->model && !isfinite(a->params)) {
        p = aisp_model_params(a->model);
        a->params = (double)p.total;
    } else if (isfinite(a->params))
        p.total = (int64_t)a->params;
    if (experts && !p.experts)
        return aisp_fail(request->err, AISP_E_USAGE, "--expert-dtype: which parameters are experts is known of a --model only");
    a->weights = dtype && isfinite(a->params)
                     ? aisp_weight_bytes(&p, aisp_number_format(dtype), experts ? aisp_number_format(experts) : NULL)
                     : NAN;
    a->card_weights = a->weights / (double)(a->spec.tp * a->spec.pp);
    a->vram = memory_asked(args, "vram");
    a->reserve = memory_asked(args, "reserve");
    return AISP_OK;
}

static json_t *card_of(const struct asked *a, const struct aisp_kv_size *size)
{
    const double reserve = isfinite(a->reserve) ? a->reserve : 0;
    json_t *card = json_pack("{s:I, s:I, s:o, s:o, s:f, s:o, s:o, s:o}", "kv_heads", (json_int_t)size->card_kv_heads, "layers",
                             (json_int_t)size->card_layers, "sequence_bytes", aisp_calc_count(size->card_sequence_bytes),
                             "batch_bytes", aisp_calc_count(size->card_batch_bytes), "copies", size->copies, "weights_bytes",
                             aisp_calc_count(a->card_weights), "vram_bytes", aisp_calc_count(a->vram), "reserve_bytes",
                             aisp_calc_count(a->reserve));

    if (isfinite(a->vram) && isfinite(a->card_weights)) {
        json_object_set_new(card, "largest_batch",
                            json_integer((json_int_t)aisp_kv_largest_batch(size, a->vram, a->card_weights, reserve)));
        json_object_set_new(card, "fits", json_boolean(size->card_batch_bytes + a->card_weights + reserve <= a->vram));
    } else {
        json_object_set_new(card, "largest_batch", json_null());
        json_object_set_new(card, "fits", json_null());
    }
    return card;
}

static void add_notes(struct asked *a, const struct aisp_kv_size *size)
{
    if (!isfinite(a->weights))
        aisp_calc_note(a->notes, "weights not counted: %s",
                       isfinite(a->params) ? "give --weight-dtype" : "give --model or --params, and --weight-dtype");
    if (isfinite(a->vram) && !isfinite(a->weights))
        aisp_calc_note(a->notes, "the largest batch is not known without the weights");
    if (isfinite(a->vram) && isfinite(a->weights) && !isfinite(a->reserve))
        aisp_calc_note(a->notes, "--reserve not given: nothing is kept for activations, workspace and the runtime");
    if (isfinite(a->weights) && a->spec.tp * a->spec.pp > 1)
        aisp_calc_note(a->notes, "weights of a card: all of them / (tp x pp)");
    if (size->copies > 1)
        aisp_calc_note(a->notes, "%s: each element lies on %.3g cards of a tensor parallel group",
                       a->spec.kv_latent ? "a latent has no heads to deal out" : "fewer heads than cards to deal them to",
                       size->copies);
}

static json_t *value_of(const struct asked *a, const struct aisp_kv_size *size)
{
    const struct aisp_kv_spec *s = &a->spec;
    json_t *value = json_pack(
        "{s:s?, s:s?, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:I}", "model", a->model_name, "source",
        a->model && *a->model->source ? a->model->source : NULL, "attention", a->attention, "layers", (json_int_t)s->layers,
        "window_layers", (json_int_t)s->window_layers, "window", (json_int_t)s->window, "kv_heads", (json_int_t)s->kv_heads,
        "head_dim", (json_int_t)s->head_dim, "kv_latent", (json_int_t)s->kv_latent, "rope_dim", (json_int_t)s->rope_dim,
        "tokens", (json_int_t)s->tokens, "batch", (json_int_t)s->batch, "dtype", s->format->name, "page_tokens",
        (json_int_t)s->page_tokens, "tp", (json_int_t)s->tp, "pp", (json_int_t)s->pp);

    json_object_set_new(value, "token_layer_bytes", aisp_calc_count(size->token_layer_bytes));
    json_object_set_new(value, "scale_bytes", aisp_calc_count(size->scale_bytes));
    json_object_set_new(value, "token_bytes", aisp_calc_count(size->token_bytes));
    json_object_set_new(value, "sequence_bytes", aisp_calc_count(size->sequence_bytes));
    json_object_set_new(value, "paged_bytes", aisp_calc_count(size->paged_bytes));
    json_object_set_new(value, "waste_bytes", aisp_calc_count(size->waste_bytes));
    json_object_set_new(value, "waste_share", json_real(size->waste_bytes / size->paged_bytes));
    json_object_set_new(value, "batch_bytes", aisp_calc_count(size->batch_bytes));
    json_object_set_new(value, "params", aisp_calc_count(a->params));
    json_object_set_new(value, "weights_bytes", aisp_calc_count(a->weights));
    json_object_set_new(value, "card", card_of(a, size));
    json_object_set(value, "notes", a->notes);
    return value;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct asked a = { .notes = json_array() };
    struct aisp_kv_size size;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(find_model(request, &a));
    AISP_TRY(take_shape(request, &a));
    AISP_TRY(take_window(request, &a));
    AISP_TRY(take_format(request, &a));
    AISP_TRY(take_weights(request, &a));
    size = aisp_kv_size(&a.spec);
    add_notes(&a, &size);
    *value = value_of(&a, &size);
out:
    json_decref(a.notes);
    return st;
}

/* ---- text ---- */

static long long count(const json_t *value, const char *key)
{
    return (long long)json_integer_value(json_object_get(value, key));
}

static void put(struct aisp_buf *out, const char *label, double bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void put(struct aisp_buf *out, const char *label, double bytes, const char *format, ...)
{
    struct aisp_buf why = AISP_BUF_INIT;
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(&why, format, args);
    va_end(args);
    aisp_buf_printf(out, "  %-22s %12s%s", label, aisp_calc_bytes(bytes).s, why.len ? "   " : "\n");
    if (why.len)
        aisp_calc_put_wrapped(out, 40, 40, why.s);
    aisp_buf_release(&why);
}

static void put_head(struct aisp_buf *out, const json_t *value)
{
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_buf_printf(&line, "KV cache%s%s: %lld layers, %s attention, ", *aisp_calc_text(value, "model") ? " of " : "",
                    aisp_calc_text(value, "model"), count(value, "layers"), aisp_calc_text(value, "attention"));
    if (count(value, "kv_latent"))
        aisp_buf_printf(&line, "a latent of %lld and %lld for the position", count(value, "kv_latent"),
                        count(value, "rope_dim"));
    else
        aisp_buf_printf(&line, "%lld x %lld for keys and as many for values", count(value, "kv_heads"),
                        count(value, "head_dim"));
    aisp_buf_printf(&line, ", %s", aisp_calc_text(value, "dtype"));
    if (count(value, "window_layers"))
        aisp_buf_printf(&line, "; %lld layers keep the last %lld tokens", count(value, "window_layers"),
                        count(value, "window"));
    aisp_calc_put_wrapped(out, 0, 2, line.s);
    aisp_buf_release(&line);
}

static void put_card(struct aisp_buf *out, const json_t *value)
{
    const json_t *card = json_object_get(value, "card");
    const double vram = aisp_calc_of(card, "vram_bytes"), weights = aisp_calc_of(card, "weights_bytes");

    if (count(value, "tp") * count(value, "pp") > 1 || isfinite(vram)) {
        aisp_buf_printf(out, "\none card of %lld: tensor parallel %lld, pipeline parallel %lld\n",
                        count(value, "tp") * count(value, "pp"), count(value, "tp"), count(value, "pp"));
        if (count(value, "kv_latent"))
            put(out, "a sequence", aisp_calc_of(card, "sequence_bytes"), "%lld layers", count(card, "layers"));
        else
            put(out, "a sequence", aisp_calc_of(card, "sequence_bytes"), "%lld layers, %lld of %lld heads",
                count(card, "layers"), count(card, "kv_heads"), count(value, "kv_heads"));
        put(out, "the batch", aisp_calc_of(card, "batch_bytes"), "%lld sequence%s", count(value, "batch"),
            count(value, "batch") > 1 ? "s" : "");
        if (isfinite(weights))
            put(out, "weights", weights, "%s", "");
    }
    if (!isfinite(vram))
        return;
    if (isfinite(aisp_calc_of(card, "reserve_bytes")))
        put(out, "reserve", aisp_calc_of(card, "reserve_bytes"), "%s", "");
    put(out, "memory", vram, "%s", "");
    if (json_is_integer(json_object_get(card, "largest_batch")))
        aisp_buf_printf(out, "  largest batch that fits: %lld; a batch of %lld %s\n", count(card, "largest_batch"),
                        count(value, "batch"), json_is_true(json_object_get(card, "fits")) ? "fits" : "does not fit");
    else
        aisp_buf_puts(out, "  largest batch that fits: not known\n");
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    (void)style;
    put_head(out, value);
    if (aisp_calc_of(value, "scale_bytes") > 0)
        put(out, "a token, one layer", aisp_calc_of(value, "token_layer_bytes"), "of it scales %s",
            aisp_calc_bytes(aisp_calc_of(value, "scale_bytes")).s);
    else
        put(out, "a token, one layer", aisp_calc_of(value, "token_layer_bytes"), "%s", "");
    put(out, "a token", aisp_calc_of(value, "token_bytes"), "all layers");
    put(out, "a sequence", aisp_calc_of(value, "sequence_bytes"), "%lld tokens", count(value, "tokens"));
    if (count(value, "page_tokens"))
        put(out, "in pages", aisp_calc_of(value, "paged_bytes"), "of %lld tokens; %s or %.2f %% waste",
            count(value, "page_tokens"), aisp_calc_bytes(aisp_calc_of(value, "waste_bytes")).s,
            100 * aisp_calc_of(value, "waste_share"));
    put(out, "the batch", aisp_calc_of(value, "batch_bytes"), "%lld sequence%s", count(value, "batch"),
        count(value, "batch") > 1 ? "s" : "");
    if (isfinite(aisp_calc_of(value, "weights_bytes")))
        put(out, "weights", aisp_calc_of(value, "weights_bytes"), "%.5g billion parameters",
            aisp_calc_of(value, "params") * 1e-9);
    put_card(out, value);
    aisp_calc_put_notes(out, value);
    if (*aisp_calc_text(value, "source")) {
        aisp_buf_puts(out, "source: ");
        aisp_calc_put_wrapped(out, 8, 8, aisp_calc_text(value, "source"));
    }
}

#define COUNT(most) AISP_OPT_INTEGER, .meta = "N", .low = 1, .high = (most)
static const struct aisp_option options[] = {
    { "model", 'm', AISP_OPT_TEXT, .meta = "NAME", .may_be_path = true,
      .help = "A model's shape: llama-3.1-8b, llama-3.1-70b, gpt-oss-120b, deepseek-v3-671b, or a file NAME.json" },
    { "layers", 0, COUNT(100000), .help = "Layers" },
    { "hidden", 0, COUNT(10000000), .help = "Width of the model; without heads: of keys and of values" },
    { "heads", 0, COUNT(1000000), .help = "Query heads" },
    { "kv-heads", 0, COUNT(1000000), .help = "Heads of keys and values: 1 is multi-query, fewer than --heads grouped-query" },
    { "head-dim", 0, COUNT(1000000), .help = "Width of a head (default: hidden / heads)" },
    { "kv-latent", 0, COUNT(1000000), .help = "Multi-head latent attention: width of the latent" },
    { "rope-dim", 0, COUNT(1000000), .help = "Multi-head latent attention: width of the part with the position" },
    { "window", 0, COUNT(1000000000), .help = "Sliding window: windowed layers keep this many tokens" },
    { "window-layers", 0, COUNT(100000), .help = "How many layers are windowed (default: all, or the named model's)" },
    { "tokens", 't', COUNT(1000000000), .help = "Length of a sequence, prompt and answer" },
    { "batch", 'b', COUNT(10000000), .help = "Sequences at once", .preset = "1" },
    { "dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "Number format of the cache" },
    { "scale-bytes", 0, COUNT(64), .help = "Quantised cache: bytes of one scale (and zero point)" },
    { "scale-group", 0, COUNT(1000000), .help = "Quantised cache: elements of a head that share a scale" },
    { "page", 0, COUNT(1000000), .help = "Paged cache: tokens in a page" },
    { "params", 0, AISP_OPT_REAL, .meta = "N", .help = "Parameters of the model, such as 70e9 (default: the named model's)" },
    { "weight-dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "Number format of the weights" },
    { "expert-dtype", 0, AISP_OPT_CHOICE, .meta = AISP_NUMBER_FORMATS, .help = "The same of routed experts, if it differs" },
    { "tp", 0, COUNT(100000), .help = "Tensor parallel: cards that share each layer", .preset = "1" },
    { "pp", 0, COUNT(100000), .help = "Pipeline parallel: stages that share the layers", .preset = "1" },
    { "vram", 0, AISP_OPT_REAL, .meta = "GIB", .help = "Memory of a card: what is the largest batch?" },
    { "reserve", 0, AISP_OPT_REAL, .meta = "GIB", .help = "Of it, kept for activations, workspace and the runtime" },
    { 0 },
};

AISP_COMMAND(utils_kv_cache) = {
    .path = "utils kv-cache",
    .sentence = "Work out the memory of keys and values, and the largest batch that fits",
    .example = "aisp utils kv-cache --layers 80 --hidden 8192 -t 4096 -b 8 --dtype fp8\n"
               "aisp utils kv-cache -m llama-3.1-8b -t 8192 --dtype bf16 --weight-dtype bf16",
    .option = options,
    .run = run,
    .render = render,
};
