/* control.h - what a call costs where no work can be skipped: in windows that repeat no slot, and in windows before which all
 * contents were new. Their difference to the usual cost is what a variant may have saved by knowing what it did before.
 * Pure; used by checks, which accuse, and by the verdict, which has to survive what they cannot prove. */
#ifndef AISP_RUN_CONTROL_H
#define AISP_RUN_CONTROL_H

#include "core/evidence.h"

/* ns a call. What a side's control had before go beyond its timed windows, and beyond what the other side's had, is part of its time. */
struct aisp_control {
    int n;                                /* the smaller count of quiet windows behind it; 0: there is no such control */
    bool is_chosen;                       /* so many more of them were disturbed than of timed ones that the side may have chosen which */
    double usual_ns, control_ns, error_ns;
    double first_ns;                      /* of a call whose contents had not been seen, where only a part of the control's had not */
    double cold_ns;                       /* of first_ns, at most what is owed to a slot that lies farther away than usual */
};
enum { AISP_CONTROL_LEAST = 8 };          /* below so many windows a control says nothing */

/* Windows over all slots and over half of them, each slot once: the difference is the cost of calls alone. */
struct aisp_control aisp_control_repeats(const struct aisp_evidence *ev, enum aisp_side side);
/* Windows with all used slots filled anew, where the usual ones can afford only a secret part. */
struct aisp_control aisp_control_fresh(const struct aisp_evidence *ev, enum aisp_side side);

/* What a call may cost more in a control window than usual, because its data lie farther away. */
double aisp_control_cold_ns(const struct aisp_evidence *ev);

/* Of the windows with all contents new, in how many a slot's first call took more than `factor` times what is usual in their own pair,
 * and `more_ns` on top. A machine that has two speeds shifts medians; it does not choose these windows. 0: there are none. */
double aisp_control_fresh_share(const struct aisp_evidence *ev, enum aisp_side side, double factor, double more_ns);

/* By how much longer than the other a side took before go, when contents are there and no clock runs: ns, of the medians or of the
 * shortest windows of each pair, whichever is more; the median over pairs. 0 where that is not more than honest sides differ by, or
 * in so few pairs that chance may have it. */
double aisp_control_lead_ns(const struct aisp_evidence *ev, enum aisp_side side);

/* How far the ratio may be too large: the larger of the two controls' log(first/usual) of B against A's, where it is above 5 % and
 * log(control/usual) above 2 standard errors, or the whole claim if that is less than twice as much as what caches do not explain of it.
 * Of a claim (the log ratio seen) above 5 % also what 2 standard errors of log(control/usual) cannot exclude, where that is more than 5 %
 * and than half of the claim; of
 * controls of B too few to speak, or chosen by either side, the whole claim. And what the faster side may owe to answers that it made
 * before go, by the same rule. Else 0, as without any control.
 * It withholds a verdict and accuses nobody, so it may be quicker than a check. */
double aisp_control_slack(const struct aisp_evidence *ev, double claim);

#endif
