/* bench_recheck.c - `bench recheck RUN`: a recorded run judged again with today's checks, here or on another machine.
 * RUN is a run of the store, or a run's folder that was brought from elsewhere.
 * Evidence is held against the hash that was taken when it was recorded: of the store's run as the index has it, of a folder as
 * its own results.json has it, which whoever changes the one can write anew. So a folder alone guards against damage, not intent.
 * Exit: 3 if the record was changed after the run, 4 if something is judged otherwise than it was then, 0 else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/pick.h"
#include "commands/place.h"
#include "commands/recheck.h"
#include "core/base/hash.h"
#include "core/json.h"
#include "store/file.h"
#include "store/store.h"

struct record {
    struct aisp_store *store; /* NULL: a folder */
    char *folder;
    json_t *run; /* {"run", "manifest", "results", "summary"} */
    json_t *hashes;           /* of a folder: {KEY: SHA-256 of its evidence}; NULL where it says none */
    const char *damage, *note;     /* of the run as a whole; or NULL */
};

/* The manifest against what results.json says of it. An older aisp said nothing. */
static void check_manifest(struct record *r, const json_t *results, const char *path)
{
    const char *expected = aisp_json_text(results, "manifest_sha256");
    char sha256[65] = "";

    r->hashes = json_incref(json_object_get(results, "evidence_sha256"));
    if (!*expected || !json_object_size(r->hashes))
        r->note = "results.json says no hashes of its files: damage to them cannot be seen";
    if (*expected && (aisp_hash_file(path, sha256, NULL) || strcmp(sha256, expected)))
        r->damage = "manifest.json is not the one that was recorded: its hash differs from results.json";
}

static enum aisp_status open_folder(struct record *r, const char *path, struct aisp_err *err)
{
    char *manifest_path = aisp_format("%s/manifest.json", path),
         *results_path = aisp_format("%s/results.json", path);
    json_t *manifest = NULL, *results = NULL;
    enum aisp_status st;

    r->folder = aisp_xstrdup(path);
    AISP_TRY(aisp_file_read_json(manifest_path, &manifest, err));
    AISP_TRY(aisp_file_read_json(results_path, &results, err));
    r->run = json_pack("{s:s, s:O, s:O?, s:O?}", "run", aisp_json_text(manifest, "run"), "manifest",
                       manifest, "results", json_object_get(results, "results"), "summary",
                       json_object_get(results, "summary"));
    check_manifest(r, results, manifest_path);
out:
    json_decref(manifest);
    json_decref(results);
    free(manifest_path);
    free(results_path);
    return st;
}

static enum aisp_status open_record(struct record *r, const struct aisp_request *request,
                                    const char *name)
{
    enum aisp_status st;

    if (strchr(name, '/'))
        return open_folder(r, name, request->err);
    AISP_TRY(aisp_store_open(&r->store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_store_run_load(r->store, name, &r->run, request->err));
    r->folder = aisp_store_run_folder(r->store, aisp_json_text(r->run, "run"));
out:
    return st;
}

static void close_record(struct record *r)
{
    aisp_store_close(r->store);
    free(r->folder);
    json_decref(r->run);
    json_decref(r->hashes);
}

/* The problem of a target that is built here; else it stays closed. */
static void open_problem(const struct aisp_catalogue *cat, const char *target,
                         struct aisp_loaded_problem *loaded)
{
    const struct aisp_target *found = NULL;

    if (aisp_pick_target(cat, target, &found, NULL) == AISP_OK && !*found->refused)
        aisp_problem_load(found->problem_path, loaded, NULL);
}

/* The text of a result's evidence, and what it says. A run of another machine in a shared store has no folder here. */
static enum aisp_status read_evidence(const struct record *r, const char *key, char **text, json_t **evidence,
                                      struct aisp_err *err)
{
    char *path = aisp_format("%s/evidence/%s.json", r->folder, key);
    json_error_t error;
    enum aisp_status st;

    AISP_TRY(r->store ? aisp_store_evidence_text(r->store, aisp_json_text(r->run, "run"), key, text, err)
                      : aisp_file_read_text(path, text, err));
    *evidence = json_loads(*text, 0, &error);
    if (!*evidence)
        st = aisp_fail(err, AISP_E_IO, "%s: %s (line %d)", path, error.text, error.line);
out:
    free(path);
    return st;
}

/* As it was when the result was recorded; false: nobody says. */
static bool expected_hash(const struct record *r, const char *key, char sha256[65])
{
    if (r->store)
        return !aisp_store_evidence_hash(r->store, aisp_json_text(r->run, "run"), key, sha256, NULL);
    snprintf(sha256, 65, "%s", aisp_json_text(r->hashes, key));
    return *sha256;
}

static json_t *recheck_one(const struct record *r, const struct aisp_catalogue *cat,
                           const json_t *result)
{
    const char *key = aisp_json_text(result, "key");
    char *text = NULL, kept[65] = "", expected[65] = "";
    struct aisp_loaded_problem loaded = { 0 };
    struct aisp_err why = { AISP_OK, "" };
    json_t *evidence = NULL, *row;

    if (read_evidence(r, key, &text, &evidence, &why)) {
        row = json_pack("{s:s, s:s, s:s, s:b, s:[s], s:[], s:s}", "key", key, "target",
                        aisp_json_text(result, "target"), "variant", aisp_json_text(result, "variant"), "intact",
                        false, "damage", why.text, "changed", "note", "");
    } else {
        struct aisp_recheck_spec spec = {
            .manifest = json_object_get(r->run, "manifest"),
            .summary = json_object_get(r->run, "summary"),
            .result = result,
            .evidence = evidence,
        };

        if (expected_hash(r, key, expected)) {
            aisp_hash_bytes(text, strlen(text), kept);
            spec.file_sha256 = kept;
            spec.expected_sha256 = expected;
            spec.expected_in = r->store ? "the index" : "results.json";
        }
        open_problem(cat, aisp_json_text(result, "target"), &loaded);
        spec.problem = loaded.problem;
        row = aisp_recheck(&spec);
        aisp_problem_unload(&loaded);
    }
    json_decref(evidence);
    free(text);
    return row;
}

static int exit_of(const json_t *rows)
{
    const json_t *row;
    bool is_changed = false;
    size_t i;

    json_array_foreach(rows, i, row) {
        if (!json_is_true(json_object_get(row, "intact")))
            return AISP_EXIT_INVALID;
        is_changed |= json_array_size(json_object_get(row, "changed")) > 0;
    }
    return is_changed ? AISP_EXIT_GATE : json_array_size(rows) ? AISP_EXIT_OK : AISP_EXIT_NOTHING;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct record r = { 0 };
    struct aisp_catalogue cat = { 0 };
    const json_t *result;
    json_t *rows = NULL;
    enum aisp_status st;
    size_t i;

    AISP_TRY(open_record(&r, request, request->args->operand[0]));
    if (aisp_pick_catalogue(&(struct aisp_request){ .args = request->args,
                                                    .bench_root = request->bench_root,
                                                    .artifacts_dir = request->artifacts_dir,
                                                    .err = &(struct aisp_err){ AISP_OK, "" } },
                            &cat))
        cat = (struct aisp_catalogue){ 0 };
    rows = json_array();
    json_array_foreach(json_object_get(r.run, "results"), i, result)
        json_array_append_new(rows, recheck_one(&r, &cat, result));
    *exit_code = r.damage ? AISP_EXIT_INVALID : exit_of(rows);
    *value = json_pack("{s:O, s:s, s:O, s:s?, s:s?}", "run", json_object_get(r.run, "run"), "recorded_by",
                       aisp_json_text(json_object_get(r.run, "manifest"), "aisp"), "results", rows, "damage", r.damage, "note", r.note);
out:
    json_decref(rows);
    aisp_catalogue_release(&cat);
    close_record(&r);
    return st;
}

static void render_list(const json_t *list, const char *what, const char *paint,
                        const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *line;
    size_t i;

    json_array_foreach(list, i, line) {
        aisp_buf_puts(out, "   ");
        aisp_paint(out, style, paint, 0, what);
        aisp_buf_printf(out, " %s\n", json_string_value(line));
    }
}

static long long number(const json_t *row, const char *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(json_object_get(row, object), key));
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "results"), *row;
    size_t i, n_damaged = 0, n_changed = 0;

    json_array_foreach(rows, i, row) {
        const json_t *changed = json_object_get(row, "changed"),
                     *damage = json_object_get(row, "damage");
        const char *word = json_array_size(damage)    ? "DAMAGED"
                           : json_array_size(changed) ? "CHANGED"
                                                      : "same";

        n_damaged += json_array_size(damage) > 0;
        n_changed += json_array_size(changed) > 0;
        aisp_paint(out, style, json_array_size(damage) ? AISP_PAINT_RED : NULL, 8, word);
        aisp_buf_printf(out,
                        "%s %s: %s, %s; secrets %lld of %lld, outputs judged again %lld of %lld\n",
                        aisp_json_text(row, "target"), aisp_json_text(row, "variant"),
                        aisp_json_text(json_object_get(row, "new"), "verdict"),
                        aisp_json_text(json_object_get(row, "new"), "grade"),
                        number(row, "secrets", "revealed"), number(row, "secrets", "pairs"),
                        number(row, "kept", "right"), number(row, "kept", "of"));
        render_list(damage, "damage:", AISP_PAINT_RED, style, out);
        render_list(changed, "changed:", NULL, style, out);
        if (*aisp_json_text(row, "note"))
            aisp_buf_printf(out, "   %s\n", aisp_json_text(row, "note"));
    }
    if (*aisp_json_text(value, "damage")) {
        aisp_paint(out, style, AISP_PAINT_RED, 0, "DAMAGED");
        aisp_buf_printf(out, " %s\n", aisp_json_text(value, "damage"));
    }
    if (*aisp_json_text(value, "note"))
        aisp_buf_printf(out, "%s\n", aisp_json_text(value, "note"));
    aisp_buf_printf(out, "run %s: %zu results, %zu damaged, %zu judged otherwise\n",
                    aisp_json_text(value, "run"), json_array_size(rows), n_damaged, n_changed);
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, latest, or a run's folder", .kind = AISP_OPERAND_NAME_OR_PATH },
    { 0 },
};

AISP_COMMAND(bench_recheck) = {
    .path = "bench recheck",
    .sentence = "Judge a recorded run again: is the record whole, and what do today's checks say",
    .example =
        "aisp bench recheck latest\naisp bench recheck from-elsewhere/20261128T070501Z-1f3a9c",
    .operand = operands,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
