/* expr.h - the expression language of dims, bytes, flops and units: whole numbers, parameter names, + - * / % ( ),
 * min(a,b), max(a,b), ceil(a,b) = a/b rounded up, log2(a) = floor, most(a,b) = a, an error where it is above b. 64-bit, every
 * overflow is an error, / and % by zero too.
 * Errors are one line that shows the text and points at the character:
 *   bytes "8*rows*colz": unknown name "colz" at character 8 */
#ifndef AISP_CORE_EXPR_H
#define AISP_CORE_EXPR_H

#include <stdint.h>

#include "core/base/err.h"

/* The names an expression may use, with their values. */
struct aisp_names { const char *const *name; const int64_t *value; int n; };

/* One expression. `what` names it in errors ("bytes", "dims of y"). Errors: AISP_E_USAGE. */
enum aisp_status aisp_expr(const char *text, const char *what, const struct aisp_names *names, int64_t *value,
                           struct aisp_err *err);

/* A comma separated list: at most `max` values; *n says how many. */
enum aisp_status aisp_expr_list(const char *text, const char *what, const struct aisp_names *names, int64_t *value, int max,
                                int *n, struct aisp_err *err);

#endif
