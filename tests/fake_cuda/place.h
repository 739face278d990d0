/* place.h - the fake driver in a folder of a test's own, with a script of its own. */
#ifndef AISP_FAKE_CUDA_PLACE_H
#define AISP_FAKE_CUDA_PLACE_H

#include "tests/unit/temporary.h"

/* A folder for it that caged workers may read too: it lies below that of the fixtures' variants.
 * remove_folder() ends it. */
static inline char *folder_for_workers(void)
{
    char *path = aisp_xstrdup(BUILD_DIR "/fixtures/fake-cuda-XXXXXX");

    assert_non_null(mkdtemp(path));
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

/* Which library: "" does as the script says, "old/" lacks a symbol, "stub/" is the toolkit's kind.
 * The path of FOLDER/libcuda.so.1 is the caller's to free. `script` may be "". */
static inline char *place_fake_cuda(const char *folder, const char *which, const char *script)
{
    char *from = aisp_format(BUILD_DIR "/fake_cuda/%slibcuda.so.1", which);
    char *path = aisp_format("%s/libcuda.so.1", folder);
    char *command = aisp_format("cp '%s' '%s' && chmod 755 '%s'", from, path, path);

    assert_int_equal(system(command), 0);
    free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
    free(command);
    free(from);
    return path;
}

#endif
