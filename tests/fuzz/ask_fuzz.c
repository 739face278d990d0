/* ask_fuzz.c - arguments from outside become a command line that holds nothing but what is offered, or one line that says why
 * not. The input's first line picks the command; the rest is the arguments' object, or, where it is no JSON, NAME=VALUE lines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "doors/ask.h"

enum { MOST_PAIRS = 32 };

static const struct aisp_command *pick(const char *name, size_t n)
{
    const struct aisp_command *command = NULL;
    unsigned sum = 0, at = 0, count = 0;

    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + (unsigned char)name[i];
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        count++;
        if (strlen(c->path) == n && !memcmp(c->path, name, n))
            return c;
    }
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (at++ == sum % count)
        command = c;
    return command;
}

/* What the parser makes of it: nothing that only a trusted asker may give. */
static void check_parsed(const struct aisp_args *args, const struct aisp_command *command, enum aisp_ask_right right)
{
    if (args->command != command)
        abort();
    for (const struct aisp_option *o = aisp_common_options; o->name; o++)
        if (aisp_args_given(args, o->name))
            abort();
    for (const struct aisp_option *o = command->option; o && o->name && right == AISP_ASK_READ; o++)
        if ((o->kind == AISP_OPT_PATH || o->writes) && aisp_args_given(args, o->name))
            abort();
    for (size_t i = 0; i < args->n_operands && right == AISP_ASK_READ; i++)
        if (command->operand && command->operand->kind != AISP_OPERAND_NAME && strchr(args->operand[i], '/'))
            abort();
}

static void check_words(const struct aisp_command *command, const json_t *object, enum aisp_ask_right right)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_args args;
    const char *topic;

    if (aisp_ask_words(command, object, right, &words, &err)) {
        if (words.n || !*err.text)
            abort();
        return;
    }
    if (!aisp_ask_offered(command, right))
        abort();
    if (!aisp_args_parse(&args, (int)words.n, (const char *const *)words.word, &topic, &err))
        check_parsed(&args, command, right);
    else if (!*err.text)
        abort();
    aisp_args_release(&args);
    aisp_words_release(&words);
}

static json_t *from_pairs(const struct aisp_command *command, char *text, enum aisp_ask_right right)
{
    const char *name[MOST_PAIRS], *value[MOST_PAIRS];
    struct aisp_err err = { AISP_OK, "" };
    size_t n = 0;

    for (char *at = text; *at && n < MOST_PAIRS; ) {
        char *end = at + strcspn(at, "\n"), *equals;

        if (*end)
            *end++ = '\0';
        equals = strchr(at, '=');
        name[n] = at;
        value[n++] = equals ? equals + 1 : NULL;
        if (equals)
            *equals = '\0';
        at = end;
    }
    return aisp_ask_object(command, name, value, n, right, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const uint8_t *end = n ? memchr(data, '\n', n) : NULL;
    const size_t first = end ? (size_t)(end - data) : n;
    const struct aisp_command *command = pick((const char *)data, first);
    json_t *object = end ? json_loadb((const char *)end + 1, n - first - 1, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;

    for (enum aisp_ask_right right = AISP_ASK_READ; right <= AISP_ASK_RUN; right++) {
        char *text = object || !end ? NULL : aisp_format("%.*s", (int)(n - first - 1), (const char *)end + 1);
        json_t *made = text ? from_pairs(command, text, right) : NULL;

        if (object || made)
            check_words(command, object ? object : made, right);
        json_decref(made);
        free(text);
    }
    json_decref(object);
    return 0;
}
