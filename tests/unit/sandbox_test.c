/* sandbox_test.c - builds of hostile sources: each ends for its own reason, and nothing of it stays. */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "sandbox/sandbox.h"

enum { SHORT_CPU_S = 2 };

static struct aisp_toolchain tools;
static char root[64];

struct trial {
    struct aisp_sandbox_result result;
    char head[4]; /* of the product */
};

/* Those that end by their time alone are given less of it. */
static void build_for(int cpu_s, enum aisp_jail_mode mode, const char *source, struct trial *t)
{
    static const char *const flags[] = { "-std=gnu11", "-O1", NULL }, *const libraries[] = { "-lm",
                                                                                             NULL };
    const struct aisp_sandbox_file files[] = { { "candidate.c", source, strlen(source) },
                                               { "include/aisp/given.h", "#define GIVEN 1\n",
                                                 16 } };
    char folder[96];
    struct aisp_sandbox_spec spec = { .tools = &tools,
                                      .mode = mode,
                                      .flags = flags,
                                      .libraries = libraries,
                                      .file = files,
                                      .n_files = 2,
                                      .source = "candidate.c",
                                      .product = "candidate.so",
                                      .folder = mode == AISP_JAIL_LANDLOCK ? folder : NULL,
                                      .limits = aisp_sandbox_limits };
    struct aisp_sandbox *job = NULL;
    struct aisp_err err = { AISP_OK, "" };
    size_t which;

    spec.limits.cpu_s = cpu_s;
    snprintf(folder, sizeof folder, "%s/work", root);
    if (mode == AISP_JAIL_LANDLOCK)
        assert_int_equal(mkdir(folder, 0700), 0);
    if (aisp_sandbox_start(&spec, &job, &err) || aisp_sandbox_wait(&job, 1, NULL, &which, &err) ||
        aisp_sandbox_result(job, &t->result, &err))
        fail_msg("%s", err.text);
    memset(t->head, 0, sizeof t->head);
    if (t->result.product_fd >= 0) {
        assert_int_equal(pread(t->result.product_fd, t->head, 4, 0), 4);
        assert_true(pwrite(t->result.product_fd, "x", 1, 0) < 0); /* sealed */
        close(t->result.product_fd);
    }
    aisp_sandbox_free(job);
    if (mode == AISP_JAIL_LANDLOCK) /* rmdir refuses a folder that holds something */
        assert_int_equal(rmdir(folder), 0);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void build_in(enum aisp_jail_mode mode, const char *source, struct trial *t)
{
    build_for(aisp_sandbox_limits.cpu_s, mode, source, t);
}

static const enum aisp_jail_mode modes[] = { AISP_JAIL_USER_NAMESPACES, AISP_JAIL_ROOT_NAMESPACES,
                                             AISP_JAIL_LANDLOCK };

/* In each mode that this host has, and there must be one. */
static void assert_ends(const char *source, enum aisp_sandbox_end end)
{
    int n = 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        enum aisp_jail_mode mode;
        struct trial t;

        if (aisp_sandbox_mode(modes[i], root, &mode, NULL))
            continue;
        n++;
        build_for(end == AISP_SANDBOX_TIME ? SHORT_CPU_S : aisp_sandbox_limits.cpu_s, mode, source, &t);
        if (t.result.end != end)
            fail_msg("mode %d: \"%s\" and not \"%s\": %s", (int)mode,
                     aisp_sandbox_end_name(t.result.end), aisp_sandbox_end_name(end),
                     t.result.message);
        if (end == AISP_SANDBOX_BUILT)
            assert_memory_equal(t.head, "\177ELF", 4);
    }
    assert_true(n > 0);
}

static void an_honest_source_is_built(void **state)
{
    (void)state;
    assert_ends("#include <math.h>\n#include <immintrin.h>\n#include <aisp/given.h>\n"
                "double f(double x) { return sin(x) + GIVEN; }\n",
                AISP_SANDBOX_BUILT);
}

static void an_error_is_the_compilers_word(void **state)
{
    struct trial t;

    (void)state;
    assert_ends("int f(void) { return x; }\n", AISP_SANDBOX_REFUSED);
    build_in(AISP_JAIL_USER_NAMESPACES, "int f(void) { return \033[31m; }\n", &t);
    assert_non_null(strstr(t.result.message, "candidate.c:1:"));
    assert_null(strchr(t.result.message, '\033'));
}

static void what_is_not_given_is_not_there(void **state)
{
    struct trial t;

    (void)state;
    assert_ends("#include \"/etc/passwd\"\n", AISP_SANDBOX_MISSING_FILE);
    assert_ends("#include \"../../../../../../etc/passwd\"\n", AISP_SANDBOX_MISSING_FILE);
    assert_ends("#include \"/proc/self/environ\"\n", AISP_SANDBOX_MISSING_FILE);
    assert_ends("#include \"" TESTS_DIR "/problems/rsqrt/problem.c\"\n", AISP_SANDBOX_MISSING_FILE);
    assert_ends("__asm__(\".incbin \\\"/etc/passwd\\\"\");\n", AISP_SANDBOX_MISSING_FILE);
    assert_ends("__asm__(\".include \\\"/etc/hostname\\\"\");\n", AISP_SANDBOX_MISSING_FILE);
    build_in(AISP_JAIL_USER_NAMESPACES,
             "#if __has_include(\"/etc/passwd\") || __has_include(\"/usr/share/dict\") || "
             "__has_include(\"/proc/self/maps\") || __has_include(\"/build/problem.c\")\n"
             "#error seen\n#endif\nint x;\n",
             &t);
    assert_int_equal(t.result.end, AISP_SANDBOX_BUILT);
}

static void an_endless_build_is_ended(void **state)
{
    (void)state;
    /* Includes itself twice: 2^200 of them, were nobody to count. */
    assert_ends("#include \"candidate.c\"\n#include \"candidate.c\"\n", AISP_SANDBOX_INCLUDES);
    assert_ends("__asm__(\".rept 100000\\n.rept 100000\\n\\n.endr\\n.endr\");\n",
                AISP_SANDBOX_TIME);
}

static void what_grows_too_large_is_ended(void **state)
{
    (void)state;
    assert_ends("static char a[1 << 30] = { 1 };\nchar *f(void) { return a; }\n",
                AISP_SANDBOX_SPACE);
    assert_ends("__asm__(\".data\\n.fill 1000000000, 1, 7\");\n", AISP_SANDBOX_SPACE);
}

static void a_flood_of_messages_is_ended(void **state)
{
    (void)state;
    assert_ends("#define A "
                "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                "xxxxxxxxx\"\n"
                "__asm__(\".rept 100000\\n.warning "
                "\\\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\\"\\n.endr\");\n",
                AISP_SANDBOX_MESSAGES);
}

static void an_explosion_of_macros_is_ended(void **state)
{
    (void)state;
    assert_ends(
        "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(B(B(x))))\n"
        "int f(void) { int y = 0; C(y++;) return y; }\n",
        AISP_SANDBOX_MEMORY);
}

static void memory_is_bounded(void **state)
{
    struct trial t;

    (void)state;
    build_for(SHORT_CPU_S, AISP_JAIL_USER_NAMESPACES, "__asm__(\".rept 2000000000\\n.byte 1\\n.endr\");\n", &t);
    assert_true(t.result.end == AISP_SANDBOX_MEMORY || t.result.end == AISP_SANDBOX_TIME ||
                t.result.end == AISP_SANDBOX_SPACE);
}

static void a_toolchain_shows_no_more_than_it_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < tools.n_folders; i++) {
        assert_true(!strncmp(tools.folder[i], "/usr/lib", 8) ||
                    !strncmp(tools.folder[i], "/usr/include", 12));
        assert_string_not_equal(tools.folder[i], "/usr/lib");
    }
    for (size_t i = 0; i < tools.n_files; i++)
        assert_null(strstr(tools.file[i], "/etc/"));
}

static void a_compiler_that_is_none_is_named(void **state)
{
    struct aisp_toolchain t;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_toolchain_init(&t, "no-such-compiler", &err), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "no-such-compiler"));
}

static int prepare(void **state)
{
    struct aisp_err err;

    (void)state;
    strcpy(root, "/tmp/aisp-sandbox-test-XXXXXX");
    aisp_sandbox_set_jail(BUILD_DIR "/aisp-jail");
    return !mkdtemp(root) || aisp_toolchain_init(&tools, "cc", &err);
}

static int tidy(void **state)
{
    (void)state;
    aisp_toolchain_release(&tools);
    return rmdir(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_honest_source_is_built),
        cmocka_unit_test(an_error_is_the_compilers_word),
        cmocka_unit_test(what_is_not_given_is_not_there),
        cmocka_unit_test(an_endless_build_is_ended),
        cmocka_unit_test(what_grows_too_large_is_ended),
        cmocka_unit_test(a_flood_of_messages_is_ended),
        cmocka_unit_test(an_explosion_of_macros_is_ended),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(a_toolchain_shows_no_more_than_it_needs),
        cmocka_unit_test(a_compiler_that_is_none_is_named),
    };

    return cmocka_run_group_tests(tests, prepare, tidy);
}
