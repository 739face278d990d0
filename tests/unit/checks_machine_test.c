/* checks_machine_test.c - checks on evidence made by hand that ask whose doing it was: where memory lies, what a card's clock and
 * its limit do, how often a call launches. */
#include <math.h>

#include "tests/unit/checks_scene.h"

/* ---- nodes ---- */

static struct aisp_evidence on_nodes(int64_t own_far_of_b, int64_t harness_far_of_b)
{
    struct aisp_evidence ev = honest();

    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_footing *f = &ev.machine.footing[side];

        f->n_looks = 1;
        f->node_bytes[0] = f->harness_node_bytes[0] = 1 << 20;
    }
    ev.machine.footing[AISP_B].node_bytes[1] = own_far_of_b;
    ev.machine.footing[AISP_B].harness_node_bytes[1] = harness_far_of_b;
    return ev;
}

static void memory_of_the_harness_on_another_node_is_nobodys_fault(void **unused)
{
    struct aisp_evidence ev = on_nodes(0, 4 << 20), near = on_nodes(0, 0);

    (void)unused;
    expect_development(&ev, "numa");
    expect(&near, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void memory_of_its_own_on_another_node_is(void **unused)
{
    struct aisp_evidence ev = on_nodes(4 << 20, 0);

    (void)unused;
    expect_violation(&ev, "numa");
}

/* ---- a card's clock and limit ---- */

struct card_sides { int32_t mhz_a, mhz_b; int64_t reasons_b, limit_a, limit_b; };

/* Every 16th part of A has B's limit: when it is read, it may be the one of the window before. */
static struct aisp_evidence on_card(struct card_sides s)
{
    struct aisp_evidence ev = honest();
    struct aisp_card *card = &ev.machine.card;

    strcpy(ev.limits.card, "GPU-0");
    for (int i = 0; i < 2 * 12 * 8; i++) {
        struct aisp_card_block *b = aisp_grow(&card->block, &card->n_blocks, &card->cap_blocks, sizeof *b);
        const bool is_b = i % 2;

        *b = (struct aisp_card_block){ .pair = i / 16, .block = i / 2 % 8, .side = (int8_t)is_b, .n = 1, .energy_mj = -1 };
        b->sm_mhz_low = b->sm_mhz_high = is_b ? s.mhz_b : s.mhz_a;
        b->limit_mw_low = b->limit_mw_high = is_b || i % 32 == 0 ? s.limit_b : s.limit_a;
        b->reasons = is_b ? s.reasons_b : 0;
    }
    return ev;
}

static void a_clock_that_power_holds_down_accuses_nobody(void **unused)
{
    struct aisp_evidence ev = on_card((struct card_sides){ 1980, 1950, 0, 700000, 700000 });
    struct aisp_evidence capped = on_card((struct card_sides){ 1980, 1950, AISP_CARD_POWER_CAP, 700000, 700000 });
    const struct aisp_grading grading = { 0 };
    struct aisp_findings findings = AISP_FINDINGS_INIT;

    (void)unused;
    expect_violation(&ev, "frequency-boost");
    assert_int_equal(aisp_examine(&capped, &grading, &findings), AISP_GRADE_DEVELOPMENT);
    aisp_findings_release(&findings);
    aisp_evidence_release(&capped);
}

static void a_limit_that_goes_with_the_side_is_a_violation(void **unused)
{
    struct aisp_evidence ev = on_card((struct card_sides){ 1980, 1980, 0, 350000, 700000 });

    (void)unused;
    expect_violation(&ev, "power-limit");
}

static void a_limit_that_moves_on_both_sides_is_development(void **unused)
{
    struct aisp_evidence ev = on_card((struct card_sides){ 1980, 1980, 0, 115000, 115000 });

    (void)unused;
    for (size_t i = 0; i < ev.machine.card.n_blocks; i++)
        ev.machine.card.block[i].limit_mw_high += 1000 * (int64_t)(i / 7 % 20);
    expect_development(&ev, "power-limit");
}

/* ---- launches ---- */

/* A call launches `least` and up to `more` kernels beyond, as its contents have it; of `of` windows one launches as the audit. */
static struct aisp_evidence launching(int least, int more, int of, double audited)
{
    enum { WINDOWS = 200, CONTENTS = 4, AUDIT_CALLS = 9 };
    struct aisp_evidence ev = honest();
    struct aisp_device_trace *t = &ev.device_trace[AISP_B];

    state = 11;
    t->taken = t->alive = true;
    for (int w = 0; w < WINDOWS; w++) {
        double x = 0;

        for (int i = 0; i < CONTENTS; i++)
            x += (least + (int)draw((uint32_t)more + 1)) / (double)CONTENTS;
        x = of && w % of == 0 ? audited : x;
        t->scored_windows++;
        t->scored_contents += CONTENTS;
        t->scored_sum += CONTENTS * x;
        t->scored_squares += CONTENTS * x * x;
        t->scored_calls += 100;
        t->scored_launches += (int64_t)(100 * x);
    }
    t->audit_calls = AUDIT_CALLS;
    t->audit_launches = (int64_t)round(AUDIT_CALLS * audited);
    return ev;
}

static bool is_accused(struct aisp_evidence ev)
{
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    bool is = false;

    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
    {
        if (!strcmp(check->name, "mode-inconsistency-device"))
            check->examine(check, &ev, &findings);
    }
    is = findings.n > 0;
    aisp_findings_release(&findings);
    aisp_evidence_release(&ev);
    return is;
}

static void launches_that_data_decide_vary_in_the_audit_too(void **unused)
{
    (void)unused;
    for (double audited = 11; audited <= 13; audited += 1.0 / 9)
        assert_false(is_accused(launching(10, 4, 0, audited)));
    assert_true(is_accused(launching(10, 4, 0, 30)));
}

static void launches_that_never_vary_must_be_the_audits(void **unused)
{
    (void)unused;
    assert_false(is_accused(launching(1, 0, 0, 1)));
    assert_true(is_accused(launching(1, 0, 0, 3)));
    assert_true(is_accused(launching(90, 0, 0, 92)));
}

static void who_behaves_in_a_few_windows_is_not_let_off(void **unused)
{
    (void)unused;
    assert_true(is_accused(launching(1, 0, 200, 3)));
    assert_true(is_accused(launching(1, 0, 40, 3)));
}

/* A record from before the spread was kept. */
static void without_the_spread_the_mean_decides(void **unused)
{
    struct aisp_evidence ev = launching(10, 4, 0, 12.5);

    (void)unused;
    ev.device_trace[AISP_B].scored_windows = 0;
    ev.device_trace[AISP_B].scored_contents = ev.device_trace[AISP_B].scored_sum = ev.device_trace[AISP_B].scored_squares = 0;
    assert_true(is_accused(ev));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_harness_on_another_node_is_nobodys_fault),
        cmocka_unit_test(memory_of_its_own_on_another_node_is),
        cmocka_unit_test(a_clock_that_power_holds_down_accuses_nobody),
        cmocka_unit_test(a_limit_that_goes_with_the_side_is_a_violation),
        cmocka_unit_test(a_limit_that_moves_on_both_sides_is_development),
        cmocka_unit_test(launches_that_data_decide_vary_in_the_audit_too),
        cmocka_unit_test(launches_that_never_vary_must_be_the_audits),
        cmocka_unit_test(who_behaves_in_a_few_windows_is_not_let_off),
        cmocka_unit_test(without_the_spread_the_mean_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
