/* kept.c - the contents of a slot are a function of (secret of the pair, slot, tensor, chunk, epoch), so the epochs are all that
 * has to be kept of them. They are made again by the code that made them first (contents.c). */
#include "core/run/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge/fill.h"
#include "core/run/rig.h"

static bool is_filled(const struct aisp_instance *inst, int t)
{
    return aisp_role_is_filled(inst->problem->tensor[t].role);
}

/* Problems whose truth needs nothing but tensors that can be made again, and no whole outputs. */
static bool can_be_kept(const struct aisp_instance *inst)
{
    if (inst->problem->accept || !inst->problem->reference || inst->n_ranks > 1)
        return false;
    for (int t = 0; t < inst->n_tensors; t++)
        if (!is_filled(inst, t) && inst->problem->tensor[t].role != AISP_OUT &&
            inst->problem->tensor[t].role != AISP_WEIGHT)
            return false;
    return true;
}

static bool was_kept(const struct aisp_kept *kept, int32_t pair, int32_t side)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->output[i].pair == pair && kept->output[i].side == side)
            return true;
    return false;
}

static size_t row_bytes(const struct aisp_instance *inst, int t)
{
    return (size_t)inst->extent[t].row_elements * aisp_dtype_bytes(inst->problem->tensor[t].dtype);
}

/* Which contents the slot's inputs have now; false: too many chunks. */
static bool note_contents(const struct aisp_rig *rig, int slot, struct aisp_kept_output *o)
{
    int64_t n = 0;

    o->made = aisp_xcalloc(AISP_KEPT_MADE, sizeof *o->made);
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const struct aisp_contents *c = &rig->contents[t];

        if (!is_filled(rig->inst, t))
            continue;
        if (c->n_chunks > AISP_KEPT_MADE || n + 2 + c->n_chunks > AISP_KEPT_MADE)
            return false;
        o->made[n++] = c->chunk_elements;
        o->made[n++] = c->n_chunks;
        for (int64_t i = 0; i < c->n_chunks; i++)
            o->made[n++] = c->now[slot * c->n_chunks + i];
    }
    if (rig->at_go.slot == slot) {
        if (n + 3 > AISP_KEPT_MADE)
            return false;
        o->made[n++] = rig->at_go.tensor;
        o->made[n++] = rig->at_go.first;
        o->made[n++] = rig->at_go.epoch;
    }
    o->n_made = n;
    return true;
}

static char *hex_of(const char *bytes, size_t n)
{
    char *hex = aisp_xmalloc(2 * n + 1);

    for (size_t i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
    hex[2 * n] = 0;
    return hex;
}

void aisp_kept_take(struct aisp_rig *rig)
{
    struct aisp_kept *kept = &rig->course->ev->kept;
    const struct aisp_snapshot *snap = &rig->snapshot[0];
    struct aisp_kept_output o = { .pair = rig->pair, .slot = rig->seen_slot };
    size_t bytes;

    if (rig->phase != AISP_PHASE_TIMED || rig->pair < 0 || rig->course->point ||
        rig->seen_slot < 0 || !rig->n_snapshots || rig->n_plants || !can_be_kept(rig->inst))
        return;
    o.side = rig->blame[rig->seen_side];
    o.tensor = snap->tensor;
    o.first_row = snap->first_row;
    bytes = row_bytes(rig->inst, o.tensor);
    if (bytes > AISP_KEPT_ROW_BYTES || was_kept(kept, o.pair, o.side))
        return;
    o.n_rows = AISP_KEPT_ROW_BYTES / 4 / (int64_t)bytes;
    o.n_rows = o.n_rows < 1 ? 1 : o.n_rows < snap->n_rows ? o.n_rows : snap->n_rows;
    bytes *= (size_t)o.n_rows;
    if (kept->n_bytes + (int64_t)bytes > AISP_KEPT_BYTES)
        return;
    if (!note_contents(rig, rig->seen_slot, &o)) {
        free(o.made);
        return;
    }
    o.bytes = hex_of(snap->bytes.s, bytes);
    kept->n_bytes += (int64_t)bytes;
    *(struct aisp_kept_output *)aisp_grow(&kept->output, &kept->n, &kept->cap, sizeof o) = o;
}

/* ---- later ---- */

/* What the slot got at go, if that was kept: elements of an input, from one where a block of the generator begins. */
static enum aisp_status set_at_go(struct aisp_rig *rig, const struct aisp_kept_output *o, int64_t at, struct aisp_err *err)
{
    struct aisp_at_go *new = &rig->at_go;
    int64_t left;

    new->slot = -1;
    if (at == o->n_made)
        return AISP_OK;
    if (at + 3 != o->n_made || o->made[at] < 0 || o->made[at] >= rig->inst->n_tensors || !is_filled(rig->inst, (int)o->made[at]) ||
        o->made[at + 1] < 0 || o->made[at + 1] % AISP_AT_GO_ELEMENTS ||
        o->made[at + 1] >= rig->inst->extent[o->made[at]].elements)
        return aisp_fail(err, AISP_E_USAGE, "the kept output's elements that are new at go are none of its inputs'");
    left = rig->inst->extent[o->made[at]].elements - o->made[at + 1];
    *new = (struct aisp_at_go){ .slot = o->slot, .tensor = (int)o->made[at], .first = o->made[at + 1],
                                .epoch = (int32_t)o->made[at + 2],
                                .n = left < AISP_AT_GO_ELEMENTS ? left : AISP_AT_GO_ELEMENTS };
    return AISP_OK;
}

/* A rig that holds nothing but contents. */
static enum aisp_status set_contents(struct aisp_rig *rig, const struct aisp_kept_output *o,
                                     struct aisp_err *err)
{
    int64_t at = 0;

    for (int t = 0; t < rig->inst->n_tensors; t++) {
        struct aisp_contents *c = &rig->contents[t];
        int64_t n;

        if (!is_filled(rig->inst, t))
            continue;
        if (at + 2 > o->n_made || o->made[at] < 1)
            return aisp_fail(err, AISP_E_USAGE, "the kept output names no contents of %s",
                             rig->inst->problem->tensor[t].name);
        c->chunk_elements = o->made[at];
        c->n_chunks = n = o->made[at + 1];
        if (n < 1 || n > o->n_made - at - 2 ||
            n != (rig->inst->extent[t].elements - 1) / c->chunk_elements + 1 ||
            (n > 1 && (c->chunk_elements % 64 ||
                       !aisp_fill_is_chunked(&rig->inst->problem->tensor[t].fill))))
            return aisp_fail(err, AISP_E_USAGE,
                             "the kept output's contents of %s have another size",
                             rig->inst->problem->tensor[t].name);
        c->now = aisp_xcalloc((size_t)((o->slot + 1) * n), sizeof *c->now);
        for (int64_t i = 0; i < n; i++)
            c->now[o->slot * n + i] = (int32_t)o->made[at + 2 + i];
        at += 2 + n;
    }
    return set_at_go(rig, o, at, err);
}

/* Weights are one for all slots, and of the session's secret (see the backend). */
static void *make_weight(const struct aisp_instance *inst, int t,
                         const struct aisp_key *pair_secret)
{
    const struct aisp_key session = aisp_key_derive(pair_secret, "session", 0, 0, 0, 0),
                          key = aisp_key_derive(&session, "weight", 0, t, 0, 0);
    const struct aisp_tensor *tensor = &inst->problem->tensor[t];
    const struct aisp_filling what = { tensor->fill, tensor->dtype, inst->extent[t].elements,
                                       aisp_philox_of(&key) };
    void *to = aligned_alloc(64, (inst->extent[t].bytes + 127) / 64 * 64);

    if (to)
        aisp_fill(&what, to, 0, inst->extent[t].elements);
    return to;
}

static bool read_hex(const char *hex, size_t n, unsigned char *to)
{
    unsigned byte;

    if (strlen(hex) != 2 * n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        to[i] = (unsigned char)byte;
    }
    return true;
}

static bool fits(const struct aisp_instance *inst, const struct aisp_kept_output *o)
{
    return can_be_kept(inst) && o->tensor < inst->n_tensors &&
           aisp_role_is_output(inst->problem->tensor[o->tensor].role) && o->n_rows >= 1 &&
           o->first_row >= 0 && o->n_rows <= inst->extent[o->tensor].rows &&
           o->first_row <= inst->extent[o->tensor].rows - o->n_rows &&
           strlen(o->bytes) == 2 * (size_t)o->n_rows * row_bytes(inst, o->tensor);
}

enum aisp_status aisp_kept_judge(const struct aisp_instance *inst, const struct aisp_kept_output *o,
                                 const struct aisp_key *pair_secret, struct aisp_comparison *answer,
                                 struct aisp_err *err)
{
    const void *tensor[AISP_MAX_TENSORS] = { NULL };
    void *weight[AISP_MAX_TENSORS] = { NULL };
    struct aisp_rig rig = { .inst = inst, .key = *pair_secret, .n_slots = o->slot + 1 };
    struct aisp_question q = { .inst = inst,
                               .view = { tensor, inst->param },
                               .tensor = o->tensor,
                               .first_row = o->first_row,
                               .n_rows = o->n_rows };
    struct aisp_buf scratch = AISP_BUF_INIT;
    unsigned char *got = NULL;
    size_t bytes;
    enum aisp_status st = AISP_OK;

    if (!fits(inst, o))
        return aisp_fail(err, AISP_E_USAGE,
                         "the kept output is not one of this problem at this size");
    bytes = (size_t)o->n_rows * row_bytes(inst, o->tensor);
    got = aisp_xmalloc(bytes);
    if (!read_hex(o->bytes, bytes, got)) {
        st = aisp_fail(err, AISP_E_USAGE, "the kept output's bytes are no hex digits");
        goto out;
    }
    AISP_TRY(set_contents(&rig, o, err));
    for (int t = 0; t < inst->n_tensors; t++) {
        if (is_filled(inst, t))
            tensor[t] = aisp_contents_remake(&rig, o->slot, t, AISP_NOW);
        else if (inst->problem->tensor[t].role == AISP_WEIGHT)
            tensor[t] = weight[t] = make_weight(inst, t, pair_secret);
    }
    q.got = got;
    aisp_judge(&q, &scratch, answer);
out:
    aisp_contents_release(&rig);
    for (int t = 0; t < inst->n_tensors; t++)
        free(weight[t]);
    aisp_buf_release(&scratch);
    free(got);
    return st;
}
