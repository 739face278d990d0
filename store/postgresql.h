/* postgresql.h - a connection to the shared store, and how its failures read.
 * Here and nowhere else libpq is seen; without it at build time, engine_postgresql.c says so and nothing else is built. */
#ifndef AISP_STORE_POSTGRESQL_H
#define AISP_STORE_POSTGRESQL_H

#include "store/engine.h"

#ifdef AISP_HAS_LIBPQ

#include "store/libpq.h"

#define AISP_PG_LOCK "1634300784"   /* "aisp" in ASCII: our writers' turn */
#define AISP_PG_PATIENCE "60s"

struct aisp_pg_stmt;

struct aisp_pg {
    PGconn *conn;
    struct aisp_pg_stmt *on_wire;  /* whose rows are still to be read from the connection: at most one statement's */
    bool in_transaction;
    int n_prepared;                /* names of prepared statements */
};

/* Connects to the URL in store->path, and puts what may be shown of it there: never the password. */
enum aisp_status aisp_pg_connect(struct aisp_store *store, struct aisp_err *err);
/* Whose schema is it, and how old? Brought up to date if for_writing. */
enum aisp_status aisp_pg_open_schema(struct aisp_store *store, bool for_writing, struct aisp_err *err);

/* Several statements, no rows. */
enum aisp_status aisp_pg_exec(struct aisp_store *store, const char *sql, struct aisp_err *err);
/* One line out of what the server or libpq says; result may be NULL. */
enum aisp_status aisp_pg_fail(struct aisp_store *store, const PGresult *result, struct aisp_err *err);

#endif
#endif
