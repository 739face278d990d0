/* kept.h - keep outputs of timed calls for later, and judge them again from contents that are made again. */
#ifndef AISP_RUN_KEPT_H
#define AISP_RUN_KEPT_H

#include "core/evidence.h"
#include "core/judge/judge.h"

struct aisp_rig;
/* The first look of each side in each pair, while there is room: a row or more of one output. */
void aisp_kept_take(struct aisp_rig *rig);

/* Judge one: its inputs are made again from the pair's secret, and the truth from those. inst: the evidence's problem at its
 * parameters. Errors: AISP_E_USAGE (the record cannot be one of this problem). */
enum aisp_status aisp_kept_judge(const struct aisp_instance *inst,
                                 const struct aisp_kept_output *output,
                                 const struct aisp_key *pair_secret, struct aisp_comparison *answer,
                                 struct aisp_err *err);

#endif
