/* help.c - help texts out of the table.
 * Not here: man pages and the reference (man.c), completion (completion.c). */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

enum { COLUMN = 30, WIDTH = 80 };

void aisp_option_spelling(const struct aisp_option *option, struct aisp_buf *out)
{
    if (option->letter)
        aisp_buf_printf(out, "-%c, ", option->letter);
    aisp_buf_printf(out, "--%s", option->name);
    if (option->kind != AISP_OPT_FLAG)
        aisp_buf_printf(out, " %s", option->meta);
}

void aisp_command_usage(const struct aisp_command *command, struct aisp_buf *out)
{
    aisp_buf_printf(out, "aisp %s", command->path);
    for (const struct aisp_operand *o = command->operand; o && o->name; o++)
        aisp_buf_printf(out, o->optional ? " [%s%s]" : " %s%s", o->name, o->repeats ? "..." : "");
    aisp_buf_puts(out, " [options]");
}

/* Text in the right column, broken at spaces; the left column's width has been used by `used`
 * characters. */
static void add_wrapped(struct aisp_buf *out, size_t used, const char *text)
{
    if (used + 2 > COLUMN) {
        aisp_buf_puts(out, "\n");
        used = 0;
    }
    aisp_buf_printf(out, "%*s", (int)(COLUMN - used), "");
    while (strlen(text) > WIDTH - COLUMN) {
        size_t cut = WIDTH - COLUMN;

        while (cut && text[cut] != ' ')
            cut--;
        if (!cut)
            break;
        aisp_buf_printf(out, "%.*s\n%*s", (int)cut, text, COLUMN, "");
        text += cut + 1;
    }
    aisp_buf_printf(out, "%s\n", text);
}

static void add_row(struct aisp_buf *out, const char *left, const char *right)
{
    aisp_buf_printf(out, "  %s", left);
    add_wrapped(out, strlen(left) + 2, right);
}

static void add_option(struct aisp_buf *out, const struct aisp_option *o)
{
    struct aisp_buf left = AISP_BUF_INIT, right = AISP_BUF_INIT;

    aisp_option_spelling(o, &left);
    aisp_buf_puts(&right, o->help);
    if (o->preset)
        aisp_buf_printf(&right, " (default: %s)", o->preset);
    if (o->repeats)
        aisp_buf_puts(&right, "; may be repeated");
    add_row(out, left.s, right.s);
    aisp_buf_release(&left);
    aisp_buf_release(&right);
}

static void add_example(struct aisp_buf *out, const char *example)
{
    aisp_buf_puts(out, "\nexample:\n");
    while (*example) {
        const size_t n = strcspn(example, "\n");

        aisp_buf_printf(out, "  %.*s\n", (int)n, example);
        example += n;
        example += *example == '\n';
    }
}

void aisp_help_command(const struct aisp_command *command, struct aisp_buf *out)
{
    aisp_buf_printf(out, "%s.\n\nusage: ", command->sentence);
    aisp_command_usage(command, out);
    aisp_buf_puts(out, "\n");
    if (command->operand && command->operand->name)
        aisp_buf_puts(out, "\n");
    for (const struct aisp_operand *o = command->operand; o && o->name; o++)
        add_row(out, o->name, o->help);
    aisp_buf_puts(out, "\noptions:\n");
    for (const struct aisp_option *o = command->option; o && o->name; o++)
        add_option(out, o);
    for (const struct aisp_option *o = aisp_common_options; o->name; o++)
        add_option(out, o);
    if (command->example)
        add_example(out, command->example);
}

void aisp_help_topic(const char *topic, struct aisp_buf *out)
{
    const size_t n_topic = strlen(topic);
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    if (!n_topic)
        aisp_buf_puts(out, "aisp compares kernels, and a speedup that it prints is real.\n\n");
    aisp_buf_printf(out, "usage: aisp %s%sCOMMAND [operands] [options]\n\n", topic,
                    n_topic ? " " : "");
    for (size_t i = 0; i < n; i++)
        if (!n_topic || (!strncmp(all[i]->path, topic, n_topic) && all[i]->path[n_topic] == ' '))
            add_row(out, all[i]->path, all[i]->sentence);
    aisp_buf_puts(out,
                  "\n\"aisp COMMAND --help\" shows its options and an example. "
                  "First steps:\n  aisp bench list-targets\n  aisp bench run -t ch01 --quick\n");
    free(all);
}
