/* db.h - the little of SQLite that the store needs: an open database, statements whose errors become one line. */
#ifndef AISP_STORE_DB_H
#define AISP_STORE_DB_H

#include <sqlite3.h>

#include "store/store.h"

struct aisp_store {
    sqlite3 *db;
    char *folder;          /* ARTIFACTS */
    char *path;            /* ARTIFACTS/aisp.sqlite */
};

/* The error of the last call on the database, with the store's path: AISP_E_IO. */
enum aisp_status aisp_db_fail(const struct aisp_store *store, const char *what, struct aisp_err *err);

enum aisp_status aisp_db_exec(struct aisp_store *store, const char *sql, struct aisp_err *err);

/* A statement with its text parameters ?1, ?2, ... bound (n of them; NULL binds NULL); finalize it with sqlite3_finalize. */
enum aisp_status aisp_db_prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                 sqlite3_stmt **stmt, struct aisp_err *err);
/* The same for a statement that returns nothing. */
enum aisp_status aisp_db_run(struct aisp_store *store, const char *sql, const char *const *text, int n, struct aisp_err *err);

/* Next row: *row says whether there is one. */
enum aisp_status aisp_db_step(struct aisp_store *store, sqlite3_stmt *stmt, bool *row, struct aisp_err *err);
/* A column that holds JSON; what is stored was valid once, so anything else is a damaged store. */
enum aisp_status aisp_db_json(struct aisp_store *store, sqlite3_stmt *stmt, int column, json_t **out, struct aisp_err *err);

/* What run.c and exchange.c share. */
enum aisp_status aisp_store_make_folders(const struct aisp_store *store, const char *run, struct aisp_err *err);
enum aisp_status aisp_store_insert_run(struct aisp_store *store, const json_t *manifest, int64_t started_at,
                                       struct aisp_err *err);
enum aisp_status aisp_store_insert_seal(struct aisp_store *store, const char *run, const json_t *summary,
                                        int64_t finished_at, struct aisp_err *err);

#endif
