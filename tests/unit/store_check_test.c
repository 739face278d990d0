/* store_check_test.c - what is damaged is found by its kind, what can be repaired is, and pruning keeps what is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sqlite3.h>
#include <time.h>

#include "store/check.h"
#include "store/prune.h"
#include "store/query.h"
#include "tests/unit/store_scene.h"

/* The problems as "kind;kind;", repaired ones in capitals R. */
static const char *check(struct scene *s, bool repair)
{
    static char text[512];
    const struct aisp_store_check_ask want = { .repair = repair };
    json_t *found, *p;
    size_t i;

    *text = '\0';
    expect_ok(s, aisp_store_verify(s->store, &want, &found, &s->err));
    json_array_foreach(json_object_get(found, "problems"), i, p)
    {
        strcat(text, json_is_true(json_object_get(p, "repaired")) ? "R " : "");
        strcat(text, json_string_value(json_object_get(p, "kind")));
        strcat(text, ";");
    }
    json_decref(found);
    return text;
}

/* Of the run's folder. */
static char *file_of(struct scene *s, const char *run, const char *name)
{
    return aisp_format("%s/runs/%s/%s", s->folder, run, name);
}

static int64_t n_results(struct scene *s)
{
    struct aisp_store_counts counts;

    expect_ok(s, aisp_store_count(s->store, &counts, &s->err));
    return counts.results;
}

static void a_whole_store_has_no_problems(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX];

    scene_record(s, 2, "ch07:a", "v", 2, run);
    scene_begin(s, 2, run);
    scene_add(s, run, scene_result("ch07:a", "v", 3));
    assert_string_equal(check(s, false), "");
    assert_string_equal(check(s, true), "");
}

static void files_that_the_index_has_are_written_again(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *manifest, *results;

    scene_record(s, 2, "ch07:a", "v", 2, run);
    manifest = file_of(s, run, "manifest.json"), results = file_of(s, run, "results.json");
    assert_int_equal(unlink(manifest), 0);
    free(write_file(s->folder, "x", "{", 1));
    assert_int_equal(truncate(results, 20), 0);
    assert_string_equal(check(s, false), "missing;damaged;");
    assert_string_equal(check(s, true), "R missing;R damaged;");
    assert_string_equal(check(s, false), "");
    free(manifest), free(results);
}

static void evidence_that_was_changed_or_lost_is_named_and_left_alone(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *file;

    scene_begin(s, 2, run);
    scene_add(s, run, scene_result("ch07:a", "v", 2));
    scene_add(s, run, scene_result("ch07:a", "w", 2));
    scene_seal(s, run);
    file = file_of(s, run, "evidence/ch07.a.v.json");
    assert_int_equal(truncate(file, 5), 0);
    free(file);
    file = file_of(s, run, "evidence/ch07.a.w.json");
    assert_int_equal(unlink(file), 0);
    free(file);
    assert_string_equal(check(s, false), "damaged;missing;");
    assert_string_equal(check(s, true), "damaged;missing;");
    assert_int_equal(n_results(s), 2);
}

static void a_file_that_says_something_else_is_not_touched(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *folder;

    scene_record(s, 2, "ch07:a", "v", 2, run);
    folder = file_of(s, run, "");
    free(write_file(folder, "manifest.json", "{\"run\": \"other\"}", 16));
    assert_string_equal(check(s, true), "contradicts;");
    assert_string_equal(check(s, false), "contradicts;");
    free(folder);
}

/* Folders of runs, and an index that knows nothing of them. */
static void lose_index(struct scene *s, struct scene *from)
{
    char *command = aisp_format("cp -r '%s/runs' '%s/'", from->folder, s->folder);

    assert_int_equal(system(command), 0);
    free(command);
}

static void folders_that_the_index_lost_are_read_in(void **state)
{
    struct scene *s = *state, *from = scene_other();
    char run[AISP_RUN_ID_MAX], open[AISP_RUN_ID_MAX];
    json_t *before, *after;

    scene_record(from, 2, "ch07:a", "v", 2, run);
    scene_begin(from, 2, open);
    scene_add(from, open, scene_result("ch07:a", "v", 3));
    lose_index(s, from);
    assert_string_equal(check(s, false), "orphan;orphan;");
    assert_int_equal(n_results(s), 0);
    assert_string_equal(check(s, true), "R orphan;R orphan;");
    assert_string_equal(check(s, false), "");
    expect_ok(from, aisp_store_run_load(from->store, run, &before, &from->err));
    expect_ok(s, aisp_store_run_load(s->store, run, &after, &s->err));
    assert_true(json_equal(before, after));
    json_decref(before), json_decref(after);
    scene_forget(from);
}

static void a_folder_that_cannot_be_read_stays_and_keeps_no_other_out(void **state)
{
    struct scene *s = *state, *from = scene_other();
    char first[AISP_RUN_ID_MAX], second[AISP_RUN_ID_MAX], *file;

    scene_record(from, 2, "ch07:a", "v", 2, first);
    scene_record(from, 2, "ch07:a", "v", 3, second);
    lose_index(s, from);
    file = file_of(s, first, "evidence/ch07.a.v.json");
    assert_int_equal(truncate(file, 3), 0);
    check(s, true);
    assert_int_equal(n_results(s), 1);
    assert_int_equal(access(file, F_OK), 0);
    free(file);
    scene_forget(from);
}

static void what_a_killed_import_left_is_removed(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *left;

    scene_record(s, 2, "ch07:a", "v", 2, run);
    make_folder(s->folder, "runs/.import-2147483646");
    left = scene_path(s, "runs/.import-2147483646");
    assert_string_equal(check(s, false), "left over;");
    assert_int_equal(access(left, F_OK), 0);
    assert_string_equal(check(s, true), "R left over;");
    assert_int_not_equal(access(left, F_OK), 0);
    free(left);
}

static void derived_tables_are_made_anew(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX];

    scene_record(s, 2, "ch07:a", "v", 2, run);
    expect_ok(s, aisp_db_exec(s->store, "DELETE FROM figure", &s->err));
    assert_string_equal(check(s, false), "index;");
    assert_string_equal(check(s, true), "R index;");
    assert_string_equal(check(s, false), "");
}

/* ---- pruning ---- */

static json_t *prune(struct scene *s, bool dry, const char *held)
{
    json_t *runs = held ? json_pack("{s:n}", held) : NULL, *out;
    const struct aisp_prune want = { .before = time(NULL) + 10, .keep_latest = 1, .held = runs, .dry = dry };

    expect_ok(s, aisp_store_prune(s->store, &want, &out, &s->err));
    json_decref(runs);
    return out;
}

static int64_t number(const json_t *object, const char *name) { return json_integer_value(json_object_get(object, name)); }

static bool has_evidence(struct scene *s, const char *run)
{
    char *file = file_of(s, run, "evidence/ch07.a.v.json");
    const bool has = !access(file, F_OK);

    free(file);
    return has;
}

static void pruning_takes_old_evidence_and_keeps_results_and_the_newest(void **state)
{
    struct scene *s = *state;
    char run[3][AISP_RUN_ID_MAX];
    json_t *out, *evidence;

    for (int i = 0; i < 3; i++)
        scene_record(s, 2, "ch07:a", "v", 2 + i, run[i]);
    out = prune(s, true, run[0]);
    assert_true(number(out, "results") == 1 && number(out, "runs") == 1 && number(out, "bytes") > 10);
    assert_true(has_evidence(s, run[1]));                                         /* nothing was removed */
    json_decref(out);
    out = prune(s, false, run[0]);
    assert_true(number(out, "results") == 1);
    assert_true(number(json_object_get(out, "held_results"), "referred") == 1);
    assert_true(number(json_object_get(out, "held_results"), "newest") == 1);
    json_decref(out);
    assert_true(has_evidence(s, run[0]) && !has_evidence(s, run[1]) && has_evidence(s, run[2]));
    assert_int_equal(n_results(s), 3);
    assert_int_equal(aisp_store_evidence_load(s->store, run[1], "ch07.a.v", &evidence, &s->err),
                     store_server() ? AISP_OK : AISP_E_NOT_FOUND);
    if (store_server())
        json_decref(evidence);
    else
        assert_non_null(strstr(s->err.text, "was pruned on"));
    assert_string_equal(check(s, false), "");
}

static void open_runs_and_young_ones_are_not_pruned(void **state)
{
    struct scene *s = *state;
    const struct aisp_prune young = { .before = time(NULL) - 86400, .keep_latest = 1 };
    char run[AISP_RUN_ID_MAX], open[AISP_RUN_ID_MAX];
    json_t *out;

    scene_begin(s, 2, open);
    scene_add(s, open, scene_result("ch07:a", "v", 2));
    for (int i = 0; i < 2; i++)
        scene_record(s, 2, "ch07:a", "v", 2 + i, run);
    expect_ok(s, aisp_store_prune(s->store, &young, &out, &s->err));
    assert_int_equal(number(out, "results"), 0);
    json_decref(out);
    out = prune(s, false, NULL);
    assert_true(number(out, "results") == 1 && number(out, "open_runs") == 1);
    json_decref(out);
    assert_true(has_evidence(s, open));
}

static void the_newest_valid_result_is_kept_beside_newer_invalid_ones(void **state)
{
    struct scene *s = *state;
    char valid[AISP_RUN_ID_MAX], wrong[AISP_RUN_ID_MAX];
    json_t *r = scene_result("ch07:a", "v", 3), *out;

    scene_record(s, 2, "ch07:a", "v", 2, valid);
    scene_begin(s, 2, wrong);
    json_object_set_new(r, "grade", json_string("invalid"));
    scene_add(s, wrong, r);
    scene_seal(s, wrong);
    out = prune(s, false, NULL);
    assert_int_equal(number(out, "results"), 0);
    json_decref(out);
    assert_true(has_evidence(s, valid) && has_evidence(s, wrong));
}

/* ---- a store of before ---- */

static void run_schema(sqlite3 *db, const char *name)
{
    char *path = aisp_format("%s/../store/schema/sqlite/%s.sql", TESTS_DIR, name), *text = NULL;
    FILE *f = fopen(path, "r");
    size_t cap = 0;

    assert_non_null(f);
    assert_true(getdelim(&text, &cap, '\0', f) > 0);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    fclose(f);
    free(text), free(path);
}

/* As it was before there were figures: schema 3, one sealed run. */
static char *old_store(void)
{
    static const char rows[] =
        "INSERT INTO run VALUES ('20260101T000000Z-aaaaaa', 1767225600, 'h', "
        "'{\"run\":\"20260101T000000Z-aaaaaa\",\"host\":\"h\","
        "\"environment\":{\"cpu_model\":\"AMD EPYC 9654\",\"n_cpus\":2}}');"
        "INSERT INTO result VALUES ('20260101T000000Z-aaaaaa', 'ch07.a.v', 'ch07:a', 'v', 'cpu', 'development',"
        " '{\"key\":\"ch07.a.v\",\"target\":\"ch07:a\",\"variant\":\"v\",\"device\":\"cpu\",\"grade\":\"development\","
        "\"ratio\":1.5}', '');"
        "INSERT INTO seal VALUES ('20260101T000000Z-aaaaaa', 1767225601, '{}');"
        "PRAGMA application_id = 1634300784; PRAGMA user_version = 3";
    char *folder = temporary_folder(), *path = aisp_format("%s/aisp.sqlite", folder);
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_schema(db, "001"), run_schema(db, "002"), run_schema(db, "003");
    if (sqlite3_exec(db, rows, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    free(path);
    return folder;
}

static bool see(const struct aisp_result_row *row, void *context)
{
    *(double *)context = !strcmp(row->hardware, "amd-epyc-9654-2c") && row->started_at == 1767225600 ? row->ratio : -1;
    return true;
}

static void an_older_store_is_brought_up_to_date_by_whoever_opens_it(void **state)
{
    const struct aisp_filter latest = { .latest = true };
    struct aisp_store *store;
    struct aisp_err err;

    (void)state;
    unsetenv("AISP_STORE");
    for (int writing = 0; writing < 2; writing++) {
        char *folder = old_store();
        double ratio = 0;

        if (aisp_store_open(&store, folder, writing, &err) || aisp_store_each_result(store, &latest, see, &ratio, &err))
            fail_msg("%s", err.text);
        assert_true(ratio == 1.5);
        aisp_store_close(store);
        remove_folder(folder);
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        T(a_whole_store_has_no_problems),
        T(files_that_the_index_has_are_written_again),
        T(evidence_that_was_changed_or_lost_is_named_and_left_alone),
        T(a_file_that_says_something_else_is_not_touched),
        T(folders_that_the_index_lost_are_read_in),
        T(a_folder_that_cannot_be_read_stays_and_keeps_no_other_out),
        T(what_a_killed_import_left_is_removed),
        T(derived_tables_are_made_anew),
        T(pruning_takes_old_evidence_and_keeps_results_and_the_newest),
        T(open_runs_and_young_ones_are_not_pruned),
        T(the_newest_valid_result_is_kept_beside_newer_invalid_ones),
        cmocka_unit_test(an_older_store_is_brought_up_to_date_by_whoever_opens_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
