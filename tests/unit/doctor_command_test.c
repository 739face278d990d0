/* doctor_command_test.c - `aisp doctor`: what is asked, shown, gated, and the guide that is made of the checklist. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/command.h"
#include "tests/doctor/unpack.h"

struct answer {
    json_t *value;
    struct aisp_buf text;
    int exit_code;
    enum aisp_status st;
    struct aisp_err err;
};

/* A command line of words separated by spaces. */
static struct answer ask(const char *line, ...) __attribute__((format(printf, 1, 2)));
static struct answer ask(const char *format, ...)
{
    static const struct aisp_style style = { false, 80 };
    struct aisp_buf line = AISP_BUF_INIT;
    struct answer a = { 0 };
    struct aisp_args args;
    const char *argv[16], *topic;
    va_list list;
    int argc = 0;

    va_start(list, format);
    aisp_buf_vprintf(&line, format, list);
    va_end(list);
    for (char *word = strtok(line.s, " "); word && argc < 16; word = strtok(NULL, " "))
        argv[argc++] = word;
    a.st = aisp_args_parse(&args, argc, argv, &topic, &a.err);
    if (!a.st) {
        a.st = aisp_command_run(&args, NULL, &a.value, &a.exit_code, &a.err);
        if (!a.st)
            args.command->render(a.value, &style, &a.text);
        aisp_args_release(&args);
    }
    aisp_buf_release(&line);
    return a;
}

static void done(struct answer *a)
{
    json_decref(a->value);
    aisp_buf_release(&a->text);
}

static void place(const char *root, const char *machine)
{
    char *file = aisp_format("%s/doctor/roots/%s/root.txt", TESTS_DIR, machine);

    unpack(root, file);
    free(file);
}

static long long count_of(const struct answer *a, const char *verdict)
{
    return (long long)json_integer_value(json_object_get(json_object_get(a->value, "counts"), verdict));
}

/* With AISP_ACCEPT in the environment the file is written instead. `what` is free text. */
static void is_as_expected(const char *got, const char *file, const char *how)
{
    char *expected;

    if (getenv("AISP_ACCEPT")) {
        FILE *f = fopen(file, "w");

        assert_non_null(f);
        assert_int_equal(fwrite(got, 1, strlen(got), f), strlen(got));
        assert_int_equal(fclose(f), 0);
        return;
    }
    expected = read_all(file);
    if (strcmp(got, expected)) {
        size_t n = 0;

        while (got[n] && got[n] == expected[n])
            n++;
        fail_msg("%s differs from byte %zu on: '%.60s' and not '%.60s'; to accept it: %s", file, n, got + n, expected + n, how);
    }
    free(expected);
}

/* ---- what is shown ---- */

static void a_laptop_is_shown_as_expected(void **state)
{
    char *root = *state, *at;
    struct answer a;

    place(root, "laptop");
    a = ask("doctor --root %s", root);
    assert_int_equal(a.st, AISP_OK);
    assert_int_equal(a.exit_code, AISP_EXIT_OK);         /* what is found is no failure of the command */
    at = strstr(a.text.s, root);
    assert_non_null(at);
    memmove(at + 4, at + strlen(root), strlen(at + strlen(root)) + 1);
    memcpy(at, "ROOT", 4);                               /* the folder is another one each time */
    is_as_expected(a.text.s, TESTS_DIR "/doctor/roots/laptop/expected.txt", "AISP_ACCEPT=1 doctor_command_test");
    done(&a);
}

static void text_of_every_machine_fits_80_columns(void **state)
{
    static const char *const machines[] = { "tuned-server", "neglected-server", "vm" };
    char *root = *state;

    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        struct answer a;

        place(root, machines[m]);
        a = ask("doctor --all --root %s", root);
        assert_int_equal(a.st, AISP_OK);
        for (const char *line = a.text.s; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 80)
                fail_msg("%s: too wide: %.*s", machines[m], (int)strcspn(line, "\n"), line);
        done(&a);
    }
}

static void only_what_wants_something_is_shown_unless_asked(void **state)
{
    char *root = *state;
    struct answer few, all;

    place(root, "tuned-server");
    few = ask("doctor --root %s", root);
    all = ask("doctor --root %s --all", root);
    assert_null(strstr(few.text.s, "system.swappiness"));
    assert_non_null(strstr(all.text.s, "system.swappiness: vm.swappiness = 1"));
    assert_null(strstr(few.text.s, "mindset.goal"));
    assert_non_null(strstr(all.text.s, "mindset.goal"));
    assert_non_null(strstr(few.text.s, "questions to a person are shown with --all"));
    assert_int_equal(count_of(&few, "problem") + count_of(&few, "attention") + count_of(&few, "unknown"), 0);
    assert_int_equal(count_of(&all, "checked"), count_of(&all, "ok") + count_of(&all, "not applicable"));
    assert_int_equal(count_of(&all, "items"), count_of(&all, "checked") + count_of(&all, "ask"));
    done(&few);
    done(&all);
}

static void families_and_items_can_be_picked(void **state)
{
    char *root = *state;
    struct answer a;

    place(root, "neglected-server");
    a = ask("doctor power system.thp --root %s", root);
    assert_int_equal(a.st, AISP_OK);
    assert_int_equal(json_array_size(json_object_get(a.value, "families")), 2);
    assert_non_null(strstr(a.text.s, "system.thp\n"));
    assert_non_null(strstr(a.text.s, "power.profile\n"));
    assert_null(strstr(a.text.s, "system.swappiness"));
    done(&a);
}

static void the_worst_comes_first_in_each_family(void **state)
{
    static const char *const order[] = { "problem", "attention", "unknown", "ok", "not applicable", "ask" };
    const json_t *family, *item;
    char *root = *state;
    struct answer a;
    size_t i, k;

    place(root, "laptop");
    a = ask("doctor --root %s", root);
    json_array_foreach(json_object_get(a.value, "families"), i, family) {
        size_t last = 0;

        json_array_foreach(json_object_get(family, "items"), k, item) {
            size_t rank = 0;

            while (rank < 6 && strcmp(order[rank], json_string_value(json_object_get(item, "verdict"))))
                rank++;
            assert_true(rank < 6 && rank >= last);
            last = rank;
        }
    }
    done(&a);
}

static void an_item_is_explained(void **state)
{
    char *root = *state;
    struct answer a;

    place(root, "container-quota");
    a = ask("doctor --explain system.cpu-quota --root %s", root);
    assert_int_equal(a.st, AISP_OK);
    assert_non_null(strstr(a.text.s, "    why:   A quota is enforced by stopping all threads"));
    assert_non_null(strstr(a.text.s, "    reads: cpu.max"));
    assert_non_null(strstr(a.text.s, "    found: problem: quota of 2.00 CPUs on a machine of 64"));
    assert_non_null(strstr(a.text.s, "    fix:   docker run"));
    done(&a);
    a = ask("doctor --explain mindset.goal");
    assert_non_null(strstr(a.text.s, "    ask:   "));
    assert_null(strstr(a.text.s, "found:"));
    done(&a);
}

/* ---- how it ends ---- */

static void the_gate_fails_on_problems_alone(void **state)
{
    char *root = *state;
    struct answer a;

    place(root, "tuned-server");
    a = ask("doctor --gate --root %s", root);
    assert_int_equal(a.exit_code, AISP_EXIT_OK);
    done(&a);
    put(root, "/proc/sys/kernel/perf_event_paranoid", "2\n");
    put(root, "/proc/self/status", "CapEff: 0\n");
    a = ask("doctor --gate profiling.perf-paranoid --root %s", root);
    assert_int_equal(count_of(&a, "attention"), 1);
    assert_int_equal(a.exit_code, AISP_EXIT_OK);
    done(&a);
    put(root, "/proc/sys/kernel/perf_event_paranoid", "4\n");
    a = ask("doctor --gate profiling.perf-paranoid --root %s", root);
    assert_int_equal(a.exit_code, AISP_EXIT_GATE);
    done(&a);
    a = ask("doctor profiling.perf-paranoid --root %s", root);
    assert_int_equal(a.exit_code, AISP_EXIT_OK);
    done(&a);
}

static void wrong_words_are_refused_with_the_nearest(void **state)
{
    struct answer a;

    (void)state;
    a = ask("doctor sytem");
    assert_int_equal(a.st, AISP_E_USAGE);
    assert_non_null(strstr(a.err.text, "did you mean system?"));
    a = ask("doctor --explain system.swapiness");
    assert_int_equal(a.st, AISP_E_USAGE);
    assert_non_null(strstr(a.err.text, "did you mean system.swappiness?"));
    a = ask("doctor --explain system");                  /* a family is not an item */
    assert_int_equal(a.st, AISP_E_USAGE);
    a = ask("doctor power --explain power.battery");
    assert_int_equal(a.st, AISP_E_USAGE);
    a = ask("doctor --root /proc/version");
    assert_int_equal(a.st, AISP_E_USAGE);
    assert_non_null(strstr(a.err.text, "not a folder"));
}

/* ---- what is made of the checklist ---- */

static void the_guide_is_what_the_items_say(void **state)
{
    struct answer a, there;
    char *root = *state;

    a = ask("doctor --markdown --root %s", root);
    there = ask("doctor --markdown");
    assert_string_equal(a.text.s, there.text.s);         /* of the items alone, not of a machine */
    is_as_expected(a.text.s, TESTS_DIR "/../docs/guide/doctor.md", "aisp doctor --markdown > docs/guide/doctor.md");
    done(&a);
    done(&there);
}

/* Is what begins with "aisp " in a fix a command of this program? */
static bool is_known_command(const char *at)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c) {
        const size_t n = strlen(c->path);

        if (!strncmp(at, c->path, n) && (!at[n] || strchr(" \n", at[n])))
            return true;
    }
    return false;
}

static void fixes_name_commands_that_exist(void **state)
{
    struct aisp_buf unknown = AISP_BUF_INIT;
    const json_t *family, *item;
    struct answer a = ask("doctor --all");
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(a.value, "families"), i, family)
        json_array_foreach(json_object_get(family, "items"), k, item) {
            const char *fix = json_string_value(json_object_get(item, "fix"));

            for (const char *at = fix; (at = strstr(at, "aisp ")); at += 5)
                if (!is_known_command(at + 5))
                    aisp_buf_printf(&unknown, "\n%s: %s", json_string_value(json_object_get(item, "id")), fix);
        }
    if (unknown.len)
        fail_msg("no such command:%s", unknown.s);
    done(&a);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_laptop_is_shown_as_expected),
        T(text_of_every_machine_fits_80_columns),
        T(only_what_wants_something_is_shown_unless_asked),
        T(families_and_items_can_be_picked),
        T(the_worst_comes_first_in_each_family),
        T(an_item_is_explained),
        T(the_gate_fails_on_problems_alone),
        T(wrong_words_are_refused_with_the_nearest),
        T(the_guide_is_what_the_items_say),
        T(fixes_name_commands_that_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
