/* store_command.h - what the store's commands share: bytes in words, and what is said while they work. */
#ifndef AISP_COMMANDS_STORE_STORE_COMMAND_H
#define AISP_COMMANDS_STORE_STORE_COMMAND_H

#include "commands/command.h"

/* "12.4 MiB" */
void aisp_store_put_bytes(struct aisp_buf *out, int64_t bytes);
/* Replaces the line before, where somebody watches. */
void aisp_store_progress(const struct aisp_request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool aisp_store_is_stopped(const struct aisp_request *request);

#endif
