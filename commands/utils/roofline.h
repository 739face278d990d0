/* roofline.h - inside `utils roofline`: its value, and the two ways to draw it.
 *   {"host", "taken_at", "compute_gflops", "precision", "levels": [{"level", "gbps", "ridge"}],
 *    "points": [{"target", "variant", "size", "run", "grade", "precision", "threads", "flops", "bytes", "time_ns", "level",
 *    "intensity", "gflops", "gbps", "roof_gflops", "percent", "bound"}],
 *    "skipped": [{"what", "why"}], "svg", "notes"}
 * Ceilings, and the rates of points, are those of one core: a variant on n threads is shown as the n-th part of itself.
 * Not here: the formulas (roof.h). */
#ifndef AISP_COMMANDS_UTILS_ROOFLINE_H
#define AISP_COMMANDS_UTILS_ROOFLINE_H

#include "commands/command.h"
#include "core/calibration.h"
#include "store/store.h"

/* The newest measured variants of this machine (roofline_points.c): fills "points" and "skipped" of value. */
enum aisp_status aisp_roofline_points(const struct aisp_request *request, struct aisp_store *store,
                                      const struct aisp_calibration *cal, json_t *value);

/* What is drawn: the first and last intensity and rate, with some air. */
struct aisp_roofline_frame { double x_low, x_high, y_low, y_high; };
struct aisp_roofline_frame aisp_roofline_frame(const json_t *value);

void aisp_roofline_plot(struct aisp_buf *out, const json_t *value);     /* characters (roofline_text.c) */
void aisp_roofline_table(struct aisp_buf *out, const json_t *value);
void aisp_roofline_svg(struct aisp_buf *out, const json_t *value);      /* roofline_svg.c */

#endif
