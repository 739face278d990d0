/* doctor.c - `aisp doctor`: go through the checklist on this machine, or on a folder that stands for one.
 * Not here: the items (doctor/), their looks (doctor_text.c).
 * Why it changes nothing: what is right for measuring may be wrong for the machine's other users; a fix is shown, and run by
 * a person. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "commands/doctor.h"
#include "doctor/item.h"

/* ---- what was asked ---- */

/* Does the operand name this item, or its family? */
static bool names_item(const char *operand, const struct aisp_item *item)
{
    return !strcmp(operand, item->id) || !strcmp(operand, aisp_item_family(item)->id);
}

static enum aisp_status check_name(const char *name, const struct aisp_item *const *items, size_t n, bool item_only,
                                   struct aisp_err *err)
{
    const char **known = aisp_xcalloc(n + 32, sizeof *known), *nearest;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        if (item_only ? !strcmp(name, items[i]->id) : names_item(name, items[i])) {
            free(known);
            return AISP_OK;
        }
        known[n_known++] = items[i]->id;
    }
    for (size_t i = 0; aisp_families[i].id && !item_only && n_known < n + 32; i++)
        known[n_known++] = aisp_families[i].id;
    nearest = aisp_nearest(name, known, n_known);
    free(known);
    return aisp_fail(err, AISP_E_USAGE, "%s: there is no such %s%s%s%s", name, item_only ? "item" : "item or family",
                     nearest ? "; did you mean " : "; `aisp doctor --all` lists them", nearest ? nearest : "",
                     nearest ? "?" : "");
}

static enum aisp_status check_request(const struct aisp_args *args, const struct aisp_item *const *items, size_t n,
                                      struct aisp_err *err)
{
    const char *root = aisp_args_text(args, "root"), *explain = aisp_args_text(args, "explain");
    enum aisp_status st = AISP_OK;
    struct stat info;

    if (stat(root, &info) || !S_ISDIR(info.st_mode))
        return aisp_fail(err, AISP_E_USAGE, "--root %s: not a folder", root);
    if (explain && args->n_operands)
        return aisp_fail(err, AISP_E_USAGE, "--explain %s: give either this or %s, not both", explain, args->operand[0]);
    if (explain)
        AISP_TRY(check_name(explain, items, n, true, err));
    for (size_t i = 0; i < args->n_operands; i++)
        AISP_TRY(check_name(args->operand[i], items, n, false, err));
out:
    return st;
}

static bool is_wanted(const struct aisp_args *args, const struct aisp_item *item)
{
    const char *explain = aisp_args_text(args, "explain");
    bool wanted = !explain && !args->n_operands;

    if (explain)
        return !strcmp(explain, item->id);
    for (size_t i = 0; i < args->n_operands; i++)
        wanted |= names_item(args->operand[i], item);
    return wanted;
}

/* ---- the value ---- */

struct look {
    const struct aisp_item *item;
    struct aisp_found found;
};

/* Worst first; items with the same verdict stay in the order of their ids. */
static int by_verdict(const void *a, const void *b)
{
    const struct look *x = a, *y = b;

    if (x->found.verdict != y->found.verdict)
        return x->found.verdict < y->found.verdict ? -1 : 1;
    return strcmp(x->item->id, y->item->id);
}

static json_t *counts_of(const struct look *looks, size_t n)
{
    int of[AISP_N_DIAGNOSES] = { 0 }, checked = 0;
    json_t *counts = json_object();

    for (size_t i = 0; i < n; i++) {
        of[looks[i].found.verdict]++;
        checked += looks[i].item->check != NULL;
    }
    for (int v = 0; v < AISP_N_DIAGNOSES; v++)
        json_object_set_new(counts, aisp_diagnosis_name(v), json_integer(of[v]));
    json_object_set_new(counts, "items", json_integer((json_int_t)n));
    json_object_set_new(counts, "checked", json_integer(checked));
    return counts;
}

static json_t *item_of(const struct look *look)
{
    const struct aisp_item *item = look->item;

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:s?}", "id", item->id, "title", item->title, "why", item->why, "how",
                     item->how, "fix", item->fix, "checked", item->check != NULL, "verdict",
                     aisp_diagnosis_name(look->found.verdict), "found", item->check ? look->found.text : NULL);
}

/* Looks are sorted by family. */
static json_t *families_of(struct look *looks, size_t n)
{
    json_t *families = json_array();

    for (size_t i = 0, end; i < n; i = end) {
        const struct aisp_family *family = aisp_item_family(looks[i].item);
        json_t *items = json_array();

        for (end = i; end < n && aisp_item_family(looks[end].item) == family; end++)
            ;
        qsort(looks + i, end - i, sizeof *looks, by_verdict);
        for (size_t k = i; k < end; k++)
            json_array_append_new(items, item_of(&looks[k]));
        json_array_append_new(families, json_pack("{s:s, s:s, s:o, s:o}", "family", family->id, "title", family->title,
                                                  "counts", counts_of(looks + i, end - i), "items", items));
    }
    return families;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    size_t n, n_looks = 0;
    const struct aisp_item **items = aisp_items_sorted(&n);
    struct look *looks = aisp_xcalloc(n + 1, sizeof *looks);
    const char *explain = aisp_args_text(args, "explain");
    struct aisp_root root;
    json_t *counts;
    enum aisp_status st;

    AISP_TRY(check_request(args, items, n, request->err));
    aisp_root_init(&root, aisp_args_text(args, "root"));
    for (size_t i = 0; i < n; i++)
        if (is_wanted(args, items[i])) {
            looks[n_looks].item = items[i];
            aisp_item_check(items[i], &root, &looks[n_looks++].found);
        }
    aisp_root_release(&root);
    counts = counts_of(looks, n_looks);
    if (aisp_args_flag(args, "gate") && json_integer_value(json_object_get(counts, "problem")))
        *exit_code = AISP_EXIT_GATE;
    *value = json_pack("{s:s, s:b, s:b, s:s?, s:o, s:o}", "root", aisp_args_text(args, "root"), "all",
                       aisp_args_flag(args, "all") || args->n_operands, "markdown", aisp_args_flag(args, "markdown"), "explain",
                       explain, "counts", counts, "families", families_of(looks, n_looks));
out:
    free(looks);
    free(items);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    if (json_is_true(json_object_get(value, "markdown")))
        aisp_doctor_guide(value, out);
    else
        aisp_doctor_text(value, style, out);
}

static const struct aisp_operand operands[] = {
    { "FAMILY|ITEM", "Only these: system, system.swappiness; shown whatever was found", .optional = true, .repeats = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "all", 'a', AISP_OPT_FLAG, .help = "Also what is ok or not applicable, and the questions to a person" },
    { "explain", 0, AISP_OPT_TEXT, .meta = "ITEM", .help = "Everything about one item: why, how it is checked, what to do" },
    { "root", 0, AISP_OPT_PATH, .meta = "DIR", .help = "Look at a folder that stands for / of another machine", .preset = "/" },
    { "gate", 0, AISP_OPT_FLAG, .help = "End with exit code 4 if there is a problem" },
    { "markdown", 0, AISP_OPT_FLAG, .help = "Print the checklist itself as Markdown" },
    { 0 },
};

AISP_COMMAND(doctor) = {
    .path = "doctor",
    .sentence = "Go through the checklist: what on this machine spoils measurements or speed",
    .example = "aisp doctor\naisp doctor system power --all\naisp doctor --explain system.cpu-quota",
    .operand = operands,
    .option = options,
    .run = run,
    .render = render,
};
