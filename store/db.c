/* db.c - open the database, bring its schema up to date, run statements. */
#include "store/db.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"

/* "aisp" in ASCII: tells our files from any other SQLite database. */
enum { APPLICATION_ID = 0x61697370, BUSY_TIMEOUT_MS = 15000 };

/* The schema files, in order, as text in the program. */
__asm__(".section .rodata\n"
        "schema_001:\n.incbin \"" AISP_SOURCE_DIR "/store/schema/001.sql\"\n.byte 0\n"
        "schema_002:\n.incbin \"" AISP_SOURCE_DIR "/store/schema/002.sql\"\n.byte 0\n"
        "schema_003:\n.incbin \"" AISP_SOURCE_DIR "/store/schema/003.sql\"\n.byte 0\n"
        ".text\n");
extern const char schema_001[] __asm__("schema_001");
extern const char schema_002[] __asm__("schema_002");
extern const char schema_003[] __asm__("schema_003");
static const char *const schemas[] = { schema_001, schema_002, schema_003 };
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

enum aisp_status aisp_db_fail(const struct aisp_store *store, const char *what, struct aisp_err *err)
{
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return aisp_fail(err, AISP_E_IO,
                         "%s: damaged or not a database (%s); nothing was changed: move it away, or name another folder with "
                         "--artifacts-dir",
                         store->path, sqlite3_errmsg(store->db));
    case SQLITE_FULL:
        return aisp_fail(err, AISP_E_IO, "%s: the disk is full; what was stored before is intact", store->path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return aisp_fail(err, AISP_E_IO, "%s: cannot be written (%s); name another folder with --artifacts-dir", store->path,
                         sqlite3_errmsg(store->db));
    case SQLITE_BUSY:
        return aisp_fail(err, AISP_E_IO, "%s: another process kept it locked for %d s", store->path, BUSY_TIMEOUT_MS / 1000);
    default:
        return aisp_fail(err, AISP_E_IO, "%s: %s: %s", store->path, what, sqlite3_errmsg(store->db));
    }
}

enum aisp_status aisp_db_exec(struct aisp_store *store, const char *sql, struct aisp_err *err)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return aisp_db_fail(store, "statement failed", err);
    return AISP_OK;
}

enum aisp_status aisp_db_prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                 sqlite3_stmt **stmt, struct aisp_err *err)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, stmt, NULL) != SQLITE_OK)
        return aisp_db_fail(store, "statement refused", err);
    for (int i = 0; i < n; i++)
        if (sqlite3_bind_text(*stmt, i + 1, text[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return aisp_db_fail(store, "value refused", err);
    return AISP_OK;
}

enum aisp_status aisp_db_step(struct aisp_store *store, sqlite3_stmt *stmt, bool *row, struct aisp_err *err)
{
    const int rc = sqlite3_step(stmt);

    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return aisp_db_fail(store, "statement failed", err);
    *row = rc == SQLITE_ROW;
    return AISP_OK;
}

enum aisp_status aisp_db_run(struct aisp_store *store, const char *sql, const char *const *text, int n, struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, sql, text, n, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_db_json(struct aisp_store *store, sqlite3_stmt *stmt, int column, json_t **out, struct aisp_err *err)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    json_error_t error;

    *out = text ? json_loads(text, 0, &error) : NULL;
    if (!*out)
        return aisp_fail(err, AISP_E_IO, "%s: damaged: a stored record is no JSON", store->path);
    return AISP_OK;
}

static int64_t pragma(struct aisp_store *store, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    int64_t value = -1;

    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

/* Whose file is it, and how old? Fails without touching a file that is not ours or newer than we are. */
static enum aisp_status check_version(struct aisp_store *store, int64_t *version, struct aisp_err *err)
{
    const int64_t tables = pragma(store, "SELECT count(*) FROM sqlite_master"), id = pragma(store, "PRAGMA application_id");

    *version = pragma(store, "PRAGMA user_version");
    if (tables < 0 || id < 0 || *version < 0)
        return aisp_db_fail(store, "cannot be read", err);
    if (tables > 0 && id != APPLICATION_ID)
        return aisp_fail(err, AISP_E_IO, "%s: a database of another program; nothing was changed", store->path);
    if (*version > N_SCHEMAS)
        return aisp_fail(err, AISP_E_IO, "%s: made by a newer aisp (schema %lld, this one knows 1 to %d); nothing was changed",
                         store->path, (long long)*version, N_SCHEMAS);
    return AISP_OK;
}

/* In one transaction, so that two processes that start at once, or a crash, leave it whole. */
static enum aisp_status migrate(struct aisp_store *store, struct aisp_err *err)
{
    enum aisp_status st;
    int64_t version;
    char sql[96];

    AISP_TRY(aisp_db_exec(store, "BEGIN IMMEDIATE", err));
    AISP_TRY(check_version(store, &version, err));
    for (int64_t v = version; v < N_SCHEMAS; v++)
        AISP_TRY(aisp_db_exec(store, schemas[v], err));
    sqlite3_snprintf(sizeof sql, sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID, N_SCHEMAS);
    AISP_TRY(aisp_db_exec(store, sql, err));
    AISP_TRY(aisp_db_exec(store, "COMMIT", err));
out:
    if (st)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
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

static enum aisp_status open_database(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    const int flags = for_writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    enum aisp_status st;
    int64_t version;

    if (!for_writing && access(store->path, F_OK))
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: nothing was recorded here yet; `aisp bench run -t ch01` records a run",
                         store->folder);
    if (for_writing) {
        AISP_TRY(make_folder(store->folder, err));
        if (access(store->folder, W_OK))
            return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written; name another folder with --artifacts-dir",
                                   store->folder);
    }
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return aisp_db_fail(store, "cannot be opened", err);
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    sqlite3_extended_result_codes(store->db, 0);
    AISP_TRY(check_version(store, &version, err));
    if (!for_writing)
        return version ? AISP_OK : aisp_fail(err, AISP_E_NOT_FOUND, "%s: nothing was recorded here yet", store->folder);
    AISP_TRY(aisp_db_exec(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err));
    if (version < N_SCHEMAS)
        AISP_TRY(migrate(store, err));
out:
    return st;
}

enum aisp_status aisp_store_open(struct aisp_store **out, const char *artifacts_dir, bool for_writing, struct aisp_err *err)
{
    struct aisp_store *store = aisp_xcalloc(1, sizeof *store);
    enum aisp_status st;

    store->folder = aisp_xstrdup(artifacts_dir);
    store->path = aisp_format("%s/aisp.sqlite", artifacts_dir);
    st = open_database(store, for_writing, err);
    if (st) {
        aisp_store_close(store);
        return st;
    }
    *out = store;
    return AISP_OK;
}

void aisp_store_close(struct aisp_store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    free(store->folder);
    free(store->path);
    free(store);
}
