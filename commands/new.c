/* new.c - `aisp new target` and `aisp new variant`: small working examples to start from.
 * Not here: the texts (new_templates.c), writing them (new_write.c), parts of aisp itself (new_part.c). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/new_templates.h"
#include "commands/new_write.h"
#include "commands/place.h"

/* "ch07:mine" -> chapters/ch07/mine, "labs/matmul:mine" -> labs/matmul/mine; caller frees. */
static enum aisp_status folder_of(const char *id, char **folder, struct aisp_err *err)
{
    const char *colon = strchr(id, ':'), *group = id;
    const bool is_lab = !strncmp(id, "labs/", 5);
    const size_t skip = is_lab ? 5 : 0;

    if (!colon || !aisp_new_is_name(group + skip, (size_t)(colon - group) - skip) ||
        !aisp_new_is_name(colon + 1, strlen(colon + 1)))
        return aisp_fail(
            err, AISP_E_USAGE,
            "\"%s\" is no name for a target: write ch07:my_idea or labs/my_lab:my_idea, in "
            "lower-case letters, digits and _",
            id);
    *folder = aisp_format("%s%.*s/%s", is_lab ? "" : "chapters/", (int)(colon - id), id, colon + 1);
    return AISP_OK;
}

/* @name@ and @NAME@ stand for the name. */
static enum aisp_status write_in(const char *folder, const char *file, const char *text,
                                 const char *name, json_t *files, struct aisp_err *err)
{
    char *path = aisp_format("%s/%s", folder, file), *upper = aisp_xstrdup(name);
    const struct aisp_new_word words[] = { { "name", name }, { "NAME", upper }, { NULL, NULL } };
    enum aisp_status st;

    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    st = aisp_new_write(path, text, words, files, err);
    free(upper);
    free(path);
    return st;
}

static enum aisp_status write_target(const struct aisp_request *request, json_t **value,
                                     int *exit_code)
{
    const char *id = request->args->operand[0], *name;
    json_t *files = json_array();
    char *folder = NULL, *try = NULL;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(folder_of(id, &folder, request->err));
    if (aisp_place_is_folder(folder)) {
        st = aisp_fail(
            request->err, AISP_E_USAGE,
            "%s exists already; choose another name, or add a variant by \"aisp new variant\"",
            folder);
        goto out;
    }
    name = strchr(id, ':') + 1;
    AISP_TRY(aisp_new_folder(folder, request->err));
    for (size_t i = 0; aisp_new_target_files[i].file; i++)
        AISP_TRY(write_in(folder, aisp_new_target_files[i].file, aisp_new_target_files[i].text,
                          name, files, request->err));
    try = aisp_format("aisp bench run %s/optimized_lanes.c --quick", folder);
    *value = json_pack("{s:O, s:s}", "files", files, "try", try);
out:
    json_decref(files);
    free(folder);
    free(try);
    return st;
}

/* "ch07:transpose/optimized_nt": a copy of the baseline under that name, to be improved. */
static enum aisp_status write_variant(const struct aisp_request *request, json_t **value,
                                      int *exit_code)
{
    const char *spelled = request->args->operand[0], *slash = strrchr(spelled, '/'),
               *colon = strchr(spelled, ':');
    char *id = NULL, *folder = NULL, *file = NULL, *baseline = NULL, *try = NULL;
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *files = json_array();
    char part[4096];
    FILE *f = NULL;
    enum aisp_status st;
    size_t n;

    (void)exit_code;
    if (!colon || !slash || slash < colon || strncmp(slash + 1, "optimized_", 10) ||
        !aisp_new_is_name(slash + 11, strlen(slash + 11))) {
        st = aisp_fail(request->err, AISP_E_USAGE,
                       "\"%s\" is no name for a variant: write ch07:transpose/optimized_my_idea",
                       spelled);
        goto out;
    }
    id = aisp_format("%.*s", (int)(slash - spelled), spelled);
    AISP_TRY(folder_of(id, &folder, request->err));
    baseline = aisp_format("%s/baseline.c", folder);
    f = fopen(baseline, "r");
    if (!f) {
        st =
            aisp_fail(request->err, AISP_E_NOT_FOUND,
                      "%s: not here; start in the folder that holds chapters/ and labs/", baseline);
        goto out;
    }
    aisp_buf_printf(&text,
                    "/* %s - FILL IN: the idea in one sentence, the gain that is expected and why, "
                    "what it costs.\n"
                    " * Begins as a copy of the baseline: it passes, and is as fast. */\n",
                    slash + 1);
    while ((n = fread(part, 1, sizeof part, f)))
        aisp_buf_add(&text, part, n);
    file = aisp_format("%s.c", slash + 1);
    AISP_TRY(write_in(folder, file, text.s, slash + 1, files, request->err));
    try = aisp_format("aisp bench run %s/%s", folder, file);
    *value = json_pack("{s:O, s:s}", "files", files, "try", try);
out:
    if (f)
        fclose(f);
    json_decref(files);
    aisp_buf_release(&text);
    free(id);
    free(folder);
    free(file);
    free(baseline);
    free(try);
    return st;
}

static const struct aisp_operand target_operand[] = {
    { "NAME", "ch07:my_idea or labs/my_lab:my_idea" }, { 0 }
};
static const struct aisp_operand variant_operand[] = {
    { "NAME", "ch07:transpose/optimized_my_idea" }, { 0 }
};

AISP_COMMAND(new_target) = {
    .path = "new target",
    .sentence = "Write a small target that builds and passes, to start from",
    .example = "aisp new target ch07:my_idea",
    .operand = target_operand,
    .flags = AISP_CMD_WRITES,
    .run = write_target,
    .render = aisp_new_render,
};

AISP_COMMAND(new_variant) = {
    .path = "new variant",
    .sentence = "Write a new variant of a target, which begins as a copy of its baseline",
    .example = "aisp new variant ch07:transpose/optimized_my_idea",
    .operand = variant_operand,
    .flags = AISP_CMD_WRITES,
    .run = write_variant,
    .render = aisp_new_render,
};
