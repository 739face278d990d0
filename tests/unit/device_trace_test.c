/* device_trace_test.c - what a recorder saw keeps within its bounds, survives JSON, and is refused where it makes no sense;
 * every check of it fires on its script and not on the honest one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/fake/fake.h"
#include "core/evidence.h"
#include "core/judge/number.h"
#include "core/run/run.h"
#include "tests/selftest/scripted.h"
#include "tests/unit/run_scene.h"

static struct aisp_dice dice;

static int64_t any(void)
{
    const uint64_t high = aisp_dice_u32(&dice), low = aisp_dice_u32(&dice);

    return (int64_t)(high << 32 | low);
}

/* Within what a file may say. */
static int64_t any_time(void)
{
    return any() / (INT64_C(1) << 18);
}

static void any_bytes(void *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = (unsigned char)aisp_dice_u32(&dice);
}

static void any_activity(struct aisp_device_activity *a)
{
    any_bytes(a, sizeof *a);
    a->kind = (int8_t)aisp_dice_below(&dice, AISP_DEVICE_N_KINDS);
    a->phase = (int8_t)aisp_dice_below(&dice, 8);
    a->from = (int8_t)aisp_dice_below(&dice, AISP_AT_N);
    a->to = (int8_t)aisp_dice_below(&dice, AISP_AT_N);
    a->how = (uint32_t)aisp_dice_below(&dice, AISP_HOW_ALL + 1);
    a->window = (int32_t)aisp_dice_below(&dice, 4) - 1;
    a->enqueued_ns = any_time();
    a->start_ns = any_time();
    a->end_ns = any_time();
    a->math[11] = a->name[63] = a->code[19] = 0;
}

/* Every list with something in every member. */
static void any_trace(struct aisp_device_trace *t)
{
    struct aisp_device_context *c;
    struct aisp_device_policy *p;
    struct aisp_device_stream *s;
    struct aisp_device_window *w;
    struct aisp_device_graph *g;

    t->taken = true;
    t->alive = aisp_dice_coin(&dice);
    t->device = (int32_t)any();
    t->clock_error_ns = any_time();
    t->idle_probe_ns = any_time();
    t->window_slack_ns = any_time();
    t->pool_at_start_bytes = any();
    t->scored_launches = any();
    t->scored_calls = any();
    t->audit_launches = any();
    t->audit_calls = any();
    t->scored_windows = any_time();
    t->scored_squares = 0.5 * (double)any_time();
    t->n_dropped = any();
    any_bytes(t->math, sizeof t->math - 1);
    for (int i = 0; i < 3; i++) {
        any_activity(aisp_device_add_activity(t));
        any_bytes(s = aisp_device_add_stream(t), sizeof *s);
        any_bytes(c = aisp_device_add_context(t), sizeof *c);
        any_bytes(g = aisp_device_add_graph(t), sizeof *g);
        any_bytes(w = aisp_device_add_window(t), sizeof *w);
        any_bytes(p = aisp_device_add_policy(t), sizeof *p);
        s->phase = c->phase = g->phase = w->phase = p->phase = (int8_t)i;
        c->window = g->window = p->window = i - 1;
        p->name[39] = p->value[39] = 0;
        s->is_harness = c->is_harness = w->workspace_poisoned = i % 2;
        s->non_blocking = !(i % 2);
        for (int64_t *to = &w->calls; to <= &w->host_cpu_ns; to++)
            *to = any_time();
        w->n_compared = any_time();
        w->n_wrong = any_time();
        w->calls = 1 + (any_time() & INT32_MAX);
    }
}

static enum aisp_status through_text(const struct aisp_evidence *ev, struct aisp_evidence *back,
                                     struct aisp_err *err)
{
    json_t *json = aisp_evidence_to_json(ev), *again;
    char *text = json_dumps(json, JSON_COMPACT);
    enum aisp_status st;

    *back = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    again = json_loads(text, 0, NULL);
    st = aisp_evidence_from_json(again, back, err);
    json_decref(json);
    json_decref(again);
    free(text);
    return st;
}

static void a_trace_survives_json_whatever_it_holds(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
        struct aisp_err err = { 0 };
        json_t *a, *b;

        any_trace(&ev.device_trace[i % 2]);
        if (through_text(&ev, &back, &err))
            fail_msg("%s", err.text);
        assert_false(back.device_trace[!(i % 2)].taken);
        a = aisp_evidence_to_json(&ev);
        b = aisp_evidence_to_json(&back);
        assert_true(json_equal(a, b));
        json_decref(a);
        json_decref(b);
        aisp_evidence_release(&ev);
        aisp_evidence_release(&back);
    }
}

/* Members that a list of fields forgot would come back as 0, or as "nowhere". */
static void no_member_of_a_trace_is_forgotten(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    struct aisp_device_trace *t = &ev.device_trace[AISP_A], *u;
    struct aisp_err err = { 0 };

    (void)state;
    any_trace(t);
    if (through_text(&ev, &back, &err))
        fail_msg("%s", err.text);
    u = &back.device_trace[AISP_A];
    assert_int_equal(t->scored_windows, u->scored_windows);
    assert_true(t->scored_squares == u->scored_squares);
    for (size_t i = 0; i < 3; i++) {
        const struct aisp_device_activity *a = &t->activity[i], *b = &u->activity[i];

        assert_memory_equal(a, b, offsetof(struct aisp_device_activity, how));
        assert_int_equal(a->how, b->how);
        assert_memory_equal(&a->enqueued_ns, &b->enqueued_ns, 5 * sizeof(int64_t));
        assert_string_equal(a->math, b->math);
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->code, b->code);
        assert_int_equal(a->n_threads, b->n_threads);
        assert_int_equal(a->shared_bytes, b->shared_bytes);
        assert_memory_equal(&t->stream[i], &u->stream[i],
                            offsetof(struct aisp_device_stream, is_harness));
        assert_int_equal(t->context[i].window, u->context[i].window);
        assert_memory_equal(&t->graph[i], &u->graph[i], 12);
        assert_memory_equal(&t->graph[i].n_kernels, &u->graph[i].n_kernels, 6 * sizeof(int32_t));
        assert_memory_equal(&t->window[i].calls, &u->window[i].calls, 11 * sizeof(int64_t));
        assert_int_equal(t->window[i].n_wrong, u->window[i].n_wrong);
        assert_int_equal(t->window[i].n_compared, u->window[i].n_compared);
        assert_string_equal(t->policy[i].value, u->policy[i].value);
    }
    aisp_evidence_release(&ev);
    aisp_evidence_release(&back);
}

static void remove_last_columns(json_t *table, int n)
{
    json_t *fields = json_object_get(table, "fields"), *row;
    size_t i;

    for (int k = 0; k < n; k++) {
        json_array_remove(fields, json_array_size(fields) - 1);
        json_array_foreach(json_object_get(table, "rows"), i, row) json_array_remove(row, json_array_size(row) - 1);
    }
}

/* Of what was recorded before blocks were known by their size, and kernels by their code: all the rest as it was. */
static void a_trace_of_before_is_read_without_what_came_later(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    json_t *json, *trace, *activity;
    struct aisp_err err = { 0 };

    (void)state;
    any_trace(&ev.device_trace[AISP_A]);
    json = aisp_evidence_to_json(&ev);
    trace = json_array_get(json_object_get(json, "device_traces"), 0);
    activity = json_object_get(trace, "activity");
    json_object_del(trace, "kernels");
    json_object_del(trace, "launches");
    remove_last_columns(activity, 2);
    if (aisp_evidence_from_json(json, &back, &err))
        fail_msg("%s", err.text);
    assert_string_equal(back.device_trace[AISP_A].activity[0].code, ev.device_trace[AISP_A].activity[0].code);
    assert_int_equal(back.device_trace[AISP_A].activity[0].n_threads, 0);
    aisp_evidence_release(&back);
    remove_last_columns(activity, 1);
    if (aisp_evidence_from_json(json, &back, &err))
        fail_msg("%s", err.text);
    assert_string_equal(back.device_trace[AISP_A].activity[0].name, ev.device_trace[AISP_A].activity[0].name);
    assert_string_equal(back.device_trace[AISP_A].activity[0].code, "");
    aisp_evidence_release(&back);
    json_array_remove(json_object_get(activity, "fields"), json_array_size(json_object_get(activity, "fields")) - 1);
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_E_IO);
    json_decref(json);
    aisp_evidence_release(&ev);
}

static void evidence_without_a_trace_says_nothing_of_one(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    json_t *json = aisp_evidence_to_json(&ev);
    struct aisp_err err = { 0 };

    (void)state;
    assert_null(json_object_get(json, "device_traces"));
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_OK);
    assert_false(back.device_trace[AISP_A].taken);
    json_decref(json);
    aisp_evidence_release(&back);
}

static void lists_are_bounded_and_say_what_found_no_room(void **state)
{
    struct aisp_device_trace t = { 0 };

    (void)state;
    for (int i = 0; i < AISP_DEVICE_MOST_ACTIVITIES; i++)
        assert_non_null(aisp_device_add_activity(&t));
    assert_null(aisp_device_add_activity(&t));
    for (int i = 0; i < AISP_DEVICE_MOST_OTHERS; i++) {
        assert_non_null(aisp_device_add_stream(&t));
        assert_non_null(aisp_device_add_context(&t));
        assert_non_null(aisp_device_add_policy(&t));
    }
    assert_null(aisp_device_add_stream(&t));
    assert_null(aisp_device_add_context(&t));
    assert_null(aisp_device_add_policy(&t));
    for (int i = 0; i < AISP_DEVICE_MOST_GRAPHS; i++)
        assert_non_null(aisp_device_add_graph(&t));
    for (int i = 0; i < AISP_DEVICE_MOST_WINDOWS; i++)
        assert_non_null(aisp_device_add_window(&t));
    assert_null(aisp_device_add_graph(&t));
    assert_null(aisp_device_add_window(&t));
    assert_int_equal(t.n_dropped, 6);
    aisp_device_trace_release(&t);
    assert_null(t.activity);
}

/* As a stranger could send it: one honest trace, changed by a path into its JSON. */
static json_t *sent(void)
{
    struct aisp_device_trace t[2] = { { 0 }, { 0 } };
    json_t *json;

    scene_honest(&t[AISP_B]);
    json = aisp_device_traces_to_json(t);
    aisp_device_trace_release(&t[AISP_B]);
    return json;
}

static json_t *rows_of(json_t *traces, const char *list)
{
    return json_object_get(json_object_get(json_array_get(traces, 1), list), "rows");
}

static void expect_refused(json_t *json, const char *says)
{
    struct aisp_device_trace t[2];
    struct aisp_err err = { 0 };

    assert_int_equal(aisp_device_traces_from_json(json, t, &err), AISP_E_IO);
    if (!strstr(err.text, says))
        fail_msg("\"%s\" does not say \"%s\"", err.text, says);
    assert_null(t[AISP_B].activity);
    assert_false(t[AISP_B].taken);
    json_decref(json);
}

static void a_window_that_is_not_there_is_refused(void **state)
{
    json_t *json = sent();

    (void)state;
    json_array_set_new(json_array_get(rows_of(json, "activity"), 0), 4,
                       json_integer(SCENE_WINDOWS));
    expect_refused(json, "window 4 is named");
}

static void a_list_longer_than_its_bound_is_refused(void **state)
{
    json_t *json = sent(), *rows = rows_of(json, "stream");

    (void)state;
    while (json_array_size(rows) <= AISP_DEVICE_MOST_OTHERS)
        json_array_append(rows, json_array_get(rows, 0));
    expect_refused(json, "device_traces.stream: 129 rows");
}

static void hostile_members_are_refused_by_name(void **state)
{
    json_t *json = sent();

    (void)state;
    json_array_set_new(json_array_get(rows_of(json, "activity"), 2), 0,
                       json_integer(AISP_DEVICE_N_KINDS));
    expect_refused(json, "device_traces.activity[2].kind");
    json = sent();
    json_array_set_new(json_array_get(rows_of(json, "window"), 1), 1, json_integer(0));
    expect_refused(json, "device_traces.window[1].calls");
    json = sent();
    json_array_set_new(json_array_get(rows_of(json, "window"), 1), 2, json_integer(INT64_MAX));
    expect_refused(json, "device_traces.window[1].go_ns");
    json = sent();
    json_array_remove(json_array_get(rows_of(json, "policy"), 1), 1);
    expect_refused(json, "device_traces.policy[1]");
    json = sent();
    json_object_del(json_array_get(json, 1), "graph");
    expect_refused(json, "device_traces.graph: missing");
    json = sent();
    json_array_remove(json, 0);
    expect_refused(json, "not a list of 2");
    json = sent();
    json_object_set_new(json_array_get(json, 1), "device", json_string("0"));
    expect_refused(json, "device_traces.device");
}

/* Times at the ends of the range and counts of any sign: a check may find what it likes, it must not fall. */
static void checks_stand_whatever_numbers_come(void **state)
{
    const struct aisp_grading grading = { 0 };

    (void)state;
    for (int i = 0; i < 60; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings found = AISP_FINDINGS_INIT;

        any_trace(&ev.device_trace[AISP_A]);
        any_trace(&ev.device_trace[AISP_B]);
        aisp_examine(&ev, &grading, &found);
        aisp_findings_release(&found);
        aisp_evidence_release(&ev);
    }
}

static void every_script_is_caught_by_its_check_alone(void **state)
{
    int n = 0;

    (void)state;
    AISP_FOR_EACH(scripted_cheats, struct scripted, s)
    {
        char text[320];
        const char *flaw = scripted_try_cheat(s, text);

        if (flaw)
            fail_msg("%s: %s (%s)", s->name, flaw, text);
        n++;
    }
    assert_true(n >= 45);
}

static void every_honest_script_passes(void **state)
{
    (void)state;
    AISP_FOR_EACH(scripted_twins, struct scripted, s)
    {
        char text[320];
        const char *flaw = scripted_try_twin(s, text);

        if (flaw)
            fail_msg("%s: %s (%s)", s->name, flaw, text);
    }
    AISP_FOR_EACH(scripted_cheats, struct scripted, s)
    {
        assert_non_null(scripted_twin(s->name));
    }
}

static void bf16_reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[1];
    const float *w = in->tensor[1];
    double *y = to;

    (void)out;
    for (int64_t i = first * cols; i < (first + n) * cols; i++)
        *y++ = aisp_number_load(in->tensor[0], i, AISP_BF16) * (double)w[i % cols];
}

static void every_check_of_a_trace_has_a_script(void **state)
{
    int n = 0;

    (void)state;
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
    {
        bool has = false;

        if (strcmp(check->needs, "gpu") && strcmp(check->needs, "gpus"))
            continue;
        n++;
        AISP_FOR_EACH(scripted_cheats, struct scripted, s)
        {
            has |= !strcmp(s->check, check->name);
        }
        if (!has)
            fail_msg("%s: no script", check->name);
    }
    assert_true(n >= 26);
}

/* Code that could not be read proves nothing, and its absence is said. */
static void a_module_that_could_not_be_read_makes_it_development(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_findings found = AISP_FINDINGS_INIT;
    struct aisp_device_activity *a;

    (void)state;
    scene_honest(&ev.device_trace[AISP_B]);
    a = scene_outside(&ev.device_trace[AISP_B], AISP_DEVICE_COMPILE, 1000, 2000);
    a->how = AISP_HOW_UNREAD;
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
    {
        if (!strcmp(check->name, "precision-mismatch-device"))
            check->examine(check, &ev, &found);
    }
    assert_int_equal(found.n, 1);
    assert_int_equal(found.item[0].severity, AISP_DEVELOPMENT);
    assert_non_null(strstr(found.item[0].text, "could not be read (1 of them)"));
    aisp_findings_release(&found);
    aisp_evidence_release(&ev);
}

static int n_audits[2], n_scored[2];

static void count(struct aisp_device_trace *t, bool is_audit, int side)
{
    n_audits[side] += is_audit;
    n_scored[side] += !is_audit;
    if (is_audit)
        scene_honest(t);
    else
        t->scored_launches++;
}

static void count_a(struct aisp_device_trace *t, bool is_audit)
{
    count(t, is_audit, AISP_A);
}

static void count_b(struct aisp_device_trace *t, bool is_audit)
{
    count(t, is_audit, AISP_B);
}

static void play_problem(const struct aisp_problem *problem, const char *device,
                         enum aisp_fake_fault fault, struct aisp_evidence *ev)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(problem);
    struct aisp_err err = { 0 };

    memset(n_audits, 0, sizeof n_audits);
    memset(n_scored, 0, sizeof n_scored);
    script.variant[AISP_A].device = count_a;
    script.variant[AISP_B].device = count_b;
    script.variant[AISP_B].fault = fault;
    plan.backend = aisp_backend_find(device);
    plan.verify_only = true;
    aisp_fake_play(&script);
    if (aisp_run(&plan, ev, &err))
        fail_msg("%s", err.text);
}

static void play_counted(const char *device, enum aisp_fake_fault fault, struct aisp_evidence *ev)
{
    play_problem(&scene_problem, device, fault, ev);
}

/* Sessions of the asked size leave their counters, the audit the rest: at other sizes a call may launch otherwise. The scene's
 * quick size is the asked one, so that there are two. */
static void a_run_audits_each_side_once_where_the_device_has_a_recorder(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    play_counted("fakegpu", AISP_FAKE_NONE, &ev);
    for (int side = AISP_A; side <= AISP_B; side++) {
        assert_int_equal(n_audits[side], 1);
        assert_int_equal(n_scored[side], 2);
        assert_int_equal(ev.device_trace[side].scored_launches, n_scored[side]);
        assert_int_equal(ev.device_trace[side].n_activities, SCENE_WINDOWS * SCENE_CALLS);
        assert_string_equal(ev.device_trace[side].math, "f32");
    }
    aisp_evidence_release(&ev);
}

/* A product of bf16 that is summed into f32 asks for no more than bf16. */
static void what_a_problem_hands_out_is_what_it_asks_for(void **state)
{
    static const struct aisp_tensor tensors[] = {
        { "x", AISP_IN, AISP_BF16, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
        { "w", AISP_WEIGHT, AISP_F32, "cols", { AISP_UNIFORM, 0.5, 1.5 } },
        { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    static const struct aisp_problem problem = SCENE_PROBLEM(tensors, bf16_reference);
    struct aisp_evidence ev;

    (void)state;
    play_problem(&problem, "fakegpu", AISP_FAKE_NONE, &ev);
    assert_int_equal(n_audits[AISP_B], 1);
    assert_string_equal(ev.device_trace[AISP_B].math, "bf16");
    aisp_evidence_release(&ev);
}

static void nothing_is_audited_without_a_recorder(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    play_counted("fake", AISP_FAKE_NONE, &ev);
    assert_int_equal(n_audits[AISP_A] + n_audits[AISP_B] + n_scored[AISP_A], 0);
    assert_false(ev.device_trace[AISP_A].taken);
    aisp_evidence_release(&ev);
}

static void what_was_wrong_already_is_not_audited(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    play_counted("fakegpu", AISP_FAKE_VALUE, &ev);
    assert_true(ev.n_observations > 0);
    assert_int_equal(n_audits[AISP_A] + n_audits[AISP_B], 0);
    aisp_evidence_release(&ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_survives_json_whatever_it_holds),
        cmocka_unit_test(no_member_of_a_trace_is_forgotten),
        cmocka_unit_test(a_trace_of_before_is_read_without_what_came_later),
        cmocka_unit_test(evidence_without_a_trace_says_nothing_of_one),
        cmocka_unit_test(lists_are_bounded_and_say_what_found_no_room),
        cmocka_unit_test(a_window_that_is_not_there_is_refused),
        cmocka_unit_test(a_list_longer_than_its_bound_is_refused),
        cmocka_unit_test(hostile_members_are_refused_by_name),
        cmocka_unit_test(checks_stand_whatever_numbers_come),
        cmocka_unit_test(every_script_is_caught_by_its_check_alone),
        cmocka_unit_test(every_honest_script_passes),
        cmocka_unit_test(every_check_of_a_trace_has_a_script),
        cmocka_unit_test(a_module_that_could_not_be_read_makes_it_development),
        cmocka_unit_test(a_run_audits_each_side_once_where_the_device_has_a_recorder),
        cmocka_unit_test(what_a_problem_hands_out_is_what_it_asks_for),
        cmocka_unit_test(nothing_is_audited_without_a_recorder),
        cmocka_unit_test(what_was_wrong_already_is_not_audited),
    };
    static const struct aisp_key key = { { 'd', 't' } };

    aisp_dice_init(&dice, &key);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
