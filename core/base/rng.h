/* rng.h - secrets, and the one counter-based generator that every fill is made of.
 * Philox4x32-10 (Salmon et al., SC 2011): block i of a stream is a pure function of (key, i), so any part of any tensor can
 * be made again, by any number of threads, on any device, bit for bit. */
#ifndef AISP_CORE_RNG_H
#define AISP_CORE_RNG_H

#include <stdint.h>

/* A secret. Keys are derived, never shared: run -> pair -> window -> slot -> tensor. */
struct aisp_key { uint8_t b[32]; };

void aisp_key_random(struct aisp_key *key);
/* child = BLAKE2b(parent, label, a, b, c, d) */
struct aisp_key aisp_key_derive(const struct aisp_key *parent, const char *label, int64_t a, int64_t b, int64_t c, int64_t d);
void aisp_key_hex(const struct aisp_key *key, char hex[65]);
void aisp_key_commitment(const struct aisp_key *key, char hex[65]);   /* SHA-256 of the key: shown before, key after */

/* What Philox is keyed with: the first 16 bytes of a derived key. */
struct aisp_philox { uint32_t key[2], stream[2]; };
struct aisp_philox aisp_philox_of(const struct aisp_key *key);
void aisp_philox_block(const struct aisp_philox *p, uint64_t block, uint32_t out[4]);

/* Small secret draws for schedules (coins, orders, counts): a stream with its own position. */
struct aisp_dice { struct aisp_philox p; uint64_t block; uint32_t left[4]; int n_left; };
void aisp_dice_init(struct aisp_dice *dice, const struct aisp_key *key);
uint32_t aisp_dice_u32(struct aisp_dice *dice);
uint64_t aisp_dice_below(struct aisp_dice *dice, uint64_t n);          /* unbiased, 0 .. n-1; n >= 1 */
int aisp_dice_coin(struct aisp_dice *dice);
void aisp_dice_shuffle(struct aisp_dice *dice, int32_t *items, int64_t n);

#endif
