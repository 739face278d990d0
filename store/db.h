/* db.h - what the store needs of a database: statements whose errors become one line, the same for both engines.
 * Not here: the engines (engine.h, engine_sqlite.c, engine_postgresql.c), the tables (schema/sqlite, schema/postgresql).
 *
 * SQL is written once, in what both engines understand:
 *   ?1, ?2, ... are texts; what is compared or stored as a number says so: CAST(?2 AS BIGINT), CAST(?3 AS DOUBLE PRECISION)
 *               (not INTEGER or REAL, which PostgreSQL keeps in 32 bits)
 *   columns are named in INSERT; ON CONFLICT DO NOTHING; RETURNING; rowid is what result was added in the order of
 *   json_extract(json, '$.name') and glob(pattern, text) are SQLite's own, and functions of our schema in PostgreSQL
 *   greatest and least of several values are written with CASE; texts sort by their bytes; a truth is 0 or 1 to read */
#ifndef AISP_STORE_DB_H
#define AISP_STORE_DB_H

#include "store/store.h"

struct aisp_engine;
struct aisp_still;
struct aisp_stmt;

struct aisp_store {
    const struct aisp_engine *engine;
    void *connection;      /* the engine's */
    struct aisp_still *still;   /* the embedded engine's: what it reads as it lies; or NULL */
    char *folder;          /* ARTIFACTS */
    char *path;            /* what error lines call the index: ARTIFACTS/aisp.sqlite, or postgresql://user@host/database */
    int held;              /* the folder of the run that is being measured, held against others; or -1 */
};

/* Statements without parameters or rows, several if separated by semicolons. */
enum aisp_status aisp_db_exec(struct aisp_store *store, const char *sql, struct aisp_err *err);

/* A statement with its text parameters ?1, ?2, ... bound (n of them; NULL binds NULL). *stmt is NULL on failure. Finalize
 * accepts NULL. Several may be open at once. */
enum aisp_status aisp_db_prepare(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                 struct aisp_stmt **stmt, struct aisp_err *err);
void aisp_db_finalize(struct aisp_stmt *stmt);
/* Run it again with other values, as if it were prepared anew; quicker than that. */
enum aisp_status aisp_db_rebind(struct aisp_stmt *stmt, const char *const *text, int n, struct aisp_err *err);
/* Prepare, run, finalize: for a statement that returns nothing. */
enum aisp_status aisp_db_run(struct aisp_store *store, const char *sql, const char *const *text, int n, struct aisp_err *err);

/* Next row: *row says whether there is one. Rows come as they are asked for: a million of them are never in memory. */
enum aisp_status aisp_db_step(struct aisp_store *store, struct aisp_stmt *stmt, bool *row, struct aisp_err *err);
/* Columns of that row, from 0; texts live until the next step, and are NULL, numbers 0, where the column is NULL. */
const char *aisp_db_column_text(struct aisp_stmt *stmt, int column);
int64_t aisp_db_column_int(struct aisp_stmt *stmt, int column);
double aisp_db_column_real(struct aisp_stmt *stmt, int column);
bool aisp_db_column_is_null(struct aisp_stmt *stmt, int column);
/* A column that holds JSON; what is stored was valid once, so anything else is a damaged store. */
enum aisp_status aisp_db_json(struct aisp_store *store, struct aisp_stmt *stmt, int column, json_t **out, struct aisp_err *err);

/* All or nothing. Begin waits until no other process is between its begin and its commit, in both engines: numbers that are
 * given within never meet. It fails after 15 s in the embedded store and 60 s in the shared one, so what is long is cut into
 * pieces. On failure of anything within: rollback. */
enum aisp_status aisp_db_begin(struct aisp_store *store, struct aisp_err *err);
enum aisp_status aisp_db_commit(struct aisp_store *store, struct aisp_err *err);
void aisp_db_rollback(struct aisp_store *store);

/* A store that an older aisp made, opened for reading, lacks what came later. */
enum aisp_status aisp_db_has_table(struct aisp_store *store, const char *table, bool *has, struct aisp_err *err);

/* Evidence texts in the database too: true for the shared store, where other machines have no files of this one. */
bool aisp_db_keeps_evidence(const struct aisp_store *store);

/* A run of the shared store whose files are on another machine. A folder that only has a report in it does not count. */
bool aisp_store_run_is_elsewhere(const struct aisp_store *store, const char *run);

/* Hold the folder of the one run that this store is at, instead of the one before; false: another process holds it. */
bool aisp_store_hold(struct aisp_store *store, const char *folder);
void aisp_store_unhold(struct aisp_store *store);

/* What run.c shares with others. find_run: "latest" or a unique prefix, to the full id. */
enum aisp_status aisp_store_find_run(struct aisp_store *store, const char *name, char run[AISP_RUN_ID_MAX],
                                     struct aisp_err *err);
enum aisp_status aisp_store_make_folders(const struct aisp_store *store, const char *run, struct aisp_err *err);
/* What results.json of a sealed run holds, out of the index. */
enum aisp_status aisp_store_results_json(struct aisp_store *store, const char *run, json_t **file, struct aisp_err *err);
/* run, key, target, variant, device, grade, result, evidence_sha256; its row is the rowid. */
extern const char aisp_store_insert_result[];

#endif
