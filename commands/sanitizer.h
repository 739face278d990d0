/* sanitizer.h - what compute-sanitizer says of the CUDA forms of a target, as run by aisp-plain at the quick size.
 * Not here: the command that asks for it (bench_audit.c), the text (bench_audit_text.c).
 * Why through aisp-plain: a worker's memory is shared with its judge and its address space is arranged, which the tool's own
 * bookkeeping does not survive. What is checked is the same object file. */
#ifndef AISP_COMMANDS_SANITIZER_H
#define AISP_COMMANDS_SANITIZER_H

#include <stdbool.h>

#include "commands/command.h"
#include "core/catalogue.h"

enum aisp_sanitized { AISP_SANITIZED_CLEAN, AISP_SANITIZED_WARNINGS, AISP_SANITIZED_ERRORS, AISP_SANITIZED_NOT_JUDGED, AISP_N_SANITIZED };

struct aisp_sanitizer_cell {
    enum aisp_sanitized state;
    int64_t errors, warnings;
    char why[256];                   /* NOT_JUDGED: why; else the first complaint, or what was wrong with the output, or "" */
};

/* What one run printed: lines of the tool, which begin with "=========", and the one line of aisp-plain's JSON. Nothing is clean
 * unless the variant ran to its end: the tool ends with "0 errors" of a program that never began. */
void aisp_sanitizer_read(const char *printed, struct aisp_sanitizer_cell *cell);

/* The tools, in the order of the cells. Ends with NULL. */
extern const char *const aisp_sanitizer_tools[];

/* Runs each tool over each CUDA variant of a target, and appends {"target", "variant", "cells": [{"tool", "state", "errors",
 * "warnings", "why"}]} to rows. *stopped, once set, says why nothing further needs to be tried (no tool, no device): the cells of
 * all that follow say the same. Errors: AISP_E_INTERRUPTED, AISP_E_IO. */
enum aisp_status aisp_sanitizer_run(const struct aisp_request *request, const struct aisp_target *target, char stopped[256],
                                    json_t *rows);

#endif
