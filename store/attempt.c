/* attempt.c - candidates that were judged. */
#include "store/attempt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/db.h"

static char *dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("an answer that JSON cannot hold");
    return text;
}

/* One statement, so that two judges at once cannot give a number twice. */
enum aisp_status aisp_store_attempt_add(struct aisp_store *store, const struct aisp_attempt *a,
                                        int64_t *number, struct aisp_err *err)
{
    static const char insert[] =
        "INSERT INTO attempt (at, target, family, number, sha256, build, run, rejected, ratio, "
        "answer)"
        " SELECT CAST(?1 AS INTEGER), ?2, ?3,"
        " 1 + (SELECT coalesce(max(number), 0) FROM attempt WHERE target = ?2 AND family = ?3),"
        " ?4, ?5, ?6, ?7, CAST(?8 AS REAL), ?9";
    char *answer = dump(a->answer), when[24], ratio[40];
    const char *const values[] = { when,        a->target,
                                   a->family,   a->sha256,
                                   a->build,    a->run,
                                   a->rejected, isfinite(a->ratio) ? ratio : NULL,
                                   answer };
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    snprintf(when, sizeof when, "%lld", (long long)time(NULL));
    snprintf(ratio, sizeof ratio, "%.17g", a->ratio);
    AISP_TRY(aisp_db_run(store, insert, values, 9, err));
    AISP_TRY(aisp_db_prepare(store, "SELECT number FROM attempt WHERE id = last_insert_rowid()",
                             NULL, 0, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    *number = row ? sqlite3_column_int64(stmt, 0) : 0;
out:
    sqlite3_finalize(stmt);
    free(answer);
    return st;
}

/* The answer of a row "answer, number, run"; NULL if there is no row. */
static enum aisp_status take_answer(struct aisp_store *store, sqlite3_stmt *stmt, json_t **answer,
                                    struct aisp_err *err)
{
    enum aisp_status st;
    bool row;

    *answer = NULL;
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row)
        return AISP_OK;
    AISP_TRY(aisp_db_json(store, stmt, 0, answer, err));
    json_object_set_new(*answer, "attempt", json_integer(sqlite3_column_int64(stmt, 1)));
    json_object_set_new(*answer, "run", json_string((const char *)sqlite3_column_text(stmt, 2)));
out:
    return st;
}

enum aisp_status aisp_store_attempt_find(struct aisp_store *store, const char *sha256,
                                         const char *target, const char *build, json_t **answer,
                                         struct aisp_err *err)
{
    const char *const values[] = { sha256, target, build };
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;

    *answer = NULL;
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT answer, number, run FROM attempt WHERE sha256 = ?1 AND target = ?2 AND build = ?3"
        " ORDER BY id DESC LIMIT 1",
        values, 3, &stmt, err));
    st = take_answer(store, stmt, answer, err);
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_attempt_best(struct aisp_store *store, const char *target,
                                         const char *family, const char *build, int64_t *n,
                                         json_t **best, struct aisp_err *err)
{
    const char *const values[] = { target, family, build };
    sqlite3_stmt *stmt = NULL, *count = NULL;
    enum aisp_status st;
    bool row;

    *best = NULL;
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT count(*) FROM attempt WHERE target = ?1 AND family = ?2",
                             values, 2, &count, err));
    AISP_TRY(aisp_db_step(store, count, &row, err));
    *n = sqlite3_column_int64(count, 0);
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT answer, number, run FROM attempt WHERE target = ?1 AND family = ?2 AND build = ?3"
        " AND rejected = '' AND ratio IS NOT NULL ORDER BY ratio DESC, id LIMIT 1",
        values, 3, &stmt, err));
    st = take_answer(store, stmt, best, err);
out:
    sqlite3_finalize(count);
    sqlite3_finalize(stmt);
    return st;
}

static const char *const texts[] = { "target", "family", "sha256", "build", "run", "rejected" };
enum { N_TEXTS = sizeof texts / sizeof *texts };

/* A store that was made before there were judges, opened for reading, has no such table. */
static enum aisp_status has_table(struct aisp_store *store, bool *has, struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT 1 FROM sqlite_master WHERE name = 'attempt'", NULL, 0,
                             &stmt, err));
    st = aisp_db_step(store, stmt, has, err);
out:
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_attempts(struct aisp_store *store, json_t **out, struct aisp_err *err)
{
    json_t *list = json_array(), *answer;
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row, has;

    AISP_TRY(has_table(store, &has, err));
    if (!has) {
        *out = json_incref(list);
        goto out;
    }
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT answer, at, number, ratio, target, family, sha256, build, "
                             "run, rejected FROM attempt"
                             " ORDER BY id",
                             NULL, 0, &stmt, err));
    for (;;) {
        json_t *line;

        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &answer, err));
        line = json_pack("{s:I, s:I, s:o}", "at", (json_int_t)sqlite3_column_int64(stmt, 1),
                         "number", (json_int_t)sqlite3_column_int64(stmt, 2), "answer", answer);
        if (sqlite3_column_type(stmt, 3) != SQLITE_NULL)
            json_object_set_new(line, "ratio", json_real(sqlite3_column_double(stmt, 3)));
        for (int i = 0; i < N_TEXTS; i++)
            json_object_set_new(line, texts[i],
                                json_string((const char *)sqlite3_column_text(stmt, 4 + i)));
        json_array_append_new(list, line);
    }
    *out = json_incref(list);
out:
    json_decref(list);
    sqlite3_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_attempt_import(struct aisp_store *store, const json_t *line,
                                           struct aisp_err *err)
{
    const json_t *answer = json_object_get(line, "answer"), *ratio = json_object_get(line, "ratio");
    const char *values[N_TEXTS + 4];
    char at[24], number[24], real[40], *text = NULL;
    enum aisp_status st;

    snprintf(at, sizeof at, "%lld", (long long)json_integer_value(json_object_get(line, "at")));
    snprintf(number, sizeof number, "%lld",
             (long long)json_integer_value(json_object_get(line, "number")));
    snprintf(real, sizeof real, "%.17g", json_number_value(ratio));
    for (int i = 0; i < N_TEXTS; i++) {
        values[i] = json_string_value(json_object_get(line, texts[i]));
        if (!values[i])
            return aisp_fail(err, AISP_E_USAGE, "an attempt without \"%s\"", texts[i]);
    }
    if (!json_is_object(answer))
        return aisp_fail(err, AISP_E_USAGE, "an attempt without an answer");
    text = dump(answer);
    values[N_TEXTS] = at;
    values[N_TEXTS + 1] = number;
    values[N_TEXTS + 2] = json_is_number(ratio) ? real : NULL;
    values[N_TEXTS + 3] = text;
    st = aisp_db_run(store,
                     "INSERT OR IGNORE INTO attempt (target, family, sha256, build, run, rejected, "
                     "at, number, ratio, answer)"
                     " VALUES (?1, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS INTEGER), CAST(?8 AS INTEGER), "
                     "CAST(?9 AS REAL), ?10)",
                     values, N_TEXTS + 4, err);
    free(text);
    return st;
}

enum aisp_status aisp_store_results_of(struct aisp_store *store, const char *target,
                                       const char *variant, const char *device, int limit,
                                       json_t **out, struct aisp_err *err)
{
    const char *const values[] = { target, variant, device };
    json_t *list = json_array(), *result;
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT result FROM result WHERE target = ?1 AND variant = ?2 AND device = ?3"
        " ORDER BY rowid DESC",
        values, 3, &stmt, err));
    for (int i = 0; i < limit; i++) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &result, err));
        json_array_append_new(list, result);
    }
    *out = json_incref(list);
out:
    json_decref(list);
    sqlite3_finalize(stmt);
    return st;
}
