/* new_write.c - templates into files. */
#include "commands/new_write.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool aisp_new_is_name(const char *s, size_t n)
{
    if (n == 0 || n > 40 || !islower((unsigned char)*s))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!islower((unsigned char)s[i]) && !isdigit((unsigned char)s[i]) && s[i] != '_')
            return false;
    return true;
}

enum aisp_status aisp_new_folder(const char *folder, struct aisp_err *err)
{
    char *path = aisp_xstrdup(folder);
    enum aisp_status st = AISP_OK;

    for (char *c = path + 1; !st; c++) {
        const char was = *c;

        if (was && was != '/')
            continue;
        *c = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
        *c = was;
        if (!was)
            break;
    }
    free(path);
    return st;
}

/* The word at `text`, which begins with an @; NULL: it is a plain @. */
static const struct aisp_new_word *word_at(const char *text, const struct aisp_new_word *words)
{
    for (; words->key; words++) {
        const size_t n = strlen(words->key);

        if (!strncmp(text + 1, words->key, n) && text[n + 1] == '@')
            return words;
    }
    return NULL;
}

static void fill_in(struct aisp_buf *out, const char *text, const struct aisp_new_word *words)
{
    while (*text) {
        const size_t n = strcspn(text, "@");
        const struct aisp_new_word *word;

        aisp_buf_add(out, text, n);
        text += n;
        if (!*text)
            break;
        word = word_at(text, words);
        aisp_buf_puts(out, word ? word->value : "@");
        text += word ? strlen(word->key) + 2 : 1;
    }
}

enum aisp_status aisp_new_write(const char *path, const char *text,
                                const struct aisp_new_word *words, json_t *files,
                                struct aisp_err *err)
{
    struct aisp_buf out = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    int fd;

    fill_in(&out, text, words);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, out.s, out.len) != (ssize_t)out.len)
        st = aisp_fail_errno(err, errno == EEXIST ? AISP_E_USAGE : AISP_E_IO, "%s", path);
    if (fd >= 0 && close(fd) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
    if (!st)
        json_array_append_new(files, json_string(path));
    aisp_buf_release(&out);
    return st;
}

void aisp_new_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *file;
    size_t i;

    (void)style;
    json_array_foreach(json_object_get(value, "files"), i, file)
        aisp_buf_printf(out, "wrote %s\n", json_string_value(file));
    aisp_buf_printf(out, "try it: %s\n", json_string_value(json_object_get(value, "try")));
}
