/* quarantine_test.c - in, again, out, in again; what is shown of it, and that it travels with the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "commands/quarantine.h"
#include "commands/result.h"
#include "store/db.h"
#include "tests/unit/temporary.h"
#include "tests/unit/store_place.h"

struct scene {
    char *folder;
    struct aisp_store *store;
    struct aisp_err err;
};

static int set_up(void **state)
{
    struct scene *s = aisp_xcalloc(1, sizeof *s);

    s->folder = temporary_folder();
    store_place(s->folder);
    assert_int_equal(aisp_store_open(&s->store, s->folder, true, &s->err), AISP_OK);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    aisp_store_close(s->store);
    remove_folder(s->folder);
    free(s);
    return 0;
}

static const struct aisp_quarantine_entry tiled = { .target = "ch07:transpose",
                                                    .variant = "optimized_tiled",
                                                    .device = "cpu",
                                                    .run = "20261128T070501Z-1f3a9c",
                                                    .finding = "stale-cache",
                                                    .reason = "slot 3: expected 2, saw 1" };

static size_t size(struct scene *s, json_t **list)
{
    assert_int_equal(aisp_store_quarantine_list(s->store, list, &s->err), AISP_OK);
    return json_array_size(*list);
}

static void who_is_found_wrong_is_in_with_the_reason_until_a_passing_run(void **state)
{
    struct scene *s = *state;
    bool was_in = false;
    json_t *list;

    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(size(s, &list), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "reason")),
                        tiled.reason);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "check")),
                        "stale-cache");
    json_decref(list);
    assert_int_equal(aisp_store_quarantine_clear(s->store, &tiled, &was_in, &s->err), AISP_OK);
    assert_true(was_in);
    assert_int_equal(size(s, &list), 0);
    json_decref(list);
}

static void letting_out_who_is_not_in_writes_nothing(void **state)
{
    struct scene *s = *state;
    bool was_in = true;
    json_t *history;

    assert_int_equal(aisp_store_quarantine_clear(s->store, &tiled, &was_in, &s->err), AISP_OK);
    assert_false(was_in);
    assert_int_equal(aisp_store_quarantine_history(s->store, &history, &s->err), AISP_OK);
    assert_int_equal(json_array_size(history), 0);
    json_decref(history);
}

static void being_wrong_again_counts_and_the_newest_reason_is_shown(void **state)
{
    struct scene *s = *state;
    struct aisp_quarantine_entry again = tiled;
    const json_t *e;
    json_t *list;

    again.reason = "another one";
    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_clear(s->store, &tiled, NULL, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_put(s->store, &again, &s->err), AISP_OK);
    assert_int_equal(size(s, &list), 1);
    e = json_array_get(list, 0);
    assert_int_equal(json_integer_value(json_object_get(e, "times")), 2);
    assert_string_equal(json_string_value(json_object_get(e, "reason")), "another one");
    json_decref(list);
}

static void others_stay_in(void **state)
{
    struct scene *s = *state;
    struct aisp_quarantine_entry other = tiled;
    json_t *list;

    other.variant = "optimized_avx2";
    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_put(s->store, &other, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_clear(s->store, &tiled, NULL, &s->err), AISP_OK);
    assert_int_equal(size(s, &list), 1);
    assert_non_null(aisp_quarantine_find(list, "ch07:transpose", "optimized_avx2", "cpu"));
    assert_null(aisp_quarantine_find(list, "ch07:transpose", "optimized_tiled", "cpu"));
    json_decref(list);
}

static void the_history_can_not_be_changed(void **state)
{
    struct scene *s = *state;

    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "DELETE FROM quarantine", &s->err), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "rows are only added"));
    assert_int_equal(aisp_db_exec(s->store, "UPDATE quarantine SET is_in = 0", &s->err), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "rows are only added"));
}

static json_t *result(const char *grade, const char *side)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:[{s:s, s:s, s:s?, s:s}]}", "target",
                     "ch07:transpose", "variant", "optimized_tiled", "reference", "baseline",
                     "device", "cpu", "grade", grade, "findings", "check", "approximation-drift",
                     "severity", "violation", "side", side, "text", "element 7 is off");
}

static void the_side_that_was_found_wrong_is_put_in(void **state)
{
    static const struct {
        const char *side, *variant;
    } cases[] = { { "b", "optimized_tiled" }, { "a", "baseline" } };
    struct scene *s = *state;

    for (size_t i = 0; i < 2; i++) {
        json_t *results = json_pack("[o]", result("invalid", cases[i].side)), *list;
        size_t n;

        assert_int_equal(aisp_quarantine_put_in(s->store, "r", results, &n, &s->err), AISP_OK);
        assert_int_equal(n, 1);
        size(s, &list);
        assert_non_null(aisp_quarantine_find(list, "ch07:transpose", cases[i].variant, "cpu"));
        json_decref(list);
        json_decref(results);
    }
}

static void what_is_said_of_the_machine_accuses_nobody(void **state)
{
    struct scene *s = *state;
    json_t *results = json_pack("[o]", result("invalid", NULL));
    size_t n = 7;

    assert_int_equal(aisp_quarantine_put_in(s->store, "r", results, &n, &s->err), AISP_OK);
    assert_int_equal(n, 0);
    json_decref(results);
}

static void
a_result_that_passed_lets_both_of_its_variants_out_and_an_invalid_one_nobody(void **state)
{
    struct scene *s = *state;
    struct aisp_quarantine_entry base = tiled;
    json_t *good = result("development", "b"), *bad = result("invalid", "b"), *names;

    base.variant = "baseline";
    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_put(s->store, &base, &s->err), AISP_OK);
    assert_int_equal(aisp_quarantine_let_out(s->store, "r", bad, &names, &s->err), AISP_OK);
    assert_int_equal(json_array_size(names), 0);
    json_decref(names);
    assert_int_equal(aisp_quarantine_let_out(s->store, "r", good, &names, &s->err), AISP_OK);
    assert_int_equal(json_array_size(names), 2);
    json_decref(names);
    json_decref(good);
    json_decref(bad);
}

/* A result as the commands make it of what could not be tried. */
static json_t *refused(const char *variant, const char *device, enum aisp_status status)
{
    return aisp_result_refused(&(struct aisp_refusal){ .key = "k",
                                                       .target = "ch07:transpose",
                                                       .variant = variant,
                                                       .reference = "baseline",
                                                       .device = device,
                                                       .status = status,
                                                       .why = "1 GiB is not there" });
}

static size_t put_in(struct scene *s, json_t *result)
{
    json_t *results = json_pack("[o]", result);
    size_t n;

    assert_int_equal(aisp_quarantine_put_in(s->store, "r", results, &n, &s->err), AISP_OK);
    json_decref(results);
    return n;
}

static void a_variant_that_is_refused_is_put_in_for_the_device_it_is_for(void **state)
{
    struct scene *s = *state;
    json_t *list;

    assert_int_equal(put_in(s, refused("optimized_tiled", "cuda", AISP_E_REFUSED)), 1);
    size(s, &list);
    assert_non_null(aisp_quarantine_find(list, "ch07:transpose", "optimized_tiled", "cuda"));
    assert_null(aisp_quarantine_find(list, "ch07:transpose", "optimized_tiled", "cpu"));
    json_decref(list);
}

static void a_full_machine_and_a_wrong_question_accuse_nobody(void **state)
{
    static const enum aisp_status statuses[] = { AISP_E_NO_MEMORY, AISP_E_USAGE, AISP_E_UNAVAILABLE };
    struct scene *s = *state;

    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        json_t *result = refused("optimized_tiled", "cpu", statuses[i]);

        assert_string_equal(json_string_value(json_object_get(result, "verdict")), "UNSURE");
        assert_false(aisp_result_is_invalid(result));
        assert_int_equal(put_in(s, result), 0);
    }
}

static void what_could_not_be_tried_lets_nobody_out(void **state)
{
    struct scene *s = *state;
    json_t *result = refused("optimized_tiled", "cpu", AISP_E_NO_MEMORY), *names;

    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_quarantine_let_out(s->store, "r", result, &names, &s->err), AISP_OK);
    assert_int_equal(json_array_size(names), 0);
    json_decref(names);
    json_decref(result);
}

static void a_target_that_is_refused_as_a_whole_is_no_variant_to_put_in(void **state)
{
    assert_int_equal(put_in(*state, refused("-", "cpu", AISP_E_REFUSED)), 0);
}

static void it_travels_with_an_export_and_twice_changes_nothing(void **state)
{
    struct scene *s = *state;
    char *file = aisp_format("%s/all.jsonl", s->folder),
         *other = aisp_format("%s/other", s->folder);
    struct aisp_store *there = NULL;
    json_t *list;

    assert_int_equal(aisp_store_quarantine_put(s->store, &tiled, &s->err), AISP_OK);
    assert_int_equal(aisp_store_export(s->store, file, &s->err), AISP_OK);
    store_place(other);
    assert_int_equal(aisp_store_open(&there, other, true, &s->err), AISP_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(aisp_store_import(there, file, &s->err), AISP_OK);
    assert_int_equal(aisp_store_quarantine_history(there, &list, &s->err), AISP_OK);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    aisp_store_close(there);
    free(file);
    free(other);
}

/* Made before there was a quarantine, and only read. */
static void an_older_store_has_nobody_in_it(void **state)
{
    struct scene *s = *state;
    json_t *list;

    assert_int_equal(aisp_db_exec(s->store, "DROP TABLE quarantine", &s->err), AISP_OK);
    assert_int_equal(size(s, &list), 0);
    json_decref(list);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(who_is_found_wrong_is_in_with_the_reason_until_a_passing_run),
        T(letting_out_who_is_not_in_writes_nothing),
        T(being_wrong_again_counts_and_the_newest_reason_is_shown),
        T(others_stay_in),
        T(the_history_can_not_be_changed),
        T(the_side_that_was_found_wrong_is_put_in),
        T(what_is_said_of_the_machine_accuses_nobody),
        T(a_result_that_passed_lets_both_of_its_variants_out_and_an_invalid_one_nobody),
        T(a_variant_that_is_refused_is_put_in_for_the_device_it_is_for),
        T(a_full_machine_and_a_wrong_question_accuse_nobody),
        T(what_could_not_be_tried_lets_nobody_out),
        T(a_target_that_is_refused_as_a_whole_is_no_variant_to_put_in),
        T(it_travels_with_an_export_and_twice_changes_nothing),
        T(an_older_store_has_nobody_in_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
