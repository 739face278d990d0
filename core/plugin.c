/* plugin.c - a variant's declaration, and the loading of a problem.
 * Not here: reading the object file (core/elf.c).
 * Why the whole text is checked: it is shown on terminals and written into reports as it is. */
#include "core/plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/elf.h"
#include "core/instance.h"

static bool is_clean(const char *text, size_t n)
{
    for (size_t i = 0, bytes; i < n; i += bytes) {
        bytes = text[i] == '\n' ? 1 : aisp_character_bytes(text + i, n - i);
        if (!bytes)
            return false;
    }
    return true;
}

/* The part of [*s, *s + *n) without spaces at its ends. */
static void trim(const char **s, size_t *n)
{
    while (*n && **s == ' ') {
        ++*s;
        --*n;
    }
    while (*n && (*s)[*n - 1] == ' ')
        --*n;
}

/* The next item of a comma separated list, trimmed; false at the end. */
static bool next_item(const char **at, const char **item, size_t *n)
{
    if (!**at)
        return false;
    *item = *at;
    *n = strcspn(*at, ",");
    *at += *n;
    *at += **at == ',';
    trim(item, n);
    return true;
}

/* "x = huge" into its two halves; false without "=". */
static bool split_wish(const char *item, size_t n, const char **wish, size_t *n_name,
                       size_t *n_wish)
{
    const char *equals = memchr(item, '=', n), *name = item;

    if (!equals)
        return false;
    *n_name = (size_t)(equals - item);
    *wish = equals + 1;
    *n_wish = n - *n_name - 1;
    trim(&name, n_name);
    trim(wish, n_wish);
    return *n_name && *n_wish;
}

static enum aisp_status check_place(const char *place, const char *name, struct aisp_err *err)
{
    static const char *const known[] = { "huge", "pinned", "pageable", "local" };
    const char *item, *wish;
    size_t n, n_name, n_wish;

    while (next_item(&place, &item, &n)) {
        bool is_known = false;

        if (!split_wish(item, n, &wish, &n_name, &n_wish))
            return aisp_fail(err, AISP_E_REFUSED, "%s: place: \"%.*s\" is not TENSOR=WISH", name,
                             (int)n, item);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known |= strlen(known[i]) == n_wish && memcmp(known[i], wish, n_wish) == 0;
        if (!is_known)
            return aisp_fail(err, AISP_E_REFUSED,
                             "%s: place: wish \"%.*s\" is unknown (huge, pinned, pageable, local)", name,
                             (int)n_wish, wish);
    }
    return AISP_OK;
}

static enum aisp_status parse_line(const char *line, size_t n, const char *name,
                                   struct aisp_declaration *decl, struct aisp_err *err)
{
    const struct {
        const char *key;
        char *to;
        size_t size;
    } field[] = {
        { "idea", decl->idea, sizeof decl->idea },
        { "expect", decl->expect, sizeof decl->expect },
        { "uses", decl->uses, sizeof decl->uses },
        { "place", decl->place, sizeof decl->place },
    };
    const char *colon = memchr(line, ':', n), *value;
    size_t n_key, n_value;

    if (!colon)
        return aisp_fail(err, AISP_E_REFUSED, "%s: line \"%.*s\" is not \"key: value\"", name,
                         (int)(n < 80 ? n : 80), line);
    n_key = (size_t)(colon - line);
    value = colon + 1;
    n_value = n - n_key - 1;
    trim(&line, &n_key);
    trim(&value, &n_value);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        if (strlen(field[i].key) != n_key || memcmp(field[i].key, line, n_key) != 0)
            continue;
        if (n_value == 0)
            return aisp_fail(err, AISP_E_REFUSED, "%s: key \"%s\" is empty", name, field[i].key);
        if (*field[i].to)
            return aisp_fail(err, AISP_E_REFUSED, "%s: key \"%s\" stands twice", name,
                             field[i].key);
        if (n_value >= field[i].size)
            return aisp_fail(err, AISP_E_REFUSED, "%s: key \"%s\" has %zu bytes, more than %zu",
                             name, field[i].key, n_value, field[i].size - 1);
        memcpy(field[i].to, value, n_value);
        field[i].to[n_value] = '\0';
        return AISP_OK;
    }
    return aisp_fail(err, AISP_E_REFUSED, "%s: key \"%.*s\" is unknown (idea, expect, uses, place)",
                     name, (int)(n_key < 80 ? n_key : 80), line);
}

enum aisp_status aisp_declaration_parse(const char *text, size_t n, const char *name,
                                        struct aisp_declaration *decl, struct aisp_err *err)
{
    struct aisp_declaration d = { { 0 } };
    enum aisp_status st;

    while (n && text[n - 1] == '\0')
        n--;
    if (n == 0)
        return aisp_fail(err, AISP_E_REFUSED, "%s: the declaration is empty", name);
    if (memchr(text, '\0', n))
        return aisp_fail(err, AISP_E_REFUSED, "%s: more than one declaration", name);
    if (!is_clean(text, n))
        return aisp_fail(err, AISP_E_REFUSED, "%s: the declaration is not plain UTF-8 text", name);
    for (const char *end = text + n; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline ? newline : end) - text);

        if (length) {
            st = parse_line(text, length, name, &d, err);
            if (st)
                return st;
        }
        text = newline ? newline + 1 : end;
    }
    st = check_place(d.place, name, err);
    if (!st)
        *decl = d;
    return st;
}

enum aisp_status aisp_declaration_read_in(int folder, const char *path, struct aisp_declaration *decl,
                                          struct aisp_err *err)
{
    struct aisp_elf elf;
    enum aisp_status st = aisp_elf_read(folder, path, &elf, err);

    if (st)
        return st;
    return aisp_declaration_parse(elf.declare, elf.declare_bytes, aisp_base_name(path), decl, err);
}

enum aisp_status aisp_declaration_read(const char *path, struct aisp_declaration *decl,
                                       struct aisp_err *err)
{
    return aisp_declaration_read_in(-1, path, decl, err);
}

bool aisp_declaration_uses(const struct aisp_declaration *decl, const char *what)
{
    const char *at = decl->uses, *item;
    size_t n;

    while (next_item(&at, &item, &n))
        if (strlen(what) == n && memcmp(what, item, n) == 0)
            return true;
    return false;
}

void aisp_declaration_place(const struct aisp_declaration *decl, const char *name, char wish[16])
{
    const char *at = decl->place, *item, *found;
    size_t n, n_name, n_wish;

    wish[0] = '\0';
    while (next_item(&at, &item, &n))
        if (split_wish(item, n, &found, &n_name, &n_wish) && strlen(name) == n_name &&
            memcmp(name, item, n_name) == 0 && n_wish < 16) {
            memcpy(wish, found, n_wish);
            wish[n_wish] = '\0';
            return;
        }
}

enum aisp_status aisp_problem_load(const char *path, struct aisp_loaded_problem *loaded,
                                   struct aisp_err *err)
{
    const char *name = aisp_base_name(path);
    const struct aisp_problem *problem;
    struct aisp_err why = { .text = "" };
    enum aisp_status st = AISP_OK;
    char *full = NULL;
    void *handle = NULL;

    *loaded = (struct aisp_loaded_problem){ 0 };
    if (access(path, F_OK) < 0)
        return aisp_fail_errno(err, AISP_E_NOT_FOUND, "%s", path);
    /* Without a slash the loader would search its own folders. */
    full = aisp_format("%s%s", strchr(path, '/') ? "" : "./", path);
    handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();

        st = aisp_fail(err, AISP_E_REFUSED, "%s: %s", name, reason ? reason : "does not load");
        goto out;
    }
    problem = dlsym(handle, "aisp_problem");
    if (!problem) {
        st = aisp_fail(err, AISP_E_REFUSED, "%s: no aisp_problem in it (AISP_PROBLEM is missing)",
                       name);
        goto out;
    }
    st = aisp_problem_check(problem, &why);
    if (st) {
        st = aisp_fail(err, st, "%s: %s", name, why.text);
        goto out;
    }
    *loaded = (struct aisp_loaded_problem){ handle, problem, dlsym(handle, "aisp_sweep") };
    handle = NULL;
out:
    if (handle)
        dlclose(handle);
    free(full);
    return st;
}

void aisp_problem_unload(struct aisp_loaded_problem *loaded)
{
    if (!loaded || !loaded->handle)
        return;
    dlclose(loaded->handle);
    *loaded = (struct aisp_loaded_problem){ 0 };
}
