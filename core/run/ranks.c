/* ranks.c - what is kept of ranks beside the windows' times: how each of them spent a window, and, of a wrong output, whether
 * it is right for the data of its own rank alone.
 * A rank cannot read what another holds, so an answer that lacks the others' data was made without them. */
#include "core/run/rig.h"

#include "core/judge/compare.h"
#include "core/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_QUESTIONS = 16 };

void aisp_ranks_begin(struct aisp_ranks *ranks, const struct aisp_instance *inst)
{
    if (inst->n_ranks < 2)
        return;
    ranks->n_ranks = inst->n_ranks;
    ranks->n_tensors = inst->n_declared;
    ranks->team = inst->problem->team;
    ranks->n_messages = inst->n_messages;
    ranks->message_bytes = inst->message_bytes;
    for (int t = 0; t < inst->n_tensors; t++)
        ranks->bytes[t / inst->n_declared] += (int64_t)inst->extent[t].bytes;
}

static int spans_of(struct aisp_rig *rig, int side, struct aisp_rank_span span[AISP_MAX_RANKS])
{
    return rig->inst->n_ranks > 1 && rig->backend->spans
               ? rig->backend->spans(rig->session, (enum aisp_side)side, span, AISP_MAX_RANKS)
               : 0;
}

void aisp_ranks_note(struct aisp_rig *rig, int side, const struct aisp_window *w)
{
    const struct aisp_policy *policy = rig->course->plan->policy;
    const bool has_ends = aisp_defends(policy, AISP_RANK_SPAN),
               has_use = aisp_defends(policy, AISP_RANK_LEDGER);
    struct aisp_ranks *ranks = &rig->course->ev->ranks;
    struct aisp_rank_span span[AISP_MAX_RANKS];
    const bool is_asked = rig->pair >= 0 && rig->course->point == 0;
    const int n = is_asked && (has_ends || has_use) ? spans_of(rig, side, span) : 0;

    for (int r = 0; r < n; r++) {
        struct aisp_rank_span *to =
            aisp_grow(&ranks->span, &ranks->n_spans, &ranks->cap_spans, sizeof *to);

        *to = span[r];
        to->pair = w->pair;
        to->index = w->index;
        to->side = w->side;
        to->calls = w->calls;
        to->end_ns = has_ends ? to->end_ns : w->window_ns;
        if (!has_use)
            to->cpu_ns = to->n_sent = to->sent_bytes = -1;
    }
}

void aisp_ranks_say_busy(struct aisp_rig *rig, int side, char *text, size_t size)
{
    struct aisp_rank_span span[AISP_MAX_RANKS];
    const int n = spans_of(rig, side, span);
    int most = 0;

    for (int r = 1; r < n; r++)
        most = span[r].idle_ns > span[most].idle_ns ? r : most;
    if (n)
        snprintf(text, size, ", of rank %d", most);
}

/* Contents in which every rank holds what this one does. */
static void view_own(const struct aisp_instance *inst, int rank, const struct aisp_question *asked,
                     const void *tensor[AISP_MAX_TENSORS])
{
    for (int t = 0; t < inst->n_tensors; t++) {
        const int mine = rank * inst->n_declared + t % inst->n_declared;

        tensor[t] =
            asked->view.tensor[inst->extent[t].bytes == inst->extent[mine].bytes ? mine : t];
    }
}

/* Is it right for the data of its own rank alone: the truth, if all ranks held them (a mean, a maximum), or that divided by the
 * number of ranks (a sum)? */
static bool is_right_alone(struct aisp_rig *rig, const struct aisp_question *q)
{
    const struct aisp_instance *inst = rig->inst;
    const struct aisp_problem *problem = inst->problem;
    const enum aisp_dtype dtype = problem->tensor[q->tensor].dtype;
    const int64_t row = inst->extent[q->tensor].row_elements, n = q->n_rows * row;
    const void *tensor[AISP_MAX_TENSORS];
    const struct aisp_view view = { tensor, inst->param };
    struct aisp_comparison answer = { 0 };
    double *truth = aisp_xcalloc((size_t)n, sizeof *truth);
    struct aisp_comparing c = {
        .dtype = dtype,
        .got = q->got,
        .truth = truth,
        .n = n,
        .first = q->first_row * row,
        .relative = aisp_tolerance_relative(inst, dtype),
        .norm = aisp_tolerance_norm(inst, dtype),
    };

    view_own(inst, q->tensor / inst->n_declared, q, tensor);
    problem->reference(&view, q->tensor, q->first_row, q->n_rows, truth);
    aisp_compare(&c, &answer);
    if (answer.kind != AISP_RIGHT) {
        for (int64_t i = 0; i < n; i++)
            if (aisp_dtype_is_float(dtype))
                truth[i] /= inst->n_ranks;
            else
                ((int64_t *)(void *)truth)[i] /= inst->n_ranks;
        answer = (struct aisp_comparison){ 0 };
        aisp_compare(&c, &answer);
    }
    free(truth);
    return answer.kind == AISP_RIGHT;
}

void aisp_ranks_ask(struct aisp_rig *rig, const struct aisp_question *q)
{
    struct aisp_ranks *ranks = &rig->course->ev->ranks;
    const int side = rig->blame[rig->seen_side];

    if (rig->inst->n_ranks < 2 || !rig->inst->problem->reference ||
        rig->course->n_own_data_searches[side]++ >= MOST_QUESTIONS)
        return;
    if (!is_right_alone(rig, q))
        return;
    if (!ranks->n_own_data[side]++)
        ranks->own_data_rank[side] = (int8_t)(q->tensor / rig->inst->n_declared);
}
