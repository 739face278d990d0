/* process.c - tell the files of a process apart. By path or contents where that is known (the variant), else by folder and name: a file
 * in a system folder was put there by whoever owns the machine. */
#include "checks/process.h"

#include <string.h>

bool aisp_side_uses(const struct aisp_evidence *ev, enum aisp_side side, const char *what)
{
    return aisp_declaration_uses(&ev->variant[side].decl, what);
}

static bool begins_with_one_of(const char *text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strncmp(text, list[i], strlen(list[i])))
            return true;
    return false;
}

static bool is_runtime(const char *name)
{
    static const char *const known[] = {
        "ld-", "libc.so", "libc-", "libm.so", "libm-", "libmvec", "libdl.so", "libdl-", "librt.so", "librt-", "libpthread",
        "libgcc_s", "libstdc++", "libgomp", "libomp", "libatomic", "libasan", "libubsan", "libtsan", "libclang_rt", "libnss_",
    };

    return begins_with_one_of(name, known, sizeof known / sizeof *known);
}

enum aisp_owner aisp_object_owner(const struct aisp_evidence *ev, enum aisp_side side, const struct aisp_process_object *object)
{
    static const char *const system[] = { "/usr/", "/lib/", "/lib32/", "/lib64/", "/opt/", "/etc/", "/nix/store/",
                                          "/gnu/store/" };
    const struct aisp_variant_facts *v = &ev->variant[side];
    const char *slash = strrchr(object->path, '/'), *name = slash ? slash + 1 : object->path;
    const bool is_system = begins_with_one_of(object->path, system, sizeof system / sizeof *system);

    if (!strcmp(object->path, ev->process[side].variant_path) ||
        (*object->sha256 && (!strcmp(object->sha256, v->sha256) || !strcmp(object->sha256, v->sha256_after))))
        return AISP_OWNER_VARIANT;
    if (!strcmp(name, "aisp-worker"))
        return AISP_OWNER_HARNESS;
    if (is_system)
        return object->is_executable && is_runtime(name) ? AISP_OWNER_RUNTIME : AISP_OWNER_SYSTEM;
    return AISP_OWNER_NOBODY;
}
