/* audit.h - the placement audit: does an answer hold when the code lies elsewhere?
 * Both sides are built again from their sources without alignment of loops, each several times, the code of each build moved by
 * another number of bytes; every build of the one is compared shortly with every differently moved build of the other.
 * What was seen goes into the evidence; what it means is for the verdict's formula (core/run/verdict.c).
 * A function that asks for an alignment of 64 itself stays where it is, and so does the code of a peer library. */
#ifndef AISP_COMMANDS_AUDIT_H
#define AISP_COMMANDS_AUDIT_H

#include "core/catalogue.h"
#include "core/run/run.h"

/* Could both be audited? Errors: AISP_E_USAGE: no sources (an installed build, a finished object), another device. */
enum aisp_status aisp_audit_check(const struct aisp_target *target, const struct aisp_variant_ref *variant,
                                  struct aisp_err *err);

/* Audit the comparison that `plan` made and `ev` holds. Nothing is done unless its verdict is FASTER or SLOWER. Errors: those of
 * aisp_run(), aisp_compile_variant() and aisp_audit_check(). */
enum aisp_status aisp_audit_run(const struct aisp_target *target, const struct aisp_plan *plan, struct aisp_evidence *ev,
                                struct aisp_err *err);

/* Build NAME.c of the target again with its code `bytes` (a multiple of 16, below 64) behind a line of 64. Only for the audit
 * and its tests. */
struct aisp_audit_build { const char *sources, *include, *name, *folder, *object; int bytes; };
enum aisp_status aisp_audit_compile(const struct aisp_audit_build *build, struct aisp_err *err);

#endif
