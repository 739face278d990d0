/* rows.c - results as one array, and what each says. */
#include "analysis/rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

/* ---- texts, each once ---- */

enum { CHUNK = 1 << 16 };

struct chunk {
    struct chunk *before;
    size_t used, size;
    char text[];
};

struct slot { const char *text; uint32_t hash; };

struct aisp_text_pool {
    struct slot *slot;
    size_t n, n_slots; /* a power of two */
    struct chunk *chunk;
};

static uint32_t hash_of(const char *text, size_t *n)
{
    uint32_t h = 2166136261u;
    const char *c = text;

    for (; *c; c++)
        h = (h ^ (unsigned char)*c) * 16777619u;
    *n = (size_t)(c - text);
    return h;
}

static const char *keep(struct aisp_text_pool *pool, const char *text, size_t n)
{
    char *to;

    if (!pool->chunk || pool->chunk->size - pool->chunk->used < n + 1) {
        const size_t size = n + 1 > CHUNK ? n + 1 : CHUNK;
        struct chunk *c = aisp_xmalloc(sizeof *c + size);

        *c = (struct chunk){ pool->chunk, 0, size };
        pool->chunk = c;
    }
    to = pool->chunk->text + pool->chunk->used;
    memcpy(to, text, n + 1);
    pool->chunk->used += n + 1;
    return to;
}

static struct slot *find(struct aisp_text_pool *pool, const char *text, uint32_t hash)
{
    size_t at = hash & (pool->n_slots - 1);

    while (pool->slot[at].text && (pool->slot[at].hash != hash || strcmp(pool->slot[at].text, text)))
        at = (at + 1) & (pool->n_slots - 1);
    return &pool->slot[at];
}

static void widen(struct aisp_text_pool *pool)
{
    struct slot *old = pool->slot;
    const size_t n = pool->n_slots;

    pool->n_slots = n ? 2 * n : 1024;
    pool->slot = aisp_xcalloc(pool->n_slots, sizeof *pool->slot);
    for (size_t i = 0; i < n; i++)
        if (old[i].text)
            *find(pool, old[i].text, old[i].hash) = old[i];
    free(old);
}

const char *aisp_rows_text(struct aisp_rows *rows, const char *text)
{
    struct slot *slot;
    uint32_t hash;
    size_t n;

    if (!text || !*text)
        return "";
    if (!rows->pool)
        rows->pool = aisp_xcalloc(1, sizeof *rows->pool);
    if (2 * rows->pool->n >= rows->pool->n_slots)
        widen(rows->pool);
    hash = hash_of(text, &n);
    slot = find(rows->pool, text, hash);
    if (!slot->text) {
        *slot = (struct slot){ keep(rows->pool, text, n), hash };
        rows->pool->n++;
    }
    return slot->text;
}

/* Most texts are those of the row before. */
static const char *text_after(struct aisp_rows *rows, const char *text, const char *before)
{
    return before && text && !strcmp(text, before) ? before : aisp_rows_text(rows, text);
}

void aisp_rows_add(struct aisp_rows *rows, const struct aisp_result_row *row)
{
    static const struct aisp_result_row none;
    struct aisp_result_row copy = *row, last = rows->n ? rows->row[rows->n - 1] : none;

    copy.run = text_after(rows, row->run, last.run);
    copy.key = text_after(rows, row->key, last.key);
    copy.host = text_after(rows, row->host, last.host);
    copy.hardware = text_after(rows, row->hardware, last.hardware);
    copy.target = text_after(rows, row->target, last.target);
    copy.variant = text_after(rows, row->variant, last.variant);
    copy.reference = text_after(rows, row->reference, last.reference);
    copy.device = text_after(rows, row->device, last.device);
    copy.size = text_after(rows, row->size, last.size);
    copy.goal = text_after(rows, row->goal, last.goal);
    copy.grade = text_after(rows, row->grade, last.grade);
    copy.verdict = text_after(rows, row->verdict, last.verdict);
    *(struct aisp_result_row *)aisp_grow(&rows->row, &rows->n, &rows->cap, sizeof copy) = copy;
}

void aisp_rows_release(struct aisp_rows *rows)
{
    struct chunk *c = rows->pool ? rows->pool->chunk : NULL;

    while (c) {
        struct chunk *before = c->before;

        free(c);
        c = before;
    }
    if (rows->pool)
        free(rows->pool->slot);
    free(rows->pool);
    free(rows->row);
    *rows = (struct aisp_rows){ 0 };
}

/* ---- the walk ---- */

struct walk {
    struct aisp_rows *rows;
    const struct aisp_rows_want *want;
};

static bool visit(const struct aisp_result_row *row, void *context)
{
    const struct walk *w = context;
    struct aisp_rows *rows = w->rows;

    rows->n_seen++;
    if (w->want->size && strcmp(row->size, w->want->size)) {
        rows->n_other_size++;
        if (!rows->other_size)
            rows->other_size = aisp_rows_text(rows, row->size);
    } else if (w->want->reference && strcmp(row->reference, w->want->reference)) {
        rows->n_other_reference++;
        if (!rows->other_reference)
            rows->other_reference = aisp_rows_text(rows, row->reference);
    } else if (w->want->invalid || aisp_row_is_valid(row)) {
        aisp_rows_add(rows, row);
    } else if (!strcmp(row->grade, "invalid")) {
        rows->n_invalid++;
    } else {
        rows->n_no_ratio++;
    }
    return true;
}

enum aisp_status aisp_rows_collect(struct aisp_rows *rows, struct aisp_store *store, const struct aisp_rows_want *want,
                                   struct aisp_err *err)
{
    struct walk w = { rows, want };

    return aisp_store_each_result(store, &want->filter, visit, &w, err);
}

/* ---- what a row says ---- */

bool aisp_row_is_valid(const struct aisp_result_row *row)
{
    return strcmp(row->grade, "invalid") && isfinite(row->ratio) && row->ratio > 0;
}

bool aisp_row_has_goal(const struct aisp_result_row *row, const char *goal)
{
    return !strcmp(row->goal, goal);
}

struct aisp_measured aisp_row_ratio(const struct aisp_result_row *row)
{
    return aisp_measured_of(row->ratio, row->lo95, row->hi95);
}

/* What is not above 0 was not measured. */
static struct aisp_measured quotient(double a, double b)
{
    return aisp_measured_of(a > 0 && b > 0 ? a / b : NAN, NAN, NAN);
}

struct aisp_measured aisp_row_speed(const struct aisp_result_row *row)
{
    return aisp_row_has_goal(row, "speed") ? aisp_row_ratio(row) : quotient(row->a_median_ns, row->b_median_ns);
}

struct aisp_measured aisp_row_memory(const struct aisp_result_row *row)
{
    return aisp_row_has_goal(row, "memory") ? aisp_row_ratio(row) : quotient(row->a_memory_bytes, row->b_memory_bytes);
}

struct aisp_measured aisp_row_energy(const struct aisp_result_row *row)
{
    return quotient(row->a_energy_j, row->b_energy_j);
}

bool aisp_row_counts_units(const struct aisp_result_row *row)
{
    return isfinite(row->a_per_second) || isfinite(row->b_per_second);
}

static double positive(double x)
{
    return isfinite(x) && x > 0 ? x : NAN;
}

double aisp_row_rate(const struct aisp_result_row *row, int side)
{
    if (aisp_row_counts_units(row))
        return positive(side == AISP_ROW_A ? row->a_per_second : row->b_per_second);
    return 1e9 / positive(side == AISP_ROW_A ? row->a_median_ns : row->b_median_ns);
}

double aisp_row_watts(const struct aisp_result_row *row, int side)
{
    const double joules = positive(side == AISP_ROW_A ? row->a_energy_j : row->b_energy_j);

    return joules / (1e-9 * positive(side == AISP_ROW_A ? row->a_median_ns : row->b_median_ns));
}

/* Watts over units a second. */
double aisp_row_joules(const struct aisp_result_row *row, int side)
{
    return aisp_row_watts(row, side) / aisp_row_rate(row, side);
}

int aisp_row_group_order(const struct aisp_result_row *a, const struct aisp_result_row *b)
{
    const char *const x[] = { a->hardware, a->target, a->device, a->size, a->reference },
                      *const y[] = { b->hardware, b->target, b->device, b->size, b->reference };
    int order = 0;

    for (size_t i = 0; i < sizeof x / sizeof *x && !order; i++)
        order = x[i] == y[i] ? 0 : strcmp(x[i], y[i]);
    return order;
}

bool aisp_row_same_group(const struct aisp_result_row *a, const struct aisp_result_row *b)
{
    return !aisp_row_group_order(a, b);
}

const char *aisp_row_idea(const char *variant)
{
    const char *const prefix[] = { "optimized_", "peer_" };

    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        if (!strncmp(variant, prefix[i], strlen(prefix[i])) && variant[strlen(prefix[i])])
            return variant + strlen(prefix[i]);
    return variant;
}

bool aisp_row_is_peer(const struct aisp_result_row *row)
{
    return !strncmp(row->variant, "peer_", 5);
}
