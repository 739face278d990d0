/* section.h - tables without a registry: each row is defined where it belongs and collected by the linker.
 *   AISP_ROW(aisp_checks, struct aisp_check, stale_cache) = { ... };
 *   AISP_FOR_EACH(aisp_checks, struct aisp_check, c) { ... c->name ... }
 * Only from OBJECT libraries: out of a STATIC archive the table comes silently empty; unit tests assert minimum counts. */
#ifndef AISP_CORE_SECTION_H
#define AISP_CORE_SECTION_H

/* A row is a pointer, so that no padding of the linker can come between rows. */
#define AISP_ROW(table, type, name)                                                                        \
    static const type name;                                                                                \
    static const type *const table##_row_##name __attribute__((section(#table), used)) = &name;            \
    static const type name

#define AISP_TABLE(table, type)                                                                            \
    extern const type *const __start_##table[] __attribute__((weak));                                      \
    extern const type *const __stop_##table[] __attribute__((weak))

#define AISP_FOR_EACH(table, type, it)                                                                     \
    for (const type *const *it##_row = __start_##table, *it;                                               \
         it##_row < __stop_##table && ((it = *it##_row), 1); it##_row++)

#endif
