/* complete.c - candidates out of the table. */
#include "tui/complete.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

static void add(struct aisp_completion *to, char *word_take, const char *help)
{
    struct aisp_candidate *c;

    for (size_t i = 0; i < to->n; i++)
        if (!strcmp(to->item[i].word, word_take)) {
            free(word_take);
            return;
        }
    c = aisp_grow(&to->item, &to->n, &to->cap, sizeof *c);
    c->word = word_take;
    c->help = aisp_xstrdup(help ? help : "");
}

void aisp_completion_release(struct aisp_completion *completion)
{
    for (size_t i = 0; i < completion->n; i++) {
        free(completion->item[i].word);
        free(completion->item[i].help);
    }
    free(completion->item);
    *completion = (struct aisp_completion){ 0 };
}

/* The command whose whole path, as words, begins the line before `end`; the longest. */
static const struct aisp_command *command_of(const char *line, size_t end)
{
    const struct aisp_command *found = NULL;

    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        const size_t n = strlen(c->path);

        if (n < end && !strncmp(line, c->path, n) && line[n] == ' ' && (!found || n > strlen(found->path)))
            found = c;
    }
    return found;
}

/* The next word of each path that goes on as the line does: "bench " -> run, show, ... */
static void add_path_words(struct aisp_completion *to, const char *line)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    for (size_t i = 0; i < n; i++) {
        const char *path = all[i]->path;
        size_t word;

        if (strncmp(path, line, strlen(line)))
            continue;
        word = strcspn(path + to->from, " ");
        add(to, aisp_format("%.*s", (int)word, path + to->from), path[to->from + word] ? "..." : all[i]->sentence);
    }
    free(all);
}

static void add_options(struct aisp_completion *to, const struct aisp_option *o, const char *word)
{
    for (; o && o->name; o++) {
        char *name = aisp_format("--%s", o->name);

        if (!strncmp(name, word, strlen(word)))
            add(to, name, o->help);
        else
            free(name);
    }
}

static void add_targets(struct aisp_completion *to, const struct aisp_words *targets, const char *word)
{
    for (size_t i = 0; targets && i < targets->n; i++)
        if (!strncmp(targets->word[i], word, strlen(word)))
            add(to, aisp_xstrdup(targets->word[i]), "");
}

/* Does the word before the last one name this option? */
static bool stands_before(const struct aisp_completion *to, const char *line, const struct aisp_option *o)
{
    const char spelled[] = { ' ', '-', o->letter, ' ', '\0' };
    char *name = aisp_format(" --%s ", o->name);
    const size_t n = strlen(name);
    const bool is_it = (to->from >= n && !strncmp(line + to->from - n, name, n)) ||
                       (o->letter && to->from >= 4 && !strncmp(line + to->from - 4, spelled, 4));

    free(name);
    return is_it && o->kind != AISP_OPT_FLAG;
}

/* "--format " -> its choices, "-t " -> targets. True if the word before is an option that takes a value. */
static bool add_values(struct aisp_completion *to, const struct aisp_option *o, const char *line,
                       const struct aisp_words *targets)
{
    const char *word = line + to->from;

    for (; o && o->name; o++) {
        if (!stands_before(to, line, o))
            continue;
        if (o->meta && !strcmp(o->meta, "TARGET"))
            add_targets(to, targets, word);
        for (const char *at = o->meta; o->kind == AISP_OPT_CHOICE && *at; at += strcspn(at, "|"), at += *at == '|')
            if (!strncmp(at, word, strlen(word)))
                add(to, aisp_format("%.*s", (int)strcspn(at, "|"), at), "");
        return true;
    }
    return false;
}

void aisp_complete(struct aisp_completion *to, const char *line, const struct aisp_words *targets)
{
    const char *blank = strrchr(line, ' '), *word;
    const struct aisp_command *command;

    *to = (struct aisp_completion){ 0 };
    to->from = blank ? (size_t)(blank + 1 - line) : 0;
    word = line + to->from;
    command = command_of(line, to->from);
    add_path_words(to, line);
    if (!command || add_values(to, command->option, line, targets) || add_values(to, aisp_common_options, line, targets))
        return;
    if (command->operand && command->operand->name && !strcmp(command->operand->name, "TARGET"))
        add_targets(to, targets, word);
    add_options(to, command->option, word);
    add_options(to, aisp_common_options, word);
}
