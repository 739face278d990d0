/* declared.h - the sweep that a problem suggests by AISP_SWEEP, for the commands that show targets. */
#ifndef AISP_COMMANDS_SWEEP_DECLARED_H
#define AISP_COMMANDS_SWEEP_DECLARED_H

#include "core/plugin.h"

#include <jansson.h>

/* New reference: null, or {"text": "n=64:4096:x2", "n_points", "refused": "" or why it cannot be measured}. */
json_t *aisp_sweep_declared(const struct aisp_loaded_problem *loaded);

#endif
