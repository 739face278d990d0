/* index.c - fill the derived tables. */
#include "store/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/hardware.h"

/* The figures' columns, in the order of enum aisp_extract_figure. */
#define REALS "ratio, lo95, hi95, a_median_ns, b_median_ns, b_p99_ns, a_memory_bytes, b_memory_bytes, a_energy_j, b_energy_j," \
              " a_per_second, b_per_second"
#define F_REALS "f.ratio, f.lo95, f.hi95, f.a_median_ns, f.b_median_ns, f.b_p99_ns, f.a_memory_bytes, f.b_memory_bytes," \
                " f.a_energy_j, f.b_energy_j, f.a_per_second, f.b_per_second"
#define FIGURE_COLUMNS "series, started_at, id, run, key, machine, goal, grade, verdict, " REALS
#define F_COLUMNS "f.series, f.started_at, f.id, f.run, f.key, f.machine, f.goal, f.grade, f.verdict, " F_REALS
#define REAL(n) "CAST(?" #n " AS DOUBLE PRECISION)"
#define IS(column) #column " = excluded." #column
#define MORE " ON CONFLICT (series) DO UPDATE SET n = tally.n + excluded.n, n_invalid = tally.n_invalid + excluded.n_invalid"
#define NEWER                                                                                                               \
    " ON CONFLICT (series) DO UPDATE SET " IS(started_at) ", " IS(id) ", " IS(run) ", " IS(key) ", " IS(machine) ", "        \
    IS(goal) ", " IS(grade) ", " IS(verdict) ", " IS(ratio) ", " IS(lo95) ", " IS(hi95) ", " IS(a_median_ns) ", "            \
    IS(b_median_ns) ", " IS(b_p99_ns) ", " IS(a_memory_bytes) ", " IS(b_memory_bytes) ", " IS(a_energy_j) ", "               \
    IS(b_energy_j) ", " IS(a_per_second) ", " IS(b_per_second) " WHERE excluded.started_at > newest.started_at OR"           \
    " (excluded.started_at = newest.started_at AND excluded.id > newest.id)"

enum { MACHINE_ADD, MACHINE_FIND, SERIES_ADD, SERIES_FIND, FIGURE_ADD, OPEN_ADD, OPEN_REMOVE, TALLY_RUN, NEWEST_RUN, TALLY_ADD,
       NEWEST_ADD, N_STATEMENTS };

static const char *const sql[N_STATEMENTS] = {
    [MACHINE_ADD] = "INSERT INTO machine (host) VALUES (?1) ON CONFLICT DO NOTHING",
    [MACHINE_FIND] = "SELECT id FROM machine WHERE host = ?1",
    [SERIES_ADD] = "INSERT INTO series (hardware, target, variant, reference, device, size) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
                   " ON CONFLICT DO NOTHING",
    [SERIES_FIND] = "SELECT id FROM series WHERE hardware = ?1 AND target = ?2 AND variant = ?3 AND reference = ?4 AND"
                    " device = ?5 AND size = ?6",
    [FIGURE_ADD] = "INSERT INTO figure (" FIGURE_COLUMNS ")"
                   " VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), CAST(?3 AS BIGINT), ?4, ?5, CAST(?6 AS BIGINT), ?7, ?8,"
                   " ?9, " REAL(10) ", " REAL(11) ", " REAL(12) ", " REAL(13) ", " REAL(14) ", " REAL(15) ", " REAL(16) ", "
                   REAL(17) ", " REAL(18) ", " REAL(19) ", " REAL(20) ", " REAL(21) ")",
    [OPEN_ADD] = "INSERT INTO open_run (run) VALUES (?1) ON CONFLICT DO NOTHING",
    [OPEN_REMOVE] = "DELETE FROM open_run WHERE run = ?1",
    /* Of a run whose results were added before, maybe by another process. */
    [TALLY_RUN] = "INSERT INTO tally (series, n, n_invalid)"
                  " SELECT f.series, count(*), sum(CASE WHEN f.grade = 'invalid' THEN 1 ELSE 0 END) FROM figure f"
                  " WHERE f.started_at = CAST(?1 AS BIGINT) AND f.run = ?2 GROUP BY f.series ORDER BY f.series" MORE,
    /* A run may have several results of one series; the last one counts. */
    [NEWEST_RUN] = "INSERT INTO newest (" FIGURE_COLUMNS ") SELECT " F_COLUMNS
                   " FROM (SELECT series, max(id) AS id FROM figure WHERE started_at = CAST(?1 AS BIGINT) AND run = ?2"
                   "  GROUP BY series) l JOIN figure f ON f.series = l.series AND f.id = l.id"
                   " WHERE f.started_at = CAST(?1 AS BIGINT) ORDER BY f.series" NEWER,
    /* Of a series, for all runs that were added and sealed here. */
    [TALLY_ADD] = "INSERT INTO tally (series, n, n_invalid) VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), CAST(?3 AS BIGINT))"
                  MORE,
    [NEWEST_ADD] = "INSERT INTO newest (" FIGURE_COLUMNS ") SELECT " F_COLUMNS " FROM figure f WHERE"
                   " f.series = CAST(?1 AS BIGINT) AND f.started_at = CAST(?2 AS BIGINT) AND f.id = CAST(?3 AS BIGINT)" NEWER,
};

/* A series that this transaction has met; and of it what was sealed here and is not written yet. */
struct known {
    char *names, id[24];
    int64_t n, n_invalid, newest_at, newest_id;
};
/* A result of the run that was entered. */
struct added { struct known *series; int64_t id; bool is_invalid; };

struct aisp_index {
    struct aisp_store *store;
    struct aisp_stmt *stmt[N_STATEMENTS];    /* prepared when first used */
    char run[AISP_RUN_ID_MAX], host[128], machine[24], started_at[24];
    struct aisp_environment env;
    bool has_env;
    char card[96], hardware[AISP_HARDWARE_MAX];      /* of results with this card */
    struct known **known;                    /* open addressing */
    size_t n_known, cap_known;
    struct added *added;
    size_t n_added, cap_added;
};

struct aisp_index *aisp_index_new(struct aisp_store *store)
{
    struct aisp_index *index = aisp_xcalloc(1, sizeof *index);

    index->store = store;
    return index;
}

void aisp_index_free(struct aisp_index *index)
{
    if (!index)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        aisp_db_finalize(index->stmt[i]);
    for (size_t i = 0; i < index->cap_known; i++) {
        if (index->known[i])
            free(index->known[i]->names);
        free(index->known[i]);
    }
    free(index->known);
    free(index->added);
    free(index);
}

/* Run statement `which`; its first column's text, if it has a row, goes to `id` (may be NULL). */
static enum aisp_status run(struct aisp_index *index, int which, const char *const *text, int n, char id[24], bool *has,
                            struct aisp_err *err)
{
    enum aisp_status st;
    bool row;

    if (index->stmt[which])
        AISP_TRY(aisp_db_rebind(index->stmt[which], text, n, err));
    else
        AISP_TRY(aisp_db_prepare(index->store, sql[which], text, n, &index->stmt[which], err));
    AISP_TRY(aisp_db_step(index->store, index->stmt[which], &row, err));
    if (row && id)
        snprintf(id, 24, "%s", aisp_db_column_text(index->stmt[which], 0));
    if (has)
        *has = row;
out:
    return st;
}

/* The number of a row that is there, or is made now. */
static enum aisp_status number_of(struct aisp_index *index, int find, int add, const char *const *text, int n, char id[24],
                                  struct aisp_err *err)
{
    enum aisp_status st;
    bool has;

    AISP_TRY(run(index, find, text, n, id, &has, err));
    if (has)
        return AISP_OK;
    AISP_TRY(run(index, add, text, n, NULL, NULL, err));
    AISP_TRY(run(index, find, text, n, id, &has, err));
    if (!has)
        st = aisp_fail(err, AISP_E_IO, "%s: what was added is not there", index->store->path);
out:
    return st;
}

enum aisp_status aisp_index_exists(struct aisp_store *store, struct aisp_err *err)
{
    bool has = false;
    enum aisp_status st;

    AISP_TRY(aisp_db_has_table(store, "figure", &has, err));
    if (!has)
        st = aisp_fail(err, AISP_E_IO,
                       "%s: made by an older aisp, and cannot be brought up to date because it cannot be written "
                       "here; copy it to where it can",
                       store->path);
out:
    return st;
}

enum aisp_status aisp_index_add_run(struct aisp_index *index, const char *id, struct aisp_err *err)
{
    return run(index, OPEN_ADD, &id, 1, NULL, NULL, err);
}

/* ---- where a run was made ---- */

static int64_t integer(struct aisp_span value)
{
    char text[24];

    if (!aisp_skim_is_number(value) || value.n >= sizeof text)
        return -1;
    memcpy(text, value.s, value.n);
    text[value.n] = '\0';
    return strtoll(text, NULL, 10);
}

/* What of the environment makes the hardware's name. */
static void read_environment(struct aisp_span json, struct aisp_environment *env)
{
    struct aisp_span name, value;

    *env = (struct aisp_environment){ .n_cpus = -1, .l3_bytes = -1 };
    while (aisp_skim_next(&json, &name, &value)) {
        if (aisp_span_is(name, "cpu_model"))
            aisp_skim_text(value, env->cpu_model, sizeof env->cpu_model);
        else if (aisp_span_is(name, "isa"))
            aisp_skim_text(value, env->isa, sizeof env->isa);
        else if (aisp_span_is(name, "n_cpus"))
            env->n_cpus = (int)integer(value);
        else if (aisp_span_is(name, "l3_bytes"))
            env->l3_bytes = integer(value);
        else if (aisp_span_is(name, "virtual_machine"))
            env->virtual_machine = aisp_span_is(value, "true");
    }
}

enum aisp_status aisp_index_enter(struct aisp_index *index, const char *id, int64_t started_at, struct aisp_span manifest,
                                  struct aisp_err *err)
{
    const struct aisp_span environment = aisp_skim_find(manifest, "environment");
    char host[sizeof index->host];
    const char *text = host;
    enum aisp_status st = AISP_OK;

    aisp_skim_text(aisp_skim_find(manifest, "host"), host, sizeof host);
    if (!*index->machine || strcmp(host, index->host))
        AISP_TRY(number_of(index, MACHINE_FIND, MACHINE_ADD, &text, 1, index->machine, err));
    snprintf(index->host, sizeof index->host, "%s", host);
    snprintf(index->run, sizeof index->run, "%s", id);
    snprintf(index->started_at, sizeof index->started_at, "%lld", (long long)started_at);
    index->n_added = 0;
    index->has_env = aisp_skim_is_object(environment);
    if (index->has_env)
        read_environment(environment, &index->env);
    *index->card = *index->hardware = '\0';
    if (index->has_env)
        aisp_hardware_key(&index->env, NULL, index->hardware);
out:
    return st;
}

/* ---- results ---- */

static uint64_t hash_of(const char *text)
{
    uint64_t h = 1469598103934665603u;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h ^ h >> 29;
}

static struct known **slot_of(struct known **table, size_t cap, const char *names)
{
    size_t i = hash_of(names) & (cap - 1);

    while (table[i] && strcmp(table[i]->names, names))
        i = (i + 1) & (cap - 1);
    return &table[i];
}

static struct known **find_known(struct aisp_index *index, const char *names)
{
    if (2 * index->n_known >= index->cap_known) {
        const size_t cap = index->cap_known ? 2 * index->cap_known : 256;
        struct known **table = aisp_xcalloc(cap, sizeof *table);

        for (size_t i = 0; i < index->cap_known; i++)
            if (index->known[i])
                *slot_of(table, cap, index->known[i]->names) = index->known[i];
        free(index->known);
        index->known = table;
        index->cap_known = cap;
    }
    return slot_of(index->known, index->cap_known, names);
}

static enum aisp_status series_of(struct aisp_index *index, const struct aisp_extract *e, struct known **series,
                                  struct aisp_err *err)
{
    const char *hardware = index->hardware;
    const char *const text[] = { hardware, e->target, e->variant, e->reference, e->device, e->size };
    char names[sizeof *e], id[24];
    struct known **known;
    enum aisp_status st = AISP_OK;

    snprintf(names, sizeof names, "%s\n%s\n%s\n%s\n%s\n%s", hardware, e->target, e->variant, e->reference, e->device, e->size);
    known = find_known(index, names);
    if (!*known) {
        AISP_TRY(number_of(index, SERIES_FIND, SERIES_ADD, text, 6, id, err));
        *known = aisp_xcalloc(1, sizeof **known);
        (*known)->names = aisp_xstrdup(names);
        memcpy((*known)->id, id, sizeof id);
        index->n_known++;
    }
    *series = *known;
out:
    return st;
}

enum aisp_status aisp_index_add_result(struct aisp_index *index, int64_t id, const struct aisp_extract *e, const char *card,
                                       struct aisp_err *err)
{
    char number[24];
    const char *text[9 + AISP_N_EXTRACT];
    struct known *series;
    enum aisp_status st;

    if (index->has_env && strcmp(card, index->card)) {
        snprintf(index->card, sizeof index->card, "%s", card);
        aisp_hardware_key(&index->env, card, index->hardware);
    }
    AISP_TRY(series_of(index, e, &series, err));
    snprintf(number, sizeof number, "%lld", (long long)id);
    text[0] = series->id, text[1] = index->started_at, text[2] = number, text[3] = index->run, text[4] = e->key;
    text[5] = index->machine, text[6] = e->goal, text[7] = e->grade, text[8] = e->verdict;
    memcpy(text + 9, e->figure, sizeof e->figure);
    AISP_TRY(run(index, FIGURE_ADD, text, 9 + AISP_N_EXTRACT, NULL, NULL, err));
    *(struct added *)aisp_grow(&index->added, &index->n_added, &index->cap_added, sizeof *index->added) =
        (struct added){ series, id, !strcmp(e->grade, "invalid") };
out:
    return st;
}

/* Noted here, written by the flush: fifty runs of one machine change the same rows fifty times. */
static void note_sealed(struct aisp_index *index)
{
    const int64_t at = strtoll(index->started_at, NULL, 10);

    for (size_t i = 0; i < index->n_added; i++) {
        struct known *k = index->added[i].series;

        k->n++;
        k->n_invalid += index->added[i].is_invalid;
        if (at > k->newest_at || (at == k->newest_at && index->added[i].id > k->newest_id)) {
            k->newest_at = at;
            k->newest_id = index->added[i].id;
        }
    }
}

enum aisp_status aisp_index_seal(struct aisp_index *index, bool has_all, struct aisp_err *err)
{
    const char *const text[] = { index->started_at, index->run }, *const id = index->run;
    enum aisp_status st;

    AISP_TRY(run(index, OPEN_REMOVE, &id, 1, NULL, NULL, err));
    if (has_all) {
        note_sealed(index);
        return AISP_OK;
    }
    AISP_TRY(run(index, TALLY_RUN, text, 2, NULL, NULL, err));
    AISP_TRY(run(index, NEWEST_RUN, text, 2, NULL, NULL, err));
out:
    return st;
}

static enum aisp_status flush_series(struct aisp_index *index, struct known *k, struct aisp_err *err)
{
    char n[24], n_invalid[24], at[24], id[24];
    const char *const tally[] = { k->id, n, n_invalid }, *const newest[] = { k->id, at, id };
    enum aisp_status st;

    snprintf(n, sizeof n, "%lld", (long long)k->n);
    snprintf(n_invalid, sizeof n_invalid, "%lld", (long long)k->n_invalid);
    snprintf(at, sizeof at, "%lld", (long long)k->newest_at);
    snprintf(id, sizeof id, "%lld", (long long)k->newest_id);
    AISP_TRY(run(index, TALLY_ADD, tally, 3, NULL, NULL, err));
    AISP_TRY(run(index, NEWEST_ADD, newest, 3, NULL, NULL, err));
    k->n = k->n_invalid = 0;
out:
    return st;
}

enum aisp_status aisp_index_flush(struct aisp_index *index, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < index->cap_known; i++)
        if (index->known[i] && index->known[i]->n)
            AISP_TRY(flush_series(index, index->known[i], err));
out:
    return st;
}

const char *aisp_index_card(const json_t *evidence)
{
    const char *name =
        json_string_value(json_object_get(json_object_get(json_object_get(evidence, "machine"), "card"), "name"));

    return name ? name : "";
}

void aisp_index_skim_card(struct aisp_span evidence, char *card, size_t size)
{
    aisp_skim_text(aisp_skim_find(aisp_skim_find(aisp_skim_find(evidence, "machine"), "card"), "name"), card, size);
}

/* ---- all of it anew ---- */

/* A card's name is in the evidence alone; where that was pruned, the results count as the host's. */
static void card_of(struct aisp_store *store, const char *run, const char *key, char *card, size_t size)
{
    json_t *evidence = NULL;

    if (aisp_store_evidence_load(store, run, key, &evidence, NULL) == AISP_OK)
        snprintf(card, size, "%s", aisp_index_card(evidence));
    json_decref(evidence);
}

/* What nobody can read any more has no figures; `aisp store check` names it. */
static enum aisp_status index_row(struct aisp_index *index, struct aisp_stmt *row, struct aisp_err *err)
{
    const char *json = aisp_db_column_text(row, 1), *device = aisp_db_column_text(row, 3);
    struct aisp_extract extract;
    char card[96] = "";

    if (!json || aisp_extract_text(json, &extract, NULL))
        return AISP_OK;
    if (device && strcmp(device, "cpu"))
        card_of(index->store, index->run, aisp_db_column_text(row, 2), card, sizeof card);
    return aisp_index_add_result(index, aisp_db_column_int(row, 0), &extract, card, err);
}

static enum aisp_status index_run(struct aisp_index *index, struct aisp_stmt *entry, struct aisp_stmt **results,
                                  struct aisp_err *err)
{
    static const char select[] = "SELECT rowid, result, key, device FROM result WHERE run = ?1 ORDER BY rowid";
    const char *run = aisp_db_column_text(entry, 0), *manifest = aisp_db_column_text(entry, 2);
    const struct aisp_span json = { manifest, strlen(manifest) };
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_index_add_run(index, run, err));
    AISP_TRY(aisp_index_enter(index, run, aisp_db_column_int(entry, 1),
                              aisp_skim_check(json, NULL, NULL) ? (struct aisp_span){ "{}", 2 } : json, err));
    if (*results)
        AISP_TRY(aisp_db_rebind(*results, &run, 1, err));
    else
        AISP_TRY(aisp_db_prepare(index->store, select, &run, 1, results, err));
    for (;;) {
        AISP_TRY(aisp_db_step(index->store, *results, &row, err));
        if (!row)
            break;
        AISP_TRY(index_row(index, *results, err));
    }
    if (aisp_db_column_int(entry, 3))
        AISP_TRY(aisp_index_seal(index, true, err));
out:
    return st;
}

enum aisp_status aisp_index_rebuild(struct aisp_store *store, struct aisp_err *err)
{
    static const char clear[] = "DELETE FROM newest; DELETE FROM tally; DELETE FROM open_run; DELETE FROM figure;"
                                " DELETE FROM series; DELETE FROM machine";
    struct aisp_stmt *runs = NULL, *results = NULL;
    struct aisp_index *index = aisp_index_new(store);
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_exec(store, clear, err));
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT id, started_at, manifest, CASE WHEN seal.run IS NULL THEN 0 ELSE 1 END"
                             " FROM run LEFT JOIN seal ON seal.run = id ORDER BY id",
                             NULL, 0, &runs, err));
    for (;;) {
        AISP_TRY(aisp_db_step(store, runs, &row, err));
        if (!row)
            break;
        AISP_TRY(index_run(index, runs, &results, err));
    }
    AISP_TRY(aisp_index_flush(index, err));
out:
    aisp_db_finalize(runs);
    aisp_db_finalize(results);
    aisp_index_free(index);
    return st;
}

enum aisp_status aisp_index_is_whole(struct aisp_store *store, bool *whole, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    *whole = false;
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT (SELECT count(*) FROM result) - (SELECT count(*) FROM figure),"
                             " (SELECT count(*) FROM run) - (SELECT count(*) FROM seal) - (SELECT count(*) FROM open_run)",
                             NULL, 0, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    *whole = row && aisp_db_column_int(stmt, 0) == 0 && aisp_db_column_int(stmt, 1) == 0;
out:
    aisp_db_finalize(stmt);
    return st;
}
