/* newest.c - the last word on each target, and what was kept of a result beside itself. */
#include <stdio.h>
#include <string.h>

#include "store/index.h"

/* The target's results in a run whose manifest is known. */
static enum aisp_status load_results(struct aisp_store *store, const char *run, const char *target,
                                     json_t *results, struct aisp_err *err)
{
    const char *const values[] = { run, target };
    struct aisp_stmt *stmt = NULL;
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
    aisp_db_finalize(stmt);
    return st;
}

/* The manifest of a run; NULL of one in which strangers handed in: that says nothing about the target's own variants. */
static enum aisp_status load_manifest(struct aisp_store *store, const char *run, json_t **manifest, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    const char *command;
    enum aisp_status st;
    bool row;

    *manifest = NULL;
    AISP_TRY(aisp_db_prepare(store, "SELECT manifest FROM run WHERE id = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        AISP_TRY(aisp_db_json(store, stmt, 0, manifest, err));
    command = json_string_value(json_object_get(*manifest, "command"));
    if (command && !strcmp(command, "bench judge")) {
        json_decref(*manifest);
        *manifest = NULL;
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_newest(struct aisp_store *store, const char *target, json_t **out,
                                   struct aisp_err *err)
{
    json_t *results = json_array(), *manifest = NULL;
    char run[AISP_RUN_ID_MAX];
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    *out = NULL;
    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT DISTINCT f.started_at, f.run FROM series s CROSS JOIN figure f WHERE f.series = s.id AND"
                             " s.target = ?1 AND f.run NOT IN (SELECT run FROM open_run)"
                             " ORDER BY f.started_at DESC, f.run DESC",
                             &target, 1, &stmt, err));
    while (!manifest) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            goto out;
        snprintf(run, sizeof run, "%s", aisp_db_column_text(stmt, 1));
        AISP_TRY(load_manifest(store, run, &manifest, err));
    }
    AISP_TRY(load_results(store, run, target, results, err));
    *out = json_pack("{s:s, s:O, s:O}", "run", run, "manifest", manifest, "results", results);
out:
    aisp_db_finalize(stmt);
    json_decref(manifest);
    json_decref(results);
    return st;
}

enum aisp_status aisp_store_evidence_hash(struct aisp_store *store, const char *run,
                                          const char *key, char sha256[65], struct aisp_err *err)
{
    const char *const values[] = { run, key };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             "SELECT evidence_sha256 FROM result WHERE run = ?1 AND key = ?2",
                             values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        snprintf(sha256, 65, "%s", aisp_db_column_text(stmt, 0));
    else
        st = aisp_fail(err, AISP_E_NOT_FOUND, "run %s has no result \"%s\"", run, key);
out:
    aisp_db_finalize(stmt);
    return st;
}
