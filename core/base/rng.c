/* rng.c - keys by libsodium, numbers by Philox4x32-10.
 * Not here: distributions (core/judge/fill.c).
 * Why the bytes are ordered by hand: a key gives the same numbers on every machine, and is shown after the run. */
#include "core/base/rng.h"

#include <string.h>

#include <sodium.h>

#include "core/base/err.h"

enum { PHILOX_ROUNDS = 10 };

static void put_le64(uint8_t to[8], uint64_t v)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get_le32(const uint8_t from[4])
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

void aisp_key_random(struct aisp_key *key)
{
    if (sodium_init() < 0)
        AISP_BUG("libsodium does not start");
    randombytes_buf(key->b, sizeof key->b);
}

struct aisp_key aisp_key_derive(const struct aisp_key *parent, const char *label, int64_t a,
                                int64_t b, int64_t c, int64_t d)
{
    const int64_t part[4] = { a, b, c, d };
    crypto_generichash_state state;
    struct aisp_key child;
    uint8_t word[8];
    size_t n = strlen(label);

    crypto_generichash_init(&state, parent->b, sizeof parent->b, sizeof child.b);
    /* The length goes first: no label and number together can look like another label. */
    put_le64(word, n);
    crypto_generichash_update(&state, word, sizeof word);
    crypto_generichash_update(&state, (const unsigned char *)label, n);
    for (int i = 0; i < 4; i++) {
        put_le64(word, (uint64_t)part[i]);
        crypto_generichash_update(&state, word, sizeof word);
    }
    crypto_generichash_final(&state, child.b, sizeof child.b);
    return child;
}

void aisp_key_hex(const struct aisp_key *key, char hex[65])
{
    sodium_bin2hex(hex, 65, key->b, sizeof key->b);
}

void aisp_key_commitment(const struct aisp_key *key, char hex[65])
{
    uint8_t digest[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(digest, key->b, sizeof key->b);
    sodium_bin2hex(hex, 65, digest, sizeof digest);
}

struct aisp_philox aisp_philox_of(const struct aisp_key *key)
{
    return (struct aisp_philox){
        .key = { get_le32(key->b), get_le32(key->b + 4) },
        .stream = { get_le32(key->b + 8), get_le32(key->b + 12) },
    };
}

/* Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3. */
void aisp_philox_block(const struct aisp_philox *p, uint64_t block, uint32_t out[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32);
    uint32_t c2 = p->stream[0], c3 = p->stream[1];
    uint32_t k0 = p->key[0], k1 = p->key[1];

    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        uint64_t even = (uint64_t)0xD2511F53u * c0, odd = (uint64_t)0xCD9E8D57u * c2;

        c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)odd;
        c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)even;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void aisp_dice_init(struct aisp_dice *dice, const struct aisp_key *key)
{
    *dice = (struct aisp_dice){ .p = aisp_philox_of(key) };
}

uint32_t aisp_dice_u32(struct aisp_dice *dice)
{
    if (dice->n_left == 0) {
        aisp_philox_block(&dice->p, dice->block++, dice->left);
        dice->n_left = 4;
    }
    return dice->left[4 - dice->n_left--];
}

uint64_t aisp_dice_below(struct aisp_dice *dice, uint64_t n)
{
    uint64_t unfair, v;

    if (n == 0)
        AISP_BUG("a draw below 0");
    /* 2^64 mod n: that many of the smallest values would make the first remainders likelier. */
    unfair = -n % n;
    do {
        v = (uint64_t)aisp_dice_u32(dice) << 32;
        v |= aisp_dice_u32(dice);
    } while (v < unfair);
    return v % n;
}

int aisp_dice_coin(struct aisp_dice *dice)
{
    return (int)(aisp_dice_u32(dice) & 1);
}

void aisp_dice_shuffle(struct aisp_dice *dice, int32_t *items, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)aisp_dice_below(dice, (uint64_t)i + 1);
        int32_t t = items[i];

        items[i] = items[j];
        items[j] = t;
    }
}
