/* peers.h - ours against each peer: of every target for which a library's variant was measured, how our best stands against it.
 * A figure of one of ours against a peer is direct where the two were measured in the same pairs (`bench compare-peers`, or a
 * baseline that a peer was compared with), else indirect: the quotient of two ratios against the same reference. What differs
 * between runs of the same code is in no run's interval, so an indirect figure gets it on top, twice, as a comparison between
 * runs does (change.h); it is FASTER or SLOWER only where it is clear even so, and never SAME.
 * The best of ours is the one whose interval begins highest: the highest centre among several would be luck in part.
 * Not here: which results take part (the newest of each, on one machine: the caller's filter). */
#ifndef AISP_ANALYSIS_PEERS_H
#define AISP_ANALYSIS_PEERS_H

#include "analysis/rows.h"
#include "core/stats/stats.h"

struct aisp_rival {
    const struct aisp_result_row *ours;   /* the row of ours that the figure stands on */
    const struct aisp_result_row *theirs; /* of the peer; the same row where the figure is direct */
    const char *variant, *peer;           /* names */
    bool is_direct;
    struct aisp_measured ratio;           /* peer / ours of the goal's figure: above 1, ours is ahead */
    enum aisp_verdict verdict;            /* of ours against the peer */
};
struct aisp_rivals { struct aisp_rival *item; size_t n, cap; };
#define AISP_RIVALS_INIT { 0 }

/**
 * One for each peer of a target, device and size, by hardware, target, device, size and name.
 * @row  valid ones, of any reference; at most one of a variant, reference, device and size (the newest). Borrowed by the result.
 */
void aisp_rivals_find(struct aisp_rivals *rivals, const struct aisp_result_row *row, size_t n);
void aisp_rivals_release(struct aisp_rivals *rivals);

#endif
