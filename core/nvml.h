/* nvml.h - ask NVIDIA's management library about a card, from the supervisor, while windows run.
 * The library is opened at run time with prototypes of our own: a machine without it, or without a
 * driver, says so in one line of the evidence and nothing else changes. Nothing is ever set.
 *
 * A watch is one card over one run. Between aisp_watch_begin() and _end() of a window a thread
 * takes samples, and the end takes one more, so that even the shortest window has one. The card's energy counter is read right
 * before and right after each window; which of them were long enough for its steps is said when the watch ends.
 * Not here: what samples mean (checks/card.c). */
#ifndef AISP_CORE_NVML_H
#define AISP_CORE_NVML_H

#include "core/card.h"

struct aisp_watch;

struct aisp_watch_mark {
    int32_t pair, block;
    int8_t side;
    int64_t calls;
};

/* `requested`: "0" or a UUID. Fills *card with who the card is; NULL, with card->unknown saying
 * why, where nothing can be asked. `card` is borrowed until aisp_watch_close(). */
struct aisp_watch *aisp_watch_open(struct aisp_card *card, const char *requested);
/* All may be called with NULL. */
void aisp_watch_begin(struct aisp_watch *watch, const struct aisp_watch_mark *mark);
void aisp_watch_end(struct aisp_watch *watch);
/* Watches the energy counter until some of its steps were seen, at most a second or so: the time from one to the next into the
 * card's facts. -1: it cannot be read, or does not move. Between windows only. */
int64_t aisp_watch_energy_step(struct aisp_watch *watch);
/* Reads who the card is once more, and frees the watch. */
void aisp_watch_close(struct aisp_watch *watch);

/* Tests open another library than libnvidia-ml.so.1; NULL: that one again. Borrowed. */
void aisp_nvml_set_library(const char *path);

#endif
