/* new_templates.h - the files that `aisp new target` writes. @name@ is the target's name, @NAME@ the same in capitals. */
#ifndef AISP_COMMANDS_NEW_TEMPLATES_H
#define AISP_COMMANDS_NEW_TEMPLATES_H

struct aisp_new_file { const char *file, *text; };
extern const struct aisp_new_file aisp_new_target_files[];   /* ends with a NULL file */

#endif
