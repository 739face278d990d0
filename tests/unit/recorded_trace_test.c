/* recorded_trace_test.c - what the recorder saw on a real card is judged again where there is none.
 * tests/recorded/card/traces: one audit pass each of a variant of tests/record_cuda beside the baseline of its problem, on an NVIDIA H100
 * 80GB HBM3, driver 580.159.04, 2026-11-28, by `cuda_recorder_device_test`. Each does one thing undeclared, which one check has
 * to name. And those of cheats and twins of tests/cheats_cuda, by `aisp-selftest --device cuda`: cheat_NAME, honest_NAME. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"

static const struct aisp_check *check_named(const char *name)
{
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
    {
        if (!strcmp(check->name, name))
            return check;
    }
    fail_msg("no check %s", name);
    return NULL;
}

static void read_trace(const char *name, struct aisp_evidence *ev)
{
    char path[512];
    struct aisp_err err;
    json_t *json;

    snprintf(path, sizeof path, "%s/recorded/card/traces/%s.json", TESTS_DIR, name);
    json = json_load_file(path, 0, NULL);
    if (!json)
        fail_msg("%s", path);
    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    strcpy(ev->device, "cuda");
    if (aisp_device_traces_from_json(json, ev->device_trace, &err))
        fail_msg("%s: %s", path, err.text);
    json_decref(json);
}

static int n_against_b(const struct aisp_evidence *ev, const char *name)
{
    const struct aisp_check *check = check_named(name);
    struct aisp_findings found = AISP_FINDINGS_INIT;
    int n = 0;

    check->examine(check, ev, &found);
    for (size_t i = 0; i < found.n; i++)
        n += found.item[i].side == AISP_B && found.item[i].severity == AISP_VIOLATION;
    aisp_findings_release(&found);
    return n;
}

static const struct { const char *trace, *check, *uses; } all[] = {
    { "streams_left", "unsynced-streams", "streams" },
    { "callback", "host-callback", "host-callback" },
    { "cooperative", "cooperative-launch", "cooperative" },
    { "allocates", "pool-reuse", "allocates" },
    { "compiles", "jit-timing-device", NULL },
    { "managed", "um-faults", "managed" },
};

static void what_was_done_undeclared_is_named(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        read_trace(all[i].trace, &ev);
        if (!n_against_b(&ev, all[i].check))
            fail_msg("%s: %s says nothing", all[i].trace, all[i].check);
        aisp_evidence_release(&ev);
    }
}

static void what_is_declared_is_none_of_its_business(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].uses)
            continue;
        read_trace(all[i].trace, &ev);
        strcpy(ev.variant[AISP_B].decl.uses, all[i].uses);
        if (n_against_b(&ev, all[i].check))
            fail_msg("%s: %s accuses what is declared", all[i].trace, all[i].check);
        aisp_evidence_release(&ev);
    }
}

/* The graphs are an honest variant's: one of its windows ended 29 us after its events, 9 being usual. The filter is
 * ch06:bank_conflicts/optimized_swizzled under `bench verify` on a crowded machine: two ended 130 and 235 us after theirs. */
static void a_worker_that_is_late_leaves_nothing_out(void **state)
{
    static const struct { const char *trace, *uses; } late[] = { { "graph_of_each_slot", "graph, stable-pointers" },
                                                                 { "honest_late_filter", "" } };
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        read_trace(late[i].trace, &ev);
        strcpy(ev.variant[AISP_B].decl.uses, late[i].uses);
        if (n_against_b(&ev, "event-timing-gaps"))
            fail_msg("%s is accused", late[i].trace);
        aisp_evidence_release(&ev);
    }
}

/* A copy at the quick size, 46 us a window, of which the device copies 5: what a process uses beside such windows is no work. */
static void what_a_process_uses_beside_its_windows_is_no_work(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    read_trace("honest_short_copy", &ev);
    assert_int_equal(n_against_b(&ev, "cpu-spillover-device"), 0);
    aisp_evidence_release(&ev);
}

/* On an NVIDIA H200, 2026-11-29: a kernel in a context of its own at each call, all but the last of which end within their window. */
static void what_runs_in_another_context_is_no_stream_of_the_given_one(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    read_trace("cheat_incomplete_async_device", &ev);
    strcpy(ev.variant[AISP_B].decl.uses, "contexts, streams");
    assert_int_equal(n_against_b(&ev, "unsynced-streams"), 0);
    assert_true(n_against_b(&ev, "incomplete-async-device") > 0);
    aisp_evidence_release(&ev);
}

/* The driver gives a pool's memory back behind the stop mark: 65 to 160 us, on the host, in the supervisor's window. */
static void memory_that_goes_back_behind_the_mark_leaves_nothing_out(void **state)
{
    static const char *const honest[] = { "allocates", "cheat_pool_reuse", "honest_pool_reuse" };
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        read_trace(honest[i], &ev);
        if (n_against_b(&ev, "event-timing-gaps"))
            fail_msg("%s is accused", honest[i]);
        aisp_evidence_release(&ev);
    }
}

/* On an NVIDIA H200, 2026-11-29. The first is the baseline under another name; the others ran the baseline's kernel and brought one that
 * never ran, for small sizes and compiled in setup. */
static void the_same_work_accuses_nobody_but_who_is_faster(void **state)
{
    static const char *const same[] = { "cheat_identical_work_wrap", "honest_identical_work_fallback", "honest_jit_timing_device" };
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        read_trace(same[i], &ev);
        if (n_against_b(&ev, "identical-work"))
            fail_msg("%s is accused", same[i]);
        strcpy(ev.machine.claim.verdict, "FASTER");
        if (!n_against_b(&ev, "identical-work"))
            fail_msg("%s is faster of nothing", same[i]);
        aisp_evidence_release(&ev);
    }
}

/* Cheats and twins as they were seen on a card: what the cheat's check says, and that no check that needs a card accuses the
 * twin. */
static const struct { const char *name, *check, *uses_of_cheat, *uses_of_twin; } seen[] = {
    { "backend_policy_drift_device", "backend-policy-drift-device", "library", "library, tf32" },
    { "pool_reuse_warm", "pool-reuse", "allocates, synchronises", "allocates, synchronises" },
    { "async_memcpy", "async-memcpy", "streams", "streams" },
    { "dynamic_parallelism", "dynamic-parallelism", "", "device-launch" },
    { "event_timing_gaps", "event-timing-gaps", "", "" },
    { "guard_failure", "guard-failure", "threads, jit", "jit" },
    { "mode_inconsistency_device", "mode-inconsistency-device", "", "" },
    { "persistent_kernel", "persistent-kernel", "persistent, contexts, streams", "" },
    { "pool_reuse", "pool-reuse", "", "allocates" },
    { "precision_mismatch_device", "precision-mismatch-device", "", "tf32" },
    { "workspace_precompute", "workspace-precompute", "", "" },
};

static void a_cheat_that_was_seen_on_a_card_is_named(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        char trace[64];

        snprintf(trace, sizeof trace, "cheat_%s", seen[i].name);
        read_trace(trace, &ev);
        strcpy(ev.variant[AISP_B].decl.uses, seen[i].uses_of_cheat);
        if (!n_against_b(&ev, seen[i].check))
            fail_msg("%s: %s says nothing", trace, seen[i].check);
        aisp_evidence_release(&ev);
    }
}

static void a_twin_that_was_seen_on_a_card_is_accused_of_nothing(void **state)
{
    struct aisp_evidence ev;

    (void)state;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        char trace[64];

        snprintf(trace, sizeof trace, "honest_%s", seen[i].name);
        read_trace(trace, &ev);
        strcpy(ev.variant[AISP_B].decl.uses, seen[i].uses_of_twin);
        AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        {
            if (!strcmp(check->needs, "gpu") && n_against_b(&ev, check->name))
                fail_msg("%s accuses %s", check->name, trace);
        }
        aisp_evidence_release(&ev);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_done_undeclared_is_named),
        cmocka_unit_test(what_is_declared_is_none_of_its_business),
        cmocka_unit_test(a_worker_that_is_late_leaves_nothing_out),
        cmocka_unit_test(what_a_process_uses_beside_its_windows_is_no_work),
        cmocka_unit_test(what_runs_in_another_context_is_no_stream_of_the_given_one),
        cmocka_unit_test(memory_that_goes_back_behind_the_mark_leaves_nothing_out),
        cmocka_unit_test(the_same_work_accuses_nobody_but_who_is_faster),
        cmocka_unit_test(a_cheat_that_was_seen_on_a_card_is_named),
        cmocka_unit_test(a_twin_that_was_seen_on_a_card_is_accused_of_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
