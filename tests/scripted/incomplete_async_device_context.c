/* incomplete_async_device_context - leaves a copy in flight in a second context; its twin waits for it. */
#include "tests/selftest/scripted.h"

enum { SECOND = 2 };

static struct aisp_device_activity *second_context(struct aisp_device_trace *t)
{
    struct aisp_device_activity *copy;
    struct aisp_device_context *c;

    scene_honest(t);
    c = aisp_device_add_context(t);
    c->id = SECOND;
    c->phase = AISP_PHASE_SETUP;
    copy = scene_work(t, AISP_DEVICE_COPY, 2, 2);
    copy->context = SECOND;
    copy->from = copy->to = AISP_AT_DEVICE;
    copy->target = 1;
    return copy;
}

static void leaves_it(struct aisp_device_trace *t)
{
    struct aisp_device_activity *copy = second_context(t);

    copy->end_ns = t->window[copy->window].done_ns + 90000;
}

static void waits(struct aisp_device_trace *t)
{
    second_context(t);
}

SCRIPTED_CHEAT(incomplete_async_device_context, "incomplete-async-device",
               .contender = { "contexts", leaves_it }, .says = "after done");
SCRIPTED_TWIN(incomplete_async_device_context, "incomplete-async-device",
              .contender = { "contexts", waits });
