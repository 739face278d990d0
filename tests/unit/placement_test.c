/* placement_test.c - the placement audit: what it says about a verdict, that it survives JSON, that the code really moves. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <aisp/variant.h>

#include "commands/audit.h"
#include "commands/sources.h"
#include "tests/unit/run_play.h"
#include "tests/unit/temporary.h"

static void add(int a, int b, int n_pairs, double centre)
{
    struct aisp_placement *p =
        aisp_grow(&ev.placement, &ev.n_placements, &ev.cap_placements, sizeof *p);

    *p = (struct aisp_placement){ { a, b }, n_pairs, centre, centre - 0.01, INFINITY };
}

static void assert_verdict(enum aisp_verdict verdict_wanted, enum aisp_reason reason)
{
    const struct aisp_look_result look = verdict();

    assert_string_equal(aisp_verdict_name(look.verdict), aisp_verdict_name(verdict_wanted));
    assert_int_equal(look.reason, reason);
}

static void a_move_with_the_other_sign_makes_the_verdict_unsure(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    play(&script);
    assert_verdict(AISP_FASTER, AISP_REASON_NONE);
    add(16, 32, 6, 0.2);
    add(16, 48, 6, 0.003);
    assert_verdict(AISP_FASTER, AISP_REASON_NONE);
    add(32, 16, 6, -0.001);
    assert_verdict(AISP_UNSURE, AISP_REASON_PLACEMENT);
    assert_float_equal(verdict().ratio, 1.25, 0.01);
}

static void a_move_with_the_other_sign_makes_slower_unsure_as_well(void **state)
{
    struct aisp_fake_script script = scene_script(12000);

    (void)state;
    play(&script);
    add(16, 32, 6, -0.2);
    assert_verdict(AISP_SLOWER, AISP_REASON_NONE);
    add(16, 48, 6, 0.1);
    assert_verdict(AISP_UNSURE, AISP_REASON_PLACEMENT);
}

static void a_move_that_shows_no_difference_is_not_on_the_side_of_the_verdict(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    play(&script);
    add(16, 32, 6, 0);
    assert_verdict(AISP_UNSURE, AISP_REASON_PLACEMENT);
}

static void a_move_without_a_complete_pair_says_nothing(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    play(&script);
    add(16, 32, 0, NAN);
    assert_verdict(AISP_FASTER, AISP_REASON_NONE);
}

static void same_stays_same_whatever_moves_show(void **state)
{
    struct aisp_fake_script script = scene_script(10000);

    (void)state;
    play(&script);
    assert_verdict(AISP_SAME, AISP_REASON_NONE);
    add(16, 32, 6, -0.3);
    add(32, 16, 6, 0.3);
    assert_verdict(AISP_SAME, AISP_REASON_NONE);
}

static void the_audit_and_its_verdict_survive_json(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_evidence back = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };
    json_t *json;

    (void)state;
    play(&script);
    add(-1, 32, 6, -0.25);
    add(16, 48, 0, NAN);
    json = aisp_evidence_to_json(&ev);
    if (aisp_evidence_from_json(json, &back, &err))
        fail_msg("%s", err.text);
    json_decref(json);
    assert_int_equal(back.n_placements, 2);
    assert_int_equal(back.placement[0].bytes[AISP_A], -1);
    assert_int_equal(back.placement[0].bytes[AISP_B], 32);
    assert_int_equal(back.placement[0].n_pairs, 6);
    assert_float_equal(back.placement[0].centre, -0.25, 0);
    assert_float_equal(back.placement[0].lo95, -0.26, 0);
    assert_true(isinf(back.placement[0].hi95));
    assert_true(isnan(back.placement[1].centre));
    aisp_evidence_release(&ev);
    ev = back;
    assert_verdict(AISP_UNSURE, AISP_REASON_PLACEMENT);
}

static void evidence_without_an_audit_says_nothing_of_one(void **state)
{
    struct aisp_evidence none = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };
    json_t *json = aisp_evidence_to_json(&none);

    (void)state;
    assert_null(json_object_get(json, "placements"));
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_OK);
    assert_int_equal(back.n_placements, 0);
    json_object_set_new(json, "placements", json_pack("[{s:[i,i]}]", "bytes", 16, 32));
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_E_IO);
    assert_string_equal(err.text, "placements[0].n_pairs: missing");
    json_decref(json);
}

/* ---- building ---- */

static const char looped[] =
    "#include <aisp/variant.h>\n"
    "__attribute__((noinline)) static float sum(const float *x, int64_t n)\n"
    "{ float s = 0; for (int64_t i = 0; i < n; i++) s += x[i] > 1 ? x[i] : 1; return s; }\n"
    "static enum aisp_status run(const struct aisp_call *call)\n"
    "{ *(float *)call->tensor[1] = sum(call->tensor[0], call->param[0]); return AISP_OK; }\n"
    "AISP_DECLARE(\"idea: of a test\");\n"
    "AISP_VARIANT = { .abi = AISP_ABI, .run = run };\n";

/* Where run() lies behind a line of 64. */
static int offset_of_run(const char *folder, int bytes)
{
    char *object = aisp_format("%s/moved_%d.so", folder, bytes);
    const struct aisp_audit_build build = { .sources = folder,
                                            .include = BUILD_DIR "/view/variant",
                                            .name = "looped",
                                            .folder = folder,
                                            .object = object,
                                            .bytes = bytes };
    const struct aisp_variant *variant;
    struct aisp_err err = { 0 };
    uintptr_t at;
    void *lib;

    if (aisp_audit_compile(&build, &err))
        fail_msg("%s", err.text);
    lib = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(lib);
    variant = dlsym(lib, "aisp_variant");
    assert_non_null(variant);
    at = (uintptr_t)variant->run;
    dlclose(lib);
    free(object);
    return (int)(at % 64);
}

static void code_is_moved_by_as_many_bytes_as_asked(void **state)
{
    char *folder = temporary_folder();
    int first;

    (void)state;
    free(write_file(folder, "looped.c", looped, strlen(looped)));
    first = offset_of_run(folder, 0);
    for (int bytes = 16; bytes < 64; bytes += 16)
        assert_int_equal((offset_of_run(folder, bytes) - first + 64) % 64, bytes);
    remove_folder(folder);
}

static void a_target_without_its_sources_is_refused(void **state)
{
    char *folder = temporary_folder(), *problem = aisp_format("%s/problem.so", folder);
    struct aisp_target target = { .id = "my:target", .problem_path = problem };
    struct aisp_variant_ref looped_ref = { .name = "looped", .device = "cpu" },
                            peer = { .name = "peer_openblas", .device = "cpu" },
                            elsewhere = { .name = "looped", .device = "cuda" };
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(aisp_audit_check(&target, &looped_ref, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "my:target again, and its sources are not here"));
    assert_int_equal(aisp_sources_note(folder, folder, &err), AISP_OK);
    assert_int_equal(aisp_audit_check(&target, &looped_ref, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "looped.c"));
    assert_int_equal(aisp_audit_check(&target, &peer, &err), AISP_OK);
    free(write_file(folder, "looped.c", looped, strlen(looped)));
    assert_int_equal(aisp_audit_check(&target, &looped_ref, &err), AISP_OK);
    assert_int_equal(aisp_audit_check(&target, &elsewhere, &err), AISP_E_USAGE);
    free(problem);
    remove_folder(folder);
}

int main(void)
{
#define T(name) cmocka_unit_test_teardown(name, scene_release)
    const struct CMUnitTest tests[] = {
        T(a_move_with_the_other_sign_makes_the_verdict_unsure),
        T(a_move_with_the_other_sign_makes_slower_unsure_as_well),
        T(a_move_that_shows_no_difference_is_not_on_the_side_of_the_verdict),
        T(a_move_without_a_complete_pair_says_nothing),
        T(same_stays_same_whatever_moves_show),
        T(the_audit_and_its_verdict_survive_json),
        T(evidence_without_an_audit_says_nothing_of_one),
        T(code_is_moved_by_as_many_bytes_as_asked),
        T(a_target_without_its_sources_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
