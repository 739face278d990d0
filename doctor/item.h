/* item.h - what an item of the checklist is: one filled row in the file of its family.
 *   AISP_ITEM(swappiness) = { .id = "system.swappiness", .title = ..., .why = ..., .how = ..., .fix = ...,
 *                             .check = swappiness };
 * `aisp doctor`, its guide and its tests are made from the rows; no list is edited by hand.
 * Not here: reading a machine (root.h), showing what was found (commands/doctor.c).
 * Why a root: a check then runs on a recorded or composed machine as on this one, so both of its answers can be tested.
 * Rules for a check: it only reads; it never waits; what it cannot read is "unknown" with the name of what could not be read,
 * never "ok"; what the machine does not have is "not applicable". Thresholds have their reason in a comment. */
#ifndef AISP_DOCTOR_ITEM_H
#define AISP_DOCTOR_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/section.h"
#include "doctor/root.h"

/* Worst first, as shown. */
enum aisp_diagnosis {
    AISP_DIAGNOSIS_PROBLEM,          /* spoils measurements or costs real performance */
    AISP_DIAGNOSIS_ATTENTION,        /* may; somebody should decide */
    AISP_DIAGNOSIS_UNKNOWN,          /* could not be read */
    AISP_DIAGNOSIS_OK,
    AISP_DIAGNOSIS_NOT_APPLICABLE,
    AISP_DIAGNOSIS_ASK,              /* only a person can say */
    AISP_N_DIAGNOSES,
};

/* Filled by exactly one call of the functions below. */
struct aisp_found {
    enum aisp_diagnosis verdict;
    char text[240];
};

struct aisp_item {
    const char *id;      /* "family.word" */
    const char *title;   /* what should hold, a statement of at most 64 characters without full stop */
    const char *why;     /* the mechanism, one or two sentences */
    const char *how;     /* where it is read, or what to ask */
    const char *fix;     /* commands or settings, lines of at most 68 characters; printed, never run */
    void (*check)(const struct aisp_root *root, struct aisp_found *found);   /* NULL: ask */
};

AISP_TABLE(aisp_items, struct aisp_item);
#define AISP_ITEM(name) AISP_ROW(aisp_items, struct aisp_item, item_##name)

/* ---- what a check says ---- */

void aisp_found_ok(struct aisp_found *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
void aisp_found_attention(struct aisp_found *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
void aisp_found_problem(struct aisp_found *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
void aisp_found_not_applicable(struct aisp_found *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "cannot read WHAT" */
void aisp_found_unreadable(struct aisp_found *found, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* ok where `good`, else `bad`: for facts whose sentence is the same both ways. */
void aisp_found_judged(struct aisp_found *found, bool good, enum aisp_diagnosis bad, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- readers that answer for the check where there is nothing to judge: false = found is filled, return ---- */

bool aisp_need_integer(const struct aisp_root *root, struct aisp_found *found, const char *file, int64_t *value);
bool aisp_need_line(const struct aisp_root *root, struct aisp_found *found, const char *file, char *to, size_t size);
/* The choice in brackets: "[madvise]" of "always [madvise] never". */
bool aisp_need_chosen(const struct aisp_root *root, struct aisp_found *found, const char *file, char *to, size_t size);
bool aisp_need_field(const struct aisp_root *root, struct aisp_found *found, const char *file, const char *key, int64_t *value);
bool aisp_need_environment(const struct aisp_root *root, struct aisp_found *found);
bool aisp_need_nvidia(const struct aisp_root *root, struct aisp_found *found);
bool aisp_need_rdma(const struct aisp_root *root, struct aisp_found *found);

/* An environment variable that should not be set: unset is ok; `bad` if it is one of the |-separated values (NULL: any).
 * Lists all of the |-separated names that are. */
void aisp_check_unset(const struct aisp_root *root, struct aisp_found *found, const char *names, const char *values,
                      enum aisp_diagnosis bad);

/* ---- the table ---- */

struct aisp_family { const char *id, *title; };
/* In the order in which they are shown; ends with a NULL id. */
extern const struct aisp_family aisp_families[];

/* All items, by family and id; caller frees the array. */
const struct aisp_item **aisp_items_sorted(size_t *n);
const struct aisp_family *aisp_item_family(const struct aisp_item *item);
/* Look. Fills *found whatever happens. */
void aisp_item_check(const struct aisp_item *item, const struct aisp_root *root, struct aisp_found *found);
/* "problem", "attention", "unknown", "ok", "not applicable", "ask" */
const char *aisp_diagnosis_name(enum aisp_diagnosis verdict);

#endif
