/* peak_card.h - inside `aisp peak`: the card's ceilings as text, from its value alone. Not here: asking (card_program.h). */
#ifndef AISP_COMMANDS_PEAK_CARD_H
#define AISP_COMMANDS_PEAK_CARD_H

#include "commands/command.h"

/* A matrix rate of ours below this share of the library's is no ceiling. */
#define AISP_PEAK_LEAST_OF_LIBRARY 0.95

/* `peaks`: rows as card_program.h has them. Our rate over that of the row that stands beside it; NAN if there is none. */
double aisp_peak_of_library(const json_t *peaks, const char *name);
void aisp_peak_card_render(const json_t *value, struct aisp_buf *out);

#endif
