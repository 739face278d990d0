/* postgresql_connect.c - from AISP_STORE to a connection whose schema is ours and up to date.
 * Our tables lie in a schema of their own, aisp, so that they share a database with anybody's.
 * Passwords: libpq takes them from the URL, PGPASSWORD, ~/.pgpass. Its messages repeat parts of a URL that it misunderstands,
 * so a URL in which a password could be misread is refused before libpq sees it, and its complaint about one is not shown. */
#include "store/postgresql.h"

#ifdef AISP_HAS_LIBPQ

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "store/index.h"

#define FILE_OF(n) "schema_postgresql_" n ":\n.incbin \"" AISP_SOURCE_DIR "/store/schema/postgresql/" n ".sql\"\n.byte 0\n"
__asm__(".section .rodata\n" FILE_OF("001") FILE_OF("002") FILE_OF("003") FILE_OF("004") ".text\n");
extern const char schema_001[] __asm__("schema_postgresql_001");
extern const char schema_002[] __asm__("schema_postgresql_002");
extern const char schema_003[] __asm__("schema_postgresql_003");
extern const char schema_004[] __asm__("schema_postgresql_004");
static const char *const schemas[] = { schema_001, schema_002, schema_003, schema_004 };
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas, SCHEMA_WITH_INDEX = 4 };

#define SETTINGS "SET search_path = aisp; SET lock_timeout = '" AISP_PG_PATIENCE "'"

static void hear_nothing(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

/* At most one @, and that before the path: anything else is a name or password that was not percent-encoded. */
static bool is_readable(const char *url)
{
    const char *authority = strstr(url, "://") + 3, *at = strchr(authority, '@');

    return !at || (!strchr(at + 1, '@') && at < authority + strcspn(authority, "/?#"));
}

static const char *value_of(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (!strcmp(options->keyword, keyword))
            return options->val && *options->val ? options->val : NULL;
    return NULL;
}

/* What is shown of a URL: postgresql://user@host:port/database. */
static char *shown(const PQconninfoOption *options)
{
    const char *user = value_of(options, "user"), *host = value_of(options, "host"), *port = value_of(options, "port");
    const char *name = value_of(options, "dbname");

    return aisp_format("postgresql://%s%s%s%s%s/%s", user ? user : "", user ? "@" : "", host ? host : "", port ? ":" : "",
                       port ? port : "", name ? name : "");
}

static enum aisp_status read_url(const char *url, char **name, struct aisp_err *err)
{
    PQconninfoOption *options = is_readable(url) ? PQconninfoParse(url, NULL) : NULL;

    if (!options)
        return aisp_fail(err, AISP_E_USAGE,
                         "AISP_STORE: not understood as postgresql://user@host:port/database; characters like @ : / ? %% in a "
                         "name or password are percent-encoded (%%40 is @)");
    *name = shown(options);
    PQconninfoFree(options);
    return AISP_OK;
}

static enum aisp_status fail_connect(const struct aisp_store *store, const char *message, struct aisp_err *err)
{
    const bool is_auth = strstr(message, "authentication") || strstr(message, "password");

    return aisp_fail(err, AISP_E_IO, "%s: %.*s%s", store->path, (int)strcspn(message, "\n"), message,
                     is_auth ? "; a password is taken from AISP_STORE, PGPASSWORD or ~/.pgpass"
                             : "; AISP_STORE names this store");
}

enum aisp_status aisp_pg_connect(struct aisp_store *store, struct aisp_err *err)
{
    /* Earlier ones may be overruled by the URL. A peer that vanished is noticed within half a minute. */
    static const char *const keywords[] = { "connect_timeout", "tcp_user_timeout", "dbname", "client_encoding",
                                            "fallback_application_name", NULL };
    char *url = store->path, *name = NULL;
    const char *const values[] = { getenv("PGCONNECT_TIMEOUT") ? NULL : "10", "30000", url, "UTF8", "aisp", NULL };
    struct aisp_pg *pg;
    enum aisp_status st;

    AISP_TRY(aisp_libpq_load(err));
    AISP_TRY(read_url(url, &name, err));
    store->path = name;
    store->connection = pg = aisp_xcalloc(1, sizeof *pg);
    pg->conn = PQconnectdbParams(keywords, values, 1);
    if (!pg->conn)
        AISP_BUG("no memory for a connection");
    if (PQstatus(pg->conn) != CONNECTION_OK)
        st = fail_connect(store, PQerrorMessage(pg->conn), err);
    PQsetNoticeReceiver(pg->conn, hear_nothing, NULL);
out:
    if (name)
        free(url);
    return st;
}

/* What one row of the catalogue says before anything of ours is asked. */
struct place {
    bool has_schema, has_version, is_utf8;
    int n_tables;
};

static enum aisp_status look(struct aisp_store *store, struct place *place, struct aisp_err *err)
{
    static const char sql[] =
        "SELECT count(n.oid) > 0, coalesce(max(CASE WHEN c.relname = 'schema_version' THEN 1 END), 0) = 1, count(c.oid),"
        " current_setting('server_encoding') = 'UTF8' FROM pg_catalog.pg_namespace n LEFT JOIN pg_catalog.pg_class c"
        " ON c.relnamespace = n.oid AND c.relkind = 'r' WHERE n.nspname = 'aisp'";
    struct aisp_pg *pg = store->connection;
    PGresult *result = PQexec(pg->conn, sql);
    enum aisp_status st = AISP_OK;

    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        st = aisp_pg_fail(store, result, err);
    else
        *place = (struct place){ .has_schema = *PQgetvalue(result, 0, 0) == 't',
                                 .has_version = *PQgetvalue(result, 0, 1) == 't',
                                 .n_tables = atoi(PQgetvalue(result, 0, 2)),
                                 .is_utf8 = *PQgetvalue(result, 0, 3) == 't' };
    PQclear(result);
    return st;
}

static enum aisp_status read_number(struct aisp_store *store, const char *sql, int *number, struct aisp_err *err)
{
    struct aisp_pg *pg = store->connection;
    PGresult *result = PQexec(pg->conn, sql);
    enum aisp_status st = AISP_OK;

    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        st = aisp_pg_fail(store, result, err);
    else
        *number = atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    return st;
}

/* 0: nothing of ours is there yet. */
static enum aisp_status check_version(struct aisp_store *store, int *version, bool *has_schema, struct aisp_err *err)
{
    struct place place = { 0 };
    enum aisp_status st;

    *version = 0;
    AISP_TRY(look(store, &place, err));
    *has_schema = place.has_schema;
    if (!place.is_utf8)
        return aisp_fail(err, AISP_E_IO, "%s: a database whose encoding is not UTF8; nothing was changed", store->path);
    if (!place.has_version && place.n_tables)
        return aisp_fail(err, AISP_E_IO, "%s: its schema aisp is another program's; nothing was changed", store->path);
    if (place.has_version)
        AISP_TRY(read_number(store, "SELECT coalesce(max(version), 0) FROM aisp.schema_version", version, err));
    if (*version > N_SCHEMAS)
        return aisp_fail(err, AISP_E_IO, "%s: made by a newer aisp (schema %d, this one knows 1 to %d); nothing was changed",
                         store->path, *version, N_SCHEMAS);
out:
    return st;
}

/* In one transaction under one lock, so that two processes that start at once, or a crash, leave it whole. */
static enum aisp_status migrate(struct aisp_store *store, struct aisp_err *err)
{
    enum aisp_status st;
    bool has_schema;
    int version;
    char sql[96];

    AISP_TRY(aisp_pg_exec(store, "BEGIN; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(" AISP_PG_LOCK ")", err));
    AISP_TRY(check_version(store, &version, &has_schema, err));
    if (!has_schema)                             /* who may not make one may be given one */
        AISP_TRY(aisp_pg_exec(store, "CREATE SCHEMA aisp", err));
    for (int v = version; v < N_SCHEMAS; v++) {
        AISP_TRY(aisp_pg_exec(store, schemas[v], err));
        snprintf(sql, sizeof sql, "INSERT INTO schema_version (version) VALUES (%d)", v + 1);
        AISP_TRY(aisp_pg_exec(store, sql, err));
    }
    if (version < SCHEMA_WITH_INDEX)
        AISP_TRY(aisp_index_rebuild(store, err));
    AISP_TRY(aisp_pg_exec(store, "COMMIT", err));
out:
    if (st)
        store->engine->rollback(store);
    return st;
}

/* Better said now than after the first measurement. */
static enum aisp_status check_may_write(struct aisp_store *store, struct aisp_err *err)
{
    enum aisp_status st;
    int may = 0;

    AISP_TRY(read_number(store,
                         "SELECT CASE WHEN current_setting('transaction_read_only') = 'on' THEN 0 WHEN"
                         " has_table_privilege('run', 'INSERT') AND has_table_privilege('result', 'INSERT') AND"
                         " has_table_privilege('seal', 'INSERT') THEN 1 ELSE 0 END",
                         &may, err));
    if (!may)
        return aisp_fail(err, AISP_E_IO, "%s: may only be read with this role; GRANT INSERT ON ALL TABLES IN SCHEMA aisp, or "
                                         "name another role in AISP_STORE", store->path);
out:
    return st;
}

enum aisp_status aisp_pg_open_schema(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    enum aisp_status st;
    bool has_schema;
    int version;

    AISP_TRY(aisp_pg_exec(store, for_writing ? SETTINGS : SETTINGS "; SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                          err));
    AISP_TRY(check_version(store, &version, &has_schema, err));
    if (for_writing && version < N_SCHEMAS)
        AISP_TRY(migrate(store, err));
    if (for_writing)
        return check_may_write(store, err);
    if (version == 0)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: nothing was recorded here yet; `aisp bench run -t ch01` records a run",
                         store->path);
    if (version < N_SCHEMAS)
        return aisp_fail(err, AISP_E_IO, "%s: made by an older aisp (schema %d, this one reads %d): the next command that "
                                         "records, like `aisp bench run`, brings it up to date", store->path, version,
                         N_SCHEMAS);
out:
    return st;
}

#endif
