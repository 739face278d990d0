/* evidence_test.c - evidence survives JSON, its chain sees what was touched, its figures are derived as promised. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/buf.h"
#include "core/evidence.h"

static struct aisp_dice dice;

static int64_t any(void)
{
    const uint64_t high = aisp_dice_u32(&dice), low = aisp_dice_u32(&dice);

    return (int64_t)(high << 32 | low);
}

static double any_real(void)
{
    static const double odd[] = { NAN, INFINITY, -INFINITY, -0.0, 5e-324, 1.0 / 3, -1e300 };

    return aisp_dice_coin(&dice) ? odd[aisp_dice_below(&dice, 7)] : (double)any() / 7;
}

static void any_text(char *to, size_t size)
{
    const size_t n = aisp_dice_below(&dice, size);

    for (size_t i = 0; i < n; i++)
        to[i] = (char)(1 + aisp_dice_below(&dice, 255)); /* mostly no UTF-8 */
}

static void any_window(struct aisp_window *w)
{
    w->pair = (int32_t)any();
    w->block = (int32_t)any();
    w->index = (int32_t)any();
    w->side = (int8_t)aisp_dice_coin(&dice);
    w->kind = (int8_t)aisp_dice_below(&dice, 4);
    w->calls = 1 + (any() & INT64_MAX) / 2;
    w->start_ns = any();
    w->window_ns = any();
    w->inner_ns = any();
    w->gap_ns = any();
    w->idle_ns = any();
    w->minor_faults = (int32_t)any();
    w->major_faults = (int32_t)any();
    w->voluntary_switches = (int32_t)any();
    w->involuntary_switches = (int32_t)any();
}

static void any_observation(struct aisp_observation *o)
{
    o->what = (enum aisp_seen)aisp_dice_below(&dice, AISP_N_SEEN);
    o->side = (int8_t)aisp_dice_coin(&dice);
    o->phase = (enum aisp_phase)aisp_dice_below(&dice, 8);
    o->kind = (int32_t)any();
    o->pair = (int32_t)any();
    o->window = (int32_t)any();
    o->call = any();
    o->slot = (int32_t)any();
    o->tensor = (int32_t)any();
    o->element = any();
    o->count = any();
    o->of = any();
    o->seen = any_real();
    o->expected = any_real();
    o->allowed = any_real();
    any_text(o->detail, sizeof o->detail);
}

static void any_lists(struct aisp_evidence *ev)
{
    for (uint64_t n = aisp_dice_below(&dice, 40); n > 0; n--)
        any_window(aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *ev->window));
    for (uint64_t n = aisp_dice_below(&dice, 9); n > 0; n--) {
        struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

        p->pair = (int32_t)any();
        p->is_control = aisp_dice_coin(&dice);
        p->complete = aisp_dice_coin(&dice);
        any_text(p->commitment, sizeof p->commitment);
        any_text(p->secret, sizeof p->secret);
    }
    for (uint64_t n = aisp_dice_below(&dice, 9); n > 0; n--)
        any_observation(aisp_grow(&ev->observation, &ev->n_observations, &ev->cap_observations,
                                  sizeof *ev->observation));
}

static void any_machine(struct aisp_machine *m)
{
    m->card.asked = aisp_dice_coin(&dice);
    if (m->card.asked) {
        struct aisp_card_block *block =
            aisp_grow(&m->card.block, &m->card.n_blocks, &m->card.cap_blocks, sizeof *block);

        any_text(m->card.uuid, sizeof m->card.uuid);
        m->card.energy_mj = any();
        block->reasons = any();
        block->side = (int8_t)aisp_dice_coin(&dice);
    }
    m->footing[AISP_B].n_looks = aisp_dice_coin(&dice);
    m->footing[AISP_B].node_bytes[7] = m->footing[AISP_B].n_looks ? any() : 0;
    m->after.known = aisp_dice_coin(&dice);
    m->after.khz_low = m->after.known ? any() : 0;
    m->claim.attempt = (int64_t)aisp_dice_below(&dice, 3);
    m->claim.ratio = m->claim.attempt ? any_real() : 0;
}

static void any_evidence(struct aisp_evidence *ev)
{
    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    any_text(ev->target, sizeof ev->target);
    ev->n_params = (int)aisp_dice_below(&dice, AISP_MAX_PARAMS + 1);
    for (int i = 0; i < AISP_MAX_PARAMS; i++) {
        any_text(ev->param_name[i], sizeof ev->param_name[i]);
        ev->param[i] = any();
    }
    ev->goal = (enum aisp_goal)aisp_dice_below(&dice, 4);
    ev->bytes = any();
    ev->band = any_real();
    ev->floor = any_real();
    ev->fill_ns = any();
    ev->cut_short = aisp_dice_coin(&dice);
    ev->incomplete = aisp_dice_coin(&dice);
    any_text(ev->chain, sizeof ev->chain);
    any_text(ev->variant[AISP_B].decl.uses, sizeof ev->variant[AISP_B].decl.uses);
    any_text(ev->account[AISP_A].output, sizeof ev->account[AISP_A].output);
    ev->account[AISP_B].max_tasks = (int32_t)any();
    ev->verified[AISP_A].worst = any_real();
    for (int i = 0; i < 9; i++)
        aisp_answers_add(&ev->answers[i % 2], (int64_t)aisp_dice_below(&dice, 8000000));
    ev->verified[AISP_B].timed_wrong = any();
    ev->calibration.aa_floor[2] = any_real();
    ev->workload.repeats[AISP_B].n_differ = any();
    ev->workload.anatomy[AISP_A].kind = AISP_ANATOMY_MASK;
    any_text(ev->workload.anatomy[AISP_A].where, sizeof ev->workload.anatomy[AISP_A].where);
    ev->calibration.n_aa_false = (int)(int32_t)any();
    any_machine(&ev->machine);
    any_lists(ev);
}

static void same_windows(const struct aisp_evidence *a, const struct aisp_evidence *b)
{
    assert_int_equal(a->n_windows, b->n_windows);
    for (size_t i = 0; i < a->n_windows; i++)
        assert_memory_equal(&a->window[i], &b->window[i], sizeof *a->window);
}

static struct aisp_evidence through_text(const struct aisp_evidence *ev)
{
    struct aisp_evidence back = AISP_EVIDENCE_INIT;
    json_t *json = aisp_evidence_to_json(ev);
    char *text = json_dumps(json, JSON_COMPACT);
    struct aisp_err err = { 0 };

    json_decref(json);
    assert_non_null(text);
    json = json_loads(text, 0, NULL);
    assert_non_null(json);
    if (aisp_evidence_from_json(json, &back, &err))
        fail_msg("%s", err.text);
    json_decref(json);
    free(text);
    return back;
}

static void evidence_survives_json_whatever_it_holds(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct aisp_evidence ev, back;
        json_t *a, *b;

        any_evidence(&ev);
        back = through_text(&ev);
        same_windows(&ev, &back);
        assert_memory_equal(ev.account[AISP_A].output, back.account[AISP_A].output,
                            sizeof ev.account[0].output);
        a = aisp_evidence_to_json(&ev);
        b = aisp_evidence_to_json(&back);
        assert_true(json_equal(a, b));
        json_decref(a);
        json_decref(b);
        aisp_evidence_release(&ev);
        aisp_evidence_release(&back);
    }
}

/* Every byte of a plain struct is set, goes through text, and must come back: a member that the lists forget would be 0. */
static void no_member_of_the_plain_parts_is_forgotten(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;

    (void)state;
    memset(&ev.calibration, 1, sizeof ev.calibration);
    ev.calibration.host[64] = 0;
    memset(&ev.verified, 1, sizeof ev.verified);
    memset(ev.account, 1, sizeof ev.account);
    ev.account[0].output[255] = ev.account[1].output[255] = 0;
    back = through_text(&ev);
    assert_memory_equal(&ev.verified, &back.verified, sizeof ev.verified);
    assert_memory_equal(&ev.calibration.taken_at, &back.calibration.taken_at,
                        offsetof(struct aisp_calibration, spinning) -
                            offsetof(struct aisp_calibration, taken_at));
    for (int side = 0; side < 2; side++) {
        assert_memory_equal(&ev.account[side], &back.account[side],
                            offsetof(struct aisp_account, output) + 256);
        assert_int_equal(ev.account[side].output_bytes, back.account[side].output_bytes);
    }
    aisp_evidence_release(&back);
}

static void the_type_of_the_products_survives_json_and_older_records_have_none(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;

    (void)state;
    back = through_text(&ev);
    assert_int_equal(back.arithmetic, 0);
    aisp_evidence_release(&back);
    ev.arithmetic = AISP_BF16;
    back = through_text(&ev);
    assert_int_equal(back.arithmetic, AISP_BF16);
    aisp_evidence_release(&back);
}

static void what_was_held_survives_json(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    const struct aisp_held_facts held = {
        AISP_SCOPE_KERNEL, 200, { 3, 4 }, { 5, 6 }, { 7, 8 }, { 9, 10 }, { 11, 12 }, { false, true }
    };
    const size_t numbers = offsetof(struct aisp_held_facts, is_refused) - offsetof(struct aisp_held_facts, most_calls);

    (void)state;
    ev.held = held;
    back = through_text(&ev);
    /* All members; what lies between them is nobody's. */
    assert_int_equal(back.held.scope, held.scope);
    assert_memory_equal(&back.held.most_calls, &held.most_calls, numbers);
    assert_memory_equal(back.held.is_refused, held.is_refused, sizeof held.is_refused);
    aisp_evidence_release(&back);
}

/* In records from before they were kept they are not there. */
static void how_often_words_were_asked_for_and_what_was_planned_survive_json(void **state)
{
    const struct aisp_rewrites rewrites[2] = { { .n_asked = 120, .n_clear = 9 }, { .n = 80, .n_left = 2, .n_asked = 120, .n_clear = 90 } };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    json_t *json;

    (void)state;
    memcpy(ev.rewrites, rewrites, sizeof rewrites);
    ev.planned_window_ns = 2000000;
    strcpy(ev.reference_in, "scene.scale.optimized_one");
    back = through_text(&ev);
    assert_string_equal(back.reference_in, ev.reference_in);
    assert_memory_equal(back.rewrites, rewrites, sizeof rewrites);
    assert_int_equal(back.planned_window_ns, 2000000);
    json = aisp_evidence_to_json(&back);
    aisp_evidence_release(&back);
    json_object_del(json, "planned_window_ns");
    json_object_del(json, "reference_in");
    for (size_t side = 0; side < 2; side++) {
        json_object_del(json_array_get(json_object_get(json, "rewrites"), side), "n_asked");
        json_object_del(json_array_get(json_object_get(json, "rewrites"), side), "n_clear");
    }
    assert_int_equal(aisp_evidence_from_json(json, &back, NULL), AISP_OK);
    assert_int_equal(back.rewrites[AISP_B].n, 80);
    assert_int_equal(back.rewrites[AISP_B].n_asked + back.planned_window_ns, 0);
    assert_string_equal(back.reference_in, "");
    aisp_evidence_release(&back);
    json_decref(json);
}

static void what_bounds_a_device_survives_json_and_none_is_none(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    struct aisp_device_limits *limits = &ev.limits;

    (void)state;
    memset(limits, 1, sizeof *limits);
    limits->name[sizeof limits->name - 1] = limits->card[sizeof limits->card - 1] = 0;
    back = through_text(&ev);
    assert_memory_equal(limits, &back.limits, sizeof *limits);
    aisp_evidence_release(&back);
    memset(limits, 0, sizeof *limits);
    back = through_text(&ev);
    assert_memory_equal(limits, &back.limits, sizeof *limits);
    aisp_evidence_release(&back);
}

/* Levels and roofs are the card's where one was measured, whatever the machine's cores have. */
static void a_card_has_levels_and_a_roof_of_its_own(void **state)
{
    struct aisp_evidence ev = { .n_threads = 4,
                                .before = { .l1d_bytes = 32 << 10, .l2_bytes = 1 << 20, .l3_bytes = -1 },
                                .calibration = { .peak_read_gbps = { 100, 50, 20, 10 }, .peak_copy_gbps = { 90, 60, 20, 8 } } };

    (void)state;
    assert_int_equal(aisp_evidence_level(&ev, 32 << 10), 0);
    assert_int_equal(aisp_evidence_level(&ev, (32 << 10) + 1), 1);
    assert_int_equal(aisp_evidence_level(&ev, (1 << 20) + 1), 3);
    ev.bytes = 1 << 20;
    assert_true(aisp_evidence_roof_gbps(&ev) == 4 * 60);
    ev.bytes = 2 << 20;
    assert_true(aisp_evidence_roof_gbps(&ev) == 4 * 10);
    ev.limits = (struct aisp_device_limits){ .card = "GPU-1", .cache_bytes = { -1, 50 << 20, -1 }, .dram_gbps = 3352 };
    assert_int_equal(aisp_evidence_level(&ev, 1), 1);
    assert_int_equal(aisp_evidence_level(&ev, 50 << 20), 1);
    assert_int_equal(aisp_evidence_level(&ev, (50 << 20) + 1), 3);
    assert_true(aisp_evidence_roof_gbps(&ev) == 0);
    ev.bytes = 1 << 30;
    assert_true(aisp_evidence_roof_gbps(&ev) == 3352);
}

/* The same of what is known of the machine. */
static void no_member_of_the_machine_is_forgotten(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back;
    struct aisp_machine *m = &ev.machine;

    (void)state;
    memset(m->footing, 1, sizeof m->footing);
    memset(&m->claim, 1, sizeof m->claim);
    m->claim.verdict[sizeof m->claim.verdict - 1] = m->claim.unfinished[sizeof m->claim.unfinished - 1] = 0;
    memset(&m->before.governor_cpu, 1, sizeof m->before - offsetof(struct aisp_host, governor_cpu));
    m->before.known = true;
    back = through_text(&ev);
    for (int side = 0; side < 2; side++) {
        const struct aisp_footing *f = &m->footing[side], *g = &back.machine.footing[side];

        assert_memory_equal(f, g, offsetof(struct aisp_footing, node) + sizeof f->node);
        assert_memory_equal(f->node_bytes, g->node_bytes, sizeof f->node_bytes);
        assert_memory_equal(f->harness_node_bytes, g->harness_node_bytes, sizeof f->harness_node_bytes);
    }
    assert_string_equal(m->claim.verdict, back.machine.claim.verdict);
    assert_string_equal(m->claim.unfinished, back.machine.claim.unfinished);
    assert_memory_equal(&m->claim.ratio, &back.machine.claim.ratio,
                        sizeof m->claim.ratio + sizeof m->claim.n_pairs);
    assert_memory_equal(&m->claim.attempt, &back.machine.claim.attempt, 3 * sizeof(int64_t));
    assert_int_equal(m->before.governor_cpu, back.machine.before.governor_cpu);
    assert_memory_equal(&m->before.khz_low, &back.machine.before.khz_low,
                        sizeof m->before - offsetof(struct aisp_host, khz_low));
    assert_false(back.machine.after.known);
    aisp_evidence_release(&back);
}

static void reading_names_the_field_that_is_wrong(void **state)
{
    static const struct {
        const char *path[3];
        const char *says;
    } wrong[] = {
        { { "n_slots" }, "evidence.n_slots" },
        { { "verified" }, "verified" },
        { { "windows", "rows" }, "windows" },
        { { "calibration", "aa_floor" }, "calibration.aa_floor" },
        { { "before", "governor" }, "environment.governor" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
        json_t *json = aisp_evidence_to_json(&ev), *at = json;
        const char *last = wrong[i].path[0];
        struct aisp_err err = { 0 };

        if (wrong[i].path[1]) {
            at = json_object_get(json, last);
            last = wrong[i].path[1];
        }
        json_object_del(at, last);
        assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_E_IO);
        assert_non_null(strstr(err.text, wrong[i].says));
        assert_int_equal(back.n_windows, 0);
        json_decref(json);
    }
}

static void reading_refuses_numbers_that_would_be_indices(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
    struct aisp_window *w = aisp_grow(&ev.window, &ev.n_windows, &ev.cap_windows, sizeof *w);
    struct aisp_err err = { 0 };
    json_t *json;

    (void)state;
    w->calls = 1;
    w->side = 2;
    json = aisp_evidence_to_json(&ev);
    assert_int_equal(aisp_evidence_from_json(json, &back, &err), AISP_E_IO);
    assert_string_equal(err.text, "windows[0].side: of the wrong type or out of range");
    json_decref(json);
    aisp_evidence_release(&ev);
}

static void chain_sees_a_window_removed_changed_or_moved(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_window first;
    char whole[65], touched[65];

    (void)state;
    for (int i = 0; i < 5; i++)
        any_window(aisp_grow(&ev.window, &ev.n_windows, &ev.cap_windows, sizeof *ev.window));
    aisp_evidence_chain(&ev, whole);
    assert_int_equal(strlen(whole), 64);
    ev.n_windows--;
    aisp_evidence_chain(&ev, touched);
    assert_string_not_equal(whole, touched);
    ev.n_windows++;
    ev.window[2].window_ns ^= 1;
    aisp_evidence_chain(&ev, touched);
    assert_string_not_equal(whole, touched);
    ev.window[2].window_ns ^= 1;
    first = ev.window[0];
    ev.window[0] = ev.window[1];
    ev.window[1] = first;
    aisp_evidence_chain(&ev, touched);
    assert_string_not_equal(whole, touched);
    ev.window[1] = ev.window[0];
    ev.window[0] = first;
    aisp_evidence_chain(&ev, touched);
    assert_string_equal(whole, touched);
    aisp_evidence_release(&ev);
}

static void add_window(struct aisp_evidence *ev, int pair, int block, int side, int kind,
                       int64_t ns)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

    w->pair = pair;
    w->block = block;
    w->side = (int8_t)side;
    w->kind = (int8_t)kind;
    w->calls = 10;
    w->window_ns = ns;
}

static void add_pair(struct aisp_evidence *ev, int pair, bool is_control, bool complete)
{
    struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

    p->pair = pair;
    p->is_control = is_control;
    p->complete = complete;
}

static void estimates_come_from_whole_timed_blocks_of_complete_pairs(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    double *m, *control;
    int n, n_control;

    (void)state;
    add_pair(&ev, 0, false, true);
    add_pair(&ev, 1, true, true);
    add_pair(&ev, 2, false, false);
    for (int pair = 0; pair < 3; pair++) {
        add_window(&ev, pair, -1, AISP_A, AISP_WINDOW_WARMUP, 1);
        add_window(&ev, pair, 0, AISP_A, AISP_WINDOW_TIMED, 2000);
        add_window(&ev, pair, 0, AISP_B, AISP_WINDOW_TIMED, pair == 1 ? 2000 : 1000);
        add_window(&ev, pair, 0, AISP_B, AISP_WINDOW_ONCE,
                   77); /* a control between: no part of the block */
        add_window(&ev, pair, 0, AISP_B, AISP_WINDOW_TIMED, pair == 1 ? 2000 : 1000);
        add_window(&ev, pair, 0, AISP_A, AISP_WINDOW_TIMED, 2000);
        add_window(&ev, pair, 1, AISP_A, AISP_WINDOW_TIMED, 9000); /* half a block */
    }
    aisp_evidence_pairs(&ev, &m, &n, &control, &n_control);
    assert_int_equal(n, 1);
    assert_int_equal(n_control, 1);
    assert_float_equal(m[0], log(2), 1e-12);
    assert_float_equal(control[0], 0, 1e-12);
    free(m);
    free(control);
    aisp_evidence_release(&ev);
}

static void samples_leave_warmup_controls_and_control_pairs_out(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    double *x;
    size_t n;

    (void)state;
    add_pair(&ev, 0, false, true);
    add_pair(&ev, 1, true, true);
    add_window(&ev, 0, -1, AISP_B, AISP_WINDOW_WARMUP, 1);
    add_window(&ev, 0, 0, AISP_B, AISP_WINDOW_TIMED, 500);
    add_window(&ev, 0, 0, AISP_B, AISP_WINDOW_ONCE, 600);
    add_window(&ev, 0, 0, AISP_A, AISP_WINDOW_TIMED, 700);
    add_window(&ev, 1, 0, AISP_B, AISP_WINDOW_TIMED, 800);
    x = aisp_evidence_samples(&ev, AISP_B, &n);
    assert_int_equal(n, 1);
    assert_float_equal(x[0], 50, 0);
    free(x);
    aisp_evidence_release(&ev);
}

static void observations_of_one_kind_and_side_are_kept_up_to_a_bound(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_observation seen = { .what = AISP_SEEN_CANARY };

    (void)state;
    for (int i = 0; i < AISP_MAX_OBSERVATIONS + 5; i++)
        aisp_evidence_observe(&ev, &seen);
    seen.side = AISP_B;
    aisp_evidence_observe(&ev, &seen);
    assert_int_equal(ev.n_observations, AISP_MAX_OBSERVATIONS + 1);
    assert_int_equal(ev.n_observations_dropped, 5);
    aisp_evidence_release(&ev);
}

static int seed(void **state)
{
    const struct aisp_key key = { { 7 } };

    (void)state;
    aisp_dice_init(&dice, &key);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_survives_json_whatever_it_holds),
        cmocka_unit_test(no_member_of_the_plain_parts_is_forgotten),
        cmocka_unit_test(the_type_of_the_products_survives_json_and_older_records_have_none),
        cmocka_unit_test(what_was_held_survives_json),
        cmocka_unit_test(how_often_words_were_asked_for_and_what_was_planned_survive_json),
        cmocka_unit_test(what_bounds_a_device_survives_json_and_none_is_none),
        cmocka_unit_test(a_card_has_levels_and_a_roof_of_its_own),
        cmocka_unit_test(no_member_of_the_machine_is_forgotten),
        cmocka_unit_test(reading_names_the_field_that_is_wrong),
        cmocka_unit_test(reading_refuses_numbers_that_would_be_indices),
        cmocka_unit_test(chain_sees_a_window_removed_changed_or_moved),
        cmocka_unit_test(estimates_come_from_whole_timed_blocks_of_complete_pairs),
        cmocka_unit_test(samples_leave_warmup_controls_and_control_pairs_out),
        cmocka_unit_test(observations_of_one_kind_and_side_are_kept_up_to_a_bound),
    };

    return cmocka_run_group_tests(tests, seed, NULL);
}
