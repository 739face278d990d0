/* candidate.h - sources that strangers handed in: read, named, hashed, before anything is done with them.
 * Not here: compiling (judge_build.h), answering (judge_answer.h).
 * A name is whatever a stranger calls a file: it is shown, cleaned, and never used for anything else. */
#ifndef AISP_COMMANDS_CANDIDATE_H
#define AISP_COMMANDS_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

enum { AISP_CANDIDATE_NAME_MAX = 64, AISP_CANDIDATE_BYTES_MAX = 1 << 20, AISP_CANDIDATES_MAX = 100000 };

struct aisp_candidate {
    char name[AISP_CANDIDATE_NAME_MAX];      /* printable ASCII */
    char family[AISP_CANDIDATE_NAME_MAX];    /* the name without suffix and number, unless one was given */
    char sha256[65];                         /* of the source */
    char *source;                            /* NULL if `rejected` */
    size_t bytes;
    bool is_answered;                        /* by an earlier judge: nothing is to be built */
    const char *rejected;                    /* "" or the reason word: "not-a-file", "source-too-large", "bad-request" */
    char why[200];
};

struct aisp_candidates {
    struct aisp_candidate *item;
    size_t n, cap;
};
void aisp_candidates_release(struct aisp_candidates *list);

/* A file, or every NAME.c of a folder in the order of their names, where links and what is no plain file are rejected. What
 * cannot be read at all is the caller's mistake: AISP_E_NOT_FOUND, AISP_E_IO, AISP_E_USAGE (too many). */
enum aisp_status aisp_candidates_add_path(struct aisp_candidates *list, const char *path, const char *family,
                                          struct aisp_err *err);
/* All of a stream: one source, or (as_lines) JSON Lines {"name", "source", "family"}, of which family may be left out. */
enum aisp_status aisp_candidates_add_stream(struct aisp_candidates *list, FILE *stream, bool as_lines, const char *family,
                                            struct aisp_err *err);

/* Printable ASCII, at most size - 1 characters; what is none becomes '?'. */
void aisp_candidate_clean(const char *text, size_t n, char *to, size_t size);

#endif
