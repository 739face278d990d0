/* object_code.c - hash the allocated sections of an ELF file that was read whole. */
#include "core/object_code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

enum { OBJECT_BYTES_MAX = 256 << 20 };

static enum aisp_status read_whole(const char *path, struct aisp_buf *out, struct aisp_err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);      /* a pipe of that name must not hold us */
    enum aisp_status st = AISP_OK;
    struct stat info;
    char part[65536];
    ssize_t n = 1;

    if (fd < 0)
        return aisp_fail_errno(err, errno == ENOENT || errno == ENOTDIR ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", path);
    if (fstat(fd, &info) || !S_ISREG(info.st_mode) || info.st_size > OBJECT_BYTES_MAX)
        st = aisp_fail(err, AISP_E_REFUSED, "%s: no shared object", path);
    while (!st && n && out->len <= OBJECT_BYTES_MAX) {
        n = read(fd, part, sizeof part);
        if (n > 0)
            aisp_buf_add(out, part, (size_t)n);
        else if (n < 0 && errno != EINTR)
            st = aisp_fail_errno(err, AISP_E_IO, "%s", path);
    }
    close(fd);
    return st;
}

/* `bytes` at `offset`, or NULL where the file does not hold them all. */
static const char *at(const struct aisp_buf *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->len && bytes <= file->len - offset ? file->s + offset : NULL;
}

static bool read_header(const struct aisp_buf *file, Elf64_Ehdr *h)
{
    const char *from = at(file, 0, sizeof *h);

    if (!from)
        return false;
    memcpy(h, from, sizeof *h);
    return !memcmp(h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_ident[EI_DATA] == ELFDATA2LSB &&
           h->e_shentsize == sizeof(Elf64_Shdr) && h->e_shstrndx < h->e_shnum &&
           at(file, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr));
}

static Elf64_Shdr section_of(const struct aisp_buf *file, const Elf64_Ehdr *h, size_t i)
{
    Elf64_Shdr s;

    memcpy(&s, file->s + h->e_shoff + i * sizeof s, sizeof s);
    return s;
}

/* A text of the table of names; NULL where it does not end inside. */
static const char *name_of(const struct aisp_buf *file, const Elf64_Shdr *names, uint32_t where)
{
    const char *table = at(file, names->sh_offset, names->sh_size);

    return table && where < names->sh_size && memchr(table + where, 0, names->sh_size - where) ? table + where : NULL;
}

/* False: a part that the file does not hold. */
static bool gather(const struct aisp_buf *file, const Elf64_Ehdr *h, struct aisp_buf *code)
{
    const Elf64_Shdr names = section_of(file, h, h->e_shstrndx);

    for (size_t i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr s = section_of(file, h, i);
        const char *name = name_of(file, &names, s.sh_name);
        const char *bytes = s.sh_type == SHT_NOBITS ? "" : at(file, s.sh_offset, s.sh_size);

        if (!(s.sh_flags & SHF_ALLOC))
            continue;
        if (!name || !bytes)
            return false;
        if (!strcmp(name, ".note.gnu.build-id"))
            continue;
        aisp_buf_add(code, name, strlen(name) + 1);
        aisp_buf_add(code, &s.sh_addr, sizeof s.sh_addr);
        aisp_buf_add(code, &s.sh_size, sizeof s.sh_size);
        aisp_buf_add(code, bytes, s.sh_type == SHT_NOBITS ? 0 : s.sh_size);
        if (code->len > OBJECT_BYTES_MAX)        /* the same bytes claimed by section after section */
            return false;
    }
    return code->len;
}

enum aisp_status aisp_object_code_hash(const char *path, char hex[65], struct aisp_err *err)
{
    struct aisp_buf file = AISP_BUF_INIT, code = AISP_BUF_INIT;
    enum aisp_status st;
    Elf64_Ehdr header;

    AISP_TRY(read_whole(path, &file, err));
    if (read_header(&file, &header) && gather(&file, &header, &code))
        aisp_hash_bytes(code.s, code.len, hex);
    else
        st = aisp_fail(err, AISP_E_REFUSED, "%s: no shared object, or a cut one", path);
out:
    aisp_buf_release(&file);
    aisp_buf_release(&code);
    return st;
}
