/* zipf.c - the table that ZIPF draws from: thresholds of a 64-bit draw, made without libm, so with
 * the same bits everywhere. Numbers below 1024 have a bucket each; from there on an octave of i + 1
 * has 512 buckets, and the numbers in one are equally likely (their true likelihoods differ by less
 * than a * 0.2 %). Weight of a bucket: its size times (middle of i + 1)^-a.
 * Why kept for ever: fills come in small chunks, a process asks for very few different pairs of
 * exponent and limit. */
#include "core/judge/fill_inside.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

enum { SINGLES = 1024, OCTAVE_BUCKETS = 512 };

/* ln x for x >= 1: x = m 2^e, m in [1, 2), ln m = 2 atanh((m-1)/(m+1)). */
static double log_of(double x)
{
    double t, power, sum = 0;
    int e = 0;

    for (; x >= 2; x /= 2)
        e++;
    t = (x - 1) / (x + 1);
    power = t;
    for (int k = 1; k < 40; k += 2) {
        sum += power / k;
        power *= t * t;
    }
    return 2 * sum + e * 0.69314718055994530942;
}

/* e^-y for y >= 0: (e^-(y/2^k))^(2^k) with y/2^k <= 1/4 loses about k bits, which the shares do not
 * miss. */
static double exp_minus(double y)
{
    double term = 1, sum = 1;
    int k = 0;

    for (; y > 0.25; y /= 2)
        k++;
    for (int i = 1; i < 16; i++) {
        term *= -y / i;
        sum += term;
    }
    for (; k > 0; k--)
        sum *= sum;
    return sum;
}

static int64_t bucket_size(int64_t start)
{
    int64_t size = 1;

    for (int64_t x = start + 1; x >= 2 * SINGLES; x /= 2)
        size *= 2;
    return start + 1 < SINGLES ? 1 : size * (SINGLES / OCTAVE_BUCKETS);
}

static int list_buckets(int64_t limit, int64_t *start)
{
    int n = 0;

    for (int64_t at = 0; at < limit; at += bucket_size(at), n++)
        if (start)
            start[n] = at;
    if (start)
        start[n] = limit;
    return n;
}

static struct aisp_zipf *build(double exponent, double limit)
{
    struct aisp_zipf *z = aisp_xcalloc(1, sizeof *z);
    const int64_t end = (int64_t)limit < limit ? (int64_t)limit + 1 : (int64_t)limit;
    double total = 0, sum = 0, *weight;
    int at = 0;

    z->exponent = exponent;
    z->limit = limit;
    z->n_buckets = list_buckets(end, NULL);
    z->start = aisp_xcalloc((size_t)z->n_buckets + 1, sizeof *z->start);
    z->threshold = aisp_xcalloc((size_t)z->n_buckets, sizeof *z->threshold);
    weight = aisp_xcalloc((size_t)z->n_buckets, sizeof *weight);
    list_buckets(end, z->start);
    for (int k = 0; k < z->n_buckets; k++) {
        const double size = (double)(z->start[k + 1] - z->start[k]);
        const double middle = (double)z->start[k] + (size + 1) / 2;

        weight[k] = size * exp_minus(exponent * log_of(middle));
        total += weight[k];
    }
    for (int k = 0; k < z->n_buckets; k++) {
        const double share = sum / total * 0x1p64;

        z->threshold[k] = share < 0x1.fffffffffffffp63 ? (uint64_t)share : UINT64_MAX;
        sum += weight[k];
    }
    free(weight);
    for (int d = 0; d < ZIPF_GUIDE; d++) {
        while (at + 1 < z->n_buckets && z->threshold[at + 1] <= (uint64_t)d << 52)
            at++;
        z->guide[d] = at;
    }
    return z;
}

const struct aisp_zipf *aisp_zipf_table(double exponent, double limit)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct aisp_zipf *all;
    struct aisp_zipf *z;

    pthread_mutex_lock(&lock);
    for (z = all; z && (z->exponent != exponent || z->limit != limit); z = z->next)
        ;
    if (!z) {
        z = build(exponent, limit);
        z->next = all;
        all = z;
    }
    pthread_mutex_unlock(&lock);
    return z;
}
