/* cpu_cage_test.c - what a host lacks of the cage: it is noted before the variant could change the note, kept, and named; and a stranger's
 * variant is not loaded where system calls cannot be filtered. */
#include <errno.h>
#include <stdlib.h>

#include "checks/check.h"
#include "core/channel.h"
#include "tests/fixtures/lacking.h"
#include "tests/fixtures/session.h"

enum { N = 1000 };

_Static_assert(offsetof(struct aisp_up, missing) == 324, "tests/fixtures/variants/claims_cage.c counts on it");

/* One session on a host that has not got one system call. */
struct visit {
    enum aisp_status st;
    struct aisp_account account;
    char text[256];
};

static void visit(struct visit *v, const char *variant, bool is_untrusted)
{
    struct session_rig r;
    struct aisp_window w;

    session_prepare(&r, variant, NULL, N);
    r.ref[0].is_untrusted = is_untrusted;
    v->st = session_once(&r, &w);
    snprintf(v->text, sizeof v->text, "%.*s", (int)sizeof v->text - 1, r.err.text);
    if (r.session)
        r.cpu->account(r.session, AISP_A, &v->account);
    session_close(&r);
}

/* In a child, which keeps the filter. */
static struct visit visit_without(unsigned number, const char *variant, bool is_untrusted)
{
    struct visit *shared = lacking_shared(sizeof *shared), copy;
    pid_t pid;

    assert_non_null(shared);
    pid = fork();
    if (pid == 0) {
        if (!lacking_take_away(number, ENOSYS))
            _exit(1);
        visit(shared, variant, is_untrusted);
        _exit(0);
    }
    assert_true(lacking_wait(pid));
    copy = *shared;
    munmap(shared, sizeof *shared);
    return copy;
}

static void what_the_host_lacks_is_in_the_account(void **state)
{
    struct visit v;

    (void)state;
    v = visit_without(SYS_landlock_create_ruleset, "honest", false);
    assert_int_equal(v.st, AISP_OK);
    assert_true(v.account.missing & AISP_CAGE_LANDLOCK);
    assert_non_null(strstr(v.account.output, "no Landlock; "));
    v = visit_without(SYS_seccomp, "honest", false);
    assert_int_equal(v.st, AISP_OK);
    assert_true(v.account.missing & AISP_CAGE_SECCOMP);
}

static void a_variant_cannot_claim_a_whole_cage(void **state)
{
    const struct visit v = visit_without(SYS_landlock_create_ruleset, "claims_cage", false);

    (void)state;
    assert_int_equal(v.st, AISP_OK);
    assert_true(v.account.missing & AISP_CAGE_LANDLOCK);
}

static void a_stranger_is_not_loaded_without_a_filter_of_system_calls(void **state)
{
    const struct visit v = visit_without(SYS_seccomp, "honest", true);

    (void)state;
    assert_int_equal(v.st, AISP_E_REFUSED);
    assert_non_null(strstr(v.text, "seccomp"));
    assert_non_null(strstr(v.text, "is not loaded"));
}

/* The machine's finding of that check; NULL: there is none. *text is a copy. */
static bool is_named(const struct aisp_evidence *ev, char text[320])
{
    const struct aisp_grading grading = { 0 };
    struct aisp_findings found = AISP_FINDINGS_INIT;
    bool is = false;

    aisp_examine(ev, &grading, &found);
    for (size_t i = 0; i < found.n; i++)
        if (!strcmp(found.item[i].check->name, "confinement")) {
            assert_int_equal(found.item[i].severity, AISP_DEVELOPMENT);
            assert_false(is);
            snprintf(text, 320, "%s", found.item[i].text);
            is = true;
        }
    aisp_findings_release(&found);
    return is;
}

static void each_missing_part_is_named_once_and_makes_development(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    char text[320];

    (void)state;
    assert_false(is_named(&ev, text));
    ev.account[AISP_B].missing = AISP_CAGE_LANDLOCK;
    assert_true(is_named(&ev, text));
    assert_non_null(strstr(text, "Landlock"));
    assert_null(strstr(text, "seccomp"));
    ev.account[AISP_A].missing = AISP_CAGE_SECCOMP | AISP_CAGE_USER | AISP_CAGE_LIMITS;
    assert_true(is_named(&ev, text));
    assert_non_null(strstr(text, "seccomp"));
    assert_non_null(strstr(text, "Landlock"));
    assert_non_null(strstr(text, "another user"));
    assert_non_null(strstr(text, "limits"));
    ev.account[AISP_A].missing = ev.account[AISP_B].missing = AISP_CAGE_ADDRESS | AISP_CAGE_RECORDER;
    assert_false(is_named(&ev, text));
}

static void what_is_missing_survives_json_and_older_records_lack_nothing(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
    struct aisp_err err;
    json_t *json;

    (void)state;
    json = aisp_evidence_to_json(&ev);
    assert_null(json_object_get(json, "missing"));
    json_decref(json);
    ev.account[AISP_B].missing = AISP_CAGE_LANDLOCK | AISP_CAGE_USER;
    json = aisp_evidence_to_json(&ev);
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_OK);
    assert_int_equal(back.account[AISP_A].missing, 0);
    assert_int_equal(back.account[AISP_B].missing, AISP_CAGE_LANDLOCK | AISP_CAGE_USER);
    aisp_evidence_release(&back);
    json_object_set_new(json, "missing", json_pack("[i, s]", 0, "nothing"));
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_E_IO);
    assert_non_null(strstr(err.text, "missing[1]"));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_host_lacks_is_in_the_account),
        cmocka_unit_test(a_variant_cannot_claim_a_whole_cage),
        cmocka_unit_test(a_stranger_is_not_loaded_without_a_filter_of_system_calls),
        cmocka_unit_test(each_missing_part_is_named_once_and_makes_development),
        cmocka_unit_test(what_is_missing_survives_json_and_older_records_lack_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
