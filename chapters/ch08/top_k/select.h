/* select.h - the k largest of any number of keys by their digits, and the sorting of those k; shared by the rungs that use
 * digits. A key is a float whose bits were turned so that the order of whole numbers is the order of the values. */
#ifndef TOP_K_SELECT_H
#define TOP_K_SELECT_H

#include <stdint.h>
#include <string.h>

enum { DIGITS = 4, DIGIT_BITS = 8, BUCKETS = 1 << DIGIT_BITS };

static inline uint32_t key_of(uint32_t bits)
{
    return bits ^ (bits >> 31 ? UINT32_MAX : UINT32_C(1) << 31);
}

static inline uint32_t bits_of(uint32_t key)
{
    return key ^ (key >> 31 ? UINT32_C(1) << 31 : UINT32_MAX);
}

/* Digit 0 is the lowest. */
static inline uint32_t digit_of(uint32_t key, int digit)
{
    return key >> DIGIT_BITS * digit & (BUCKETS - 1);
}

/* The bucket in which the k-th largest lies, counted from above; *above takes how many lie in higher buckets. */
static inline uint32_t bucket_of_kth(const uint32_t *count, int64_t k, int64_t *above)
{
    uint32_t bucket = BUCKETS - 1;

    for (*above = 0; *above + count[bucket] < k; bucket--)
        *above += count[bucket];
    return bucket;
}

/* Moves the k largest of n keys to `kept`, in any order; `key` is used up. 1 <= k <= n. Of the keys whose digits so far are
 * those of the k-th largest, each round keeps what lies above in the next digit and goes on with what is equal. */
static inline void keep_largest(uint32_t *key, int64_t n, int64_t k, uint32_t *kept)
{
    for (int digit = DIGITS - 1; digit >= 0 && n > k; digit--) {
        uint32_t count[BUCKETS] = { 0 }, bucket;
        int64_t above, equal = 0, taken = 0;

        for (int64_t i = 0; i < n; i++)
            count[digit_of(key[i], digit)]++;
        bucket = bucket_of_kth(count, k, &above);
        for (int64_t i = 0; i < n; i++) {
            const uint32_t v = key[i], d = digit_of(v, digit);

            kept[taken] = v; /* taken <= above < k: inside, and overwritten if it does not belong there */
            taken += d > bucket;
            key[equal] = v;
            equal += d == bucket;
        }
        kept += above;
        k -= above;
        n = equal;
    }
    memcpy(kept, key, (size_t)k * sizeof *kept); /* all that are left, or equal ones */
}

/* Writes k keys as floats in descending order: sorted by one digit after another, from the lowest. `other` has room for k. */
static inline void write_sorted(uint32_t *key, uint32_t *other, int64_t k, float *y)
{
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t place[BUCKETS] = { 0 }, sum = 0, *swap = key;

        for (int64_t i = 0; i < k; i++)
            place[digit_of(key[i], digit)]++;
        for (int bucket = BUCKETS - 1; bucket >= 0; bucket--) {
            const uint32_t n = place[bucket];

            place[bucket] = sum;
            sum += n;
        }
        for (int64_t i = 0; i < k; i++)
            other[place[digit_of(key[i], digit)]++] = key[i];
        key = other;
        other = swap;
    }
    for (int64_t i = 0; i < k; i++) {
        const uint32_t bits = bits_of(key[i]);

        memcpy(y + i, &bits, sizeof bits);
    }
}

#endif
