/* probe_text.h - inside `utils probe-hw`: its text form, made from its value alone. */
#ifndef AISP_COMMANDS_UTILS_PROBE_TEXT_H
#define AISP_COMMANDS_UTILS_PROBE_TEXT_H

#include "commands/command.h"

void aisp_probe_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
