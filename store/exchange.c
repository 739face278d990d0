/* exchange.c - the whole store as JSON Lines, and back without loss. One record a line, in an order that can be read in one
 * pass: a header, then for each run its manifest, its results with their evidence, its seal; calibrations and the history of
 * the quarantine last. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "store/db.h"
#include "store/file.h"
#include "store/attempt.h"
#include "store/quarantine.h"

enum { EXPORT_VERSION = 1 };

static enum aisp_status put(FILE *f, const char *path, json_t *line, struct aisp_err *err)
{
    const int bad = json_dumpf(line, f, JSON_COMPACT | JSON_REAL_PRECISION(17)) || fputc('\n', f) == EOF;

    json_decref(line);
    return bad ? aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path) : AISP_OK;
}

static enum aisp_status export_run(struct aisp_store *store, FILE *f, const char *path, const json_t *entry,
                                   struct aisp_err *err)
{
    const char *run = json_string_value(json_object_get(entry, "run"));
    json_t *record = NULL, *result;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_run_load(store, run, &record, err));
    AISP_TRY(put(f, path, json_pack("{s:s, s:O, s:O}", "kind", "run", "started", json_object_get(entry, "started"), "manifest",
                                    json_object_get(record, "manifest")), err));
    json_array_foreach(json_object_get(record, "results"), i, result) {
        json_t *evidence = NULL;

        AISP_TRY(aisp_store_evidence_load(store, run, json_string_value(json_object_get(result, "key")), &evidence, err));
        AISP_TRY(put(f, path, json_pack("{s:s, s:s, s:O, s:o}", "kind", "result", "run", run, "result", result, "evidence",
                                        evidence), err));
    }
    if (json_is_true(json_object_get(record, "complete")))
        AISP_TRY(put(f, path, json_pack("{s:s, s:s, s:O}", "kind", "seal", "run", run, "summary",
                                        json_object_get(record, "summary")), err));
out:
    json_decref(record);
    return st;
}

static enum aisp_status export_calibrations(struct aisp_store *store, FILE *f, const char *path, struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(store, "SELECT calibration FROM calibration ORDER BY id", NULL, 0, &stmt, err));
    for (;;) {
        json_t *calibration;

        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &calibration, err));
        AISP_TRY(put(f, path, json_pack("{s:s, s:o}", "kind", "calibration", "calibration", calibration), err));
    }
out:
    sqlite3_finalize(stmt);
    return st;
}

static enum aisp_status export_quarantine(struct aisp_store *store, FILE *f, const char *path, struct aisp_err *err)
{
    json_t *history = NULL, *line;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_quarantine_history(store, &history, err));
    json_array_foreach(history, i, line) {
        json_object_set_new(line, "kind", json_string("quarantine"));
        AISP_TRY(put(f, path, json_incref(line), err));
    }
out:
    json_decref(history);
    return st;
}

static enum aisp_status export_attempts(struct aisp_store *store, FILE *f, const char *path, struct aisp_err *err)
{
    json_t *attempts = NULL, *line;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_attempts(store, &attempts, err));
    json_array_foreach(attempts, i, line) {
        json_object_set_new(line, "kind", json_string("attempt"));
        AISP_TRY(put(f, path, json_incref(line), err));
    }
out:
    json_decref(attempts);
    return st;
}

enum aisp_status aisp_store_export(struct aisp_store *store, const char *path, struct aisp_err *err)
{
    json_t *runs = NULL, *entry;
    enum aisp_status st;
    FILE *f = NULL;
    size_t i;

    AISP_TRY(aisp_store_runs(store, INT_MAX, &runs, err));
    f = fopen(path, "we");
    if (!f) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        goto out;
    }
    AISP_TRY(put(f, path, json_pack("{s:s, s:i}", "kind", "aisp-export", "version", EXPORT_VERSION), err));
    json_array_foreach(runs, i, entry)
        AISP_TRY(export_run(store, f, path, entry, err));
    AISP_TRY(export_calibrations(store, f, path, err));
    AISP_TRY(export_quarantine(store, f, path, err));
    AISP_TRY(export_attempts(store, f, path, err));
out:
    json_decref(runs);
    if (f && fclose(f) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
    return st;
}

/* Is this run here already? Then importing it again changes nothing. */
static enum aisp_status is_known(struct aisp_store *store, const char *run, bool *known, struct aisp_err *err)
{
    sqlite3_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT 1 FROM run WHERE id = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, known, err));
out:
    sqlite3_finalize(stmt);
    return st;
}

struct import {
    struct aisp_store *store;
    const char *path;
    bool has_header, skips;          /* skips: the current run was here before */
};

static enum aisp_status import_run(struct import *in, const json_t *line, struct aisp_err *err)
{
    json_t *manifest = json_object_get(line, "manifest");
    const char *run = json_string_value(json_object_get(manifest, "run"));
    char *path = NULL;
    enum aisp_status st;

    if (!run || strchr(run, '/') || *run == '.' || strlen(run) >= AISP_RUN_ID_MAX)
        return aisp_fail(err, AISP_E_USAGE, "a run without a usable id");
    AISP_TRY(is_known(in->store, run, &in->skips, err));
    if (in->skips)
        return AISP_OK;
    AISP_TRY(aisp_store_make_folders(in->store, run, err));
    path = aisp_format("%s/runs/%s/manifest.json", in->store->folder, run);
    AISP_TRY(aisp_file_write_json(path, manifest, NULL, err));
    AISP_TRY(aisp_store_insert_run(in->store, manifest, json_integer_value(json_object_get(line, "started")), err));
out:
    free(path);
    return st;
}

static enum aisp_status import_line(struct import *in, const json_t *line, struct aisp_err *err)
{
    const char *kind = json_string_value(json_object_get(line, "kind")), *run = json_string_value(json_object_get(line, "run"));

    if (!kind)
        return aisp_fail(err, AISP_E_USAGE, "no \"kind\"");
    if (!strcmp(kind, "aisp-export")) {
        in->has_header = json_integer_value(json_object_get(line, "version")) == EXPORT_VERSION;
        return in->has_header ? AISP_OK : aisp_fail(err, AISP_E_USAGE, "an export of another version");
    }
    if (!in->has_header)
        return aisp_fail(err, AISP_E_USAGE, "not an aisp export");
    if (!strcmp(kind, "run"))
        return import_run(in, line, err);
    if (!strcmp(kind, "calibration"))
        return aisp_store_calibration_add(in->store, json_object_get(line, "calibration"), err);
    if (!strcmp(kind, "attempt"))
        return aisp_store_attempt_import(in->store, line, err);
    if (!strcmp(kind, "quarantine"))
        return aisp_store_quarantine_add(in->store, line, err);
    if (!run || (strcmp(kind, "result") && strcmp(kind, "seal")))
        return aisp_fail(err, AISP_E_USAGE, "a record of unknown kind \"%s\"", kind);
    if (in->skips)
        return AISP_OK;
    if (!strcmp(kind, "seal"))
        return aisp_store_run_finish(in->store, run, json_object_get(line, "summary"), err);
    return aisp_store_result_add(in->store, run, json_object_get(line, "result"), json_object_get(line, "evidence"), err);
}

enum aisp_status aisp_store_import(struct aisp_store *store, const char *path, struct aisp_err *err)
{
    struct import in = { .store = store, .path = path };
    enum aisp_status st = AISP_OK;
    char *text = NULL;
    size_t cap = 0;
    FILE *f = fopen(path, "re");

    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", path);
    for (int number = 1; st == AISP_OK && getline(&text, &cap, f) > 0; number++) {
        struct aisp_err why = { 0 };
        json_error_t error;
        json_t *line = json_loads(text, 0, &error);

        if (!line)
            st = aisp_fail(err, AISP_E_USAGE, "%s: line %d: %s", path, number, error.text);
        else if ((st = import_line(&in, line, &why)) != AISP_OK)
            aisp_fail(err, st, "%s: line %d: %s", path, number, why.text);
        json_decref(line);
    }
    free(text);
    fclose(f);
    return st;
}
