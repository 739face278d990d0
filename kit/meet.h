/* meet.h - how ranks that share memory wait for each other: flags and a barrier at the begin of the rendezvous, and behind them a
 * room for each rank.
 * Who waits spins for some microseconds, as a collective does that has a core of its own, and then sleeps: with more ranks than cores
 * the one that is waited for needs the core.
 * The rendezvous is zero before the first call; counters go on from call to call, so nothing has to be reset. */
#ifndef AISP_KIT_MEET_H
#define AISP_KIT_MEET_H

#include <linux/futex.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <aisp/variant.h>

enum { MEET_HEAD_BYTES = 4096, MEET_FLAGS = 32, MEET_SPINS = 4000 };

/* A line for each flag: no rank's store takes another's line away. */
struct meet_flag { _Alignas(64) uint32_t value; };
struct meet { struct meet_flag arrived, generation, flag[MEET_FLAGS]; };

static inline struct meet *meet_of(const struct aisp_call *c)
{
    return c->rendezvous;
}

static inline void meet_wait_while(uint32_t *word, uint32_t is)
{
    for (int i = 0; i < MEET_SPINS; i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != is)
            return;
        __builtin_ia32_pause();
    }
    syscall(SYS_futex, word, FUTEX_WAIT, is, NULL, NULL, 0);
}

/* Flag f counts up by one: what was written before is seen by whoever sees it. */
static inline void meet_raise(const struct aisp_call *c, int f)
{
    uint32_t *flag = &meet_of(c)->flag[f].value;

    __atomic_add_fetch(flag, 1, __ATOMIC_ACQ_REL);
    syscall(SYS_futex, flag, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static inline uint32_t meet_count(const struct aisp_call *c, int f)
{
    return __atomic_load_n(&meet_of(c)->flag[f].value, __ATOMIC_ACQUIRE);
}

/* Until flag f has reached n or gone past it. */
static inline void meet_await(const struct aisp_call *c, int f, uint32_t n)
{
    uint32_t is;

    while ((int32_t)((is = meet_count(c, f)) - n) < 0)
        meet_wait_while(&meet_of(c)->flag[f].value, is);
}

static inline void meet_barrier(const struct aisp_call *c)
{
    struct meet *m = meet_of(c);
    uint32_t *generation = &m->generation.value;
    const uint32_t is = __atomic_load_n(generation, __ATOMIC_ACQUIRE);

    if (__atomic_add_fetch(&m->arrived.value, 1, __ATOMIC_ACQ_REL) == (uint32_t)c->n_ranks) {
        __atomic_store_n(&m->arrived.value, 0, __ATOMIC_RELAXED);
        __atomic_store_n(generation, is + 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, generation, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
        return;
    }
    while (__atomic_load_n(generation, __ATOMIC_ACQUIRE) == is)
        meet_wait_while(generation, is);
}

/* The room of a rank, of meet_room_bytes(): 64-byte aligned. */
static inline size_t meet_room_bytes(const struct aisp_call *c)
{
    return (c->rendezvous_bytes - MEET_HEAD_BYTES) / (size_t)c->n_ranks / 64 * 64;
}

static inline void *meet_room(const struct aisp_call *c, int rank)
{
    return (char *)c->rendezvous + MEET_HEAD_BYTES + (size_t)rank * meet_room_bytes(c);
}

#endif
