/* kill_write.c - the four writers, and the stores that two of them start from. */
#include "tests/store/kill.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/attempt.h"
#include "store/file.h"
#include "store/quarantine.h"

bool is_shared(void) { return getenv("AISP_STORE") && *getenv("AISP_STORE"); }

json_t *result_of(const char *key)
{
    char sha256[65];

    aisp_hash_bytes(key, strlen(key), sha256);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:s}", "key", key, "target", "ch07:transpose", "variant", key,
                     "reference", "baseline", "device", "cpu", "size", "quick", "grade", "development", "ratio", 1.5, "proof",
                     sha256);
}

static json_t *evidence_of(const char *run, const char *key)
{
    json_t *samples = json_array();

    for (int i = 0; i < EVIDENCE_NUMBERS; i++)
        json_array_append_new(samples, json_integer(1000000 + i));
    return json_pack("{s:s, s:s, s:o}", "run", run, "key", key, "samples", samples);
}

static enum aisp_status add_result(struct aisp_store *store, const char *run, const char *key, struct aisp_err *err)
{
    json_t *result = result_of(key), *evidence = evidence_of(run, key);
    const enum aisp_status st = aisp_store_result_add(store, run, result, evidence, err);

    json_decref(result);
    json_decref(evidence);
    return st;
}

enum aisp_status begin_run(struct aisp_store *store, char run[AISP_RUN_ID_MAX], struct aisp_err *err)
{
    json_t *manifest = json_pack("{s:s, s:s}", "host", "abc", "command", "bench run");
    const enum aisp_status st = aisp_store_run_begin(store, manifest, run, err);

    json_decref(manifest);
    return st;
}

static void acknowledge(int fd, char what, const char *run, const char *key)
{
    struct ack ack = { .what = what };

    snprintf(ack.run, sizeof ack.run, "%s", run);
    snprintf(ack.key, sizeof ack.key, "%s", key);
    if (write(fd, &ack, sizeof ack) != sizeof ack)
        _exit(9);
}

static enum aisp_status write_run(struct aisp_store *store, int fd, struct aisp_err *err)
{
    json_t *summary = json_pack("{s:i}", "n", RESULTS);
    char run[AISP_RUN_ID_MAX], key[32];
    enum aisp_status st;

    AISP_TRY(begin_run(store, run, err));
    acknowledge(fd, 'b', run, "");
    for (int i = 0; i < RESULTS; i++) {
        snprintf(key, sizeof key, "k%d", i);
        AISP_TRY(add_result(store, run, key, err));
        acknowledge(fd, 'r', run, key);
    }
    AISP_TRY(aisp_store_run_finish(store, run, summary, err));
    acknowledge(fd, 's', run, "");
out:
    json_decref(summary);
    return st;
}

static enum aisp_status write_beside(struct aisp_store *store, const char *run, int64_t i, int fd, struct aisp_err *err)
{
    char variant[32];
    const struct aisp_quarantine_entry entry = { "ch07:transpose", variant, "cpu", run, "stale-cache", "a reason" };
    const struct aisp_attempt attempt = { "ch07:x", "mine", variant, "0", "r", "", 1, json_object() };
    json_t *calibration =
        json_pack("{s:s, s:I, s:I}", "host", "h", "taken_at", (json_int_t)i, "expires_at", (json_int_t)1 << 40);
    int64_t number;
    enum aisp_status st;

    snprintf(variant, sizeof variant, "v%lld", (long long)i);
    AISP_TRY(aisp_store_quarantine_put(store, &entry, err));
    acknowledge(fd, 'q', "", "");
    AISP_TRY(aisp_store_attempt_add(store, &attempt, &number, err));
    acknowledge(fd, 'a', "", "");
    AISP_TRY(aisp_store_calibration_add(store, calibration, err));
    acknowledge(fd, 'c', "", "");
out:
    json_decref((json_t *)attempt.answer);
    json_decref(calibration);
    return st;
}

static enum aisp_status write_update(struct aisp_store *store, const struct study *s, int64_t i, int fd, struct aisp_err *err)
{
    enum aisp_status st;
    char key[32];

    snprintf(key, sizeof key, "u%lld", (long long)i);
    AISP_TRY(add_result(store, s->open_run, key, err));
    acknowledge(fd, 'r', s->open_run, key);
    AISP_TRY(write_beside(store, s->open_run, i, fd, err));
out:
    return st;
}

/* The child: until it is killed, or done. */
void write_until_killed(const struct study *s, int fd)
{
    struct aisp_store *store = NULL;
    struct aisp_err err = { 0 };
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, s->folder, true, &err));
    for (int64_t i = 0; s->kind == RUN && st == AISP_OK; i++)
        st = write_run(store, fd, &err);
    for (int64_t i = s->n_keys; s->kind == UPDATE && st == AISP_OK; i++)
        st = write_update(store, s, i, fd, &err);
    if (s->kind == IMPORT)
        AISP_TRY(aisp_store_import(store, s->export_path, &err));
    AISP_TRY(st);
    acknowledge(fd, 'd', "", "");
    aisp_store_close(store);
    _exit(0);
out:
    fprintf(stderr, "the writer failed by itself: %s\n", err.text);
    _exit(1);
}

/* ---- where two of them start ---- */

/* What is imported. */
void make_export(struct study *s)
{
    struct aisp_store *store = NULL;
    struct aisp_err err;
    int sink[2];

    s->export_path = aisp_format("%s.jsonl", s->folder);
    if (pipe(sink) || aisp_store_open(&store, s->folder, true, &err))
        fault(s, "the store to be exported does not open");
    for (int i = 0; i < EXPORT_RUNS; i++)
        if (write_run(store, sink[1], &err) || write_beside(store, "r", i, sink[1], &err))
            fault(s, "%s", err.text);
    close(sink[0]);
    close(sink[1]);
    if (aisp_store_export(store, s->export_path, &err))
        fault(s, "%s", err.text);
    s->exported = export_of(s, store);
    aisp_store_close(store);
}

static void add_old_rows(struct aisp_buf *sql)
{
    for (int r = 0; r < OLD_RUNS; r++) {
        aisp_buf_printf(sql, "INSERT INTO run (id, started_at, host, manifest) VALUES ('20250101T000000Z-%06d', %d, 'abc',"
                             " '{\"host\":\"abc\",\"run\":\"20250101T000000Z-%06d\"}');\n", r, 1000 + r, r);
        for (int k = 0; k < RESULTS; k++) {
            char key[16], *text;
            json_t *result;

            snprintf(key, sizeof key, "k%d", k);
            result = result_of(key);
            text = json_dumps(result, JSON_COMPACT);
            aisp_buf_printf(sql, "INSERT INTO result (run, key, target, variant, device, grade, result, evidence_sha256) VALUES"
                                 " ('20250101T000000Z-%06d', '%s', 'ch07:transpose', '%s', 'cpu', 'development', '%s', '');\n",
                            r, key, key, text);
            free(text);
            json_decref(result);
        }
        aisp_buf_printf(sql, "INSERT INTO seal (run, finished_at, summary) VALUES ('20250101T000000Z-%06d', 1, '{}');\n", r);
    }
}

/* A store as an aisp of schema 3 left it. */
void make_old(const struct study *s)
{
    const char *engine = is_shared() ? "postgresql" : "sqlite";
    struct aisp_buf sql = AISP_BUF_INIT;
    struct aisp_store *store;
    struct aisp_err err;

    aisp_buf_puts(&sql, is_shared() ? "BEGIN; DROP SCHEMA aisp CASCADE; CREATE SCHEMA aisp;\n" : "BEGIN;\n");
    for (int v = 1; v <= 3; v++) {
        char *path = aisp_format("%s/store/schema/%s/%03d.sql", AISP_SOURCE_DIR, engine, v), *text = NULL;

        if (aisp_file_read_text(path, &text, &err))
            fault(s, "%s", err.text);
        aisp_buf_puts(&sql, text);
        if (is_shared())
            aisp_buf_printf(&sql, "INSERT INTO schema_version (version) VALUES (%d);\n", v);
        free(path);
        free(text);
    }
    add_old_rows(&sql);
    if (is_shared()) {
        aisp_buf_puts(&sql, "COMMIT");
        if (aisp_store_open(&store, s->folder, true, &err) || aisp_db_exec(store, sql.s, &err))
            fault(s, "%s", err.text);
        aisp_store_close(store);
    } else {
        char *path = aisp_format("%s/aisp.sqlite", s->folder);
        sqlite3 *db;

        aisp_buf_puts(&sql, "PRAGMA application_id = 0x61697370; PRAGMA user_version = 3; COMMIT; PRAGMA journal_mode = WAL");
        mkdir(s->folder, 0777);
        if (sqlite3_open(path, &db) || sqlite3_exec(db, sql.s, NULL, NULL, NULL))
            fault(s, "%s", sqlite3_errmsg(db));
        sqlite3_close(db);
        free(path);
    }
    aisp_buf_release(&sql);
}
