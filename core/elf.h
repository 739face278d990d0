/* elf.h - the few facts of a shared object that are read without loading it.
 * The file is taken as hostile: every offset, count and size is checked against the file before it is used, reading is by
 * pread alone (a file that shrinks meanwhile is an error, no signal), and nothing of it is mapped or relocated. */
#ifndef AISP_CORE_ELF_H
#define AISP_CORE_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { AISP_DECLARE_MAX = 2048 };

struct aisp_elf {
    char declare[AISP_DECLARE_MAX]; /* bytes of the section "aisp.declare", not terminated */
    size_t declare_bytes;
    uint32_t abi; /* first field of the data symbol aisp_variant */
};

/* @folder  descriptor of the folder that `path` is in, or -1
 * Errors: AISP_E_REFUSED ("NAME: reason", NAME being the file's base name), AISP_E_NOT_FOUND, AISP_E_IO. */
enum aisp_status aisp_elf_read(int folder, const char *path, struct aisp_elf *elf, struct aisp_err *err);

/* What stands behind the last '/'. */
const char *aisp_base_name(const char *path);

#endif
