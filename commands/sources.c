/* sources.c - see sources.h. */
#include "commands/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/place.h"
#include "core/base/buf.h"

static const char NOTE[] = "SOURCE";

static char *note_path(const struct aisp_target *target)
{
    const char *slash = strrchr(target->problem_path, '/');

    return slash ? aisp_format("%.*s/%s", (int)(slash - target->problem_path), target->problem_path, NOTE)
                 : aisp_xstrdup(NOTE);
}

static bool read_line(FILE *f, char *to, size_t size)
{
    if (!fgets(to, (int)size, f))
        return false;
    to[strcspn(to, "\n")] = '\0';
    return *to;
}

enum aisp_status aisp_sources_find(const struct aisp_target *target, bool with_headers, struct aisp_sources *s,
                                   struct aisp_err *err)
{
    char *path = note_path(target);
    FILE *f = fopen(path, "re");
    const bool is_read = f && read_line(f, s->folder, sizeof s->folder) && read_line(f, s->include, sizeof s->include);
    const char *moved = !is_read                                            ? NULL
                        : !aisp_place_is_folder(s->folder)                  ? s->folder
                        : with_headers && !aisp_place_is_folder(s->include) ? s->include
                                                                            : NULL;
    enum aisp_status st = AISP_OK;

    if (!is_read)
        st = aisp_fail(err, AISP_E_NOT_FOUND, "%s names them where aisp was built", path);
    else if (moved)
        st = aisp_fail(err, AISP_E_UNAVAILABLE,
                       "%s names %s, which is not there: build the target again where its sources are now", path, moved);
    if (f)
        fclose(f);
    free(path);
    return st;
}

enum aisp_status aisp_sources_note(const char *objects, const char *sources, struct aisp_err *err)
{
    char *path = aisp_format("%s/%s", objects, NOTE), *folder = realpath(sources, NULL), *include = aisp_place_include();
    FILE *f = folder && include ? fopen(path, "we") : NULL;
    enum aisp_status st = AISP_OK;

    if (f)
        fprintf(f, "%s\n%s\n", folder, include);
    if ((folder && include && !f) || (f && fclose(f)))
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
    free(path);
    free(folder);
    free(include);
    return st;
}
