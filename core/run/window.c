/* window.c - open a session, take windows, close it. One path for verification, trial, warm-up and timing: the worker is
 * never told which of them a window is for.
 * No judge work happens inside a window: the last output is looked at again, contents and poison are written, then the
 * window runs, then the snapshot is taken, then all the rest. */
#include "core/run/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At least so many windows have their inputs hashed, whatever that costs. */
enum { HASH_ONE_IN = 32 };
/* Windows whose outputs are compared in full have all inputs hashed up to this size: the next contents would hide a change. */
static const int64_t HASH_ANYWAY_BYTES = 16 << 20;
enum { DECOY_MOST_BYTES = 16 << 20 };

static const struct aisp_observation unseen = { AISP_NOWHERE };

static bool is_defended(const struct aisp_policy *policy, enum aisp_seen what)
{
    switch (what) {
    case AISP_SEEN_CANARY:
        return aisp_defends(policy, AISP_GUARDS);
    case AISP_SEEN_INPUT_CHANGED:
        return aisp_defends(policy, AISP_INPUT_HASH);
    case AISP_SEEN_BUSY_OUTSIDE:
        return aisp_defends(policy, AISP_IDLE_ACCOUNTING);
    case AISP_SEEN_EXTRA_THREADS:
        return aisp_defends(policy, AISP_THREAD_COUNT);
    default:
        return true;
    }
}

void aisp_rig_observe(struct aisp_rig *rig, int side, struct aisp_observation *seen)
{
    if (!is_defended(rig->course->plan->policy, seen->what))
        return;
    seen->side = rig->blame[side == AISP_B ? AISP_B : AISP_A];
    seen->pair = rig->pair;
    seen->window =
        rig->n_windows > 0 && seen->phase != AISP_PHASE_TEARDOWN ? rig->n_windows - 1 : -1;
    aisp_evidence_observe(rig->course->ev, seen);
}

/* A worker has died, hung or refused: that is evidence about its variant. */
static enum aisp_status died(struct aisp_rig *rig, int side, struct aisp_observation *seen)
{
    aisp_rig_observe(rig, side, seen);
    rig->course->is_dead[rig->blame[side]] = true;
    return AISP_E_WORKER;
}

/* Where a device takes none, or ranks share the tensors, all contents are ordinary ones. */
static void prepare_plants(struct aisp_rig *rig)
{
    const struct aisp_key key = aisp_key_derive(&rig->key, "plants", 0, 0, 0, 0);
    struct aisp_dice dice;

    rig->kept = aisp_xcalloc((size_t)rig->n_slots, sizeof *rig->kept);
    rig->kept_right = aisp_xcalloc((size_t)rig->n_slots, sizeof *rig->kept_right);
    if (!rig->backend->plant || rig->inst->n_ranks > 1 ||
        !aisp_defends(rig->course->plan->policy, AISP_PLANTED_CONTENTS))
        return;
    aisp_dice_init(&dice, &key);
    rig->n_plants = aisp_plants(rig->inst, rig->plants);
    rig->plant_offset = (int)aisp_dice_below(&dice, (uint64_t)rig->n_plants + 1);
}

static void rig_init(struct aisp_rig *rig, const struct aisp_rig_spec *spec)
{
    const struct aisp_key dice = aisp_key_derive(&spec->key, "dice", 0, 0, 0, 0);

    memset(rig, 0, sizeof *rig);
    rig->course = spec->course;
    rig->inst = spec->inst;
    rig->backend = spec->course->plan->backend;
    rig->key = spec->key;
    rig->n_sides = spec->variant[AISP_B] ? 2 : 1;
    rig->n_slots = spec->n_slots;
    memcpy(rig->label, spec->label, sizeof rig->label);
    memcpy(rig->blame, spec->blame, sizeof rig->blame);
    rig->phase = spec->phase;
    rig->pair = spec->pair;
    rig->can_hold = spec->course->plan->scope == AISP_SCOPE_KERNEL && !spec->is_audit;
    rig->seen_slot = rig->rewrite.slot = rig->touch.snapshot = rig->at_go.slot = -1;
    rig->order = aisp_xcalloc(AISP_RUN_MAX_ORDER, sizeof *rig->order);
    aisp_dice_init(&rig->dice, &dice);
    if (spec->inst == &spec->course->plan->inst)
        memcpy(rig->row_ns, spec->course->row_ns, sizeof rig->row_ns);
    aisp_contents_init(rig, spec->chunk_bytes);
    if (spec->plants)
        prepare_plants(rig);
}

/* While setup runs, the slots hold contents like any others, but that no call gets: an answer made from them is of no use, and
 * known for what it is. Where that would be much to fill, they hold poison. */
static enum aisp_status fill_decoy(void *context, struct aisp_session *session, struct aisp_err *err)
{
    struct aisp_rig *rig = context;
    enum aisp_status st;

    if ((int64_t)aisp_instance_slot_bytes(rig->inst) * rig->n_slots > DECOY_MOST_BYTES)
        return AISP_OK;
    rig->session = session;
    rig->n_windows = AISP_DECOY_EPOCH;
    st = aisp_contents_fill_all(rig, err);
    rig->n_windows = 0;
    rig->has_decoy = true;
    return st;
}

enum aisp_status aisp_rig_open(struct aisp_rig *rig, const struct aisp_rig_spec *spec,
                               struct aisp_err *err)
{
    const struct aisp_plan *plan = spec->course->plan;
    struct aisp_observation seen = unseen;
    struct aisp_session_spec session = {
        .inst = spec->inst,
        .variant = { spec->variant[AISP_A], spec->variant[AISP_B] },
        .n_slots = spec->n_slots,
        .n_threads = plan->n_threads,
        .spin = spec->course->spin,
        .secret = aisp_key_derive(&spec->key, "session", 0, 0, 0, 0),
        .setup_timeout_ns = plan->setup_timeout_ns,
        .call_timeout_ns = spec->limit_ns ? spec->limit_ns : plan->call_timeout_ns,
        .memory_limit_bytes = plan->memory_limit_bytes,
        .policy = plan->policy,
        .stop = plan->stop,
        .scope = spec->is_audit ? AISP_SCOPE_CALL : plan->scope,
        .is_audit = spec->is_audit,
        .is_measured = spec->is_measured,
        .limit_of_bytes = { spec->limit_bytes[AISP_A], spec->limit_bytes[AISP_B] },
    };
    enum aisp_status st;

    rig_init(rig, spec);
    session.before_setup = fill_decoy;
    session.before_setup_context = rig;
    session.b_first = rig->n_sides == 2 && aisp_dice_coin(&rig->dice);
    seen.phase = AISP_PHASE_SETUP;
    st = rig->backend->open(&session, &rig->session, &seen, err);
    if (st == AISP_E_WORKER)
        return died(rig, seen.side, &seen);
    AISP_TRY(st);
    if (!rig->has_decoy || aisp_defends(plan->policy, AISP_FRESH_CONTENTS))
        AISP_TRY(aisp_contents_fill_all(rig, err));
    AISP_TRY(aisp_contents_poison(rig, 0, true, err));
out:
    return st;
}

/* The slots in secret order: block after block, each a shuffle of all slots; or the first few of one shuffle. */
static int draw_order(struct aisp_rig *rig, int64_t calls)
{
    const int n = rig->n_slots;
    const int64_t n_most = AISP_RUN_MAX_ORDER / n;
    const int64_t n_needed = (calls + n - 1) / n, n_blocks = n_needed < n_most ? n_needed : n_most;

    for (int64_t b = 0; b < n_blocks; b++) {
        for (int i = 0; i < n; i++)
            rig->order[b * n + i] = i;
        if (aisp_defends(rig->course->plan->policy, AISP_SLOT_SECRECY))
            aisp_dice_shuffle(&rig->dice, rig->order + b * n, n);
    }
    rig->n_order = calls < n ? calls : n_blocks * n;
    return (int)(calls < n ? calls : n);
}

static int64_t last_call_of(const struct aisp_rig *rig, int slot, int64_t calls)
{
    for (int64_t i = calls - 1; i >= 0; i--)
        if (rig->order[i % rig->n_order] == slot)
            return i;
    AISP_BUG("slot %d is not in the order", slot);
}

static bool is_served(const struct aisp_rig *rig)
{
    return rig->inst->serving.requests > 0;
}

/* Called at done, and not once the worker sleeps: one that says done too early would have it done by then. */
static void take_first(void *context)
{
    struct aisp_rig *rig = context;
    const int slot = rig->order[rig->first];

    aisp_rewrite_read(rig);
    rig->taken = aisp_look_take(rig, rig->shot, slot, last_call_of(rig, slot, rig->shot->calls), &rig->taken_err);
    rig->is_taken = true;
}

/* Any of the slots that are used, but for one that is written to by us. */
static void draw_first(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used)
{
    const int drawn = (int)aisp_dice_below(&rig->dice, (uint64_t)n_used);

    rig->first = (drawn + (rig->order[drawn] == rig->rewrite.slot)) % n_used;
    rig->shot = shot;
    rig->is_taken = false;
}

static enum aisp_status take_window(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used,
                                    struct aisp_window *w, struct aisp_err *err)
{
    struct aisp_course *course = rig->course;
    struct aisp_order order = { .slot = rig->order, .n = rig->n_order, .calls = shot->calls, .done = take_first, .context = rig };
    struct aisp_observation seen = unseen;
    const int64_t before_ns = aisp_now_ns();
    const bool is_watched = rig->pair >= 0 || rig->is_metered;
    enum aisp_status st;

    memset(w, 0, sizeof *w);
    seen.phase = rig->phase;
    if (is_served(rig))
        order.tick = aisp_serve_tick;
    else if (aisp_rewrite_set(rig, shot))
        aisp_rewrite_order(&order);
    draw_first(rig, shot, n_used);
    aisp_at_go_draw(rig, shot, &order);
    if (is_watched)
        aisp_watch_begin(course->watch, &(struct aisp_watch_mark){ rig->pair, shot->block, rig->label[shot->side],
                                                                   shot->calls });
    st = rig->backend->window(rig->session, (enum aisp_side)shot->side, &order, w, &seen, err);
    if (is_watched)
        aisp_watch_end(course->watch);
    if (st == AISP_E_WORKER) {
        seen.phase = rig->phase;
        return died(rig, shot->side, &seen);
    }
    if (st)
        return st;
    w->pair = rig->pair;
    w->block = shot->block;
    w->index = rig->n_windows - 1;
    w->side = rig->label[shot->side];
    w->kind = (int8_t)shot->kind;
    w->calls = shot->calls;
    if (w->start_ns < before_ns || w->start_ns > aisp_now_ns())
        w->start_ns = before_ns; /* a scripted device has a time of its own */
    w->start_ns -= course->start_ns;
    if (!aisp_defends(course->plan->policy, AISP_IDLE_ACCOUNTING))
        w->idle_ns = w->gap_ns = 0;
    if (!aisp_defends(course->plan->policy, AISP_CLOCKS_AGREE))
        w->inner_ns = w->window_ns;
    course->ev->window_total_ns += w->window_ns;
    aisp_rewrite_look(rig, shot, w);
    return AISP_OK;
}

static void record(struct aisp_rig *rig, int side, const struct aisp_window *w)
{
    struct aisp_evidence *ev = rig->course->ev;
    struct aisp_window *to = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *to);

    *to = *w;
    aisp_ranks_note(rig, side, w);
}

/* What the backend finds beside the outputs, and CPU time used before the window, if one was taken, while the worker should have
 * slept. */
static void inspect(struct aisp_rig *rig, int side, enum aisp_hash hash, const struct aisp_window *w)
{
    /* Room for all that can be wrong at once: what is left over would be found after the other side's window. */
    const int max = 2 * rig->n_slots * rig->inst->n_tensors + 8;
    struct aisp_observation *seen = aisp_xcalloc((size_t)max, sizeof *seen);
    bool is_busy_known = false;
    int n;

    for (int i = 0; i < max; i++)
        seen[i] = unseen;
    if (!aisp_defends(rig->course->plan->policy, AISP_INPUT_HASH))
        hash = AISP_HASH_NOTHING;
    n = rig->backend->inspect(rig->session, (enum aisp_side)side, hash, seen, max);
    for (int i = 0; i < n; i++) {
        is_busy_known |= seen[i].what == AISP_SEEN_BUSY_OUTSIDE;
        rig->is_soiled |= seen[i].what == AISP_SEEN_INPUT_CHANGED;
        seen[i].phase = rig->phase;
        aisp_rig_observe(rig, side, &seen[i]);
    }
    if (!is_busy_known && w && w->idle_ns >= 0)
        aisp_idle_look(rig, side, w->idle_ns, w->window_ns);
    if (w)
        aisp_lead_note(rig, side, w);
    free(seen);
}

/* Contents are hashed by making them again, which costs as much as filling: after every window that can afford it, else after a
 * secret share of them. */
static bool draw_hash_of(struct aisp_rig *rig, const struct aisp_shot *shot, int64_t bytes)
{
    const int64_t one_in = shot->fill_budget_bytes > 0 ? 1 + bytes / shot->fill_budget_bytes : 1;

    if (shot->fill_budget_bytes < 0)
        return shot->check_all && bytes <= HASH_ANYWAY_BYTES;
    return aisp_dice_below(&rig->dice, (uint64_t)(one_in < HASH_ONE_IN ? one_in : HASH_ONE_IN)) == 0;
}

/* Slots and weights each at what they cost. Every slot is fresh before a window after which they are hashed, so that what is found is
 * this side's doing. */
static enum aisp_hash draw_hash(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    const int64_t weight_bytes = (int64_t)aisp_instance_weight_bytes(rig->inst);
    enum aisp_hash hash = AISP_HASH_NOTHING;

    if (!aisp_defends(rig->course->plan->policy, AISP_INPUT_HASH))
        return hash;
    if (draw_hash_of(rig, shot, (int64_t)aisp_instance_slot_bytes(rig->inst) * rig->n_slots))
        hash |= AISP_HASH_INPUTS;
    if (weight_bytes && draw_hash_of(rig, shot, weight_bytes))
        hash |= AISP_HASH_WEIGHTS;
    return hash;
}

static void count(struct aisp_rig *rig, const struct aisp_shot *shot, bool right, bool full)
{
    struct aisp_verified *v = &rig->course->ev->verified[rig->blame[shot->side]];
    const bool is_timed = rig->phase == AISP_PHASE_TIMED,
               is_warmup = rig->phase == AISP_PHASE_WARMUP;

    if (full && (rig->phase == AISP_PHASE_VERIFY || rig->phase == AISP_PHASE_HOLDOUT)) {
        v->n_full++;
        v->n_full_right += right;
    } else {
        v->n_sampled++;
        v->n_sampled_right += right;
    }
    v->timed_right += is_timed && right;
    v->timed_wrong += is_timed && !right;
    v->warmup_right += is_warmup && right;
    v->warmup_wrong += is_warmup && !right;
    rig->course->n_wrong_calls[rig->blame[shot->side]] += !right;
    aisp_hold_note(rig, rig->blame[shot->side], right);
}

/* The first one was taken at done, if the backend said when that was. */
static enum aisp_status take_slot(struct aisp_rig *rig, const struct aisp_shot *shot, int slot, bool is_first,
                                  struct aisp_err *err)
{
    if (!is_first || !rig->is_taken)
        return aisp_look_take(rig, shot, slot, last_call_of(rig, slot, shot->calls), err);
    if (rig->taken && err)
        *err = rig->taken_err;
    return rig->taken;
}

/* Snapshot at once, compare after; then, where every slot is asked for, the others. */
static enum aisp_status check_outputs(struct aisp_rig *rig, const struct aisp_shot *shot,
                                      int n_used, struct aisp_shot_result *result,
                                      struct aisp_err *err)
{
    const int n = shot->check_all ? n_used : 1;
    struct aisp_verified *v = &rig->course->ev->verified[rig->blame[shot->side]];
    enum aisp_status st = AISP_OK;

    result->right = true;
    result->full = true;
    v->n_windows++;
    if (is_served(rig))
        aisp_serve_finish(rig, shot, &result->window, &result->right);
    for (int i = 0; i < n; i++) {
        const int slot = rig->order[(rig->first + i) % n_used];
        bool full, right;

        if (i)
            AISP_TRY(aisp_look_again(rig, err));
        AISP_TRY(take_slot(rig, shot, slot, i == 0, err));
        aisp_touch_write(rig);
        if (i == 0)
            aisp_touch_ask(rig, shot->side);
        if (!aisp_defends(rig->course->plan->policy, AISP_COMPARE_OUTPUTS))
            continue;
        right = aisp_look_compare(rig, shot, &full) && (!is_served(rig) || result->right);
        count(rig, shot, right, full);
        if (full)
            aisp_dissect_look(rig, slot, right);
        result->right &= right;
        result->full &= full;
        v->n_windows_checked += i == 0;
    }
out:
    return st;
}

/* Whatever somebody wrote to the inputs is gone after it; where they are hashed later, every slot has to be known. */
static enum aisp_status new_contents(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used,
                                     bool is_hashed, struct aisp_err *err)
{
    const bool is_fresh = aisp_defends(rig->course->plan->policy, AISP_FRESH_CONTENTS),
               all = is_fresh && (rig->is_soiled || is_hashed);
    bool is_filled = all;
    enum aisp_status st;

    for (int i = 0; i < n_used && !is_filled; i++)
        is_filled = is_fresh && rig->order[i] == rig->at_go.slot &&
                    !aisp_contents_is_partial(rig, n_used, shot->fill_budget_bytes);
    AISP_TRY(aisp_contents_undo_at_go(rig, is_filled, err));
    st = all ? aisp_contents_fill_all(rig, err) : aisp_contents_refill(rig, n_used, shot->fill_budget_bytes, err);
out:
    return st;
}

/* What the window's calls find. */
static enum aisp_status prepare_slots(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used, bool is_hashed,
                                      struct aisp_err *err)
{
    enum aisp_status st;

    rig->is_repeat = shot->same_again;
    if (!rig->is_repeat)
        AISP_TRY(new_contents(rig, shot, n_used, is_hashed, err));
    rig->is_soiled = false;
    AISP_TRY(aisp_contents_poison(rig, n_used, false, err));
    st = aisp_bystander_set(rig, shot, n_used, err);
out:
    return st;
}

static enum aisp_status hold(struct aisp_rig *rig, const struct aisp_shot *shot, struct aisp_err *err)
{
    struct aisp_observation seen = unseen;
    enum aisp_status st;

    seen.phase = rig->phase;
    st = aisp_hold_take(rig, shot, &seen, err);
    return st == AISP_E_WORKER ? died(rig, shot->side, &seen) : st;
}

enum aisp_status aisp_rig_window(struct aisp_rig *rig, const struct aisp_shot *shot,
                                 struct aisp_shot_result *result, struct aisp_err *err)
{
    const enum aisp_hash hash = draw_hash(rig, shot);
    const bool late = aisp_defends(rig->course->plan->policy, AISP_LATE_CONTENTS);
    enum aisp_status st;
    int n_used;

    if (aisp_course_stopped(rig->course))
        return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
    AISP_TRY(aisp_look_again(rig, err));
    rig->n_windows++;
    n_used = draw_order(rig, shot->calls);
    if (rig->can_hold) /* nothing of the judge's that is timed may wait for a turn beside a held stream */
        aisp_look_prepare(rig, rig->order[0]);
    AISP_TRY(late ? hold(rig, shot, err) : AISP_OK);
    AISP_TRY(prepare_slots(rig, shot, n_used, hash & AISP_HASH_INPUTS, err));
    AISP_TRY(late ? AISP_OK : hold(rig, shot, err));
    AISP_TRY(aisp_cold_prepare(rig, shot, n_used, err));
    if (is_served(rig))
        AISP_TRY(aisp_serve_prepare(rig, shot, rig->order[0], err));
    if (!rig->can_hold)
        aisp_look_prepare(rig, rig->order[0]);
    AISP_TRY(take_window(rig, shot, n_used, &result->window, err));
    rig->n_of_side[shot->side]++;
    result->counts = rig->is_held == rig->can_hold;
    AISP_TRY(check_outputs(rig, shot, n_used, result, err));
    AISP_TRY(aisp_bystander_look(rig, shot->side, err));
    if (shot->record && result->counts)
        record(rig, shot->side, &result->window);
    inspect(rig, shot->side, hash, &result->window);
out:
    return st;
}

/* The worker sleeps after its last window; what can be read of it from outside is read now. */
static void look_at_worker(struct aisp_rig *rig, enum aisp_side side)
{
    const bool priorities = aisp_defends(rig->course->plan->policy, AISP_SCHEDULER_LOOK);

    if (rig->backend->pid)
        aisp_footing_look(&rig->course->ev->machine.footing[rig->blame[side]], "/",
                          rig->backend->pid(rig->session, side), priorities);
}

/* One worker that leaves another mode behind is enough. */
static void note_float_mode(struct aisp_rig *rig, int side, const struct aisp_float_mode *one)
{
    struct aisp_float_mode *kept = &rig->course->ev->workload.mode[rig->blame[side]];

    if (aisp_defends(rig->course->plan->policy, AISP_FLOAT_MODE) && kept->at_load == kept->after)
        *kept = *one;
}

static bool is_of_asked_size(const struct aisp_rig *rig)
{
    const struct aisp_instance *asked = &rig->course->plan->inst;

    return !memcmp(rig->inst->param, asked->param, (size_t)asked->n_params * sizeof asked->param[0]);
}

static void account(struct aisp_rig *rig)
{
    for (int side = 0; side < rig->n_sides; side++) {
        struct aisp_account *sum = &rig->course->ev->account[rig->blame[side]], one = { 0 };

        rig->backend->account(rig->session, (enum aisp_side)side, &one);
        look_at_worker(rig, (enum aisp_side)side);
        if (rig->backend->process && aisp_defends(rig->course->plan->policy, AISP_PROCESS_FACTS))
            rig->backend->process(rig->session, (enum aisp_side)side, rig->phase,
                                  &rig->course->ev->process[rig->blame[side]]);
        sum->cpu_ns += one.cpu_ns;
        sum->minor_faults += one.minor_faults;
        sum->major_faults += one.major_faults;
        sum->voluntary_switches += one.voluntary_switches;
        sum->involuntary_switches += one.involuntary_switches;
        sum->setup_ns += one.setup_ns;
        sum->load_ns += one.load_ns;
        aisp_hold_note_empty(rig, rig->blame[side], one.empty_ns);
        sum->output_bytes += one.output_bytes;
        sum->missing |= one.missing;
        note_float_mode(rig, side, &one.float_mode);
        if (one.peak_rss_bytes > sum->peak_rss_bytes)
            sum->peak_rss_bytes = one.peak_rss_bytes;
        if (one.max_tasks > sum->max_tasks)
            sum->max_tasks = one.max_tasks;
        if (rig->backend->files && side == 0)
            rig->backend->files(rig->session, &rig->course->ev->files);
        if (rig->backend->trace && is_of_asked_size(rig)) /* other sizes may take other launches */
            rig->backend->trace(rig->session, (enum aisp_side)side,
                                &rig->course->ev->device_trace[rig->blame[side]]);
        if (!*sum->output)
            memcpy(sum->output, one.output, sizeof sum->output);
        sum->output[sizeof sum->output - 1] = 0;
    }
}

/* What a look could not see, because the device had failed, is said by a read, of nothing. */
static enum aisp_status has_seen_all(struct aisp_rig *rig, struct aisp_err *err)
{
    char nothing;

    for (int t = 0; t < rig->inst->n_tensors; t++)
        if (aisp_role_is_output(rig->inst->problem->tensor[t].role))
            return rig->backend->read(rig->session, AISP_A, 0, t, 0, 0, &nothing, err);
    return AISP_OK;
}

static bool is_known(const struct aisp_evidence *ev, int side, const struct aisp_observation *seen)
{
    for (size_t i = 0; i < ev->n_observations; i++)
        if (ev->observation[i].side == side && ev->observation[i].what == seen->what &&
            ev->observation[i].phase == seen->phase)
            return true;
    return false;
}

/* Who falls over in teardown() has given all its answers: nothing is left out for it, and the run goes on. It does so in every
 * session; once is enough, for what dies in a window later is to find room in the evidence. */
static void leave(struct aisp_rig *rig)
{
    struct aisp_observation seen[2] = { unseen, unseen };
    const int n = rig->backend->leave ? rig->backend->leave(rig->session, seen) : 0;

    for (int i = 0; i < n; i++)
        if (!is_known(rig->course->ev, rig->blame[seen[i].side], &seen[i]))
            aisp_rig_observe(rig, seen[i].side, &seen[i]);
}

enum aisp_status aisp_rig_close(struct aisp_rig *rig, bool alive, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (rig->session) {
        if (alive) {
            st = aisp_look_again(rig, err);
            /* The sides share their inputs. Each was alone with them in verification; of what is found only here, at the
             * end of a pair, the contender is suspected. */
            for (int side = 0; side < rig->n_sides; side++)
                inspect(rig, side, side == rig->n_sides - 1 ? AISP_HASH_ALL : AISP_HASH_NOTHING, NULL);
            st = st ? st : has_seen_all(rig, err);
        }
        account(rig);
        leave(rig);
        rig->backend->close(rig->session);
    }
    if (rig->inst == &rig->course->plan->inst)
        memcpy(rig->course->row_ns, rig->row_ns, sizeof rig->row_ns);
    aisp_contents_release(rig);
    for (int i = 0; i < AISP_MAX_SNAPSHOTS; i++)
        aisp_buf_release(&rig->snapshot[i].bytes);
    aisp_buf_release(&rig->scratch);
    aisp_buf_release(&rig->again);
    aisp_buf_release(&rig->truth);
    aisp_serve_release(rig->serve);
    rig->serve = NULL;
    free(rig->order);
    free(rig->kept);
    free(rig->kept_right);
    rig->session = NULL;
    return st;
}
