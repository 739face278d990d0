/* resume.c - runs that were begun and not sealed: which of them is nobody's any more, and can be gone on with.
 * Who measures a run holds its folder until it is sealed or the process ends, however it ends: a run that another process is
 * still at is not taken from it. Not here: what may be asked for again (commands/bench_run.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/db.h"
#include "store/file.h"

static bool has_file(const struct aisp_store *store, const char *run, const char *name)
{
    char *path = aisp_format("%s/runs/%s/%s", store->folder, run, name);
    const bool has = !access(path, F_OK);

    free(path);
    return has;
}

bool aisp_store_run_is_elsewhere(const struct aisp_store *store, const char *run)
{
    return aisp_db_keeps_evidence(store) && !has_file(store, run, "manifest.json") && !has_file(store, run, "results.json");
}

bool aisp_store_hold(struct aisp_store *store, const char *folder)
{
    bool is_taken;

    aisp_store_unhold(store);
    store->held = aisp_folder_hold_now(folder, &is_taken);
    return !is_taken;
}

void aisp_store_unhold(struct aisp_store *store)
{
    if (store->held >= 0)
        close(store->held);
    store->held = -1;
}

/* Who held it may have sealed it since it was listed. */
static enum aisp_status is_sealed(struct aisp_store *store, const char *run, bool *sealed, struct aisp_err *err)
{
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT 1 FROM seal WHERE run = ?1", &run, 1, &stmt, err));
    AISP_TRY(aisp_db_step(store, stmt, sealed, err));
out:
    aisp_db_finalize(stmt);
    return st;
}

/* Incomplete runs that were passed over, by why. */
struct passed { size_t n_others, n_held; };

static enum aisp_status take(struct aisp_store *store, const char *run, bool *taken, struct passed *passed, struct aisp_err *err)
{
    char *folder = aisp_store_run_folder(store, run);
    bool sealed = false;
    enum aisp_status st = AISP_OK;

    *taken = aisp_store_hold(store, folder);
    free(folder);
    if (!*taken) {
        passed->n_held++;
        return AISP_OK;
    }
    st = is_sealed(store, run, &sealed, err);
    *taken = !st && !sealed;
    return st;
}

static enum aisp_status nothing(const struct aisp_store *store, const struct passed *passed, struct aisp_err *err)
{
    struct aisp_buf why = AISP_BUF_INIT;
    enum aisp_status st;

    aisp_buf_printf(&why, "no incomplete run in %s: nothing to resume", store->folder);
    if (passed->n_held)
        aisp_buf_printf(&why, "; %zu is still being measured", passed->n_held);
    if (passed->n_others)
        aisp_buf_printf(&why, "; %zu is of another kind, only a \"bench run\" over targets can be resumed", passed->n_others);
    st = aisp_fail(err, AISP_E_NOT_FOUND, "%s", why.s);
    aisp_buf_release(&why);
    return st;
}

enum aisp_status aisp_store_run_incomplete(struct aisp_store *store, bool (*is_wanted)(const json_t *manifest),
                                           char run[AISP_RUN_ID_MAX], struct aisp_err *err)
{
    struct passed passed = { 0, 0 };
    struct aisp_stmt *stmt = NULL;
    json_t *manifest = NULL;
    bool row, taken = false;
    enum aisp_status st;

    AISP_TRY(aisp_db_prepare(store, "SELECT id, manifest FROM run WHERE id NOT IN (SELECT run FROM seal) ORDER BY id DESC",
                             NULL, 0, &stmt, err));
    while (!taken) {
        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        snprintf(run, AISP_RUN_ID_MAX, "%s", aisp_db_column_text(stmt, 0));
        if (aisp_store_run_is_elsewhere(store, run)) /* theirs to finish */
            continue;
        AISP_TRY(aisp_db_json(store, stmt, 1, &manifest, err));
        if (!is_wanted || is_wanted(manifest))
            st = take(store, run, &taken, &passed, err);
        else
            passed.n_others++;
        json_decref(manifest);
        if (st)
            goto out;
    }
    if (!taken)
        st = nothing(store, &passed, err);
out:
    if (st)
        aisp_store_unhold(store);
    aisp_db_finalize(stmt);
    return st;
}
