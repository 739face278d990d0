/* calibration.c - remember how well a machine measures. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/buf.h"
#include "store/db.h"

enum aisp_status aisp_store_calibration_load(struct aisp_store *store, const char *host, json_t **out, struct aisp_err *err)
{
    char now[24];
    const char *const values[] = { host, now };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    *out = NULL;
    snprintf(now, sizeof now, "%lld", (long long)time(NULL));
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT calibration FROM calibration WHERE host = ?1 AND expires_at > CAST(?2 AS BIGINT)"
                             " ORDER BY taken_at DESC, id DESC LIMIT 1",
                             values, 2, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (row)
        AISP_TRY(aisp_db_json(store, stmt, 0, out, err));
out:
    aisp_db_finalize(stmt);
    return st;
}

static enum aisp_status add(struct aisp_store *store, const json_t *calibration, const char *unless, struct aisp_err *err)
{
    const char *host = json_string_value(json_object_get(calibration, "host"));
    char *text = json_dumps(calibration, JSON_COMPACT | JSON_REAL_PRECISION(17)), taken[24], expires[24];
    const char *const values[] = { host, taken, expires, text };
    char *sql = aisp_format("INSERT INTO calibration (host, taken_at, expires_at, calibration)"
                            " SELECT ?1, CAST(?2 AS BIGINT), CAST(?3 AS BIGINT), ?4 %s", unless);
    enum aisp_status st;

    if (!host || !text)
        AISP_BUG("a calibration without a host");
    snprintf(taken, sizeof taken, "%lld", (long long)json_integer_value(json_object_get(calibration, "taken_at")));
    snprintf(expires, sizeof expires, "%lld", (long long)json_integer_value(json_object_get(calibration, "expires_at")));
    st = aisp_db_run(store, sql, values, 4, err);
    free(sql);
    free(text);
    return st;
}

enum aisp_status aisp_store_calibration_add(struct aisp_store *store, const json_t *calibration, struct aisp_err *err)
{
    return add(store, calibration, "", err);
}

enum aisp_status aisp_store_calibration_import(struct aisp_store *store, const json_t *calibration, struct aisp_err *err)
{
    return add(store, calibration,
               "WHERE NOT EXISTS (SELECT 1 FROM calibration WHERE host = ?1 AND taken_at = CAST(?2 AS BIGINT) AND"
               " calibration = ?4)",
               err);
}
