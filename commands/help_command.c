/* help_command.c - `aisp help`: texts made from the table, and the man pages as files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"

static enum aisp_status write_page(const char *folder, const struct aisp_command *command,
                                   struct aisp_err *err)
{
    struct aisp_buf page = AISP_BUF_INIT, path = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    FILE *f;

    aisp_man_page(command, &page);
    aisp_buf_printf(&path, "%s/aisp%s%s.1", folder, command ? "-" : "",
                    command ? command->path : "");
    for (char *c = path.s + strlen(folder); *c; c++)
        if (*c == ' ')
            *c = '-';
    f = fopen(path.s, "w");
    if (!f || fputs(page.s, f) < 0)
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path.s);
    if (f && fclose(f) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path.s);
    aisp_buf_release(&page);
    aisp_buf_release(&path);
    return st;
}

static enum aisp_status write_man(const char *folder, json_t **value, struct aisp_err *err)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);
    enum aisp_status st;

    if (mkdir(folder, 0777) && errno != EEXIST) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s", folder);
        goto out;
    }
    AISP_TRY(write_page(folder, NULL, err));
    for (size_t i = 0; i < n; i++)
        AISP_TRY(write_page(folder, all[i], err));
    *value = json_pack("{s:s, s:I}", "folder", folder, "pages", (json_int_t)n + 1);
out:
    free(all);
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const char *folder = aisp_args_text(args, "man");
    struct aisp_buf words = AISP_BUF_INIT, text = AISP_BUF_INIT;
    const struct aisp_command *found = NULL;

    (void)exit_code;
    if (folder)
        return write_man(folder, value, request->err);
    for (size_t i = 0; i < args->n_operands; i++)
        aisp_buf_printf(&words, "%s%s", i ? " " : "", args->operand[i]);
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (words.s && !strcmp(c->path, words.s))
        found = c;
    if (aisp_args_flag(args, "reference"))
        aisp_reference(&text);
    else if (found)
        aisp_help_command(found, &text);
    else
        aisp_help_topic(words.s ? words.s : "", &text);
    *value = json_pack("{s:s}", "text", text.s);
    aisp_buf_release(&words);
    aisp_buf_release(&text);
    return AISP_OK;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *text = json_string_value(json_object_get(value, "text"));

    (void)style;
    if (text)
        aisp_buf_puts(out, text);
    else
        aisp_buf_printf(out, "%lld man pages in %s\n",
                        (long long)json_integer_value(json_object_get(value, "pages")),
                        json_string_value(json_object_get(value, "folder")));
}

static const struct aisp_operand operands[] = {
    { "COMMAND", "What to explain: \"bench run\"; nothing = all commands", .optional = true,
      .repeats = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "man", 0, AISP_OPT_PATH, .meta = "DIR", .help = "Write all man pages into a folder" },
    { "reference", 0, AISP_OPT_FLAG, .help = "Print the reference of all commands as Markdown" },
    { 0 },
};

AISP_COMMAND(help) = {
    .path = "help",
    .sentence = "Explain a command, or write the man pages",
    .example = "aisp help bench run\naisp help --man build/man",
    .operand = operands,
    .option = options,
    .run = run,
    .render = render,
};

/* ---- completion ---- */

static enum aisp_status complete(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_buf text = AISP_BUF_INIT;

    (void)exit_code;
    if (strcmp(request->args->operand[0], "bash"))
        return aisp_fail(request->err, AISP_E_USAGE, "no completion for \"%s\": there is bash",
                         request->args->operand[0]);
    aisp_completion_bash(&text);
    *value = json_pack("{s:s}", "text", text.s);
    aisp_buf_release(&text);
    return AISP_OK;
}

static const struct aisp_operand shells[] = { { "SHELL", "bash" }, { 0 } };

AISP_COMMAND(completion) = {
    .path = "completion",
    .sentence = "Print a completion script for a shell",
    .example = "source <(aisp completion bash)",
    .operand = shells,
    .run = complete,
    .render = render,
};
