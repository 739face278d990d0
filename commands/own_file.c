/* own_file.c - a user's variant made into a target of its own. */
#include "commands/own_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/compile.h"
#include "commands/place.h"
#include "commands/sources.h"
#include "core/base/buf.h"
#include "core/elf.h"

static enum aisp_status copy(const char *from, const char *to, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    char part[65536];
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    size_t n;

    while (out && (n = fread(part, 1, sizeof part, in)))
        if (fwrite(part, 1, n, out) != n)
            break;
    if (!in || !out || ferror(in) || ferror(out))
        st = aisp_fail_errno(err, AISP_E_IO, "%s", in ? to : from);
    if (in)
        fclose(in);
    if (out && fclose(out) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s", to);
    return st;
}

/* FOLDER/name.c or .so into OWN/name.so: what the user gave, else the source if there is one. */
static enum aisp_status take(const struct aisp_own_file *own, const char *folder, const char *name,
                             const char *suffix, struct aisp_err *err)
{
    char *source = aisp_format("%s/%s.c", folder, name),
         *object = aisp_format("%s/%s.so", folder, name);
    char *to = aisp_format("%s/%s.so", own->folder, name),
         *log = aisp_format("%s/%s.log", own->folder, name);
    const bool from_source = suffix ? !strcmp(suffix, ".c") : aisp_place_is_file(source);
    enum aisp_status st;

    if (!from_source && !aisp_place_is_file(object))
        st = aisp_fail(err, AISP_E_NOT_FOUND,
                       "%s: no %s.c or %s.so beside the variant; its folder holds problem.c, "
                       "baseline.c and the variant "
                       "(\"aisp new target\" writes one)",
                       folder, name, name);
    else
        st = from_source
                 ? aisp_compile_variant(
                       &(struct aisp_compile){ .source = source, .object = to, .log = log }, err)
                 : copy(object, to, err);
    free(source);
    free(object);
    free(to);
    free(log);
    return st;
}

/* "dir/optimized_x.c" into "dir" (caller frees), "optimized_x" and ".c". */
static enum aisp_status split(const char *path, char **folder, char name[AISP_NAME_MAX],
                              const char **suffix, struct aisp_err *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
               *dot = strrchr(base, '.');

    if (!aisp_place_is_file(path))
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: no such file; targets are named by -t", path);
    if (!dot || (strcmp(dot, ".c") && strcmp(dot, ".so")))
        return aisp_fail(err, AISP_E_USAGE, "%s: a variant is a .c or .so file", path);
    if (dot == base || dot - base >= AISP_NAME_MAX)
        return aisp_fail(err, AISP_E_USAGE, "%s: its name must have 1 to %d characters", path,
                         AISP_NAME_MAX - 1);
    snprintf(name, AISP_NAME_MAX, "%.*s", (int)(dot - base), base);
    if (!strcmp(name, "problem") || !strcmp(name, "baseline"))
        return aisp_fail(err, AISP_E_USAGE,
                         "%s: name the variant that is compared with the baseline", path);
    *suffix = dot;
    *folder = slash ? aisp_format("%.*s", (int)(slash - path), path) : aisp_xstrdup(".");
    return AISP_OK;
}

/* The id of the user's folder: its last two names. */
static char *id_of(const char *folder)
{
    char *real = realpath(folder, NULL), *last = real ? strrchr(real, '/') : NULL, *id;
    const char *group = "my";

    if (!last || !last[1]) {
        free(real);
        return aisp_xstrdup("my:target");
    }
    *last = '\0';
    if (strrchr(real, '/') && strrchr(real, '/')[1])
        group = strrchr(real, '/') + 1;
    id = aisp_format("%s:%s", group, last + 1);
    free(real);
    return id;
}

enum aisp_status aisp_own_file_init(struct aisp_own_file *own, const char *path,
                                    struct aisp_err *err)
{
    char *folder = NULL, *id = NULL;
    const char *suffix = "";
    enum aisp_status st;

    *own = (struct aisp_own_file){ 0 };
    AISP_TRY(split(path, &folder, own->name, &suffix, err));
    AISP_TRY(aisp_place_private(&own->folder, err));
    AISP_TRY(take(own, folder, "problem", NULL, err));
    AISP_TRY(take(own, folder, "baseline", NULL, err));
    AISP_TRY(take(own, folder, own->name, suffix, err));
    AISP_TRY(aisp_sources_note(own->folder, folder, err));
    id = id_of(folder);
    AISP_TRY(aisp_target_from_folder(own->folder, id, &own->target, err));
    own->variant = aisp_target_variant(&own->target, own->name, "cpu");
    if (!own->variant || *own->variant->refused)
        st = aisp_fail(err, AISP_E_REFUSED, "%s is no variant: %s", path,
                       own->variant ? own->variant->refused : "not taken");
out:
    free(folder);
    free(id);
    if (st)
        aisp_own_file_release(own);
    return st;
}

void aisp_own_file_release(struct aisp_own_file *own)
{
    aisp_target_release(&own->target);
    if (own->folder)
        aisp_place_remove(own->folder, NULL, NULL);
    free(own->folder);
    *own = (struct aisp_own_file){ 0 };
}
