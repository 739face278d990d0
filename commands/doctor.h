/* doctor.h - the two ways in which `aisp doctor` shows its value. */
#ifndef AISP_COMMANDS_DOCTOR_H
#define AISP_COMMANDS_DOCTOR_H

#include <jansson.h>

#include "commands/command.h"

/* Text: what was found by family, or everything about one item. */
void aisp_doctor_text(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);
/* Markdown: the checklist itself, whatever was found; docs/guide/doctor.md is this. */
void aisp_doctor_guide(const json_t *value, struct aisp_buf *out);

#endif
