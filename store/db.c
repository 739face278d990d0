/* db.c - which engine: the embedded one in ARTIFACTS/aisp.sqlite, or the server that AISP_STORE names; and the calls that
 * are passed on to it. */
#include "store/db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/engine.h"

enum aisp_status aisp_db_exec(struct aisp_store *store, const char *sql, struct aisp_err *err)
{
    return store->engine->exec(store, sql, err);
}

enum aisp_status aisp_db_prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                 struct aisp_stmt **stmt, struct aisp_err *err)
{
    *stmt = NULL;
    return store->engine->prepare(store, sql, text, n, stmt, err);
}

enum aisp_status aisp_db_rebind(struct aisp_stmt *stmt, const char *const *text, int n, struct aisp_err *err)
{
    return stmt->store->engine->rebind(stmt, text, n, err);
}

void aisp_db_finalize(struct aisp_stmt *stmt)
{
    if (stmt)
        stmt->store->engine->finalize(stmt);
}

enum aisp_status aisp_db_step(struct aisp_store *store, struct aisp_stmt *stmt, bool *row, struct aisp_err *err)
{
    return store->engine->step(stmt, row, err);
}

enum aisp_status aisp_db_run(struct aisp_store *store, const char *sql, const char *const *text, int n, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, sql, text, n, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
out:
    aisp_db_finalize(stmt);
    return st;
}

const char *aisp_db_column_text(struct aisp_stmt *stmt, int column)
{
    return stmt->store->engine->column_text(stmt, column);
}

int64_t aisp_db_column_int(struct aisp_stmt *stmt, int column)
{
    return stmt->store->engine->column_int(stmt, column);
}

double aisp_db_column_real(struct aisp_stmt *stmt, int column)
{
    return stmt->store->engine->column_real(stmt, column);
}

bool aisp_db_column_is_null(struct aisp_stmt *stmt, int column)
{
    return stmt->store->engine->column_is_null(stmt, column);
}

enum aisp_status aisp_db_json(struct aisp_store *store, struct aisp_stmt *stmt, int column, json_t **out, struct aisp_err *err)
{
    const char *text = aisp_db_column_text(stmt, column);
    json_error_t error;

    *out = text ? json_loads(text, 0, &error) : NULL;
    if (!*out)
        return aisp_fail(err, AISP_E_IO, "%s: damaged: a stored record is no JSON", store->path);
    return AISP_OK;
}

enum aisp_status aisp_db_begin(struct aisp_store *store, struct aisp_err *err)
{
    return store->engine->begin(store, err);
}

enum aisp_status aisp_db_commit(struct aisp_store *store, struct aisp_err *err)
{
    return aisp_db_exec(store, "COMMIT", err);
}

void aisp_db_rollback(struct aisp_store *store)
{
    store->engine->rollback(store);
}

enum aisp_status aisp_db_has_table(struct aisp_store *store, const char *table, bool *has, struct aisp_err *err)
{
    return store->engine->has_table(store, table, has, err);
}

bool aisp_db_keeps_evidence(const struct aisp_store *store)
{
    return store->engine->keeps_evidence;
}

static enum aisp_status make_folder(const char *path, struct aisp_err *err)
{
    char *copy = aisp_xstrdup(path);

    for (char *at = copy + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(copy, 0777);       /* an error shows at the last one */
            *at = '/';
        }
    if (mkdir(copy, 0777) && errno != EEXIST) {
        free(copy);
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot make this folder", path);
    }
    free(copy);
    return AISP_OK;
}

static enum aisp_status prepare_folder(const struct aisp_store *store, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(make_folder(store->folder, err));
    if (access(store->folder, W_OK))
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written; name another folder with --artifacts-dir",
                               store->folder);
out:
    return st;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* AISP_STORE may hold a password: it is never repeated as it is. */
static enum aisp_status choose(struct aisp_store *store, const char *url, struct aisp_err *err)
{
    if (!url || !*url) {
        store->engine = &aisp_engine_sqlite;
        store->path = aisp_format("%s/aisp.sqlite", store->folder);
        return AISP_OK;
    }
    if (!begins(url, "postgresql://") && !begins(url, "postgres://"))
        return aisp_fail(err, AISP_E_USAGE, "AISP_STORE: not a store: write postgresql://user@host/database, or unset it for "
                                            "the embedded one in the artifacts folder");
    store->engine = &aisp_engine_postgresql;
    store->path = aisp_xstrdup(url);
    return AISP_OK;
}

enum aisp_status aisp_store_open(struct aisp_store **out, const char *artifacts_dir, bool for_writing, struct aisp_err *err)
{
    struct aisp_store *store = aisp_xcalloc(1, sizeof *store);
    enum aisp_status st;

    store->held = -1;
    store->folder = aisp_xstrdup(artifacts_dir);
    AISP_TRY(choose(store, getenv("AISP_STORE"), err));
    if (for_writing)
        AISP_TRY(prepare_folder(store, err));
    AISP_TRY(store->engine->open(store, for_writing, err));
    *out = store;
out:
    if (st)
        aisp_store_close(store);
    return st;
}

void aisp_store_close(struct aisp_store *store)
{
    if (!store)
        return;
    if (store->engine)
        store->engine->close(store);
    aisp_store_unhold(store);
    free(store->folder);
    free(store->path);
    free(store);
}
