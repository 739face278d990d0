/* inside.h - what the files of this folder share. */
#ifndef AISP_SANDBOX_INSIDE_H
#define AISP_SANDBOX_INSIDE_H

#include "core/base/buf.h"
#include "sandbox/sandbox.h"

/* filter.c: system calls that fail in a build; *n is 0 where the host cannot say. */
const struct sock_filter *aisp_sandbox_filter(size_t *n);

/* layout.c: the plan of a build as bytes. spec NULL: an empty jail, to see whether one can be made. */
void aisp_sandbox_plan(const struct aisp_sandbox_spec *spec, enum aisp_jail_mode mode,
                       const char *folder, struct aisp_buf *plan);

/* message.c: what the compiler said, while it says it. */
struct aisp_messages {
    char kept[32768];
    size_t n_kept, n; /* bytes kept, bytes said */
    int n_includes;
    size_t column; /* in the line that is being said */
    size_t n_dots; /* that it began with: how -H says an include */
};
void aisp_messages_add(struct aisp_messages *m, const char *bytes, size_t n);
/* The lines worth showing, as ASCII. */
void aisp_messages_clean(const struct aisp_messages *m, char *to, size_t size);
bool aisp_messages_say(const struct aisp_messages *m, const char *what);

#endif
