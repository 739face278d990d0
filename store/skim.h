/* skim.h - read JSON where it lies: is it whole, and what do these members say? No tree is made.
 * For who takes twenty numbers out of each of a million records (import.c, extract.c). Everybody else reads JSON with jansson,
 * which needs twenty times as long for the tree that is thrown away then.
 * What passes the check here is read by jansson as well: it refuses the same and a little more (depth, escaped names where
 * members are looked for). tests/fuzz/import_fuzz.c holds the two against each other. */
#ifndef AISP_STORE_SKIM_H
#define AISP_STORE_SKIM_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* A piece of somebody's text, not terminated. s NULL: not there. */
struct aisp_span { const char *s; size_t n; };

/* Members of an object, and behind each that is an object itself, its members: what a line of an export is read for. */
enum { AISP_SKIM_MEMBERS = 320 };
struct aisp_skim_members {
    size_t n;                        /* more than there is room for are left out: then n is AISP_SKIM_MEMBERS */
    struct aisp_skim_member { struct aisp_span name, value; int depth; } of[AISP_SKIM_MEMBERS];     /* depth: 1 or 2 */
};

/* Is it one JSON value, with nothing around it but space? `members` may be NULL.
 * Errors: AISP_E_USAGE, with the byte and what was wrong. */
enum aisp_status aisp_skim_check(struct aisp_span text, struct aisp_skim_members *members, struct aisp_err *err);

/* ---- of a text that passed ---- */

/* The members of an object, one after the other: *rest begins as the object, *name is without quotes. False after the last,
 * or where it is no object. */
bool aisp_skim_next(struct aisp_span *rest, struct aisp_span *name, struct aisp_span *value);
/* The last member of that name. */
struct aisp_span aisp_skim_find(struct aisp_span object, const char *name);

/* The items of an array, in the same way. */
bool aisp_skim_item(struct aisp_span *rest, struct aisp_span *value);

static inline bool aisp_span_is(struct aisp_span span, const char *text)
{
    const size_t n = strlen(text);

    return span.n == n && span.s && !memcmp(span.s, text, n);
}
bool aisp_skim_is_object(struct aisp_span value);
bool aisp_skim_is_number(struct aisp_span value);
/* A string without its quotes into `to`; false, and "", where it is none or has no room. */
bool aisp_skim_text(struct aisp_span value, char *to, size_t size);

/* The same value without space, and laid out as aisp_file_json_text() does it: numbers and texts stay byte for byte, so that a
 * file that went out on one line comes back with the hash that it had. */
void aisp_skim_compact(struct aisp_span value, struct aisp_buf *out);
void aisp_skim_indent(struct aisp_span value, struct aisp_buf *out);

#endif
