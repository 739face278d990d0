/* card_program.h - ask aisp-peak-cuda, the program that measures a card, and believe its answer only as far as its shape was
 * checked. It is started with a time limit and in a process group of its own: a card that hangs, a driver that crashes or a
 * program that prints rubbish costs the one who asks a line and nothing else.
 * Not here: what is tried on the card (peak_cuda/, a program because nothing of aisp links CUDA), how it is shown
 * (peak_card.c, utils/probe/). */
#ifndef AISP_COMMANDS_CARD_PROGRAM_H
#define AISP_COMMANDS_CARD_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_card_question {
    const char *only;                  /* "peaks", "features", or the name of one; NULL: all */
    bool quick;
    int64_t limit_ns;                  /* then it is killed */
    const volatile int *stop;          /* set by an interrupt; or NULL */
};

/* What it printed, a new reference:
 *   {"card": {"name", ...}, "peaks": [{"name", "unit", "what", "value": number, or null with "unavailable"}, ...],
 *    "features": [{"name", "what", "answer": "yes|no|error", "why": or null}]}
 * Errors: AISP_E_UNAVAILABLE (built without nvcc, no driver, no card: the line says which), AISP_E_WORKER (it hung, was killed,
 * failed or printed something else), AISP_E_INTERRUPTED, AISP_E_IO. */
enum aisp_status aisp_card_ask(const struct aisp_card_question *question, json_t **value, struct aisp_err *err);

/* Tests start another program; NULL: the one beside this program again. Borrowed. */
void aisp_card_set_program(const char *path);

#endif
