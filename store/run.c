/* run.c - a run: begun, added to, sealed, read again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/hash.h"
#include "core/base/rng.h"
#include "core/json.h"
#include "store/db.h"
#include "store/evidence.h"
#include "store/file.h"
#include "store/index.h"

char *aisp_store_run_folder(const struct aisp_store *store, const char *run)
{
    return aisp_format("%s/runs/%s", store->folder, run);
}

static enum aisp_status make(const char *path, struct aisp_err *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot make this folder", path);
    return AISP_OK;
}

/* ARTIFACTS, .../runs, .../RUN, .../RUN/evidence */
enum aisp_status aisp_store_make_folders(const struct aisp_store *store, const char *run, struct aisp_err *err)
{
    char *runs = aisp_format("%s/runs", store->folder), *folder = aisp_store_run_folder(store, run);
    char *evidence = aisp_format("%s/evidence", folder);
    enum aisp_status st;

    AISP_TRY(make(store->folder, err));
    AISP_TRY(make(runs, err));
    AISP_TRY(make(folder, err));
    AISP_TRY(make(evidence, err));
out:
    free(runs);
    free(folder);
    free(evidence);
    return st;
}

enum aisp_status aisp_store_run_folder_make(const struct aisp_store *store, const char *run, char **folder,
                                            struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(aisp_store_make_folders(store, run, err));
    *folder = aisp_store_run_folder(store, run);
out:
    return st;
}

/* In the order of time as text, for the newest is asked for by it: the second, a 4096th of it, and 12 bits by chance. */
static void new_run_id(char run[AISP_RUN_ID_MAX])
{
    struct timespec now;
    struct aisp_key key;
    struct tm utc;
    size_t n;

    clock_gettime(CLOCK_REALTIME, &now);
    aisp_key_random(&key);
    gmtime_r(&now.tv_sec, &utc);
    n = strftime(run, AISP_RUN_ID_MAX, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(run + n, AISP_RUN_ID_MAX - n, "-%03x%01x%02x", (unsigned)(now.tv_nsec * 4096 / 1000000000), key.b[0] & 15u, key.b[1]);
}

static char *dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("a record that JSON cannot hold");
    return text;
}

static enum aisp_status insert_run(struct aisp_store *store, const json_t *manifest, int64_t started_at,
                                   struct aisp_err *err)
{
    char *text = dump(manifest), when[24];
    const char *const values[] = { aisp_json_text(manifest, "run"), when, aisp_json_text(manifest, "host"), text };
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)started_at);
    st = aisp_db_run(store, "INSERT INTO run (id, started_at, host, manifest) VALUES (?1, CAST(?2 AS BIGINT), ?3, ?4)", values,
                     4, err);
    free(text);
    return st;
}

static enum aisp_status record_run(struct aisp_store *store, const json_t *manifest, struct aisp_err *err)
{
    struct aisp_index *index = aisp_index_new(store);
    enum aisp_status st;

    AISP_TRY(aisp_db_begin(store, err));
    AISP_TRY(insert_run(store, manifest, time(NULL), err));
    AISP_TRY(aisp_index_add_run(index, aisp_json_text(manifest, "run"), err));
    aisp_index_free(index);
    index = NULL;
    AISP_TRY(aisp_db_commit(store, err));
out:
    aisp_index_free(index);
    if (st)
        aisp_db_rollback(store);
    return st;
}

enum aisp_status aisp_store_run_begin(struct aisp_store *store, json_t *manifest, char run[AISP_RUN_ID_MAX],
                                      struct aisp_err *err)
{
    char *folder = NULL, *path = NULL;
    enum aisp_status st;

    new_run_id(run);
    json_object_set_new(manifest, "run", json_string(run));
    AISP_TRY(aisp_store_make_folders(store, run, err));
    folder = aisp_store_run_folder(store, run);
    path = aisp_format("%s/manifest.json", folder);
    AISP_TRY(aisp_file_write_json(path, manifest, NULL, err));
    aisp_store_hold(store, folder);
    AISP_TRY(record_run(store, manifest, err));
out:
    if (st)
        aisp_store_unhold(store);
    free(folder);
    free(path);
    return st;
}

static enum aisp_status has_result(struct aisp_store *store, const char *run, const char *key, bool *has, struct aisp_err *err)
{
    const char *const values[] = { run, key };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT 1 FROM result WHERE run = ?1 AND key = ?2", values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, has, err));
out:
    aisp_db_finalize(stmt);
    return st;
}

const char aisp_store_insert_result[] =
    "INSERT INTO result (run, key, target, variant, device, grade, result, evidence_sha256)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING RETURNING rowid";

/* The run of the index's next results. */
static enum aisp_status enter(struct aisp_store *store, struct aisp_index *index, const char *run, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    const char *manifest;
    bool row;

    AISP_TRY(aisp_db_prepare(store, "SELECT started_at, manifest FROM run WHERE id = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row) {
        st = aisp_fail(err, AISP_E_NOT_FOUND, "no run \"%s\" in %s", run, store->path);
        goto out;
    }
    manifest = aisp_db_column_text(stmt, 1);
    st = aisp_index_enter(index, run, aisp_db_column_int(stmt, 0), (struct aisp_span){ manifest, strlen(manifest) }, err);
out:
    aisp_db_finalize(stmt);
    return st;
}

/* The row and what is derived from it: both or neither. */
static enum aisp_status record_result(struct aisp_store *store, const char *const values[8], const char *card,
                                      struct aisp_err *err)
{
    struct aisp_index *index = aisp_index_new(store);
    struct aisp_stmt *stmt = NULL;
    struct aisp_extract extract;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_begin(store, err));
    AISP_TRY(aisp_extract_text(values[6], &extract, err));
    AISP_TRY(enter(store, index, values[0], err));
    AISP_TRY(aisp_db_prepare(store, aisp_store_insert_result, values, 8, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row) {
        st = aisp_fail(err, AISP_E_USAGE, "run %s has a result \"%s\" already; results are never replaced", values[0],
                       values[1]);
        goto out;
    }
    AISP_TRY(aisp_index_add_result(index, aisp_db_column_int(stmt, 0), &extract, card, err));
    aisp_db_finalize(stmt);
    aisp_index_free(index);
    stmt = NULL;
    index = NULL;
    AISP_TRY(aisp_db_commit(store, err));
out:
    aisp_db_finalize(stmt);
    aisp_index_free(index);
    if (st)
        aisp_db_rollback(store);
    return st;
}

enum aisp_status aisp_store_result_add(struct aisp_store *store, const char *run, const json_t *result,
                                       const json_t *evidence, struct aisp_err *err)
{
    const char *key = aisp_json_text(result, "key");
    char *text = dump(result), sha256[65];
    const char *const values[] = { run, key, aisp_json_text(result, "target"), aisp_json_text(result, "variant"),
                                   aisp_json_text(result, "device"), aisp_json_text(result, "grade"), text, sha256 };
    enum aisp_status st;
    bool has;

    AISP_TRY(has_result(store, run, key, &has, err));
    if (has) {
        st = aisp_fail(err, AISP_E_USAGE, "run %s has a result \"%s\" already; results are never replaced", run, key);
        goto out;
    }
    AISP_TRY(aisp_evidence_keep(store, run, key, evidence, sha256, err));
    AISP_TRY(record_result(store, values, aisp_index_card(evidence), err));
out:
    free(text);
    return st;
}

static enum aisp_status load_rows(struct aisp_store *store, const char *run, json_t *results, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, "SELECT result FROM result WHERE run = ?1 ORDER BY rowid", &run, 1, &stmt, err));
    for (;;) {
        json_t *result;

        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &result, err));
        json_array_append_new(results, result);
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

static enum aisp_status insert_seal(struct aisp_store *store, const char *run, const json_t *summary,
                                    int64_t finished_at, struct aisp_err *err)
{
    char *text = dump(summary), when[24];
    const char *const values[] = { run, when, text };
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)finished_at);
    st = aisp_db_run(store, "INSERT INTO seal (run, finished_at, summary) VALUES (?1, CAST(?2 AS BIGINT), ?3)", values, 3, err);
    free(text);
    return st;
}

static enum aisp_status record_seal(struct aisp_store *store, const char *run, const json_t *summary, int64_t finished_at,
                                    struct aisp_err *err)
{
    struct aisp_index *index = aisp_index_new(store);
    enum aisp_status st;

    AISP_TRY(aisp_db_begin(store, err));
    AISP_TRY(insert_seal(store, run, summary, finished_at, err));
    AISP_TRY(enter(store, index, run, err));
    AISP_TRY(aisp_index_seal(index, false, err));
    aisp_index_free(index);
    index = NULL;
    AISP_TRY(aisp_db_commit(store, err));
out:
    aisp_index_free(index);
    if (st)
        aisp_db_rollback(store);
    return st;
}

/* {"KEY": SHA-256 of its evidence file}: with them the folder proves itself when the index is gone. */
static enum aisp_status load_hashes(struct aisp_store *store, const char *run, json_t *hashes, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(
        aisp_db_prepare(store, "SELECT key, evidence_sha256 FROM result WHERE run = ?1 ORDER BY rowid", &run, 1, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        json_object_set_new(hashes, aisp_db_column_text(stmt, 0), json_string(aisp_db_column_text(stmt, 1)));
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

/* All that results.json holds but the two that the seal brings. */
static enum aisp_status load_file(struct aisp_store *store, const char *run, json_t **file, struct aisp_err *err)
{
    json_t *results = json_array(), *hashes = json_object();
    char *path = aisp_format("%s/runs/%s/manifest.json", store->folder, run), sha256[65] = "";
    enum aisp_status st;

    aisp_hash_file(path, sha256, NULL);
    *file = json_pack("{s:s, s:n, s:n, s:s, s:o, s:o}", "run", run, "summary", "finished_at", "manifest_sha256", sha256,
                      "evidence_sha256", hashes, "results", results);
    AISP_TRY(load_hashes(store, run, hashes, err));
    AISP_TRY(load_rows(store, run, results, err));
out:
    free(path);
    return st;
}

enum aisp_status aisp_store_run_finish(struct aisp_store *store, const char *run, json_t *summary, struct aisp_err *err)
{
    const int64_t now = time(NULL);
    char *path = aisp_format("%s/runs/%s/results.json", store->folder, run);
    json_t *file = NULL;
    enum aisp_status st;

    AISP_TRY(load_file(store, run, &file, err));
    json_object_set(file, "summary", summary);
    json_object_set_new(file, "finished_at", json_integer(now));
    AISP_TRY(aisp_file_write_json(path, file, NULL, err));
    AISP_TRY(record_seal(store, run, summary, now, err));
    aisp_store_unhold(store);
out:
    json_decref(file);
    free(path);
    return st;
}

enum aisp_status aisp_store_results_json(struct aisp_store *store, const char *run, json_t **file, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    json_t *summary = NULL;
    enum aisp_status st;
    bool row;

    *file = NULL;
    AISP_TRY(load_file(store, run, file, err));
    AISP_TRY(aisp_db_prepare(store, "SELECT finished_at, summary FROM seal WHERE run = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row) {
        AISP_TRY(aisp_db_json(store, stmt, 1, &summary, err));
        json_object_set_new(*file, "summary", summary);
        json_object_set_new(*file, "finished_at", json_integer(aisp_db_column_int(stmt, 0)));
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_find_run(struct aisp_store *store, const char *name, char run[AISP_RUN_ID_MAX],
                                     struct aisp_err *err)
{
    const bool latest = !strcmp(name, "latest");
    char *last = aisp_format("%s~", name);       /* behind all that begin so: ids are letters, digits and dashes */
    const char *const range[] = { name, last };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             latest ? "SELECT id FROM run JOIN seal ON seal.run = id ORDER BY id DESC LIMIT 1"
                                    : "SELECT id FROM run WHERE id >= ?1 AND id <= ?2 ORDER BY id LIMIT 2",
                             range, latest ? 0 : 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row) {
        st = latest ? aisp_fail(err, AISP_E_NOT_FOUND, "no complete run is recorded in %s", store->folder)
                    : aisp_fail(err, AISP_E_NOT_FOUND, "no run \"%s\" in %s: its folder runs holds them", name,
                                store->folder);
        goto out;
    }
    snprintf(run, AISP_RUN_ID_MAX, "%s", aisp_db_column_text(stmt, 0));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row && strcmp(run, name))
        st = aisp_fail(err, AISP_E_USAGE, "\"%s\" is the beginning of several runs: %s, %s, ...", name, run,
                       aisp_db_column_text(stmt, 0));
out:
    aisp_db_finalize(stmt);
    free(last);
    return st;
}

enum aisp_status aisp_store_run_load(struct aisp_store *store, const char *name, json_t **out, struct aisp_err *err)
{
    json_t *manifest = NULL, *summary = NULL, *results = json_array();
    char run[AISP_RUN_ID_MAX];
    const char *id = run;
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_store_find_run(store, name, run, err));
    AISP_TRY(aisp_db_prepare(store, "SELECT manifest, summary FROM run LEFT JOIN seal ON seal.run = id WHERE id = ?1", &id, 1,
                             &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    AISP_TRY(aisp_db_json(store, stmt, 0, &manifest, err));
    if (!aisp_db_column_is_null(stmt, 1))
        AISP_TRY(aisp_db_json(store, stmt, 1, &summary, err));
    AISP_TRY(load_rows(store, run, results, err));
    *out = json_pack("{s:s, s:b, s:O, s:O, s:O?}", "run", run, "complete", summary != NULL, "manifest", manifest, "results",
                     results, "summary", summary);
out:
    aisp_db_finalize(stmt);
    json_decref(manifest);
    json_decref(summary);
    json_decref(results);
    return st;
}

static json_t *run_entry(struct aisp_stmt *stmt)
{
    return json_pack("{s:s, s:I, s:b, s:s, s:I, s:s?}", "run", aisp_db_column_text(stmt, 0), "started",
                     (json_int_t)aisp_db_column_int(stmt, 1), "complete", (int)aisp_db_column_int(stmt, 2), "host",
                     aisp_db_column_text(stmt, 3), "n_results", (json_int_t)aisp_db_column_int(stmt, 4), "hardware",
                     aisp_db_column_text(stmt, 5));
}

/* A run of one machine and device has one; of several, that of its first figure. A store without an index says NULL. */
#define HARDWARE_OF_RUN                                                                                \
    "(SELECT s.hardware FROM figure f JOIN series s ON s.id = f.series"                                \
    " WHERE f.started_at = run.started_at AND f.run = run.id ORDER BY f.id LIMIT 1)"

enum aisp_status aisp_store_runs(struct aisp_store *store, int limit, json_t **out, struct aisp_err *err)
{
    char most[16];
    const char *const values[] = { most };
    json_t *runs = json_array();
    struct aisp_stmt *stmt = NULL;
    char *query = NULL;
    enum aisp_status st;
    bool row = true;

    snprintf(most, sizeof most, "%d", limit);
    query = aisp_format("SELECT id, started_at, seal.run IS NOT NULL, host,"
                        " (SELECT count(*) FROM result WHERE result.run = run.id), %s"
                        " FROM run LEFT JOIN seal ON seal.run = id ORDER BY id DESC LIMIT CAST(?1 AS BIGINT)",
                        aisp_index_exists(store, NULL) ? "NULL" : HARDWARE_OF_RUN);
    AISP_TRY(aisp_db_prepare(store, query, values, 1, &stmt, err));
    while (row) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (row)
            json_array_append_new(runs, run_entry(stmt));
    }
    *out = json_incref(runs);
out:
    json_decref(runs);
    free(query);
    aisp_db_finalize(stmt);
    return st;
}
