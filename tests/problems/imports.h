/* imports.h - for cheats that put a function of their own into the import table of the program that loaded them. C, and C++ for
 * those on a card. */
#ifndef TESTS_PROBLEMS_IMPORTS_H
#define TESTS_PROBLEMS_IMPORTS_H

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

struct replacement {
    const char *name;
    uintptr_t with;
};

/* What the table of an object is made of. */
struct imports {
    const ElfW(Rela) * rela;
    size_t bytes;
    const ElfW(Sym) * symbol;
    const char *names;
};

static inline void patch(uintptr_t base, const struct imports *in, const struct replacement *what)
{
    for (size_t i = 0; in->rela && i < in->bytes / sizeof *in->rela; i++) {
        const ElfW(Rela) *r = &in->rela[i];
        uintptr_t *at = (uintptr_t *)(base + r->r_offset);
        void *page = (void *)((uintptr_t)at & ~(uintptr_t)4095);

        if (strcmp(in->names + in->symbol[ELF64_R_SYM(r->r_info)].st_name, what->name))
            continue;
        mprotect(page, 8192, PROT_READ | PROT_WRITE);
        *at = what->with;
    }
}

/* The first object is the program itself. */
static inline int patch_first(struct dl_phdr_info *info, size_t size, void *what)
{
    struct imports plt = { NULL, 0, NULL, NULL }, got = plt;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Dyn) * d;

        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        for (d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag; d++) {
            switch (d->d_tag) {
            case DT_JMPREL:
                plt.rela = (const ElfW(Rela) *)d->d_un.d_ptr;
                break;
            case DT_PLTRELSZ:
                plt.bytes = d->d_un.d_val;
                break;
            case DT_RELA:
                got.rela = (const ElfW(Rela) *)d->d_un.d_ptr;
                break;
            case DT_RELASZ:
                got.bytes = d->d_un.d_val;
                break;
            case DT_SYMTAB:
                plt.symbol = got.symbol = (const ElfW(Sym) *)d->d_un.d_ptr;
                break;
            case DT_STRTAB:
                plt.names = got.names = (const char *)d->d_un.d_ptr;
                break;
            }
        }
    }
    patch(info->dlpi_addr, &plt, (const struct replacement *)what);
    patch(info->dlpi_addr, &got, (const struct replacement *)what);
    return 1;
}

static inline void replace_import(const char *name, uintptr_t with)
{
    struct replacement what = { name, with };

    dl_iterate_phdr(patch_first, &what);
}

#endif
