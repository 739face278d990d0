/* workload.h - what is known about the work itself, beyond right and wrong: the anatomy of a wrong answer, what the same
 * contents gave twice, the worker's floating-point mode, subnormals, and rows that a data set has on both sides.
 * Part of the evidence. Facts only: what they mean is the checks' affair, how they come about is core/judge's and core/run's. */
#ifndef AISP_CORE_WORKLOAD_H
#define AISP_CORE_WORKLOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* What a wrong output is, as a whole. Each kind was confirmed over the whole output, and no other kind fits as well. */
enum aisp_anatomy_kind {
    AISP_ANATOMY_NONE,        /* nothing known, or more than one kind fits */
    AISP_ANATOMY_SLICES,      /* along `axis`: n_slices of `of` are wrong, the rest is right */
    AISP_ANATOMY_UPSAMPLED,   /* along `axis` equal neighbours in pairs; the truth has none */
    AISP_ANATOMY_ROUNDED,     /* the answer of less precision: `name` is the format, `where` says of what */
    AISP_ANATOMY_MASK,        /* the right answer to another mask: `name` of tensor, `where` says which */
    AISP_ANATOMY_PRUNED,      /* the right answer to weights some of which are zero */
    AISP_ANATOMY_SHORTER,     /* the right answer where parameter `name` is `from` instead of `of` */
    AISP_ANATOMY_BYTES,       /* the right answer in another type: `name` */
    AISP_ANATOMY_TRANSPOSED,
    AISP_ANATOMY_FLUSHED,     /* subnormals taken for zero */
    AISP_ANATOMY_INPUT,       /* the bytes of input `name` */
    AISP_ANATOMY_LEFTOVER,    /* computed from what was in memory before: NaNs that carry the poison */
    AISP_N_ANATOMY
};

/* What stands in wrong slices. */
enum aisp_slice_content {
    AISP_SLICE_OTHER,
    AISP_SLICE_UNWRITTEN,     /* the poison */
    AISP_SLICE_ZEROS,
    AISP_SLICE_COPIES,        /* each is another slice of the same output, bit for bit */
};

struct aisp_anatomy {
    int32_t kind, tensor, axis, meaning;     /* meaning: enum aisp_meaning of the axis or parameter */
    int32_t content;
    bool is_tail;                            /* the wrong slices are the last ones */
    int32_t plant;                           /* enum aisp_plant: contents that were planted, 0: ordinary ones */
    int64_t from, n_slices, of;
    int64_t n_wrong, n_elements;
    double error, error_left;                /* rms error / rms truth; against the truth, and against what explains it */
    int32_t n_kinds;                         /* how many kinds fitted */
    char name[32], where[64];
};

/* The same contents twice, poison and history being others. */
struct aisp_repeats { int64_t n, n_differ, n_differ_wrong; };

/* MXCSR of the worker's thread as it found it and as the variant left it; 0: not known. */
struct aisp_float_mode { uint32_t at_load, after; };

/* Of whole outputs compared in verification. */
struct aisp_subnormals { int64_t n_in, n_truth, n_out; };

/* Rows of `train` that are rows of `test` too. */
struct aisp_overlap {
    int32_t train, test;                     /* tensors; both 0: no data set was split */
    int64_t n_train, n_test, n_shared, first_train, first_test;
};

struct aisp_workload {
    struct aisp_anatomy anatomy[2];
    struct aisp_repeats repeats[2];
    struct aisp_float_mode mode[2];
    struct aisp_subnormals subnormals[2];
    struct aisp_overlap overlap;
    int64_t n_second, n_second_differ, second_element; /* elements of which two truths were asked */
    double second_first, second_other;
    int64_t n_planted[2];                    /* calls compared whose contents were planted */
};

bool aisp_workload_is_empty(const struct aisp_workload *w);
json_t *aisp_workload_to_json(const struct aisp_workload *w);
/* Errors: AISP_E_IO, as for evidence. */
enum aisp_status aisp_workload_from_json(const json_t *json, struct aisp_workload *w, struct aisp_err *err);

#endif
