/* proof_test.c - what a row may be called, and where it applies: never more than its fixtures show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "checks/issues.h"
#include "commands/proofs.h"
#include "tests/unit/temporary.h"
#include "store/proofs.h"

static bool is_row(const char *name)
{
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        if (!strcmp(check->name, name))
            return true;
    return false;
}

static const struct aisp_check *row(const char *name)
{
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        if (!strcmp(check->name, name))
            return check;
    fail_msg("there is no check %s", name);
    return NULL;
}

static void every_fixture_and_excuse_names_a_row(void **state)
{
    size_t n = 0;

    (void)state;
    for (const struct aisp_fixture *f = aisp_fixtures; f->name; f++, n++)
        if (!is_row(f->check))
            fail_msg("%s proves %s, which is no check", f->name, f->check);
    assert_true(n > 80);
    for (const struct aisp_no_proof *p = aisp_no_proofs; p->check; p++)
        assert_true(is_row(p->check));
}

static bool is_family(const char *name)
{
    for (int i = 1; i <= AISP_N_ISSUES; i++)
        if (!strcmp(name, aisp_issue(i)->family))
            return true;
    return false;
}

static void every_row_has_an_issue_and_a_family_of_the_list(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        if (check->issue < 1 || check->issue > AISP_N_ISSUES || !is_family(check->family))
            fail_msg("%s is of %s, issue %d", check->name, check->family, check->issue);
}

static void a_row_without_fixtures_is_unproven(void **state)
{
    const struct aisp_check none = { .issue = 9, .name = "no-such-check" };
    const char *why;

    (void)state;
    assert_int_equal(aisp_proof_of(&none, &why), AISP_UNPROVEN);
    assert_string_equal(why, "no cheat that it catches");
}

static void a_row_with_cheat_and_twin_is_proven_and_a_played_one_is_logic_only(void **state)
{
    const char *why;

    (void)state;
    assert_int_equal(aisp_proof_of(row("stale-cache"), &why), AISP_PROVEN);
    assert_int_equal(aisp_proof_of(row("async-memcpy"), &why), AISP_LOGIC_ONLY);
    assert_true(*why);
}

static void a_fixture_that_failed_here_makes_its_row_unproven(void **state)
{
    json_t *kept =
        json_pack("{s:{s:{s:s, s:b, s:s, s:i}}}", "fixtures", "cheats/stale_cache", "check",
                  "stale-cache", "good", false, "says", "it was not caught", "at", 7);
    json_t *rows = aisp_proofs_rows(kept), *sum = aisp_proofs_summary(rows, kept);
    const char *why;

    (void)state;
    assert_int_equal(json_array_size(rows), AISP_N_ISSUES);
    assert_int_equal(aisp_proofs_find(rows, "stale-cache", &why), AISP_UNPROVEN);
    assert_string_equal(why, "a fixture of it failed on this machine");
    assert_int_equal(aisp_proofs_find(rows, "nan", &why), AISP_PROVEN);
    assert_int_equal(json_integer_value(json_object_get(sum, "here_bad")), 1);
    json_decref(sum);
    json_decref(rows);
    json_decref(kept);
}

/* "async-memcpy" by the fixtures of a card alone. */
static enum aisp_proof by_card(bool cheat, bool twin)
{
    json_t *kept = json_pack("{s:{s:{s:b}, s:{s:b}}}", "fixtures", "cheats_cuda/async_memcpy", "good",
                             cheat, "honest_cuda/async_memcpy", "good", twin);
    json_t *rows = aisp_proofs_rows(kept);
    const char *why;
    const enum aisp_proof proof = aisp_proofs_find(rows, "async-memcpy", &why);

    json_decref(rows);
    json_decref(kept);
    return proof;
}

static void what_a_card_has_shown_proves_its_row_on_that_machine(void **state)
{
    json_t *rows = aisp_proofs_rows(NULL);
    const char *why;

    (void)state;
    assert_int_equal(aisp_proofs_find(rows, "async-memcpy", &why), AISP_LOGIC_ONLY);
    assert_int_equal(aisp_proof_of(row("async-memcpy"), NULL), AISP_LOGIC_ONLY);
    assert_int_equal(by_card(true, true), AISP_PROVEN);
    assert_int_equal(by_card(true, false), AISP_UNPROVEN);
    assert_int_equal(by_card(false, true), AISP_UNPROVEN);
    json_decref(rows);
}

static bool applies(const char *needs, const struct aisp_evidence *ev)
{
    const struct aisp_check check = { .issue = 9, .name = "x", .needs = needs };
    const char *why;
    const bool good = aisp_check_applies(&check, ev, &why);

    assert_int_equal(good, !*why);
    return good;
}

static void a_need_is_met_by_what_the_evidence_holds(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    (void)state;
    strcpy(ev.device, "cpu");
    assert_true(applies("cpu", &ev));
    assert_true(applies("cpu (proved with a fake root)", &ev));
    assert_false(applies("gpu", &ev));
    assert_false(applies("cpu, timed", &ev));
    assert_false(applies("ranks", &ev));
    assert_false(applies("something that nobody knows", &ev));
    ev.n_windows = 1;
    ev.ranks.n_ranks = 2;
    assert_true(applies("cpu, timed", &ev));
    assert_true(applies("ranks", &ev));
    strcpy(ev.device, "cuda");
    assert_true(applies("gpu", &ev));
    assert_true(applies("cpu", &ev)); /* a card's workers are processes of this host */
    assert_false(applies("gpus", &ev));
}

static void results_of_fixtures_are_kept_one_by_one(void **state)
{
    char *folder = temporary_folder();
    json_t *machine = json_pack("{s:s, s:s}", "host", "abc", "cpu", "some"), *kept;
    json_t *one = json_pack("{s:{s:b}}", "cheats/a", "good", true),
           *two =
               json_pack("{s:{s:b}, s:{s:b}}", "cheats/a", "good", false, "honest/a", "good", true);
    const json_t *fixtures;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_proofs_load(folder, "abc", &kept, &err), AISP_OK);
    assert_null(kept);
    assert_int_equal(aisp_proofs_add(folder, machine, one, &err), AISP_OK);
    assert_int_equal(aisp_proofs_add(folder, machine, two, &err), AISP_OK);
    assert_int_equal(aisp_proofs_load(folder, "abc", &kept, &err), AISP_OK);
    fixtures = json_object_get(kept, "fixtures");
    assert_int_equal(json_object_size(fixtures), 2);
    assert_true(json_is_false(json_object_get(json_object_get(fixtures, "cheats/a"), "good")));
    json_decref(kept);
    json_decref(one);
    json_decref(two);
    json_decref(machine);
    remove_folder(folder);
}

enum { N_WRITERS = 8, ENTRIES_OF_EACH = 12 };

static void add_entries(const char *folder, int writer)
{
    json_t *machine = json_pack("{s:s, s:s}", "host", "abc", "cpu", "some");

    for (int i = 0; i < ENTRIES_OF_EACH; i++) {
        char id[32];
        struct aisp_err err;
        json_t *one;

        snprintf(id, sizeof id, "cheats/%d-%d", writer, i);
        one = json_pack("{s:{s:b}}", id, "good", true);
        if (aisp_proofs_add(folder, machine, one, &err))
            _exit(1);
        json_decref(one);
    }
    _exit(0);
}

static void fixtures_tried_at_once_lose_no_result(void **state)
{
    char *folder = temporary_folder();
    struct aisp_err err;
    json_t *kept;
    int status;

    (void)state;
    for (int writer = 0; writer < N_WRITERS; writer++)
        if (fork() == 0)
            add_entries(folder, writer);
    for (int writer = 0; writer < N_WRITERS; writer++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(aisp_proofs_load(folder, "abc", &kept, &err), AISP_OK);
    assert_int_equal(json_object_size(json_object_get(kept, "fixtures")), N_WRITERS * ENTRIES_OF_EACH);
    json_decref(kept);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_and_excuse_names_a_row),
        cmocka_unit_test(every_row_has_an_issue_and_a_family_of_the_list),
        cmocka_unit_test(a_row_without_fixtures_is_unproven),
        cmocka_unit_test(a_row_with_cheat_and_twin_is_proven_and_a_played_one_is_logic_only),
        cmocka_unit_test(a_fixture_that_failed_here_makes_its_row_unproven),
        cmocka_unit_test(what_a_card_has_shown_proves_its_row_on_that_machine),
        cmocka_unit_test(a_need_is_met_by_what_the_evidence_holds),
        cmocka_unit_test(results_of_fixtures_are_kept_one_by_one),
        cmocka_unit_test(fixtures_tried_at_once_lose_no_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
