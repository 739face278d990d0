/* parallelism.h - inside `utils parallelism`: its text form.
 *   {"model", "phase", "cards", "tokens", "batch", "given": {...}, "n_ways", "n_fit",
 *    "ways": [{"tp", "pp", "dp", "ep", "micro_batches", "step_s", "tokens_per_second", "parts_s": {...}, "bubble_share",
 *              "work_bound", "card_bytes", "weights_bytes", "cache_bytes", "training_bytes", "activation_bytes", "fits"}],
 *    "why", "margin_percent", "sensitivity": [{"input", "factor", "tp", "pp", "dp", "ep"}], "steady": [input...], "notes"}
 * The first way is the winner and the second the runner-up. Not here: the estimates (split.h). */
#ifndef AISP_COMMANDS_UTILS_PARALLELISM_H
#define AISP_COMMANDS_UTILS_PARALLELISM_H

#include "commands/command.h"

void aisp_parallelism_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
