/* peers.h - the table of ours against each peer, for `bench peers` (recorded) and `bench compare-peers` (just measured).
 * Not here: which figure it is and whose (analysis/peers.h). */
#ifndef AISP_COMMANDS_ANALYZE_PEERS_H
#define AISP_COMMANDS_ANALYZE_PEERS_H

#include "analysis/peers.h"
#include "commands/command.h"

/* [{"target", "device", "size", "hardware", "peer", "variant", "goal", "ratio": {"value", "lo95", "hi95"}, "verdict", "basis":
 * "direct" or "indirect", "through": the reference of an indirect one or null, "grade", "date", "runs": [id]}]; the ratio is
 * peer / ours, above 1: ours is ahead. */
json_t *aisp_peers_json(const struct aisp_rows *rows);
void aisp_peers_render(const json_t *peers, const struct aisp_style *style, struct aisp_buf *out);

#endif
