/* new_part_templates.h - the texts of `aisp new command` and `aisp new protection`. */
#ifndef AISP_COMMANDS_NEW_PART_TEMPLATES_H
#define AISP_COMMANDS_NEW_PART_TEMPLATES_H

/* @name@ bench_hello, @path@ "bench hello" */
extern const char aisp_new_command_c[], aisp_new_command_sh[], aisp_new_command_out[];
/* @name@ my_trick, @dashed@ my-trick, @family@, @issue@, @title@ of the issue */
extern const char aisp_new_check_c[], aisp_new_cheat_c[], aisp_new_twin_c[];

#endif
