/* completion.c - a bash completion script out of the table: words of commands, options, choices,
 * and targets by asking aisp. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

static void add_words(struct aisp_buf *out, const struct aisp_option *o)
{
    for (; o && o->name; o++)
        aisp_buf_printf(out, " --%s", o->name);
}

/* --profile) none minimal ...: what may stand behind an option. */
static void add_choices(struct aisp_buf *out, const struct aisp_command *c)
{
    for (const struct aisp_option *o = c->option; o && o->name; o++) {
        if (o->kind != AISP_OPT_CHOICE)
            continue;
        aisp_buf_printf(out, "    \"%s --%s\"|\"%s \"*\" --%s\") words=\"", c->path, o->name, c->path, o->name);
        for (const char *at = o->meta; *at; at++)
            aisp_buf_add(out, *at == '|' ? " " : at, 1);
        aisp_buf_puts(out, "\" ;;\n");
    }
}

/* The words that may follow `before`: "" -> "bench calibrate ...", "bench" -> "run show ...". */
static void add_path_words(struct aisp_buf *out, const struct aisp_command **all, size_t n,
                           const char *before)
{
    const size_t n_before = strlen(before);
    const char *last = "";
    size_t n_last = 0;

    for (size_t i = 0; i < n; i++) {
        const char *word = all[i]->path;
        size_t n_word;

        if (n_before) {
            if (strncmp(word, before, n_before) || word[n_before] != ' ')
                continue;
            word += n_before + 1;
        }
        n_word = strcspn(word, " ");
        if (n_word == n_last && !memcmp(word, last, n_word))
            continue;
        aisp_buf_printf(out, "%s%.*s", n_last ? " " : "", (int)n_word, word);
        last = word;
        n_last = n_word;
    }
}

static void add_groups(struct aisp_buf *out, const struct aisp_command **all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t group = strcspn(all[i]->path, " ");
        char *name;

        if (!all[i]->path[group] || (i && !strncmp(all[i - 1]->path, all[i]->path, group) &&
                                     all[i - 1]->path[group] == ' '))
            continue;
        name = aisp_format("%.*s", (int)group, all[i]->path);
        aisp_buf_printf(out, "    \"%s\") words=\"", name);
        add_path_words(out, all, n, name);
        aisp_buf_puts(out, "\" ;;\n");
        free(name);
    }
}

void aisp_completion_bash(struct aisp_buf *out)
{
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);

    aisp_buf_puts(
        out,
        "# bash completion of aisp, made by \"aisp completion bash\": source it, or put it into\n"
        "# /usr/share/bash-completion/completions/aisp\n"
        "_aisp() {\n"
        "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" words= "
        "path= w i\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    w=\"${COMP_WORDS[i]}\"; [[ $w == -* ]] && break; path+=\"${path:+ }$w\"\n"
        "  done\n"
        "  case \"$path $prev\" in\n");
    for (size_t i = 0; i < n; i++)
        add_choices(out, all[i]);
    aisp_buf_puts(out, "    *\" -t\"|*\" --targets\"|*\" show\") words=\"$(\"${COMP_WORDS[0]}\" "
                       "bench list-targets --names 2>/dev/null)\" ;;\n"
                       "    *) case \"$path\" in\n    \"\") words=\"");
    add_path_words(out, all, n, "");
    aisp_buf_puts(out, " --help --version\" ;;\n");
    add_groups(out, all, n);
    for (size_t i = 0; i < n; i++) {
        /* behind it: operands, but no other command that begins so */
        aisp_buf_printf(out, "    \"%s\"|\"%s \"*) words=\"", all[i]->path, all[i]->path);
        add_words(out, all[i]->option);
        add_words(out, aisp_common_options);
        aisp_buf_puts(out, "\" ;;\n");
    }
    aisp_buf_puts(
        out,
        "    esac ;;\n  esac\n"
        "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
        "  [[ ${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- \"$cur\"))\n"
        "  type __ltrim_colon_completions >/dev/null 2>&1 && __ltrim_colon_completions \"$cur\"\n"
        "  return 0\n}\ncomplete -F _aisp aisp\n");
    free(all);
}
