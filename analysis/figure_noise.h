/* figure_noise.h - the noise between runs of one figure, from the runs before the one that is judged.
 * Not here: how it is estimated (noise.h).
 * Why only from before: a run that became slower differs from its neighbour by just that, and would hide behind a noise that it
 * made itself. */
#ifndef AISP_ANALYSIS_FIGURE_NOISE_H
#define AISP_ANALYSIS_FIGURE_NOISE_H

#include "analysis/figure.h"
#include "store/store.h"

/**
 * Of sealed runs of the same hardware, target, variant, reference, device, size and goal.
 * @before  run id: only older ones; NULL: all there are
 * A size that was set by hand has no history: which values it had, an index row does not say. Errors: AISP_E_IO.
 */
enum aisp_status aisp_figure_noise(struct aisp_store *store, const json_t *figure, const char *before, struct aisp_noise *out,
                                   struct aisp_err *err);

#endif
