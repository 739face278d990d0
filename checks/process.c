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
        "libcudart", "libcuda.so", "libnvidia-", /* a card's runtime and driver */
    };

    return begins_with_one_of(name, known, sizeof known / sizeof *known);
}

/* By its name, but in the folder where a variant lies anything may have that. */
static bool is_worker(const struct aisp_process_facts *facts, const char *path)
{
    const char *slash = strrchr(path, '/'), *variants = strrchr(facts->variant_path, '/');
    const size_t n = variants ? (size_t)(variants + 1 - facts->variant_path) : 0;

    return !strcmp(slash ? slash + 1 : path, "aisp-worker") && !(n && !strncmp(path, facts->variant_path, n));
}

/* What was shipped in lib/ beside the worker is as the system's: who could write there could write the worker. */
static bool is_shipped(const struct aisp_process_facts *facts, const char *path)
{
    static const char lib[] = "lib/";

    for (int32_t i = 0; i < facts->n_objects; i++) {
        const char *at = facts->object[i].path, *slash = strrchr(at, '/');
        const size_t n = slash ? (size_t)(slash + 1 - at) : 0;

        if (n && is_worker(facts, at) && !strncmp(path, at, n) && !strncmp(path + n, lib, sizeof lib - 1))
            return true;
    }
    return false;
}

enum aisp_owner aisp_object_owner(const struct aisp_evidence *ev, enum aisp_side side, const struct aisp_process_object *object)
{
    static const char *const system[] = { "/usr/", "/lib/", "/lib32/", "/lib64/", "/opt/", "/etc/", "/nix/store/",
                                          "/gnu/store/" };
    const struct aisp_variant_facts *v = &ev->variant[side];
    const char *slash = strrchr(object->path, '/'), *name = slash ? slash + 1 : object->path;
    const bool is_system = begins_with_one_of(object->path, system, sizeof system / sizeof *system) ||
                           is_shipped(&ev->process[side], object->path);

    if (!strcmp(object->path, ev->process[side].variant_path) ||
        (*object->sha256 && (!strcmp(object->sha256, v->sha256) || !strcmp(object->sha256, v->sha256_after))))
        return AISP_OWNER_VARIANT;
    if (is_worker(&ev->process[side], object->path))
        return AISP_OWNER_HARNESS;
    if (is_system)
        return object->is_executable && is_runtime(name) ? AISP_OWNER_RUNTIME : AISP_OWNER_SYSTEM;
    return AISP_OWNER_NOBODY;
}
