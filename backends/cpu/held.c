/* held.c - a window whose ends are on a device: its calls are queued there behind a kernel that polls a word (worker/held.c),
 * then contents are made, then the word is written and the window runs to the word that the stream writes behind the last call.
 * Why the contents come last: whoever works before the release works on old ones. Who watches for new ones, and works as soon as
 * they are there, has the time from the judge's last touch to the release: two looks of the kernel that holds the stream, some
 * microseconds, for while the judge has its turn on the card nobody else has. What was worked out before that touch may be what
 * it undid.
 * Whose words: the release lies where a worker only reads. The end lies where it writes: an early one is as much use to it as an
 * early done, for the worker's done is waited for too, and what the device did after the end is part of the window.
 * Not here: which windows are held and what becomes of those that cannot be (core/run/hold.c). */
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "core/base/clock.h"
#include "core/base/err.h"

/* A thousand launches take a few ms, on a crowded machine some more. What is not queued by then waits for something. */
enum { QUEUE_NS = 300000000 };
/* After the judge's work the stream has its turn on the card again within milliseconds. */
enum { TURN_NS = 1000000000, TURN_BEATS = 2 };
/* From the stream's end to done: the worker sees that its device is idle, and says so. More than that, something else was
 * running. */
enum { TAIL_NS = 30000 };
enum { EMPTY_WINDOWS = 5 };

static void release(struct cpu_worker *w)
{
    __atomic_store_n(&w->down->go_seq, w->seq, __ATOMIC_RELEASE);
}

static void wake_up(struct cpu_worker *w)
{
    __atomic_store_n(&w->down->near_seq, w->seq, __ATOMIC_RELEASE);
    cpu_wake(&w->down->near_seq);
}

/* It waits inside run(), or there is no room for its launches: released, it comes to its end like any other. */
static int let_go(struct aisp_session *s, struct cpu_wait *a)
{
    struct cpu_worker *w = &s->worker[a->side][0];

    release(w);
    wake_up(w);
    a->word = CPU_WORD_DONE;
    a->timeout_ns = s->call_timeout_ns;
    w->span.end_ns = QUEUE_NS + s->call_timeout_ns; /* how long it took is of no interest */
    return cpu_wait(s, a);
}

/* Half of what the stream waits is over: it may have gone on by itself before it is released. That is nobody's fault but ours. */
static bool is_late(const struct aisp_session *s)
{
    return aisp_now_ns() - s->held.arm_ns >= s->call_timeout_ns / 2;
}

/* Does the stream's kernel run now? Its word is believed, for a late release is no use to anybody. */
static int wait_for_turn(struct aisp_session *s, struct cpu_wait *a)
{
    struct cpu_worker *w = &s->worker[a->side][0];
    const uint32_t before = __atomic_load_n(&w->up->beat, __ATOMIC_ACQUIRE);
    const int64_t begin_ns = aisp_now_ns();

    a->culprit = w;
    while (__atomic_load_n(&w->up->beat, __ATOMIC_ACQUIRE) - before < TURN_BEATS && !is_late(s)) {
        aisp_pause();
        if (aisp_now_ns() - begin_ns >= TURN_NS)
            return cpu_reap(w, false) ? CPU_DIED : CPU_UNHELD;
    }
    return is_late(s) ? CPU_LATE : CPU_DONE;
}

static void note(const struct cpu_worker *w, int64_t go_ns, int64_t end_ns, struct aisp_window *times)
{
    const int64_t tail_ns = w->done_ns - end_ns, beyond_ns = tail_ns > TAIL_NS ? tail_ns - TAIL_NS : 0;

    times->window_ns = end_ns - go_ns + beyond_ns;
    times->inner_ns = w->up->end_ns - w->up->start_ns;
}

/* Each output that was made ready for this window is equally likely to be the one that is made again (reservoir sampling). */
void cpu_held_note_made(struct aisp_session *s, int slot, int tensor)
{
    struct cpu_held *held = &s->held;

    if (!held->is_on || !aisp_role_is_output(s->inst.problem->tensor[tensor].role) ||
        aisp_dice_below(&s->held_dice, ++held->n_made))
        return;
    held->slot = slot;
    held->tensor = tensor;
}

enum aisp_status cpu_held_near(struct aisp_session *s, struct cpu_wait *a, int *end, struct aisp_err *err)
{
    struct cpu_held *held = &s->held;

    held->near_ns = aisp_now_ns();
    wake_up(&s->worker[a->side][0]);
    a->word = CPU_WORD_AWAKE;
    *end = cpu_wait(s, a);
    if (*end != CPU_DONE || !held->n_made || !aisp_defends(&s->policy, AISP_LAST_POISON))
        return AISP_OK;
    return cpu_write_again(s, held->slot, held->tensor, err);
}

/* The calls of an order, or (NULL) none, are queued. A status of cpu_wait(). */
static int queue(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order)
{
    struct cpu_worker *w = &s->worker[a->side][0];
    struct cpu_held *held = &s->held;
    int end;

    cpu_publish(s, a->side, order);
    w->down->is_held = 1;
    held->arm_ns = aisp_now_ns();
    cpu_post(w, AISP_COMMAND_WINDOW);
    a->word = CPU_WORD_READY;
    a->timeout_ns = QUEUE_NS;
    end = cpu_wait(s, a);
    a->timeout_ns = s->call_timeout_ns;
    held->queued_ns = aisp_now_ns();
    return end;
}

/* From the release to done. */
static int release_and_wait(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order, struct aisp_window *times)
{
    struct cpu_worker *w = &s->worker[a->side][0];
    const struct cpu_held *held = &s->held;
    const int64_t switches = cpu_own_switches();
    int64_t go_ns, end_ns;
    int end;

    a->word = CPU_WORD_END;
    a->order = order;
    a->spin = true; /* what it stamps is not written by anybody who would wake it */
    go_ns = aisp_now_ns();
    release(w);
    end = cpu_wait(s, a);
    end_ns = w->done_ns;
    a->word = CPU_WORD_DONE;
    a->spin = s->spin;
    end = end == CPU_DONE ? cpu_wait(s, a) : end;
    times->involuntary_switches = (int32_t)(cpu_own_switches() - switches);
    times->start_ns = go_ns;
    times->gap_ns = go_ns - held->arm_ns;
    w->lead_ns = cpu_lead_ns(s, 0) + held->queued_ns - held->arm_ns + go_ns - held->near_ns;
    w->span.end_ns = w->done_ns - go_ns;
    if (end == CPU_DONE)
        note(w, go_ns, end_ns, times);
    return end;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* Into empty_ns, which is left 0 where the worker says that it failed. What a window that calls nothing takes beyond its events:
 * the way of the two words over the bus, of this worker on this machine. */
static int measure_nothing(struct aisp_session *s, struct cpu_wait *a)
{
    struct cpu_worker *w = &s->worker[a->side][0];
    static const int32_t slot = 0;
    const struct aisp_order none = { &slot, 1, 0, NULL, NULL };
    int64_t slack_ns[EMPTY_WINDOWS];
    struct aisp_window times;
    int end = CPU_DONE;

    for (int i = 0; i < EMPTY_WINDOWS && end == CPU_DONE && w->up->status == AISP_OK; i++) {
        end = queue(s, a, &none);
        s->held.near_ns = aisp_now_ns();
        wake_up(w);
        a->word = CPU_WORD_AWAKE;
        end = end == CPU_DONE ? cpu_wait(s, a) : end;
        end = end == CPU_DONE ? wait_for_turn(s, a) : end;
        end = end == CPU_DONE ? release_and_wait(s, a, NULL, &times) : end;
        slack_ns[i] = end == CPU_DONE ? times.window_ns - times.inner_ns : 0;
    }
    if (end != CPU_DONE || w->up->status != AISP_OK)
        return end;
    qsort(slack_ns, EMPTY_WINDOWS, sizeof *slack_ns, by_value);
    w->empty_ns = slack_ns[EMPTY_WINDOWS / 2] > 1 ? slack_ns[EMPTY_WINDOWS / 2] : 1;
    cpu_settle(s, w);
    return CPU_DONE;
}

enum aisp_status cpu_hold(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order, bool *is_held,
                          struct aisp_observation *seen, struct aisp_err *err)
{
    struct cpu_wait a = { .side = side, .spin = s->spin, .timeout_ns = s->call_timeout_ns };
    struct cpu_worker *w = &s->worker[side][0];
    struct cpu_held *held = &s->held;
    enum aisp_status st;
    cpu_set_t place;
    int end = CPU_DONE;

    *is_held = false;
    if (!s->can_hold)
        AISP_BUG("a window is to be held in a session that was not opened for it");
    st = cpu_window_begin(s, &a, order, &place, seen, err);
    if (st)
        return st;
    *held = (struct cpu_held){ .side = side };
    if (!w->empty_ns)
        end = measure_nothing(s, &a);
    cpu_before_window(s, side, &held->times);
    if (end == CPU_DONE && w->empty_ns)
        end = queue(s, &a, order);
    if (end == CPU_TIMED_OUT)
        end = let_go(s, &a);
    else if (end == CPU_DONE && w->empty_ns)
        held->is_on = *is_held = true;
    if (!held->is_on)
        return cpu_window_end(s, &a, end, &place, &held->times, seen, err);
    sched_setaffinity(0, sizeof place, &place);
    return AISP_OK;
}

int cpu_held_part(struct aisp_session *s, struct cpu_wait *a, const struct aisp_order *order, struct aisp_window *times)
{
    struct cpu_held *held = &s->held;
    int end;

    if (held->side != a->side)
        AISP_BUG("side %d was held, side %d is released", held->side, a->side);
    held->is_on = false;
    *times = held->times;
    end = wait_for_turn(s, a);
    return end == CPU_DONE ? release_and_wait(s, a, order, times) : end;
}
