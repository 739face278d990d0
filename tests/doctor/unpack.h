/* unpack.h - a machine in one text file, put into a folder that stands for its "/".
 *   /path = text            a file of one line; without text an empty one
 *   /path <<                a file of the lines up to one that is a single point
 *   /path -> target         a symbolic link
 *   /path/                  a folder
 *   # ...                   nothing
 * {0..7} in a path stands for each of these numbers. A later entry replaces an earlier one.
 * Why text: one file can be read, changed and compared in one look, and a tree of three hundred cannot. */
#ifndef TESTS_DOCTOR_UNPACK_H
#define TESTS_DOCTOR_UNPACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/fake_root.h"

enum unpack_kind { UNPACK_FILE, UNPACK_LINK, UNPACK_FOLDER };

static void make_folders(const char *root, const char *path)
{
    char *whole = aisp_format("%s%s", root, path);

    for (char *at = whole + strlen(root) + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(whole, 0777);
            *at = '/';
        }
    free(whole);
}

/* One entry for each path that its braces stand for. */
static void unpack_entry(const char *root, const char *path, enum unpack_kind kind, const char *text)
{
    const char *open = strchr(path, '{'), *close = open ? strchr(open, '}') : NULL;
    int low, high;

    if (close && sscanf(open, "{%d..%d}", &low, &high) == 2) {
        for (int i = low; i <= high; i++) {
            char *one = aisp_format("%.*s%d%s", (int)(open - path), path, i, close + 1);

            unpack_entry(root, one, kind, text);
            free(one);
        }
        return;
    }
    make_folders(root, path);
    if (kind == UNPACK_FILE)
        put(root, path, text);
    if (kind == UNPACK_LINK) {
        char *link = aisp_format("%s%s", root, path);

        unlink(link);
        assert_int_equal(symlink(text, link), 0);
        free(link);
    }
}

/* The lines up to one that is a single point; returns what comes behind it. */
static char *take_block(char *at, struct aisp_buf *block)
{
    while (*at && strncmp(at, ".\n", 2)) {
        const size_t n = strcspn(at, "\n") + 1;

        aisp_buf_add(block, at, n);
        at += n;
    }
    assert_true(*at);                                    /* the block ends */
    return at + 2;
}

static char *read_all(const char *path)
{
    struct aisp_buf text = AISP_BUF_INIT;
    char part[4096];
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        aisp_buf_add(&text, part, n);
    fclose(f);
    return aisp_buf_detach(&text);
}

/* Put the machine of the text into the folder `root`; every file says `instead`, where that is given. The text is used up. */
static void unpack_every(const char *root, char *text, const char *instead)
{
    for (char *at = text, *line, *sign; *at;) {
        struct aisp_buf block = AISP_BUF_INIT;
        const char *says;

        line = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = 0;
        if (*line != '/')
            continue;
        if ((sign = strstr(line, " <<")) && !sign[3]) {
            *sign = 0;
            at = take_block(at, &block);
            says = instead ? instead : block.s;
            unpack_entry(root, line, UNPACK_FILE, says ? says : "");
        } else if ((sign = strstr(line, " ="))) {        /* nothing behind it: an empty file */
            *sign = 0;
            if (sign[2])
                aisp_buf_printf(&block, "%s\n", sign + 3);
            says = instead ? instead : block.s;
            unpack_entry(root, line, UNPACK_FILE, says ? says : "");
        } else if ((sign = strstr(line, " -> "))) {
            *sign = 0;
            unpack_entry(root, line, UNPACK_LINK, sign + 4);
        } else {
            assert_int_equal(line[strlen(line) - 1], '/');
            unpack_entry(root, line, UNPACK_FOLDER, NULL);
        }
        aisp_buf_release(&block);
    }
}

static inline void unpack_text(const char *root, char *text)
{
    unpack_every(root, text, NULL);
}

static inline void unpack(const char *root, const char *file)
{
    char *text = read_all(file);

    unpack_text(root, text);
    free(text);
}

#endif
