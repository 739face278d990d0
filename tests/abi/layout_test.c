/* layout_test.c - the public structs as plug-ins were compiled with them.
 * A line that fails: the layout has changed, so every plug-in built before is misread. Raise AISP_ABI in
 * include/aisp/problem.h, and then pin the new layout here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <aisp/problem.h>
#include <aisp/status.h>
#include <aisp/serving.h>
#include <aisp/variant.h>

#define PIN(what, value)                                                                                       \
    do {                                                                                                       \
        if ((what) != (value))                                                                                 \
            fail_msg("%s is %zu, was %zu: raise AISP_ABI in include/aisp/problem.h, then pin it in %s", #what, \
                     (size_t)(what), (size_t)(value), __FILE__);                                               \
    } while (0)
#define AT(type, field, value) PIN(offsetof(struct type, field), (size_t)(value))
#define SIZE(type, value) PIN(sizeof(struct type), (size_t)(value))
#define NUMBER(name, value) PIN((size_t)(name), (size_t)(value))

static void the_pins_are_those_of_abi_3(void **state)
{
    (void)state;
    NUMBER(AISP_ABI, 3);
}

static void problems_keep_their_layout(void **state)
{
    (void)state;
    SIZE(aisp_fill, 24);
    AT(aisp_fill, kind, 0);
    AT(aisp_fill, a, 8);
    AT(aisp_fill, b, 16);
    SIZE(aisp_param, 64);
    AT(aisp_param, name, 0);
    AT(aisp_param, value, 8);
    AT(aisp_param, quick, 16);
    AT(aisp_param, large, 24);
    AT(aisp_param, low, 32);
    AT(aisp_param, high, 40);
    AT(aisp_param, step, 48);
    AT(aisp_param, means, 56);
    SIZE(aisp_tensor, 80);
    AT(aisp_tensor, name, 0);
    AT(aisp_tensor, role, 8);
    AT(aisp_tensor, dtype, 12);
    AT(aisp_tensor, dims, 16);
    AT(aisp_tensor, fill, 24);
    AT(aisp_tensor, stress, 48);
    AT(aisp_tensor, split, 72);
    AT(aisp_tensor, pages, 76);
    SIZE(aisp_file, 16);
    SIZE(aisp_view, 16);
    AT(aisp_view, tensor, 0);
    AT(aisp_view, param, 8);
    SIZE(aisp_tolerance, 32);
    AT(aisp_tolerance, ulps, 0);
    AT(aisp_tolerance, length, 8);
    AT(aisp_tolerance, norm, 16);
    AT(aisp_tolerance, why, 24);
    SIZE(aisp_problem, 192);
    AT(aisp_problem, abi, 0);
    AT(aisp_problem, title, 8);
    AT(aisp_problem, teaches, 16);
    AT(aisp_problem, goal, 24);
    AT(aisp_problem, param, 32);
    AT(aisp_problem, tensor, 40);
    AT(aisp_problem, bytes, 48);
    AT(aisp_problem, flops, 56);
    AT(aisp_problem, unit, 64);
    AT(aisp_problem, units, 72);
    AT(aisp_problem, tolerance, 80);
    AT(aisp_problem, reference, 112);
    AT(aisp_problem, accept, 120);
    AT(aisp_problem, large_omits, 128);
    AT(aisp_problem, informational, 136);
    AT(aisp_problem, second, 144);
    AT(aisp_problem, ranks, 152);
    AT(aisp_problem, messages, 160);
    AT(aisp_problem, message_bytes, 168);
    AT(aisp_problem, team, 176);
    AT(aisp_problem, serving, 184);
    SIZE(aisp_serving, 56);
    AT(aisp_serving, process, 0);
    AT(aisp_serving, figure, 4);
    AT(aisp_serving, requests, 8);
    AT(aisp_serving, per_second, 16);
    AT(aisp_serving, tokens, 24);
    AT(aisp_serving, ttft_us, 32);
    AT(aisp_serving, tpot_us, 40);
    AT(aisp_serving, answer, 48);
}

static void variants_keep_their_layout(void **state)
{
    (void)state;
    SIZE(aisp_setup, 88);
    AT(aisp_setup, param, 0);
    AT(aisp_setup, weight, 8);
    AT(aisp_setup, slot, 16);
    AT(aisp_setup, n_slots, 24);
    AT(aisp_setup, n_threads, 28);
    AT(aisp_setup, rank, 32);
    AT(aisp_setup, n_ranks, 36);
    AT(aisp_setup, workspace, 40);
    AT(aisp_setup, stream, 48);
    AT(aisp_setup, state, 56);
    AT(aisp_setup, rendezvous, 64);
    AT(aisp_setup, rendezvous_bytes, 72);
    AT(aisp_setup, wire, 80);
    SIZE(aisp_call, 80);
    AT(aisp_call, tensor, 0);
    AT(aisp_call, param, 8);
    AT(aisp_call, state, 16);
    AT(aisp_call, workspace, 24);
    AT(aisp_call, stream, 32);
    AT(aisp_call, slot, 40);
    AT(aisp_call, n_threads, 44);
    AT(aisp_call, rank, 48);
    AT(aisp_call, n_ranks, 52);
    AT(aisp_call, rendezvous, 56);
    AT(aisp_call, rendezvous_bytes, 64);
    AT(aisp_call, wire, 72);
    SIZE(aisp_variant, 40);
    AT(aisp_variant, abi, 0);
    AT(aisp_variant, workspace_bytes, 8);
    AT(aisp_variant, setup, 16);
    AT(aisp_variant, run, 24);
    AT(aisp_variant, teardown, 32);
    SIZE(aisp_err, 512);
    AT(aisp_err, status, 0);
    AT(aisp_err, text, 4);
}

static void constants_keep_their_values(void **state)
{
    (void)state;
    NUMBER(AISP_SPEED, 0);
    NUMBER(AISP_MEMORY, 1);
    NUMBER(AISP_THROUGHPUT, 2);
    NUMBER(AISP_LATENCY, 3);
    NUMBER(AISP_IN, 1);
    NUMBER(AISP_OUT, 2);
    NUMBER(AISP_INOUT, 3);
    NUMBER(AISP_WEIGHT, 4);
    NUMBER(AISP_FILE, 5);
    NUMBER(AISP_ARRIVALS, 6);
    NUMBER(AISP_EMISSIONS, 7);
    NUMBER(AISP_POISSON, 1);
    NUMBER(AISP_BURSTY, 2);
    NUMBER(AISP_LONG_TAIL, 3);
    NUMBER(AISP_TTFT, 1);
    NUMBER(AISP_TPOT, 2);
    NUMBER(AISP_F64, 1);
    NUMBER(AISP_F32, 2);
    NUMBER(AISP_F16, 3);
    NUMBER(AISP_BF16, 4);
    NUMBER(AISP_F8E4M3, 5);
    NUMBER(AISP_F8E5M2, 6);
    NUMBER(AISP_I64, 7);
    NUMBER(AISP_I32, 8);
    NUMBER(AISP_I16, 9);
    NUMBER(AISP_I8, 10);
    NUMBER(AISP_U8, 11);
    NUMBER(AISP_NO_FILL, 0);
    NUMBER(AISP_NORMAL, 1);
    NUMBER(AISP_UNIFORM, 2);
    NUMBER(AISP_INTEGERS, 3);
    NUMBER(AISP_PERMUTATION, 4);
    NUMBER(AISP_MASK, 5);
    NUMBER(AISP_ZIPF, 6);
    NUMBER(AISP_WIDE, 7);
    NUMBER(AISP_SUBNORMAL, 8);
    NUMBER(AISP_TEXT, 9);
    NUMBER(AISP_IN_STEP, 0);
    NUMBER(AISP_STAGES, 1);
    NUMBER(AISP_LOOSE, 2);
    NUMBER(AISP_OK, 0);
    NUMBER(AISP_E_USAGE, 1);
    NUMBER(AISP_E_NOT_FOUND, 2);
    NUMBER(AISP_E_NO_MEMORY, 3);
    NUMBER(AISP_E_DEVICE, 4);
    NUMBER(AISP_E_IO, 5);
    NUMBER(AISP_E_REFUSED, 6);
    NUMBER(AISP_E_WORKER, 7);
    NUMBER(AISP_E_UNAVAILABLE, 8);
    NUMBER(AISP_E_INTERRUPTED, 9);
    NUMBER(AISP_PLAIN, 0);
    NUMBER(AISP_RESOLUTION, 5);
    NUMBER(AISP_TEST, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pins_are_those_of_abi_3),
        cmocka_unit_test(problems_keep_their_layout),
        cmocka_unit_test(variants_keep_their_layout),
        cmocka_unit_test(constants_keep_their_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
