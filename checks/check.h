/* check.h - a protection: a pure function from evidence to findings, one row for each.
 * One file for each family of validity issue. The build's lint fails if a row has no cheat (tests/cheats/<name>.c) or no
 * honest twin (tests/honest/<name>.c).
 *
 *   AISP_CHECK(stale_cache) = { .issue = 9, .name = "stale-cache", .family = "output", ... .examine = stale_cache_examine };
 */
#ifndef AISP_CHECKS_H
#define AISP_CHECKS_H

#include <stddef.h>

#include "core/base/section.h"
#include "core/evidence.h"

enum aisp_severity {
    AISP_NOTE,            /* printed, changes nothing */
    AISP_DEVELOPMENT,     /* the environment does not qualify: the number is labelled */
    AISP_VIOLATION,       /* the speedup is withheld */
};

struct aisp_check;
struct aisp_finding {
    const struct aisp_check *check;
    enum aisp_severity severity;
    int side;                               /* enum aisp_side, or -1: the machine */
    char text[320];                         /* which call, what was seen, what was expected */
};

struct aisp_findings { struct aisp_finding *item; size_t n, cap; };
#define AISP_FINDINGS_INIT { 0 }

struct aisp_check {
    int issue;                              /* 1 .. 95, of the list of validity issues */
    const char *name;                       /* "stale-cache" */
    const char *family;                     /* timing output workload location memory cuda compile distributed environment
                                               statistical evaluation */
    const char *title;                      /* one sentence: what cannot happen unseen */
    const char *needs;                      /* what must be in the evidence: "cpu", "gpu", "ranks" ... */
    const char *incident;                   /* the real event it answers, or "" */
    enum aisp_severity severity;            /* the worst it can say */
    int rank;                               /* among findings of one severity the lower rank is named first: specific before
                                               general */
    void (*examine)(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out);
};

AISP_TABLE(aisp_checks, struct aisp_check);
#define AISP_CHECK(name) AISP_ROW(aisp_checks, struct aisp_check, name)

void aisp_find(struct aisp_findings *out, const struct aisp_check *check, enum aisp_severity severity, int side,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
void aisp_findings_release(struct aisp_findings *findings);

enum aisp_grade { AISP_GRADE_PUBLISHABLE, AISP_GRADE_DEVELOPMENT, AISP_GRADE_INVALID };
const char *aisp_grade_name(enum aisp_grade grade);

/* What is asked of the grade: --publish turns development into invalid; one reason may be accepted by the user. */
struct aisp_grading { bool publish, allow_virtualization; };

/* Run every check; findings come sorted, worst and most specific first. */
enum aisp_grade aisp_examine(const struct aisp_evidence *ev, const struct aisp_grading *grading, struct aisp_findings *out);

#endif
