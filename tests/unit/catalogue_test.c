/* catalogue_test.c - a tree of targets, whole and broken ones, and how they are named. */
#include "temporary.h"

#include <fcntl.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/catalogue.h"

static const char variant_source[] =
    "#include <aisp/variant.h>\n"
    "static enum aisp_status run(const struct aisp_call *c) { (void)c; return AISP_OK; }\n"
    "AISP_DECLARE(\"idea: an idea\");\n"
    "AISP_VARIANT = { .abi = AISP_ABI, .run = run };\n";

static char *root, *variant;

static int make(void **state)
{
    (void)state;
    root = temporary_folder();
    variant = compile(root, "variant.so", variant_source, "");
    return 0;
}

static int clean(void **state)
{
    (void)state;
    remove_folder(root);
    free(variant);
    return 0;
}

/* FOLDER/NAME as one more name of the compiled variant. */
static void add(const char *folder, const char *name)
{
    char *path = aisp_format("%s/%s", folder, name);

    assert_int_equal(link(variant, path), 0);
    free(path);
}

/* ch07:transpose and labs/matmul:gemm_bf16, whole; ch08:headless without a baseline; and what is no target. */
static char *tree(const char *name)
{
    char *top = aisp_format("%s/%s", root, name);

    make_folder(root, name);
    make_folder(top, "ch07");
    make_folder(top, "ch07/transpose");
    make_folder(top, "ch08");
    make_folder(top, "ch08/headless");
    make_folder(top, "ch08/nothing");
    make_folder(top, "labs");
    make_folder(top, "labs/matmul");
    make_folder(top, "labs/matmul/gemm_bf16");
    add(top, "problem.so");
    add(top, "ch07/problem.so");
    add(top, "ch07/transpose/problem.so");
    add(top, "ch07/transpose/problem.cuda.so");
    add(top, "ch07/transpose/peer_openblas.so");
    add(top, "ch07/transpose/optimized_wide.so");
    add(top, "ch07/transpose/baseline.so");
    add(top, "ch07/transpose/optimized_tiled.so");
    add(top, "ch07/transpose/baseline.cuda.so");
    add(top, "ch07/transpose/reference.cuda.so");
    add(top, "ch07/transpose/.hidden.so");
    free(write_file(top, "ch07/transpose/optimized_broken.so", "no object", 9));
    free(write_file(top, "ch07/transpose/notes.txt", "text", 4));
    add(top, "ch08/headless/problem.so");
    add(top, "ch08/headless/optimized_tiled.so");
    add(top, "ch08/nothing/baseline.so");
    add(top, "labs/matmul/gemm_bf16/problem.so");
    add(top, "labs/matmul/gemm_bf16/baseline.so");
    return top;
}

static void a_walk_finds_targets_and_sorts_them_and_their_variants(void **state)
{
    static const char *const name[] = { "baseline",        "baseline",       "optimized_broken",
                                        "optimized_tiled", "optimized_wide", "peer_openblas" };
    char *top = tree("walk");
    struct aisp_catalogue cat;
    struct aisp_err err = { .text = "untouched" };
    const struct aisp_target *t;

    (void)state;
    assert_int_equal(aisp_catalogue_init(&cat, top, &err), AISP_OK);
    assert_string_equal(err.text, "untouched");
    assert_int_equal(cat.n, 3);
    assert_string_equal(cat.target[0].id, "ch07:transpose");
    assert_string_equal(cat.target[1].id, "ch08:headless");
    assert_string_equal(cat.target[2].id, "labs/matmul:gemm_bf16");
    assert_string_equal(cat.target[2].group, "labs/matmul");
    t = &cat.target[0];
    assert_string_equal(t->group, "ch07");
    assert_string_equal(t->refused, "");
    assert_non_null(strstr(t->problem_path, "walk/ch07/transpose/problem.so"));
    assert_int_equal(t->n_variants, 6);
    for (size_t i = 0; i < t->n_variants; i++)
        assert_string_equal(t->variant[i].name, name[i]);
    assert_string_equal(t->variant[0].device, "cpu");
    assert_string_equal(t->variant[1].device, "cuda");
    assert_string_equal(t->variant[0].decl.idea, "an idea");
    aisp_catalogue_release(&cat);
    aisp_catalogue_release(&cat);
    aisp_catalogue_release(NULL);
    free(top);
}

static void what_cannot_be_run_stays_with_its_reason(void **state)
{
    char *top = tree("broken");
    struct aisp_catalogue cat;

    (void)state;
    assert_int_equal(aisp_catalogue_init(&cat, top, NULL), AISP_OK);
    assert_non_null(strstr(cat.target[1].refused, "broken/ch08/headless: no baseline.so"));
    assert_int_equal(cat.target[1].n_variants, 1);
    assert_string_equal(cat.target[0].variant[2].refused,
                        "optimized_broken.so: not a shared object: 9 bytes");
    assert_string_equal(cat.target[0].variant[3].refused, "");
    aisp_catalogue_release(&cat);
    free(top);
}

static void a_missing_root_is_not_found(void **state)
{
    char *none = aisp_format("%s/none", root);
    struct aisp_catalogue cat;
    struct aisp_err err = { .text = "" };

    (void)state;
    assert_int_equal(aisp_catalogue_init(&cat, none, &err), AISP_E_NOT_FOUND);
    assert_non_null(strstr(err.text, "/none: No such file or directory"));
    assert_null(cat.root);
    free(none);
}

static void one_folder_is_a_target_on_its_own(void **state)
{
    char *top = tree("single"), *folder = aisp_format("%s/ch07/transpose", top);
    struct aisp_target t;

    (void)state;
    assert_int_equal(aisp_target_from_folder(folder, NULL, &t, NULL), AISP_OK);
    assert_string_equal(t.id, "ch07:transpose");
    assert_int_equal(t.n_variants, 6);
    aisp_target_release(&t);
    assert_int_equal(aisp_target_from_folder(folder, "mine:one", &t, NULL), AISP_OK);
    assert_string_equal(t.id, "mine:one");
    assert_string_equal(t.group, "mine");
    aisp_target_release(&t);
    aisp_target_release(&t);
    free(folder);
    free(top);
}

static void assert_folder_fails(const char *top, const char *name, enum aisp_status st,
                                const char *line)
{
    char *folder = aisp_format("%s/%s", top, name);
    struct aisp_target t;
    struct aisp_err err = { .text = "" };

    assert_int_equal(aisp_target_from_folder(folder, NULL, &t, &err), st);
    assert_non_null(strstr(err.text, line));
    assert_null(t.variant);
    free(folder);
}

static void a_folder_without_problem_or_baseline_is_refused(void **state)
{
    char *top = tree("folders"), longer[200];

    (void)state;
    assert_folder_fails(top, "ch08/headless", AISP_E_REFUSED, "ch08/headless: no baseline.so");
    assert_folder_fails(top, "ch08/nothing", AISP_E_REFUSED, "ch08/nothing: no problem.so");
    assert_folder_fails(top, "ch09", AISP_E_NOT_FOUND, "ch09: No such file or directory");
    assert_folder_fails(top, "problem.so", AISP_E_NOT_FOUND, "problem.so: Not a directory");
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    make_folder(top, longer);
    assert_folder_fails(top, longer, AISP_E_REFUSED, "no problem.so");
    free(top);
}

static void patterns_name_targets(void **state)
{
    static const struct aisp_target transpose = { .id = "ch07:transpose", .group = "ch07" };
    static const struct aisp_target gemm = { .id = "labs/matmul:gemm_bf16",
                                             .group = "labs/matmul" };
    static const char *const of_transpose[] = { "ch07",     "ch07:transpose", "ch*",
                                                "*",        "ch07.transpose", "ch07/transpose",
                                                "ch0?:tr*", "*:transpose" };
    static const char *const of_gemm[] = { "labs",
                                           "labs/matmul",
                                           "labs/matmul:gemm_bf16",
                                           "labs/matmul.gemm_bf16",
                                           "labs/matmul/gemm_bf16",
                                           "labs/*" };

    (void)state;
    for (size_t i = 0; i < sizeof of_transpose / sizeof *of_transpose; i++)
        assert_true(aisp_target_matches(&transpose, of_transpose[i]));
    for (size_t i = 0; i < sizeof of_gemm / sizeof *of_gemm; i++)
        assert_true(aisp_target_matches(&gemm, of_gemm[i]));
    assert_false(aisp_target_matches(&transpose, "ch0"));
    assert_false(aisp_target_matches(&transpose, "transpose"));
    assert_false(aisp_target_matches(&transpose, "ch07:trans"));
    assert_false(aisp_target_matches(&transpose, ""));
    assert_false(aisp_target_matches(&gemm, "lab"));
    assert_false(aisp_target_matches(&gemm, "matmul"));
    assert_false(aisp_target_matches(&gemm, "ch*"));
}

static void the_nearest_name_is_found(void **state)
{
    struct aisp_target target[] = { { .id = "ch07:transpose", .group = "ch07" },
                                    { .id = "labs/matmul:gemm_bf16", .group = "labs/matmul" } };
    const struct aisp_catalogue cat = { .target = target, .n = 2 }, empty = { 0 };

    (void)state;
    assert_string_equal(aisp_catalogue_nearest(&cat, "ch07:transpos"), "ch07:transpose");
    assert_string_equal(aisp_catalogue_nearest(&cat, "ch7"), "ch07");
    assert_string_equal(aisp_catalogue_nearest(&cat, "transpsoe"), "ch07:transpose");
    assert_string_equal(aisp_catalogue_nearest(&cat, "labs/matmull"), "labs/matmul");
    assert_string_equal(aisp_catalogue_nearest(&cat, "gemm_bf61"), "labs/matmul:gemm_bf16");
    assert_null(aisp_catalogue_nearest(&empty, "ch07"));
}

static void a_variant_is_found_by_name_and_device(void **state)
{
    struct aisp_variant_ref refs[] = { { .name = "baseline", .device = "cpu" },
                                       { .name = "baseline", .device = "cuda" } };
    const struct aisp_target t = { .variant = refs, .n_variants = 2 };

    (void)state;
    assert_ptr_equal(aisp_target_variant(&t, "baseline", NULL), &refs[0]);
    assert_ptr_equal(aisp_target_variant(&t, "baseline", "cuda"), &refs[1]);
    assert_null(aisp_target_variant(&t, "baseline", "rocm"));
    assert_null(aisp_target_variant(&t, "optimized", NULL));
}

/* What the machine takes to open every variant's file and to read it, which a walk cannot do without. */
static int64_t bare_reading_ns(const struct aisp_catalogue *cat)
{
    static char bytes[64 << 10];
    const int64_t start = aisp_now_ns();

    for (size_t t = 0; t < cat->n; t++)
        for (size_t v = 0; v < cat->target[t].n_variants; v++) {
            const int fd = open(cat->target[t].variant[v].path, O_RDONLY | O_CLOEXEC);
            struct stat info;

            assert_true(fd >= 0 && fstat(fd, &info) == 0 && pread(fd, bytes, sizeof bytes, 0) > 0);
            close(fd);
        }
    return aisp_now_ns() - start;
}

/* 108 targets of four variants. The least of many walks, so that a busy machine does not fail it; on one that needs long for the
 * bare reading of the files, at most five times that: three was seen. */
static void a_hundred_targets_are_listed_within_10_ms(void **state)
{
    static const char *const file[] = { "problem.so", "baseline.so", "optimized_a.so",
                                        "optimized_b.so", "peer_c.so" };
    char *top = aisp_format("%s/many", root);
    int64_t least_ns = INT64_MAX, bare_ns = INT64_MAX;
    struct aisp_catalogue all;

    (void)state;
    make_folder(root, "many");
    for (int group = 0; group < 12; group++) {
        char *chapter = aisp_format("ch%02d", group);

        make_folder(top, chapter);
        for (int i = 0; i < 9; i++) {
            char *name = aisp_format("%s/target_%d", chapter, i),
                 *folder = aisp_format("%s/%s", top, name);

            make_folder(top, name);
            for (int f = 0; f < 5; f++)
                add(folder, file[f]);
            free(name);
            free(folder);
        }
        free(chapter);
    }
    for (int i = 0; i < 40; i++) {
        const int64_t start = aisp_now_ns();
        struct aisp_catalogue cat;
        int64_t took_ns;

        assert_int_equal(aisp_catalogue_init(&cat, top, NULL), AISP_OK);
        took_ns = aisp_now_ns() - start;
        if (took_ns < least_ns)
            least_ns = took_ns;
        assert_int_equal(cat.n, 108);
        assert_int_equal(cat.target[107].n_variants, 4);
        assert_string_equal(cat.target[107].variant[3].refused, "");
        aisp_catalogue_release(&cat);
    }
    assert_int_equal(aisp_catalogue_init(&all, top, NULL), AISP_OK);
    for (int i = 0; i < 40; i++) {
        const int64_t took_ns = bare_reading_ns(&all);

        if (took_ns < bare_ns)
            bare_ns = took_ns;
    }
    aisp_catalogue_release(&all);
    print_message("432 variants of 108 targets: %.2f ms; their files alone %.2f ms\n", (double)least_ns * 1e-6, (double)bare_ns * 1e-6);
#ifndef AISP_SANITIZED
    assert_in_range(least_ns, 1, 5 * bare_ns > 10000000 ? 5 * bare_ns : 10000000);
#endif
    free(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_finds_targets_and_sorts_them_and_their_variants),
        cmocka_unit_test(what_cannot_be_run_stays_with_its_reason),
        cmocka_unit_test(a_missing_root_is_not_found),
        cmocka_unit_test(one_folder_is_a_target_on_its_own),
        cmocka_unit_test(a_folder_without_problem_or_baseline_is_refused),
        cmocka_unit_test(patterns_name_targets),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(a_variant_is_found_by_name_and_device),
        cmocka_unit_test(a_hundred_targets_are_listed_within_10_ms),
    };

    return cmocka_run_group_tests(tests, make, clean);
}
