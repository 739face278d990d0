/* report.h - one run with its series, as the reports draw it, and how they write numbers.
 * Not here: what a report looks like (report_markdown.c, report_html.c, report_svg.c), the command (bench_report.c).
 * A report is a pure function of the record: no clock, no machine; the same record gives the same bytes. */
#ifndef AISP_COMMANDS_REPORT_H
#define AISP_COMMANDS_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/calibration.h"
#include "store/store.h"

/* ns per call of one side, in the order of the windows. Empty where it was not measured or is withheld. */
struct aisp_report_series { double *ns; size_t n; };

/* The ceilings that were measured, of as many cores as the sides took, and what the sides reached. */
struct aisp_report_roof {
    double gbps;                             /* that counts: of the level that can hold what a call must move; 0: not measured */
    double level_gbps[4];                    /* L1, L2, L3, DRAM; 0: not measured */
    double flops_per_byte, peak_gflops;      /* 0: no arithmetic is declared, or its ceiling was not measured */
    const char *arithmetic;                  /* the type of it, "bf16" */
    double rate[2];                          /* GFLOP/s; without arithmetic GB/s. NaN: not timed, or withheld */
};

struct aisp_report_row {
    const json_t *result;
    struct aisp_report_series side[2];       /* enum aisp_side */
    double *pair_ratio;                      /* one a pair, in order; empty if withheld */
    size_t n_pairs;
    struct aisp_report_roof roof;
    char trouble[200];                       /* why there is nothing to draw, or why it is not to be trusted; else "" */
    bool is_quarantined;                     /* found wrong since: shown, but not set beside the others */
};

struct aisp_report {
    json_t *record;                          /* as aisp_store_run_load gives it */
    struct aisp_report_row *row;             /* in the order of the results: those of one target lie together */
    size_t n, cap;
    size_t n_swept;                          /* so many at the end are points of `maps`; the others are drawn one by one */
    json_t *maps;                            /* commands/sweep/map.h; empty in a run without a sweep */
    struct aisp_calibration calibration;     /* as kept in the evidence; taken_at 0: none */
};
#define AISP_REPORT_INIT { 0 }

/* Errors: those of aisp_store_run_load. Evidence that cannot be read is a row's trouble, not an error. */
enum aisp_status aisp_report_load(struct aisp_report *report, struct aisp_store *store, const char *run,
                                  struct aisp_err *err);
void aisp_report_release(struct aisp_report *report);

void aisp_report_markdown(const struct aisp_report *report, struct aisp_buf *out);
void aisp_report_html(const struct aisp_report *report, struct aisp_buf *out);
/* Pages of A4 (reports/pdf.c); uncompressed for who wants to read its operators. Errors: AISP_E_UNAVAILABLE (built without
 * libharu), AISP_E_NO_MEMORY. */
enum aisp_status aisp_report_pdf(const struct aisp_report *report, bool is_compressed, struct aisp_buf *out, struct aisp_err *err);
/* New reference: the record with its calibration, and for each key five quantiles of both sides, the pairs' ratios and the place
 * under the roof. */
json_t *aisp_report_json(const struct aisp_report *report);

/* ---- what is said ---- */

const char *aisp_report_text(const json_t *object, const char *key);         /* "" if it is none */
double aisp_report_number(const json_t *object, const char *key);            /* NaN if it is none */
/* result[key][side], side "a" or "b" */
double aisp_report_side(const json_t *result, const char *key, const char *side);
bool aisp_report_is(const json_t *object, const char *key, const char *text);
/* Rows of the target that `first` begins. */
size_t aisp_report_group(const struct aisp_report *report, size_t first);

/* "8.21 ms" with three digits; "-" if it is no number */
void aisp_report_put_time(struct aisp_buf *out, double ns);
void aisp_report_put_ratio(struct aisp_buf *out, const json_t *result);      /* "2.034 [2.011, 2.058]" */
void aisp_report_put_roof(struct aisp_buf *out, const json_t *result);       /* "61% (bytes)" */
void aisp_report_put_params(struct aisp_buf *out, const json_t *result);     /* "default: rows=2048 cols=2048" */
/* Why it is UNSURE or INVALID, and what more it would take; nothing for other verdicts. */
void aisp_report_put_why(struct aisp_buf *out, const json_t *result);
/* As Markdown's text in one line: nothing of it is markup. */
void aisp_report_put_markdown(struct aisp_buf *out, const char *text);
/* "14 comparisons: 10 FASTER, 1 SLOWER" */
void aisp_report_put_counts(struct aisp_buf *out, const struct aisp_report *report);

/* A finding that is the same in several rows, with who has it. */
struct aisp_report_finding { const json_t *finding; struct aisp_buf who; size_t n; };
struct aisp_report_findings { struct aisp_report_finding *item; size_t n, cap; };
/* Worst first. */
void aisp_report_findings_of(const struct aisp_report *report, struct aisp_report_findings *out);
void aisp_report_findings_release(struct aisp_report_findings *findings);

/* Names and values for the tables of machine, origin and calibration; what is unknown is left out. */
struct aisp_report_facts { char *(*fact)[2]; size_t n, cap; };
void aisp_report_machine(const struct aisp_report *report, struct aisp_report_facts *out);
void aisp_report_origin(const struct aisp_report *report, struct aisp_report_facts *out);
void aisp_report_calibration(const struct aisp_report *report, struct aisp_report_facts *out);
void aisp_report_facts_release(struct aisp_report_facts *facts);

/* How to read a report: words and what they mean; ends with NULL. */
struct aisp_report_word { const char *word, *meaning; };
extern const struct aisp_report_word aisp_report_words[];

#endif
