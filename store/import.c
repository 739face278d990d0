/* import.c - read an export, a run's folder or an artifacts folder twice: to find what is wrong with it, then to keep it. */
#include "store/exchange.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "store/attempt.h"
#include "store/db.h"
#include "store/file.h"
#include "store/quarantine.h"

enum { OFTEN = 2000 };           /* lines between two looks at the watch */

struct import {
    struct aisp_store *store;
    struct aisp_intake *intake;
    const char *path;
    const struct aisp_import_watch *watch;
    bool is_trying, has_header;
    struct aisp_skim_members members;        /* of the line at hand */
    json_t *beside;              /* calibrations, attempts, quarantine: few, kept until the runs are in */
};

/* Members of a line. */
struct line {
    struct aisp_span kind, run, version, started, finished, manifest, result, evidence, sha256, summary;
    const struct aisp_skim_member *of_result;
    size_t n_of_result;
};

static void read_members(const struct aisp_skim_members *found, struct line *line)
{
#define MEMBER(name, to) { name, sizeof name - 1, &line->to }
    const struct { const char *name; size_t n; struct aisp_span *to; } members[] = {
        MEMBER("kind", kind),         MEMBER("run", run),           MEMBER("version", version),
        MEMBER("started", started),   MEMBER("finished", finished), MEMBER("manifest", manifest),
        MEMBER("result", result),     MEMBER("evidence", evidence), MEMBER("evidence_sha256", sha256),
        MEMBER("summary", summary),
    };
#undef MEMBER

    memset(line, 0, sizeof *line);
    for (size_t i = 0; i < found->n; i++) {
        const struct aisp_skim_member *m = &found->of[i];

        for (size_t k = 0; m->depth == 1 && k < sizeof members / sizeof *members; k++)
            if (m->name.n == members[k].n && !memcmp(m->name.s, members[k].name, m->name.n) && *m->value.s != 'n')
                *members[k].to = m->value;
        if (m->depth == 1 && aisp_span_is(m->name, "result")) {
            line->of_result = m + 1;
            line->n_of_result = i + 1 < found->n && m[1].depth == 2 ? found->n - i - 1 : 0;
        }
    }
}

static int64_t integer(struct aisp_span value)
{
    char text[24];

    if (!aisp_skim_is_number(value) || value.n >= sizeof text)
        return 0;
    memcpy(text, value.s, value.n);
    text[value.n] = '\0';
    return strtoll(text, NULL, 10);
}

/* ---- lines ---- */

/* What a record of these kinds cannot do without. */
static enum aisp_status check_beside(const char *kind, const json_t *line, struct aisp_err *err)
{
    static const char *const needed[3][8] = {
        { "calibration", "host" },
        { "attempt", "target", "family", "sha256", "build", "run", "rejected" },
        { "quarantine", "target", "variant", "device", "run", "check", "reason" },
    };
    const json_t *calibration = json_object_get(line, "calibration");

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 1; k < 8 && needed[i][k] && !strcmp(kind, needed[i][0]); k++)
            if (!json_is_string(json_object_get(i ? line : calibration, needed[i][k])))
                return aisp_fail(err, AISP_E_USAGE, "a record of kind \"%s\" without \"%s\"", kind, needed[i][k]);
    if (!strcmp(kind, "attempt") && !json_is_object(json_object_get(line, "answer")))
        return aisp_fail(err, AISP_E_USAGE, "an attempt without an answer");
    return AISP_OK;
}

static enum aisp_status take_beside(struct import *in, const char *kind, struct aisp_span text, struct aisp_err *err)
{
    json_t *line = json_loadb(text.s, text.n, 0, NULL);
    enum aisp_status st;

    if (!line)
        return aisp_fail(err, AISP_E_USAGE, "no JSON");
    st = check_beside(kind, line, err);
    if (!st && !in->is_trying)
        json_array_append(in->beside, line);
    json_decref(line);
    return st;
}

static enum aisp_status take_of_run(struct import *in, const struct line *l, bool is_seal, struct aisp_err *err)
{
    const struct aisp_intake_result result = { .result = l->result, .member = l->of_result, .n_members = l->n_of_result,
                                               .evidence = l->evidence, .sha256 = l->sha256 };
    const int64_t finished = integer(l->finished);
    char run[AISP_RUN_ID_MAX];

    if (!aisp_skim_text(l->run, run, sizeof run) || strcmp(run, aisp_intake_current(in->intake)))
        return aisp_fail(err, AISP_E_USAGE, "a %s of run \"%s\" that does not follow it", is_seal ? "seal" : "result", run);
    if (is_seal)
        return aisp_intake_seal(in->intake, l->summary, finished > 0 ? finished : time(NULL), err);
    if (!l->result.s)
        return aisp_fail(err, AISP_E_USAGE, "a result line without a result");
    if (l->evidence.s && !aisp_skim_is_object(l->evidence))
        return aisp_fail(err, AISP_E_USAGE, "evidence that is no object");
    return aisp_intake_result(in->intake, &result, err);
}

static enum aisp_status take_line(struct import *in, struct aisp_span text, struct aisp_err *err)
{
    enum aisp_status st;
    struct line l;
    char kind[24];

    AISP_TRY(aisp_skim_check(text, &in->members, err));
    if (in->members.n == AISP_SKIM_MEMBERS)
        return aisp_fail(err, AISP_E_USAGE, "a record of too many members");
    read_members(&in->members, &l);
    if (!aisp_skim_text(l.kind, kind, sizeof kind))
        return aisp_fail(err, AISP_E_USAGE, "no \"kind\"");
    if (!strcmp(kind, "aisp-export")) {
        in->has_header = integer(l.version) == 1 || integer(l.version) == 2;
        return in->has_header ? AISP_OK : aisp_fail(err, AISP_E_USAGE, "an export of another version than 1 and 2");
    }
    if (!in->has_header)
        return aisp_fail(err, AISP_E_USAGE, "not an aisp export: it does not begin with a line of kind \"aisp-export\"");
    if (!strcmp(kind, "run"))
        return aisp_intake_run(in->intake, integer(l.started), l.manifest, err);
    if (!strcmp(kind, "result") || !strcmp(kind, "seal"))
        return take_of_run(in, &l, *kind == 's', err);
    if (!strcmp(kind, "calibration") || !strcmp(kind, "attempt") || !strcmp(kind, "quarantine"))
        return take_beside(in, kind, text, err);
    return aisp_fail(err, AISP_E_USAGE, "a record of unknown kind \"%s\"", kind);
out:
    return st;
}

static bool goes_on(const struct import *in)
{
    return !in->watch || in->watch->watch(in->watch->context, aisp_intake_counts(in->intake), in->is_trying);
}

static enum aisp_status take_file(struct import *in, struct aisp_err *err)
{
    FILE *f = fopen(in->path, "re");
    enum aisp_status st = AISP_OK;
    char *text = NULL;
    size_t cap = 0;
    ssize_t n;

    if (!f)
        return aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO, "%s: cannot be read", in->path);
    for (long number = 1; st == AISP_OK && (n = getline(&text, &cap, f)) > 0; number++) {
        struct aisp_err why = { 0 };

        st = take_line(in, (struct aisp_span){ text, (size_t)n }, &why);
        if (st)
            aisp_fail(err, st, "%s: line %ld: %s", in->path, number, why.text);
        else if (number % OFTEN == 0 && !goes_on(in))
            st = aisp_fail(err, AISP_E_INTERRUPTED, "%s: interrupted at line %ld; import it again to have the rest", in->path,
                           number);
    }
    if (!st && ferror(f))
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read", in->path);
    if (!st && !in->has_header)
        st = aisp_fail(err, AISP_E_USAGE, "%s: empty, not an aisp export", in->path);
    free(text);
    fclose(f);
    return st;
}

/* ---- folders ---- */

/* "2026-11-28T13:10:53Z" to seconds since 1970; 0: it is none. */
static int64_t moment(struct aisp_span text)
{
    char when[32];
    struct tm tm = { 0 };

    if (!aisp_skim_text(text, when, sizeof when) || !strptime(when, "%Y-%m-%dT%H:%M:%SZ", &tm))
        return 0;
    return timegm(&tm);
}

/* A checked text of the folder; NULL and AISP_OK if there is no such file and it is not needed. */
static enum aisp_status read_part(const char *folder, const char *name, bool is_needed, char **text, struct aisp_err *err)
{
    char *path = aisp_format("%s/%s", folder, name);
    struct aisp_err why = { 0 };
    enum aisp_status st;

    *text = NULL;
    if (!is_needed && access(path, F_OK)) {
        free(path);
        return AISP_OK;
    }
    st = aisp_file_read_text(path, text, err);
    if (!st && aisp_skim_check((struct aisp_span){ *text, strlen(*text) }, NULL, &why)) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: %s", path, why.text);
        free(*text);
        *text = NULL;
    }
    free(path);
    return st;
}

static enum aisp_status take_result(struct aisp_intake *intake, const char *folder, struct aisp_span item,
                                    struct aisp_span hashes, struct aisp_err *err)
{
    struct aisp_skim_members members;
    struct aisp_intake_result result = { .result = item, .member = members.of, .evidence_is_file = true };
    char key[200], name[232], *text = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_skim_check(item, &members, err));
    result.n_members = members.n;
    if (!aisp_skim_text(aisp_skim_find(item, "key"), key, sizeof key) || !*key || *key == '.' || strchr(key, '/'))
        return aisp_fail(err, AISP_E_USAGE, "%s: a result without a usable key", folder);
    snprintf(name, sizeof name, "evidence/%s.json", key);
    AISP_TRY(read_part(folder, name, false, &text, err));
    if (text)
        result.evidence = (struct aisp_span){ text, strlen(text) };
    result.sha256 = aisp_skim_find(hashes, key);
    st = aisp_intake_result(intake, &result, err);
out:
    free(text);
    return st;
}

static enum aisp_status take_results(struct aisp_intake *intake, const char *folder, struct aisp_span results,
                                     struct aisp_err *err)
{
    struct aisp_span items = aisp_skim_find(results, "results"), hashes = aisp_skim_find(results, "evidence_sha256"), item;
    const int64_t finished = integer(aisp_skim_find(results, "finished_at"));
    char run[AISP_RUN_ID_MAX];
    enum aisp_status st = AISP_OK;

    if (!aisp_skim_text(aisp_skim_find(results, "run"), run, sizeof run) || strcmp(run, aisp_intake_current(intake)))
        return aisp_fail(err, AISP_E_USAGE, "%s: results.json is another run's", folder);
    while (aisp_skim_item(&items, &item))
        AISP_TRY(take_result(intake, folder, item, hashes, err));
    st = aisp_intake_seal(intake, aisp_skim_find(results, "summary"), finished > 0 ? finished : time(NULL), err);
out:
    return st;
}

/* The hash of manifest.json is told by results.json. */
static enum aisp_status check_manifest(const char *folder, const char *manifest, struct aisp_span results, struct aisp_err *err)
{
    char told[65], seen[65];

    if (!aisp_skim_text(aisp_skim_find(results, "manifest_sha256"), told, sizeof told) || !*told)
        return AISP_OK;
    aisp_hash_bytes(manifest, strlen(manifest), seen);
    if (strcmp(told, seen))
        return aisp_fail(err, AISP_E_USAGE, "%s: manifest.json is not what its hash says: it was changed or damaged", folder);
    return AISP_OK;
}

enum aisp_status aisp_intake_folder(struct aisp_intake *intake, const char *folder, struct aisp_err *err)
{
    char *manifest = NULL, *results = NULL;
    struct aisp_span m, r = { NULL, 0 };
    enum aisp_status st;

    AISP_TRY(read_part(folder, "manifest.json", true, &manifest, err));
    AISP_TRY(read_part(folder, "results.json", false, &results, err));
    m = (struct aisp_span){ manifest, strlen(manifest) };
    if (results)
        r = (struct aisp_span){ results, strlen(results) };
    AISP_TRY(check_manifest(folder, manifest, r, err));
    AISP_TRY(aisp_intake_run(intake, moment(aisp_skim_find(m, "started")), m, err));
    if (results)
        AISP_TRY(take_results(intake, folder, r, err));
out:
    free(manifest);
    free(results);
    return st;
}

/* One run's, or all below runs/. */
static enum aisp_status take_folder(struct import *in, struct aisp_err *err)
{
    char *runs = aisp_format("%s/runs", in->path), *manifest = aisp_format("%s/manifest.json", in->path);
    struct dirent **entry = NULL;
    enum aisp_status st = AISP_OK;
    int n = 0;

    if (!access(manifest, F_OK)) {
        st = aisp_intake_folder(in->intake, in->path, err);
        goto out;
    }
    n = scandir(runs, &entry, NULL, alphasort);
    if (n < 0) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: neither a run's folder (no manifest.json) nor an artifacts folder (no runs)",
                       in->path);
        goto out;
    }
    for (int i = 0; i < n; i++) {
        char *folder = aisp_format("%s/%s", runs, entry[i]->d_name);

        if (!st && *entry[i]->d_name != '.' && !goes_on(in))
            st = aisp_fail(err, AISP_E_INTERRUPTED, "%s: interrupted; import it again to have the rest", in->path);
        if (!st && *entry[i]->d_name != '.')
            st = aisp_intake_folder(in->intake, folder, err);
        free(folder);
        free(entry[i]);
    }
out:
    free(entry);
    free(runs);
    free(manifest);
    return st;
}

/* ---- twice ---- */

static enum aisp_status take_all(struct import *in, enum aisp_intake_mode mode, struct aisp_intake_counts *counts,
                                 struct aisp_err *err)
{
    struct stat info;
    enum aisp_status st;

    in->is_trying = mode == AISP_INTAKE_TRY;
    in->has_header = false;
    AISP_TRY(aisp_intake_new(&in->intake, in->store, mode, err));
    st = !stat(in->path, &info) && S_ISDIR(info.st_mode) ? take_folder(in, err) : take_file(in, err);
    if (!st)
        st = aisp_intake_commit(in->intake, err);
    *counts = *aisp_intake_counts(in->intake);
out:
    aisp_intake_free(in->intake);
    in->intake = NULL;
    return st;
}

/* What belongs to no run; each is passed over if it is there. */
static enum aisp_status keep_beside(struct import *in, struct aisp_err *err)
{
    enum aisp_status st;
    json_t *line;
    size_t i;

    if (!json_array_size(in->beside))
        return AISP_OK;
    AISP_TRY(aisp_db_begin(in->store, err));
    json_array_foreach(in->beside, i, line) {
        const char *kind = json_string_value(json_object_get(line, "kind"));

        if (!strcmp(kind, "attempt"))
            AISP_TRY(aisp_store_attempt_import(in->store, line, err));
        else if (!strcmp(kind, "quarantine"))
            AISP_TRY(aisp_store_quarantine_add(in->store, line, err));
        else
            AISP_TRY(aisp_store_calibration_import(in->store, json_object_get(line, "calibration"), err));
    }
    AISP_TRY(aisp_db_commit(in->store, err));
out:
    if (st)
        aisp_db_rollback(in->store);
    return st;
}

enum aisp_status aisp_store_import_runs(struct aisp_store *store, const char *path, const struct aisp_import_watch *watch,
                                        struct aisp_intake_counts *counts, struct aisp_err *err)
{
    struct import in = { .store = store, .path = path, .watch = watch, .beside = json_array() };
    enum aisp_status st;

    AISP_TRY(take_all(&in, AISP_INTAKE_TRY, counts, err));
    AISP_TRY(take_all(&in, AISP_INTAKE_COPY, counts, err));
    AISP_TRY(keep_beside(&in, err));
out:
    json_decref(in.beside);
    return st;
}

enum aisp_status aisp_store_import(struct aisp_store *store, const char *path, struct aisp_err *err)
{
    struct aisp_intake_counts counts;

    return aisp_store_import_runs(store, path, NULL, &counts, err);
}
