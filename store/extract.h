/* extract.h - what the index holds of one result: names, and its figures as texts of numbers, out of its JSON.
 * Where the figures are, by side:
 *   ratio, lo95, hi95, median_ns, p99_ns        the members of these names; a server's p99 is that of its goal_figure
 *   memory   goal_figure.bytes (proven as a limit), else profile.*.peak_rss_bytes (asked for with --profile), else not measured
 *   energy   energy_j
 *   per second   goal_figure.rate, else per_second
 * Members that are not there, null or no number are NULL: withheld or not measured. */
#ifndef AISP_STORE_EXTRACT_H
#define AISP_STORE_EXTRACT_H

#include "store/skim.h"

enum aisp_extract_figure {
    AISP_EXTRACT_RATIO, AISP_EXTRACT_LO95, AISP_EXTRACT_HI95, AISP_EXTRACT_A_MEDIAN, AISP_EXTRACT_B_MEDIAN, AISP_EXTRACT_B_P99,
    AISP_EXTRACT_A_MEMORY, AISP_EXTRACT_B_MEMORY, AISP_EXTRACT_A_ENERGY, AISP_EXTRACT_B_ENERGY, AISP_EXTRACT_A_RATE,
    AISP_EXTRACT_B_RATE,
    AISP_N_EXTRACT
};

struct aisp_extract {
    char key[200], target[200], variant[200], reference[200], device[32], size[32], goal[32], grade[32], verdict[32];
    char scope[16];                          /* in `device` too: aisp_scope_device() */
    const char *figure[AISP_N_EXTRACT];      /* into digits; NULL: none */
    char digits[AISP_N_EXTRACT][32];
};

/* The members of a result, as aisp_skim_check() found them: the first `n` of one depth. Names that are not there are "".
 * Without `figures`, the names only. Errors: AISP_E_USAGE (a name that is no text or too long). */
enum aisp_status aisp_extract(const struct aisp_skim_member *member, size_t n, bool figures, struct aisp_extract *out,
                              struct aisp_err *err);
/* The same of a result's text, which is checked. Errors: AISP_E_USAGE also where it is no JSON. */
enum aisp_status aisp_extract_text(const char *result, struct aisp_extract *out, struct aisp_err *err);

#endif
