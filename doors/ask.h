/* ask.h - what a door for others offers of the command table: a command's arguments as a JSON object, the JSON Schema of that
 * object, and the command line that it means.
 *   {"run": "latest", "min-speedup": 1.05}  of "bench expectations"  <->  aisp bench expectations --min-speedup=1.05 -- latest
 * A property is an option by its name, or an operand by its name in small letters. A flag is true or false, a number a number,
 * what may be given more than once an array, the rest a string.
 * Not here: how it is asked and answered (dashboard/, mcp/), and running it (job.h).
 * Why two rights: who may only read must not start code, change anything, or name a file of this machine, whatever is asked. */
#ifndef AISP_DOORS_ASK_H
#define AISP_DOORS_ASK_H

#include <jansson.h>
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "doors/job.h"

struct aisp_command;

enum aisp_ask_right {
    AISP_ASK_READ,                /* commands that neither run code nor write, without their options that do or that name files */
    AISP_ASK_RUN,                 /* all but what is of a terminal */
};

bool aisp_ask_offered(const struct aisp_command *command, enum aisp_ask_right right);

/* The command's path as a name elsewhere: "bench compare-runs" is bench/compare-runs with '/', and bench_compare_runs with '_',
 * which stands for hyphens as well. */
void aisp_ask_name(const struct aisp_command *command, char separator, struct aisp_buf *out);
/* The command of that name that is offered; NULL: there is none. */
const struct aisp_command *aisp_ask_find(const char *name, char separator, enum aisp_ask_right right);

/* JSON Schema 2020-12 of the arguments' object; the caller's to release. */
json_t *aisp_ask_schema(const struct aisp_command *command, enum aisp_ask_right right);

/* The command line that an object means, added to *words: the command's own words, options as --name=value, then "--" and the
 * operands, so that no value can become an option. The options that every command has are the door's to add
 * (aisp_words_add_common). NULL is no arguments. What the values mean is for the command to say; what they are is checked here.
 * Errors: AISP_E_USAGE (no object; a property that is not offered, with the nearest that is; a value of the wrong type or out of
 * its bounds; an operand that is missing; a file's name where files are not offered), AISP_E_REFUSED (the command is not
 * offered). *words is then as it was. */
enum aisp_status aisp_ask_words(const struct aisp_command *command, const json_t *arguments, enum aisp_ask_right right,
                                struct aisp_words *words, struct aisp_err *err);

/* The same object from text, as a URL's query gives it: each name with the values given for it. A flag is "", "true" or "1", or
 * "false" or "0". The caller's to release; NULL after an error.
 * Errors: AISP_E_USAGE. */
json_t *aisp_ask_object(const struct aisp_command *command, const char *const *name, const char *const *value, size_t n,
                        enum aisp_ask_right right, struct aisp_err *err);

#endif
