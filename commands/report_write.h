/* report_write.h - reports as files, for the commands that write them. */
#ifndef AISP_COMMANDS_REPORT_WRITE_H
#define AISP_COMMANDS_REPORT_WRITE_H

#include "commands/command.h"

/* To `in_folder` and, where the request's --output names another place, there too; a folder that cannot be written is only
 * noted then. Adds the paths to `written`. Errors: AISP_E_IO, AISP_E_USAGE. */
enum aisp_status aisp_report_write(const struct aisp_request *request, const char *in_folder,
                                   const struct aisp_buf *text, json_t *written);

#endif
