/* turn.h - who measures takes a turn: two comparisons at once on one machine would disturb each other.
 * A turn is a name in the kernel (an abstract socket, which one process can hold), so that nothing is left behind by whoever is
 * killed, and nothing has to be cleaned. It reaches as far as the network namespace: what runs in another container is not seen. */
#ifndef AISP_BASE_TURN_H
#define AISP_BASE_TURN_H

#include <stdint.h>

/* Wait for the turn called `name`, up to patience_ns and until *stop (or NULL) is set. Returns a descriptor that holds it until
 * aisp_turn_give(); -1: patience was over, or there are no such names here. */
int aisp_turn_take(const char *name, int64_t patience_ns, const volatile int *stop);
void aisp_turn_give(int turn); /* -1 is accepted */

#endif
