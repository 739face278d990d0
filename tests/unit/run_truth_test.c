/* run_truth_test.c - a device that works out the truth itself, played: timed windows are judged by it, verification by the problem's own,
 * and a device that is lost over it accuses nobody.
 * Not here: a truth that a card works out (cuda_session_test.c, cuda_judge_test.c). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run_play.h"

enum how { RIGHT, WRONG, NONE, LOST, LOST_IN_A_LOOK };

static struct {
    enum how how;
    int n_truths, n_looks, n_before_lost;
    bool is_lost;
    const struct aisp_backend *fake;
    struct aisp_instance inst; /* of the session that is open */
} device;

static enum aisp_status open_and_note(const struct aisp_session_spec *spec, struct aisp_session **session,
                                      struct aisp_observation *seen, struct aisp_err *err)
{
    device.inst = *spec->inst;
    return device.fake->open(spec, session, seen, err);
}

static enum aisp_status read_if_there(struct aisp_session *s, enum aisp_side side, int slot, int tensor, size_t offset,
                                      size_t n, void *to, struct aisp_err *err)
{
    if (device.is_lost)
        return aisp_fail(err, AISP_E_DEVICE, "the device is lost");
    return device.fake->read(s, side, slot, tensor, offset, n, to, err);
}

/* As what could not be brought here: nothing. */
static const void *input_if_there(struct aisp_session *s, int slot, int tensor)
{
    static const float nothing[40 * 32];

    return device.is_lost ? nothing : device.fake->input(s, slot, tensor);
}

static int inspect_until_lost(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash, struct aisp_observation *seen, int max)
{
    device.is_lost |= device.how == LOST_IN_A_LOOK && device.n_looks >= device.n_before_lost;
    device.n_looks++;
    return device.is_lost ? 0 : device.fake->inspect(s, side, hash, seen, max);
}

static enum aisp_status truth(struct aisp_session *s, int slot, int tensor, int64_t first, int64_t n, void *to,
                              struct aisp_err *err)
{
    const void *tensors[] = { device.fake->input(s, slot, 0), device.fake->input(s, 0, 1), NULL };
    double *row = to;

    device.n_truths++;
    if (device.how == NONE)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "there is none");
    if (device.how == LOST && device.n_truths > device.n_before_lost) {
        device.is_lost = true;
        return aisp_fail(err, AISP_E_DEVICE, "the device is lost");
    }
    scene_reference(&(struct aisp_view){ tensors, device.inst.param }, tensor, first, n, row);
    for (int64_t i = 0; i < n * device.inst.param[1] && device.how == WRONG; i++)
        row[i] += 1;
    return AISP_OK;
}

static struct aisp_fake_script script;

static enum aisp_status play_on_device(enum how how, int n_before_lost, struct aisp_err *err)
{
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_backend backend = *plan.backend;

    memset(&device, 0, sizeof device);
    device.how = how;
    device.n_before_lost = n_before_lost;
    device.fake = plan.backend;
    backend.open = open_and_note;
    backend.read = read_if_there;
    backend.input = input_if_there;
    backend.inspect = inspect_until_lost;
    backend.truth = truth;
    plan.backend = &backend;
    aisp_evidence_release(&ev);
    aisp_fake_play(&script);
    return aisp_run(&plan, &ev, err);
}

static void timed_windows_are_judged_by_the_devices_truth(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(play_on_device(RIGHT, 0, &err), AISP_OK);
    assert_true(device.n_truths > 0);
    assert_true(ev.verified[AISP_B].timed_right > 0);
    assert_int_equal(ev.verified[AISP_B].timed_wrong, 0);
    assert_int_equal(verdict().verdict, AISP_FASTER);
}

static void verification_asks_the_problems_own_truth(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(play_on_device(WRONG, 0, &err), AISP_OK);
    for (int side = AISP_A; side <= AISP_B; side++) {
        assert_true(ev.verified[side].n_full > 0);
        assert_int_equal(ev.verified[side].n_full, ev.verified[side].n_full_right);
        assert_true(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, side) > 0);
    }
    for (size_t i = 0; i < ev.n_observations; i++) {
        assert_int_not_equal(ev.observation[i].phase, AISP_PHASE_VERIFY);
        assert_int_not_equal(ev.observation[i].phase, AISP_PHASE_HOLDOUT);
    }
}

static void why_a_timed_output_is_wrong_is_asked_of_the_problems_own_truth(void **state)
{
    static const struct {
        enum aisp_fake_fault fault;
        enum aisp_wrong kind;
    } wrong[] = { { AISP_FAKE_STALE, AISP_WRONG_STALE }, { AISP_FAKE_VALUE, AISP_WRONG_VALUE }, { AISP_FAKE_NAN, AISP_WRONG_NAN } };
    struct aisp_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        script.variant[1].fault = wrong[i].fault;
        script.variant[1].when = (struct aisp_fake_when){ FIRST_PAIR, 14 };
        assert_int_equal(play_on_device(RIGHT, 0, &err), AISP_OK);
        assert_true(scene_count(&ev, AISP_SEEN_WRONG_OUTPUT, AISP_B) > 0);
        assert_int_equal(ev.observation[0].kind, wrong[i].kind);
        assert_int_equal(ev.observation[0].phase, AISP_PHASE_TIMED);
    }
    script = scene_script(8000);
}

static void a_device_without_one_is_asked_once_a_session(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(play_on_device(NONE, 0, &err), AISP_OK);
    assert_true(device.n_truths > 0 && device.n_truths <= aisp_fake_seen()->n_opens);
    assert_int_equal(verdict().verdict, AISP_FASTER);
}

static void a_device_that_is_lost_over_it_accuses_nobody(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++) {
        struct aisp_err err = { 0 };

        assert_int_equal(play_on_device(LOST, n, &err), AISP_E_DEVICE);
        assert_string_equal(err.text, "the device is lost");
        assert_true(device.n_truths > n);
        assert_int_equal(ev.n_observations, 0);
        assert_int_equal(aisp_fake_seen()->n_opens, aisp_fake_seen()->n_closes);
    }
}

/* A look takes no error, so what it missed has to come out otherwise: of the very last one too. */
static void a_look_that_saw_nothing_is_no_proof(void **state)
{
    struct aisp_err err = { 0 };
    int n_looks, n_tried = 0, n_lost = 0;

    (void)state;
    assert_int_equal(play_on_device(RIGHT, 0, &err), AISP_OK);
    n_looks = device.n_looks;
    for (int n = n_looks - 1; n >= 0; n -= 1 + n / 9) {
        const enum aisp_status st = play_on_device(LOST_IN_A_LOOK, n, &err);

        /* The clock has a say in how many looks there are: not every run has as many as the first. What is lost after the pairs
         * leaves their answer, and is said. */
        if (st || device.n_looks <= n)
            assert_int_equal(st, device.n_looks > n ? AISP_E_DEVICE : AISP_OK);
        else
            assert_true(*ev.machine.claim.unfinished);
        assert_int_equal(ev.n_observations, 0);
        n_lost += device.n_looks > n;
        n_tried++;
    }
    assert_true(2 * n_lost > n_tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timed_windows_are_judged_by_the_devices_truth),
        cmocka_unit_test(verification_asks_the_problems_own_truth),
        cmocka_unit_test(why_a_timed_output_is_wrong_is_asked_of_the_problems_own_truth),
        cmocka_unit_test(a_device_without_one_is_asked_once_a_session),
        cmocka_unit_test(a_look_that_saw_nothing_is_no_proof),
        cmocka_unit_test(a_device_that_is_lost_over_it_accuses_nobody),
    };

    script = scene_script(8000);
    return cmocka_run_group_tests(tests, NULL, scene_release);
}
