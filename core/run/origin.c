/* origin.c - a wrong answer is the right one to what? To what the slot held while setup ran, or to what it held before timing
 * began: then it was kept from there. Or to nothing, and its very bytes lie in the variant's file: then it was shipped.
 * Asked of the first wrong answers only; it says which protection is to be named, not whether something is wrong. */
#include "core/run/rig.h"
#include "core/scan.h"

enum { MOST_SEARCHES = 64, MOST_EPOCHS = 64 };
static const int64_t SEARCH_NS = 100000000;

static bool answers_epoch(struct aisp_rig *rig, const struct aisp_question *asked, int32_t epoch)
{
    const void *tensor[AISP_MAX_TENSORS];
    struct aisp_comparison answer = { 0 };
    struct aisp_question q = *asked;

    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const enum aisp_role role = rig->inst->problem->tensor[t].role;

        tensor[t] = role == AISP_WEIGHT ? rig->backend->input(rig->session, 0, t)
                    : aisp_role_is_filled(role)
                        ? aisp_contents_remake_at(rig, rig->seen_slot, t, epoch)
                        : NULL;
    }
    q.view.tensor = tensor;
    q.poison = NULL;
    aisp_judge(&q, &rig->scratch, &answer);
    return answer.kind == AISP_RIGHT;
}

static bool answers_untimed(struct aisp_rig *rig, const struct aisp_question *q)
{
    const int64_t start = aisp_now_ns();

    if (rig->phase != AISP_PHASE_TIMED)
        return false;
    for (int32_t epoch = rig->n_untimed; epoch >= 0 && rig->n_untimed - epoch < MOST_EPOCHS;
         epoch--) {
        if (aisp_now_ns() - start > SEARCH_NS)
            return false;
        if (answers_epoch(rig, q, epoch))
            return true;
    }
    return false;
}

void aisp_origin_ask(struct aisp_rig *rig, const struct aisp_question *q)
{
    const int side = rig->blame[rig->seen_side];
    struct aisp_process_facts *facts = &rig->course->ev->process[side];
    const char *path = rig->course->plan->variant[side]->path;

    if (!rig->inst->problem->reference || rig->course->n_origin_searches[side]++ >= MOST_SEARCHES)
        return;
    if (rig->has_decoy && answers_epoch(rig, q, AISP_DECOY_EPOCH))
        facts->n_setup_answers++;
    else if (answers_untimed(rig, q))
        facts->n_warmup_answers++;
    else if (path && !facts->shipped_answer_at)
        facts->shipped_answer_at =
            aisp_scan_find(path, q->got,
                           (size_t)q->n_rows * (size_t)rig->inst->extent[q->tensor].row_elements *
                               aisp_dtype_bytes(rig->inst->problem->tensor[q->tensor].dtype));
}
