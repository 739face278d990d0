/* intake.h - runs that were made elsewhere, or whose rows were lost, into the store.
 *   aisp_intake_new, then for each run: aisp_intake_run, aisp_intake_result ..., aisp_intake_seal; aisp_intake_commit
 * What is here already is compared with what comes: the same again changes nothing, anything else under the same run is refused
 * by its name. An open run may come again with more results, and sealed.
 * A run is written whole or not at all; many of them in pieces of about a second, between which others may write. To have all
 * or nothing of a file, try it first: whatever is wrong with it shows there, before anything is written.
 * Not here: where it is read from (import.c, check.c). */
#ifndef AISP_STORE_INTAKE_H
#define AISP_STORE_INTAKE_H

#include "store/skim.h"
#include "store/store.h"

struct aisp_intake_counts { int64_t runs, results, evidence, known_runs, known_results; };

struct aisp_intake_result {
    struct aisp_span result;         /* checked JSON, of a text that can be written to */
    const struct aisp_skim_member *member;      /* its members, as the check found them */
    size_t n_members;
    struct aisp_span evidence;       /* checked JSON on one line, or a file's text; NULL: it did not come with it */
    bool evidence_is_file;
    struct aisp_span sha256;         /* of the evidence file, as the sender has it; NULL: it did not say */
};

enum aisp_intake_mode {
    AISP_INTAKE_TRY,                 /* write nothing, only find what is wrong */
    AISP_INTAKE_COPY,
    AISP_INTAKE_IN_PLACE,            /* the files are in the store's own folder already: rows only */
};

struct aisp_intake;
enum aisp_status aisp_intake_new(struct aisp_intake **intake, struct aisp_store *store, enum aisp_intake_mode mode,
                                 struct aisp_err *err);
/* Without a commit before, nothing of the piece at hand stays. */
void aisp_intake_free(struct aisp_intake *intake);

/* All spans are checked JSON of texts that can be written to for the duration of the call.
 * Errors: AISP_E_USAGE (no run, no result of it, other content than here, evidence that its hash denies), AISP_E_IO. */
enum aisp_status aisp_intake_run(struct aisp_intake *intake, int64_t started_at, struct aisp_span manifest,
                                 struct aisp_err *err);
enum aisp_status aisp_intake_result(struct aisp_intake *intake, const struct aisp_intake_result *result, struct aisp_err *err);
enum aisp_status aisp_intake_seal(struct aisp_intake *intake, struct aisp_span summary, int64_t finished_at,
                                  struct aisp_err *err);
/* The run whose results come now; "" before the first and behind a seal. */
const char *aisp_intake_current(const struct aisp_intake *intake);
/* So far. */
const struct aisp_intake_counts *aisp_intake_counts(const struct aisp_intake *intake);
enum aisp_status aisp_intake_commit(struct aisp_intake *intake, struct aisp_err *err);

#endif
