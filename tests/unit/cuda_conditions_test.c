/* cuda_conditions_test.c - under what conditions an audit's variant runs: what the worker reads of its driver, on the fake one
 * (tests/fake_cuda), and what the trace makes of it. The recorder finds no card there, and the worker's own notes are there all the
 * same.
 * Not here: what the device did (cuda_trace_test.c). */
#include "tests/fixtures/session.h"

#include "backends/cuda/cuda.h"
#include "checks/check.h"
#include "core/evidence.h"
#include "tests/fake_cuda/place.h"
#include "tests/fixtures/records.h"

/* What the worker has written after so many windows of an audit of that variant. */
static const struct record_area *noted(const char *variant, int n_windows)
{
    static struct record_area copy;
    char *folder = folder_for_workers(), *library = place_fake_cuda(folder, "", "");
    struct session_rig r;
    struct aisp_window w;

    aisp_cuda_set_library(library);
    session_prepare(&r, variant, NULL, 1000);
    r.cpu = aisp_backend_find("cuda");
    r.spec.is_audit = true;
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    for (int i = 0; i < n_windows; i++) {
        session_fill(&r, (uint32_t)i);
        if (session_window(&r, AISP_A, 4, &w))
            fail_msg("%s", r.err.text);
    }
    memcpy(&copy, r.session->files[0].out + r.session->record_offset, sizeof copy);
    session_close(&r);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
    return &copy;
}

static bool has_recorder(void)
{
    return !access(BUILD_DIR "/libaisp-recorder.so", R_OK);
}

static void a_fresh_process_has_nothing_in_its_pool(void **state)
{
    (void)state;
    if (!has_recorder())
        skip();
    assert_int_equal(noted("honest", 1)->pool_bytes, 0);
}

static void memory_that_a_constructor_took_lies_in_the_pool_before_setup(void **state)
{
    (void)state;
    if (!has_recorder())
        skip();
    assert_int_equal(noted("fills_pool", 1)->pool_bytes, 4 << 20);
}

static void the_trace_says_what_lay_in_the_pool_and_no_nonsense(void **state)
{
    (void)state;
    area->pool_bytes = 32 << 20;
    make();
    assert_int_equal(trace.pool_at_start_bytes, 32 << 20);
    aisp_device_trace_release(&trace);
    area->pool_bytes = UINT64_MAX;
    make();
    assert_true(trace.pool_at_start_bytes > 0);
}

static const struct record_policy *only(const struct record_area *a, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < a->n_policies; i++)
        if (!strcmp(a->policy[i].name, name) && nth-- == 0)
            return &a->policy[i];
    return NULL;
}

static void what_never_changes_is_noted_once(void **state)
{
    const struct record_area *a;

    (void)state;
    if (!has_recorder())
        skip();
    a = noted("honest", 3);
    assert_true(a->n_policies >= 8);
    for (uint32_t i = 0; i < a->n_policies; i++) {
        assert_true(a->policy[i].phase == RECORD_LOAD && a->policy[i].window == -1);
        assert_null(only(a, a->policy[i].name, 1));
    }
    assert_string_equal(only(a, "NVIDIA_TF32_OVERRIDE", 0)->value, "not set");
    assert_string_equal(only(a, "scheduling flags", 0)->value, "1");
}

static void what_changes_is_noted_where_it_was_seen(void **state)
{
    const struct record_policy *p;
    const struct record_area *a;

    (void)state;
    if (!has_recorder())
        skip();
    a = noted("changes_policy", 3);
    p = only(a, "NVIDIA_TF32_OVERRIDE", 1);
    assert_true(p && p->phase == RECORD_SETUP && p->window == -1);
    assert_string_equal(p->value, "1");
    p = only(a, "persisting L2 bytes", 1);
    assert_true(p && p->phase == RECORD_TIMED && p->window == 1);
    assert_string_equal(p->value, "1048576");
    assert_null(only(a, "persisting L2 bytes", 2));
}

static void set_policy(uint32_t nth, const char *value, int32_t phase, int32_t window)
{
    struct record_policy *p = &area->policy[nth];

    strcpy(p->name, "NVIDIA_TF32_OVERRIDE");
    strcpy(p->value, value);
    p->phase = phase;
    p->window = window;
    area->n_policies = nth + 1;
}

/* What the check of policies says of this trace, as the contender's; "": nothing. */
static void drift(char text[400])
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    *text = 0;
    ev.device_trace[AISP_B] = trace;
    strcpy(ev.variant[AISP_B].name, "b");
    AISP_FOR_EACH(aisp_checks, struct aisp_check, row)
    {
        struct aisp_findings found = AISP_FINDINGS_INIT;

        if (!strcmp(row->name, "backend-policy-drift-device"))
            row->examine(row, &ev, &found);
        if (found.n)
            snprintf(text, 400, "%s", found.item[0].text);
        aisp_findings_release(&found);
    }
}

static void a_policy_that_changes_is_told_of_the_phase_and_of_the_window(void **state)
{
    char text[400];

    (void)state;
    set_policy(0, "not set", RECORD_LOAD, -1);
    make();
    drift(text);
    assert_string_equal(text, "");
    aisp_device_trace_release(&trace);
    set_policy(1, "1", RECORD_SETUP, -1);
    make();
    drift(text);
    assert_string_equal(text, "b: NVIDIA_TF32_OVERRIDE was \"not set\" in load and is \"1\" in setup");
    aisp_device_trace_release(&trace);
    set_policy(1, "1", RECORD_TIMED, 1);
    make();
    drift(text);
    assert_string_equal(text, "b: NVIDIA_TF32_OVERRIDE was \"not set\" in load and is \"1\" in timed, audit window 1");
}

static void policies_are_bounded_and_take_no_room_from_what_else_is_seen(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RECORD_MOST_POLICIES; i++)
        set_policy(i, "1", 1000, 1000);
    area->n_policies = UINT32_MAX;
    memset(area->policy[5].value, 1, sizeof area->policy[5].value);
    make();
    assert_int_equal(trace.n_policies, RECORD_MOST_POLICIES);
    assert_int_equal(trace.n_dropped, 0);
    assert_int_equal(trace.policy[5].window, -1);
    assert_int_equal(strlen(trace.policy[5].value), sizeof trace.policy[5].value - 1);
    assert_int_equal(trace.policy[5].value[0], '?');
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE(a_fresh_process_has_nothing_in_its_pool),
        SCENE(memory_that_a_constructor_took_lies_in_the_pool_before_setup),
        SCENE(the_trace_says_what_lay_in_the_pool_and_no_nonsense),
        SCENE(what_never_changes_is_noted_once),
        SCENE(what_changes_is_noted_where_it_was_seen),
        SCENE(a_policy_that_changes_is_told_of_the_phase_and_of_the_window),
        SCENE(policies_are_bounded_and_take_no_room_from_what_else_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
