/* arguments_fuzz.c - any command line is either what a command's row takes or one line that says why not. Words are lines of the input;
 * what was accepted is asked for, option by option, as a command would. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "core/base/buf.h"

enum { MOST_WORDS = 64 };

static void ask_for(const struct aisp_args *args, const struct aisp_option *option)
{
    size_t n;

    for (; option && option->name; option++) {
        aisp_args_given(args, option->name);
        if (option->repeats) {
            aisp_args_list(args, option->name, &n);
            continue;
        }
        switch (option->kind) {
        case AISP_OPT_FLAG:
            aisp_args_flag(args, option->name);
            break;
        case AISP_OPT_TEXT:
        case AISP_OPT_PATH:
        case AISP_OPT_CHOICE:
            aisp_args_text(args, option->name);
            break;
        case AISP_OPT_INTEGER: {
            const int64_t value = aisp_args_integer(args, option->name);

            if (aisp_args_given(args, option->name) && (value < option->low || value > option->high))
                abort();
            break;
        }
        case AISP_OPT_REAL:
            if (aisp_args_given(args, option->name) && !(aisp_args_real(args, option->name) > 0))
                abort();
            break;
        case AISP_OPT_DURATION:
            if (aisp_args_duration_ns(args, option->name) < 0)
                abort();
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = aisp_xmalloc(n + 1), *at = text;
    const char *word[MOST_WORDS + 1] = { NULL }, *topic = NULL;
    struct aisp_args args = { 0 };
    struct aisp_err err = { 0 };
    int n_words = 0;

    memcpy(text, data, n);
    text[n] = 0;
    while (*at && n_words < MOST_WORDS) {
        word[n_words++] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = 0;
    }
    if (aisp_args_parse(&args, n_words, word, &topic, &err)) {
        if (!*err.text || strchr(err.text, '\n'))
            abort();
    } else if (args.command) {
        ask_for(&args, args.command->option);
        ask_for(&args, aisp_common_options);
    }
    aisp_args_release(&args);
    free(text);
    return 0;
}
