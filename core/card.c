/* card.c - a card's facts as JSON and back. */
#include "core/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/fields.h"

#define COUNT(a)    ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(name)  AISP_FIELD_AT(struct aisp_card, AISP_FIELD_TEXT, name, 1, 0)
#define INT(name)   AISP_FIELD_AT(struct aisp_card, AISP_FIELD_INT, name, 1, 0)
#define BLOCK(name) AISP_FIELD_AT(struct aisp_card_block, AISP_FIELD_INT, name, 1, 0)
#define SINCE       "energy_step_ns" /* records from before windows had their energy lack this, and what came with it */

static const struct aisp_field fields[] = {
    AISP_FIELD_AT(struct aisp_card, AISP_FIELD_BOOL, asked, 1, 0),
    TEXT(unknown),
    TEXT(requested),
    TEXT(name),
    TEXT(uuid),
    TEXT(driver),
    TEXT(name_after),
    TEXT(uuid_after),
    TEXT(driver_after),
    INT(n_cards),
    INT(compute),
    INT(mig),
    INT(ecc),
    INT(sm_mhz_most),
    INT(limit_default_mw),
    INT(energy_mj),
    INT(n_processes),
    INT(busy_high),
    INT(elsewhere_busy_high),
    INT(elsewhere),
    INT(n_samples),
    INT(n_dropped),
};
static const struct aisp_field block_fields[] = {
    BLOCK(pair),
    BLOCK(block),
    AISP_FIELD_AT(struct aisp_card_block, AISP_FIELD_INT, side, 0, 1),
    BLOCK(n),
    BLOCK(sm_mhz_low),
    BLOCK(sm_mhz_high),
    BLOCK(memory_mhz_low),
    BLOCK(celsius_high),
    BLOCK(power_mw_high),
    BLOCK(limit_mw_low),
    BLOCK(limit_mw_high),
    BLOCK(reasons),
};

static const struct aisp_field step_field = INT(energy_step_ns);
static const struct aisp_field energy_fields[] = { BLOCK(n_windows), BLOCK(calls), BLOCK(ns), BLOCK(energy_mj) };

/* Of pairs no window counts, long as it may be: in a control both labels are the reference's, at a holdout's point the size is
 * another one. */
struct aisp_card_energy aisp_card_energy(const struct aisp_card *card, int side)
{
    struct aisp_card_energy sum = { 0 };

    for (size_t i = 0; i < card->n_blocks; i++) {
        const struct aisp_card_block *b = &card->block[i];

        if (b->pair >= 0 || b->side != side || b->energy_mj < 0 || b->n_windows < 1)
            continue;
        sum.n_windows += b->n_windows;
        sum.calls += b->calls;
        sum.ns += b->ns;
        sum.mj += b->energy_mj;
    }
    return sum;
}

void aisp_card_release(struct aisp_card *card)
{
    free(card->block);
    *card = (struct aisp_card){ 0 };
}

json_t *aisp_card_to_json(const struct aisp_card *card)
{
    json_t *json, *rows;

    if (!card->asked)
        return NULL;
    json = aisp_fields_to_object(fields, COUNT(fields), card);
    json_object_set_new(json, SINCE, json_integer((json_int_t)card->energy_step_ns));
    rows = json_array();
    for (size_t i = 0; i < card->n_blocks; i++) {
        json_t *row = aisp_fields_to_object(block_fields, COUNT(block_fields), &card->block[i]);

        json_object_update_new(row, aisp_fields_to_object(energy_fields, COUNT(energy_fields), &card->block[i]));
        json_array_append_new(rows, row);
    }
    json_object_set_new(json, "blocks", rows);
    return json;
}

enum aisp_status aisp_card_from_json(const json_t *json, struct aisp_card *card,
                                     struct aisp_err *err)
{
    const json_t *rows = json_object_get(json, "blocks");
    struct aisp_card read = { .energy_step_ns = -1 };
    const bool has_energy = json_object_get(json, SINCE) != NULL;
    enum aisp_status st;
    char path[64];

    if (!json)
        return AISP_OK;
    AISP_TRY(aisp_fields_from_object(fields, COUNT(fields), json, "card", &read, err));
    if (has_energy)
        AISP_TRY(aisp_fields_from_object(&step_field, 1, json, "card", &read, err));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        struct aisp_card_block *block =
            aisp_grow(&read.block, &read.n_blocks, &read.cap_blocks, sizeof *block);

        snprintf(path, sizeof path, "card.blocks[%zu]", i);
        AISP_TRY(aisp_fields_from_object(block_fields, COUNT(block_fields), json_array_get(rows, i),
                                         path, block, err));
        block->energy_mj = -1;
        if (has_energy)
            AISP_TRY(aisp_fields_from_object(energy_fields, COUNT(energy_fields), json_array_get(rows, i), path, block, err));
    }
    *card = read;
    return AISP_OK;
out:
    aisp_card_release(&read);
    return st;
}
