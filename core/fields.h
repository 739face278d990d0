/* fields.h - plain structs as JSON and back, from one list of their members.
 * Not here: which structs, and what their numbers mean (evidence_json.c, calibration.c).
 * Why a list: a member that is written but not read, or the other way round, cannot be forgotten twice.
 * Nothing is lost: a real that JSON cannot say is written as "nan", "inf" or "-inf", a text that is no UTF-8 as
 * {"hex": "..."}. */
#ifndef AISP_CORE_FIELDS_H
#define AISP_CORE_FIELDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum aisp_field_kind { AISP_FIELD_TEXT, AISP_FIELD_INT, AISP_FIELD_REAL, AISP_FIELD_BOOL };

struct aisp_field {
    const char *name;
    enum aisp_field_kind kind;
    size_t at, size;             /* of one element; a text's room */
    int count;                   /* above 1: an array */
    int64_t low, high;           /* of integers, when read; low > high: no bound but the type's */
};

#define AISP_FIELD_AT(type, k, member, lo, hi)                                                     \
    { #member, k, offsetof(type, member), sizeof(((type *)0)->member), 1, lo, hi }
#define AISP_FIELD_ARRAY(type, k, member)                                                          \
    { #member, k, offsetof(type, member), sizeof(((type *)0)->member[0]),                          \
      sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]), 1, 0 }

/* The members of a struct at `base`: by name, or (rows of a table) by position only. */
json_t *aisp_fields_to_object(const struct aisp_field *f, int n, const void *base);
json_t *aisp_fields_to_row(const struct aisp_field *f, int n, const void *base);
/* Errors: AISP_E_IO "PATH.member: missing", "of the wrong type", "out of range". */
enum aisp_status aisp_fields_from_object(const struct aisp_field *f, int n, const json_t *json,
                                         const char *path, void *base, struct aisp_err *err);
enum aisp_status aisp_fields_from_row(const struct aisp_field *f, int n, const json_t *json,
                                      const char *path, void *base, struct aisp_err *err);

#endif
