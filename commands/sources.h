/* sources.h - where the sources of a target's objects are: a note SOURCE beside the objects, which the build leaves there.
 * An installed build has none: there is nothing to show or to build again. */
#ifndef AISP_COMMANDS_SOURCES_H
#define AISP_COMMANDS_SOURCES_H

#include "core/catalogue.h"

/* A line each of the note: the folder of the sources, and that of the headers they are built with. */
struct aisp_sources {
    char folder[4096], include[4096];
};

/* False: there is no note, or not both are folders. */
bool aisp_sources_find(const struct aisp_target *target, struct aisp_sources *sources);
/* The note's path, for who has to say where it is missing; caller frees. */
char *aisp_sources_note_path(const struct aisp_target *target);
/* Leave such a note in a folder of objects: what the build does for its own targets. Without headers nothing could be built
 * again, and there is no note. Errors: AISP_E_IO. */
enum aisp_status aisp_sources_note(const char *objects, const char *sources, struct aisp_err *err);

#endif
