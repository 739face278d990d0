/* plain.h - what the files of aisp-plain share: a machine (host or one CUDA device), a rig (one variant with its tensors), and
 * the result of one variant.
 * Not here: anything that is secret, guarded or fair. A variant runs in the same process as its judge, on plain allocations, with
 * contents that are the same every time: so a wrong run can be looked at again, and nothing here is evidence. */
#ifndef AISP_PLAIN_H
#define AISP_PLAIN_H

#include <stdbool.h>

#include <aisp/reference.h>
#include <aisp/variant.h>

#include "backends/cuda/driver.h"
#include "core/base/buf.h"
#include "core/catalogue.h"
#include "core/instance.h"
#include "core/judge/judge.h"

enum { PLAIN_MOST_SLOTS = 8, PLAIN_MOST_SETS = 16 };

struct plain_options {
    const char *folder, *set[PLAIN_MOST_SETS];
    int n_set, limit_s;
    enum aisp_size size;
    bool on_cuda, time, json, here, no_poison;
};

/* machine.c */
enum plain_place { PLAIN_DEVICE, PLAIN_PINNED, PLAIN_PAGEABLE };
struct plain_buffer { void *at; size_t bytes; enum plain_place place; };

struct plain_machine {
    bool is_cuda;
    struct cuda_driver driver;
    cu_device device;
    cu_stream stream;
    char name[96];
    int64_t cache_bytes;         /* the last one: of what timed calls should find nothing in */
    size_t free_bytes;
};

/* Errors of all: AISP_E_UNAVAILABLE, AISP_E_NO_MEMORY, AISP_E_DEVICE with the driver's call and words. */
enum aisp_status plain_machine_open(struct plain_machine *m, bool cuda, struct aisp_err *err);
void plain_machine_close(struct plain_machine *m);
enum aisp_status plain_allocate(struct plain_machine *m, size_t bytes, enum plain_place place, struct plain_buffer *made,
                                struct aisp_err *err);
void plain_free(struct plain_machine *m, struct plain_buffer *buffer);
/* Done when they return; `at` is an offset in the buffer. */
enum aisp_status plain_write(struct plain_machine *m, const struct plain_buffer *to, const void *from, struct aisp_err *err);
enum aisp_status plain_read(struct plain_machine *m, const struct plain_buffer *from, size_t at, size_t bytes, void *to,
                            struct aisp_err *err);
enum aisp_status plain_synchronize(struct plain_machine *m, const char *after, struct aisp_err *err);

/* What became of one variant. */
enum plain_end { PLAIN_NOT_REACHED, PLAIN_RIGHT, PLAIN_WRONG, PLAIN_FAILED, PLAIN_LEFT_OUT };
struct plain_result {
    enum plain_end end;
    char why[400];                          /* of WRONG, FAILED and LEFT_OUT */
    char machine[96], contents[64], tensor[AISP_NAME_MAX];
    struct aisp_comparison first_wrong;     /* of WRONG by value */
    double worst;                           /* error / allowed, over all that was compared */
    int64_t n_rows, of_rows;                /* compared in one call, of the output of which the least was compared */
    bool by_device;                         /* that truth is reference.cu's */
    char outputs[65];                       /* a hash of every output of every call, with --json: the same bits or not? */
    int n_calls, n_slots, n_samples, per_sample;
    double us, us_p5, us_p95;               /* a call; n_samples 0: not timed */
    int64_t bytes, flops;
};

/* rig.c */
struct plain_rig {
    const struct plain_options *options;
    struct plain_machine machine;
    struct aisp_instance inst;
    struct aisp_declaration decl;
    struct aisp_key key;
    int n_slots;
    struct plain_buffer weight[AISP_MAX_TENSORS], slot[PLAIN_MOST_SLOTS][AISP_MAX_TENSORS], workspace;
    void *address[PLAIN_MOST_SLOTS][AISP_MAX_TENSORS];
    void *host[AISP_MAX_TENSORS];           /* contents of the call at hand, weights included; room for outputs */
    struct aisp_philox poison[AISP_MAX_TENSORS];
};
enum aisp_status plain_rig_init(struct plain_rig *rig, const struct plain_options *options, const struct aisp_problem *problem,
                                const struct aisp_declaration *decl, struct aisp_err *err);
enum aisp_status plain_rig_workspace(struct plain_rig *rig, size_t bytes, struct aisp_err *err);
void plain_rig_release(struct plain_rig *rig);
/* New contents in a slot, poison in its outputs. `contents` counts from 0 and decides what they are: ordinary ones, and behind
 * those a call for each kind of planted contents that the problem admits (core/judge/plant.h). */
enum aisp_status plain_contents(struct plain_rig *rig, int slot, int contents, struct aisp_err *err);
int plain_n_contents(const struct plain_rig *rig);
const char *plain_contents_name(const struct plain_rig *rig, int contents);
void plain_view(const struct plain_rig *rig, const void *tensor[AISP_MAX_TENSORS]);
/* *changed: the first tensor that a call may only read and that it wrote to, or -1. */
enum aisp_status plain_find_changed(struct plain_rig *rig, int slot, int *changed, struct aisp_err *err);

/* truth.c */
struct plain_truth {
    struct plain_rig *rig;
    void *handle;                           /* of reference.cuda.so; or NULL */
    const struct aisp_reference *reference;
    struct plain_buffer room;               /* on the device, for rows of it */
    struct plain_buffer before[AISP_MAX_TENSORS];   /* INOUT tensors there, as the call found them */
    void *got[AISP_MAX_TENSORS];            /* outputs, whole; NULL: no output */
    const void *all_out[AISP_MAX_TENSORS];  /* the same without gaps, for accept() */
    struct aisp_dice dice;
    struct aisp_buf scratch;
    int64_t budget_ns;                      /* of the CPU's reference, for one output of one call */
};
enum aisp_status plain_truth_init(struct plain_truth *truth, struct plain_rig *rig, struct aisp_err *err);
void plain_truth_release(struct plain_truth *truth);
/* Compares the outputs of the slot's call, and fills the result's fields about it. */
enum aisp_status plain_truth_judge(struct plain_truth *truth, int slot, struct plain_result *result, struct aisp_err *err);
/* Adds the outputs that were judged last to result->outputs. */
void plain_truth_hash(const struct plain_truth *truth, struct plain_result *result);
/* Do both truths agree, on the rows that the CPU can afford? */
enum aisp_status plain_truth_agree(struct plain_truth *truth, int slot, struct plain_result *result, struct aisp_err *err);

/* one.c; `variant` NULL: the two references against each other. */
void plain_run_one(const struct plain_options *options, const struct aisp_problem *problem, const struct aisp_variant_ref *variant,
                   struct plain_result *result);
/* timing.c */
enum aisp_status plain_time(struct plain_rig *rig, const struct aisp_variant *variant, const struct aisp_call *call,
                            struct plain_result *result, struct aisp_err *err);

#endif
