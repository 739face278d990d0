/* engine_sqlite.c - the embedded store: one file in the artifacts folder, nothing to set up. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/engine.h"
#include "store/file.h"
#include "store/index.h"

/* "aisp" in ASCII: tells our files from any other SQLite database. */
enum { APPLICATION_ID = 0x61697370, BUSY_TIMEOUT_MS = 15000 };
#define CACHE "PRAGMA cache_size = -16384"     /* KiB: what a million results need to be walked, and no more */
#define READ_ONLY CACHE "; PRAGMA query_only = ON"

/* The schema files, in order, as text in the program. */
#define FILE_OF(n) "schema_sqlite_" n ":\n.incbin \"" AISP_SOURCE_DIR "/store/schema/sqlite/" n ".sql\"\n.byte 0\n"
__asm__(".section .rodata\n" FILE_OF("001") FILE_OF("002") FILE_OF("003") FILE_OF("004") ".text\n");
extern const char schema_001[] __asm__("schema_sqlite_001");
extern const char schema_002[] __asm__("schema_sqlite_002");
extern const char schema_003[] __asm__("schema_sqlite_003");
extern const char schema_004[] __asm__("schema_sqlite_004");
static const char *const schemas[] = { schema_001, schema_002, schema_003, schema_004 };
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas, SCHEMA_WITH_INDEX = 4 };

struct statement {
    struct aisp_stmt base;
    sqlite3_stmt *it;
};

static sqlite3_stmt *of(struct aisp_stmt *stmt) { return ((struct statement *)stmt)->it; }

/* ---- a file that is read as it lies ----
 * SQLite reads a store only beside files of its own, and cannot make them in a folder for reading only or on a full disk. What no
 * writer has left anything beside is whole, and is then read without them, and without locks. Whoever comes to write it all the
 * same is found out by the file's time: the reader fails, and does not mix the old with the new. */

struct aisp_still { struct stat info; };

/* By the path that no link is in: what a writer leaves lies beside the file itself. */
static bool is_at_rest(const char *whole)
{
    static const char *const beside[] = { "-wal", "-journal" };
    bool is_alone = true;

    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char *path = aisp_format("%s%s", whole, beside[i]);
        struct stat info;

        is_alone &= stat(path, &info) || !info.st_size;
        free(path);
    }
    return is_alone;
}

static bool has_changed(const struct aisp_store *store)
{
    const struct stat *was = &store->still->info;
    struct stat now;

    return stat(store->path, &now) || now.st_ino != was->st_ino || now.st_size != was->st_size ||
           now.st_mtim.tv_sec != was->st_mtim.tv_sec || now.st_mtim.tv_nsec != was->st_mtim.tv_nsec;
}

/* "file:///a/b%3fc?immutable=1"; caller frees. */
static char *still_name(const char *whole)
{
    struct aisp_buf out = AISP_BUF_INIT;

    aisp_buf_puts(&out, "file://");
    for (const char *c = whole; *c; c++)
        if (*c == '%' || *c == '?' || *c == '#')
            aisp_buf_printf(&out, "%%%02x", (unsigned char)*c);
        else
            aisp_buf_add(&out, c, 1);
    aisp_buf_puts(&out, "?immutable=1");
    return aisp_buf_detach(&out);
}

/* ---- statements ---- */

/* The error of the last call on the database, with the store's path. */
static enum aisp_status fail(const struct aisp_store *store, const char *what, struct aisp_err *err)
{
    sqlite3 *db = store->connection;

    switch (sqlite3_errcode(db)) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return aisp_fail(err, AISP_E_IO,
                         "%s: damaged or not a database (%s); nothing was changed: move it away, or name another folder with "
                         "--artifacts-dir",
                         store->path, sqlite3_errmsg(db));
    case SQLITE_FULL:
        return aisp_fail(err, AISP_E_IO, "%s: the disk is full; what was stored before is intact", store->path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return aisp_fail(err, AISP_E_IO, "%s: cannot be written (%s); name another folder with --artifacts-dir", store->path,
                         sqlite3_errmsg(db));
    case SQLITE_BUSY:
        return aisp_fail(err, AISP_E_IO, "%s: another process kept it locked for %d s", store->path, BUSY_TIMEOUT_MS / 1000);
    default:
        return aisp_fail(err, AISP_E_IO, "%s: %s: %s", store->path, what, sqlite3_errmsg(db));
    }
}

static enum aisp_status exec(struct aisp_store *store, const char *sql, struct aisp_err *err)
{
    if (sqlite3_exec(store->connection, sql, NULL, NULL, NULL) != SQLITE_OK)
        return fail(store, "statement failed", err);
    return AISP_OK;
}

static enum aisp_status begin(struct aisp_store *store, struct aisp_err *err) { return exec(store, "BEGIN IMMEDIATE", err); }

static void rollback(struct aisp_store *store) { sqlite3_exec(store->connection, "ROLLBACK", NULL, NULL, NULL); }

static enum aisp_status bind(struct statement *s, const char *const *text, int n, struct aisp_err *err)
{
    for (int i = 0; i < n; i++)
        if (sqlite3_bind_text(s->it, i + 1, text[i], -1, SQLITE_TRANSIENT) != SQLITE_OK)
            return fail(s->base.store, "value refused", err);
    return AISP_OK;
}

static void finalize(struct aisp_stmt *stmt)
{
    sqlite3_finalize(of(stmt));
    free(stmt);
}

static enum aisp_status prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                struct aisp_stmt **out, struct aisp_err *err)
{
    struct statement *s = aisp_xcalloc(1, sizeof *s);
    enum aisp_status st = AISP_OK;

    s->base.store = store;
    if (sqlite3_prepare_v2(store->connection, sql, -1, &s->it, NULL) != SQLITE_OK)
        st = fail(store, "statement refused", err);
    else
        st = bind(s, text, n, err);
    if (st)
        finalize(&s->base);
    else
        *out = &s->base;
    return st;
}

static enum aisp_status rebind(struct aisp_stmt *stmt, const char *const *text, int n, struct aisp_err *err)
{
    sqlite3_reset(of(stmt));
    return bind((struct statement *)stmt, text, n, err);
}

static enum aisp_status step(struct aisp_stmt *stmt, bool *row, struct aisp_err *err)
{
    const int rc = sqlite3_step(of(stmt));

    if (stmt->store->still && has_changed(stmt->store))
        return aisp_fail(err, AISP_E_IO, "%s: was written to while it was read; ask again", stmt->store->path);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return fail(stmt->store, "statement failed", err);
    *row = rc == SQLITE_ROW;
    return AISP_OK;
}

static const char *column_text(struct aisp_stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(of(stmt), column);
}

static int64_t column_int(struct aisp_stmt *stmt, int column) { return sqlite3_column_int64(of(stmt), column); }

static double column_real(struct aisp_stmt *stmt, int column) { return sqlite3_column_double(of(stmt), column); }

static bool column_is_null(struct aisp_stmt *stmt, int column)
{
    return sqlite3_column_type(of(stmt), column) == SQLITE_NULL;
}

static enum aisp_status has_table(struct aisp_store *store, const char *table, bool *has, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(prepare(store, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", &table, 1, &stmt, err));
    AISP_TRY(step(stmt, has, err));
out:
    if (stmt)
        finalize(stmt);
    return st;
}

static int64_t pragma(struct aisp_store *store, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    int64_t value = -1;

    if (sqlite3_prepare_v2(store->connection, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
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
        return fail(store, "cannot be read", err);
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

    AISP_TRY(exec(store, "BEGIN IMMEDIATE", err));
    AISP_TRY(check_version(store, &version, err));
    for (int64_t v = version; v < N_SCHEMAS; v++)
        AISP_TRY(exec(store, schemas[v], err));
    if (version < SCHEMA_WITH_INDEX)
        AISP_TRY(aisp_index_rebuild(store, err));
    sqlite3_snprintf(sizeof sql, sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID, N_SCHEMAS);
    AISP_TRY(exec(store, sql, err));
    AISP_TRY(exec(store, "COMMIT", err));
out:
    if (st)
        rollback(store);
    return st;
}

/* ---- opening ---- */

static enum aisp_status connect_to(struct aisp_store *store, const char *name, int flags, const char *pragmas,
                                   struct aisp_err *err)
{
    sqlite3 *db = NULL;
    /* A store is one thread's: without SQLite's lock around every column, a row is read in half the time. */
    const int rc = sqlite3_open_v2(name, &db, SQLITE_OPEN_NOMUTEX | flags, NULL);

    store->connection = db;
    if (rc != SQLITE_OK)
        return fail(store, "cannot be opened", err);
    sqlite3_busy_timeout(db, BUSY_TIMEOUT_MS);
    sqlite3_extended_result_codes(db, 0);
    return exec(store, pragmas, err);
}

/* Who only reads opens it for writing too (SQLite does so where the file allows it): what a killed writer left has to be rolled
 * back first. */
static enum aisp_status open_file(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    if (!for_writing && access(store->path, F_OK))
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: nothing was recorded here yet; `aisp bench run -t ch01` records a run",
                         store->folder);
    return connect_to(store, store->path, SQLITE_OPEN_READWRITE | (for_writing ? SQLITE_OPEN_CREATE : 0),
                      for_writing ? CACHE : READ_ONLY, err);
}

static void close_store(struct aisp_store *store)
{
    sqlite3_close(store->connection);
    free(store->still);
    store->connection = NULL;
    store->still = NULL;
}

static bool cannot_make_files(const struct aisp_store *store)
{
    switch (sqlite3_errcode(store->connection)) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return true;
    default:
        return false;
    }
}

/* Its time is taken before it is looked at: whatever a writer puts into it later is found out. */
static enum aisp_status open_still(struct aisp_store *store, struct aisp_err *err)
{
    char *whole, *name = NULL;
    enum aisp_status st;

    close_store(store);
    store->still = aisp_xcalloc(1, sizeof *store->still);
    whole = realpath(store->path, NULL);
    if (!whole || stat(whole, &store->still->info) || access(whole, R_OK)) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s", store->path);
        goto out;
    }
    if (!is_at_rest(whole)) {
        st = aisp_fail(err, AISP_E_IO, "%s: its last writer left what has to be put in order before it is read, and nothing can "
                                       "be written here: make room, or read a copy of this folder that can be written",
                       store->path);
        goto out;
    }
    name = still_name(whole);
    st = connect_to(store, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, READ_ONLY, err);
out:
    free(name);
    free(whole);
    return st;
}

static enum aisp_status open_for_reading(struct aisp_store *store, int64_t *version, struct aisp_err *err)
{
    struct aisp_err why = { AISP_OK, "" };
    enum aisp_status st = open_file(store, false, &why);

    if (!st)
        st = check_version(store, version, &why);
    if (!st)
        return AISP_OK;
    if (!store->connection || !cannot_make_files(store))
        return aisp_fail(err, st, "%s", why.text);
    AISP_TRY(open_still(store, err));
    st = check_version(store, version, err);
out:
    return st;
}

/* By its header, which lags behind a log: then no is said too often. */
static bool is_up_to_date(const struct aisp_store *store)
{
    enum { HEADER = 100, VERSION_AT = 60 };
    const int fd = open(store->path, O_RDONLY | O_CLOEXEC);
    unsigned char header[HEADER] = { 0 };
    const bool is_whole = fd >= 0 && pread(fd, header, HEADER, 0) == HEADER;

    if (fd >= 0)
        close(fd);
    return is_whole && header[VERSION_AT + 3] >= N_SCHEMAS;
}

/* A store is made and brought up to date by one process at a time: of those that switch a fresh file to its log at once, SQLite sends
 * some away with errors, and does not wait. -1: nobody has to wait. */
static int wait_for_makers(const struct aisp_store *store)
{
    return is_up_to_date(store) ? -1 : aisp_folder_hold(store->folder);
}

/* Who only reads brings an older store up to date as well, where it may be written: its questions need the newer tables. */
static bool can_be_updated(const struct aisp_store *store, int64_t version)
{
    return version > 0 && version < N_SCHEMAS && !access(store->path, W_OK) && !access(store->folder, W_OK);
}

static enum aisp_status open_store(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    const int lock = for_writing ? wait_for_makers(store) : -1;
    enum aisp_status st;
    int64_t version;

    if (for_writing) {
        AISP_TRY(open_file(store, true, err));
        AISP_TRY(check_version(store, &version, err));
    } else {
        AISP_TRY(open_for_reading(store, &version, err));
    }
    if (!for_writing && can_be_updated(store, version)) {
        close_store(store);
        return open_store(store, true, err);
    }
    if (!for_writing)
        return version ? AISP_OK : aisp_fail(err, AISP_E_NOT_FOUND, "%s: nothing was recorded here yet", store->folder);
    /* Two or three results a page, where pages of the usual 4 KiB hold one. */
    AISP_TRY(exec(store,
                  "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
                  err));
    if (version < N_SCHEMAS)
        AISP_TRY(migrate(store, err));
out:
    if (lock >= 0)
        close(lock);
    return st;
}

const struct aisp_engine aisp_engine_sqlite = {
    .open = open_store,
    .close = close_store,
    .exec = exec,
    .begin = begin,
    .rollback = rollback,
    .has_table = has_table,
    .prepare = prepare,
    .rebind = rebind,
    .step = step,
    .finalize = finalize,
    .column_text = column_text,
    .column_int = column_int,
    .column_real = column_real,
    .column_is_null = column_is_null,
};
