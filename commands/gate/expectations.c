/* expectations.c - find expectation files, read each once, write what a run found. */
#include "commands/gate/expectations.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/place.h"
#include "core/catalogue.h"
#include "core/json.h"

/* ---- files ---- */

enum aisp_status aisp_expectation_files_init(struct aisp_expectation_files *files, const char *chapters_dir,
                                             struct aisp_err *err)
{
    *files = (struct aisp_expectation_files){ .chapters_dir = chapters_dir };
    if (!aisp_place_is_folder(chapters_dir))
        return aisp_fail(err, AISP_E_NOT_FOUND,
                         "%s: no such folder; --chapters-dir names the source folder that holds ch01, ch02, ...", chapters_dir);
    files->loaded = json_object();
    return AISP_OK;
}

void aisp_expectation_files_release(struct aisp_expectation_files *files)
{
    json_decref(files->loaded);
    *files = (struct aisp_expectation_files){ 0 };
}

static bool is_lab(const char *chapter)
{
    return !strncmp(chapter, "labs/", 5);
}

static char *folder_of(const struct aisp_expectation_files *files, const char *chapter)
{
    return aisp_format("%s/%s%s", files->chapters_dir, is_lab(chapter) ? "../" : "", chapter);
}

static bool is_safe(const char *name)
{
    return *name && *name != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name);
}

static enum aisp_status path_of(const struct aisp_expectation_files *files, const char *chapter, const char *hardware,
                                char **path, struct aisp_err *err)
{
    char *folder;

    if (!is_safe(hardware))
        return aisp_fail(err, AISP_E_USAGE, "\"%.80s\" is no hardware key: letters, digits, dashes", hardware);
    if (!is_safe(is_lab(chapter) ? chapter + 5 : chapter))
        return aisp_fail(err, AISP_E_USAGE, "\"%.80s\" is no chapter: its expectations have no place", chapter);
    folder = folder_of(files, chapter);
    *path = aisp_format("%s/expectations_%s.json", folder, hardware);
    free(folder);
    return AISP_OK;
}

enum aisp_status aisp_expectation_files_get(struct aisp_expectation_files *files, const char *chapter, const char *hardware,
                                            json_t **out, struct aisp_err *err)
{
    struct aisp_err why = { AISP_OK, "" };
    char *path = NULL;
    enum aisp_status st;

    *out = NULL;
    AISP_TRY(path_of(files, chapter, hardware, &path, err));
    if (!json_object_get(files->loaded, path)) {
        json_t *read = NULL;

        st = aisp_expectations_read(path, hardware, chapter, &read, &why);
        if (st && st != AISP_E_NOT_FOUND) {
            aisp_fail(err, st, "%s", why.text);
            goto out;
        }
        json_object_set_new(files->loaded, path, read ? read : json_null());
        st = AISP_OK;
    }
    *out = json_object_get(files->loaded, path);
    if (json_is_null(*out))
        *out = NULL;
out:
    free(path);
    return st;
}

static enum aisp_status load_below(struct aisp_expectation_files *files, const char *folder, const char *prefix,
                                   const char *hardware, struct aisp_err *err)
{
    DIR *all = opendir(folder);
    enum aisp_status st = AISP_OK;

    for (struct dirent *e = all ? readdir(all) : NULL; e && !st; e = readdir(all)) {
        char *chapter = aisp_format("%s%s", prefix, e->d_name);
        json_t *read;

        if (is_safe(e->d_name))
            st = aisp_expectation_files_get(files, chapter, hardware, &read, err);
        free(chapter);
    }
    if (all)
        closedir(all);
    return st;
}

enum aisp_status aisp_expectation_files_load_all(struct aisp_expectation_files *files, const char *hardware,
                                                 struct aisp_err *err)
{
    char *labs = aisp_format("%s/../labs", files->chapters_dir);
    enum aisp_status st;

    AISP_TRY(load_below(files, files->chapters_dir, "", hardware, err));
    AISP_TRY(load_below(files, labs, "labs/", hardware, err));
out:
    free(labs);
    return st;
}

/* ---- what was asked ---- */

static bool matches_one(const json_t *patterns, const json_t *row)
{
    struct aisp_target target = { .id = "" };
    char *chapter = aisp_figure_chapter(aisp_json_text(row, "target"));
    const json_t *pattern;
    bool is_one = false;
    size_t i;

    snprintf(target.id, sizeof target.id, "%s", aisp_json_text(row, "target"));
    snprintf(target.group, sizeof target.group, "%s", chapter);
    json_array_foreach(patterns, i, pattern)
        is_one |= json_is_string(pattern) && aisp_target_matches(&target, json_string_value(pattern));
    free(chapter);
    return is_one;
}

static bool names_one(const json_t *variants, const char *variant)
{
    const char *shorter = strncmp(variant, "optimized_", 10) ? variant : variant + 10;
    const json_t *name;
    size_t i;

    json_array_foreach(variants, i, name)
        if (json_is_string(name) && (!strcmp(json_string_value(name), variant) || !strcmp(json_string_value(name), shorter)))
            return true;
    return !json_array_size(variants);
}

bool aisp_expectation_was_asked(const json_t *manifest, const json_t *row)
{
    const json_t *options = json_object_get(manifest, "options");

    return !strcmp(aisp_json_text(manifest, "command"), "bench run") && !json_is_string(json_object_get(options, "file")) &&
           !strcmp(aisp_json_text(options, "size"), aisp_json_text(row, "size")) &&
           strcmp(aisp_json_text(options, "size"), "custom") && matches_one(json_object_get(options, "targets"), row) &&
           names_one(json_object_get(options, "variants"), aisp_json_text(row, "variant"));
}

/* ---- updating ---- */

struct update {
    struct aisp_expectation_files files;
    struct aisp_gate_noise noise;
    const struct aisp_gate_run *run;
    json_t *changed, *rows;      /* path -> expectations to write; what is answered */
};

static json_t *provenance_of(const struct aisp_gate_run *run, const json_t *figure)
{
    const json_t *manifest = json_object_get(run->record, "manifest"), *git = json_object_get(manifest, "git");

    return json_pack("{s:s, s:s?, s:b, s:s, s:s, s:s, s:s}", "run", run->id, "commit",
                     json_string_value(json_object_get(git, "commit")), "dirty", json_is_true(json_object_get(git, "dirty")),
                     "date", run->started, "host", aisp_json_text(manifest, "host"), "aisp",
                     aisp_json_text(manifest, "aisp"), "grade", aisp_json_text(figure, "grade"));
}

static json_t *figure_or_null(const json_t *figure)
{
    static const char *const names[] = { "ratio", "lo95", "hi95", "n_pairs" };
    json_t *out = figure ? json_object() : json_null();

    for (size_t i = 0; figure && i < sizeof names / sizeof *names; i++)
        json_object_set(out, names[i], json_object_get(figure, names[i]));
    return out;
}

static void answer(struct update *u, const json_t *figure, const char *state, const char *reason, const json_t *before,
                   const json_t *after)
{
    static const char *const names[] = { "target", "variant", "reference", "device", "size" };
    json_t *row = json_object();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set_new(row, names[i], json_string(aisp_json_text(figure, names[i])));
    json_object_set_new(row, "state", json_string(state));
    json_object_set_new(row, "reason", json_string(reason));
    json_object_set_new(row, "is_invalid", json_boolean(json_is_true(json_object_get(figure, "is_invalid"))));
    json_object_set_new(row, "before", figure_or_null(before));
    json_object_set_new(row, "after", figure_or_null(after));
    json_array_append_new(u->rows, row);
}

/* The file's place is known to exist before anything is written. */
static enum aisp_status file_for(struct update *u, const char *chapter, const char *hardware, json_t **file, char **path,
                                 struct aisp_err *err)
{
    char *folder = folder_of(&u->files, chapter);
    enum aisp_status st;

    AISP_TRY(aisp_expectation_files_get(&u->files, chapter, hardware, file, err));
    AISP_TRY(path_of(&u->files, chapter, hardware, path, err));
    if (!aisp_place_is_folder(folder)) {
        st = aisp_fail(err, AISP_E_USAGE, "%s: no such folder to keep expectations in; --chapters-dir names the one above it",
                       folder);
    } else if (!*file) {
        *file = aisp_expectations_new(hardware, chapter);
        json_object_set_new(u->files.loaded, *path, *file);
    }
out:
    free(folder);
    return st;
}

static enum aisp_status take(struct update *u, const json_t *figure, struct aisp_err *err)
{
    const char *hardware = aisp_json_text(figure, "hardware");
    char *chapter = aisp_figure_chapter(aisp_json_text(figure, "target")), *path = NULL;
    json_t *file, *row = NULL, *was = NULL, *provenance = provenance_of(u->run, figure);
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_noise noise;
    enum aisp_status st = AISP_OK;

    if (*aisp_json_text(figure, "trouble")) {
        answer(u, figure, "skipped", aisp_json_text(figure, "trouble"), NULL, NULL);
        goto out;
    }
    aisp_gate_noise(&u->noise, figure, &noise);
    if (u->noise.status) {
        st = aisp_fail(err, u->noise.status, "%s", u->noise.err.text);
        goto out;
    }
    if (aisp_expectation_new(figure, &noise, provenance, &row, &why)) {
        answer(u, figure, "skipped", why.text, NULL, NULL);
        goto out;
    }
    AISP_TRY(file_for(u, chapter, hardware, &file, &path, err));
    was = aisp_expectations_put(file, json_incref(row));
    json_object_set(u->changed, path, file);
    answer(u, figure, was ? "written" : "new", "", was, row);
out:
    json_decref(provenance);
    json_decref(row);
    json_decref(was);
    free(chapter);
    free(path);
    return st;
}

enum aisp_status aisp_expectations_update(struct aisp_store *store, const struct aisp_gate_run *run, const char *hardware,
                                          const char *chapters_dir, json_t **value, struct aisp_err *err)
{
    struct update u = { .noise = { .store = store }, .run = run, .changed = json_object(), .rows = json_array() };
    json_t *written = json_array(), *file;
    const json_t *figure;
    const char *path;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_expectation_files_init(&u.files, chapters_dir, err));
    json_array_foreach(run->figures, i, figure)
        if (!hardware || !strcmp(aisp_json_text(figure, "hardware"), hardware))
            AISP_TRY(take(&u, figure, err));
    json_object_foreach(u.changed, path, file) {
        AISP_TRY(aisp_expectations_write(path, file, err));
        json_array_append_new(written, json_string(path));
    }
    *value = json_pack("{s:s, s:s, s:s, s:b, s:O, s:O}", "run", run->id, "started", run->started, "chapters_dir", chapters_dir,
                       "updated", 1, "files", written, "rows", u.rows);
    if (!*value)
        AISP_BUG("an answer that is no JSON");
out:
    json_decref(written);
    json_decref(u.changed);
    json_decref(u.rows);
    aisp_expectation_files_release(&u.files);
    return st;
}

enum aisp_status aisp_expectations_check_place(const struct aisp_request *request)
{
    struct aisp_expectation_files files;
    const enum aisp_status st =
        aisp_expectation_files_init(&files, aisp_args_text(request->args, "chapters-dir"), request->err);

    aisp_expectation_files_release(&files);
    return st;
}

enum aisp_status aisp_expectations_update_run(const struct aisp_request *request, const char *run, json_t **value)
{
    struct aisp_gate_run loaded = AISP_GATE_RUN_INIT;
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, &why));
    AISP_TRY(aisp_gate_run_load(&loaded, store, run, true, &why));
    AISP_TRY(aisp_expectations_update(store, &loaded, NULL, aisp_args_text(request->args, "chapters-dir"), value, &why));
out:
    if (st)
        aisp_fail(request->err, st, "run %s is recorded, but its expectations are not written: %s", run, why.text);
    aisp_gate_run_release(&loaded);
    aisp_store_close(store);
    return st;
}

void aisp_expectations_update_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *rows = json_object_get(value, "rows"), *row, *path;
    size_t i;

    json_array_foreach(rows, i, row) {
        const json_t *before = json_object_get(row, "before"), *after = json_object_get(row, "after");

        aisp_buf_printf(out, " %-7s ", aisp_json_text(row, "state"));
        aisp_paint(out, style, NULL, 0, aisp_json_text(row, "target"));
        aisp_buf_printf(out, " %s  %s\n", aisp_json_text(row, "variant"), aisp_json_text(row, "size"));
        if (json_is_object(after)) {
            aisp_buf_puts(out, "         ");
            aisp_gate_put_ratio(out, after);
            aisp_buf_puts(out, json_is_object(before) ? ", was " : "");
            if (json_is_object(before))
                aisp_gate_put_ratio(out, before);
            aisp_buf_puts(out, "\n");
        }
        if (*aisp_json_text(row, "reason"))
            aisp_gate_wrap(out, "         ", aisp_json_text(row, "reason"));
    }
    json_array_foreach(json_object_get(value, "files"), i, path)
        aisp_buf_printf(out, "wrote %s\n", json_string_value(path));
    aisp_buf_printf(out, "%zu new, %zu written, %zu skipped\n", aisp_gate_count(rows, "state", "new"),
                    aisp_gate_count(rows, "state", "written"), aisp_gate_count(rows, "state", "skipped"));
}
