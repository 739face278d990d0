/* sources.h - where the sources of a target's objects are: a note SOURCE beside the objects, which the build leaves there.
 * An installed build has none: there is nothing to show or to build again. */
#ifndef AISP_COMMANDS_SOURCES_H
#define AISP_COMMANDS_SOURCES_H

#include "core/catalogue.h"

/* A line each of the note: the folder of the sources, and that of the headers they are built with. */
struct aisp_sources {
    char folder[4096], include[4096];
};

/* What is in the note; who builds again needs the headers there too. Errors: AISP_E_NOT_FOUND (there is no note: an installed
 * build), AISP_E_UNAVAILABLE (a folder that it names is not there; the line says which). */
enum aisp_status aisp_sources_find(const struct aisp_target *target, bool with_headers, struct aisp_sources *sources,
                                   struct aisp_err *err);
/* Leave such a note in a folder of objects: what the build does for its own targets. Without headers nothing could be built
 * again, and there is no note. Errors: AISP_E_IO. */
enum aisp_status aisp_sources_note(const char *objects, const char *sources, struct aisp_err *err);

#endif
