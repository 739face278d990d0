/* sources.c - see sources.h. */
#include "commands/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/place.h"
#include "core/base/buf.h"

static const char NOTE[] = "SOURCE";

char *aisp_sources_note_path(const struct aisp_target *target)
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

bool aisp_sources_find(const struct aisp_target *target, struct aisp_sources *s)
{
    char *path = aisp_sources_note_path(target);
    FILE *f = fopen(path, "re");
    const bool is_read = f && read_line(f, s->folder, sizeof s->folder) && read_line(f, s->include, sizeof s->include);

    if (f)
        fclose(f);
    free(path);
    return is_read && aisp_place_is_folder(s->folder) && aisp_place_is_folder(s->include);
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
