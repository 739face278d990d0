/* calc.h - what the calculators share: numbers that may be missing, byte counts, notes, and lines of at most 80 columns.
 * A figure that follows from something that was not given is null in JSON and "not given" in text, and a note says what was
 * missing: no calculator fills in a usual value.
 * Not here: any formula (model.c, kv_cache.c, token_cost.c, queueing.c, parallelism.c, roof.c). */
#ifndef AISP_COMMANDS_UTILS_CALC_H
#define AISP_COMMANDS_UTILS_CALC_H

#include "commands/command.h"

#define AISP_GIB (1024.0 * 1024 * 1024)

/* null for NaN and Inf. */
json_t *aisp_calc_real(double x);
/* The same of what is counted: whole numbers stay whole, for JSON shortens others. */
json_t *aisp_calc_count(double x);
/* NaN for null and what is not there. */
double aisp_calc_of(const json_t *value, const char *key);
const char *aisp_calc_text(const json_t *value, const char *key);     /* "" if there is none */

/* The option's value, or NaN if it was not given and has no preset. */
double aisp_calc_asked(const struct aisp_args *args, const char *option);

/* Add a line to a list of notes. */
void aisp_calc_note(json_t *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "40.00 GiB"; "-" for NaN. */
struct aisp_calc_bytes { char s[24]; };
struct aisp_calc_bytes aisp_calc_bytes(double bytes);

/* Text broken at spaces before column 80; lines after the first begin with `indent` spaces. The first has used `used`
 * characters already. Ends with a line feed. */
void aisp_calc_put_wrapped(struct aisp_buf *out, int used, int indent, const char *text);
/* "note: ..." for each of value's "notes". */
void aisp_calc_put_notes(struct aisp_buf *out, const json_t *value);

#endif
