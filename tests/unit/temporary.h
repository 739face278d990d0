/* temporary.h - a folder that lives as long as a test, and real shared objects compiled into it. */
#ifndef AISP_TESTS_TEMPORARY_H
#define AISP_TESTS_TEMPORARY_H

#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "core/base/buf.h"

static inline char *temporary_folder(void)
{
    const char *base = getenv("TMPDIR");
    char *path = aisp_format("%s/aisp-test-XXXXXX", base && *base ? base : "/tmp");

    assert_non_null(mkdtemp(path));
    return path;
}

static inline int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

static inline void remove_folder(char *path)
{
    assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    free(path);
}

static inline char *write_file(const char *folder, const char *name, const void *bytes, size_t n)
{
    char *path = aisp_format("%s/%s", folder, name);
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    return path;
}

/* Compile `source` into FOLDER/NAME; the path is the caller's to free. */
static inline char *compile(const char *folder, const char *name, const char *source,
                            const char *flags)
{
    char *c = write_file(folder, "source.c", source, strlen(source));
    char *object = aisp_format("%s/%s", folder, name);
    char *command = aisp_format("cc -shared -fPIC -O1 -w -I'%s/../include' %s -o '%s' '%s'",
                                TESTS_DIR, flags, object, c);

    assert_int_equal(system(command), 0);
    unlink(c);
    free(command);
    free(c);
    return object;
}

static inline void make_folder(const char *folder, const char *name)
{
    char *path = aisp_format("%s/%s", folder, name);

    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

#endif
