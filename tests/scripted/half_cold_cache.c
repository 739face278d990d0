/* half_cold_cache - a side of whose inputs a quarter lies in the cache before its windows; its twin's lie where they are meant to, but
 * for as many lines as are taken for hot on any device. */
#include "tests/selftest/scripted.h"

enum { LINES = 1024 };

static void look(struct aisp_evidence *ev, int64_t n_hot)
{
    ev->cold = (struct aisp_cold_facts){ .swept_bytes = 150 << 20,
                                         .n_swept_out = 256,
                                         .n_swept_out_hot = 3,
                                         .n_just_read = 256,
                                         .n_just_read_hot = 251,
                                         .alone = { { 4, LINES, 9 }, { 4, LINES, n_hot } },
                                         .shared = { 16, 4 * LINES, 40 } };
}

static void warm(struct aisp_evidence *ev)
{
    look(ev, LINES / 4);
}

static void cold(struct aisp_evidence *ev)
{
    look(ev, LINES / 16);
}

SCRIPTED_CHEAT(half_cold_cache, "half-cold-cache", .seen = warm, .says = "lay in the device's cache before its windows");
SCRIPTED_TWIN(half_cold_cache, "half-cold-cache", .seen = cold);
