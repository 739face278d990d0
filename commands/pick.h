/* pick.h - from what a user wrote to targets and variants. */
#ifndef AISP_COMMANDS_PICK_H
#define AISP_COMMANDS_PICK_H

#include "commands/command.h"
#include "core/catalogue.h"

/* Targets that were picked, borrowed from a catalogue, in its order, each once. */
struct aisp_picks { const struct aisp_target **target; size_t n, cap; };
#define AISP_PICKS_INIT { 0 }
void aisp_picks_release(struct aisp_picks *picks);

/* The catalogue below the request's root. Errors: AISP_E_NOT_FOUND with what to do, AISP_E_IO. */
enum aisp_status aisp_pick_catalogue(const struct aisp_request *request, struct aisp_catalogue *cat);

/* All targets that one of the patterns names; none given: all there are but
 * the harness's own yardsticks. Errors: AISP_E_NOT_FOUND "unknown target ...: did
 * you mean ...". */
enum aisp_status aisp_pick_targets(const struct aisp_catalogue *cat, const char *const *pattern, size_t n,
                                   struct aisp_picks *picks, struct aisp_err *err);
/* Exactly one. Errors: AISP_E_NOT_FOUND; AISP_E_USAGE (the pattern names several). */
enum aisp_status aisp_pick_target(const struct aisp_catalogue *cat, const char *pattern, const struct aisp_target **target,
                                  struct aisp_err *err);
/* A variant by name, "tiled" for "optimized_tiled" as well, of one device; NULL: of the first that has it. Errors:
 * AISP_E_NOT_FOUND with what there is. */
enum aisp_status aisp_pick_variant(const struct aisp_target *target, const char *name, const char *device,
                                   const struct aisp_variant_ref **variant, struct aisp_err *err);
/* "ch07:transpose/optimized_tiled", or "ch07.optimized_transpose" of the target ch07:transpose, whose name then stands
 * behind the variant's kind ("ch07.baseline_transpose"). Errors: AISP_E_NOT_FOUND, AISP_E_USAGE. */
enum aisp_status aisp_pick_spelled(const struct aisp_catalogue *cat, const char *spelling, const char *device,
                                   const struct aisp_target **target, const struct aisp_variant_ref **variant, struct aisp_err *err);

#endif
