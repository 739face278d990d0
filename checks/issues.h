/* issues.h - the ninety-five ways in which a comparison goes wrong, by number, family and name, whether a check answers one
 * or not. Not here: the checks (rows of the families' files), what proves them (proof.h). */
#ifndef AISP_CHECKS_ISSUES_H
#define AISP_CHECKS_ISSUES_H

enum { AISP_N_ISSUES = 95 };

struct aisp_issue {
    const char *family, *name;
};

/* number 1 .. 95 */
const struct aisp_issue *aisp_issue(int number);

#endif
