/* scan.c - read one ELF file into memory and look at it through bounds-checked windows. */
#include "core/scan.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <aisp/variant.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

enum { MOST_BYTES = 64 << 20, LEAST_ANSWER_BYTES = 32, MOST_ANSWER_BYTES = 64, LEAST_WORDS = 4 };

struct image {
    const unsigned char *at;
    size_t bytes;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *section;
    size_t n_sections;
    const Elf64_Phdr *segment;
    size_t n_segments;
};

/* NULL if [offset, offset + bytes) is not wholly inside, or not aligned for what is read there. */
static const void *inside(const struct image *m, uint64_t offset, uint64_t bytes, size_t align)
{
    if (offset > m->bytes || bytes > m->bytes - offset || offset % align)
        return NULL;
    return m->at + offset;
}

static char *read_file(const char *path, size_t *bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char *all = NULL;
    size_t done = 0;

    *bytes = 0;
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
        st.st_size <= MOST_BYTES) {
        all = aisp_xmalloc((size_t)st.st_size);
        while (done < (size_t)st.st_size) {
            const ssize_t n = pread(fd, all + done, (size_t)st.st_size - done, (off_t)done);

            if (n <= 0)
                break;
            done += (size_t)n;
        }
    }
    if (fd >= 0)
        close(fd);
    *bytes = done;
    return all;
}

static bool open_image(struct image *m)
{
    m->header = inside(m, 0, sizeof *m->header, 8);
    if (!m->header || memcmp(m->header->e_ident, ELFMAG, SELFMAG) ||
        m->header->e_ident[EI_CLASS] != ELFCLASS64 || m->header->e_machine != EM_X86_64)
        return false;
    if (m->header->e_shentsize != sizeof *m->section || m->header->e_phentsize != sizeof *m->segment)
        return false;
    m->n_sections = m->header->e_shnum;
    m->n_segments = m->header->e_phnum;
    m->section = inside(m, m->header->e_shoff, m->n_sections * sizeof *m->section, 8);
    m->segment = inside(m, m->header->e_phoff, m->n_segments * sizeof *m->segment, 8);
    return m->section && m->segment;
}

/* A string of a string table; "" if it does not end inside. */
static const char *text_of(const struct image *m, const Elf64_Shdr *table, uint64_t at)
{
    const char *all = table->sh_type == SHT_STRTAB ? inside(m, table->sh_offset, table->sh_size, 1)
                                                   : NULL;

    if (!all || at >= table->sh_size || !memchr(all + at, 0, table->sh_size - at))
        return "";
    return all + at;
}

static const Elf64_Shdr *linked(const struct image *m, const Elf64_Shdr *s)
{
    static const Elf64_Shdr none = { 0 };

    return s->sh_link < m->n_sections ? &m->section[s->sh_link] : &none;
}

static const Elf64_Shdr *of_type(const struct image *m, uint32_t type)
{
    for (size_t i = 0; i < m->n_sections; i++)
        if (m->section[i].sh_type == type)
            return &m->section[i];
    return NULL;
}

static const Elf64_Shdr *of_name(const struct image *m, const char *name)
{
    if (m->header->e_shstrndx >= m->n_sections)
        return NULL;
    for (size_t i = 0; i < m->n_sections; i++)
        if (!strcmp(text_of(m, &m->section[m->header->e_shstrndx], m->section[i].sh_name), name))
            return &m->section[i];
    return NULL;
}

static const Elf64_Sym *symbols_of(const struct image *m, const Elf64_Shdr *table, size_t *n)
{
    *n = 0;
    if (!table || table->sh_entsize != sizeof(Elf64_Sym))
        return NULL;
    *n = table->sh_size / sizeof(Elf64_Sym);
    return inside(m, table->sh_offset, *n * sizeof(Elf64_Sym), 8);
}

/* Words in a row, each once, as far as there is room. */
static void add_word(char *list, size_t room, const char *word, size_t n)
{
    const size_t have = strlen(list);

    for (const char *at = list; n && (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]) && strlen(word) == n)
            return;
    if (have + n + 2 < room)
        sprintf(list + have, "%s%.*s", have ? " " : "", (int)n, word);
}

static void scan_segments(const struct image *m, struct aisp_scan_facts *scan)
{
    for (size_t i = 0; i < m->n_segments; i++) {
        const Elf64_Phdr *p = &m->segment[i];

        if (p->p_type == PT_LOAD && p->p_flags & PF_W && p->p_flags & PF_X)
            scan->has_writable_code = true;
        if (p->p_type == PT_GNU_STACK && p->p_flags & PF_X)
            scan->has_executable_stack = true;
    }
}

static void scan_dynamic(const struct image *m, struct aisp_scan_facts *scan)
{
    const Elf64_Shdr *s = of_type(m, SHT_DYNAMIC), *init = of_type(m, SHT_INIT_ARRAY);
    const Elf64_Dyn *d = s ? inside(m, s->sh_offset, s->sh_size, 8) : NULL;

    for (size_t i = 0; d && i < s->sh_size / sizeof *d && d[i].d_tag != DT_NULL; i++) {
        const char *name = text_of(m, linked(m, s), d[i].d_un.d_val);

        if (d[i].d_tag == DT_NEEDED)
            add_word(scan->needed, sizeof scan->needed, name, strlen(name));
        if (d[i].d_tag == DT_TEXTREL || (d[i].d_tag == DT_FLAGS && d[i].d_un.d_val & DF_TEXTREL))
            scan->has_text_relocations = true;
        if (d[i].d_tag == DT_RUNPATH || d[i].d_tag == DT_RPATH)
            scan->has_run_path = true;
    }
    /* One belongs to the compiler's own start-up code. */
    if (init && init->sh_size / 8 > 1)
        scan->n_constructors = (int32_t)(init->sh_size / 8 - 1);
}

static void scan_symbols(const struct image *m, struct aisp_scan_facts *scan)
{
    static const char *const outside[] = {
        "dlopen", "dlmopen", "dlsym", "dladdr", "dl_iterate_phdr", "mprotect", "pkey_mprotect",
        "mmap", "mremap", "madvise", "memfd_create", "clock_gettime", "gettimeofday", "time",
        "fork", "vfork", "clone", "execve", "execl", "system", "popen", "posix_spawn", "ptrace",
        "process_vm_readv", "process_vm_writev", "syscall", "sigaction", "signal", "setrlimit",
        "prctl", "open", "open64", "openat", "fopen", "fopen64", "socket", "getenv",
        "sched_setaffinity", "pthread_setaffinity_np", "pthread_create", "kill", "userfaultfd",
    };
    const Elf64_Shdr *table = of_type(m, SHT_DYNSYM);
    size_t n;
    const Elf64_Sym *sym = symbols_of(m, table, &n);

    for (size_t i = 0; sym && i < n; i++) {
        const char *name = text_of(m, linked(m, table), sym[i].st_name);

        for (size_t k = 0; k < sizeof outside / sizeof *outside; k++)
            if (sym[i].st_shndx == SHN_UNDEF && !strcmp(name, outside[k]))
                add_word(scan->symbols, sizeof scan->symbols, name, strlen(name));
    }
    table = of_type(m, SHT_SYMTAB);
    sym = symbols_of(m, table, &n);
    for (size_t i = 0; sym && i < n; i++)
        if (!strcmp(text_of(m, linked(m, table), sym[i].st_name), "set_fast_math"))
            scan->has_fast_math = true;
}

/* Flags that decide about speed or results; not where files lie or what is warned of. */
static bool is_telling(const char *flag, size_t n)
{
    static const char *const dull[] = { "-fdiagnostics", "-ffile-prefix", "-fdebug-prefix",
                                        "-fmacro-prefix", "-fPIC", "-fpic", "-fcolor",
                                        "-frecord",      "-fmessage" };

    if (n < 3 || flag[0] != '-' || !strchr("Omf", flag[1]))
        return false;
    for (size_t i = 0; i < sizeof dull / sizeof *dull; i++)
        if (!strncmp(flag, dull[i], strlen(dull[i])))
            return false;
    return strncmp(flag, "-mrelocation", 12) && strncmp(flag, "-main-file", 10);
}

static bool is_unsafe(const char *flag, size_t n)
{
    static const char *const unsafe[] = { "-Ofast", "-ffast-math", "-funsafe-math-optimizations",
                                          "-fassociative-math", "-ffinite-math-only",
                                          "-freciprocal-math", "-mdaz-ftz" };

    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        if (strlen(unsafe[i]) == n && !memcmp(flag, unsafe[i], n))
            return true;
    return false;
}

static void scan_build(const struct image *m, struct aisp_scan_facts *scan)
{
    const Elf64_Shdr *comment = of_name(m, ".comment"), *line = of_name(m, ".GCC.command.line");
    const char *text = comment ? inside(m, comment->sh_offset, comment->sh_size, 1) : NULL, *end;

    for (size_t i = 0; text && i < comment->sh_size; i++)
        if (text[i] >= ' ' && text[i] < 0x7f) {
            snprintf(scan->compiler, sizeof scan->compiler, "%.*s",
                     (int)strnlen(text + i, comment->sh_size - i), text + i);
            break;
        }
    text = line ? inside(m, line->sh_offset, line->sh_size, 1) : NULL;
    scan->has_flags = text != NULL;
    end = text ? text + line->sh_size : NULL;
    while (text && text < end) {
        size_t n = 0;

        while (text + n < end && text[n] > ' ' && text[n] < 0x7f)
            n++;
        if (n && n < 64) {
            char flag[64];

            snprintf(flag, sizeof flag, "%.*s", (int)n, text);
            if (is_telling(flag, n))
                add_word(scan->flags, sizeof scan->flags, flag, n);
            scan->has_fast_math |= is_unsafe(flag, n);
        }
        text += n ? n : 1;
    }
}

static void scan_code(const struct image *m, struct aisp_scan_facts *scan)
{
    struct aisp_buf all = AISP_BUF_INIT;

    for (size_t i = 0; i < m->n_sections; i++) {
        const Elf64_Shdr *s = &m->section[i];
        const bool is_code = s->sh_flags & SHF_EXECINSTR;
        const void *bytes = s->sh_type == SHT_PROGBITS && s->sh_flags & SHF_ALLOC
                                ? inside(m, s->sh_offset, s->sh_size, 1)
                                : NULL;
        const char *name = m->header->e_shstrndx < m->n_sections
                               ? text_of(m, &m->section[m->header->e_shstrndx], s->sh_name)
                               : "";
        char hex[65];

        if (!bytes || !strcmp(name, "aisp.declare"))
            continue;
        *(is_code ? &scan->code_bytes : &scan->data_bytes) += (int64_t)s->sh_size;
        if (!is_code && strncmp(name, ".rodata", 7) && strncmp(name, ".data", 5))
            continue;
        aisp_hash_bytes(bytes, s->sh_size, hex);
        aisp_buf_printf(&all, "%s %s\n", name, hex);
    }
    aisp_hash_bytes(all.s ? all.s : "", all.len, scan->code_sha256);
    aisp_buf_release(&all);
}

/* Where a pointer in a data structure points, by the relocation that writes it; 0: unknown. */
static uint64_t pointed_at(const struct image *m, uint64_t address)
{
    for (size_t i = 0; i < m->n_sections; i++) {
        const Elf64_Shdr *s = &m->section[i];
        const Elf64_Rela *r =
            s->sh_type == SHT_RELA ? inside(m, s->sh_offset, s->sh_size, 8) : NULL;
        size_t n_symbols;
        const Elf64_Sym *sym = symbols_of(m, linked(m, s), &n_symbols);

        for (size_t k = 0; r && k < s->sh_size / sizeof *r; k++) {
            const uint64_t which = ELF64_R_SYM(r[k].r_info);

            if (r[k].r_offset != address)
                continue;
            if (ELF64_R_TYPE(r[k].r_info) == R_X86_64_RELATIVE)
                return (uint64_t)r[k].r_addend;
            if (ELF64_R_TYPE(r[k].r_info) == R_X86_64_64 && sym && which < n_symbols)
                return sym[which].st_value + (uint64_t)r[k].r_addend;
        }
    }
    return 0;
}

static void hash_function(const struct image *m, const Elf64_Sym *f, char hex[65])
{
    const Elf64_Shdr *s;
    const void *code;

    if (f->st_shndx >= m->n_sections)
        return;
    s = &m->section[f->st_shndx];
    if (f->st_value < s->sh_addr || f->st_value - s->sh_addr > s->sh_size ||
        f->st_size > s->sh_size - (f->st_value - s->sh_addr))
        return;
    code = inside(m, s->sh_offset + (f->st_value - s->sh_addr), f->st_size, 1);
    if (code && f->st_size)
        aisp_hash_bytes(code, f->st_size, hex);
}

static void scan_run(const struct image *m, struct aisp_scan_facts *scan)
{
    const Elf64_Shdr *table = of_type(m, SHT_DYNSYM);
    uint64_t run = 0;
    size_t n;
    const Elf64_Sym *sym = symbols_of(m, table, &n);

    for (size_t i = 0; sym && i < n; i++)
        if (!strcmp(text_of(m, linked(m, table), sym[i].st_name), "aisp_variant"))
            run = pointed_at(m, sym[i].st_value + offsetof(struct aisp_variant, run));
    table = of_type(m, SHT_SYMTAB);
    sym = symbols_of(m, table, &n);
    for (size_t i = 0; run && sym && i < n; i++)
        if (ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC && sym[i].st_value == run)
            hash_function(m, &sym[i], scan->run_sha256);
}

void aisp_scan(const char *path, struct aisp_scan_facts *scan)
{
    struct image m = { 0 };
    char *all = read_file(path, &m.bytes);

    memset(scan, 0, sizeof *scan);
    m.at = (const unsigned char *)all;
    if (all && open_image(&m)) {
        scan->is_scanned = true;
        scan_segments(&m, scan);
        scan_dynamic(&m, scan);
        scan_symbols(&m, scan);
        scan_build(&m, scan);
        scan_code(&m, scan);
        scan_run(&m, scan);
    }
    free(all);
}

/* Zeros, ones and the like lie in every file. */
static bool is_various(const unsigned char *bytes, size_t n)
{
    size_t n_words = 0;

    for (size_t i = 0; i + 4 <= n; i += 4) {
        bool is_new = true;

        for (size_t k = 0; k < i; k += 4)
            is_new &= memcmp(bytes + i, bytes + k, 4) != 0;
        n_words += is_new;
    }
    return n_words >= LEAST_WORDS;
}

int64_t aisp_scan_find(const char *path, const void *bytes, size_t n)
{
    const size_t n_sought = n < MOST_ANSWER_BYTES ? n : MOST_ANSWER_BYTES;
    size_t n_all;
    char *all, *at;
    int64_t found = 0;

    if (n_sought < LEAST_ANSWER_BYTES || !is_various(bytes, n_sought))
        return 0;
    all = read_file(path, &n_all);
    at = all ? memmem(all, n_all, bytes, n_sought) : NULL;
    if (at)
        found = at - all + 1;
    free(all);
    return found;
}
