/* slice.h - a part of a long list, cut out of the text of an answer.
 * Why out of the text: a command's JSON is printed one element after the other with known indentation, so that a page costs a
 * look at its lines, and its figures are the very digits that the command printed. */
#ifndef AISP_DASHBOARD_SLICE_H
#define AISP_DASHBOARD_SLICE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

/* The one list of an answer: the answer itself, or the only member of it that is one. */
struct aisp_slice {
    size_t from, to;              /* bytes between its brackets */
    size_t n;                     /* elements */
    int indent;                   /* of the elements */
};
/* False: it has none, or several. */
bool aisp_slice_find(struct aisp_slice *slice, const char *text, size_t n);
/* The answer with only the elements first .. first + count - 1. */
void aisp_slice_write(const struct aisp_slice *slice, const char *text, size_t n, size_t first, size_t count,
                      struct aisp_buf *out);

#endif
