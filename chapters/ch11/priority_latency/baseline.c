/* baseline - one queue, first come, first served: whoever needs another piece of work goes to its end. */
#include "work.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct office o;
    struct queue all;

    office_open(&o, call);
    all = queue_of(&o, 0);
    while (is_open(&o)) {
        struct job *j;

        while ((j = take(&o)))
            queue_put(&all, j);
        j = queue_take(&all);
        if (!j)
            door_wait(&o.door);
        else if (work(&o, j))
            queue_put(&all, j);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one queue, first come, first served");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = office_bytes, .run = run };
