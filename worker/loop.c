/* loop.c - the timed part: arm, ready, go, the calls, done. Not here: windows that are held on a device (held.c).
 * The supervisor's two stamps enclose everything from reading go to writing done. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "worker/worker.h"

/* Not FUTEX_PRIVATE: the words are shared with another process. Works on read-only mappings of a
 * file. */
void worker_wait(const uint32_t *word, uint32_t until)
{
    uint32_t seen;

    while ((seen = __atomic_load_n(word, __ATOMIC_ACQUIRE)) != until)
        syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
}

void worker_answer(uint32_t *word, uint32_t seq, bool wake)
{
    __atomic_store_n(word, seq, __ATOMIC_RELEASE);
    if (wake)
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the first status that is not OK. Two loops instead of a division per call. */
static enum aisp_status make_calls(const struct aisp_call *call,
                                   enum aisp_status (*run)(const struct aisp_call *),
                                   const struct aisp_down *down)
{
    const int64_t n = down->order_n;

    for (int64_t left = down->calls; left > 0; left -= n) {
        const int64_t round = left < n ? left : n;

        for (int64_t i = 0; i < round; i++) {
            const enum aisp_status st = run(&call[down->order[i]]);

            if (__builtin_expect(st != AISP_OK, 0))
                return st;
        }
    }
    return AISP_OK;
}

enum aisp_status worker_calls(const struct worker *w)
{
    return make_calls(w->call, w->variant->run, w->down);
}

/* Its own clock is the device's: from the first call to the last. */
static void note_device_time(struct worker *w)
{
    w->up->start_ns = now_ns();
    w->up->end_ns = w->up->start_ns + worker_device_between_marks(w);
}

/* Done is when the device is, whatever streams were used. */
static enum aisp_status device_calls(struct worker *w)
{
    const int64_t n_before = worker_launches();
    enum aisp_status st, end;

    worker_recorder_window(w, true);
    worker_device_mark(w, false);
    st = w->recorder ? worker_recorder_calls(w) : worker_calls(w);
    worker_device_mark(w, true);
    end = worker_device_settle(w);
    worker_recorder_window(w, false);
    w->up->n_launches = worker_launches() - n_before;
    note_device_time(w);
    return st ? st : end;
}

static void finish(struct worker *w, uint32_t seq, enum aisp_status st, bool wake)
{
    w->up->status = (int32_t)st;
    w->up->float_after = worker_float_mode();
    worker_answer(&w->up->done_seq, seq, wake);
}

static void held_window(struct worker *w, uint32_t seq)
{
    const int64_t n_before = worker_launches();
    const enum aisp_status st = worker_held_calls(w, seq);

    w->up->n_launches = worker_launches() - n_before;
    note_device_time(w);
    finish(w, seq, st, true);
}

void worker_window(struct worker *w, uint32_t seq)
{
    const struct aisp_down *down = w->down;
    const bool spin = w->spec->flags & AISP_SPEC_SPIN;
    struct aisp_up *up = w->up;
    enum aisp_status st;

    if (down->is_held && w->device) {
        held_window(w, seq);
        return;
    }
    if (w->spec->flags & AISP_SPEC_PRIME)
        worker_prime(w);
    if (w->device)
        worker_device_wake(w);
    worker_answer(&up->ready_seq, seq, !spin);
    if (spin)
        while (__atomic_load_n(&down->go_seq, __ATOMIC_ACQUIRE) != seq)
            __builtin_ia32_pause();
    else
        worker_wait(&down->go_seq, seq);
    if (w->device) {
        st = device_calls(w);
    } else {
        up->start_ns = now_ns();
        st = worker_calls(w);
        up->end_ns = now_ns();
    }
    finish(w, seq, st, !spin);
}
