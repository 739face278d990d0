/* exchange_test.c - out of one store and into another: nothing is lost, nothing comes twice, what is wrong leaves no trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>

#include "store/attempt.h"
#include "store/exchange.h"
#include "store/query.h"
#include "tests/unit/store_scene.h"

static struct aisp_intake_counts take(struct scene *s, const char *path)
{
    struct aisp_intake_counts counts;

    expect_ok(s, aisp_store_import_runs(s->store, path, NULL, &counts, &s->err));
    return counts;
}

static void refuse(struct scene *s, const char *path, const char *words)
{
    struct aisp_intake_counts counts;

    assert_int_equal(aisp_store_import_runs(s->store, path, NULL, &counts, &s->err), AISP_E_USAGE);
    if (!strstr(s->err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", s->err.text, words);
}

static char *export_all(struct scene *s)
{
    char *path = scene_path(s, "all.jsonl");

    expect_ok(s, aisp_store_export(s->store, path, &s->err));
    return path;
}

static int64_t n_results(struct scene *s)
{
    struct aisp_store_counts counts;

    expect_ok(s, aisp_store_count(s->store, &counts, &s->err));
    return counts.results;
}

static int n_run_folders(const struct scene *s)
{
    char *runs = scene_path(s, "runs");
    DIR *dir = opendir(runs);
    int n = 0;

    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    if (dir)
        closedir(dir);
    free(runs);
    return n;
}

static json_t *load(struct scene *s, const char *run)
{
    json_t *loaded;

    expect_ok(s, aisp_store_run_load(s->store, run, &loaded, &s->err));
    return loaded;
}

/* The text of a file with the first `from` in it replaced by `to`, in another file. */
static char *changed(struct scene *s, const char *path, const char *from, const char *to)
{
    char *out = scene_path(s, "changed.jsonl"), *text = NULL, *at;
    FILE *f = fopen(path, "r");
    size_t cap = 0;
    ssize_t n = getdelim(&text, &cap, '\0', f);

    assert_true(n > 0);
    at = strstr(text, from);
    assert_non_null(at);
    fclose(f);
    f = fopen(out, "w");
    fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(f);
    free(text);
    return out;
}

static void a_run_arrives_with_all_that_it_has(void **state)
{
    struct scene *s = *state, *other = scene_other();
    json_t *here, *there, *evidence, *expected;
    char run[AISP_RUN_ID_MAX], *path;
    struct aisp_intake_counts n;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2.0 / 3, run);
    path = export_all(s);
    n = take(other, path);
    assert_true(n.runs == 1 && n.results == 1 && n.evidence == 1);
    here = load(s, run), there = load(other, run);
    assert_true(json_equal(here, there));
    expect_ok(s, aisp_store_evidence_load(s->store, run, "ch07.transpose.optimized_tiled", &expected, &s->err));
    expect_ok(other, aisp_store_evidence_load(other->store, run, "ch07.transpose.optimized_tiled", &evidence, &other->err));
    assert_true(json_equal(evidence, expected));
    json_decref(here), json_decref(there), json_decref(evidence), json_decref(expected);
    free(path);
    scene_forget(other);
}

static void importing_twice_changes_nothing(void **state)
{
    struct scene *s = *state, *other = scene_other();
    char run[AISP_RUN_ID_MAX], *path, *again;
    struct aisp_intake_counts n;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    scene_record(s, 8, "ch07:transpose", "optimized_tiled", 3, run);
    path = export_all(s);
    take(other, path);
    n = take(other, path);
    assert_true(n.runs == 0 && n.results == 0 && n.known_runs == 2 && n.known_results == 2);
    assert_int_equal(n_results(other), 2);
    assert_int_equal(n_run_folders(other), 2);
    n = take(s, path);                                     /* and at home */
    assert_int_equal(n.known_runs, 2);
    again = export_all(other);                             /* what came in goes out as it was */
    n = take(s, again);
    assert_true(n.runs == 0 && n.known_results == 2);
    free(path), free(again);
    scene_forget(other);
}

static void the_same_run_with_other_content_is_refused_by_name(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *path, *wrong;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    path = export_all(s);
    wrong = changed(s, path, "\"ratio\":2.0", "\"ratio\":9.0");
    refuse(s, wrong, run);
    refuse(s, wrong, "ch07.transpose.optimized_tiled");
    free(wrong);
    wrong = changed(s, path, "\"host\":\"two\"", "\"host\":\"who\"");
    refuse(s, wrong, "another manifest");
    free(wrong);
    wrong = changed(s, path, "\"summary\":{\"n\":1}", "\"summary\":{\"n\":2}");
    refuse(s, wrong, "another summary");
    free(wrong), free(path);
}

static void a_bad_line_is_named_and_nothing_of_the_file_stays(void **state)
{
    struct scene *s = *state, *other = scene_other();
    static const struct { const char *from, *to, *words; } bad[] = {
        { "\"kind\":\"seal\"", "\"kind\":\"seal\",,", "no JSON" },
        { "\"kind\":\"seal\"", "\"kind\":\"walrus\"", "unknown kind" },
        { "\"version\":2", "\"version\":77", "another version" },
        { "\"key\":\"ch07", "\"key\":\"../ch07", "without key" },
        { "\"verdict\":\"FASTER\"", "\"verdict\":7", "verdict" },
        { "\"window\":[0.1", "\"window\":[0.2", "not what its hash says" },
    };
    char run[AISP_RUN_ID_MAX], *path;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    path = export_all(s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *wrong = changed(s, path, bad[i].from, bad[i].to);

        refuse(other, wrong, bad[i].words);
        refuse(other, wrong, ": line ");
        assert_int_equal(n_results(other), 0);
        assert_int_equal(n_run_folders(other), 0);
        free(wrong);
    }
    free(path);
    scene_forget(other);
}

static void an_open_run_comes_again_with_more(void **state)
{
    struct scene *s = *state, *other = scene_other();
    char run[AISP_RUN_ID_MAX], *path;
    struct aisp_intake_counts n;
    json_t *loaded;

    scene_begin(s, 2, run);
    scene_add(s, run, scene_result("ch07:a", "v1", 2));
    path = export_all(s);
    take(other, path);
    free(path);
    scene_add(s, run, scene_result("ch07:a", "v2", 3));
    scene_seal(s, run);
    path = export_all(s);
    n = take(other, path);
    assert_true(n.known_results == 1 && n.results == 1);
    loaded = load(other, run);
    assert_true(json_is_true(json_object_get(loaded, "complete")));
    assert_int_equal(json_array_size(json_object_get(loaded, "results")), 2);
    json_decref(loaded);
    free(path);
    scene_forget(other);
}

static void a_run_folder_is_enough(void **state)
{
    struct scene *s = *state, *other = scene_other(), *third = scene_other();
    char run[AISP_RUN_ID_MAX], *folder;
    json_t *here, *there;
    struct aisp_intake_counts n;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    folder = aisp_store_run_folder(s->store, run);
    n = take(other, folder);
    assert_true(n.runs == 1 && n.results == 1 && n.evidence == 1);
    here = load(s, run), there = load(other, run);
    assert_true(json_equal(here, there));
    json_decref(here), json_decref(there);
    assert_int_equal(take(other, folder).known_runs, 1);
    assert_int_equal(take(third, s->folder).runs, 1);             /* the whole artifacts folder */
    free(folder);
    scene_forget(other);
    scene_forget(third);
}

static void a_folder_whose_evidence_was_changed_is_refused(void **state)
{
    struct scene *s = *state, *other = scene_other();
    char run[AISP_RUN_ID_MAX], *folder, *file;

    scene_record(s, 2, "ch07:a", "v", 2, run);
    folder = aisp_store_run_folder(s->store, run);
    file = aisp_format("%s/evidence", folder);
    free(write_file(file, "ch07.a.v.json", "{\"of\": \"nothing\"}", 17));
    refuse(other, folder, "not what its hash says");
    assert_int_equal(n_results(other), 0);
    free(file), free(folder);
    scene_forget(other);
}

static void evidence_that_stayed_behind_is_said_so(void **state)
{
    struct scene *s = *state, *other = scene_other();
    const struct aisp_store_export_ask light = { .without_evidence = true };
    char run[AISP_RUN_ID_MAX], *path = scene_path(s, "light.jsonl"), sha256[65], expected[65];
    struct aisp_export_counts out;
    json_t *evidence;

    scene_record(s, 2, "ch07:a", "v", 2, run);
    expect_ok(s, aisp_store_export_runs(s->store, path, &light, &out, &s->err));
    assert_true(out.results == 1 && out.evidence == 0);
    assert_int_equal(take(other, path).evidence, 0);
    assert_int_equal(n_run_folders(other), 0);                      /* nothing would be in it that the index has not */
    assert_int_equal(aisp_store_evidence_load(other->store, run, "ch07.a.v", &evidence, &other->err), AISP_E_NOT_FOUND);
    assert_non_null(strstr(other->err.text, "without the evidence"));
    expect_ok(s, aisp_store_evidence_hash(s->store, run, "ch07.a.v", expected, &s->err));
    expect_ok(other, aisp_store_evidence_hash(other->store, run, "ch07.a.v", sha256, &other->err));
    assert_string_equal(sha256, expected);
    free(path);
    scene_forget(other);
}

static void one_run_can_be_chosen(void **state)
{
    struct scene *s = *state, *other = scene_other();
    char first[AISP_RUN_ID_MAX], second[AISP_RUN_ID_MAX], *path = scene_path(s, "one.jsonl");
    const char *name = first;
    const struct aisp_store_export_ask one = { .run = &name, .n_runs = 1 };
    struct aisp_export_counts out;

    scene_record(s, 2, "ch07:a", "v", 2, first);
    scene_record(s, 2, "ch07:a", "v", 3, second);
    expect_ok(s, aisp_store_export_runs(s->store, path, &one, &out, &s->err));
    assert_int_equal(take(other, path).runs, 1);
    json_decref(load(other, first));
    name = "no-such-run";
    assert_int_equal(aisp_store_export_runs(s->store, path, &one, &out, &s->err), AISP_E_NOT_FOUND);
    free(path);
    scene_forget(other);
}

static int64_t judge(struct scene *s, const char *sha256)
{
    json_t *answer = json_pack("{s:s}", "said", sha256);
    const struct aisp_attempt attempt = { "t", "family", sha256, "build", "run", "", 1.5, answer };
    int64_t number;

    expect_ok(s, aisp_store_attempt_add(s->store, &attempt, &number, &s->err));
    json_decref(answer);
    return number;
}

static void attempts_of_two_machines_are_all_kept(void **state)
{
    struct scene *s = *state, *other = scene_other();
    json_t *attempts;
    char *path;

    assert_int_equal(judge(s, "aa"), 1);
    assert_int_equal(judge(other, "bb"), 1);                    /* each has numbered from one */
    path = export_all(s);
    take(other, path);
    take(other, path);
    expect_ok(other, aisp_store_attempts(other->store, &attempts, &other->err));
    assert_int_equal(json_array_size(attempts), 2);
    assert_int_equal(judge(other, "cc"), 3);
    json_decref(attempts);
    free(path);
    scene_forget(other);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        T(a_run_arrives_with_all_that_it_has),
        T(importing_twice_changes_nothing),
        T(the_same_run_with_other_content_is_refused_by_name),
        T(a_bad_line_is_named_and_nothing_of_the_file_stays),
        T(an_open_run_comes_again_with_more),
        T(a_run_folder_is_enough),
        T(a_folder_whose_evidence_was_changed_is_refused),
        T(evidence_that_stayed_behind_is_said_so),
        T(one_run_can_be_chosen),
        T(attempts_of_two_machines_are_all_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
