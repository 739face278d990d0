/* meet.h - how the ranks of the test problems meet: a barrier and a room for each, in the rendezvous. Who waits sleeps in a
 * futex, so that more ranks than cores do not take each other's time. */
#ifndef TESTS_PROBLEMS_MEET_H
#define TESTS_PROBLEMS_MEET_H

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MEET_HEAD = 4096, MEET_COUNTERS = 64 };

struct meet {
    uint32_t arrived, generation;
    _Alignas(64) uint32_t counter[MEET_COUNTERS];
};

static inline void sleep_while(uint32_t *word, uint32_t is)
{
    syscall(SYS_futex, word, FUTEX_WAIT, is, NULL, NULL, 0);
}

static inline void wake_all(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static inline void meet_barrier(struct meet *m, int n_ranks)
{
    const uint32_t is = __atomic_load_n(&m->generation, __ATOMIC_ACQUIRE);

    if (__atomic_add_fetch(&m->arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)n_ranks) {
        __atomic_store_n(&m->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&m->generation, is + 1, __ATOMIC_RELEASE);
        wake_all(&m->generation);
        return;
    }
    while (__atomic_load_n(&m->generation, __ATOMIC_ACQUIRE) == is)
        sleep_while(&m->generation, is);
}

static inline void barrier(const struct aisp_call *c)
{
    meet_barrier(c->rendezvous, c->n_ranks);
}

static inline void count_up(uint32_t *counter)
{
    __atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL);
    wake_all(counter);
}

/* Until the counter has reached n, or gone past it. */
static inline void await(uint32_t *counter, uint32_t n)
{
    uint32_t is;

    while ((int32_t)((is = __atomic_load_n(counter, __ATOMIC_ACQUIRE)) - n) < 0)
        sleep_while(counter, is);
}

static inline float *room_of(const struct aisp_call *c, int rank)
{
    const size_t each = (c->rendezvous_bytes - MEET_HEAD) / (size_t)c->n_ranks / 64 * 64;

    return (float *)((char *)c->rendezvous + MEET_HEAD + (size_t)rank * each);
}

#endif
