/* fixture.c - find the fixtures, and read what they say of themselves. */
#include "tests/selftest/fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/run/policy.h"
#include "tests/selftest/place.h"

static const char *const defences[AISP_N_DEFENCES] = {
    [AISP_FRESH_CONTENTS] = "FRESH_CONTENTS",
    [AISP_POISON_OUTPUTS] = "POISON_OUTPUTS",
    [AISP_COMPARE_OUTPUTS] = "COMPARE_OUTPUTS",
    [AISP_READ_ONLY_INPUTS] = "READ_ONLY_INPUTS",
    [AISP_INPUT_HASH] = "INPUT_HASH",
    [AISP_GUARDS] = "GUARDS",
    [AISP_LATE_LOOK] = "LATE_LOOK",
    [AISP_IDLE_ACCOUNTING] = "IDLE_ACCOUNTING",
    [AISP_SLOT_SECRECY] = "SLOT_SECRECY",
    [AISP_CLOCKS_AGREE] = "CLOCKS_AGREE",
    [AISP_THREAD_COUNT] = "THREAD_COUNT",
    [AISP_FOREIGN_OUTPUT] = "FOREIGN_OUTPUT",
    [AISP_CONFINEMENT] = "CONFINEMENT",
    [AISP_ROOFLINE_FLOOR] = "ROOFLINE_FLOOR",
    [AISP_EMISSION_RULES] = "EMISSION_RULES",
    [AISP_MEMORY_CAP] = "MEMORY_CAP",
    [AISP_SCHEDULER_LOOK] = "SCHEDULER_LOOK",
    [AISP_PROCESS_FACTS] = "PROCESS_FACTS",
    [AISP_RANK_SPAN] = "RANK_SPAN",
    [AISP_RANK_LEDGER] = "RANK_LEDGER",
    [AISP_PLANTED_CONTENTS] = "PLANTED_CONTENTS",
    [AISP_SAME_AGAIN] = "SAME_AGAIN",
    [AISP_FLOAT_MODE] = "FLOAT_MODE",
    [AISP_DEVICE_RECORDER] = "DEVICE_RECORDER",
    [AISP_LATE_CONTENTS] = "LATE_CONTENTS",
    [AISP_LAST_POISON] = "LAST_POISON",
    [AISP_COLD_CACHE] = "COLD_CACHE",
    [AISP_COLD_LOOK] = "COLD_LOOK",
    [AISP_IDLE_CARD] = "IDLE_CARD",
    [AISP_NEW_AT_GO] = "NEW_AT_GO",
};

static bool add_defence(uint32_t *set, const char *name)
{
    for (int i = 0; i < AISP_N_DEFENCES; i++)
        if (!strcmp(name, defences[i])) {
            *set |= 1u << i;
            return true;
        }
    return false;
}

static bool copy_text(char *to, size_t size, const char *from)
{
    return *from && (size_t)snprintf(to, size, "%s", from) < size;
}

static bool take_flag(struct fixture *f, const char *key)
{
    const struct {
        const char *key;
        bool *to;
    } flag[] = { { "faster", &f->faster }, { "publish", &f->publish }, { "copy", &f->copy }, { "brief", &f->brief },
                 { "allow_virtualization", &f->allow_virtualization } };

    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        if (!strcmp(key, flag[i].key))
            return *flag[i].to = true;
    return false;
}

static bool take_text(struct fixture *f, const char *key, const char *value)
{
    const struct {
        const char *key;
        char *to;
        size_t size;
    } text[] = {
        { "check", f->check, sizeof f->check },
        { "problem", f->problem, sizeof f->problem },
        { "side", f->side, sizeof f->side },
        { "root", f->root, sizeof f->root },
        { "env", f->env, sizeof f->env },
        { "calibration", f->calibration, sizeof f->calibration },
        { "edit", f->edit, sizeof f->edit },
        { "nvml", f->nvml, sizeof f->nvml },
        { "card", f->card, sizeof f->card },
        { "spares", f->spares, sizeof f->spares },
        { "also", f->also, sizeof f->also },
        { "scope", f->scope, sizeof f->scope },
    };

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (!strcmp(key, text[i].key))
            return copy_text(text[i].to, text[i].size, value);
    return false;
}

static bool take(struct fixture *f, const char *key, const char *value)
{
    if (!strcmp(key, "flags"))
        return *value;
    if (!strcmp(key, "shares"))
        return !*value;
    if (!strcmp(key, "defence"))
        return add_defence(&f->defences, value);
    if (!strcmp(key, "needs"))
        return add_defence(&f->needs, value);
    if (!strcmp(key, "without"))
        return add_defence(&f->without, value);
    if (!strcmp(key, "pairs"))
        return (f->pairs = atoi(value)) > 0;
    if (!strcmp(key, "user"))
        return f->as_nobody = !strcmp(value, "nobody");
    if (!strcmp(key, "cpus"))
        return (f->cpus = atoi(value)) > 0;
    if (!strcmp(key, "says"))
        return f->n_says < FIXTURE_MAX_SAYS &&
               copy_text(f->says[f->n_says++], sizeof *f->says, value);
    if (!strcmp(key, "ratio"))
        return f->has_ratio = sscanf(value, "%lf %lf", &f->ratio_low, &f->ratio_high) == 2;
    return *value ? take_text(f, key, value) : take_flag(f, key);
}

static void defaults(struct fixture *f, const char *kind, const char *name)
{
    memset(f, 0, sizeof *f);
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->check, sizeof f->check, "%s", name);
    for (char *c = f->check; *c; c++)
        *c = *c == '_' ? '-' : *c;
    f->is_cheat = !strncmp(kind, "cheats", 6);
    strcpy(f->device, strstr(kind, "_cuda") ? "cuda" : "cpu");
    strcpy(f->problem, strcmp(f->device, "cuda") ? "rsqrt" : "card_roots");
    strcpy(f->side, "B");
    strcpy(f->scope, "call");
    strcpy(f->card, "0");
}

bool fixture_read(struct fixture *f, const char *kind, const char *name)
{
    char *path = place_of("%s/%s.txt", kind, name), line[256];
    FILE *file = fopen(path, "r");
    bool good = file != NULL;

    defaults(f, kind, name);
    if (!file)
        printf("%s: cannot be read\n", path);
    while (good && fgets(line, sizeof line, file) && !strstr(line, "#include")) {
        char *key = line + 4, *value, *end = strstr(line, "*/");

        if (strncmp(line, " * @", 4))
            continue;
        for (end = end ? end : line + strlen(line); end > key && strchr(" \n", end[-1]); end--)
            ;
        *end = 0;
        value = key + strcspn(key, " ");
        if (*value)
            *value++ = 0;
        good = take(f, key, value);
        if (!good)
            printf("%s: \"@%s %s\" is not understood\n", path, key, value);
    }
    if (file)
        fclose(file);
    free(path);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **fixture_names(const char *kind, size_t *n)
{
    char *folder = place_of("%s", kind), **name = NULL;
    DIR *dir = opendir(folder);
    size_t cap = 0;

    *n = 0;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        const char *dot = strrchr(e->d_name, '.');

        if (dot && !strcmp(dot, ".txt"))
            *(char **)aisp_grow(&name, n, &cap, sizeof *name) =
                aisp_format("%.*s", (int)(dot - e->d_name), e->d_name);
    }
    if (dir)
        closedir(dir);
    if (*n)
        qsort(name, *n, sizeof *name, by_name);
    free(folder);
    return name;
}
