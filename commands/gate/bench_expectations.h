/* bench_expectations.h - `bench expectations`: its answer, and its forms. */
#ifndef AISP_COMMANDS_GATE_BENCH_EXPECTATIONS_H
#define AISP_COMMANDS_GATE_BENCH_EXPECTATIONS_H

#include "commands/gate/expectations.h"

/* Of {"format", "run", "started", "updated": false, "chapters_dir", "hardware": {KEY: true}, "files", "min_speedup",
 * "mde_percent", "alpha", "n_judged", "n_not_asked", "rows": [analysis/expectation.h]}, or of an update (expectations.h). */
void aisp_bench_expectations_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
