/* object_code.h - the hash of what a shared object loads: its code and data, without what only says where it was built.
 * Debug information, recorded switches and the build id hold the paths of source and build folder, so that the same source
 * built in two folders makes two files. Whoever asks "is it the same code?" across machines asks for this hash, whoever asks
 * "was this file touched?" for the file's.
 * Not here: what a variant declares (elf.h). */
#ifndef AISP_CORE_OBJECT_CODE_H
#define AISP_CORE_OBJECT_CODE_H

#include "core/base/err.h"

/* SHA-256 over name, address, size and contents of each allocated section but .note.gnu.build-id, in the order of the section
 * table. The file is taken as hostile, as in elf.h.
 * Errors: AISP_E_REFUSED (no 64-bit little-endian ELF file, or a cut one), AISP_E_NOT_FOUND, AISP_E_IO. */
enum aisp_status aisp_object_code_hash(const char *path, char hex[65], struct aisp_err *err);

#endif
