/* cpu_answers_test.c - the page on which a worker answers: nobody else's can be reached through it, and what stands there before it
 * is asked is no answer. */
#include <stdlib.h>

#include "tests/fixtures/session.h"

enum { N = 1000 };

static void an_answer_to_what_is_not_asked_yet_ends_the_worker(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "foresees", NULL, N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_PROTOCOL);
    assert_non_null(strstr(r.seen.detail, "not asked"));
    session_close(&r);
}

/* The inode of the only mapping of that name; 0: there is none, or there are several. */
static unsigned long inode_of(int pid, const char *name)
{
    char *path = aisp_format("/proc/%d/maps", pid), line[512];
    FILE *maps = fopen(path, "r");
    unsigned long inode = 0, one;
    int n = 0;

    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, name) && sscanf(line, "%*s %*s %*s %*s %lu", &one) == 1) {
            inode = one;
            n++;
        }
    if (maps)
        fclose(maps);
    free(path);
    return n == 1 ? inode : 0;
}

/* Any mapping of a file can be made to show another page of it. */
static void no_file_of_answers_is_another_workers_too(void **state)
{
    struct session_rig r;
    unsigned long a, b;

    (void)state;
    session_prepare(&r, "honest", "honest", N);
    assert_int_equal(session_open(&r), AISP_OK);
    a = inode_of(r.cpu->pid(r.session, AISP_A), "aisp-up");
    b = inode_of(r.cpu->pid(r.session, AISP_B), "aisp-up");
    session_close(&r);
    assert_true(a && b);
    assert_true(a != b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_to_what_is_not_asked_yet_ends_the_worker),
        cmocka_unit_test(no_file_of_answers_is_another_workers_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
