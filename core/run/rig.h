/* rig.h - one session in use: its contents, its windows, its checks. Internal to core/run; everything that times or verifies
 * goes through aisp_rig_window(), so that a worker cannot tell a verification from a timing.
 *
 *   run.c       the order of the phases, the facts around them      contents.c  which contents each slot holds
 *   verify.c    full outputs, quick, holdout and asked size         window.c    one window, from fill to snapshot
 *   trial.c     how many slots, how many calls a window             look.c      snapshot, compare, look again
 *   holdout.c   secret points: drawn, and timed          hold.c      the kernel scope: which windows are held
 *   pairs.c     pairs, blocks, controls                             verdict.c   looks
 *   energy.c    windows long enough for a card's energy counter    cold.c      a device's cache: emptied, and looked into */
#ifndef AISP_RUN_RIG_H
#define AISP_RUN_RIG_H

#include "core/base/clock.h"
#include "core/judge/plant.h"
#include "core/nvml.h"
#include "core/run/ranges.h"
#include "core/run/run.h"
#include "core/run/serve.h"

/* Windows of pairs, and those before which the worker used CPU time, by side. */
struct aisp_idle {
    int32_t pair;          /* the newest */
    int n_pairs;
    int n[2], n_busy[2];   /* in all pairs */
    int n_busy_here[2];    /* in the newest */
    int n_pairs_busier[2]; /* earlier pairs in which this side was the busier one */
};

enum { AISP_LEAD_MOST = 256 };

/* How long each side took from arm to go. */
struct aisp_lead {
    int n_pairs;                       /* in which both sides had enough windows */
    int n_longer[2];                   /* pairs in which this side took longer */
    int n[2];
    double gap_ns[2][AISP_LEAD_MOST];  /* of the newest pair */
};

/* What holds for the whole comparison. */
struct aisp_course {
    const struct aisp_plan *plan;
    struct aisp_evidence *ev;
    int64_t start_ns, pairs_start_ns, last_progress_ns;
    bool spin, full_machine;
    int n_usable;
    int n_slots;
    int64_t calls; /* K */
    int64_t window_est_ns[2], fill_budget_bytes, compare_budget_ns;
    int n_blocks_low, n_blocks_high, n_warmup_low, n_warmup_high;
    double call_ns[2];               /* of the trial */
    double warm_call_ns[2];          /* the least of pairs that were warmed up to find a plan too short; 0: none */
    double row_ns[AISP_MAX_TENSORS]; /* of the truth at the asked size; 0: not known yet */
    int64_t filled_bytes, filled_ns, compared_bytes, compared_ns; /* how fast the judge is, here */
    int n_stale_searches[2]; /* a search is dear: only the first wrong outputs are classified */
    int n_own_data_searches[2];
    int n_late_waits[2]; /* for what is wrong: only so often */
    int64_t n_wrong_calls[2];
    int n_dissections[2];
    bool is_dead[2]; /* its worker died */
    int n_origin_searches[2];
    struct aisp_watch *watch; /* of the card in use; NULL: none */
    int point;       /* 0: at the asked size; else at a secret point */
    int64_t limit_bytes[2]; /* proven footprints, where memory is the goal; else 0 */
    int n_plans;            /* trials at this size */
    int64_t longest_call_ns[2]; /* in verification so far */
    bool is_plan_new;       /* no pair was warmed up to the newest yet */
    bool is_plan_short;     /* the newest pair was not timed: its warm-up says that the trial was disturbed */
    struct aisp_idle idle;  /* of the pairs at the asked size, or at all secret points so far (idle.c) */
    struct aisp_idle idle_at_points;
    struct aisp_lead lead;  /* of the pairs at this size (lead.c) */
};

/* The contents of one tensor, over all slots, in chunks: contents are a function of (rig key, slot, tensor, chunk, epoch). */
struct aisp_contents {
    int64_t n_chunks, chunk_elements;
    int32_t *now, *before; /* [slot * n_chunks + chunk] */
};

enum aisp_when { AISP_NOW, AISP_EARLY, AISP_BEFORE, AISP_FIRST }; /* EARLY: as now, before go */
enum { AISP_DECOY_EPOCH = -1 }; /* of the contents that lie there while setup runs */

/* What a look keeps: rows of one output of one slot as they were right after the stop. */
struct aisp_snapshot {
    int tensor;
    int64_t first_row, n_rows;
    struct aisp_buf bytes;
};

enum { AISP_RUN_LEAST_SLOTS = 2, AISP_RUN_MAX_SLOTS = 512, AISP_RUN_MAX_ORDER = 4096 };
enum { AISP_MAX_SNAPSHOTS = AISP_MAX_TENSORS * AISP_MAX_RANGES };

enum { AISP_REWRITE_LOOKS_BACK = 8 };

/* A word of an output that is overwritten while a window runs. */
struct aisp_rewrite {
    int slot, tensor;            /* slot -1: none in this window */
    int64_t element;
    int64_t n_after, gap;        /* calls after the slot's last one, and from that back to the one before */
    int64_t at_ns, go_ns, done_ns; /* when it is meant to be, after go; go; when it was, after go (0: not yet) */
    int64_t usual_ns, spread_ns; /* of a window of that side, as it was thought before, and how far the middle half of the last ones was apart */
    int64_t last_ns[2][AISP_REWRITE_LOOKS_BACK]; /* the backend's sides' last windows */
    int n_last[2];               /* so many in all */
    char poison[8], is[8];       /* what was written, and what was there at done */
    bool is_read;
    size_t n_bytes;
    int side;                    /* the backend's */
};

/* Elements of an input that are made anew between ready and go. They are there until the slot is filled again. */
enum { AISP_AT_GO_ELEMENTS = 64 }; /* at most; a block of the generator: what can be made alone */
struct aisp_at_go {
    int slot, drawn;       /* -1: none are there; the slot for which they were drawn */
    int tensor;
    int32_t epoch;
    int64_t first, n;      /* elements */
};

/* A word of an output that is overwritten between the two looks at it. */
struct aisp_touch {
    int snapshot;          /* -1: none */
    size_t at, in_tensor;  /* bytes into the snapshot, into the tensor */
    size_t n_bytes;
    char word[8], was[8];  /* that is there meanwhile, and before and after */
};

struct aisp_rig {
    struct aisp_course *course;
    const struct aisp_instance *inst;
    const struct aisp_backend *backend;
    struct aisp_session *session;
    struct aisp_key key;
    struct aisp_dice dice;
    int n_sides, n_slots;
    int8_t label[2]; /* the backend's side -> side of the windows in evidence */
    int8_t blame[2]; /* the backend's side -> side whose variant runs there */
    enum aisp_phase phase;
    int32_t pair;      /* -1 outside pairs */
    int32_t n_windows; /* so far, in this session */
    bool has_inout;
    bool has_decoy;    /* setup saw contents that no call gets */
    int32_t n_untimed; /* windows before the first timed one */
    bool is_metered;   /* outside pairs: this window's energy is asked about */
    bool can_hold, is_held; /* kernel scope; and the calls of this window are queued already */
    int64_t n_of_side[2];   /* windows */
    bool is_soiled; /* somebody has written to the inputs: all are filled again */
    struct aisp_contents contents[AISP_MAX_TENSORS];
    int32_t poison_epoch;
    double row_ns[AISP_MAX_TENSORS]; /* what a row of the truth costs; 0: not known yet */
    int32_t *order;                  /* of the slots, for go */
    int64_t n_order;
    /* of the window that runs: where in the order the slot stands that is looked at first, and what taking it at done came to */
    const struct aisp_shot *shot;
    int first;
    bool is_taken;
    enum aisp_status taken;
    struct aisp_err taken_err;
    /* the last window's look */
    int8_t seen_side;
    int seen_slot; /* -1: nothing to look at again */
    int64_t seen_call;
    bool is_unwritten; /* some of it still held the poison */
    bool is_wrong;     /* some of it is not what it should be */
    int n_snapshots;
    struct aisp_snapshot snapshot[AISP_MAX_SNAPSHOTS];
    struct aisp_buf scratch, again, truth;
    bool has_no_truth; /* the device works out none for this problem */
    /* planted and repeated contents: verification at the quick size only */
    enum aisp_plant plants[AISP_N_PLANTS];
    int n_plants, plant_offset;
    bool is_repeat;        /* this window has the contents of the last one */
    char (*kept)[65];      /* by slot: hash of the outputs as they were last compared; "" none */
    bool *kept_right;
    void *remade[AISP_MAX_TENSORS]; /* inputs as they were */
    struct aisp_serve *serve;       /* of a server; NULL before its first window */
    int bystander; /* a slot that this window does not call, poisoned; -1: none */
    struct aisp_rewrite rewrite;
    struct aisp_touch touch;
    struct aisp_at_go at_go;
};

struct aisp_rig_spec {
    struct aisp_course *course;
    const struct aisp_instance *inst;
    const struct aisp_variant_ref *variant[2]; /* [1] NULL: a single worker */
    int8_t label[2], blame[2];
    int n_slots;
    int64_t chunk_bytes; /* contents are refilled in parts of about this; 0: whole tensors */
    struct aisp_key key;
    enum aisp_phase phase;
    int32_t pair;
    bool is_audit; /* the device's recorder is on */
    bool is_measured;       /* memory is what is asked about */
    int64_t limit_bytes[2]; /* 0: the usual one */
    int64_t limit_ns;       /* of a window; 0: the plan's, of a call */
    bool plants;   /* some calls get planted contents, and what is left behind is compared with what it was */
};

/* How one window is to be taken. */
struct aisp_shot {
    int side; /* the backend's */
    int64_t calls;
    enum aisp_window_kind kind;
    int32_t block;
    bool
        check_all; /* every used slot in full, within full_budget_ns a slot; else one slot by sample */
    int64_t fill_budget_bytes; /* < 0: all used slots */
    int64_t compare_budget_ns; /* of each slot looked at */
    bool record;               /* keep the window in evidence */
    bool same_again;           /* no new contents, only new poison */
};

/* What came of it. */
struct aisp_shot_result {
    struct aisp_window window;
    bool right; /* all that was compared was */
    bool full;  /* whole outputs were compared */
    bool counts; /* its time is of the scope that was asked for */
};

/* Opens the session, fills every slot and poisons it. AISP_E_WORKER: seen, blamed and observed already. */
enum aisp_status aisp_rig_open(struct aisp_rig *rig, const struct aisp_rig_spec *spec,
                               struct aisp_err *err);
/* One window: late look at the last one, fill, poison, order, window, snapshot, compare, inspect. AISP_E_WORKER as above. */
enum aisp_status aisp_rig_window(struct aisp_rig *rig, const struct aisp_shot *shot,
                                 struct aisp_shot_result *result, struct aisp_err *err);
/* Late look, hashes of the inputs, accounts into the evidence; then close. Also right after a failed open or window. */
enum aisp_status aisp_rig_close(struct aisp_rig *rig, bool alive, struct aisp_err *err);
void aisp_rig_observe(struct aisp_rig *rig, int side, struct aisp_observation *seen);

/* contents.c */
void aisp_contents_init(struct aisp_rig *rig, int64_t chunk_bytes);
void aisp_contents_release(struct aisp_rig *rig);
enum aisp_status aisp_contents_fill_all(struct aisp_rig *rig, struct aisp_err *err);
/* Fresh contents for the slots that an order uses (n_used of them, the first of rig->order), within the budget. */
/* Does a window of so many used slots get less than all new contents? */
bool aisp_contents_is_partial(const struct aisp_rig *rig, int n_used, int64_t budget_bytes);
enum aisp_status aisp_contents_refill(struct aisp_rig *rig, int n_used, int64_t budget_bytes,
                                      struct aisp_err *err);
enum aisp_status aisp_contents_poison(struct aisp_rig *rig, int n_used, bool all,
                                      struct aisp_err *err);
struct aisp_philox aisp_contents_poison_key(const struct aisp_rig *rig, int slot, int tensor);
/* at_go.c: after the slot that is looked at was drawn. */
void aisp_at_go_draw(struct aisp_rig *rig, const struct aisp_shot *shot, struct aisp_order *order);
/* The slot is as it was filled again, at the latest when it is filled next. is_filled: it is, all of it, right after this. */
enum aisp_status aisp_contents_undo_at_go(struct aisp_rig *rig, bool is_filled, struct aisp_err *err);
/* Of the elements that a slot gets at go. */
struct aisp_philox aisp_contents_key_at_go(const struct aisp_rig *rig, int slot, const struct aisp_at_go *new);
/* Make an input again, as it was at that time, into rig->remade[tensor]. */
const void *aisp_contents_remake(struct aisp_rig *rig, int slot, int tensor, enum aisp_when when);

/* What was planted in a slot at an epoch (NONE mostly), and now. */
enum aisp_plant aisp_contents_plant(const struct aisp_rig *rig, int slot, int32_t epoch);
enum aisp_plant aisp_contents_plant_now(const struct aisp_rig *rig, int slot);

/* dissect.c: what is known of the work beyond right and wrong. */
void aisp_dissect_wrong(struct aisp_rig *rig, const struct aisp_question *q);
void aisp_dissect_look(struct aisp_rig *rig, int slot, bool right);
void aisp_dissect_problem(struct aisp_rig *rig);

/* All chunks as they were filled at that window (or AISP_DECOY_EPOCH). */
const void *aisp_contents_remake_at(struct aisp_rig *rig, int slot, int tensor, int32_t epoch);

/* origin.c: where a wrong answer comes from, into the facts of its side. */
void aisp_origin_ask(struct aisp_rig *rig, const struct aisp_question *q);

/* hold.c */
void aisp_hold_begin(struct aisp_course *course);
/* Into rig->is_held: are the window's calls queued on the device now? *seen on AISP_E_WORKER. */
enum aisp_status aisp_hold_take(struct aisp_rig *rig, const struct aisp_shot *shot, struct aisp_observation *seen,
                                struct aisp_err *err);
/* Of an output that was compared. */
void aisp_hold_note(struct aisp_rig *rig, int blame, bool right);
/* At the end of a session. */
void aisp_hold_note_empty(struct aisp_rig *rig, int blame, int64_t empty_ns);
/* Calls that a window may have. */
int64_t aisp_hold_most(const struct aisp_course *course);
/* One of the sides cannot be measured in this scope. */
bool aisp_hold_is_refused(const struct aisp_course *course);

/* cold.c: when a window's contents are there. */
enum aisp_status aisp_cold_prepare(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used, struct aisp_err *err);

/* look.c */
/* How dear a row of the truth is, before anything is timed. */
void aisp_look_prepare(struct aisp_rig *rig, int slot);
enum aisp_status aisp_look_take(struct aisp_rig *rig, const struct aisp_shot *shot, int slot,
                                int64_t call, struct aisp_err *err);
/* Compare what was taken; false if something is wrong (observed). */
bool aisp_look_compare(struct aisp_rig *rig, const struct aisp_shot *shot, bool *full);
enum aisp_status aisp_look_again(struct aisp_rig *rig, struct aisp_err *err);

/* footprint.c: the phase of memory goals, before the trial. */
enum aisp_status aisp_footprint_take(struct aisp_course *course, bool *go_on, struct aisp_err *err);
/* Proven bytes of A against those of B. The interval spans all repeats; pairs, which time it, have no part in it. */
enum aisp_status aisp_footprint_verdict(const struct aisp_evidence *ev, struct aisp_look_result *result,
                                        struct aisp_err *err);

/* ranks.c */
void aisp_ranks_begin(struct aisp_ranks *ranks, const struct aisp_instance *inst);
/* How each rank spent the window that was just taken. */
void aisp_ranks_note(struct aisp_rig *rig, int side, const struct aisp_window *w);
/* ", of rank 1": which it was that used CPU time before the last window; nothing where there are no ranks. */
void aisp_ranks_say_busy(struct aisp_rig *rig, int side, char *text, size_t size);
/* Of a wrong output: is it right for the data of its own rank alone? Into the evidence. */
void aisp_ranks_ask(struct aisp_rig *rig, const struct aisp_question *q);

/* idle.c: CPU time that was used before the last window, of window_ns, while the worker should have slept. */
void aisp_idle_look(struct aisp_rig *rig, int side, int64_t idle_ns, int64_t window_ns);

/* lead.c: after each window, and before the session of a pair is closed. */
void aisp_lead_note(struct aisp_rig *rig, int side, const struct aisp_window *w);
void aisp_lead_end_pair(struct aisp_rig *rig);

/* rewrite.c: before a window (false: nothing is overwritten in it), into what the backend is told, and right after it. */
bool aisp_rewrite_set(struct aisp_rig *rig, const struct aisp_shot *shot);
void aisp_rewrite_order(struct aisp_order *order); /* whose context is the rig */
void aisp_rewrite_read(struct aisp_rig *rig); /* at done */
void aisp_rewrite_look(struct aisp_rig *rig, const struct aisp_shot *shot, const struct aisp_window *w);
/* Of a claim (the log ratio seen): all of it where the faster side was hardly asked by such words and the other one was; else 0. */
double aisp_rewrite_slack(const struct aisp_evidence *ev, double claim);

/* touch.c: right after the first look at an output; how long the device takes to answer then; before the second look, for which the
 * snapshots are what is expected; and after it. */
void aisp_touch_write(struct aisp_rig *rig);
void aisp_touch_ask(struct aisp_rig *rig, int side);
void aisp_touch_expect(struct aisp_rig *rig);
void aisp_touch_undo(struct aisp_rig *rig);

/* bystander.c: before a window, and after its outputs were looked at. */
enum aisp_status aisp_bystander_set(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used,
                                    struct aisp_err *err);
enum aisp_status aisp_bystander_look(struct aisp_rig *rig, int side, struct aisp_err *err);

/* The phases. AISP_E_WORKER never leaves them: it has become evidence. *go_on: nothing forbids the next phase. */
enum aisp_status aisp_verify(struct aisp_course *course, bool *go_on, struct aisp_err *err);
enum aisp_status aisp_trial(struct aisp_course *course, bool *go_on, struct aisp_err *err);
/* Do the warm-up windows of a pair say that far more calls should have been planned? What they say is kept for the next plan. */
bool aisp_trial_was_disturbed(struct aisp_course *course, int32_t pair);
/* Ends early where is_plan_short: then there has to be another trial. */
enum aisp_status aisp_pairs(struct aisp_course *course, struct aisp_err *err);
enum aisp_status aisp_look_at(const struct aisp_evidence *ev, bool is_last,
                              struct aisp_look_result *result, struct aisp_err *err);


/* holdout.c */
enum { AISP_HOLDOUT_POINTS = 3 };
/* The same point for every caller; false: the range has none that fits into 1 GiB. */
bool aisp_holdout_draw(const struct aisp_course *course, int point, struct aisp_instance *inst);
/* Where it is timed: about the asked size, if that is the large one or the user's own. */
bool aisp_holdout_draw_timed(const struct aisp_course *course, int point, struct aisp_instance *inst);
/* Large, and in another cache level than what is timed: a point that costs seconds to verify and will not be timed. One such
 * point is looked at, not three. */
bool aisp_holdout_is_far(const struct aisp_course *course, const struct aisp_instance *inst);
/* What is FASTER is timed at the secret points too: in what is left of the time limit and three tenths of it, or as long as as
 * many pairs took at the asked size. */
enum aisp_status aisp_holdout_time(struct aisp_course *course, struct aisp_err *err);

/* energy.c: what a call costs by a card's counter, in windows of its own, into the card's facts. */
enum aisp_status aisp_energy(struct aisp_course *course, struct aisp_err *err);

/* pairs.c: one pair of fresh workers; one that dies leaves the pair incomplete: AISP_OK. */
enum aisp_status aisp_pair_take(struct aisp_course *course, int32_t pair, struct aisp_err *err);
/* Hidden before, open after: the secrets of all pairs go into the evidence. */
void aisp_pairs_reveal(struct aisp_course *course);

/* device_audit.c: what a device with a recorder does with each side, in a pass that is not scored. */
enum aisp_status aisp_device_audit(struct aisp_course *course, struct aisp_err *err);

bool aisp_course_stopped(const struct aisp_course *course);
void aisp_course_progress(struct aisp_course *course, enum aisp_phase phase, int pairs_done);
/* log-ratio rules of a class. */
struct aisp_verdict_rules aisp_course_rules(const char *cache_level, double floor, double band);
extern const char *const aisp_cache_names[4]; /* by aisp_evidence_level() */

#endif
