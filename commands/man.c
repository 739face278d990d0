/* man.c - man pages and the reference in Markdown, out of the same table as --help. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

static const struct { int code; const char *means; } exits[] = {
    { 0, "done" },
    { 1, "the store, the disk or a permission failed" },
    { 2, "usage or bad input; one line says what, where and what to do" },
    { 3, "a variant is invalid: wrong, refused or crashed; the rest of the run went on" },
    { 4, "a gate failed: slower, or unsure at a gate" },
    { 5, "nothing of what was asked could run here" },
    { 70, "a bug of aisp" },
    { 130, "interrupted; a \"bench run\" over targets can be resumed" },
};

/* roff takes a hyphen for a place to break a word, and a dot or quote at the line's start for a request. */
static void add_roff(struct aisp_buf *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        aisp_buf_puts(out, "\\&");
    for (; *text; text++)
        if (*text == '-')
            aisp_buf_puts(out, "\\-");
        else if (*text == '\\')
            aisp_buf_puts(out, "\\e");
        else
            aisp_buf_add(out, text, 1);
}

static void add_item(struct aisp_buf *out, const char *term, const char *text)
{
    aisp_buf_puts(out, ".TP\n\\fB");
    add_roff(out, term);
    aisp_buf_puts(out, "\\fR\n");
    add_roff(out, text);
    aisp_buf_puts(out, ".\n");
}

static void add_options(struct aisp_buf *out, const struct aisp_option *o)
{
    for (; o && o->name; o++) {
        struct aisp_buf term = AISP_BUF_INIT, text = AISP_BUF_INIT;

        aisp_option_spelling(o, &term);
        aisp_buf_puts(&text, o->help);
        if (o->preset)
            aisp_buf_printf(&text, " (default: %s)", o->preset);
        add_item(out, term.s, text.s);
        aisp_buf_release(&term);
        aisp_buf_release(&text);
    }
}

static void add_exits(struct aisp_buf *out)
{
    aisp_buf_puts(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        aisp_buf_printf(out, ".TP\n%d\n%s.\n", exits[i].code, exits[i].means);
}

static void add_title(struct aisp_buf *out, const char *path)
{
    aisp_buf_puts(out, ".TH \"AISP");
    for (const char *c = path; c && *c; c++) {
        if (c == path)
            aisp_buf_puts(out, "-");
        aisp_buf_puts(out, *c == ' ' ? "-" : (char[]){ *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c, 0 });
    }
    aisp_buf_puts(out, "\" 1\n.SH NAME\naisp");
    if (path) {
        aisp_buf_puts(out, " ");
        add_roff(out, path);
    }
    aisp_buf_puts(out, " \\- ");
}

static void man_of_all(struct aisp_buf *out)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    add_title(out, NULL);
    aisp_buf_puts(out, "compare kernels so that a printed speedup is real\n.SH SYNOPSIS\n\\fBaisp\\fR COMMAND [operands] "
                       "[options]\n.SH COMMANDS\n");
    for (size_t i = 0; i < n; i++)
        add_item(out, all[i]->path, all[i]->sentence);
    aisp_buf_puts(out, ".SH OPTIONS OF ALL COMMANDS\n");
    add_options(out, aisp_common_options);
    add_exits(out);
    free(all);
}

void aisp_man_page(const struct aisp_command *command, struct aisp_buf *out)
{
    if (!command) {
        man_of_all(out);
        return;
    }
    add_title(out, command->path);
    add_roff(out, command->sentence);
    aisp_buf_puts(out, "\n.SH SYNOPSIS\n");
    aisp_command_usage(command, out);
    aisp_buf_puts(out, "\n");
    if (command->operand && command->operand->name)
        aisp_buf_puts(out, ".SH OPERANDS\n");
    for (const struct aisp_operand *o = command->operand; o && o->name; o++)
        add_item(out, o->name, o->help);
    aisp_buf_puts(out, ".SH OPTIONS\n");
    add_options(out, command->option);
    add_options(out, aisp_common_options);
    if (command->example) {
        aisp_buf_puts(out, ".SH EXAMPLE\n.nf\n");
        add_roff(out, command->example);
        aisp_buf_puts(out, "\n.fi\n");
    }
    add_exits(out);
}

static void reference_options(struct aisp_buf *out, const struct aisp_option *o)
{
    for (; o && o->name; o++) {
        aisp_buf_puts(out, "* `");
        aisp_option_spelling(o, out);
        aisp_buf_printf(out, "`: %s", o->help);
        if (o->preset)
            aisp_buf_printf(out, " (default: `%s`)", o->preset);
        aisp_buf_puts(out, "\n");
    }
}

void aisp_reference(struct aisp_buf *out)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    aisp_buf_puts(out, "# Commands\n\nMade by `aisp help --reference`; not edited by hand.\n\nOptions of every command:\n\n");
    reference_options(out, aisp_common_options);
    aisp_buf_puts(out, "\nExit codes:\n\n");
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        aisp_buf_printf(out, "* %d: %s\n", exits[i].code, exits[i].means);
    for (size_t i = 0; i < n; i++) {
        aisp_buf_printf(out, "\n## aisp %s\n\n%s.\n\n    ", all[i]->path, all[i]->sentence);
        aisp_command_usage(all[i], out);
        aisp_buf_puts(out, "\n\n");
        for (const struct aisp_operand *o = all[i]->operand; o && o->name; o++)
            aisp_buf_printf(out, "* `%s`: %s\n", o->name, o->help);
        reference_options(out, all[i]->option);
        if (all[i]->example)
            aisp_buf_printf(out, "\nExample: `%.*s`\n", (int)strcspn(all[i]->example, "\n"), all[i]->example);
    }
    free(all);
}
