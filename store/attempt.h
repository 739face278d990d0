/* attempt.h - candidates that were judged: each attempt of a family on a target has a number, and none is ever taken back.
 * Not here: what an answer says (commands/judge_answer.h). */
#ifndef AISP_STORE_ATTEMPT_H
#define AISP_STORE_ATTEMPT_H

#include "store/store.h"

struct aisp_attempt {
    const char *target, *family, *sha256, *build, *run, *rejected;
    double ratio;                    /* nan: none */
    const json_t *answer;
};

/* *number: which attempt of this family on this target it was. */
enum aisp_status aisp_store_attempt_add(struct aisp_store *store, const struct aisp_attempt *attempt, int64_t *number,
                                        struct aisp_err *err);
/* The newest answer to the same source on the same target and build, with "attempt" and "run" set; NULL if there is none. */
enum aisp_status aisp_store_attempt_find(struct aisp_store *store, const char *sha256, const char *target, const char *build,
                                         json_t **answer, struct aisp_err *err);
/* How many attempts a family has made on a target, and the answer with the highest ratio among those of this build that were
 * not rejected (NULL if there is none). */
enum aisp_status aisp_store_attempt_best(struct aisp_store *store, const char *target, const char *family, const char *build,
                                         int64_t *n, json_t **best, struct aisp_err *err);
/* All of them, oldest first, for export: [{"at", "target", "family", "number", ..., "answer"}]. */
enum aisp_status aisp_store_attempts(struct aisp_store *store, json_t **out, struct aisp_err *err);
/* One of these, as it was: for import, in the caller's transaction. One that is there already is passed over; one whose number
 * is taken gets the next. Errors: AISP_E_USAGE (no such line). */
enum aisp_status aisp_store_attempt_import(struct aisp_store *store, const json_t *line, struct aisp_err *err);

/* How many results of the same code are on record: measured on the same target, with the same problem, reference and variant by the
 * hashes of their code, at the same parameters and on the same device. 0 where a hash is not known. */
enum aisp_status aisp_store_same_code(struct aisp_store *store, const json_t *result, int64_t *n, struct aisp_err *err);

/* The newest results of a variant against the baseline, of any run: at most `limit`. */
enum aisp_status aisp_store_results_of(struct aisp_store *store, const char *target, const char *variant, const char *device,
                                       int limit, json_t **out, struct aisp_err *err);

#endif
