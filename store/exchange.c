/* exchange.c - a store as JSON Lines. Texts are copied, not parsed: stored JSON is valid, and stays as it is byte for byte.
 * Not here: the way back (import.c). */
#include "store/exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/attempt.h"
#include "store/db.h"
#include "store/quarantine.h"

struct export {
    struct aisp_store *store;
    const struct aisp_store_export_ask *what;
    const char *path;
    FILE *f;
    struct aisp_stmt *run, *results;
    struct aisp_buf line;
    struct aisp_export_counts counts;
};

static enum aisp_status put_line(struct export *e, struct aisp_err *err)
{
    aisp_buf_add(&e->line, "\n", 1);
    if (fwrite(e->line.s, 1, e->line.len, e->f) != e->line.len)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", e->path);
    return AISP_OK;
}

/* Borrowed. */
static enum aisp_status put_json(struct export *e, const json_t *json, struct aisp_err *err)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17));

    if (!text)
        AISP_BUG("%s: a record that JSON cannot hold", e->path);
    e->line.len = 0;
    aisp_buf_puts(&e->line, text);
    free(text);
    return put_line(e, err);
}

/* The evidence on one line, if it still is what its hash says; else null. */
static void put_evidence(struct export *e, const char *run, const char *key, const char *sha256)
{
    char *text = NULL, hex[65] = "";
    struct aisp_span span;

    if (e->what->without_evidence || aisp_store_evidence_text(e->store, run, key, &text, NULL) != AISP_OK) {
        aisp_buf_puts(&e->line, "null");
        return;
    }
    span = (struct aisp_span){ text, strlen(text) };
    aisp_hash_bytes(text, span.n, hex);
    if (strcmp(hex, sha256) || aisp_skim_check(span, NULL, NULL)) {
        aisp_buf_puts(&e->line, "null");
        e->counts.unreadable++;
    } else {
        aisp_skim_compact(span, &e->line);
        e->counts.evidence++;
    }
    free(text);
}

static enum aisp_status put_result(struct export *e, const char *run, struct aisp_err *err)
{
    const char *key = aisp_db_column_text(e->results, 0), *sha256 = aisp_db_column_text(e->results, 1);

    e->line.len = 0;
    aisp_buf_printf(&e->line, "{\"kind\":\"result\",\"run\":\"%s\",\"evidence_sha256\":\"%s\",\"evidence\":", run, sha256);
    put_evidence(e, run, key, sha256);
    aisp_buf_printf(&e->line, ",\"result\":%s}", aisp_db_column_text(e->results, 2));
    e->counts.results++;
    return put_line(e, err);
}

static enum aisp_status put_results(struct export *e, const char *run, struct aisp_err *err)
{
    static const char sql[] = "SELECT key, evidence_sha256, result FROM result WHERE run = ?1 ORDER BY rowid";
    enum aisp_status st;
    bool row;

    if (e->results)
        AISP_TRY(aisp_db_rebind(e->results, &run, 1, err));
    else
        AISP_TRY(aisp_db_prepare(e->store, sql, &run, 1, &e->results, err));
    for (;;) {
        AISP_TRY(aisp_db_step(e->store, e->results, &row, err));
        if (!row)
            return AISP_OK;
        AISP_TRY(put_result(e, run, err));
    }
out:
    return st;
}

static enum aisp_status put_run(struct export *e, const char *run, struct aisp_err *err)
{
    static const char sql[] = "SELECT started_at, manifest, finished_at, summary FROM run LEFT JOIN seal ON seal.run = id"
                              " WHERE id = ?1";
    char *summary = NULL;
    int64_t finished = 0;
    enum aisp_status st;
    bool row;

    if (e->run)
        AISP_TRY(aisp_db_rebind(e->run, &run, 1, err));
    else
        AISP_TRY(aisp_db_prepare(e->store, sql, &run, 1, &e->run, err));
    AISP_TRY(aisp_db_step(e->store, e->run, &row, err));
    if (!row)
        return aisp_fail(err, AISP_E_NOT_FOUND, "no run \"%s\" in %s", run, e->store->path);
    e->line.len = 0;
    aisp_buf_printf(&e->line, "{\"kind\":\"run\",\"started\":%lld,\"manifest\":%s}", (long long)aisp_db_column_int(e->run, 0),
                    aisp_db_column_text(e->run, 1));
    if (!aisp_db_column_is_null(e->run, 3)) {
        finished = aisp_db_column_int(e->run, 2);
        summary = aisp_xstrdup(aisp_db_column_text(e->run, 3));
    }
    AISP_TRY(put_line(e, err));
    AISP_TRY(put_results(e, run, err));
    if (summary) {
        e->line.len = 0;
        aisp_buf_printf(&e->line, "{\"kind\":\"seal\",\"run\":\"%s\",\"finished\":%lld,\"summary\":%s}", run,
                        (long long)finished, summary);
        AISP_TRY(put_line(e, err));
    }
    e->counts.runs++;
out:
    free(summary);
    return st;
}

/* Ids first: the rows of a million results are not kept open beside each other. */
static enum aisp_status put_all_runs(struct export *e, struct aisp_err *err)
{
    struct aisp_buf ids = AISP_BUF_INIT;
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(e->store, "SELECT id FROM run ORDER BY id", NULL, 0, &stmt, err));
    for (;;) {
        const char *id;

        AISP_TRY(aisp_db_step(e->store, stmt, &row, err));
        if (!row)
            break;
        id = aisp_db_column_text(stmt, 0);
        aisp_buf_add(&ids, id, strlen(id) + 1);
    }
    for (const char *id = ids.s; id && id < ids.s + ids.len; id += strlen(id) + 1)
        AISP_TRY(put_run(e, id, err));
out:
    aisp_db_finalize(stmt);
    aisp_buf_release(&ids);
    return st;
}

/* Each of a list as a record of its kind; takes the list. */
static enum aisp_status put_list(struct export *e, const char *kind, json_t *list, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    json_t *line;
    size_t i;

    json_array_foreach(list, i, line) {
        json_object_set_new(line, "kind", json_string(kind));
        AISP_TRY(put_json(e, line, err));
    }
out:
    json_decref(list);
    return st;
}

static enum aisp_status put_calibrations(struct export *e, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(e->store, "SELECT calibration FROM calibration ORDER BY id", NULL, 0, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(e->store, stmt, &row, err));
        if (!row)
            break;
        e->line.len = 0;
        aisp_buf_printf(&e->line, "{\"kind\":\"calibration\",\"calibration\":%s}", aisp_db_column_text(stmt, 0));
        AISP_TRY(put_line(e, err));
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

static enum aisp_status put_everything(struct export *e, struct aisp_err *err)
{
    json_t *history = NULL, *attempts = NULL;
    enum aisp_status st;

    AISP_TRY(put_all_runs(e, err));
    AISP_TRY(put_calibrations(e, err));
    AISP_TRY(aisp_store_quarantine_history(e->store, &history, err));
    AISP_TRY(put_list(e, "quarantine", history, err));
    AISP_TRY(aisp_store_attempts(e->store, &attempts, err));
    AISP_TRY(put_list(e, "attempt", attempts, err));
out:
    return st;
}

static enum aisp_status put_chosen(struct export *e, struct aisp_err *err)
{
    char run[AISP_RUN_ID_MAX];
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < e->what->n_runs; i++) {
        AISP_TRY(aisp_store_find_run(e->store, e->what->run[i], run, err));
        AISP_TRY(put_run(e, run, err));
    }
out:
    return st;
}

static enum aisp_status write_export(struct export *e, struct aisp_err *err)
{
    enum aisp_status st;

    aisp_buf_puts(&e->line, "{\"kind\":\"aisp-export\",\"version\":2}");
    AISP_TRY(put_line(e, err));
    st = e->what->n_runs ? put_chosen(e, err) : put_everything(e, err);
out:
    aisp_db_finalize(e->run);
    aisp_db_finalize(e->results);
    aisp_buf_release(&e->line);
    return st;
}

/* Written beside and renamed, so that an export is whole or not there. */
enum aisp_status aisp_store_export_runs(struct aisp_store *store, const char *path, const struct aisp_store_export_ask *what,
                                        struct aisp_export_counts *counts, struct aisp_err *err)
{
    char *beside = aisp_format("%s.%ld.part", path, (long)getpid());
    struct export e = { .store = store, .what = what, .path = path, .line = AISP_BUF_INIT };
    enum aisp_status st;

    e.f = fopen(beside, "we");
    if (!e.f) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        goto out;
    }
    AISP_TRY(write_export(&e, err));
    if (fflush(e.f) || fsync(fileno(e.f)) || rename(beside, path))
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
    *counts = e.counts;
out:
    if (e.f)
        fclose(e.f);
    if (st)
        unlink(beside);
    free(beside);
    return st;
}

enum aisp_status aisp_store_export(struct aisp_store *store, const char *path, struct aisp_err *err)
{
    const struct aisp_store_export_ask everything = { .run = NULL };
    struct aisp_export_counts counts;

    return aisp_store_export_runs(store, path, &everything, &counts, err);
}
