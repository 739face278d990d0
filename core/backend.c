/* backend.c - find a backend in the table that the linker collected. */
#include "core/backend.h"

#include <string.h>

const struct aisp_backend *aisp_backend_find(const char *name)
{
    AISP_FOR_EACH(aisp_backends, struct aisp_backend, backend)
    {
        if (!strcmp(backend->name, name))
            return backend;
    }
    return NULL;
}
