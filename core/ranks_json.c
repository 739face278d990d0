/* ranks_json.c - what was seen of ranks, as JSON and back. Spans are rows of a table: there are as many as windows times ranks. */
#include "core/ranks.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/fields.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

#define THIS               struct aisp_ranks
#define IN(member, lo, hi) AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)
#define INT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
static const struct aisp_field head[] = {
    IN(n_ranks, 2, AISP_MAX_RANKS),
    IN(n_tensors, 1, INT16_MAX),
    AISP_FIELD_ARRAY(THIS, AISP_FIELD_INT, bytes),
    IN(team, AISP_IN_STEP, AISP_LOOSE),
    IN(n_messages, 0, INT64_MAX),
    IN(message_bytes, 0, INT64_MAX),
    AISP_FIELD_ARRAY(THIS, AISP_FIELD_INT, n_own_data),
    AISP_FIELD_ARRAY(THIS, AISP_FIELD_INT, own_data_rank),
};
#undef THIS
#define THIS struct aisp_rank_span
static const struct aisp_field span[] = {
    INT(pair),
    INT(index),
    IN(side, 0, 1),
    IN(rank, 0, AISP_MAX_RANKS - 1),
    IN(calls, 1, INT64_MAX),
    INT(end_ns),
    INT(cpu_ns),
    INT(idle_ns),
    INT(inner_ns),
    INT(n_sent),
    INT(sent_bytes),
};
#undef THIS

json_t *aisp_ranks_to_json(const struct aisp_ranks *ranks)
{
    json_t *json, *rows;

    if (ranks->n_ranks < 2)
        return NULL;
    json = aisp_fields_to_object(head, COUNT(head), ranks);
    rows = json_array();
    for (size_t i = 0; i < ranks->n_spans; i++)
        json_array_append_new(rows, aisp_fields_to_row(span, COUNT(span), &ranks->span[i]));
    json_object_set_new(json, "spans", rows);
    return json;
}

enum aisp_status aisp_ranks_from_json(const json_t *json, struct aisp_ranks *ranks,
                                      struct aisp_err *err)
{
    const json_t *rows = json_object_get(json, "spans");
    enum aisp_status st = AISP_OK;
    char path[64];

    if (!json)
        return AISP_OK;
    AISP_TRY(aisp_fields_from_object(head, COUNT(head), json, "ranks", ranks, err));
    if (!json_is_array(rows))
        return aisp_fail(err, AISP_E_IO, "ranks.spans: missing or not a list");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        struct aisp_rank_span *s =
            aisp_grow(&ranks->span, &ranks->n_spans, &ranks->cap_spans, sizeof *s);

        snprintf(path, sizeof path, "ranks.spans[%zu]", i);
        AISP_TRY(aisp_fields_from_row(span, COUNT(span), json_array_get(rows, i), path, s, err));
    }
    for (int side = 0; side < 2; side++)
        if (ranks->own_data_rank[side] < 0 || ranks->own_data_rank[side] >= ranks->n_ranks)
            return aisp_fail(err, AISP_E_IO, "ranks.own_data_rank[%d]: out of range", side);
out:
    return st;
}
