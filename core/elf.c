/* elf.c - header, section table, declaration, symbol aisp_variant, ABI number: in that order, each checked before the next.
 * Not here: what a declaration means (core/plugin.c).
 * Why not libelf: it maps and trusts more than these few fields need. */
#include "core/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <aisp/variant.h>

#include "core/base/buf.h"

/* Above what a linker makes of a variant, and little enough to be read at once. */
enum { MAX_SECTIONS = 4096, MAX_TABLE_BYTES = 16 << 20 };

/* A linker puts the dynamic symbols at the beginning, the declaration not far before aisp_variant, the section table and its
 * names at the end: three reads of such a piece where parts one by one are seven, and a fraction of the file's bytes, whose
 * copying was the largest part of listing all variants. From whole lines to whole lines: to any other address the kernel's
 * copying (rep movsb) is many times slower on Zen 3 (glibc bug 30994). */
enum { PIECE_BYTES = 4096, LINE_BYTES = 64 };

struct span {
    uint64_t offset, bytes;
};

struct piece {
    struct span at;
    _Alignas(LINE_BYTES) char content[PIECE_BYTES];
};

struct file {
    int fd;
    uint64_t bytes;
    const char *name;
    struct aisp_err *err;
    Elf64_Ehdr header;
    Elf64_Shdr *section;
    size_t n_sections;
    char *section_names;
    uint64_t section_names_bytes;
    struct span used[6]; /* what was read as different things, and so may not overlap */
    int n_used;
    struct piece beginning, end, middle;
};

__attribute__((format(printf, 2, 3))) static enum aisp_status refuse(struct file *f,
                                                                     const char *format, ...)
{
    struct aisp_buf reason = AISP_BUF_INIT;
    enum aisp_status st;
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(&reason, format, args);
    va_end(args);
    st = aisp_fail(f->err, AISP_E_REFUSED, "%s: %s", f->name, reason.s);
    aisp_buf_release(&reason);
    return st;
}

static enum aisp_status pread_all(struct file *f, uint64_t offset, void *to, uint64_t bytes,
                                  const char *what)
{
    uint64_t done = 0;

    while (done < bytes) {
        ssize_t n = pread(f->fd, (char *)to + done, bytes - done, (off_t)(offset + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return aisp_fail_errno(f->err, AISP_E_IO, "%s: %s", f->name, what);
        if (n == 0)
            return refuse(f, "truncated while it was read: %s", what);
        done += (uint64_t)n;
    }
    return AISP_OK;
}

/* What the file has from the line of `offset` on, as far as a piece goes. */
static enum aisp_status read_piece(struct file *f, uint64_t offset, struct piece *piece,
                                   const char *what)
{
    const uint64_t from = offset - offset % LINE_BYTES, left = f->bytes - from;
    const uint64_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
    const enum aisp_status st = pread_all(f, from, piece->content, bytes, what);

    piece->at = st ? (struct span){ 0 } : (struct span){ from, bytes };
    return st;
}

static bool holds(const struct piece *piece, uint64_t offset, uint64_t bytes)
{
    return offset >= piece->at.offset && offset + bytes <= piece->at.offset + piece->at.bytes;
}

static enum aisp_status read_at(struct file *f, uint64_t offset, void *to, uint64_t bytes,
                                const char *what)
{
    struct piece *piece = &f->middle;
    enum aisp_status st = AISP_OK;

    if (offset > f->bytes || bytes > f->bytes - offset)
        return refuse(f, "truncated: %s is outside of the file", what);
    if (bytes > PIECE_BYTES - LINE_BYTES)
        return pread_all(f, offset, to, bytes, what);
    if (holds(&f->beginning, offset, bytes))
        piece = &f->beginning;
    else if (holds(&f->end, offset, bytes))
        piece = &f->end;
    else if (!holds(piece, offset, bytes))
        AISP_TRY(read_piece(f, offset, piece, what));
    memcpy(to, piece->content + (offset - piece->at.offset), bytes);
out:
    return st;
}

/* Note what was read there; two things in the same bytes are nothing that a linker makes. */
static enum aisp_status claim(struct file *f, uint64_t offset, uint64_t bytes, const char *what)
{
    for (int i = 0; i < f->n_used; i++)
        if (bytes && f->used[i].bytes && offset < f->used[i].offset + f->used[i].bytes &&
            f->used[i].offset < offset + bytes)
            return refuse(f, "%s overlaps with another part of the file", what);
    f->used[f->n_used++] = (struct span){ offset, bytes };
    return AISP_OK;
}

/* A whole table on the heap, with a terminator behind it. */
static enum aisp_status read_table(struct file *f, struct span at, const char *what, char **table)
{
    enum aisp_status st;

    if (at.bytes > MAX_TABLE_BYTES)
        return refuse(f, "%s is too large: %llu bytes", what, (unsigned long long)at.bytes);
    if (at.offset > f->bytes || at.bytes > f->bytes - at.offset)
        return refuse(f, "truncated: %s is outside of the file", what);
    *table = aisp_xmalloc(at.bytes + 1);
    (*table)[at.bytes] = '\0';
    AISP_TRY(read_at(f, at.offset, *table, at.bytes, what));
    AISP_TRY(claim(f, at.offset, at.bytes, what));
out:
    return st;
}

static enum aisp_status read_header(struct file *f)
{
    const Elf64_Ehdr *h = &f->header;

    if (f->bytes < sizeof *h)
        return refuse(f, "not a shared object: %llu bytes", (unsigned long long)f->bytes);
    memcpy(&f->header, f->beginning.content, sizeof f->header);
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return refuse(f, "not a shared object: no ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS64)
        return refuse(f, "not a 64-bit object: ELF class %d", h->e_ident[EI_CLASS]);
    if (h->e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(f, "not little-endian: ELF data encoding %d", h->e_ident[EI_DATA]);
    if (h->e_ident[EI_VERSION] != EV_CURRENT || h->e_version != EV_CURRENT)
        return refuse(f, "unknown ELF version");
    if (h->e_type != ET_DYN)
        return refuse(f, "not a shared object: ELF type %d", h->e_type);
    if (h->e_machine != EM_X86_64)
        return refuse(f, "built for another processor: ELF machine %d", h->e_machine);
    return claim(f, 0, sizeof *h, "the ELF header");
}

static enum aisp_status read_sections(struct file *f)
{
    const Elf64_Ehdr *h = &f->header;
    enum aisp_status st;
    char *table = NULL;
    Elf64_Shdr *names;

    if (h->e_shoff == 0 || h->e_shnum == 0)
        return refuse(f, "no section table, so no declaration");
    if (h->e_shentsize != sizeof(Elf64_Shdr))
        return refuse(f, "section headers of %d bytes", h->e_shentsize);
    if (h->e_shnum > MAX_SECTIONS)
        return refuse(f, "%d sections, more than %d", h->e_shnum, MAX_SECTIONS);
    st = read_table(f, (struct span){ h->e_shoff, (uint64_t)h->e_shnum * sizeof *f->section },
                    "the section table", &table);
    f->section = (Elf64_Shdr *)(void *)table;
    if (st)
        return st;
    f->n_sections = h->e_shnum;
    if (h->e_shstrndx >= f->n_sections)
        return refuse(f, "section names are in section %d of %zu", h->e_shstrndx, f->n_sections);
    names = &f->section[h->e_shstrndx];
    if (names->sh_type != SHT_STRTAB)
        return refuse(f, "section names are in no string table");
    f->section_names_bytes = names->sh_size;
    return read_table(f, (struct span){ names->sh_offset, names->sh_size },
                      "the table of section names", &f->section_names);
}

static enum aisp_status read_declare(struct file *f, struct aisp_elf *elf)
{
    const Elf64_Shdr *found = NULL;
    enum aisp_status st;

    for (size_t i = 0; i < f->n_sections; i++) {
        const Elf64_Shdr *s = &f->section[i];

        if (s->sh_name >= f->section_names_bytes)
            return refuse(f, "the name of section %zu is outside of the table", i);
        if (strcmp(f->section_names + s->sh_name, "aisp.declare") != 0)
            continue;
        if (found)
            return refuse(f, "two sections aisp.declare");
        found = s;
    }
    if (!found)
        return refuse(f, "no declaration (section aisp.declare): AISP_DECLARE is missing");
    if (found->sh_type != SHT_PROGBITS)
        return refuse(f, "the declaration has no contents: section type %u", found->sh_type);
    if (found->sh_size > sizeof elf->declare)
        return refuse(f, "the declaration is longer than %zu bytes", sizeof elf->declare);
    AISP_TRY(read_at(f, found->sh_offset, elf->declare, found->sh_size, "the declaration"));
    AISP_TRY(claim(f, found->sh_offset, found->sh_size, "the declaration"));
    elf->declare_bytes = found->sh_size;
out:
    return st;
}

/* The struct that the symbol stands for: in a section with contents, long enough, of our ABI. */
static enum aisp_status read_abi(struct file *f, const Elf64_Sym *symbol, uint32_t *abi)
{
    const Elf64_Shdr *s;
    uint64_t inside;

    if (symbol->st_shndx >= f->n_sections)
        return refuse(f, "aisp_variant is in section %d of %zu", symbol->st_shndx, f->n_sections);
    s = &f->section[symbol->st_shndx];
    inside = symbol->st_value - s->sh_addr;
    if (symbol->st_value < s->sh_addr || inside > s->sh_size || s->sh_size - inside < sizeof *abi ||
        symbol->st_size < sizeof *abi)
        return refuse(f, "aisp_variant is outside of its section");
    if (s->sh_type != SHT_PROGBITS || s->sh_offset > UINT64_MAX - inside)
        return refuse(f, "aisp_variant has no contents");
    return read_at(f, s->sh_offset + inside, abi, sizeof *abi, "aisp_variant");
}

static enum aisp_status find_variant(struct file *f, const char *symbols, uint64_t symbol_bytes,
                                     const char *names, uint64_t name_bytes, Elf64_Sym *found)
{
    for (uint64_t at = sizeof *found; symbol_bytes - at >= sizeof *found; at += sizeof *found) {
        memcpy(found, symbols + at, sizeof *found);
        if (found->st_name >= name_bytes)
            return refuse(f, "the name of a symbol is outside of the table");
        if (found->st_shndx == SHN_UNDEF || strcmp(names + found->st_name, "aisp_variant") != 0)
            continue;
        if (ELF64_ST_TYPE(found->st_info) != STT_OBJECT)
            return refuse(f, "aisp_variant is no data: symbol type %d",
                          ELF64_ST_TYPE(found->st_info));
        return AISP_OK;
    }
    return refuse(f, "exports no aisp_variant (AISP_VARIANT is missing, or hidden)");
}

static enum aisp_status read_variant(struct file *f, struct aisp_elf *elf)
{
    const Elf64_Shdr *dynsym = NULL, *dynstr;
    char *symbols = NULL, *names = NULL;
    enum aisp_status st;
    Elf64_Sym symbol;

    for (size_t i = 0; i < f->n_sections && !dynsym; i++)
        if (f->section[i].sh_type == SHT_DYNSYM)
            dynsym = &f->section[i];
    if (!dynsym)
        return refuse(f, "no dynamic symbols, so no aisp_variant");
    if (dynsym->sh_entsize != sizeof symbol || dynsym->sh_size < sizeof symbol ||
        dynsym->sh_size % sizeof symbol)
        return refuse(f, "dynamic symbols of a wrong size");
    if (dynsym->sh_link >= f->n_sections || f->section[dynsym->sh_link].sh_type != SHT_STRTAB)
        return refuse(f, "dynamic symbols without names");
    dynstr = &f->section[dynsym->sh_link];
    AISP_TRY(read_table(f, (struct span){ dynsym->sh_offset, dynsym->sh_size },
                        "the table of dynamic symbols", &symbols));
    AISP_TRY(read_table(f, (struct span){ dynstr->sh_offset, dynstr->sh_size },
                        "the table of symbol names", &names));
    AISP_TRY(find_variant(f, symbols, dynsym->sh_size, names, dynstr->sh_size, &symbol));
    AISP_TRY(read_abi(f, &symbol, &elf->abi));
    if (elf->abi != AISP_ABI)
        st = refuse(f, "built against ABI %u, this aisp has ABI %u", elf->abi, AISP_ABI);
    else if (symbol.st_size != sizeof(struct aisp_variant))
        st = refuse(f, "aisp_variant has %llu bytes, ABI %u has %zu",
                    (unsigned long long)symbol.st_size, AISP_ABI, sizeof(struct aisp_variant));
out:
    free(symbols);
    free(names);
    return st;
}

enum aisp_status aisp_elf_read(int folder, const char *path, struct aisp_elf *elf,
                               struct aisp_err *err)
{
    struct file f;
    enum aisp_status st;
    struct stat info;

    memset(&f, 0, offsetof(struct file, beginning));
    f.beginning.at = f.end.at = f.middle.at = (struct span){ 0 };
    f.name = aisp_base_name(path);
    f.err = err;

    /* Non-blocking: a pipe of that name must not hold us. */
    f.fd = openat(folder < 0 ? AT_FDCWD : folder, folder < 0 ? path : f.name,
                  O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f.fd < 0)
        return aisp_fail_errno(
            err, errno == ENOENT || errno == ENOTDIR ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", path);
    elf->declare_bytes = 0;
    elf->abi = 0;
    if (fstat(f.fd, &info) < 0) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
        goto out;
    }
    if (!S_ISREG(info.st_mode)) {
        st = refuse(&f, "not a shared object: no regular file");
        goto out;
    }
    f.bytes = (uint64_t)info.st_size;
    AISP_TRY(read_piece(&f, 0, &f.beginning, "the beginning of the file"));
    AISP_TRY(read_header(&f));
    if (f.bytes > PIECE_BYTES)
        AISP_TRY(
            read_piece(&f, f.bytes - PIECE_BYTES + LINE_BYTES - 1, &f.end, "the end of the file"));
    AISP_TRY(read_sections(&f));
    AISP_TRY(read_declare(&f, elf));
    AISP_TRY(read_variant(&f, elf));
out:
    close(f.fd);
    free(f.section);
    free(f.section_names);
    return st;
}

const char *aisp_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
