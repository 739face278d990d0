/* fake_root.h - a folder that stands for "/", for tests of what reads /proc and /sys: set_up makes one, put writes into it. */
#ifndef TESTS_UNIT_FAKE_ROOT_H
#define TESTS_UNIT_FAKE_ROOT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/buf.h"

/* Write a file of a fake root, making its folders. */
static void put(const char *root, const char *file, const char *text)
{
    char *path = aisp_format("%s%s", root, file);
    FILE *f;

    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0777);
            *at = '/';
        }
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

static int set_up(void **state)
{
    char *root = aisp_xstrdup("/tmp/aisp-root-XXXXXX");

    assert_non_null(mkdtemp(root));
    *state = root;
    return 0;
}

static int tear_down(void **state)
{
    char *command = aisp_format("rm -rf '%s'", (char *)*state);

    assert_int_equal(system(command), 0);
    free(command);
    free(*state);
    return 0;
}

#endif
