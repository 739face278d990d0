/* index.h - the derived tables of schema 004: what is asked of many results at once, taken out of their JSON as they are added.
 *   machine, series   who measured, and what can be set side by side over time; numbers in the rows below
 *   figure            one row a result            newest, tally     of each series, over sealed runs
 *   open_run          runs without a seal
 * Not here: asking (query.h), the JSON itself (run.c).
 * Why derived: they can be wrong only until the next rebuild, and rows of theirs may be changed without touching evidence. */
#ifndef AISP_STORE_INDEX_H
#define AISP_STORE_INDEX_H

#include "store/db.h"
#include "store/extract.h"

/* Statements and names of one transaction of the caller's; free it before that ends. */
struct aisp_index;
struct aisp_index *aisp_index_new(struct aisp_store *store);
void aisp_index_free(struct aisp_index *index);

/* Stores of an older aisp are brought up to date when they are opened, where they can be written. Errors: AISP_E_IO. */
enum aisp_status aisp_index_exists(struct aisp_store *store, struct aisp_err *err);

/* A run was added: it is open. */
enum aisp_status aisp_index_add_run(struct aisp_index *index, const char *run, struct aisp_err *err);
/* Results of this run follow; `manifest` is its checked JSON. */
enum aisp_status aisp_index_enter(struct aisp_index *index, const char *run, int64_t started_at, struct aisp_span manifest,
                                  struct aisp_err *err);
/* A result of the run that was entered: its rowid; `card`: name of the accelerator, or "". */
enum aisp_status aisp_index_add_result(struct aisp_index *index, int64_t id, const struct aisp_extract *result,
                                       const char *card, struct aisp_err *err);
/* The run that was entered is complete. `has_all`: all its results were added since; then what follows from that is written by
 * the flush, together for all such runs. */
enum aisp_status aisp_index_seal(struct aisp_index *index, bool has_all, struct aisp_err *err);
enum aisp_status aisp_index_flush(struct aisp_index *index, struct aisp_err *err);

/* Name of the card in a result's evidence; "" where it used none. Of JSON as a tree, and of checked text. */
const char *aisp_index_card(const json_t *evidence);
void aisp_index_skim_card(struct aisp_span evidence, char *card, size_t size);

/* All of it anew, in the caller's transaction: for a store that had none, and for one whose index is wrong. */
enum aisp_status aisp_index_rebuild(struct aisp_store *store, struct aisp_err *err);
/* As many figures as results, as many open runs as runs without a seal? */
enum aisp_status aisp_index_is_whole(struct aisp_store *store, bool *whole, struct aisp_err *err);

#endif
