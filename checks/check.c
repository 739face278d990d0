/* check.c - run every check on one comparison's evidence, sort what they found, and grade it. */
#include "checks/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/base/text.h"

const char *aisp_grade_name(enum aisp_grade grade)
{
    static const char *const names[] = { "publishable", "development", "invalid" };

    return names[grade];
}

void aisp_find(struct aisp_findings *out, const struct aisp_check *check, enum aisp_severity severity, int side,
               const char *format, ...)
{
    struct aisp_finding *f = aisp_grow(&out->item, &out->n, &out->cap, sizeof *out->item);
    va_list args;

    if (severity > check->severity)
        AISP_BUG("check %s found something worse than its row says", check->name);
    f->check = check;
    f->severity = severity;
    f->side = side;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
    aisp_text_clean(f->text); /* names of files stand in it, and it may be cut within a character */
}

void aisp_findings_release(struct aisp_findings *findings)
{
    free(findings->item);
    *findings = (struct aisp_findings)AISP_FINDINGS_INIT;
}

static int worse_first(const void *a, const void *b)
{
    const struct aisp_finding *x = a, *y = b;

    if (x->severity != y->severity)
        return x->severity < y->severity ? 1 : -1;
    if (x->check->rank != y->check->rank)
        return x->check->rank < y->check->rank ? -1 : 1;
    if (x->check->issue != y->check->issue)
        return x->check->issue < y->check->issue ? -1 : 1;
    return x->side - y->side;
}

/* --publish asks for publishable results only: what would be development is then a reason to withhold. */
static void escalate(const struct aisp_grading *grading, struct aisp_findings *out)
{
    for (size_t i = 0; i < out->n; i++) {
        struct aisp_finding *f = &out->item[i];

        if (f->severity == AISP_DEVELOPMENT && f->check->issue == 79 && grading->allow_virtualization)
            f->severity = AISP_NOTE;
        else if (f->severity == AISP_DEVELOPMENT && grading->publish)
            f->severity = AISP_VIOLATION;
    }
}

enum aisp_grade aisp_examine(const struct aisp_evidence *ev, const struct aisp_grading *grading, struct aisp_findings *out)
{
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        check->examine(check, ev, out);
    escalate(grading, out);
    if (!out->n)
        return AISP_GRADE_PUBLISHABLE;
    qsort(out->item, out->n, sizeof *out->item, worse_first);
    switch (out->item[0].severity) {
    case AISP_VIOLATION: return AISP_GRADE_INVALID;
    case AISP_DEVELOPMENT: return AISP_GRADE_DEVELOPMENT;
    case AISP_NOTE: break;
    }
    return AISP_GRADE_PUBLISHABLE;
}
