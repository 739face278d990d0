/* catalogue.h - which targets there are: a walk over folders, nothing is loaded.
 *   ROOT/ch07/transpose/problem.so baseline.so optimized_tiled.so   is   ch07:transpose
 *   ROOT/labs/matmul/gemm_bf16/...                                  is   labs/matmul:gemm_bf16
 * A folder two or three levels below ROOT that holds problem.so is a target; every other NAME.so in it is a variant.
 * Variants are sorted baseline, optimized*, peer_*, others; devices by suffix: NAME.so is cpu, NAME.cuda.so is cuda.
 * Only declarations are read, so listing is fast and runs nothing of a plug-in.
 * What cannot be run stays in the list with the reason in `refused`, a target as well as a variant. */
#ifndef AISP_CORE_CATALOGUE_H
#define AISP_CORE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/plugin.h"

struct aisp_variant_ref {
    char name[AISP_NAME_MAX];              /* "optimized_tiled" */
    char device[8];                        /* "cpu", "cuda" */
    char *path;
    struct aisp_declaration decl;
    char refused[256];                     /* "" or why its declaration was refused */
    bool is_untrusted;                     /* a stranger's: its worker opens no file of its own (`bench judge`) */
};

struct aisp_target {
    char id[AISP_ID_MAX];                  /* "ch07:transpose" */
    char group[AISP_NAME_MAX];             /* "ch07", "labs/matmul" */
    char *problem_path;
    struct aisp_variant_ref *variant;
    size_t n_variants;
    char refused[256];                     /* "" or why the target cannot be run: "ch07/x: no baseline.so" */
};

struct aisp_catalogue {
    char *root;
    struct aisp_target *target;            /* sorted by id */
    size_t n, cap;
};

/* Errors: AISP_E_NOT_FOUND (no such folder), AISP_E_IO; *cat is then empty. One bad target never hides the others. */
enum aisp_status aisp_catalogue_init(struct aisp_catalogue *cat, const char *root, struct aisp_err *err);
void aisp_catalogue_release(struct aisp_catalogue *cat);
/* One target folder on its own, as `bench run path/to/variant.so` needs it. id NULL: the last two names of the folder's path.
 * Errors: AISP_E_NOT_FOUND, AISP_E_IO, AISP_E_REFUSED (no problem or no baseline in it); *target is then empty. */
enum aisp_status aisp_target_from_folder(const char *folder, const char *id, struct aisp_target *target, struct aisp_err *err);
void aisp_target_release(struct aisp_target *target);

/* Does a pattern name this target? "ch07", "ch07:transpose", "ch*", "labs/matmul", "ch07.transpose", "ch07/transpose";
 * a group names what is below it too: "labs". */
bool aisp_target_matches(const struct aisp_target *target, const char *pattern);
/* The known id or group nearest to `pattern` by edit distance, for the error line; NULL in an empty catalogue. An id is also
 * near if its last part is: "transpse" finds "ch07:transpose". */
const char *aisp_catalogue_nearest(const struct aisp_catalogue *cat, const char *pattern);
/* The first variant of that name, on that device or (NULL) on any; NULL if there is none. */
const struct aisp_variant_ref *aisp_target_variant(const struct aisp_target *target, const char *name, const char *device);

#endif
