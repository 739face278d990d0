/* item.c - the table of the checklist, and what checks say and need. */
#include "doctor/item.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/err.h"

const struct aisp_family aisp_families[] = {
    { "mindset", "Mindset and cost" },
    { "reproducibility", "Reproducibility" },
    { "hardware", "Architecture and hardware planning" },
    { "system", "Operating system and driver" },
    { "gpu", "GPU programming" },
    { "distributed", "Distributed training and network" },
    { "inference", "Inference and serving" },
    { "power", "Power and thermal" },
    { "profiling", "Profiling" },
    { "architecture", "Architecture-specific" },
    { 0 },
};

/* ---- what a check says ---- */

__attribute__((format(printf, 3, 0))) static void say(struct aisp_found *found, enum aisp_diagnosis verdict, const char *format, va_list args)
{
    found->verdict = verdict;
    vsnprintf(found->text, sizeof found->text, format, args);
}

#define SAYS(name, verdict)                                              \
    void aisp_found_##name(struct aisp_found *found, const char *format, ...) \
    {                                                                    \
        va_list args;                                                    \
                                                                         \
        va_start(args, format);                                          \
        say(found, verdict, format, args);                               \
        va_end(args);                                                    \
    }
SAYS(ok, AISP_DIAGNOSIS_OK)
SAYS(attention, AISP_DIAGNOSIS_ATTENTION)
SAYS(problem, AISP_DIAGNOSIS_PROBLEM)
SAYS(not_applicable, AISP_DIAGNOSIS_NOT_APPLICABLE)

void aisp_found_unreadable(struct aisp_found *found, const char *format, ...)
{
    va_list args;
    int n;

    found->verdict = AISP_DIAGNOSIS_UNKNOWN;
    n = snprintf(found->text, sizeof found->text, "cannot read ");
    va_start(args, format);
    vsnprintf(found->text + n, sizeof found->text - (size_t)n, format, args);
    va_end(args);
}

void aisp_found_judged(struct aisp_found *found, bool good, enum aisp_diagnosis bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(found, good ? AISP_DIAGNOSIS_OK : bad, format, args);
    va_end(args);
}

/* ---- what a check needs ---- */

bool aisp_need_integer(const struct aisp_root *root, struct aisp_found *found, const char *file, int64_t *value)
{
    if (aisp_root_integer(root, value, "%s", file))
        return true;
    aisp_found_unreadable(found, "%s", file);
    return false;
}

bool aisp_need_line(const struct aisp_root *root, struct aisp_found *found, const char *file, char *to, size_t size)
{
    if (aisp_root_line(root, to, size, "%s", file) && *to)
        return true;
    aisp_found_unreadable(found, "%s", file);
    return false;
}

bool aisp_need_chosen(const struct aisp_root *root, struct aisp_found *found, const char *file, char *to, size_t size)
{
    if (aisp_root_chosen(root, to, size, file))
        return true;
    aisp_found_unreadable(found, "%s", file);
    return false;
}

bool aisp_need_field(const struct aisp_root *root, struct aisp_found *found, const char *file, const char *key, int64_t *value)
{
    char *text = aisp_root_text(root, "%s", file);
    const bool good = text && aisp_text_integer(text, key, value);

    if (!good)
        aisp_found_unreadable(found, "%s of %s", key, file);
    free(text);
    return good;
}

bool aisp_need_environment(const struct aisp_root *root, struct aisp_found *found)
{
    if (root->environment)
        return true;
    aisp_found_unreadable(found, "the environment (/proc/self/environ)");
    return false;
}

bool aisp_need_nvidia(const struct aisp_root *root, struct aisp_found *found)
{
    const int has = aisp_root_has_nvidia(root);

    if (has == 0)
        aisp_found_not_applicable(found, "there is no NVIDIA GPU");
    if (has < 0)
        aisp_found_unreadable(found, "/sys/bus/pci/devices");
    return has > 0;
}

bool aisp_need_rdma(const struct aisp_root *root, struct aisp_found *found)
{
    struct aisp_root_names devices;
    const bool readable = aisp_root_list(root, &devices, "", "/sys/class/infiniband");
    const bool has = devices.n > 0;

    aisp_names_release(&devices);
    if (!has && (readable || aisp_root_exists(root, "/sys/class")))
        aisp_found_not_applicable(found, "there is no RDMA device");
    else if (!has)
        aisp_found_unreadable(found, "/sys/class/infiniband");
    return has;
}

/* Is `value` one of the |-separated values? */
static bool is_one_of(const char *value, const char *values)
{
    const size_t n = strlen(value);

    for (const char *at = values; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == n && !strncmp(at, value, n))
            return true;
    return false;
}

void aisp_check_unset(const struct aisp_root *root, struct aisp_found *found, const char *names, const char *values,
                      enum aisp_diagnosis bad)
{
    struct aisp_buf set = AISP_BUF_INIT;

    if (!aisp_need_environment(root, found))
        return;
    for (const char *at = names; *at; at += strcspn(at, "|"), at += *at == '|') {
        char name[64];
        const char *value;

        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "|"), at);
        value = aisp_root_variable(root, name);
        if (value && (values ? is_one_of(value, values) : *value != 0))
            aisp_buf_printf(&set, "%s%s=%.60s", set.len ? " " : "", name, value);
    }
    aisp_found_judged(found, !set.len, bad, "%s", set.len ? set.s : "not set");
    aisp_buf_release(&set);
}

/* ---- the table ---- */

static size_t family_index(const struct aisp_item *item)
{
    const size_t n = strcspn(item->id, ".");
    size_t i = 0;

    for (; aisp_families[i].id; i++)
        if (strlen(aisp_families[i].id) == n && !strncmp(aisp_families[i].id, item->id, n))
            return i;
    AISP_BUG("item %s is of no family", item->id);
}

const struct aisp_family *aisp_item_family(const struct aisp_item *item)
{
    return &aisp_families[family_index(item)];
}

static int by_family_and_id(const void *a, const void *b)
{
    const struct aisp_item *x = *(const struct aisp_item *const *)a, *y = *(const struct aisp_item *const *)b;
    const size_t i = family_index(x), j = family_index(y);

    return i != j ? (i < j ? -1 : 1) : strcmp(x->id, y->id);
}

const struct aisp_item **aisp_items_sorted(size_t *n)
{
    const struct aisp_item **items = NULL;
    size_t cap = 0;

    *n = 0;
    AISP_FOR_EACH(aisp_items, struct aisp_item, item)
        *(const struct aisp_item **)aisp_grow(&items, n, &cap, sizeof *items) = item;
    if (*n)
        qsort(items, *n, sizeof *items, by_family_and_id);
    return items;
}

void aisp_item_check(const struct aisp_item *item, const struct aisp_root *root, struct aisp_found *found)
{
    *found = (struct aisp_found){ .verdict = AISP_DIAGNOSIS_ASK };
    if (!item->check)
        return;
    item->check(root, found);
    if (found->verdict == AISP_DIAGNOSIS_ASK || !*found->text)
        AISP_BUG("the check of %s says nothing", item->id);
}

const char *aisp_diagnosis_name(enum aisp_diagnosis verdict)
{
    static const char *const names[AISP_N_DIAGNOSES] = { "problem", "attention", "unknown", "ok", "not applicable", "ask" };

    return (unsigned)verdict < AISP_N_DIAGNOSES ? names[verdict] : "?";
}
