/* commands_test.c - the table, the parser and what is made from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/cuda.h"
#include "checks/check.h"
#include "commands/command.h"
#include "commands/measure.h"
#include "commands/pick.h"
#include "commands/result.h"
#include "tests/unit/temporary.h"

static enum aisp_status parse(struct aisp_args *args, struct aisp_err *err, int argc,
                              const char *const *argv)
{
    const char *topic;

    return aisp_args_parse(args, argc, argv, &topic, err);
}
#define PARSE(args, err, ...)                                                                      \
    parse(args, err, sizeof(const char *[]){ __VA_ARGS__ } / sizeof(char *),                       \
          (const char *const[]){ __VA_ARGS__ })

static void table_is_collected_and_complete(void **state)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    (void)state;
    assert_true(n >= 14);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(all[i]->sentence);
        assert_non_null(all[i]->example);
        assert_non_null(all[i]->run);
        assert_non_null(all[i]->render);
        assert_true(!i || strcmp(all[i - 1]->path, all[i]->path) < 0);
    }
    free(all);
}

/* The same letter or name twice in one command would make the second unreachable. */
static void options_of_a_command_differ_in_name_and_letter(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        const struct aisp_option *all[64];
        size_t n = 0;

        for (const struct aisp_option *o = c->option; o && o->name; o++)
            all[n++] = o;
        for (const struct aisp_option *o = aisp_common_options; o->name; o++)
            all[n++] = o;
        for (size_t i = 0; i < n; i++) {
            assert_non_null(all[i]->help);
            assert_true(all[i]->kind == AISP_OPT_FLAG || all[i]->meta);
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(all[i]->name, all[j]->name);
                assert_true(!all[i]->letter || all[i]->letter != all[j]->letter);
            }
        }
    }
}

/* Each example is a command line that the parser takes. */
static void examples_parse(void **state)
{
    (void)state;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        char *text = aisp_xstrdup(c->example), *rest = NULL;

        if (strchr(text, '(')) /* shell syntax */
            text[0] = '\0';
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            const char *word[16];
            struct aisp_err err = { AISP_OK, "" };
            struct aisp_args args;
            char *more = NULL;
            int n = 0;

            for (char *w = strtok_r(line, " ", &more); w; w = strtok_r(NULL, " ", &more))
                word[n++] = w;
            assert_string_equal(word[0], "aisp");
            assert_int_equal(parse(&args, &err, n - 1, word + 1), AISP_OK);
            assert_ptr_equal(args.command, c);
            aisp_args_release(&args);
        }
        free(text);
    }
}

static void values_are_taken_in_every_spelling(void **state)
{
    struct aisp_args args;
    size_t n;

    (void)state;
    assert_int_equal(PARSE(&args, NULL, "bench", "run", "-t", "ch07", "-tch06", "--targets=ch01",
                           "--time-limit", "250ms", "-q"),
                     AISP_OK);
    assert_string_equal(aisp_args_list(&args, "targets", &n)[2], "ch01");
    assert_int_equal(n, 3);
    assert_int_equal(aisp_args_duration_ns(&args, "time-limit"), 250000000);
    assert_true(aisp_args_flag(&args, "quick"));
    assert_false(aisp_args_flag(&args, "publish"));
    assert_int_equal(aisp_args_integer(&args, "threads"), 1);
    assert_null(aisp_args_text(&args, "size"));
    aisp_args_release(&args);
}

static void operands_may_begin_with_a_dash_behind_two_dashes(void **state)
{
    struct aisp_args args;

    (void)state;
    assert_int_equal(PARSE(&args, NULL, "bench", "run", "--", "-odd.c"), AISP_OK);
    assert_int_equal(args.n_operands, 1);
    assert_string_equal(args.operand[0], "-odd.c");
    aisp_args_release(&args);
}

static void unknown_option_names_the_nearest(void **state)
{
    struct aisp_err err;
    struct aisp_args args;

    (void)state;
    assert_int_equal(PARSE(&args, &err, "bench", "run", "--targts", "x"), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "--targets?"));
    aisp_args_release(&args);
}

static void far_names_are_not_guessed(void **state)
{
    const char *const known[] = { "transpose", "reduction" };

    (void)state;
    assert_string_equal(aisp_nearest("transpse", known, 2), "transpose");
    assert_null(aisp_nearest("qwertyuio", known, 2));
}

static void beginning_of_commands_is_a_topic(void **state)
{
    const char *const argv[] = { "bench" }, *topic;
    struct aisp_args args;

    (void)state;
    assert_int_equal(aisp_args_parse(&args, 1, argv, &topic, NULL), AISP_OK);
    assert_null(args.command);
    assert_string_equal(topic, "bench");
    aisp_args_release(&args);
}

static void every_status_has_its_exit_code(void **state)
{
    (void)state;
    assert_int_equal(aisp_exit_of(AISP_E_USAGE), 2);
    assert_int_equal(aisp_exit_of(AISP_E_NOT_FOUND), 2);
    assert_int_equal(aisp_exit_of(AISP_E_IO), 1);
    assert_int_equal(aisp_exit_of(AISP_E_UNAVAILABLE), 5);
    assert_int_equal(aisp_exit_of(AISP_E_INTERRUPTED), 130);
    assert_int_equal(aisp_exit_of(AISP_N_STATUS), 70);
}

static void key_is_safe_as_a_file_name(void **state)
{
    char *key = aisp_result_key("labs/mat mul:x", "optimized_a", "peer_openblas");

    (void)state;
    assert_string_equal(key, "labs.mat.mul.x.optimized_a-vs-peer_openblas");
    free(key);
}

/* ---- results ---- */

/* Evidence of pairs in which B takes `b_ns` and A takes 100: as if measured. */
static void fill_evidence(struct aisp_evidence *ev, int n_pairs, int64_t b_ns)
{
    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    snprintf(ev->target, sizeof ev->target, "ch00:test");
    snprintf(ev->device, sizeof ev->device, "cpu");
    snprintf(ev->size, sizeof ev->size, "quick");
    snprintf(ev->cache_level, sizeof ev->cache_level, "L1");
    snprintf(ev->variant[0].name, sizeof ev->variant[0].name, "baseline");
    snprintf(ev->variant[1].name, sizeof ev->variant[1].name, "optimized_x");
    ev->n_threads = 1;
    ev->bytes = 800;
    ev->flops = 100;
    ev->before.l1d_bytes = 32 << 10;
    ev->calibration.peak_read_gbps[0] = 100;
    ev->calibration.peak_f32_gflops = 10;
    ev->floor = 0.003;
    ev->band = 0.005;
    for (int side = 0; side < 2; side++) {
        memset(ev->variant[side].sha256, 'a', 64);
        memset(ev->variant[side].sha256_after, 'a', 64);
        ev->verified[side] = (struct aisp_verified){ .n_full = 9,
                                                     .n_full_right = 9,
                                                     .n_sampled = 99,
                                                     .n_sampled_right = 99,
                                                     .n_elements = 9999,
                                                     .n_windows_checked = 99,
                                                     .n_windows = 99,
                                                     .n_holdout = 3,
                                                     .n_holdout_right = 3,
                                                     .warmup_right = 9,
                                                     .timed_right = 90 };
    }
    for (int p = 0; p < n_pairs; p++) {
        struct aisp_pair *pair = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *pair);

        pair->pair = p;
        pair->complete = true;
        for (int i = 0; i < 40; i++) {
            struct aisp_window *w =
                aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);
            const int b = i % 4 == 1 || i % 4 == 2;

            *w = (struct aisp_window){ .pair = p,
                                       .block = i / 4,
                                       .index = i,
                                       .side = (int8_t)b,
                                       .kind = AISP_WINDOW_TIMED,
                                       .calls = 1000,
                                       .window_ns = 1000 * (b ? b_ns : 100) + (p * 7 + i * 3) % 11,
                                       .inner_ns = 1000 * (b ? b_ns : 100) - 5 };
        }
    }
}

static void result_withholds_the_speedup_of_an_invalid_variant(void **state)
{
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    json_t *result;

    (void)state;
    fill_evidence(&ev, 18, 50);
    aisp_evidence_observe(&ev, &(struct aisp_observation){ .what = AISP_SEEN_SIGNAL,
                                                           .side = AISP_B,
                                                           .pair = -1,
                                                           .window = -1,
                                                           .call = -1,
                                                           .slot = -1,
                                                           .tensor = -1,
                                                           .element = -1,
                                                           .seen = 11 });
    result = aisp_result_new(&spec);
    assert_true(aisp_result_is_invalid(result));
    assert_true(json_is_null(json_object_get(result, "ratio")));
    assert_true(json_is_null(json_object_get(result, "lo95")));
    assert_true(json_is_null(json_object_get(json_object_get(result, "median_ns"), "b")));
    assert_string_equal(json_string_value(json_object_get(result, "verdict")), "INVALID");
    assert_true(json_array_size(json_object_get(result, "reasons")) > 0);
    json_decref(result);
    aisp_evidence_release(&ev);
}

/* In a control pair the windows that are labelled B are the reference's too. */
static void what_windows_may_hide_is_told_of_a_sides_own(void **state)
{
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    const json_t *hidden;
    json_t *result;

    (void)state;
    fill_evidence(&ev, 18, 50);
    ev.pair[7].is_control = ev.pair[15].is_control = true;
    for (size_t i = 0; i < ev.n_windows; i++)
        ev.window[i].inner_ns = ev.window[i].window_ns - (ev.window[i].pair % 8 == 7 ? 500 : 5);
    result = aisp_result_new(&spec);
    hidden = json_object_get(result, "hidden_ns");
    assert_float_equal(json_number_value(json_object_get(hidden, "b")), 5, 0.001);
    json_decref(result);
    aisp_evidence_release(&ev);
}

/* JSON takes no byte that is no UTF-8; what holds one is said all the same. */
static void a_finding_with_the_odd_name_of_a_file_is_in_the_result(void **state)
{
    struct aisp_observation seen = { .what = AISP_SEEN_FORBIDDEN_CALL, .side = AISP_B, AISP_NOWHERE };
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    json_t *result;

    (void)state;
    fill_evidence(&ev, 18, 50);
    strcpy(seen.detail, "openat /tmp/\377\233");
    aisp_evidence_observe(&ev, &seen);
    result = aisp_result_new(&spec);
    assert_true(json_array_size(json_object_get(result, "reasons")) > 0);
    assert_non_null(strstr(json_string_value(json_array_get(json_object_get(result, "reasons"), 0)), "openat /tmp/??"));
    json_decref(result);
    aisp_evidence_release(&ev);
    result = aisp_result_refused(&(struct aisp_refusal){ .key = "k", .target = "ch07:x", .variant = "-", .reference = "baseline",
                                                         .device = "cpu", .status = AISP_E_REFUSED,
                                                         .why = "/tmp/\377.so: no declaration" });
    assert_true(aisp_result_is_invalid(result));
    assert_string_equal(json_string_value(json_array_get(json_object_get(result, "reasons"), 0)), "/tmp/?.so: no declaration");
    json_decref(result);
}

/* Names of libraries come from the kernel and stand in findings alone. */
static void a_finding_about_a_mapped_file_is_in_the_result(void **state)
{
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    struct aisp_process_object *o = &ev.process[AISP_B].object[0];
    json_t *result;

    (void)state;
    fill_evidence(&ev, 18, 50);
    ev.process[AISP_B].n_objects = 1;
    strcpy(o->path, "/tmp/\377.so");
    memset(o->sha256, 'b', 64);
    o->is_executable = true;
    result = aisp_result_new(&spec);
    assert_true(aisp_result_is_invalid(result));
    assert_true(json_array_size(json_object_get(result, "findings")) > 0);
    json_decref(result);
    aisp_evidence_release(&ev);
}

static void roof_names_the_bound_that_is_nearer(void **state)
{
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    const json_t *roof;
    json_t *result;

    (void)state;
    fill_evidence(&ev, 18, 50);
    result = aisp_result_new(&spec);
    roof = json_object_get(result, "roof_percent");
    if (!aisp_result_is_invalid(result)) {
        assert_string_equal(json_string_value(json_object_get(roof, "bound")), "flops");
        assert_float_equal(json_number_value(json_object_get(roof, "bytes")), 16,
                           0.1); /* 800 B / 50 ns of 100 GB/s */
        assert_float_equal(json_number_value(json_object_get(roof, "flops")), 20, 0.1);
        assert_float_equal(json_number_value(json_object_get(result, "ratio")), 2, 0.01);
    } else
        fail_msg("clean evidence was called invalid: %s",
                 json_string_value(json_array_get(json_object_get(result, "reasons"), 0)));
    json_decref(result);
    aisp_evidence_release(&ev);
}

/* 3600 op in 50 ns are 72 GOP/s: over seven times what this core does in f32, and under a fifth of what it does in bytes. */
static void roof_is_that_of_the_type_of_the_inputs(void **state)
{
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    json_t *result, *percent;

    (void)state;
    fill_evidence(&ev, 18, 50);
    ev.flops = 3600;
    ev.arithmetic = AISP_I8;
    for (int is_known = 0; is_known < 2; is_known++) { /* not by a calibration from before it was measured */
        ev.calibration.peak_i8_gops = is_known ? 400 : 0;
        result = aisp_result_new(&spec);
        percent = json_object_get(json_object_get(result, "roof_percent"), "flops");
        assert_true(is_known ? (int)(json_number_value(percent) + 0.5) == 18 : json_is_null(percent));
        json_decref(result);
    }
    aisp_evidence_release(&ev);
}

static void above_its_roof_a_result_is_shown_as_the_error_it_is(void **state)
{
    struct aisp_buf out = AISP_BUF_INIT;
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    json_t *results = json_array();

    (void)state;
    fill_evidence(&ev, 18, 50);
    for (int is_above = 0; is_above < 2; is_above++) {
        ev.flops = is_above ? 3600 : 500;
        json_array_append_new(results, aisp_result_new(&spec));
        aisp_results_render(results, &(struct aisp_style){ false, 80 }, &out);
        assert_non_null(strstr(out.s, is_above ? " 720%! " : " 100% "));
        assert_int_equal(!!strstr(out.s, "above the roof (ch00:test optimized_x): 720 % of the peak is an error"), is_above);
        aisp_buf_release(&out);
        json_array_clear(results);
    }
    json_decref(results);
    aisp_evidence_release(&ev);
}

static void table_of_results_fits_80_columns(void **state)
{
    const struct aisp_style style = { false, 80 };
    struct aisp_buf out = AISP_BUF_INIT;
    struct aisp_evidence ev;
    struct aisp_result_spec spec = { .ev = &ev, .key = "k" };
    json_t *results = json_array();
    size_t n_lines = 0;

    (void)state;
    fill_evidence(&ev, 18, 50);
    snprintf(ev.variant[1].name, sizeof ev.variant[1].name,
             "optimized_with_a_very_long_name_indeed");
    json_array_append_new(results, aisp_result_new(&spec));
    aisp_results_render(results, &style, &out);
    for (char *line = out.s; *line && n_lines < 3; n_lines++) {
        const size_t n = strcspn(line, "\n");

        assert_true(n <= 80);
        line += n + 1;
    }
    assert_int_equal(n_lines, 3);
    aisp_buf_release(&out);
    json_decref(results);
    aisp_evidence_release(&ev);
}

static void a_percentile_is_said_in_the_unit_that_shows_it(void **state)
{
    json_t *row = json_pack("{s:{s:{s:f, s:f}, s:{s:f, s:f}, s:{s:f, s:n}, s:{s:f, s:n}}}", "goal_figure", "p99_ns", "a", 4.1e6,
                            "b", 42.5, "median_ns", "a", 4.0e6, "b", 40.25, "lo95_ns", "b", 41.0, "a", "hi95_ns", "b", 47.0, "a");
    struct aisp_buf out = AISP_BUF_INIT;

    (void)state;
    aisp_result_goal_render(row, &out);
    assert_string_equal(out.s, "   calls: p99 42.5 ns [41.0 ns, 47.0 ns], median 40.2 ns\n"
                               "      reference: p99 4.10 ms, median 4.00 ms\n");
    aisp_buf_release(&out);
    json_decref(row);
}

/* ---- picking ---- */

static const char variant_source[] =
    "#include <aisp/variant.h>\n"
    "static enum aisp_status run(const struct aisp_call *call) { (void)call; return AISP_OK; }\n"
    "AISP_DECLARE(\"idea: none\");\nAISP_VARIANT = { .abi = AISP_ABI, .run = run };\n";

static void variants_are_found_in_both_spellings(void **state)
{
    static const char *const spelled[] = { "ch07:turn/optimized_tiled", "ch07:turn/tiled",
                                           "ch07.optimized_turn", "ch07.optimized_turn_tiled" };
    char *root = temporary_folder(), *group = aisp_format("%s/ch07", root),
         *folder = aisp_format("%s/turn", group);
    const struct aisp_variant_ref *variant;
    const struct aisp_target *target;
    struct aisp_catalogue cat;
    struct aisp_err err;

    (void)state;
    make_folder(root, "ch07");
    make_folder(group, "turn");
    free(compile(folder, "problem.so", "int problem;", ""));
    free(compile(folder, "baseline.so", variant_source, ""));
    free(compile(folder, "optimized_tiled.so", variant_source, ""));
    assert_int_equal(aisp_catalogue_init(&cat, root, &err), AISP_OK);
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        assert_int_equal(aisp_pick_spelled(&cat, spelled[i], NULL, &target, &variant, &err), AISP_OK);
        assert_string_equal(variant->name, "optimized_tiled");
    }
    assert_int_equal(aisp_pick_spelled(&cat, "ch07.baseline_turn", NULL, &target, &variant, &err), AISP_OK);
    assert_string_equal(variant->name, "baseline");
    assert_int_equal(aisp_pick_spelled(&cat, "ch07:turn/nothing", NULL, &target, &variant, &err), AISP_E_NOT_FOUND);
    assert_non_null(strstr(err.text, "optimized_tiled"));
    aisp_catalogue_release(&cat);
    free(group);
    free(folder);
    remove_folder(root);
}

static void of_two_devices_the_forms_of_the_one_that_is_asked_are_found(void **state)
{
    static const char *const spelled[] = { "ch07:turn/tiled", "ch07.optimized_turn", "ch07.optimized_turn_tiled" };
    char *root = temporary_folder(), *group = aisp_format("%s/ch07", root), *folder = aisp_format("%s/turn", group);
    const struct aisp_variant_ref *variant;
    const struct aisp_target *target;
    struct aisp_catalogue cat;
    struct aisp_err err;

    (void)state;
    make_folder(root, "ch07");
    make_folder(group, "turn");
    free(compile(folder, "problem.so", "int problem;", ""));
    free(compile(folder, "baseline.so", variant_source, ""));
    free(compile(folder, "optimized_tiled.so", variant_source, ""));
    free(compile(folder, "optimized_tiled.cuda.so", variant_source, ""));
    assert_int_equal(aisp_catalogue_init(&cat, root, &err), AISP_OK);
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
        for (int k = 0; k < 2; k++) {
            const char *device = k ? "cuda" : "cpu";

            assert_int_equal(aisp_pick_spelled(&cat, spelled[i], device, &target, &variant, &err), AISP_OK);
            assert_string_equal(variant->name, "optimized_tiled");
            assert_string_equal(variant->device, device);
        }
    assert_int_equal(aisp_pick_spelled(&cat, "ch07.baseline_turn", "cuda", &target, &variant, &err), AISP_E_NOT_FOUND);
    aisp_catalogue_release(&cat);
    free(group);
    free(folder);
    remove_folder(root);
}

/* ---- measuring on a device ---- */

static enum aisp_status options_of(struct aisp_session_options *o, struct aisp_err *err, const char *a, const char *b)
{
    struct aisp_args args;
    const struct aisp_request request = { .args = &args, .err = err };
    enum aisp_status st;

    assert_int_equal(PARSE(&args, err, "bench", "run", a, b), AISP_OK);
    st = aisp_measure_options(&request, o);
    aisp_args_release(&args);
    return st;
}

static void a_device_is_measured_at_large_unless_a_size_is_given(void **state)
{
    struct aisp_session_options o;
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    aisp_cuda_set_library(BUILD_DIR "/fake_cuda/libcuda.so.1");
    if (options_of(&o, &err, "--device=cuda", "--gate"))
        fail_msg("%s", err.text);
    assert_string_equal(o.device, "cuda");
    assert_string_equal(o.size_name, "large");
    assert_int_equal(o.size, AISP_SIZE_LARGE);
    assert_int_equal(options_of(&o, &err, "--device=cuda", "--quick"), AISP_OK);
    assert_string_equal(o.size_name, "quick");
    assert_int_equal(o.size, AISP_SIZE_QUICK);
    assert_int_equal(options_of(&o, &err, "--device=cuda", "--size=default"), AISP_OK);
    assert_string_equal(o.size_name, "default");
    assert_int_equal(o.size, AISP_SIZE_DEFAULT);
    assert_int_equal(options_of(&o, &err, "--device=cpu", "--gate"), AISP_OK);
    assert_null(o.device);
    assert_int_equal(o.size, AISP_SIZE_DEFAULT);
    aisp_cuda_set_library(BUILD_DIR "/fake_cuda/nowhere/libcuda.so.1");
    assert_int_equal(options_of(&o, &err, "--device=cuda", "--gate"), AISP_E_UNAVAILABLE);
    assert_int_equal(strncmp(err.text, "cuda: no NVIDIA driver here", 27), 0);
    aisp_cuda_set_library(NULL);
}

static void a_target_without_a_form_for_the_device_is_left_out_and_counted(void **state)
{
    static const struct aisp_err none = { AISP_E_UNAVAILABLE, "ch07:turn has no form for cuda here" };
    static const struct aisp_err neither = { AISP_E_UNAVAILABLE, "ch07:twist has no form for cuda here" };
    struct aisp_measure m = { .options = { .device = NULL } };

    (void)state;
    assert_false(aisp_measure_skips(&m, AISP_E_UNAVAILABLE, &none));
    m.options.device = "cuda";
    assert_false(aisp_measure_skips(&m, AISP_OK, &none));
    assert_false(aisp_measure_skips(&m, AISP_E_REFUSED, &none));
    assert_false(aisp_measure_skips(&m, AISP_E_NO_MEMORY, &none));
    assert_int_equal(m.n_skipped, 0);
    assert_true(aisp_measure_skips(&m, AISP_E_UNAVAILABLE, &none));
    assert_true(aisp_measure_skips(&m, AISP_E_UNAVAILABLE, &neither));
    assert_int_equal(m.n_skipped, 2);
    assert_string_equal(m.first_skipped, "ch07:turn has no form for cuda here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_collected_and_complete),
        cmocka_unit_test(options_of_a_command_differ_in_name_and_letter),
        cmocka_unit_test(examples_parse),
        cmocka_unit_test(values_are_taken_in_every_spelling),
        cmocka_unit_test(operands_may_begin_with_a_dash_behind_two_dashes),
        cmocka_unit_test(unknown_option_names_the_nearest),
        cmocka_unit_test(far_names_are_not_guessed),
        cmocka_unit_test(beginning_of_commands_is_a_topic),
        cmocka_unit_test(every_status_has_its_exit_code),
        cmocka_unit_test(key_is_safe_as_a_file_name),
        cmocka_unit_test(result_withholds_the_speedup_of_an_invalid_variant),
        cmocka_unit_test(what_windows_may_hide_is_told_of_a_sides_own),
        cmocka_unit_test(a_finding_with_the_odd_name_of_a_file_is_in_the_result),
        cmocka_unit_test(a_finding_about_a_mapped_file_is_in_the_result),
        cmocka_unit_test(roof_names_the_bound_that_is_nearer),
        cmocka_unit_test(roof_is_that_of_the_type_of_the_inputs),
        cmocka_unit_test(above_its_roof_a_result_is_shown_as_the_error_it_is),
        cmocka_unit_test(table_of_results_fits_80_columns),
        cmocka_unit_test(a_percentile_is_said_in_the_unit_that_shows_it),
        cmocka_unit_test(variants_are_found_in_both_spellings),
        cmocka_unit_test(of_two_devices_the_forms_of_the_one_that_is_asked_are_found),
        cmocka_unit_test(a_device_is_measured_at_large_unless_a_size_is_given),
        cmocka_unit_test(a_target_without_a_form_for_the_device_is_left_out_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
