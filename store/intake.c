/* intake.c - rows and files of runs from elsewhere. */
#include "store/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/evidence.h"
#include "store/index.h"
#include "store/staging.h"

enum { PIECE = 50000 };          /* results a transaction, about two seconds */
/* Longer than the longest pause of who waits for the embedded store: between two pieces it gets its turn. */
static const struct timespec turn = { 0, 110 * 1000 * 1000 };

enum {
    RUN_FIND,
    RUN_ADD,
    RESULT_FIND,
    RESULT_ADD,
    RESULT_ROWID,
    RESULT_COUNT,
    SEAL_ADD,
    PRUNED_FIND,
    PRUNED_ADD,
    N_STATEMENTS
};

static const char *const sql[N_STATEMENTS] = {
    [RUN_FIND] = "SELECT started_at, manifest, summary FROM run LEFT JOIN seal ON seal.run = id WHERE id = ?1",
    [RUN_ADD] = "INSERT INTO run (id, started_at, host, manifest) VALUES (?1, CAST(?2 AS BIGINT), ?3, ?4)",
    [RESULT_FIND] = "SELECT result, evidence_sha256 FROM result WHERE run = ?1 AND key = ?2",
    /* Without RETURNING, for which SQLite keeps a journal of each statement: five times as dear. */
    [RESULT_ADD] = ("INSERT INTO result (run, key, target, variant, device, grade, result, evidence_sha256)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
    [RESULT_ROWID] = "SELECT max(rowid) FROM result",        /* nobody else adds meanwhile */
    [RESULT_COUNT] = "SELECT count(*) FROM result WHERE run = ?1",
    [SEAL_ADD] = "INSERT INTO seal (run, finished_at, summary) VALUES (?1, CAST(?2 AS BIGINT), ?3)",
    [PRUNED_FIND] = "SELECT 1 FROM pruned WHERE run = ?1 AND (key = ?2 OR key = '') LIMIT 1",
    [PRUNED_ADD] = "INSERT INTO pruned (run, key, at, bytes) VALUES (?1, ?2, 0, 0) ON CONFLICT DO NOTHING",
};

/* What is known of the run whose results come. */
enum kind { NONE, NEW, OPEN, SEALED };

struct current {
    char run[AISP_RUN_ID_MAX];
    enum kind kind;
    struct aisp_buf manifest;                /* as a file, until the run is known to need a folder */
    struct aisp_buf results, hashes;         /* of results.json: items, members */
    bool has_folder;
    struct aisp_buf bare;                    /* keys whose evidence did not come, each terminated */
    char **key;                              /* when only trying: of a new run */
    size_t n_keys, cap_keys;
    char manifest_sha256[65], *summary;      /* summary: of a sealed one */
    int64_t n_results, n_known, n_bare;
};

struct aisp_intake {
    struct aisp_store *store;
    enum aisp_intake_mode mode;
    struct aisp_index *index;                /* NULL: no transaction */
    struct aisp_staging *staging;            /* NULL: files are not written */
    struct aisp_stmt *stmt[N_STATEMENTS];
    struct current now;
    struct aisp_extract extract;
    struct aisp_intake_counts counts;
    int64_t n_in_piece;
};

static enum aisp_status begin_piece(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st;

    if (in->mode == AISP_INTAKE_TRY)
        return AISP_OK;
    AISP_TRY(aisp_db_begin(in->store, err));
    in->index = aisp_index_new(in->store);
    in->n_in_piece = 0;
    if (in->mode == AISP_INTAKE_COPY)
        in->staging = aisp_staging_new(in->store->folder);
out:
    return st;
}

enum aisp_status aisp_intake_new(struct aisp_intake **out, struct aisp_store *store, enum aisp_intake_mode mode,
                                 struct aisp_err *err)
{
    struct aisp_intake *in = aisp_xcalloc(1, sizeof *in);
    enum aisp_status st;

    *out = NULL;
    in->store = store;
    in->mode = mode;
    AISP_TRY(begin_piece(in, err));
    *out = in;
    in = NULL;
out:
    aisp_intake_free(in);
    return st;
}

static void current_clear(struct current *now)
{
    aisp_buf_release(&now->manifest);
    aisp_buf_release(&now->results);
    aisp_buf_release(&now->hashes);
    aisp_buf_release(&now->bare);
    for (size_t i = 0; i < now->n_keys; i++)
        free(now->key[i]);
    free(now->key);
    free(now->summary);
    *now = (struct current){ .kind = NONE };
}

/* What belongs to one transaction. */
static void release_piece(struct aisp_intake *in)
{
    for (int i = 0; i < N_STATEMENTS; i++) {
        aisp_db_finalize(in->stmt[i]);
        in->stmt[i] = NULL;
    }
    aisp_index_free(in->index);
    in->index = NULL;
}

void aisp_intake_free(struct aisp_intake *in)
{
    const bool is_open = in && in->index;

    if (!in)
        return;
    release_piece(in);
    if (is_open)
        aisp_db_rollback(in->store);
    aisp_staging_free(in->staging);
    current_clear(&in->now);
    free(in);
}

static enum aisp_status commit_piece(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (in->mode == AISP_INTAKE_TRY)
        return AISP_OK;
    AISP_TRY(aisp_index_flush(in->index, err));
    if (in->staging)
        AISP_TRY(aisp_staging_place(in->staging, err));
    release_piece(in);
    st = aisp_db_commit(in->store, err);
    if (st)
        aisp_db_rollback(in->store);
    aisp_staging_free(in->staging);
    in->staging = NULL;
out:
    return st;
}

const char *aisp_intake_current(const struct aisp_intake *in) { return in->now.run; }

const struct aisp_intake_counts *aisp_intake_counts(const struct aisp_intake *in) { return &in->counts; }

/* Statement `which` with these values, at its first row. */
static enum aisp_status query(struct aisp_intake *in, int which, const char *const *text, int n, bool *row,
                              struct aisp_err *err)
{
    enum aisp_status st;
    bool ignored;

    if (in->stmt[which])
        AISP_TRY(aisp_db_rebind(in->stmt[which], text, n, err));
    else
        AISP_TRY(aisp_db_prepare(in->store, sql[which], text, n, &in->stmt[which], err));
    AISP_TRY(aisp_db_step(in->store, in->stmt[which], row ? row : &ignored, err));
out:
    return st;
}

/* Is the stored text the same value? Bytes first: trees are made of what differs in layout only. */
static bool is_same(const char *stored, struct aisp_span came)
{
    json_t *a, *b;
    bool same;

    if (!stored)
        return false;
    if (strlen(stored) == came.n && !memcmp(stored, came.s, came.n))
        return true;
    a = json_loads(stored, JSON_DECODE_ANY, NULL);
    b = json_loadb(came.s, came.n, JSON_DECODE_ANY, NULL);
    same = a && b && json_equal(a, b);
    json_decref(a);
    json_decref(b);
    return same;
}

/* A span as a terminated text, until give_back(). */
struct borrowed { char *end, was; };

static const char *borrow(struct aisp_span span, struct borrowed *b)
{
    b->end = (char *)span.s + span.n;
    b->was = *b->end;
    *b->end = '\0';
    return span.s;
}

static void give_back(struct borrowed *b) { *b->end = b->was; }

/* ---- a run ends ---- */

/* Made when it is needed: of results that came without any evidence, the index holds all that there is. */
static enum aisp_status begin_folder(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (in->now.has_folder)
        return AISP_OK;
    aisp_hash_bytes(in->now.manifest.s, in->now.manifest.len, in->now.manifest_sha256);
    AISP_TRY(aisp_staging_add(in->staging, in->now.run, "manifest.json", in->now.manifest.s, in->now.manifest.len, err));
    in->now.has_folder = true;
out:
    return st;
}

/* Results whose evidence did not come are told apart from those whose evidence was lost: one row for a run that has none. */
static enum aisp_status record_bare(struct aisp_intake *in, struct aisp_err *err)
{
    const char *values[] = { in->now.run, "" };
    enum aisp_status st = AISP_OK;

    if (in->now.kind == NEW && in->now.n_bare && in->now.n_bare == in->now.n_results)
        return query(in, PRUNED_ADD, values, 2, NULL, err);
    for (const char *at = in->now.bare.s; at && at < in->now.bare.s + in->now.bare.len; at += strlen(at) + 1) {
        values[1] = at;
        AISP_TRY(query(in, PRUNED_ADD, values, 2, NULL, err));
    }
out:
    return st;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The database refuses a key that comes twice; who only tries has to look. */
static enum aisp_status find_twice(struct current *now, struct aisp_err *err)
{
    if (now->n_keys)
        qsort(now->key, now->n_keys, sizeof *now->key, by_text);
    for (size_t i = 1; i < now->n_keys; i++)
        if (!strcmp(now->key[i - 1], now->key[i]))
            return aisp_fail(err, AISP_E_USAGE, "run %s has a result \"%s\" twice", now->run, now->key[i]);
    return AISP_OK;
}

static enum aisp_status end_run(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (in->staging && in->now.kind == NEW && !in->now.n_results)
        st = begin_folder(in, err);
    if (!st && in->now.kind != NONE)
        st = in->index ? record_bare(in, err) : find_twice(&in->now, err);
    current_clear(&in->now);
    return st;
}

/* ---- a run begins ---- */

static enum aisp_status next_piece(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(commit_piece(in, err));
    nanosleep(&turn, NULL);
    AISP_TRY(begin_piece(in, err));
out:
    return st;
}

static enum aisp_status add_run(struct aisp_intake *in, int64_t started_at, struct aisp_span manifest, struct aisp_err *err)
{
    char when[24], host[128];
    struct borrowed b;
    const char *values[] = { in->now.run, when, host, NULL };
    enum aisp_status st;

    snprintf(when, sizeof when, "%lld", (long long)started_at);
    aisp_skim_text(aisp_skim_find(manifest, "host"), host, sizeof host);
    values[3] = borrow(manifest, &b);
    st = query(in, RUN_ADD, values, 4, NULL, err);
    give_back(&b);
    AISP_TRY(st);
    AISP_TRY(aisp_index_add_run(in->index, in->now.run, err));
out:
    return st;
}

static bool is_run_id(const char *run)
{
    return *run && *run != '.' && strlen(run) < AISP_RUN_ID_MAX &&
           strspn(run, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(run);
}

enum aisp_status aisp_intake_run(struct aisp_intake *in, int64_t started_at, struct aisp_span manifest, struct aisp_err *err)
{
    char run[AISP_RUN_ID_MAX];
    const char *id = in->now.run;
    enum aisp_status st;
    bool known;

    AISP_TRY(end_run(in, err));
    if (in->n_in_piece >= PIECE)
        AISP_TRY(next_piece(in, err));
    if (!aisp_skim_is_object(manifest) || !aisp_skim_text(aisp_skim_find(manifest, "run"), run, sizeof run) || !is_run_id(run))
        return aisp_fail(err, AISP_E_USAGE, "a run without a usable id");
    strcpy(in->now.run, run);
    AISP_TRY(query(in, RUN_FIND, &id, 1, &known, err));
    if (!known) {
        in->now.kind = NEW;
        in->counts.runs++;
        if (in->index)
            AISP_TRY(add_run(in, started_at, manifest, err));
    } else {
        const char *summary = aisp_db_column_text(in->stmt[RUN_FIND], 2);

        in->now.kind = summary ? SEALED : OPEN;
        in->now.summary = summary ? aisp_xstrdup(summary) : NULL;
        started_at = aisp_db_column_int(in->stmt[RUN_FIND], 0);
        if (!is_same(aisp_db_column_text(in->stmt[RUN_FIND], 1), manifest))
            return aisp_fail(err, AISP_E_USAGE, "run %s is here already with another manifest; nothing was imported", run);
        in->counts.known_runs++;
    }
    if (in->now.kind != SEALED && in->index)
        AISP_TRY(aisp_index_enter(in->index, run, started_at, manifest, err));
    if (in->staging)
        aisp_skim_indent(manifest, &in->now.manifest);
out:
    return st;
}

/* ---- results ---- */

static bool is_key(const char *key)
{
    return *key && *key != '.' &&
           strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(key);
}

static bool is_hash(const char *sha256)
{
    return strlen(sha256) == 64 && strspn(sha256, "0123456789abcdef") == 64;
}

/* The evidence as a file's text in *text, and its hash; with no evidence only the hash that was told, or "". */
static enum aisp_status hash_evidence(const struct aisp_intake_result *r, const char *key, struct aisp_buf *text,
                                      char sha256[65], struct aisp_err *err)
{
    char told[65] = "";

    if (r->sha256.s && (!aisp_skim_text(r->sha256, told, sizeof told) || (*told && !is_hash(told))))
        return aisp_fail(err, AISP_E_USAGE, "the hash of \"%s\" is no SHA-256", key);
    snprintf(sha256, 65, "%s", told);
    if (!r->evidence.s)
        return AISP_OK;
    if (r->evidence_is_file)
        aisp_buf_add(text, r->evidence.s, r->evidence.n);
    else
        aisp_skim_indent(r->evidence, text);
    aisp_hash_bytes(text->s, text->len, sha256);
    if (*told && strcmp(told, sha256))
        return aisp_fail(err, AISP_E_USAGE, "the evidence of \"%s\" is not what its hash says: it was changed or damaged", key);
    return AISP_OK;
}

static enum aisp_status lay_evidence(struct aisp_intake *in, const char *key, const struct aisp_buf *text, const char *sha256,
                                     struct aisp_err *err)
{
    char name[256];
    enum aisp_status st;

    AISP_TRY(aisp_evidence_share(in->store, text->s, sha256, err));
    snprintf(name, sizeof name, "evidence/%s.json", key);
    if (in->staging) {
        AISP_TRY(begin_folder(in, err));
        AISP_TRY(aisp_staging_add(in->staging, in->now.run, name, text->s, text->len, err));
    }
out:
    return st;
}

static enum aisp_status add_result(struct aisp_intake *in, const struct aisp_intake_result *r, const struct aisp_buf *evidence,
                                   const char *sha256, struct aisp_err *err)
{
    const struct aisp_extract *e = &in->extract;
    const char *values[] = { in->now.run, e->key, e->target, e->variant, e->device, e->grade, NULL, sha256 };
    char card[96] = "";
    struct borrowed b;
    enum aisp_status st;

    in->counts.results++;
    in->counts.evidence += evidence->len > 0;
    if (!in->index) {
        *(char **)aisp_grow(&in->now.key, &in->now.n_keys, &in->now.cap_keys, sizeof *in->now.key) = aisp_xstrdup(e->key);
        return AISP_OK;
    }
    in->n_in_piece++;
    values[6] = borrow(r->result, &b);
    st = query(in, RESULT_ADD, values, 8, NULL, err);
    give_back(&b);
    AISP_TRY(st);
    if (evidence->len) {
        aisp_index_skim_card(r->evidence, card, sizeof card);
        AISP_TRY(lay_evidence(in, e->key, evidence, sha256, err));
    } else {
        aisp_buf_add(&in->now.bare, e->key, strlen(e->key) + 1);
        in->now.n_bare++;
    }
    AISP_TRY(query(in, RESULT_ROWID, NULL, 0, NULL, err));
    AISP_TRY(aisp_index_add_result(in->index, aisp_db_column_int(in->stmt[RESULT_ROWID], 0), e, card, err));
out:
    return st;
}

/* It is here: the same, or refused. Evidence that was lost here comes back; what was pruned does not. */
static enum aisp_status compare_result(struct aisp_intake *in, const struct aisp_intake_result *r,
                                       const struct aisp_buf *evidence, const char *sha256, struct aisp_err *err)
{
    const char *const values[] = { in->now.run, in->extract.key }, *stored;
    enum aisp_status st = AISP_OK;
    bool pruned;
    char *path;

    stored = aisp_db_column_text(in->stmt[RESULT_FIND], 1);
    if (!is_same(aisp_db_column_text(in->stmt[RESULT_FIND], 0), r->result) ||
        (*sha256 && stored && *stored && strcmp(stored, sha256)))
        return aisp_fail(err, AISP_E_USAGE, "run %s is here already, and its result \"%s\" says something else; nothing was "
                                            "imported", in->now.run, in->extract.key);
    in->counts.known_results++;
    in->now.n_known++;
    if (!evidence->len || !in->staging || !stored || strcmp(stored, sha256) ||
        aisp_store_run_is_elsewhere(in->store, in->now.run))
        return AISP_OK;
    path = aisp_format("%s/runs/%s/evidence/%s.json", in->store->folder, in->now.run, in->extract.key);
    if (access(path, F_OK)) {
        AISP_TRY(query(in, PRUNED_FIND, values, 2, &pruned, err));
        if (!pruned)
            AISP_TRY(lay_evidence(in, in->extract.key, evidence, sha256, err));
        in->counts.evidence += !pruned;
    }
out:
    free(path);
    return st;
}

static void note_for_file(struct current *now, struct aisp_span result, const char *key, const char *sha256)
{
    aisp_buf_puts(&now->results, now->results.len ? ",\n" : "\n");
    aisp_buf_add(&now->results, result.s, result.n);
    if (*sha256)
        aisp_buf_printf(&now->hashes, "%s\"%s\":\"%s\"", now->hashes.len ? "," : "", key, sha256);
}

enum aisp_status aisp_intake_result(struct aisp_intake *in, const struct aisp_intake_result *r, struct aisp_err *err)
{
    const struct aisp_extract *e = &in->extract;
    const char *const values[] = { in->now.run, e->key };
    struct aisp_buf evidence = AISP_BUF_INIT;
    char sha256[65];
    enum aisp_status st;
    bool known = false;

    if (in->now.kind == NONE)
        return aisp_fail(err, AISP_E_USAGE, "a result before its run");
    AISP_TRY(aisp_extract(r->member, r->n_members, in->index != NULL, &in->extract, err));
    if (!aisp_skim_is_object(r->result) || !is_key(e->key) || !*e->target || !*e->variant || !*e->device || !*e->grade) {
        st = aisp_fail(err, AISP_E_USAGE, "a result without key, target, variant, device or grade");
        goto out;
    }
    AISP_TRY(hash_evidence(r, e->key, &evidence, sha256, err));
    if (in->now.kind != NEW)
        AISP_TRY(query(in, RESULT_FIND, values, 2, &known, err));
    in->now.n_results++;
    if (in->now.kind != SEALED && in->staging)
        note_for_file(&in->now, r->result, e->key, sha256);
    if (known)
        st = compare_result(in, r, &evidence, sha256, err);
    else if (in->now.kind == SEALED)
        st = aisp_fail(err, AISP_E_USAGE, "run %s is here already, complete and without a result \"%s\"; nothing was imported",
                       in->now.run, e->key);
    else
        st = add_result(in, r, &evidence, sha256, err);
out:
    aisp_buf_release(&evidence);
    return st;
}

/* ---- sealed ---- */

static enum aisp_status lay_results(struct aisp_intake *in, struct aisp_span summary, int64_t finished_at, struct aisp_err *err)
{
    const struct current *now = &in->now;
    struct aisp_buf text = AISP_BUF_INIT;
    enum aisp_status st;

    aisp_buf_printf(&text, "{\"run\":\"%s\",\"summary\":", now->run);
    aisp_buf_add(&text, summary.s, summary.n);
    aisp_buf_printf(&text, ",\"finished_at\":%lld,\"manifest_sha256\":\"%s\",\"evidence_sha256\":{%s},\"results\":[",
                    (long long)finished_at, now->manifest_sha256, now->hashes.s ? now->hashes.s : "");
    aisp_buf_add(&text, now->results.s ? now->results.s : "", now->results.len);
    aisp_buf_puts(&text, "\n]}\n");
    st = aisp_staging_add(in->staging, now->run, "results.json", text.s, text.len, err);
    aisp_buf_release(&text);
    return st;
}

/* An open run that is sealed elsewhere has all the results that it has here. */
static enum aisp_status compare_sealed(struct aisp_intake *in, struct aisp_span summary, struct aisp_err *err)
{
    const char *const run = in->now.run;
    enum aisp_status st = AISP_OK;
    int64_t n;

    if (!aisp_skim_is_object(summary))
        return aisp_fail(err, AISP_E_USAGE, "a seal without a summary");
    if (in->now.kind == NEW)
        return AISP_OK;
    n = in->index ? in->now.n_results : in->now.n_known;     /* what came first is among them by now */
    AISP_TRY(query(in, RESULT_COUNT, &run, 1, NULL, err));
    if (aisp_db_column_int(in->stmt[RESULT_COUNT], 0) != n || (in->now.kind == SEALED && !is_same(in->now.summary, summary)))
        st = aisp_fail(err, AISP_E_USAGE, "run %s is here already with other results or another summary; nothing was imported",
                       run);
out:
    return st;
}

enum aisp_status aisp_intake_seal(struct aisp_intake *in, struct aisp_span summary, int64_t finished_at, struct aisp_err *err)
{
    const char *values[] = { in->now.run, NULL, NULL };
    struct borrowed b;
    char when[24];
    enum aisp_status st;

    if (in->now.kind == NONE)
        return aisp_fail(err, AISP_E_USAGE, "a seal before its run");
    AISP_TRY(compare_sealed(in, summary, err));
    if (in->now.kind == SEALED || !in->index)
        return end_run(in, err);
    snprintf(when, sizeof when, "%lld", (long long)finished_at);
    values[1] = when;
    values[2] = borrow(summary, &b);
    st = query(in, SEAL_ADD, values, 3, NULL, err);
    give_back(&b);
    AISP_TRY(st);
    AISP_TRY(aisp_index_seal(in->index, in->now.kind == NEW, err));
    if (in->staging && !in->now.n_results)
        AISP_TRY(begin_folder(in, err));
    if (in->now.has_folder)
        AISP_TRY(lay_results(in, summary, finished_at, err));
    AISP_TRY(end_run(in, err));
out:
    return st;
}

enum aisp_status aisp_intake_commit(struct aisp_intake *in, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(end_run(in, err));
    AISP_TRY(commit_piece(in, err));
out:
    return st;
}
