/* ranks.h - several processes that work on one problem together, each with tensors of its own.
 * Not here: how they are started and timed (backends/), what their figures mean (checks/).
 * Why the declared problem is multiplied: with one entry for each rank's tensor everything that fills, poisons, reads,
 * compares and reports tensors works as it does for one process, and each rank's inputs come from secrets of their own. */
#ifndef AISP_CORE_RANKS_H
#define AISP_CORE_RANKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <aisp/problem.h>

#include "core/base/err.h"

enum { AISP_MAX_RANKS = 16 };

/* The problem with its tensors once for each rank, "x@0, y@0, x@1, y@1": tensor t of rank r is at r * n + t. Lives as long
 * as the process; asked again for the same declaration it is the same. n_ranks 1: the declaration itself. */
const struct aisp_problem *aisp_ranks_expand(const struct aisp_problem *declared, int n_ranks);
/* What it was made from; any other problem: itself. */
const struct aisp_problem *aisp_ranks_declared(const struct aisp_problem *problem);

/* One rank in one window, on the supervisor's clock but for inner_ns. */
struct aisp_rank_span {
    int32_t pair, index;         /* of the window, as in struct aisp_window */
    int8_t side, rank;
    int64_t calls;
    int64_t end_ns;              /* first go -> this rank's done; the largest of a window is its time */
    int64_t cpu_ns;              /* CPU time it used in the window */
    int64_t idle_ns;             /* and since the window before, while it should have slept */
    int64_t inner_ns;            /* its own word of how long it took */
    int64_t n_sent, sent_bytes;  /* what the kernel counted on its wires; -1: it has none */
};

/* Of one comparison. n_ranks 0 or 1: one process on each side, and nothing here is filled. */
struct aisp_ranks {
    int n_ranks, n_tensors;      /* declared tensors: observation.tensor / n_tensors is the rank */
    int64_t bytes[AISP_MAX_RANKS];   /* of a rank's tensors: how the harness cut the work */
    enum aisp_team team;
    int64_t n_messages, message_bytes;   /* that a rank sends in a call, as declared; 0: not declared */
    int n_own_data[2];           /* wrong outputs of a side that are right for the data of their own rank alone */
    int8_t own_data_rank[2];     /* the first such rank */
    struct aisp_rank_span *span; /* of all windows of pairs, in order */
    size_t n_spans, cap_spans;
};

void aisp_ranks_release(struct aisp_ranks *ranks);
/* NULL: there is nothing to say. */
json_t *aisp_ranks_to_json(const struct aisp_ranks *ranks);
/* json NULL: left empty. Errors: AISP_E_IO with the path of the field. */
enum aisp_status aisp_ranks_from_json(const json_t *json, struct aisp_ranks *ranks, struct aisp_err *err);

#endif
