/* evidence.h - the text of what was observed: a file in the run's folder, and in the shared store a row as well. */
#ifndef AISP_STORE_EVIDENCE_H
#define AISP_STORE_EVIDENCE_H

#include "store/store.h"

/* Durable when this returns; the result's row, which names the hash, comes after. Errors: AISP_E_USAGE (the key cannot be a
 * file name), AISP_E_IO. */
enum aisp_status aisp_evidence_keep(struct aisp_store *store, const char *run, const char *key, const json_t *evidence,
                                    char sha256[65], struct aisp_err *err);
/* The same of a text that is JSON already. */
enum aisp_status aisp_evidence_keep_text(struct aisp_store *store, const char *run, const char *key, const char *text,
                                         char sha256[65], struct aisp_err *err);
/* Only into the shared store, for who has the file already; in the embedded one nothing is done. */
enum aisp_status aisp_evidence_share(struct aisp_store *store, const char *text, const char sha256[65], struct aisp_err *err);
/* Out of the shared store, once it is recorded as pruned; it stays where a result that is not pruned has the same. */
enum aisp_status aisp_evidence_forget(struct aisp_store *store, const char *run, const char *key, struct aisp_err *err);

#endif
