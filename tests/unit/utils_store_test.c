/* utils_store_test.c - the calculators that read what was measured, over a real store: the roofline of this machine, and the
 * throughput that a cluster is sized by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "commands/command.h"
#include "core/calibration.h"
#include "core/environment.h"
#include "store/store.h"
#include "tests/unit/temporary.h"

/* 2 n flop over 8 n bytes: a quarter of a flop a byte. */
static const char problem_source[] =
    "#include <aisp/problem.h>\n"
    "static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)\n"
    "{ (void)out; for (int64_t i = 0; i < n; i++) ((double *)to)[i] = ((const TYPE *)in->tensor[0])[first + i]; }\n"
    "static const struct aisp_param params[] = { { \"n\", 1000, 100, 0, 500, 900, 1 }, { 0 } };\n"
    "static const struct aisp_tensor tensors[] = {\n"
    "    { \"x\", AISP_IN, DTYPE, \"n\", { AISP_NORMAL, 0, 1 } }, { \"y\", AISP_OUT, DTYPE, \"n\" }, { 0 } };\n"
    "AISP_PROBLEM = { .abi = AISP_ABI, .title = \"T\", .teaches = \"t\", .goal = AISP_SPEED, .param = params,\n"
    "                 .tensor = tensors, .bytes = \"8*n\", .flops = FLOPS,\n"
    "                 .tolerance = { .ulps = 0, .why = \"exact\" }, .reference = reference };\n";

struct scene {
    char *folder, *artifacts, *root, host[65];
};

static void put_problem(const struct scene *s, const char *name, const char *flags)
{
    char *folder = aisp_format("%s/ch01/%s", s->root, name), *group = aisp_format("%s/ch01", s->root);

    mkdir(s->root, 0777);
    mkdir(group, 0777);
    mkdir(folder, 0777);
    free(compile(folder, "problem.so", problem_source, flags));
    free(group);
    free(folder);
}

static void put_calibration(const struct scene *s, const struct aisp_calibration *given)
{
    struct aisp_calibration cal = *given;
    struct aisp_store *store;
    json_t *json;

    strcpy(cal.host, s->host);
    json = aisp_calibration_to_json(&cal);
    assert_int_equal(aisp_store_open(&store, s->artifacts, true, NULL), AISP_OK);
    assert_int_equal(aisp_store_calibration_add(store, json, NULL), AISP_OK);
    aisp_store_close(store);
    json_decref(json);
}

static struct scene scene_new(bool is_calibrated)
{
    const struct aisp_calibration given = { .taken_at = 1000,
                                            .expires_at = time(NULL) + 1000,
                                            .peak_f32_gflops = 100,
                                            .peak_read_gbps = { 20, 20, 20, 20 },
                                            .peak_copy_gbps = { 16, 16, 16, 16 } };
    struct scene s = { .folder = temporary_folder() };
    struct aisp_environment env;
    struct aisp_store *store;

    s.artifacts = aisp_format("%s/artifacts", s.folder);
    s.root = aisp_format("%s/targets", s.folder);
    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, s.host);
    assert_int_equal(aisp_store_open(&store, s.artifacts, true, NULL), AISP_OK);
    aisp_store_close(store);
    if (is_calibrated)
        put_calibration(&s, &given);
    put_problem(&s, "quarter", "-DTYPE=float -DDTYPE=AISP_F32 -DFLOPS='\"2*n\"'");
    return s;
}

static void scene_release(struct scene *s)
{
    free(s->artifacts);
    free(s->root);
    remove_folder(s->folder);
}

/* A run of one result. */
static void put_result(const struct scene *s, const char *host, const char *target, const char *variant, double a_ns,
                       double b_ns, int threads, json_t *per_second)
{
    struct aisp_environment env;
    json_t *manifest = json_pack("{s:s}", "host", host), *evidence = json_object(), *summary = json_object();
    json_t *result = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i}, s:{s:f, s:f}, s:i, s:o}", "key", "k",
                               "target", target, "variant", variant, "reference", "baseline", "device", "cpu", "size", "custom",
                               "goal", "speed", "grade", "development", "verdict", "FASTER", "params", "n", 100000, "median_ns",
                               "a", a_ns, "b", b_ns, "threads", threads, "per_second", per_second);
    char run[AISP_RUN_ID_MAX];
    struct aisp_store *store;

    aisp_environment_probe(&env, "/");
    json_object_set_new(manifest, "environment", aisp_environment_to_json(&env));
    assert_int_equal(aisp_store_open(&store, s->artifacts, true, NULL), AISP_OK);
    assert_int_equal(aisp_store_run_begin(store, manifest, run, NULL), AISP_OK);
    assert_int_equal(aisp_store_result_add(store, run, result, evidence, NULL), AISP_OK);
    assert_int_equal(aisp_store_run_finish(store, run, summary, NULL), AISP_OK);
    aisp_store_close(store);
    json_decref(manifest);
    json_decref(evidence);
    json_decref(summary);
    json_decref(result);
}

/* The command's value; NULL and its error if it has none. */
static json_t *ask(const struct scene *s, struct aisp_err *err, int argc, const char *const *argv)
{
    const char *words[32], *topic;
    struct aisp_args args;
    json_t *value = NULL;
    int exit_code;

    memcpy(words, argv, (size_t)argc * sizeof *words);
    words[argc++] = "--artifacts-dir";
    words[argc++] = s->artifacts;
    words[argc++] = "--bench-root";
    words[argc++] = s->root;
    *err = (struct aisp_err){ AISP_OK, "" };
    assert_int_equal(aisp_args_parse(&args, argc, words, &topic, err), AISP_OK);
    (void)!aisp_command_run(&args, NULL, &value, &exit_code, err);
    aisp_args_release(&args);
    return value;
}
#define ASK(s, err, ...)                                                                                                       \
    ask(s, err, sizeof(const char *[]){ __VA_ARGS__ } / sizeof(char *), (const char *const[]){ __VA_ARGS__ })

static const json_t *point(const json_t *value, const char *variant)
{
    const json_t *p;
    size_t i;

    json_array_foreach(json_object_get(value, "points"), i,
                       p) if (!strcmp(json_string_value(json_object_get(p, "variant")), variant)) return p;
    return NULL;
}

static double number(const json_t *value, const char *key)
{
    const json_t *found = json_object_get(value, key);

    return json_is_number(found) ? json_number_value(found) : NAN;
}

/* n = 100,000: 200,000 flop, 800,000 bytes. In 80,000 ns: 2.5 GFLOP/s, 10 GB/s. The roof at 1/4 flop/byte under 20 GB/s is 5
 * GFLOP/s: 50 %, bound by memory. The reference in 160,000 ns: 25 %. */
static void variants_stand_under_the_roof_of_this_machine(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;
    const json_t *p;
    json_t *value;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    assert_non_null(value);
    p = point(value, "optimized_x");
    assert_non_null(p);
    assert_true(fabs(number(p, "intensity") - 0.25) < 1e-12);
    assert_true(fabs(number(p, "gflops") - 2.5) < 1e-9);
    assert_true(fabs(number(p, "percent") - 50) < 1e-9);
    assert_string_equal(json_string_value(json_object_get(p, "bound")), "memory");
    assert_true(fabs(number(point(value, "baseline"), "percent") - 25) < 1e-9);
    json_decref(value);
    scene_release(&s);
}

/* Two threads: each has half of the work, so a core reaches 25 % of its roof. */
static void a_variant_on_two_threads_is_shown_a_core(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;
    json_t *value;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 2, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    assert_true(fabs(number(point(value, "optimized_x"), "percent") - 25) < 1e-9);
    json_decref(value);
    scene_release(&s);
}

static void other_machines_and_older_results_are_left_out(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;
    json_t *value;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 40000, 1, json_null());
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1, json_null());
    put_result(&s, "another", "ch01:quarter", "optimized_y", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    assert_null(point(value, "optimized_y"));
    assert_int_equal(json_array_size(json_object_get(value, "points")), 2);
    assert_true(fabs(number(point(value, "optimized_x"), "time_ns") - 80000) < 1e-9);
    json_decref(value);
    scene_release(&s);
}

static void types_without_a_ceiling_have_no_roof_here(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;
    const json_t *p;
    json_t *value;

    (void)state;
    put_problem(&s, "double", "-DTYPE=double -DDTYPE=AISP_F64 -DFLOPS='\"2*n\"'");
    put_result(&s, s.host, "ch01:double", "optimized_x", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    p = point(value, "optimized_x");
    assert_true(json_is_null(json_object_get(p, "percent")));
    assert_string_equal(json_string_value(json_object_get(p, "bound")), "unknown");
    json_decref(value);
    scene_release(&s);
}

static void a_type_with_a_ceiling_stands_under_its_own(void **state)
{
    struct scene s = scene_new(true);
    const struct aisp_calibration later = { .taken_at = 2000,
                                            .expires_at = time(NULL) + 1000,
                                            .peak_f32_gflops = 100,
                                            .peak_f64_gflops = 2,
                                            .peak_read_gbps = { 20, 20, 20, 20 } };
    struct aisp_err err;
    const json_t *p;
    json_t *value;

    (void)state;
    put_calibration(&s, &later);
    put_problem(&s, "double", "-DTYPE=double -DDTYPE=AISP_F64 -DFLOPS='\"2*n\"'");
    put_result(&s, s.host, "ch01:double", "optimized_x", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    p = point(value, "optimized_x");
    assert_true(fabs(number(p, "percent") - 125) < 1e-9); /* 2.5 GFLOP/s of 2: not cut off */
    assert_string_equal(json_string_value(json_object_get(p, "bound")), "compute");
    json_decref(value);
    scene_release(&s);
}

static void what_has_no_problem_here_is_named(void **state)
{
    struct scene s = scene_new(true);
    const json_t *skipped;
    struct aisp_err err;
    json_t *value;

    (void)state;
    put_result(&s, s.host, "ch01:gone", "optimized_x", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline");
    skipped = json_array_get(json_object_get(value, "skipped"), 0);
    assert_string_equal(json_string_value(json_object_get(skipped, "what")), "ch01:gone/optimized_x");
    json_decref(value);
    scene_release(&s);
}

static void without_a_calibration_it_says_what_to_run(void **state)
{
    struct scene s = scene_new(false);
    struct aisp_err err;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1, json_null());
    assert_null(ASK(&s, &err, "utils", "roofline"));
    assert_int_equal(err.status, AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "run \"aisp calibrate\" first"));
    scene_release(&s);
}

static char *read_text(const char *path)
{
    struct aisp_buf text = AISP_BUF_INIT;
    FILE *f = fopen(path, "r");
    char part[4096];
    size_t n;

    assert_non_null(f);
    while ((n = fread(part, 1, sizeof part, f)))
        aisp_buf_add(&text, part, n);
    fclose(f);
    return aisp_buf_detach(&text);
}

static void the_picture_holds_a_circle_for_each_point(void **state)
{
    struct scene s = scene_new(true);
    char *path = aisp_format("%s/roof.svg", s.folder), *text;
    struct aisp_err err;
    json_t *value;
    int circles = 0;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1, json_null());
    value = ASK(&s, &err, "utils", "roofline", "--svg", path);
    assert_non_null(value);
    text = read_text(path);
    assert_memory_equal(text, "<svg xmlns=", 11);
    assert_string_equal(text + strlen(text) - 7, "</svg>\n");
    for (const char *at = text; (at = strstr(at, "<circle")); at++)
        circles++;
    assert_int_equal(circles, 2);
    assert_non_null(strstr(text, "50.0 % of the roof"));
    free(text);
    free(path);
    json_decref(value);
    scene_release(&s);
}

/* ---- cluster-size ---- */

static void a_cluster_is_sized_by_the_newest_throughput(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;
    json_t *value;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1,
               json_pack("{s:s, s:f, s:f}", "unit", "token", "a", 1000.0, "b", 2500.0));
    value = ASK(&s, &err, "utils", "cluster-size", "-t", "ch01:quarter", "--rate", "80", "--units-per-request", "500",
                "--concurrency", "16", "--slo", "500ms");
    assert_non_null(value);
    assert_true(number(value, "throughput_per_card") == 2500);
    assert_int_equal(json_integer_value(json_object_get(value, "cards_slo")), 18);
    assert_int_equal(json_integer_value(json_object_get(value, "cards")), 19);
    assert_string_equal(json_string_value(json_object_get(json_object_get(value, "measured"), "variant")), "optimized_x");
    json_decref(value);
    scene_release(&s);
}

static void without_a_measured_throughput_there_is_no_size(void **state)
{
    struct scene s = scene_new(true);
    struct aisp_err err;

    (void)state;
    put_result(&s, s.host, "ch01:quarter", "optimized_x", 160000, 80000, 1, json_null());
    assert_null(ASK(&s, &err, "utils", "cluster-size", "-t", "ch01:quarter", "--rate", "80", "--units-per-request", "500",
                    "--concurrency", "16"));
    assert_int_equal(err.status, AISP_E_NOT_FOUND);
    assert_non_null(strstr(err.text, "no measured throughput of ch01:quarter"));
    scene_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_stand_under_the_roof_of_this_machine),
        cmocka_unit_test(a_variant_on_two_threads_is_shown_a_core),
        cmocka_unit_test(other_machines_and_older_results_are_left_out),
        cmocka_unit_test(types_without_a_ceiling_have_no_roof_here),
        cmocka_unit_test(a_type_with_a_ceiling_stands_under_its_own),
        cmocka_unit_test(what_has_no_problem_here_is_named),
        cmocka_unit_test(without_a_calibration_it_says_what_to_run),
        cmocka_unit_test(the_picture_holds_a_circle_for_each_point),
        cmocka_unit_test(a_cluster_is_sized_by_the_newest_throughput),
        cmocka_unit_test(without_a_measured_throughput_there_is_no_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
