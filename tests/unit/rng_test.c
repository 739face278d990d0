/* rng_test.c - Philox against its published answers; keys; dice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/hash.h"
#include "core/base/rng.h"

/* The known answers that the authors publish with Random123 for philox4x32, 10 rounds. */
static void philox_gives_the_published_answers(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct aisp_philox p = { { known[i].key[0], known[i].key[1] },
                                 { known[i].counter[2], known[i].counter[3] } };
        uint32_t out[4];

        aisp_philox_block(&p, (uint64_t)known[i].counter[1] << 32 | known[i].counter[0], out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

static void philox_takes_the_first_16_bytes_of_a_key_in_order(void **state)
{
    struct aisp_key key;
    struct aisp_philox p;

    (void)state;
    for (int i = 0; i < 32; i++)
        key.b[i] = (uint8_t)i;
    p = aisp_philox_of(&key);
    assert_int_equal(p.key[0], 0x03020100);
    assert_int_equal(p.key[1], 0x07060504);
    assert_int_equal(p.stream[0], 0x0b0a0908);
    assert_int_equal(p.stream[1], 0x0f0e0d0c);
}

/* Made with Python's hashlib.blake2b(digest_size=32, key=bytes(range(32))) of: length of the label, label, four numbers. */
static void a_derived_key_is_keyed_blake2b(void **state)
{
    struct aisp_key parent, child;
    char hex[65];

    (void)state;
    for (int i = 0; i < 32; i++)
        parent.b[i] = (uint8_t)i;
    child = aisp_key_derive(&parent, "slot", 1, -2, 3, INT64_MAX);
    aisp_key_hex(&child, hex);
    assert_string_equal(hex, "cb7093f1e3953a669dd77c0c600a49634c455d39753fd291f7dd6bc890294f1d");
}

static void a_derived_key_depends_on_every_part(void **state)
{
    struct aisp_key parent = { { 1 } }, key[8];

    (void)state;
    key[0] = aisp_key_derive(&parent, "a", 0, 0, 0, 0);
    key[1] = aisp_key_derive(&parent, "b", 0, 0, 0, 0);
    key[2] = aisp_key_derive(&parent, "a", 1, 0, 0, 0);
    key[3] = aisp_key_derive(&parent, "a", 0, 1, 0, 0);
    key[4] = aisp_key_derive(&parent, "a", 0, 0, 1, 0);
    key[5] = aisp_key_derive(&parent, "a", 0, 0, 0, 1);
    key[6] = aisp_key_derive(&key[0], "a", 0, 0, 0, 0);
    key[7] = aisp_key_derive(&parent, "", 0, 0, 0, 0);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(&key[i], &key[j], sizeof *key);
}

static void random_keys_differ_and_are_committed_to_by_their_hash(void **state)
{
    struct aisp_key a, b;
    char commitment[65], hash[65];

    (void)state;
    aisp_key_random(&a);
    aisp_key_random(&b);
    assert_memory_not_equal(&a, &b, sizeof a);
    aisp_key_commitment(&a, commitment);
    aisp_hash_bytes(a.b, sizeof a.b, hash);
    assert_string_equal(commitment, hash);
}

static void dice_hand_out_the_blocks_in_order(void **state)
{
    struct aisp_key key = { { 7 } };
    struct aisp_philox p = aisp_philox_of(&key);
    struct aisp_dice dice;
    uint32_t block[4];

    (void)state;
    aisp_dice_init(&dice, &key);
    for (uint64_t b = 0; b < 5; b++) {
        aisp_philox_block(&p, b, block);
        for (int i = 0; i < 4; i++)
            assert_int_equal(aisp_dice_u32(&dice), block[i]);
    }
}

static void dice_below_is_even(void **state)
{
    enum { N = 7, DRAWS = 70000 };
    struct aisp_key key = { { 3 } };
    struct aisp_dice dice;
    int count[N] = { 0 };
    double chi2 = 0;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < DRAWS; i++)
        count[aisp_dice_below(&dice, N)]++;
    for (int i = 0; i < N; i++)
        chi2 += (count[i] - DRAWS / N) * (double)(count[i] - DRAWS / N) / (DRAWS / N);
    /* 6 degrees of freedom: exceeded once in 1000 keys; this key is fixed. */
    assert_true(chi2 < 22.5);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(aisp_dice_below(&dice, 1), 0);
        assert_true(aisp_dice_below(&dice, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
    }
}

static void a_coin_falls_on_both_sides(void **state)
{
    struct aisp_key key = { { 4 } };
    struct aisp_dice dice;
    int heads = 0;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < 10000; i++)
        heads += aisp_dice_coin(&dice);
    assert_in_range(heads, 4800, 5200);
}

static void a_shuffle_makes_every_order_of_three_equally_often(void **state)
{
    struct aisp_key key = { { 5 } };
    struct aisp_dice dice;
    int count[27] = { 0 }, n_orders = 0;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < 6000; i++) {
        int32_t item[3] = { 0, 1, 2 };

        aisp_dice_shuffle(&dice, item, 3);
        assert_int_equal((1 << item[0]) | (1 << item[1]) | (1 << item[2]), 7);
        count[item[0] * 9 + item[1] * 3 + item[2]]++;
    }
    for (int i = 0; i < 27; i++)
        if (count[i]) {
            n_orders++;
            assert_in_range(count[i], 870, 1130);
        }
    assert_int_equal(n_orders, 6);
    aisp_dice_shuffle(&dice, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(philox_takes_the_first_16_bytes_of_a_key_in_order),
        cmocka_unit_test(a_derived_key_is_keyed_blake2b),
        cmocka_unit_test(a_derived_key_depends_on_every_part),
        cmocka_unit_test(random_keys_differ_and_are_committed_to_by_their_hash),
        cmocka_unit_test(dice_hand_out_the_blocks_in_order),
        cmocka_unit_test(dice_below_is_even),
        cmocka_unit_test(a_coin_falls_on_both_sides),
        cmocka_unit_test(a_shuffle_makes_every_order_of_three_equally_often),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
