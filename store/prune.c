/* prune.c - decide by the index, record what goes, then remove files. In this order, so that whatever a crash leaves is a file
 * too many, which the next prune takes, and never a record of what is gone. */
#include "store/prune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/evidence.h"
#include "store/index.h"
#include "store/quarantine.h"

/* What goes of one run. */
struct share {
    char run[AISP_RUN_ID_MAX];
    int64_t started_at, results, bytes;
    struct aisp_buf keys;        /* each terminated */
};

struct pruning {
    struct aisp_store *store;
    const struct aisp_prune *want;
    json_t *quarantined;         /* {RUN: null} */
    json_t *list;
    int64_t runs, results, bytes, referred, in_quarantine, newest, open_runs;
};

static char *evidence_path(const struct aisp_store *store, const char *run, const char *key)
{
    return aisp_format("%s/runs/%s/evidence/%s.json", store->folder, run, key);
}

/* -1: there is no such file. */
static int64_t size_of(const struct aisp_store *store, const char *run, const char *key)
{
    char *path = evidence_path(store, run, key);
    struct stat info;
    const int64_t bytes = stat(path, &info) ? -1 : info.st_size;

    free(path);
    return bytes;
}

static enum aisp_status read_quarantine(struct pruning *p, struct aisp_err *err)
{
    json_t *list = NULL, *entry;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_quarantine_list(p->store, &list, err));
    json_array_foreach(list, i, entry)
        json_object_set_new(p->quarantined, json_string_value(json_object_get(entry, "run")), json_null());
out:
    json_decref(list);
    return st;
}

static bool is_in(const json_t *runs, const char *run) { return runs && json_object_get(runs, run); }

/* A result of the run: does its evidence go? */
static void consider(struct pruning *p, struct share *share, const char *key, int64_t n_newer)
{
    const int64_t bytes = size_of(p->store, share->run, key);

    if (bytes < 0)
        return;
    if (is_in(p->want->held, share->run)) {
        p->referred++;
    } else if (is_in(p->quarantined, share->run)) {
        p->in_quarantine++;
    } else if (n_newer < p->want->keep_latest) {
        p->newest++;
    } else {
        aisp_buf_add(&share->keys, key, strlen(key) + 1);
        share->results++;
        share->bytes += bytes;
    }
}

static enum aisp_status share_of(struct pruning *p, struct share *share, struct aisp_err *err)
{
    char when[24], keep[24];
    const char *const values[] = { when, share->run, keep };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    snprintf(when, sizeof when, "%lld", (long long)share->started_at);
    snprintf(keep, sizeof keep, "%d", p->want->keep_latest);
    AISP_TRY(aisp_db_prepare(p->store,
                             "SELECT f.key, (SELECT count(*) FROM (SELECT 1 FROM figure x WHERE x.series = f.series AND"
                             "  (x.started_at, x.id) > (f.started_at, f.id) AND x.grade <> 'invalid' AND"
                             "  x.run NOT IN (SELECT run FROM open_run) LIMIT CAST(?3 AS BIGINT)) y)"
                             " FROM figure f WHERE f.started_at = CAST(?1 AS BIGINT) AND f.run = ?2",
                             values, 3, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(p->store, stmt, &row, err));
        if (!row)
            break;
        consider(p, share, aisp_db_column_text(stmt, 0), aisp_db_column_int(stmt, 1));
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

static enum aisp_status record(struct pruning *p, const struct share *share, struct aisp_err *err)
{
    char at[24], bytes[24];
    const char *values[] = { share->run, NULL, at, bytes };
    enum aisp_status st;

    snprintf(at, sizeof at, "%lld", (long long)time(NULL));
    AISP_TRY(aisp_db_begin(p->store, err));
    for (const char *key = share->keys.s; key < share->keys.s + share->keys.len; key += strlen(key) + 1) {
        values[1] = key;
        snprintf(bytes, sizeof bytes, "%lld", (long long)size_of(p->store, share->run, key));
        AISP_TRY(aisp_db_run(p->store,
                             "INSERT INTO pruned (run, key, at, bytes) VALUES (?1, ?2, CAST(?3 AS BIGINT), CAST(?4 AS BIGINT))"
                             " ON CONFLICT DO NOTHING",
                             values, 4, err));
    }
    AISP_TRY(aisp_db_commit(p->store, err));
out:
    if (st)
        aisp_db_rollback(p->store);
    return st;
}

static enum aisp_status remove_files(struct pruning *p, const struct share *share, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (const char *key = share->keys.s; key < share->keys.s + share->keys.len; key += strlen(key) + 1) {
        char *path = evidence_path(p->store, share->run, key);
        const bool bad = unlink(path) && errno != ENOENT;

        if (bad)
            aisp_fail_errno(err, AISP_E_IO, "%s: cannot be removed", path);
        free(path);
        if (bad)
            return AISP_E_IO;
        AISP_TRY(aisp_evidence_forget(p->store, share->run, key, err));
    }
out:
    return st;
}

static enum aisp_status prune_run(struct pruning *p, const char *run, int64_t started_at, struct aisp_err *err)
{
    struct share share = { .started_at = started_at };
    enum aisp_status st;

    snprintf(share.run, sizeof share.run, "%s", run);
    AISP_TRY(share_of(p, &share, err));
    if (share.results && !p->want->dry) {
        AISP_TRY(record(p, &share, err));
        AISP_TRY(remove_files(p, &share, err));
    }
    if (share.results) {
        json_array_append_new(p->list, json_pack("{s:s, s:I, s:I}", "run", run, "results", (json_int_t)share.results, "bytes",
                                                 (json_int_t)share.bytes));
        p->runs++;
        p->results += share.results;
        p->bytes += share.bytes;
    }
out:
    aisp_buf_release(&share.keys);
    return st;
}

/* Sealed runs that are old enough, as texts "run", "started_at", ...; and how many are open. */
static enum aisp_status old_runs(struct pruning *p, struct aisp_buf *runs, struct aisp_err *err)
{
    char before[24];
    const char *const values[] = { before };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    snprintf(before, sizeof before, "%lld", (long long)p->want->before);
    AISP_TRY(aisp_db_prepare(p->store,
                             "SELECT id, started_at, CASE WHEN seal.run IS NULL THEN 1 ELSE 0 END FROM run"
                             " LEFT JOIN seal ON seal.run = id WHERE started_at < CAST(?1 AS BIGINT) ORDER BY id",
                             values, 1, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(p->store, stmt, &row, err));
        if (!row)
            break;
        if (aisp_db_column_int(stmt, 2))
            p->open_runs++;
        else
            for (int i = 0; i < 2; i++)
                aisp_buf_add(runs, aisp_db_column_text(stmt, i), strlen(aisp_db_column_text(stmt, i)) + 1);
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

enum aisp_status aisp_store_prune(struct aisp_store *store, const struct aisp_prune *want, json_t **out, struct aisp_err *err)
{
    struct pruning p = { .store = store, .want = want, .quarantined = json_object(), .list = json_array() };
    struct aisp_buf runs = AISP_BUF_INIT;
    enum aisp_status st;

    AISP_TRY(aisp_index_exists(store, err));
    AISP_TRY(read_quarantine(&p, err));
    AISP_TRY(old_runs(&p, &runs, err));
    for (const char *run = runs.s; run && run < runs.s + runs.len;) {
        const char *started = run + strlen(run) + 1;

        AISP_TRY(prune_run(&p, run, strtoll(started, NULL, 10), err));
        run = started + strlen(started) + 1;
    }
    *out = json_pack("{s:I, s:I, s:I, s:{s:I, s:I, s:I}, s:I, s:O}", "runs", (json_int_t)p.runs, "results",
                     (json_int_t)p.results, "bytes", (json_int_t)p.bytes, "held_results", "referred", (json_int_t)p.referred,
                     "quarantined", (json_int_t)p.in_quarantine, "newest", (json_int_t)p.newest, "open_runs",
                     (json_int_t)p.open_runs, "list", p.list);
out:
    aisp_buf_release(&runs);
    json_decref(p.quarantined);
    json_decref(p.list);
    return st;
}

enum aisp_status aisp_store_is_pruned(struct aisp_store *store, const char *run, const char *key, bool *pruned, int64_t *at,
                                      struct aisp_err *err)
{
    const char *const values[] = { run, key };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    *pruned = false;
    AISP_TRY(aisp_db_has_table(store, "pruned", pruned, err));
    if (!*pruned)
        return AISP_OK;
    AISP_TRY(aisp_db_prepare(store, "SELECT at FROM pruned WHERE run = ?1 AND (key = ?2 OR key = '') LIMIT 1", values, 2, &stmt,
                             err));
    AISP_TRY(aisp_db_step(store, stmt, pruned, err));
    *at = *pruned ? aisp_db_column_int(stmt, 0) : 0;
out:
    aisp_db_finalize(stmt);
    return st;
}
