/* guides.c - the guides that lie beside the program, in guide/. A name is one that the folder lists, and is looked for there. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "mcp/mcp.h"

enum { MOST_GUIDE = 1 << 20 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

json_t *aisp_mcp_guides(const struct aisp_mcp *mcp)
{
    DIR *folder = mcp->guides ? opendir(mcp->guides) : NULL;
    json_t *list = json_array();
    char **name = NULL;
    size_t n = 0, cap = 0;

    for (const struct dirent *e; folder && (e = readdir(folder)); ) {
        const size_t length = strlen(e->d_name);

        if (e->d_name[0] != '.' && length > 3 && !strcmp(e->d_name + length - 3, ".md"))
            *(char **)aisp_grow(&name, &n, &cap, sizeof *name) = aisp_format("%.*s", (int)length - 3, e->d_name);
    }
    if (folder)
        closedir(folder);
    if (n)
        qsort(name, n, sizeof *name, by_name);
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, json_string(name[i]));
        free(name[i]);
    }
    free(name);
    return list;
}

static bool is_guide(const struct aisp_mcp *mcp, const char *name)
{
    json_t *list = aisp_mcp_guides(mcp), *one;
    bool found = false;
    size_t i;

    json_array_foreach(list, i, one)
        found |= !strcmp(json_string_value(one), name);
    json_decref(list);
    return found;
}

char *aisp_mcp_guide_text(const struct aisp_mcp *mcp, const char *name)
{
    char *path = is_guide(mcp, name) ? aisp_format("%s/%s.md", mcp->guides, name) : NULL;
    FILE *f = path ? fopen(path, "re") : NULL;
    struct aisp_buf text = AISP_BUF_INIT;
    char bytes[16384];

    for (size_t n; f && text.len < MOST_GUIDE && (n = fread(bytes, 1, sizeof bytes, f)) > 0; )
        aisp_buf_add(&text, bytes, n);
    if (f)
        fclose(f);
    free(path);
    if (!f)
        return NULL;
    return aisp_buf_detach(&text);
}

char *aisp_mcp_guide_title(const char *text)
{
    const char *heading = !strncmp(text, "# ", 2) ? text : strstr(text, "\n# ");

    heading = heading ? heading + strspn(heading, "\n# ") : "";
    return aisp_format("%.*s", (int)strcspn(heading, "\n"), heading);
}
