/* cubin.c - walk the sections and symbols of a cubin, and read its instructions. It links nothing but libc: the recorder is
 * made of it, inside the worker. */
#include "backends/cuda/cubin.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { EM_OF_CUDA = 190, INSTRUCTION_BYTES = 16, OTHER_IS_KERNEL = 0x10 };

struct image {
    const char *bytes;
    size_t n;
    Elf64_Ehdr header;
    Elf64_Shdr names, symbols, texts; /* texts: of the symbols' names */
};

/* ---- instructions ---- */

static bool say(struct cuda_code *code, const char *math, bool is_sparse)
{
    memset(code, 0, sizeof *code);
    snprintf(code->math, sizeof code->math, "%s", math);
    code->is_sparse = is_sparse;
    return true;
}

static bool bit(uint64_t word, int i)
{
    return word >> i & 1;
}

/* The low 12 bits are the operation with the form of its operands; the types lie in the upper word. wgmma has two forms: both
 * matrices in shared memory, or one in registers. */
bool cuda_matrix_instruction(const uint64_t word[2], struct cuda_code *code)
{
    static const char *const of_wgmma[] = { "f16", "bf16", "tf32", "" };
    const uint64_t high = word[1];

    switch (word[0] & 0xfff) {
    case 0x23c: /* HMMA */
        return say(code, bit(high, 19) ? "tf32" : bit(high, 18) ? "bf16" : "f16", bit(high, 9));
    case 0x237: /* IMMA */
        return say(code, high >> 19 & 3 ? "i4" : "i8", bit(high, 8));
    case 0x23d: /* BMMA */
        return say(code, "b1", false);
    case 0x23f: /* DMMA */
        return say(code, "f64", false);
    case 0x27a: /* QMMA */
        return say(code, "f8", bit(high, 16));
    case 0x9f0:
    case 0xdf0: /* HGMMA */
        return say(code, of_wgmma[high >> 12 & 3], bit(high, 9));
    case 0x9f1:
    case 0xdf1: /* IGMMA */
        return say(code, "i8", bit(high, 9));
    case 0x9f2:
    case 0xdf2: /* BGMMA */
        return say(code, "b1", false);
    case 0x9f3:
    case 0xdf3: /* QGMMA */
        return say(code, "f8", bit(high, 9));
    }
    return false;
}

/* How narrow a type is; the narrowest of a kernel is what it is known by. */
static int rank_of(const char *math)
{
    static const char *const order[] = { "", "f64", "tf32", "f16", "bf16", "i8", "f8", "i4", "b1" };

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (!strcmp(order[i], math))
            return (int)i;
    return 0;
}

static void merge(struct cuda_code *to, const struct cuda_code *from)
{
    if (rank_of(from->math) > rank_of(to->math))
        memcpy(to->math, from->math, sizeof to->math);
    to->is_sparse |= from->is_sparse;
    to->launches |= from->launches;
}

/* FNV-1a, a word of 8 bytes at a time. `with`: another hash, which is part of it. */
static uint64_t hash_of(const char *at, size_t n, uint64_t with)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ with, word;

    for (size_t i = 0; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, at + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

static void read_instructions(const char *at, size_t n, struct cuda_code *code)
{
    for (size_t i = 0; i + INSTRUCTION_BYTES <= n; i += INSTRUCTION_BYTES) {
        struct cuda_code one;
        uint64_t word[2];

        memcpy(word, at + i, sizeof word);
        if (cuda_matrix_instruction(word, &one))
            merge(code, &one);
    }
}

/* ---- the image ---- */

static const char *part(const struct image *m, uint64_t offset, uint64_t n)
{
    return offset <= m->n && n <= m->n - offset ? m->bytes + offset : NULL;
}

static Elf64_Shdr section(const struct image *m, size_t i)
{
    Elf64_Shdr s;

    memcpy(&s, m->bytes + m->header.e_shoff + i * sizeof s, sizeof s);
    return s;
}

/* A text of a table; NULL where it does not end inside. */
static const char *text_of(const struct image *m, const Elf64_Shdr *table, uint32_t where)
{
    const char *at = part(m, table->sh_offset, table->sh_size);

    return at && where < table->sh_size && memchr(at + where, 0, table->sh_size - where) ? at + where : NULL;
}

static bool open_image(struct image *m)
{
    if (m->n < sizeof m->header)
        return false;
    memcpy(&m->header, m->bytes, sizeof m->header);
    if (memcmp(m->header.e_ident, ELFMAG, SELFMAG) || m->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        m->header.e_machine != EM_OF_CUDA || m->header.e_shentsize != sizeof(Elf64_Shdr) ||
        m->header.e_shstrndx >= m->header.e_shnum ||
        !part(m, m->header.e_shoff, (uint64_t)m->header.e_shnum * sizeof(Elf64_Shdr)))
        return false;
    m->names = section(m, m->header.e_shstrndx);
    for (size_t i = 0; i < m->header.e_shnum; i++) {
        const Elf64_Shdr s = section(m, i);

        if (s.sh_type != SHT_SYMTAB || s.sh_entsize != sizeof(Elf64_Sym) || s.sh_link >= m->header.e_shnum ||
            !part(m, s.sh_offset, s.sh_size))
            continue;
        m->symbols = s;
        m->texts = section(m, s.sh_link);
    }
    return true;
}

static bool next_symbol(const struct image *m, size_t i, Elf64_Sym *symbol)
{
    if (i >= m->symbols.sh_size / sizeof *symbol)
        return false;
    memcpy(symbol, m->bytes + m->symbols.sh_offset + i * sizeof *symbol, sizeof *symbol);
    return true;
}

/* Functions of the device's runtime that start work are there only where some kernel calls them. */
static bool holds_runtime(const struct image *m)
{
    static const char runtime[] = "__cudaCDP2", *const starts[] = { "Launch", "Memcpy", "Memset" };
    Elf64_Sym symbol;

    for (size_t i = 0; next_symbol(m, i, &symbol); i++) {
        const char *name = text_of(m, &m->texts, symbol.st_name);

        if (!name || strncmp(name, runtime, sizeof runtime - 1))
            continue;
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            if (strstr(name, starts[k]))
                return true;
    }
    return false;
}

static bool is_kernel(const struct image *m, size_t at_section)
{
    Elf64_Sym symbol;

    for (size_t i = 0; next_symbol(m, i, &symbol); i++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == at_section)
            return symbol.st_other & OTHER_IS_KERNEL;
    return true; /* stripped: whatever it is, it may be one */
}

/* The instructions of a section that is a function; its name behind .text. */
static const char *function_of(const struct image *m, const Elf64_Shdr *s, const char **code)
{
    static const char prefix[] = ".text.";
    const char *name = s->sh_type == SHT_PROGBITS ? text_of(m, &m->names, s->sh_name) : NULL;

    if (!name || strncmp(name, prefix, sizeof prefix - 1))
        return NULL;
    *code = part(m, s->sh_offset, s->sh_size);
    return *code ? name + sizeof prefix - 1 : NULL;
}

bool cuda_cubin_read(const void *image, size_t bytes, cuda_cubin_visit *visit, void *to)
{
    struct image m = { .bytes = image, .n = bytes };
    struct cuda_code shared = { .math = "" };
    const char *code;

    if (!image || !open_image(&m))
        return false;
    shared.launches = holds_runtime(&m);
    for (size_t i = 0; i < m.header.e_shnum; i++) {
        const Elf64_Shdr s = section(&m, i);

        if (!function_of(&m, &s, &code) || is_kernel(&m, i))
            continue;
        read_instructions(code, s.sh_size, &shared);
        shared.hash += hash_of(code, s.sh_size, 0);
    }
    for (size_t i = 0; i < m.header.e_shnum; i++) {
        const Elf64_Shdr s = section(&m, i);
        const char *name = function_of(&m, &s, &code);
        struct cuda_code own = shared;

        if (!name || !is_kernel(&m, i))
            continue;
        read_instructions(code, s.sh_size, &own);
        own.hash = hash_of(code, s.sh_size, shared.hash);
        visit(to, name, &own);
    }
    return true;
}

uint64_t cuda_code_name(const char *kernel)
{
    static const char local[] = "__nv_static_";
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *own = strncmp(kernel, local, sizeof local - 1) ? NULL : strstr(kernel, "__Z");

    for (const char *c = own ? own + 1 : kernel; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return hash ? hash : 1;
}
