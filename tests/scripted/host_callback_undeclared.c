/* host_callback_undeclared - a host function on the given stream, of which nobody was told; its twin tells. */
#include "tests/selftest/scripted.h"

static void calls_back(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_work(t, AISP_DEVICE_CALLBACK, 1, 0);
}

SCRIPTED_CHEAT(host_callback_undeclared, "host-callback", .contender = { "streams", calls_back },
               .says = "uses: host-callback");
SCRIPTED_TWIN(host_callback_undeclared, "host-callback",
              .contender = { "streams, host-callback", calls_back });
