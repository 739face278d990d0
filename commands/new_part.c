/* new_part.c - `aisp new command` and `aisp new protection`: a part of aisp itself, in a tree of its sources, which builds and
 * whose tests pass as it is. Not here: the texts (new_part_templates.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/issues.h"
#include "commands/new_part_templates.h"
#include "commands/new_write.h"
#include "commands/place.h"

/* "my-trick" and "my_trick" are the same name, in two spellings. */
struct spelling {
    char under[48], dashed[48];
};

static enum aisp_status spell(const char *name, struct spelling *s, struct aisp_err *err)
{
    snprintf(s->under, sizeof s->under, "%.47s", name);
    for (char *c = s->under; *c; c++)
        *c = *c == '-' || *c == ' ' ? '_' : *c;
    if (!aisp_new_is_name(s->under, strlen(name)))
        return aisp_fail(err, AISP_E_USAGE,
                         "\"%s\" is no name: write my_idea, in lower-case letters, digits and _",
                         name);
    snprintf(s->dashed, sizeof s->dashed, "%s", s->under);
    for (char *c = s->dashed; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return AISP_OK;
}

static enum aisp_status check_tree(const char *folder, struct aisp_err *err)
{
    if (aisp_place_is_folder(folder))
        return AISP_OK;
    return aisp_fail(err, AISP_E_NOT_FOUND, "%s/: not here; start in the folder of aisp's sources",
                     folder);
}

/* ---- command ---- */

/* "bench_hello" is `aisp bench hello`, "hello_world" is `aisp hello-world`. */
static char *path_of(const struct spelling *s)
{
    static const char *const groups[] = { "bench", "utils", "profile", "store", "new" };

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const size_t n = strlen(groups[i]);

        if (!strncmp(s->dashed, groups[i], n) && s->dashed[n] == '-')
            return aisp_format("%s %s", groups[i], s->dashed + n + 1);
    }
    return aisp_xstrdup(s->dashed);
}

struct part {
    char *path;
    const char *text;
};

/* All or nothing: none of them may be there before. */
static enum aisp_status write_parts(const struct part *part, size_t n,
                                    const struct aisp_new_word *words, json_t *files,
                                    struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < n && !st; i++)
        if (aisp_place_is_file(part[i].path))
            st = aisp_fail(err, AISP_E_USAGE, "%s exists already; choose another name",
                           part[i].path);
    for (size_t i = 0; i < n && !st; i++)
        st = aisp_new_write(part[i].path, part[i].text, words, files, err);
    return st;
}

static enum aisp_status write_command(const struct aisp_request *request, json_t **value,
                                      int *exit_code)
{
    json_t *files = json_array();
    struct spelling s;
    char *path = NULL, *try = NULL;
    struct part part[3] = { { NULL, aisp_new_command_c },
                            { NULL, aisp_new_command_sh },
                            { NULL, aisp_new_command_out } };
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(spell(request->args->operand[0], &s, request->err));
    AISP_TRY(check_tree("commands", request->err));
    AISP_TRY(check_tree("tests/cli/table", request->err));
    path = path_of(&s);
    part[0].path = aisp_format("commands/%s.c", s.under);
    part[1].path = aisp_format("tests/cli/table/%s.sh", s.under);
    part[2].path = aisp_format("tests/cli/table/%s.out", s.under);
    AISP_TRY(write_parts(
        part, 3,
        (const struct aisp_new_word[]){ { "name", s.under }, { "path", path }, { NULL, NULL } },
        files, request->err));
    try = aisp_format("ninja -C build aisp && tests/cli/run build tests/cli/table/%s.sh", s.under);
    *value = json_pack("{s:O, s:s}", "files", files, "try", try);
out:
    for (int i = 0; i < 3; i++)
        free(part[i].path);
    free(path);
    free(try);
    json_decref(files);
    return st;
}

/* ---- protection ---- */

static enum aisp_status check_family(const char *family, int issue, struct aisp_err *err)
{
    if (!strcmp(family, aisp_issue(issue)->family))
        return AISP_OK;
    return aisp_fail(err, AISP_E_USAGE, "issue %d, %s, is of the family %s, not %s", issue,
                     aisp_issue(issue)->name, aisp_issue(issue)->family, family);
}

static enum aisp_status write_protection(const struct aisp_request *request, json_t **value,
                                         int *exit_code)
{
    const char *family = aisp_args_text(request->args, "family");
    const int issue = (int)aisp_args_integer(request->args, "issue");
    json_t *files = json_array();
    struct spelling s;
    char *try = NULL, number[8];
    struct part part[3] = { { NULL, aisp_new_check_c },
                            { NULL, aisp_new_cheat_c },
                            { NULL, aisp_new_twin_c } };
    enum aisp_status st;

    (void)exit_code;
    if (!family || !issue) {
        st = aisp_fail(request->err, AISP_E_USAGE,
                       "which of the issues does it answer? --family and --issue say it");
        goto out;
    }
    AISP_TRY(spell(request->args->operand[0], &s, request->err));
    AISP_TRY(check_family(family, issue, request->err));
    AISP_TRY(check_tree("checks", request->err));
    AISP_TRY(check_tree("tests/cheats", request->err));
    part[0].path = aisp_format("checks/%s.c", s.under);
    part[1].path = aisp_format("tests/cheats/%s.c", s.under);
    part[2].path = aisp_format("tests/honest/%s.c", s.under);
    snprintf(number, sizeof number, "%d", issue);
    AISP_TRY(write_parts(part, 3,
                         (const struct aisp_new_word[]){ { "name", s.under },
                                                         { "dashed", s.dashed },
                                                         { "family", family },
                                                         { "issue", number },
                                                         { "title", aisp_issue(issue)->name },
                                                         { NULL, NULL } },
                         files, request->err));
    try = aisp_format("ninja -C build aisp-selftest && build/aisp-selftest cheats/%s honest/%s",
                      s.under, s.under);
    *value = json_pack("{s:O, s:s}", "files", files, "try", try);
out:
    for (int i = 0; i < 3; i++)
        free(part[i].path);
    free(try);
    json_decref(files);
    return st;
}

static const struct aisp_operand command_operand[] = {
    { "NAME", "bench_hello for \"aisp bench hello\"" }, { 0 }
};
static const struct aisp_operand protection_operand[] = { { "NAME", "my-trick: the check's name" },
                                                          { 0 } };

static const struct aisp_option protection_options[] = {
    { "family", 0, AISP_OPT_TEXT, .meta = "FAMILY",
      .help = "The issue's: timing, output, workload, ... evaluation" },
    { "issue", 0, AISP_OPT_INTEGER, .meta = "N", .help = "Which of the 95 issues it answers",
      .low = 1, .high = AISP_N_ISSUES },
    { 0 },
};

AISP_COMMAND(new_command) = {
    .path = "new command",
    .sentence = "Write a command of aisp that works, with its test, to start from",
    .example = "aisp new command bench_hello",
    .operand = command_operand,
    .flags = AISP_CMD_WRITES,
    .run = write_command,
    .render = aisp_new_render,
};

AISP_COMMAND(new_protection) = {
    .path = "new protection",
    .sentence = "Write a check with a cheat that it catches and an honest twin, to start from",
    .example = "aisp new protection my-trick --family output --issue 10",
    .operand = protection_operand,
    .option = protection_options,
    .flags = AISP_CMD_WRITES,
    .run = write_protection,
    .render = aisp_new_render,
};
