/* evidence.c - evidence goes into a file first and, for machines that do not see that file, into the shared store. */
#include "store/evidence.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/db.h"
#include "store/file.h"
#include "store/prune.h"

static char *path_of(const struct aisp_store *store, const char *run, const char *key)
{
    return aisp_format("%s/runs/%s/evidence/%s.json", store->folder, run, key);
}

static bool is_file_safe(const char *key)
{
    return *key && *key != '.' && strlen(key) < 200 &&
           strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(key);
}

enum aisp_status aisp_evidence_share(struct aisp_store *store, const char *text, const char sha256[65], struct aisp_err *err)
{
    const char *const values[] = { sha256, text };

    if (!aisp_db_keeps_evidence(store))
        return AISP_OK;
    return aisp_db_run(store, "INSERT INTO evidence (sha256, evidence) VALUES (?1, ?2) ON CONFLICT DO NOTHING", values, 2, err);
}

enum aisp_status aisp_evidence_forget(struct aisp_store *store, const char *run, const char *key, struct aisp_err *err)
{
    const char *const values[] = { run, key };

    if (!aisp_db_keeps_evidence(store))
        return AISP_OK;
    return aisp_db_run(store,
                       "DELETE FROM evidence WHERE sha256 = (SELECT evidence_sha256 FROM result WHERE run = ?1 AND key = ?2)"
                       " AND NOT EXISTS (SELECT 1 FROM result r WHERE r.evidence_sha256 = evidence.sha256 AND NOT EXISTS"
                       "  (SELECT 1 FROM pruned p WHERE p.run = r.run AND (p.key = r.key OR p.key = '')))",
                       values, 2, err);
}

enum aisp_status aisp_evidence_keep_text(struct aisp_store *store, const char *run, const char *key, const char *text,
                                         char sha256[65], struct aisp_err *err)
{
    char *path = path_of(store, run, key);
    enum aisp_status st;

    if (!is_file_safe(key)) {
        st = aisp_fail(err, AISP_E_USAGE, "result key \"%s\" cannot be a file name", key);
        goto out;
    }
    AISP_TRY(aisp_file_write_text(path, text, sha256, err));
    AISP_TRY(aisp_evidence_share(store, text, sha256, err));
out:
    free(path);
    return st;
}

enum aisp_status aisp_evidence_keep(struct aisp_store *store, const char *run, const char *key, const json_t *evidence,
                                    char sha256[65], struct aisp_err *err)
{
    char *text = aisp_file_json_text(evidence);
    const enum aisp_status st = aisp_evidence_keep_text(store, run, key, text, sha256, err);

    free(text);
    return st;
}

/* From the shared store: a run of another machine. */
static enum aisp_status fetch(struct aisp_store *store, const char *run, const char *key, char **text, struct aisp_err *err)
{
    const char *const values[] = { run, key };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store,
                             "SELECT evidence FROM result JOIN evidence ON sha256 = evidence_sha256"
                             " WHERE run = ?1 AND key = ?2",
                             values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        *text = aisp_xstrdup(aisp_db_column_text(stmt, 0));
    else
        st = aisp_fail(err, AISP_E_NOT_FOUND, "%s: no evidence of \"%s\" in run %s", store->path, key, run);
out:
    aisp_db_finalize(stmt);
    return st;
}

/* *path: the file if the evidence is read from there; NULL if it is in the shared store only. */
static enum aisp_status locate(struct aisp_store *store, const char *name, const char *key, char run[AISP_RUN_ID_MAX],
                               char **path, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(aisp_store_find_run(store, name, run, err));
    if (!is_file_safe(key))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is no result key", key);
    *path = path_of(store, run, key);
    if (aisp_db_keeps_evidence(store) && access(*path, F_OK)) {
        free(*path);
        *path = NULL;
    }
out:
    return st;
}

/* Why there is none, where that is known. */
static enum aisp_status explain(struct aisp_store *store, const char *run, const char *key, enum aisp_status st,
                                struct aisp_err *err)
{
    bool pruned = false;
    char day[16] = "";
    struct tm utc;
    int64_t at;
    time_t t;

    if (st != AISP_E_NOT_FOUND || !*run || aisp_store_is_pruned(store, run, key, &pruned, &at, NULL) || !pruned)
        return st;
    if (!at)
        return aisp_fail(err, st, "run %s came here without the evidence of \"%s\"; it may be where the run was made",
                         run, key);
    t = (time_t)at;
    gmtime_r(&t, &utc);
    strftime(day, sizeof day, "%Y-%m-%d", &utc);
    return aisp_fail(err, st, "the evidence of \"%s\" in run %s was pruned on %s; its result stays", key, run, day);
}

enum aisp_status aisp_store_evidence_text(struct aisp_store *store, const char *name, const char *key, char **text,
                                          struct aisp_err *err)
{
    char run[AISP_RUN_ID_MAX] = "", *path = NULL;
    enum aisp_status st;

    AISP_TRY(locate(store, name, key, run, &path, err));
    st = path ? aisp_file_read_text(path, text, err) : fetch(store, run, key, text, err);
out:
    free(path);
    return explain(store, run, key, st, err);
}

enum aisp_status aisp_store_evidence_load(struct aisp_store *store, const char *name, const char *key, json_t **out,
                                          struct aisp_err *err)
{
    char run[AISP_RUN_ID_MAX] = "", *path = NULL, *text = NULL;
    json_error_t error;
    enum aisp_status st;

    AISP_TRY(locate(store, name, key, run, &path, err));
    if (path) {
        st = aisp_file_read_json(path, out, err);
        goto out;
    }
    AISP_TRY(fetch(store, run, key, &text, err));
    *out = json_loads(text, 0, &error);
    if (!*out)
        st = aisp_fail(err, AISP_E_IO, "%s: damaged: the evidence of \"%s\" in run %s is no JSON", store->path, key, run);
out:
    free(path);
    free(text);
    return explain(store, run, key, st, err);
}
