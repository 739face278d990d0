/* newest.c - the last word on each target, and what was kept of a result beside itself. */
#include <stdio.h>
#include <string.h>

#include "store/db.h"

/* The target's results in a run whose manifest is known. */
static enum aisp_status load_results(struct aisp_store *store, const char *run, const char *target,
                                     json_t *results, struct aisp_err *err)
{
    const char *const values[] = { run, target };
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row = true;

    AISP_TRY(aisp_db_prepare(
        store, "SELECT result FROM result WHERE run = ?1 AND target = ?2 ORDER BY rowid", values, 2,
        &stmt, err));
    while (row) {
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

enum aisp_status aisp_store_newest(struct aisp_store *store, const char *target, json_t **out,
                                   struct aisp_err *err)
{
    json_t *results = json_array(), *manifest = NULL;
    char run[AISP_RUN_ID_MAX];
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    *out = NULL;
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT result.run, manifest FROM result JOIN seal ON seal.run = result.run JOIN run ON"
        " run.id = result.run WHERE target = ?1"
        /* What strangers handed in says nothing about the target's own variants. */
        " AND coalesce(json_extract(manifest, '$.command'), '') <> 'bench judge'"
        " ORDER BY started_at DESC, result.run DESC LIMIT 1",
        &target, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row)
        goto out;
    snprintf(run, sizeof run, "%s", (const char *)sqlite3_column_text(stmt, 0));
    AISP_TRY(aisp_db_json(store, stmt, 1, &manifest, err));
    AISP_TRY(load_results(store, run, target, results, err));
    *out = json_pack("{s:s, s:O, s:O}", "run", run, "manifest", manifest, "results", results);
out:
    sqlite3_finalize(stmt);
    json_decref(manifest);
    json_decref(results);
    return st;
}

enum aisp_status aisp_store_evidence_hash(struct aisp_store *store, const char *run,
                                          const char *key, char sha256[65], struct aisp_err *err)
{
    const char *const values[] = { run, key };
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             "SELECT evidence_sha256 FROM result WHERE run = ?1 AND key = ?2",
                             values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        snprintf(sha256, 65, "%s", (const char *)sqlite3_column_text(stmt, 0));
    else
        st = aisp_fail(err, AISP_E_NOT_FOUND, "run %s has no result \"%s\"", run, key);
out:
    sqlite3_finalize(stmt);
    return st;
}
