/* kill_check.c - what must hold of a store whose writer was killed. */
#include "tests/store/kill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/file.h"
#include "store/index.h"
#include "store/query.h"

static int64_t number(const struct study *s, struct aisp_store *store, const char *sql)
{
    struct aisp_stmt *stmt = NULL;
    struct aisp_err err;
    bool row = false;
    int64_t n;

    if (aisp_db_prepare(store, sql, NULL, 0, &stmt, &err) || aisp_db_step(store, stmt, &row, &err) || !row)
        fault(s, "%s: %s", sql, err.text);
    n = aisp_db_column_int(stmt, 0);
    aisp_db_finalize(stmt);
    return n;
}

/* A result that can be seen is whole: what it says, and its evidence, byte for byte. */
static void check_result(const struct study *s, struct aisp_store *store, const char *run, const json_t *result)
{
    const char *key = json_string_value(json_object_get(result, "key"));
    char *text = NULL, kept[65], expected[65];
    json_t *want = result_of(key);
    struct aisp_err err;

    if (!json_equal((json_t *)result, want))
        fault(s, "run %s: result %s says something else", run, key);
    if (aisp_store_evidence_text(store, run, key, &text, &err) || aisp_store_evidence_hash(store, run, key, expected, &err))
        fault(s, "run %s: evidence of %s: %s", run, key, err.text);
    aisp_hash_bytes(text, strlen(text), kept);
    if (strcmp(kept, expected))
        fault(s, "run %s: evidence of %s is not what its hash says", run, key);
    free(text);
    json_decref(want);
}

static void check_sealed(const struct study *s, struct aisp_store *store, const char *run, size_t n)
{
    char *folder = aisp_store_run_folder(store, run), *path = aisp_format("%s/results.json", folder);
    json_t *file = NULL;
    struct aisp_err err;

    if (aisp_file_read_json(path, &file, &err))
        fault(s, "run %s is complete, but %s", run, err.text);
    if (json_array_size(json_object_get(file, "results")) != n)
        fault(s, "run %s is complete with %zu results, and its file has %zu", run, n,
              json_array_size(json_object_get(file, "results")));
    json_decref(file);
    free(folder);
    free(path);
}

static json_t *check_run(const struct study *s, struct aisp_store *store, const char *run)
{
    const json_t *result;
    json_t *record = NULL;
    struct aisp_err err;
    size_t i;

    if (aisp_store_run_load(store, run, &record, &err))
        fault(s, "run %s: %s", run, err.text);
    json_array_foreach(json_object_get(record, "results"), i, result)
        check_result(s, store, run, result);
    if (json_is_true(json_object_get(record, "complete")))
        check_sealed(s, store, run, i);
    return record;
}

static bool has_key(const json_t *record, const char *key)
{
    const json_t *result;
    size_t i;

    json_array_foreach(json_object_get(record, "results"), i, result)
        if (!strcmp(json_string_value(json_object_get(result, "key")), key))
            return true;
    return false;
}

/* Runs whose acknowledgements are [from, n): all that was said of them is there. */
static void check_acknowledged(const struct study *s, struct aisp_store *store, size_t from)
{
    json_t *record = NULL;

    for (size_t i = from; i < s->acks.n; i++) {
        const struct ack *ack = &s->acks.ack[i];

        if (!*ack->run)
            continue;
        if (!record || strcmp(json_string_value(json_object_get(record, "run")), ack->run)) {
            json_decref(record);
            record = check_run(s, store, ack->run);
        }
        if (ack->what == 'r' && !has_key(record, ack->key))
            fault(s, "run %s: result %s was acknowledged and is lost", ack->run, ack->key);
        if (ack->what == 's' && !json_is_true(json_object_get(record, "complete")))
            fault(s, "run %s: its seal was acknowledged and is lost", ack->run);
    }
    json_decref(record);
}

static int64_t count_acks(const struct study *s, char what)
{
    int64_t n = 0;

    for (size_t i = 0; i < s->acks.n; i++)
        n += s->acks.ack[i].what == what;
    return n;
}

/* Each killed writer may have done one thing that it could not acknowledge any more. */
static void check_count(const struct study *s, struct aisp_store *store, char what, const char *sql)
{
    const int64_t acknowledged = count_acks(s, what), there = number(s, store, sql);

    if (there < acknowledged || there > acknowledged + s->n_kills + s->n_finished)
        fault(s, "%s: %lld, and %lld were acknowledged", sql, (long long)there, (long long)acknowledged);
}

static void check_update(struct study *s, struct aisp_store *store)
{
    check_count(s, store, 'q', "SELECT count(*) FROM quarantine");
    check_count(s, store, 'a', "SELECT count(*) FROM attempt");
    check_count(s, store, 'c', "SELECT count(*) FROM calibration");
    if (number(s, store, "SELECT count(*) - coalesce(max(number), 0) FROM attempt"))
        fault(s, "attempts are not numbered one after the other");
    /* The next writer begins behind what can be seen. */
    s->n_keys = number(s, store, "SELECT count(*) FROM result WHERE glob('u*', key)");
}

static void check_whole(const struct study *s, struct aisp_store *store)
{
    struct aisp_stmt *stmt = NULL;
    struct aisp_err err;
    bool whole = false, row;

    if (aisp_index_is_whole(store, &whole, &err) || !whole)
        fault(s, "the index does not fit the results");
    if (number(s, store, "SELECT count(*) FROM result WHERE run NOT IN (SELECT id FROM run)"))
        fault(s, "results without a run");
    if (aisp_db_keeps_evidence(store))
        return;
    if (aisp_db_prepare(store, "PRAGMA integrity_check", NULL, 0, &stmt, &err) || aisp_db_step(store, stmt, &row, &err) ||
        strcmp(aisp_db_column_text(stmt, 0), "ok"))
        fault(s, "SQLite's integrity check fails");
    aisp_db_finalize(stmt);
}

char *export_of(const struct study *s, struct aisp_store *store)
{
    char *path = aisp_format("%s.again.jsonl", s->folder), *text = NULL;
    struct aisp_err err;

    if (aisp_store_export(store, path, &err) || aisp_file_read_text(path, &text, &err))
        fault(s, "%s", err.text);
    unlink(path);
    free(path);
    return text;
}

/* What can be seen of a run in the middle of an import is all of it; imported again, everything is there. */
static void check_import(const struct study *s, struct aisp_store *store)
{
    struct aisp_err err;
    json_t *runs, *run;
    char *text;
    size_t i;

    if (store) {
        if (aisp_store_runs(store, 1000, &runs, &err))
            fault(s, "%s", err.text);
        json_array_foreach(runs, i, run) {
            if (json_integer_value(json_object_get(run, "n_results")) != RESULTS ||
                !json_is_true(json_object_get(run, "complete")))
                fault(s, "run %s is there in part", json_string_value(json_object_get(run, "run")));
            json_decref(check_run(s, store, json_string_value(json_object_get(run, "run"))));
        }
        json_decref(runs);
        aisp_store_close(store);
    }
    if (aisp_store_open(&store, s->folder, true, &err) || aisp_store_import(store, s->export_path, &err))
        fault(s, "importing again: %s", err.text);
    text = export_of(s, store);
    for (i = 0; text[i] && text[i] == s->exported[i]; i++)
        ;
    if (text[i] || s->exported[i])
        fault(s, "imported again, the store does not hold what was exported: ...%.150s... there, ...%.150s... before", text + i,
              s->exported + i);
    free(text);
    check_whole(s, store);
    aisp_store_close(store);
}

static bool count_row(const struct aisp_result_row *row, void *context)
{
    (void)row;
    ++*(int64_t *)context;
    return true;
}

static void check_migrated(const struct study *s, struct aisp_store *store)
{
    int64_t n = 0;
    struct aisp_err err;

    if (aisp_store_each_result(store, &(struct aisp_filter){ .complete = true }, count_row, &n, &err))
        fault(s, "%s", err.text);
    if (n != OLD_RUNS * RESULTS || number(s, store, "SELECT count(*) FROM result") != n)
        fault(s, "%lld of %d results are found", (long long)n, OLD_RUNS * RESULTS);
}

void check(struct study *s, size_t from)
{
    struct aisp_store *store = NULL;
    struct aisp_err err;
    const enum aisp_status st = aisp_store_open(&store, s->folder, s->kind == MIGRATE, &err);

    if (st && !(st == AISP_E_NOT_FOUND && s->acks.n == 0))         /* killed before there was a store */
        fault(s, "the store does not open: %s", err.text);
    if (s->kind == IMPORT) {
        check_import(s, store);
        return;
    }
    if (!store)
        return;
    check_acknowledged(s, store, from);
    if (s->kind == UPDATE)
        check_update(s, store);
    if (s->kind == MIGRATE)
        check_migrated(s, store);
    check_whole(s, store);
    aisp_store_close(store);
}

/* All of it once more, from the beginning. */
void check_all(const struct study *s)
{
    struct aisp_store *store;
    struct aisp_err err;
    json_t *runs, *run;
    size_t i;

    if (aisp_store_open(&store, s->folder, false, &err) || aisp_store_runs(store, 1 << 20, &runs, &err))
        fault(s, "%s", err.text);
    json_array_foreach(runs, i, run)
        json_decref(check_run(s, store, json_string_value(json_object_get(run, "run"))));
    check_acknowledged(s, store, 0);
    json_decref(runs);
    aisp_store_close(store);
}
