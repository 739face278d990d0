/* json.c - rows as JSON text, by hand: the program that measures a card carries no library that it does not need there. */
#include "peak_cuda/peak_cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void peak_text_add(struct peak_text *text, const char *format, ...)
{
    va_list args, again;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    if (text->n + (size_t)n + 1 > text->cap) {
        text->cap = 2 * text->cap + (size_t)n + 256;
        text->s = realloc(text->s, text->cap);
        if (!text->s)
            abort();
    }
    vsnprintf(text->s + text->n, text->cap - text->n, format, again);
    text->n += (size_t)n;
    va_end(again);
    va_end(args);
}

/* Drivers say names in ASCII; what is not becomes a question mark. */
void peak_text_string(struct peak_text *text, const char *key, const char *value)
{
    peak_text_add(text, "\"%s\": ", key);
    if (!value) {
        peak_text_add(text, "null");
        return;
    }
    peak_text_add(text, "\"");
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            peak_text_add(text, "\\%c", *c);
        else
            peak_text_add(text, "%c", *c < ' ' || *c > '~' ? '?' : *c);
    }
    peak_text_add(text, "\"");
}

void peak_text_number(struct peak_text *text, const char *key, double value)
{
    if (value > 0 && value < 1e300)
        peak_text_add(text, "\"%s\": %.6g", key, value);
    else
        peak_text_add(text, "\"%s\": null", key);
}

static void mode(struct peak_text *text, const char *key, int value)
{
    peak_text_string(text, key, value < 0 ? NULL : value ? "on" : "off");
}

void peak_text_card(struct peak_text *text, const struct peak_card *card)
{
    double celsius, watts;

    peak_nvml_state(&celsius, &watts);
    peak_text_add(text, "{");
    peak_text_string(text, "name", card->name);
    peak_text_add(text, ", ");
    peak_text_string(text, "uuid", card->uuid);
    peak_text_add(text, ", \"compute_capability\": \"%d.%d\", \"multiprocessors\": %d, \"devices\": %d", card->major,
                  card->minor, card->multiprocessors, card->n_devices);
    peak_text_add(text, ", \"memory_bytes\": %lld, \"l2_bytes\": %lld, \"bus_bits\": %d", (long long)card->memory_bytes,
                  (long long)card->l2_bytes, card->bus_bits);
    peak_text_add(text, ", \"driver\": \"%d.%d\", \"runtime\": \"%d.%d\", ", card->driver / 1000, card->driver % 1000 / 10,
                  card->runtime / 1000, card->runtime % 1000 / 10);
    peak_text_number(text, "sm_mhz_most", card->sm_mhz_most);
    peak_text_add(text, ", ");
    peak_text_number(text, "memory_mhz_most", card->memory_mhz_most);
    peak_text_add(text, ", ");
    mode(text, "ecc", peak_nvml_ecc());
    peak_text_add(text, ", ");
    mode(text, "mig", peak_nvml_mig());
    peak_text_add(text, ", ");
    peak_text_number(text, "celsius", celsius);
    peak_text_add(text, ", ");
    peak_text_number(text, "watts", watts);
    peak_text_add(text, "}");
}

static void figures(struct peak_text *text, const struct peak_result *r)
{
    peak_text_number(text, "value", r->value);
    peak_text_add(text, ", ");
    peak_text_number(text, "burst", r->burst);
    peak_text_add(text, ", ");
    peak_text_number(text, "sm_mhz", r->sm_mhz);
    peak_text_add(text, ", ");
    peak_text_number(text, "memory_mhz", r->memory_mhz);
    peak_text_add(text, ", ");
    peak_text_string(text, "clock_source", r->clock_source);
    peak_text_add(text, ", ");
    peak_text_number(text, "theory", r->theory);
    peak_text_add(text, ", ");
    peak_text_number(text, "share", r->theory > 0 ? r->value / r->theory : 0);
    peak_text_add(text, ", ");
    peak_text_number(text, "seconds", r->seconds);
    peak_text_add(text, ", \"working_set_bytes\": %lld, ", (long long)r->working_set_bytes);
    peak_text_string(text, "note", r->note);
}

/* The clock is a mean of samples, so a per cent or two above its theory is its error; more is a wrong count of ours. */
static const double MOST_SHARE = 1.05;

void peak_text_item(struct peak_text *text, const struct peak_item *item, const struct peak_result *result, const char *why)
{
    char beyond[120];

    if (result && result->theory > 0 && result->value > MOST_SHARE * result->theory) {
        snprintf(beyond, sizeof beyond, "%.0f %% of what the card can do at the sampled clock: counted wrongly, no ceiling",
                 100 * result->value / result->theory);
        result = NULL;
        why = beyond;
    }
    peak_text_add(text, "{");
    peak_text_string(text, "name", item->name);
    peak_text_add(text, ", ");
    peak_text_string(text, "unit", item->unit);
    peak_text_add(text, ", ");
    peak_text_string(text, "what", item->what);
    peak_text_add(text, ", ");
    if (item->beside) {
        peak_text_string(text, "beside", item->beside);
        peak_text_add(text, ", ");
    }
    if (result) {
        figures(text, result);
    } else {
        peak_text_add(text, "\"value\": null, ");
        peak_text_string(text, "unavailable", why);
    }
    peak_text_add(text, "}");
}

void peak_text_feature(struct peak_text *text, const struct peak_feature *feature, enum peak_answer answer, const char *why)
{
    static const char *const words[] = { "no", "yes", "error" };

    peak_text_add(text, "{");
    peak_text_string(text, "name", feature->name);
    peak_text_add(text, ", ");
    peak_text_string(text, "what", feature->what);
    peak_text_add(text, ", ");
    peak_text_string(text, "answer", words[answer]);
    peak_text_add(text, ", ");
    peak_text_string(text, "why", why);
    peak_text_add(text, "}");
}
