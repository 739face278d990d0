/* complete.h - how a command line may go on, by the command table alone: words of commands, options, choices.
 * Not here: the prompt (palette.h). The same table makes the shell's completion (commands/completion.c). */
#ifndef AISP_TUI_COMPLETE_H
#define AISP_TUI_COMPLETE_H

#include <stddef.h>

#include "doors/job.h"

struct aisp_completion {
    struct aisp_candidate { char *word, *help; } *item;
    size_t n, cap;
    size_t from;                             /* where in the line the word begins that they replace */
};

/* Candidates for the last word of `line`, "" behind a blank. `targets`: names for where a TARGET is wanted, or NULL. */
void aisp_complete(struct aisp_completion *to, const char *line, const struct aisp_words *targets);
void aisp_completion_release(struct aisp_completion *completion);

#endif
