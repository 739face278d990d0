/* run.c - a run: begun, added to, sealed, read again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/base/rng.h"
#include "store/db.h"
#include "store/file.h"

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

/* ARTIFACTS/runs, .../RUN, .../RUN/evidence */
enum aisp_status aisp_store_make_folders(const struct aisp_store *store, const char *run, struct aisp_err *err)
{
    char *runs = aisp_format("%s/runs", store->folder), *folder = aisp_store_run_folder(store, run);
    char *evidence = aisp_format("%s/evidence", folder);
    enum aisp_status st;

    AISP_TRY(make(runs, err));
    AISP_TRY(make(folder, err));
    AISP_TRY(make(evidence, err));
out:
    free(runs);
    free(folder);
    free(evidence);
    return st;
}

static void new_run_id(char run[AISP_RUN_ID_MAX])
{
    const time_t now = time(NULL);
    struct aisp_key key;
    struct tm utc;
    size_t n;

    aisp_key_random(&key);
    gmtime_r(&now, &utc);
    n = strftime(run, AISP_RUN_ID_MAX, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(run + n, AISP_RUN_ID_MAX - n, "-%02x%02x%02x", key.b[0], key.b[1], key.b[2]);
}

static const char *text_of(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));

    return text ? text : "";
}

static char *dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("a record that JSON cannot hold");
    return text;
}

enum aisp_status aisp_store_insert_run(struct aisp_store *store, const json_t *manifest, int64_t started_at,
                                       struct aisp_err *err)
{
    char *text = dump(manifest), when[24];
    const char *const values[] = { text_of(manifest, "run"), when, text_of(manifest, "host"), text };
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)started_at);
    st = aisp_db_run(store, "INSERT INTO run VALUES (?1, CAST(?2 AS INTEGER), ?3, ?4)", values, 4, err);
    free(text);
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
    AISP_TRY(aisp_store_insert_run(store, manifest, time(NULL), err));
out:
    free(folder);
    free(path);
    return st;
}

static bool is_file_safe(const char *key)
{
    return *key && *key != '.' && strlen(key) < 200 &&
           strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(key);
}

static char *evidence_path(const struct aisp_store *store, const char *run, const char *key)
{
    return aisp_format("%s/runs/%s/evidence/%s.json", store->folder, run, key);
}

static enum aisp_status has_result(struct aisp_store *store, const char *run, const char *key, bool *has, struct aisp_err *err)
{
    const char *const values[] = { run, key };
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT 1 FROM result WHERE run = ?1 AND key = ?2", values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, has, err));
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_result_add(struct aisp_store *store, const char *run, const json_t *result,
                                       const json_t *evidence, struct aisp_err *err)
{
    const char *key = text_of(result, "key");
    char *path = evidence_path(store, run, key), *text = dump(result), sha256[65];
    const char *const values[] = { run, key, text_of(result, "target"), text_of(result, "variant"), text_of(result, "device"),
                                   text_of(result, "grade"), text, sha256 };
    enum aisp_status st;
    bool has;

    if (!is_file_safe(key)) {
        st = aisp_fail(err, AISP_E_USAGE, "result key \"%s\" cannot be a file name", key);
        goto out;
    }
    AISP_TRY(has_result(store, run, key, &has, err));
    if (has) {
        st = aisp_fail(err, AISP_E_USAGE, "run %s has a result \"%s\" already; results are never replaced", run, key);
        goto out;
    }
    AISP_TRY(aisp_file_write_json(path, evidence, sha256, err));
    AISP_TRY(aisp_db_run(store, "INSERT INTO result VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", values, 8, err));
out:
    free(path);
    free(text);
    return st;
}

static enum aisp_status load_rows(struct aisp_store *store, const char *run, json_t *results, struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
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
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_insert_seal(struct aisp_store *store, const char *run, const json_t *summary,
                                        int64_t finished_at, struct aisp_err *err)
{
    char *text = dump(summary), when[24];
    const char *const values[] = { run, when, text };
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)finished_at);
    st = aisp_db_run(store, "INSERT INTO seal VALUES (?1, CAST(?2 AS INTEGER), ?3)", values, 3, err);
    free(text);
    return st;
}

enum aisp_status aisp_store_run_finish(struct aisp_store *store, const char *run, json_t *summary, struct aisp_err *err)
{
    json_t *results = json_array(), *file = json_pack("{s:s, s:O, s:o}", "run", run, "summary", summary, "results", results);
    char *path = aisp_format("%s/runs/%s/results.json", store->folder, run);
    enum aisp_status st;

    AISP_TRY(load_rows(store, run, results, err));
    AISP_TRY(aisp_file_write_json(path, file, NULL, err));
    AISP_TRY(aisp_store_insert_seal(store, run, summary, time(NULL), err));
out:
    json_decref(file);
    free(path);
    return st;
}

/* "latest" or a unique prefix, to the full id. */
static enum aisp_status find_run(struct aisp_store *store, const char *name, char run[AISP_RUN_ID_MAX], struct aisp_err *err)
{
    const bool latest = !strcmp(name, "latest");
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             latest ? "SELECT id FROM run JOIN seal ON seal.run = id ORDER BY id DESC LIMIT 1"
                                    : "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2",
                             &name, latest ? 0 : 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row) {
        st = latest ? aisp_fail(err, AISP_E_NOT_FOUND, "no complete run is recorded in %s", store->folder)
                    : aisp_fail(err, AISP_E_NOT_FOUND, "no run \"%s\" in %s: its folder runs holds them", name,
                                store->folder);
        goto out;
    }
    snprintf(run, AISP_RUN_ID_MAX, "%s", (const char *)sqlite3_column_text(stmt, 0));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row && strcmp(run, name))
        st = aisp_fail(err, AISP_E_USAGE, "\"%s\" is the beginning of several runs: %s, %s, ...", name, run,
                       (const char *)sqlite3_column_text(stmt, 0));
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_run_load(struct aisp_store *store, const char *name, json_t **out, struct aisp_err *err)
{
    json_t *manifest = NULL, *summary = NULL, *results = json_array();
    char run[AISP_RUN_ID_MAX];
    const char *id = run;
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(find_run(store, name, run, err));
    AISP_TRY(aisp_db_prepare(store, "SELECT manifest, summary FROM run LEFT JOIN seal ON seal.run = id WHERE id = ?1", &id, 1,
                             &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    AISP_TRY(aisp_db_json(store, stmt, 0, &manifest, err));
    if (sqlite3_column_type(stmt, 1) != SQLITE_NULL)
        AISP_TRY(aisp_db_json(store, stmt, 1, &summary, err));
    AISP_TRY(load_rows(store, run, results, err));
    *out = json_pack("{s:s, s:b, s:O, s:O, s:O?}", "run", run, "complete", summary != NULL, "manifest", manifest, "results",
                     results, "summary", summary);
out:
    sqlite3_finalize(stmt);
    json_decref(manifest);
    json_decref(summary);
    json_decref(results);
    return st;
}

enum aisp_status aisp_store_run_incomplete(struct aisp_store *store, char run[AISP_RUN_ID_MAX], struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, "SELECT id FROM run WHERE id NOT IN (SELECT run FROM seal) ORDER BY id DESC LIMIT 1", NULL,
                             0, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        snprintf(run, AISP_RUN_ID_MAX, "%s", (const char *)sqlite3_column_text(stmt, 0));
    else
        st = aisp_fail(err, AISP_E_NOT_FOUND, "no incomplete run in %s: nothing to resume", store->folder);
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_evidence_load(struct aisp_store *store, const char *name, const char *key, json_t **out,
                                          struct aisp_err *err)
{
    char run[AISP_RUN_ID_MAX], *path = NULL;
    enum aisp_status st;

    AISP_TRY(find_run(store, name, run, err));
    if (!is_file_safe(key)) {
        st = aisp_fail(err, AISP_E_USAGE, "\"%s\" is no result key", key);
        goto out;
    }
    path = evidence_path(store, run, key);
    AISP_TRY(aisp_file_read_json(path, out, err));
out:
    free(path);
    return st;
}

enum aisp_status aisp_store_runs(struct aisp_store *store, int limit, json_t **out, struct aisp_err *err)
{
    json_t *runs = json_array();
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             "SELECT id, started_at, seal.run IS NOT NULL, host,"
                             " (SELECT count(*) FROM result WHERE result.run = run.id)"
                             " FROM run LEFT JOIN seal ON seal.run = id ORDER BY id DESC",
                             NULL, 0, &stmt, err));
    for (int i = 0; i < limit; i++) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        json_array_append_new(runs, json_pack("{s:s, s:I, s:b, s:s, s:I}", "run", sqlite3_column_text(stmt, 0), "started",
                                              (json_int_t)sqlite3_column_int64(stmt, 1), "complete", sqlite3_column_int(stmt, 2),
                                              "host", sqlite3_column_text(stmt, 3), "n_results",
                                              (json_int_t)sqlite3_column_int64(stmt, 4)));
    }
    *out = json_incref(runs);
out:
    json_decref(runs);
    sqlite3_finalize(stmt);
    return st;
}
