/* hash.h - SHA-256 of bytes and files, as 64 hex digits. */
#ifndef AISP_CORE_HASH_H
#define AISP_CORE_HASH_H

#include <stddef.h>

#include "core/base/err.h"

void aisp_hash_bytes(const void *bytes, size_t n, char hex[65]);
/* Errors: AISP_E_NOT_FOUND, AISP_E_IO. */
enum aisp_status aisp_hash_file(const char *path, char hex[65], struct aisp_err *err);

#endif
