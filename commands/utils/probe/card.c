/* card.c - features of the card, each executed by the program that measures cards and its result checked there.
 * Not here: what the driver claims (gpu.c), the executing (peak_cuda/). */
#include "commands/card_program.h"
#include "commands/utils/probe/probe.h"

/* The program gives each feature 25 s before it goes on without it. */
enum { LIMIT_S = 120 };

enum aisp_status aisp_probe_card(json_t *gpu, const volatile int *stop, struct aisp_err *err)
{
    const struct aisp_card_question question = { .only = "features", .limit_ns = (int64_t)LIMIT_S * 1000000000, .stop = stop };
    struct aisp_err why = { AISP_OK, "" };
    json_t *answer = NULL;
    enum aisp_status st;

    if (!json_array_size(json_object_get(gpu, "gpus")))
        return AISP_OK;
    st = aisp_card_ask(&question, &answer, &why);
    if (st == AISP_E_INTERRUPTED)
        return aisp_fail(err, st, "%s", why.text);
    if (st)
        json_object_set_new(gpu, "features_why", json_string(why.text));
    else
        json_object_set(gpu, "features", json_object_get(answer, "features"));
    json_decref(answer);
    return AISP_OK;
}
