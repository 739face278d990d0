/* The defences of a program that is linked as the product is: without tests/switches.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/policy.h"

static void no_policy_turns_a_defence_of_the_product_off(void **state)
{
    const struct aisp_policy all_off = { .off = UINT32_MAX };

    (void)state;
    for (int i = 0; i < AISP_N_DEFENCES; i++)
        assert_true(aisp_defends(&all_off, (enum aisp_defence)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_policy_turns_a_defence_of_the_product_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
