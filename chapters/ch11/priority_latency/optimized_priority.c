/* optimized_priority - two queues: documents get a piece when no conversation waits for one.
 * Expected: in one queue a token waits for a piece of every document that is there, eight times its own time each; here
 * conversations wait for each other alone, and a new one for the piece that runs. With two or three documents there at the
 * worst, the 99th percentile is 3 to 8 times smaller.
 * Costs: documents wait for all conversations, which TTFT shows: most of the late first tokens are theirs. With more
 * conversations than a core can serve they would wait forever; then a share has to be kept for them. */
#include "work.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct queue first, other;
    struct office o;

    office_open(&o, call);
    first = queue_of(&o, 0);
    other = queue_of(&o, 1);
    while (is_open(&o)) {
        struct job *j;

        while ((j = take(&o)))
            queue_put(is_document(j->row) ? &other : &first, j);
        j = queue_take(first.n > 0 ? &first : &other);
        if (!j)
            door_wait(&o.door);
        else if (work(&o, j))
            queue_put(is_document(j->row) ? &other : &first, j);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: conversations first, documents in between\n"
             "expect: TPOT p99 / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = office_bytes, .run = run };
