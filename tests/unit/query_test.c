/* query_test.c - looking up many results: what a filter lets through, in which order, and what a row says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "store/db.h"
#include "store/index.h"
#include "store/query.h"
#include "tests/unit/store_scene.h"

/* What came by, as "variant ratio;": newest first. */
struct seen { char text[4096]; int n; struct aisp_result_row last; char hardware[64], host[32], run[48]; };

static bool note(const struct aisp_result_row *row, void *context)
{
    struct seen *seen = context;
    const size_t used = strlen(seen->text);

    snprintf(seen->text + used, sizeof seen->text - used, "%s %g;", row->variant, row->ratio);
    snprintf(seen->hardware, sizeof seen->hardware, "%s", row->hardware);
    snprintf(seen->host, sizeof seen->host, "%s", row->host);
    snprintf(seen->run, sizeof seen->run, "%s", row->run);
    seen->last = *row;
    seen->n++;
    return true;
}

static struct seen look(struct scene *s, struct aisp_filter filter)
{
    struct seen seen = { .n = 0 };

    expect_ok(s, aisp_store_each_result(s->store, &filter, note, &seen, &s->err));
    return seen;
}
#define LOOK(s, ...) look(s, (struct aisp_filter){ __VA_ARGS__ })

static void a_row_says_what_its_result_and_its_run_say(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX];
    struct seen seen;

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2.5, run);
    seen = LOOK(s, .complete = true);
    assert_int_equal(seen.n, 1);
    assert_string_equal(seen.hardware, "amd-epyc-9654-2c");
    assert_string_equal(seen.host, "two");
    assert_string_equal(seen.run, run);
    assert_true(seen.last.ratio == 2.5 && seen.last.lo95 == 2.4 && seen.last.hi95 == 2.6);
    assert_true(seen.last.a_median_ns == 2500 && seen.last.b_median_ns == 1000 && seen.last.b_p99_ns == 2000);
    assert_true(isnan(seen.last.a_memory_bytes) && isnan(seen.last.b_energy_j) && isnan(seen.last.b_per_second));
}

static void figures_are_where_each_goal_has_them(void **state)
{
    struct scene *s = *state;
    json_t *r = scene_result("ch07:a", "memory", 2);
    char run[AISP_RUN_ID_MAX];
    struct seen seen;

    scene_begin(s, 2, run);
    json_object_set_new(r, "goal_figure", json_pack("{s:s, s:{s:f, s:n}}", "figure", "peak bytes", "bytes", "a", 4096.0, "b"));
    json_object_set_new(r, "profile", json_pack("{s:{s:i}, s:{s:i}}", "a", "peak_rss_bytes", 7, "b", "peak_rss_bytes", 8));
    scene_add(s, run, r);
    seen = LOOK(s, .variant = "memory");
    assert_true(seen.last.a_memory_bytes == 4096 && isnan(seen.last.b_memory_bytes));      /* not proven: not measured */

    r = scene_result("ch07:a", "profiled", 2);
    json_object_set_new(r, "profile", json_pack("{s:{s:i}, s:{s:i}}", "a", "peak_rss_bytes", 7, "b", "peak_rss_bytes", 8));
    json_object_set_new(r, "per_second", json_pack("{s:s, s:f, s:f}", "unit", "token", "a", 10.0, "b", 1e300));
    json_object_set_new(r, "energy_j", json_pack("{s:f, s:f}", "a", 0.5, "b", 0.0));
    scene_add(s, run, r);
    seen = LOOK(s, .variant = "profiled");
    assert_true(seen.last.a_memory_bytes == 7 && seen.last.b_memory_bytes == 8);
    assert_true(seen.last.a_per_second == 10 && seen.last.b_per_second == 1e300);
    assert_true(seen.last.a_energy_j == 0.5 && seen.last.b_energy_j == 0);               /* zero is not unknown */

    r = scene_result("ch07:a", "served", 2);
    json_object_set_new(r, "goal_figure",
                        json_pack("{s:s, s:{s:{s:f, s:f}}, s:{s:{s:f, s:f}}}", "figure", "p99 of TPOT", "ttft", "p99_ns", "a",
                                  1.0, "b", 2.0, "tpot", "p99_ns", "a", 3.0, "b", 4.0));
    scene_add(s, run, r);
    assert_true(LOOK(s, .variant = "served").last.b_p99_ns == 4);
}

static void an_invalid_result_has_no_figures_and_is_counted(void **state)
{
    struct scene *s = *state;
    json_t *r = scene_result("ch07:a", "wrong", 9);
    struct aisp_store_counts counts;
    char run[AISP_RUN_ID_MAX];
    struct seen seen;

    scene_begin(s, 2, run);
    json_object_set_new(r, "grade", json_string("invalid"));
    json_object_set_new(r, "ratio", json_null());
    scene_add(s, run, r);
    expect_ok(s, aisp_store_count(s->store, &counts, &s->err));
    assert_true(counts.results == 1 && counts.invalid == 1 && counts.runs == 1);         /* an open run counts as well */
    scene_seal(s, run);
    expect_ok(s, aisp_store_count(s->store, &counts, &s->err));
    assert_true(counts.results == 1 && counts.invalid == 1 && counts.targets == 1 && counts.machines == 1);
    seen = LOOK(s, .grade = "invalid");
    assert_int_equal(seen.n, 1);
    assert_true(isnan(seen.last.ratio));
    assert_int_equal(LOOK(s, .grade = "publishable").n, 0);
}

/* Three runs: two machines, two targets, several variants. */
static void record_several(struct scene *s)
{
    char run[AISP_RUN_ID_MAX];

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    scene_record(s, 8, "ch07:transpose", "optimized_tiled", 3, run);
    scene_begin(s, 2, run);
    scene_add(s, run, scene_result("ch07:transpose", "optimized_tiled", 4));
    scene_add(s, run, scene_result("labs/matmul:gemm", "optimized_vector", 5));
    scene_seal(s, run);
}

static void filters_let_through_what_they_name(void **state)
{
    struct scene *s = *state;
    struct seen all;

    record_several(s);
    all = LOOK(s, .limit = 0);
    assert_int_equal(all.n, 4);
    assert_string_equal(LOOK(s, .hardware = "amd-epyc-9654-8c").text, "optimized_tiled 3;");
    assert_int_equal(LOOK(s, .hardware = "amd-*").n, 4);
    assert_int_equal(LOOK(s, .target = "ch07:transpose").n, 3);
    assert_int_equal(LOOK(s, .target = "ch07:trans").n, 0);
    assert_string_equal(LOOK(s, .chapter = "labs/matmul").text, "optimized_vector 5;");
    assert_int_equal(LOOK(s, .chapter = "ch0?").n, 3);
    assert_int_equal(LOOK(s, .chapter = "ch0").n, 0);
    assert_string_equal(LOOK(s, .variant = "*_vector").text, "optimized_vector 5;");
    assert_int_equal(LOOK(s, .device = "cuda").n, 0);
    assert_int_equal(LOOK(s, .goal = "speed", .device = "cpu", .grade = "development").n, 4);
    assert_int_equal(LOOK(s, .run = all.run).n, 1);
    assert_int_equal(LOOK(s, .run = "20*").n, 4);
    assert_int_equal(LOOK(s, .since = all.last.started_at + 3600).n, 0);
    assert_int_equal(LOOK(s, .until = all.last.started_at - 3600).n, 0);
    assert_int_equal(LOOK(s, .since = all.last.started_at - 3600, .until = all.last.started_at + 3600).n, 4);
}

static void the_newest_come_first_and_a_limit_keeps_them(void **state)
{
    struct scene *s = *state;

    record_several(s);
    assert_string_equal(LOOK(s, .target = "ch07:transpose", .hardware = "amd-epyc-9654-2c").text,
                        "optimized_tiled 4;optimized_tiled 2;");
    assert_string_equal(LOOK(s, .limit = 1).text, "optimized_vector 5;");
    assert_string_equal(LOOK(s, .limit = 2).text, "optimized_vector 5;optimized_tiled 4;");
    assert_int_equal(LOOK(s, .any_order = true).n, 4);
    assert_int_equal(LOOK(s, .any_order = true, .limit = 3).n, 3);
    assert_string_equal(LOOK(s, .any_order = true, .figures_only = true, .chapter = "labs/*").text, "optimized_vector 5;");
}

static bool stop_at_once(const struct aisp_result_row *row, void *context)
{
    (void)row;
    ++*(int *)context;
    return false;
}

static void a_visitor_can_stop(void **state)
{
    struct scene *s = *state;
    const struct aisp_filter filter = { .run = NULL };
    int n = 0;

    record_several(s);
    expect_ok(s, aisp_store_each_result(s->store, &filter, stop_at_once, &n, &s->err));
    assert_int_equal(n, 1);
    assert_int_equal(LOOK(s, .limit = 0).n, 4);          /* and the next question is answered whole */
}

static void the_latest_is_one_of_each_series_of_sealed_runs(void **state)
{
    struct scene *s = *state;
    char open[AISP_RUN_ID_MAX];
    struct seen all;

    record_several(s);
    scene_begin(s, 2, open);
    scene_add(s, open, scene_result("ch07:transpose", "optimized_tiled", 99));
    assert_int_equal(LOOK(s, .limit = 0).n, 5);
    assert_int_equal(LOOK(s, .complete = true).n, 4);
    assert_string_equal(LOOK(s, .latest = true, .target = "ch07:transpose", .hardware = "*-2c").text, "optimized_tiled 4;");
    assert_int_equal(LOOK(s, .latest = true).n, 3);
    all = LOOK(s, .hardware = "*-2c", .complete = true);
    assert_string_equal(LOOK(s, .latest = true, .run = all.run).text, "optimized_tiled 2;"); /* of what `run` lets through */
    scene_seal(s, open);
    assert_string_equal(LOOK(s, .latest = true, .target = "ch07:transpose", .hardware = "*-2c").text, "optimized_tiled 99;");
}

static void who_was_found_invalid_since_does_not_come_back_with_an_older_figure(void **state)
{
    struct scene *s = *state;
    json_t *r = scene_result("ch07:transpose", "optimized_tiled", 3);
    char run[AISP_RUN_ID_MAX];

    scene_record(s, 2, "ch07:transpose", "optimized_tiled", 2, run);
    assert_int_equal(LOOK(s, .latest = true, .grade = "development").n, 1);
    scene_begin(s, 2, run);
    json_object_set_new(r, "grade", json_string("invalid"));
    scene_add(s, run, r);
    scene_seal(s, run);
    assert_int_equal(LOOK(s, .latest = true, .grade = "development").n, 0);
    assert_int_equal(LOOK(s, .latest = true, .grade = "invalid").n, 1);
}

static void kinds_of_machines_are_listed(void **state)
{
    struct scene *s = *state;
    json_t *list, *first;

    record_several(s);
    expect_ok(s, aisp_store_hardware(s->store, &list, &s->err));
    first = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(first, "hardware")), "amd-epyc-9654-2c");
    assert_int_equal(json_integer_value(json_object_get(first, "results")), 3);
    json_decref(list);
}

static void a_manifest_without_a_machine_has_unknown_hardware(void **state)
{
    struct scene *s = *state;
    json_t *manifest = json_pack("{s:s}", "host", "h");
    char run[AISP_RUN_ID_MAX];

    expect_ok(s, aisp_store_run_begin(s->store, manifest, run, &s->err));
    scene_add(s, run, scene_result("t:a", "v", 1));
    assert_string_equal(LOOK(s, .limit = 0).hardware, "");
    json_decref(manifest);
}

static void a_card_makes_another_kind_of_machine(void **state)
{
    struct scene *s = *state;
    json_t *r = scene_result("ch07:a", "v", 2),
           *evidence = json_pack("{s:{s:{s:s}}}", "machine", "card", "name", "NVIDIA H100");
    char run[AISP_RUN_ID_MAX];

    scene_begin(s, 2, run);
    json_object_set_new(r, "device", json_string("cuda"));
    expect_ok(s, aisp_store_result_add(s->store, run, r, evidence, &s->err));
    assert_string_equal(LOOK(s, .device = "cuda").hardware, "nvidia-h100-amd-epyc-9654-2c");
    json_decref(r);
    json_decref(evidence);
}

static void add_of_scope(struct scene *s, const char *run, const char *scope, double ratio)
{
    json_t *r = scene_result("ch07:a", "v", ratio), *evidence = json_object();

    json_object_set_new(r, "device", json_string("cuda"));
    json_object_set_new(r, "scope", json_string(scope));
    json_object_set_new(r, "key", json_string(scope));
    expect_ok(s, aisp_store_result_add(s->store, run, r, evidence, &s->err));
    json_decref(r);
    json_decref(evidence);
}

/* History, the latest and what is learned of noise go by series, and those by device. */
static void scopes_are_series_of_their_own(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX];

    scene_begin(s, 2, run);
    add_of_scope(s, run, "call", 2);
    add_of_scope(s, run, "kernel", 3);
    scene_seal(s, run);
    assert_int_equal(LOOK(s, .latest = true).n, 2);
    assert_string_equal(LOOK(s, .device = "cuda").text, "v 2;");
    assert_string_equal(LOOK(s, .device = "cuda/kernel").text, "v 3;");
    assert_int_equal(LOOK(s, .device = "cuda*").n, 2);
}

static void a_rebuilt_index_says_the_same(void **state)
{
    struct scene *s = *state;
    struct aisp_store_counts before, after;
    struct seen all, latest;
    bool whole;

    record_several(s);
    all = LOOK(s, .limit = 0);
    latest = LOOK(s, .latest = true);
    expect_ok(s, aisp_store_count(s->store, &before, &s->err));
    expect_ok(s, aisp_db_exec(s->store, "DELETE FROM figure; DELETE FROM newest; DELETE FROM series", &s->err));
    expect_ok(s, aisp_index_is_whole(s->store, &whole, &s->err));
    assert_false(whole);
    expect_ok(s, aisp_db_begin(s->store, &s->err));
    expect_ok(s, aisp_index_rebuild(s->store, &s->err));
    expect_ok(s, aisp_db_commit(s->store, &s->err));
    expect_ok(s, aisp_index_is_whole(s->store, &whole, &s->err));
    assert_true(whole);
    assert_string_equal(LOOK(s, .limit = 0).text, all.text);
    assert_string_equal(LOOK(s, .latest = true).text, latest.text);
    expect_ok(s, aisp_store_count(s->store, &after, &s->err));
    assert_memory_equal(&before, &after, sizeof before);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        T(a_row_says_what_its_result_and_its_run_say),
        T(figures_are_where_each_goal_has_them),
        T(an_invalid_result_has_no_figures_and_is_counted),
        T(filters_let_through_what_they_name),
        T(the_newest_come_first_and_a_limit_keeps_them),
        T(a_visitor_can_stop),
        T(the_latest_is_one_of_each_series_of_sealed_runs),
        T(who_was_found_invalid_since_does_not_come_back_with_an_older_figure),
        T(kinds_of_machines_are_listed),
        T(a_manifest_without_a_machine_has_unknown_hardware),
        T(a_card_makes_another_kind_of_machine),
        T(scopes_are_series_of_their_own),
        T(a_rebuilt_index_says_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
