/* recommend.h - what follows from one target's results: one advice each, with the rows it stands on.
 *   USE       of our variants that are FASTER, the one whose interval reaches highest from below; `n_level` others cannot be
 *             told apart from it
 *   PEER      a library is ahead of `other`, our best (or the reference, if none is FASTER), beyond the intervals of both
 *   AVOID     the variant is SLOWER
 *   LONGER    UNSURE: measured again for longer it may be decided
 *   REPAIR    the newest result is invalid: it says nothing until that is mended
 * Ratios of two comparisons are set beside each other only through the reference that both share. */
#ifndef AISP_ANALYSIS_RECOMMEND_H
#define AISP_ANALYSIS_RECOMMEND_H

#include "analysis/rows.h"

enum aisp_advice_kind {
    AISP_ADVICE_USE,
    AISP_ADVICE_PEER,
    AISP_ADVICE_AVOID,
    AISP_ADVICE_LONGER,
    AISP_ADVICE_REPAIR,
    AISP_N_ADVICE
};

struct aisp_advice {
    enum aisp_advice_kind kind;
    const struct aisp_result_row *row, *other;    /* other: NULL but for PEER */
    struct aisp_measured gain;                    /* USE and AVOID: over the reference; PEER: of the peer over `other` */
    size_t n_level;
};
struct aisp_advices { struct aisp_advice *advice; size_t n, cap; };

/* @row  sorted by aisp_row_group_order, at most one of a variant in a group; invalid ones included. Borrowed by the result.
 * The result is sorted by kind, then by how much is gained. */
void aisp_advices_find(struct aisp_advices *advices, const struct aisp_result_row *row, size_t n);
void aisp_advices_release(struct aisp_advices *advices);

#endif
