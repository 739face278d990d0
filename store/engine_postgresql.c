/* engine_postgresql.c - the shared store: a PostgreSQL server that many machines write to, with the same statements.
 * Rows are read as they arrive (single-row mode), so that a million of them are never in memory. A connection carries one
 * statement's rows at a time: what another statement interrupts is read to its end first and kept packed.
 * Evidence: a run's files stay on the machine that measured; their texts are kept in the table evidence too, by their hash, so
 * that every machine can judge a run again. The embedded store does not need that, its files lie beside it. */
#include "store/postgresql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "store/postgresql_rows.h"

#ifdef AISP_HAS_LIBPQ

/* How many rows nobody asked for are read before the server is told to stop. */
enum { DRAIN_ROWS = 256, TEXT_OID = 25, MAX_PARAMETERS = 32 };

struct aisp_pg_stmt {
    struct aisp_stmt base;
    char *sql;                     /* with $1 for ?1 */
    char name[24];                 /* of the prepared statement; "" until it is run a second time */
    char *value[MAX_PARAMETERS];
    int n_values;
    bool is_sent;
    PGresult *row;                 /* the current one, straight from the server */
    struct aisp_pg_rows parked;    /* those that another statement interrupted */
    struct aisp_err late;          /* what failed while they were read */
    int n_parked_cells;
    const char **cell;             /* of the current row */
    int n_cells;
};

static struct aisp_pg *pg_of(struct aisp_store *store) { return store->connection; }

static struct aisp_pg_stmt *of(struct aisp_stmt *stmt) { return (struct aisp_pg_stmt *)stmt; }

/* SQLSTATE to a line; the server's own words where they say it best. */
enum aisp_status aisp_pg_fail(struct aisp_store *store, const PGresult *result, struct aisp_err *err)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    PGconn *conn = pg_of(store)->conn;

    if (PQstatus(conn) == CONNECTION_BAD || (state && (!strncmp(state, "57P0", 4) || !strncmp(state, "08", 2))))
        return aisp_fail(err, AISP_E_IO,
                         "%s: the connection was lost (%s); what was stored before is intact, and a run that was under way is "
                         "incomplete: `aisp bench run --resume` finishes it", store->path, words ? words : "no answer");
    if (!state || !words)
        words = PQerrorMessage(conn), state = "";
    if (!strcmp(state, "42501") || !strcmp(state, "25006"))
        return aisp_fail(err, AISP_E_IO, "%s: not permitted to this role (%s); name another in AISP_STORE", store->path, words);
    if (!strcmp(state, "53100"))
        return aisp_fail(err, AISP_E_IO, "%s: the server's disk is full; what was stored before is intact", store->path);
    if (!strcmp(state, "55P03"))
        return aisp_fail(err, AISP_E_IO, "%s: another process kept it locked for " AISP_PG_PATIENCE, store->path);
    return aisp_fail(err, AISP_E_IO, "%s: %.*s", store->path, (int)strcspn(words, "\n"), words);
}

static void park_row(struct aisp_pg_stmt *s, const PGresult *row)
{
    for (int i = 0, n = PQnfields(row); i < n && !s->late.status; i++)
        aisp_pg_rows_add(&s->parked, PQgetisnull(row, 0, i) ? NULL : PQgetvalue(row, 0, i), PQgetlength(row, 0, i), &s->late);
    s->n_parked_cells = PQnfields(row);
}

/* What is still on the wire is kept for whoever will ask. */
static void park(struct aisp_pg *pg)
{
    struct aisp_pg_stmt *s = pg->on_wire;
    PGresult *result;

    if (!s)
        return;
    while ((result = PQgetResult(pg->conn))) {
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE)
            park_row(s, result);
        else if (PQresultStatus(result) == PGRES_FATAL_ERROR)
            aisp_pg_fail(s->base.store, result, &s->late);
        PQclear(result);
    }
    if (!s->late.status)
        aisp_pg_rows_rewind(&s->parked, &s->late);
    pg->on_wire = NULL;
}

/* The same without keeping. A server that has many rows left is told to stop; in a transaction that would undo it. */
static void drain(struct aisp_pg *pg)
{
    PGresult *result;

    for (int n = 0; (result = PQgetResult(pg->conn)); n++) {
        PQclear(result);
        if (n == DRAIN_ROWS && !pg->in_transaction) {
            PGcancel *cancel = PQgetCancel(pg->conn);
            char why[128];

            PQcancel(cancel, why, sizeof why);
            PQfreeCancel(cancel);
        }
    }
    pg->on_wire = NULL;
}

enum aisp_status aisp_pg_exec(struct aisp_store *store, const char *sql, struct aisp_err *err)
{
    struct aisp_pg *pg = pg_of(store);
    enum aisp_status st = AISP_OK;
    PGresult *result;

    park(pg);
    result = PQexec(pg->conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        st = aisp_pg_fail(store, result, err);
    else if (!strcmp(sql, "COMMIT") && strcmp(PQcmdStatus(result), "COMMIT"))    /* an error before it made it a ROLLBACK */
        st = aisp_fail(err, AISP_E_IO, "%s: the transaction failed; nothing of it was stored", store->path);
    pg->in_transaction = PQtransactionStatus(pg->conn) == PQTRANS_INTRANS || PQtransactionStatus(pg->conn) == PQTRANS_INERROR;
    PQclear(result);
    return st;
}

static void rollback(struct aisp_store *store) { aisp_pg_exec(store, "ROLLBACK", NULL); }

/* Writers take turns, as in the embedded store: what a transaction reads in order to write stays true, no two can wait for each
 * other, and results become visible in the order of their numbers. A turn is milliseconds, and a measurement takes seconds. */
static enum aisp_status begin(struct aisp_store *store, struct aisp_err *err)
{
    const enum aisp_status st = aisp_pg_exec(store, "BEGIN; SELECT pg_advisory_xact_lock(" AISP_PG_LOCK ")", err);

    if (st)
        rollback(store);
    return st;
}

/* ?1 is $1 there; what stands in quotes is left alone. */
static char *translate(const char *sql)
{
    char *text = aisp_xstrdup(sql);
    bool is_quoted = false;

    for (char *at = text; *at; at++) {
        if (*at == '\'')
            is_quoted = !is_quoted;
        if (*at == '?' && !is_quoted)
            *at = '$';
    }
    return text;
}

static void set_values(struct aisp_pg_stmt *s, const char *const *text, int n)
{
    if (n > MAX_PARAMETERS)
        AISP_BUG("a statement of %d parameters", n);
    for (int i = 0; i < s->n_values; i++)
        free(s->value[i]);
    for (int i = 0; i < n; i++)
        s->value[i] = text[i] ? aisp_xstrdup(text[i]) : NULL;
    s->n_values = n;
}

static enum aisp_status prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                struct aisp_stmt **out, struct aisp_err *err)
{
    struct aisp_pg_stmt *s = aisp_xcalloc(1, sizeof *s);

    (void)err;
    s->base.store = store;
    s->sql = translate(sql);
    set_values(s, text, n);
    *out = &s->base;
    return AISP_OK;
}

/* Nothing of the last execution is left, on the wire or here. */
static void reset(struct aisp_pg_stmt *s)
{
    struct aisp_pg *pg = pg_of(s->base.store);

    if (pg->on_wire == s)
        drain(pg);
    PQclear(s->row);
    s->row = NULL;
    aisp_pg_rows_release(&s->parked);
    s->late.status = AISP_OK;
    s->is_sent = false;
}

/* All parameters are texts: what is meant as a number is cast in the statement. */
static void text_types(Oid types[MAX_PARAMETERS])
{
    for (int i = 0; i < MAX_PARAMETERS; i++)
        types[i] = TEXT_OID;
}

/* Who runs a statement twice runs it often: then it is planned once. */
static enum aisp_status rebind(struct aisp_stmt *stmt, const char *const *text, int n, struct aisp_err *err)
{
    struct aisp_pg_stmt *s = of(stmt);
    struct aisp_pg *pg = pg_of(stmt->store);
    enum aisp_status st = AISP_OK;
    Oid types[MAX_PARAMETERS];
    PGresult *result = NULL;

    reset(s);
    set_values(s, text, n);
    if (!*s->name) {
        park(pg);
        text_types(types);
        snprintf(s->name, sizeof s->name, "aisp_%d", ++pg->n_prepared);
        result = PQprepare(pg->conn, s->name, s->sql, n, types);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) {
            *s->name = 0;
            st = aisp_pg_fail(stmt->store, result, err);
        }
        PQclear(result);
    }
    return st;
}

static enum aisp_status send(struct aisp_pg_stmt *s, struct aisp_err *err)
{
    struct aisp_pg *pg = pg_of(s->base.store);
    const char *const *values = (const char *const *)s->value;
    Oid types[MAX_PARAMETERS];
    int ok;

    park(pg);
    text_types(types);
    ok = *s->name ? PQsendQueryPrepared(pg->conn, s->name, s->n_values, values, NULL, NULL, 0)
                  : PQsendQueryParams(pg->conn, s->sql, s->n_values, types, values, NULL, NULL, 0);
    if (!ok)
        return aisp_pg_fail(s->base.store, NULL, err);
    PQsetSingleRowMode(pg->conn);
    s->is_sent = true;
    pg->on_wire = s;
    return AISP_OK;
}

static void make_cells(struct aisp_pg_stmt *s, int n)
{
    if (!s->cell || s->n_cells != n) {
        free(s->cell);
        s->cell = aisp_xcalloc((size_t)n + 1, sizeof *s->cell);
    }
    s->n_cells = n;
}

/* The next row from the server; at the end everything is read, so that the connection is free. */
static enum aisp_status receive(struct aisp_pg_stmt *s, bool *row, struct aisp_err *err)
{
    struct aisp_pg *pg = pg_of(s->base.store);
    enum aisp_status st = AISP_OK;
    PGresult *result;

    *row = false;
    while ((result = PQgetResult(pg->conn))) {
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
            s->row = result;
            make_cells(s, PQnfields(result));
            for (int i = 0; i < s->n_cells; i++)
                s->cell[i] = PQgetisnull(result, 0, i) ? NULL : PQgetvalue(result, 0, i);
            *row = true;
            return AISP_OK;
        }
        if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK)
            st = aisp_pg_fail(s->base.store, result, err);
        PQclear(result);
    }
    pg->on_wire = NULL;
    return st;
}

static enum aisp_status step(struct aisp_stmt *stmt, bool *row, struct aisp_err *err)
{
    struct aisp_pg_stmt *s = of(stmt);
    enum aisp_status st = AISP_OK;

    PQclear(s->row);
    s->row = NULL;
    if (!s->is_sent)
        AISP_TRY(send(s, err));
    if (pg_of(stmt->store)->on_wire == s)
        return receive(s, row, err);
    make_cells(s, s->n_parked_cells);
    *row = aisp_pg_rows_take(&s->parked, s->cell, s->n_cells);
    if (!*row && s->late.status)
        st = aisp_fail(err, s->late.status, "%s", s->late.text);
out:
    return st;
}

static void finalize(struct aisp_stmt *stmt)
{
    struct aisp_pg_stmt *s = of(stmt);
    char sql[48];

    reset(s);
    if (*s->name) {
        snprintf(sql, sizeof sql, "DEALLOCATE %s", s->name);
        aisp_pg_exec(stmt->store, sql, NULL);
    }
    set_values(s, NULL, 0);
    free(s->cell);
    free(s->sql);
    free(s);
}

static const char *column_text(struct aisp_stmt *stmt, int column) { return of(stmt)->cell[column]; }

static int64_t column_int(struct aisp_stmt *stmt, int column)
{
    const char *text = column_text(stmt, column);

    return !text ? 0 : *text == 't' ? 1 : strtoll(text, NULL, 10);
}

static double column_real(struct aisp_stmt *stmt, int column)
{
    const char *text = column_text(stmt, column);

    return text ? strtod(text, NULL) : 0;
}

static bool column_is_null(struct aisp_stmt *stmt, int column) { return !column_text(stmt, column); }

static enum aisp_status has_table(struct aisp_store *store, const char *table, bool *has, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(prepare(store, "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'aisp' AND tablename = ?1", &table, 1, &stmt,
                     err));
    AISP_TRY(step(stmt, has, err));
out:
    if (stmt)
        finalize(stmt);
    return st;
}

static enum aisp_status open_store(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(aisp_pg_connect(store, err));
    AISP_TRY(aisp_pg_open_schema(store, for_writing, err));
out:
    return st;
}

static void close_store(struct aisp_store *store)
{
    struct aisp_pg *pg = pg_of(store);

    if (pg)
        PQfinish(pg->conn);
    free(pg);
}

const struct aisp_engine aisp_engine_postgresql = {
    .keeps_evidence = true,
    .open = open_store,
    .close = close_store,
    .exec = aisp_pg_exec,
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

#else

static enum aisp_status open_store(struct aisp_store *store, bool for_writing, struct aisp_err *err)
{
    (void)store;
    (void)for_writing;
    return aisp_fail(err, AISP_E_IO,
                     "AISP_STORE: this aisp was built without libpq, which a postgresql:// store needs: install libpq-dev and "
                     "build again, or unset AISP_STORE for the embedded store");
}

static void close_store(struct aisp_store *store) { (void)store; }

const struct aisp_engine aisp_engine_postgresql = { .open = open_store, .close = close_store };

#endif
