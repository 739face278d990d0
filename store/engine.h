/* engine.h - a database behind the store, as one filled struct. db.c picks it and is its only caller.
 * Why so few functions: everything that can be said in SQL is said in SQL (db.h), once. */
#ifndef AISP_STORE_ENGINE_H
#define AISP_STORE_ENGINE_H

#include "store/db.h"

/* Every engine's statement begins with this. */
struct aisp_stmt {
    struct aisp_store *store;
};

struct aisp_engine {
    bool keeps_evidence;

    /* Opens store->path or fails untouched; brings the schema up to date if for_writing. close accepts what failed to open. */
    enum aisp_status (*open)(struct aisp_store *store, bool for_writing, struct aisp_err *err);
    void (*close)(struct aisp_store *store);
    enum aisp_status (*exec)(struct aisp_store *store, const char *sql, struct aisp_err *err);
    enum aisp_status (*begin)(struct aisp_store *store, struct aisp_err *err);
    void (*rollback)(struct aisp_store *store);
    enum aisp_status (*has_table)(struct aisp_store *store, const char *table, bool *has, struct aisp_err *err);

    enum aisp_status (*prepare)(struct aisp_store *store, const char *sql, const char *const *text, int n,
                                struct aisp_stmt **stmt, struct aisp_err *err);
    enum aisp_status (*rebind)(struct aisp_stmt *stmt, const char *const *text, int n, struct aisp_err *err);
    enum aisp_status (*step)(struct aisp_stmt *stmt, bool *row, struct aisp_err *err);
    void (*finalize)(struct aisp_stmt *stmt);
    const char *(*column_text)(struct aisp_stmt *stmt, int column);
    int64_t (*column_int)(struct aisp_stmt *stmt, int column);
    double (*column_real)(struct aisp_stmt *stmt, int column);
    bool (*column_is_null)(struct aisp_stmt *stmt, int column);
};

extern const struct aisp_engine aisp_engine_sqlite, aisp_engine_postgresql;

#endif
