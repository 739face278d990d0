/* cost.c - the table of prices, and cost a unit. */
#include "analysis/cost.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"

static const struct aisp_price built_in[] = {
    { "B200", 5.00, false }, { "H100", 3.50, false }, { "A100", 2.00, false },
    { "L40S", 1.50, false }, { "A10G", 1.00, false }, { "T4", 0.50, false },
};

void aisp_prices_init(struct aisp_prices *prices)
{
    *prices = (struct aisp_prices){ 0 };
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        *(struct aisp_price *)aisp_grow(&prices->price, &prices->n, &prices->cap, sizeof *built_in) = built_in[i];
}

void aisp_prices_release(struct aisp_prices *prices)
{
    free(prices->price);
    *prices = (struct aisp_prices){ 0 };
}

enum aisp_status aisp_prices_add(struct aisp_prices *prices, const char *text, struct aisp_err *err)
{
    const char *equals = strchr(text, '=');
    struct aisp_price price = { .is_given = true };
    char *end;

    if (!equals || equals == text || (size_t)(equals - text) >= sizeof price.name)
        return aisp_fail(err, AISP_E_USAGE, "price \"%s\": must be NAME=USD an hour, such as H100=2.80 or cpu=0.40", text);
    memcpy(price.name, text, (size_t)(equals - text));
    price.usd_per_hour = strtod(equals + 1, &end);
    if (end == equals + 1 || *end || !isfinite(price.usd_per_hour) || price.usd_per_hour <= 0)
        return aisp_fail(err, AISP_E_USAGE, "price \"%s\": \"%s\" is no price an hour above 0", text, equals + 1);
    *(struct aisp_price *)aisp_grow(&prices->price, &prices->n, &prices->cap, sizeof price) = price;
    return AISP_OK;
}

/* Without the white space at both ends. */
static char *trimmed(char *line)
{
    size_t n;

    while (isspace((unsigned char)*line))
        line++;
    for (n = strlen(line); n && isspace((unsigned char)line[n - 1]); n--)
        ;
    line[n] = '\0';
    return line;
}

enum aisp_status aisp_prices_read(struct aisp_prices *prices, const char *path, struct aisp_err *err)
{
    FILE *f = fopen(path, "re");
    enum aisp_status st = AISP_OK;
    char *line = NULL;
    size_t size = 0;

    if (!f)
        return aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO, "%s: prices cannot be read", path);
    for (int number = 1; !st && getline(&line, &size, f) >= 0; number++) {
        const char *text = trimmed(line);
        struct aisp_err why;

        if (!*text || *text == '#')
            continue;
        if (aisp_prices_add(prices, text, &why))
            st = aisp_fail(err, AISP_E_USAGE, "%s:%d: %.400s", path, number, why.text);
    }
    if (!st && ferror(f))
        st = aisp_fail_errno(err, AISP_E_IO, "%s: prices cannot be read", path);
    free(line);
    fclose(f);
    return st;
}

const struct aisp_price *aisp_prices_find(const struct aisp_prices *prices, const char *name)
{
    for (size_t i = prices->n; i; i--)
        if (!strcasecmp(prices->price[i - 1].name, name))
            return &prices->price[i - 1];
    return NULL;
}

static bool contains_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = text; *at; at++)
        if (!strncasecmp(at, word, n) && (at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
            return true;
    return false;
}

static bool is_price_of(const struct aisp_price *price, const struct aisp_result_row *row)
{
    const bool on_cpu = !strcmp(row->device, "cpu");

    if (!price->is_given && on_cpu)
        return false;
    return (on_cpu && !strcasecmp(price->name, "cpu")) || contains_word(row->hardware, price->name);
}

const struct aisp_price *aisp_prices_of(const struct aisp_prices *prices, const struct aisp_result_row *row)
{
    const struct aisp_price *best = NULL;

    for (size_t i = 0; i < prices->n; i++)
        if (is_price_of(&prices->price[i], row) && (!best || strlen(prices->price[i].name) >= strlen(best->name)))
            best = &prices->price[i];
    return best;
}

double aisp_cost_per_million(const struct aisp_result_row *row, int side, double usd_per_hour)
{
    return 1e6 * usd_per_hour / (3600 * aisp_row_rate(row, side));
}
