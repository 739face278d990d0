/* store_test.c - the record of runs on a real disk: what was added stays, and every way it can fail is one clear line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/db.h"
#include "tests/unit/store_scene.h"

static json_t *manifest(void) { return json_pack("{s:s, s:s}", "host", "abc", "version", "0"); }

static json_t *result(const char *key)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:I}", "key", key, "target", "ch07:transpose", "variant", "optimized_tiled",
                     "device", "cpu", "grade", "development", "ratio", 2.0 / 3, "big", (json_int_t)9007199254740993);
}

static void add(struct aisp_store *store, const char *run, const char *key)
{
    json_t *r = result(key), *evidence = json_pack("{s:[i, i, i]}", "window", 1, 2, 3);
    struct aisp_err err;

    assert_int_equal(aisp_store_result_add(store, run, r, evidence, &err), AISP_OK);
    json_decref(r);
    json_decref(evidence);
}

/* A run of two results, sealed if asked. */
static void record(struct aisp_store *store, char run[AISP_RUN_ID_MAX], bool seal)
{
    json_t *m = manifest(), *summary = json_pack("{s:i}", "n", 2);
    struct aisp_err err;

    assert_int_equal(aisp_store_run_begin(store, m, run, &err), AISP_OK);
    add(store, run, "one");
    add(store, run, "two");
    if (seal)
        assert_int_equal(aisp_store_run_finish(store, run, summary, &err), AISP_OK);
    json_decref(m);
    json_decref(summary);
}

/* Several a second, one after the other. */
static void runs_are_named_in_the_order_of_time(void **state)
{
    const struct timespec between = { 0, 1000000 };
    char before[AISP_RUN_ID_MAX] = "", run[AISP_RUN_ID_MAX];
    struct scene *f = *state;

    for (int i = 0; i < 12; i++) {
        record(f->store, run, true);
        assert_true(strcmp(run, before) > 0);
        strcpy(before, run);
        nanosleep(&between, NULL);
    }
}

static void a_run_is_read_as_it_was_written(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX];
    json_t *loaded, *expected = result("one"), *evidence;

    record(f->store, run, true);
    assert_int_equal(aisp_store_run_load(f->store, "latest", &loaded, &f->err), AISP_OK);
    assert_true(json_is_true(json_object_get(loaded, "complete")));
    assert_true(json_equal(json_array_get(json_object_get(loaded, "results"), 0), expected));
    assert_int_equal(json_array_size(json_object_get(loaded, "results")), 2);
    assert_int_equal(aisp_store_evidence_load(f->store, run, "two", &evidence, &f->err), AISP_OK);
    assert_int_equal(json_array_size(json_object_get(evidence, "window")), 3);
    json_decref(evidence);
    json_decref(expected);
    json_decref(loaded);
}

static void a_run_without_a_seal_is_incomplete_and_can_be_found(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX], found[AISP_RUN_ID_MAX];
    json_t *loaded;

    assert_int_equal(aisp_store_run_incomplete(f->store, NULL, found, &f->err), AISP_E_NOT_FOUND);
    record(f->store, run, false);
    assert_int_equal(aisp_store_run_incomplete(f->store, NULL, found, &f->err), AISP_OK);
    assert_string_equal(found, run);
    assert_int_equal(aisp_store_run_load(f->store, "latest", &loaded, &f->err), AISP_E_NOT_FOUND);
    assert_int_equal(aisp_store_run_load(f->store, run, &loaded, &f->err), AISP_OK);
    assert_true(json_is_false(json_object_get(loaded, "complete")));
    json_decref(loaded);
}

static bool is_of_abc(const json_t *m)
{
    return !strcmp(json_string_value(json_object_get(m, "host")), "abc");
}

static bool is_of_nobody(const json_t *m) { return !is_of_abc(m); }

static void an_incomplete_run_that_is_not_wanted_is_passed_over(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX], found[AISP_RUN_ID_MAX];

    record(f->store, run, false);
    assert_int_equal(aisp_store_run_incomplete(f->store, is_of_nobody, found, &f->err), AISP_E_NOT_FOUND);
    assert_int_equal(aisp_store_run_incomplete(f->store, is_of_abc, found, &f->err), AISP_OK);
    assert_string_equal(found, run);
}

/* A lock is of the opened folder, so a second store of this process is as good as another process. */
static void a_run_that_somebody_is_at_is_not_taken_from_him(void **state)
{
    struct scene *f = *state;
    struct aisp_store *writer, *second;
    char run[AISP_RUN_ID_MAX], found[AISP_RUN_ID_MAX];

    assert_int_equal(aisp_store_open(&writer, f->folder, true, &f->err), AISP_OK);
    record(writer, run, false);
    assert_int_equal(aisp_store_run_incomplete(f->store, NULL, found, &f->err), AISP_E_NOT_FOUND);
    aisp_store_close(writer);
    assert_int_equal(aisp_store_run_incomplete(f->store, NULL, found, &f->err), AISP_OK);
    assert_string_equal(found, run);
    assert_int_equal(aisp_store_open(&second, f->folder, true, &f->err), AISP_OK);
    assert_int_equal(aisp_store_run_incomplete(second, NULL, found, &f->err), AISP_E_NOT_FOUND);
    aisp_store_close(second);
}

static void a_result_is_never_replaced(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX];
    json_t *r = result("one"), *evidence = json_object();

    record(f->store, run, false);
    assert_int_equal(aisp_store_result_add(f->store, run, r, evidence, &f->err), AISP_E_USAGE);
    assert_non_null(strstr(f->err.text, "never replaced"));
    json_decref(r);
    json_decref(evidence);
}

static void a_key_that_is_no_file_name_is_refused(void **state)
{
    static const char *const keys[] = { "", "../up", "a/b", ".hidden", "white space" };
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX];

    record(f->store, run, false);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *r = result(keys[i]), *evidence = json_object();

        assert_int_equal(aisp_store_result_add(f->store, run, r, evidence, &f->err), AISP_E_USAGE);
        json_decref(r);
        json_decref(evidence);
    }
}

static void rows_can_not_be_changed_or_deleted(void **state)
{
    static const char *const attempts[] = { "UPDATE result SET grade = 'publishable'", "DELETE FROM result", "DELETE FROM run",
                                            "UPDATE run SET host = ''", "DELETE FROM seal", "UPDATE seal SET finished_at = 0" };
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX];

    record(f->store, run, true);
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        assert_int_equal(aisp_db_exec(f->store, attempts[i], &f->err), AISP_E_IO);
        assert_non_null(strstr(f->err.text, "rows are only added"));
    }
}

static void an_ambiguous_prefix_is_refused_and_a_unique_one_will_do(void **state)
{
    struct scene *f = *state;
    char first[AISP_RUN_ID_MAX], second[AISP_RUN_ID_MAX];
    json_t *loaded;

    record(f->store, first, true);
    record(f->store, second, true);
    assert_int_equal(aisp_store_run_load(f->store, "20", &loaded, &f->err), AISP_E_USAGE);
    assert_int_equal(aisp_store_run_load(f->store, "no-such", &loaded, &f->err), AISP_E_NOT_FOUND);
    first[strlen(first) - 1] = 0;
    if (strncmp(first, second, strlen(first))) {
        assert_int_equal(aisp_store_run_load(f->store, first, &loaded, &f->err), AISP_OK);
        json_decref(loaded);
    }
}

/* Everything that the store says about itself, for comparison. */
static char *picture(const char *folder)
{
    struct aisp_store *store;
    struct aisp_err err;
    char *path = aisp_format("%s.jsonl", folder), *text;
    struct aisp_buf all = AISP_BUF_INIT;
    FILE *file;
    int c;

    store_place(folder);
    assert_int_equal(aisp_store_open(&store, folder, false, &err), AISP_OK);
    assert_int_equal(aisp_store_export(store, path, &err), AISP_OK);
    aisp_store_close(store);
    file = fopen(path, "r");
    assert_non_null(file);
    while ((c = fgetc(file)) != EOF)
        aisp_buf_printf(&all, "%c", c);
    fclose(file);
    unlink(path);
    free(path);
    text = aisp_buf_detach(&all);
    return text;
}

static void an_export_comes_back_without_loss_and_twice_changes_nothing(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX], *path = aisp_format("%s/all.jsonl", f->folder), *other = aisp_format("%s/other", f->folder);
    struct aisp_store *copy;
    char *before, *after, *again;

    record(f->store, run, true);
    record(f->store, run, false);
    assert_int_equal(aisp_store_export(f->store, path, &f->err), AISP_OK);
    store_place(other);
    assert_int_equal(aisp_store_open(&copy, other, true, &f->err), AISP_OK);
    assert_int_equal(aisp_store_import(copy, path, &f->err), AISP_OK);
    before = picture(f->folder);
    after = picture(other);
    assert_string_equal(before, after);
    assert_int_equal(aisp_store_import(copy, path, &f->err), AISP_OK);
    again = picture(other);
    assert_string_equal(after, again);
    aisp_store_close(copy);
    free(before), free(after), free(again), free(path), free(other);
}

static void a_bad_import_line_is_named_by_its_number(void **state)
{
    struct scene *f = *state;
    char *path = aisp_format("%s/bad.jsonl", f->folder);
    FILE *file = fopen(path, "w");

    fputs("{\"kind\":\"aisp-export\",\"version\":1}\n{\"kind\":\"result\", oops\n", file);
    fclose(file);
    assert_int_equal(aisp_store_import(f->store, path, &f->err), AISP_E_USAGE);
    assert_non_null(strstr(f->err.text, "line 2"));
    free(path);
}

static void a_calibration_is_loaded_until_it_expires(void **state)
{
    struct scene *f = *state;
    json_t *old = json_pack("{s:s, s:i, s:i}", "host", "h", "taken_at", 1, "expires_at", 2);
    json_t *fresh = json_pack("{s:s, s:i, s:I}", "host", "h", "taken_at", 3, "expires_at", (json_int_t)1 << 40), *out;

    assert_int_equal(aisp_store_calibration_add(f->store, old, &f->err), AISP_OK);
    assert_int_equal(aisp_store_calibration_load(f->store, "h", &out, &f->err), AISP_OK);
    assert_null(out);
    assert_int_equal(aisp_store_calibration_add(f->store, fresh, &f->err), AISP_OK);
    assert_int_equal(aisp_store_calibration_load(f->store, "h", &out, &f->err), AISP_OK);
    assert_true(json_equal(out, fresh));
    json_decref(out), json_decref(old), json_decref(fresh);
}

/* What is done to the file of the embedded store; to a server: store_shared_test.c. */
static void only_embedded(void)
{
    if (store_server())
        skip();
}

static void expect_refusal(struct scene *f, const char *words)
{
    struct aisp_store *store = NULL;

    assert_int_equal(aisp_store_open(&store, f->folder, true, &f->err), AISP_E_IO);
    assert_non_null(strstr(f->err.text, words));
}

static void overwrite(struct scene *f, off_t at, const char *bytes, size_t n)
{
    char *path = aisp_format("%s/aisp.sqlite", f->folder);
    const int fd = open(path, O_WRONLY);

    assert_int_equal(pwrite(fd, bytes, n, at), n);
    close(fd);
    free(path);
}

static void a_damaged_store_is_refused_untouched(void **state)
{
    struct scene *f = *state;

    only_embedded();
    aisp_store_close(f->store);
    f->store = NULL;
    overwrite(f, 0, "this is no database at all, only some text", 42);
    expect_refusal(f, "not a database");
}

static void a_store_of_a_newer_aisp_is_refused_untouched(void **state)
{
    struct scene *f = *state;

    only_embedded();
    aisp_store_close(f->store);
    f->store = NULL;
    overwrite(f, 60, "\0\0\0\x07", 4);           /* the user version in SQLite's header */
    expect_refusal(f, "made by a newer aisp (schema 7");
}

static void a_database_of_another_program_is_refused_untouched(void **state)
{
    struct scene *f = *state;

    only_embedded();
    aisp_store_close(f->store);
    f->store = NULL;
    overwrite(f, 68, "\0\0\0\x01", 4);           /* the application id */
    expect_refusal(f, "another program");
}

/* Killed while the file still had a rollback journal: the first reader has to roll back, and then only reads. */
static void a_reader_recovers_what_a_killed_writer_left(void **state)
{
    struct scene *f = *state;
    char run[AISP_RUN_ID_MAX], *journal;
    pid_t child;

    only_embedded();
    journal = aisp_format("%s/aisp.sqlite-journal", f->folder);
    record(f->store, run, true);
    assert_int_equal(aisp_db_exec(f->store, "PRAGMA journal_mode = DELETE", &f->err), AISP_OK);
    child = fork();
    if (child == 0) {
        struct aisp_store *store;

        /* Pages that do not fit into memory are written before the commit that never comes. */
        if (aisp_store_open(&store, f->folder, true, NULL) || aisp_db_exec(store, "PRAGMA journal_mode = DELETE", NULL) ||
            aisp_db_exec(store, "PRAGMA cache_size = 1; BEGIN; CREATE TABLE t AS WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL"
                                " SELECT i + 1 FROM c WHERE i < 2000) SELECT i, hex(randomblob(500)) FROM c", NULL))
            _exit(1);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(journal, F_OK), 0);
    aisp_store_close(f->store);
    f->store = NULL;
    assert_int_equal(aisp_store_open(&f->store, f->folder, false, &f->err), AISP_OK);
    assert_int_equal(aisp_db_exec(f->store, "DELETE FROM open_run", &f->err), AISP_E_IO);
    assert_int_not_equal(access(journal, F_OK), 0);
    free(journal);
}

static void a_folder_that_cannot_be_made_is_one_clear_line(void **state)
{
    struct aisp_store *store;
    struct scene *f = *state;

    assert_int_equal(aisp_store_open(&store, "/proc/no-such-folder", true, &f->err), AISP_E_IO);
    assert_non_null(strstr(f->err.text, "/proc/no-such-folder"));
}

static void an_empty_place_has_nothing_to_read(void **state)
{
    struct aisp_store *store;
    struct scene *f = *state;

    store_place("/tmp/aisp-there-is-no-such-folder");
    assert_int_equal(aisp_store_open(&store, "/tmp/aisp-there-is-no-such-folder", false, &f->err), AISP_E_NOT_FOUND);
}

static void two_processes_write_at_once_and_nothing_is_lost(void **state)
{
    enum { WRITERS = 2, RUNS = 15 };
    struct scene *f = *state;
    json_t *runs;

    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            struct aisp_store *store;
            struct aisp_err err;
            char run[AISP_RUN_ID_MAX];

            if (aisp_store_open(&store, f->folder, true, &err))
                _exit(1);
            for (int r = 0; r < RUNS; r++)
                record(store, run, true);
            _exit(0);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status;

        wait(&status);
        assert_int_equal(status, 0);
    }
    assert_int_equal(aisp_store_runs(f->store, 1000, &runs, &f->err), AISP_OK);
    assert_int_equal(json_array_size(runs), WRITERS * RUNS);
    json_decref(runs);
}

/* In a child with a mount namespace of its own: a file system of 600 KiB fills up; then what was stored is still readable. */
static void fill_a_small_disk(const char *folder)
{
    json_t *m = manifest(), *evidence = json_object();
    char run[AISP_RUN_ID_MAX], key[16];
    struct aisp_store *store;
    struct aisp_err err = { 0 };
    enum aisp_status st = AISP_OK;
    int n = 0;

    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("tmpfs", folder, "tmpfs", 0, "size=600k"))
        _exit(77);
    if (aisp_store_open(&store, folder, true, &err) || aisp_store_run_begin(store, m, run, &err))
        _exit(1);
    for (int i = 0; i < 2000; i++)
        snprintf(key, sizeof key, "field-%d", i), json_object_set_new(evidence, key, json_integer(i));
    for (n = 0; n < 200 && !st; n++) {
        json_t *r;

        snprintf(key, sizeof key, "k%d", n);
        r = result(key);
        st = aisp_store_result_add(store, run, r, evidence, &err);
        json_decref(r);
    }
    if (st != AISP_E_IO || n < 3 || !strstr(err.text, folder))
        _exit(2);
    aisp_store_close(store);
    json_t *loaded = NULL;
    if (aisp_store_open(&store, folder, false, &err) || aisp_store_run_load(store, run, &loaded, &err))
        _exit(3);
    _exit((int)json_array_size(json_object_get(loaded, "results")) == n - 1 ? 0 : 4);
}

static void a_full_disk_is_reported_and_loses_nothing(void **state)
{
    struct scene *f = *state;
    pid_t child;
    int status;

    only_embedded();
    child = fork();
    if (child == 0)
        fill_a_small_disk(f->folder);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();                                  /* no right to mount here */
    assert_int_equal(status, 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        T(runs_are_named_in_the_order_of_time),
        T(a_run_is_read_as_it_was_written),
        T(a_run_without_a_seal_is_incomplete_and_can_be_found),
        T(an_incomplete_run_that_is_not_wanted_is_passed_over),
        T(a_run_that_somebody_is_at_is_not_taken_from_him),
        T(a_result_is_never_replaced),
        T(a_key_that_is_no_file_name_is_refused),
        T(rows_can_not_be_changed_or_deleted),
        T(an_ambiguous_prefix_is_refused_and_a_unique_one_will_do),
        T(an_export_comes_back_without_loss_and_twice_changes_nothing),
        T(a_bad_import_line_is_named_by_its_number),
        T(a_calibration_is_loaded_until_it_expires),
        T(a_damaged_store_is_refused_untouched),
        T(a_store_of_a_newer_aisp_is_refused_untouched),
        T(a_database_of_another_program_is_refused_untouched),
        T(a_reader_recovers_what_a_killed_writer_left),
        T(a_folder_that_cannot_be_made_is_one_clear_line),
        T(an_empty_place_has_nothing_to_read),
        T(two_processes_write_at_once_and_nothing_is_lost),
        T(a_full_disk_is_reported_and_loses_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
