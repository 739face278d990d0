/* fake.c - sessions and windows of the scripted device.
 * Not here: what comes out of a call (answers.c).
 * Why it computes real outputs: the judge, the late look and the search for stale answers are then tested, not mocked. */
#include "backends/fake/fake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/fake/answers.h"
#include "core/base/buf.h"
#include "core/judge/fill.h"

enum { GUARD_BYTES = 64, GUARD = 0x5a };

struct aisp_session {
    struct aisp_session_spec spec;
    struct aisp_instance inst;
    struct aisp_fake_variant script[2];
    int number[2]; /* of this session among the variant's */
    int n_windows[2], n_sides;
    double level[2]; /* log; of this session */
    struct aisp_dice dice;
    void **buffer; /* [slot * AISP_MAX_TENSORS + tensor], guard bytes behind each */
    void **copy;   /* inputs as filled; outputs: the answer before */
    bool is_late;  /* outputs change between the first and the second reading */
    bool is_again; /* outputs are written again between the first and the second reading */
    enum aisp_side newest; /* whose window was the last one */
    int *n_reads;  /* [slot * AISP_MAX_TENSORS + tensor], since the last window */
    int64_t cpu_ns[2];
};

static struct aisp_fake_script script;
static struct aisp_fake_log seen_log;
static int n_sessions_of[AISP_FAKE_VARIANTS + 1];

void aisp_fake_play(const struct aisp_fake_script *play)
{
    script = *play;
    memset(&seen_log, 0, sizeof seen_log);
    memset(n_sessions_of, 0, sizeof n_sessions_of);
}

const struct aisp_fake_log *aisp_fake_seen(void)
{
    return &seen_log;
}

static double uniform(struct aisp_dice *dice)
{
    return (aisp_dice_u32(dice) + 0.5) / 4294967296.0;
}

static double normal(struct aisp_dice *dice)
{
    const double r = sqrt(-2 * log(uniform(dice)));

    return r * cos(6.283185307179586 * uniform(dice));
}

static enum aisp_status probe(struct aisp_err *err)
{
    return script.unavailable ? aisp_fail(err, AISP_E_UNAVAILABLE, "%s", script.unavailable)
                              : AISP_OK;
}

static enum aisp_status fits(const struct aisp_instance *inst, int n_slots, int n_workers,
                             struct aisp_err *err)
{
    const int64_t needs = (int64_t)aisp_instance_slot_bytes(inst) * n_slots +
                          (int64_t)aisp_instance_weight_bytes(inst);

    (void)n_workers;
    if (script.fits_bytes && needs > script.fits_bytes)
        return aisp_fail(err, AISP_E_NO_MEMORY, "needs %lld bytes, %lld are available",
                         (long long)needs, (long long)script.fits_bytes);
    return AISP_OK;
}

static void play_variant(struct aisp_session *s, int side)
{
    int at = 0;

    while (
        at < AISP_FAKE_VARIANTS &&
        (!script.variant[at].name || strcmp(script.variant[at].name, s->spec.variant[side]->name)))
        at++;
    if (at < AISP_FAKE_VARIANTS)
        s->script[side] = script.variant[at];
    if (!(s->script[side].call_ns > 0))
        s->script[side].call_ns = 1000;
    s->number[side] = ++n_sessions_of[at];
}

static void set_level(struct aisp_session *s, int side)
{
    const struct aisp_fake_variant *v = &s->script[side];

    s->level[side] = v->pair_noise * normal(&s->dice) + v->drift * s->number[side];
    if (v->mode_share > 0 && uniform(&s->dice) < v->mode_share)
        s->level[side] += log(v->mode_factor);
    if (v->step_session && s->number[side] >= v->step_session)
        s->level[side] += v->step;
}

static bool is_on(const struct aisp_session *s, int side)
{
    const struct aisp_fake_variant *v = &s->script[side];

    return v->fault &&
           (v->when.session == 0 || v->when.session == s->number[side] ||
            (v->when.onwards && v->when.session < s->number[side])) &&
           s->n_windows[side] >= v->when.window;
}

/* AISP_E_WORKER with what is scripted, if it is the kind of fault that ends a worker. */
static enum aisp_status end_worker(struct aisp_session *s, int side, struct aisp_observation *seen,
                                   struct aisp_err *err)
{
    static const struct {
        enum aisp_seen what;
        double seen;
    } ends[AISP_FAKE_N_FAULTS] = {
        [AISP_FAKE_SIGNAL] = { AISP_SEEN_SIGNAL, 11 },
        [AISP_FAKE_EXIT] = { AISP_SEEN_EXIT, 3 },
        [AISP_FAKE_HANG] = { AISP_SEEN_HANG, 0 },
        [AISP_FAKE_LOST_REPLY] = { AISP_SEEN_HANG, 0 },
        [AISP_FAKE_BAD_STATUS] = { AISP_SEEN_BAD_STATUS, 1 },
        [AISP_FAKE_FORBIDDEN] = { AISP_SEEN_FORBIDDEN_CALL, 101 },
        [AISP_FAKE_MEMORY] = { AISP_SEEN_MEMORY, 1e9 },
        [AISP_FAKE_PROTOCOL] = { AISP_SEEN_PROTOCOL, 0 },
        [AISP_FAKE_REFUSED] = { AISP_SEEN_REFUSED, 0 },
    };
    const enum aisp_fake_fault fault = s->script[side].fault;

    if (fault < AISP_FAKE_SIGNAL || !is_on(s, side))
        return AISP_OK;
    seen->what = ends[fault].what;
    seen->side = (int8_t)side;
    seen->seen =
        ends[fault].what == AISP_SEEN_HANG ? (double)s->spec.call_timeout_ns : ends[fault].seen;
    snprintf(seen->detail, sizeof seen->detail, "as scripted, in window %d", s->n_windows[side]);
    return aisp_fail(err, AISP_E_WORKER, "%s: %s", s->spec.variant[side]->name, seen->detail);
}

static void **at(void **table, int slot, int tensor)
{
    return &table[slot * AISP_MAX_TENSORS + tensor];
}

static int slots_of(const struct aisp_session *s, int tensor)
{
    return aisp_role_is_slot(s->inst.problem->tensor[tensor].role) ? s->spec.n_slots : 1;
}

static void make_buffers(struct aisp_session *s)
{
    const size_t n = (size_t)s->spec.n_slots * AISP_MAX_TENSORS;

    s->buffer = aisp_xcalloc(n, sizeof *s->buffer);
    s->copy = aisp_xcalloc(n, sizeof *s->copy);
    s->n_reads = aisp_xcalloc(n, sizeof *s->n_reads);
    for (int t = 0; t < s->inst.n_tensors; t++) {
        const size_t bytes = (s->inst.extent[t].bytes + 63) / 64 * 64 + GUARD_BYTES;
        const struct aisp_tensor *tensor = &s->inst.problem->tensor[t];
        const struct aisp_key key = aisp_key_derive(&s->spec.secret, "weight", 0, t, 0, 0);
        const struct aisp_filling what = { tensor->fill, tensor->dtype, s->inst.extent[t].elements,
                                           aisp_philox_of(&key) };

        for (int slot = 0; slot < slots_of(s, t); slot++) {
            char *to = *at(s->buffer, slot, t) = aligned_alloc(64, bytes);

            if (!to)
                AISP_BUG("no memory for a scripted tensor of %zu bytes", bytes);
            memset(to, 0, bytes);
            memset(to + s->inst.extent[t].bytes, GUARD, bytes - s->inst.extent[t].bytes);
            *at(s->copy, slot, t) = aisp_xcalloc(1, bytes);
        }
        if (tensor->role == AISP_WEIGHT)
            aisp_fill(&what, *at(s->buffer, 0, t), 0, s->inst.extent[t].elements);
    }
}

static int leave(struct aisp_session *s, struct aisp_observation seen[2])
{
    int n = 0;

    for (int side = 0; side < 2; side++) {
        if (s->script[side].fault != AISP_FAKE_TEARDOWN || !is_on(s, side))
            continue;
        seen[n].what = AISP_SEEN_SIGNAL;
        seen[n].side = (int8_t)side;
        seen[n].phase = AISP_PHASE_TEARDOWN;
        seen[n++].seen = 11;
    }
    return n;
}

static void session_close(struct aisp_session *s)
{
    seen_log.n_closes++;
    for (int i = 0; s->buffer && i < s->spec.n_slots * AISP_MAX_TENSORS; i++) {
        free(s->buffer[i]);
        free(s->copy[i]);
    }
    free(s->buffer);
    free(s->copy);
    free(s->n_reads);
    free(s);
}

static enum aisp_status session_open(const struct aisp_session_spec *spec,
                                     struct aisp_session **session, struct aisp_observation *seen,
                                     struct aisp_err *err)
{
    const struct aisp_key seed = aisp_key_derive(&(struct aisp_key){ { 0 } }, "script",
                                                 (int64_t)script.seed, seen_log.n_opens, 0, 0);
    struct aisp_session *s;
    enum aisp_status st = aisp_fake_can_answer(spec->inst, err);

    if (st)
        return st;
    s = aisp_xcalloc(1, sizeof *s);
    s->spec = *spec;
    s->inst = *spec->inst;
    s->n_sides = spec->variant[AISP_B] ? 2 : 1;
    aisp_dice_init(&s->dice, &seed);
    seen_log.n_opens++;
    seen_log.n_b_first += spec->b_first;
    make_buffers(s);
    *session = s;
    for (int i = 0; i < s->n_sides; i++) {
        play_variant(s, i);
        set_level(s, i);
    }
    for (int i = 0; i < s->n_sides && st == AISP_OK; i++)
        st = end_worker(s, i, seen, err);
    return st;
}

static enum aisp_status fill(struct aisp_session *s, int slot, int t, const struct aisp_philox *key,
                             int64_t first, int64_t n, struct aisp_err *err)
{
    const struct aisp_tensor *tensor = &s->inst.problem->tensor[t];
    const struct aisp_extent *extent = &s->inst.extent[t];
    const struct aisp_filling what = { tensor->fill, tensor->dtype, extent->elements, *key };
    const size_t bytes = aisp_dtype_bytes(tensor->dtype);

    n = n ? n : extent->elements;
    if (++seen_log.n_fills == script.fill_fails_at)
        return aisp_fail(err, AISP_E_IO, "%s: the filling fails, as scripted", tensor->name);
    seen_log.n_whole_fills += n == extent->elements;
    aisp_fill(&what, *at(s->buffer, slot, t), first, n);
    memcpy((char *)*at(s->copy, slot, t) + (size_t)first * bytes,
           (char *)*at(s->buffer, slot, t) + (size_t)first * bytes, (size_t)n * bytes);
    return AISP_OK;
}

static enum aisp_status poison(struct aisp_session *s, int slot, int t,
                               const struct aisp_philox *key, struct aisp_err *err)
{
    (void)err;
    aisp_poison(*at(s->buffer, slot, t), s->inst.extent[t].bytes, s->inst.problem->tensor[t].dtype,
                key);
    return AISP_OK;
}

/* The last call on a slot leaves its answer; what it overwrote stays with `before`. */
static void call_slot(struct aisp_session *s, int side, int slot)
{
    const enum aisp_fake_fault fault = is_on(s, side) ? s->script[side].fault : AISP_FAKE_NONE;
    void *tensor[AISP_MAX_TENSORS];

    for (int t = 0; t < s->inst.n_tensors; t++)
        tensor[t] = *at(s->buffer, slots_of(s, t) > 1 ? slot : 0, t);
    for (int t = 0; t < s->inst.n_tensors; t++) {
        const size_t bytes = s->inst.extent[t].bytes;
        void *answer, *right;

        if (!aisp_role_is_output(s->inst.problem->tensor[t].role))
            continue;
        answer = aisp_xmalloc(bytes);
        right = aisp_xmalloc(bytes);
        aisp_fake_answer(&s->inst, tensor, t, right);
        memcpy(answer, right, bytes);
        aisp_fake_spoil(fault, &s->inst, t, answer, *at(s->copy, slot, t), tensor[t]);
        memcpy(tensor[t], answer, bytes);
        memcpy(*at(s->copy, slot, t), right, bytes);
        if (fault == AISP_FAKE_CANARY)
            ((char *)tensor[t])[bytes] ^= 1;
        free(answer);
        free(right);
    }
    for (int t = 0; t < s->inst.n_tensors && fault == AISP_FAKE_INPUT; t++)
        if (s->inst.problem->tensor[t].role == AISP_IN)
            ((char *)tensor[t])[0] ^= 1;
}

static void write_elsewhere(struct aisp_session *s, const struct aisp_order *order, int64_t n_used)
{
    for (int slot = 0; slot < s->spec.n_slots; slot++) {
        bool is_used = false;

        for (int64_t i = 0; i < n_used; i++)
            is_used |= order->slot[i] == slot;
        for (int t = 0; t < s->inst.n_tensors && !is_used; t++)
            if (s->inst.problem->tensor[t].role == AISP_OUT)
                ((char *)*at(s->buffer, slot, t))[s->inst.extent[t].bytes - 1] ^= 1;
    }
}

static void log_order(const struct aisp_session *s, const struct aisp_order *order)
{
    bool in_order = true;

    seen_log.n_windows++;
    seen_log.max_calls = order->calls > seen_log.max_calls ? order->calls : seen_log.max_calls;
    seen_log.min_calls = !seen_log.min_calls || order->calls < seen_log.min_calls
                             ? order->calls
                             : seen_log.min_calls;
    for (int i = 0; i < s->spec.n_slots && i < order->n; i++)
        in_order &= order->slot[i] == i;
    if (s->spec.n_slots >= 3 && order->n >= 3) {
        seen_log.n_orders++;
        seen_log.n_in_order += in_order;
    }
}

static enum aisp_status window(struct aisp_session *s, enum aisp_side side,
                               const struct aisp_order *order, struct aisp_window *times,
                               struct aisp_observation *seen, struct aisp_err *err)
{
    const struct aisp_fake_variant *v = &s->script[side];
    const double repeat = v->repeat_factor > 0 ? v->repeat_factor : 1;
    const int64_t n_slots = s->spec.n_slots,
                  n_used = order->calls < n_slots ? order->calls : n_slots;
    double ns;
    enum aisp_status st;

    if (s->spec.stop && *s->spec.stop)
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    s->n_windows[side]++;
    log_order(s, order);
    AISP_TRY(end_worker(s, (int)side, seen, err));
    s->is_late = s->script[side].fault == AISP_FAKE_LATE && is_on(s, (int)side);
    s->is_again = s->script[side].fault == AISP_FAKE_AGAIN && is_on(s, (int)side);
    s->newest = side;
    memset(s->n_reads, 0, (size_t)n_slots * AISP_MAX_TENSORS * sizeof *s->n_reads);
    for (int64_t i = 0; i < n_used; i++)
        call_slot(s, (int)side, order->slot[i]);
    if (v->fault == AISP_FAKE_FOREIGN && is_on(s, (int)side))
        write_elsewhere(s, order, n_used);
    ns = v->call_ns * ((double)n_used + (double)(order->calls - n_used) * repeat);
    ns *= exp(s->level[side] + v->noise * normal(&s->dice));
    times->window_ns = (int64_t)(ns + v->slack_ns + 0.5);
    times->inner_ns = (int64_t)(ns + 0.5);
    times->idle_ns = v->fault == AISP_FAKE_BUSY && is_on(s, (int)side) ? 5000000 : 0;
    s->cpu_ns[side] += times->inner_ns;
out:
    return st;
}

static enum aisp_status read_output(struct aisp_session *s, enum aisp_side side, int slot, int t,
                                    size_t offset, size_t n_bytes, void *to, struct aisp_err *err)
{
    char *from = *at(s->buffer, slot, t);

    (void)side, (void)err;
    if (s->n_reads[slot * AISP_MAX_TENSORS + t]++ == 1) {
        if (s->is_again)
            memcpy(from, *at(s->copy, slot, t), s->inst.extent[t].bytes);
        if (s->is_late)
            from[s->inst.extent[t].bytes / 2] ^= 1;
    }
    memcpy(to, from + offset, n_bytes);
    return AISP_OK;
}

static bool replace(struct aisp_session *s, enum aisp_side side, int slot, int t, size_t offset, size_t n_bytes, const void *from)
{
    (void)side;
    memcpy((char *)*at(s->buffer, slot, t) + offset, from, n_bytes);
    return true;
}

static int64_t answer(struct aisp_session *s)
{
    enum { IDLE_NS = 180000 };

    return s->script[s->newest].answer_ns ? s->script[s->newest].answer_ns : IDLE_NS;
}

static const void *input(struct aisp_session *s, int slot, int t)
{
    return *at(s->buffer, slots_of(s, t) > 1 ? slot : 0, t);
}

static int inspect_tensor(struct aisp_session *s, int slot, int t, enum aisp_hash hash,
                          struct aisp_observation *seen)
{
    const size_t bytes = s->inst.extent[t].bytes;
    unsigned char *guard = (unsigned char *)*at(s->buffer, slot, t) + bytes;
    const bool is_input = s->inst.problem->tensor[t].role == AISP_IN;

    seen->slot = slot;
    seen->tensor = t;
    for (int i = 0; i < GUARD_BYTES; i++) {
        if (guard[i] != GUARD) {
            guard[i] = GUARD;
            seen->what = AISP_SEEN_CANARY;
            seen->element = i;
            return 1;
        }
    }
    seen->what = AISP_SEEN_INPUT_CHANGED;
    return is_input && (hash & AISP_HASH_INPUTS) &&
           memcmp(*at(s->copy, slot, t), *at(s->buffer, slot, t), bytes) != 0;
}

static int inspect(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash,
                   struct aisp_observation *seen, int max)
{
    int n = 0;

    for (int t = 0; t < s->inst.n_tensors; t++)
        for (int slot = 0; slot < slots_of(s, t) && n < max; slot++)
            n += inspect_tensor(s, slot, t, hash, &seen[n]);
    if (n < max && s->script[side].fault == AISP_FAKE_THREADS && is_on(s, (int)side)) {
        seen[n].what = AISP_SEEN_EXTRA_THREADS;
        seen[n].slot = seen[n].tensor = -1;
        seen[n].seen = 2;
        seen[n++].expected = 1;
    }
    return n;
}

static void account(struct aisp_session *s, enum aisp_side side, struct aisp_account *account_to)
{
    account_to->cpu_ns = s->cpu_ns[side];
    account_to->max_tasks = s->script[side].fault == AISP_FAKE_THREADS ? 2 : 1;
}

static void trace(struct aisp_session *s, enum aisp_side side, struct aisp_device_trace *to)
{
    if (s->script[side].device)
        s->script[side].device(to, s->spec.is_audit);
}

AISP_ROW(aisp_backends, struct aisp_backend, fake) = {
    .name = "fake",
    .title = "a scripted device, for tests",
    .is_scripted = true,
    .probe = probe,
    .fits = fits,
    .open = session_open,
    .close = session_close,
    .leave = leave,
    .fill = fill,
    .poison = poison,
    .window = window,
    .read = read_output,
    .replace = replace,
    .input = input,
    .inspect = inspect,
    .account = account,
};

AISP_ROW(aisp_backends, struct aisp_backend, fakegpu) = {
    .name = "fakegpu",
    .title = "a scripted device with a recorder, for tests",
    .is_scripted = true,
    .probe = probe,
    .fits = fits,
    .open = session_open,
    .close = session_close,
    .leave = leave,
    .fill = fill,
    .poison = poison,
    .window = window,
    .read = read_output,
    .replace = replace,
    .input = input,
    .inspect = inspect,
    .account = account,
    .trace = trace,
    .answer = answer,
};
