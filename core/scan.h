/* scan.h - what a variant's file says of itself, read without loading it: imports, segments, constructors, compiler and flags,
 * and hashes of its code. The file is hostile: every offset is checked, a file that makes no sense is merely not scanned.
 * Advisory: native code can reach any system call without importing a symbol. What holds is the cage and what is seen of
 * the process; this explains it, and compares how the two sides were built. */
#ifndef AISP_CORE_SCAN_H
#define AISP_CORE_SCAN_H

#include <stddef.h>

#include "core/process_facts.h"

void aisp_scan(const char *path, struct aisp_scan_facts *scan);

/* Offset + 1 of these bytes in the file; 0: not there, or not worth asking (few bytes, or little variety in them). */
int64_t aisp_scan_find(const char *path, const void *bytes, size_t n);

#endif
