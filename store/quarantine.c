/* quarantine.c - in and out, each a row. */
#include "store/quarantine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "store/db.h"

static const char newest[] =
    "SELECT is_in FROM quarantine WHERE target = ?1 AND variant = ?2 AND device = ?3"
    " ORDER BY id DESC LIMIT 1";
static const char insert[] =
    "INSERT INTO quarantine (at, target, variant, device, is_in, run, finding, reason)"
    " VALUES (CAST(?1 AS BIGINT), ?2, ?3, ?4, CAST(?5 AS BIGINT), ?6, ?7, ?8)";

/* The same for a line that may be there already. */
static const char insert_once[] =
    "INSERT INTO quarantine (at, target, variant, device, is_in, run, finding, reason)"
    " SELECT CAST(?1 AS BIGINT), ?2, ?3, ?4, CAST(?5 AS BIGINT), ?6, ?7, ?8 WHERE NOT EXISTS "
    "(SELECT 1 FROM quarantine"
    " WHERE at = CAST(?1 AS BIGINT) AND target = ?2 AND variant = ?3 AND device = ?4 AND is_in = "
    "CAST(?5 AS BIGINT)"
    " AND run = ?6)";

static enum aisp_status add(struct aisp_store *store, const char *sql,
                            const struct aisp_quarantine_entry *e, int64_t at, bool is_in,
                            struct aisp_err *err)
{
    char when[24];
    const char *const values[] = { when,   e->target,  e->variant, e->device, is_in ? "1" : "0",
                                   e->run, e->finding, e->reason };

    snprintf(when, sizeof when, "%lld", (long long)at);
    return aisp_db_run(store, sql, values, 8, err);
}

enum aisp_status aisp_store_quarantine_put(struct aisp_store *store,
                                           const struct aisp_quarantine_entry *entry,
                                           struct aisp_err *err)
{
    return add(store, insert, entry, time(NULL), true, err);
}

enum aisp_status aisp_store_quarantine_clear(struct aisp_store *store,
                                             const struct aisp_quarantine_entry *entry,
                                             bool *was_in, struct aisp_err *err)
{
    const char *const values[] = { entry->target, entry->variant, entry->device };
    struct aisp_quarantine_entry out = *entry;
    struct aisp_stmt *stmt = NULL;
    bool row, is_in = false;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, newest, values, 3, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    is_in = row && aisp_db_column_int(stmt, 0);
    out.finding = out.reason = "";
    if (is_in)
        AISP_TRY(add(store, insert, &out, time(NULL), false, err));
out:
    aisp_db_finalize(stmt);
    if (was_in)
        *was_in = is_in && st == AISP_OK;
    return st;
}

static const char *text(struct aisp_stmt *stmt, int column)
{
    return aisp_db_column_text(stmt, column);
}

static json_int_t integer(struct aisp_stmt *stmt, int column)
{
    return (json_int_t)aisp_db_column_int(stmt, column);
}

static json_t *event(struct aisp_stmt *stmt)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:I, s:s, s:s, s:s}", "target", text(stmt, 0), "variant",
                     text(stmt, 1), "device", text(stmt, 2), "in", (int)aisp_db_column_int(stmt, 3),
                     "at", integer(stmt, 4), "run", text(stmt, 5), "check", text(stmt, 6), "reason",
                     text(stmt, 7));
}

static json_t *inmate(struct aisp_stmt *stmt)
{
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:I, s:I}", "target", text(stmt, 0),
                     "variant", text(stmt, 1), "device", text(stmt, 2), "at", integer(stmt, 4),
                     "run", text(stmt, 5), "check", text(stmt, 6), "reason", text(stmt, 7), "since",
                     integer(stmt, 8), "times", integer(stmt, 9));
}

static enum aisp_status rows(struct aisp_store *store, const char *sql,
                             json_t *(*read)(struct aisp_stmt *), json_t **out, struct aisp_err *err)
{
    json_t *list = json_array();
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row = false;

    /* Read-only stores are not brought up to date: then there is no such table. */
    AISP_TRY(aisp_db_has_table(store, "quarantine", &row, err));
    if (row)
        AISP_TRY(aisp_db_prepare(store, sql, NULL, 0, &stmt, err));
    while (row) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (row && json_array_append_new(list, read(stmt)))
            st = aisp_fail(err, AISP_E_IO, "%s: damaged: a quarantine record is no text",
                           store->path);
        if (st)
            goto out;
    }
    *out = json_incref(list);
out:
    aisp_db_finalize(stmt);
    json_decref(list);
    return st;
}

enum aisp_status aisp_store_quarantine_list(struct aisp_store *store, json_t **out,
                                            struct aisp_err *err)
{
    static const char sql[] =
        "WITH it AS (SELECT *, (SELECT coalesce(max(o.id), 0) FROM quarantine o WHERE o.is_in = 0 "
        "AND"
        "  o.target = q.target AND o.variant = q.variant AND o.device = q.device) AS freed FROM "
        "quarantine q)"
        " SELECT target, variant, device, is_in, at, run, finding, reason,"
        "  (SELECT min(o.at) FROM it o WHERE o.target = it.target AND o.variant = it.variant AND "
        "o.device = it.device"
        "   AND o.id > it.freed),"
        "  (SELECT count(*) FROM it o WHERE o.target = it.target AND o.variant = it.variant AND "
        "o.device = it.device"
        "   AND o.id > it.freed)"
        " FROM it WHERE is_in = 1 AND id = (SELECT max(o.id) FROM it o WHERE o.target = it.target "
        "AND"
        "  o.variant = it.variant AND o.device = it.device) ORDER BY target, variant, device";

    return rows(store, sql, inmate, out, err);
}

enum aisp_status aisp_store_quarantine_history(struct aisp_store *store, json_t **out,
                                               struct aisp_err *err)
{
    return rows(store,
                "SELECT target, variant, device, is_in, at, run, finding, reason FROM quarantine "
                "ORDER BY id",
                event, out, err);
}

enum aisp_status aisp_store_quarantine_add(struct aisp_store *store, const json_t *line,
                                           struct aisp_err *err)
{
    static const char *const keys[] = { "target", "variant", "device", "run", "check", "reason" };
    const char *value[6];

    for (size_t i = 0; i < 6; i++) {
        value[i] = json_string_value(json_object_get(line, keys[i]));
        if (!value[i])
            return aisp_fail(err, AISP_E_USAGE, "a quarantine line without \"%s\"", keys[i]);
    }
    return add(store, insert_once,
               &(struct aisp_quarantine_entry){ .target = value[0],
                                                .variant = value[1],
                                                .device = value[2],
                                                .run = value[3],
                                                .finding = value[4],
                                                .reason = value[5] },
               json_integer_value(json_object_get(line, "at")),
               json_is_true(json_object_get(line, "in")), err);
}
