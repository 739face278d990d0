/* breaks_test.c - what is cut into tokens, and which edits each operator makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/breaks/breaks.h"

struct found { struct tokens tokens; struct edits edits; };

static struct found found_in(const char *source)
{
    char path[] = "/tmp/aisp-breaks-test-XXXXXX";
    const int fd = mkstemp(path);
    struct found f;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
    close(fd);
    assert_true(tokens_read(&f.tokens, path));
    edits_find(&f.tokens, &f.edits);
    unlink(path);
    return f;
}

static void release(struct found *f)
{
    tokens_release(&f->tokens);
    free(f->edits.item);
}

/* Does that operator make this source of it? */
static bool makes(const struct found *f, const char *operator, const char *wanted)
{
    bool is = false;

    for (size_t i = 0; i < f->edits.n; i++) {
        const struct edit *e = &f->edits.item[i];
        char *made = aisp_format("%.*s%s%s", (int)e->at, f->tokens.source, e->with, f->tokens.source + e->at + e->n);

        is |= !strcmp(e->operator, operator) && !strcmp(made, wanted);
        free(made);
    }
    return is;
}

static void loops_are_broken_at_both_ends_and_left_out(void **state)
{
    struct found f = found_in("void f(void) { for (int i = 0; i < n; i++) g(); for (; i < n; i++) g(); }");

    (void)state;
    assert_true(makes(&f, "bound", "void f(void) { for (int i = 0; i < n - 1; i++) g(); for (; i < n; i++) g(); }"));
    assert_true(makes(&f, "start", "void f(void) { for (int i = 0 + 1; i < n; i++) g(); for (; i < n; i++) g(); }"));
    assert_true(makes(&f, "relation", "void f(void) { for (int i = 0; i < n; i++) g(); for (; i <= n; i++) g(); }"));
    assert_true(makes(&f, "tail", "void f(void) { for (int i = 0; i < n; i++) g(); for (; 0 && i < n; i++) g(); }"));
    assert_false(makes(&f, "tail", "void f(void) { for (int i = 0; 0 && i < n; i++) g(); for (; i < n; i++) g(); }"));
    release(&f);
}

static void sums_indices_and_types_are_broken(void **state)
{
    struct found f = found_in("void f(void)\n{\n    double s = a[i * n + j];\n    s += *p * -b;\n}\n");

    (void)state;
    assert_true(makes(&f, "transposed index", "void f(void)\n{\n    double s = a[j * n + i];\n    s += *p * -b;\n}\n"));
    assert_true(makes(&f, "neighbour", "void f(void)\n{\n    double s = a[i * n + j + 1];\n    s += *p * -b;\n}\n"));
    assert_true(makes(&f, "narrow", "void f(void)\n{\n    float s = a[i * n + j];\n    s += *p * -b;\n}\n"));
    assert_true(makes(&f, "accumulate", "void f(void)\n{\n    double s = a[i * n + j];\n    s = *p * -b;\n}\n"));
    assert_true(makes(&f, "product", "void f(void)\n{\n    double s = a[i * n + j];\n    s += *p + -b;\n}\n"));
    assert_true(makes(&f, "statement", "void f(void)\n{\n    double s = a[i * n + j];\n    ;\n}\n"));
    assert_false(makes(&f, "sum", "void f(void)\n{\n    double s = a[i * n + j];\n    s += *p * +b;\n}\n"));
    release(&f);
}

static void waits_fences_and_atomics_are_taken_away(void **state)
{
    struct found f = found_in("void f(void) {\n_mm_sfence();\nx = __atomic_sub_fetch(&left, 1, ORDER);\n}");

    (void)state;
    assert_true(makes(&f, "sync", "void f(void) {\n;\nx = __atomic_sub_fetch(&left, 1, ORDER);\n}"));
    assert_true(makes(&f, "sync", "void f(void) {\n_mm_sfence();\nx = broken_sub_fetch(&left, 1, ORDER);\n}"));
    release(&f);
}

/* A break of what is no code would be no break: it is never tried. */
static void comments_texts_preprocessor_and_declarations_stay(void **state)
{
    struct found f = found_in("#define A (1 + 2)\n/* 1 < 2 */ // 3 + 4\nAISP_DECLARE(\"idea: 1 + 2\");\n"
                              "void f(int a[2 + 3]) { g(\"1 < 2\", '1'); }\nAISP_VARIANT = { .abi = 3, .n = 1 + 2 };\n");

    (void)state;
    for (size_t i = 0; i < f.edits.n; i++)
        assert_string_equal(f.edits.item[i].operator, "statement");
    assert_int_equal(f.edits.n, 1);
    release(&f);
}

static void constants_are_changed_by_their_kind(void **state)
{
    struct found f = found_in("void f(void) { x = 0.5f; y = 7; z = 0.0; w = 0x1F; }");

    (void)state;
    assert_true(makes(&f, "constant", "void f(void) { x = (0.5f * 1.01f); y = 7; z = 0.0; w = 0x1F; }"));
    assert_true(makes(&f, "constant", "void f(void) { x = 0.5f; y = (7 + 1); z = 0.0; w = 0x1F; }"));
    assert_true(makes(&f, "constant", "void f(void) { x = 0.5f; y = 7; z = (0.0 + 0.01f); w = 0x1F; }"));
    assert_true(makes(&f, "constant", "void f(void) { x = 0.5f; y = 7; z = 0.0; w = (0x1F + 1); }"));
    release(&f);
}

/* Each operator has its turn before one has a second, and the same seed gives the same order. */
static void order_goes_round_the_operators_and_follows_the_seed(void **state)
{
    const char *source = "void f(void) { a += 1; b += 2; c += 3; d = e < g; }";
    struct found f = found_in(source), same = found_in(source);

    (void)state;
    edits_shuffle(&f.edits, 7);
    edits_shuffle(&same.edits, 7);
    assert_int_equal(f.edits.n, same.edits.n);
    for (size_t i = 0; i < f.edits.n; i++)
        assert_int_equal(f.edits.item[i].at, same.edits.item[i].at);
    for (size_t i = 0; i < 5; i++)       /* accumulate, constant, relation, statement, sum */
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(f.edits.item[i].operator, f.edits.item[k].operator);
    release(&f);
    release(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_broken_at_both_ends_and_left_out),
        cmocka_unit_test(sums_indices_and_types_are_broken),
        cmocka_unit_test(waits_fences_and_atomics_are_taken_away),
        cmocka_unit_test(comments_texts_preprocessor_and_declarations_stay),
        cmocka_unit_test(constants_are_changed_by_their_kind),
        cmocka_unit_test(order_goes_round_the_operators_and_follows_the_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
