/* store_db_test.c - what both engines do alike, however their statements are used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <sys/wait.h>

#include "store/attempt.h"
#include "store/db.h"
#include "tests/unit/store_scene.h"

static int set_up(void **state)
{
    struct scene *s;

    scene_open(state);
    s = *state;
    expect_ok(s, aisp_db_exec(s->store, "CREATE TABLE t (n BIGINT, x DOUBLE PRECISION, name TEXT)", &s->err));
    return 0;
}

static struct aisp_stmt *prepare(struct scene *s, const char *sql, const char *const *text, int n)
{
    struct aisp_stmt *stmt;

    assert_int_equal(aisp_db_prepare(s->store, sql, text, n, &stmt, &s->err), AISP_OK);
    return stmt;
}

static bool step(struct scene *s, struct aisp_stmt *stmt)
{
    bool row = false;

    if (aisp_db_step(s->store, stmt, &row, &s->err))
        fail_msg("%s", s->err.text);
    return row;
}

/* The single number that a statement returns. */
static int64_t number(struct scene *s, const char *sql)
{
    struct aisp_stmt *stmt = prepare(s, sql, NULL, 0);
    int64_t n;

    assert_true(step(s, stmt));
    n = aisp_db_column_int(stmt, 0);
    assert_false(step(s, stmt));
    aisp_db_finalize(stmt);
    return n;
}

/* A statement that counts from 1 to n. */
static struct aisp_stmt *counting(struct scene *s, const char *n)
{
    return prepare(s, "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < CAST(?1 AS BIGINT))"
                      " SELECT i, 'is it ?1 that this says' FROM c ORDER BY i", &n, 1);
}

static void values_come_back_exactly(void **state)
{
    static const char *const values[] = { "9007199254740993", "0.1", "it's \xc3\xa9t\xc3\xa9 ?1", NULL };
    struct scene *s = *state;
    struct aisp_stmt *stmt;

    assert_int_equal(aisp_db_run(s->store,
                                 "INSERT INTO t (n, x, name) VALUES (CAST(?1 AS BIGINT), CAST(?2 AS DOUBLE PRECISION), ?3),"
                                 " (NULL, CAST('4.9e-324' AS DOUBLE PRECISION), ?4)",
                                 values, 4, &s->err),
                     AISP_OK);
    stmt = prepare(s, "SELECT n, x, name, n > 1, name IS NULL FROM t ORDER BY n IS NULL", NULL, 0);
    assert_true(step(s, stmt));
    assert_int_equal(aisp_db_column_int(stmt, 0), 9007199254740993);
    assert_true(aisp_db_column_real(stmt, 1) == 0.1);
    assert_string_equal(aisp_db_column_text(stmt, 2), values[2]);
    assert_int_equal(aisp_db_column_int(stmt, 3), 1);
    assert_int_equal(aisp_db_column_int(stmt, 4), 0);
    assert_true(step(s, stmt));
    assert_true(aisp_db_column_is_null(stmt, 0));
    assert_int_equal(aisp_db_column_int(stmt, 0), 0);
    assert_true(aisp_db_column_real(stmt, 1) == 4.9e-324);
    assert_null(aisp_db_column_text(stmt, 2));
    assert_int_equal(aisp_db_column_int(stmt, 4), 1);
    assert_false(step(s, stmt));
    aisp_db_finalize(stmt);
}

static void statements_go_on_where_others_came_between(void **state)
{
    struct scene *s = *state;
    struct aisp_stmt *outer = counting(s, "3000"), *inner;

    for (int i = 1; i <= 3000; i++) {
        assert_true(step(s, outer));
        assert_int_equal(aisp_db_column_int(outer, 0), i);
        if (i % 1000)
            continue;
        inner = counting(s, "7");
        assert_true(step(s, inner));
        assert_int_equal(aisp_db_exec(s->store, "INSERT INTO t (n) VALUES (1)", &s->err), AISP_OK);
        assert_true(step(s, inner));
        assert_int_equal(aisp_db_column_int(inner, 0), 2);
        assert_string_equal(aisp_db_column_text(inner, 1), "is it ?1 that this says");
        aisp_db_finalize(inner);
    }
    assert_false(step(s, outer));
    aisp_db_finalize(outer);
    assert_int_equal(number(s, "SELECT count(*) FROM t"), 3);
}

static void a_statement_that_is_left_early_leaves_nothing_behind(void **state)
{
    static const char *const lengths[] = { "3", "200000" };
    struct scene *s = *state;

    for (size_t i = 0; i < 2; i++) {
        struct aisp_stmt *stmt = counting(s, lengths[i]);

        assert_true(step(s, stmt));
        aisp_db_finalize(stmt);
        assert_int_equal(number(s, "SELECT 41 + 1"), 42);
    }
    assert_int_equal(aisp_db_begin(s->store, &s->err), AISP_OK);
    for (size_t i = 0; i < 2; i++) {
        struct aisp_stmt *stmt = counting(s, lengths[i]);

        assert_int_equal(aisp_db_exec(s->store, "INSERT INTO t (n) VALUES (1)", &s->err), AISP_OK);
        assert_true(step(s, stmt));
        aisp_db_finalize(stmt);
    }
    assert_int_equal(aisp_db_commit(s->store, &s->err), AISP_OK);
    assert_int_equal(number(s, "SELECT count(*) FROM t"), 2);
}

static void a_statement_runs_again_with_other_values(void **state)
{
    const char *value = "0";
    struct scene *s = *state;
    struct aisp_stmt *stmt = prepare(s, "INSERT INTO t (n, name) VALUES (CAST(?1 AS BIGINT), ?1) RETURNING n", &value, 1);
    char text[16];

    for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof text, "%d", i);
        value = text;
        if (i)
            assert_int_equal(aisp_db_rebind(stmt, &value, 1, &s->err), AISP_OK);
        assert_true(step(s, stmt));
        assert_int_equal(aisp_db_column_int(stmt, 0), i);
    }
    aisp_db_finalize(stmt);
    assert_int_equal(number(s, "SELECT sum(n) FROM t WHERE CAST(n AS TEXT) = name"), 300 * 299 / 2);
}

static void what_is_rolled_back_is_not_there(void **state)
{
    struct scene *s = *state;
    struct aisp_err err;

    assert_int_equal(aisp_db_begin(s->store, &s->err), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "INSERT INTO t (n) VALUES (1)", &s->err), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "INSERT INTO no_such_table VALUES (1)", &err), AISP_E_IO);
    aisp_db_rollback(s->store);
    assert_int_equal(number(s, "SELECT count(*) FROM t"), 0);
    assert_int_equal(aisp_db_begin(s->store, &s->err), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "INSERT INTO t (n) VALUES (1)", &s->err), AISP_OK);
    assert_int_equal(aisp_db_commit(s->store, &s->err), AISP_OK);
    assert_int_equal(number(s, "SELECT count(*) FROM t"), 1);
}

static void texts_sort_by_their_bytes_and_match_by_patterns(void **state)
{
    static const char *const sorted[] = { "20261128T070501Z-1f3a9c", "20261128T070501Z-a", "20261128T070501Za", "B", "a",
                                          "\xc3\xa9" };
    struct scene *s = *state;
    struct aisp_stmt *stmt;

    for (int i = 5; i >= 0; i--)
        assert_int_equal(aisp_db_run(s->store, "INSERT INTO run (id, started_at, host, manifest) VALUES (?1, 1, '', '{}')",
                                     &sorted[i], 1, &s->err), AISP_OK);
    stmt = prepare(s, "SELECT id FROM run ORDER BY id", NULL, 0);
    for (int i = 0; i < 6; i++) {
        assert_true(step(s, stmt));
        assert_string_equal(aisp_db_column_text(stmt, 0), sorted[i]);
    }
    aisp_db_finalize(stmt);
    assert_int_equal(number(s, "SELECT count(*) FROM run WHERE glob('2026*Z-?', id)"), 1);
    assert_int_equal(number(s, "SELECT count(*) FROM run WHERE glob('2026*', id)"), 3);
    assert_int_equal(number(s, "SELECT count(*) FROM run WHERE glob('%', id) OR glob('_', id) OR glob('b', id)"), 0);
    assert_int_equal(number(s, "SELECT CASE WHEN json_extract('{\"a\": {\"b\": \"x\"}}', '$.a.b') = 'x' THEN 1 ELSE 0 END"), 1);
    assert_int_equal(number(s, "SELECT CASE WHEN json_extract('{\"a\": 1}', '$.b') IS NULL THEN 1 ELSE 0 END"), 1);
}

static void a_table_is_there_or_not(void **state)
{
    struct scene *s = *state;
    bool has;

    assert_int_equal(aisp_db_has_table(s->store, "attempt", &has, &s->err), AISP_OK);
    assert_true(has);
    assert_int_equal(aisp_db_has_table(s->store, "no_such_table", &has, &s->err), AISP_OK);
    assert_false(has);
}

#ifdef AISP_SANITIZED
enum { ROOM_KIB = 128 * 1024 };       /* what was freed is kept for a while there, to catch its use */
#else
enum { ROOM_KIB = 16 * 1024 };
#endif

static long resident_kib(void)
{
    long kib = 0;
    char line[128];
    FILE *f = fopen("/proc/self/status", "re");

    while (fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    fclose(f);
    return kib;
}

static void many_rows_are_never_in_memory_together(void **state)
{
    const long before = resident_kib();
    struct scene *s = *state;
    struct aisp_stmt *stmt = prepare(s, "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300000)"
                                        " SELECT i, 'a text of some hundred bytes, so that all of these rows together would be"
                                        " seen in what this process has in memory at once' FROM c", NULL, 0);
    int64_t n = 0;

    while (step(s, stmt)) {
        n++;
        assert_int_equal(aisp_db_column_int(stmt, 0), n);
        if (n == 1000)                        /* the others are kept while another statement is run */
            assert_int_equal(number(s, "SELECT 41 + 1"), 42);
    }
    aisp_db_finalize(stmt);
    assert_int_equal(n, 300000);
    assert_in_range(resident_kib() - before, 0, ROOM_KIB);
}

/* Starts n processes that each open the store and do `work`; all must succeed. */
static void at_once(struct scene *s, int n, void (*work)(struct aisp_store *store))
{
    int status;

    for (int i = 0; i < n; i++)
        if (fork() == 0) {
            struct aisp_store *store;
            struct aisp_err err;

            if (aisp_store_open(&store, s->folder, true, &err)) {
                fprintf(stderr, "%s\n", err.text);
                _exit(1);
            }
            work(store);
            aisp_store_close(store);
            _exit(0);
        }
    for (int i = 0; i < n; i++) {
        wait(&status);
        assert_int_equal(status, 0);
    }
}

enum { JUDGES = 3, CANDIDATES = 15 };

static void judge(struct aisp_store *store)
{
    json_t *answer = json_object();
    int64_t n;

    for (int i = 0; i < CANDIDATES; i++)
        if (aisp_store_attempt_add(store, &(struct aisp_attempt){ "ch01:x", "mine", "0", "0", "r", "", 1, answer }, &n, NULL))
            _exit(2);
    json_decref(answer);
}

static void two_judges_at_once_give_no_number_twice(void **state)
{
    struct scene *s = *state;

    at_once(s, JUDGES, judge);
    assert_int_equal(number(s, "SELECT count(*) FROM attempt"), JUDGES * CANDIDATES);
    assert_int_equal(number(s, "SELECT max(number) FROM attempt"), JUDGES * CANDIDATES);
}

static void no_work(struct aisp_store *store) { (void)store; }

/* One in twenty failed where each of them made it by itself. */
static void processes_that_make_the_same_store_at_once_all_find_it_whole(void **state)
{
    struct scene *s = *state;
    char *before = s->folder;

    for (int i = 0; i < 60; i++) {
        s->folder = aisp_format("%s/fresh-%d", before, i);
        store_place(s->folder);
        at_once(s, 4, no_work);
        free(s->folder);
    }
    s->folder = before;
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, scene_close)
    const struct CMUnitTest tests[] = {
        T(values_come_back_exactly),
        T(statements_go_on_where_others_came_between),
        T(a_statement_that_is_left_early_leaves_nothing_behind),
        T(a_statement_runs_again_with_other_values),
        T(what_is_rolled_back_is_not_there),
        T(texts_sort_by_their_bytes_and_match_by_patterns),
        T(a_table_is_there_or_not),
        T(many_rows_are_never_in_memory_together),
        T(two_judges_at_once_give_no_number_twice),
        T(processes_that_make_the_same_store_at_once_all_find_it_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
