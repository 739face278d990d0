/* gate_files_test.c - where expectations lie, what a run was asked for, and that an update writes all or nothing. */
#include "core/json.h"
#include "tests/unit/gate_figures.h"
#include "tests/unit/temporary.h"

#include "commands/gate/expectations.h"

#define KEY "amd-epyc-2c-vm"

struct fixture {
    char *folder, *chapters;
    struct aisp_store *store;
    struct aisp_gate_run run;
};

/* FOLDER/chapters/ch07, FOLDER/labs/matmul */
static int set_up(void **state)
{
    struct fixture *f = aisp_xcalloc(1, sizeof *f);
    char *artifacts;

    f->folder = temporary_folder();
    make_folder(f->folder, "chapters");
    make_folder(f->folder, "chapters/ch07");
    make_folder(f->folder, "chapters/ch08");
    make_folder(f->folder, "labs");
    make_folder(f->folder, "labs/matmul");
    f->chapters = aisp_format("%s/chapters", f->folder);
    artifacts = aisp_format("%s/artifacts", f->folder);
    assert_int_equal(aisp_store_open(&f->store, artifacts, true, NULL), AISP_OK);
    free(artifacts);
    f->run.record = json_pack("{s:{s:s, s:s, s:{s:s, s:b}}}", "manifest", "host", "h", "aisp", "0.1.0", "git", "commit", "0123",
                              "dirty", 1);
    f->run.figures = json_array();
    f->run.id = "20261128T070501Z-1f3a9c";
    f->run.started = "2026-11-28T07:05:01Z";
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    aisp_gate_run_release(&f->run);
    aisp_store_close(f->store);
    remove_folder(f->folder);
    free(f->chapters);
    free(f);
    return 0;
}

static void found(struct fixture *f, const char *target, const char *variant, double ratio)
{
    json_t *figure = made_figure(target, variant, ratio, 0.001);

    json_object_set_new(figure, "hardware", json_string(KEY));
    json_array_append_new(f->run.figures, figure);
}

static json_t *update(struct fixture *f)
{
    struct aisp_err err = { AISP_OK, "" };
    json_t *value = NULL;

    if (aisp_expectations_update(f->store, &f->run, NULL, f->chapters, &value, &err))
        fail_msg("%s", err.text);
    return value;
}

static json_t *read_file(struct fixture *f, const char *below, const char *chapter)
{
    char *path = aisp_format("%s/%s/expectations_" KEY ".json", f->folder, below);
    struct aisp_err err = { AISP_OK, "" };
    json_t *file = NULL;

    if (aisp_expectations_read(path, KEY, chapter, &file, &err))
        fail_msg("%s", err.text);
    free(path);
    return file;
}

static void each_chapter_and_lab_has_its_own_file(void **state)
{
    struct fixture *f = *state;
    json_t *value, *chapter, *lab, *row;

    found(f, "ch07:transpose", "optimized_tiled", 2);
    found(f, "labs/matmul:gemm", "optimized_blocked", 14);
    value = update(f);
    assert_int_equal(json_array_size(json_object_get(value, "files")), 2);
    chapter = read_file(f, "chapters/ch07", "ch07");
    lab = read_file(f, "labs/matmul", "labs/matmul");
    row = json_array_get(json_object_get(chapter, "rows"), 0);
    assert_int_equal(json_array_size(json_object_get(chapter, "rows")), 1);
    assert_int_equal(json_array_size(json_object_get(lab, "rows")), 1);
    assert_string_equal(aisp_json_text(json_object_get(row, "provenance"), "commit"), "0123");
    assert_true(json_is_true(json_object_get(json_object_get(row, "provenance"), "dirty")));
    assert_true(json_is_null(json_object_get(row, "noise")));
    json_decref(value);
    json_decref(chapter);
    json_decref(lab);
}

static void an_update_keeps_the_rows_that_the_run_does_not_have(void **state)
{
    struct fixture *f = *state;
    json_t *value, *file, *row;

    found(f, "ch07:transpose", "optimized_tiled", 2);
    found(f, "ch07:gather", "optimized_simd", 3);
    json_decref(update(f));
    json_array_clear(f->run.figures);
    found(f, "ch07:gather", "optimized_simd", 2.5);
    value = update(f);
    row = json_array_get(json_object_get(value, "rows"), 0);
    assert_string_equal(aisp_json_text(row, "state"), "written");
    assert_near(aisp_json_number(json_object_get(row, "before"), "ratio"), 3, 1e-6);
    assert_near(aisp_json_number(json_object_get(row, "after"), "ratio"), 2.5, 1e-6);
    file = read_file(f, "chapters/ch07", "ch07");
    assert_int_equal(json_array_size(json_object_get(file, "rows")), 2);
    json_decref(value);
    json_decref(file);
}

static void what_is_not_to_be_used_is_skipped_and_said(void **state)
{
    struct fixture *f = *state;
    json_t *value, *row;

    found(f, "ch07:transpose", "optimized_tiled", 2);
    json_object_set_new(json_array_get(f->run.figures, 0), "trouble", json_string("output differs"));
    value = update(f);
    row = json_array_get(json_object_get(value, "rows"), 0);
    assert_string_equal(aisp_json_text(row, "state"), "skipped");
    assert_string_equal(aisp_json_text(row, "reason"), "output differs");
    assert_int_equal(json_array_size(json_object_get(value, "files")), 0);
    json_decref(value);
}

/* The second file is damaged: the first is not touched either. */
static void one_bad_file_and_nothing_is_written(void **state)
{
    struct fixture *f = *state;
    char *bad = write_file(f->folder, "chapters/ch08/expectations_" KEY ".json", "{", 1);
    char *first = aisp_format("%s/chapters/ch07/expectations_" KEY ".json", f->folder);
    struct aisp_err err = { AISP_OK, "" };
    json_t *value = NULL;

    found(f, "ch07:transpose", "optimized_tiled", 2);
    found(f, "ch08:histogram", "optimized_private", 2);
    assert_int_equal(aisp_expectations_update(f->store, &f->run, NULL, f->chapters, &value, &err), AISP_E_USAGE);
    assert_null(value);
    assert_non_null(strstr(err.text, "ch08/expectations_" KEY ".json: line 1"));
    assert_int_not_equal(access(first, F_OK), 0);
    free(bad);
    free(first);
}

static void a_chapter_without_a_folder_has_no_place(void **state)
{
    struct fixture *f = *state;
    struct aisp_err err = { AISP_OK, "" };
    json_t *value = NULL;

    found(f, "ch99:x", "optimized_tiled", 2);
    assert_int_equal(aisp_expectations_update(f->store, &f->run, NULL, f->chapters, &value, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "ch99: no such folder"));
    json_array_clear(f->run.figures);
    found(f, "../../etc:x", "optimized_tiled", 2);
    assert_int_equal(aisp_expectations_update(f->store, &f->run, NULL, f->chapters, &value, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "is no chapter"));
}

static void a_key_that_is_a_path_is_refused(void **state)
{
    struct fixture *f = *state;
    struct aisp_expectation_files files;
    struct aisp_err err = { AISP_OK, "" };
    json_t *file;

    assert_int_equal(aisp_expectation_files_init(&files, f->chapters, &err), AISP_OK);
    assert_int_equal(aisp_expectation_files_get(&files, "ch07", "../../x", &file, &err), AISP_E_USAGE);
    assert_int_equal(aisp_expectation_files_get(&files, "ch07", KEY, &file, &err), AISP_OK);
    assert_null(file);
    aisp_expectation_files_release(&files);
}

/* ---- what was asked ---- */

static bool was_asked(const char *target, const char *variant, const char *only)
{
    json_t *manifest = json_pack("{s:s, s:{s:[s, s], s:[s*], s:n, s:s}}", "command", "bench run", "options", "targets", target,
                                 "labs", "variants", only, "file", "size", "default");
    json_t *row = json_pack("{s:s, s:s, s:s}", "target", "ch07:transpose", "variant", variant, "size", "default");
    const bool is = aisp_expectation_was_asked(manifest, row);

    json_decref(manifest);
    json_decref(row);
    return is;
}

static void a_run_was_asked_for_what_its_patterns_name(void **state)
{
    (void)state;
    assert_true(was_asked("ch07", "optimized_tiled", NULL));
    assert_true(was_asked("ch*", "optimized_tiled", NULL));
    assert_true(was_asked("ch07:transpose", "optimized_tiled", NULL));
    assert_false(was_asked("ch08", "optimized_tiled", NULL));
    assert_true(was_asked("ch07", "optimized_tiled", "tiled"));
    assert_false(was_asked("ch07", "optimized_avx2", "tiled"));
}

static void only_a_run_of_targets_at_that_size_asks(void **state)
{
    json_t *row = json_pack("{s:s, s:s, s:s}", "target", "ch07:transpose", "variant", "optimized_tiled", "size", "default");
    json_t *compare = json_pack("{s:s, s:{s:s}}", "command", "bench compare", "options", "size", "default");
    json_t *quick = json_pack("{s:s, s:{s:[s], s:s}}", "command", "bench run", "options", "targets", "ch07", "size", "quick");
    json_t *file = json_pack("{s:s, s:{s:[s], s:s, s:s}}", "command", "bench run", "options", "targets", "ch07", "size",
                             "default", "file", "x.c");

    (void)state;
    assert_false(aisp_expectation_was_asked(compare, row));
    assert_false(aisp_expectation_was_asked(quick, row));
    assert_false(aisp_expectation_was_asked(file, row));
    assert_false(aisp_expectation_was_asked(NULL, row));
    json_decref(row);
    json_decref(compare);
    json_decref(quick);
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_chapter_and_lab_has_its_own_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_update_keeps_the_rows_that_the_run_does_not_have, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_to_be_used_is_skipped_and_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_bad_file_and_nothing_is_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_chapter_without_a_folder_has_no_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_key_that_is_a_path_is_refused, set_up, tear_down),
        cmocka_unit_test(a_run_was_asked_for_what_its_patterns_name),
        cmocka_unit_test(only_a_run_of_targets_at_that_size_asks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
