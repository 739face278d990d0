/* attempt.c - candidates that were judged. */
#include "store/attempt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/index.h"

static char *dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("an answer that JSON cannot hold");
    return text;
}

/* In one transaction, so that two judges at once cannot give a number twice. */
enum aisp_status aisp_store_attempt_add(struct aisp_store *store, const struct aisp_attempt *a,
                                        int64_t *number, struct aisp_err *err)
{
    static const char insert[] =
        "INSERT INTO attempt (at, target, family, number, sha256, build, run, rejected, ratio, "
        "answer)"
        " SELECT CAST(?1 AS BIGINT), ?2, ?3,"
        " 1 + (SELECT coalesce(max(number), 0) FROM attempt WHERE target = ?2 AND family = ?3),"
        " ?4, ?5, ?6, ?7, CAST(?8 AS DOUBLE PRECISION), ?9 RETURNING number";
    char *answer = dump(a->answer), when[24], ratio[40];
    const char *const values[] = { when,        a->target,
                                   a->family,   a->sha256,
                                   a->build,    a->run,
                                   a->rejected, isfinite(a->ratio) ? ratio : NULL,
                                   answer };
    struct aisp_stmt *stmt = NULL;
    bool row, begun = false;
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)time(NULL));
    snprintf(ratio, sizeof ratio, "%.17g", a->ratio);
    AISP_TRY(aisp_db_begin(store, err));
    begun = true;
    AISP_TRY(aisp_db_prepare(store, insert, values, 9, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    *number = row ? aisp_db_column_int(stmt, 0) : 0;
    aisp_db_finalize(stmt);
    stmt = NULL;
    AISP_TRY(aisp_db_commit(store, err));
out:
    aisp_db_finalize(stmt);
    if (st && begun)
        aisp_db_rollback(store);
    free(answer);
    return st;
}

/* The answer of a row "answer, number, run"; NULL if there is no row. */
static enum aisp_status take_answer(struct aisp_store *store, struct aisp_stmt *stmt, json_t **answer,
                                    struct aisp_err *err)
{
    enum aisp_status st;
    bool row;

    *answer = NULL;
    AISP_TRY(aisp_db_step(store, stmt, &row, err));
    if (!row)
        return AISP_OK;
    AISP_TRY(aisp_db_json(store, stmt, 0, answer, err));
    json_object_set_new(*answer, "attempt", json_integer(aisp_db_column_int(stmt, 1)));
    json_object_set_new(*answer, "run", json_string(aisp_db_column_text(stmt, 2)));
out:
    return st;
}

enum aisp_status aisp_store_attempt_find(struct aisp_store *store, const char *sha256,
                                         const char *target, const char *build, json_t **answer,
                                         struct aisp_err *err)
{
    const char *const values[] = { sha256, target, build };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    *answer = NULL;
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT answer, number, run FROM attempt WHERE sha256 = ?1 AND target = ?2 AND build = ?3"
        " ORDER BY id DESC LIMIT 1",
        values, 3, &stmt, err));
    st = take_answer(store, stmt, answer, err);
out:
    aisp_db_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_attempt_best(struct aisp_store *store, const char *target,
                                         const char *family, const char *build, int64_t *n,
                                         json_t **best, struct aisp_err *err)
{
    const char *const values[] = { target, family, build };
    struct aisp_stmt *stmt = NULL, *count = NULL;
    enum aisp_status st;
    bool row;

    *best = NULL;
    AISP_TRY(aisp_db_prepare(store,
                             "SELECT count(*) FROM attempt WHERE target = ?1 AND family = ?2",
                             values, 2, &count, err));
    AISP_TRY(aisp_db_step(store, count, &row, err));
    *n = aisp_db_column_int(count, 0);
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT answer, number, run FROM attempt WHERE target = ?1 AND family = ?2 AND build = ?3"
        " AND rejected = '' AND ratio IS NOT NULL ORDER BY ratio DESC, id LIMIT 1",
        values, 3, &stmt, err));
    st = take_answer(store, stmt, best, err);
out:
    aisp_db_finalize(count);
    aisp_db_finalize(stmt);
    return st;
}

static const char *const texts[] = { "target", "family", "sha256", "build", "run", "rejected" };
enum { N_TEXTS = sizeof texts / sizeof *texts };

enum aisp_status aisp_store_attempts(struct aisp_store *store, json_t **out, struct aisp_err *err)
{
    json_t *list = json_array(), *answer;
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row, has;

    /* A store that was made before there were judges, opened for reading, has no such table. */
    AISP_TRY(aisp_db_has_table(store, "attempt", &has, err));
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
        line = json_pack("{s:I, s:I, s:o}", "at", (json_int_t)aisp_db_column_int(stmt, 1),
                         "number", (json_int_t)aisp_db_column_int(stmt, 2), "answer", answer);
        if (!aisp_db_column_is_null(stmt, 3))
            json_object_set_new(line, "ratio", json_real(aisp_db_column_real(stmt, 3)));
        for (int i = 0; i < N_TEXTS; i++)
            json_object_set_new(line, texts[i],
                                json_string(aisp_db_column_text(stmt, 4 + i)));
        json_array_append_new(list, line);
    }
    *out = json_incref(list);
out:
    json_decref(list);
    aisp_db_finalize(stmt);
    return st;
}

/* Machines number apart: where another attempt has the number, the next free one is given. */
static const char insert_once[] =
    "INSERT INTO attempt (target, family, sha256, build, run, rejected, at, number, ratio, answer)"
    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS BIGINT),"
    " CASE WHEN EXISTS (SELECT 1 FROM attempt WHERE target = ?1 AND family = ?2 AND number = CAST(?8 AS BIGINT))"
    "  THEN 1 + (SELECT max(number) FROM attempt WHERE target = ?1 AND family = ?2) ELSE CAST(?8 AS BIGINT) END,"
    " CAST(?9 AS DOUBLE PRECISION), ?10 WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE target = ?1 AND family = ?2"
    "  AND sha256 = ?3 AND run = ?5 AND at = CAST(?7 AS BIGINT))";

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
    st = aisp_db_run(store, insert_once, values, N_TEXTS + 4, err);
    free(text);
    return st;
}

enum aisp_status aisp_store_results_of(struct aisp_store *store, const char *target,
                                       const char *variant, const char *device, int limit,
                                       json_t **out, struct aisp_err *err)
{
    char most[16];
    const char *const values[] = { target, variant, device, most };
    json_t *list = json_array(), *result;
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    snprintf(most, sizeof most, "%d", limit);
    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(aisp_db_prepare(
        store,
        "SELECT result FROM result WHERE rowid IN (SELECT f.id FROM series s CROSS JOIN figure f WHERE f.series = s.id AND"
        " s.target = ?1 AND s.variant = ?2 AND s.device = ?3 ORDER BY f.id DESC LIMIT CAST(?4 AS BIGINT)) ORDER BY rowid DESC",
        values, 4, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &result, err));
        json_array_append_new(list, result);
    }
    *out = json_incref(list);
out:
    json_decref(list);
    aisp_db_finalize(stmt);
    return st;
}
