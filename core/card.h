/* card.h - facts of the accelerator card that a run asked for, as its driver's management library
 * tells them to the supervisor: who it is, and how it stood while windows ran.
 * Not here: how they are asked (nvml.h), what they mean (checks/card.c).
 * Samples are kept by block and side, and small: what counts is the worst of each. Empty where a
 * run uses no card. Unknown numbers are -1, unknown texts "". */
#ifndef AISP_CORE_CARD_H
#define AISP_CORE_CARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* Why a card's clocks are not what they could be: bits as the library defines them. */
enum aisp_card_reason {
    AISP_CARD_IDLE = 0x1,
    AISP_CARD_APPLICATION_CLOCKS = 0x2,
    AISP_CARD_POWER_CAP = 0x4,
    AISP_CARD_SLOWDOWN = 0x8,
    AISP_CARD_SYNC_BOOST = 0x10,
    AISP_CARD_THERMAL_SOFTWARE = 0x20,
    AISP_CARD_THERMAL_HARDWARE = 0x40,
    AISP_CARD_POWER_BRAKE = 0x80,
};

/* All samples inside and at the end of the windows of one side in one block. Windows in which energy alone was counted
 * (run/energy.c) have pair -1 and block -1. */
struct aisp_card_block {
    int32_t pair, block;
    int8_t side;
    int32_t n;
    int32_t sm_mhz_low, sm_mhz_high, memory_mhz_low;
    int32_t celsius_high;
    int64_t power_mw_high, limit_mw_low, limit_mw_high;
    int64_t reasons; /* all that were named */
    int64_t n_windows, calls, ns; /* ns: from right before the windows to right after them */
    int64_t energy_mj; /* of all of these by the card's counter; -1: unknown, or shorter than its steps can tell */
};
/* A window of so many steps of the counter is off by one of them, 5 %, at most. */
enum { AISP_CARD_LEAST_STEPS = 20 };

struct aisp_card {
    bool asked;                          /* the device in use is a card */
    char unknown[160];                   /* why nothing is known of it, in one line */
    char requested[96];                  /* an index or a UUID */
    char name[96], uuid[96], driver[80]; /* when the run began */
    char name_after[96], uuid_after[96], driver_after[80];
    int32_t n_cards, compute; /* compute: capability, 90 is 9.0 */
    int32_t mig, ecc;         /* 1 on, 0 off */
    int32_t sm_mhz_most;
    int64_t limit_default_mw, energy_mj; /* energy: over the run */
    int64_t energy_step_ns; /* from one reading of the energy counter to its next, as seen; -1: not looked for, or none seen */
    int32_t n_processes;                 /* computing on it when the run began: others than ours */
    int32_t busy_high, elsewhere_busy_high; /* percent: of this card, of the busiest other */
    int32_t elsewhere;                      /* that one's index */
    int32_t n_samples;
    struct aisp_card_block *block;
    size_t n_blocks, cap_blocks;
    int64_t n_dropped; /* samples of blocks beyond AISP_CARD_MAX_BLOCKS */
};
enum { AISP_CARD_MAX_BLOCKS = 4096 };

/* What a side's windows of energy alone took together, as far as it is known; n_windows 0: there are none. */
struct aisp_card_energy {
    int64_t n_windows, calls, ns, mj;
};
struct aisp_card_energy aisp_card_energy(const struct aisp_card *card, int side);

void aisp_card_release(struct aisp_card *card);
/* NULL if the run asked for none. */
json_t *aisp_card_to_json(const struct aisp_card *card);
/* `json` NULL: none. */
enum aisp_status aisp_card_from_json(const json_t *json, struct aisp_card *card,
                                     struct aisp_err *err);

#endif
