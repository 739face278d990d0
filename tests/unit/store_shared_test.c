/* store_shared_test.c - the shared store alone: what machines see of each other, and how it fails: each time in one clear line,
 * nothing half done, no password shown. Most of it needs a server (tests/store/postgresql.sh starts one). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "store/db.h"
#include "store/evidence.h"
#include "tests/unit/store_scene.h"

/* The single number that a statement returns. */
static int64_t number(struct scene *s, const char *sql)
{
    struct aisp_stmt *stmt;
    bool row = false;
    int64_t n;

    expect_ok(s, aisp_db_prepare(s->store, sql, NULL, 0, &stmt, &s->err));
    expect_ok(s, aisp_db_step(s->store, stmt, &row, &s->err));
    assert_true(row);
    n = aisp_db_column_int(stmt, 0);
    aisp_db_finalize(stmt);
    return n;
}

static json_t *result(const char *key)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", key, "target", "ch07:transpose", "variant", "optimized_tiled",
                     "device", "cpu", "grade", "development");
}

static enum aisp_status add(struct scene *s, const char *run, const char *key)
{
    json_t *r = result(key), *evidence = json_pack("{s:[i, i], s:s}", "window", 1, 2, "of", key);
    const enum aisp_status st = aisp_store_result_add(s->store, run, r, evidence, &s->err);

    json_decref(r);
    json_decref(evidence);
    return st;
}

static void only_shared(void)
{
    if (!store_server())
        skip();
}

static void reopen(struct scene *s, const char *folder)
{
    aisp_store_close(s->store);
    s->store = NULL;
    assert_int_equal(aisp_store_open(&s->store, folder, false, &s->err), AISP_OK);
}

static void evidence_is_read_where_its_file_is_not(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *here, *there, *elsewhere, sha256[65];
    json_t *evidence;

    only_shared();
    elsewhere = aisp_format("%s/elsewhere", s->folder);
    scene_begin(s, 2, run);
    assert_int_equal(add(s, run, "one"), AISP_OK);
    assert_int_equal(aisp_store_evidence_text(s->store, run, "one", &here, &s->err), AISP_OK);
    reopen(s, elsewhere);
    assert_int_equal(aisp_store_evidence_text(s->store, run, "one", &there, &s->err), AISP_OK);
    assert_string_equal(here, there);
    assert_int_equal(aisp_store_evidence_load(s->store, run, "one", &evidence, &s->err), AISP_OK);
    assert_string_equal(json_string_value(json_object_get(evidence, "of")), "one");
    assert_int_equal(aisp_store_evidence_hash(s->store, run, "one", sha256, &s->err), AISP_OK);
    assert_int_equal(aisp_store_evidence_load(s->store, run, "two", &evidence, &s->err), AISP_E_NOT_FOUND);
    json_decref(evidence);
    free(here), free(there), free(elsewhere);
}

static void evidence_goes_only_when_all_that_have_it_are_pruned(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *sql;

    only_shared();
    scene_begin(s, 2, run);
    assert_int_equal(add(s, run, "one"), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "DELETE FROM evidence", &s->err), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "rows are only added"));
    assert_int_equal(aisp_evidence_forget(s->store, run, "one", &s->err), AISP_OK);
    assert_int_equal(number(s, "SELECT count(*) FROM evidence"), 1);
    sql = aisp_format("INSERT INTO pruned (run, key, at, bytes) VALUES ('%s', 'one', 1, 1)", run);
    assert_int_equal(aisp_db_exec(s->store, sql, &s->err), AISP_OK);
    assert_int_equal(aisp_evidence_forget(s->store, run, "one", &s->err), AISP_OK);
    assert_int_equal(number(s, "SELECT count(*) FROM evidence"), 0);
    free(sql);
}

static void a_run_of_another_machine_is_not_resumed_here(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], found[AISP_RUN_ID_MAX], *elsewhere;

    only_shared();
    elsewhere = aisp_format("%s/elsewhere", s->folder);
    scene_begin(s, 2, run);
    assert_int_equal(aisp_store_run_incomplete(s->store, NULL, found, &s->err), AISP_OK);
    reopen(s, elsewhere);
    assert_int_equal(aisp_store_run_incomplete(s->store, NULL, found, &s->err), AISP_E_NOT_FOUND);
    free(elsewhere);
}

static void a_lost_connection_is_one_line_and_loses_nothing(void **state)
{
    struct scene *s = *state, killer = { .folder = s->folder };
    char run[AISP_RUN_ID_MAX];
    json_t *loaded;

    only_shared();
    scene_begin(s, 2, run);
    assert_int_equal(add(s, run, "one"), AISP_OK);
    assert_int_equal(aisp_store_open(&killer.store, s->folder, true, &s->err), AISP_OK);
    number(&killer, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    " AND datname = current_database()");
    assert_int_equal(add(s, run, "two"), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "the connection was lost"));
    assert_non_null(strstr(s->err.text, "--resume"));
    assert_int_equal(add(s, run, "two"), AISP_E_IO);
    assert_int_equal(aisp_store_run_load(killer.store, run, &loaded, &s->err), AISP_OK);
    assert_true(json_is_false(json_object_get(loaded, "complete")));
    assert_int_equal(json_array_size(json_object_get(loaded, "results")), 1);
    json_decref(loaded);
    aisp_store_close(killer.store);
}

static void expect_refusal(struct scene *s, enum aisp_status status, const char *words)
{
    struct aisp_store *store = NULL;

    assert_int_equal(aisp_store_open(&store, s->folder, true, &s->err), status);
    assert_null(store);
    if (!strstr(s->err.text, words) || strchr(s->err.text, '\n'))
        fail_msg("\"%s\" is not one line about \"%s\"", s->err.text, words);
    assert_null(strstr(s->err.text, "secret"));
}

static void schemas_that_are_not_ours_are_refused_untouched(void **state)
{
    struct scene *s = *state;

    only_shared();
    assert_int_equal(aisp_db_exec(s->store, "INSERT INTO schema_version (version) VALUES (77)", &s->err), AISP_OK);
    expect_refusal(s, AISP_E_IO, "made by a newer aisp (schema 77");
    assert_int_equal(aisp_db_exec(s->store, "DROP TABLE schema_version", &s->err), AISP_OK);
    expect_refusal(s, AISP_E_IO, "another program's");
}

static void an_older_schema_is_not_read_but_brought_up_to_date_by_who_writes(void **state)
{
    struct aisp_store *store = NULL;
    struct scene *s = *state;

    only_shared();
    assert_int_equal(aisp_db_exec(s->store, "DROP SCHEMA aisp CASCADE; CREATE SCHEMA aisp; CREATE TABLE schema_version (version"
                                            " INTEGER PRIMARY KEY)", &s->err), AISP_OK);
    assert_int_equal(aisp_db_exec(s->store, "INSERT INTO schema_version VALUES (0)", &s->err), AISP_OK);
    assert_int_equal(aisp_store_open(&store, s->folder, false, &s->err), AISP_E_NOT_FOUND);
    assert_int_equal(aisp_db_exec(s->store, "DROP TABLE schema_version", &s->err), AISP_OK);
    assert_int_equal(aisp_store_open(&store, s->folder, true, &s->err), AISP_OK);
    aisp_store_close(store);
    assert_int_equal(aisp_db_exec(s->store, "DELETE FROM schema_version WHERE version > 1", &s->err), AISP_OK);
    assert_int_equal(aisp_store_open(&store, s->folder, false, &s->err), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "made by an older aisp (schema 1"));
}

/* AISP_STORE for another role or database of the same server. */
static void point_to(const char *role, const char *database)
{
    const char *at = strchr(store_server(), '@');
    char *url = aisp_format("postgresql://%s%s/%s", role, at, database);

    setenv("AISP_STORE", url, 1);
    free(url);
}

static void a_role_that_may_only_read_reads_and_is_told_so_before_it_measures(void **state)
{
    struct scene *s = *state;
    char run[AISP_RUN_ID_MAX], *database;
    struct aisp_store *store;
    json_t *runs;

    only_shared();
    scene_begin(s, 2, run);
    database = aisp_xstrdup(strrchr(getenv("AISP_STORE"), '/') + 1);
    aisp_db_exec(s->store, "CREATE ROLE reader LOGIN", NULL);
    assert_int_equal(aisp_db_exec(s->store, "GRANT USAGE ON SCHEMA aisp TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA aisp TO"
                                            " reader", &s->err), AISP_OK);
    point_to("reader", database);
    assert_int_equal(aisp_store_open(&store, s->folder, false, &s->err), AISP_OK);
    assert_int_equal(aisp_store_runs(store, 10, &runs, &s->err), AISP_OK);
    assert_int_equal(json_array_size(runs), 1);
    json_decref(runs);
    assert_int_equal(aisp_db_exec(store, "INSERT INTO seal VALUES ('x', 1, '{}')", &s->err), AISP_E_IO);
    assert_non_null(strstr(s->err.text, "not permitted"));
    aisp_store_close(store);
    expect_refusal(s, AISP_E_IO, "may only be read with this role");
    point_to("reader", "postgres");
    assert_int_equal(aisp_db_exec(s->store, "REVOKE ALL ON SCHEMA aisp FROM reader", &s->err), AISP_OK);
    point_to("reader", database);
    expect_refusal(s, AISP_E_IO, "not permitted to this role");
    free(database);
}

static void servers_and_databases_that_are_not_there_are_one_line(void **state)
{
    struct scene *s = *state;

    only_shared();
    point_to("aisp", "no_such_database");
    expect_refusal(s, AISP_E_IO, "\"no_such_database\" does not exist");
    point_to("nobody_we_know", "postgres");
    expect_refusal(s, AISP_E_IO, "\"nobody_we_know\" does not exist");
    setenv("AISP_STORE", "postgresql://aisp:secret@%2Fno%2Fsuch%2Ffolder/x", 1);
    expect_refusal(s, AISP_E_IO, "/no/such/folder");
    setenv("AISP_STORE", "postgresql://aisp:secret@127.0.0.1:1/x", 1);
    expect_refusal(s, AISP_E_IO, "Connection refused");
}

static void a_wrong_password_is_one_line_that_does_not_repeat_it(void **state)
{
    struct scene *s = *state;

    only_shared();
    aisp_db_exec(s->store, "CREATE ROLE guarded LOGIN", NULL);
    assert_int_equal(aisp_db_exec(s->store, "ALTER ROLE guarded PASSWORD 'right'", &s->err), AISP_OK);
    point_to("guarded:secret", "postgres");
    expect_refusal(s, AISP_E_IO, "PGPASSWORD or ~/.pgpass");
    point_to("guarded", "postgres");
    expect_refusal(s, AISP_E_IO, "PGPASSWORD or ~/.pgpass");
}

static void addresses_that_are_misread_are_refused_without_repeating_them(void **state)
{
    static const char *const urls[] = { "postgresql://aisp:secret@word@/x", "postgresql://aisp:secret/word@host/x",
                                        "postgresql://aisp:secret?word@host/x", "postgresql://aisp:secret%zz@host/x",
                                        "postgresql://host/x?no_such_option=secret", "postgresql://[secret/x" };
    struct scene *s = *state;

    setenv("AISP_STORE", "postgresql://aisp@%2Fno%2Fsuch%2Ffolder/x", 1);
    if (aisp_store_open(&s->store, s->folder, true, &s->err) && strstr(s->err.text, "built without libpq"))
        skip();
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        setenv("AISP_STORE", urls[i], 1);
        expect_refusal(s, AISP_E_USAGE, "percent-encoded");
    }
}

static void a_store_that_is_none_is_refused(void **state)
{
    struct scene *s = *state;

    setenv("AISP_STORE", "mysql://root:secret@host/x", 1);
    expect_refusal(s, AISP_E_USAGE, "postgresql://user@host/database");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)
    const struct CMUnitTest tests[] = {
        T(evidence_is_read_where_its_file_is_not),
        T(evidence_goes_only_when_all_that_have_it_are_pruned),
        T(a_run_of_another_machine_is_not_resumed_here),
        T(a_lost_connection_is_one_line_and_loses_nothing),
        T(schemas_that_are_not_ours_are_refused_untouched),
        T(an_older_schema_is_not_read_but_brought_up_to_date_by_who_writes),
        T(a_role_that_may_only_read_reads_and_is_told_so_before_it_measures),
        T(servers_and_databases_that_are_not_there_are_one_line),
        T(a_wrong_password_is_one_line_that_does_not_repeat_it),
        T(addresses_that_are_misread_are_refused_without_repeating_them),
        T(a_store_that_is_none_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
