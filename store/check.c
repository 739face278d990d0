/* check.c - look at everything once. */
#include "store/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/exchange.h"
#include "store/file.h"
#include "store/index.h"
#include "store/prune.h"
#include "store/staging.h"

enum { OFTEN = 64 };         /* runs between two looks at the watch */

struct checking {
    struct aisp_store *store;
    const struct aisp_store_check_ask *want;
    json_t *problems;
    int64_t runs, results, evidence, pruned, elsewhere;
    struct aisp_buf left;    /* paths, each terminated */
};

static void problem(struct checking *c, const char *kind, const char *run, const char *what, bool repaired, const char *fix)
{
    json_array_append_new(c->problems, json_pack("{s:s, s:s, s:s, s:b, s:s}", "kind", kind, "run", run, "what", what,
                                                 "repaired", repaired, "fix", repaired ? "" : fix));
}

/* ---- a run of the index ---- */

/* A file that the index can write again: set aside what cannot be read, then write. */
static bool write_again(struct checking *c, const char *path, const json_t *json)
{
    char *aside = aisp_format("%s.damaged", path);
    bool done = false;

    if (c->want->repair && (access(path, F_OK) || rename(path, aside) == 0))
        done = aisp_file_write_json(path, json, NULL, NULL) == AISP_OK;
    free(aside);
    return done;
}

static const char REPAIR[] = "aisp store check --repair writes it from the index";

/* manifest.json or results.json beside what the index has in its place. */
static void check_file(struct checking *c, const char *run, const char *name, const json_t *expected, const char *const *same,
                       size_t n_same)
{
    char *path = aisp_format("%s/runs/%s/%s", c->store->folder, run, name), *what;
    json_t *file = NULL;
    const enum aisp_status st = aisp_file_read_json(path, &file, NULL);
    bool equal = st == AISP_OK && (n_same || json_equal(file, expected));

    for (size_t i = 0; i < n_same; i++)
        equal = equal && json_equal(json_object_get(file, same[i]), json_object_get(expected, same[i]));
    if (st == AISP_E_NOT_FOUND) {
        problem(c, "missing", run, name, write_again(c, path, expected), REPAIR);
    } else if (st) {
        what = aisp_format("%s cannot be read", name);
        problem(c, "damaged", run, what, write_again(c, path, expected), REPAIR);
        free(what);
    } else if (!equal) {
        what = aisp_format("%s is not what the index has", name);
        problem(c, "contradicts", run, what, false, "compare it with where the run was made; nothing is touched");
        free(what);
    }
    json_decref(file);
    free(path);
}

/* A result as the index has it; pruned_at: -1 if its evidence was not. */
struct entry { const char *run, *key, *sha256; int64_t pruned_at; };

static void check_hash(struct checking *c, const struct entry *e)
{
    char *path = aisp_format("%s/runs/%s/evidence/%s.json", c->store->folder, e->run, e->key), *what = NULL, seen[65] = "";
    const bool there = !access(path, F_OK), pruned = e->pruned_at >= 0;

    c->pruned += pruned;
    if (e->pruned_at > 0 && there) {
        problem(c, "left over", e->run, path, c->want->repair && unlink(path) == 0,
                "it is recorded as pruned; aisp store check --repair removes it");
    } else if (!there && !pruned) {
        what = aisp_format("evidence of %s", e->key);
        problem(c, "missing", e->run, what, false, "import the run again from where it was made");
    } else if (there && *e->sha256 && (aisp_hash_file(path, seen, NULL) || strcmp(seen, e->sha256))) {
        what = aisp_format("evidence of %s is not what its hash says", e->key);
        problem(c, "damaged", e->run, what, false, "move it away, then import the run again from where it was made");
    } else {
        c->evidence += there;
    }
    free(what);
    free(path);
}

static enum aisp_status check_evidence(struct checking *c, const char *run, struct aisp_err *err)
{
    static const char sql[] = "SELECT r.key, r.evidence_sha256, (SELECT max(p.at) FROM pruned p WHERE p.run = r.run AND"
                              " (p.key = r.key OR p.key = '')) FROM result r WHERE r.run = ?1 ORDER BY r.rowid";
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(c->store, sql, &run, 1, &stmt, err));
    for (;;) {
        AISP_TRY(aisp_db_step(c->store, stmt, &row, err));
        if (!row)
            break;
        c->results++;
        check_hash(c, &(struct entry){ run, aisp_db_column_text(stmt, 0), aisp_db_column_text(stmt, 1),
                                       aisp_db_column_is_null(stmt, 2) ? -1 : aisp_db_column_int(stmt, 2) });
    }
out:
    aisp_db_finalize(stmt);
    return st;
}

/* ---- results.json, without a tree of each result where the bytes agree ---- */

static bool is_row(struct aisp_span file, const char *row, struct aisp_buf *scratch)
{
    scratch->len = 0;
    aisp_skim_compact(file, scratch);
    return row && scratch->len == strlen(row) && !memcmp(scratch->s, row, scratch->len);
}

/* All rows of a statement, in order, against the items of an array or against one value. */
static bool rows_agree(struct checking *c, const char *sql, const char *run, struct aisp_span file, bool is_list)
{
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_span item = file, rest = file;
    struct aisp_stmt *stmt = NULL;
    bool row = true, same = file.s && aisp_db_prepare(c->store, sql, &run, 1, &stmt, NULL) == AISP_OK;

    while (same) {
        same = aisp_db_step(c->store, stmt, &row, NULL) == AISP_OK;
        if (!row || !same)
            break;
        same = (!is_list || aisp_skim_item(&rest, &item)) && is_row(item, aisp_db_column_text(stmt, 0), &scratch);
    }
    same = same && !(is_list && aisp_skim_item(&rest, &item));
    aisp_db_finalize(stmt);
    aisp_buf_release(&scratch);
    return same;
}

static bool results_agree(struct checking *c, const char *run)
{
    char *path = aisp_format("%s/runs/%s/results.json", c->store->folder, run), *text = NULL, id[AISP_RUN_ID_MAX];
    struct aisp_span file;
    bool same = aisp_file_read_text(path, &text, NULL) == AISP_OK;

    if (same) {
        file = (struct aisp_span){ text, strlen(text) };
        same = !aisp_skim_check(file, NULL, NULL) && aisp_skim_text(aisp_skim_find(file, "run"), id, sizeof id) &&
               !strcmp(id, run) &&
               rows_agree(c, "SELECT summary FROM seal WHERE run = ?1", run, aisp_skim_find(file, "summary"), false) &&
               rows_agree(c, "SELECT result FROM result WHERE run = ?1 ORDER BY rowid", run, aisp_skim_find(file, "results"),
                          true);
    }
    free(text);
    free(path);
    return same;
}

/* ---- a run ---- */

/* A run that came without any evidence has none: the index holds all of it. */
static bool needs_no_folder(struct checking *c, const char *run)
{
    char *folder = aisp_store_run_folder(c->store, run);
    bool bare = false;
    int64_t at;

    if (access(folder, F_OK))
        aisp_store_is_pruned(c->store, run, "", &bare, &at, NULL);
    free(folder);
    return bare;
}

/* What the index has in the place of the two files. */
static enum aisp_status check_files(struct checking *c, const char *run, struct aisp_err *err)
{
    static const char *const same[] = { "run", "summary", "results" };
    json_t *manifest = NULL, *results = NULL;
    struct aisp_stmt *stmt = NULL;
    struct aisp_err why = { 0 };
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(c->store, "SELECT manifest, seal.run FROM run LEFT JOIN seal ON seal.run = id WHERE id = ?1",
                             &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(c->store, stmt, &row, err));
    if (aisp_db_json(c->store, stmt, 0, &manifest, &why)) {
        problem(c, "damaged", run, why.text, false, "its folder may have what the index lost");
        goto out;
    }
    check_file(c, run, "manifest.json", manifest, NULL, 0);
    if (aisp_db_column_is_null(stmt, 1) || results_agree(c, run))
        goto out;
    if (aisp_store_results_json(c->store, run, &results, &why))
        problem(c, "damaged", run, why.text, false, "its folder may have what the index lost");
    else
        check_file(c, run, "results.json", results, same, sizeof same / sizeof *same);
out:
    aisp_db_finalize(stmt);
    json_decref(manifest);
    json_decref(results);
    return st;
}

static enum aisp_status check_run(struct checking *c, const char *run, struct aisp_err *err)
{
    enum aisp_status st;

    c->runs++;
    if (aisp_store_run_is_elsewhere(c->store, run)) {
        c->elsewhere++;
        return AISP_OK;
    }
    if (needs_no_folder(c, run))
        return check_evidence(c, run, err);
    if (c->want->repair)
        AISP_TRY(aisp_store_make_folders(c->store, run, err));
    AISP_TRY(check_files(c, run, err));
    AISP_TRY(check_evidence(c, run, err));
out:
    return st;
}

/* ---- folders that the index does not know ---- */

static enum aisp_status is_known(struct checking *c, const char *run, bool *known, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(c->store, "SELECT 1 FROM run WHERE id = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(c->store, stmt, known, err));
out:
    aisp_db_finalize(stmt);
    return st;
}

/* Each alone: one that cannot be read does not keep the others out. */
static void take_orphan(struct checking *c, const char *run, const char *folder)
{
    const enum aisp_intake_mode modes[] = { AISP_INTAKE_TRY, AISP_INTAKE_IN_PLACE };
    struct aisp_intake *intake = NULL;
    struct aisp_err why = { 0 };
    enum aisp_status st = AISP_OK;
    char *what;

    for (int i = 0; i < (c->want->repair ? 2 : 1) && !st; i++) {
        st = aisp_intake_new(&intake, c->store, modes[i], &why);
        if (!st)
            st = aisp_intake_folder(intake, folder, &why);
        if (!st)
            st = aisp_intake_commit(intake, &why);
        aisp_intake_free(intake);
        intake = NULL;
    }
    what = st ? aisp_format("in no index, and not to be read: %s", why.text)
              : aisp_xstrdup("a folder that the index does not know");
    problem(c, "orphan", run, what, c->want->repair && !st,
            st ? "nothing is removed" : "aisp store check --repair reads it in");
    free(what);
}

static enum aisp_status check_folders(struct checking *c, struct aisp_err *err)
{
    char *runs = aisp_format("%s/runs", c->store->folder);
    struct dirent **entry = NULL;
    const int n = scandir(runs, &entry, NULL, alphasort);
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < n; i++) {
        char *folder = aisp_format("%s/%s", runs, entry[i]->d_name);
        struct stat info;
        bool known = true;

        if (!st && *entry[i]->d_name != '.' && stat(folder, &info) == 0 && S_ISDIR(info.st_mode))
            st = is_known(c, entry[i]->d_name, &known, err);
        if (!st && !known)
            take_orphan(c, entry[i]->d_name, folder);
        free(folder);
        free(entry[i]);
    }
    free(entry);
    free(runs);
    return st;
}

/* ---- the rest ---- */

static void note_left(void *context, const char *path)
{
    struct checking *c = context;

    aisp_buf_add(&c->left, path, strlen(path) + 1);
}

static void check_left(struct checking *c)
{
    aisp_staging_each_left(c->store->folder, note_left, c);
    for (const char *path = c->left.s; path && path < c->left.s + c->left.len; path += strlen(path) + 1)
        problem(c, "left over", "", path, c->want->repair && aisp_staging_remove(path, NULL) == AISP_OK,
                "a killed import left it; aisp store check --repair removes it");
}

static enum aisp_status check_index(struct checking *c, struct aisp_err *err)
{
    enum aisp_status st;
    bool whole, begun = false;

    AISP_TRY(aisp_index_exists(c->store, err));
    AISP_TRY(aisp_index_is_whole(c->store, &whole, err));
    if (whole)
        return AISP_OK;
    if (c->want->repair) {
        AISP_TRY(aisp_db_begin(c->store, err));
        begun = true;
        AISP_TRY(aisp_index_rebuild(c->store, err));
        AISP_TRY(aisp_db_commit(c->store, err));
        AISP_TRY(aisp_index_is_whole(c->store, &whole, err));
    }
    problem(c, "index", "", "its derived tables do not fit its results", whole, "aisp store check --repair makes them anew");
out:
    if (st && begun)
        aisp_db_rollback(c->store);
    return st;
}

static enum aisp_status check_runs(struct checking *c, struct aisp_err *err)
{
    struct aisp_buf ids = AISP_BUF_INIT;
    struct aisp_stmt *stmt = NULL;
    int64_t total = 0;
    enum aisp_status st;
    bool row;

    AISP_TRY(aisp_db_prepare(c->store, "SELECT id FROM run ORDER BY id", NULL, 0, &stmt, err));
    for (;; total++) {
        AISP_TRY(aisp_db_step(c->store, stmt, &row, err));
        if (!row)
            break;
        aisp_buf_add(&ids, aisp_db_column_text(stmt, 0), strlen(aisp_db_column_text(stmt, 0)) + 1);
    }
    for (const char *id = ids.s; id && id < ids.s + ids.len; id += strlen(id) + 1) {
        if (c->want->watch && c->runs % OFTEN == 0 && !c->want->watch(c->want->context, c->runs, total)) {
            st =
                aisp_fail(err, AISP_E_INTERRUPTED, "interrupted after %lld of %lld runs", (long long)c->runs, (long long)total);
            goto out;
        }
        AISP_TRY(check_run(c, id, err));
    }
out:
    aisp_db_finalize(stmt);
    aisp_buf_release(&ids);
    return st;
}

enum aisp_status aisp_store_verify(struct aisp_store *store, const struct aisp_store_check_ask *want, json_t **out,
                                   struct aisp_err *err)
{
    struct checking c = { .store = store, .want = want, .problems = json_array(), .left = AISP_BUF_INIT };
    enum aisp_status st;

    AISP_TRY(check_index(&c, err));
    AISP_TRY(check_folders(&c, err));      /* what is read in now is looked at with the others */
    AISP_TRY(check_runs(&c, err));
    check_left(&c);
    *out = json_pack("{s:I, s:I, s:I, s:I, s:I, s:O}", "runs", (json_int_t)c.runs, "results", (json_int_t)c.results, "evidence",
                     (json_int_t)c.evidence, "pruned", (json_int_t)c.pruned, "elsewhere", (json_int_t)c.elsewhere, "problems",
                     c.problems);
out:
    json_decref(c.problems);
    aisp_buf_release(&c.left);
    return st;
}
